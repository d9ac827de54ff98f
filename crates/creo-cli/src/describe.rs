//! The model of a called service, from its description or WSDL.

use crate::commands::import::Disk;
use crate::failure::Failure;
use crate::input::{self, name_of};
use crate::snippets;
use crate::terminal::Terminal;
use creo_check::{CheckedModel, Compilation, LoadError, compile_files};
use creo_diag::Severity;
use creo_wsdl::import::{Options, import};
use std::path::Path;

/// Reads a description, or imports a WSDL. `None` after errors, which were reported.
pub fn model(path: &Path, terminal: &Terminal) -> Result<Option<CheckedModel>, Failure> {
    if !input::is_xml_file(path)? {
        return input::model(&[path], terminal);
    }
    let imported = import(&name_of(path), &Options::default(), &mut Disk::beside(path));
    // Omissions of an import matter only to those who keep the description.
    if imported.report.diagnostics().iter().any(|told| told.severity == Severity::Error) {
        snippets::report(&imported.report, &imported.sources, terminal);
    }
    match imported.text {
        Some(text) => of_text(&name_of(path), text.as_bytes(), terminal),
        None => Ok(None),
    }
}

/// The descriptions of the host's own services (`spec/services.md`).
const OF_HOSTS: [(&str, &str); 2] = [
    ("creo.health", include_str!("services/health.creo")),
    ("creo.reflection", include_str!("services/reflection.creo")),
];

/// The model of a host's own service, by its package or a full name in it. `None` if there is none.
pub fn of_host(name: &str, terminal: &Terminal) -> Result<Option<CheckedModel>, Failure> {
    match OF_HOSTS.into_iter().find(|(package, _)| is_within(name, package)) {
        Some((package, text)) => of_text(&format!("{package}.creo"), text.as_bytes(), terminal),
        None => Ok(None),
    }
}

/// Whether a name is that of a host's own service, or of something in it.
pub fn is_of_host(name: &str) -> bool {
    OF_HOSTS.into_iter().any(|(package, _)| is_within(name, package))
}

fn is_within(name: &str, package: &str) -> bool {
    name.strip_prefix(package).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Compiles a description without a file.
fn of_text(name: &str, text: &[u8], terminal: &Terminal) -> Result<Option<CheckedModel>, Failure> {
    let mut load = |asked: &str| if asked == name { Ok(text.to_vec()) } else { Err(LoadError::NotFound) };
    compiled(&[name], &mut load, terminal)
}

/// Compiles descriptions without files. `None` after errors, which were reported.
pub fn compiled(
    names: &[&str],
    load: &mut dyn FnMut(&str) -> Result<Vec<u8>, LoadError>,
    terminal: &Terminal,
) -> Result<Option<CheckedModel>, Failure> {
    let Compilation { sources, report, model } = compile_files(names, load)
        .map_err(|(name, _)| Failure::new(format!("cannot read {name}: there is no such file")))?;
    if model.is_none() {
        snippets::report(&report, &sources, terminal);
    }
    Ok(model)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The specification, the Java host and this program have the same descriptions.
    #[test]
    fn the_services_of_hosts_are_those_of_the_specification() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let page = std::fs::read_to_string(root.join("spec/services.md")).expect("the page");
        let java = root.join("runtimes/java/src");
        let mut folders = vec![java];
        let mut host = String::new();
        while let Some(folder) = folders.pop() {
            for entry in
                std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path())
            {
                if entry.is_dir() {
                    folders.push(entry);
                } else if entry.ends_with("HostServices.java") {
                    host = std::fs::read_to_string(entry).expect("the Java host");
                }
            }
        }
        for (package, text) in OF_HOSTS {
            assert!(page.contains(&format!("```\n{text}```\n")), "{package}");
            let mut load = |_: &str| Ok(text.as_bytes().to_vec());
            let model = compile_files(&["x.creo"], &mut load).expect("it loads").model.expect("it is right");
            for interface in &model.interfaces {
                assert!(host.contains(&format!("0x{:016x}L", interface.fingerprint)), "{package}");
                for method in &interface.methods {
                    assert!(
                        host.contains(&format!("\"{}\", 0x{:016x}L", method.name, method.id)),
                        "{}",
                        method.name
                    );
                }
            }
        }
    }
}
