//! A table of the primitives in Java and the runtime, one row each.

use creo_model::{Primitive, Type};
use creo_plan::{BulkScalar, FixedScalar};

/// The data of a primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// The type of its values, without a package.
    pub name: &'static str,
    pub class: Class,
    /// The suffix of `read`, `write`, `get` and `put` in the runtime's names.
    pub word: &'static str,
    /// The constant of `TextType`; none for the default type of a field.
    pub text_type: Option<&'static str>,
    /// The initial value of a variable.
    pub initial: &'static str,
    /// The prefix and suffix of a literal's digits.
    pub affixes: (&'static str, &'static str),
    /// The slots of a parameter.
    pub slots: usize,
}

/// Whether values of a primitive are objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// No; this class of `java.lang` boxes them.
    Boxed(&'static str),
    /// Yes, of a class in this package.
    In(&'static str),
}

/// The row of a primitive.
pub fn scalar(primitive: Primitive) -> Scalar {
    use Class::{Boxed, In};
    let row = |name, class, word, text_type, initial, affixes, slots| Scalar {
        name,
        class,
        word,
        text_type,
        initial,
        affixes,
        slots,
    };
    let (plain, object) = (("", ""), "null");
    let (integer, real) = (Some("INTEGER"), Some("REAL"));
    match primitive {
        Primitive::Boolean => row("boolean", Boxed("Boolean"), "Boolean", Some("BOOLEAN"), "false", plain, 1),
        Primitive::Byte => row("byte", Boxed("Byte"), "Byte", integer, "0", ("(byte) ", ""), 1),
        Primitive::Short => row("short", Boxed("Short"), "Short", integer, "0", ("(short) ", ""), 1),
        Primitive::Char => row("char", Boxed("Character"), "Char", integer, "0", plain, 1),
        Primitive::Int => row("int", Boxed("Integer"), "Int", integer, "0", plain, 1),
        Primitive::Long => row("long", Boxed("Long"), "Long", integer, "0", ("", "L"), 2),
        Primitive::Float => row("float", Boxed("Float"), "Float", real, "0", ("", "f"), 1),
        Primitive::Double => row("double", Boxed("Double"), "Double", real, "0", plain, 2),
        Primitive::String => row("String", In("java.lang"), "String", None, object, plain, 1),
        Primitive::DateTime => {
            row("Instant", In("java.time"), "Instant", Some("DATE_TIME"), object, plain, 1)
        }
        Primitive::Decimal => {
            row("BigDecimal", In("java.math"), "Decimal", Some("DECIMAL"), object, plain, 1)
        }
    }
}

/// The word of a fixed-size primitive.
pub fn word(scalar: FixedScalar) -> &'static str {
    self::scalar(scalar.primitive()).word
}

/// The word of a bulk array: `Ints`.
pub fn bulk_word(bulk: BulkScalar) -> String {
    format!("{}s", word(bulk.scalar()))
}

/// The Java type of the items of a bulk array.
pub fn bulk_item(bulk: BulkScalar) -> &'static str {
    scalar(bulk.scalar().primitive()).name
}

/// The slots of a parameter.
pub fn slots(ty: &Type) -> usize {
    match ty {
        Type::Primitive(primitive) => scalar(*primitive).slots,
        Type::Bytes | Type::Array(_) | Type::Optional(_) | Type::Map(..) | Type::Named(_) => 1,
    }
}
