//! Methods as text wires know them: the elements of their messages, and how these are written and read.

use crate::context::Context;
use crate::lower::{Output, ServiceUnit};
use crate::render_service::{arguments_type, result_type};
use crate::render_text::{read_fields, record_constants, write_fields};
use crate::render_text_fields::{self as fields, Extra, Namespaces};
use crate::render_text_values::write;
use crate::render_values::Values;
use creo_codegen::Writer;
use creo_model::Method;
use creo_plan::{Message, Position};

pub fn render(output: &Output, unit: &ServiceUnit) -> String {
    let cx = Context::new(output, &unit.namespace, false);
    let interface = output.interface(unit);
    cx.file(unit.deprecated_inside, |w| {
        w.line(format!(
            "/// <summary>The methods of <c>{}</c> on text wires, such as SOAP.</summary>",
            output.model.interface_name(interface)
        ));
        w.line(format!("internal static class {}", unit.texts));
        w.block("{", "}", |w| {
            let mut class = Class {
                cx: &cx,
                names: Namespaces::default(),
                constants: Writer::new("    "),
                methods: Writer::new("    "),
                functions: Writer::new("    "),
            };
            let plan = output.plan.interface(unit.index);
            for (index, (method, text)) in interface.methods.iter().zip(&plan.methods).enumerate() {
                class.method(index, method, text, plan.soap12);
            }
            class.names.constants(w, &cx);
            w.lines(class.constants.finish().lines());
            w.lines(class.methods.finish().lines());
            w.lines(class.functions.finish().lines());
        });
    })
}

struct Class<'a> {
    cx: &'a Context<'a>,
    names: Namespaces,
    constants: Writer,
    methods: Writer,
    functions: Writer,
}

impl Class<'_> {
    fn method(&mut self, index: usize, method: &Method, plan: &creo_plan::Method, soap12: bool) {
        let cx = self.cx;
        let (arguments, result) = (arguments_type(cx, method), result_type(cx, method));
        let request = self.request(index, method, &plan.request, &arguments);
        let response = plan.response.as_ref().map(|message| self.response(index, message, &result));
        let class = cx.framework("TextMethod");
        self.methods.blank();
        self.methods
            .line(format!("public static {class}<{arguments}, {result}> Method{index} {{ get; }} = new()"));
        self.methods.block("{", "};", |w| {
            w.line(format!("Action = {},", crate::literals::string(&plan.action)));
            if soap12 {
                w.line(format!("Version = {}.Soap12,", cx.framework("SoapVersion")));
            }
            w.line(format!("Request = {request},"));
            w.lines(response.map(|made| format!("Response = {made},")));
            if !method.throws.is_empty() {
                let cases: Vec<String> = method
                    .throws
                    .iter()
                    .map(|id| format!("{}.Of({}.Codec)", cx.framework("TextCase"), cx.text(*id)))
                    .collect();
                w.line(format!("Throws = [{}],", cases.join(", ")));
            }
        });
    }

    /// Writes the constant of the element around the fields, if there is one.
    fn element(&mut self, of: &str, message: &Message) {
        if !message.bare {
            let made = format!(
                "new {}(null, {})",
                self.cx.framework("TextField"),
                self.names.name(&message.element)
            );
            fields::declare(&mut self.constants, self.cx, &format!("Element{of}"), &made);
        }
    }

    fn request(&mut self, index: usize, method: &Method, message: &Message, arguments: &str) -> String {
        let (cx, of, plan) = (self.cx, format!("_{index}"), &message.record);
        record_constants(&mut self.constants, cx, plan, &method.name, &of, &mut self.names);
        self.element(&of, message);
        let accessors: Vec<String> = match method.parameters.len() {
            1 => vec!["arguments".to_owned()],
            count => (1..=count).map(|i| format!("arguments.Item{i}")).collect(),
        };
        let parameters = format!("{} writer, {arguments} arguments", cx.framework("TextWireWriter"));
        let w = &mut self.functions;
        let headers: Vec<usize> = (0..plan.fields.len())
            .filter(|i| plan.fields[*i].node.xml.position == Position::Header)
            .collect();
        if !headers.is_empty() {
            w.blank();
            w.line(format!("private static void WriteHeader{of}({parameters})"));
            w.block("{", "}", |w| {
                let mut values = Values::new(cx, ["writer", "arguments"]);
                for i in &headers {
                    write(w, &mut values, &plan.fields[*i].node, &fields::constant(&of, *i), &accessors[*i]);
                }
            });
        }
        if !headers.is_empty() {
            w.blank();
            w.line(format!("private static void WriteAll{of}({parameters})"));
            w.block("{", "}", |w| {
                let mut values = Values::new(cx, ["writer", "arguments"]);
                for (i, field) in plan.fields.iter().enumerate() {
                    let constant = fields::constant(&of, i);
                    if field.node.xml.position == Position::AnyAttribute {
                        w.line(format!("writer.WriteAttributeMap({constant}, {});", accessors[i]));
                    } else {
                        write(w, &mut values, &field.node, &constant, &accessors[i]);
                    }
                }
            });
        }
        w.blank();
        w.line(format!("private static void Write{of}({parameters})"));
        w.block("{", "}", |w| {
            let own = format!("Element{of}");
            write_fields(w, &mut Values::new(cx, ["writer", "arguments"]), plan, &accessors, &own, &of);
        });
        let header = if headers.is_empty() {
            String::new()
        } else {
            format!(" {{ WriteHeader = WriteHeader{of}, WriteAll = WriteAll{of} }}")
        };
        let element = if message.bare { "null".to_owned() } else { format!("Element{of}") };
        format!(
            "new({element}, Record{of}, Write{of}, {}{}){header}",
            plan.content.xsi,
            self.names.list(&plan.content.namespaces)
        )
    }

    fn response(&mut self, index: usize, message: &Message, result: &str) -> String {
        let (cx, of, plan) = (self.cx, format!("_{index}r"), &message.record);
        for (i, f) in plan.fields.iter().enumerate() {
            let extra = Extra { unnamed: true, starts: Some((&plan.content.first, i)), ..Extra::default() };
            fields::declare(
                &mut self.constants,
                cx,
                &fields::constant(&of, i),
                &fields::field(f, extra, &mut self.names, cx),
            );
        }
        fields::declare_record(&mut self.constants, cx, plan, "result", &of, &mut self.names);
        self.element(&of, message);
        let w = &mut self.functions;
        w.blank();
        w.line(format!("private static {result} Read{of}({} reader)", cx.framework("TextWireReader")));
        w.block("{", "}", |w| {
            read_fields(w, cx, plan, None, &of);
            w.line(format!("reader.End(Record{of});"));
            w.line(if plan.fields.is_empty() { "return default;" } else { "return f0;" });
        });
        format!(
            "new({}, Record{of}, Read{of})",
            if message.bare { "null".to_owned() } else { format!("Element{of}") }
        )
    }
}
