//! Every message of every operation imported from WSDLs: the naive writer writes a random value, each language reads and writes it, the
//! results are compared, and the output is validated with the WSDL's schemas.
//!
//! Peers read and write values of types, so each message becomes a struct next to the description: its fields are the elements of the
//! header and the body. Envelopes are tested by `matrix` and `interop`. The WSDLs are those of `tests/import` and a sample of the corpus if
//! present (see [`super::corpus`]). A `--sample` larger than the corpus takes all of it.

use super::corpus::{self, folder, import_own, import_root, own, roots};
use crate::codec::{Answer, Mode, Question, Wire, ask_peer};
use crate::languages::Sources;
use crate::options::Options;
use crate::process::{Program, ask};
use crate::random::{Messages, Random};
use crate::report::Report;
use crate::{descriptions, repo, values};
use creo_check::CheckedModel;
use creo_model::{Model, Type, Xml, XmlWord};
use creo_plan::{ArrayLayout, Field, Kind, Message, Plan, Position};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

/// The number of values of each message.
const VALUES: usize = 3;

/// The element around those of a message, which `conformance/xsd/SchemaCheck.java` also knows.
const HOLDER: &str = "urn:creo:operations";

/// A peer or XML Schema processor that needs longer for one line has hung.
const LIMIT: Duration = Duration::from_secs(120);

/// The max size of a WSDL in the sample: larger ones are tested only in a complete run.
const MAX_SAMPLE_BYTES: u64 = 60_000;

/// The max number of packages in one program, and of bytes of their descriptions, which become fifty times as much code: time and memory of a
/// compiler run stay flat, however many WSDLs there are.
const BATCH: usize = 24;
const BATCH_BYTES: usize = 400_000;

struct Import {
    wsdl: PathBuf,
    text: String,
    model: CheckedModel,
    /// Full names of the message structs and exceptions, with their meaning.
    messages: Vec<(String, String)>,
    /// Whether the description states that it is looser than the schema.
    loose: bool,
}

struct Case<'a> {
    import: &'a Import,
    question: Question,
    value: Value,
    /// The elements kept as text in the description.
    opaque: Vec<String>,
    /// Whether an array has fewer items than a schema may require.
    few: bool,
}

pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    println!("operations: seed {}", options.seed);
    let mut imports = Vec::new();
    for (name, wsdl, text) in sources(options, report)? {
        match with_messages(&wsdl, &text) {
            Ok(import) => imports.push(import),
            Err(why) => report.fail(name, why),
        }
    }
    let mut judged = Judged::new();
    for batch in batches(&imports) {
        run_batch(options, &batch, &mut judged, report)?;
    }
    if options.only.is_empty() {
        // Some WSDLs lack one of their schema files.
        for (language, wsdls) in judged {
            let count = wsdls.values().filter(|judged| **judged).count();
            let enough = if count * 3 >= wsdls.len() {
                Ok(())
            } else {
                Err(format!("messages of {count} of {} WSDLs were judged", wsdls.len()))
            };
            report.check(format!("{language} judged"), enough);
        }
    }
    Ok(())
}

/// By language, the WSDLs with messages written, and whether their schemas judged one.
type Judged = BTreeMap<&'static str, BTreeMap<PathBuf, bool>>;

/// The descriptions imported from WSDLs.
fn sources(options: &Options, report: &mut Report) -> Result<Vec<(String, PathBuf, String)>, String> {
    let mut found = Vec::new();
    for path in own().into_iter().filter(|path| options.wants(&path.display().to_string())) {
        import_own(&path)?;
        let text = import_root(path.parent().unwrap_or(&path), "in.wsdl")?
            .text
            .ok_or("imported before, but not now")?;
        found.push((path.display().to_string(), path, text));
    }
    let folder = folder();
    if !folder.is_dir() {
        println!(
            "operations: there is no folder of WSDLs at {}: only those of tests/import were run",
            folder.display()
        );
        report.not_run("the corpus is not there");
        return Ok(found);
    }
    let mut roots: Vec<String> =
        roots(&folder)?.into_iter().map(|root| root.path).filter(|path| options.wants(path)).collect();
    let all = options.sample >= roots.len();
    let mut random = Random::part(options.seed, 3_000_000);
    let mut left = options.sample;
    while left > 0 && !roots.is_empty() {
        let path = roots.swap_remove(random.below(roots.len()));
        let wsdl = folder.join(&path);
        if !all && wsdl.metadata().is_ok_and(|data| data.len() > MAX_SAMPLE_BYTES) {
            continue;
        }
        // Refused WSDLs are the concern of the corpus kind.
        let Some(text) = import_root(&folder, &path)?.text else { continue };
        corpus::check(&path, &text)?;
        found.push((path, wsdl, text));
        left -= 1;
    }
    if !all {
        println!("operations: a sample of {} WSDLs of the corpus", options.sample);
    }
    Ok(found)
}

