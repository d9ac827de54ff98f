//! C# names: cased, escaped, and without collisions.

use crate::names_system::is_system_type;
use creo_codegen::Style;

/// The word on the command line and in `@Name(csharp = ..)`.
pub const TARGET: &str = "csharp";

/// The reserved words of C# 12 without contextual ones, which generated code can use as names everywhere.
const KEYWORDS: &str = "
    abstract as base bool break byte case catch char checked class const continue decimal default
    delegate do double else enum event explicit extern false finally fixed float for foreach goto if
    implicit in int interface internal is lock long namespace new null object operator out override
    params private protected public readonly ref return sbyte sealed short sizeof stackalloc static
    string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using virtual
    void volatile while
";

/// The members of every record, declared or generated: not allowed for a property, nor for a type, which would have the name of its own member.
const RECORD_MEMBERS: &str = "
    Equals GetHashCode GetType ToString MemberwiseClone ReferenceEquals Finalize EqualityContract
    PrintMembers Clone Deconstruct
";

/// The members of every exception.
const EXCEPTION_MEMBERS: &str = "
    Data HResult HelpLink InnerException Message Source StackTrace TargetSite GetBaseException
    GetObjectData Describe
";

/// The default namespace of the runtime.
pub const RUNTIME: &str = "Creo";

/// Top-level namespaces of others.
const TOP_NAMESPACES: &str = "System Microsoft Creo";

fn lists(list: &str, name: &str) -> bool {
    list.split_ascii_whitespace().any(|word| word == name)
}

pub fn is_keyword(name: &str) -> bool {
    lists(KEYWORDS, name)
}

/// Whether a name is not allowed for a top-level namespace: it belongs to others, or would hide a .NET type from the runtime and its users.
pub fn is_reserved_namespace(name: &str) -> bool {
    lists(TOP_NAMESPACES, name) || is_system_type(name)
}

pub fn is_record_member(name: &str) -> bool {
    lists(RECORD_MEMBERS, name)
}

/// Whether a name is not allowed for a type: it is that of a member, or all lower-case, which the language reserves for future keywords
/// (some, such as `record`, are taken).
pub fn is_reserved_type(name: &str) -> bool {
    is_record_member(name) || name.chars().all(|c| c.is_ascii_lowercase())
}

pub fn is_exception_member(name: &str) -> bool {
    is_record_member(name) || lists(EXCEPTION_MEMBERS, name)
}

/// The members of every class, and of a client.
pub fn is_client_member(name: &str) -> bool {
    is_record_member(name) || name == "Dispose" || name == "DisposeAsync"
}

/// The field with an enum's number.
pub fn is_enum_member(name: &str) -> bool {
    name == "value__"
}

/// No name is reserved.
pub fn never(_: &str) -> bool {
    false
}

/// A name for a type, property, constant, method or part of a namespace.
pub fn pascal(name: &str) -> String {
    spelled(name, Style::UpperCamel)
}

/// A name for a parameter or local, with `@` before a reserved word.
pub fn camel(name: &str) -> String {
    let name = spelled(name, Style::LowerCamel);
    if is_keyword(&name) { format!("@{name}") } else { name }
}

/// A name of underscores alone means something else in C#: it is written as a word.
fn spelled(name: &str, style: Style) -> String {
    if name.chars().all(|c| c == '_') {
        return style.apply(&format!("underscore{}", name.len()));
    }
    style.apply(name)
}

/// A target's own name in a description: used unchanged if it is a C# name.
pub fn own(name: Option<&str>) -> Option<String> {
    let name = name?;
    let first = name.chars().next()?;
    let right = (first.is_ascii_alphabetic() || first == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (right && !is_keyword(name) && name.chars().any(|c| c != '_')).then(|| name.to_owned())
}

/// The namespace for a package's name: each part is cased as a type, unless the description sets it for this target.
pub fn namespace(name: &str, given: bool) -> String {
    let parts: Vec<String> =
        name.split('.').map(|part| own(given.then_some(part)).unwrap_or_else(|| pascal(part))).collect();
    let joined = parts.join(".");
    let first = &parts[0];
    if is_reserved_namespace(first) { format!("{first}_{}", &joined[first.len()..]) } else { joined }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cased_and_escaped() {
        assert_eq!(pascal("retrieveData"), "RetrieveData");
        assert_eq!(pascal("HTTP_status"), "HttpStatus");
        assert_eq!(pascal("__"), "Underscore2");
        assert_eq!(camel("class"), "@class");
        assert_eq!(camel("String"), "@string");
        assert_eq!(camel("_"), "underscore1");
        assert_eq!(camel("await"), "await");
    }

    #[test]
    fn namespaces() {
        assert_eq!(namespace("org.example.data", false), "Org.Example.Data");
        assert_eq!(namespace("system", false), "System_");
        assert_eq!(namespace("system.io", false), "System_.Io");
        assert_eq!(namespace("uri.shop", false), "Uri_.Shop");
        assert_eq!(namespace("shop.uri", false), "Shop.Uri");
        assert_eq!(namespace("ACME.dataLib", true), "ACME.dataLib");
        assert_eq!(namespace("class.x", true), "Class.x");
    }

    #[test]
    fn own_names_must_be_names() {
        assert_eq!(own(Some("Good_1")), Some("Good_1".to_owned()));
        assert_eq!(own(Some("a b")), None);
        assert_eq!(own(Some("class")), None);
        assert_eq!(own(Some("")), None);
    }
}
