//! Maps components to declarations. A type is noted when found and built later, so cycles and deep nesting do no harm.

use crate::import::builtin::builtin;
use crate::import::draft::{Decl, DeclId, Draft, Field, Notes, Rank, Shape, Ty};
use crate::import::known;
use crate::import::load::is_xsd;
use crate::import::simple::Simple;
use crate::import::slots::Value;
use crate::import::table::{Kind, QName, Spot, Table, is_true};
use crate::import::text::uncapitalised;
use creo_diag::{Code, Diagnostic, Report, Span};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

/// The maximum number of fields, constants and members: nested groups and extended types could create any number.
const MOST: usize = 2_000_000;

/// The source of a declaration.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// A complex type, named or not, as a struct.
    Complex(Spot),
    /// A complex type that `xsi:type` may replace with another.
    Derived(QName),
    Enum(Spot),
    /// The element of a fault.
    Exception(QName),
    /// A fault part that has a type and no element.
    PartException(Spot),
}

pub struct Mapper<'a> {
    pub table: &'a Table,
    pub report: &'a mut Report,
    pub draft: Draft,
    keys: BTreeMap<Key, DeclId>,
    queue: VecDeque<(DeclId, Key)>,
    pub simples: BTreeMap<Spot, Simple>,
    /// The unions of substitution groups, by the head's name and their members.
    pub substitutions: Vec<(String, Vec<Field>, DeclId)>,
    /// Looked up at each reference to a type.
    members: BTreeMap<QName, Rc<[(QName, Spot)]>>,
    opaques: BTreeMap<Spot, Option<Value>>,
    /// Whether the import is rpc/encoded: local elements have no namespace, and arrays of SOAP encoding are arrays (SOAP-30).
    pub encoded: bool,
    /// Whether the current interface needs WS-Addressing headers: each of its methods has an action.
    pub addressing: bool,
    left: usize,
}

