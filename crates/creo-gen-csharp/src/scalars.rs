//! A table of the primitives in C# and the runtime, one row each.

use creo_model::Primitive;

/// The data of a primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scalar {
    pub ty: Ty,
    /// The suffix of `Read` and `Write` in the names of the runtime and of the platform.
    pub word: &'static str,
    /// The constant of the runtime's `Layout`.
    pub layout: &'static str,
    /// The constant of `TextForm`; `None` for the default form of a field.
    pub form: Option<&'static str>,
    /// The suffix of a literal.
    pub suffix: &'static str,
    /// How a value is read and written at the start of a block; `None` if its size is not fixed.
    pub block: Option<Block>,
}

/// The type of the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
    /// A keyword.
    Keyword(&'static str),
    /// A keyword for a reference type.
    Object(&'static str),
    /// A value type of the runtime.
    Runtime(&'static str),
}

/// How a fixed-size value is read and written at the start of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    /// As one byte, by casts.
    Byte,
    /// As one byte, by functions of the runtime with this suffix after `To` and `Put`.
    ByteBy(&'static str),
    /// By functions of the runtime with this suffix after `To` and `Put`.
    By(&'static str),
    /// By functions of the platform with this suffix after `Read` and `Write`, and the cast of their results.
    Platform(&'static str, &'static str),
}

/// The items of a stream of bytes, which are as an array of bytes has them.
pub fn stream_byte() -> Scalar {
    Scalar { ty: Ty::Keyword("byte"), word: "Byte", ..scalar(Primitive::Byte) }
}

/// The row of a primitive.
pub fn scalar(primitive: Primitive) -> Scalar {
    use Block::{By, Byte, ByteBy, Platform};
    use Ty::{Keyword, Object, Runtime};
    let row = |ty, word, layout, form, block| Scalar { ty, word, layout, form, suffix: "", block };
    let (integer, real) = (Some("Integer"), Some("Real"));
    let same = |word| Some(Platform(word, ""));
    match primitive {
        Primitive::Boolean => {
            row(Keyword("bool"), "Boolean", "Boolean", Some("Boolean"), Some(ByteBy("Boolean")))
        }
        Primitive::Byte => row(Keyword("sbyte"), "SByte", "Byte", integer, Some(Byte)),
        Primitive::Short => row(Keyword("short"), "Int16", "Short", integer, same("Int16")),
        Primitive::Char => row(Keyword("char"), "Char", "Char", integer, Some(Platform("UInt16", "(char)"))),
        Primitive::Int => row(Keyword("int"), "Int32", "Int", integer, same("Int32")),
        Primitive::Long => {
            Scalar { suffix: "L", ..row(Keyword("long"), "Int64", "Long", integer, same("Int64")) }
        }
        Primitive::Float => {
            Scalar { suffix: "F", ..row(Keyword("float"), "Single", "Float", real, same("Single")) }
        }
        Primitive::Double => row(Keyword("double"), "Double", "Double", real, same("Double")),
        Primitive::String => row(Object("string"), "String", "String", None, None),
        Primitive::DateTime => {
            row(Runtime("Instant"), "Instant", "DateTime", Some("Time"), Some(By("Instant")))
        }
        Primitive::Decimal => row(Runtime("BigDecimal"), "Decimal", "Decimal", Some("Decimal"), None),
    }
}
