//! `creo_client.py`: the methods of a package's interfaces, and their clients, blocking and for asyncio.

use crate::code::Code;
use crate::lang::{Client, ClientModule, Interface, Method};
use crate::layout::Lines;
use crate::literals::string;
use crate::print_project::{Head, Uses, other_imports, standard_imports};

/// The module of clients.
pub fn client_module(module: &ClientModule, head: &Head) -> String {
    let mut out = Lines::new();
    standard_imports(&mut out, head, &module.imports, Uses::Codegen);
    other_imports(&mut out, &module.imports);
    for (index, interface) in module.interfaces.iter().enumerate() {
        out.blank();
        if index > 0 {
            out.blank();
        }
        described(&mut out, interface);
        client(&mut out, interface, &interface.client, &BLOCKING);
        client(&mut out, interface, &interface.async_client, &ASYNCIO);
    }
    out.finish()
}

/// The form of a client's calls.
struct Style {
    base: &'static str,
    /// The base if a method has streams.
    streaming: &'static str,
    def: &'static str,
    await_: &'static str,
    /// The class of a stream of results.
    stream: &'static str,
    /// What a parameter that is a stream may be.
    taken: &'static str,
}

const BLOCKING: Style = Style {
    base: "_creo.Client",
    streaming: "_streams.StreamClient",
    def: "def",
    await_: "",
    stream: "_streams.ItemStream",
    taken: "Iterable",
};
const ASYNCIO: Style = Style {
    base: "_creo.AsyncClient",
    streaming: "_streams.AsyncStreamClient",
    def: "async def",
    await_: "await ",
    stream: "_streams.AsyncItemStream",
    taken: "_streams.Items",
};

/// The description of each method for calls, independent of wire and transport.
fn described(out: &mut Lines, interface: &Interface) {
    let arguments = [
        string(&interface.full_name),
        format!("0x{:016X}", interface.fingerprint),
        "__name__".to_owned(),
        string(&interface.text_constant),
    ];
    out.list(&format!("{} = _creo.Interface(", interface.constant), &arguments, ")");
    for method in &interface.methods {
        let (void, items) = (method.result.is_none(), method.streams.as_ref().and_then(|s| s.items.as_ref()));
        let make = match &method.streams {
            Some(_) if items.is_some() => "_streams.stream_method",
            Some(_) if void => "_streams.void_upload_method",
            Some(_) => "_streams.upload_method",
            None if void => "_creo.void_method",
            None => "_creo.method",
        };
        out.line(format!("{} = {make}(", method.constant));
        out.indented(|l| {
            l.line(format!("{},", interface.constant));
            l.line(format!("{},", string(&method.declared)));
            l.line(format!("0x{:016X},", method.id));
            l.line(format!("{},", method.encoder));
            l.item(&Code::call("lambda: _creo.Parameters", &method.fields));
            let codec = |codec: &(String, Code)| Code::tuple([codec.0.clone().into(), codec.1.clone()]);
            if let Some(read) = items.or(method.result.as_ref()) {
                l.item(&codec(read).after("lambda: "));
            }
            if !method.throws.is_empty() {
                l.item(&Code::tuple(&method.throws).after("lambda: "));
            }
            if let Some(sent) = method.streams.as_ref().and_then(|streams| streams.sent.as_ref()) {
                l.item(&codec(sent).after("sent=lambda: "));
            }
            if method.oneway {
                l.line("oneway=True,");
            }
            if method.idempotent {
                l.line("idempotent=True,");
            }
            if !method.secrets.is_empty() {
                let names: Vec<String> = method.secrets.iter().map(|name| string(name)).collect();
                l.item(&Code::tuple(names).after("secrets="));
            }
        });
        out.line(")");
    }
}

fn client(out: &mut Lines, interface: &Interface, client: &Client, style: &Style) {
    out.gap();
    let streams = interface.methods.iter().any(|method| method.streams.is_some());
    out.line(format!("class {}({}):", client.name, if streams { style.streaming } else { style.base }));
    out.indented(|l| {
        l.doc(&client.about);
        for method in &interface.methods {
            l.blank();
            client_method(l, method, style);
        }
    });
}

fn client_method(out: &mut Lines, method: &Method, style: &Style) {
    if let Some(reason) = &method.about.deprecated {
        let text = if reason.is_empty() { "this method is deprecated" } else { reason.as_str() };
        out.list("@_creo.deprecated(", &[string(text)], ")");
    }
    let null = Code::from("None");
    let parameters = method.parameters.iter().map(|parameter| {
        let default = parameter.may_be_left_out.then_some(&null);
        Code::parameter(&parameter.name, &parameter.annotation, default)
    });
    let streams = method.streams.as_ref();
    let stream = streams.and_then(|streams| streams.parameter.as_ref());
    let taken = stream.map(|stream| {
        let annotation = Code::index(style.taken, [&stream.annotation]);
        Code::parameter(&stream.name, &annotation, None)
    });
    let list: Vec<Code> = std::iter::once("self".into()).chain(parameters).chain(taken).collect();
    let items = streams.and_then(|streams| streams.result.as_ref());
    let result = items.map(|item| Code::index(style.stream, [item]));
    // A stream is returned at once, and awaited item by item.
    let (def, await_) = if result.is_some() { ("def", "") } else { (style.def, style.await_) };
    out.list(
        &format!("{def} {}(", method.name),
        &list,
        &format!(") -> {}:", result.as_ref().unwrap_or(&method.result_annotation)),
    );
    let function = match streams {
        Some(_) if result.is_some() => "_stream",
        Some(_) => "_upload",
        None => "_call",
    };
    let return_ = if result.is_some() || method.result.is_some() { "return " } else { "" };
    let call = format!("{return_}{await_}self.{function}(");
    out.indented(|l| {
        l.doc(&method.about);
        let constant = &method.constant;
        let arguments = Code::tuple(method.parameters.iter().map(|parameter| &parameter.name));
        let stream = stream.map_or(String::new(), |stream| format!(", {}", stream.name));
        let one_line = format!("{call}{constant}, {arguments}{stream})");
        if l.fits(&one_line) {
            l.line(one_line);
            return;
        }
        l.line(call);
        l.indented(|l| {
            let one_line = format!("{constant}, {arguments}{stream}");
            if l.fits(&one_line) {
                l.line(one_line);
            } else {
                l.line(format!("{constant},"));
                l.item(&arguments);
                if let Some(stream) = stream.strip_prefix(", ") {
                    l.line(format!("{stream},"));
                }
            }
        });
        l.line(")");
    });
}
