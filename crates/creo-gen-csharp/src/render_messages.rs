//! Both messages of each method, each of them both ways: clients write requests and read results, and who measures what messages cost also reads the
//! one and writes the other. No part of what is generated for a description; it is compiled beside that.

use crate::context::Context;
use crate::lower::{Output, ServiceUnit};
use crate::render_codec;
use crate::render_service::{arguments_type, result_type};
use crate::render_text::{read_fields, record_constants, write_fields};
use crate::render_text_fields::{self as fields, Extra, Namespaces};
use crate::render_text_values::write;
use crate::render_values::Values;
use creo_codegen::{Files, Writer};
use creo_model::Method;
use creo_plan::{Content, Message, Position, Record};

/// The namespace of the class `Message<T>`, which whoever compiles this adds.
const NAMESPACE: &str = "Creo.Measured";

/// A class for each interface, `Messages{index}`, whose `All` holds the messages; and `AllMessages`, which holds those of all interfaces.
pub fn render(output: &Output) -> Files {
    let mut files = Files::new();
    let cx = Context::new(output, NAMESPACE, true);
    for unit in &output.services {
        files.add(format!("Measured/Messages{}.cs", unit.index), interface(output, unit));
    }
    files.add(
        "Measured/AllMessages.cs",
        cx.file(false, |w| {
            w.line("internal static class AllMessages");
            w.block("{", "}", |w| {
                let all: Vec<String> =
                    output.services.iter().map(|unit| format!(".. Messages{}.All", unit.index)).collect();
                w.line(format!("public static Message[] All {{ get; }} = [{}];", all.join(", ")));
            });
        }),
    );
    files
}

fn interface(output: &Output, unit: &ServiceUnit) -> String {
    let cx = Context::new(output, NAMESPACE, true);
    let interface = output.interface(unit);
    let full = output.model.interface_name(interface);
    // What is deprecated is measured, too.
    cx.file(true, |w| {
        w.line(format!("internal static class Messages{}", unit.index));
        w.block("{", "}", |w| {
            let mut class = Class {
                cx: &cx,
                names: Namespaces::default(),
                constants: Writer::new("    "),
                functions: Writer::new("    "),
                all: Vec::new(),
            };
            for (index, (method, plan)) in
                interface.methods.iter().zip(&output.plan.interface(unit.index).methods).enumerate()
            {
                let name = format!("{full}.{}", method.name);
                class.request(&format!("_{index}"), &name, method, &plan.request);
                if let Some(response) = &plan.response {
                    class.response(&format!("_{index}r"), &name, method, response);
                }
            }
            class.names.constants(w, &cx);
            w.lines(class.constants.finish().lines());
            w.blank();
            w.line("public static Message[] All { get; } =");
            w.block("[", "];", |w| class.all.iter().for_each(|message| w.lines(message.lines())));
            w.lines(class.functions.finish().lines());
        });
    })
}

struct Class<'a> {
    cx: &'a Context<'a>,
    names: Namespaces,
    constants: Writer,
    functions: Writer,
    all: Vec<String>,
}