/// A description with an additional struct for each message.
fn with_messages(wsdl: &std::path::Path, text: &str) -> Result<Import, String> {
    let model = descriptions::compile_text("in.creo", text)?;
    let plan = model.plan();
    let mut out = text.to_owned();
    let mut messages = Vec::new();
    let mut faults = BTreeSet::new();
    let mut number = 0;
    for (i, interface) in model.interfaces.iter().enumerate() {
        let package = &model.package(interface.package).name;
        for (method, form) in interface.methods.iter().zip(&plan.interface(i).methods) {
            let parameters = method.parameters.iter().map(|p| (&p.ty, p.notes.xml())).collect();
            let parts = match model.result_in_parts(method) {
                Some(id) => {
                    model.ty(id).fields().iter().map(|field| (&field.ty, field.notes.xml())).collect()
                }
                None => method.result.iter().map(|ty| (ty, method.result_xml())).collect::<Vec<_>>(),
            };
            let both = [
                ("request", Some(&form.request), parameters),
                ("response", form.soap_response.as_ref().or(form.response.as_ref()), parts),
            ];
            for (what, message, fields) in both {
                let Some(message) = message else { continue };
                // XML-23: the items of an array that is the body's element. No import has one.
                if message.bare
                    && message.record.fields.iter().any(|field| {
                        matches!(field.node.kind, Kind::Array { layout: ArrayLayout::Wrapped, .. })
                    })
                {
                    return Err(format!("{} {what}: the body's element is an array", method.name));
                }
                let name = format!("CreoOperation{number}");
                number += 1;
                declare(&mut out, &model, plan, &name, message, &fields);
                messages.push((
                    format!("{package}.{name}"),
                    format!("{}.{} {what}", interface.name, method.name),
                ));
            }
            for id in &method.throws {
                if faults.insert(*id) {
                    messages.push((
                        model.full_name(*id),
                        format!("{}.{} fault {}", interface.name, method.name, model.ty(*id).name),
                    ));
                }
            }
        }
    }
    let loose =
        text.contains("looser here") || text.contains("all are optional") || text.contains("as they come");
    let with = descriptions::compile_text("in.creo", &out)
        .map_err(|why| format!("with its messages: {why}\n{out}"))?;
    Ok(Import { wsdl: wsdl.to_owned(), text: out, model: with, messages, loose })
}

fn declare(
    out: &mut String,
    model: &Model,
    plan: &Plan,
    name: &str,
    message: &Message,
    fields: &[(&Type, &Xml)],
) {
    let apart = |field: &Field| message.bare || field.node.xml.position == Position::Header;
    let list = |own: bool| {
        let mut lines = String::new();
        for (i, field) in message.record.fields.iter().enumerate().filter(|(_, field)| apart(field) == own) {
            let (ty, xml) = fields[i];
            let _ = writeln!(lines, "    {}{} f{i};", annotation(plan, field, xml), type_text(model, ty));
        }
        lines
    };
    let mut body = String::new();
    if !message.bare {
        let _ = write!(out, "\nstruct {name}Body {{\n{}}}\n", list(false));
        let namespace = message.element.namespace.map_or("", |at| plan.namespaces()[at].as_str());
        body = format!(
            "    @Xml(name = {}, namespace = {}) {name}Body body;\n",
            json!(message.element.local),
            json!(namespace)
        );
    }
    let _ = write!(
        out,
        "\n@Xml(name = \"message\", namespace = \"{HOLDER}\")\nstruct {name} {{\n{}{body}}}\n",
        list(true)
    );
}

/// The annotation of a field, with its full name and namespace.
fn annotation(plan: &Plan, field: &Field, xml: &Xml) -> String {
    let mut said: Vec<String> = xml
        .words()
        .iter()
        .filter(|word| **word != XmlWord::Header)
        .map(|word| word.word().to_owned())
        .collect();
    if matches!(field.node.xml.position, Position::Element | Position::Header) {
        let namespace = field.node.xml.name.namespace.map_or("", |at| plan.namespaces()[at].as_str());
        said.push(format!("name = {}", json!(field.node.xml.name.local)));
        said.push(format!("namespace = {}", json!(namespace)));
    }
    said.extend(xml.schema_type.map(|name| format!("type = \"{name}\"")));
    if said.is_empty() { String::new() } else { format!("@Xml({}) ", said.join(", ")) }
}

