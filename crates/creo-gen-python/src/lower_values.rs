//! Lowering of values: their annotations, descriptions, defaults, and conversions from constructor arguments.

use creo_model::{Literal, Primitive, Type};
use creo_plan::{Field, Kind, Node};

use crate::code::Code;
use crate::literals::{self, string};
use crate::lower_scope::Scope;
use crate::scalars::{self, Annotation, Other};

/// Whether a type is that of an argument or of a stored value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Arguments of constructors and methods.
    Taken,
    /// Attributes and results of methods.
    Held,
}

/// The other type that constructors accept for a value; `None` if there is none, or the value is not a primitive.
fn other(node: &Node) -> Option<Other> {
    match node.ty {
        Type::Primitive(primitive) => scalars::scalar(primitive).other,
        Type::Bytes | Type::Array(_) | Type::Optional(_) | Type::Map(..) | Type::Named(_) => None,
    }
}

impl Scope<'_> {
    /// The annotation of a value.
    pub fn annotation(&mut self, node: &Node, side: Side) -> Code {
        match &node.kind {
            Kind::Scalar(scalar) => self.primitive(scalar.primitive(), side),
            Kind::String(_) => self.primitive(Primitive::String, side),
            Kind::Decimal => self.primitive(Primitive::Decimal, side),
            Kind::Bytes { .. } => match side {
                Side::Taken => "_creo.Blob".into(),
                Side::Held => "bytes".into(),
            },
            Kind::Array { item, bulk, .. } => match (scalars::bulk(*bulk), side) {
                (Some(bulk), Side::Taken) => self.named(bulk.taken),
                (Some(bulk), Side::Held) => self.named(bulk.held),
                (None, _) => self.array(item, side),
            },
            Kind::Optional(item) => Code::Text(format!("{} | None", self.annotation(item, side))),
            Kind::Map { key, value, .. } => {
                let mapping = self.standard("Mapping");
                Code::index(mapping, [self.annotation(key, Side::Held), self.annotation(value, side)])
            }
            Kind::Record(id) | Kind::Union(id) | Kind::Enum(id) => self.class(*id).into(),
        }
    }

    fn primitive(&mut self, primitive: Primitive, side: Side) -> Code {
        let row = scalars::scalar(primitive);
        let held = self.standard(row.annotation);
        match (side, row.other) {
            (Side::Taken, Some(other)) => Code::Text(format!("{held} | {}", other.annotation)),
            (Side::Taken, None) | (Side::Held, _) => held.into(),
        }
    }

    fn named(&mut self, annotation: Annotation) -> Code {
        match annotation {
            Annotation::Plain(name) => self.standard(name).into(),
            Annotation::Of(name, item) => Code::index(self.standard(name), [item]),
        }
    }

    fn array(&mut self, item: &Node, side: Side) -> Code {
        match side {
            Side::Taken => Code::index(self.standard("Iterable"), [self.annotation(item, side)]),
            Side::Held => match self.lower.block_item(item) {
                Some(id) => {
                    self.columns = true;
                    Code::index("_columns.StructArray", [self.class(id)])
                }
                None => Code::tuple_type([self.annotation(item, side), "...".into()]),
            },
        }
    }

    /// Code that converts an argument to the stored form; `None` if they are the same. `path` is that of the value.
    pub fn held(&mut self, node: &Node, value: &str, path: &str) -> Option<Code> {
        self.held_within(node, value, &string(path), 0)
    }

    /// As [`Scope::held`], in lambdas; `path` is a literal.
    fn held_within(&mut self, node: &Node, value: &str, path: &str, depth: usize) -> Option<Code> {
        match &node.kind {
            Kind::Scalar(_) | Kind::String(_) | Kind::Decimal => {
                other(node).map(|other| Code::call(format!("_creo.{}", other.function), [value]))
            }
            Kind::Record(_) | Kind::Union(_) | Kind::Enum(_) => None,
            Kind::Bytes { .. } => Some(Code::call("_creo.blob", [value, path])),
            Kind::Array { item, bulk, .. } => Some(match scalars::bulk(*bulk) {
                Some(bulk) => Code::call(format!("_creo.{}", bulk.function), [value, path]),
                None => self.held_items(item, value, path, depth),
            }),
            Kind::Optional(item) => {
                let inner = self.held_within(item, value, path, depth)?;
                Some(Code::choice("None", format!("{value} is None"), inner))
            }
            Kind::Map { value: item, .. } => Some(self.each("_creo.entries", item, value, path, depth)),
        }
    }

    /// A call that makes a non-bulk array.
    fn held_items(&mut self, item: &Node, value: &str, path: &str, depth: usize) -> Code {
        if let Some(other) = other(item) {
            return Code::call(format!("_creo.{}", other.array_function), [value, path]);
        }
        match self.lower.block_item(item) {
            Some(id) => {
                self.columns = true;
                Code::call("_columns.structs", [value, path, &self.class(id)])
            }
            None => self.each("_creo.items", item, value, path, depth),
        }
    }

    /// A call that makes the items of an array or map, with a function unless arguments are stored unchanged.
    fn each(&mut self, function: &str, item: &Node, value: &str, path: &str, depth: usize) -> Code {
        let local = format!("i{depth}");
        let make = match other(item) {
            Some(other) => Some(Code::Text(format!("_creo.{}", other.function))),
            None => self
                .held_within(item, &local, path, depth + 1)
                .map(|inner| inner.after(format!("lambda {local}: "))),
        };
        Code::call(function, [value.into(), path.into()].into_iter().chain(make))
    }

    /// The description of a value, for `Field`s.
    pub fn described(&mut self, node: &Node) -> Code {
        let primitive = |primitive| Code::Text(format!("_creo.{}", scalars::scalar(primitive).constant));
        let charge = |bytes: u64| Code::Text(bytes.to_string());
        match &node.kind {
            Kind::Scalar(scalar) => primitive(scalar.primitive()),
            Kind::String(_) => primitive(Primitive::String),
            Kind::Decimal => primitive(Primitive::Decimal),
            Kind::Bytes { .. } => "_creo.BYTES".into(),
            // Items of a bulk array are bytes of the body: nothing is charged.
            Kind::Array { item, bulk: Some(_), .. } => Code::call("_creo.ArrayType", [self.described(item)]),
            Kind::Array { item, bulk: None, .. } => {
                Code::call("_creo.ArrayType", [self.described(item), charge(node.charges.each)])
            }
            Kind::Optional(item) => {
                Code::call("_creo.OptionalType", [self.described(item), charge(node.charges.own)])
            }
            Kind::Map { key, value, .. } => {
                let (key, value) = (self.described(key), self.described(value));
                Code::call("_creo.MapType", [key, value, charge(node.charges.each)])
            }
            Kind::Record(id) | Kind::Union(id) | Kind::Enum(id) => self.type_constant(*id).into(),
        }
    }

    /// The default of a field; `None` if it has none.
    pub fn default(&mut self, field: &Field) -> Option<Code> {
        let Some(literal) = &field.default else { return field.node.is_optional().then(|| "None".into()) };
        Some(match literal {
            Literal::Boolean(true) => "True".into(),
            Literal::Boolean(false) => "False".into(),
            Literal::Integer(n) => n.to_string().into(),
            Literal::Char(unit) => literals::char(*unit).into(),
            Literal::Number(n) => literals::float(*n).into(),
            Literal::String(text) => string(text).into(),
            Literal::DateTime(seconds, nanoseconds) => {
                Code::call("_creo.DateTime", [seconds.to_string(), nanoseconds.to_string()])
            }
            Literal::Decimal(text) => Code::call(self.standard("Decimal"), [string(text)]),
            Literal::Constant(id, index) => {
                Code::Text(format!("{}.{}", self.class(*id), self.lower.ty(*id).members[*index]))
            }
            Literal::Empty => match field.node.kind {
                Kind::Bytes { .. } => "b\"\"".into(),
                Kind::Map { .. } => "_creo.EMPTY_MAP".into(),
                Kind::Array { .. }
                | Kind::Scalar(_)
                | Kind::String(_)
                | Kind::Decimal
                | Kind::Optional(_)
                | Kind::Record(_)
                | Kind::Union(_)
                | Kind::Enum(_) => "()".into(),
            },
        })
    }
}
