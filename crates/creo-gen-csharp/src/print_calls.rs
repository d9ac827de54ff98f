//! Prints method descriptors and clients.

use crate::lang::{Method, Output, Service, Stream};
use crate::literals::string;
use crate::names_scope::Scope;
use crate::print_binary::member_layouts;
use crate::print_binary_values::Values;
use crate::print_shared::{class_file, element, obsolete, parts, summary, together};
use creo_codegen::Writer;

/// The descriptors of an interface's methods.
/// `text`: whether there are text wires, whose descriptions the methods refer to.
pub fn methods(output: &Output, service: &Service, text: bool) -> String {
    class_file(output, &service.methods_class, service.touches_deprecated, |w, scope| {
        let full = &service.full_name;
        w.line(format!("/// <summary>The methods of <c>{full}</c>, for any binding.</summary>"));
        w.line(format!("public static class {}", service.methods_class.name));
        w.block("{", "}", |w| {
            w.line(format!(
                "public static {} Service {{ get; }} = new(\"{full}\", 0x{:016x}UL);",
                scope.runtime("ServiceInfo"),
                service.fingerprint
            ));
            for (index, method) in service.methods.iter().enumerate() {
                w.blank();
                let texts =
                    (text && method.has_text()).then(|| format!("{}.Method{index}", service.texts.name));
                descriptor(w, scope, service, method, texts);
            }
        });
    })
}

fn descriptor(w: &mut Writer, scope: &Scope, service: &Service, method: &Method, texts: Option<String>) {
    let (arguments, result) = (arguments_type(scope, method), result_type(scope, method));
    let class = if method.has_streams() {
        let item = |of: &Option<Stream>| {
            of.as_ref().map_or_else(|| scope.runtime("Unit"), |of| of.item.ty.text(scope))
        };
        let (sent, received) = (item(&method.sent), item(&method.received));
        format!("{}<{arguments}, {sent}, {received}, {result}>", scope.runtime("StreamMethod"))
    } else {
        format!("{}<{arguments}, {result}>", scope.runtime("Method"))
    };
    w.line(format!("public static {class} {} {{ get; }} = new()", method.descriptor));
    w.block("{", "};", |w| {
        w.line("Service = Service,");
        w.line(format!("Name = \"{}\",", method.wire_name));
        w.line(format!("Id = 0x{:016x}UL,", method.id));
        if method.response.is_none() {
            w.line("IsOneway = true,");
        }
        if method.idempotent {
            w.line("IsIdempotent = true,");
        }
        w.line(format!(
            "Parameters = {}(\"{}.{}\", static () =>",
            scope.runtime_in_full("Layout.Struct"),
            service.full_name,
            method.wire_name
        ));
        w.block("[", "]),", |w| w.lines(member_layouts(scope, &method.request.record.fields)));
        w.lines(method.result().map(|field| format!("Result = {},", field.value.ty.layout(scope))));
        if !method.throws.is_empty() {
            w.line("Throws =");
            w.block("[", "],", |w| {
                w.lines(method.throws.iter().map(|classes| {
                    let codec = scope.class(&classes.codec);
                    format!("new({codec}.Layout, {codec}.Decode),")
                }));
            });
        }
        encode_arguments(w, scope, method);
        decode_result(w, scope, method);
        streams(w, scope, method);
        if !method.secrets.is_empty() {
            let names: Vec<String> = method.secrets.iter().map(|name| string(name)).collect();
            w.line(format!("Secrets = [{}],", names.join(", ")));
        }
        w.lines(texts.map(|texts| format!("Text = static () => {texts},")));
        if let Some(line) = &method.line {
            let function = format!("{}.{{}}{}", service.texts.name, line.record.text.suffix);
            let lambda = if method.sent.is_some() {
                format!(
                    "WriteItem = static (writer, item) => {}(writer, item),",
                    function.replace("{}", "Write")
                )
            } else {
                format!("ReadItem = static reader => {}(reader),", function.replace("{}", "Read"))
            };
            w.line(lambda);
        }
    });
}

