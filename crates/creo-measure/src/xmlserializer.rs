//! .NET's XmlSerializer for comparison with Creo in C#: annotated classes for a description's messages, as a user would write them. XML
//! that it cannot express, or not easily, is refused.

use crate::failure::Failure;
use creo_check::CheckedModel;
use creo_codegen::Writer;
use creo_model::TypeId;
use creo_plan::{
    ArrayLayout, Declared, FixedScalar, Kind, Message, Name, Node, Plan, Position, Record, StringForm, Union,
    Xml,
};

/// The part of the driver that uses the classes.
pub const DRIVER: (&str, &str) = ("Measured/XmlStack.cs", include_str!("../drivers/csharp/XmlStack.cs"));

/// The classes, and a table of those for messages.
pub fn classes(model: &CheckedModel) -> Result<(&'static str, String), Failure> {
    let plan = model.plan();
    let mut made = Classes { plan, model, inner: Writer::new("    "), count: 0 };
    let mut w = Writer::new("    ");
    w.line("#nullable disable");
    w.line("using System;");
    w.line("using System.Collections.Generic;");
    w.line("using System.Xml.Serialization;");
    w.blank();
    w.line("namespace Creo.Measured.Classes;");
    for id in model.type_ids() {
        w.blank();
        match plan.declared(id) {
            Declared::Record(record) => made.record(&mut w, &class(id), record, "")?,
            Declared::Union(union) => made.union(&mut w, id, union)?,
            Declared::Enum(enumeration) => {
                w.line(format!("public enum {}", class(id)));
                let constants = enumeration.constants.iter().enumerate();
                w.block("{", "}", |w| {
                    w.lines(
                        constants.map(|(i, constant)| format!("[XmlEnum({})] C{i},", quoted(&constant.text))),
                    )
                });
            }
        }
    }
    let mut table = Vec::new();
    for (index, interface) in model.interfaces.iter().enumerate() {
        for (number, (method, planned)) in
            interface.methods.iter().zip(&plan.interface(index).methods).enumerate()
        {
            let name = format!("{}.{}", model.interface_name(interface), method.name);
            for (part, message) in
                [("request", Some(&planned.request)), ("response", planned.response.as_ref())]
            {
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

/// A text as a literal.
fn quoted(text: &str) -> String {
    format!("@\"{}\"", text.replace('"', "\"\""))
}

struct Classes<'a> {
    plan: &'a Plan,
    model: &'a CheckedModel,
    /// Classes for elements without a type in the description: wrappers of items and entries.
    inner: Writer,
    count: usize,
}

/// A .NET type.
struct Type {
    name: String,
    /// Whether it is a value type.
    value: bool,
    /// The XML Schema type if XmlSerializer would choose another.
    schema: Option<&'static str>,
}

impl Type {
    fn new(name: &str, value: bool) -> Type {
        Type { name: name.to_owned(), value, schema: None }
    }
}

/// A member of a class.
struct Member<'n> {
    name: &'n str,
    /// The name in the description, for messages.
    declared: &'n str,
    node: &'n Node,
}

impl Classes<'_> {
    fn message(&mut self, w: &mut Writer, class: &str, name: &str, message: &Message) -> Result<(), Failure> {
        if message.bare
            || message.record.fields.iter().any(|field| field.node.xml.position == Position::Header)
        {
            return Err(refused(name, "a body or a header without the method's own element"));
        }
        w.line(format!(
            "[XmlRoot({}, Namespace = {})]",
            quoted(&message.element.local),
            self.namespace(&message.element)
        ));
        self.record(w, class, &message.record, name)
    }

    fn record(&mut self, w: &mut Writer, class: &str, record: &Record, of: &str) -> Result<(), Failure> {
        let mut members = Writer::new("    ");
        for (i, field) in record.fields.iter().enumerate() {
            let of = if of.is_empty() { &record.xml.local } else { of };
            let member = Member { name: &format!("F{i}"), declared: &field.name, node: &field.node };
            self.member(&mut members, &member, of)?;
        }
        w.line(format!("public sealed class {class}"));
        w.block("{", "}", |w| w.lines(members.finish().lines()));
        Ok(())
    }

    /// A union has one of several elements; the others are null.
    fn union(&mut self, w: &mut Writer, id: TypeId, union: &Union) -> Result<(), Failure> {
        let of = self.model.full_name(id);
        if union.derived || union.members.iter().any(|member| member.node.is_optional()) {
            return Err(refused(&of, "members that are told by `xsi:type`, or that can be nothing"));
        }
        let mut members = Writer::new("    ");
        for (i, member) in union.members.iter().enumerate() {
            let node = Node { kind: Kind::Optional(Box::new(member.node.clone())), ..member.node.clone() };
            let member = Member { name: &format!("F{i}"), declared: &member.name, node: &node };
            self.member(&mut members, &member, &of)?;
        }
        w.line(format!("public sealed class {}", class(id)));
        w.block("{", "}", |w| w.lines(members.finish().lines()));
        Ok(())
    }

    fn member(&mut self, w: &mut Writer, member: &Member, of: &str) -> Result<(), Failure> {
        let Member { name, declared, node } = member;
        let xml = &node.xml;
        let attribute = match xml.position {
            Position::Element => "XmlElement",
            Position::Attribute => "XmlAttribute",
            Position::Text => "XmlText",
            Position::Inline | Position::Any | Position::AnyAttribute | Position::Header => {
                return Err(refused(of, &format!("`{declared}`, which has no element of its own")));
            }
        };
        let (item, brackets) = match &node.kind {
            Kind::Array { layout: ArrayLayout::Repeated, item, .. } => (item.as_ref(), "[]"),
            Kind::Array { layout: ArrayLayout::Wrapped | ArrayLayout::List, .. }
            | Kind::Scalar(_)
            | Kind::String(_)
            | Kind::Decimal
            | Kind::Bytes { .. }
            | Kind::Map { .. }
            | Kind::Optional(_)
            | Kind::Record(_)
            | Kind::Union(_)
            | Kind::Enum(_) => (*node, ""),
        };
        let (ty, optional, nil) =
            (self.ty(item.inner(), declared, of)?, item.is_optional(), item.xml.nillable);
        let mut arguments = Vec::new();
        if attribute != "XmlText" {
            arguments.push(quoted(&xml.name.local));
            // An attribute without a namespace must not have this argument.
            if attribute == "XmlElement" || xml.name.namespace.is_some() {
                arguments.push(format!("Namespace = {}", self.namespace(&xml.name)));
            }
        }
        if nil {
            arguments.push("IsNullable = true".to_owned());
        }
        arguments.extend(ty.schema.map(|word| format!("DataType = \"{word}\"")));
        w.line(format!("[{attribute}({})]", arguments.join(", ")));
        // An optional value without a nil element has a `Specified` field, as in classes from the platform's schema compiler.
        let said = optional && ty.value && !nil && brackets.is_empty();
        let mark = if optional && ty.value && nil { "?" } else { "" };
        w.line(format!("public {}{mark}{brackets} {name};", ty.name));
        if said {
            w.line(format!("[XmlIgnore] public bool {name}Specified;"));
        }
        Ok(())
    }

    fn ty(&mut self, node: &Node, declared: &str, of: &str) -> Result<Type, Failure> {
        Ok(match &node.kind {
            Kind::Scalar(known) => scalar(*known),
            Kind::Decimal => Type::new("decimal", true),
            Kind::String(StringForm::Plain | StringForm::Token | StringForm::QName) => {
                Type::new("string", false)
            }
            Kind::Bytes { hex } => Type { schema: hex.then_some("hexBinary"), ..Type::new("byte[]", false) },
            Kind::Enum(id) => Type::new(&class(*id), true),
            Kind::Record(id) | Kind::Union(id) => Type::new(&class(*id), false),
            Kind::Array { layout: ArrayLayout::Wrapped, item, bulk } => {
                // The items alone, in a separate class.
                let repeated = Kind::Array { layout: ArrayLayout::Repeated, item: item.clone(), bulk: *bulk };
                let xml = Xml { nillable: false, ..item.xml.clone() };
                let items = Node { kind: repeated, xml, ..node.clone() };
                self.around(&[Member { name: "Items", declared: "item", node: &items }], of)?
            }
            Kind::Map { key, value, attributes: false } => {
                let members = [
                    Member { name: "Key", declared: "key", node: key.as_ref() },
                    Member { name: "Value", declared: "value", node: value.as_ref() },
                ];
                let entry = self.around(&members, of)?;
                let name = self.next();
                self.inner.blank();
                let attribute =
                    format!("[XmlElement(\"entry\", Namespace = {})]", self.namespace(&node.xml.name));
                self.inner.line(format!("public sealed class {name}"));
                self.inner.block("{", "}", |w| {
                    w.line(attribute);
                    w.line(format!("public {}[] Entries;", entry.name));
                });
                Type::new(&name, false)
            }
            Kind::Optional(_)
            | Kind::String(StringForm::Raw)
            | Kind::Array { layout: ArrayLayout::Repeated | ArrayLayout::List, .. }
            | Kind::Map { attributes: true, .. } => {
                return Err(refused(
                    of,
                    &format!("`{declared}`, which is a text of several values, or XML as it stands"),
                ));
            }
        })
    }

    /// A separate class for an element that holds others.
    fn around(&mut self, members: &[Member], of: &str) -> Result<Type, Failure> {
        let name = self.next();
        let mut inner = Writer::new("    ");
        for member in members {
            self.member(&mut inner, member, of)?;
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

fn scalar(scalar: FixedScalar) -> Type {
    match scalar {
        FixedScalar::Boolean => Type::new("bool", true),
        FixedScalar::Byte => Type::new("sbyte", true),
        FixedScalar::Short => Type::new("short", true),
        FixedScalar::Char => Type::new("char", true),
        FixedScalar::Int => Type::new("int", true),
        FixedScalar::Long => Type::new("long", true),
        FixedScalar::Float => Type::new("float", true),
        FixedScalar::Double => Type::new("double", true),
        FixedScalar::DateTime => Type::new("DateTime", true),
    }
}

fn refused(of: &str, what: &str) -> Failure {
    Failure::new(format!("XmlSerializer cannot be measured with {of}: it has {what}"))
        .help("leave the wire xmlserializer out")
}

#[cfg(test)]
mod tests {
    use super::*;
    use creo_check::compile;

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
