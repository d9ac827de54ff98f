//! Vectors: bytes to value and back, by the naive encoder, by the compiler's own decoder and encoder, and by each language.

use crate::codec::{Answer, Question, Wire, ask_inspect, ask_peer};
use crate::options::Options;
use crate::process::Program;
use crate::report::Report;
use crate::{descriptions, repo, values};
use creo_inspect::parse_json;
use serde_json::Value;
use std::time::Duration;

/// One line of `conformance/vectors/WIRE/*.json`; see `conformance/README.md`.
#[derive(Debug)]
pub struct Vector {
    pub name: String,
    pub ty: String,
    pub value: Option<Value>,
    pub bytes: String,
    /// The bytes of the value when it is encoded again.
    pub encoded: String,
    pub payload: bool,
}

pub fn load(wire: Wire, only: &str) -> Result<Vec<Vector>, String> {
    let mut vectors = Vec::new();
    for path in repo::files_below(&repo::path("conformance/vectors").join(wire.folder()), "json") {
        let file = parse_json(&repo::read(&path)?).map_err(|e| format!("{}: {e:?}", path.display()))?;
        let subject = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for vector in file["vectors"].as_array().ok_or_else(|| format!("{}: no vectors", path.display()))? {
            let text = |name: &str| vector[name].as_str().map(str::to_owned).ok_or_else(|| format!("{}: no {name} in {vector}", path.display()));
            let name = format!("{}/{subject}/{}", wire.folder(), text("id")?);
            text("doc").and(text("clause"))?;
            if !name.contains(only) {
                continue;
            }
            let bytes = wire.bytes(vector).ok_or_else(|| format!("{}: no bytes in {vector}", path.display()))?;
            let encoded = vector["encoded"].as_str().map(|again| if wire == Wire::Xml { repo::hex(again.as_bytes()) } else { again.to_owned() });
            vectors.push(Vector {
                name,
                ty: text("type")?,
                value: vector.get("value").cloned(),
                encoded: encoded.unwrap_or_else(|| bytes.clone()),
                bytes,
                payload: vector["payload"] == true,
            });
        }
    }
    Ok(vectors)
}

/// Method ids and fingerprints of all conformance schemas, as a second implementation computes them (MODEL-3 to MODEL-5).
fn naive_ids() -> Result<(), String> {
    let program = || Program::new("python3").arg(repo::path("conformance/naive/ids.py"));
    program().arg("--check").run(Duration::from_secs(120))?;
    let schemas = repo::files_in(&repo::path("conformance/schemas"), "creo");
    let listed = program().args(schemas.clone()).run(Duration::from_secs(120))?;
    let mut wanted: Vec<&str> = listed.lines().collect();
    let mut found: Vec<String> = Vec::new();
    for schema in &schemas {
        let model = descriptions::compile_file(schema)?;
        for interface in &model.interfaces {
            let name = model.interface_name(interface);
            found.extend(interface.methods.iter().map(|method| format!("{:016x} {name}.{}", method.id, method.name)));
            found.push(format!("{:016x} {name}", interface.fingerprint));
        }
    }
    wanted.sort_unstable();
    found.sort_unstable();
    found.dedup();
    if found == wanted { Ok(()) } else { Err(format!("the compiler has\n{}\nand ids.py\n{}", found.join("\n"), wanted.join("\n"))) }
}

pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    report.check("the naive ids", naive_ids());
    let mut all = Vec::new();
    for wire in Wire::ALL {
        let naive = Program::new("python3").arg(repo::path(wire.naive())).arg("--check").run(Duration::from_secs(120));
        report.check(format!("the naive writer of {}", wire.folder()), naive.map(|_| ()));
        let vectors = load(wire, &options.only)?;
        let questions: Vec<Question> = vectors.iter().map(|v| Question { id: v.name.clone(), ty: v.ty.clone(), bytes: v.bytes.clone() }).collect();
        all.push((wire, vectors, questions));
    }
    let model = descriptions::compile_file(&repo::path("conformance/schemas/values.creo"))?;
    for (vector, question) in all.iter().filter(|(wire, ..)| *wire == Wire::Binary).flat_map(|(_, vectors, questions)| vectors.iter().zip(questions))
    {
        // A NaN's payload does not show in a value, so the compiler, which encodes from the value, cannot keep it.
        let answer = ask_inspect(&model, question);
        report.check(format!("inspect {}", vector.name), answer.and_then(|a| check(vector, &a, !vector.payload)));
    }
    for language in options.languages() {
        let program = match language.ready().and_then(|()| language.conformance_peer()) {
            Ok(program) => program,
            Err(why) => {
                report.fail(language.name(), why);
                continue;
            }
        };
        for (wire, vectors, questions) in &all {
            for (vector, answer) in vectors.iter().zip(ask_peer(&program, *wire, questions)) {
                report.check(format!("{} {}", language.name(), vector.name), answer.and_then(|a| check(vector, &a, true)));
            }
        }
    }
    Ok(())
}

fn check(vector: &Vector, answer: &Answer, with_bytes: bool) -> Result<(), String> {
    let Answer::Value { value, bytes } = answer else {
        return Err(format!("{} as {}: {}", vector.bytes, vector.ty, answer.shown()));
    };
    if let Some(expected) = &vector.value {
        values::same(expected, value).map_err(|why| format!("{} as {}: the value differs {why}", vector.bytes, vector.ty))?;
    }
    if with_bytes && *bytes != vector.encoded {
        return Err(format!("{} as {}: encoded again it is {bytes} instead of {}", vector.bytes, vector.ty, vector.encoded));
    }
    Ok(())
}