impl<'a> Mapper<'a> {
    pub fn new(table: &'a Table, report: &'a mut Report) -> Mapper<'a> {
        Mapper {
            table,
            report,
            draft: Draft::default(),
            keys: BTreeMap::new(),
            queue: VecDeque::new(),
            simples: BTreeMap::new(),
            substitutions: Vec::new(),
            members: BTreeMap::new(),
            opaques: BTreeMap::new(),
            encoded: false,
            addressing: false,
            left: MOST,
        }
    }

    /// Takes one from the budget. False: the budget is used up, and nothing more may be created.
    pub fn spend(&mut self, at: Spot) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        if self.left == 0 {
            let told = format!(
                "the schemas hold more than {MOST} fields once their groups and base types are put in place"
            );
            self.report.add(&Diagnostic::new(Code::ImportTooLarge, self.table.span(at), told));
        }
        self.left > 0
    }

    pub fn exhausted(&self) -> bool {
        self.left == 0
    }

    pub fn left_out(&mut self, span: Span, what: impl Into<String>) {
        self.report.add(&Diagnostic::new(Code::LeftOut, span, what));
    }

    /// The declaration for a key. A new one is queued for building.
    pub fn declare(&mut self, key: Key, make: impl FnOnce() -> Decl) -> DeclId {
        if let Some(known) = self.keys.get(&key) {
            return *known;
        }
        let id = self.add(make());
        self.keys.insert(key.clone(), id);
        self.queue.push_back((id, key));
        id
    }

    /// Adds a declaration that has no key.
    pub fn add(&mut self, decl: Decl) -> DeclId {
        self.draft.decls.push(decl);
        DeclId(self.draft.decls.len() - 1)
    }

    pub fn known(&self, key: &Key) -> Option<DeclId> {
        self.keys.get(key).copied()
    }

    /// Builds everything in the queue, including what is added on the way.
    pub fn build(&mut self) {
        while let Some((id, key)) = self.queue.pop_front() {
            if self.exhausted() {
                return;
            }
            let shape = match key {
                Key::Complex(spot) => {
                    let owner = self.draft.decls[id.0].name.clone();
                    let (fields, comments) = self.fields_of(spot, &owner);
                    self.draft.decls[id.0].notes.comments.extend(comments);
                    Shape::Struct(fields)
                }
                Key::Derived(name) => self.derived(&name),
                Key::Enum(spot) => self.constants(spot),
                // Built where it is declared.
                Key::Exception(_) | Key::PartException(_) => continue,
            };
            self.draft.decls[id.0].shape = shape;
        }
    }

    /// The documentation of a component.
    pub fn notes(&self, spot: Spot) -> Notes {
        Notes { doc: self.doc(spot), comments: Vec::new() }
    }

    pub fn doc(&self, spot: Spot) -> String {
        let mut texts: Vec<&str> = Vec::new();
        for child in self.table.all_children(spot) {
            let element = self.table.element(child);
            match element.local.as_str() {
                "documentation" => texts.push(&element.text),
                "annotation" => {
                    let inner = self.table.all_children(child).map(|inner| self.table.element(inner));
                    texts.extend(
                        inner.filter(|inner| inner.local == "documentation").map(|inner| inner.text.as_str()),
                    );
                }
                _ => {}
            }
        }
        texts.join("\n\n").trim().to_owned()
    }

    /// The type that a name refers to, as the value of an element or attribute.
    pub fn value(&mut self, name: &QName, from: Spot) -> Value {
        if name.builtin() {
            return match builtin(&name.local) {
                Some(known) => Value { xsd: known.xsd, ..Value::plain(known.ty()) },
                None if is_xsd(&name.namespace)
                    && matches!(&*name.local, "anyType" | "ur-type" | "untyped") =>
                {
                    Value::raw("xs:anyType: the whole element, as XML.")
                }
                None if known::is_soap_encoding(&name.namespace) => {
                    Value::raw(format!("{} of SOAP encoding: the whole element, as XML.", name.local))
                }
                // Some WSDLs mean a type of their own.
                None => self.declared_value(name, from),
            };
        }
        if &*name.namespace == known::APACHE && !(self.encoded && matches!(&*name.local, "Map" | "mapItem")) {
            return Value::raw(format!("{} of Apache SOAP: the whole element, as XML.", name.local));
        }
        self.declared_value(name, from)
    }

    fn declared_value(&mut self, name: &QName, from: Spot) -> Value {
        match self.table.look_up(Kind::Type, name, from, self.report) {
            // Some WSDLs forget the prefix of XML Schema.
            None if builtin(&name.local).is_some() => {
                let known = builtin(&name.local).map_or(Value::plain(Ty::Word("String")), |known| Value {
                    xsd: known.xsd,
                    ..Value::plain(known.ty())
                });
                Value {
                    comment: Some(format!(
                        "The schema names a type {} that there is not; that of XML Schema is taken.",
                        name.local
                    )),
                    ..known
                }
            }
            None => Value::raw(format!(
                "The type {} is in none of the files: the whole element, as XML.",
                name.local
            )),
            Some((name, spot)) if self.table.element(spot).local == "simpleType" => {
                self.simple_at(spot, &name.local).value()
            }
            Some((name, spot)) => self.complex_value(&name, spot),
        }
    }

    /// A named complex type as a value.
    fn complex_value(&mut self, name: &QName, spot: Spot) -> Value {
        if let Some(raw) = self.opaque(spot) {
            return raw;
        }
        if !self.members_of(name).is_empty() {
            return Value::plain(Ty::Decl(self.derived_decl(name, spot)));
        }
        Value::plain(Ty::Decl(self.complex(spot, name)))
    }

    /// The value for content that is kept as raw XML: mixed content, and arrays of SOAP encoding.
    pub fn opaque(&mut self, spot: Spot) -> Option<Value> {
        if let Some(known) = self.opaques.get(&spot) {
            return known.clone();
        }
        // The value of an array that contains itself, while its items are being examined.
        self.opaques.insert(spot, Some(Value::raw("An array within itself: the whole element, as XML.")));
        let found = self.find_opaque(spot);
        self.opaques.insert(spot, found.clone());
        found
    }

    fn find_opaque(&mut self, spot: Spot) -> Option<Value> {
        let mut at = spot;
        let mut seen = BTreeSet::new();
        while seen.insert(at) {
            let content = self.table.child(at, &["complexContent", "simpleContent"]);
            let mixed = |spot: Spot| is_true(self.table.element(spot).attribute("mixed"));
            // `mixed` means nothing with simple content; gSOAP always writes it there.
            let simple = content.is_some_and(|content| self.table.element(content).local == "simpleContent");
            if !simple && (mixed(at) || content.is_some_and(mixed)) {
                return Some(Value::raw("Text and elements mixed: the whole element, as XML."));
            }
            let derivation = self.table.child(content?, &["extension", "restriction"])?;
            let base = self.table.resolve(
                derivation,
                self.table.element(derivation).attribute("base")?,
                self.report,
            );
            if self.encoded
                && known::is_soap_encoding(&base.namespace)
                && let Some(array) = self.encoded_array(derivation, &base)
            {
                return Some(array);
            }
            if known::is_soap_encoding(&base.namespace) && builtin(&base.local).is_none() {
                return Some(Value::raw(format!(
                    "{} of SOAP encoding: the whole element, as XML.",
                    base.local
                )));
            }
            let (_, base) = self.table.find(Kind::Type, &base).filter(|_| !base.builtin())?;
            at = base;
        }
        None
    }

    /// The struct of a named complex type.
    pub fn complex(&mut self, spot: Spot, name: &QName) -> DeclId {
        let notes = self.notes(spot);
        self.declare(Key::Complex(spot), || Decl {
            shape: Shape::Waiting,
            name: name.local.to_string(),
            suffix: "Type",
            rank: Rank::Type,
            xml: Some(name.local.clone()),
            namespace: name.namespace.clone(),
            notes,
        })
    }

    /// The struct of an anonymous complex type, named after its context.
    pub fn anonymous(&mut self, spot: Spot, name: &str, rank: Rank) -> DeclId {
        let notes = self.notes(spot);
        let namespace = self.table.unit(spot).target.clone();
        self.declare(Key::Complex(spot), || Decl {
            shape: Shape::Waiting,
            name: name.to_owned(),
            suffix: "Element",
            rank,
            xml: None,
            namespace,
            notes,
        })
    }

    /// The concrete complex types that may replace a named type, excluding itself. Empty if nothing can replace it.
    pub fn members_of(&mut self, name: &QName) -> Rc<[(QName, Spot)]> {
        if let Some(known) = self.members.get(name) {
            return known.clone();
        }
        let mut members = Vec::new();
        for descendant in self.table.descendants(name) {
            if let Some((name, spot)) = self.table.find(Kind::Type, &descendant)
                && self.table.element(spot).local == "complexType"
                && !self.table.is_abstract(spot)
                && self.spend(spot)
            {
                members.push((name, spot));
            }
        }
        let members: Rc<[(QName, Spot)]> = members.into();
        self.members.insert(name.clone(), members.clone());
        members
    }

    /// The union of a type and the types that derive from it (XML-37).
    fn derived_decl(&mut self, name: &QName, spot: Spot) -> DeclId {
        let only_base = self.table.is_abstract(spot);
        let notes = if only_base {
            self.notes(spot)
        } else {
            Notes { doc: format!("A {}, or a type that extends it.", name.local), comments: Vec::new() }
        };
        self.declare(Key::Derived(name.clone()), || Decl {
            shape: Shape::Waiting,
            name: if only_base {
                name.local.to_string()
            } else {
                format!("Any{}", crate::import::text::capitalised(&name.local))
            },
            suffix: "Union",
            rank: if only_base { Rank::Type } else { Rank::Derived },
            xml: only_base.then(|| name.local.clone()),
            namespace: name.namespace.clone(),
            notes,
        })
    }

    fn derived(&mut self, name: &QName) -> Shape {
        let mut types = self.members_of(name).to_vec();
        let mut base = None;
        if let Some((name, spot)) = self.table.find(Kind::Type, name)
            && !self.table.is_abstract(spot)
        {
            base = Some(spot);
            types.insert(0, (name, spot));
        }
        let members = types
            .into_iter()
            .map(|(name, spot)| {
                let ty = Ty::Decl(self.complex(spot, &name));
                let mut field = crate::import::draft::plain(uncapitalised(&name.local), ty);
                field.marks.base = base == Some(spot);
                field
            })
            .collect();
        Shape::Union { members, derived: true }
    }

    /// The target namespace at a spot.
    pub fn namespace(&self, spot: Spot) -> Rc<str> {
        self.table.unit(spot).target.clone()
    }
}
