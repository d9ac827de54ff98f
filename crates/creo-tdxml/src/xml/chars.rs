//! Characters of XML 1.0, fifth edition.

/// [2] Char
pub fn is_char(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

/// [3] S, in text that has been read.
pub fn is_space(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\n' | b'\r')
}

/// [4] NameStartChar without the colon.
pub fn starts_name(c: char) -> bool {
    matches!(c, 'A'..='Z' | 'a'..='z' | '_' | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{2ff}' | '\u{370}'..='\u{37d}'
        | '\u{37f}'..='\u{1fff}' | '\u{200c}'..='\u{200d}' | '\u{2070}'..='\u{218f}' | '\u{2c00}'..='\u{2fef}' | '\u{3001}'..='\u{d7ff}'
        | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{fffd}' | '\u{10000}'..='\u{effff}')
}

/// [4a] NameChar without the colon.
pub fn is_name_char(c: char) -> bool {
    starts_name(c)
        || matches!(c, '-' | '.' | '0'..='9' | '\u{b7}' | '\u{300}'..='\u{36f}' | '\u{203f}'..='\u{2040}')
}

/// Bytes that a name may hold: those of ASCII that are name characters, and all others.
pub fn is_name_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b':') || b >= 0x80
}

/// [5] Name: the colon counts as a letter.
pub fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c == ':' || starts_name(c)) && chars.all(|c| c == ':' || is_name_char(c))
}

/// NCName of namespaces in XML.
pub fn is_local_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(starts_name) && chars.all(is_name_char)
}

/// QName: the prefix, if there is one, and the local name.
pub fn qualified(name: &str) -> Option<(Option<&str>, &str)> {
    let (prefix, local) = match name.split_once(':') {
        Some((prefix, local)) => (Some(prefix), local),
        None => (None, name),
    };
    (prefix.is_none_or(is_local_name) && is_local_name(local)).then_some((prefix, local))
}

/// [11], [13] Public identifiers.
pub fn is_public_char(c: char) -> bool {
    matches!(c, ' ' | '\n' | 'a'..='z' | 'A'..='Z' | '0'..='9') || "-'()+,./:=?;!*#@$_%".contains(c)
}
