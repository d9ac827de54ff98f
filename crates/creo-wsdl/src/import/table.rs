//! The table of all components, by kind and qualified name. It is complete before the first lookup, so the order of files and circular
//! imports do not matter.

use crate::import::known;
use crate::import::load::{Loaded, Unit, WSDL, XSD, is_xsd};
use crate::import::xml::{Element, NodeId, Tree, is_name};
use creo_diag::{Code, Diagnostic, Report, Span, quote};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::rc::Rc;

/// A qualified name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct QName {
    pub namespace: Rc<str>,
    pub local: Rc<str>,
}

impl QName {
    pub fn new(namespace: impl Into<Rc<str>>, local: impl Into<Rc<str>>) -> QName {
        QName { namespace: namespace.into(), local: local.into() }
    }

    /// Whether it is a built-in type of XML Schema, or its equivalent in SOAP encoding.
    pub fn builtin(&self) -> bool {
        is_xsd(&self.namespace) || known::is_soap_encoding(&self.namespace)
    }
}

impl fmt::Display for QName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.namespace.is_empty() {
            f.write_str(&self.local)
        } else {
            write!(f, "{{{}}}{}", self.namespace, self.local)
        }
    }
}

/// The symbol spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Type,
    Element,
    Attribute,
    Group,
    AttributeGroup,
    Message,
    PortType,
    Binding,
}

impl Kind {
    fn noun(self) -> &'static str {
        match self {
            Kind::Type => "type",
            Kind::Element => "element",
            Kind::Attribute => "attribute",
            Kind::Group => "group",
            Kind::AttributeGroup => "attribute group",
            Kind::Message => "message",
            Kind::PortType => "port type",
            Kind::Binding => "binding",
        }
    }
}

/// The attributes of XML Schema and WSDL whose values are qualified names.
const NAMES: [&str; 11] = [
    "type",
    "base",
    "ref",
    "itemType",
    "memberTypes",
    "substitutionGroup",
    "refer",
    "arrayType",
    "element",
    "message",
    "binding",
];

/// An element of a file, read in a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    pub unit: u32,
    pub node: NodeId,
}

#[derive(Debug)]
pub struct Table {
    trees: Vec<Tree>,
    units: Vec<Unit>,
    /// The number of units that are schemas; the others are definitions.
    schemas: usize,
    components: BTreeMap<(Kind, QName), Spot>,
    by_local: BTreeMap<(Kind, Rc<str>), Vec<QName>>,
    /// Types by the type that they extend or restrict.
    derived: BTreeMap<QName, Vec<QName>>,
    /// Elements by the substitution head.
    substitutes: BTreeMap<QName, Vec<QName>>,
}

impl Table {
    pub fn new(loaded: Loaded, report: &mut Report) -> Table {
        let schemas = loaded.schemas.len();
        let mut units = loaded.schemas;
        units.extend(loaded.definitions);
        let mut table = Table {
            trees: loaded.trees,
            units,
            schemas,
            components: BTreeMap::new(),
            by_local: BTreeMap::new(),
            derived: BTreeMap::new(),
            substitutes: BTreeMap::new(),
        };
        let mut twice = Vec::new();
        for unit in 0..table.units.len() {
            table.collect(unit, &mut twice, report);
        }
        for (kind, name, first, second) in twice {
            if !table.are_alike(first, second) {
                let (noun, quoted) = (kind.noun(), quote(&name.to_string()));
                let told = format!(
                    "the {noun} {quoted} is left out: another {noun} of this name came first, and they differ"
                );
                let told = Diagnostic::new(Code::LeftOut, table.span(second), told);
                report.add(&told.also(table.span(first), "this one is taken"));
            }
        }
        for (kind, name) in table.components.keys() {
            table.by_local.entry((*kind, name.local.clone())).or_default().push(name.clone());
        }
        table.relate(report);
        table
    }

    /// Adds what a unit declares. `twice` gets each component whose name is known already, and where.
    fn collect(&mut self, unit: usize, twice: &mut Vec<(Kind, QName, Spot, Spot)>, report: &mut Report) {
        let Unit { file, node, target, .. } = &self.units[unit];
        let tree = &self.trees[*file];
        for child in tree.element(*node).children.iter().copied() {
            let element = tree.element(child);
            let kind = match (element.local.as_str(), unit < self.schemas) {
                ("complexType" | "simpleType", true) => Kind::Type,
                ("element", true) => Kind::Element,
                ("attribute", true) => Kind::Attribute,
                ("group", true) => Kind::Group,
                ("attributeGroup", true) => Kind::AttributeGroup,
                ("message", false) => Kind::Message,
                ("portType", false) => Kind::PortType,
                ("binding", false) => Kind::Binding,
                _ => continue,
            };
            let right =
                if unit < self.schemas { is_xsd(&element.namespace) } else { &*element.namespace == WSDL };
            let Some(name) = element.attribute("name").map(str::trim).filter(|_| right) else { continue };
            if !is_name(name) {
                let told = format!("the {} {} is left out: this is no name of XML", kind.noun(), quote(name));
                report.add(&Diagnostic::new(Code::LeftOut, element.span, told));
                continue;
            }
            let name = QName::new(target.clone(), name);
            let spot = Spot { unit: unit as u32, node: child };
            // The same file may be read twice, and some repeat a schema: the first declaration wins.
            match self.components.entry((kind, name.clone())) {
                Entry::Vacant(entry) => drop(entry.insert(spot)),
                Entry::Occupied(entry) => twice.push((kind, name, *entry.get(), spot)),
            }
        }
    }

