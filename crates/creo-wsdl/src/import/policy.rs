//! What a WSDL demands beyond SOAP: WS-Policy assertions, and extensions with `wsdl:required`. What clients cannot meet is reported.

use crate::import::load::{WSDL, XML};
use crate::import::table::{Spot, Table, is_true};
use creo_diag::{Code, Diagnostic, Report, quote};
use std::collections::{BTreeMap, BTreeSet};

const POLICY: [&str; 3] = [
    "http://www.w3.org/ns/ws-policy",
    "http://schemas.xmlsoap.org/ws/2004/09/policy",
    "http://schemas.xmlsoap.org/ws/2002/12/policy",
];
const UTILITY: &str = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd";

/// Assertions that clients meet: TLS and authentication of HTTP, and MTOM, which is an option of each client.
const MET: [&str; 8] = [
    "TransportBinding",
    "HttpsToken",
    "BasicAuthentication",
    "HttpBasicAuthentication",
    "OptimizedMimeSerialization",
    "MTOM",
    "UTF816FFFECharacterEncoding",
    "NoEncryption",
];

/// Reports each place that demands what clients do not do.
pub fn check(table: &Table, report: &mut Report) {
    let mut policies =
        Policies { table, named: BTreeMap::new(), known: BTreeMap::new(), missing: BTreeMap::new() };
    let roots: Vec<Spot> = table.definitions().collect();
    roots.iter().for_each(|root| policies.name(*root));
    for root in roots {
        for child in table.all_children(root) {
            let element = table.element(child);
            // A policy at the top counts where it is referred to.
            if &*element.namespace == WSDL && element.local != "types" {
                policies.visit(child, report);
            }
        }
    }
    for (uri, spot) in policies.missing {
        let message =
            format!("the policy {} is not in this file, and what it requires is unknown", quote(&uri));
        report.add(&Diagnostic::new(Code::UnmetPolicy, table.span(spot), message));
    }
}

struct Policies<'a> {
    table: &'a Table,
    /// Policies by file and id.
    named: BTreeMap<(u32, String), Spot>,
    /// What each policy or operator demands. Empty while it is looked at, so that circles end.
    known: BTreeMap<Spot, BTreeSet<String>>,
    /// References to policies that are not there, each with its first place.
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

    /// Looks at an element of WSDL, what is attached to it, and what it holds.
    fn visit(&mut self, spot: Spot, report: &mut Report) {
        let table = self.table;
        let attributes = table
            .element(spot)
            .attributes
            .iter()
            .filter(|attribute| attribute.local == "PolicyURIs" && is_policy(&attribute.namespace));
        let mut demands: BTreeSet<String> = BTreeSet::new();
        for uri in attributes.flat_map(|attribute| attribute.value.split_whitespace()) {
            demands.extend(self.referred(spot, uri));
        }
        report_unmet(table, spot, &demands, report);
        for child in table.all_children(spot) {
            let element = table.element(child);
            if &*element.namespace == WSDL {
                self.visit(child, report);
                continue;
            }
            let mut demands =
                if is_policy(&element.namespace) { self.demands(child) } else { BTreeSet::new() };
            if is_true(element.attribute_in(WSDL, "required"))
                && !is_policy(&element.namespace)
                && !is_soap(&element.namespace)
            {
                demands.insert(element.local.clone());
            }
            report_unmet(table, child, &demands, report);
        }
    }

    fn referred(&mut self, from: Spot, uri: &str) -> BTreeSet<String> {
        let uri = uri.trim();
        let policy = uri.strip_prefix('#').and_then(|id| self.named.get(&(from.unit, id.to_owned())));
        match policy {
            Some(policy) => self.demands(*policy),
            None => {
                self.missing.entry(uri.to_owned()).or_insert(from);
                BTreeSet::new()
            }
        }
    }

    /// The assertions that cannot be met; of alternatives those of the one with the fewest.
    fn demands(&mut self, spot: Spot) -> BTreeSet<String> {
        if let Some(known) = self.known.get(&spot) {
            return known.clone();
        }
        self.known.insert(spot, BTreeSet::new());
        let element = self.table.element(spot);
        let optional = element
            .attributes
            .iter()
            .any(|a| is_policy(&a.namespace) && a.local == "Optional" && is_true(Some(&a.value)));
        let children = || self.table.all_children(spot).collect::<Vec<Spot>>();
        let found: BTreeSet<String> = if optional {
            BTreeSet::new()
        } else if !is_policy(&element.namespace) {
            if MET.contains(&element.local.as_str()) {
                self.timestamps(spot)
            } else {
                BTreeSet::from([element.local.clone()])
            }
        } else {
            match element.local.as_str() {
                "PolicyReference" => self.referred(spot, element.attribute("URI").unwrap_or("")),
                "ExactlyOne" | "OneOrMore" => {
                    let alternatives: Vec<_> =
                        children().into_iter().map(|child| self.demands(child)).collect();
                    alternatives.into_iter().min_by_key(BTreeSet::len).unwrap_or_default()
                }
                _ => children().into_iter().flat_map(|child| self.demands(child)).collect(),
            }
        };
        self.known.insert(spot, found.clone());
        found
    }

    /// TLS with a timestamp needs a header of WS-Security all the same.
    fn timestamps(&self, spot: Spot) -> BTreeSet<String> {
        let mut waiting = vec![spot];
        while let Some(next) = waiting.pop() {
            if self.table.element(next).local == "IncludeTimestamp" {
                return BTreeSet::from(["IncludeTimestamp".to_owned()]);
            }
            waiting.extend(self.table.all_children(next));
        }
        BTreeSet::new()
    }
}

fn is_policy(namespace: &str) -> bool {
    POLICY.contains(&namespace)
}

fn is_soap(namespace: &str) -> bool {
    matches!(namespace, "http://schemas.xmlsoap.org/wsdl/soap/" | "http://schemas.xmlsoap.org/wsdl/soap12/")
}

fn report_unmet(table: &Table, spot: Spot, demands: &BTreeSet<String>, report: &mut Report) {
    if demands.is_empty() {
        return;
    }
    let names: Vec<String> = demands.iter().map(|name| quote(name)).collect();
    let message = format!("the service requires what generated clients do not do: {}", names.join(", "));
    let help = "without it the service may refuse every call. A header of WS-Addressing, or of WS-Security without signature and encryption, can be added \
                to the description by hand, as an `@Xml(header)` parameter; for signatures and encryption use a toolkit such as CXF";
    report.add(&Diagnostic::new(Code::UnmetPolicy, table.span(spot), message).help(help));
}
