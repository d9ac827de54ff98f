//! Method descriptors, and the clients that call through them.

use crate::context::Context;
use crate::lower::{CallUnit, Output, ServiceUnit};
use crate::render_codec::{member_layouts, write_fields};
use crate::render_values::Values;
use crate::text;
use creo_codegen::Writer;
use creo_model::{Method, Type};
use creo_plan::Record;

/// The descriptors of an interface's methods.
pub fn methods(output: &Output, unit: &ServiceUnit) -> String {
    let cx = Context::new(output, &unit.namespace, false);
    let interface = output.interface(unit);
    let full = output.model.interface_name(interface);
    cx.file(unit.deprecated_inside, |w| {
        w.line(format!("/// <summary>The methods of <c>{full}</c>, for any binding.</summary>"));
        w.line(format!("public static class {}", unit.methods));
        w.block("{", "}", |w| {
            w.line(format!(
                "public static {} Service {{ get; }} = new(\"{full}\", 0x{:016x}UL);",
                cx.framework("ServiceInfo"),
                interface.fingerprint
            ));
            let plan = output.plan.interface(unit.index);
            for (index, (method, call)) in interface.methods.iter().zip(&unit.calls).enumerate() {
                w.blank();
                descriptor(
                    w,
                    &cx,
                    &full,
                    (method, &plan.methods[index]),
                    call,
                    &format!("{}.Method{index}", unit.texts),
                );
            }
        });
    })
}

fn descriptor(
    w: &mut Writer,
    cx: &Context,
    interface: &str,
    (method, plan): (&Method, &creo_plan::Method),
    call: &CallUnit,
    text: &str,
) {
    w.line(format!(
        "public static {}<{}, {}> {} {{ get; }} = new()",
        cx.framework("Method"),
        arguments_type(cx, method),
        result_type(cx, method),
        call.descriptor
    ));
    w.block("{", "};", |w| {
        w.line("Service = Service,");
        w.line(format!("Name = \"{}\",", method.name));
        w.line(format!("Id = 0x{:016x}UL,", method.id));
        if method.oneway {
            w.line("IsOneway = true,");
        }
        w.line(format!(
            "Parameters = global::Creo.Layout.Struct(\"{interface}.{}\", static () =>",
            method.name
        ));
        w.block("[", "]),", |w| w.lines(member_layouts(cx, &plan.request.record.fields)));
        if let Some(result) = &method.result {
            w.line(format!("Result = {},", cx.layout(result)));
        }
        if !method.throws.is_empty() {
            w.line("Throws =");
            w.block("[", "],", |w| {
                for id in &method.throws {
                    let codec = cx.codec(*id);
                    w.line(format!("new({codec}.Layout, {codec}.Decode),"));
                }
            });
        }
        encode_arguments(w, cx, &plan.request.record);
        decode_result(w, cx, plan);
        w.line(format!("Text = static () => {text},"));
    });
}

fn encode_arguments(w: &mut Writer, cx: &Context, parameters: &Record) {
    if parameters.fields.is_empty() {
        w.line("EncodeArguments = static (writer, arguments) => { },");
        return;
    }
    let accessors: Vec<String> = match parameters.fields.len() {
        1 => vec!["arguments".to_owned()],
        count => (1..=count).map(|i| format!("arguments.Item{i}")).collect(),
    };
    w.line("EncodeArguments = static (writer, arguments) =>");
    w.block("{", "},", |w| {
        let mut values = Values::new(cx, ["writer", "arguments"]);
        write_fields(w, cx, &mut values, parameters, &accessors);
    });
}

fn decode_result(w: &mut Writer, cx: &Context, method: &creo_plan::Method) {
    w.line(format!("DecodeResult = static (ref {} reader) =>", cx.framework("Reader")));
    w.block("{", "},", |w| {
        let mut values = Values::new(cx, ["reader"]);
        match method.result() {
            Some(node) => {
                let value = values.read(w, node);
                w.line(format!("return {value};"));
            }
            None => w.line(format!("return default({});", cx.framework("Unit"))),
        }
    });
}

/// One argument is itself; several are a tuple.
pub fn arguments_type(cx: &Context, method: &Method) -> String {
    match method.parameters.as_slice() {
        [] => cx.framework("Unit"),
        [one] => cx.ty(&one.ty),
        several => format!("({})", several.iter().map(|p| cx.ty(&p.ty)).collect::<Vec<_>>().join(", ")),
    }
}

pub fn result_type(cx: &Context, method: &Method) -> String {
    method.result.as_ref().map_or_else(|| cx.framework("Unit"), |ty: &Type| cx.ty(ty))
}

