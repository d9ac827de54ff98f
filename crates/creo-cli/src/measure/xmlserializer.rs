//! .NET's XmlSerializer beside Creo in C#: annotated classes for the messages of a description, as a user of it would write them. Parts of the XML that it
//! has no means for, or none as simple, are refused.

use crate::failure::Failure;
use creo_codegen::Writer;
use creo_model::text::{Field, Message, Name, Place, Record, TextPlan, Union, Value, text_plan};
use creo_model::{CheckedModel, Primitive, TypeId, TypeKind};

/// The driver's part that uses the classes.
pub const DRIVER: (&str, &str) = ("Measured/XmlStack.cs", include_str!("../../calibrate/csharp/XmlStack.cs"));

/// The classes, and a table of those of the messages.
pub fn classes(model: &CheckedModel) -> Result<(&'static str, String), Failure> {
    let plan = text_plan(model);
    let mut made = Classes { plan: &plan, model, inner: Writer::new("    "), count: 0 };
    let mut w = Writer::new("    ");
    w.line("#nullable disable");
    w.line("using System;");
    w.line("using System.Collections.Generic;");
    w.line("using System.Xml.Serialization;");
    w.blank();
    w.line("namespace Creo.Measured.Classes;");
    for id in model.type_ids() {
        w.blank();
        match model.ty(id).kind {
            TypeKind::Struct(_) | TypeKind::Exception(_) => made.record(&mut w, &class(id), plan.record(id), "")?,
            TypeKind::Union(_) => made.union(&mut w, id, plan.union(id))?,
            TypeKind::Enum(_) => {
                w.line(format!("public enum {}", class(id)));
                let texts = plan.enumeration(id).texts.iter().enumerate();
                w.block("{", "}", |w| w.lines(texts.map(|(i, text)| format!("[XmlEnum({})] C{i},", quoted(text)))));
            }
        }
    }
    let mut table = Vec::new();
    for (index, interface) in model.interfaces.iter().enumerate() {
        for (number, (method, text)) in interface.methods.iter().zip(&plan.interface(index).methods).enumerate() {
            let name = format!("{}.{}", model.interface_name(interface), method.name);
            for (part, message) in [("request", Some(&text.request)), ("response", text.response.as_ref())] {
                let Some(message) = message else { continue };
                let class = format!("M{index}_{number}_{part}");
                w.blank();
                made.message(&mut w, &class, &name, message)?;
                table.push(format!("[\"{part} {name}\"] = typeof({class}),"));
            }
        }
    }
    w.lines(made.inner.finish().lines());
    w.blank();
    w.line("internal static class AllClasses");
    w.block("{", "}", |w| {
        w.line("public static Dictionary<string, Type> Of { get; } = new()");
        w.block("{", "};", |w| w.lines(table));
    });
    Ok(("Measured/Classes.cs", w.finish()))
}

fn class(id: TypeId) -> String {
    format!("T{}", id.0)
}

/// Any text as a literal.
fn quoted(text: &str) -> String {
    format!("@\"{}\"", text.replace('"', "\"\""))
}

struct Classes<'a> {
    plan: &'a TextPlan,
    model: &'a CheckedModel,
    /// Classes of elements that no type of the description stands for: those around items and entries.
    inner: Writer,
    count: usize,
}

/// A type of .NET.
struct Type {
    name: String,
    /// It has no null of its own.
    value: bool,
    /// The word of XML Schema, where XmlSerializer would take another.
    schema: Option<&'static str>,
}

impl Type {
    fn new(name: &str, value: bool) -> Type {
        Type { name: name.to_owned(), value, schema: None }
    }
}

