//! The text of a document in pieces: decoded, with normalized line ends (XML 1.0, 2.11) and checked characters; and the entities that are
//! read in its place.

use super::chars::is_char;
use crate::error::{Code, Failure, Result, malformed, shown};
use encoding_rs::{Decoder, DecoderResult, Encoding, UTF_8, UTF_16BE, UTF_16LE};
use memchr::memchr_iter;
use std::io::{ErrorKind, Read};
use std::rc::Rc;

const PIECE: usize = 1 << 16;

/// The maximum length of an XML declaration.
const DECLARATION: usize = 1_024;

enum Decode {
    Utf8,
    Latin1,
    Ascii,
    Other(Box<Decoder>, &'static Encoding),
}

/// An entity that is read in place of its reference.
pub struct Frame {
    pub name: Rc<str>,
    text: Rc<str>,
    at: usize,
    /// The number of open elements at the reference.
    pub depth: usize,
}

pub struct Input<R> {
    reader: R,
    piece: Box<[u8]>,
    /// Bytes that are not decoded yet.
    raw: Vec<u8>,
    decode: Decode,
    ended: bool,
    /// The number of bytes read.
    pub size: u64,
    /// The last character was a carriage return, for which a line feed has been written.
    returned: bool,
    text: String,
    at: usize,
    lines: u64,
    columns: u64,
    pub frames: Vec<Frame>,
}

impl<R: Read> Input<R> {
    pub fn new(reader: R) -> Result<Input<R>> {
        let mut input = Input {
            reader,
            piece: vec![0; PIECE].into(),
            raw: Vec::new(),
            decode: Decode::Utf8,
            ended: false,
            size: 0,
            returned: false,
            text: String::new(),
            at: 0,
            lines: 0,
            columns: 0,
            frames: Vec::new(),
        };
        while input.raw.len() < DECLARATION && input.read()? > 0 {}
        input.find_encoding()?;
        Ok(input)
    }

    fn read(&mut self) -> Result<usize> {
        let count = loop {
            match self.reader.read(&mut self.piece) {
                Ok(count) => break count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(Failure::Read(error)),
            }
        };
        self.raw.extend_from_slice(&self.piece[..count]);
        self.size += count as u64;
        self.ended |= count == 0;
        Ok(count)
    }

    /// Finds the encoding by the byte order mark, the zeros of UTF-16, or the declaration.
    fn find_encoding(&mut self) -> Result<()> {
        let (encoding, mark) = match Encoding::for_bom(&self.raw) {
            Some(found) => found,
            None if self.raw.starts_with(b"<\0") => (UTF_16LE, 0),
            None if self.raw.starts_with(b"\0<") => (UTF_16BE, 0),
            None => {
                let head = &self.raw[..self.raw.len().min(DECLARATION)];
                self.decode = declared(head)?;
                return Ok(());
            }
        };
        self.raw.drain(..mark);
        if encoding != UTF_8 {
            self.decode = Decode::Other(Box::new(encoding.new_decoder_without_bom_handling()), encoding);
        }
        Ok(())
    }

    /// Reads more text of the document; false at its end.
    fn fill(&mut self) -> Result<bool> {
        if self.at > 0 {
            self.count_lines();
            self.text.drain(..self.at);
            self.at = 0;
        }
        let old = self.text.len();
        while self.text.len() == old {
            if self.raw.is_empty() && (self.ended || self.read()? == 0) {
                // A decoder may still hold half a character. It is asked once.
                if let Decode::Other(mut decoder, encoding) =
                    std::mem::replace(&mut self.decode, Decode::Utf8)
                {
                    let mut rest = String::with_capacity(16);
                    let (result, _) = decoder.decode_to_string_without_replacement(&[], &mut rest, true);
                    if result != DecoderResult::InputEmpty {
                        return malformed(format!(
                            "the input ends within a character of {}",
                            encoding.name()
                        ));
                    }
                }
                return Ok(false);
            }
            let result = self.decode_raw();
            if result.is_err() {
                self.at = self.text.len();
            }
            result?;
        }
        Ok(true)
    }

