//! Rows in any order (TDX-13), brought into schema order in memory (TDX-70).

use crate::error::{Failure, Mistake, Result, malformed};
use crate::limits::MAX_SORTED;
use crate::rows::{Consumer, Index, cut, parse_index};
use crate::schema::{Kind, Schema};
use std::collections::BTreeSet;
use std::rc::Rc;

/// What a row takes beside its text.
const ROW: usize = 96;

pub struct Row {
    key: Vec<u32>,
    pub number: u64,
    pub text: Box<str>,
}

/// Collects the rows of a table.
pub struct Collector {
    schema: Rc<Schema>,
    record: bool,
    /// Why the rows could not be read as they come.
    why: Mistake,
    line: String,
    number: u64,
    on_first_line: bool,
    size: usize,
    pub rows: Vec<Row>,
}

impl Collector {
    pub fn new(schema: Rc<Schema>, record: bool, why: Mistake) -> Collector {
        Collector { schema, record, why, line: String::new(), number: 1, on_first_line: true, size: 0, rows: Vec::new() }
    }

    fn keep(&mut self, bytes: usize) -> Result<()> {
        self.size += bytes;
        if self.size <= MAX_SORTED {
            return Ok(());
        }
        let mut why = self.why.clone();
        why.code = crate::Code::TooLarge;
        why.message = format!("{}; a table of more than {} MiB is not sorted", why.message, MAX_SORTED >> 20);
        Err(Failure::Refused(Box::new(why)))
    }

    fn end_line(&mut self) -> Result<()> {
        let line = std::mem::take(&mut self.line);
        let row = line.trim_start_matches([' ', '\t', '\r']);
        if !row.is_empty() {
            let end = row.find(|c: char| !matches!(c, '[' | ']' | '(' | ')' | '0'..='9')).unwrap_or(row.len());
            let mut index = Index::default();
            let key = parse_index(&row[..end], &mut index).and_then(|()| key(&self.schema, self.record, &index));
            let number = self.number;
            let key = key.map_err(|failure| failure.with(|mistake| mistake.row = Some((number, cut(row)))))?;
            self.keep(ROW + 4 * key.len())?;
            self.rows.push(Row { key, number, text: row.into() });
        }
        // White space up to the first line feed is no row (TDX-15).
        let none = std::mem::take(&mut self.on_first_line) && row.is_empty();
        self.number += u64::from(!none);
        Ok(())
    }

    /// The rows in schema order.
    pub fn sorted(mut self) -> Result<(Rc<Schema>, Vec<Row>)> {
        // TDX-66: the root has the number that no other node of the document has.
        let others: BTreeSet<u32> = self.rows.iter().filter(|row| row.key[0] == OUTSIDE).map(|row| row.key[1]).collect();
        let root = (0..).find(|number| !others.contains(number)).unwrap_or(0);
        for row in &mut self.rows {
            if row.key[0] == ROOT {
                row.key[1] = root;
            }
            row.key[0] = 0;
        }
        self.rows.sort_by(|a, b| a.key.cmp(&b.key));
        if let Some(two) = self.rows.windows(2).find(|two| two[0].key == two[1].key) {
            let message = format!("the index comes twice: in row {} and in row {}", two[0].number, two[1].number);
            let row = Some((two[1].number, cut(&two[1].text)));
            return Err(Failure::new(crate::Code::Malformed, message).with(|mistake| mistake.row = row));
        }
        Ok((self.schema, self.rows))
    }
}

impl Consumer for Collector {
    fn feed(&mut self, text: &str) -> Result<()> {
        let mut rest = text;
        while let Some((line, behind)) = rest.split_once('\n') {
            self.keep(line.len())?;
            self.line.push_str(line);
            self.end_line()?;
            rest = behind;
        }
        self.keep(rest.len())?;
        self.line.push_str(rest);
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        self.end_line()
    }
}

const ROOT: u32 = 0;
const OUTSIDE: u32 = 1;

/// What rows are compared by: an index before those that continue it, attributes before elements, numbers ascending, nodes of mixed elements by occurrence.
/// An index that the schema does not have is told here, before other rows seem to be missing.
fn key(schema: &Schema, record: bool, index: &Index) -> Result<Vec<u32>> {
    let (first, rest) = index.components.split_first().unwrap_or((&(0, None), &[]));
    if schema.outside.iter().any(|(number, _)| *number == first.0) {
        return match (first.1, rest.is_empty() && index.attribute.is_none()) {
            (Some(occurrence), true) => Ok(vec![OUTSIDE, occurrence, first.0]),
            _ => malformed("what stands outside the root has an occurrence, and nothing beneath it"),
        };
    }
    if *first != (0, None) {
        return malformed("the index does not begin with `[0]`, the root");
    }
    let mut key = vec![ROOT, 0, 0];
    let mut ty = schema.root;
    for component in rest {
        let (element, place) = schema.child(ty, component)?;
        element.check_occurrence(schema, record, place, component.1)?;
        let (number, occurrence) = (component.0, component.1.map_or(0, |occurrence| occurrence + 1));
        key.push(1);
        key.extend(if element.kind == Kind::Mixed { [occurrence, number] } else { [number, occurrence] });
        ty = element.members[place].ty;
    }
    if let Some(attribute) = index.attribute {
        schema.attribute(ty, attribute)?;
        key.extend([0, attribute]);
    }
    Ok(key)
}
