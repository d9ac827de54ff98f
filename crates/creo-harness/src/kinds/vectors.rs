//! Vectors: bytes to value and back, by the naive encoder, by the compiler's decoder and encoder, and by each language.

use crate::cases::entries;
use crate::codec::{Answer, Mode, Question, Wire, ask_inspect, ask_peer};
use crate::options::Options;
use crate::process::Program;
use crate::report::Report;
use crate::{descriptions, repo, values};
use serde_json::Value;
use std::time::Duration;

/// One line of `conformance/vectors/WIRE/*.json`; see `conformance/README.md`.
#[derive(Debug)]
pub struct Vector {
    pub name: String,
    pub ty: String,
    pub value: Option<Value>,
    pub payload: bool,
    pub readings: Vec<Reading>,
}

/// Bytes with the vector's value, and the expected bytes when it is encoded again.
#[derive(Debug)]
pub struct Reading {
    /// Distinguishes several readings of one vector.
    pub name: String,
    pub mode: Mode,
    pub bytes: String,
    pub encoded: String,
}

pub fn load(wire: Wire, only: &str) -> Result<Vec<Vector>, String> {
    let mut vectors = Vec::new();
    for entry in entries(&format!("vectors/{}", wire.folder()), "vectors")? {
        let name = format!("{}/{}", wire.folder(), entry.name);
        if !name.contains(only) {
            continue;
        }
        let vector = &entry.json;
        let readings = if wire == Wire::Tdxml { tables(vector) } else { single(wire, vector) };
        if readings.is_empty() {
            return Err(entry.wrong("no bytes"));
        }
        vectors.push(Vector {
            name,
            ty: entry.text("type")?,
            value: vector.get("value").cloned(),
            payload: vector["payload"] == true,
            readings,
        });
    }
    Ok(vectors)
}

/// The input, and `encoded`, which defaults to it.
fn single(wire: Wire, vector: &Value) -> Vec<Reading> {
    let Some(bytes) = wire.bytes(vector) else { return Vec::new() };
    let encoded = vector["encoded"]
        .as_str()
        .map(|again| if wire == Wire::Binary { again.to_owned() } else { repo::hex(again.as_bytes()) });
    vec![Reading {
        name: String::new(),
        mode: wire.mode(),
        encoded: encoded.unwrap_or_else(|| bytes.clone()),
        bytes,
    }]
}

/// All pairs of a document's available forms for reading and writing, including conversions between both schemes.
fn tables(vector: &Value) -> Vec<Reading> {
    let written: Vec<(Mode, &str, String)> = Mode::TABLES
        .into_iter()
        .filter_map(|(mode, form)| Some((mode, form, repo::hex(vector[form].as_str()?.as_bytes()))))
        .collect();
    let read: Vec<(&str, String)> = match Wire::Tdxml.bytes(vector) {
        Some(bytes) => vec![("as it stands", bytes)],
        None => written.iter().map(|(_, form, bytes)| (*form, bytes.clone())).collect(),
    };
    let mut readings = Vec::new();
    for (mode, to, encoded) in &written {
        for (from, bytes) in &read {
            readings.push(Reading {
                name: format!(" ({from} to {to})"),
                mode: *mode,
                bytes: bytes.clone(),
                encoded: encoded.clone(),
            });
        }
    }
    readings
}

/// Method ids and fingerprints of all conformance schemas, computed by a second implementation (MODEL-3 to MODEL-5).
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
            found.extend(
                interface.methods.iter().map(|method| format!("{:016x} {name}.{}", method.id, method.name)),
            );
            found.push(format!("{:016x} {name}", interface.fingerprint));
        }
    }
    wanted.sort_unstable();
    found.sort_unstable();
    found.dedup();
    if found == wanted {
        Ok(())
    } else {
        Err(format!("the compiler has\n{}\nand ids.py\n{}", found.join("\n"), wanted.join("\n")))
    }
}

pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    report.check("the naive ids", naive_ids());
    let mut all = Vec::new();
    for wire in Wire::ALL {
        let naive = Program::new("python3")
            .arg(repo::path(wire.naive()))
            .arg("--check")
            .run(Duration::from_secs(120));
        report.check(format!("the naive writer of {}", wire.folder()), naive.map(|_| ()));
        all.extend(load(wire, &options.only)?);
    }
    let asked = |mode: Mode| -> Vec<(&Vector, &Reading, Question)> {
        let readings =
            all.iter().flat_map(|v| v.readings.iter().map(move |r| (v, r))).filter(|(_, r)| r.mode == mode);
        readings
            .map(|(v, r)| (v, r, Question::new(format!("{}{}", v.name, r.name), &v.ty, &r.bytes)))
            .collect()
    };
    let model = descriptions::compile_file(&repo::path("conformance/schemas/values.creo"))?;
    for (vector, reading, question) in asked(Mode::Binary) {
        // A value does not show a NaN's payload, so the compiler, which encodes values, cannot keep it.
        let answer = ask_inspect(&model, &question);
        report.check(
            format!("inspect {}", question.id),
            answer.and_then(|a| check(vector, reading, &a, !vector.payload)),
        );
    }
    for (language, program) in options.peers() {
        let program = match program {
            Ok(program) => program,
            Err(why) => {
                report.fail(language, why);
                continue;
            }
        };
        for mode in Mode::ALL {
            let rows = asked(mode);
            let questions: Vec<Question> = rows.iter().map(|(_, _, q)| q.clone()).collect();
            for ((vector, reading, question), answer) in rows.iter().zip(ask_peer(&program, mode, &questions))
            {
                report.check(
                    format!("{} {}", language, question.id),
                    answer.and_then(|a| check(vector, reading, &a, true)),
                );
            }
        }
    }
    super::updates::vectors(options, report)
}

/// Bytes in readable form: as text for a text wire.
fn shown(mode: Mode, bytes: &str) -> String {
    match repo::unhex(bytes).map(String::from_utf8) {
        Ok(Ok(text)) if mode != Mode::Binary => text,
        _ => bytes.to_owned(),
    }
}

fn check(vector: &Vector, reading: &Reading, answer: &Answer, with_bytes: bool) -> Result<(), String> {
    let read = shown(reading.mode, &reading.bytes);
    let Answer::Value { value, bytes } = answer else {
        return Err(format!("{read} as {}: {}", vector.ty, answer.shown()));
    };
    if let Some(expected) = &vector.value {
        values::same(expected, value)
            .map_err(|why| format!("{read} as {}: the value differs {why}", vector.ty))?;
    }
    if with_bytes && *bytes != reading.encoded {
        let (is, due) = (shown(reading.mode, bytes), shown(reading.mode, &reading.encoded));
        return Err(format!("{read} as {}: encoded again it is\n{is}\ninstead of\n{due}", vector.ty));
    }
    Ok(())
}
