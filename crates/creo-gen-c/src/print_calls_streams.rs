//! Prints the functions that read and write the streams of a method.

use crate::lang::{Method, Streams};
use crate::print_shared::function;
use creo_codegen::Writer;

/// The functions besides that which opens the streams: the documentation, the head and the call of the runtime of each.
fn functions(method: &Method) -> Vec<(String, String, String)> {
    let Some(streams) = &method.streams else { return Vec::new() };
    let (name, declared) = (&method.name, &method.declared);
    let mut list = Vec::new();
    if let Some((ty, by_pointer)) = &streams.written {
        let (item, address) = if *by_pointer {
            (format!("const {} *item", ty.c()), "item")
        } else {
            (format!("{} item", ty.c()), "&item")
        };
        list.push((
            format!("Writes an item for {declared}. False: the call has ended; {} says how.", reader(method)),
            format!("bool {name}_write(creo_stream *stream, {item}, creo_error *error)"),
            format!("creo_stream_write(stream, {address}, error)"),
        ));
    }
    let to = method.out().map(|(ty, name)| (format!("{ty} *{name}, "), name));
    let (declaration, to) = to.unwrap_or((String::new(), "NULL"));
    let (doc, word) = if streams.read.is_some() {
        (
            format!("Waits for the next item of {declared}, or for its end. False: the call has failed."),
            "next",
        )
    } else {
        (
            format!("Ends the items for {declared}, and waits for its end. False: the call has failed."),
            "finish",
        )
    };
    list.push((
        doc,
        format!("bool {name}_{word}(creo_stream *stream, creo_arena *arena, {declaration}creo_error *error)"),
        format!("creo_stream_{word}(stream, arena, {to}, error)"),
    ));
    list
}

/// The function that says how a call ended.
fn reader(method: &Method) -> String {
    format!("{}_{}", method.name, if method.read_items().is_some() { "next" } else { "finish" })
}

pub fn declare(w: &mut Writer, method: &Method) {
    for (doc, head, _) in functions(method) {
        w.line(format!("/** {doc} */"));
        w.line(format!("{head};"));
        w.blank();
    }
}

pub fn define(w: &mut Writer, method: &Method, streams: &Streams) {
    let name = &method.name;
    let (mut encode, mut decode) = ("NULL".to_owned(), "NULL".to_owned());
    if let Some((ty, by_pointer)) = &streams.written {
        encode = format!("{name}_encode_item");
        function(w, format!("static bool {encode}(creo_writer *writer, const void *from)"), |w| {
            w.line(format!("const {0} *value = (const {0} *)from;", ty.c()));
            if *by_pointer {
                w.block("if (value == NULL)", "", |w| {
                    w.line("return creo_fail_value(writer->error, \"an item is not NULL\");");
                });
            }
            w.line(format!("return {};", ty.write("*value")));
        });
    }
    let mut sizes = "0, 0".to_owned();
    if let Some(items) = &streams.read {
        decode = format!("{name}_decode_item");
        sizes = format!("{}, {}", items.least.min(u64::from(u32::MAX)), items.charge);
        function(w, format!("static bool {decode}(creo_reader *reader, void *to)"), |w| {
            w.line(format!("{0} *value = ({0} *)to;", method.outcome()));
            w.line(format!("value->kind = {};", items.constant));
            w.line(format!("return {};", items.ty.read(&format!("value->as.{}", items.member))));
        });
    }
    w.line(format!("static const creo_streams {name}_streams = {{{encode}, {decode}, {sizes}}};"));
    w.blank();
    for (_, head, call) in functions(method) {
        function(w, head, |w| w.line(format!("return {call};")));
    }
}