fn encode_arguments(w: &mut Writer, scope: &Scope, method: &Method) {
    let record = &method.request.record;
    if record.fields.is_empty() {
        w.line("EncodeArguments = static (writer, arguments) => { },");
        return;
    }
    w.line("EncodeArguments = static (writer, arguments) =>");
    w.block("{", "},", |w| {
        let accessors = parts("arguments", record.fields.len());
        let mut values = Values::new(scope, ["writer", "arguments"]);
        values.write_fields(w, &record.fields, &record.writes, &accessors);
    });
}

fn decode_result(w: &mut Writer, scope: &Scope, method: &Method) {
    w.line(format!("DecodeResult = static (ref {} reader) =>", scope.runtime("Reader")));
    w.block("{", "},", |w| {
        let value = match method.result() {
            Some(field) => Values::new(scope, ["reader"]).read(w, &field.value),
            None => format!("default({})", scope.runtime("Unit")),
        };
        w.line(format!("return {value};"));
    });
}

fn streams(w: &mut Writer, scope: &Scope, method: &Method) {
    if let Some(sent) = &method.sent {
        w.line("EncodeItem = static (writer, item) =>");
        w.block("{", "},", |w| Values::new(scope, ["writer", "item"]).write(w, &sent.item, "item"));
        w.line(format!("Sent = {},", sent.item.ty.layout(scope)));
    }
    if let Some(received) = &method.received {
        w.line(format!("DecodeItems = static (ref {} reader) =>", scope.runtime("Reader")));
        w.block("{", "},", |w| {
            let items = Values::new(scope, ["reader"]).read(w, &received.items);
            w.line(format!("return {items};"));
        });
        w.line(format!("Received = {},", received.items.ty.layout(scope)));
    }
}

/// One argument is itself; several are a tuple.
pub fn arguments_type(scope: &Scope, method: &Method) -> String {
    let fields = &method.request.record.fields;
    if fields.is_empty() {
        return scope.runtime("Unit");
    }
    together(&fields.iter().map(|field| field.value.ty.text(scope)).collect::<Vec<_>>(), "")
}

pub fn result_type(scope: &Scope, method: &Method) -> String {
    method.result().map_or_else(|| scope.runtime("Unit"), |field| field.value.ty.text(scope))
}

/// The client of an interface.
/// `tcp`: whether a client of an address uses the binary wire over TCP.
pub fn client(output: &Output, service: &Service, tcp: bool) -> String {
    class_file(output, &service.client, service.touches_deprecated, |w, scope| {
        if service.about.doc.is_none() {
            w.line(format!("/// <summary>Calls the service <c>{}</c>.</summary>", service.full_name));
        }
        summary(w, &service.about);
        w.line("/// <remarks>Safe for any number of threads and calls at once. Each method comes in two forms: one that waits on the caller's thread, and one");
        w.line("/// whose answer is awaited.</remarks>");
        obsolete(w, scope, &service.about);
        let bases = format!("{}, {}", scope.platform("IDisposable"), scope.platform("IAsyncDisposable"));
        w.line(format!("public sealed class {} : {bases}", service.client.name));
        w.block("{", "}", |w| {
            constructors(w, scope, &service.client.name, tcp);
            for method in &service.methods {
                w.blank();
                call_methods(w, scope, service, method);
            }
            w.blank();
            w.line("/// <summary>Closes the connections of a client of an address. A binding that the client was given stays open.</summary>");
            let (dispose, dispose_async) = if tcp {
                (" => _own?.Dispose();", "_own?.DisposeAsync() ?? default")
            } else {
                ("\n{\n}", "default")
            };
            w.lines(format!("public void Dispose(){dispose}").lines());
            w.blank();
            w.line("/// <inheritdoc cref=\"Dispose\"/>");
            let task = scope.platform("ValueTask");
            w.line(format!("public {task} DisposeAsync() => {dispose_async};"));
        });
    })
}

