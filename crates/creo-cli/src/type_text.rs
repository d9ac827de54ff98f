//! A type on the command line.

use crate::failure::Failure;
use creo_model::{Interface, Method, Model, Primitive, Type, TypeId};

/// Reads a type in the description's own syntax: `Data`, `org.example.data.Data`, `double[]`, `Map<String, Data?>`.
pub fn parse(model: &Model, text: &str) -> Result<Type, Failure> {
    let mut reader = Reader { model, text, rest: text.trim(), depth: 0 };
    let ty = reader.ty()?;
    if reader.rest.is_empty() { Ok(ty) } else { Err(reader.unreadable()) }
}

struct Reader<'a> {
    model: &'a Model,
    text: &'a str,
    rest: &'a str,
    depth: usize,
}

impl Reader<'_> {
    fn ty(&mut self) -> Result<Type, Failure> {
        self.depth += 1;
        if self.depth > creo_syntax::MAX_TYPE_DEPTH {
            return Err(Failure::new(format!("the type {:?} nests too deep", self.text)));
        }
        let end = self
            .rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.'))
            .unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        let mut ty = if name == "Map" && self.takes("<") {
            let key = self.ty()?;
            let comma = self.takes(",");
            let value = self.ty()?;
            if !comma || !self.takes(">") {
                return Err(self.unreadable());
            }
            Type::Map(Box::new(key), Box::new(value))
        } else if let Some(primitive) = Primitive::from_keyword(name) {
            Type::Primitive(primitive)
        } else {
            Type::Named(find_type(self.model, name)?)
        };
        loop {
            ty = if self.takes("[") {
                if !self.takes("]") {
                    return Err(self.unreadable());
                }
                if ty == Type::Primitive(Primitive::Byte) { Type::Bytes } else { Type::Array(Box::new(ty)) }
            } else if self.takes("?") {
                if matches!(ty, Type::Optional(_)) {
                    return Err(self.unreadable());
                }
                Type::Optional(Box::new(ty))
            } else {
                self.depth -= 1;
                return Ok(ty);
            };
        }
    }

    fn takes(&mut self, mark: &str) -> bool {
        match self.rest.strip_prefix(mark) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn unreadable(&self) -> Failure {
        Failure::new(format!("{:?} is not a type", self.text))
            .help("write it as in a description: `Data`, `double[]`, `Map<String, Data?>`")
    }
}

/// The declared type with a full or simple name.
fn find_type(model: &Model, name: &str) -> Result<TypeId, Failure> {
    if let Some(id) = model.find(name) {
        return Ok(id);
    }
    let found: Vec<TypeId> = model.type_ids().filter(|id| model.ty(*id).name == name).collect();
    match found[..] {
        [id] => Ok(id),
        [] => Err(Failure::new(format!("the description has no type {name:?}"))
            .help(list("it has", model.types.iter().map(|t| t.name.clone())))),
        _ => Err(Failure::new(format!("several packages have a type {name:?}"))
            .help(list("they are", found.into_iter().map(|id| model.full_name(id))))),
    }
}

/// The method with a name: alone, with its interface, or with package and interface.
pub fn find_method<'m>(model: &'m Model, name: &str) -> Result<(&'m Interface, &'m Method), Failure> {
    let all = || model.interfaces.iter().flat_map(|i| i.methods.iter().map(move |m| (i, m)));
    let full = |(i, m): &(&Interface, &Method)| format!("{}.{}", model.interface_name(i), m.name);
    let found: Vec<_> =
        all().filter(|found| full(found) == name || full(found).ends_with(&format!(".{name}"))).collect();
    match found[..] {
        [found] => Ok(found),
        [] => Err(Failure::new(format!("the description has no method {name:?}"))
            .help(list("it has", all().map(|(_, m)| m.name.clone())))),
        _ => Err(Failure::new(format!("several interfaces have a method {name:?}"))
            .help(list("they are", found.iter().map(full)))),
    }
}

/// The first names of a list, which keep a hint on one line.
fn list(head: &str, names: impl Iterator<Item = String>) -> String {
    const MOST: usize = 10;
    let names: Vec<String> = names.collect();
    if names.is_empty() {
        return format!("{head} none");
    }
    let shown = names[..names.len().min(MOST)].join(", ");
    let more = if names.len() > MOST { format!(" and {} more", names.len() - MOST) } else { String::new() };
    format!("{head} {shown}{more}")
}
