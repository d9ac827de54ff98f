//! Converts texts of the source for a description: names, constants, documentation, literals.

use std::fmt::Write;

/// Longer names are cut, which leaves room for a number at the end (LANG-3).
const LONGEST: usize = 100;

/// The line width of documentation.
const WIDTH: usize = 110;

/// How the parts of an invalid name are joined.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Join {
    /// `first-name` becomes `firstName`.
    Hump,
    /// `In-Progress` becomes `In_Progress`.
    Underscore,
}

/// A name of the language (LANG-3), as close to the text as possible; `otherwise` if nothing is left of it.
pub fn identifier(text: &str, join: Join, otherwise: &str) -> String {
    let mut name = String::new();
    let mut gap = false;
    for c in text.chars() {
        let folded = fold(c);
        let plain = matches!(folded.chars().next(), Some(c) if c.is_ascii_alphanumeric() || c == '_');
        if !plain {
            gap = true;
            continue;
        }
        if gap && !name.is_empty() {
            match join {
                Join::Hump => {
                    let mut rest = folded.chars();
                    name.extend(rest.next().map(|c| c.to_ascii_uppercase()));
                    name.push_str(rest.as_str());
                    gap = false;
                    continue;
                }
                Join::Underscore => name.push('_'),
            }
        }
        gap = false;
        name.push_str(&folded);
    }
    if name.bytes().all(|b| b == b'_') {
        name = otherwise.to_owned();
    }
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, '_');
    }
    if name.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("creo_")) {
        name.insert_str(0, "x_");
    }
    name.truncate(LONGEST);
    name
}

/// The name of a constant for its text: the text itself if it is a name, otherwise words for it.
pub fn constant(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() {
        return "EMPTY".to_owned();
    }
    let mut spelt = String::new();
    if !text.chars().any(char::is_alphanumeric) {
        for c in text.chars() {
            spelt.push_str(word(c));
        }
        return identifier(&spelt, Join::Underscore, "SYMBOL");
    }
    // A leading sign is part of a number's meaning.
    let rest = match text.chars().next() {
        Some(sign @ ('-' | '+')) if text[1..].starts_with(|c: char| c.is_ascii_digit()) => {
            spelt.push_str(word(sign));
            &text[1..]
        }
        _ => text,
    };
    spelt.push_str(rest);
    // A trailing plus: `A+` is not `A`.
    let spelt = spelt.replace('+', " Plus ");
    let name = identifier(spelt.trim(), Join::Underscore, "VALUE");
    if name.starts_with('_') && !text.starts_with('_') {
        format!("V{}", name.trim_start_matches('_'))
    } else {
        name
    }
}

fn word(c: char) -> &'static str {
    match c {
        '<' => "Less",
        '>' => "Greater",
        '=' => "Equal",
        '!' => "Not",
        '+' => "Plus",
        '-' => "Minus",
        '*' => "Star",
        '/' => "Slash",
        '\\' => "Backslash",
        '%' => "Percent",
        '&' => "And",
        '|' => "Or",
        '.' => "Dot",
        ',' => "Comma",
        ':' => "Colon",
        ';' => "Semicolon",
        '#' => "Hash",
        '$' => "Dollar",
        '?' => "Question",
        '@' => "At",
        '~' => "Tilde",
        '^' => "Caret",
        '_' => "Underscore",
        '(' | ')' => "Parenthesis",
        '[' | ']' => "Bracket",
        '{' | '}' => "Brace",
        '"' | '\'' => "Quote",
        _ => "Symbol",
    }
}