fn constructors(w: &mut Writer, scope: &Scope, class: &str, tcp: bool) {
    let (binding, options) = (scope.runtime("Binding"), scope.runtime("ClientOptions"));
    w.line(format!("private readonly {binding} _binding;"));
    if tcp {
        w.line("// The binding, if this client made it.");
        w.line(format!("private readonly {binding}? _own;"));
    }
    w.blank();
    if tcp {
        w.line("/// <summary>A client of the service at an address, over the binary wire on TCP. It connects with its first call.</summary>");
        w.line(format!("public {class}(string host, int port, {options}? options = null)"));
        w.indented(|w| w.line(format!(": this(new {}(host, port, options))", scope.runtime("TcpBinding"))));
        w.block("{", "}", |w| w.line("_own = _binding;"));
        w.blank();
    }
    w.line("/// <summary>A client over a binding, which other clients may share. The caller disposes of the binding.</summary>");
    w.line(format!("public {class}({binding} binding)"));
    w.block("{", "}", |w| {
        w.line("global::System.ArgumentNullException.ThrowIfNull(binding);");
        w.line("_binding = binding;");
    });
}

fn call_methods(w: &mut Writer, scope: &Scope, service: &Service, method: &Method) {
    let descriptor = format!("{}.{}", service.methods_class.name, method.descriptor);
    let fields = &method.request.record.fields;
    let parameters: String =
        fields.iter().map(|field| format!("{} {}, ", field.value.ty.text(scope), field.name)).collect();
    let arguments = together(&fields.iter().map(|field| field.name.as_str()).collect::<Vec<_>>(), "default");
    let (name, options, token) = (&method.name, &method.options, &method.cancellation);
    let stream = |class: &str, of: &Stream| format!("{}<{}>", scope.platform(class), of.item.ty.text(scope));
    let with_options = |class: &str| {
        let sent = method.sent.as_ref().map(|sent| format!("{} {}, ", stream(class, sent), sent.name));
        let options_class = scope.runtime("CallOptions");
        format!("{parameters}{}{options_class}? {options} = null", sent.unwrap_or_default())
    };
    let items = method.sent.as_ref().map(|sent| sent.name.as_str());
    let items = items.or(method.received.as_ref().map(|_| "null"));
    let arguments = format!("{arguments}{}", items.map_or_else(String::new, |items| format!(", {items}")));

    docs(w, scope, method, false);
    let result = method.result().map(|field| field.value.ty.text(scope));
    let (answer, call) = match &method.received {
        Some(received) => (Some(stream("IEnumerable", received)), "Receive"),
        None => (result.clone(), if method.sent.is_some() { "Send" } else { "Call" }),
    };
    let parameters = with_options("IEnumerable");
    w.line(format!("public {} {name}({parameters}) =>", answer.as_deref().unwrap_or("void")));
    w.indented(|w| w.line(format!("_binding.{call}({descriptor}, {arguments}, {options});")));
    w.blank();
    docs(w, scope, method, true);
    let task = || scope.platform("ValueTask");
    let (answer, call) = match (&method.received, result) {
        (Some(received), _) => (stream("IAsyncEnumerable", received), "ReceiveAsync".to_owned()),
        (None, Some(result)) => (format!("{}<{result}>", task()), format!("{call}Async")),
        (None, None) => (task(), "RunAsync".to_owned()),
    };
    let (parameters, cancellation) = (with_options("IAsyncEnumerable"), scope.platform("CancellationToken"));
    w.line(format!("public {answer} {name}Async({parameters}, {cancellation} {token} = default) =>"));
    w.indented(|w| w.line(format!("_binding.{call}({descriptor}, {arguments}, {options}, {token});")));
}

fn docs(w: &mut Writer, scope: &Scope, method: &Method, is_asynchronous: bool) {
    summary(w, &method.about);
    let fields = method.request.record.fields.iter().map(|field| (&field.name, &field.about));
    let parameters: Vec<_> =
        fields.chain(method.sent.iter().map(|stream| (&stream.name, &stream.about))).collect();
    if parameters.iter().any(|(_, about)| about.doc.is_some()) {
        // Either all parameters are documented or none.
        for (name, about) in parameters {
            let open = format!("param name=\"{}\"", name.trim_start_matches('@'));
            element(w, &open, "param", about.doc.as_deref().unwrap_or(""));
        }
        w.line(format!("/// <param name=\"{}\">What this call has of its own.</param>", method.options));
        if is_asynchronous {
            w.line(format!("/// <param name=\"{}\">Gives the call up.</param>", method.cancellation));
        }
    }
    for classes in &method.throws {
        let exception = classes.class.in_full();
        w.line(format!("/// <exception cref=\"{exception}\">Declared by the description.</exception>"));
    }
    obsolete(w, scope, &method.about);
}
