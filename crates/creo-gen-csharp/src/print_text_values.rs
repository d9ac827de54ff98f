//! Prints statements that write values to text wires, and expressions that read them.

use crate::lang::{Code, Field, TextRecord, TextStep, Value};
use crate::names_scope::{Locals, Scope};
use crate::print_shared::repeat;
use crate::print_text_fields::constant;
use creo_codegen::Writer;

/// Prints the body of a writing function.
pub struct Values<'a> {
    scope: &'a Scope<'a>,
    pub locals: Locals,
}

impl<'a> Values<'a> {
    /// `taken` are the names of parameters.
    pub fn new<'s>(scope: &'a Scope<'a>, taken: impl IntoIterator<Item = &'s str>) -> Values<'a> {
        Values { scope, locals: Locals::new(taken) }
    }

    /// Writes fields of a record. `own` is its own element.
    pub fn write_fields(
        &mut self,
        w: &mut Writer,
        fields: &[Field],
        text: &TextRecord,
        steps: &[TextStep],
        accessors: &[String],
        own: &str,
    ) {
        for step in steps {
            match step {
                TextStep::Field(i) => {
                    self.write(w, &fields[*i].value, &constant(&text.suffix, *i), &accessors[*i])
                }
                TextStep::AttributeMap(i) => w.line(format!(
                    "writer.WriteAttributeMap({}, {});",
                    constant(&text.suffix, *i),
                    accessors[*i]
                )),
                TextStep::AbsentText(i) => {
                    w.line(format!("if ({} is null)", accessors[*i]));
                    w.block("{", "}", |w| w.line("writer.AbsentText();"));
                }
                TextStep::Content => w.line(format!("writer.Content({own}, Record{});", text.suffix)),
            }
        }
    }

    /// Writes the statements that write the value `v` as the field `f`.
    pub fn write(&mut self, w: &mut Writer, value: &Value, f: &str, v: &str) {
        if let Some(word) = value.text_word {
            w.line(format!("writer.Write{word}({f}, {v});"));
            return;
        }
        match &value.code {
            Code::Word(word) => w.line(format!("writer.Write{word}({f}, {v});")),
            Code::Declared(classes) => {
                w.line(format!("{}.Write(writer, {f}, {v});", self.scope.class(&classes.text)))
            }
            Code::Optional { value, .. } => {
                let local = self.locals.fresh("present");
                w.line(format!("if ({v} is {{ }} {local})"));
                w.block("{", "}", |w| self.write(w, value, f, &local));
                w.line("else");
                w.block("{", "}", |w| w.line(format!("writer.WriteAbsent({f});")));
            }
            Code::Items { item, .. } => {
                let (items, field) = (self.locals.fresh("items"), self.locals.fresh("itemField"));
                w.line(format!("var {items} = {v}.Span;"));
                w.line(format!("var {field} = writer.BeginItems({f}, {items}.Length);"));
                let i = self.locals.enter_loop();
                repeat(w, &format!("{items}.Length"), &i, |w| {
                    w.line(format!("writer.Item({i});"));
                    self.write(w, item, &field, &format!("{items}[{i}]"));
                });
                self.locals.leave_loop();
                w.line(format!("writer.EndItems({f});"));
            }
            Code::Entries { key, value, .. } => {
                let (entries, field) = (self.locals.fresh("entries"), self.locals.fresh("partField"));
                w.line(format!("var {entries} = ({v} ?? throw writer.Missing({f})).Entries;"));
                w.line(format!("writer.BeginEntries({f}, {entries}.Length);"));
                let i = self.locals.enter_loop();
                repeat(w, &format!("{entries}.Length"), &i, |w| {
                    w.line(format!("var {field} = writer.Key({f}, {i});"));
                    self.write(w, key, &field, &format!("{entries}[{i}].Key"));
                    w.line(format!("{field} = writer.Value({f});"));
                    self.write(w, value, &field, &format!("{entries}[{i}].Value"));
                    w.line(format!("writer.EndEntry({f});"));
                });
                self.locals.leave_loop();
                w.line(format!("writer.EndEntries({f});"));
            }
        }
    }
}

/// Reads the fields of a record into local variables `f{i}`, without its end.
pub fn read_fields(w: &mut Writer, scope: &Scope, fields: &[Field], text: &TextRecord) {
    w.line(format!("reader.Begin(Record{});", text.suffix));
    for (i, field) in fields.iter().enumerate() {
        w.line(format!("{} f{i} = {};", field.value.ty.text(scope), field.unread));
    }
    if fields.is_empty() {
        w.line("reader.Next(0);");
        return;
    }
    w.line("for (int i = reader.Next(0); i >= 0; i = reader.Next(i + 1))");
    w.block("{", "}", |w| {
        w.line("switch (i)");
        w.block("{", "}", |w| {
            for (i, field) in fields.iter().enumerate() {
                w.line(format!("case {i}:"));
                w.indented(|w| {
                    w.line(format!("f{i} = {};", read(scope, &field.value)));
                    w.line("break;");
                });
            }
        });
    });
    for i in &text.inline {
        w.line(format!("if (reader.Lacks({i}))"));
        w.block("{", "}", |w| w.line(format!("f{i} = {};", read(scope, &fields[*i].value))));
    }
}

/// The expression that reads a value.
pub fn read(scope: &Scope, value: &Value) -> String {
    if let Some(word) = value.text_word {
        return format!("reader.Read{word}()");
    }
    match &value.code {
        Code::Word(word) => format!("reader.Read{word}()"),
        Code::Declared(classes) => format!("{}.Read(reader)", scope.class(&classes.text)),
        Code::Optional { value: held, .. } => {
            let cast = if held.ty.is_value() { format!("({})", value.ty.text(scope)) } else { String::new() };
            format!("reader.ReadNil() ? null : {cast}{}", read(scope, held))
        }
        Code::Items { item, .. } => {
            format!("reader.ReadItems<{}>({})", item.ty.text(scope), function(scope, item))
        }
        Code::Entries { key, value, .. } => {
            let (key_ty, value_ty) = (key.ty.text(scope), value.ty.text(scope));
            let (key, value) = (function(scope, key), function(scope, value));
            format!("reader.ReadEntries<{key_ty}, {value_ty}>({key}, {value})")
        }
    }
}

/// The function that reads a value.
fn function(scope: &Scope, value: &Value) -> String {
    match &value.code {
        Code::Declared(classes) => format!("{}.Read", scope.class(&classes.text)),
        Code::Word(_) | Code::Optional { .. } | Code::Items { .. } | Code::Entries { .. } => {
            format!("static reader => {}", read(scope, value))
        }
    }
}
