//! The XML annotations of a description (XML-30 to XML-39).

/// The namespace of `xml:lang` and similar attributes. Its prefix is always `xml`, and is never declared.
pub const XML_NAMESPACE: &str = "http://www.w3.org/XML/1998/namespace";

/// The arguments of `@Xml`, `@XmlResponse` or `@XmlResult`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Xml {
    /// An NCName; any text for a constant.
    pub name: Option<String>,
    /// Empty: no namespace. Hostile text that may contain `&` and `'`: escape it.
    pub namespace: Option<String>,
    /// May be empty.
    pub action: Option<String>,
    /// `type`: a name of XML-38.
    pub schema_type: Option<&'static str>,
    words: Vec<XmlWord>,
}

impl Xml {
    /// No arguments.
    const NONE: Xml = Xml { name: None, namespace: None, action: None, schema_type: None, words: Vec::new() };

    /// The arguments of something without XML annotations.
    pub fn none() -> &'static Xml {
        static NONE: Xml = Xml::NONE;
        &NONE
    }

    pub fn has(&self, word: XmlWord) -> bool {
        self.words.contains(&word)
    }

    pub fn add(&mut self, word: XmlWord) {
        self.words.push(word);
    }

    /// The words in the order of writing.
    pub fn words(&self) -> &[XmlWord] {
        &self.words
    }
}

/// An argument without a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum XmlWord {
    Unqualified,
    Attribute,
    Text,
    List,
    Nillable,
    Inline,
    Any,
    Raw,
    AnyAttribute,
    Derived,
    Base,
    Header,
    Parts,
    Bare,
    Soap12,
    Encoded,
    Addressing,
}

impl XmlWord {
    pub const ALL: [XmlWord; 17] = [
        XmlWord::Unqualified,
        XmlWord::Attribute,
        XmlWord::Text,
        XmlWord::List,
        XmlWord::Nillable,
        XmlWord::Inline,
        XmlWord::Any,
        XmlWord::Raw,
        XmlWord::AnyAttribute,
        XmlWord::Derived,
        XmlWord::Base,
        XmlWord::Header,
        XmlWord::Parts,
        XmlWord::Bare,
        XmlWord::Soap12,
        XmlWord::Encoded,
        XmlWord::Addressing,
    ];

    pub fn word(self) -> &'static str {
        match self {
            XmlWord::Unqualified => "unqualified",
            XmlWord::Attribute => "attribute",
            XmlWord::Text => "text",
            XmlWord::List => "list",
            XmlWord::Nillable => "nillable",
            XmlWord::Inline => "inline",
            XmlWord::Any => "any",
            XmlWord::Raw => "raw",
            XmlWord::AnyAttribute => "anyAttribute",
            XmlWord::Derived => "derived",
            XmlWord::Base => "base",
            XmlWord::Header => "header",
            XmlWord::Parts => "parts",
            XmlWord::Bare => "bare",
            XmlWord::Soap12 => "soap12",
            XmlWord::Encoded => "encoded",
            XmlWord::Addressing => "addressing",
        }
    }
}

/// XML-38: the XML Schema types that a text may have, by the type that they fit.
pub const STRING_TYPES: [&str; 25] = [
    "normalizedString",
    "token",
    "language",
    "Name",
    "NCName",
    "NMTOKEN",
    "NMTOKENS",
    "ID",
    "IDREF",
    "IDREFS",
    "ENTITY",
    "ENTITIES",
    "anyURI",
    "QName",
    "NOTATION",
    "date",
    "time",
    "gYear",
    "gYearMonth",
    "gMonth",
    "gMonthDay",
    "gDay",
    "duration",
    "anySimpleType",
    "dateTime",
];
pub const BYTES_TYPES: [&str; 1] = ["hexBinary"];
/// The same for a `Decimal`.
pub const DECIMAL_TYPES: [&str; 6] = [
    "integer",
    "nonNegativeInteger",
    "positiveInteger",
    "nonPositiveInteger",
    "negativeInteger",
    "unsignedLong",
];
pub const LONG_TYPES: [&str; 7] = [
    "integer",
    "nonNegativeInteger",
    "positiveInteger",
    "nonPositiveInteger",
    "negativeInteger",
    "unsignedLong",
    "unsignedInt",
];
pub const INT_TYPES: [&str; 1] = ["unsignedShort"];
pub const SHORT_TYPES: [&str; 1] = ["unsignedByte"];
