//! The built-in types of XML Schema as types of the language (XML-38).

use crate::import::draft::Ty;
use creo_model::{DECIMAL_TYPES, STRING_TYPES};

/// A built-in type: the language's type, and `type = ".."` if the language's type is not exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Builtin {
    pub word: &'static str,
    pub xsd: Option<&'static str>,
}

impl Builtin {
    pub fn ty(self) -> Ty {
        if self.word == "byte[]" { Ty::Bytes } else { Ty::Word(self.word) }
    }
}

/// Looks up a name of XML Schema, of SOAP encoding, or of an XML Schema draft. `None`: no simple type.
pub fn builtin(name: &str) -> Option<Builtin> {
    let plain = |word| Some(Builtin { word, xsd: None });
    let named = |word, xsd| Some(Builtin { word, xsd: Some(xsd) });
    match name {
        "string" | "anyAtomicType" | "untypedAtomic" => plain("String"),
        "boolean" => plain("boolean"),
        "byte" => plain("byte"),
        "short" => plain("short"),
        "int" => plain("int"),
        "long" => plain("long"),
        "float" => plain("float"),
        "double" => plain("double"),
        "decimal" => plain("Decimal"),
        "dateTime" | "dateTimeStamp" | "timeInstant" => plain("DateTime"),
        "base64Binary" | "base64" | "binary" => plain("byte[]"),
        "hexBinary" => named("byte[]", "hexBinary"),
        "unsignedByte" => named("short", "unsignedByte"),
        "unsignedShort" => named("int", "unsignedShort"),
        "unsignedInt" => named("long", "unsignedInt"),
        "yearMonthDuration" | "dayTimeDuration" | "timeDuration" => named("String", "duration"),
        "anySimpleType" => named("String", "anySimpleType"),
        "uriReference" => named("String", "anyURI"),
        _ => {
            let found = |words: &'static [&'static str]| words.iter().find(|word| **word == name).copied();
            found(&DECIMAL_TYPES)
                .and_then(|xsd| named("Decimal", xsd))
                .or_else(|| found(&STRING_TYPES).and_then(|xsd| named("String", xsd)))
        }
    }
}

/// A value in the schema as a type of [`Builtin::xsd`] has it (`whiteSpace` of XML Schema).
pub fn white_space(xsd: Option<&str>, text: &str) -> String {
    const SPACES: [char; 4] = [' ', '\t', '\n', '\r'];
    match xsd {
        None | Some("anySimpleType") => text.to_owned(),
        Some("normalizedString") => text.replace(SPACES, " "),
        Some(_) => text.split(SPACES).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" "),
    }
}

/// The min and max of an integer type that becomes a `Decimal`, where XML Schema defines them.
pub fn range(xsd: &str) -> (Option<i128>, Option<i128>) {
    match xsd {
        "nonNegativeInteger" => (Some(0), None),
        "positiveInteger" => (Some(1), None),
        "nonPositiveInteger" => (None, Some(0)),
        "negativeInteger" => (None, Some(-1)),
        "unsignedLong" => (Some(0), Some(i128::from(u64::MAX))),
        _ => (None, None),
    }
}
