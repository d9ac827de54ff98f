//! Sorts rows in any order (TDX-13) into schema order: a few in memory, many with a temporary file (TDX-70).

use crate::Scratch;
use crate::error::{Code, Failure, Result, malformed, too_large};
use crate::limits::{MAX_HELD, MAX_RUN};
use crate::rows::{Consumer, Index, cut, parse_index};
use crate::schema::{Kind, Schema};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::io::{self, SeekFrom};
use std::rc::Rc;

/// The memory that a row takes besides its text and key.
const ROW: usize = 96;

/// The number of bytes of a run that are read at once.
const PIECE: usize = 1 << 16;

/// The size of a row's numbers in a run: lengths of the key and text, and the row number.
const HEAD: usize = 4 + 8 + 4;

/// A row and its sort key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    key: Box<[u8]>,
    number: u64,
    text: Box<str>,
}

/// Collects the rows of a table.
pub struct Collector<'a> {
    schema: Rc<Schema>,
    record: bool,
    make: &'a mut dyn FnMut() -> io::Result<Box<dyn Scratch>>,
    line: String,
    number: u64,
    on_first_line: bool,
    size: usize,
    /// Comments and processing instructions outside the root, by occurrence.
    outside: Vec<(u32, Row)>,
    rows: Vec<Row>,
    file: Option<Box<dyn Scratch>>,
    /// The end offsets of the sorted runs in the file.
    runs: Vec<u64>,
}

fn scratch(error: io::Error) -> Failure {
    Failure::Scratch(error)
}

impl<'a> Collector<'a> {
    pub fn new(
        schema: Rc<Schema>,
        record: bool,
        make: &'a mut dyn FnMut() -> io::Result<Box<dyn Scratch>>,
    ) -> Collector<'a> {
        Collector {
            schema,
            record,
            make,
            line: String::new(),
            number: 1,
            on_first_line: true,
            size: 0,
            outside: Vec::new(),
            rows: Vec::new(),
            file: None,
            runs: Vec::new(),
        }
    }

    fn add(&mut self, text: &str) -> Result<()> {
        self.line.push_str(text);
        if self.line.len() > MAX_HELD {
            too_large(format!("a row that must be sorted is longer than {MAX_HELD} bytes"))
        } else {
            Ok(())
        }
    }

    fn end_line(&mut self) -> Result<()> {
        let line = std::mem::take(&mut self.line);
        let row = line.trim_start_matches([' ', '\t', '\r']);
        let number = self.number;
        // White space up to the first line feed is not a row (TDX-15).
        let none = std::mem::take(&mut self.on_first_line) && row.is_empty();
        self.number += u64::from(!none);
        if row.is_empty() {
            return Ok(());
        }
        let end = row.find(|c: char| !matches!(c, '[' | ']' | '(' | ')' | '0'..='9')).unwrap_or(row.len());
        let mut index = Index::default();
        let key = parse_index(&row[..end], &mut index).and_then(|()| key(&self.schema, self.record, &index));
        let key = key.map_err(|failure| failure.with(|mistake| mistake.row = Some((number, cut(row)))))?;
        self.size += ROW + row.len();
        match key {
            Key::Outside(occurrence) => {
                self.outside.push((occurrence, Row { key: Box::default(), number, text: row.into() }))
            }
            Key::Root(key) => {
                self.size += key.len();
                self.rows.push(Row { key: key.into(), number, text: row.into() });
            }
        }
        if self.size > MAX_RUN { self.spill() } else { Ok(()) }
    }

    /// Sorts the rows in memory and writes them to the file.
    fn spill(&mut self) -> Result<()> {
        self.size = self.outside.iter().map(|(_, row)| ROW + row.text.len()).sum();
        if self.size > MAX_RUN / 2 {
            return too_large(format!(
                "comments outside the root that must be sorted take more than {} bytes",
                MAX_RUN / 2
            ));
        }
        let mut rows = std::mem::take(&mut self.rows);
        rows.sort_unstable();
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert((self.make)().map_err(scratch)?),
        };
        let mut end = self.runs.last().copied().unwrap_or(0);
        let mut piece = Vec::with_capacity(PIECE * 2);
        for row in &rows {
            piece.extend_from_slice(&(row.key.len() as u32).to_be_bytes());
            piece.extend_from_slice(&row.number.to_be_bytes());
            piece.extend_from_slice(&(row.text.len() as u32).to_be_bytes());
            piece.extend_from_slice(&row.key);
            piece.extend_from_slice(row.text.as_bytes());
            if piece.len() >= PIECE {
                file.write_all(&piece).map_err(scratch)?;
                end += piece.len() as u64;
                piece.clear();
            }
        }
        file.write_all(&piece).map_err(scratch)?;
        self.runs.push(end + piece.len() as u64);
        Ok(())
    }

    /// The rows for reading in schema order.
    pub fn sorted(mut self) -> Sorted {
        self.rows.sort_unstable();
        self.outside.sort_unstable();
        // TDX-66: the root has the only number that no other node of the document has.
        let others: BTreeSet<u32> = self.outside.iter().map(|(occurrence, _)| *occurrence).collect();
        let root = (0..).find(|number| !others.contains(number)).unwrap_or(0);
        let behind = self.outside.partition_point(|(occurrence, _)| *occurrence < root);
        Sorted {
            schema: self.schema,
            outside: self.outside,
            behind,
            rows: self.rows,
            file: self.file,
            runs: self.runs,
        }
    }
}

