//! Text to tokens (LANG-1 to LANG-7).

use crate::comment::is_space;
use crate::mistakes::{
    InvalidCharacter, InvalidEscape, InvalidLiteral, NameTooLong, UnterminatedComment, UnterminatedString,
};
use crate::token::{Token, TokenKind, Tokens};
use crate::tree::{Comment, CommentKind};
use creo_diag::{Report, SourceFile, Span, quote};

/// All tokens of a file. Characters that start no token are reported and skipped.
pub fn lex(source: &SourceFile, report: &mut Report) -> Tokens {
    let text = source.text();
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut lexer = Lexer {
        source,
        text,
        at: start,
        report,
        out: Tokens::default(),
        newlines: 0,
        first_comment: 0,
        bad: false,
    };
    lexer.run();
    lexer.out
}

struct Lexer<'a> {
    source: &'a SourceFile,
    text: &'a str,
    at: usize,
    report: &'a mut Report,
    out: Tokens,
    newlines: u8,
    first_comment: usize,
    /// Whether anything was skipped since the last token.
    bad: bool,
}

impl Lexer<'_> {
    fn run(&mut self) {
        while let Some(c) = self.peek() {
            let start = self.at;
            match c {
                '\n' | '\r' => {
                    self.at += if self.text[start..].starts_with("\r\n") { 2 } else { 1 };
                    self.newlines = (self.newlines + 1).min(2);
                }
                c if is_space(c) => self.at += 1,
                '/' if self.text[start..].starts_with("//") => self.line_comment(),
                '/' if self.text[start..].starts_with("/*") => self.block_comment(),
                '{' | '}' | '(' | ')' | '[' | ']' | '<' | '>' | ';' | ',' | '=' | '?' | '.' | '@' => {
                    self.at += 1;
                    self.push(TokenKind::Punctuation(c as u8), start, false);
                }
                '"' => self.string(),
                '\'' => self.character(),
                '0'..='9' => self.number(),
                '-' => self.minus(),
                c if is_name_part(c) => self.name(),
                _ => self.invalid(),
            }
        }
        self.push(TokenKind::End, self.at, false);
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.source.id(), start, end)
    }

    fn push(&mut self, kind: TokenKind, start: usize, bad: bool) {
        self.out.tokens.push(Token {
            kind,
            newlines: self.newlines,
            bad: bad || self.bad,
            start: offset(start),
            end: offset(self.at),
            first_comment: offset(self.first_comment),
        });
        self.newlines = 0;
        self.first_comment = self.out.comments.len();
        self.bad = false;
    }

    fn push_comment(&mut self, kind: CommentKind, start: usize) {
        let (start, end) = (offset(start), offset(self.at));
        self.out.comments.push(Comment { kind, newlines: self.newlines, attached: false, start, end });
        self.newlines = 0;
    }

    fn line_comment(&mut self) {
        let start = self.at;
        self.at = self.text[start..].find(['\n', '\r']).map_or(self.text.len(), |length| start + length);
        self.push_comment(CommentKind::Line, start);
    }

    fn block_comment(&mut self) {
        let start = self.at;
        let is_doc = self.text[start..].starts_with("/**") && !self.text[start..].starts_with("/**/");
        match self.text[start + 2..].find("*/") {
            Some(length) => {
                self.at = start + 2 + length + 2;
                self.push_comment(if is_doc { CommentKind::Doc } else { CommentKind::Block }, start);
            }
            None => {
                self.report.add(&UnterminatedComment { span: self.span(start, start + 2) });
                self.at = self.text.len();
                self.bad = true;
            }
        }
    }

    /// The end of a quoted literal that starts here: after the closing quote, or at the end of the line.
    fn quoted(&mut self, quote: char) -> bool {
        let start = self.at;
        let mut chars = self.text[start + 1..].char_indices();
        while let Some((index, c)) = chars.next() {
            let at = start + 1 + index;
            if c == quote {
                self.at = at + 1;
                return true;
            }
            let escaped = if c == '\\' { chars.clone().next().map(|(_, next)| next) } else { None };
            if matches!(c, '\n' | '\r') {
                self.at = at;
                self.report.add(&UnterminatedString { span: self.span(start, start + 1), quote });
                return false;
            }
            if escaped.is_some_and(|next| !matches!(next, '\n' | '\r')) {
                chars.next();
            }
        }
        self.at = self.text.len();
        self.report.add(&UnterminatedString { span: self.span(start, start + 1), quote });
        false
    }

    fn string(&mut self) {
        let start = self.at;
        if !self.quoted('"') {
            self.push(TokenKind::String, start, true);
            return;
        }
        let mut bad = false;
        let inner = &self.text[start + 1..self.at - 1];
        let mut pending: Option<(usize, usize)> = None;
        for unit in units(inner) {
            let lone = match unit.kind {
                UnitKind::Char(_) => pending.take(),
                UnitKind::Low(_) if pending.is_some() => {
                    pending = None;
                    None
                }
                UnitKind::Low(_) => Some((unit.start, unit.end)),
                UnitKind::High(_) => pending.replace((unit.start, unit.end)),
                UnitKind::Wrong => {
                    bad = true;
                    self.wrong_escape(inner, start + 1, (unit.start, unit.end), false);
                    pending.take()
                }
            };
            if let Some(place) = lone {
                bad = true;
                self.wrong_escape(inner, start + 1, place, true);
            }
        }
        if let Some(place) = pending {
            bad = true;
            self.wrong_escape(inner, start + 1, place, true);
        }
        self.push(TokenKind::String, start, bad);
    }

    fn wrong_escape(&mut self, inner: &str, base: usize, (start, end): (usize, usize), lone_surrogate: bool) {
        let span = self.span(base + start, base + end);
        self.report.add(&InvalidEscape { span, text: inner[start..end].to_owned(), lone_surrogate });
    }

    fn character(&mut self) {
        let start = self.at;
        if !self.quoted('\'') {
            self.push(TokenKind::Character, start, true);
            return;
        }
        let inner = &self.text[start + 1..self.at - 1];
        let mut bad = false;
        let mut wrong = None;
        let mut count = 0;
        for unit in units(inner) {
            count += 1;
            match unit.kind {
                UnitKind::Char(c) if c.len_utf16() > 1 => {
                    wrong = Some("this character needs two UTF-16 code units, and a `char` is one")
                }
                UnitKind::Wrong => {
                    bad = true;
                    self.wrong_escape(inner, start + 1, (unit.start, unit.end), false);
                }
                UnitKind::Char(_) | UnitKind::High(_) | UnitKind::Low(_) => {}
            }
        }
        match count {
            0 => wrong = Some("a character literal holds one character, and this one is empty"),
            1 => {}
            _ => wrong = Some("a character literal holds one character"),
        }
        if let Some(message) = wrong.filter(|_| !bad) {
            bad = true;
            let help = (count > 1).then_some("a string is written between double quotes");
            self.report.add(&InvalidLiteral {
                span: self.span(start, self.at),
                message: message.into(),
                help,
            });
        }
        self.push(TokenKind::Character, start, bad);
    }

    fn minus(&mut self) {
        let start = self.at;
        let rest = &self.text[start + 1..];
        if rest.starts_with(|c: char| c.is_ascii_digit()) {
            self.at += 1;
            self.number_from(start);
        } else if rest.strip_prefix("Infinity").is_some_and(|rest| !rest.starts_with(is_name_part)) {
            self.at += "-Infinity".len();
            self.push(TokenKind::Decimal, start, false);
        } else {
            self.invalid();
        }
    }

    fn number(&mut self) {
        self.number_from(self.at);
    }

    /// A number whose digits start here, with any sign at `start`. Takes all that looks like part of it, so one mistake gives one report.
    fn number_from(&mut self, start: usize) {
        let bytes = self.text.as_bytes();
        let digits = self.at;
        let hex = self.text[digits..].starts_with("0x");
        while let Some(&b) = bytes.get(self.at) {
            let sign_of_exponent =
                matches!(b, b'+' | b'-') && !hex && matches!(bytes[self.at - 1], b'e' | b'E');
            if !(b.is_ascii_alphanumeric() || b == b'_' || b == b'.' || sign_of_exponent) {
                break;
            }
            self.at += 1;
        }
        let text = &self.text[digits..self.at];
        let problem = match number_kind(text) {
            Ok(kind) => {
                self.push(kind, start, false);
                return;
            }
            Err(help) => help,
        };
        let message = format!("{} is not a number", quote(&self.text[start..self.at]));
        self.report.add(&InvalidLiteral { span: self.span(start, self.at), message, help: Some(problem) });
        self.push(if text.contains('.') { TokenKind::Decimal } else { TokenKind::Integer }, start, true);
    }

    fn name(&mut self) {
        let start = self.at;
        let mut wrong: Option<(usize, usize)> = None;
        let mut length = 0;
        while let Some(c) = self.peek() {
            let dash = c == '-'
                && self.text[self.at + 1..]
                    .starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_');
            if !is_name_part(c) && !dash {
                break;
            }
            let from = self.at;
            self.at += c.len_utf8();
            length += 1;
            if c.is_ascii_alphanumeric() || c == '_' {
                self.flush(&mut wrong);
            } else {
                wrong = Some((wrong.map_or(from, |(first, _)| first), self.at));
            }
        }
        self.flush(&mut wrong);
        if length > crate::MAX_NAME_LENGTH {
            self.report.add(&NameTooLong { span: self.span(start, self.at), length });
        }
        // An invalid name is still a name and does not silence the parser.
        self.push(TokenKind::Name, start, false);
    }

    fn flush(&mut self, wrong: &mut Option<(usize, usize)>) {
        if let Some((start, end)) = wrong.take() {
            let text = self.text[start..end].to_owned();
            self.report.add(&InvalidCharacter { span: self.span(start, end), text, in_name: true });
        }
    }

    fn invalid(&mut self) {
        let start = self.at;
        while let Some(c) = self.peek() {
            let known = is_space(c) || is_name_part(c) || matches!(c, '"' | '\'' | '/' | '-');
            let known = known || "{}()[]<>;,=?.@".contains(c);
            if known && self.at > start {
                break;
            }
            self.at += c.len_utf8();
        }
        let text = self.text[start..self.at].to_owned();
        self.report.add(&InvalidCharacter { span: self.span(start, self.at), text, in_name: false });
        self.bad = true;
    }
}