fn type_text(model: &Model, ty: &Type) -> String {
    match ty {
        Type::Primitive(primitive) => primitive.keyword().to_owned(),
        Type::Bytes => "byte[]".to_owned(),
        Type::Array(item) => format!("{}[]", type_text(model, item)),
        Type::Optional(inner) => format!("{}?", type_text(model, inner)),
        Type::Map(key, value) => format!("Map<{}, {}>", type_text(model, key), type_text(model, value)),
        Type::Named(id) => model.ty(*id).name.clone(),
    }
}

/// Batches of imports without conflicting packages.
fn batches(imports: &[Import]) -> Vec<Vec<&Import>> {
    #[derive(Default)]
    struct Batch<'i> {
        taken: BTreeSet<String>,
        bytes: usize,
        held: Vec<&'i Import>,
    }
    let mut batches: Vec<Batch<'_>> = Vec::new();
    for import in imports {
        let names: BTreeSet<String> = import
            .model
            .packages
            .iter()
            .map(|p| p.name.rsplit('.').next().unwrap_or("").to_lowercase())
            .collect();
        let fits = |batch: &Batch<'_>| {
            batch.held.len() < BATCH
                && batch.bytes + import.text.len() <= BATCH_BYTES
                && batch.taken.is_disjoint(&names)
        };
        let at = batches.iter().position(fits).unwrap_or_else(|| {
            batches.push(Batch::default());
            batches.len() - 1
        });
        batches[at].taken.extend(names);
        batches[at].bytes += import.text.len();
        batches[at].held.push(import);
    }
    batches.into_iter().map(|batch| batch.held).collect()
}

fn run_batch(
    options: &Options,
    batch: &[&Import],
    judged: &mut Judged,
    report: &mut Report,
) -> Result<(), String> {
    let cases = draw(options, batch, report)?;
    let conformance = descriptions::conformance()?;
    let models: Vec<&CheckedModel> =
        conformance.iter().chain(batch.iter().map(|import| &import.model)).collect();
    let questions: Vec<Question> = cases.iter().map(|case| case.question.clone()).collect();
    for language in options.languages() {
        let work = repo::build("operations").join(language.name());
        let built = language.ready().and_then(|()| {
            let sources = Sources::generate(language, &models, &work.join("generated"))?;
            language.peer(&sources, &models, &work)
        });
        let program = match built {
            Ok(program) => program,
            Err(why) => {
                report.fail(language.name(), why);
                continue;
            }
        };
        let mut written = Vec::new();
        for (case, answer) in cases.iter().zip(ask_peer(&program, Mode::Xml, &questions)) {
            let result = answer.and_then(|answer| compare(case, &answer));
            if let Ok(bytes) = &result {
                written.push((case, bytes.clone()));
            }
            report.check(
                format!("{} {}", language.name(), case.question.id),
                result.map(|_| ()).map_err(|why| explain(options, case, &why)),
            );
        }
        validate(options, language.name(), &written, judged.entry(language.name()).or_default(), report);
    }
    Ok(())
}

fn explain(options: &Options, case: &Case<'_>, why: &str) -> String {
    let shown = repo::unhex(&case.question.bytes)
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .unwrap_or_default();
    format!("seed {}: {why}\nxml: {shown}\nvalue: {}", options.seed, case.value)
}

/// Random values of every message, written by the naive writer.
fn draw<'a>(options: &Options, batch: &[&'a Import], report: &mut Report) -> Result<Vec<Case<'a>>, String> {
    let mut cases = Vec::new();
    for import in batch {
        let plan = import.model.plan();
        let file = repo::build("operations")
            .join("descriptions")
            .join(format!("{}.creo", import.model.packages[0].name));
        repo::write(&file, &import.text)?;
        let mut asked = Vec::new();
        for (i, (ty, what)) in import.messages.iter().enumerate() {
            let id = import.model.find(ty).ok_or_else(|| format!("no type {ty}"))?;
            let mut messages = Messages::new(&import.model, plan, Random::part(options.seed, i as u64));
            for n in 0..VALUES {
                let value = messages.named(id);
                asked.push((
                    ty,
                    format!("{} {what} {n}", import.wsdl.display()),
                    value,
                    messages.opaque.clone(),
                    messages.few,
                ));
            }
        }
        let lines: Vec<String> =
            asked.iter().map(|(ty, _, value, ..)| json!({"type": ty, "value": value}).to_string()).collect();
        let naive = Program::new("python3").arg(repo::path(Wire::Xml.naive())).arg("--lines").arg(file);
        for ((ty, name, value, opaque, few), answer) in asked.into_iter().zip(ask(&naive, &lines, LIMIT)) {
            let answer: Value = answer
                .and_then(|answer| serde_json::from_str(&answer).map_err(|e| e.to_string()))
                .unwrap_or_else(|why| json!({"error": why}));
            match answer["xml"].as_str() {
                Some(xml) => cases.push(Case {
                    import,
                    question: Question::new(&name, ty, &repo::hex(xml.as_bytes())),
                    value,
                    opaque,
                    few,
                }),
                None => report
                    .fail(name, format!("seed {}: the naive writer answers {answer}\n{value}", options.seed)),
            }
        }
    }
    Ok(cases)
}

