//! Tokens and the comments between them.

use crate::comment::Comment;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    Name,
    String,
    Character,
    /// LANG-5, with its sign and suffix.
    Integer,
    /// LANG-5, with its sign and suffix; also `-Infinity`.
    Decimal,
    /// One of `{ } ( ) [ ] < > ; , = ? . @`.
    Punctuation(u8),
    /// Behind the last token.
    End,
}

/// A token. Offsets are `u32`, since files are at most 16 MiB: a hostile file has one token a byte.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: TokenKind,
    /// Line ends between what stands before (token or comment) and this token; more than two count as two.
    pub newlines: u8,
    /// Whether a mistake in or before this token was reported: what the parser trips over here follows from it.
    pub bad: bool,
    pub start: u32,
    pub end: u32,
    /// The first comment between the token before and this one; the last is the one before the next token's first.
    pub first_comment: u32,
}

/// A file's tokens, the last of which is [`TokenKind::End`], and its comments.
#[derive(Clone, Debug, Default)]
pub struct Tokens {
    pub tokens: Vec<Token>,
    pub comments: Vec<Comment>,
}

impl Tokens {
    /// The comments that stand before token `index`.
    pub fn comments_before(&self, index: usize) -> std::ops::Range<usize> {
        let start = self.tokens[index].first_comment as usize;
        let end = self.tokens.get(index + 1).map_or(self.comments.len(), |next| next.first_comment as usize);
        start..end
    }
}
