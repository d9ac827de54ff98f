//! Prints the service side and the clients: interfaces, descriptors of methods, endpoint.

use crate::lang::{Items, METHODS_A_CLASS, Method, Part, Service};
use crate::literals::{doc, string};
use crate::names::{ClassName, Inside, Scope};
use crate::print_binary::{constants, format_line, record_codec};
use crate::print_binary_values::{codec, helpers};
use crate::print_calls_documents;
use crate::print_project::{Output, about, generated};
use crate::print_records::{declarations, parameters};
use creo_codegen::{Document, Files, Wire, Wires, Writer};

/// `documents`: those of the interface.
pub fn render(out: &Output, service: &Service, documents: &[&Document], files: &mut Files) {
    let none = Inside::default;
    out.file(files, &service.class, none(), |w, scope| interface(w, scope, service, Style::Blocking));
    out.file(files, &service.asynchronous, none(), |w, scope| interface(w, scope, service, Style::Staged));
    for (index, part) in service.parts.iter().enumerate() {
        let own = own_methods(service, index);
        let types = own.iter().map(|(_, m)| m.arguments.class.simple().to_owned()).collect();
        let variables = own.iter().map(|(_, m)| m.constant.clone()).collect();
        out.file(files, &part.methods, Inside { types, variables }, |w, scope| {
            methods(w, scope, out, service, part, &own)
        });
    }
    let parameters = || service.methods.iter().flat_map(|m| m.names().map(str::to_owned)).collect();
    if out.sides.service() {
        out.file(files, &service.endpoint, none(), |w, scope| endpoint(w, scope, out, service, documents));
    }
    if !out.sides.client() {
        return;
    }
    let called = || Inside { variables: parameters(), ..Inside::default() };
    out.file(files, &service.client, called(), |w, scope| {
        client(w, scope, out.wires, service, Style::Blocking)
    });
    out.file(files, &service.async_client, called(), |w, scope| {
        client(w, scope, out.wires, service, Style::Staged)
    });
}

/// How a method returns its result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Blocking,
    Staged,
}

fn result(method: &Method, scope: &Scope) -> String {
    if let Some(items) = &method.gives {
        return items.stream(scope);
    }
    method.result.as_ref().map_or_else(|| "void".to_owned(), |value| value.ty.declared(scope))
}

fn boxed_result(method: &Method, scope: &Scope) -> String {
    if let Some(items) = &method.gives {
        return items.stream(scope);
    }
    method.result.as_ref().map_or_else(|| scope.lang("Void"), |value| value.ty.boxed().declared(scope))
}

/// The parameters, as those of a method or the components of a record.
fn declared(method: &Method, scope: &Scope) -> String {
    let stream = method.arguments.stream.iter().map(|s| format!("{} {}", s.items.stream(scope), s.name));
    let values = declarations(&method.arguments.components, scope);
    (!values.is_empty()).then_some(values).into_iter().chain(stream).collect::<Vec<_>>().join(", ")
}

/// The tags that document the parameters.
fn documented(method: &Method) -> Vec<(String, Vec<String>)> {
    let mut tags = parameters(&method.arguments.components);
    if let Some(stream) = &method.arguments.stream {
        let text = stream.about.doc.as_deref().map(doc);
        tags.extend(text.map(|text| (format!("@param {}", stream.name), text)));
    }
    tags
}

fn throws(method: &Method, scope: &Scope) -> String {
    if method.throws.is_empty() {
        return String::new();
    }
    format!(
        " throws {}",
        method.throws.iter().map(|(class, _)| scope.class(class)).collect::<Vec<_>>().join(", ")
    )
}

