//! Fixed-size primitives, with narrow types for specific uses.

use creo_model::Primitive;

/// The namespaces of SOAP encoding's types of texts and arrays (SOAP-31).
pub const XML_SCHEMA: &str = "http://www.w3.org/2001/XMLSchema";
pub const SOAP_ENCODING: &str = "http://schemas.xmlsoap.org/soap/encoding/";

/// The XML Schema type of a primitive, by its local name (`spec/wires/xml.md`, section 2).
pub fn schema_type(primitive: Primitive) -> &'static str {
    match primitive {
        Primitive::Boolean => "boolean",
        Primitive::Byte => "byte",
        Primitive::Short => "short",
        Primitive::Char => "unsignedShort",
        Primitive::Int => "int",
        Primitive::Long => "long",
        Primitive::Float => "float",
        Primitive::Double => "double",
        Primitive::String => "string",
        Primitive::DateTime => "dateTime",
        Primitive::Decimal => "decimal",
    }
}

/// A primitive with a fixed size on the binary wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FixedScalar {
    Boolean,
    Byte,
    Short,
    Char,
    Int,
    Long,
    Float,
    Double,
    DateTime,
}

/// A primitive whose arrays the binary wire copies in bulk. `byte[]` is a separate type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BulkScalar {
    Boolean,
    Short,
    Char,
    Int,
    Long,
    Float,
    Double,
}

impl FixedScalar {
    pub fn primitive(self) -> Primitive {
        match self {
            FixedScalar::Boolean => Primitive::Boolean,
            FixedScalar::Byte => Primitive::Byte,
            FixedScalar::Short => Primitive::Short,
            FixedScalar::Char => Primitive::Char,
            FixedScalar::Int => Primitive::Int,
            FixedScalar::Long => Primitive::Long,
            FixedScalar::Float => Primitive::Float,
            FixedScalar::Double => Primitive::Double,
            FixedScalar::DateTime => Primitive::DateTime,
        }
    }

    /// The scalar of a primitive; `None` if its size is not fixed.
    pub fn of(primitive: Primitive) -> Option<FixedScalar> {
        match primitive {
            Primitive::Boolean => Some(FixedScalar::Boolean),
            Primitive::Byte => Some(FixedScalar::Byte),
            Primitive::Short => Some(FixedScalar::Short),
            Primitive::Char => Some(FixedScalar::Char),
            Primitive::Int => Some(FixedScalar::Int),
            Primitive::Long => Some(FixedScalar::Long),
            Primitive::Float => Some(FixedScalar::Float),
            Primitive::Double => Some(FixedScalar::Double),
            Primitive::DateTime => Some(FixedScalar::DateTime),
            Primitive::String | Primitive::Decimal => None,
        }
    }

    /// The scalar as an item of a bulk array.
    pub fn bulk(self) -> Option<BulkScalar> {
        match self {
            FixedScalar::Boolean => Some(BulkScalar::Boolean),
            FixedScalar::Short => Some(BulkScalar::Short),
            FixedScalar::Char => Some(BulkScalar::Char),
            FixedScalar::Int => Some(BulkScalar::Int),
            FixedScalar::Long => Some(BulkScalar::Long),
            FixedScalar::Float => Some(BulkScalar::Float),
            FixedScalar::Double => Some(BulkScalar::Double),
            FixedScalar::Byte | FixedScalar::DateTime => None,
        }
    }

    /// The bytes of a value on the binary wire.
    pub fn size(self) -> u64 {
        match self {
            FixedScalar::Boolean | FixedScalar::Byte => 1,
            FixedScalar::Short | FixedScalar::Char => 2,
            FixedScalar::Int | FixedScalar::Float => 4,
            FixedScalar::Long | FixedScalar::Double => 8,
            FixedScalar::DateTime => 12,
        }
    }
}

impl BulkScalar {
    pub fn scalar(self) -> FixedScalar {
        match self {
            BulkScalar::Boolean => FixedScalar::Boolean,
            BulkScalar::Short => FixedScalar::Short,
            BulkScalar::Char => FixedScalar::Char,
            BulkScalar::Int => FixedScalar::Int,
            BulkScalar::Long => FixedScalar::Long,
            BulkScalar::Float => FixedScalar::Float,
            BulkScalar::Double => FixedScalar::Double,
        }
    }
}