/// A language's output, if it read the value and wrote the expected result.
fn compare(case: &Case<'_>, answer: &Answer) -> Result<String, String> {
    match answer {
        Answer::Value { value, bytes } => {
            values::same(&case.value, value).map_err(|why| format!("the value differs {why}"))?;
            if *bytes == case.question.bytes {
                Ok(bytes.clone())
            } else {
                Err(format!("encoded again it is {}", String::from_utf8_lossy(&repo::unhex(bytes)?)))
            }
        }
        refused => Err(format!("it was {}", refused.shown())),
    }
}

/// Whether the complaint is a missing attribute of a nil element: a schema still requires it, but nil has no attributes.
fn is_nil(complaint: &str, bytes: &str) -> bool {
    let element = complaint
        .strip_prefix("cvc-complex-type.4: ")
        .and_then(|text| text.split("must appear on element '").nth(1)?.split('\'').next());
    let text = repo::unhex(bytes).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    matches!((element, text), (Some(name), Ok(text)) if text.contains(&format!("<{name} xsi:nil=\"true\"")))
}

/// Validates everything that a language wrote with the XML Schema processor.
fn validate(
    options: &Options,
    language: &str,
    written: &[(&Case<'_>, String)],
    judged: &mut BTreeMap<PathBuf, bool>,
    report: &mut Report,
) {
    let mut program = Program::new("java")
        .args(["-XX:+UseSerialGC", "-Xmx2g"])
        .arg(repo::path("conformance/xsd/SchemaCheck.java"));
    let catalogue = folder().join("_catalog");
    if catalogue.is_dir() {
        program = program.arg(catalogue);
    }
    let lines: Vec<String> =
        written.iter().map(|(case, bytes)| format!("{}\t{bytes}", case.import.wsdl.display())).collect();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut reasons = BTreeSet::new();
    for ((case, bytes), answer) in written.iter().zip(ask(&program, &lines, LIMIT)) {
        let word = answer.as_ref().map_or("failed", |text| text.split(' ').next().unwrap_or_default());
        let invalid = answer.as_ref().ok().and_then(|text| text.strip_prefix("invalid "));
        let word = match invalid {
            Some(text) if case.import.loose && text.starts_with("cvc-complex-type.2.4") => {
                "looser than the schema"
            }
            Some(text) if case.few && text.starts_with("cvc-complex-type.2.4.b") => "few items",
            Some(text) if is_nil(text, bytes) => "nil without attributes",
            // A wildcard for one namespace: the random element has another.
            Some(text) if text.contains("'{\"urn:creo:other\":other}'") => "wildcard",
            Some(text) if case.opaque.iter().any(|name| text.contains(&format!("element '{name}'"))) => {
                "opaque"
            }
            _ => word,
        };
        *counts.entry(word.to_owned()).or_default() += 1;
        *judged.entry(case.import.wsdl.clone()).or_default() |= matches!(word, "valid" | "facet");
        if let ("none", Ok(text)) = (word, &answer) {
            reasons.insert(format!("{}: {}", case.import.wsdl.display(), text.trim_start_matches("none ")));
        }
        // Values that the schemas cannot judge are counted, but not as passed tests.
        match (word, &answer) {
            (
                "none"
                | "opaque"
                | "wildcard"
                | "few items"
                | "nil without attributes"
                | "looser than the schema",
                _,
            ) => {}
            ("valid" | "facet", _) => report.pass(),
            (_, Ok(text) | Err(text)) => {
                report.fail(format!("{language} schema {}", case.question.id), explain(options, case, text))
            }
        }
    }
    let words: Vec<String> = counts.iter().map(|(word, count)| format!("{count} {word}")).collect();
    println!("operations: {language}: {} messages: {}", written.len(), words.join(", "));
    reasons.iter().for_each(|why| println!("operations: {language}: not validated: {why}"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_nil_element_may_lack_an_attribute() {
        let complaint = "cvc-complex-type.4: Attribute 'a' must appear on element 'n2:entry'.";
        let is_nil = |text: &str| is_nil(complaint, &repo::hex(text.as_bytes()));
        assert!(is_nil("<n1:x><n2:entry xsi:nil=\"true\"></n2:entry></n1:x>"));
        assert!(!is_nil("<n1:x><n2:entry></n2:entry><n2:other xsi:nil=\"true\"></n2:other></n1:x>"));
    }
}
