//! Prints what text wires know of the methods of an interface: the elements of their messages, and how these are written and read.

use crate::file::{Output, suppress};
use crate::lang::{METHODS_A_CLASS, Method, Service, Value as JavaValue};
use crate::literals::string;
use crate::names::{ClassName, Inside, Scope};
use crate::render_codec::{construct, format_line};
use crate::render_text::{Helpers, Texts, nothing, read_fields, read_value, record_constants, write_fields, write_fields_of, write_value};
use crate::render_text_fields::{self as fields, Extra, Namespaces};
use creo_codegen::{Files, Writer};
use creo_model::text::{Message, Place};

pub fn render(out: &Output, texts: &Texts, index: usize, service: &Service, files: &mut Files) {
    for (number, part) in service.parts.iter().enumerate() {
        render_part(out, texts, index, service, number * METHODS_A_CLASS, &part.texts, files);
    }
}

/// The methods from `first` on, as many as go into one class.
fn render_part(out: &Output, texts: &Texts, index: usize, service: &Service, first: usize, class: &ClassName, files: &mut Files) {
    let constants = service.methods.iter().skip(first).take(METHODS_A_CLASS).map(|method| method.constant.clone());
    let inside = Inside { variables: constants.collect(), ..Inside::default() };
    out.file(files, class, inside, |w, scope| {
        w.line(format!("/** How the methods of {{@link {}}} are written to and read from text wires, such as XML. */", scope.class(&service.class)));
        suppress(w, scope, service.uses_deprecated);
        w.block(format!("final class {} {{", class.simple()), "}", |w| {
            format_line(w, scope);
            let mut class = Class {
                texts,
                scope,
                name: class.simple().to_owned(),
                names: Namespaces::default(),
                constants: Writer::new("    "),
                methods: Writer::new("    "),
                body: Writer::new("    "),
                helpers: Helpers::default(),
            };
            let plan = texts.plan.interface(index);
            for (number, (method, text)) in service.methods.iter().zip(&plan.methods).enumerate().skip(first).take(METHODS_A_CLASS) {
                class.method(number, method, text, plan.soap12);
            }
            class.names.constants(w, scope, texts);
            w.lines(class.constants.finish().lines());
            w.lines(class.methods.finish().lines());
            w.blank();
            w.line(format!("private {}() {{}}", class.name));
            w.lines(class.body.finish().lines());
            class.helpers.render(w, scope, texts);
        });
    });
}

struct Class<'a, 'm> {
    texts: &'a Texts<'m>,
    scope: &'a Scope<'a>,
    name: String,
    names: Namespaces,
    constants: Writer,
    methods: Writer,
    body: Writer,
    helpers: Helpers,
}

impl Class<'_, '_> {
    fn method(&mut self, number: usize, method: &Method, plan: &creo_model::text::MethodText, soap12: bool) {
        let arguments = self.scope.class(&method.arguments.class);
        let request = self.request(number, method, &plan.request, &arguments);
        let result = method.result.as_ref().map_or_else(|| self.scope.lang("Void"), |value| value.ty.boxed().text(self.scope));
        let response =
            plan.response.as_ref().map_or_else(|| "null".to_owned(), |message| self.response(number, method.result.as_ref(), message, &result));
        let class = self.scope.creo("TextMethod");
        let thrown: Vec<String> = method.thrown_texts.iter().map(|text| format!(", {}.CODEC", self.scope.statics(text))).collect();
        self.methods.line(format!(
            "static final {class}<{arguments}, {result}> {} = {class}.of({}, {request}, {response}{}){};",
            method.constant,
            string(&plan.action),
            thrown.concat(),
            if soap12 { ".soap12()" } else { "" }
        ));
    }

    /// Writes the constant of the element around the fields; what makes it, or `null` if there is none.
    fn element(&mut self, of: &str, message: &Message) -> String {
        if message.bare {
            return "null".to_owned();
        }
        let field = self.scope.creo("TextField");
        let name = self.names.name(&message.element);
        self.constants.line(format!("private static final {field} E{of} = {field}.element(null, {name});"));
        format!("E{of}")
    }

    fn message(&mut self, of: &str, message: &Message, element: &str, ty: &str, header: &str) -> String {
        let list = self.names.list(&message.record.namespaces);
        let class = self.scope.creo("TextMessage");
        format!("{class}.<{ty}>of({element}, RECORD{of}, {header}, {0}::write{of}, {0}::read{of}, {1}{list})", self.name, message.record.xsi)
    }

