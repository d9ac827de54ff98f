//! Prints tokens and comments: the separators, and the positions of comments.

use crate::comment::{is_space, lines};
use crate::token::{Token, TokenKind, Tokens};
use crate::tree::{Comment, CommentKind};

/// The separator between a token and the last one, unless a comment changes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Between {
    Nothing,
    Space,
    /// A line end, and an empty line if the author left one.
    Line,
    /// A line end without an empty line.
    Tight,
    /// An empty line.
    Blank,
    /// A line end before a closing token; comments before it belong to the list.
    Close,
}

impl Between {
    fn breaks(self) -> bool {
        !matches!(self, Between::Nothing | Between::Space)
    }
}

pub struct Printer<'a> {
    source: &'a str,
    tokens: &'a Tokens,
    at: usize,
    last: Option<Token>,
    out: String,
    level: usize,
    one_line: bool,
    /// Whether nothing was printed since the last opening brace or parenthesis.
    opened: bool,
    /// Comments that were skipped with a token that was moved before them or removed.
    carried: Vec<Comment>,
}

/// Whether a comma or semicolon may move before these comments: documentation would belong to the next member.
fn hug(comments: &[Comment]) -> bool {
    comments.iter().all(|comment| comment.kind != CommentKind::Doc)
}

/// A position to return to.
pub struct Saved {
    at: usize,
    last: Option<Token>,
    length: usize,
    level: usize,
    one_line: bool,
    opened: bool,
    carried: Vec<Comment>,
}

