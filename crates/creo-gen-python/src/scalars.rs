//! A table of the primitives in Python, one row each.

use creo_model::Primitive;
use creo_plan::{BulkScalar, FixedScalar};

/// The data of a primitive.
#[derive(Clone, Copy, Debug)]
pub struct Scalar {
    pub annotation: &'static str,
    /// `_creo.<constant>` describes the type, `_creo.TEXT_<constant>` its form on the text wires.
    pub constant: &'static str,
    /// The `struct` numbers of a value. None for a primitive of variable size.
    pub numbers: &'static [Number],
    /// Makes the value from numbers that `struct` unpacks, and from those in columns.
    pub unpacked: Made,
    pub of_columns: Made,
    /// How arrays are handled in bulk, if the language supports it.
    pub bulk: Option<Bulk>,
    /// The other type that constructors accept.
    pub other: Option<Other>,
}

/// A type that constructors accept and convert.
#[derive(Clone, Copy, Debug)]
pub struct Other {
    pub annotation: &'static str,
    /// `_creo.<function>` converts an argument, `_creo.<array_function>` the items of an array.
    pub function: &'static str,
    pub array_function: &'static str,
}

/// A number packed by `struct`.
#[derive(Clone, Copy, Debug)]
pub struct Number {
    /// The `struct` code, with `B` for a checked byte.
    pub code: &'static str,
    /// The code in a column of a block: the same, or `?`, `S`, `N`, `E`.
    pub column: &'static str,
    /// The attribute with the number, with its dot, and its name in columns.
    pub attribute: &'static str,
    pub column_attribute: &'static str,
    /// Makes the number from the attribute.
    pub packed: Made,
    /// The runtime table with the bytes of the attribute.
    pub bytes: Option<&'static str>,
}

/// How code is made from other code.
#[derive(Clone, Copy, Debug)]
pub enum Made {
    Same,
    Call(&'static str),
    /// A table of the runtime.
    Index(&'static str),
}

/// How arrays of a primitive are handled in bulk.
#[derive(Clone, Copy, Debug)]
pub struct Bulk {
    /// Annotations of arguments, and of stored values.
    pub taken: Annotation,
    pub held: Annotation,
    /// `_creo.<function>` converts an argument.
    pub function: &'static str,
    pub reader: &'static str,
    pub writer: &'static str,
}

#[derive(Clone, Copy, Debug)]
pub enum Annotation {
    Plain(&'static str),
    /// With a type parameter.
    Of(&'static str, &'static str),
}

/// A number that is the value itself.
const fn same(code: &'static str) -> Number {
    Number { code, column: code, attribute: "", column_attribute: "", packed: Made::Same, bytes: None }
}

/// A number that is an attribute of the value.
const fn part(code: &'static str, column: &'static str, attribute: &'static str) -> Number {
    Number { code, column, attribute, column_attribute: attribute, packed: Made::Same, bytes: None }
}

/// An enum with one-byte numbers.
pub const ENUM: Number = Number { column_attribute: "", bytes: Some("COUNT"), ..part("B", "E", ".value") };

const FLAG: &[Number] =
    &[Number { column: "?", packed: Made::Index("FLAG"), bytes: Some("FLAG_BYTE"), ..same("B") }];
const BYTE: &[Number] = &[same("b")];
const SHORT: &[Number] = &[same("h")];
const CHAR: &[Number] = &[Number { packed: Made::Call("ord"), ..same("H") }];
const INT: &[Number] = &[same("i")];
const LONG: &[Number] = &[same("q")];
const FLOAT: &[Number] = &[same("f")];
const DOUBLE: &[Number] = &[same("d")];
const DATE_TIME: &[Number] = &[part("q", "S", ".seconds"), part("I", "N", ".nanoseconds")];

const CHARS: Bulk = Bulk {
    taken: Annotation::Of("Sequence", "str"),
    held: Annotation::Plain("str"),
    function: "chars",
    reader: "read_chars",
    writer: "write_chars",
};

/// Arrays of numbers, and the annotation of their arguments.
const fn array(
    taken: &'static str,
    item: &'static str,
    function: &'static str,
    reader: &'static str,
) -> Option<Bulk> {
    let held = Annotation::Of("_creo.Array", item);
    Some(Bulk { taken: Annotation::Plain(taken), held, function, reader, writer: "write_array" })
}

const fn integers(function: &'static str, reader: &'static str) -> Option<Bulk> {
    array("_creo.Integers", "int", function, reader)
}

const fn floats(function: &'static str, reader: &'static str) -> Option<Bulk> {
    array("_creo.Floats", "float", function, reader)
}

/// The row of a primitive.
pub fn scalar(primitive: Primitive) -> Scalar {
    use Made::{Call, Index, Same};
    let row = |annotation, constant, numbers, unpacked, of_columns, bulk| Scalar {
        annotation,
        constant,
        numbers,
        unpacked,
        of_columns,
        bulk,
        other: None,
    };
    let booleans = array("_creo.Booleans", "bool", "booleans", "read_booleans");
    let (shorts, ints) = (integers("shorts", "read_shorts"), integers("ints", "read_ints"));
    let date_time = Call("_creo.DateTime");
    match primitive {
        Primitive::Boolean => row("bool", "BOOLEAN", FLAG, Index("FLAGS"), Same, booleans),
        Primitive::Byte => row("int", "BYTE", BYTE, Same, Same, None),
        Primitive::Short => row("int", "SHORT", SHORT, Same, Same, shorts),
        Primitive::Char => row("str", "CHAR", CHAR, Call("chr"), Call("chr"), Some(CHARS)),
        Primitive::Int => row("int", "INT", INT, Same, Same, ints),
        Primitive::Long => row("int", "LONG", LONG, Same, Same, integers("longs", "read_longs")),
        Primitive::Float => row("float", "FLOAT", FLOAT, Same, Same, floats("floats", "read_floats")),
        Primitive::Double => row("float", "DOUBLE", DOUBLE, Same, Same, floats("doubles", "read_doubles")),
        Primitive::String => row("str", "STRING", &[], Same, Same, None),
        Primitive::DateTime => row("_creo.DateTime", "DATE_TIME", DATE_TIME, date_time, date_time, None),
        Primitive::Decimal => Scalar {
            other: Some(Other { annotation: "int", function: "decimal", array_function: "decimals" }),
            ..row("Decimal", "DECIMAL", &[], Same, Same, None)
        },
    }
}

/// The row of a fixed-size primitive.
pub fn fixed(scalar: FixedScalar) -> Scalar {
    self::scalar(scalar.primitive())
}

/// How an array is handled in bulk, if both the binary wire and the language support it.
pub fn bulk(bulk: Option<BulkScalar>) -> Option<Bulk> {
    fixed(bulk?.scalar()).bulk
}
