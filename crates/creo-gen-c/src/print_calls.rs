//! Prints the client functions of an interface.

use crate::lang::{Fault, Field, Method, Service, Slot, Ty};
use crate::literals;
use crate::print_binary::{read_steps, write_steps};
use crate::print_calls_streams as streams;
use crate::print_shared::{comment, function};
use creo_codegen::Writer;

pub fn declare(w: &mut Writer, service: &Service) {
    comment(w, &service.about);
    w.line(format!("/* interface {} */", service.full_name));
    w.blank();
    for method in &service.methods {
        if method.has_outcome() {
            declare_outcome(w, method);
        }
        comment(w, &method.about);
        let mark = if method.about.deprecated.is_some() { "CREO_DEPRECATED " } else { "" };
        w.line(format!("{mark}{};", head(method)));
        w.blank();
        streams::declare(w, method);
    }
}

fn declare_outcome(w: &mut Writer, method: &Method) {
    let kind = format!("{}_kind", method.name);
    w.block(format!("typedef enum {kind} {{"), format!("}} {kind};"), |w| {
        let faults = method.faults.iter().map(|fault| &fault.constant);
        let kinds: Vec<&String> = std::iter::once(&method.result_constant)
            .chain(faults)
            .chain(method.read_items().map(|items| &items.constant))
            .collect();
        for (index, kind) in kinds.iter().enumerate() {
            w.line(format!("{kind} = {index}{}", if index + 1 == kinds.len() { "" } else { "," }));
        }
    });
    w.blank();
    let declared = &method.declared;
    w.line(match (method.read_items(), method.faults.is_empty()) {
        (None, _) => {
            format!("/** How {declared} ended: with its result, or with an exception that it declares. */")
        }
        (Some(_), true) => format!("/** What comes next of {declared}: an item, or the end. */"),
        (Some(_), false) => {
            format!(
                "/** What comes next of {declared}: an item, the end, or an exception that it declares. */"
            )
        }
    });
    let name = method.outcome();
    w.block(format!("typedef struct {name} {{"), format!("}} {name};"), |w| {
        w.line(format!("{kind} kind;"));
        w.block("union {", "} as;", |w| {
            if let Some(result) = &method.result {
                w.line(format!("{} {};", result.c(), method.result_member));
            }
            if let Some(items) = method.read_items() {
                w.line(format!("{} {};", items.ty.c(), items.member));
            }
            for Fault { member, ty, .. } in &method.faults {
                w.line(format!("{ty} {member};"));
            }
        });
    });
    w.blank();
}

/// A parameter of a client function.
fn parameter(field: &Field) -> String {
    let ty = field.ty.c();
    match field.slot {
        Slot::Value | Slot::Flag => format!("{ty} {}", field.name),
        Slot::Pointer | Slot::Required => format!("const {ty} *{}", field.name),
    }
}

fn head(method: &Method) -> String {
    let mut list = vec!["creo_client *client".to_owned()];
    list.extend(method.parameters.iter().map(parameter));
    if method.streams.is_some() {
        list.push("creo_stream *stream".to_owned());
    } else if !method.oneway {
        list.push("creo_arena *arena".to_owned());
    }
    if let Some((ty, name)) = method.out().filter(|_| method.streams.is_none()) {
        list.push(format!("{ty} *{name}"));
    }
    list.push("creo_error *error".to_owned());
    format!("bool {}({})", method.name, list.join(", "))
}

pub fn define(w: &mut Writer, service: &Service) {
    if service.methods.is_empty() {
        return;
    }
    let (name, full) = (&service.name, literals::string(&service.full_name));
    w.line(format!(
        "static const creo_interface {name}_interface = {{{full}, UINT64_C(0x{:016x})}};",
        service.fingerprint
    ));
    w.blank();
    for method in &service.methods {
        encoder(w, method);
        let result = result_decoder(w, method);
        let exception = exception_decoder(w, method);
        let list = [
            format!("UINT64_C(0x{:016x})", method.id),
            literals::string(&method.declared),
            format!("&{name}_interface"),
            method.oneway.to_string(),
            method.idempotent.to_string(),
            method.secret.to_string(),
            method.faults.len().to_string(),
            format!("{}_encode", method.name),
            result,
            exception,
        ];
        w.line(format!("static const creo_method {}_method = {{{}}};", method.name, list.join(", ")));
        w.blank();
        if let Some(items) = &method.streams {
            streams::define(w, method, items);
        }
        call(w, method);
    }
}

