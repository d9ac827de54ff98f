//! Random valid descriptions, which the front end must accept.

use super::Random;
use std::fmt::Write as _;

const KEYS: [&str; 7] = ["boolean", "byte", "short", "char", "int", "long", "String"];
const PRIMITIVES: [&str; 11] =
    ["boolean", "byte", "short", "char", "int", "long", "float", "double", "String", "DateTime", "Decimal"];
const WORDS: [&str; 12] = [
    "alpha",
    "beta",
    "gamma",
    "delta",
    "left",
    "right",
    "upperBound",
    "x",
    "itemCount",
    "sourceOf",
    "tail",
    "note",
];

#[derive(Clone, Debug)]
struct Declared {
    name: String,
    /// The constants of an enum.
    constants: Vec<String>,
    is_enum: bool,
}

/// The text of a description in the package `random.NAME`: types that refer to earlier ones, and through arrays, optionals and maps to any;
/// and an interface whose methods use some of them.
pub fn description(random: &mut Random, name: &str) -> String {
    let count = 3 + random.below(10);
    let names: Vec<String> =
        (0..count).map(|i| format!("{}{i}", *random.pick(&["Type", "Item", "Record", "Node"]))).collect();
    let mut declared: Vec<Declared> = Vec::new();
    let mut text = format!("@PACKAGE(\"random.{name}\")\n\n");
    for own in &names {
        let extensible = if random.one_in(3) { "extensible " } else { "" };
        let declaration = match random.below(10) {
            0 | 1 => {
                let constants: Vec<String> = (0..1 + random.below(5)).map(|i| format!("C{i}")).collect();
                let mut number = 0;
                let listed: Vec<String> = constants
                    .iter()
                    .map(|c| {
                        let step = if random.one_in(4) { 100_000 } else { 3 };
                        number += random.below(step) + 1;
                        format!("{c} = {number}")
                    })
                    .collect();
                let _ = writeln!(text, "{extensible}enum {own} {{ {} }}\n", listed.join(", "));
                Declared { name: own.clone(), constants, is_enum: true }
            }
            2 | 3 => {
                let _ = writeln!(text, "{extensible}union {own} {{");
                for i in 0..1 + random.below(5) {
                    // The first member is finite, so the union has a finite value.
                    let ty = if i == 0 {
                        (*random.pick(&PRIMITIVES)).to_owned()
                    } else {
                        any_type(random, &declared, &names, 2)
                    };
                    let _ = writeln!(text, "    {ty} {}{i};", random.pick(&WORDS));
                }
                text.push_str("}\n\n");
                Declared { name: own.clone(), constants: Vec::new(), is_enum: false }
            }
            _ => {
                let _ = writeln!(text, "{extensible}struct {own} {{");
                fields(random, &mut text, &declared, &names, !extensible.is_empty());
                text.push_str("}\n\n");
                Declared { name: own.clone(), constants: Vec::new(), is_enum: false }
            }
        };
        declared.push(declaration);
    }
    let _ = writeln!(
        text,
        "exception Problem {{\n    String what;\n    {} detail;\n}}\n",
        any_type(random, &declared, &names, 2)
    );
    text.push_str("interface Service {\n");
    for i in 0..1 + random.below(4) {
        let parameters: Vec<String> = (0..random.below(5))
            .map(|p| format!("{} p{p}", any_type(random, &declared, &names, 2)))
            .collect();
        let result =
            if random.one_in(4) { "void".to_owned() } else { any_type(random, &declared, &names, 2) };
        let throws = if random.one_in(2) { " throws Problem" } else { "" };
        let _ = writeln!(text, "    {result} call{i}({}){throws};", parameters.join(", "));
    }
    text.push_str("}\n");
    text
}

