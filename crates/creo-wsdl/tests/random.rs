//! Random descriptions with XML annotations: each is refused, or has a plan with distinct names and a WSDL that the importer accepts.
#![allow(clippy::disallowed_methods)]

use creo_check::{CheckedModel, compile};
use creo_model::TypeKind;
use creo_wsdl::export::{Options, wsdl};
use creo_wsdl::import::{self, import};
use std::collections::BTreeSet;
use std::fmt::Write;

/// A generator of numbers that is the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn one_of<'t>(&mut self, words: &[&'t str]) -> &'t str {
        words[self.below(words.len())]
    }

    fn chance(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }
}

const NAMESPACES: [&str; 4] = ["", "urn:a", "urn:b", "http://c/?x&y'z"];

/// Names and namespaces, and the word if there is one.
fn facts(random: &mut Random, word: &str) -> String {
    let mut arguments: Vec<String> = Vec::new();
    if !word.is_empty() {
        arguments.push(word.to_owned());
    }
    if random.chance(6) {
        arguments.push(format!("name = \"{}\"", random.one_of(&["x", "a-b", "y", "z.1"])));
    }
    if random.chance(8) {
        arguments.push(format!("namespace = \"{}\"", random.one_of(&NAMESPACES)));
    }
    if arguments.is_empty() { String::new() } else { format!("@Xml({}) ", arguments.join(", ")) }
}

/// A type that is allowed anywhere. Structs before `from` would make some infinite.
fn ty(random: &mut Random, from: usize, types: usize) -> String {
    let declared = from + random.below(types.saturating_sub(from).max(1));
    let inner = match random.below(9) {
        0 => "String".to_owned(),
        1 => "byte[]".to_owned(),
        2 => "Decimal".to_owned(),
        3 => format!("Map<String, {}>", random.one_of(&["int", "T0?", "String"])),
        4 => "E".to_owned(),
        5..7 if declared < types => format!("T{declared}"),
        _ => "int".to_owned(),
    };
    format!("{inner}{}", random.one_of(&["", "", "?", "[]", "?[]", "[][]"]))
}

/// A field, member or parameter with a word and a type that mostly fit one another.
fn field(random: &mut Random, from: usize, types: usize, name: usize, words: &[&str]) -> String {
    let word = if random.chance(2) { random.one_of(words) } else { "" };
    let simple = ["int", "String?", "E", "byte[]", "DateTime", "double?", "E?", "boolean"];
    let declared = from + random.below(types.saturating_sub(from).max(1));
    let ty = match word {
        "attribute" | "text" => random.one_of(&simple).to_owned(),
        "list" | "attribute, list" | "text, list" => {
            random.one_of(&["int[]", "E[]", "String[]", "byte[][]"]).to_owned()
        }
        "nillable" => random.one_of(&["int?", "String?", "E?", "int?[]", "int[]?"]).to_owned(),
        "inline" if declared < types => format!("T{declared}{}", random.one_of(&["", "", "?", "[]"])),
        "any" | "raw" => random.one_of(&["String", "String?", "String[]"]).to_owned(),
        "anyAttribute" => "Map<String, String>".to_owned(),
        "base" if declared < types => format!("T{declared}"),
        "type = \"date\"" => random.one_of(&["String", "String?", "String[]"]).to_owned(),
        "type = \"hexBinary\"" => "byte[]".to_owned(),
        _ => ty(random, from, types),
    };
    format!("{}{ty} f{name}", facts(random, word))
}

const FIELD: [&str; 13] = [
    "attribute",
    "attribute",
    "text",
    "list",
    "attribute, list",
    "nillable",
    "inline",
    "inline",
    "any",
    "raw",
    "anyAttribute",
    "type = \"date\"",
    "type = \"hexBinary\"",
];
const MEMBER: [&str; 4] = ["inline", "inline", "nillable", "type = \"date\""];
const PARAMETER: [&str; 7] = ["list", "nillable", "inline", "any", "raw", "header", "header"];

