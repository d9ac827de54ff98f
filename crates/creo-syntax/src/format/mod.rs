//! The single form of every description (LANG-27).
//!
//! The formatter prints the tokens in order and only decides what separates them, so it cannot lose a token or a comment.

mod printer;

use crate::token::{Token, TokenKind};
use crate::tree::Tree;
use creo_diag::SourceFile;
use printer::{Between, Printer};

/// The maximum width of a declaration on one line; a longer method is broken.
const WIDTH: usize = 100;

/// The formatted text. Text with syntax errors is returned unchanged, since its meaning is unknown.
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

/// The parts of a file that are separated by a blank line.
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

    /// Prints the next token with its usual separator.
    fn next(&mut self) {
        let between = usual(self.out.last(), self.out.token());
        self.out.put(between);
    }

    /// Prints all tokens up to and including the next `end`.
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

    /// LANG-9: the semicolon after a declaration is removed.
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

    /// Prints the annotations before a member, and returns the separator before its first word.
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
            // A comma after the last constant has no meaning.
            if matches!(self.out.ahead(1).kind, TokenKind::Punctuation(b'}' | b';')) {
                self.out.skip();
            } else {
                self.out.put(Between::Nothing);
            }
        }
    }

    /// Prints a method on one line if it fits, else with each parameter on its own line.
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

    /// Prints the rest of a parameter and the comma after it; returns whether there was one.
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

/// The separator of two tokens on a line.
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
