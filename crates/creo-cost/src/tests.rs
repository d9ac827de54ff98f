//! The size model compared with actual bytes: those of the simple encoder of the binary wire, and the vectors of the text wires.

use crate::{
    Assumed, Assumptions, Direction, Length, Observed, Part, Scheme, Sizes, Spread, Wire, binary, json,
    table, xml,
};
use creo_check::{CheckedModel, compile};
use creo_inspect::{Limits, Subject, decode, encode};
use creo_json::parse_json;
use creo_model::{Type, TypeId};
use creo_plan::Plan;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance").join(name)
}

#[allow(clippy::disallowed_methods)]
fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn model(schema: &str) -> CheckedModel {
    let text = read(&folder("schemas").join(schema));
    compile(&[(schema, &text)]).unwrap_or_else(|report| panic!("{report}"))
}

/// The bounds of open assumptions: only the lengths of texts, arrays and maps, and presence.
fn bounds(part: &Part, model: &CheckedModel, plan: &Plan, id: TypeId) -> Part {
    let assumptions = Assumptions::default();
    let mut assumed = Assumed::new(model, plan, &assumptions);
    let free = assumed.alone(plan.value(id), "value").unwrap_or_else(|e| panic!("{e}"));
    loosened(part, &free)
}

/// The observed value with its scalars as free as their types allow, and its lengths kept.
fn loosened(part: &Part, free: &Part) -> Part {
    use crate::{Items, Kind, Leaf};
    match (part, free) {
        (Part::Leaf(leaf), free) => match (leaf.kind, free) {
            (Kind::Primitive(primitive), _) => Part::Leaf(Box::new(Leaf::assumed(
                primitive,
                leaf.length.as_ref().unwrap_or(&Length::Fixed(0)),
                None,
            ))),
            (Kind::Bytes, _) => part.clone(),
            (Kind::Enum, Part::Leaf(_)) => free.clone(),
            (Kind::Enum, _) => part.clone(),
        },
        (Part::Record { fields, layout }, Part::Record { fields: frees, .. }) => Part::Record {
            fields: fields.iter().zip(frees).map(|(part, free)| loosened(part, free)).collect(),
            layout: *layout,
        },
        (Part::Optional { share, part: Some(part) }, Part::Optional { part: Some(free), .. }) => {
            Part::Optional { share: *share, part: Some(Box::new(loosened(part, free))) }
        }
        (Part::Items(Items::Each(parts)), Part::Items(Items::Alike { item, .. })) => {
            Part::Items(Items::Each(parts.iter().map(|part| loosened(part, item)).collect()))
        }
        (Part::Entries(Items::Each(parts)), Part::Entries(Items::Alike { item, .. })) => {
            Part::Entries(Items::Each(parts.iter().map(|part| loosened(part, item)).collect()))
        }
        _ => part.clone(),
    }
}

struct Case {
    id: String,
    ty: TypeId,
    name: String,
    value: Value,
    vector: Value,
}

/// The cases of a folder whose values the compiler's codec accepts; the others keep values of other wires.
fn cases(wire: &str, check: &mut dyn FnMut(&CheckedModel, &Plan, &Case) -> usize) -> usize {
    let mut files: Vec<PathBuf> = list(&folder("vectors").join(wire));
    files.sort();
    let mut checked = 0;
    for file in files {
        let all = parse_json(&read(&file)).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let shared = all["schema"].as_str().unwrap_or("tdxml.creo").to_owned();
        let model = model(&shared);
        let plan = model.plan();
        for vector in all["vectors"].as_array().unwrap_or_else(|| panic!("vectors of {}", file.display())) {
            let name = vector["type"].as_str().unwrap_or_else(|| panic!("a type: {vector}")).to_owned();
            let Some(id) = model.find(&name) else { continue };
            let ty = Type::Named(id);
            // The value with all its defaults.
            let (subject, limits) = (Subject::Type(&ty), Limits::default());
            let Ok(bytes) = encode(&model, &subject, &vector["value"], &limits) else { continue };
            let value = decode(&model, &subject, &bytes, &limits).unwrap_or_else(|e| panic!("{e}"));
            let case =
                Case { id: format!("{wire}/{}", vector["id"]), ty: id, name, value, vector: vector.clone() };
            checked += check(&model, plan, &case);
        }
    }
    checked
}

#[allow(clippy::disallowed_methods)]
fn list(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    entries.map(|entry| entry.unwrap_or_else(|e| panic!("{e}")).path()).collect()
}

