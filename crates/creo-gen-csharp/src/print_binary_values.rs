//! Prints statements that write values to the binary wire and read them.

use crate::lang::{Code, Field, Placed, Slot, Step, Ty, Value};
use crate::names_scope::{Locals, Scope};
use crate::print_shared::repeat;
use crate::scalars::Block;
use creo_codegen::Writer;

/// The values of one method's body.
pub struct Values<'a> {
    pub scope: &'a Scope<'a>,
    pub locals: Locals,
}

impl<'a> Values<'a> {
    /// `taken` are the names of parameters and fields.
    pub fn new<'s>(scope: &'a Scope<'a>, taken: impl IntoIterator<Item = &'s str>) -> Values<'a> {
        Values { scope, locals: Locals::new(taken) }
    }

    /// Writes fields, or parameters, in sequence.
    pub fn write_fields(&mut self, w: &mut Writer, fields: &[Field], steps: &[Step], accessors: &[String]) {
        for step in steps {
            match step {
                Step::Field(index) => self.write(w, &fields[*index].value, &accessors[*index]),
                Step::Block { fields: placed, size } => {
                    let block = self.locals.fresh("block");
                    w.line(format!("var {block} = writer.Block({size});"));
                    for Placed { index, offset, slot } in placed {
                        w.line(put(self.scope, slot, &at(&block, *offset), &accessors[*index]));
                    }
                }
            }
        }
    }

    /// Reads fields, or parameters, in sequence, each into its local variable.
    pub fn read_fields(&mut self, w: &mut Writer, fields: &[Field], steps: &[Step]) {
        for step in steps {
            match step {
                Step::Field(index) => self.read_into(w, &fields[*index].value, &fields[*index].local),
                Step::Block { fields: placed, size } => {
                    let block = self.locals.fresh("block");
                    w.line(format!("var {block} = reader.Block({size});"));
                    for Placed { index, offset, slot } in placed {
                        let value = get(self.scope, slot, &at(&block, *offset));
                        w.line(format!("var {} = {value};", fields[*index].local));
                    }
                }
            }
        }
    }

    /// Writes the statements that read a value into a new local variable.
    pub fn read_into(&mut self, w: &mut Writer, value: &Value, local: &str) {
        match &value.code {
            Code::Items { item, min_size, charge } => {
                self.read_items(w, item, &format!("reader.ReadCount({min_size}, {charge})"), local)
            }
            Code::Optional { value: held, charge } => self.read_optional(w, &value.ty, held, *charge, local),
            Code::Word(_) | Code::Declared(_) | Code::Entries { .. } => {
                let value = self.read(w, value);
                w.line(format!("var {local} = {value};"));
            }
        }
    }

    /// Writes the statements that read a value; returns the expression for it.
    pub fn read(&mut self, w: &mut Writer, value: &Value) -> String {
        match &value.code {
            Code::Word(word) => format!("reader.Read{word}()"),
            Code::Declared(classes) => format!("{}.Decode(ref reader)", self.scope.class(&classes.codec)),
            Code::Items { .. } => {
                let local = self.locals.fresh("items");
                self.read_into(w, value, &local);
                local
            }
            Code::Optional { .. } => {
                let local = self.locals.fresh("optional");
                self.read_into(w, value, &local);
                local
            }
            Code::Entries { key, value, min_size, charge } => {
                let (entries, read_key) = (self.locals.fresh("entries"), self.locals.fresh("key"));
                let pair = self.scope.platform("KeyValuePair");
                let (key_ty, value_ty) = (key.ty.text(self.scope), value.ty.text(self.scope));
                let count = format!("reader.ReadCount({min_size}, {charge})");
                w.line(format!("var {entries} = new {pair}<{key_ty}, {value_ty}>[{count}];"));
                self.repeat(w, &format!("{entries}.Length"), |this, w, i| {
                    let key = this.read(w, key);
                    w.line(format!("var {read_key} = {key};"));
                    let value = this.read(w, value);
                    w.line(format!("{entries}[{i}] = new({read_key}, {value});"));
                });
                format!("{}.ToMap({entries})", self.scope.runtime("Reader"))
            }
        }
    }

    /// Writes a loop over `count`.
    fn repeat(&mut self, w: &mut Writer, count: &str, body: impl FnOnce(&mut Self, &mut Writer, &str)) {
        let i = self.locals.enter_loop();
        repeat(w, count, &i, |w| body(self, w, &i));
        self.locals.leave_loop();
    }

    fn read_optional(&mut self, w: &mut Writer, ty: &Ty, held: &Value, charge: u64, local: &str) {
        w.line(format!("{} {local} = null;", ty.text(self.scope)));
        w.line(format!("if (reader.ReadPresence({charge}))"));
        w.block("{", "}", |w| {
            let value = self.read(w, held);
            w.line(format!("{local} = {value};"));
        });
    }

    fn read_items(&mut self, w: &mut Writer, item: &Value, count: &str, items: &str) {
        let ty = item.ty.text(self.scope);
        match item.fixed.as_ref().filter(|fixed| fixed.size > 0) {
            Some(fixed) => {
                // Values without references, all of which are set: they need not be zeroed first.
                let allocate = format!("{}.AllocateUninitializedArray", self.scope.platform("GC"));
                w.line(format!("var {items} = {allocate}<{ty}>({count});"));
                let (blocks, size) = (self.locals.fresh("blocks"), fixed.size);
                w.line(format!("var {blocks} = reader.Blocks({items}.Length, {size});"));
                self.repeat(w, &format!("{items}.Length"), |this, w, i| {
                    let block = format!("{blocks}.Slice({i} * {size}, {size})");
                    w.line(format!("{items}[{i}] = {};", get(this.scope, &fixed.slot, &block)));
                });
            }
            None => {
                w.line(format!("var {items} = new {ty}[{count}];"));
                self.repeat(w, &format!("{items}.Length"), |this, w, i| {
                    let value = this.read(w, item);
                    w.line(format!("{items}[{i}] = {value};"));
                });
            }
        }
    }

    /// Writes the statements that write the value of an expression.
    pub fn write(&mut self, w: &mut Writer, value: &Value, v: &str) {
        match &value.code {
            Code::Word(word) => w.line(format!("writer.Write{word}({v});")),
            Code::Declared(classes) => {
                w.line(format!("{}.Encode(writer, {v});", self.scope.class(&classes.codec)))
            }
            Code::Items { item, .. } => self.write_items(w, item, v),
            Code::Optional { value: held, .. } => {
                let local = self.locals.fresh("present");
                w.line(format!("if ({v} is {{ }} {local})"));
                w.block("{", "}", |w| {
                    w.line("writer.WritePresence(true);");
                    self.write(w, held, &local);
                });
                w.line("else");
                w.block("{", "}", |w| w.line("writer.WritePresence(false);"));
            }
            Code::Entries { key, value, .. } => {
                let entry = self.locals.fresh("entry");
                w.line(format!("foreach (var {entry} in writer.WriteEntries({v}))"));
                w.block("{", "}", |w| {
                    self.write(w, key, &format!("{entry}.Key"));
                    self.write(w, value, &format!("{entry}.Value"));
                });
            }
        }
    }

    fn write_items(&mut self, w: &mut Writer, item: &Value, v: &str) {
        match item.fixed.as_ref().filter(|fixed| fixed.is_put && fixed.size > 0) {
            Some(fixed) => {
                let (items, blocks, size) =
                    (self.locals.fresh("items"), self.locals.fresh("blocks"), fixed.size);
                w.line(format!("var {items} = writer.WriteItems({v});"));
                w.line(format!("var {blocks} = writer.Blocks({items}.Length, {size});"));
                self.repeat(w, &format!("{items}.Length"), |this, w, i| {
                    let block = format!("{blocks}.Slice({i} * {size}, {size})");
                    w.line(put(this.scope, &fixed.slot, &block, &format!("{items}[{i}]")));
                });
            }
            None => {
                let local = self.locals.fresh("item");
                w.line(format!("foreach (var {local} in writer.WriteItems({v}))"));
                w.block("{", "}", |w| self.write(w, item, &local));
            }
        }
    }
}

