//! Comments and the text of documentation comments.

/// A comment and its position between tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comment {
    pub kind: CommentKind,
    /// The number of line ends before it, at most two.
    pub(crate) newlines: u8,
    /// Whether it documents a declaration or member.
    pub(crate) attached: bool,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentKind {
    Line,
    Block,
    Doc,
}

/// The lines of a text. A line ends at a line feed, a carriage return, or both.
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some(end) = text.find(['\n', '\r']) else {
            rest = None;
            return Some(text);
        };
        let skip = if text[end..].starts_with("\r\n") { 2 } else { 1 };
        rest = Some(&text[end + skip..]);
        Some(&text[..end])
    })
}

/// White space of LANG-1.
pub fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0c')
}

/// LANG-2: the text of a documentation comment between `/**` and `*/`. Each line loses its leading white space, one `*`, one space after
/// it, and trailing white space. Blank first and last lines are dropped.
pub fn doc_text(comment: &str) -> String {
    let inner = comment.strip_prefix("/**").unwrap_or(comment);
    let inner = inner.strip_suffix("*/").unwrap_or(inner);
    let cleaned: Vec<&str> = lines(inner)
        .enumerate()
        .map(|(index, line)| {
            let line = line.trim_matches(is_space);
            match line.strip_prefix('*') {
                // The first line's stars belong to the comment's opening.
                Some(rest) if index > 0 => rest.strip_prefix(' ').unwrap_or(rest),
                _ => line,
            }
        })
        .collect();
    let first = cleaned.iter().position(|line| !line.is_empty()).unwrap_or(cleaned.len());
    let last = cleaned.iter().rposition(|line| !line.is_empty()).map_or(first, |last| last + 1);
    cleaned[first..last].join("\n")
}

#[cfg(test)]
mod tests {
    use super::doc_text;

    #[test]
    fn doc_texts() {
        assert_eq!(doc_text("/** Where it came from. */"), "Where it came from.");
        assert_eq!(doc_text("/***/"), "");
        assert_eq!(doc_text("/**\n * One.\r\n *\r *   * two\n     three  \n\n */"), "One.\n\n  * two\nthree");
        assert_eq!(doc_text("/** a\n *b\n ** c */"), "a\nb\n* c");
    }
}
