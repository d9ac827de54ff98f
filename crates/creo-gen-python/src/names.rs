//! Names of Python: casing, reserved words, escapes.
//!
//! A name from a description never starts with an underscore here, so generated code is free to use such names for itself.

use creo_codegen::{Names, Style};
use creo_model::Notes;

/// The target's word, also in `@Name(python = ..)`.
pub const TARGET: &str = "python";

/// What a name is for. Each kind has its style, and its words that generated code needs for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A part of a package's name.
    Package,
    /// A class, or the alias of a union.
    Type,
    /// A field of a struct or exception; also the name of a constructor's parameter.
    Field,
    /// A constant of an enum.
    Constant,
    /// A method of a client.
    Method,
    /// A parameter of a method.
    Parameter,
}

const KEYWORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def",
    "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is",
    "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// What values do by themselves.
const CODECS: &[&str] = &[
    "to_bytes",
    "from_bytes",
    "to_json",
    "from_json",
    "to_tdxml",
    "from_tdxml",
    "to_xml",
    "from_xml",
    "from_columns",
];

/// Builtins that annotations within a class body mean, as [`TYPES`] are: a field or method of that name would hide them.
const ANNOTATIONS: &[&str] =
    &["bool", "bytes", "float", "int", "object", "str", "tuple", "property", "classmethod", "staticmethod"];

/// The other builtins that are written like classes: checkers take a class of such a name for the builtin where it is used above its declaration.
const BUILTINS: &[&str] = &[
    "ArithmeticError",
    "AssertionError",
    "AttributeError",
    "BaseExceptionGroup",
    "BlockingIOError",
    "BrokenPipeError",
    "BufferError",
    "BytesWarning",
    "ChildProcessError",
    "ConnectionAbortedError",
    "ConnectionError",
    "ConnectionRefusedError",
    "ConnectionResetError",
    "DeprecationWarning",
    "EOFError",
    "Ellipsis",
    "EncodingWarning",
    "EnvironmentError",
    "ExceptionGroup",
    "FileExistsError",
    "FileNotFoundError",
    "FloatingPointError",
    "FutureWarning",
    "GeneratorExit",
    "IOError",
    "ImportError",
    "ImportWarning",
    "IndentationError",
    "IndexError",
    "InterruptedError",
    "IsADirectoryError",
    "KeyError",
    "KeyboardInterrupt",
    "LookupError",
    "MemoryError",
    "ModuleNotFoundError",
    "NameError",
    "NotADirectoryError",
    "NotImplemented",
    "NotImplementedError",
    "OSError",
    "OverflowError",
    "PendingDeprecationWarning",
    "PermissionError",
    "ProcessLookupError",
    "PythonFinalizationError",
    "RecursionError",
    "ReferenceError",
    "ResourceWarning",
    "RuntimeError",
    "RuntimeWarning",
    "StopAsyncIteration",
    "StopIteration",
    "SyntaxError",
    "SyntaxWarning",
    "SystemError",
    "SystemExit",
    "TabError",
    "TimeoutError",
    "TypeError",
    "UnboundLocalError",
    "UnicodeDecodeError",
    "UnicodeEncodeError",
    "UnicodeError",
    "UnicodeTranslateError",
    "UnicodeWarning",
    "UserWarning",
    "ValueError",
    "Warning",
    "WindowsError",
    "ZeroDivisionError",
];

/// Builtins and local variables that generated functions use: a class of that name, which only `@Name` can ask for, would hide them or be hidden.
const USED: &[&str] = &[
    "BaseException",
    "Exception",
    "annotations",
    "bool",
    "bytes",
    "chr",
    "classmethod",
    "cls",
    "codec",
    "dict",
    "end",
    "enum",
    "enumerate",
    "final",
    "float",
    "int",
    "isinstance",
    "item",
    "items",
    "key",
    "len",
    "list",
    "map",
    "memoryview",
    "next",
    "number",
    "numbers",
    "object",
    "options",
    "ord",
    "part",
    "property",
    "range",
    "result",
    "self",
    "set",
    "start",
    "staticmethod",
    "str",
    "super",
    "tuple",
    "type",
    "value",
    "view",
    "zip",
];