fn encoder(w: &mut Writer, method: &Method) {
    let arguments = format!("{}_arguments", method.name);
    if !method.parameters.is_empty() {
        w.block(format!("typedef struct {arguments} {{"), format!("}} {arguments};"), |w| {
            method.parameters.iter().for_each(|p| w.line(format!("{};", parameter(p))));
        });
        w.blank();
    }
    function(w, format!("static bool {}_encode(creo_writer *writer, const void *from)", method.name), |w| {
        if method.parameters.is_empty() {
            w.line("(void)writer;");
            w.line("(void)from;");
        } else {
            w.line(format!("const {arguments} *value = (const {arguments} *)from;"));
            write_steps(w, &method.steps, &method.parameters);
        }
        w.line("return true;");
    });
}

/// Prints the function `name` after the code of the method's unit. It reads a method's parameters into the struct from which the client
/// function writes them. Clients never read a request; programs that measure messages do.
pub fn request_decoder(w: &mut Writer, name: &str, method: &Method) {
    function(w, format!("static bool {name}(creo_reader *reader, void *to)"), |w| {
        if method.parameters.is_empty() {
            w.line("(void)reader;");
            w.line("(void)to;");
        } else {
            w.line(format!("{0}_arguments *value = ({0}_arguments *)to;", method.name));
            read_steps(w, &method.steps, &method.parameters, false);
        }
        w.line("return true;");
    });
}

/// Prints the function `name`, which writes a method's result from the outcome into which the client function reads it; returns the
/// outcome's type, if any. Clients never write a response.
pub fn response_encoder(w: &mut Writer, name: &str, method: &Method) -> Option<String> {
    let outcome = method.out().map(|(ty, _)| ty);
    function(w, format!("static bool {name}(creo_writer *writer, const void *from)"), |w| {
        match (&outcome, &method.result) {
            (Some(ty), Some(result)) => {
                w.line(format!("const {ty} *value = (const {ty} *)from;"));
                let place = if method.faults.is_empty() {
                    "*value".to_owned()
                } else {
                    format!("value->as.{}", method.result_member)
                };
                w.line(format!("return {};", result.write(&place)));
            }
            (_, _) => {
                w.line("(void)writer;");
                w.line("(void)from;");
                w.line("return true;");
            }
        }
    });
    outcome
}

/// Prints the function that reads the result, and returns its name.
fn result_decoder(w: &mut Writer, method: &Method) -> String {
    let Some((ty, _)) = method.out() else { return "NULL".to_owned() };
    let name = format!("{}_decode_result", method.name);
    let throws = method.has_outcome();
    function(w, format!("static bool {name}(creo_reader *reader, void *to)"), |w| {
        w.line(format!("{ty} *value = ({ty} *)to;"));
        if throws {
            w.line(format!("value->kind = {};", method.result_constant));
        }
        match &method.result {
            Some(result) => w.line(format!("return {};", read_result(result, throws, &method.result_member))),
            None => {
                w.line("(void)reader;");
                w.line("return true;");
            }
        }
    });
    name
}

fn read_result(result: &Ty, throws: bool, member: &str) -> String {
    if throws { result.read(&format!("value->as.{member}")) } else { result.read("*value") }
}

/// Prints the function that reads an exception, and returns its name.
fn exception_decoder(w: &mut Writer, method: &Method) -> String {
    if method.faults.is_empty() {
        return "NULL".to_owned();
    }
    let (name, ty) = (format!("{}_decode_exception", method.name), method.outcome());
    function(w, format!("static bool {name}(creo_reader *reader, uint32_t index, void *to)"), |w| {
        w.line(format!("{ty} *value = ({ty} *)to;"));
        w.block("switch (index) {", "}", |w| {
            for (index, fault) in method.faults.iter().enumerate() {
                w.block(format!("case {index}:"), "", |w| {
                    w.line(format!("value->kind = {};", fault.constant));
                    w.line(format!("return {}_decode(reader, &value->as.{});", fault.ty, fault.member));
                });
            }
            w.block("default:", "", |w| w.line("return false;"));
        });
    });
    name
}

fn call(w: &mut Writer, method: &Method) {
    function(w, head(method), |w| {
        let arguments = if method.parameters.is_empty() {
            "NULL"
        } else {
            // A parameter may have any name without the prefix `creo_` (LANG-3).
            w.line(format!("{}_arguments creo_arguments;", method.name));
            method.parameters.iter().for_each(|p| w.line(format!("creo_arguments.{} = {};", p.name, p.name)));
            "&creo_arguments"
        };
        if method.streams.is_some() {
            w.line(format!(
                "return creo_stream_open(stream, client, &{0}_method, &{0}_streams, {arguments}, error);",
                method.name
            ));
            return;
        }
        let arena = if method.oneway { "NULL" } else { "arena" };
        let to = method.out().map_or("NULL", |(_, name)| name);
        w.line(format!(
            "return creo_client_call(client, &{}_method, {arguments}, {arena}, {to}, error);",
            method.name
        ));
    });
}
