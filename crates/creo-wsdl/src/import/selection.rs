//! The selection of an import: the whole WSDL, or some ports and operations.

use crate::import::files::Options;
use crate::import::table::{Kind, QName, Spot, Table};
use creo_diag::{Code, Diagnostic, Report, quote};
use std::collections::BTreeSet;

/// The maximum number of names shown when one is not found.
const MAX_SHOWN: usize = 20;

pub struct Selection<'o> {
    operations: &'o [String],
    /// The names that were found.
    met: BTreeSet<&'o str>,
    /// All names of operations.
    seen: BTreeSet<String>,
    /// The selected ports and their bindings; `None` if all are selected.
    ports: Option<(BTreeSet<Spot>, BTreeSet<QName>)>,
}

impl<'o> Selection<'o> {
    /// Reports ports that do not exist.
    pub fn new(table: &Table, options: &'o Options, report: &mut Report) -> Selection<'o> {
        let ports = (!options.ports.is_empty()).then(|| ports(table, &options.ports, report));
        Selection { operations: &options.operations, met: BTreeSet::new(), seen: BTreeSet::new(), ports }
    }

    /// Whether all ports are selected.
    pub fn has_all_ports(&self) -> bool {
        self.ports.is_none()
    }

    pub fn has_port(&self, port: Spot) -> bool {
        self.ports.as_ref().is_none_or(|(ports, _)| ports.contains(&port))
    }

    pub fn has_binding(&self, name: &QName) -> bool {
        self.ports.as_ref().is_none_or(|(_, bindings)| bindings.contains(name))
    }

    /// Whether an operation is selected, by its name or as `PortType.Operation`.
    pub fn has_operation(&mut self, port_type: &str, name: &str) -> bool {
        if self.operations.is_empty() {
            return true;
        }
        self.seen.insert(name.to_owned());
        let full = format!("{port_type}.{name}");
        let meant = self.operations.iter().filter(|asked| **asked == name || **asked == full);
        let meant: Vec<&str> = meant.map(String::as_str).collect();
        self.met.extend(&meant);
        !meant.is_empty()
    }

    /// Reports operations that were not found.
    pub fn finish(&self, table: &Table, report: &mut Report) {
        let names: Vec<&str> = self.seen.iter().map(String::as_str).collect();
        for asked in self.operations.iter().filter(|asked| !self.met.contains(asked.as_str())) {
            missing(table, "operation", asked, &names, report);
        }
    }
}

/// The ports with a name, or the one called `Service.Port`, and their bindings.
fn ports(table: &Table, asked: &[String], report: &mut Report) -> (BTreeSet<Spot>, BTreeSet<QName>) {
    let (mut found, mut bindings) = (BTreeSet::new(), BTreeSet::new());
    let mut names: Vec<&str> = Vec::new();
    let mut met: BTreeSet<&str> = BTreeSet::new();
    for definitions in table.definitions() {
        for service in table.children(definitions).filter(|child| table.element(*child).local == "service") {
            let service_name = table.element(service).attribute("name").unwrap_or("").trim();
            for port in table.children(service).filter(|child| table.element(*child).local == "port") {
                let element = table.element(port);
                let name = element.attribute("name").unwrap_or("").trim();
                names.push(name);
                let full = format!("{service_name}.{name}");
                let meant: Vec<&str> = asked
                    .iter()
                    .map(String::as_str)
                    .filter(|asked| *asked == name || *asked == full)
                    .collect();
                if meant.is_empty() {
                    continue;
                }
                met.extend(meant);
                found.insert(port);
                // A missing binding is reported where bindings are read.
                let binding = element.attribute("binding");
                let binding = binding.map(|binding| table.resolve(port, binding, &mut Report::new()));
                bindings
                    .extend(binding.and_then(|name| table.find(Kind::Binding, &name)).map(|(name, _)| name));
            }
        }
    }
    for asked in asked.iter().filter(|asked| !met.contains(asked.as_str())) {
        missing(table, "port", asked, &names, report);
    }
    (found, bindings)
}

fn missing(table: &Table, what: &str, asked: &str, names: &[&str], report: &mut Report) {
    let Some(root) = table.definitions().next() else { return };
    let shown: Vec<String> = names.iter().take(MAX_SHOWN).map(|name| quote(name)).collect();
    let more = names.len().saturating_sub(MAX_SHOWN);
    let help = match (shown.is_empty(), more) {
        (true, _) => format!("there is no {what}"),
        (false, 0) => format!("there are {}", shown.join(", ")),
        (false, more) => format!("there are {} and {more} more", shown.join(", ")),
    };
    let told = format!("no {what} is called {}", quote(asked));
    report.add(&Diagnostic::new(Code::NothingToImport, table.span(root), told).help(help));
}
