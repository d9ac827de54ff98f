//! The texts of a description, and positions in them.

/// The index of a file in its [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// A span of one file's text in bytes. `start` and `end` are between characters; an empty span is a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    pub file: FileId,
    pub start: usize,
    pub end: usize,
}

impl Span {
    /// The span from `start` to `end`, exclusive.
    pub fn new(file: FileId, start: usize, end: usize) -> Span {
        Span { file, start, end: end.max(start) }
    }

    /// The span from the start of `self` to the end of `last`, which follows it in the same file.
    pub fn to(self, last: Span) -> Span {
        Span::new(self.file, self.start, last.end)
    }

    /// The empty span after `self`.
    pub fn after(self) -> Span {
        Span::new(self.file, self.end, self.end)
    }

    /// Whether the span is empty.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// A position for users: both count from 1, columns in Unicode scalar values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    pub line: usize,
    pub column: usize,
}

/// One file's name and text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    id: FileId,
    name: String,
    text: String,
    /// The offset at which each line starts.
    lines: Vec<usize>,
    /// The offset where the bytes stop being UTF-8.
    broken: Option<usize>,
}

impl SourceFile {
    /// A standalone file.
    pub fn new(id: FileId, name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> SourceFile {
        let (text, broken) = match String::from_utf8(bytes.into()) {
            Ok(text) => (text, None),
            Err(error) => {
                // Up to the first invalid byte, offsets in the bytes and in the repaired text are the same.
                let at = error.utf8_error().valid_up_to();
                (String::from_utf8_lossy(error.as_bytes()).into_owned(), Some(at))
            }
        };
        let lines = std::iter::once(0)
            .chain(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1))
            .collect();
        SourceFile { id, name: name.into(), text, lines, broken }
    }

    pub fn id(&self) -> FileId {
        self.id
    }

    /// The path as given by the caller or derived from imports.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name after the last slash.
    pub fn base_name(&self) -> &str {
        self.name.rsplit('/').next().unwrap_or(&self.name)
    }

    /// The text. Each invalid UTF-8 sequence is replaced by U+FFFD.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The offset of the first byte that is not UTF-8.
    pub fn broken_at(&self) -> Option<usize> {
        self.broken
    }

    /// The part of the text that `span` covers.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.start..span.end).unwrap_or("")
    }

    /// The start of the line of an offset.
    pub fn line_start(&self, offset: usize) -> usize {
        self.lines[self.line_index(offset)]
    }

    fn line_index(&self, offset: usize) -> usize {
        self.lines.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// Line and column of an offset.
    pub fn position(&self, offset: usize) -> Position {
        let line = self.line_index(offset);
        let column = self.text.get(self.lines[line]..offset).map_or(0, |before| before.chars().count());
        Position { line: line + 1, column: column + 1 }
    }
}

/// All files of a description, starting with the one that the user named.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    pub fn new() -> Sources {
        Sources::default()
    }

    /// Adds a file. [`SourceFile::broken_at`] tells whether its bytes are UTF-8.
    pub fn add(&mut self, name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> FileId {
        let id = FileId(u32::try_from(self.files.len()).expect("fewer than 2^32 files"));
        self.files.push(SourceFile::new(id, name, bytes));
        id
    }

    /// The file. Panics if `id` belongs to other sources.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    pub fn iter(&self) -> impl Iterator<Item = &SourceFile> {
        self.files.iter()
    }

    pub fn len(&self) -> usize {
        self.files.len()
    }

    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters() {
        let file = SourceFile::new(FileId(0), "dir/a.creo", "é1\n😀2\n");
        let at = |offset| {
            let p = file.position(offset);
            (p.line, p.column)
        };
        assert_eq!(
            [at(0), at(2), at(3), at(4), at(8), at(9), at(10)],
            [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3), (3, 1)]
        );
        assert_eq!(file.base_name(), "a.creo");
    }

    #[test]
    fn wrong_bytes_are_kept_as_an_offset() {
        let file = SourceFile::new(FileId(0), "a", b"ab\xffc".to_vec());
        assert_eq!((file.broken_at(), file.text()), (Some(2), "ab\u{fffd}c"));
        assert_eq!(SourceFile::new(FileId(0), "a", "ab").broken_at(), None);
    }
}
