//! The items of a stream on standard input: one JSON value per line.

use creo_call::Source;
use creo_diag::reason;
use creo_json::parse_json;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Stdin};

/// The bytes that are read at once, and whose items may go together.
const PIECE: usize = 64 << 10;
/// The max size of a line: more than a message of LIM-1 has as JSON, in most cases.
const MAX_LINE: u64 = 1 << 30;

/// Lines of JSON. Empty lines mean nothing.
pub struct Lines<R> {
    input: BufReader<R>,
    number: u64,
    has_ended: bool,
}

impl Lines<Stdin> {
    pub fn of_standard_input() -> Lines<Stdin> {
        Lines::new(std::io::stdin())
    }
}

impl<R: Read> Lines<R> {
    fn new(input: R) -> Lines<R> {
        Lines { input: BufReader::with_capacity(PIECE, input), number: 0, has_ended: false }
    }

    /// The next line without its end; `None` at the end.
    fn line(&mut self) -> Result<Option<Vec<u8>>, String> {
        let mut line = Vec::new();
        if self.has_ended {
            return Ok(None);
        }
        let read = self.input.by_ref().take(MAX_LINE + 1).read_until(b'\n', &mut line);
        let count = read.map_err(|error| format!("cannot read standard input: {}", reason(&error)))?;
        // A terminal goes on after its end.
        self.has_ended = line.last() != Some(&b'\n');
        self.number += 1;
        if count as u64 > MAX_LINE {
            return Err(format!("line {} of standard input is longer than 1 GiB", self.number));
        }
        Ok((count > 0).then_some(line))
    }
}

impl<R: Read + Send> Source for Lines<R> {
    /// The lines that are there already come together, and none of them waits for a later one.
    fn take(&mut self) -> Result<Vec<Value>, String> {
        let (mut items, mut bytes) = (Vec::new(), 0);
        while let Some(line) = self.line()? {
            bytes += line.len();
            let wrong = |why: &str| format!("line {} of standard input is not JSON: {why}", self.number);
            let text = str::from_utf8(&line).map_err(|_| wrong("it is not UTF-8"))?.trim_ascii();
            if !text.is_empty() {
                // The line is that of standard input.
                let error = |error: String| wrong(&error.replace(" at line 1 column ", " at column "));
                items.push(parse_json(text).map_err(|e| error(e.to_string()))?);
            }
            if !items.is_empty() && (bytes >= PIECE || !self.input.buffer().contains(&b'\n')) {
                break;
            }
        }
        Ok(items)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Gives its pieces one by one, as a pipe may.
    struct Pieces(Vec<&'static [u8]>);

    impl Read for Pieces {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            if self.0.is_empty() {
                return Ok(0);
            }
            let piece = self.0.remove(0);
            into[..piece.len()].copy_from_slice(piece);
            Ok(piece.len())
        }
    }

    fn all(pieces: &[&'static [u8]]) -> Vec<Result<Vec<Value>, String>> {
        let mut lines = Lines::new(Pieces(pieces.to_vec()));
        let mut found = Vec::new();
        loop {
            let items = lines.take();
            let is_last = items.as_ref().map_or(true, Vec::is_empty);
            found.push(items);
            if is_last {
                return found;
            }
        }
    }

    #[test]
    fn lines_that_are_there_come_together() {
        assert_eq!(
            all(&[b"1\n\"a\"\n", b"{\"x\":\n", b"3}\n"]),
            [
                Ok(vec![json!(1), json!("a")]),
                Err("line 3 of standard input is not JSON: EOF while parsing a value at column 5".to_owned())
            ]
        );
        assert_eq!(
            all(&[b"1\n2", b"3\r\n\n  \n4\n", b"\n", b"[5]"]),
            [Ok(vec![json!(1)]), Ok(vec![json!(23), json!(4)]), Ok(vec![json!([5])]), Ok(vec![])]
        );
        assert_eq!(all(&[]), [Ok(vec![])]);
        assert_eq!(all(&[b"\n\n"]), [Ok(vec![])]);
        assert_eq!(
            all(&[b"\xff\n"]),
            [Err("line 1 of standard input is not JSON: it is not UTF-8".to_owned())]
        );
    }
}