    /// Whether two elements say the same, whatever their prefixes and their documentation are.
    fn are_alike(&self, one: Spot, other: Spot) -> bool {
        let is_content =
            |child: &Spot| !matches!(self.element(*child).local.as_str(), "annotation" | "documentation");
        let content = |spot: Spot| self.all_children(spot).filter(is_content);
        let (a, b) = (self.element(one), self.element(other));
        (&a.namespace, &a.local) == (&b.namespace, &b.local)
            && self.said(one) == self.said(other)
            && content(one).count() == content(other).count()
            && content(one).zip(content(other)).all(|(one, other)| self.are_alike(one, other))
    }

    /// The attributes, with the meaning of those that are names.
    fn said(&self, spot: Spot) -> BTreeMap<(&str, &str), Vec<String>> {
        let attributes = self.element(spot).attributes.iter().map(|attribute| {
            let value = attribute.value.trim();
            let value = if NAMES.contains(&attribute.local.as_str()) {
                let names = value.split_whitespace();
                names.map(|name| self.resolve(spot, name, &mut Report::new()).to_string()).collect()
            } else {
                vec![value.to_owned()]
            };
            ((&*attribute.namespace, attribute.local.as_str()), value)
        });
        attributes.collect()
    }

    /// Collects derived types and substitution groups.
    fn relate(&mut self, report: &mut Report) {
        let mut derived: BTreeMap<QName, Vec<QName>> = BTreeMap::new();
        let mut substitutes: BTreeMap<QName, Vec<QName>> = BTreeMap::new();
        for ((kind, name), spot) in &self.components {
            match kind {
                Kind::Type => {
                    if let Some(base) = self.base(*spot, report) {
                        derived.entry(base).or_default().push(name.clone());
                    }
                }
                Kind::Element => {
                    for head in
                        self.element(*spot).attribute("substitutionGroup").unwrap_or("").split_whitespace()
                    {
                        let head = self.resolve(*spot, head, report);
                        let head = self.find(Kind::Element, &head).map_or(head, |(found, _)| found);
                        substitutes.entry(head).or_default().push(name.clone());
                    }
                }
                Kind::Attribute
                | Kind::Group
                | Kind::AttributeGroup
                | Kind::Message
                | Kind::PortType
                | Kind::Binding => {}
            }
        }
        self.derived = derived;
        self.substitutes = substitutes;
    }

    /// The named base of a complex type, as the table has it.
    fn base(&self, spot: Spot, report: &mut Report) -> Option<QName> {
        let content = self.child(spot, &["complexContent", "simpleContent"])?;
        let derivation = self.child(content, &["extension", "restriction"])?;
        let base = self.resolve(derivation, self.element(derivation).attribute("base")?, report);
        Some(self.find(Kind::Type, &base).map_or(base, |(found, _)| found))
    }

    pub fn unit(&self, spot: Spot) -> &Unit {
        &self.units[spot.unit as usize]
    }

    pub fn element(&self, spot: Spot) -> &Element {
        self.trees[self.unit(spot).file].element(spot.node)
    }

    pub fn span(&self, spot: Spot) -> Span {
        self.element(spot).span
    }

    /// The children in the namespaces of XML Schema and WSDL, without documentation.
    pub fn children(&self, spot: Spot) -> impl Iterator<Item = Spot> {
        let tree = &self.trees[self.unit(spot).file];
        let children = &tree.element(spot.node).children;
        let own = move |node: &NodeId| {
            let element = tree.element(*node);
            (is_xsd(&element.namespace) || &*element.namespace == WSDL)
                && !matches!(element.local.as_str(), "annotation" | "documentation")
        };
        children.iter().copied().filter(own).map(move |node| Spot { unit: spot.unit, node })
    }

    /// All children, including extensions.
    pub fn all_children(&self, spot: Spot) -> impl Iterator<Item = Spot> {
        self.element(spot).children.iter().map(move |node| Spot { unit: spot.unit, node: *node })
    }

