//! Requirements beyond SOAP: WS-Policy assertions, and `wsdl:required`. Reports those that clients do not meet, or only if configured.

use crate::import::load::{WSDL, XML};
use crate::import::selection::Selection;
use crate::import::table::{Kind, QName, Spot, Table, is_true};
use crate::jms;
use creo_diag::{Code, Diagnostic, Report, quote};
use std::collections::{BTreeMap, BTreeSet};

const POLICY: [&str; 3] = [
    "http://www.w3.org/ns/ws-policy",
    "http://schemas.xmlsoap.org/ws/2004/09/policy",
    "http://schemas.xmlsoap.org/ws/2002/12/policy",
];
const UTILITY: &str = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd";

/// Assertions that clients meet: TLS and HTTP authentication, MTOM (a client option), and those that only say how tokens are referenced.
const MET: [&str; 12] = [
    "TransportBinding",
    "HttpsToken",
    "BasicAuthentication",
    "HttpBasicAuthentication",
    "OptimizedMimeSerialization",
    "MTOM",
    "UTF816FFFECharacterEncoding",
    "NoEncryption",
    "Wss10",
    "Wss11",
    "Trust10",
    "Trust13",
];
/// Assertions that hold tokens.
const TOKENS: [&str; 4] = [
    "SupportingTokens",
    "SignedSupportingTokens",
    "EncryptedSupportingTokens",
    "SignedEncryptedSupportingTokens",
];
/// WS-Addressing 1.0.
const ADDRESSING: [(&str, &str); 2] = [
    ("http://www.w3.org/2006/05/addressing/wsdl", "UsingAddressing"),
    ("http://www.w3.org/2007/05/addressing/metadata", "Addressing"),
];

/// The requirements of a policy.
#[derive(Clone, Debug, Default)]
pub struct Demands {
    /// Assertions that clients cannot meet.
    unmet: BTreeSet<String>,
    /// Assertions that a client meets if configured (SOAP-50).
    options: BTreeSet<String>,
    /// WS-Addressing headers, which the description declares (SOAP-40).
    pub addressing: bool,
}

impl Demands {
    fn unmet(assertion: &str) -> Demands {
        Demands { unmet: BTreeSet::from([assertion.to_owned()]), ..Demands::default() }
    }

    fn option(assertion: &str) -> Demands {
        Demands { options: BTreeSet::from([assertion.to_owned()]), ..Demands::default() }
    }

    fn add(&mut self, other: Demands) {
        self.unmet.extend(other.unmet);
        self.options.extend(other.options);
        self.addressing |= other.addressing;
    }

    fn weight(&self) -> (usize, usize, bool) {
        (self.unmet.len(), self.options.len(), self.addressing)
    }

    /// The comment about it in a description, for client authors.
    pub fn comment(&self) -> Option<String> {
        match (self.unmet.is_empty(), self.options.is_empty()) {
            (true, true) => None,
            (true, false) => Some(format!(
                "The service requires {}: a client must be told to send it.",
                names(&self.options)
            )),
            (false, _) => Some(format!(
                "The service requires what generated clients do not do: {}.",
                names(&self.unmet)
            )),
        }
    }
}

/// Reports each requirement that clients do not meet, or only if configured. Returns the requirements by port type.
pub fn check(table: &Table, selection: &Selection<'_>, report: &mut Report) -> BTreeMap<QName, Demands> {
    let mut policies = Policies {
        table,
        selection,
        named: BTreeMap::new(),
        known: BTreeMap::new(),
        missing: BTreeMap::new(),
    };
    let mut found: BTreeMap<QName, Demands> = BTreeMap::new();
    let roots: Vec<Spot> = table.definitions().collect();
    roots.iter().for_each(|root| policies.name(*root));
    for root in roots {
        for child in table.all_children(root) {
            let element = table.element(child);
            // A top-level policy applies where it is referenced.
            if &*element.namespace == WSDL && element.local != "types" && is_meant(table, selection, child) {
                let demands = policies.visit(child, report);
                for port_type in port_types(table, child) {
                    found.entry(port_type).or_default().add(demands.clone());
                }
            }
        }
    }
    for (uri, spot) in policies.missing {
        let message =
            format!("the policy {} is not in this file, and what it requires is unknown", quote(&uri));
        report.add(&Diagnostic::new(Code::UnmetPolicy, table.span(spot), message));
    }
    found
}

