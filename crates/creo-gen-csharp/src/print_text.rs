//! Prints types for text wires: constants that describe their form, and the functions that write and read their values.

use crate::lang::{Enum, Field, Kind, Output, Record, Type, Union};
use crate::literals::string;
use crate::names_scope::Scope;
use crate::print_shared::{class_file, initializer};
use crate::print_text_fields::{declare, declare_record, field, is, list, namespaces};
use crate::print_text_values::{Values, read, read_fields};
use creo_codegen::{Wire, Wires, Writer};

/// The parameters of the two functions.
const PARAMETERS: [&str; 3] = ["writer", "field", "value"];

pub fn print(output: &Output, ty: &Type, wires: Wires) -> String {
    class_file(output, &ty.classes.text, ty.touches_deprecated, |w, scope| {
        let described = ty.classes.class.in_full();
        w.line(format!("/// <summary><see cref=\"{described}\"/> on text wires, such as XML.</summary>"));
        w.line(format!("public static class {}", ty.classes.text.name));
        w.block("{", "}", |w| {
            let text = Text { scope, ty, class: scope.class(&ty.classes.class), wires };
            namespaces(w, &ty.namespaces);
            match &ty.kind {
                Kind::Struct(record) | Kind::Exception(record) => {
                    declare_record(w, scope, &record.text);
                    text.whole(w, Some(("TextRecord", "Record")));
                    text.record(w, record);
                }
                Kind::Enum(enumeration) => {
                    text.enum_constant(w, enumeration);
                    text.whole(w, None);
                    text.write(w, |w| w.line("writer.WriteEnum(field, Enum, (int)value);"));
                    text.read(w, |w| w.line(format!("return ({})reader.ReadEnum(Enum);", text.class)));
                }
                Kind::Union(union) => {
                    text.union_constants(w, union);
                    text.whole(w, Some(("TextUnion", "Union")));
                    text.union(w, union);
                }
            }
        });
    })
}

/// The text class of a type.
struct Text<'a> {
    scope: &'a Scope<'a>,
    ty: &'a Type,
    /// The class of the values, as the file writes it.
    class: String,
    wires: Wires,
}