fn fields(random: &mut Random, text: &mut String, declared: &[Declared], names: &[String], extensible: bool) {
    // After the first default or optional, an extensible type has no required fields (LANG-23).
    let mut only_optional = false;
    for i in 0..random.below(9) {
        let mut ty = any_type(random, declared, names, 3);
        let mut default = String::new();
        let optional = ty.ends_with('?');
        if !optional && random.one_in(4) {
            match default_of(random, &ty, declared) {
                Some(literal) => default = format!(" = {literal}"),
                None => ty = format!("{ty}?"),
            }
        } else if only_optional && !optional {
            match default_of(random, &ty, declared) {
                Some(literal) if random.one_in(2) => default = format!(" = {literal}"),
                _ => ty = format!("{ty}?"),
            }
        }
        only_optional |= extensible && (ty.ends_with('?') || !default.is_empty());
        // An attribute precedes the elements on every text wire, wherever it is declared.
        let attribute = if is_plain(&ty, declared) && random.one_in(6) { "@Xml(attribute) " } else { "" };
        let _ = writeln!(text, "    {attribute}{ty} {}{i}{default};", random.pick(&WORDS));
    }
}

/// Whether an attribute may have the type (XML-31).
fn is_plain(ty: &str, declared: &[Declared]) -> bool {
    let bare = ty.strip_suffix('?').unwrap_or(ty);
    bare == "byte[]" || PRIMITIVES.contains(&bare) || declared.iter().any(|d| d.is_enum && d.name == bare)
}

/// A type. An undeclared name is used only where a value can end without it.
fn any_type(random: &mut Random, declared: &[Declared], names: &[String], depth: usize) -> String {
    let open = depth > 0;
    match random.below(12) {
        0..=4 => (*random.pick(&PRIMITIVES)).to_owned(),
        5 | 6 if !declared.is_empty() => random.pick(declared).name.clone(),
        7 | 8 if open => format!("{}[]", item(random, declared, names, depth)),
        9 if open => {
            let inner = item(random, declared, names, depth);
            if inner.ends_with('?') { inner } else { format!("{inner}?") }
        }
        10 if open => {
            let key = match declared.iter().filter(|d| d.is_enum).collect::<Vec<_>>() {
                enums if !enums.is_empty() && random.one_in(4) => random.pick(&enums).name.clone(),
                _ => (*random.pick(&KEYS)).to_owned(),
            };
            format!("Map<{key}, {}>", item(random, declared, names, depth))
        }
        11 => "byte[]".to_owned(),
        _ => (*random.pick(&["int", "double", "String"])).to_owned(),
    }
}

fn item(random: &mut Random, declared: &[Declared], names: &[String], depth: usize) -> String {
    if random.one_in(4) { random.pick(names).clone() } else { any_type(random, declared, names, depth - 1) }
}

fn default_of(random: &mut Random, ty: &str, declared: &[Declared]) -> Option<String> {
    if ty.ends_with("[]") || ty.ends_with('>') {
        return Some("{}".to_owned());
    }
    let literal = match ty {
        "boolean" => random.pick(&["true", "false"]).to_string(),
        "byte" => random.between(-128, 127).to_string(),
        "short" => random.between(-32_768, 32_767).to_string(),
        "int" => random.between(-2_147_483_648, 2_147_483_647).to_string(),
        "long" => random.between(i64::MIN, i64::MAX).to_string(),
        "char" => random.pick(&["'a'", "'\\n'", "'\\u00e9'", "'\\''", "'\\\\'"]).to_string(),
        "float" => random.pick(&["0.5", "-1.25e10", "3", "NaN", "Infinity"]).to_string(),
        "double" => random.pick(&["0.1", "-1.0e300", "7", "-Infinity", "5.0e-324"]).to_string(),
        "String" => random
            .pick(&["\"\"", "\"plain\"", "\"\\\"quoted\\\" \\\\ \\u00e9\"", "\"\\t%d {0} ${x} \\u0000\""])
            .to_string(),
        "DateTime" => random
            .pick(&["\"1970-01-01T00:00:00Z\"", "\"2026-11-21T10:31:56.25Z\"", "\"0001-01-01T00:00:00Z\""])
            .to_string(),
        "Decimal" => random.pick(&["0", "-1.50", "12345678901234567890.5"]).to_string(),
        name => {
            let constants = &declared.iter().find(|d| d.name == name && d.is_enum)?.constants;
            random.pick(constants).clone()
        }
    };
    Some(literal)
}