/// Whether a child of the definitions is selected: bindings of unselected ports are not.
fn is_meant(table: &Table, selection: &Selection<'_>, spot: Spot) -> bool {
    let element = table.element(spot);
    let name = element.attribute("name").unwrap_or("").trim();
    element.local != "binding" || selection.has_binding(&QName::new(table.unit(spot).target.clone(), name))
}

/// The port types that a child of the definitions belongs to. Unresolved names are reported elsewhere.
fn port_types(table: &Table, spot: Spot) -> Vec<QName> {
    let silent = &mut Report::new();
    let of_binding = |binding: Spot, silent: &mut Report| {
        table.element(binding).attribute("type").map(|name| table.resolve(binding, name, silent))
    };
    match table.element(spot).local.as_str() {
        "portType" => table
            .element(spot)
            .attribute("name")
            .map(|name| QName::new(table.unit(spot).target.clone(), name.trim()))
            .into_iter()
            .collect(),
        "binding" => of_binding(spot, silent).into_iter().collect(),
        "service" => {
            let ports: Vec<Spot> =
                table.children(spot).filter(|port| table.element(*port).local == "port").collect();
            let mut found = Vec::new();
            for port in ports {
                let binding =
                    table.element(port).attribute("binding").map(|name| table.resolve(port, name, silent));
                if let Some((_, binding)) = binding.and_then(|name| table.find(Kind::Binding, &name)) {
                    found.extend(of_binding(binding, silent));
                }
            }
            found
        }
        _ => Vec::new(),
    }
}

struct Policies<'a> {
    table: &'a Table,
    selection: &'a Selection<'a>,
    /// Policies by file and id.
    named: BTreeMap<(u32, String), Spot>,
    /// The requirements of each policy or operator. Empty while it is being examined, which ends cycles.
    known: BTreeMap<Spot, Demands>,
    /// References to missing policies, each with its first location.
    missing: BTreeMap<String, Spot>,
}

