//! The reader and the writer of XML, tested with the vectors and malformed texts for every language.

use crate::called::Reading;
use crate::error::CallError;
use crate::xml_read::Reader;
use crate::xml_tree::read;
use crate::xml_write::{Writer, declarations};
use creo_check::{CheckedModel, compile_files};
use creo_inspect::{Limits, Subject, decode, encode};
use creo_model::{Type, TypeId};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Elements kept as text (XML-36) that contain an empty-element tag: [`crate::xml_tree`] writes both tags.
const SPELT_ANEW: [&str; 5] =
    ["facts/open", "facts/raws", "facts/raws-context", "facts/any-context", "facts/foreign"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance")
}

fn model(name: &str) -> CheckedModel {
    let path = root().join("schemas").join(name);
    let text = std::fs::read(path).expect("the description is there");
    compile_files(&[name], &mut |_: &str| Ok(text.clone())).expect("it loads").model.expect("it is right")
}

/// Runs the cases of a folder's files, with the file's name and the model.
fn each_case(folder: &str, list: &str, mut run: impl FnMut(&str, &CheckedModel, &Value)) {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(root().join(folder))
        .expect("a folder")
        .map(|entry| entry.expect("a file").path())
        .collect();
    paths.sort();
    let models = ["values.creo", "xml.creo"].map(model);
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a file");
        let file = creo_json::parse_json(&text).expect("JSON");
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        for case in file[list].as_array().expect("a list") {
            let of = case["type"].as_str().expect("a type");
            let model =
                models.iter().find(|model| model.find(of).is_some()).expect("a type of a description");
            run(&format!("{name}/{}", case["id"].as_str().expect("an id")), model, case);
        }
    }
}

fn type_of(model: &CheckedModel, case: &Value) -> TypeId {
    model.find(case["type"].as_str().expect("a type")).expect("a type of the description")
}

fn write(model: &CheckedModel, id: TypeId, value: &Value) -> Result<String, CallError> {
    let plan = model.plan();
    let (namespaces, xsi) = plan.value_needs(id);
    let mut writer = Writer::new(plan, &namespaces, Limits::default());
    let node = plan.value(id);
    writer.element(&node.xml.name, node, value)?;
    // Declarations follow the element's name, before its attributes.
    let end = writer.out.find([' ', '>']).expect("a start tag");
    let (start, rest) = writer.out.split_at(end);
    Ok(format!("{start}{}{rest}", declarations(plan, &namespaces, xsi)))
}

fn read_value(model: &CheckedModel, id: TypeId, bytes: &[u8]) -> Result<Value, CallError> {
    let limits = Limits::default();
    let element = read(bytes, Reading::Strict, &limits)?;
    let plan = model.plan();
    let mut reader = Reader::new(plan, "$", Reading::Strict);
    if !reader.is(&element, &plan.value(id).xml.name) {
        return reader.wrong("another element");
    }
    let value = reader.element(plan.value(id), &element)?;
    let ty = Type::Named(id);
    let subject = Subject::Type(&ty);
    let bytes = encode(model, &subject, &value, &limits).map_err(CallError::of_received)?;
    decode(model, &subject, &bytes, &limits).map_err(CallError::of_wire)
}

fn bytes_of(case: &Value) -> Vec<u8> {
    match (case["xml"].as_str(), case["bytes"].as_str()) {
        (Some(text), _) => text.as_bytes().to_vec(),
        (None, Some(hex)) => {
            let digits = hex.as_bytes();
            let pair =
                |pair: &[u8]| u8::from_str_radix(str::from_utf8(pair).expect("digits"), 16).expect("digits");
            digits.chunks(2).map(pair).collect()
        }
        (None, None) => panic!("a case without bytes: {case}"),
    }
}

/// Texts that are accepted: like document tools, the parser believes any declared encoding that the bytes do not clearly contradict.
const LENIENT: [&str; 11] = [
    "syntax/declaration-utf16",
    "syntax/encoding-unknown",
    "syntax/encoding-1252-81",
    "syntax/encoding-1252-8d",
    "syntax/encoding-1252-8f",
    "syntax/encoding-1252-90",
    "syntax/encoding-1252-9d",
    "syntax/encoding-mark-latin1",
    "syntax/encoding-utf16-utf8",
    "syntax/encoding-utf16-latin1",
    "syntax/encoding-utf16le-8bit",
];

/// Deep values need more stack than a test has.
fn on_a_large_stack(run: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(run).expect("a thread");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

#[test]
fn vectors() {
    on_a_large_stack(|| {
        let mut wrong = Vec::new();
        let mut count = 0;
        each_case("vectors/xml", "vectors", |name, model, case| {
            count += 1;
            let id = type_of(model, case);
            let ty = Type::Named(id);
            // Values are compared in the binary wire's form, which is exact.
            let bytes = |value: &Value| {
                encode(model, &Subject::Type(&ty), value, &Limits::default()).map_err(CallError::of_value)
            };
            match read_value(model, id, &bytes_of(case)) {
                Ok(value) if bytes(&value) == bytes(&case["value"]) => {}
                Ok(_) if SPELT_ANEW.contains(&name) => {}
                other => wrong.push(format!("{name} was read as {other:?}")),
            }
            let canonical = bytes(&case["value"]).and_then(|b| {
                decode(model, &Subject::Type(&ty), &b, &Limits::default()).map_err(CallError::of_wire)
            });
            let written = canonical.and_then(|value| write(model, id, &value));
            let expected = case["encoded"].as_str().or(case["xml"].as_str()).unwrap_or_default();
            if written.as_deref() != Ok(expected) {
                wrong.push(format!("{name} was written as {written:?}\n    and not {expected:?}"));
            }
        });
        assert!(wrong.is_empty(), "{} of {count}\n{}", wrong.len(), wrong.join("\n"));
        assert!(count > 300);
    });
}

#[test]
fn malformed_texts_are_refused() {
    on_a_large_stack(|| {
        let mut wrong = Vec::new();
        let mut count = 0;
        each_case("malformed/xml", "cases", |name, model, case| {
            count += 1;
            let ended = read_value(model, type_of(model, case), &bytes_of(case));
            let code = case["error"].as_str().expect("a code");
            match ended {
                Err(error) if error.code == code && !LENIENT.contains(&name) => {}
                Ok(_) if LENIENT.contains(&name) => {}
                other => wrong.push(format!("{name} is {code}, and ended as {other:?}\n    {}", case["doc"])),
            }
        });
        assert!(wrong.is_empty(), "{} of {count}\n{}", wrong.len(), wrong.join("\n"));
        assert!(count > 100);
    });
}