/// Exact for the value itself, and within the bounds of its type given only its lengths.
fn agrees(case: &Case, observed: Spread, bounded: Spread, real: u64) {
    assert!(
        observed.is_exact() && observed.least == real,
        "{}: {observed:?}, and {real} bytes are on the wire",
        case.id
    );
    assert!((observed.expected - real as f64).abs() < 1e-6, "{}: {observed:?}", case.id);
    assert!(
        bounded.least <= real && real <= bounded.most,
        "{}: {bounded:?}, and {real} bytes are on the wire",
        case.id
    );
}

#[test]
fn binary_sizes_are_those_of_the_naive_encoder() {
    let checked = cases("binary", &mut |model, plan, case| {
        let Some(part) = Observed::new(plan).value(plan.value(case.ty), &case.value) else { return 0 };
        let bytes = encode(model, &Subject::Type(&Type::Named(case.ty)), &case.value, &Limits::default())
            .unwrap_or_else(|e| panic!("{e}"));
        agrees(
            case,
            binary::size(&part),
            binary::size(&bounds(&part, model, plan, case.ty)),
            bytes.len() as u64,
        );
        1
    });
    assert!(checked > 200, "{checked}");
}

#[test]
fn xml_sizes_are_those_of_the_vectors() {
    let checked = cases("xml", &mut |model, plan, case| {
        let text = case.vector.get("encoded").or(case.vector.get("xml")).and_then(Value::as_str);
        // COST-12: the model assumes that attributes of `anyAttribute` have no namespace.
        if case.value.to_string().contains("\"{urn:") {
            return 0;
        }
        let (Some(text), Some(part)) = (text, Observed::new(plan).value(plan.value(case.ty), &case.value))
        else {
            return 0;
        };
        let bounded = bounds(&part, model, plan, case.ty);
        agrees(
            case,
            xml::alone(plan, case.ty, &part),
            xml::alone(plan, case.ty, &bounded),
            text.len() as u64,
        );
        1
    });
    assert!(checked > 250, "{checked}");
}

#[test]
fn json_sizes_are_those_of_the_vectors() {
    let checked = cases("json", &mut |model, plan, case| {
        let text = case.vector.get("encoded").or(case.vector.get("json")).and_then(Value::as_str);
        let (Some(text), Some(part)) = (text, Observed::new(plan).value(plan.value(case.ty), &case.value))
        else {
            return 0;
        };
        let bounded = bounds(&part, model, plan, case.ty);
        agrees(
            case,
            json::value(plan, plan.value(case.ty), &part),
            json::value(plan, plan.value(case.ty), &bounded),
            text.len() as u64,
        );
        1
    });
    assert!(checked > 200, "{checked}");
}

#[test]
fn table_sizes_are_those_of_the_vectors() {
    let compared = cases("tdxml", &mut |model, plan, case| {
        let Some(part) = Observed::new(plan).value(plan.value(case.ty), &case.value) else { return 0 };
        let bounded = bounds(&part, model, plan, case.ty);
        let mut compared = 0;
        for (scheme, key) in [(Scheme::Record, "record"), (Scheme::Aggregated, "aggregated")] {
            let Some(text) = case.vector[key].as_str() else { continue };
            let of = |part: &Part| table::alone(plan, scheme, case.ty, part, &case.name);
            agrees(case, of(&part), of(&bounded), text.len() as u64);
            compared += 1;
        }
        compared
    });
    assert!(compared > 300, "{compared}");
}

