//! Prints how values are written to and read from text wires, and the methods for lists and maps.

use crate::lang::Classes;
use crate::names::Scope;
use crate::print_binary_values::frozen;
use crate::scalars::{bulk_item, bulk_word, scalar, word};
use creo_codegen::Writer;
use creo_model::TypeId;
use creo_plan::{ArrayLayout, BulkScalar, FixedScalar, Kind, Node, StringForm};
use std::collections::BTreeMap;

/// Writes and reads the values of one class, with two methods for each form of list or map.
pub struct Values<'a> {
    scope: &'a Scope<'a>,
    classes: &'a Classes,
    helpers: Vec<Helper<'a>>,
    by_form: BTreeMap<Form, usize>,
}

/// Two methods.
#[derive(Clone)]
struct Helper<'a> {
    /// The suffix of `read` and `write` in their names.
    name: String,
    node: &'a Node,
    holds: Holds<'a>,
}

/// The content of a helper's value.
#[derive(Clone, Copy)]
enum Holds<'a> {
    Items(&'a Node),
    Entries(&'a Node, &'a Node),
}

/// The key of a helper: the types, without the names of fields.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    Scalar(FixedScalar),
    String,
    Raw,
    Decimal,
    Bytes,
    Bulk(BulkScalar),
    List(Box<Form>),
    Map(Box<Form>, Box<Form>),
    Attributes,
    Optional(Box<Form>),
    Named(TypeId),
}

impl Form {
    fn of(node: &Node) -> Form {
        match &node.kind {
            Kind::Scalar(scalar) => Form::Scalar(*scalar),
            Kind::String(StringForm::Plain | StringForm::Token | StringForm::QName) => Form::String,
            Kind::String(StringForm::Raw) => Form::Raw,
            Kind::Decimal => Form::Decimal,
            Kind::Bytes { .. } => Form::Bytes,
            Kind::Array { bulk: Some(bulk), .. } => Form::Bulk(*bulk),
            Kind::Array { item, bulk: None, .. } => Form::List(Box::new(Form::of(item))),
            Kind::Map { attributes: true, .. } => Form::Attributes,
            Kind::Map { key, value, attributes: false } => {
                Form::Map(Box::new(Form::of(key)), Box::new(Form::of(value)))
            }
            Kind::Optional(inner) => Form::Optional(Box::new(Form::of(inner))),
            Kind::Record(id) | Kind::Union(id) | Kind::Enum(id) => Form::Named(*id),
        }
    }
}