fn interface(w: &mut Writer, scope: &Scope, service: &Service, style: Style) {
    let class = if style == Style::Blocking { &service.class } else { &service.asynchronous };
    let mut notes = service.about.clone();
    if style == Style::Staged {
        let more = format!(
            "As {}, with stages for results: a stage completes with the result or, exceptionally, with what the method throws.",
            service.class.simple()
        );
        notes.doc = Some(notes.doc.map_or_else(|| more.clone(), |doc| format!("{doc}\n\n{more}")));
    }
    about(w, scope, &notes, "", Vec::new());
    generated(w, scope, service.uses_deprecated);
    w.block(format!("public interface {} {{", class.simple()), "}", |w| {
        let mut first = true;
        for method in &service.methods {
            if !std::mem::take(&mut first) {
                w.blank();
            }
            about(w, scope, &method.about, "", documented(method));
            let parameters = declared(method, scope);
            match style {
                Style::Blocking => w.line(format!(
                    "{} {}({parameters}){};",
                    result(method, scope),
                    method.name,
                    throws(method, scope)
                )),
                Style::Staged => {
                    let stage = scope.jdk("java.util.concurrent", "CompletionStage");
                    w.line(format!(
                        "{stage}<{}> {}({parameters});",
                        boxed_result(method, scope),
                        method.name
                    ));
                }
            }
        }
    });
}

/// The methods of a part, with their numbers.
fn own_methods<'a>(service: &'a Service<'a>, part: usize) -> Vec<(usize, &'a Method<'a>)> {
    service.methods.iter().enumerate().skip(part * METHODS_A_CLASS).take(METHODS_A_CLASS).collect()
}

fn methods(
    w: &mut Writer,
    scope: &Scope,
    out: &Output,
    service: &Service,
    part: &Part,
    own: &[(usize, &Method)],
) {
    let class = part.methods.simple();
    let first = part.methods == *service.interface();
    let interface = if first {
        "INTERFACE".to_owned()
    } else {
        format!("{}.INTERFACE", scope.class(service.interface()))
    };
    w.line(format!(
        "/** What clients and endpoints of {{@link {}}} know of its methods, whatever the wire. */",
        scope.class(&service.class)
    ));
    generated(w, scope, service.uses_deprecated);
    w.block(format!("final class {class} {{"), "}", |w| {
        let (descriptor, of_interface) = (scope.creo("ServiceMethod"), scope.creo("ServiceInterface"));
        format_line(w, scope);
        if first {
            w.line(format!(
                "static final {of_interface} INTERFACE = new {of_interface}({}, 0x{:016x}L);",
                string(&service.wire_name),
                service.fingerprint
            ));
        }
        for (number, method) in own {
            constants(w, scope, &method.arguments, &format!("_{number}"));
            let arguments = scope.class(&method.arguments.class);
            let of_arguments = format!(
                "{}.<{arguments}>of({class}::encode_{number}, {class}::decode_{number})",
                scope.creo("Codec")
            );
            let common =
                format!("{interface}, {}, 0x{:016x}L, {of_arguments}", string(&method.wire_name), method.id);
            let made = if method.plan.response.is_none() {
                format!("{descriptor}.oneway({common})")
            } else {
                let codecs = scope.creo("Codec");
                let result = match (&method.result, &method.gives) {
                    (Some(value), _) => codec(value, class, scope),
                    (None, Some(items)) => format!("{codecs}.<{}>ofStream()", items.stream(scope)),
                    (None, None) => format!("{codecs}.nothing()"),
                };
                let thrown: Vec<String> = method
                    .throws
                    .iter()
                    .map(|(class, codec)| {
                        format!(
                            ", new {descriptor}.Thrown<>({}.class, {}.CODEC)",
                            scope.class(class),
                            scope.statics(codec)
                        )
                    })
                    .collect();
                format!("{descriptor}.of({common}, {result}{})", thrown.concat())
            };
            let ty = format!("{descriptor}<{arguments}, {}>", boxed_result(method, scope));
            let idempotent = if method.idempotent { ".idempotent()" } else { "" };
            let secrets: Vec<String> = method.secrets.iter().map(|name| string(name)).collect();
            let secrets = if secrets.is_empty() || !out.wires.any_text() {
                String::new()
            } else {
                format!(".secrets({})", secrets.join(", "))
            };
            let streams = streams(scope, class, &arguments, method);
            let carried = if method.has_streams() {
                out.wires.has(Wire::Json) && method.plan.is_carried_by_json()
            } else {
                out.wires.any_text()
            };
            let text = if carried {
                format!(".text(() -> {}.{})", scope.class(&part.texts), method.constant)
            } else {
                String::new()
            };
            w.line(format!(
                "static final {ty} {} = {made}{streams}{idempotent}{secrets}{text};",
                method.constant
            ));
        }
        w.blank();
        w.line(format!("private {class}() {{}}"));
        for (number, method) in own {
            w.blank();
            let name = method.arguments.class.simple();
            let arguments = scope.class(&method.arguments.class);
            w.line(format!("record {name}({}) {{}}", declared(method, scope)));
            record_codec(w, scope, &method.arguments, &arguments, &format!("_{number}"), "private ");
        }
        helpers(w, scope, &part.helpers);
        if service.parts.len() > 1 && out.sides.service() {
            for style in [Style::Blocking, Style::Staged] {
                serve(w, scope, service, own, style);
            }
        }
    });
}