    fn decode_raw(&mut self) -> Result<()> {
        let raw = std::mem::take(&mut self.raw);
        let mut kept = 0;
        match &mut self.decode {
            Decode::Utf8 => match std::str::from_utf8(&raw) {
                Ok(text) => append(&mut self.text, &mut self.returned, text)?,
                Err(error) => {
                    kept = raw.len() - error.valid_up_to();
                    let text = String::from_utf8_lossy(&raw[..error.valid_up_to()]);
                    append(&mut self.text, &mut self.returned, &text)?;
                    if error.error_len().is_some() || self.ended {
                        return malformed("the input is not UTF-8");
                    }
                }
            },
            Decode::Latin1 => append(
                &mut self.text,
                &mut self.returned,
                &raw.iter().map(|b| char::from(*b)).collect::<String>(),
            )?,
            Decode::Ascii => {
                if !raw.is_ascii() {
                    return malformed("the input is not ASCII, which its declaration says");
                }
                append(&mut self.text, &mut self.returned, &String::from_utf8_lossy(&raw))?;
            }
            Decode::Other(decoder, encoding) => {
                let most =
                    decoder.max_utf8_buffer_length_without_replacement(raw.len()).unwrap_or(raw.len() * 4);
                let mut text = String::with_capacity(most);
                let (result, _) = decoder.decode_to_string_without_replacement(&raw, &mut text, false);
                append(&mut self.text, &mut self.returned, &text)?;
                if result != DecoderResult::InputEmpty {
                    return malformed(format!("the input is not {}", encoding.name()));
                }
            }
        }
        let count = raw.len();
        self.raw = raw;
        self.raw.drain(..count - kept);
        // Half a character waits for its second half.
        if kept > 0 && !self.ended {
            self.read()?;
        }
        Ok(())
    }

    fn count_lines(&mut self) {
        let passed = &self.text[..self.at];
        match memchr::memrchr(b'\n', passed.as_bytes()) {
            Some(last) => {
                self.lines += memchr_iter(b'\n', passed.as_bytes()).count() as u64;
                self.columns = passed[last + 1..].chars().count() as u64;
            }
            None => self.columns += passed.chars().count() as u64,
        }
    }

    /// The line and column of the next character in the document, from 1.
    pub fn position(&mut self) -> (u64, u64) {
        self.count_lines();
        self.text.drain(..self.at);
        self.at = 0;
        (self.lines + 1, self.columns + 1)
    }

    /// The rest of the current entity, or at least some text of the document; empty at the end of either.
    pub fn rest(&mut self) -> Result<&str> {
        if self.frames.is_empty() && self.at == self.text.len() {
            self.fill()?;
        }
        Ok(self.have())
    }

    /// The text available without reading on.
    pub fn have(&self) -> &str {
        match self.frames.last() {
            Some(frame) => &frame.text[frame.at..],
            None => &self.text[self.at..],
        }
    }

    pub fn advance(&mut self, bytes: usize) {
        match self.frames.last_mut() {
            Some(frame) => frame.at += bytes,
            None => self.at += bytes,
        }
    }

    pub fn peek(&mut self) -> Result<Option<u8>> {
        Ok(self.rest()?.as_bytes().first().copied())
    }

    /// Whether `text` comes next.
    pub fn looking_at(&mut self, text: &str) -> Result<bool> {
        while self.frames.is_empty() && self.have().len() < text.len() && self.fill()? {}
        Ok(self.have().starts_with(text))
    }

    /// Skips `text` if it comes next.
    pub fn take(&mut self, text: &str) -> Result<bool> {
        let there = self.looking_at(text)?;
        if there {
            self.advance(text.len());
        }
        Ok(there)
    }

    /// Skips white space, and returns whether there was any.
    pub fn skip_space(&mut self) -> Result<bool> {
        let mut any = false;
        loop {
            let rest = self.rest()?.as_bytes();
            let count = rest.iter().take_while(|b| super::chars::is_space(**b)).count();
            let all = count == rest.len();
            self.advance(count);
            any |= count > 0;
            if count == 0 || !all {
                return Ok(any);
            }
        }
    }

