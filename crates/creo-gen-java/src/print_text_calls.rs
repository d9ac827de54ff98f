//! Prints the methods of an interface for text wires: the elements of their messages, and how they are written and read.

use crate::lang::{METHODS_A_CLASS, Method, Record, Service};
use crate::literals::string;
use crate::names::{ClassName, Inside, Scope};
use crate::print_binary::{construct, format_line};
use crate::print_project::{Output, generated};
use crate::print_text::{Headers, read_fields, write_field, write_fields};
use crate::print_text_fields::{Descriptors, Texts, constant};
use crate::print_text_values::Values;
use creo_codegen::{Files, Wire, Writer};
use creo_plan::{Message, Position};

pub fn render(out: &Output, texts: &Texts, service: &Service, files: &mut Files) {
    for (number, part) in service.parts.iter().enumerate() {
        render_part(out, texts, service, number * METHODS_A_CLASS, &part.texts, files);
    }
}

/// The methods from `first`, as many as fit into one class.
fn render_part(
    out: &Output,
    texts: &Texts,
    service: &Service,
    first: usize,
    class: &ClassName,
    files: &mut Files,
) {
    let constants =
        service.methods.iter().skip(first).take(METHODS_A_CLASS).map(|method| method.constant.clone());
    let inside = Inside { variables: constants.collect(), ..Inside::default() };
    out.file(files, class, inside, |w, scope| {
        w.line(format!(
            "/** How the methods of {{@link {}}} are written to and read from text wires, such as XML. */",
            scope.class(&service.class)
        ));
        generated(w, scope, service.uses_deprecated);
        w.block(format!("final class {} {{", class.simple()), "}", |w| {
            format_line(w, scope);
            let mut class = Class {
                texts,
                scope,
                name: class.simple().to_owned(),
                descriptors: Descriptors::new(texts, scope, service.encoded),
                constants: Writer::new("    "),
                methods: Writer::new("    "),
                body: Writer::new("    "),
                values: Values::new(texts.classes, scope),
            };
            let own = service.methods.iter().enumerate().skip(first).take(METHODS_A_CLASS);
            let json = out.wires.has(Wire::Json);
            for (number, method) in own {
                match &method.plan.item {
                    Some(item) if json => class.streaming(number, method, item),
                    _ if method.has_streams() => {}
                    _ => class.method(number, method, service),
                }
            }
            class.descriptors.constants(w);
            w.lines(class.constants.finish().lines());
            w.lines(class.methods.finish().lines());
            w.blank();
            w.line(format!("private {}() {{}}", class.name));
            w.lines(class.body.finish().lines());
            class.values.print_helpers(w);
        });
    });
}

/// A text class being printed.
struct Class<'a> {
    texts: &'a Texts<'a>,
    scope: &'a Scope<'a>,
    name: String,
    descriptors: Descriptors<'a>,
    constants: Writer,
    methods: Writer,
    body: Writer,
    values: Values<'a>,
}

impl<'a> Class<'a> {
    fn method(&mut self, number: usize, method: &'a Method, service: &Service) {
        let arguments = self.scope.class(&method.arguments.class);
        let request = self.request(number, method, &arguments);
        let result = method
            .result
            .as_ref()
            .map_or_else(|| self.scope.lang("Void"), |value| value.ty.boxed().text(self.scope));
        let response = match &method.plan.response {
            Some(message) => self.response(&format!("_{number}r"), message, &result),
            None => "null".to_owned(),
        };
        let class = self.scope.creo("TextMethod");
        // Without a response, the type of the result cannot be inferred when a call follows.
        let forms = [
            (service.encoded, ".encoded()"),
            (service.soap12 && !service.encoded, ".soap12()"),
            (service.addressing, ".addressing()"),
        ];
        let soap = method.soap.as_ref().zip(method.plan.soap_response.as_ref());
        let soap = soap.map(|(record, message)| {
            let class = self.scope.class(&record.class);
            format!(".soap({})", self.parts(&format!("_{number}s"), message, record, "result", &class))
        });
        let form: String = forms.iter().filter(|(holds, _)| *holds).map(|(_, call)| *call).collect();
        let form = soap.unwrap_or_default() + &form;
        let types = if !form.is_empty() { format!("<{arguments}, {result}>") } else { String::new() };
        let thrown: Vec<String> =
            method.thrown_texts.iter().map(|text| format!(", {}.CODEC", self.scope.statics(text))).collect();
        self.methods.line(format!(
            "static final {class}<{arguments}, {result}> {} = {class}.{types}of({}, {request}, {response}{}){};",
            method.constant,
            string(&method.plan.action),
            thrown.concat(),
            form
        ));
    }