/// The call that describes the streams of a method. `arguments`: the record.
fn streams(scope: &Scope, class: &str, arguments: &str, method: &Method) -> String {
    let described = |items: &Items| {
        let (value, least) = (&items.value, items.value.min_size.min(i32::MAX as u64));
        format!("new {}<>({}, {least}, {})", scope.creo("Items"), codec(value, class, scope), items.charge)
    };
    let taken = method.arguments.stream.as_ref().map(|stream| {
        let (items, name, values) = (
            described(&stream.items),
            &stream.name,
            method.arguments.components.iter().map(|c| format!("a.{}(), ", c.name)).collect::<String>(),
        );
        format!("{items}, {arguments}::{name}, (a, s) -> new {arguments}({values}s)")
    });
    let made = match (taken, method.gives.as_ref().map(described)) {
        (None, None) => return String::new(),
        (Some(taken), None) => format!("taking({taken})"),
        (None, Some(given)) => format!("giving({given})"),
        (Some(taken), Some(given)) => format!("both({taken}, {given})"),
    };
    format!(".streams({}.{made})", scope.creo("Streams"))
}

/// The name of the method that adds the methods of a part to an endpoint.
fn serve_name(style: Style) -> &'static str {
    match style {
        Style::Blocking => "serve",
        Style::Staged => "serveAsync",
    }
}

/// The interface that a service implements in a style.
fn implemented<'a>(service: &'a Service, style: Style) -> &'a ClassName {
    match style {
        Style::Blocking => &service.class,
        Style::Staged => &service.asynchronous,
    }
}

fn serve(w: &mut Writer, scope: &Scope, service: &Service, own: &[(usize, &Method)], style: Style) {
    let (name, builder) = (serve_name(style), scope.creo("Endpoint"));
    w.blank();
    w.block(
        format!(
            "static void {name}({builder}.Builder endpoint, {} service) {{",
            scope.class(implemented(service, style))
        ),
        "}",
        |w| {
            own.iter()
                .for_each(|(number, m)| bind(w, scope, service, (*number, m), style, ("endpoint", ";")));
        },
    );
}

