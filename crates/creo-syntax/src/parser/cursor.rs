//! Reads token by token: checks the next token, and finds where to continue after a mistake.

use crate::comment::doc_text;
use crate::mistakes::ExpectedToken;
use crate::token::{Token, TokenKind, Tokens};
use crate::tree::{CommentKind, Name};
use creo_diag::{Report, SourceFile, Span, quote};

/// The words that start a declaration.
pub const KEYWORDS: [&str; 5] = ["struct", "exception", "enum", "union", "interface"];

/// The tokens of a file, and the current position.
pub(super) struct Parser<'a> {
    pub(super) source: &'a SourceFile,
    pub(super) tokens: Tokens,
    pub(super) at: usize,
    pub(super) report: &'a mut Report,
    /// The token of the last refusal, which is not reported twice.
    pub(super) refused_at: Option<usize>,
    /// The number of missing closing braces, so later surplus braces are not reported.
    pub(super) open_braces: usize,
    pub(super) lossy: bool,
}

impl<'a> Parser<'a> {
    pub(super) fn token(&self) -> Token {
        self.tokens.tokens[self.at]
    }

    pub(super) fn ahead(&self, distance: usize) -> Token {
        let last = self.tokens.tokens.len() - 1;
        self.tokens.tokens[(self.at + distance).min(last)]
    }

    pub(super) fn text_of(&self, token: Token) -> &'a str {
        &self.source.text()[token.start as usize..token.end as usize]
    }

    pub(super) fn span_of(&self, token: Token) -> Span {
        Span::new(self.source.id(), token.start as usize, token.end as usize)
    }

    pub(super) fn span(&self) -> Span {
        self.span_of(self.token())
    }

    /// The span of the token before this one.
    pub(super) fn last_span(&self) -> Span {
        match self.at.checked_sub(1) {
            Some(before) => self.span_of(self.tokens.tokens[before]),
            None => Span::new(self.source.id(), 0, 0),
        }
    }

    pub(super) fn is_end(&self) -> bool {
        self.token().kind == TokenKind::End
    }

    pub(super) fn is_name(&self) -> bool {
        self.token().kind == TokenKind::Name
    }

    pub(super) fn is(&self, punctuation: u8) -> bool {
        self.token().kind == TokenKind::Punctuation(punctuation)
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        self.is_name() && self.text_of(self.token()) == word
    }

    /// Returns the current token and moves to the next one, but never past the end.
    pub(super) fn advance(&mut self) -> Token {
        let token = self.token();
        if token.kind != TokenKind::End {
            self.at += 1;
        }
        token
    }

    pub(super) fn accept(&mut self, punctuation: u8) -> Option<Span> {
        if !self.is(punctuation) {
            return None;
        }
        let token = self.advance();
        Some(self.span_of(token))
    }

    pub(super) fn found(&self) -> String {
        let token = self.token();
        match token.kind {
            TokenKind::End => "the end of the file".into(),
            TokenKind::String => "a string".into(),
            TokenKind::Character => "a character".into(),
            TokenKind::Name | TokenKind::Integer | TokenKind::Decimal | TokenKind::Punctuation(_) => {
                quote(self.text_of(token))
            }
        }
    }

    /// Whether a refusal here would only repeat a report: at the same token, or next to an invalid token.
    pub(super) fn is_follow_up(&self) -> bool {
        let beside =
            self.token().bad || self.at.checked_sub(1).is_some_and(|before| self.tokens.tokens[before].bad);
        beside || self.refused_at == Some(self.at)
    }

    pub(super) fn refuse(&mut self, expected: &str) {
        self.refuse_with(expected, None, None);
    }

    pub(super) fn refuse_with(
        &mut self,
        expected: &str,
        because: Option<(Span, &'static str)>,
        help: Option<String>,
    ) {
        if !self.is_follow_up() {
            let mistake = ExpectedToken {
                span: self.span(),
                expected: expected.into(),
                found: self.found(),
                insert: None,
                because,
                help,
            };
            self.report.add(&mistake);
        }
        self.refused_at = Some(self.at);
    }

    /// Reports that `punctuation` is missing after the last token.
    pub(super) fn refuse_missing(&mut self, punctuation: &'static str) {
        if !self.is_follow_up() {
            let mistake = ExpectedToken {
                span: self.last_span().after(),
                expected: format!("`{punctuation}`"),
                found: self.found(),
                insert: Some(punctuation),
                because: None,
                help: None,
            };
            self.report.add(&mistake);
        }
        self.refused_at = Some(self.at);
    }

    pub(super) fn expect(&mut self, punctuation: u8, expected: &str) -> Option<Span> {
        let found = self.accept(punctuation);
        if found.is_none() {
            self.refuse(expected);
        }
        found
    }

    /// Reads the `;` after an otherwise complete item. A `;` that is missing at the end of a line, or before a brace, is assumed, so the
    /// next line is read.
    pub(super) fn semicolon(&mut self, others: &str) -> Option<()> {
        if self.accept(b';').is_some() {
            return Some(());
        }
        if self.token().newlines > 0 || self.is(b'}') || self.is_end() {
            self.refuse_missing(";");
            return Some(());
        }
        self.refuse(others);
        None
    }

    pub(super) fn name(&mut self, expected: &str) -> Option<Name> {
        if !self.is_name() {
            self.refuse(expected);
            return None;
        }
        let token = self.advance();
        Some(Name { text: self.text_of(token).to_owned(), span: self.span_of(token) })
    }

    /// LANG-11: continues after the next `;`, before the `}` that closes the current block, or before the next declaration.
    pub(super) fn recover(&mut self) {
        let mut depth = 0usize;
        while !self.is_end() && !self.is_declaration_start() {
            if self.is(b'}') {
                if depth == 0 {
                    return;
                }
                depth -= 1;
                self.advance();
                if depth == 0 {
                    self.accept(b';');
                    return;
                }
                continue;
            }
            if self.is(b'{') {
                depth += 1;
            }
            let ends = self.is(b';') && depth == 0;
            self.advance();
            if ends {
                return;
            }
        }
    }

    /// Whether a declaration certainly starts here: its keywords and a name, then a brace, or a new line if the brace is missing.
    pub(super) fn is_declaration_start(&self) -> bool {
        let from = usize::from(self.is_word("extensible"));
        let behind = self.ahead(from + 2);
        let line = behind.kind == TokenKind::Name && behind.newlines > 0 && self.token().newlines > 0;
        let keyword = self.ahead(from);
        keyword.kind == TokenKind::Name
            && KEYWORDS.contains(&self.text_of(keyword))
            && self.ahead(from + 1).kind == TokenKind::Name
            && (line || behind.kind == TokenKind::Punctuation(b'{'))
    }

    /// LANG-2: the documentation directly before this token.
    pub(super) fn doc(&mut self) -> Option<String> {
        let range = self.tokens.comments_before(self.at);
        let doc =
            self.tokens.comments[range].iter_mut().rev().find(|comment| comment.kind == CommentKind::Doc)?;
        doc.attached = true;
        let text = doc_text(&self.source.text()[doc.start as usize..doc.end as usize]);
        (!text.is_empty()).then_some(text)
    }
}
