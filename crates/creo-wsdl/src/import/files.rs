//! What an import is asked for, and how it reads files.

/// How the importer reads files. The caller decides where they are and which of them may be read.
pub trait Files {
    /// The bytes of the file at a path, which has `/` between its parts.
    fn read(&mut self, path: &str) -> Result<Vec<u8>, Unread>;
}

/// Why a file was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// It does not exist.
    Missing,
    /// It exists and is not read, or may not be looked for; the text says why, as a clause about "it".
    Refused(String),
}

#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The package, if not that of the target namespace.
    pub package: Option<String>,
    /// A location or a namespace, and the path of the file for it.
    pub include: Vec<(String, String)>,
    /// Files that are looked through for a location's last part, or for a namespace.
    pub catalogue: Vec<String>,
    /// The names of the ports that are meant; all if there is none.
    pub ports: Vec<String>,
    /// The operations that are meant, as `Operation` or `PortType.Operation`; all if there is none.
    pub operations: Vec<String>,
    /// Declare all types, those included that no message uses.
    pub all_types: bool,
    /// Declare what is not repeated as optional, whatever the schema says (XML-53).
    pub lenient: bool,
}