/// The expression that reads a fixed-size value from the start of a block.
pub fn get(scope: &Scope, slot: &Slot, block: &str) -> String {
    match slot {
        Slot::Scalar(Block::Byte) => format!("unchecked((sbyte){block}[0])"),
        Slot::Scalar(Block::ByteBy(word)) => format!("{}.To{word}({block}[0])", scope.runtime("Reader")),
        Slot::Scalar(Block::By(word)) => format!("{}.To{word}({block})", scope.runtime("Reader")),
        Slot::Scalar(Block::Platform(word, cast)) => {
            format!("{cast}{}.Read{word}BigEndian({block})", scope.platform("BinaryPrimitives"))
        }
        Slot::Enum(classes) => format!("{}.FromNumber({block}[0])", scope.class(&classes.codec)),
        Slot::Record(classes) => format!("{}.Get({block})", scope.class(&classes.codec)),
    }
}

/// The statement that writes a fixed-size value to the start of a block.
pub fn put(scope: &Scope, slot: &Slot, block: &str, v: &str) -> String {
    match slot {
        Slot::Scalar(Block::Byte) => format!("{block}[0] = unchecked((byte){v});"),
        Slot::Scalar(Block::ByteBy(word) | Block::By(word)) => {
            format!("{}.Put{word}({block}, {v});", scope.runtime("Writer"))
        }
        Slot::Scalar(Block::Platform(word, _)) => {
            format!("{}.Write{word}BigEndian({block}, {v});", scope.platform("BinaryPrimitives"))
        }
        Slot::Enum(classes) | Slot::Record(classes) => {
            format!("{}.Put({block}, {v});", scope.class(&classes.codec))
        }
    }
}

/// `block` from an offset on.
pub fn at(block: &str, offset: u64) -> String {
    if offset == 0 { block.to_owned() } else { format!("{block}[{offset}..]") }
}