impl Text<'_> {
    /// Whole values as XML, JSON and tables. `known`: the class and constant of the type's text description.
    fn whole(&self, w: &mut Writer, known: Option<(&str, &str)>) {
        let (scope, name) = (self.scope, &self.class);
        let (codec, span) = (scope.runtime("TextCodec"), scope.platform("ReadOnlySpan"));
        let (full_name, root) = (string(&self.ty.full_name), field(scope, &self.ty.root));
        let needs = format!("{}{}", self.ty.needs.xsi, list(&self.ty.needs.namespaces));
        w.blank();
        w.line("/// <summary>The pair of functions as an object.</summary>");
        w.line(format!(
            "public static {codec}<{name}> Codec {{ get; }} = new({full_name}, {root}, Write, Read, {needs});"
        ));
        let table = "a table in XML, in the record scheme or another";
        for (wire, word, what, shown) in [
            (Wire::Soap, "Xml", "XML, an element of its own", "XML"),
            (Wire::Json, "Json", "JSON", "JSON"),
            (Wire::Tdxml, "Tdxml", table, "a table in XML"),
        ] {
            if !self.wires.has(wire) {
                continue;
            }
            let (options, given) = if wire == Wire::Tdxml {
                (format!(", {}? options = null", scope.runtime("TableOptions")), ", options")
            } else {
                (String::new(), "")
            };
            let parameter = word.to_ascii_lowercase();
            w.blank();
            w.line(format!("/// <summary>The value as {what}.</summary>"));
            w.line(format!(
                "public static byte[] To{word}({name} value{options}) => Codec.To{word}(value{given});"
            ));
            w.blank();
            w.line(format!("/// <summary>The value of {shown}.</summary>"));
            w.line(format!(
                "public static {name} From{word}({span}<byte> {parameter}) => Codec.From{word}({parameter});"
            ));
        }
        if let Some((class, constant)) = known {
            w.blank();
            w.line("/// <summary>What text wires know of the type. For generated code.</summary>");
            w.line(format!("public static {} Type() => {constant};", scope.runtime(class)));
        }
    }

    fn record(&self, w: &mut Writer, record: &Record) {
        let fields = record.fields.as_slice();
        self.write(w, |w| {
            if record.layout.is_none() {
                w.line("if (value is null)");
                w.block("{", "}", |w| w.line("throw writer.Missing(field);"));
            }
            w.line("writer.BeginRecord(field, Record);");
            let accessors: Vec<String> = fields.iter().map(|field| format!("value.{}", field.name)).collect();
            let (text, mut values) = (&record.text, Values::new(self.scope, PARAMETERS));
            values.write_fields(w, fields, text, &text.writes, &accessors, "field");
            w.line("writer.EndRecord(field, Record);");
        });
        self.read(w, |w| {
            read_fields(w, self.scope, fields, &record.text);
            w.line("reader.End(Record);");
            if fields.is_empty() {
                w.line(format!("return new {}();", self.class));
                return;
            }
            w.line(format!("return new {}", self.class));
            w.block("{", "};", |w| {
                w.lines(fields.iter().enumerate().map(|(i, field)| format!("{} = f{i},", field.name)));
            });
        });
    }

    fn union_constants(&self, w: &mut Writer, union: &Union) {
        let mut members = String::new();
        for (i, member) in union.text.members.iter().enumerate() {
            declare(w, self.scope, &format!("Member{i}"), member);
            members.push_str(&format!(", Member{i}"));
        }
        let facts: Vec<String> = union.text.facts.iter().map(is).collect();
        w.line(format!(
            "private static readonly {} Union = new({}{members}){};",
            self.scope.runtime("TextUnion"),
            string(&self.ty.full_name),
            initializer(&facts)
        ));
    }

    fn union(&self, w: &mut Writer, union: &Union) {
        let own = self.ty.classes.class.in_full();
        self.write(w, |w| {
            let mut values = Values::new(self.scope, PARAMETERS);
            w.line("switch (value)");
            w.block("{", "}", |w| {
                for (i, member) in union.members.iter().enumerate() {
                    let (local, field) = (values.locals.fresh("member"), values.locals.fresh("memberField"));
                    w.line(format!("case {own}.{} {local}:", member.name));
                    w.block("{", "}", |w| {
                        w.line(format!("var {field} = writer.BeginUnion(field, Union, {i});"));
                        values.write(w, &member.value, &field, &format!("{local}.Value"));
                        w.line("break;");
                    });
                    w.blank();
                }
                if let Some(unknown) = &union.unknown {
                    let local = values.locals.fresh("member");
                    w.line(format!("case {own}.{unknown} {local}:"));
                    w.indented(|w| {
                        w.line(format!("throw writer.UnknownMember(field, Union, {local}.Index);"))
                    });
                }
                w.line("default:");
                w.indented(|w| w.line("throw writer.Missing(field);"));
            });
            w.line("writer.EndUnion(field, Union);");
        });
        self.read(w, |w| {
            w.line(format!("{own} value = reader.Member(Union) switch"));
            w.block("{", "};", |w| {
                let line = |(i, Field { name, value, .. }): (usize, &Field)| {
                    format!("{i} => new {own}.{name}({}),", read(self.scope, value))
                };
                w.lines(union.members.iter().enumerate().map(line));
                let exception = self.scope.platform("InvalidOperationException");
                w.line(format!("_ => throw new {exception}(\"no such member\"),"));
            });
            w.line("reader.EndUnion(Union);");
            w.line("return value;");
        });
    }

    fn enum_constant(&self, w: &mut Writer, enumeration: &Enum) {
        let constants = enumeration.constants.iter();
        let texts: Vec<String> = constants.clone().map(|constant| string(&constant.text)).collect();
        let numbers: Vec<String> = constants.clone().map(|constant| constant.number.to_string()).collect();
        let mut facts = Vec::new();
        if enumeration.is_extensible {
            facts.push(is(&"IsExtensible"));
        }
        if enumeration.has_own_texts {
            let names: Vec<String> = constants.map(|constant| string(&constant.wire_name)).collect();
            facts.push(format!("Names = [{}]", names.join(", ")));
        }
        w.line(format!(
            "private static readonly {} Enum = new({}, [{}], [{}]){};",
            self.scope.runtime("TextEnum"),
            string(&self.ty.wire_name),
            texts.join(", "),
            numbers.join(", "),
            initializer(&facts)
        ));
    }

    fn write(&self, w: &mut Writer, body: impl FnOnce(&mut Writer)) {
        w.blank();
        w.line("/// <summary>Writes a value as what a field says. For generated code.</summary>");
        w.line(format!(
            "public static void Write({} writer, {} field, {} value)",
            self.scope.runtime("TextWireWriter"),
            self.scope.runtime("TextField"),
            self.class
        ));
        w.block("{", "}", body);
    }

    fn read(&self, w: &mut Writer, body: impl FnOnce(&mut Writer)) {
        w.blank();
        w.line("/// <summary>Reads the value that the reader has come to. For generated code.</summary>");
        let reader = self.scope.runtime("TextWireReader");
        w.line(format!("public static {} Read({reader} reader)", self.class));
        w.block("{", "}", body);
    }
}