/// Offsets fit, since larger files were refused earlier.
fn offset(at: usize) -> u32 {
    u32::try_from(at).expect("a file is smaller than 4 GiB")
}

/// Characters of names, including those that authors wrongly use.
fn is_name_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$' || (!c.is_ascii() && c.is_alphanumeric())
}

/// The kind of a number without its sign, or the error.
fn number_kind(text: &str) -> Result<TokenKind, &'static str> {
    const SHAPES: &str = "numbers look like `42`, `0x2A`, `1.5`, `1e-3`, with `L` behind whole ones and `f` or `d` behind others";
    if let Some(hex) = text.strip_prefix("0x") {
        let hex = hex.strip_suffix(['L', 'l']).unwrap_or(hex);
        let right = !hex.is_empty() && hex.bytes().all(|b| b.is_ascii_hexdigit());
        return if right { Ok(TokenKind::Integer) } else { Err("behind `0x` stand hexadecimal digits") };
    }
    let whole = text.strip_suffix(['L', 'l']).unwrap_or(text);
    if whole.bytes().all(|b| b.is_ascii_digit()) && !whole.is_empty() {
        let octal = whole.len() > 1 && whole.starts_with('0');
        return if octal {
            Err("a whole number does not start with 0: write it without, or as hexadecimal `0x..`")
        } else {
            Ok(TokenKind::Integer)
        };
    }
    let plain = text.strip_suffix(['f', 'F', 'd', 'D']).unwrap_or(text);
    if plain.len() < text.len() && plain.bytes().all(|b| b.is_ascii_digit()) {
        return Err("before `f` or `d` stands a decimal number: `1.0f`");
    }
    let (mantissa, exponent) = match plain.find(['e', 'E']) {
        Some(at) => (&plain[..at], Some(&plain[at + 1..])),
        None => (plain, None),
    };
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let mantissa_right = match mantissa.split_once('.') {
        Some((before, behind)) => all_digits(before) && all_digits(behind),
        None => all_digits(mantissa) && exponent.is_some(),
    };
    let exponent_right = exponent.is_none_or(|e| all_digits(e.strip_prefix(['+', '-']).unwrap_or(e)));
    if mantissa_right && exponent_right { Ok(TokenKind::Decimal) } else { Err(SHAPES) }
}

