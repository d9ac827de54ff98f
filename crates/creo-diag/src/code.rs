//! The closed list of codes: the table of `spec/language.md`, section 5, followed by that of `docs/wsdl.md` for imported files.

use std::fmt;

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing is generated from a description with an error.
    Error,
    /// The description is valid, but may not mean what its author thinks.
    Warning,
}

impl Severity {
    /// The word for users.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

macro_rules! codes {
    ({ $($name:ident $word:literal $severity:ident,)* } { $($import:ident $import_word:literal $import_severity:ident,)* }) => {
        /// The kind of mistake. Users see, search and filter its word.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Code {
            $(#[doc = concat!("`", $word, "`")] $name,)*
            $(#[doc = concat!("`", $import_word, "`")] $import,)*
        }

        impl Code {
            /// The codes of descriptions, in the order of the specification's table.
            pub const ALL: &'static [Code] = &[$(Code::$name,)*];

            /// The codes of imported files, in the order of the table of `docs/wsdl.md`.
            pub const IMPORT: &'static [Code] = &[$(Code::$import,)*];

            /// The word in the table.
            pub fn word(self) -> &'static str {
                match self {
                    $(Code::$name => $word,)*
                    $(Code::$import => $import_word,)*
                }
            }

            /// The severity of every diagnostic with this code.
            pub fn severity(self) -> Severity {
                match self {
                    $(Code::$name => Severity::$severity,)*
                    $(Code::$import => Severity::$import_severity,)*
                }
            }
        }
    };
}

codes! {
    {
        InvalidEncoding "invalid-encoding" Error,
        FileTooLarge "file-too-large" Error,
        InvalidCharacter "invalid-character" Error,
        UnterminatedComment "unterminated-comment" Error,
        UnterminatedString "unterminated-string" Error,
        InvalidEscape "invalid-escape" Error,
        InvalidLiteral "invalid-literal" Error,
        ExpectedToken "expected-token" Error,
        TooDeep "too-deep" Error,
        ReservedName "reserved-name" Error,
        NameTooLong "name-too-long" Error,
        MisplacedAnnotation "misplaced-annotation" Error,
        DuplicateAnnotation "duplicate-annotation" Error,
        InvalidAnnotation "invalid-annotation" Error,
        UnknownAnnotation "unknown-annotation" Warning,
        UnattachedDoc "unattached-doc" Warning,
        UnusedImport "unused-import" Warning,
        DuplicateName "duplicate-name" Error,
        DuplicateNumber "duplicate-number" Error,
        InvalidNumber "invalid-number" Error,
        UnknownType "unknown-type" Error,
        AmbiguousType "ambiguous-type" Error,
        ImportNotFound "import-not-found" Error,
        InvalidImport "invalid-import" Error,
        InvalidMapKey "invalid-map-key" Error,
        DoubleOptional "double-optional" Error,
        VoidNotAllowed "void-not-allowed" Error,
        ExceptionAsValue "exception-as-value" Error,
        InfiniteType "infinite-type" Error,
        EmptyType "empty-type" Error,
        InvalidDefault "invalid-default" Error,
        DefaultRequired "default-required" Error,
        InvalidOneway "invalid-oneway" Error,
        NotAnException "not-an-exception" Error,
        InvalidStream "invalid-stream" Error,
    }
    {
        UnreadableXml "unreadable-xml" Error,
        NotWsdl "not-wsdl" Error,
        ImportTooLarge "import-too-large" Error,
        NothingToImport "nothing-to-import" Error,
        SchemaNotFound "schema-not-found" Warning,
        UnknownComponent "unknown-component" Warning,
        RpcEncoded "rpc-encoded" Warning,
        LeftOut "left-out" Warning,
        UnmetPolicy "unmet-policy" Warning,
        OptionNeeded "option-needed" Warning,
        InvalidNamespace "invalid-namespace" Error,
        OddNamespace "odd-namespace" Warning,
        OddAddress "odd-address" Warning,
        ImportRefused "import-refused" Error,
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