impl Classes<'_> {
    fn message(&mut self, w: &mut Writer, class: &str, name: &str, message: &Message) -> Result<(), Failure> {
        if message.bare || message.record.fields.iter().any(|field| field.place == Place::Header) {
            return Err(refused(name, "a body or a header without the method's own element"));
        }
        w.line(format!("[XmlRoot({}, Namespace = {})]", quoted(&message.element.local), self.namespace(&message.element)));
        self.record(w, class, &message.record, name)
    }

    fn record(&mut self, w: &mut Writer, class: &str, record: &Record, of: &str) -> Result<(), Failure> {
        let mut members = Writer::new("    ");
        for (i, field) in record.fields.iter().enumerate() {
            let of = if of.is_empty() { &record.xml.local } else { of };
            self.member(&mut members, &format!("F{i}"), field, of)?;
        }
        w.line(format!("public sealed class {class}"));
        w.block("{", "}", |w| w.lines(members.finish().lines()));
        Ok(())
    }

    /// A union is one element of several; the others are nothing.
    fn union(&mut self, w: &mut Writer, id: TypeId, union: &Union) -> Result<(), Failure> {
        let of = self.model.full_name(id);
        if union.derived || union.members.iter().any(|member| matches!(member.value, Value::Optional(_))) {
            return Err(refused(&of, "members that are told by `xsi:type`, or that can be nothing"));
        }
        let mut members = Writer::new("    ");
        for (i, member) in union.members.iter().enumerate() {
            let member = Field { value: Value::Optional(Box::new(member.value.clone())), nillable: false, ..member.clone() };
            self.member(&mut members, &format!("F{i}"), &member, &of)?;
        }
        w.line(format!("public sealed class {}", class(id)));
        w.block("{", "}", |w| w.lines(members.finish().lines()));
        Ok(())
    }

    fn member(&mut self, w: &mut Writer, name: &str, field: &Field, of: &str) -> Result<(), Failure> {
        let place = match field.place {
            Place::Element => "XmlElement",
            Place::Attribute => "XmlAttribute",
            Place::Text => "XmlText",
            Place::Inline | Place::Any | Place::AnyAttribute | Place::Header => {
                return Err(refused(of, &format!("`{}`, which has no element of its own", field.name)));
            }
        };
        let (ty, brackets, optional, nil) = match &field.value {
            Value::Repeated(item) => match &item.value {
                Value::Optional(inner) => (self.ty(inner, item, of)?, "[]", true, item.nillable),
                value => (self.ty(value, item, of)?, "[]", false, false),
            },
            Value::Optional(inner) => (self.ty(inner, field, of)?, "", true, field.nillable),
            value => (self.ty(value, field, of)?, "", false, false),
        };
        let mut arguments = Vec::new();
        if place != "XmlText" {
            arguments.push(quoted(&field.xml.local));
            // An attribute without a namespace must not be told so.
            if place == "XmlElement" || field.xml.namespace.is_some() {
                arguments.push(format!("Namespace = {}", self.namespace(&field.xml)));
            }
        }
        if nil {
            arguments.push("IsNullable = true".to_owned());
        }
        arguments.extend(ty.schema.map(|word| format!("DataType = \"{word}\"")));
        w.line(format!("[{place}({})]", arguments.join(", ")));
        // What can be nothing without an element that says so has a field beside it, as the platform's own compiler of schemas makes it.
        let said = optional && ty.value && !nil && brackets.is_empty();
        let mark = if optional && ty.value && nil { "?" } else { "" };
        w.line(format!("public {}{mark}{brackets} {name};", ty.name));
        if said {
            w.line(format!("[XmlIgnore] public bool {name}Specified;"));
        }
        Ok(())
    }

    fn ty(&mut self, value: &Value, field: &Field, of: &str) -> Result<Type, Failure> {
        Ok(match value {
            Value::Scalar(primitive) => scalar(*primitive),
            Value::Token | Value::QName => Type::new("string", false),
            Value::Bytes { hex } => Type { schema: hex.then_some("hexBinary"), ..Type::new("byte[]", false) },
            Value::Enum(id) => Type::new(&class(*id), true),
            Value::Record(id) | Value::Union(id) => Type::new(&class(*id), false),
            Value::Wrapped(item) => {
                let repeated = Field { value: Value::Repeated(item.clone()), nillable: false, ..item.as_ref().clone() };
                self.around(&[("Items", &repeated)], of)?
            }
            Value::Entries(key, value) => {
                let entry = self.around(&[("Key", key), ("Value", value)], of)?;
                let name = self.next();
                self.inner.blank();
                let attribute = format!("[XmlElement(\"entry\", Namespace = {})]", self.namespace(&field.xml));
                self.inner.line(format!("public sealed class {name}"));
                self.inner.block("{", "}", |w| {
                    w.line(attribute);
                    w.line(format!("public {}[] Entries;", entry.name));
                });
                Type::new(&name, false)
            }
            Value::Optional(_) | Value::Repeated(_) | Value::Raw | Value::List(_) | Value::Attributes => {
                return Err(refused(of, &format!("`{}`, which is a text of several values, or XML as it stands", field.name)));
            }
        })
    }

    /// A class of its own for an element that holds others.
    fn around(&mut self, members: &[(&str, &Field)], of: &str) -> Result<Type, Failure> {
        let name = self.next();
        let mut inner = Writer::new("    ");
        for (member, field) in members {
            self.member(&mut inner, member, field, of)?;
        }
        self.inner.blank();
        self.inner.line(format!("public sealed class {name}"));
        self.inner.block("{", "}", |w| w.lines(inner.finish().lines()));
        Ok(Type::new(&name, false))
    }

    fn next(&mut self) -> String {
        self.count += 1;
        format!("W{}", self.count)
    }

    fn namespace(&self, name: &Name) -> String {
        quoted(name.namespace.map_or("", |index| &self.plan.namespaces()[index]))
    }
}

