//! What C# and the runtime call the primitives: one row each.

use creo_model::Primitive;

/// What is known of a primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scalar {
    pub ty: Ty,
    /// What follows `Read` and `Write` in the names of the runtime and of the platform.
    pub word: &'static str,
    /// The constant of the runtime's `Layout`.
    pub layout: &'static str,
    /// The constant of `TextForm`; `None`: the form that a field has unless it names one.
    pub form: Option<&'static str>,
    /// What stands behind a literal.
    pub suffix: &'static str,
    /// How a value moves at the start of a block; `None`: its size is not fixed.
    pub block: Option<Block>,
}

/// The type of the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
    /// A keyword.
    Keyword(&'static str),
    /// A keyword whose values are objects.
    Object(&'static str),
    /// A value type of the runtime.
    Runtime(&'static str),
}

/// How a value of fixed size moves at the start of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    /// As one byte, by casts.
    Byte,
    /// As one byte, by functions of the runtime: what follows `To` and `Put` in their names.
    ByteBy(&'static str),
    /// By functions of the runtime: what follows `To` and `Put` in their names.
    By(&'static str),
    /// By functions of the platform: what follows `Read` and `Write` in their names, and the cast of what they read.
    Platform(&'static str, &'static str),
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