impl<'a> Printer<'a> {
    pub fn new(source: &'a str, tokens: &'a Tokens) -> Printer<'a> {
        Printer {
            source,
            tokens,
            at: 0,
            last: None,
            out: String::new(),
            level: 0,
            one_line: false,
            opened: true,
            carried: Vec::new(),
        }
    }

    pub fn save(&self) -> Saved {
        let Printer { at, last, level, one_line, opened, .. } = *self;
        Saved { at, last, length: self.out.len(), level, one_line, opened, carried: self.carried.clone() }
    }

    pub fn restore(&mut self, saved: Saved) {
        self.out.truncate(saved.length);
        let Saved { at, last, level, one_line, opened, carried, .. } = saved;
        (self.at, self.last, self.level, self.one_line, self.opened, self.carried) =
            (at, last, level, one_line, opened, carried);
    }

    pub fn finish(mut self) -> String {
        let comments = self.take_comments();
        self.comments(&comments, Between::Line);
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out
    }

    pub fn at(&self) -> usize {
        self.at
    }

    pub fn token(&self) -> Token {
        self.tokens.tokens[self.at]
    }

    pub fn last(&self) -> Option<Token> {
        self.last
    }

    pub fn ahead(&self, distance: usize) -> Token {
        self.tokens.tokens[(self.at + distance).min(self.tokens.tokens.len() - 1)]
    }

    pub fn text(&self, token: Token) -> &'a str {
        &self.source[token.start as usize..token.end as usize]
    }

    pub fn is(&self, punctuation: u8) -> bool {
        self.token().kind == TokenKind::Punctuation(punctuation)
    }

    pub fn is_word(&self, word: &str) -> bool {
        self.token().kind == TokenKind::Name && self.text(self.token()) == word
    }

    pub fn is_end(&self) -> bool {
        self.token().kind == TokenKind::End
    }

    pub fn one_line(&self) -> bool {
        self.one_line
    }

    /// Switches printing on one line on or off; returns the previous setting.
    pub fn set_one_line(&mut self, one_line: bool) -> bool {
        std::mem::replace(&mut self.one_line, one_line)
    }

    pub fn indent(&mut self) {
        self.level += 1;
        self.opened = true;
    }

    /// The number of characters on the last line.
    pub fn column(&self) -> usize {
        self.out[self.out.rfind('\n').map_or(0, |at| at + 1)..].chars().count()
    }

    /// The index of the parenthesis that closes the next one.
    pub fn closing(&self) -> usize {
        self.closing_at(self.at, b'(', b')')
    }

    /// The index of the parenthesis that closes the one just printed.
    pub fn closing_from_last(&self) -> usize {
        self.closing_at(self.at - 1, b'(', b')')
    }

    /// The index of the brace that closes the declaration starting here.
    pub fn closing_of_body(&self) -> usize {
        let open = (self.at..self.tokens.tokens.len())
            .find(|index| self.tokens.tokens[*index].kind == TokenKind::Punctuation(b'{'));
        self.closing_at(open.unwrap_or(self.at), b'{', b'}')
    }

    fn closing_at(&self, open: usize, opening: u8, closing: u8) -> usize {
        let mut depth = 0usize;
        for (index, token) in self.tokens.tokens.iter().enumerate().skip(open) {
            if token.kind == TokenKind::Punctuation(opening) {
                depth += 1;
            } else if token.kind == TokenKind::Punctuation(closing) {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return index;
                }
            }
        }
        self.tokens.tokens.len() - 1
    }

    /// Whether the author wrote everything from here to token `end` on one line.
    pub fn is_one_line(&self, end: usize) -> bool {
        (self.at + 1..=end).all(|index| {
            self.tokens.tokens[index].newlines == 0
                && self.comments_of(index).iter().all(|c| self.is_joinable(c))
        })
    }

    /// Whether no comment prevents printing everything up to the next `end` on one line.
    pub fn may_join_to(&self, end: u8) -> bool {
        for index in self.at + 1..self.tokens.tokens.len() {
            let ends = self.tokens.tokens[index].kind == TokenKind::Punctuation(end);
            let comments = self.comments_of(index);
            // Comments before the end move after it.
            let go_behind = ends && hug(comments);
            if !go_behind && !comments.iter().all(|c| self.is_joinable(c)) {
                return false;
            }
            if ends {
                break;
            }
        }
        true
    }

    fn is_joinable(&self, comment: &Comment) -> bool {
        comment.newlines == 0 && is_plain(comment.kind, self.comment_text(comment))
    }

    /// Whether the author broke the line before this token.
    pub fn is_broken_here(&self) -> bool {
        self.token().newlines > 0 || self.comments_of(self.at).iter().any(|comment| comment.newlines > 0)
    }

    pub fn has_comments(&self) -> bool {
        !self.carried.is_empty() || !self.comments_of(self.at).is_empty()
    }

    fn comments_of(&self, index: usize) -> &'a [Comment] {
        &self.tokens.comments[self.tokens.comments_before(index)]
    }

    fn comment_text(&self, comment: &Comment) -> &'a str {
        &self.source[comment.start as usize..comment.end as usize]
    }

    fn take_comments(&mut self) -> Vec<Comment> {
        let mut comments = std::mem::take(&mut self.carried);
        comments.extend_from_slice(self.comments_of(self.at));
        comments
    }

    /// Omits a meaningless token. It stays if documentation precedes it, which would belong to the next member.
    pub fn skip(&mut self) {
        if self.comments_of(self.at).iter().any(|comment| comment.kind == CommentKind::Doc) {
            self.put(Between::Nothing);
            return;
        }
        self.carried.extend_from_slice(self.comments_of(self.at));
        self.at += 1;
    }

    /// Prints the next token and the comments before it.
    pub fn put(&mut self, between: Between) {
        let token = self.token();
        let hugs = matches!(token.kind, TokenKind::Punctuation(b',' | b';'));
        let mut rest = between;
        let comments = self.take_comments();
        if hugs && hug(&comments) {
            // A comma or semicolon directly follows what it ends; comments move after it.
            self.carried = comments;
        } else {
            rest = self.comments(&comments, between);
        }
        let blank = rest == Between::Line && between.breaks() && token.newlines > 1;
        let level = match between {
            // A break caused only by a comment continues one level deeper.
            Between::Nothing | Between::Space => self.level + 1,
            Between::Close => self.level - 1,
            Between::Line | Between::Tight | Between::Blank => self.level,
        };
        match rest {
            Between::Nothing => {}
            Between::Space => self.space(),
            Between::Line | Between::Tight | Between::Blank | Between::Close => {
                self.line(blank || rest == Between::Blank, level)
            }
        }
        if between == Between::Close {
            self.level -= 1;
        }
        self.out.push_str(self.text(token));
        self.opened = false;
        self.last = Some(token);
        if !self.is_end() {
            self.at += 1;
        }
    }

    /// Prints comments, and returns the remaining separator before the next token.
    fn comments(&mut self, comments: &[Comment], between: Between) -> Between {
        let mut rest = between;
        let level = if between.breaks() { self.level } else { self.level + 1 };
        for (index, comment) in comments.iter().enumerate() {
            let is_doc = comment.attached && between.breaks() && !self.one_line;
            // Two comments that were separated by a semicolon may meet.
            let behind_line = index > 0 && comments[index - 1].kind == CommentKind::Line;
            let own_line =
                !self.one_line && (comment.newlines > 0 || is_doc || behind_line || self.out.is_empty());
            if own_line {
                let blank = rest == Between::Blank
                    || (comment.newlines > 1 && between.breaks() && between != Between::Tight);
                self.line(blank, level);
            } else if !self.out.ends_with(['(', '<', '[', '.', '@']) {
                self.space();
            }
            self.comment(comment, level);
            self.opened = false;
            let next_newlines = comments.get(index + 1).map_or(self.token().newlines, |next| next.newlines);
            rest = match rest {
                Between::Nothing
                    if self.is_closing()
                        && comment.kind != CommentKind::Line
                        && (self.one_line || !own_line) =>
                {
                    Between::Nothing
                }
                _ if self.one_line => Between::Space,
                _ if is_doc => Between::Tight,
                Between::Close => Between::Close,
                _ if comment.kind == CommentKind::Line && own_line => Between::Line,
                // The wanted separator follows a comment that ends the line before.
                _ if comment.kind == CommentKind::Line && rest.breaks() => rest,
                _ if comment.kind == CommentKind::Line => Between::Line,
                _ if own_line && next_newlines > 0 => Between::Line,
                _ if own_line => Between::Space,
                Between::Nothing => Between::Space,
                Between::Space | Between::Line | Between::Tight | Between::Blank => rest,
            };
        }
        rest
    }

    /// Whether the next token directly follows what precedes it, even a comment.
    fn is_closing(&self) -> bool {
        matches!(
            self.token().kind,
            TokenKind::Punctuation(b',' | b';' | b')' | b']' | b'>' | b'?' | b'.' | b'[' | b'<' | b'(')
        )
    }

    fn comment(&mut self, comment: &Comment, level: usize) {
        let text = self.comment_text(comment);
        let mut all = lines(text).map(|line| line.trim_end_matches(is_space));
        self.out.push_str(all.next().unwrap_or(""));
        let all: Vec<&str> = all.collect();
        // Lines that start with a star are aligned. Others may be drawings that only the author can align.
        let starred = all.iter().all(|line| line.trim_start_matches(is_space).starts_with('*'));
        for line in all {
            self.out.push('\n');
            if starred {
                self.out.extend(std::iter::repeat_n(' ', 4 * level + 1));
                self.out.push_str(line.trim_start_matches(is_space));
            } else {
                self.out.push_str(line);
            }
        }
    }

    fn space(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with(['\n', ' ']) {
            self.out.push(' ');
        }
    }

    fn line(&mut self, blank: bool, level: usize) {
        if self.one_line {
            return self.space();
        }
        if self.out.is_empty() {
            return;
        }
        self.out.push('\n');
        if blank && !self.opened {
            self.out.push('\n');
        }
        self.out.extend(std::iter::repeat_n(' ', 4 * level));
    }
}

/// Whether a comment can share a line with its neighbours.
fn is_plain(kind: CommentKind, text: &str) -> bool {
    kind != CommentKind::Line && !text.contains(['\n', '\r'])
}