fn description(random: &mut Random) -> String {
    let types = 2 + random.below(4);
    let mut text = "enum E { A, @Xml(name = \"b c\") B }\nexception X { int x; }\n".to_owned();
    for index in 0..types {
        let kind = random.below(5);
        let word = if random.chance(5) { "unqualified" } else { "" };
        let head = if random.chance(3) { facts(random, word) } else { String::new() };
        match kind {
            // The members of a derived union are structs declared after it.
            0 if index + 2 <= types => {
                let _ = write!(
                    text,
                    "@Xml(derived) union T{index} {{ {}T{} f0; T{} f1; ",
                    if random.chance(2) { "@Xml(base) " } else { "" },
                    index + 1,
                    types
                );
            }
            1 => {
                let _ = write!(text, "{head}union T{index} {{ ");
                for name in 0..1 + random.below(3) {
                    let _ = write!(
                        text,
                        "{}{}; ",
                        field(random, index + 1, types, name, &MEMBER),
                        name + index * 3
                    );
                }
            }
            _ => {
                let _ = write!(text, "{head}struct T{index} {{ ");
                for name in 0..random.below(4) {
                    let _ = write!(
                        text,
                        "{}{}; ",
                        field(random, index + 1, types, name, &FIELD),
                        name + index * 3
                    );
                }
            }
        }
        text.push_str("}\n");
    }
    let _ = writeln!(text, "struct T{types} {{ int f0; }}");
    text.push_str("interface I {\n");
    for method in 0..1 + random.below(3) {
        let word = random.one_of(&["", "", "unqualified", "bare"]);
        let head = if random.chance(4) { facts(random, word) } else { String::new() };
        let parameters: Vec<String> =
            (0..random.below(3)).map(|name| field(random, 0, types, name, &PARAMETER)).collect();
        let response = if random.chance(4) { "@XmlResponse(bare) " } else { "" };
        let result = if random.chance(6) {
            format!("@XmlResult({}) ", random.one_of(&["list", "nillable", "inline", "raw"]))
        } else {
            String::new()
        };
        let _ = writeln!(
            text,
            "{head}{response}{result}{} m{method}({}) throws X;",
            ty(random, 0, types),
            parameters.join(", ")
        );
    }
    text.push_str("}\n");
    text
}

struct Memory(Vec<u8>);

impl import::Files for Memory {
    fn read(&mut self, _path: &str) -> Result<Vec<u8>, import::Unread> {
        Ok(self.0.clone())
    }
}

fn check(model: &CheckedModel, text: &str) -> bool {
    let plan = model.plan();
    for id in model.type_ids() {
        let (first, namespaces) = match model.ty(id).kind {
            TypeKind::Struct(_) | TypeKind::Exception(_) => {
                (&plan.record(id).content.first, &plan.record(id).content.namespaces)
            }
            TypeKind::Union(_) => (&plan.union(id).content.first, &plan.union(id).content.namespaces),
            TypeKind::Enum(_) => continue,
        };
        let names: BTreeSet<_> = first.iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), first.len(), "no name stands twice\n{text}");
        assert!(namespaces.is_sorted());
    }
    let Ok(wsdl) = wsdl(model, plan, 0, &Options::default()) else { return false };
    if let Ok(folder) = std::env::var("CREO_WSDL_FOLDER") {
        let count = std::fs::read_dir(&folder).map_or(0, Iterator::count);
        std::fs::write(format!("{folder}/{count}.wsdl"), &wsdl).expect("it can be written");
    }
    let import = import("test.wsdl", &import::Options::default(), &mut Memory(wsdl.clone().into_bytes()));
    let back = import.text.unwrap_or_else(|| panic!("{}\n{text}\n{wsdl}", import.report));
    if let Err(report) = compile(&[("back.creo", &back)]) {
        panic!("{report}\n{text}\n{wsdl}\n{back}");
    }
    true
}

/// With `CREO_WSDL_FOLDER` set, the documents are left there for other readers.
#[test]
fn descriptions_with_facts() {
    let mut random = Random(0x6372_656f);
    let (mut accepted, mut exported) = (0, 0);
    for _ in 0..4_000 {
        let text = description(&mut random);
        if let Ok(model) = compile(&[("test.creo", &text)]) {
            accepted += 1;
            exported += usize::from(check(&model, &text));
        }
    }
    assert!(accepted > 200 && exported > 150, "{accepted} accepted, {exported} exported");
}
