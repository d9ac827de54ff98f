//! The tokens of a data schema.

use crate::error::{Result, malformed, shown};
use crate::escape;
use crate::xml::chars::{is_name_char, starts_name};

/// A token of a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    Name(String),
    Quoted(String),
    Number(u32),
    Assign,
    Sign(char),
    End,
}

impl Token {
    pub fn shown(&self) -> String {
        match self {
            Token::Name(text) | Token::Quoted(text) => format!("`{}`", shown(text)),
            Token::Number(number) => format!("`{number}`"),
            Token::Assign => "`::=`".to_owned(),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::End => "its end".to_owned(),
        }
    }
}

/// The characters that may end a string that begins with `open`.
fn closes(open: char, c: char) -> bool {
    if open == '"' { c == '"' } else { matches!(c, '\u{201c}' | '\u{201d}') }
}

/// The tokens of a schema.
pub fn tokens(text: &str) -> Result<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let behind = &rest[c.len_utf8()..];
        match c {
            ' ' | '\t' | '\n' | '\r' | ',' => rest = behind,
            '[' | ']' | '(' | ')' | '{' | '}' => {
                tokens.push(Token::Sign(c));
                rest = behind;
            }
            '"' | '\u{201c}' | '\u{201d}' | '\u{201e}' => {
                let Some(end) = behind.find(|end| closes(c, end)) else {
                    return malformed("a string of the schema has no end");
                };
                tokens.push(Token::Quoted(unescape(&behind[..end])?));
                rest = &behind[end + behind[end..].chars().next().map_or(0, char::len_utf8)..];
            }
            '0'..='9' => {
                let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                let Some(number) = number(&rest[..end]) else {
                    return malformed(format!("`{}` is no number of a schema", shown(&rest[..end])));
                };
                tokens.push(Token::Number(number));
                rest = &rest[end..];
            }
            ':' if rest.starts_with("::=") => {
                tokens.push(Token::Assign);
                rest = &rest[3..];
            }
            c if starts_name(c) => {
                let mut end = rest.find(|c| !is_name_char(c)).unwrap_or(rest.len());
                // A prefix, but not the colons of `::=`.
                if let Some(local) =
                    rest[end..].strip_prefix(':').filter(|local| local.starts_with(starts_name))
                {
                    end += 1 + local.find(|c| !is_name_char(c)).unwrap_or(local.len());
                }
                tokens.push(Token::Name(rest[..end].to_owned()));
                rest = &rest[end..];
            }
            c => {
                return malformed(format!(
                    "`{}` cannot stand in a schema",
                    shown(c.encode_utf8(&mut [0; 4]))
                ));
            }
        }
    }
    Ok(tokens)
}

/// A number as defined by TDX-10.
pub fn number(digits: &str) -> Option<u32> {
    let right = digits == "0" || (!digits.starts_with('0') && digits.bytes().all(|b| b.is_ascii_digit()));
    digits.parse().ok().filter(|number| right && *number < 1 << 31)
}

fn unescape(text: &str) -> Result<String> {
    let mut value = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            value.push(c);
            continue;
        }
        match chars.next() {
            Some('q') => value.push('"'),
            other => match other.and_then(escape::meaning) {
                Some(c) => value.push(c),
                None => return malformed("a string of the schema has an escape that is none"),
            },
        }
    }
    Ok(value)
}