    /// Appends the text before `end` to `into`, and skips the end.
    pub fn take_until(&mut self, end: &str, into: &mut String, most: usize, what: &str) -> Result<()> {
        let finder = memchr::memmem::Finder::new(end.as_bytes());
        loop {
            let rest = self.rest()?;
            if rest.is_empty() {
                return malformed(format!("{what} has no end"));
            }
            if let Some(found) = finder.find(rest.as_bytes()) {
                into.push_str(&rest[..found]);
                self.advance(found + end.len());
            } else {
                // The piece may end in the middle of `end`.
                let mut sure = rest.len().saturating_sub(end.len() - 1);
                while !rest.is_char_boundary(sure) {
                    sure -= 1;
                }
                into.push_str(&rest[..sure]);
                self.advance(sure);
                let more = self.frames.is_empty() && self.fill()?;
                if !more {
                    return malformed(format!("{what} has no end"));
                }
                if into.len() > most {
                    return Err(Failure::new(Code::TooLarge, format!("{what} is longer than {most} bytes")));
                }
                continue;
            }
            return if into.len() > most {
                Err(Failure::new(Code::TooLarge, format!("{what} is longer than {most} bytes")))
            } else {
                Ok(())
            };
        }
    }

    /// Reads `text` in place of a reference.
    pub fn enter(&mut self, name: Rc<str>, text: Rc<str>, depth: usize) {
        self.frames.push(Frame { name, text, at: 0, depth });
    }
}

/// The encoding declared at the beginning of ASCII-compatible bytes.
fn declared(head: &[u8]) -> Result<Decode> {
    let head = String::from_utf8_lossy(head);
    // `<?xml-stylesheet` is not a declaration.
    let behind = head.strip_prefix("<?xml").filter(|rest| rest.starts_with([' ', '\t', '\r', '\n']));
    let Some(declaration) = behind.and_then(|rest| rest.split_once("?>")).map(|(declaration, _)| declaration)
    else {
        return Ok(Decode::Utf8);
    };
    let Some((_, rest)) = declaration.split_once("encoding") else { return Ok(Decode::Utf8) };
    let rest = rest.trim_start().strip_prefix('=').unwrap_or_default().trim_start();
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''));
    let Some((label, _)) = quote.and_then(|quote| rest[1..].split_once(quote)) else {
        return malformed("the encoding of the XML declaration cannot be read");
    };
    // Encodings of the web read Latin-1 as windows-1252; XML does not.
    match label.to_ascii_lowercase().as_str() {
        "iso-8859-1" | "iso_8859-1" | "latin1" | "l1" => return Ok(Decode::Latin1),
        "us-ascii" | "ascii" => return Ok(Decode::Ascii),
        _ => {}
    }
    match Encoding::for_label(label.as_bytes()) {
        // The declaration was read byte by byte, so the label describes an earlier form.
        Some(encoding) if encoding == UTF_16LE || encoding == UTF_16BE || encoding == UTF_8 => {
            Ok(Decode::Utf8)
        }
        Some(encoding) => Ok(Decode::Other(Box::new(encoding.new_decoder_without_bom_handling()), encoding)),
        None => malformed(format!("the encoding `{}` is not known", shown(label))),
    }
}

/// Appends text with normalized line ends, or reports a character that XML does not allow.
fn append(to: &mut String, returned: &mut bool, text: &str) -> Result<()> {
    if let Some((at, c)) = no_char(text) {
        to.push_str(&text[..at]);
        return malformed(format!("U+{:04X} is no character of XML", u32::from(c)));
    }
    let mut text = text;
    if std::mem::take(returned) {
        text = text.strip_prefix('\n').unwrap_or(text);
        if text.is_empty() {
            return Ok(());
        }
    }
    while let Some(at) = memchr::memchr(b'\r', text.as_bytes()) {
        to.push_str(&text[..at]);
        to.push('\n');
        text = &text[at + 1..];
        if text.is_empty() {
            *returned = true;
            return Ok(());
        }
        text = text.strip_prefix('\n').unwrap_or(text);
    }
    to.push_str(text);
    Ok(())
}

/// The first character that XML does not allow. Only ASCII control characters and those that begin with the byte EF can be wrong.
fn no_char(text: &str) -> Option<(usize, char)> {
    let suspect = text.bytes().any(|b| (b < 0x20 && !matches!(b, b'\t' | b'\n' | b'\r')) || b == 0xef);
    suspect.then(|| text.char_indices().find(|(_, c)| !is_char(*c))).flatten()
}
