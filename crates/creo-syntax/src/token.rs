//! Tokens and the comments between them.

use crate::comment::Comment;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    Name,
    String,
    Character,
    /// LANG-5, including sign and suffix.
    Integer,
    /// LANG-5, including sign and suffix; also `-Infinity`.
    Decimal,
    /// One of `{ } ( ) [ ] < > ; , = ? . @`.
    Punctuation(u8),
    /// After the last token.
    End,
}

/// A token. Offsets are `u32`, since files have at most 16 MiB; a hostile file can have a token per byte.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: TokenKind,
    /// The number of line ends after the previous token or comment, capped at two.
    pub newlines: u8,
    /// Whether a mistake in or before this token was reported, which explains errors of the parser here.
    pub bad: bool,
    pub start: u32,
    pub end: u32,
    /// The index of the first comment before this token; they end where the next token's begin.
    pub first_comment: u32,
}

/// A file's tokens, ending with [`TokenKind::End`], and its comments.
#[derive(Clone, Debug, Default)]
pub struct Tokens {
    pub tokens: Vec<Token>,
    pub comments: Vec<Comment>,
}

impl Tokens {
    /// The comments before token `index`.
    pub fn comments_before(&self, index: usize) -> std::ops::Range<usize> {
        let start = self.tokens[index].first_comment as usize;
        let end = self.tokens.get(index + 1).map_or(self.comments.len(), |next| next.first_comment as usize);
        start..end
    }
}