/// The client of an interface.
pub fn client(output: &Output, unit: &ServiceUnit) -> String {
    let cx = Context::new(output, &unit.namespace, false);
    let interface = output.interface(unit);
    let full = output.model.interface_name(interface);
    cx.file(unit.deprecated_inside, |w| {
        match interface.notes.doc.as_deref() {
            Some(doc) => text::summary(w, Some(doc)),
            None => w.line(format!("/// <summary>Calls the service <c>{full}</c>.</summary>")),
        }
        w.line("/// <remarks>Safe for any number of threads and calls at once. Each method comes in two forms: one that waits on the caller's thread, and one");
        w.line("/// whose answer is awaited.</remarks>");
        text::obsolete(w, &cx, interface.notes.deprecated.as_deref());
        w.line(format!("public sealed class {} : {}, {}", unit.client, cx.platform("IDisposable"), cx.platform("IAsyncDisposable")));
        w.block("{", "}", |w| {
            constructors(w, &cx, unit);
            for (method, call) in interface.methods.iter().zip(&unit.calls) {
                w.blank();
                call_methods(w, &cx, unit, method, call);
            }
            w.blank();
            w.line("/// <summary>Closes the connections of a client of an address. A binding that the client was given stays open.</summary>");
            w.line("public void Dispose() => _own?.Dispose();");
            w.blank();
            w.line("/// <inheritdoc cref=\"Dispose\"/>");
            w.line(format!("public {} DisposeAsync() => _own?.DisposeAsync() ?? default;", cx.platform("ValueTask")));
        });
    })
}

fn constructors(w: &mut Writer, cx: &Context, unit: &ServiceUnit) {
    let binding = cx.framework("Binding");
    w.line(format!("private readonly {binding} _binding;"));
    w.line("// The binding, if this client made it.");
    w.line(format!("private readonly {binding}? _own;"));
    w.blank();
    w.line("/// <summary>A client of the service at an address, over the binary wire on TCP. It connects with its first call.</summary>");
    w.line(format!(
        "public {}(string host, int port, {}? options = null)",
        unit.client,
        cx.framework("ClientOptions")
    ));
    w.indented(|w| w.line(format!(": this(new {}(host, port, options))", cx.framework("TcpBinding"))));
    w.block("{", "}", |w| w.line("_own = _binding;"));
    w.blank();
    w.line("/// <summary>A client over a binding, which other clients may share. The caller disposes of the binding.</summary>");
    w.line(format!("public {}({binding} binding)", unit.client));
    w.block("{", "}", |w| {
        w.line("global::System.ArgumentNullException.ThrowIfNull(binding);");
        w.line("_binding = binding;");
    });
}

fn call_methods(w: &mut Writer, cx: &Context, unit: &ServiceUnit, method: &Method, call: &CallUnit) {
    let descriptor = format!("{}.{}", unit.methods, call.descriptor);
    let parameters: Vec<String> = method
        .parameters
        .iter()
        .zip(&call.parameters)
        .map(|(p, name)| format!("{} {name}", cx.ty(&p.ty)))
        .collect();
    let options = format!("{}? {} = null", cx.framework("CallOptions"), call.options);
    let token = format!("{} {} = default", cx.platform("CancellationToken"), call.cancellation);
    let arguments = match call.parameters.as_slice() {
        [] => "default".to_owned(),
        [one] => one.clone(),
        several => format!("({})", several.join(", ")),
    };
    let all = |more: &[&str]| {
        parameters.iter().map(String::as_str).chain(more.iter().copied()).collect::<Vec<_>>().join(", ")
    };

    docs(w, cx, method, call, false);
    let result = method.result.as_ref().map_or("void".to_owned(), |ty| cx.ty(ty));
    w.line(format!("public {result} {}({}) =>", call.name, all(&[&options])));
    w.indented(|w| w.line(format!("_binding.Call({descriptor}, {arguments}, {});", call.options)));
    w.blank();
    docs(w, cx, method, call, true);
    let (task, run) = match &method.result {
        Some(ty) => (format!("{}<{}>", cx.platform("ValueTask"), cx.ty(ty)), "CallAsync"),
        None => (cx.platform("ValueTask"), "RunAsync"),
    };
    w.line(format!("public {task} {}Async({}) =>", call.name, all(&[&options, &token])));
    w.indented(|w| {
        w.line(format!("_binding.{run}({descriptor}, {arguments}, {}, {});", call.options, call.cancellation))
    });
}

fn docs(w: &mut Writer, cx: &Context, method: &Method, call: &CallUnit, asynchronous: bool) {
    text::summary(w, method.notes.doc.as_deref());
    let documented = method.parameters.iter().any(|p| p.notes.doc.is_some());
    if documented {
        // Either all parameters are documented or none.
        for (parameter, name) in method.parameters.iter().zip(&call.parameters) {
            let open = format!("param name=\"{}\"", name.trim_start_matches('@'));
            text::element(w, &open, "param", parameter.notes.doc.as_deref().unwrap_or(""));
        }
        w.line(format!("/// <param name=\"{}\">What this call has of its own.</param>", call.options));
        if asynchronous {
            w.line(format!("/// <param name=\"{}\">Gives the call up.</param>", call.cancellation));
        }
    }
    for id in &method.throws {
        w.line(format!(
            "/// <exception cref=\"{}\">Declared by the description.</exception>",
            cx.named_in_full(*id)
        ));
    }
    text::obsolete(w, cx, method.notes.deprecated.as_deref());
}
