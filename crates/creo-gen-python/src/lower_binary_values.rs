//! Lowering of values on the binary wire: how each is read and written.

use creo_model::Literal;
use creo_plan::{Field, Kind, Node, Record};

use crate::lang::{Direction, FieldRead, FieldWrite, FixedWrite, Part, Read, Write};
use crate::lower_fixed::{self, Flat};
use crate::lower_layouts::Layouts;
use crate::lower_scope::{Scope, has_default};
use crate::lower_values::Side;
use crate::scalars;

/// Python nests at most twenty loops, and lines get narrow long before.
const MAX_DEPTH: usize = 6;

/// The needs of codecs from their module.
pub struct Coder<'a> {
    pub scope: Scope<'a>,
    pub layouts: Layouts,
    /// Functions for values nested too deeply for the language's loops.
    pub parts: Vec<Part>,
}

impl Coder<'_> {
    /// How the fields of a record are read, in order.
    pub fn read_fields(&mut self, record: &Record) -> Vec<FieldRead> {
        if record.extensible {
            return record.fields.iter().map(|field| self.growing_field(field)).collect();
        }
        let mut reads = Vec::new();
        let mut run = Vec::new();
        for field in &record.fields {
            match self.scope.flat(&field.node) {
                Some(flat) => run.push(flat),
                None => {
                    self.end_read(&mut run, &mut reads);
                    reads.push(FieldRead::Field(self.read(&field.node, 0)));
                }
            }
        }
        self.end_read(&mut run, &mut reads);
        reads
    }

    fn end_read(&mut self, run: &mut Vec<Flat>, reads: &mut Vec<FieldRead>) {
        if !run.is_empty() {
            reads.push(FieldRead::Run(lower_fixed::read(std::mem::take(run), &mut self.layouts)));
        }
    }

    /// A field of an extensible record, whose region may end before it.
    fn growing_field(&mut self, field: &Field) -> FieldRead {
        if !has_default(field) {
            return FieldRead::Field(self.read(&field.node, 0));
        }
        let annotation = self.scope.annotation(&field.node, Side::Held);
        let plain = self.scope.default(field).unwrap_or_else(|| "None".into());
        // All other literals already have the stored form.
        let held = match field.default {
            Some(Literal::Empty) => self.scope.held(&field.node, &plain.to_string(), "$"),
            Some(_) | None => None,
        };
        let read = self.read(&field.node, 1);
        FieldRead::Growing { annotation, default: held.unwrap_or(plain), read }
    }

    /// How the fields of a record are written, in order.
    pub fn write_fields(&mut self, record: &Record) -> Vec<FieldWrite> {
        let mut writes = Vec::new();
        let mut run = Vec::new();
        for (index, field) in record.fields.iter().enumerate() {
            match self.scope.flat(&field.node) {
                // The region of an extensible record is written as a whole, but each field separately.
                Some(flat) if record.extensible => {
                    writes.push(FieldWrite::Run(lower_fixed::write(index, &[flat], &mut self.layouts)));
                }
                Some(flat) => run.push(flat),
                None => {
                    self.end_write(index, &mut run, &mut writes);
                    writes.push(FieldWrite::Field(index, self.write(&field.node, 0)));
                }
            }
        }
        self.end_write(record.fields.len(), &mut run, &mut writes);
        writes
    }

    /// `end` is the index of the field after the run.
    fn end_write(&mut self, end: usize, run: &mut Vec<Flat>, writes: &mut Vec<FieldWrite>) {
        let run = std::mem::take(run);
        if !run.is_empty() {
            let first = end - run.len();
            writes.push(FieldWrite::Run(lower_fixed::write(first, &run, &mut self.layouts)));
        }
    }

    /// How a value is read, at a depth of its function.
    pub fn read(&mut self, node: &Node, depth: usize) -> Read {
        if let Some(flat) = self.scope.flat(node) {
            return Read::Fixed(lower_fixed::read(vec![flat], &mut self.layouts));
        }
        if depth >= MAX_DEPTH && has_block(node) {
            let read = self.read_here(node, 0);
            return Read::Function(self.part("decode", node, Direction::Read(read)));
        }
        self.read_here(node, depth)
    }

    fn read_here(&mut self, node: &Node, depth: usize) -> Read {
        let helper = |name| Read::Helper(name, String::new());
        match &node.kind {
            Kind::Scalar(scalar) => {
                Read::Fixed(lower_fixed::read(vec![Flat::scalar(*scalar)], &mut self.layouts))
            }
            Kind::Decimal => helper("read_decimal"),
            Kind::String(_) => helper("read_string"),
            Kind::Bytes { .. } => helper("read_bytes"),
            Kind::Array { item, bulk, .. } => match scalars::bulk(*bulk) {
                Some(bulk) => helper(bulk.reader),
                None => self.read_items(item, node.charges.each, depth),
            },
            Kind::Map { key, value, .. } => {
                self.scope.standard("MappingProxyType");
                let annotations =
                    (self.scope.annotation(key, Side::Held), self.scope.annotation(value, Side::Held));
                Read::Entries {
                    min_size: key.shape.min_size.saturating_add(value.shape.min_size),
                    charge: node.charges.each,
                    key: Box::new((annotations.0, self.read(key, depth + 1))),
                    value: Box::new((annotations.1, self.read(value, depth + 1))),
                }
            }
            Kind::Optional(inner) => Read::Optional {
                annotation: self.scope.annotation(node, Side::Held),
                charge: node.charges.own,
                value: Box::new(self.read(inner, depth + 1)),
            },
            Kind::Record(id) | Kind::Union(id) | Kind::Enum(id) => {
                Read::Function(self.scope.codec(*id, "decode"))
            }
        }
    }

    fn read_items(&mut self, item: &Node, charge: u64, depth: usize) -> Read {
        if matches!(item.kind, Kind::String(_)) {
            return Read::Helper("read_strings", ", r".to_owned());
        }
        if let Some(id) = self.scope.lower.block_item(item) {
            let helper = if item.shape.any_bits { "read_structs" } else { "read_checked_structs" };
            return Read::Helper(helper, format!(", r, {}, {charge}", self.scope.block(id)));
        }
        if item.shape.min_size == 0 {
            return Read::EmptyItems { charge, item: Box::new(self.read(item, depth)) };
        }
        Read::Items {
            min_size: item.shape.min_size,
            charge,
            annotation: self.scope.annotation(item, Side::Held),
            item: Box::new(self.read(item, depth + 1)),
        }
    }

    /// How a value is written, at a depth of its function.
    pub fn write(&mut self, node: &Node, depth: usize) -> Write {
        if let Some(flat) = self.scope.flat(node) {
            return Write::Fixed(lower_fixed::write(0, &[flat], &mut self.layouts));
        }
        if is_empty(node) {
            return Write::Fixed(FixedWrite::Nothing);
        }
        if depth >= MAX_DEPTH && has_block(node) {
            let write = self.write_here(node, 0);
            return Write::Function(self.part("encode", node, Direction::Write(write)));
        }
        self.write_here(node, depth)
    }

    fn write_here(&mut self, node: &Node, depth: usize) -> Write {
        let helper = |name| Write::Helper(name, String::new());
        match &node.kind {
            Kind::Scalar(scalar) => {
                Write::Fixed(lower_fixed::write(0, &[Flat::scalar(*scalar)], &mut self.layouts))
            }
            Kind::Decimal => helper("write_decimal"),
            Kind::String(_) => Write::Text,
            Kind::Bytes { .. } => Write::Bytes,
            Kind::Array { item, bulk, .. } => match scalars::bulk(*bulk) {
                Some(bulk) => helper(bulk.writer),
                None => self.write_items(item, depth),
            },
            Kind::Map { key, value, .. } => Write::Entries {
                key: Box::new(self.write(key, depth + 1)),
                value: Box::new(self.write(value, depth + 1)),
            },
            Kind::Optional(inner) => Write::Optional(Box::new(self.write(inner, depth + 1))),
            Kind::Record(id) | Kind::Union(id) => Write::Function(self.scope.codec(*id, "encode")),
            Kind::Enum(_) => Write::Number,
        }
    }

    fn write_items(&mut self, item: &Node, depth: usize) -> Write {
        if matches!(item.kind, Kind::String(_)) {
            return Write::Helper("write_strings", String::new());
        }
        if let Some(id) = self.scope.lower.block_item(item) {
            return Write::Helper("write_structs", format!(", {}", self.scope.block(id)));
        }
        Write::Items(if is_empty(item) { None } else { Some(Box::new(self.write(item, depth + 1))) })
    }

    /// The name of a new function for a part of a value.
    fn part(&mut self, verb: &str, node: &Node, direction: Direction) -> String {
        let name = format!("_{verb}_part{}", self.parts.len());
        let annotation = self.scope.annotation(node, Side::Held);
        self.parts.push(Part { name: name.clone(), annotation, direction });
        name
    }
}

/// Whether values have no bytes.
pub fn is_empty(node: &Node) -> bool {
    node.shape.fixed_size == Some(0)
}

/// Whether the code for a variable-size value contains a block.
fn has_block(node: &Node) -> bool {
    match node.kind {
        Kind::Array { bulk, .. } => scalars::bulk(bulk).is_none(),
        Kind::Map { .. } | Kind::Optional(_) => true,
        Kind::Scalar(_)
        | Kind::String(_)
        | Kind::Decimal
        | Kind::Bytes { .. }
        | Kind::Record(_)
        | Kind::Union(_)
        | Kind::Enum(_) => false,
    }
}
