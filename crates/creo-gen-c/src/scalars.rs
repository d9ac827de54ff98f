//! A table of the primitives in C, one row each.

use creo_model::Primitive;

/// What a byte string has, as a stream of bytes gives it.
pub const BYTE: Primitive = Primitive::Byte;

/// A primitive in C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// In the names of the runtime's functions and types: `creo_read_int`, `creo_int_array`.
    pub word: &'static str,
    /// The type of a value.
    pub ty: &'static str,
    /// The kind of a value in a descriptor of the text wires.
    pub text_kind: &'static str,
    /// The function that reads a value from a block, if some bytes are invalid.
    pub block_get: Option<&'static str>,
    /// The function that writes a value to a block, if C's type has more values than the primitive.
    pub block_put: Option<&'static str>,
}

/// The row of a primitive.
pub const fn scalar(primitive: Primitive) -> Scalar {
    match primitive {
        Primitive::Boolean => {
            Scalar { block_get: Some("creo_block_boolean"), ..row("boolean", "bool", "CREO_TEXT_BOOLEAN") }
        }
        Primitive::Byte => row("byte", "int8_t", "CREO_TEXT_BYTE"),
        Primitive::Short => row("short", "int16_t", "CREO_TEXT_SHORT"),
        Primitive::Char => row("char", "uint16_t", "CREO_TEXT_CHAR"),
        Primitive::Int => row("int", "int32_t", "CREO_TEXT_INT"),
        Primitive::Long => row("long", "int64_t", "CREO_TEXT_LONG"),
        Primitive::Float => row("float", "float", "CREO_TEXT_FLOAT"),
        Primitive::Double => row("double", "double", "CREO_TEXT_DOUBLE"),
        Primitive::String => row("string", "creo_string", "CREO_TEXT_STRING"),
        Primitive::DateTime => Scalar {
            block_get: Some("creo_block_datetime"),
            block_put: Some("creo_block_put_datetime"),
            ..row("datetime", "creo_datetime", "CREO_TEXT_DATETIME")
        },
        Primitive::Decimal => row("decimal", "creo_decimal", "CREO_TEXT_DECIMAL"),
    }
}

const fn row(word: &'static str, ty: &'static str, text_kind: &'static str) -> Scalar {
    Scalar { word, ty, text_kind, block_get: None, block_put: None }
}
