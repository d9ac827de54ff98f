//! The addresses of ports, with what a WSDL says of JMS beside them (JMS-20, JMS-21).

use crate::import::load::WSDL;
use crate::import::table::{Spot, Table};
use crate::jms;
use creo_diag::{Code, Diagnostic, Report, quote};
use std::collections::BTreeMap;

const HTTP: &str = "http://schemas.xmlsoap.org/soap/http";
/// Transports of JMS from before the recommendation.
const OLDER: [&str; 3] =
    [jms::DRAFT, "http://cxf.apache.org/transports/jms", "http://schemas.xmlsoap.org/soap/jms"];
/// The properties that become parameters, in the order of JMS-20.
const PROPERTIES: [&str; 4] = ["deliveryMode", "timeToLive", "priority", "replyToName"];

/// A port and its surroundings.
pub struct Port<'t> {
    pub table: &'t Table,
    pub service: Spot,
    pub port: Spot,
    pub binding: Spot,
    /// The transport of the binding.
    pub transport: &'t str,
}

impl Port<'_> {
    /// The address; `None` if the port has none.
    pub fn address(&self, report: &mut Report) -> Option<String> {
        let table = self.table;
        let address = table.all_children(self.port).find(|child| table.element(*child).local == "address");
        let location = address.and_then(|address| table.element(address).attribute("location")).unwrap_or("");
        let location = Some(location.trim().to_owned()).filter(|location| !location.is_empty());
        let at = address.unwrap_or(self.port);
        let transport = self.transport.trim().trim_end_matches('/');
        let older = OLDER.iter().any(|older| older.trim_end_matches('/') == transport);
        match location {
            Some(location) if jms::is_address(&location) => {
                // Of two reports about one element, the first counts.
                let address = self.merged(location, at, report);
                if transport == HTTP {
                    self.tell(at, "has an address of JMS, and its binding the transport of HTTP", report);
                }
                Some(address)
            }
            location if older => {
                let text = format!(
                    "has the transport {}, an older one of JMS, without an address that begins with jms:",
                    quote(self.transport)
                );
                self.tell(at, &text, report);
                location
            }
            location if transport == jms::JMS.trim_end_matches('/') => {
                let what = location.as_deref().map_or("no address".to_owned(), |location| {
                    format!("the address {}, and JMS needs one that begins with jms:", quote(location))
                });
                self.tell(at, &format!("has {what}"), report);
                location
            }
            location => location,
        }
    }

    fn tell(&self, at: Spot, what: &str, report: &mut Report) {
        let name = self.table.element(self.port).attribute("name").unwrap_or("").trim();
        let text = format!("the port {} {what}", quote(name));
        report.add(&Diagnostic::new(Code::OddAddress, self.table.span(at), text));
    }

    /// The address with the properties that it does not have itself; an invalid one is returned as it is.
    fn merged(&self, location: String, at: Spot, report: &mut Report) -> String {
        let (path, mut parameters) = jms::split(&location);
        if jms::is_direct(path) {
            let all = parameters.len();
            parameters.retain(|parameter| !jms::key(parameter).is_some_and(|key| jms::is_jndi(&key)));
            if parameters.len() < all {
                self.tell(at, "has parameters of JNDI, which are left out: clients do not use it", report);
            }
        }
        let mut found: BTreeMap<String, String> = BTreeMap::new();
        for level in [self.port, self.service, self.binding] {
            for (name, value) in self.properties(level, report) {
                found.entry(name).or_insert(value);
            }
        }
        let mut parameters: Vec<String> = parameters.into_iter().map(str::to_owned).collect();
        if let Some(problem) = jms::problem(&joined(path, &parameters)) {
            self.tell(at, &format!("has the address {}: {problem}", quote(&location)), report);
            return location;
        }
        let known: Vec<String> = parameters.iter().filter_map(|parameter| jms::key(parameter)).collect();
        for name in PROPERTIES.iter().filter(|name| !known.iter().any(|key| key == *name)) {
            if let Some(value) = found.get(*name) {
                parameters.push(format!("{name}={}", jms::encoded(value)));
            }
        }
        let address = joined(path, &parameters);
        match jms::problem(&address) {
            None => address,
            Some(problem) => {
                let text = format!("has properties with which {} is no address: {problem}", quote(&location));
                self.tell(at, &text, report);
                location
            }
        }
    }

    /// The properties that an element of the WSDL has.
    fn properties(&self, level: Spot, report: &mut Report) -> BTreeMap<String, String> {
        let table = self.table;
        let mut found = BTreeMap::new();
        for child in table.all_children(level) {
            let element = table.element(child);
            if &*element.namespace == WSDL || !jms::is_namespace(&element.namespace) {
                continue;
            }
            let (name, value) = (element.local.clone(), element.text.trim().to_owned());
            let problem = if !PROPERTIES.contains(&name.as_str()) {
                Some(if jms::is_jndi(&name) { "clients do not use JNDI" } else { "it is unknown" }.to_owned())
            } else if found.contains_key(&name) {
                Some("it is there twice".to_owned())
            } else if value.is_empty() || value.chars().any(char::is_control) {
                Some("it has no proper value".to_owned())
            } else {
                jms::value_problem(&name, &value)
            };
            match problem {
                Some(problem) => {
                    let text = format!("the property {} of JMS is left out: {problem}", quote(&name));
                    report.add(&Diagnostic::new(Code::OddAddress, table.span(child), text));
                }
                None => _ = found.insert(name, value),
            }
        }
        found
    }
}

fn joined(path: &str, parameters: &[String]) -> String {
    if parameters.is_empty() { path.to_owned() } else { format!("{path}?{}", parameters.join("&")) }
}
