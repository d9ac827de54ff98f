//! Builds the tree from tokens by recursive descent, with a function for each production of `spec/language.md`, section 2.
//!
//! A failed production has reported the reason and returns `None`; the list around it calls `recover` and continues (LANG-11).

mod cursor;
mod declarations;
mod heads;
mod types;

use crate::lexer::lex;
use crate::mistakes::{FileTooLarge, InvalidEncoding, UnattachedDoc};
use crate::token::Tokens;
use crate::tree::{CommentKind, Tree};
use creo_diag::{Report, SourceFile, Span};
use cursor::Parser;

/// Parses one file. All mistakes go into the report; the tree holds what could be read.
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
        // The rest may mean nothing: with another encoding, every letter is wrong.
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
