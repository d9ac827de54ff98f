//! Whatever is edited in a description, `diff` names every method whose id is another one.

use creo_check::{CheckedModel, compile};
use creo_diff::diff;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const TYPES: usize = 5;
/// The last type is an exception.
const EXCEPTION: usize = TYPES - 1;
const FORMS: [&str; 6] =
    ["struct", "extensible struct", "union", "extensible union", "enum", "extensible enum"];

#[derive(Clone, Debug)]
struct Description {
    packages: [String; 3],
    types: Vec<Declaration>,
    methods: Vec<Method>,
}

#[derive(Clone, Debug)]
struct Declaration {
    package: usize,
    name: String,
    form: usize,
    /// Name and type; nothing for an `int`.
    fields: Vec<(String, Option<usize>)>,
}

/// The interface of a method is that of its package.
#[derive(Clone, Debug)]
struct Method {
    package: usize,
    name: String,
    parameter: usize,
    result: usize,
    throws: bool,
}

/// What to do, and three numbers that say where.
type Edit = (u8, usize, usize, usize);

impl Description {
    fn full_name(&self, index: usize) -> String {
        let declaration = &self.types[index];
        format!("{}.{}", self.packages[declaration.package], declaration.name)
    }

    fn declaration(&self, index: usize) -> String {
        let Declaration { name, form, fields, .. } = &self.types[index];
        let form = if index == EXCEPTION { "exception" } else { FORMS[*form] };
        let is_enum = form.ends_with("enum");
        let members: String = fields
            .iter()
            .map(|(name, ty)| match ty {
                _ if is_enum => format!("{name}, "),
                None => format!("int {name}; "),
                Some(ty) => format!("{}[] {name}; ", self.full_name(*ty)),
            })
            .collect();
        format!("{form} {name} {{ {} }}\n", members.trim_end_matches(", "))
    }

    fn method(&self, method: &Method) -> String {
        let throws =
            if method.throws { format!(" throws {}", self.full_name(EXCEPTION)) } else { String::new() };
        format!(
            "{} {}({} p){throws}; ",
            self.full_name(method.result),
            method.name,
            self.full_name(method.parameter)
        )
    }

    fn model(&self) -> CheckedModel {
        let imports: String =
            (0..self.packages.len()).map(|file| format!("import \"{file}.creo\";\n")).collect();
        let file = |package: usize| {
            let imports: String = imports
                .lines()
                .enumerate()
                .filter(|(file, _)| *file != package)
                .map(|(_, line)| line)
                .collect();
            let types: String = (0..TYPES)
                .filter(|index| self.types[*index].package == package)
                .map(|index| self.declaration(index))
                .collect();
            let methods: String = self
                .methods
                .iter()
                .filter(|method| method.package == package)
                .map(|method| self.method(method))
                .collect();
            format!(
                "@PACKAGE(\"{}\")\n{imports}\n{types}interface Service {{ {methods}}}\n",
                self.packages[package]
            )
        };
        let files: Vec<(String, String)> =
            (0..self.packages.len()).map(|package| (format!("{package}.creo"), file(package))).collect();
        let files: Vec<(&str, &str)> =
            files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        compile(&files).unwrap_or_else(|report| panic!("{report}in {files:#?}"))
    }

    fn method_names(&self) -> Vec<String> {
        self.methods
            .iter()
            .map(|method| format!("{}.Service.{}", self.packages[method.package], method.name))
            .collect()
    }

    fn edit(&mut self, (what, a, b, c): Edit) {
        let packages = self.packages.len();
        let methods = self.methods.len();
        let declaration = &mut self.types[a % TYPES];
        let at = b % declaration.fields.len();
        let data_type = |number: usize| number % EXCEPTION;
        match what % 12 {
            0 => declaration.package = b % packages,
            1 => declaration.name += "x",
            2 => {
                let (a, b) = (a % TYPES, b % TYPES);
                let name = self.types[a].name.clone();
                self.types[a].name = std::mem::replace(&mut self.types[b].name, name);
            }
            3 => self.packages[a % packages] += "x",
            4 => declaration.form = b % FORMS.len(),
            5 => {
                let name = format!("n{c}");
                if declaration.fields.iter().all(|(other, _)| *other != name) {
                    declaration.fields.insert(at, (name, c.is_multiple_of(2).then_some(data_type(c))));
                }
            }
            6 if declaration.fields.len() > 1 => drop(declaration.fields.remove(at)),
            7 => declaration.fields[at].0 += "x",
            8 => declaration.fields[at].1 = c.is_multiple_of(2).then_some(data_type(c)),
            9 => declaration.fields.swap(0, at),
            10 => self.methods[a % methods].result = data_type(b),
            11 => self.methods[a % methods].throws ^= true,
            _ => {}
        }
    }
}

fn descriptions() -> impl Strategy<Value = Description> {
    let fields = proptest::collection::vec(proptest::option::of(0..EXCEPTION), 1..4);
    let types = proptest::collection::vec((0..3usize, 0..FORMS.len(), fields), TYPES);
    let methods = proptest::collection::vec((0..3usize, 0..EXCEPTION, 0..EXCEPTION, any::<bool>()), 1..4);
    (types, methods).prop_map(|(types, methods)| Description {
        packages: ["a", "b", "c"].map(str::to_owned),
        types: (0..)
            .zip(types)
            .map(|(index, (package, form, fields))| {
                let fields = (0..).zip(fields).map(|(at, ty): (usize, _)| (format!("f{at}"), ty)).collect();
                Declaration { package, name: format!("T{index}"), form, fields }
            })
            .collect(),
        methods: (0..)
            .zip(methods)
            .map(|(index, (package, parameter, result, throws)): (usize, _)| Method {
                package,
                name: format!("m{index}"),
                parameter,
                result,
                throws,
            })
            .collect(),
    })
}

fn ids(description: &Description, model: &CheckedModel) -> Vec<u64> {
    let id_of = |wanted: &String| {
        let methods = model.interfaces.iter().flat_map(|i| i.methods.iter().map(move |method| (i, method)));
        let mut ids = methods
            .filter(|(i, method)| format!("{}.{}", model.interface_name(i), method.name) == *wanted)
            .map(|(_, method)| method.id);
        ids.next().unwrap_or_else(|| panic!("no {wanted}"))
    };
    description.method_names().iter().map(id_of).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn a_method_with_another_id_is_named(old in descriptions(), edits in proptest::collection::vec(any::<Edit>(), 1..4)) {
        let mut new = old.clone();
        edits.into_iter().for_each(|edit| new.edit(edit));
        let (old_model, new_model) = (old.model(), new.model());
        let changes = diff(&old_model, &new_model);
        for ((name, before), after) in old.method_names().iter().zip(ids(&old, &old_model)).zip(ids(&new, &new_model)) {
            let named = changes.iter().any(|change| !change.binary.is_nobody() && change.methods.iter().any(|method| **method == **name));
            prop_assert!(before == after || named, "{} changed its id, and nothing tells: {:#?}", name, changes);
        }
    }
}
