//! Annotations, literals, and the heads of declarations and members.

use super::cursor::Parser;
use crate::lexer::{character_value, string_value};
use crate::mistakes::{MisplacedAnnotation, MisplacedFileAnnotation};
use crate::token::TokenKind;
use crate::tree::{Annotation, Argument, Head, Literal, LiteralKind};
use creo_diag::Span;

/// LANG-8: whether an annotation with this name belongs to the file.
pub fn is_file_annotation(name: &str) -> bool {
    !name.bytes().any(|b| b.is_ascii_lowercase())
}

impl Parser<'_> {
    /// `[doc] { annotation }`. Annotations of the file are refused here and dropped.
    pub(super) fn head(&mut self, first_declaration: Option<Span>) -> Head {
        let doc = self.doc();
        let mut annotations = Vec::new();
        while self.is(b'@') {
            let Some(annotation) = self.annotation() else { continue };
            if is_file_annotation(&annotation.name.text) {
                let mistake = MisplacedFileAnnotation {
                    span: annotation.name.span,
                    name: annotation.name.text.clone(),
                    first_declaration,
                };
                self.report.add(&mistake);
            } else {
                annotations.push(annotation);
            }
        }
        Head { doc, annotations }
    }

    /// Refuses a head that nothing follows.
    pub(super) fn refuse_head(&mut self, head: &Head) {
        for annotation in &head.annotations {
            self.report
                .add(&MisplacedAnnotation { span: annotation.name.span, name: annotation.name.text.clone() });
        }
    }

    /// `"@" NAME [ "(" [ argument { "," argument } ] ")" ]`. After a mistake it continues after the closing parenthesis.
    pub(super) fn annotation(&mut self) -> Option<Annotation> {
        let at = self.span();
        self.advance();
        if self.is_declaration_start() && self.token().newlines == 0 {
            self.refuse("the name of an annotation");
            return None;
        }
        let name = self.name("the name of an annotation")?;
        let mut annotation =
            Annotation { span: at.to(name.span), name, arguments: Vec::new(), is_lossy: false };
        if self.accept(b'(').is_none() {
            return Some(annotation);
        }
        while !self.is(b')') {
            if self.is_declaration_start() {
                self.refuse("an argument or `)`");
                annotation.is_lossy = true;
                break;
            }
            let Some(argument) = self.argument() else {
                annotation.is_lossy = true;
                break;
            };
            annotation.arguments.push(argument);
            if self.accept(b',').is_some() {
                if self.is(b')') {
                    self.refuse("an argument");
                    annotation.is_lossy = true;
                }
            } else if !self.is(b')') {
                self.refuse("`,` or `)`");
                annotation.is_lossy = true;
                break;
            }
        }
        if annotation.is_lossy {
            self.skip_to_parenthesis();
        }
        self.accept(b')');
        annotation.span = at.to(self.last_span());
        Some(annotation)
    }

    /// Continues before the closing parenthesis, or where it is known to be missing.
    pub(super) fn skip_to_parenthesis(&mut self) {
        let mut depth = 0usize;
        while !self.is_end() && !self.is_declaration_start() {
            match self.token().kind {
                TokenKind::Punctuation(b')') if depth == 0 => return,
                TokenKind::Punctuation(b')') => depth -= 1,
                TokenKind::Punctuation(b'(') => depth += 1,
                TokenKind::Punctuation(b';' | b'{' | b'}' | b'@') => return,
                _ => {}
            }
            self.advance();
        }
    }

    /// `[ NAME "=" ] literal`
    fn argument(&mut self) -> Option<Argument> {
        let named = self.is_name() && self.ahead(1).kind == TokenKind::Punctuation(b'=');
        let name = if named { Some(self.name("a name")?) } else { None };
        if named {
            self.advance();
        }
        let value = self.literal(if named { "a value" } else { "an argument" })?;
        Some(Argument { name, value })
    }

    /// `STRING | CHARACTER | INTEGER | DECIMAL | "true" | "false" | NAME | "{" "}"`
    pub(super) fn literal(&mut self, expected: &str) -> Option<Literal> {
        let token = self.token();
        let text = self.text_of(token);
        let inner = || text.get(1..text.len() - 1).unwrap_or("");
        let kind = match token.kind {
            TokenKind::Name => LiteralKind::Word(text.to_owned()),
            TokenKind::String | TokenKind::Character | TokenKind::Integer | TokenKind::Decimal
                if token.bad =>
            {
                LiteralKind::Unknown
            }
            TokenKind::String => LiteralKind::String(string_value(inner())),
            TokenKind::Character => LiteralKind::Character(character_value(inner())),
            TokenKind::Integer => LiteralKind::Integer(text.trim_end_matches(['L', 'l']).to_owned()),
            TokenKind::Decimal => {
                LiteralKind::Decimal(text.trim_end_matches(['f', 'F', 'd', 'D']).to_owned())
            }
            TokenKind::Punctuation(b'{') if self.ahead(1).kind == TokenKind::Punctuation(b'}') => {
                let start = self.span();
                self.advance();
                self.advance();
                return Some(Literal { kind: LiteralKind::Empty, span: start.to(self.last_span()) });
            }
            TokenKind::Punctuation(_) | TokenKind::End => {
                let help = self.is(b'[').then(|| "an empty array or map is `{}`".to_owned());
                self.refuse_with(expected, None, help);
                return None;
            }
        };
        self.advance();
        Some(Literal { kind, span: self.span_of(token) })
    }
}