fn client(w: &mut Writer, scope: &Scope, wires: Wires, service: &Service, style: Style) {
    let (class, served) = match style {
        Style::Blocking => (&service.client, &service.class),
        Style::Staged => (&service.async_client, &service.asynchronous),
    };
    let name = class.simple();
    let (channel, options, call_options) =
        (scope.creo("Channel"), scope.creo("ClientOptions"), scope.creo("CallOptions"));
    let string = scope.lang("String");
    w.line(format!(
        "/** Calls a service that implements {{@link {}}}. Safe for many threads. */",
        scope.class(&service.class)
    ));
    if service.about.deprecated.is_some() {
        w.line(format!("@{}", scope.lang("Deprecated")));
    }
    generated(w, scope, service.uses_deprecated);
    w.block(format!("public final class {name} implements {}, {} {{", scope.class(served), scope.lang("AutoCloseable")), "}", |w| {
        w.line(format!("private final {channel} creo_channel;"));
        w.line(format!("private final {call_options} creo_options;"));
        w.line("private final boolean creo_owner;");
        w.blank();
        if wires.has(Wire::Binary) {
            w.line("/** A client of the service at an address; it connects with the first call. */");
            w.block(format!("public {name}({string} host, int port) {{"), "}", |w| w.line(format!("this(host, port, {options}.DEFAULT);")));
            w.blank();
            w.line("/** A client of the service at an address, with options. */");
            w.block(format!("public {name}({string} host, int port, {options} options) {{"), "}", |w| {
                let tcp = scope.creo("TcpChannel");
                w.line(format!("this({tcp}.open(host, port, options), {call_options}.NONE, true);"));
            });
            w.blank();
        }
        w.line("/** A client through a channel, which other clients may share. The caller closes the channel. */");
        w.block(format!("public {name}({channel} channel) {{"), "}", |w| w.line(format!("this(channel, {call_options}.NONE, false);")));
        w.blank();
        w.block(format!("private {name}({channel} channel, {call_options} options, boolean owner) {{"), "}", |w| {
            w.line("creo_channel = channel;");
            w.line("creo_options = options;");
            w.line("creo_owner = owner;");
        });
        w.blank();
        w.line("/** A client through the same channel whose calls have the given options. */");
        w.block(format!("public {name} with({call_options} options) {{"), "}", |w| {
            w.line(format!("return new {name}(creo_channel, options, creo_owner);"));
        });
        w.blank();
        w.line("/** Closes the connections of a client of an address; calls under way end. A channel that the client was given stays open. */");
        w.line(format!("@{}", scope.lang("Override")));
        w.block("public void close() {", "}", |w| w.block("if (creo_owner) {", "}", |w| w.line("creo_channel.close();")));
        for (number, method) in service.methods.iter().enumerate() {
            w.blank();
            w.line(format!("@{}", scope.lang("Override")));
            if method.about.deprecated.is_some() {
                w.line(format!("@{}", scope.lang("Deprecated")));
            }
            client_method(w, scope, &service.part(number).methods, method, style);
        }
    });
}

fn client_method(w: &mut Writer, scope: &Scope, holder: &ClassName, method: &Method, style: Style) {
    let parameters = declared(method, scope);
    let given = method.names().collect::<Vec<_>>().join(", ");
    let descriptor = format!("{}.{}", scope.statics(holder), method.constant);
    let arguments =
        format!("{descriptor}, new {}({given}), creo_options", scope.class(&method.arguments.class));
    if style == Style::Staged {
        let future = scope.jdk("java.util.concurrent", "CompletableFuture");
        w.block(
            format!("public {future}<{}> {}({parameters}) {{", boxed_result(method, scope), method.name),
            "}",
            |w| {
                let call = if method.has_streams() { "stream" } else { "callAsync" };
                w.line(format!("return creo_channel.{call}({arguments});"));
            },
        );
        return;
    }
    w.block(
        format!("public {} {}({parameters}){} {{", result(method, scope), method.name, throws(method, scope)),
        "}",
        |w| {
            w.block("try {", "", |w| {
                let back = if method.result.is_some() || method.gives.is_some() { "return " } else { "" };
                if method.has_streams() {
                    let items = scope.creo("Items");
                    w.line(format!("{back}{items}.await(creo_channel.stream({arguments}));"));
                } else {
                    w.line(format!("{back}creo_channel.call({arguments});"));
                }
            });
            let mut own: Vec<String> = vec![scope.lang("RuntimeException")];
            own.extend(method.throws.iter().map(|(class, _)| scope.class(class)));
            w.block(format!("}} catch ({} creo_e) {{", own.join(" | ")), "", |w| w.line("throw creo_e;"));
            w.block(format!("}} catch ({} creo_e) {{", scope.lang("Exception")), "}", |w| {
                w.line(format!(
                    "throw {}.undeclared(creo_e);",
                    scope.statics(&scope.runtime_class("CreoException"))
                ));
            });
        },
    );
}