/// A letter without its accents; other letters become their number.
fn fold(c: char) -> String {
    if c.is_ascii() {
        return c.to_string();
    }
    let plain = match c {
        'À'..='Å' | 'Ā' | 'Ă' | 'Ą' => "A",
        'à'..='å' | 'ā' | 'ă' | 'ą' => "a",
        'Æ' => "AE",
        'æ' => "ae",
        'Ç' | 'Ć' | 'Č' => "C",
        'ç' | 'ć' | 'č' => "c",
        'Ď' | 'Đ' | 'Ð' => "D",
        'ď' | 'đ' | 'ð' => "d",
        'È'..='Ë' | 'Ē' | 'Ę' | 'Ě' => "E",
        'è'..='ë' | 'ē' | 'ę' | 'ě' => "e",
        'Ğ' => "G",
        'ğ' => "g",
        'Ì'..='Ï' | 'İ' => "I",
        'ì'..='ï' | 'ı' => "i",
        'Ł' => "L",
        'ł' => "l",
        'Ñ' | 'Ń' | 'Ň' => "N",
        'ñ' | 'ń' | 'ň' => "n",
        'Ò'..='Ö' | 'Ø' | 'Ő' => "O",
        'ò'..='ö' | 'ø' | 'ő' => "o",
        'Œ' => "OE",
        'œ' => "oe",
        'Ř' => "R",
        'ř' => "r",
        'Ś' | 'Ş' | 'Š' => "S",
        'ś' | 'ş' | 'š' => "s",
        'ß' => "ss",
        'Ť' => "T",
        'ť' => "t",
        'Ù'..='Ü' | 'Ů' | 'Ű' => "U",
        'ù'..='ü' | 'ů' | 'ű' => "u",
        'Ý' | 'Ÿ' => "Y",
        'ý' | 'ÿ' => "y",
        'Ź' | 'Ż' | 'Ž' => "Z",
        'ź' | 'ż' | 'ž' => "z",
        'Þ' => "Th",
        'þ' => "th",
        c if c.is_alphanumeric() => return format!("U{:04X}", u32::from(c)),
        _ => "",
    };
    plain.to_owned()
}

/// The text with its first letter in upper case, for use after another name.
pub fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or(String::new(), |first| first.to_uppercase().chain(characters).collect())
}

/// The text with its first letter in lower case, unless it begins with several capitals: `Circle` becomes `circle`, `URLType` stays.
pub fn uncapitalised(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next();
    match first {
        Some(first) if !characters.clone().next().is_some_and(char::is_uppercase) => {
            first.to_lowercase().chain(characters).collect()
        }
        _ => text.to_owned(),
    }
}

/// The lines of documentation, wrapped at spaces, without invisible characters and what would end the comment.
pub fn doc_lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let mut current = String::new();
        for word in line.split_whitespace() {
            let word: String = word.chars().filter(|c| !is_hidden(*c)).collect();
            if word.is_empty() {
                continue;
            }
            if !current.is_empty() && current.chars().count() + word.chars().count() >= WIDTH {
                lines.push(std::mem::take(&mut current));
            }
            if !current.is_empty() {
                current.push(' ');
            }
            current.push_str(&word.replace("*/", "* /").replace("/*", "/ *"));
        }
        // Consecutive blank lines become one.
        if !current.is_empty() || lines.last().is_some_and(|last| !last.is_empty()) {
            lines.push(current);
        }
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// Control characters, and marks without width or that change the direction of text.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// A string literal (LANG-6).
pub fn string(text: &str) -> String {
    let mut literal = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => literal.push_str("\\\""),
            '\\' => literal.push_str("\\\\"),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\t' => literal.push_str("\\t"),
            c if is_hidden(c) => {
                let _ = write!(literal, "\\u{:04x}", u32::from(c));
            }
            c => literal.push(c),
        }
    }
    literal.push('"');
    literal
}

