//! The paths of assumptions: `Data.samples`, `Data.matrix[]`, `Data.tags.value`, `find.pattern`, `find.result` (COST-2).

use creo_model::{Interface, Method, Model, Primitive, Type, TypeId};
use std::collections::BTreeMap;

/// The possible assumptions about the value at a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// It is an array, a map, a `byte[]`, a `String` or a `Decimal`.
    pub length: bool,
    /// It is optional.
    pub optional: bool,
    /// It is a number with an optional range.
    pub number: Option<Primitive>,
}

/// The full path of a value, the key of its assumptions.
pub fn of_field(model: &Model, id: TypeId, name: &str) -> String {
    format!("{}.{name}", model.full_name(id))
}

pub fn of_parameter(model: &Model, interface: &Interface, method: &Method, name: &str) -> String {
    format!("{}.{}.{name}", model.interface_name(interface), method.name)
}

/// All paths of a description with their full names, under every unambiguous short name.
#[derive(Debug)]
pub struct Paths {
    full: BTreeMap<String, Facts>,
    short: BTreeMap<String, Vec<String>>,
}

/// Why a name is not a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// No such path; perhaps with a suggestion.
    Missing(Option<String>),
    /// Several paths match, given by their full names.
    Several(Vec<String>),
}

impl Paths {
    pub fn new(model: &Model) -> Paths {
        let mut paths = Paths { full: BTreeMap::new(), short: BTreeMap::new() };
        for id in model.type_ids() {
            let decl = model.ty(id);
            let package = &model.package(decl.package).name;
            for field in decl.fields() {
                paths.add(&of_field(model, id, &field.name), package.len() + 1, &field.ty, Facts::default());
            }
        }
        for interface in &model.interfaces {
            let package = model.package(interface.package).name.len() + 1;
            for method in &interface.methods {
                // The items of streams are not priced (COST-17).
                let result = method.returns().map(|ty| ("result", ty));
                for (name, ty) in method.arguments().iter().map(|p| (p.name.as_str(), &p.ty)).chain(result) {
                    paths.add(&of_parameter(model, interface, method, name), package, ty, Facts::default());
                }
            }
        }
        paths
    }

    /// The package's name and its dot take `package` bytes of the path.
    fn add(&mut self, path: &str, package: usize, ty: &Type, facts: Facts) {
        let (length, number) = match ty {
            Type::Optional(item) => return self.add(path, package, item, Facts { optional: true, ..facts }),
            Type::Primitive(Primitive::String | Primitive::Decimal) => (true, None),
            Type::Primitive(
                p @ (Primitive::Byte
                | Primitive::Short
                | Primitive::Int
                | Primitive::Long
                | Primitive::Float
                | Primitive::Double),
            ) => (false, Some(*p)),
            Type::Primitive(Primitive::Boolean | Primitive::Char | Primitive::DateTime) | Type::Named(_) => {
                (false, None)
            }
            Type::Bytes => (true, None),
            Type::Array(item) => {
                self.add(&format!("{path}[]"), package, item, Facts::default());
                (true, None)
            }
            Type::Map(key, value) => {
                self.add(&format!("{path}.key"), package, key, Facts::default());
                self.add(&format!("{path}.value"), package, value, Facts::default());
                (true, None)
            }
        };
        self.full.insert(path.to_owned(), Facts { length, number, ..facts });
        let mut names = vec![path[package..].to_owned()];
        // `Interface.method.parameter` is also `method.parameter`.
        if let Some((_, rest)) = path[package..].split_once('.')
            && rest.contains('.')
        {
            names.push(rest.to_owned());
        }
        for name in names {
            self.short.entry(name).or_default().push(path.to_owned());
        }
    }

    /// The full path of a name, and its possible assumptions.
    pub fn find(&self, name: &str) -> Result<(&str, Facts), Unknown> {
        if let Some((path, facts)) = self.full.get_key_value(name) {
            return Ok((path, *facts));
        }
        match self.short.get(name).map(Vec::as_slice) {
            Some([path]) => Ok((path, self.full[path])),
            Some(several) => Err(Unknown::Several(several.to_vec())),
            None => Err(Unknown::Missing(self.nearest(name))),
        }
    }

    /// The most similar name, if it differs in few letters.
    fn nearest(&self, name: &str) -> Option<String> {
        if name.len() > 200 || self.short.len() > 20_000 {
            return None;
        }
        let scored = self
            .short
            .keys()
            .filter(|known| known.len().abs_diff(name.len()) <= 3)
            .map(|known| (distance(name, known), known));
        scored.min().filter(|(distance, _)| *distance <= 3).map(|(_, known)| known.clone())
    }
}

/// The edit distance of two names.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.to_lowercase(), b.to_lowercase());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let changed = corner + usize::from(x != y);
            corner = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(corner + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use creo_check::compile;

    #[test]
    fn values_have_names() {
        let text = "@PACKAGE(\"p.q\") struct Data { double[] samples; Map<String, int[]> tags; String? note; } interface S { Data find(String pattern); }";
        let model = compile(&[("a.creo", text)]).unwrap_or_else(|report| panic!("{report}"));
        let paths = Paths::new(&model);
        let long = Facts { length: true, ..Facts::default() };
        assert_eq!(paths.find("Data.samples"), Ok(("p.q.Data.samples", long)));
        assert_eq!(paths.find("p.q.Data.samples"), Ok(("p.q.Data.samples", long)));
        assert_eq!(paths.find("Data.samples[]").map(|f| f.1.number), Ok(Some(Primitive::Double)));
        assert_eq!(paths.find("Data.tags.value[]").map(|f| f.1.number), Ok(Some(Primitive::Int)));
        assert_eq!(paths.find("Data.note").map(|f| (f.1.length, f.1.optional)), Ok((true, true)));
        assert_eq!(paths.find("find.pattern"), Ok(("p.q.S.find.pattern", long)));
        assert_eq!(paths.find("S.find.pattern"), Ok(("p.q.S.find.pattern", long)));
        assert_eq!(paths.find("Data.sample"), Err(Unknown::Missing(Some("Data.samples".to_owned()))));
        assert_eq!(paths.find("nothing.like.it"), Err(Unknown::Missing(None)));
    }

    #[test]
    fn names_that_are_several_are_told_apart() {
        let text = "interface A { void m(String x); } interface B { void m(String x); }";
        let model = compile(&[("a.creo", text)]).unwrap_or_else(|report| panic!("{report}"));
        let paths = Paths::new(&model);
        assert_eq!(
            paths.find("m.x"),
            Err(Unknown::Several(vec!["service.A.m.x".to_owned(), "service.B.m.x".to_owned()]))
        );
        assert!(paths.find("A.m.x").is_ok());
    }
}