/// The expected size compared with the mean of random values: within 3 per cent (COST-10), and each within the bounds.
#[test]
fn expected_sizes_are_the_means_of_values() {
    const VALUES: u64 = 60;
    let model = model("values.creo");
    let plan = model.plan();
    let mut assumptions = Assumptions { depth: 1, ..Assumptions::default() };
    for (path, length) in [
        ("Arrays.doubles", "uniform(5,40)"),
        ("Arrays.texts", "normal(20,3)"),
        ("Arrays.texts[]", "1..30"),
        ("Nested.points", "uniform(90,110)"),
        ("Arrays.bytes", "10..400"),
        // These types have few keys.
        ("Maps.points", "0"),
        ("Maps.colours", "1"),
        ("Maps.letters", "2"),
    ] {
        assumptions.lengths.insert(
            format!("conformance.values.{path}"),
            Length::parse(length).unwrap_or_else(|e| panic!("{e}")),
        );
    }
    for (field, share) in [("text", 0.5), ("point", 0.3), ("amount", 0.0), ("counts", 0.7)] {
        assumptions.present.insert(format!("conformance.values.Optionals.{field}"), share);
    }
    for name in [
        "Primitives",
        "Arrays",
        "Optionals",
        "Mixed",
        "Shape",
        "Growing",
        "Tree",
        "Expression",
        "Maps",
        "Nested",
    ] {
        let full = format!("conformance.values.{name}");
        let id = model.find(&full).unwrap_or_else(|| panic!("{full}"));
        let (ty, node) = (Type::Named(id), plan.value(id));
        let part =
            Assumed::new(&model, plan, &assumptions).alone(node, "value").unwrap_or_else(|e| panic!("{e}"));
        type Size<'a> = &'a dyn Fn(&Part) -> Spread;
        let wires: [(&str, Size<'_>); 5] = [
            ("binary", &|part| binary::size(part)),
            ("xml", &|part| xml::alone(plan, id, part)),
            ("json", &|part| json::value(plan, node, part)),
            ("record", &|part| table::alone(plan, Scheme::Record, id, part, &full)),
            ("aggregated", &|part| table::alone(plan, Scheme::Aggregated, id, part, &full)),
        ];
        let mut values = crate::Values::new(plan, 11, 0.0);
        // Unions and optionals vary more than 60 values can average out.
        let count = if matches!(name, "Shape" | "Optionals" | "Expression" | "Arrays") {
            VALUES * 20
        } else {
            VALUES
        };
        let made: Vec<Part> = (0..count)
            .map(|_| {
                let value = values.value(node, &part);
                let bytes = encode(&model, &Subject::Type(&ty), &value, &Limits::default())
                    .unwrap_or_else(|e| panic!("{name}: {e}"));
                let full = decode(&model, &Subject::Type(&ty), &bytes, &Limits::default())
                    .unwrap_or_else(|e| panic!("{name}: {e}"));
                Observed::new(plan).value(node, &full).unwrap_or_else(|| panic!("{name}: {full}"))
            })
            .collect();
        for (wire, size) in wires {
            let expected = size(&part);
            let real: Vec<u64> = made.iter().map(|part| size(part).least).collect();
            let mean = real.iter().sum::<u64>() as f64 / real.len() as f64;
            assert!(
                (expected.expected - mean).abs() <= 0.03 * mean,
                "{name} on {wire}: {expected:?}, and the mean is {mean}"
            );
            let (least, most) = (real.iter().min(), real.iter().max());
            assert!(
                least >= Some(&expected.least) && most <= Some(&expected.most),
                "{name} on {wire}: {expected:?}, and {least:?} to {most:?}"
            );
        }
    }
}

/// TDX-23: the array of a bare message has an element of its own. `test_tdxml.py` of the Python runtime compares the same rows.
#[test]
fn the_array_of_a_bare_message_has_an_element() {
    const ECHO: &str =
        "@PACKAGE(\"p\") interface Bare { @Xml(bare) @XmlResponse(bare) int[] echo(int[] numbers); }";
    let model = compile(&[("a.creo", ECHO)]).unwrap_or_else(|report| panic!("{report}"));
    let sizes = Sizes::new(&model);
    let id = sizes.methods().next().unwrap_or_else(|| panic!("a method"));
    let method = &sizes.plan().interface(id.interface).methods[id.method];
    let response = method.response.as_ref().unwrap_or_else(|| panic!("a response"));
    for (numbers, record, aggregated) in [
        (json!([1, 2]), "[0][0][0]|1|2\n", "[0][0][0]0|1\n[0][0][0]1|2\n"),
        (json!([]), "[0][0]\n", "[0][0]\n"),
    ] {
        for (message, value, direction) in [
            (&method.request, json!({"numbers": numbers}), Direction::Request),
            (response, json!({"result": numbers}), Direction::Response),
        ] {
            let part = Observed::new(sizes.plan()).record(&message.record, &value);
            let part = part.unwrap_or_else(|| panic!("{value}"));
            for (scheme, rows) in [(Scheme::Record, record), (Scheme::Aggregated, aggregated)] {
                let table = if scheme == Scheme::Record { "RT" } else { "CT" };
                let document = format!("<Env xmlns=\"urn:creo:tdxml\"><{table}>\n{rows}</{table}></Env>");
                let size = sizes.body(Wire::Table(scheme), id, direction, &part);
                assert_eq!(size, Some(Spread::exact(document.len() as u64)), "{document}");
            }
        }
    }
}
