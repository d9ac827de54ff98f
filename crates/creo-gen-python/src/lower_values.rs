//! Lowering of values: their annotations, their descriptions, and the numbers that they consist of.

use creo_model::{Literal, Primitive, TypeId, TypeKind};
use creo_plan::{BulkScalar, Field, FixedScalar, Kind, LeafKind, LeafLimits, Node};

use crate::code::Code;
use crate::lang::{Lowered, Scope, Side};
use crate::literals::{self, string};
use crate::scalars::{self, Made, Number};

/// A number within bytes of fixed size.
#[derive(Clone, Debug)]
pub struct Cell {
    pub leaf: LeafKind,
    pub number: Number,
    /// Code of the scalar or enum.
    pub value: String,
    /// Dotted attributes.
    pub path: String,
}

impl Cell {
    /// Code of the number.
    pub fn code(&self) -> Code {
        self.number.taken.of(vec![Code::Text(format!("{}{}", self.value, self.number.attribute))])
    }

    pub fn is_flag(&self) -> bool {
        self.leaf == LeafKind::Scalar(FixedScalar::Boolean)
    }
}

impl Lowered<'_> {
    /// The annotation of a value.
    pub fn annotation(&self, node: &Node, side: Side, scope: &mut Scope) -> Code {
        match &node.kind {
            Kind::Scalar(scalar) => self.primitive(scalar.primitive(), scope),
            Kind::String(_) => self.primitive(Primitive::String, scope),
            Kind::Decimal => self.primitive(Primitive::Decimal, scope),
            Kind::Bytes { .. } => if side == Side::Taken { "_creo.Blob" } else { "bytes" }.into(),
            Kind::Array { bulk: Some(bulk), .. } => {
                let words = scalars::bulk(*bulk);
                if side == Side::Held {
                    return words.held.code();
                }
                if *bulk == BulkScalar::Char {
                    scope.names.insert("Sequence");
                }
                words.taken.code()
            }
            Kind::Array { item, bulk: None, .. } => self.array(item, side, scope),
            Kind::Optional(item) => Code::Text(format!("{} | None", self.annotation(item, side, scope))),
            Kind::Map { key, value, .. } => {
                scope.names.insert("Mapping");
                Code::index(
                    "Mapping",
                    [self.annotation(key, Side::Held, scope), self.annotation(value, side, scope)],
                )
            }
            Kind::Record(id) | Kind::Union(id) | Kind::Enum(id) => self.class(*id, scope).into(),
        }
    }

    fn primitive(&self, primitive: Primitive, scope: &mut Scope) -> Code {
        if primitive == Primitive::Decimal {
            scope.names.insert("Decimal");
        }
        scalars::words(primitive).annotation.into()
    }

    fn array(&self, item: &Node, side: Side, scope: &mut Scope) -> Code {
        if side == Side::Taken {
            scope.names.insert("Iterable");
            return Code::index("Iterable", [self.annotation(item, side, scope)]);
        }
        if let Some(id) = self.block_item(item) {
            return Code::index("_creo.StructArray", [self.class(id, scope)]);
        }
        Code::tuple_type([self.annotation(item, side, scope), "...".into()])
    }

    /// The struct, if an array of `item` is a view: its items are structs of a fixed size above 0.
    pub fn block_item(&self, item: &Node) -> Option<TypeId> {
        let Kind::Record(id) = item.kind else { return None };
        let is_struct = matches!(self.model.ty(id).kind, TypeKind::Struct(_));
        (is_struct && item.shape.fixed_size.is_some_and(|size| size > 0)).then_some(id)
    }

    /// Code that makes what a value object holds of what its constructor takes; `None` if that is the same.
    ///
    /// `path` is a literal, the value's path.
    pub fn held(
        &self,
        node: &Node,
        value: &str,
        path: &str,
        scope: &mut Scope,
        depth: usize,
    ) -> Option<Code> {
        let local = format!("i{depth}");
        match &node.kind {
            Kind::Scalar(_)
            | Kind::String(_)
            | Kind::Decimal
            | Kind::Record(_)
            | Kind::Union(_)
            | Kind::Enum(_) => None,
            Kind::Bytes { .. } => Some(Code::call("_creo.blob", [value, path])),
            Kind::Array { bulk: Some(bulk), .. } => {
                Some(Code::call(format!("_creo.{}", scalars::bulk(*bulk).function), [value, path]))
            }
            Kind::Array { item, bulk: None, .. } => {
                if let Some(id) = self.block_item(item) {
                    return Some(Code::call("_creo.structs", [value, path, &self.class(id, scope)]));
                }
                Some(match self.held(item, &local, path, scope, depth + 1) {
                    None => Code::call("_creo.items", [value, path]),
                    Some(inner) => Code::call(
                        "_creo.items",
                        [value.into(), path.into(), inner.after(format!("lambda {local}: "))],
                    ),
                })
            }
            Kind::Optional(item) => {
                let inner = self.held(item, value, path, scope, depth)?;
                Some(Code::choice("None", format!("{value} is None"), inner))
            }
            Kind::Map { value: item, .. } => Some(match self.held(item, &local, path, scope, depth + 1) {
                None => Code::call("_creo.entries", [value, path]),
                Some(inner) => Code::call(
                    "_creo.entries",
                    [value.into(), path.into(), inner.after(format!("lambda {local}: "))],
                ),
            }),
        }
    }

    /// The description of a value, for `Field`s.
    pub fn described(&self, node: &Node, scope: &mut Scope) -> Code {
        let primitive = |primitive| Code::Text(format!("_creo.{}", scalars::words(primitive).constant));
        match &node.kind {
            Kind::Scalar(scalar) => primitive(scalar.primitive()),
            Kind::String(_) => primitive(Primitive::String),
            Kind::Decimal => primitive(Primitive::Decimal),
            Kind::Bytes { .. } => "_creo.BYTES".into(),
            // Items that are moved in bulk are bytes of the body: nothing is charged.
            Kind::Array { item, bulk: Some(_), .. } => {
                Code::call("_creo.ArrayType", [self.described(item, scope)])
            }
            Kind::Array { item, bulk: None, .. } => Code::call(
                "_creo.ArrayType",
                [self.described(item, scope), node.charges.each.to_string().into()],
            ),
            Kind::Optional(item) => Code::call(
                "_creo.OptionalType",
                [self.described(item, scope), node.charges.own.to_string().into()],
            ),
            Kind::Map { key, value, .. } => {
                let (key, value) = (self.described(key, scope), self.described(value, scope));
                Code::call("_creo.MapType", [key, value, node.charges.each.to_string().into()])
            }
            Kind::Record(id) | Kind::Union(id) | Kind::Enum(id) => self.type_constant(*id, scope).into(),
        }
    }

    /// The constant that describes a declared type.
    pub fn type_constant(&self, id: TypeId, scope: &mut Scope) -> String {
        self.of_binary(id, format!("{}_TYPE", self.names(id).constant), scope)
    }

    /// The numbers of a value of fixed size, in wire order; `value` is its code.
    ///
    /// # Panics
    /// If the size is not fixed.
    pub fn cells(&self, node: &Node, value: &str) -> Vec<Cell> {
        let mut cells = Vec::new();
        for leaf in self.plan.leaves(node, LeafLimits::NONE).expect("the size is fixed") {
            let attributes: Vec<&str> =
                leaf.path.iter().map(|(id, index)| self.names(*id).members[*index].as_str()).collect();
            let path = attributes.join(".");
            let value = if path.is_empty() { value.to_owned() } else { format!("{value}.{path}") };
            let numbers = match leaf.kind {
                LeafKind::Scalar(scalar) => scalars::packed(scalar).numbers,
                LeafKind::Enum(_) => std::slice::from_ref(&scalars::ENUM),
            };
            cells.extend(numbers.iter().map(|number| Cell {
                leaf: leaf.kind,
                number: *number,
                value: value.clone(),
                path: format!("{path}{}", number.path),
            }));
        }
        cells
    }

    /// Code of a value of fixed size, from the locals that hold its numbers. `flags` says whether booleans are `bool`s already.
    ///
    /// # Panics
    /// If the size is not fixed.
    pub fn rebuilt(
        &self,
        node: &Node,
        locals: &mut dyn Iterator<Item = String>,
        flags: bool,
        scope: &mut Scope,
    ) -> Code {
        match &node.kind {
            Kind::Scalar(scalar) => {
                let packed = scalars::packed(*scalar);
                let numbers: Vec<Code> =
                    packed.numbers.iter().filter_map(|_| locals.next()).map(Code::Text).collect();
                let made = if flags && *scalar == FixedScalar::Boolean { Made::Same } else { packed.made };
                made.of(numbers)
            }
            Kind::Enum(id) => {
                let table = self.of_binary(*id, format!("{}_BY_NUMBER", self.names(*id).constant), scope);
                Code::index(table, locals.next())
            }
            Kind::Record(id) => {
                let class = self.class(*id, scope);
                let fields: Vec<Code> = self
                    .plan
                    .record(*id)
                    .fields
                    .iter()
                    .zip(self.keywords(*id))
                    .map(|(field, keyword)| {
                        let value = self.rebuilt(&field.node, locals, flags, scope);
                        keyword.map_or(value.clone(), |k| value.after(format!("{k}=")))
                    })
                    .collect();
                Code::call(class, fields)
            }
            Kind::String(_)
            | Kind::Decimal
            | Kind::Bytes { .. }
            | Kind::Array { .. }
            | Kind::Map { .. }
            | Kind::Optional(_)
            | Kind::Union(_) => {
                panic!("the size is fixed")
            }
        }
    }

    /// For each field, its keyword if its constructor takes it by keyword only: what follows a default and has none itself.
    pub fn keywords(&self, id: TypeId) -> Vec<Option<String>> {
        let mut defaulted = false;
        let mut by_keyword = false;
        self.plan
            .record(id)
            .fields
            .iter()
            .zip(&self.names(id).members)
            .map(|(field, name)| {
                let has_default = has_default(field);
                by_keyword |= defaulted && !has_default;
                defaulted |= has_default;
                by_keyword.then(|| name.clone())
            })
            .collect()
    }
}

/// Whether a constructor has a value for the field, and so has a reader of an extensible type.
pub fn has_default(field: &Field) -> bool {
    field.default.is_some() || field.node.is_optional()
}

/// The default of a field, other than a constant's name.
pub fn default(field: &Field, scope: &mut Scope) -> Option<Code> {
    match &field.default {
        None => field.node.is_optional().then(|| "None".into()),
        Some(literal) => Some(match literal {
            Literal::Boolean(true) => "True".into(),
            Literal::Boolean(false) => "False".into(),
            Literal::Integer(n) => n.to_string().into(),
            Literal::Char(unit) => literals::char(*unit).into(),
            Literal::Number(n) => literals::float(*n).into(),
            Literal::String(text) => string(text).into(),
            Literal::DateTime(seconds, nanoseconds) => {
                Code::call("_creo.DateTime", [seconds.to_string(), nanoseconds.to_string()])
            }
            Literal::Decimal(text) => {
                scope.names.insert("Decimal");
                Code::call("Decimal", [string(text)])
            }
            Literal::Constant(..) => return None,
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
        }),
    }
}
