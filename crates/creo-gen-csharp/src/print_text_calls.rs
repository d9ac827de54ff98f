//! Prints methods for text wires: the elements of their messages, and how they are written and read.

use crate::lang::{Message, Method, Output, Record, Service, TextStep};
use crate::literals::string;
use crate::names_scope::Scope;
use crate::print_calls::{arguments_type, result_type};
use crate::print_shared::{class_file, parts};
use crate::print_text_fields::{declare, declare_record, list, namespaces};
use crate::print_text_values::{Values, read_fields};
use creo_codegen::Writer;

pub fn print(output: &Output, service: &Service) -> String {
    class_file(output, &service.texts, service.touches_deprecated, |w, scope| {
        w.line(format!(
            "/// <summary>The methods of <c>{}</c> on text wires, such as SOAP.</summary>",
            service.full_name
        ));
        w.line(format!("internal static class {}", service.texts.name));
        w.block("{", "}", |w| {
            namespaces(w, &service.namespaces);
            let methods = || service.methods.iter().enumerate().filter(|(_, method)| method.has_text());
            let soap = methods().filter_map(|(_, method)| method.soap_response.as_ref());
            let soap = soap.map(|(message, _)| message);
            for message in methods().flat_map(|(_, method)| text_messages(method)).chain(soap) {
                declare_record(w, scope, &message.record.text);
                declare_element(w, scope, message);
            }
            for (index, method) in methods() {
                w.blank();
                self::method(w, scope, service, method, index);
            }
            for (_, method) in methods() {
                let parameter = Parameter { scope, ty: &arguments_type(scope, method), name: "arguments" };
                parameter.write_headers(w, &method.request);
                parameter.write_message(w, &method.request);
                if let Some(response) = response(method) {
                    let value = if response.record.fields.is_empty() { "default" } else { "f0" };
                    read_message(w, scope, &result_type(scope, method), &response.record, value);
                }
                if let Some(line) = &method.line {
                    self::line(w, scope, method, line);
                }
                if let Some((response, class)) = &method.soap_response {
                    let fields = response.record.fields.iter().enumerate();
                    let values: Vec<String> =
                        fields.map(|(i, field)| format!("{} = f{i}", field.name)).collect();
                    let value = format!("new {} {{ {} }}", scope.class(&class.class), values.join(", "));
                    read_message(w, scope, &result_type(scope, method), &response.record, &value);
                }
            }
        });
    })
}

/// The messages on text wires, and an item of a stream. Items that are received take the place of a response.
fn text_messages(method: &Method) -> impl Iterator<Item = &Message> {
    std::iter::once(&method.request).chain(response(method)).chain(&method.line)
}

fn response(method: &Method) -> Option<&Message> {
    method.response.as_ref().filter(|_| method.received.is_none())
}

/// The function that writes or reads an item of a stream, for the method's descriptor.
fn line(w: &mut Writer, scope: &Scope, method: &Method, line: &Message) {
    for field in &line.record.fields {
        let ty = field.value.ty.text(scope);
        if method.sent.is_some() {
            let parameter = Parameter { scope, ty: &ty, name: "item" };
            parameter.write(w, "public static void Write", line, &line.record.text.writes);
        } else {
            read_record(w, scope, &format!("public static {ty}"), &line.record, "f0");
        }
    }
}