/// One character or escape between quotes, with its position in the text.
pub struct Unit {
    pub kind: UnitKind,
    pub start: usize,
    pub end: usize,
}

pub enum UnitKind {
    Char(char),
    /// An escape that is half of a surrogate pair.
    High(u16),
    Low(u16),
    /// An invalid escape.
    Wrong,
}

/// The characters and escapes of a text between quotes.
pub fn units(inner: &str) -> impl Iterator<Item = Unit> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at;
        let mut chars = inner[at..].chars();
        let c = chars.next()?;
        at += c.len_utf8();
        if c != '\\' {
            return Some(Unit { kind: UnitKind::Char(c), start, end: at });
        }
        let next = chars.next();
        at += next.map_or(0, char::len_utf8);
        let kind = match next {
            Some('b') => UnitKind::Char('\u{8}'),
            Some('t') => UnitKind::Char('\t'),
            Some('n') => UnitKind::Char('\n'),
            Some('f') => UnitKind::Char('\u{c}'),
            Some('r') => UnitKind::Char('\r'),
            Some(c @ ('"' | '\'' | '\\')) => UnitKind::Char(c),
            Some('u') => match inner.get(at..at + 4).filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()))
            {
                Some(hex) => {
                    at += 4;
                    match u16::from_str_radix(hex, 16).unwrap_or(0) {
                        unit @ 0xd800..=0xdbff => UnitKind::High(unit),
                        unit @ 0xdc00..=0xdfff => UnitKind::Low(unit),
                        unit => UnitKind::Char(char::from_u32(u32::from(unit)).unwrap_or('\u{fffd}')),
                    }
                }
                None => UnitKind::Wrong,
            },
            _ => UnitKind::Wrong,
        };
        Some(Unit { kind, start, end: at })
    })
}

/// The value of a valid string literal.
pub fn string_value(inner: &str) -> String {
    let mut value = String::new();
    let mut high = None;
    for unit in units(inner) {
        match unit.kind {
            UnitKind::Char(c) => value.push(c),
            UnitKind::High(unit) => high = Some(unit),
            UnitKind::Low(low) => {
                let pair = high.take().into_iter().chain([low]);
                value.extend(char::decode_utf16(pair).map(|c| c.unwrap_or('\u{fffd}')));
            }
            UnitKind::Wrong => value.push('\u{fffd}'),
        }
    }
    value
}

/// The value of a valid character literal.
pub fn character_value(inner: &str) -> u16 {
    match units(inner).next().map(|unit| unit.kind) {
        Some(UnitKind::Char(c)) => u16::try_from(u32::from(c)).unwrap_or(0xfffd),
        Some(UnitKind::High(unit) | UnitKind::Low(unit)) => unit,
        Some(UnitKind::Wrong) | None => 0xfffd,
    }
}