fn scalar(primitive: Primitive) -> Type {
    match primitive {
        Primitive::Boolean => Type::new("bool", true),
        Primitive::Byte => Type::new("sbyte", true),
        Primitive::Short => Type::new("short", true),
        Primitive::Char => Type::new("char", true),
        Primitive::Int => Type::new("int", true),
        Primitive::Long => Type::new("long", true),
        Primitive::Float => Type::new("float", true),
        Primitive::Double => Type::new("double", true),
        Primitive::String => Type::new("string", false),
        Primitive::DateTime => Type::new("DateTime", true),
        Primitive::Decimal => Type::new("decimal", true),
    }
}

fn refused(of: &str, what: &str) -> Failure {
    Failure::new(format!("XmlSerializer cannot be measured with {of}: it has {what}")).help("leave the wire xmlserializer out")
}

#[cfg(test)]
mod tests {
    use super::*;
    use creo_model::compile;

    fn made(text: &str) -> Result<String, String> {
        let model = compile(&[("test.creo", text)]).map_err(|report| report.to_string())?;
        classes(&model).map(|(_, text)| text).map_err(|failure| format!("{failure:?}"))
    }

    #[test]
    fn each_kind_of_value_has_a_member() {
        let text = made(
            "@PACKAGE(\"p\") @NAMESPACE(\"urn:p\") enum E { A, B } union U { int a; String b; }
             struct S { int a; String? b; int? c; E[] d; int?[] e; int[][] f; Map<String, int> g; U h; @Xml(attribute) String i; byte[] j; }
             interface I { void m(S s, DateTime t); }",
        );
        let text = text.unwrap_or_else(|why| panic!("{why}"));
        for line in [
            "[XmlElement(@\"a\", Namespace = @\"urn:p\")]",
            "public int F0;",
            "public string F1;",
            "public int F2;",
            "[XmlIgnore] public bool F2Specified;",
            "public T0[] F3;",
            "[XmlElement(@\"e\", Namespace = @\"urn:p\", IsNullable = true)]",
            "public int?[] F4;",
            "[XmlElement(@\"item\", Namespace = @\"urn:p\")]",
            "[XmlElement(\"entry\", Namespace = @\"urn:p\")]",
            "[XmlAttribute(@\"i\")]",
            "public byte[] F9;",
            "[XmlRoot(@\"m\", Namespace = @\"urn:p\")]",
            "public DateTime F1;",
            "[\"request p.I.m\"] = typeof(M0_0_request),",
            "[\"response p.I.m\"] = typeof(M0_0_response),",
        ] {
            assert!(text.contains(line), "{line} in {text}");
        }
    }

    #[test]
    fn what_it_has_no_means_for_is_refused() {
        for text in [
            "struct S { @Xml(any) String a; }",
            "struct S { @Xml(attribute, list) int[] a; }",
            "struct T { int x; } struct S { @Xml(inline) T a; }",
            "interface I { void m(@Xml(header) String? a); }",
        ] {
            let why = made(text).err().unwrap_or_else(|| panic!("{text}"));
            assert!(why.contains("XmlSerializer cannot be measured"), "{why}");
        }
    }
}