fn method(w: &mut Writer, scope: &Scope, service: &Service, method: &Method, index: usize) {
    let (class, arguments, result) =
        (scope.runtime("TextMethod"), arguments_type(scope, method), result_type(scope, method));
    w.line(format!("public static {class}<{arguments}, {result}> Method{index} {{ get; }} = new()"));
    w.block("{", "};", |w| {
        w.line(format!("Action = {},", string(&method.action)));
        if service.is_soap12 {
            w.line(format!("Version = {}.Soap12,", scope.runtime("SoapVersion")));
        }
        if service.is_encoded {
            w.line("IsEncoded = true,");
        }
        if service.has_addressing {
            w.line("HasAddressing = true,");
        }
        w.line(format!("Request = {}{},", written(&method.request), header(&method.request)));
        w.lines(response(method).map(|message| {
            format!("Response = new({}, Record{1}, Read{1}),", element(message), message.record.text.suffix)
        }));
        w.lines(method.soap_response.as_ref().map(|(message, _)| {
            format!(
                "SoapResponse = new({}, Record{1}, Read{1}),",
                element(message),
                message.record.text.suffix
            )
        }));
        if !method.throws.is_empty() {
            let of = |classes: &std::rc::Rc<crate::lang::Classes>| {
                format!("{}.Of({}.Codec)", scope.runtime("TextCase"), scope.class(&classes.text))
            };
            let cases: Vec<String> = method.throws.iter().map(of).collect();
            w.line(format!("Throws = [{}],", cases.join(", ")));
        }
    });
}

/// Writes the constant of the element around the fields of a message, if there is one.
pub fn declare_element(w: &mut Writer, scope: &Scope, message: &Message) {
    if let Some(element) = &message.element {
        declare(w, scope, &format!("Element{}", message.record.text.suffix), element);
    }
}

/// The element around the fields of a message.
pub fn element(message: &Message) -> String {
    message
        .element
        .as_ref()
        .map_or_else(|| "null".to_owned(), |_| format!("Element{}", message.record.text.suffix))
}

/// The expression for a message that is written.
pub fn written(message: &Message) -> String {
    let (suffix, needs) = (&message.record.text.suffix, &message.needs);
    format!(
        "new({}, Record{suffix}, Write{suffix}, {}{})",
        element(message),
        needs.xsi,
        list(&needs.namespaces)
    )
}

/// The functions that write the header of a message, as an initializer.
pub fn header(message: &Message) -> String {
    let suffix = &message.record.text.suffix;
    message.header.as_ref().map_or_else(String::new, |_| {
        format!(" {{ WriteHeader = WriteHeader{suffix}, WriteAll = WriteAll{suffix} }}")
    })
}

/// The parameters of functions that write a message.
pub struct Parameter<'a> {
    pub scope: &'a Scope<'a>,
    pub ty: &'a str,
    pub name: &'a str,
}

impl Parameter<'_> {
    /// The functions for the header of a message, if it has one.
    pub fn write_headers(&self, w: &mut Writer, message: &Message) {
        if let Some(header) = &message.header {
            self.write(w, "private static void WriteHeader", message, &header.writes);
            self.write(w, "private static void WriteAll", message, &header.all);
        }
    }

    /// The function that writes the body of a message.
    pub fn write_message(&self, w: &mut Writer, message: &Message) {
        self.write(w, "private static void Write", message, &message.record.text.writes);
    }

    fn write(&self, w: &mut Writer, function: &str, message: &Message, steps: &[TextStep]) {
        let (record, writer) = (&message.record, self.scope.runtime("TextWireWriter"));
        let suffix = &record.text.suffix;
        w.blank();
        w.line(format!("{function}{suffix}({writer} writer, {} {})", self.ty, self.name));
        w.block("{", "}", |w| {
            let accessors = parts(self.name, record.fields.len());
            let mut values = Values::new(self.scope, ["writer", self.name]);
            let own = format!("Element{suffix}");
            values.write_fields(w, &record.fields, &record.text, steps, &accessors, &own);
        });
    }
}

/// The function that reads a message and returns `value`.
pub fn read_message(w: &mut Writer, scope: &Scope, ty: &str, record: &Record, value: &str) {
    read_record(w, scope, &format!("private static {ty}"), record, value);
}

/// `head`: what precedes the name of the function.
fn read_record(w: &mut Writer, scope: &Scope, head: &str, record: &Record, value: &str) {
    let suffix = &record.text.suffix;
    w.blank();
    w.line(format!("{head} Read{suffix}({} reader)", scope.runtime("TextWireReader")));
    w.block("{", "}", |w| {
        read_fields(w, scope, &record.fields, &record.text);
        w.line(format!("reader.End(Record{suffix});"));
        w.line(format!("return {value};"));
    });
}