/// What classes of enums have already.
const ENUMS: &[&str] = &["ClassVar", "known", "mro", "name", "value"];

/// Names that generated modules import.
const TYPES: &[&str] =
    &["Any", "ClassVar", "Decimal", "Final", "Iterable", "Mapping", "MappingProxyType", "Sequence", "Union"];

/// Functions and constants that generated modules import from the runtime. Generated classes start with a capital letter, so only `@Name` can ask for most of these.
const HELPERS: &[&str] = &[
    "COUNT",
    "EMPTY_MAP",
    "FLAG",
    "FLAGS",
    "FLAG_BYTE",
    "close_region",
    "enter",
    "open_region",
    "read_booleans",
    "read_bytes",
    "read_chars",
    "read_count",
    "read_decimal",
    "read_doubles",
    "read_empty_items",
    "read_floats",
    "read_ints",
    "read_items",
    "read_longs",
    "read_region",
    "read_shorts",
    "read_string",
    "read_strings",
    "read_structs",
    "u32",
    "write_array",
    "write_chars",
    "write_decimal",
    "write_strings",
    "write_structs",
];

/// Top-level packages of these names would hide modules of the standard library, which the framework itself imports.
const STANDARD_LIBRARY: &[&str] = &[
    "abc",
    "aifc",
    "antigravity",
    "argparse",
    "array",
    "ast",
    "asynchat",
    "asyncio",
    "asyncore",
    "atexit",
    "audioop",
    "base64",
    "bdb",
    "binascii",
    "binhex",
    "bisect",
    "builtins",
    "bz2",
    "calendar",
    "cgi",
    "cgitb",
    "chunk",
    "cmath",
    "cmd",
    "code",
    "codecs",
    "codeop",
    "collections",
    "colorsys",
    "compileall",
    "compression",
    "concurrent",
    "configparser",
    "contextlib",
    "contextvars",
    "copy",
    "copyreg",
    "cprofile",
    "creo",
    "crypt",
    "csv",
    "ctypes",
    "curses",
    "dataclasses",
    "datetime",
    "dbm",
    "decimal",
    "difflib",
    "dis",
    "distutils",
    "doctest",
    "email",
    "encodings",
    "ensurepip",
    "enum",
    "errno",
    "faulthandler",
    "fcntl",
    "filecmp",
    "fileinput",
    "fnmatch",
    "formatter",
    "fractions",
    "ftplib",
    "functools",
    "gc",
    "genericpath",
    "getopt",
    "getpass",
    "gettext",
    "glob",
    "graphlib",
    "grp",
    "gzip",
    "hashlib",
    "heapq",
    "hmac",
    "html",
    "http",
    "idlelib",
    "imaplib",
    "imghdr",
    "imp",
    "importlib",
    "inspect",
    "io",
    "ipaddress",
    "itertools",
    "json",
    "keyword",
    "lib2to3",
    "linecache",
    "locale",
    "logging",
    "lzma",
    "mailbox",
    "mailcap",
    "marshal",
    "math",
    "mimetypes",
    "mmap",
    "modulefinder",
    "msilib",
    "msvcrt",
    "multiprocessing",
    "netrc",
    "nis",
    "nntplib",
    "nt",
    "ntpath",
    "nturl2path",
    "numbers",
    "numpy",
    "opcode",
    "operator",
    "optparse",
    "os",
    "ossaudiodev",
    "parser",
    "pathlib",
    "pdb",
    "pickle",
    "pickletools",
    "pipes",
    "pkgutil",
    "platform",
    "plistlib",
    "poplib",
    "posix",
    "posixpath",
    "pprint",
    "profile",
    "pstats",
    "pty",
    "pwd",
    "py_compile",
    "pyclbr",
    "pydoc",
    "pyexpat",
    "queue",
    "quopri",
    "random",
    "re",
    "readline",
    "reprlib",
    "resource",
    "rlcompleter",
    "runpy",
    "sched",
    "secrets",
    "select",
    "selectors",
    "shelve",
    "shlex",
    "shutil",
    "signal",
    "site",
    "smtpd",
    "smtplib",
    "sndhdr",
    "socket",
    "socketserver",
    "spwd",
    "sqlite3",
    "sre_compile",
    "sre_constants",
    "sre_parse",
    "ssl",
    "stat",
    "statistics",
    "string",
    "stringprep",
    "struct",
    "subprocess",
    "sunau",
    "symbol",
    "symtable",
    "sys",
    "sysconfig",
    "syslog",
    "tabnanny",
    "tarfile",
    "telnetlib",
    "tempfile",
    "termios",
    "test",
    "textwrap",
    "this",
    "threading",
    "time",
    "timeit",
    "tkinter",
    "token",
    "tokenize",
    "tomllib",
    "trace",
    "traceback",
    "tracemalloc",
    "tty",
    "turtle",
    "turtledemo",
    "types",
    "typing",
    "unicodedata",
    "unittest",
    "urllib",
    "uu",
    "uuid",
    "venv",
    "warnings",
    "wave",
    "weakref",
    "webbrowser",
    "winreg",
    "winsound",
    "wsgiref",
    "xdrlib",
    "xml",
    "xmlrpc",
    "zipapp",
    "zipfile",
    "zipimport",
    "zlib",
    "zoneinfo",
];

