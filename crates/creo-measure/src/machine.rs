//! Properties of this machine, found without running other programs.

use std::collections::BTreeMap;

/// The processor, memory, cores and system if known: Linux has files for them; on other systems they are omitted.
pub fn known() -> BTreeMap<String, String> {
    let cores = std::thread::available_parallelism().ok().map(|cores| cores.to_string());
    let system = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
    [
        ("processor", processor()),
        ("memory", line("/proc/meminfo", "MemTotal")),
        ("cores", cores),
        ("system", Some(system)),
    ]
    .into_iter()
    .filter_map(|(name, value)| Some((name.to_owned(), value?)))
    .collect()
}

/// The processor's name with family and model: virtual machines use one name for processors of many years.
pub fn processor() -> Option<String> {
    let of = |name: &str| line("/proc/cpuinfo", name);
    let generation = of("cpu family")
        .zip(of("model\t"))
        .map(|(family, model)| format!(", family {family}, model {model}"));
    Some(of("model name")? + &generation.unwrap_or_default())
}

/// The value after a name and a colon in a file.
fn line(path: &str, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let found = text.lines().find(|line| line.starts_with(name))?;
    Some(found.split_once(':')?.1.trim().to_owned())
}
