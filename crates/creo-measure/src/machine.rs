//! What is known of this machine without asking other programs.

use std::collections::BTreeMap;

/// Its processor, memory, cores and system, as far as they are known: Linux tells them in files, and elsewhere they stay out.
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

/// The name of the processor, with family and model: virtual machines give processors of many years one name.
pub fn processor() -> Option<String> {
    let of = |name: &str| line("/proc/cpuinfo", name);
    let generation = of("cpu family")
        .zip(of("model\t"))
        .map(|(family, model)| format!(", family {family}, model {model}"));
    Some(of("model name")? + &generation.unwrap_or_default())
}

/// What a file says behind a name and a colon.
fn line(path: &str, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let found = text.lines().find(|line| line.starts_with(name))?;
    Some(found.split_once(':')?.1.trim().to_owned())
}
