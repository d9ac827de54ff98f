//! What a program needs that walks generated values, as C has no reflection: the names of types, and how each holds its parts.

use crate::lang::{self, Definition, Slot, Ty};
use crate::lower::lower;
use crate::print_shared::text_header_name;
use crate::scalars::scalar;
use creo_check::CheckedModel;

/// A header, and the types that it declares or includes.
#[derive(Debug)]
pub struct Header {
    /// `data.text.h`
    pub name: String,
    pub types: Vec<CType>,
}

/// A type of the generated code.
#[derive(Debug)]
pub struct CType {
    pub name: String,
    /// `None`: a composite, which no description declares, and which has neither `_decode` nor `_encode` in a header.
    pub declared: Option<Declared>,
    pub shape: Shape,
}

#[derive(Debug)]
pub struct Declared {
    pub full_name: String,
    /// The variable that describes a value alone in XML, if there is one.
    pub xml: Option<String>,
}

#[derive(Debug)]
pub enum Shape {
    /// Its `NAME_name` gives the declared name of a value.
    Enum,
    Struct(Vec<Member>),
    /// A `kind`, and a member of `as`.
    Union {
        members: Vec<UnionMember>,
        extensible: bool,
    },
    /// `count` and `items`.
    Array(Value),
    /// `count` and `entries`, each with `key` and `value`.
    Map {
        key: Value,
        value: Value,
    },
    /// `has` and `value`.
    Optional(Value),
}

/// A member of a struct.
#[derive(Debug)]
pub struct Member {
    pub name: String,
    pub declared: String,
    pub value: Value,
    pub held: Held,
}

/// How a struct holds a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    Value,
    /// Beside a flag `has_NAME`.
    Flag,
    /// By a pointer, which may be NULL.
    Pointer,
}

#[derive(Debug)]
pub struct UnionMember {
    pub name: String,
    pub declared: String,
    /// The constant of the union's kind.
    pub constant: String,
    pub value: Value,
    /// Held by pointer.
    pub pointer: bool,
}

/// What a value is in C.
#[derive(Debug)]
pub enum Value {
    /// A primitive, by its name in the runtime's functions.
    Scalar(&'static str),
    /// `creo_bytes`
    Bytes,
    /// An array of the runtime, `creo_NAME_array`.
    Bulk(&'static str),
    Enum(String),
    /// A generated struct: of a struct, exception, union or composite.
    Struct(String),
}

/// The types of a model.
pub fn shapes(model: &CheckedModel) -> Vec<Header> {
    lower(model).iter().map(header).collect()
}

fn header(unit: &lang::Unit) -> Header {
    let declared = |name: &str, full_name: &str| {
        let xml = unit.text.roots.get(name).map(|root| root.name.clone());
        Some(Declared { full_name: full_name.to_owned(), xml })
    };
    let enums = unit.enums.iter().map(|item| CType {
        name: item.name.clone(),
        declared: declared(&item.name, &item.full_name),
        shape: Shape::Enum,
    });
    let definitions = unit.definitions.iter().map(|definition| match definition {
        Definition::Record(item) => CType {
            name: item.name.clone(),
            declared: declared(&item.name, &item.full_name),
            shape: Shape::Struct(item.fields.iter().map(member).collect()),
        },
        Definition::Union(item) => CType {
            name: item.name.clone(),
            declared: declared(&item.name, &item.full_name),
            shape: Shape::Union {
                members: item.members.iter().map(union_member).collect(),
                extensible: item.extensible,
            },
        },
        Definition::Array(item) => composite(&item.name, Shape::Array(value(&item.item))),
        Definition::Map(item) => {
            composite(&item.name, Shape::Map { key: value(&item.key), value: value(&item.value) })
        }
        Definition::Optional(item) => composite(&item.name, Shape::Optional(value(&item.item))),
    });
    Header { name: text_header_name(&unit.stem), types: enums.chain(definitions).collect() }
}

fn composite(name: &str, shape: Shape) -> CType {
    CType { name: name.to_owned(), declared: None, shape }
}

fn member(field: &lang::Field) -> Member {
    Member {
        name: field.name.clone(),
        declared: field.declared.clone(),
        value: value(&field.ty),
        held: match field.slot {
            Slot::Value => Held::Value,
            Slot::Flag => Held::Flag,
            Slot::Pointer | Slot::Required => Held::Pointer,
        },
    }
}

fn union_member(member: &lang::Member) -> UnionMember {
    UnionMember {
        name: member.name.clone(),
        declared: member.declared.clone(),
        constant: member.constant.clone(),
        value: value(&member.ty),
        pointer: member.pointer,
    }
}

fn value(ty: &Ty) -> Value {
    match ty {
        Ty::Scalar(primitive) | Ty::Text(primitive) => Value::Scalar(scalar(*primitive).word),
        Ty::Bytes => Value::Bytes,
        Ty::Bulk(word) => Value::Bulk(word),
        Ty::Enum(item) => Value::Enum(item.name.clone()),
        Ty::Record(name) => Value::Struct(name.clone()),
    }
}