impl Policies<'_> {
    fn name(&mut self, spot: Spot) {
        let element = self.table.element(spot);
        if is_policy(&element.namespace) && element.local == "Policy" {
            let ids = [
                element.attribute_in(UTILITY, "Id"),
                element.attribute_in(XML, "id"),
                element.attribute("Name"),
                element.attribute("Id"),
            ];
            for id in ids.into_iter().flatten() {
                self.named.entry((spot.unit, id.trim().to_owned())).or_insert(spot);
            }
        }
        let children: Vec<Spot> = self.table.all_children(spot).collect();
        children.into_iter().for_each(|child| self.name(child));
    }

    /// Visits a WSDL element, its attached policies and its children, and returns all requirements.
    fn visit(&mut self, spot: Spot, report: &mut Report) -> Demands {
        let table = self.table;
        let attributes = table
            .element(spot)
            .attributes
            .iter()
            .filter(|attribute| attribute.local == "PolicyURIs" && is_policy(&attribute.namespace));
        let mut demands = Demands::default();
        for uri in attributes.flat_map(|attribute| attribute.value.split_whitespace()) {
            demands.add(self.referred(spot, uri));
        }
        tell(table, spot, &demands, report);
        for child in table.all_children(spot) {
            let element = table.element(child);
            if &*element.namespace == WSDL {
                if element.local != "port" || self.selection.has_port(child) {
                    demands.add(self.visit(child, report));
                }
                continue;
            }
            let policy = is_policy(&element.namespace);
            let required = is_true(element.attribute_in(WSDL, "required"))
                && !is_soap(&element.namespace)
                && !jms::is_namespace(&element.namespace);
            if policy || required {
                let here = self.demands(child);
                tell(table, child, &here, report);
                demands.add(here);
            }
        }
        demands
    }

    fn referred(&mut self, from: Spot, uri: &str) -> Demands {
        let uri = uri.trim();
        let policy = uri.strip_prefix('#').and_then(|id| self.named.get(&(from.unit, id.to_owned())));
        match policy {
            Some(policy) => self.demands(*policy),
            None => {
                self.missing.entry(uri.to_owned()).or_insert(from);
                Demands::default()
            }
        }
    }

    /// The requirements of a policy operator or assertion; of alternatives, the smallest set.
    fn demands(&mut self, spot: Spot) -> Demands {
        if let Some(known) = self.known.get(&spot) {
            return known.clone();
        }
        self.known.insert(spot, Demands::default());
        let element = self.table.element(spot);
        let optional = element
            .attributes
            .iter()
            .any(|a| is_policy(&a.namespace) && a.local == "Optional" && is_true(Some(&a.value)));
        let found = match element.local.as_str() {
            _ if optional => Demands::default(),
            _ if !is_policy(&element.namespace) => self.assertion(spot),
            "PolicyReference" => self.referred(spot, element.attribute("URI").unwrap_or("")),
            "ExactlyOne" | "OneOrMore" => {
                let children: Vec<Spot> = self.table.all_children(spot).collect();
                let alternatives = children.into_iter().map(|child| self.demands(child));
                alternatives.min_by_key(Demands::weight).unwrap_or_default()
            }
            _ => self.within(spot),
        };
        self.known.insert(spot, found.clone());
        found
    }

    /// The combined requirements of the children.
    fn within(&mut self, spot: Spot) -> Demands {
        let children: Vec<Spot> = self.table.all_children(spot).collect();
        let mut all = Demands::default();
        children.into_iter().for_each(|child| all.add(self.demands(child)));
        all
    }

    fn assertion(&mut self, spot: Spot) -> Demands {
        let element = self.table.element(spot);
        let name = element.local.as_str();
        if ADDRESSING.contains(&(&*element.namespace, name)) {
            let mut demands = self.within(spot);
            demands.addressing = true;
            return demands;
        }
        match name {
            // These concern only the service's own choices.
            "AnonymousResponses" | "WssUsernameToken10" | "WssUsernameToken11" => Demands::default(),
            "IncludeTimestamp" => Demands::option("Timestamp"),
            "HashPassword" => Demands::option("UsernameToken with a digest"),
            "UsernameToken" => {
                let mut demands = self.within(spot);
                if demands.options.is_empty() {
                    demands.add(Demands::option("UsernameToken"));
                }
                demands
            }
            _ if TOKENS.contains(&name) => self.within(spot),
            _ if MET.contains(&name) => self.timestamp(spot),
            _ => Demands::unmet(name),
        }
    }

    /// TLS with a timestamp still needs a WS-Security header.
    fn timestamp(&self, spot: Spot) -> Demands {
        let mut waiting = vec![spot];
        while let Some(next) = waiting.pop() {
            if self.table.element(next).local == "IncludeTimestamp" {
                return Demands::option("Timestamp");
            }
            waiting.extend(self.table.all_children(next));
        }
        Demands::default()
    }
}

fn is_policy(namespace: &str) -> bool {
    POLICY.contains(&namespace)
}

fn is_soap(namespace: &str) -> bool {
    matches!(namespace, "http://schemas.xmlsoap.org/wsdl/soap/" | "http://schemas.xmlsoap.org/wsdl/soap12/")
}

fn names(assertions: &BTreeSet<String>) -> String {
    assertions.iter().map(|name| quote(name)).collect::<Vec<_>>().join(", ")
}

/// Reports the requirements of a spot.
fn tell(table: &Table, spot: Spot, demands: &Demands, report: &mut Report) {
    if !demands.unmet.is_empty() {
        let message =
            format!("the service requires what generated clients do not do: {}", names(&demands.unmet));
        let help = "without it the service may refuse every call; for signatures, encryption and other tokens use a toolkit such as CXF";
        report.add(&Diagnostic::new(Code::UnmetPolicy, table.span(spot), message).help(help));
    }
    if !demands.options.is_empty() {
        let message = format!(
            "the service requires {}, which a client sends if it is told to",
            names(&demands.options)
        );
        let help =
            "give the client a user and a password, or switch its timestamp on; docs/soap.md shows how";
        report.add(&Diagnostic::new(Code::OptionNeeded, table.span(spot), message).help(help));
    }
}
