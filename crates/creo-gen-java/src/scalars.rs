//! What Java and the runtime call the primitives: one row each.

use creo_model::{Primitive, Type};
use creo_plan::{BulkScalar, FixedScalar};

/// What is known of a primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// The type of its values.
    pub java: JavaType,
    /// What follows `read`, `write`, `get` and `put` in the runtime's names.
    pub word: &'static str,
    /// The constant of `TextType`; none for the type that a field has unless it names one.
    pub text_type: Option<&'static str>,
}

/// The type of a primitive's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JavaType {
    /// `int`, with the class that boxes it.
    Primitive(&'static str, &'static str),
    /// A class: its package and its name.
    Class(&'static str, &'static str),
}

/// The row of a primitive.
pub fn scalar(primitive: Primitive) -> Scalar {
    use JavaType::{Class, Primitive as Plain};
    let row = |java, word, text_type| Scalar { java, word, text_type };
    match primitive {
        Primitive::Boolean => row(Plain("boolean", "Boolean"), "Boolean", Some("BOOLEAN")),
        Primitive::Byte => row(Plain("byte", "Byte"), "Byte", Some("INTEGER")),
        Primitive::Short => row(Plain("short", "Short"), "Short", Some("INTEGER")),
        Primitive::Char => row(Plain("char", "Character"), "Char", Some("INTEGER")),
        Primitive::Int => row(Plain("int", "Integer"), "Int", Some("INTEGER")),
        Primitive::Long => row(Plain("long", "Long"), "Long", Some("INTEGER")),
        Primitive::Float => row(Plain("float", "Float"), "Float", Some("REAL")),
        Primitive::Double => row(Plain("double", "Double"), "Double", Some("REAL")),
        Primitive::String => row(Class("java.lang", "String"), "String", None),
        Primitive::DateTime => row(Class("java.time", "Instant"), "Instant", Some("DATE_TIME")),
        Primitive::Decimal => row(Class("java.math", "BigDecimal"), "Decimal", Some("DECIMAL")),
    }
}

/// The word of a primitive of fixed size.
pub fn word(scalar: FixedScalar) -> &'static str {
    self::scalar(scalar.primitive()).word
}

/// The word of an array that is moved in bulk: `Ints`.
pub fn bulk_word(bulk: BulkScalar) -> String {
    format!("{}s", word(bulk.scalar()))
}

/// The Java type of the items of an array that is moved in bulk.
pub fn bulk_item(bulk: BulkScalar) -> &'static str {
    match bulk {
        BulkScalar::Boolean => "boolean",
        BulkScalar::Short => "short",
        BulkScalar::Char => "char",
        BulkScalar::Int => "int",
        BulkScalar::Long => "long",
        BulkScalar::Float => "float",
        BulkScalar::Double => "double",
    }
}

/// The slots that a value takes as a parameter: `long` and `double` take two.
pub fn slots(ty: &Type) -> usize {
    match ty {
        Type::Primitive(Primitive::Long | Primitive::Double) => 2,
        Type::Primitive(
            Primitive::Boolean
            | Primitive::Byte
            | Primitive::Short
            | Primitive::Char
            | Primitive::Int
            | Primitive::Float
            | Primitive::String
            | Primitive::DateTime
            | Primitive::Decimal,
        )
        | Type::Bytes
        | Type::Array(_)
        | Type::Optional(_)
        | Type::Map(..)
        | Type::Named(_) => 1,
    }
}