    /// The first child with one of the names.
    pub fn child(&self, spot: Spot, names: &[&str]) -> Option<Spot> {
        self.children(spot).find(|child| names.contains(&self.element(*child).local.as_str()))
    }

    /// The meaning of a prefixed value at a spot.
    pub fn resolve(&self, spot: Spot, value: &str, report: &mut Report) -> QName {
        let value = value.trim();
        let unit = self.unit(spot);
        let (prefix, local) = value.split_once(':').unwrap_or(("", value));
        match self.trees[unit.file].namespace(spot.node, prefix) {
            Some(namespace) if namespace.is_empty() && unit.chameleon => {
                QName::new(unit.target.clone(), local)
            }
            Some(namespace) => QName::new(namespace, local),
            None => {
                let told = format!("the prefix of {} is not declared", quote(value));
                report.add(&Diagnostic::new(Code::UnknownComponent, self.span(spot), told));
                // Some files forget the prefix of XML Schema.
                let builtin = matches!(prefix, "xs" | "xsd");
                QName::new(if builtin { XSD.into() } else { unit.target.clone() }, local)
            }
        }
    }

    /// A component by its name, or else the only one with that local name: some files use the wrong namespace.
    pub fn find(&self, kind: Kind, name: &QName) -> Option<(QName, Spot)> {
        if let Some(spot) = self.components.get(&(kind, name.clone())) {
            return Some((name.clone(), *spot));
        }
        match self.by_local.get(&(kind, name.local.clone())).map(Vec::as_slice) {
            Some([only]) => Some((only.clone(), self.components[&(kind, only.clone())])),
            _ => None,
        }
    }

    /// Like [`Table::find`], but reports a name that is not found or has another namespace. For an element or attribute of another
    /// namespace only the content is used: messages have the written name, unless the reference has no namespace.
    pub fn look_up(
        &self,
        kind: Kind,
        name: &QName,
        from: Spot,
        report: &mut Report,
    ) -> Option<(QName, Spot)> {
        let found = self.find(kind, name);
        let noun = kind.noun();
        let named = matches!(kind, Kind::Element | Kind::Attribute)
            && !["", WSDL, XSD].contains(&name.namespace.as_ref());
        let told = match &found {
            Some((real, _)) if real == name => return found,
            Some((real, _)) if named => format!(
                "there is no {noun} {}; the content of {} is taken, under this name",
                quote(&name.to_string()),
                quote(&real.to_string())
            ),
            Some((real, _)) => format!(
                "there is no {noun} {}; {} is taken",
                quote(&name.to_string()),
                quote(&real.to_string())
            ),
            None => format!("there is no {noun} {}", quote(&name.to_string())),
        };
        report.add(&Diagnostic::new(Code::UnknownComponent, self.span(from), told));
        found.map(|(real, spot)| (if named { name.clone() } else { real }, spot))
    }

    /// All components of a kind, by name.
    pub fn all(&self, kind: Kind) -> impl Iterator<Item = (&QName, Spot)> {
        self.components.iter().filter(move |((k, _), _)| *k == kind).map(|((_, name), spot)| (name, *spot))
    }

    /// The `definitions` elements in the order in which they were read.
    pub fn definitions(&self) -> impl Iterator<Item = Spot> {
        (self.schemas..self.units.len()).map(|unit| Spot { unit: unit as u32, node: self.units[unit].node })
    }

    /// The `schema` elements in the order in which they were read.
    pub fn schemas(&self) -> impl Iterator<Item = Spot> {
        (0..self.schemas).map(|unit| Spot { unit: unit as u32, node: self.units[unit].node })
    }

    pub fn is_abstract(&self, spot: Spot) -> bool {
        is_true(self.element(spot).attribute("abstract"))
    }

    /// The named types that derive from a type, directly or not, sorted, excluding itself.
    pub fn descendants(&self, name: &QName) -> Vec<QName> {
        closure(&self.derived, name)
    }

    /// The elements that can replace an element, sorted, excluding itself.
    pub fn substitutes(&self, name: &QName) -> Vec<QName> {
        closure(&self.substitutes, name)
    }
}

fn closure(relation: &BTreeMap<QName, Vec<QName>>, from: &QName) -> Vec<QName> {
    let mut found: BTreeSet<QName> = BTreeSet::new();
    let mut waiting = vec![from];
    while let Some(next) = waiting.pop() {
        for other in relation.get(next).into_iter().flatten() {
            if other != from && found.insert(other.clone()) {
                waiting.push(other);
            }
        }
    }
    found.into_iter().collect()
}

/// A boolean attribute.
pub fn is_true(value: Option<&str>) -> bool {
    value.is_some_and(|value| matches!(value.trim(), "true" | "1"))
}
