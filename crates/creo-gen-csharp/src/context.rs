//! How types are written in one file, and what the file imports.

use crate::lower::Output;
use creo_codegen::Writer;
use creo_model::{Primitive, Type, TypeId};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// One file under way.
pub struct Context<'a> {
    pub output: &'a Output<'a>,
    namespace: &'a str,
    /// Whether types of the file's own namespace are written in full: where nested types could hide them.
    in_full: bool,
    /// Namespaces that the file imports.
    imports: RefCell<BTreeSet<&'static str>>,
}

impl<'a> Context<'a> {
    pub fn new(output: &'a Output<'a>, namespace: &'a str, in_full: bool) -> Context<'a> {
        Context { output, namespace, in_full, imports: RefCell::default() }
    }

    /// A type of the framework.
    pub fn framework(&self, name: &str) -> String {
        self.imported("Creo", name)
    }

    /// A type of the platform, from one of the namespaces that generated code imports.
    pub fn platform(&self, name: &str) -> String {
        let namespace = match name {
            "BinaryPrimitives" => "System.Buffers.Binary",
            "KeyValuePair" => "System.Collections.Generic",
            "MethodImpl" | "MethodImplOptions" => "System.Runtime.CompilerServices",
            "CancellationToken" => "System.Threading",
            "ValueTask" => "System.Threading.Tasks",
            _ => "System",
        };
        self.imported(namespace, name)
    }

    /// A type by its simple name, unless something that is generated has the same.
    fn imported(&self, namespace: &'static str, name: &str) -> String {
        if self.output.taken.contains(name) || self.output.taken.contains(&format!("{name}Attribute")) {
            return format!("global::{namespace}.{name}");
        }
        self.imports.borrow_mut().insert(namespace);
        name.to_owned()
    }

    /// A declared type where only a type can stand.
    pub fn named(&self, id: TypeId) -> String {
        let unit = self.output.unit(id);
        if unit.namespace == self.namespace && !self.in_full {
            unit.name.clone()
        } else {
            self.named_in_full(id)
        }
    }

    /// A declared type where a member of the same name could be meant.
    pub fn named_in_full(&self, id: TypeId) -> String {
        let unit = self.output.unit(id);
        format!("global::{}.{}", unit.namespace, unit.name)
    }

    /// The class that reads and writes a declared type.
    pub fn codec(&self, id: TypeId) -> String {
        let unit = self.output.unit(id);
        if unit.namespace == self.namespace {
            unit.codec.clone()
        } else {
            format!("global::{}.{}", unit.namespace, unit.codec)
        }
    }

    /// The class that knows a declared type as text.
    pub fn text(&self, id: TypeId) -> String {
        let unit = self.output.unit(id);
        if unit.namespace == self.namespace {
            unit.text.clone()
        } else {
            format!("global::{}.{}", unit.namespace, unit.text)
        }
    }

    /// A type.
    pub fn ty(&self, ty: &Type) -> String {
        match ty {
            Type::Primitive(primitive) => match primitive {
                Primitive::Boolean => "bool".to_owned(),
                Primitive::Byte => "sbyte".to_owned(),
                Primitive::Short => "short".to_owned(),
                Primitive::Char => "char".to_owned(),
                Primitive::Int => "int".to_owned(),
                Primitive::Long => "long".to_owned(),
                Primitive::Float => "float".to_owned(),
                Primitive::Double => "double".to_owned(),
                Primitive::String => "string".to_owned(),
                Primitive::DateTime => self.framework("Instant"),
                Primitive::Decimal => self.framework("BigDecimal"),
            },
            Type::Bytes => format!("{}<byte>", self.framework("ValueArray")),
            Type::Array(item) => format!("{}<{}>", self.framework("ValueArray"), self.ty(item)),
            Type::Optional(item) => format!("{}?", self.ty(item)),
            Type::Map(key, value) => {
                format!("{}<{}, {}>", self.framework("ValueMap"), self.ty(key), self.ty(value))
            }
            Type::Named(id) => self.named(*id),
        }
    }

    /// The expression for a type's layout.
    pub fn layout(&self, ty: &Type) -> String {
        match ty {
            Type::Primitive(primitive) => {
                let word = primitive.keyword();
                format!("global::Creo.Layout.{}{}", word[..1].to_ascii_uppercase(), &word[1..])
            }
            Type::Bytes => "global::Creo.Layout.Bytes".to_owned(),
            Type::Array(item) => format!("global::Creo.Layout.Array({})", self.layout(item)),
            Type::Optional(item) => format!("global::Creo.Layout.Optional({})", self.layout(item)),
            Type::Map(key, value) => {
                format!("global::Creo.Layout.Map({}, {})", self.layout(key), self.layout(value))
            }
            Type::Named(id) => format!("{}.Layout", self.codec(*id)),
        }
    }

    /// The whole file: what it was made from, imports, namespace, body.
    pub fn file(&self, deprecated_inside: bool, body: impl FnOnce(&mut Writer)) -> String {
        let mut inner = Writer::new("    ");
        body(&mut inner);
        let mut w = Writer::new("    ");
        w.line(format!("// {}", self.output.header));
        w.blank();
        let imports = self.imports.borrow();
        // Those of the platform come first, as is the custom.
        let (framework, platform): (Vec<&str>, Vec<&str>) =
            imports.iter().partition(|namespace| **namespace == "Creo");
        w.lines(platform.iter().chain(&framework).map(|namespace| format!("using {namespace};")));
        if !imports.is_empty() {
            w.blank();
        }
        w.line(format!("namespace {};", self.namespace));
        w.blank();
        if deprecated_inside {
            w.line("// What the description deprecates is still read and written: the warnings are for those who use it.");
            w.line("#pragma warning disable CS0612, CS0618");
            w.blank();
        }
        w.finish() + &inner.finish()
    }
}
