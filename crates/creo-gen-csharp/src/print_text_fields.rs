//! Prints the constants of fields, records and namespaces for text wires.

use crate::lang::{Fact, Namespaces, TextField, TextRecord};
use crate::literals::string;
use crate::names_scope::Scope;
use crate::print_shared::initializer;
use creo_codegen::Writer;

/// Writes the constants of namespaces.
pub fn namespaces(w: &mut Writer, namespaces: &Namespaces) {
    for (index, namespace) in namespaces {
        w.line(format!("private const string N{index} = {};", string(namespace)));
    }
    if !namespaces.is_empty() {
        w.blank();
    }
}

/// A namespace in a class.
fn namespace(namespace: Option<usize>) -> String {
    namespace.map_or_else(|| "\"\"".to_owned(), |index| format!("N{index}"))
}

/// Namespaces as further arguments.
pub fn list(namespaces: &[usize]) -> String {
    namespaces.iter().map(|index| format!(", N{index}")).collect()
}

/// The expression that makes a field.
pub fn field(scope: &Scope, field: &TextField) -> String {
    let mut arguments = field.name.as_ref().map_or_else(|| "null".to_owned(), |name| string(name));
    if let Some(xml) = &field.xml {
        arguments.push_str(&format!(", {}, {}", namespace(xml.namespace), string(&xml.local)));
    }
    if let Some(place) = field.place {
        let named = if field.xml.is_some() { "" } else { "place: " };
        arguments.push_str(&format!(", {named}{}.{place}", scope.runtime("TextPlace")));
    }
    let facts: Vec<String> = field.facts.iter().map(|fact| self::fact(scope, fact)).collect();
    format!("new {}({arguments}){}", scope.runtime("TextField"), initializer(&facts))
}

fn fact(scope: &Scope, fact: &Fact) -> String {
    match fact {
        Fact::Is(property) => is(property),
        Fact::Charge(property, charge) => format!("{property} = {charge}"),
        Fact::Form(form) => format!("Form = {}.{form}", scope.runtime("TextForm")),
        Fact::Type(Some(classes)) => format!("Type = {}.Type", scope.class(&classes.text)),
        Fact::Type(None) => "Type = Type".to_owned(),
        Fact::Starts(parts) => {
            let part = |(of, locals): &(Option<usize>, Vec<String>)| {
                let locals: Vec<String> = locals.iter().map(|local| string(local)).collect();
                format!("new {}({}, {})", scope.runtime("TextStarts"), namespace(*of), locals.join(", "))
            };
            format!("Starts = [{}]", parts.iter().map(part).collect::<Vec<_>>().join(", "))
        }
        Fact::Field(property, held) => format!("{property} = {}", field(scope, held)),
        Fact::Schema(property, name) => {
            let class = scope.runtime("TextSchemaType");
            format!("{property} = new {class}({}, {})", namespace(name.namespace), string(&name.local))
        }
    }
}

pub fn is(property: &&'static str) -> String {
    format!("{property} = true")
}

/// The constant of the field at an index of a record.
pub fn constant(suffix: &str, index: usize) -> String {
    if suffix.is_empty() { format!("F{index}") } else { format!("F{suffix}_{index}") }
}

/// Writes the constant of a field.
pub fn declare(w: &mut Writer, scope: &Scope, name: &str, made: &TextField) {
    let class = scope.runtime("TextField");
    w.line(format!("private static readonly {class} {name} = {};", field(scope, made)));
}

/// Writes the constants of a record: its fields, and itself.
pub fn declare_record(w: &mut Writer, scope: &Scope, record: &TextRecord) {
    let (suffix, mut fields) = (&record.suffix, String::new());
    for (i, field) in record.fields.iter().enumerate() {
        let constant = constant(suffix, i);
        declare(w, scope, &constant, field);
        fields.push_str(&format!(", {constant}"));
    }
    let facts: Vec<String> = record.facts.iter().map(is).collect();
    w.line(format!(
        "private static readonly {} Record{suffix} = new({}, {}, {}{fields}){};",
        scope.runtime("TextRecord"),
        string(&record.name),
        namespace(record.xml.namespace),
        string(&record.xml.local),
        initializer(&facts)
    ));
}