impl Consumer for Collector<'_> {
    fn feed(&mut self, text: &str) -> Result<()> {
        let mut rest = text;
        while let Some((line, behind)) = rest.split_once('\n') {
            self.add(line)?;
            self.end_line()?;
            rest = behind;
        }
        self.add(rest)
    }

    fn finish(&mut self) -> Result<()> {
        self.end_line()
    }
}

/// All rows of a table.
pub struct Sorted {
    pub schema: Rc<Schema>,
    outside: Vec<(u32, Row)>,
    /// The index of the first node after the root.
    behind: usize,
    rows: Vec<Row>,
    file: Option<Box<dyn Scratch>>,
    runs: Vec<u64>,
}

impl Sorted {
    /// Passes on each row's number and text in schema order. It can be repeated.
    pub fn each(&mut self, mut take: impl FnMut(u64, &str) -> Result<()>) -> Result<()> {
        for (_, row) in &self.outside[..self.behind] {
            take(row.number, &row.text)?;
        }
        let begins = std::iter::once(0).chain(self.runs.iter().copied());
        let mut runs: Vec<Run> = begins
            .zip(&self.runs)
            .map(|(at, end)| Run { at, end: *end, piece: Vec::new(), used: 0 })
            .collect();
        let mut heap = BinaryHeap::new();
        let mut memory = self.rows.iter().cloned();
        let memory_run = runs.len();
        heap.extend(memory.next().map(|row| Reverse((row, memory_run))));
        if let Some(file) = &mut self.file {
            for (number, run) in runs.iter_mut().enumerate() {
                heap.extend(run.next(file.as_mut())?.map(|row| Reverse((row, number))));
            }
        }
        let mut last: Option<Row> = None;
        while let Some(Reverse((row, from))) = heap.pop() {
            if let Some(last) = last.filter(|last| last.key == row.key) {
                let message =
                    format!("the index comes twice: in row {} and in row {}", last.number, row.number);
                return Err(Failure::new(Code::Malformed, message)
                    .with(|mistake| mistake.row = Some((row.number, cut(&row.text)))));
            }
            take(row.number, &row.text)?;
            let next = match (runs.get_mut(from), &mut self.file) {
                (Some(run), Some(file)) => run.next(file.as_mut())?,
                _ => memory.next(),
            };
            heap.extend(next.map(|row| Reverse((row, from))));
            last = Some(row);
        }
        for (_, row) in &self.outside[self.behind..] {
            take(row.number, &row.text)?;
        }
        Ok(())
    }
}