fn is_keyword(name: &str) -> bool {
    KEYWORDS.contains(&name)
}

/// `w`, `x0`, `c1`: generated functions call their locals by one small letter, and a number where there are several.
fn is_local(name: &str) -> bool {
    name.strip_prefix(|c: char| c.is_ascii_lowercase())
        .is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()))
}

impl Kind {
    fn style(self) -> Style {
        match self {
            Kind::Package | Kind::Field | Kind::Method | Kind::Parameter => Style::Snake,
            Kind::Type => Style::UpperCamel,
            Kind::Constant => Style::Screaming,
        }
    }

    fn reserved(self) -> fn(&str) -> bool {
        match self {
            Kind::Package => is_keyword,
            Kind::Constant => |name| is_keyword(name) || ENUMS.contains(&name),
            Kind::Type => |name| {
                is_keyword(name)
                    || [TYPES, USED, BUILTINS, HELPERS].into_iter().any(|list| list.contains(&name))
                    || is_local(name)
            },
            Kind::Field => |name| {
                is_keyword(name)
                    || ANNOTATIONS.contains(&name)
                    || TYPES.contains(&name)
                    || ["self", "cls", "replace", "args", "with_traceback", "add_note"].contains(&name)
                    || CODECS.contains(&name)
            },
            Kind::Method => |name| {
                is_keyword(name)
                    || ANNOTATIONS.contains(&name)
                    || TYPES.contains(&name)
                    || ["close", "json", "over", "soap", "tdxml", "with_options"].contains(&name)
            },
            Kind::Parameter => |name| is_keyword(name) || name == "self",
        }
    }

    /// What stands before a name that would start with a digit, or would be empty.
    fn prefix(self) -> &'static str {
        match self {
            Kind::Package => "package_",
            Kind::Type => "Type",
            Kind::Constant => "VALUE_",
            Kind::Field | Kind::Method | Kind::Parameter => "value_",
        }
    }

    /// The scope of names of this kind.
    pub fn scope(self) -> Names {
        Names::new(self.reserved())
    }

    /// The name that is wanted for a declared one, before reserved words and clashes are looked at.
    pub fn wanted(self, declared: &str, notes: &Notes) -> String {
        match notes.target_name(TARGET) {
            Some(own) => self.tidy(own),
            None => self.tidy(&self.style().apply(declared)),
        }
    }

    /// Makes an identifier of any text: only letters, digits and underscores, not starting with an underscore or a digit.
    fn tidy(self, name: &str) -> String {
        let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let bare = plain.trim_start_matches('_');
        if bare.is_empty() || bare.starts_with(|c: char| c.is_ascii_digit()) {
            format!("{}{bare}", self.prefix())
        } else {
            bare.to_owned()
        }
    }

    /// The names of all things of one scope.
    pub fn name_all<'a>(self, all: impl IntoIterator<Item = (&'a str, &'a Notes)>) -> Vec<String> {
        let wanted: Vec<(&str, String)> =
            all.into_iter().map(|(declared, notes)| (declared, self.wanted(declared, notes))).collect();
        self.scope().give_all(&wanted)
    }
}

