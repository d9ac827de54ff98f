//! One form for every description (LANG-27).
//!
//! The formatter prints the tokens in their order and decides what stands between them: so it can lose neither a token nor a comment.

mod printer;

use crate::token::{Token, TokenKind};
use crate::tree::Tree;
use creo_diag::SourceFile;
use printer::{Between, Printer};

/// A declaration stays on one line up to this column; a method is broken behind it.
const WIDTH: usize = 100;

/// The text in its one form. A text with syntax errors comes back as it is: what it means is not known.
pub fn format(source: &SourceFile, tree: &Tree) -> String {
    if tree.has_errors {
        return source.text().to_owned();
    }
    let mut format = Format { out: Printer::new(source.text(), &tree.tokens) };
    format.file();
    format.out.finish()
}

struct Format<'a> {
    out: Printer<'a>,
}

/// The parts of a file that keep a blank line between them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Notes,
    Imports,
    Declaration,
}

impl Format<'_> {
    fn file(&mut self) {
        let mut last = None;
        while !self.out.is_end() {
            let part = if self.out.is(b'@') && self.is_file_annotation() {
                Part::Notes
            } else if self.out.is_word("import") {
                Part::Imports
            } else {
                Part::Declaration
            };
            let between =
                if last == Some(part) && part != Part::Declaration { Between::Line } else { Between::Blank };
            match part {
                Part::Notes => self.annotation(between),
                Part::Imports => {
                    self.out.put(between);
                    self.rest_to(b';');
                }
                Part::Declaration => self.declaration(between),
            }
            last = Some(part);
        }
    }

    fn is_file_annotation(&self) -> bool {
        !self.out.text(self.out.ahead(1)).bytes().any(|b| b.is_ascii_lowercase())
    }

    /// `@Name(..)`
    fn annotation(&mut self, between: Between) {
        self.out.put(between);
        self.out.put(Between::Nothing);
        if self.out.is(b'(') {
            let close = self.out.closing();
            while self.out.at() <= close {
                self.next();
            }
        }
    }

    /// The next token, with what usually stands between it and the last.
    fn next(&mut self) {
        let between = usual(self.out.last(), self.out.token());
        self.out.put(between);
    }

    /// All tokens up to and with the next `end`.
    fn rest_to(&mut self, end: u8) {
        loop {
            let done = self.out.is(end) || self.out.is_end();
            self.next();
            if done {
                return;
            }
        }
    }

    fn declaration(&mut self, between: Between) {
        let mut between = between;
        while self.out.is(b'@') {
            self.annotation(between);
            between = Between::Tight;
        }
        let close = self.out.closing_of_body();
        if self.out.is_one_line(close) {
            let saved = self.out.save();
            self.body(between, true);
            if self.out.column() <= WIDTH {
                return self.superfluous();
            }
            self.out.restore(saved);
        }
        self.body(between, false);
        self.superfluous();
    }

    /// LANG-9: the semicolon behind a declaration goes.
    fn superfluous(&mut self) {
        if self.out.is(b';') {
            self.out.skip();
        }
    }

    fn body(&mut self, between: Between, one_line: bool) {
        let is_extensible = self.out.is_word("extensible")
            && self.out.ahead(1).kind == TokenKind::Name
            && self.out.ahead(2).kind == TokenKind::Name;
        let keyword = self.out.text(self.out.ahead(usize::from(is_extensible))).to_owned();
        self.out.put(between);
        let was = self.out.set_one_line(one_line);
        self.rest_to(b'{');
        if self.out.is(b';') {
            self.out.skip();
        }
        if self.out.is(b'}') && !self.out.has_comments() {
            self.out.put(Between::Nothing);
        } else {
            self.out.indent();
            while !self.out.is(b'}') {
                match keyword.as_str() {
                    "interface" => self.method(),
                    "enum" => self.constant(),
                    _ => self.field(),
                }
            }
            self.out.put(Between::Close);
        }
        self.out.set_one_line(was);
    }

    /// The annotations before a member, and what stands between them and its first word.
    fn head(&mut self) -> Between {
        let mut between = Between::Line;
        while self.out.is(b'@') {
            self.annotation(between);
            between = if self.out.is_broken_here() { Between::Tight } else { Between::Space };
        }
        between
    }

    fn field(&mut self) {
        let between = self.head();
        self.out.put(between);
        self.rest_to(b';');
    }

    fn constant(&mut self) {
        if self.out.is(b';') {
            self.out.skip();
            return;
        }
        let between = self.head();
        self.out.put(between);
        while !self.out.is(b',') && !self.out.is(b'}') && !self.out.is(b';') {
            self.next();
        }
        if self.out.is(b',') {
            // A comma behind the last constant has no meaning.
            if matches!(self.out.ahead(1).kind, TokenKind::Punctuation(b'}' | b';')) {
                self.out.skip();
            } else {
                self.out.put(Between::Nothing);
            }
        }
    }

    /// On one line if it fits; otherwise with each parameter on a line of its own.
    fn method(&mut self) {
        let between = self.head();
        if self.out.one_line() {
            self.out.put(between);
            return self.rest_to(b';');
        }
        if self.out.may_join_to(b';') {
            let saved = self.out.save();
            self.out.put(between);
            let was = self.out.set_one_line(true);
            self.rest_to(b';');
            self.out.set_one_line(was);
            if self.out.column() <= WIDTH {
                return;
            }
            self.out.restore(saved);
        }
        self.out.put(between);
        self.rest_to(b'(');
        let close = self.out.closing_from_last();
        if !self.out.is(b')') || self.out.has_comments() {
            self.out.indent();
            let mut between = Between::Tight;
            while self.out.at() < close {
                self.out.put(between);
                between = Between::Tight;
                if !self.parameter(close) {
                    break;
                }
            }
            self.out.put(Between::Close);
        }
        self.rest_to(b';');
    }

    /// The rest of a parameter and the comma behind it; whether there was one.
    fn parameter(&mut self, close: usize) -> bool {
        let mut depth = 0usize;
        while self.out.at() < close {
            let token = self.out.token();
            self.next();
            match token.kind {
                TokenKind::Punctuation(b'(' | b'<') => depth += 1,
                TokenKind::Punctuation(b')' | b'>') => depth -= 1,
                TokenKind::Punctuation(b',') if depth == 0 => return true,
                _ => {}
            }
        }
        false
    }
}

/// What stands between two tokens on a line.
fn usual(last: Option<Token>, next: Token) -> Between {
    let TokenKind::Punctuation(before) = last.map_or(TokenKind::End, |token| token.kind) else {
        return match next.kind {
            TokenKind::Punctuation(b'=' | b'{' | b'}' | b'@') => Between::Space,
            TokenKind::Punctuation(_) => Between::Nothing,
            _ => Between::Space,
        };
    };
    match (before, next.kind) {
        (b'(' | b'[' | b'<' | b'.' | b'@', _) => Between::Nothing,
        (b'{', TokenKind::Punctuation(b'}')) => Between::Nothing,
        (_, TokenKind::Punctuation(b',' | b';' | b')' | b']' | b'>' | b'?' | b'.' | b'[' | b'<' | b'(')) => {
            Between::Nothing
        }
        _ => Between::Space,
    }
}