    /// A method with one stream, which the json wire carries: `item` is the message of its items.
    fn streaming(&mut self, number: usize, method: &'a Method, item: &'a Message) {
        let scope = self.scope;
        let arguments = scope.class(&method.arguments.class);
        let request = self.request(number, method, &arguments);
        let result = match (&method.gives, &method.result) {
            (Some(items), _) => items.stream(scope),
            (None, Some(value)) => value.ty.boxed().text(scope),
            (None, None) => scope.lang("Void"),
        };
        let response = match &method.plan.response {
            Some(message) if method.gives.is_none() => {
                self.response(&format!("_{number}r"), message, &result)
            }
            _ => "null".to_owned(),
        };
        let items = method.gives.as_ref().or(method.arguments.stream.as_ref().map(|stream| &stream.items));
        let (ty, charge) = items
            .map(|items| (items.value.ty.boxed().text(scope), items.charge))
            .expect("a method with an item has a stream");
        let message = self.response(&format!("_{number}i"), item, &ty);
        let thrown: Vec<String> =
            method.thrown_texts.iter().map(|text| format!(", {}.CODEC", scope.statics(text))).collect();
        let (class, lines) = (scope.creo("TextMethod"), scope.creo("JsonItems"));
        self.methods.line(format!(
            "static final {class}<{arguments}, {result}> {} = {class}.<{arguments}, {result}>of({}, {request}, {response}{}).lines({lines}.of({message}, {charge}));",
            method.constant,
            string(&method.plan.action),
            thrown.concat(),
        ));
    }

    /// Writes the constant of the element around the fields; returns its name, or `null` if there is none.
    fn element(&mut self, of: &str, message: &Message) -> String {
        if message.bare {
            return "null".to_owned();
        }
        let field = self.scope.creo("TextField");
        let name = self.descriptors.name(&message.element);
        self.constants.line(format!("private static final {field} E{of} = {field}.element(null, {name});"));
        format!("E{of}")
    }

    fn message(&mut self, of: &str, message: &Message, ty: &str, header: &str) -> String {
        let element = self.element(of, message);
        let list = self.descriptors.list(&message.record.content.namespaces);
        let class = self.scope.creo("TextMessage");
        format!(
            "{class}.<{ty}>of({element}, RECORD{of}, {header}, {0}::write{of}, {0}::read{of}, {1}{list})",
            self.name, message.record.content.xsi
        )
    }

    /// A message with the fields of a record as its parts, some of which may be in the header.
    fn parts(
        &mut self,
        of: &str,
        message: &'a Message,
        record: &'a Record,
        declared: &str,
        class: &str,
    ) -> String {
        let (scope, values) = (self.scope, &mut self.values);
        self.descriptors.record_constants(&mut self.constants, record, declared, of);
        let writer = scope.creo("TextWriter");
        let is_header = |i: &usize| record.components[*i].field.node.xml.position == Position::Header;
        let headers: Vec<usize> = (0..record.components.len()).filter(is_header).collect();
        if !headers.is_empty() {
            self.body.blank();
            self.body.block(format!("private static void header{of}({writer} w, {class} v) {{"), "}", |w| {
                headers.iter().for_each(|i| write_field(w, *i, &record.components[*i], of, values));
            });
        }
        self.body.blank();
        self.body.block(format!("private static void write{of}({writer} w, {class} v) {{"), "}", |w| {
            write_fields(w, record, of, Headers::Omit, values);
        });
        let reader = scope.creo("TextReader");
        self.body.blank();
        self.body.block(format!("private static {class} read{of}({reader} r) {{"), "}", |w| {
            read_fields(w, scope, record, of, values);
            w.line(format!("return {};", construct(record, class)));
        });
        let header =
            if headers.is_empty() { "null".to_owned() } else { format!("{}::header{of}", self.name) };
        self.message(of, message, class, &header)
    }

    fn request(&mut self, number: usize, method: &'a Method, arguments: &str) -> String {
        let of = format!("_{number}");
        let (message, record) = (&method.plan.request, &method.arguments);
        let made = self.parts(&of, message, record, &method.wire_name, arguments);
        if message.record.fields.iter().all(|field| field.node.xml.position != Position::Header) {
            return made;
        }
        let (writer, values) = (self.scope.creo("TextWriter"), &mut self.values);
        self.body.blank();
        self.body.block(format!("private static void all{of}({writer} w, {arguments} v) {{"), "}", |w| {
            write_fields(w, record, &of, Headers::Write, values);
        });
        format!("{made}.all({}::all{of})", self.name)
    }

    /// `of`: what names of this message end with.
    fn response(&mut self, of: &str, message: &'a Message, ty: &str) -> String {
        let (scope, values) = (self.scope, &mut self.values);
        let result = message.record.fields.first().map(|field| &field.node);
        self.descriptors.result_constants(&mut self.constants, &message.record, of);
        let (writer, reader) = (scope.creo("TextWriter"), scope.creo("TextReader"));
        self.body.blank();
        self.body.block(format!("private static void write{of}({writer} w, {ty} v) {{"), "}", |w| {
            if let Some(node) = result {
                let is_primitive = self.texts.classes.ty(node).is_primitive();
                let v = if is_primitive {
                    format!("{}.present(v)", scope.creo("Values"))
                } else {
                    "v".to_owned()
                };
                values.write(w, node, &constant(of, 0), &v);
            }
        });
        self.body.blank();
        self.body.block(format!("private static {ty} read{of}({reader} r) {{"), "}", |w| {
            w.line(format!("r.begin(RECORD{of});"));
            let Some(node) = result else {
                w.line("r.next(0);");
                w.line(format!("r.end(RECORD{of});"));
                w.line("return null;");
                return;
            };
            w.line(format!("{} v = {};", self.texts.classes.ty(node).text(scope), values.initial(node)));
            w.block("while (r.next(0) == 0) {", "}", |w| w.line(format!("v = {};", values.read(node))));
            values.read_lacking(w, 0, node, "v");
            w.line(format!("r.end(RECORD{of});"));
            w.line("return v;");
        });
        self.message(of, message, ty, "null")
    }
}