    fn request(&mut self, number: usize, method: &Method, message: &Message, arguments: &str) -> String {
        let (of, scope, texts) = (format!("_{number}"), self.scope, self.texts);
        let plan = &message.record;
        record_constants(&mut self.constants, scope, texts, plan, &method.arguments, &method.wire_name, &of, &mut self.names);
        let element = self.element(&of, message);
        let writer = scope.creo("TextWriter");
        let headers: Vec<usize> = (0..plan.fields.len()).filter(|i| plan.fields[*i].place == Place::Header).collect();
        if !headers.is_empty() {
            self.body.blank();
            self.body.block(format!("private static void header{of}({writer} w, {arguments} v) {{"), "}", |w| {
                for i in &headers {
                    let c = &method.arguments.components[*i];
                    write_value(
                        w,
                        scope,
                        texts,
                        &plan.fields[*i].value,
                        &c.value.ty,
                        &fields::constant(&of, *i),
                        &format!("v.{}()", c.name),
                        &mut self.helpers,
                    );
                }
            });
        }
        self.body.blank();
        self.body.block(format!("private static void write{of}({writer} w, {arguments} v) {{"), "}", |w| {
            write_fields(w, scope, texts, plan, &method.arguments, &of, &mut self.helpers);
        });
        let reader = scope.creo("TextReader");
        self.body.blank();
        self.body.block(format!("private static {arguments} read{of}({reader} r) {{"), "}", |w| {
            read_fields(w, scope, texts, plan, &method.arguments, &of, &mut self.helpers);
            w.line(format!("return {};", construct(&method.arguments, arguments)));
        });
        if headers.is_empty() {
            return self.message(&of, message, &element, arguments, "null");
        }
        self.body.blank();
        self.body.block(format!("private static void all{of}({writer} w, {arguments} v) {{"), "}", |w| {
            write_fields_of(w, scope, texts, plan, &method.arguments, &of, true, &mut self.helpers);
        });
        let header = format!("{}::header{of}", self.name);
        format!("{}.all({}::all{of})", self.message(&of, message, &element, arguments, &header), self.name)
    }

    fn response(&mut self, number: usize, result: Option<&JavaValue>, message: &Message, ty: &str) -> String {
        let (of, scope, texts) = (format!("_{number}r"), self.scope, self.texts);
        let plan = &message.record;
        let field = scope.creo("TextField");
        for (i, f) in plan.fields.iter().enumerate() {
            let extra = Extra { unnamed: true, starts: Some((&plan.starts, i)), ..Extra::default() };
            self.constants.line(format!(
                "private static final {field} {} = {};",
                fields::constant(&of, i),
                fields::field(f, extra, &mut self.names, scope, texts)
            ));
        }
        let made = fields::record(plan, "result", false, &of, &mut self.names, scope, texts);
        self.constants.line(format!("private static final {} RECORD{of} = {made};", scope.creo("TextRecord")));
        let element = self.element(&of, message);
        let (writer, reader) = (scope.creo("TextWriter"), scope.creo("TextReader"));
        self.body.blank();
        self.body.block(format!("private static void write{of}({writer} w, {ty} v) {{"), "}", |w| {
            if let (Some(value), Some(f)) = (result, plan.fields.first()) {
                let part = if value.ty.is_primitive() { format!("{}.present(v)", scope.creo("Values")) } else { "v".to_owned() };
                write_value(w, scope, texts, &f.value, &value.ty, &fields::constant(&of, 0), &part, &mut self.helpers);
            }
        });
        self.body.blank();
        self.body.block(format!("private static {ty} read{of}({reader} r) {{"), "}", |w| {
            w.line(format!("r.begin(RECORD{of});"));
            let (Some(value), Some(f)) = (result, plan.fields.first()) else {
                w.line("r.next(0);");
                w.line(format!("r.end(RECORD{of});"));
                w.line("return null;");
                return;
            };
            w.line(format!("{} v = {};", value.ty.text(scope), nothing(f, &value.ty, scope)));
            w.block("while (r.next(0) == 0) {", "}", |w| {
                w.line(format!("v = {};", read_value(scope, texts, &f.value, &value.ty, &mut self.helpers)))
            });
            if let creo_model::text::Value::Record(id) = &f.value {
                w.block("if (r.lacks(0)) {", "}", |w| w.line(format!("v = {}.read(r);", scope.statics(&texts.names[id.0].text))));
            }
            w.line(format!("r.end(RECORD{of});"));
            w.line("return v;");
        });
        self.message(&of, message, &element, ty, "null")
    }
}