/// A package for a namespace: `http://www.example.com/stock/v2` is `com.example.stock.v2`, `urn:example:stock` is `example.stock`.
pub fn package(namespace: &str) -> String {
    // The prefix of the namespace of a description's package (LANG-24).
    let namespace = namespace.strip_prefix("urn:creo:").unwrap_or(namespace);
    let mut parts: Vec<String> = Vec::new();
    let path = match namespace.split_once("://") {
        Some((_, rest)) => {
            let (host, path) = rest.split_once(['/', '?', '#']).unwrap_or((rest, ""));
            let host = host.rsplit('@').next().unwrap_or(host).split(':').next().unwrap_or("");
            parts.extend(
                host.split('.').rev().filter(|part| !part.eq_ignore_ascii_case("www")).map(str::to_owned),
            );
            path
        }
        None => namespace.strip_prefix("urn:").unwrap_or(namespace),
    };
    parts.extend(path.split(['/', ':', '?', '#', '&', '=', '.', ';']).map(str::to_owned));
    if let Some(last) = parts.last()
        && ["wsdl", "xsd", "asmx", "svc", "php", "aspx", "html", "xml", "jws"]
            .contains(&last.to_ascii_lowercase().as_str())
        && parts.len() > 2
    {
        parts.pop();
    }
    let mut names: Vec<String> = parts
        .iter()
        .map(|part| part.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase())
        .filter(|part| !part.is_empty())
        .map(|part| identifier(&part, Join::Underscore, "x").trim_matches('_').to_owned())
        .map(|part| if part.starts_with(|c: char| c.is_ascii_digit()) { format!("v{part}") } else { part })
        // These names belong to frameworks.
        .filter(|part| !part.is_empty() && part != "creo")
        .take(12)
        .collect();
    // LANG-16
    while names.iter().map(|name| name.len() + 1).sum::<usize>() > 1_024 {
        names.pop();
    }
    if names.is_empty() { "service".to_owned() } else { names.join(".") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_language() {
        let name = |text| identifier(text, Join::Hump, "value");
        assert_eq!(name("FirstName"), "FirstName");
        assert_eq!(name("first-name.de"), "firstNameDe");
        assert_eq!(name("größe"), "grosse");
        assert_eq!(name("2nd"), "_2nd");
        assert_eq!(name("日"), "U65E5");
        assert_eq!(name("--"), "value");
        assert_eq!(name("creo_x"), "x_creo_x");
        assert_eq!(name(&"a".repeat(500)).len(), 100);
    }

    #[test]
    fn constants_say_their_text() {
        let pairs = [
            ("Open", "Open"),
            ("In Progress", "In_Progress"),
            ("", "EMPTY"),
            ("-1", "Minus1"),
            ("1", "V1"),
            ("1.5", "V1_5"),
            ("<=", "LessEqual"),
            ("A+", "A_Plus"),
            ("_x", "_x"),
            ("*", "Star"),
            ("a--b", "a_b"),
            ("24:00", "V24_00"),
        ];
        for (text, name) in pairs {
            assert_eq!(constant(text), name, "{text}");
        }
    }

    #[test]
    fn documentation_ends_no_comment() {
        assert_eq!(doc_lines("\n  a */ b\n\n\n /* c \u{202e}\n"), ["a * / b", "", "/ * c"]);
        assert_eq!(doc_lines(&"word ".repeat(100)).len(), 5);
        assert!(doc_lines(" \n ").is_empty());
    }

    #[test]
    fn packages_are_those_of_the_namespace() {
        let pairs = [
            ("http://www.example.com/stock/v2", "com.example.stock.v2"),
            ("http://tempuri.org/", "org.tempuri"),
            ("urn:example:stock", "example.stock"),
            ("http://example.org:8080/a.wsdl", "org.example.a"),
            ("", "service"),
            ("http://", "service"),
            ("http://10.0.0.1/x", "v1.v0.v0.v10.x"),
            ("urn:creo:org.example.data", "org.example.data"),
            ("urn:creo", "service"),
            ("urn:a:_creo_b", "a.x_creo_b"),
        ];
        for (namespace, name) in pairs {
            assert_eq!(package(namespace), name, "{namespace}");
        }
        let long = package(&format!("urn:{}", [&*"a".repeat(99); 12].join(":")));
        assert_eq!(long.len(), 999);
    }
}
