//! Everything that Python knows of a primitive. A new scalar is a row in each of the three tables.

use creo_model::Primitive;
use creo_plan::{BulkScalar, FixedScalar};

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
    /// Code before and after the numbers.
    pub made: (&'static str, &'static str),
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
    /// Code before and after the value and its attribute.
    pub taken: (&'static str, &'static str),
}

/// A number that is the value itself.
const fn same(code: &'static str) -> Number {
    Number { code, column: code, attribute: "", taken: ("", "") }
}

/// An enum whose numbers are one byte each.
pub const ENUM: Number = Number { code: "B", column: "E", attribute: "", taken: ("", ".value") };

pub fn packed(scalar: FixedScalar) -> Packed {
    const FLAG: Number = Number { code: "B", column: "?", attribute: "", taken: ("FLAG[", "]") };
    const CHAR: Number = Number { code: "H", column: "H", attribute: "", taken: ("ord(", ")") };
    const SECONDS: Number = Number { code: "q", column: "S", attribute: ".seconds", taken: ("", "") };
    const NANOSECONDS: Number = Number { code: "I", column: "N", attribute: ".nanoseconds", taken: ("", "") };
    let (numbers, made): (&[Number], _) = match scalar {
        FixedScalar::Boolean => (&[FLAG], ("FLAGS[", "]")),
        FixedScalar::Byte => (const { &[same("b")] }, ("", "")),
        FixedScalar::Short => (const { &[same("h")] }, ("", "")),
        FixedScalar::Char => (&[CHAR], ("chr(", ")")),
        FixedScalar::Int => (const { &[same("i")] }, ("", "")),
        FixedScalar::Long => (const { &[same("q")] }, ("", "")),
        FixedScalar::Float => (const { &[same("f")] }, ("", "")),
        FixedScalar::Double => (const { &[same("d")] }, ("", "")),
        FixedScalar::DateTime => (&[SECONDS, NANOSECONDS], ("_creo.DateTime(", ")")),
    };
    Packed { numbers, made }
}

/// A scalar whose arrays are moved in bulk.
#[derive(Clone, Copy, Debug)]
pub struct Bulk {
    /// Annotations of what is taken, and of what is held.
    pub taken: &'static str,
    pub held: &'static str,
    /// `_creo.<function>` makes what is held of what is taken.
    pub function: &'static str,
    pub reader: &'static str,
    pub writer: &'static str,
}

pub fn bulk(scalar: BulkScalar) -> Bulk {
    const INTS: &str = "_creo.Integers";
    const INT_ARRAY: &str = "_creo.Array[int]";
    const FLOATS: &str = "_creo.Floats";
    const FLOAT_ARRAY: &str = "_creo.Array[float]";
    let (taken, held, function, reader, writer) = match scalar {
        BulkScalar::Boolean => ("_creo.Booleans", "_creo.Array[bool]", "booleans", "read_booleans", "write_array"),
        BulkScalar::Short => (INTS, INT_ARRAY, "shorts", "read_shorts", "write_array"),
        BulkScalar::Char => ("Sequence[str]", "str", "chars", "read_chars", "write_chars"),
        BulkScalar::Int => (INTS, INT_ARRAY, "ints", "read_ints", "write_array"),
        BulkScalar::Long => (INTS, INT_ARRAY, "longs", "read_longs", "write_array"),
        BulkScalar::Float => (FLOATS, FLOAT_ARRAY, "floats", "read_floats", "write_array"),
        BulkScalar::Double => (FLOATS, FLOAT_ARRAY, "doubles", "read_doubles", "write_array"),
    };
    Bulk { taken, held, function, reader, writer }
}