impl Class<'_> {
    fn request(&mut self, of: &str, name: &str, method: &Method, message: &Message) {
        let (cx, plan) = (self.cx, &message.record);
        let ty = arguments_type(cx, method);
        record_constants(&mut self.constants, cx, plan, &method.name, of, &mut self.names);
        let headers = plan.fields.iter().any(|field| field.node.xml.position == Position::Header);
        self.binary(of, &ty, plan);
        self.write(of, &ty, plan, "Write", |position| position != Position::Header);
        if headers {
            self.write(of, &ty, plan, "WriteHeader", |position| position == Position::Header);
            self.write(of, &ty, plan, "WriteAll", |_| true);
        }
        self.read(of, &ty, plan, &locals(plan));
        // The framework of a client passes over headers: what it reads of the body has no place for them.
        let body = if headers { self.body(of, &ty, plan) } else { of.to_owned() };
        let more = if headers {
            format!(" {{ WriteHeader = WriteHeader{of}, WriteAll = WriteAll{of} }}")
        } else {
            String::new()
        };
        self.message(
            of,
            name,
            &ty,
            message,
            &format!("IsRequest = true, HasHeaders = {headers}, "),
            &more,
            &body,
        );
    }

    fn response(&mut self, of: &str, name: &str, method: &Method, message: &Message) {
        let (cx, plan) = (self.cx, &message.record);
        let ty = result_type(cx, method);
        for (i, f) in plan.fields.iter().enumerate() {
            let extra = Extra { unnamed: true, starts: Some((&plan.content.first, i)), ..Extra::default() };
            fields::declare(
                &mut self.constants,
                cx,
                &fields::constant(of, i),
                &fields::field(f, extra, &mut self.names, cx),
            );
        }
        fields::declare_record(&mut self.constants, cx, plan, "result", of, &mut self.names);
        self.binary(of, &ty, plan);
        self.write(of, &ty, plan, "Write", |_| true);
        self.read(of, &ty, plan, &locals(plan));
        self.message(of, name, &ty, message, "", "", of);
    }

    /// The message as an object. `body` names what reads it from an envelope.
    #[allow(clippy::too_many_arguments)] // The parts of one expression.
    fn message(
        &mut self,
        of: &str,
        name: &str,
        ty: &str,
        message: &Message,
        facts: &str,
        more: &str,
        body: &str,
    ) {
        let cx = self.cx;
        let element = if message.bare {
            "null".to_owned()
        } else {
            let made =
                format!("new {}(null, {})", cx.framework("TextField"), self.names.name(&message.element));
            fields::declare(&mut self.constants, cx, &format!("Element{of}"), &made);
            format!("Element{of}")
        };
        let (xsi, namespaces) =
            (message.record.content.xsi, self.names.list(&message.record.content.namespaces));
        let mut w = Writer::new("    ");
        w.line(format!("new Message<{ty}>(\"{name}\")"));
        w.block("{", "},", |w| {
            w.line(format!("{facts}Fields = {},", message.record.fields.len()));
            w.line(format!("Encode = Encode{of},"));
            w.line(format!("Decode = Decode{of},"));
            w.line(format!("Written = new({element}, Record{of}, Write{of}, {xsi}{namespaces}){more},"));
            w.line(format!("Whole = new({element}, Record{of}, Read{of}),"));
            w.line(format!("Body = new({element}, Record{body}, Read{body}),"));
        });
        self.all.push(w.finish());
    }

    fn binary(&mut self, of: &str, ty: &str, plan: &Record) {
        let (cx, w) = (self.cx, &mut self.functions);
        w.blank();
        w.line(format!("private static void Encode{of}({} writer, {ty} value)", cx.framework("Writer")));
        w.block("{", "}", |w| {
            render_codec::write_fields(
                w,
                cx,
                &mut Values::new(cx, ["writer", "value"]),
                plan,
                &accessors(plan),
            )
        });
        w.blank();
        w.line(format!("private static {ty} Decode{of}(ref {} reader)", cx.framework("Reader")));
        w.block("{", "}", |w| {
            let locals = locals(plan);
            let locals: Vec<&str> = locals.iter().map(String::as_str).collect();
            let mut values = Values::new(cx, std::iter::once("reader").chain(locals.iter().copied()));
            render_codec::read_fields(w, cx, &locals, plan, &mut values);
            w.line(format!("return {};", together(&locals)));
        });
    }

    /// A function that writes the fields in some positions.
    fn write(&mut self, of: &str, ty: &str, plan: &Record, name: &str, takes: impl Fn(Position) -> bool) {
        let (cx, w, accessors) = (self.cx, &mut self.functions, accessors(plan));
        w.blank();
        w.line(format!(
            "private static void {name}{of}({} writer, {ty} value)",
            cx.framework("TextWireWriter")
        ));
        w.block("{", "}", |w| {
            let mut values = Values::new(cx, ["writer", "value"]);
            if name == "Write" {
                write_fields(w, &mut values, plan, &accessors, &format!("Element{of}"), of);
                return;
            }
            for (i, field) in
                plan.fields.iter().enumerate().filter(|(_, field)| takes(field.node.xml.position))
            {
                let constant = fields::constant(of, i);
                if field.node.xml.position == Position::AnyAttribute {
                    w.line(format!("writer.WriteAttributeMap({constant}, {});", accessors[i]));
                } else {
                    write(w, &mut values, &field.node, &constant, &accessors[i]);
                }
            }
        });
    }

    /// The function that reads a record; `values` is what it returns.
    fn read(&mut self, of: &str, ty: &str, plan: &Record, values: &[String]) {
        let (cx, w) = (self.cx, &mut self.functions);
        w.blank();
        w.line(format!("private static {ty} Read{of}({} reader)", cx.framework("TextWireReader")));
        w.block("{", "}", |w| {
            read_fields(w, cx, plan, None, of);
            w.line(format!("reader.End(Record{of});"));
            w.line(format!("return {};", together(values)));
        });
    }

    /// The record without the parameters in the header, and what reads it; these have no value then.
    fn body(&mut self, of: &str, ty: &str, plan: &Record) -> String {
        let kept: Vec<usize> = (0..plan.fields.len())
            .filter(|i| plan.fields[*i].node.xml.position != Position::Header)
            .collect();
        let place = |old: usize| kept.iter().position(|i| *i == old);
        let body = Record {
            fields: kept.iter().map(|i| plan.fields[*i].clone()).collect(),
            text: plan.text.and_then(place),
            any: plan.any.and_then(place),
            content: Content {
                first: plan
                    .content
                    .first
                    .iter()
                    .filter_map(|(name, old)| Some((name.clone(), place(*old)?)))
                    .collect(),
                ..plan.content.clone()
            },
            ..plan.clone()
        };
        let of = format!("{of}b");
        record_constants(&mut self.constants, self.cx, &body, "body", &of, &mut self.names);
        let values: Vec<String> = (0..plan.fields.len())
            .map(|i| place(i).map_or("default!".to_owned(), |at| format!("f{at}")))
            .collect();
        self.read(&of, ty, &body, &values);
        of
    }
}

fn accessors(plan: &Record) -> Vec<String> {
    match plan.fields.len() {
        1 => vec!["value".to_owned()],
        count => (1..=count).map(|i| format!("value.Item{i}")).collect(),
    }
}

fn locals(plan: &Record) -> Vec<String> {
    (0..plan.fields.len()).map(|i| format!("f{i}")).collect()
}

/// One value is itself; several are a tuple.
fn together<S: AsRef<str>>(values: &[S]) -> String {
    match values {
        [] => "default".to_owned(),
        [one] => one.as_ref().to_owned(),
        several => format!("({})", several.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ")),
    }
}
