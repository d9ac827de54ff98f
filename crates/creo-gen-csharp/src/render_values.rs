//! Statements that read and write values, one after the other.

use crate::context::Context;
use creo_codegen::{Names, Writer};
use creo_model::Primitive;
use creo_plan::{FixedScalar, Kind, Node};
use std::collections::BTreeMap;

/// The values of one method's body; it knows the locals that are taken.
pub struct Values<'a> {
    cx: &'a Context<'a>,
    locals: Names,
    /// How often each name was wanted.
    wanted: BTreeMap<String, usize>,
    /// Loops around the place where the next statement goes.
    loops: usize,
}

impl<'a> Values<'a> {
    /// `taken` are the names of parameters and fields.
    pub fn new<'s>(cx: &'a Context<'a>, taken: impl IntoIterator<Item = &'s str>) -> Values<'a> {
        let mut locals = Names::new(crate::names::never);
        taken.into_iter().for_each(|name| locals.take(name));
        Values { cx, locals, wanted: BTreeMap::new(), loops: 0 }
    }

    pub fn context(&self) -> &'a Context<'a> {
        self.cx
    }

    /// A local that is not taken: `item`, `item2` and so on.
    pub fn fresh(&mut self, wanted: &str) -> String {
        let count = self.wanted.entry(wanted.to_owned()).or_default();
        *count += 1;
        let name = if *count == 1 { wanted.to_owned() } else { format!("{wanted}{count}") };
        self.locals.give(&format!("#{name}"), &name)
    }

    /// Writes a loop over `count` with a variable that is free again behind it.
    pub fn repeat(&mut self, w: &mut Writer, count: &str, body: impl FnOnce(&mut Self, &mut Writer, &str)) {
        self.loops += 1;
        let wanted = if self.loops == 1 { "i".to_owned() } else { format!("i{}", self.loops) };
        let i = self.locals.give(&format!("#loop {wanted}"), &wanted);
        w.line(format!("for (int {i} = 0; {i} < {count}; {i}++)"));
        w.block("{", "}", |w| body(self, w, &i));
        self.loops -= 1;
    }

    /// Writes the statements that read a value into a new local.
    pub fn read_into(&mut self, w: &mut Writer, node: &Node, local: &str) {
        match &node.kind {
            Kind::Array { item, bulk: None, .. } => self.read_items(w, node, item, local),
            Kind::Optional(item) => self.read_optional(w, node, item, local),
            Kind::Array { bulk: Some(_), .. }
            | Kind::Scalar(_)
            | Kind::String(_)
            | Kind::Decimal
            | Kind::Bytes { .. }
            | Kind::Map { .. }
            | Kind::Record(_)
            | Kind::Union(_)
            | Kind::Enum(_) => {
                let value = self.read(w, node);
                w.line(format!("var {local} = {value};"));
            }
        }
    }

    /// Writes the statements that read a value, and answers the expression that holds it.
    pub fn read(&mut self, w: &mut Writer, node: &Node) -> String {
        match &node.kind {
            Kind::Scalar(scalar) => format!("reader.Read{}()", word(scalar.primitive())),
            Kind::String(_) => format!("reader.Read{}()", word(Primitive::String)),
            Kind::Decimal => format!("reader.Read{}()", word(Primitive::Decimal)),
            Kind::Bytes { .. } => "reader.ReadBytes()".to_owned(),
            Kind::Array { bulk: Some(bulk), .. } => {
                format!("reader.Read{}s()", word(bulk.scalar().primitive()))
            }
            Kind::Array { item, bulk: None, .. } => {
                let local = self.fresh("items");
                self.read_items(w, node, item, &local);
                local
            }
            Kind::Optional(item) => {
                let local = self.fresh("optional");
                self.read_optional(w, node, item, &local);
                local
            }
            Kind::Map { key, value, .. } => {
                let (entries, read_key) = (self.fresh("entries"), self.fresh("key"));
                let min_size = min_size(key) + min_size(value);
                w.line(format!(
                    "var {entries} = new {}<{}, {}>[reader.ReadCount({min_size}, {})];",
                    self.cx.platform("KeyValuePair"),
                    self.cx.ty(&key.ty),
                    self.cx.ty(&value.ty),
                    node.charges.each
                ));
                self.repeat(w, &format!("{entries}.Length"), |this, w, i| {
                    let key = this.read(w, key);
                    w.line(format!("var {read_key} = {key};"));
                    let value = this.read(w, value);
                    w.line(format!("{entries}[{i}] = new({read_key}, {value});"));
                });
                format!("{}.ToMap({entries})", self.cx.framework("Reader"))
            }
            Kind::Record(id) | Kind::Union(id) | Kind::Enum(id) => {
                format!("{}.Decode(ref reader)", self.cx.codec(*id))
            }
        }
    }

    fn read_optional(&mut self, w: &mut Writer, node: &Node, item: &Node, local: &str) {
        w.line(format!("{} {local} = null;", self.cx.ty(&node.ty)));
        w.line(format!("if (reader.ReadPresence({}))", node.charges.own));
        w.block("{", "}", |w| {
            let value = self.read(w, item);
            w.line(format!("{local} = {value};"));
        });
    }

    fn read_items(&mut self, w: &mut Writer, node: &Node, item: &Node, items: &str) {
        let (min_size, of, charge) = (min_size(item), self.cx.ty(&item.ty), node.charges.each);
        match self.cx.output.read_size(item).filter(|size| *size > 0) {
            Some(size) => {
                // Values without references, all of which are set: they need not be zeroed before.
                let allocate = format!("{}.AllocateUninitializedArray", self.cx.platform("GC"));
                w.line(format!("var {items} = {allocate}<{of}>(reader.ReadCount({min_size}, {charge}));"));
                let blocks = self.fresh("blocks");
                w.line(format!("var {blocks} = reader.Blocks({items}.Length, {size});"));
                self.repeat(w, &format!("{items}.Length"), |this, w, i| {
                    let value = this.get(item, &format!("{blocks}.Slice({i} * {size}, {size})"));
                    w.line(format!("{items}[{i}] = {value};"));
                });
            }
            None => {
                w.line(format!("var {items} = new {of}[reader.ReadCount({min_size}, {charge})];"));
                self.repeat(w, &format!("{items}.Length"), |this, w, i| {
                    let value = this.read(w, item);
                    w.line(format!("{items}[{i}] = {value};"));
                });
            }
        }
    }

    /// Writes the statements that write the value of an expression.
    pub fn write(&mut self, w: &mut Writer, node: &Node, value: &str) {
        match &node.kind {
            Kind::Scalar(scalar) => w.line(format!("writer.Write{}({value});", word(scalar.primitive()))),
            Kind::String(_) => w.line(format!("writer.Write{}({value});", word(Primitive::String))),
            Kind::Decimal => w.line(format!("writer.Write{}({value});", word(Primitive::Decimal))),
            Kind::Bytes { .. } => w.line(format!("writer.WriteBytes({value});")),
            Kind::Array { bulk: Some(bulk), .. } => {
                w.line(format!("writer.Write{}s({value});", word(bulk.scalar().primitive())))
            }
            Kind::Array { item, bulk: None, .. } => self.write_items(w, item, value),
            Kind::Optional(item) => {
                let local = self.fresh("present");
                w.line(format!("if ({value} is {{ }} {local})"));
                w.block("{", "}", |w| {
                    w.line("writer.WritePresence(true);");
                    self.write(w, item, &local);
                });
                w.line("else");
                w.block("{", "}", |w| w.line("writer.WritePresence(false);"));
            }
            Kind::Map { key, value: item, .. } => {
                let entry = self.fresh("entry");
                w.line(format!("foreach (var {entry} in writer.WriteEntries({value}))"));
                w.block("{", "}", |w| {
                    self.write(w, key, &format!("{entry}.Key"));
                    self.write(w, item, &format!("{entry}.Value"));
                });
            }
            Kind::Record(id) | Kind::Union(id) | Kind::Enum(id) => {
                w.line(format!("{}.Encode(writer, {value});", self.cx.codec(*id)))
            }
        }
    }

    fn write_items(&mut self, w: &mut Writer, item: &Node, value: &str) {
        match self.cx.output.write_size(item).filter(|size| *size > 0) {
            Some(size) => {
                let (items, blocks) = (self.fresh("items"), self.fresh("blocks"));
                w.line(format!("var {items} = writer.WriteItems({value});"));
                w.line(format!("var {blocks} = writer.Blocks({items}.Length, {size});"));
                self.repeat(w, &format!("{items}.Length"), |this, w, i| {
                    let statement = this.put(
                        item,
                        &format!("{blocks}.Slice({i} * {size}, {size})"),
                        &format!("{items}[{i}]"),
                    );
                    w.line(statement);
                });
            }
            None => {
                let local = self.fresh("item");
                w.line(format!("foreach (var {local} in writer.WriteItems({value}))"));
                w.block("{", "}", |w| self.write(w, item, &local));
            }
        }
    }

    /// The expression that reads a value of fixed size from the start of a block.
    pub fn get(&self, node: &Node, block: &str) -> String {
        match &node.kind {
            Kind::Scalar(scalar) => match scalar {
                FixedScalar::Boolean => format!("{}.ToBoolean({block}[0])", self.cx.framework("Reader")),
                FixedScalar::Byte => format!("unchecked((sbyte){block}[0])"),
                FixedScalar::Char => {
                    format!("(char){}.ReadUInt16BigEndian({block})", self.cx.platform("BinaryPrimitives"))
                }
                FixedScalar::DateTime => format!("{}.ToInstant({block})", self.cx.framework("Reader")),
                FixedScalar::Short
                | FixedScalar::Int
                | FixedScalar::Long
                | FixedScalar::Float
                | FixedScalar::Double => {
                    format!(
                        "{}.Read{}BigEndian({block})",
                        self.cx.platform("BinaryPrimitives"),
                        word(scalar.primitive())
                    )
                }
            },
            Kind::Enum(id) => format!("{}.FromNumber({block}[0])", self.cx.codec(*id)),
            Kind::Record(id) => format!("{}.Get({block})", self.cx.codec(*id)),
            Kind::String(_)
            | Kind::Decimal
            | Kind::Bytes { .. }
            | Kind::Array { .. }
            | Kind::Map { .. }
            | Kind::Optional(_)
            | Kind::Union(_) => {
                unreachable!("of no fixed size")
            }
        }
    }

    /// The statement that writes a value of fixed size to the start of a block.
    pub fn put(&self, node: &Node, block: &str, value: &str) -> String {
        match &node.kind {
            Kind::Scalar(scalar) => match scalar {
                FixedScalar::Boolean => {
                    format!("{}.PutBoolean({block}, {value});", self.cx.framework("Writer"))
                }
                FixedScalar::Byte => format!("{block}[0] = unchecked((byte){value});"),
                FixedScalar::Char => format!(
                    "{}.WriteUInt16BigEndian({block}, {value});",
                    self.cx.platform("BinaryPrimitives")
                ),
                FixedScalar::DateTime => {
                    format!("{}.PutInstant({block}, {value});", self.cx.framework("Writer"))
                }
                FixedScalar::Short
                | FixedScalar::Int
                | FixedScalar::Long
                | FixedScalar::Float
                | FixedScalar::Double => {
                    format!(
                        "{}.Write{}BigEndian({block}, {value});",
                        self.cx.platform("BinaryPrimitives"),
                        word(scalar.primitive())
                    )
                }
            },
            Kind::Record(id) | Kind::Enum(id) => format!("{}.Put({block}, {value});", self.cx.codec(*id)),
            Kind::String(_)
            | Kind::Decimal
            | Kind::Bytes { .. }
            | Kind::Array { .. }
            | Kind::Map { .. }
            | Kind::Optional(_)
            | Kind::Union(_) => {
                unreachable!("of no fixed size")
            }
        }
    }
}

/// The minimum size of a value, as far as a count can make use of it.
fn min_size(node: &Node) -> u64 {
    node.shape.min_size.min(i32::MAX as u64 / 2)
}

/// `block` from an offset on.
pub fn at(block: &str, offset: u64) -> String {
    if offset == 0 { block.to_owned() } else { format!("{block}[{offset}..]") }
}

/// The platform's word for a primitive, as it stands in the names of the methods that read and write it.
pub fn word(primitive: Primitive) -> &'static str {
    match primitive {
        Primitive::Boolean => "Boolean",
        Primitive::Byte => "SByte",
        Primitive::Short => "Int16",
        Primitive::Char => "Char",
        Primitive::Int => "Int32",
        Primitive::Long => "Int64",
        Primitive::Float => "Single",
        Primitive::Double => "Double",
        Primitive::String => "String",
        Primitive::DateTime => "Instant",
        Primitive::Decimal => "Decimal",
    }
}