/// The call that sets an endpoint's text wires, if there are any.
fn text_wires(wires: Wires, scope: &Scope) -> Option<String> {
    // With tables, SOAP also accepts a body with a table.
    let soap = if wires.has(Wire::Tdxml) { "TdxmlSoapWire" } else { "SoapWire" };
    let classes = [(Wire::Json, "JsonWire"), (Wire::Soap, soap), (Wire::Tdxml, "TdxmlWire")];
    let spoken: Vec<String> = classes
        .into_iter()
        .filter(|(wire, _)| wires.has(*wire))
        .map(|(_, class)| format!("{}.WIRE", scope.statics(&scope.runtime_class(class))))
        .collect();
    (!spoken.is_empty()).then(|| format!(".wires({})", spoken.join(", ")))
}

/// The call that lets an endpoint serve methods with streams, if there are any.
fn host_streams(service: &Service, scope: &Scope) -> Option<String> {
    let any = service.methods.iter().any(Method::has_streams);
    any.then(|| format!(".streams({}.SERVED)", scope.statics(&scope.runtime_class("HostStreams"))))
}

fn endpoint(w: &mut Writer, scope: &Scope, out: &Output, service: &Service, documents: &[&Document]) {
    let endpoint = scope.runtime_class("Endpoint");
    let name = service.endpoint.simple();
    // Its name may equal that of the runtime's class.
    let runtime = scope.class(&endpoint);
    w.line(format!(
        "/** Makes implementations of {{@link {}}} something that a server can serve. */",
        scope.class(&service.class)
    ));
    generated(w, scope, service.uses_deprecated);
    w.block(format!("public final class {name} {{"), "}", |w| {
        w.line(format!("private {name}() {{}}"));
        for style in [Style::Blocking, Style::Staged] {
            let (name, what) = match style {
                Style::Blocking => ("of", "Serves by methods that return when they are done."),
                Style::Staged => ("ofAsync", "Serves by stages that complete later."),
            };
            w.blank();
            w.line(format!("/** {what} */"));
            w.block(
                format!(
                    "public static {runtime} {name}({} service) {{",
                    scope.class(implemented(service, style))
                ),
                "}",
                |w| {
                    let builder =
                        format!("{runtime}.builder({}.INTERFACE)", scope.class(service.interface()));
                    let streams = host_streams(service, scope);
                    let wires = text_wires(out.wires, scope);
                    let described: Vec<String> = documents
                        .iter()
                        .map(|document| print_calls_documents::setter(scope, service, document.kind))
                        .collect();
                    if service.parts.len() > 1 {
                        let (streams, wires) = (streams.unwrap_or_default(), wires.unwrap_or_default());
                        w.line(format!(
                            "{runtime}.Builder endpoint = {builder}{streams}{wires}{};",
                            described.concat()
                        ));
                        for part in &service.parts {
                            w.line(format!(
                                "{}.{}(endpoint, service);",
                                scope.class(&part.methods),
                                serve_name(style)
                            ));
                        }
                        w.line("return endpoint.build();");
                        return;
                    }
                    w.line(format!("return {builder}"));
                    w.indented(|w| {
                        w.lines(streams);
                        w.lines(wires);
                        described.iter().for_each(|setter| w.line(setter));
                        service
                            .methods
                            .iter()
                            .enumerate()
                            .for_each(|m| bind(w, scope, service, m, style, ("", "")));
                        w.line(".build();");
                    });
                },
            );
        }
    });
}

/// `around`: the code before and after the call that adds the method.
fn bind(
    w: &mut Writer,
    scope: &Scope,
    service: &Service,
    (number, method): (usize, &Method),
    style: Style,
    (before, behind): (&str, &str),
) {
    let constant = format!("{}.{}", scope.class(&service.part(number).methods), method.constant);
    let given = method.names().map(|name| format!("a.{name}()")).collect::<Vec<_>>().join(", ");
    let call = format!("service.{}({given})", method.name);
    if style == Style::Staged {
        w.line(format!("{before}.asyncMethod({constant}, a -> {call}){behind}"));
    } else if method.result.is_some() || method.gives.is_some() {
        w.line(format!("{before}.method({constant}, a -> {call}){behind}"));
    } else {
        w.block(format!("{before}.method({constant}, a -> {{"), format!("}}){behind}"), |w| {
            w.line(format!("{call};"));
            w.line("return null;");
        });
    }
}
