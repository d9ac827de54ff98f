//! Options of an import, and how it reads files.

/// Reads files for the importer. The caller decides where they are and which may be read.
pub trait Files {
    /// The bytes of the file at a path, whose parts are separated by `/`.
    fn read(&mut self, path: &str) -> Result<Vec<u8>, Unread>;
}

/// Why a file was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// The file does not exist.
    Missing,
    /// The file exists and was not read, or may not be looked for. The text gives the reason as a clause about "it".
    Refused(String),
}

#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The package, if it differs from that of the target namespace.
    pub package: Option<String>,
    /// Pairs of a location or namespace and the path of its file.
    pub include: Vec<(String, String)>,
    /// Files searched for a location's last part, or for a namespace.
    pub catalogue: Vec<String>,
    /// The names of the ports to import; all if empty.
    pub ports: Vec<String>,
    /// The operations to import, as `Operation` or `PortType.Operation`; all if empty.
    pub operations: Vec<String>,
    /// Whether to declare all types, including those that no message uses.
    pub all_types: bool,
    /// Declare what is not repeated as optional, whatever the schema says (XML-53).
    pub lenient: bool,
}