/// The parts of a package's name, `org`, `example`, `data`. The first is never the name of a module that the framework needs.
pub fn package_parts(name: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for part in name.split('.') {
        let mut part = Kind::Package.tidy(&Style::Snake.apply(part));
        while is_keyword(&part) || (parts.is_empty() && STANDARD_LIBRARY.contains(&part.as_str())) {
            part.push('_');
        }
        parts.push(part);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(kind: Kind, names: &[&str]) -> Vec<String> {
        let notes = Notes::default();
        kind.name_all(names.iter().map(|n| (*n, &notes)))
    }

    #[test]
    fn names_are_cased_and_escaped() {
        assert_eq!(
            named(Kind::Field, &["retryAfter", "class", "list", "int", "self", "to_bytes", "match"]),
            ["retry_after", "class_", "list", "int_", "self_", "to_bytes_", "match"]
        );
        assert_eq!(
            named(Kind::Type, &["metaData", "none", "Sequence", "_Hidden", "__", "_1"]),
            ["MetaData", "None_", "Sequence_", "Hidden", "Type", "Type1"]
        );
        assert_eq!(
            named(Kind::Constant, &["RED", "darkRed", "_2nd", "None"]),
            ["RED", "DARK_RED", "VALUE_2ND", "NONE"]
        );
        assert_eq!(
            named(Kind::Method, &["close", "getAll", "import", "withOptions"]),
            ["close_", "get_all", "import_", "with_options_"]
        );
        assert_eq!(named(Kind::Method, &["json", "soap", "tdxml"]), ["json_", "soap_", "tdxml_"]);
        assert_eq!(
            named(Kind::Field, &["toJson", "fromTdxml", "toXml"]),
            ["to_json_", "from_tdxml_", "to_xml_"]
        );
    }

    #[test]
    fn names_do_not_clash() {
        assert_eq!(named(Kind::Field, &["aB", "a_b", "__a_b"]), ["a_b_", "a_b", "a_b__"]);
        assert_eq!(named(Kind::Field, &["__init__", "init"]), ["init_", "init"]);
    }

    #[test]
    fn names_of_ones_own_are_made_identifiers() {
        let notes = Notes { targets: vec![("python".into(), "import os; x".into())], ..Notes::default() };
        assert_eq!(Kind::Field.name_all([("a", &notes)]), ["import_os__x"]);
        let own = |kind: Kind, name: &str| {
            let notes = Notes { targets: vec![("python".into(), name.into())], ..Notes::default() };
            kind.name_all([("a", &notes)])
        };
        for name in ["mro", "name", "value", "known", "None"] {
            assert_eq!(own(Kind::Constant, name), [format!("{name}_")]);
        }
        for name in ["int", "type", "Exception", "Warning", "v", "x12", "final", "read_string", "COUNT"] {
            assert_eq!(own(Kind::Type, name), [format!("{name}_")]);
        }
        assert_eq!(own(Kind::Type, "xml"), ["xml"]);
        for name in ["Decimal", "Mapping", "Iterable"] {
            assert_eq!(
                (own(Kind::Field, name), own(Kind::Method, name)),
                (vec![format!("{name}_")], vec![format!("{name}_")])
            );
        }
    }

    #[test]
    fn packages_hide_nothing() {
        assert_eq!(package_parts("org.example.Data"), ["org", "example", "data"]);
        assert_eq!(package_parts("json.types"), ["json_", "types"]);
        assert_eq!(package_parts("creo"), ["creo_"]);
        assert_eq!(package_parts("a.class._1"), ["a", "class_", "package_1"]);
    }
}