/// Sorted rows in the file.
struct Run {
    at: u64,
    end: u64,
    piece: Vec<u8>,
    used: usize,
}

impl Run {
    /// Buffers at least `count` bytes, unless the run is shorter.
    fn need(&mut self, count: usize, file: &mut dyn Scratch) -> Result<()> {
        if self.piece.len() - self.used >= count {
            return Ok(());
        }
        self.piece.drain(..self.used);
        self.used = 0;
        let old = self.piece.len();
        let left = usize::try_from(self.end - self.at).unwrap_or(usize::MAX);
        let more = PIECE.max(count - old).min(left);
        self.piece.resize(old + more, 0);
        file.seek(SeekFrom::Start(self.at)).map_err(scratch)?;
        file.read_exact(&mut self.piece[old..]).map_err(scratch)?;
        self.at += more as u64;
        if self.piece.len() < count { Err(scratch(io::ErrorKind::UnexpectedEof.into())) } else { Ok(()) }
    }

    fn bytes(&mut self, count: usize, file: &mut dyn Scratch) -> Result<&[u8]> {
        self.need(count, file)?;
        let from = self.used;
        self.used += count;
        Ok(&self.piece[from..self.used])
    }

    fn next(&mut self, file: &mut dyn Scratch) -> Result<Option<Row>> {
        if self.at == self.end && self.used == self.piece.len() {
            return Ok(None);
        }
        let head = self.bytes(HEAD, file)?;
        let number =
            |from: usize, to: usize| head[from..to].iter().fold(0_u64, |sum, b| sum << 8 | u64::from(*b));
        let (key, row, text) = (number(0, 4) as usize, number(4, 12), number(12, 16) as usize);
        let key = self.bytes(key, file)?.into();
        let text = std::str::from_utf8(self.bytes(text, file)?)
            .map_err(|_| scratch(io::ErrorKind::InvalidData.into()))?;
        Ok(Some(Row { key, number: row, text: text.into() }))
    }
}

/// The sort key of a row.
enum Key {
    /// Outside the root, by occurrence.
    Outside(u32),
    /// Big-endian numbers, so byte order is numeric order.
    Root(Vec<u8>),
}

/// An index sorts before those that continue it, attributes before elements, numbers ascending, nodes of mixed elements by occurrence. An
/// index that the schema lacks is reported here, before other rows seem to be missing.
fn key(schema: &Schema, record: bool, index: &Index) -> Result<Key> {
    let (first, rest) = index.components.split_first().unwrap_or((&(0, None), &[]));
    if schema.outside.iter().any(|(number, _)| *number == first.0) {
        return match (first.1, rest.is_empty() && index.attribute.is_none()) {
            (Some(occurrence), true) => Ok(Key::Outside(occurrence)),
            _ => malformed("what stands outside the root has an occurrence, and nothing beneath it"),
        };
    }
    if *first != (0, None) {
        return malformed("the index does not begin with `[0]`, the root");
    }
    let mut key = Vec::with_capacity(9 * rest.len() + 5);
    let mut ty = schema.root;
    for component in rest {
        let (element, place) = schema.child(ty, component)?;
        element.check_occurrence(schema, record, place, component.1)?;
        let (number, occurrence) = (component.0, component.1.map_or(0, |occurrence| occurrence + 1));
        key.push(1);
        let parts = if element.kind == Kind::Mixed { [occurrence, number] } else { [number, occurrence] };
        key.extend(parts.into_iter().flat_map(u32::to_be_bytes));
        ty = element.members[place].ty;
    }
    if let Some(attribute) = index.attribute {
        schema.attribute(ty, attribute)?;
        key.push(0);
        key.extend(attribute.to_be_bytes());
    }
    Ok(Key::Root(key))
}
