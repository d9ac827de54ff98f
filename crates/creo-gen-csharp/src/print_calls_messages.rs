//! Prints reading and writing of both messages of each method. Clients write requests and read results; programs that measure messages also
//! do the reverse.

use crate::lang::{Message, Method, Output, Service};
use crate::names_scope::Scope;
use crate::print_binary_values::Values;
use crate::print_calls::{arguments_type, result_type};
use crate::print_shared::{Frame, file, parts, together};
use crate::print_text_calls::{Parameter, declare_element, element, header, read_message, written};
use crate::print_text_fields::{declare_record, namespaces};
use creo_codegen::{Files, Writer};

/// The namespace of the class `Message<T>`, which the build must add.
const NAMESPACE: &str = "Creo.Measured";

/// A class `Messages{index}` for each interface, whose `All` has the messages; and `AllMessages`, which has those of all interfaces.
pub fn print(output: &Output, files: &mut Files) {
    for service in &output.services {
        // Deprecated methods are measured too.
        let frame = Frame { output, namespace: NAMESPACE, nests: true, touches_deprecated: true };
        let text = file(&frame, |w, scope| messages(w, scope, service));
        files.add(format!("Measured/Messages{}.cs", service.index), text);
    }
    let frame = Frame { output, namespace: NAMESPACE, nests: true, touches_deprecated: false };
    let text = file(&frame, |w, _| {
        w.line("internal static class AllMessages");
        w.block("{", "}", |w| {
            let each = output.services.iter().map(|service| format!(".. Messages{}.All", service.index));
            let all = each.collect::<Vec<_>>().join(", ");
            w.line(format!("public static Message[] All {{ get; }} = [{all}];"));
        });
    });
    files.add("Measured/AllMessages.cs", text);
}

fn messages(w: &mut Writer, scope: &Scope, service: &Service) {
    w.line(format!("internal static class Messages{}", service.index));
    w.block("{", "}", |w| {
        namespaces(w, &service.namespaces_both_ways);
        // A method with streams has more than its two messages.
        let methods = || service.methods.iter().filter(|method| !method.has_streams());
        for message in methods().flat_map(Method::messages) {
            declare_record(w, scope, &message.record.text);
            message.header.iter().for_each(|header| declare_record(w, scope, &header.body.record.text));
            declare_element(w, scope, message);
        }
        w.blank();
        w.line("public static Message[] All { get; } =");
        w.block("[", "];", |w| {
            for method in methods() {
                let name = format!("{}.{}", service.full_name, method.wire_name);
                for message in method.messages() {
                    self::message(w, &name, &ty(scope, method, message), method, message);
                }
            }
        });
        for method in methods() {
            for message in method.messages() {
                functions(w, scope, &ty(scope, method, message), message);
            }
        }
    });
}

fn is_request(method: &Method, message: &Message) -> bool {
    std::ptr::eq(&method.request, message)
}

fn ty(scope: &Scope, method: &Method, message: &Message) -> String {
    if is_request(method, message) { arguments_type(scope, method) } else { result_type(scope, method) }
}

/// A message as an object.
fn message(w: &mut Writer, name: &str, ty: &str, method: &Method, message: &Message) {
    let suffix = &message.record.text.suffix;
    w.line(format!("new Message<{ty}>(\"{name}\")"));
    w.block("{", "},", |w| {
        let facts = if is_request(method, message) {
            format!("IsRequest = true, HasHeaders = {}, ", message.header.is_some())
        } else {
            String::new()
        };
        w.line(format!("{facts}Fields = {},", message.record.fields.len()));
        w.line(format!("Encode = Encode{suffix},"));
        w.line(format!("Decode = Decode{suffix},"));
        w.line(format!("Written = {}{},", written(message), header(message)));
        w.line(format!("Whole = new({}, Record{suffix}, Read{suffix}),", element(message)));
        // A client's runtime skips headers: its body reader has no fields for them.
        let body = message.header.as_ref().map_or(suffix, |header| &header.body.record.text.suffix);
        w.line(format!("Body = new({}, Record{body}, Read{body}),", element(message)));
    });
}

fn functions(w: &mut Writer, scope: &Scope, ty: &str, message: &Message) {
    let record = &message.record;
    let suffix = &record.text.suffix;
    w.blank();
    w.line(format!("private static void Encode{suffix}({} writer, {ty} value)", scope.runtime("Writer")));
    w.block("{", "}", |w| {
        let accessors = parts("value", record.fields.len());
        let mut values = Values::new(scope, ["writer", "value"]);
        values.write_fields(w, &record.fields, &record.writes, &accessors);
    });
    w.blank();
    w.line(format!("private static {ty} Decode{suffix}(ref {} reader)", scope.runtime("Reader")));
    let locals: Vec<&str> = record.fields.iter().map(|field| field.local.as_str()).collect();
    w.block("{", "}", |w| {
        let mut values = Values::new(scope, ["reader"].into_iter().chain(locals.iter().copied()));
        values.read_fields(w, &record.fields, &record.reads);
        w.line(format!("return {};", together(&locals, "default")));
    });
    let parameter = Parameter { scope, ty, name: "value" };
    parameter.write_message(w, message);
    parameter.write_headers(w, message);
    read_message(w, scope, ty, record, &together(&locals, "default"));
    if let Some(header) = &message.header {
        // Header parameters then have no value.
        let value = |index: &Option<usize>| index.map_or("default!".to_owned(), |index| format!("f{index}"));
        let values: Vec<String> = header.body.indices.iter().map(value).collect();
        read_message(w, scope, ty, &header.body.record, &together(&values, "default"));
    }
}