impl<'a> Values<'a> {
    pub fn new(classes: &'a Classes, scope: &'a Scope<'a>) -> Values<'a> {
        Values { scope, classes, helpers: Vec::new(), by_form: BTreeMap::new() }
    }

    /// Writes the statements that write the value `v` as the field `f`.
    pub fn write(&mut self, w: &mut Writer, node: &'a Node, f: &str, v: &str) {
        match &node.kind {
            Kind::Scalar(scalar) => w.line(format!("w.write{}({f}, {v});", word(*scalar))),
            Kind::String(StringForm::Plain | StringForm::Token | StringForm::QName) => {
                w.line(format!("w.writeString({f}, {v});"))
            }
            Kind::String(StringForm::Raw) => w.line(format!("w.writeRaw({f}, {v});")),
            Kind::Decimal => w.line(format!("w.writeDecimal({f}, {v});")),
            Kind::Bytes { .. } => w.line(format!("w.writeBytes({f}, {v});")),
            Kind::Map { attributes: true, .. } => w.line(format!("w.writeAttributes({f}, {v});")),
            Kind::Enum(id) | Kind::Record(id) | Kind::Union(id) => {
                w.line(format!("{}.write(w, {f}, {v});", self.scope.statics(&self.classes.of(*id).text)));
            }
            Kind::Optional(inner) => {
                w.block(format!("if ({v} == null) {{"), "", |w| w.line(format!("w.absent({f});")));
                w.block("} else {", "}", |w| self.write(w, inner, f, v));
            }
            Kind::Array { bulk: Some(bulk), .. } => w.line(format!("w.write{}({f}, {v});", bulk_word(*bulk))),
            Kind::Array { item, bulk: None, .. } => {
                w.line(format!("write{}(w, {f}, {v});", self.helper(node, Holds::Items(item))));
            }
            Kind::Map { key, value, attributes: false } => {
                w.line(format!("write{}(w, {f}, {v});", self.helper(node, Holds::Entries(key, value))));
            }
        }
    }

    /// The expression that reads a value.
    pub fn read(&mut self, node: &'a Node) -> String {
        match &node.kind {
            Kind::Scalar(scalar) => format!("r.read{}()", word(*scalar)),
            Kind::String(StringForm::Plain | StringForm::Token | StringForm::QName) => {
                "r.readString()".to_owned()
            }
            Kind::String(StringForm::Raw) => "r.readRaw()".to_owned(),
            Kind::Decimal => "r.readDecimal()".to_owned(),
            Kind::Bytes { .. } => "r.readBytes()".to_owned(),
            Kind::Map { attributes: true, .. } => "r.readAttributes()".to_owned(),
            Kind::Enum(id) | Kind::Record(id) | Kind::Union(id) => self.read_declared(*id),
            Kind::Optional(inner) => format!("r.nil() ? null : {}", self.read(inner)),
            Kind::Array { bulk: Some(bulk), .. } => format!("r.read{}()", bulk_word(*bulk)),
            Kind::Array { item, bulk: None, .. } => {
                format!("read{}(r)", self.helper(node, Holds::Items(item)))
            }
            Kind::Map { key, value, attributes: false } => {
                format!("read{}(r)", self.helper(node, Holds::Entries(key, value)))
            }
        }
    }

    fn read_declared(&self, id: TypeId) -> String {
        format!("{}.read(r)", self.scope.statics(&self.classes.of(id).text))
    }

    /// Reads the struct of the field at `index` into the local variable `local` if it had no element: all its fields may be absent.
    pub fn read_lacking(&self, w: &mut Writer, index: usize, node: &Node, local: &str) {
        if let Kind::Record(id) = node.kind {
            w.block(format!("if (r.lacks({index})) {{"), "}", |w| {
                w.line(format!("{local} = {};", self.read_declared(id)));
            });
        }
    }

    /// The initial value of a field.
    pub fn initial(&self, node: &Node) -> String {
        match &node.kind {
            Kind::Scalar(fixed) => scalar(fixed.primitive()).initial.to_owned(),
            Kind::Array { bulk: Some(bulk), layout: ArrayLayout::Repeated, .. } => {
                format!("{}.NO_{}S", self.scope.creo("TextReader"), bulk_item(*bulk).to_uppercase())
            }
            Kind::Array { bulk: None, layout: ArrayLayout::Repeated, .. } => {
                format!("{}.none()", self.scope.creo("Lists"))
            }
            Kind::Map { attributes: true, .. } => format!("{}.of()", self.scope.jdk("java.util", "Map")),
            Kind::String(_)
            | Kind::Decimal
            | Kind::Bytes { .. }
            | Kind::Array { layout: ArrayLayout::Wrapped | ArrayLayout::List, .. }
            | Kind::Map { attributes: false, .. }
            | Kind::Optional(_)
            | Kind::Record(_)
            | Kind::Union(_)
            | Kind::Enum(_) => "null".to_owned(),
        }
    }

    /// The suffix of `read` and `write` in the names of the methods.
    fn helper(&mut self, node: &'a Node, holds: Holds<'a>) -> String {
        let form = Form::of(node);
        if let Some(index) = self.by_form.get(&form) {
            return self.helpers[*index].name.clone();
        }
        let kind = match holds {
            Holds::Items(_) => "List",
            Holds::Entries(..) => "Map",
        };
        let name = format!("{kind}_{}", self.helpers.len());
        self.by_form.insert(form, self.helpers.len());
        self.helpers.push(Helper { name: name.clone(), node, holds });
        name
    }

    /// Prints the methods, and those that they use.
    pub fn print_helpers(&mut self, w: &mut Writer) {
        let mut next = 0;
        while let Some(helper) = self.helpers.get(next).cloned() {
            next += 1;
            match helper.holds {
                Holds::Items(item) => self.items(w, &helper, item),
                Holds::Entries(key, value) => self.entries(w, &helper, key, value),
            }
        }
    }

    fn items(&mut self, w: &mut Writer, helper: &Helper<'a>, item: &'a Node) {
        let scope = self.scope;
        let (writer, reader, field) =
            (scope.creo("TextWriter"), scope.creo("TextReader"), scope.creo("TextField"));
        let (name, list) = (&helper.name, self.classes.ty(helper.node).text(scope));
        w.blank();
        w.block(format!("private static void write{name}({writer} w, {field} f, {list} v) {{"), "}", |w| {
            w.block("if (v == null) {", "}", |w| w.line("throw w.missing(f);"));
            w.line(format!("{list} items = {}.indexed(v);", scope.creo("Lists")));
            w.line("int n = items.size();");
            w.line(format!("{field} item = w.beginItems(f, n);"));
            w.block("for (int i = 0; i < n; i++) {", "}", |w| {
                w.line("w.item(i);");
                w.line(format!("{} each = items.get(i);", self.classes.ty(item).boxed().text(scope)));
                self.write(w, item, "item", "each");
            });
            w.line("w.endItems(f);");
        });
        w.blank();
        w.block(format!("private static {list} read{name}({reader} r) {{"), "}", |w| {
            w.line(format!("{}[] items = {{}};", scope.lang("Object")));
            w.line("int n = 0;");
            w.line("r.beginItems();");
            w.block("while (r.nextItem()) {", "}", |w| {
                w.block("if (n == items.length) {", "}", |w| {
                    w.line(format!("items = {reader}.grown(items);"))
                });
                w.line(format!("items[n++] = {};", self.read(item)));
            });
            w.line(format!("return {}.{}(items, n);", scope.creo("Lists"), frozen(item.is_optional())));
        });
    }

    fn entries(&mut self, w: &mut Writer, helper: &Helper<'a>, key: &'a Node, value: &'a Node) {
        let scope = self.scope;
        let (writer, reader, field) =
            (scope.creo("TextWriter"), scope.creo("TextReader"), scope.creo("TextField"));
        let (name, map) = (&helper.name, self.classes.ty(helper.node).text(scope));
        let (k, v) = (self.classes.ty(key), self.classes.ty(value));
        let (boxed_k, boxed_v) = (k.boxed().text(scope), v.boxed().text(scope));
        let present = |part: &str, is_primitive: bool| {
            if is_primitive { format!("{}.present({part})", scope.creo("Values")) } else { part.to_owned() }
        };
        w.blank();
        w.block(format!("private static void write{name}({writer} w, {field} f, {map} v) {{"), "}", |w| {
            w.block("if (v == null) {", "}", |w| w.line("throw w.missing(f);"));
            w.line("w.beginEntries(f, v.size());");
            w.line("int i = 0;");
            let entry = format!("{}.Entry<{boxed_k}, {boxed_v}>", scope.jdk("java.util", "Map"));
            w.block(format!("for ({entry} entry : v.entrySet()) {{"), "}", |w| {
                w.line(format!("{field} key = w.key(f, i++);"));
                w.line(format!("{boxed_k} k = entry.getKey();"));
                self.write(w, key, "key", &present("k", k.is_primitive()));
                w.line(format!("{field} value = w.value(f);"));
                w.line(format!("{boxed_v} each = entry.getValue();"));
                self.write(w, value, "value", &present("each", v.is_primitive()));
                w.line("w.endEntry(f);");
            });
            w.line("w.endEntries(f);");
        });
        w.blank();
        w.block(format!("private static {map} read{name}({reader} r) {{"), "}", |w| {
            let linked = scope.jdk("java.util", "LinkedHashMap");
            w.line(format!("{linked}<{boxed_k}, {boxed_v}> map = new {linked}<>();"));
            w.line("r.beginEntries();");
            w.block("while (r.nextEntry()) {", "}", |w| {
                w.line(format!("{boxed_k} k = null;"));
                w.line(format!("{boxed_v} each = null;"));
                w.block("for (int i = r.next(0); i >= 0; i = r.next(i + 1)) {", "}", |w| {
                    w.block("if (i == 0) {", "", |w| w.line(format!("k = {};", self.read(key))));
                    w.block("} else {", "}", |w| w.line(format!("each = {};", self.read(value))));
                });
                w.line("r.endEntry();");
                w.block("if (map.containsKey(k)) {", "}", |w| w.line("throw r.duplicateKey();"));
                w.line("map.put(k, each);");
            });
            w.line(format!("return {}.{}(map);", scope.creo("Lists"), frozen(value.is_optional())));
        });
    }
}
