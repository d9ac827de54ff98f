//! Tokens to tree, by recursive descent: a function a production of `spec/language.md`, section 2.
//!
//! A production that fails has reported why and gives `None`; the list that it stands in calls `recover` and goes on (LANG-11).

mod declarations;
mod heads;
mod types;

use crate::comment::doc_text;
use crate::lexer::lex;
use crate::mistakes::{ExpectedToken, FileTooLarge, InvalidEncoding, UnattachedDoc};
use crate::token::{Token, TokenKind, Tokens};
use crate::tree::{CommentKind, Name, Tree};
use creo_diag::{Report, SourceFile, Span, quote};

/// Parses one file. All its mistakes go into the report; the tree holds what could be read.
pub fn parse(source: &SourceFile, report: &mut Report) -> Tree {
    let mut tree = Tree {
        file: source.id(),
        notes: Vec::new(),
        imports: Vec::new(),
        declarations: Vec::new(),
        has_errors: true,
        is_lossy: true,
        tokens: Tokens::default(),
    };
    let at = |offset| Span::new(source.id(), offset, offset);
    if source.text().len() > crate::MAX_FILE_SIZE {
        report.add(&FileTooLarge { span: at(0), size: source.text().len() });
        return tree;
    }
    if let Some(offset) = source.broken_at() {
        // Whether the rest means anything is not known: an editor that took another encoding got every letter wrong.
        report.add(&InvalidEncoding { span: at(offset) });
        return tree;
    }
    let before = report.errors();
    let tokens = lex(source, report);
    let mut parser = Parser { source, tokens, at: 0, report, refused_at: None, open_braces: 0, lossy: false };
    parser.file(&mut tree);
    tree.is_lossy = parser.lossy;
    tree.tokens = parser.tokens;
    tree.has_errors = report.errors() > before;
    if !tree.has_errors {
        for comment in tree.tokens.comments.iter().filter(|c| c.kind == CommentKind::Doc && !c.attached) {
            let start = comment.start as usize;
            report.add(&UnattachedDoc { span: Span::new(source.id(), start, start + 3) });
        }
    }
    tree
}

struct Parser<'a> {
    source: &'a SourceFile,
    tokens: Tokens,
    at: usize,
    report: &'a mut Report,
    /// The token at which something was expected last: it is not reported twice.
    refused_at: Option<usize>,
    /// Closing braces that were missing, so that those which then seem to be too many are no mistake.
    open_braces: usize,
    lossy: bool,
}

impl<'a> Parser<'a> {
    fn token(&self) -> Token {
        self.tokens.tokens[self.at]
    }

    fn ahead(&self, distance: usize) -> Token {
        let last = self.tokens.tokens.len() - 1;
        self.tokens.tokens[(self.at + distance).min(last)]
    }

    fn text_of(&self, token: Token) -> &'a str {
        &self.source.text()[token.start as usize..token.end as usize]
    }

    fn span_of(&self, token: Token) -> Span {
        Span::new(self.source.id(), token.start as usize, token.end as usize)
    }

    fn span(&self) -> Span {
        self.span_of(self.token())
    }

    /// The span of the token before this one.
    fn last_span(&self) -> Span {
        match self.at.checked_sub(1) {
            Some(before) => self.span_of(self.tokens.tokens[before]),
            None => Span::new(self.source.id(), 0, 0),
        }
    }

    fn is_end(&self) -> bool {
        self.token().kind == TokenKind::End
    }

    fn is_name(&self) -> bool {
        self.token().kind == TokenKind::Name
    }

    fn is(&self, punctuation: u8) -> bool {
        self.token().kind == TokenKind::Punctuation(punctuation)
    }

    fn is_word(&self, word: &str) -> bool {
        self.is_name() && self.text_of(self.token()) == word
    }

    /// Goes on to the next token and gives this one. The end is never passed.
    fn advance(&mut self) -> Token {
        let token = self.token();
        if token.kind != TokenKind::End {
            self.at += 1;
        }
        token
    }

    fn accept(&mut self, punctuation: u8) -> Option<Span> {
        if !self.is(punctuation) {
            return None;
        }
        let token = self.advance();
        Some(self.span_of(token))
    }

    fn found(&self) -> String {
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

    /// Whether a refusal here would only say again what was reported: at the same token, or beside a token that is wrong itself.
    fn is_follow_up(&self) -> bool {
        let beside =
            self.token().bad || self.at.checked_sub(1).is_some_and(|before| self.tokens.tokens[before].bad);
        beside || self.refused_at == Some(self.at)
    }

    fn refuse(&mut self, expected: &str) {
        self.refuse_with(expected, None, None);
    }

    fn refuse_with(&mut self, expected: &str, because: Option<(Span, &'static str)>, help: Option<String>) {
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

    /// Reports that `punctuation` is missing behind the last token.
    fn refuse_missing(&mut self, punctuation: &'static str) {
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

    fn expect(&mut self, punctuation: u8, expected: &str) -> Option<Span> {
        let found = self.accept(punctuation);
        if found.is_none() {
            self.refuse(expected);
        }
        found
    }

    /// The `;` behind something that is otherwise whole. One that is missing at the end of a line, or before a brace, is thought to be there, so
    /// that what stands on the next line is read.
    fn semicolon(&mut self, others: &str) -> Option<()> {
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

    fn name(&mut self, expected: &str) -> Option<Name> {
        if !self.is_name() {
            self.refuse(expected);
            return None;
        }
        let token = self.advance();
        Some(Name { text: self.text_of(token).to_owned(), span: self.span_of(token) })
    }

    /// LANG-11: goes on behind the next `;`, or before the `}` that closes what we are in, or before the next declaration.
    fn recover(&mut self) {
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

    /// Whether a declaration starts here, and nothing else can: its words and a name, then a brace, or the next line where the brace is missing.
    fn is_declaration_start(&self) -> bool {
        let from = usize::from(self.is_word("extensible"));
        let behind = self.ahead(from + 2);
        let line = behind.kind == TokenKind::Name && behind.newlines > 0 && self.token().newlines > 0;
        let keyword = self.ahead(from);
        keyword.kind == TokenKind::Name
            && declarations::KEYWORDS.contains(&self.text_of(keyword))
            && self.ahead(from + 1).kind == TokenKind::Name
            && (line || behind.kind == TokenKind::Punctuation(b'{'))
    }

    /// LANG-2: the documentation that stands right before this token.
    fn doc(&mut self) -> Option<String> {
        let range = self.tokens.comments_before(self.at);
        let doc =
            self.tokens.comments[range].iter_mut().rev().find(|comment| comment.kind == CommentKind::Doc)?;
        doc.attached = true;
        let text = doc_text(&self.source.text()[doc.start as usize..doc.end as usize]);
        (!text.is_empty()).then_some(text)
    }
}
