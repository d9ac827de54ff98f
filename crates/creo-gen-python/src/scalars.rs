//! Everything that Python knows of a primitive. A new scalar is a row in each of the three tables.

use creo_model::Primitive;
use creo_plan::{BulkScalar, FixedScalar};

use crate::code::Code;

/// The words for any primitive.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    pub annotation: &'static str,
    /// `_creo.<constant>` describes the type, `_creo.TEXT_<constant>` its form on the text wires.
    pub constant: &'static str,
}

pub fn words(primitive: Primitive) -> Words {
    let (annotation, constant) = match primitive {
        Primitive::Boolean => ("bool", "BOOLEAN"),
        Primitive::Byte => ("int", "BYTE"),
        Primitive::Short => ("int", "SHORT"),
        Primitive::Char => ("str", "CHAR"),
        Primitive::Int => ("int", "INT"),
        Primitive::Long => ("int", "LONG"),
        Primitive::Float => ("float", "FLOAT"),
        Primitive::Double => ("float", "DOUBLE"),
        Primitive::String => ("str", "STRING"),
        Primitive::DateTime => ("_creo.DateTime", "DATE_TIME"),
        Primitive::Decimal => ("Decimal", "DECIMAL"),
    };
    Words { annotation, constant }
}

/// A scalar of fixed size: the numbers that `struct` packs, and what a reader makes of them.
#[derive(Clone, Copy, Debug)]
pub struct Packed {
    pub numbers: &'static [Number],
    pub made: Made,
}

/// A number that `struct` packs.
#[derive(Clone, Copy, Debug)]
pub struct Number {
    /// Of `struct`, with `B` for a byte that is checked.
    pub code: &'static str,
    /// What a column of a block holds: the code, or `?`, `S`, `N`, `E`.
    pub column: &'static str,
    /// The attribute of the value that is the number, with its dot.
    pub attribute: &'static str,
    /// The attribute as columns name it.
    pub path: &'static str,
    pub taken: Made,
}

/// How code is made of other code.
#[derive(Clone, Copy, Debug)]
pub enum Made {
    Same,
    Call(&'static str),
    Index(&'static str),
}

impl Made {
    /// The code that is made of one item or, by a call, of several.
    pub fn of(self, mut items: Vec<Code>) -> Code {
        match self {
            Made::Same => items.remove(0),
            Made::Call(function) => Code::call(function, items),
            Made::Index(table) => Code::index(table, items),
        }
    }
}

/// A number that is the value itself.
const fn same(code: &'static str) -> Number {
    Number { code, column: code, attribute: "", path: "", taken: Made::Same }
}

/// An enum whose numbers are one byte each.
pub const ENUM: Number = Number { code: "B", column: "E", attribute: ".value", path: "", taken: Made::Same };

pub fn packed(scalar: FixedScalar) -> Packed {
    const FLAG: Number =
        Number { code: "B", column: "?", attribute: "", path: "", taken: Made::Index("FLAG") };
    const CHAR: Number = Number { code: "H", column: "H", attribute: "", path: "", taken: Made::Call("ord") };
    const SECONDS: Number =
        Number { code: "q", column: "S", attribute: ".seconds", path: ".seconds", taken: Made::Same };
    const NANOSECONDS: Number =
        Number { code: "I", column: "N", attribute: ".nanoseconds", path: ".nanoseconds", taken: Made::Same };
    let (numbers, made): (&[Number], _) = match scalar {
        FixedScalar::Boolean => (&[FLAG], Made::Index("FLAGS")),
        FixedScalar::Byte => (const { &[same("b")] }, Made::Same),
        FixedScalar::Short => (const { &[same("h")] }, Made::Same),
        FixedScalar::Char => (&[CHAR], Made::Call("chr")),
        FixedScalar::Int => (const { &[same("i")] }, Made::Same),
        FixedScalar::Long => (const { &[same("q")] }, Made::Same),
        FixedScalar::Float => (const { &[same("f")] }, Made::Same),
        FixedScalar::Double => (const { &[same("d")] }, Made::Same),
        FixedScalar::DateTime => (&[SECONDS, NANOSECONDS], Made::Call("_creo.DateTime")),
    };
    Packed { numbers, made }
}

/// A type of the language.
#[derive(Clone, Copy, Debug)]
pub enum Type {
    Plain(&'static str),
    /// With a type parameter.
    Of(&'static str, &'static str),
}

impl Type {
    pub fn code(self) -> Code {
        match self {
            Type::Plain(name) => Code::from(name),
            Type::Of(name, item) => Code::index(name, [item]),
        }
    }
}

/// A scalar whose arrays are moved in bulk.
#[derive(Clone, Copy, Debug)]
pub struct Bulk {
    /// Annotations of what is taken, and of what is held.
    pub taken: Type,
    pub held: Type,
    /// `_creo.<function>` makes what is held of what is taken.
    pub function: &'static str,
    pub reader: &'static str,
    pub writer: &'static str,
}

pub fn bulk(scalar: BulkScalar) -> Bulk {
    const INTS: Type = Type::Plain("_creo.Integers");
    const INT_ARRAY: Type = Type::Of("_creo.Array", "int");
    const FLOATS: Type = Type::Plain("_creo.Floats");
    const FLOAT_ARRAY: Type = Type::Of("_creo.Array", "float");
    let (taken, held, function, reader, writer) = match scalar {
        BulkScalar::Boolean => (
            Type::Plain("_creo.Booleans"),
            Type::Of("_creo.Array", "bool"),
            "booleans",
            "read_booleans",
            "write_array",
        ),
        BulkScalar::Short => (INTS, INT_ARRAY, "shorts", "read_shorts", "write_array"),
        BulkScalar::Char => {
            (Type::Of("Sequence", "str"), Type::Plain("str"), "chars", "read_chars", "write_chars")
        }
        BulkScalar::Int => (INTS, INT_ARRAY, "ints", "read_ints", "write_array"),
        BulkScalar::Long => (INTS, INT_ARRAY, "longs", "read_longs", "write_array"),
        BulkScalar::Float => (FLOATS, FLOAT_ARRAY, "floats", "read_floats", "write_array"),
        BulkScalar::Double => (FLOATS, FLOAT_ARRAY, "doubles", "read_doubles", "write_array"),
    };
    Bulk { taken, held, function, reader, writer }
}
