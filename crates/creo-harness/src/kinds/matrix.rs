//! The matrix: each client against the Java service, every scenario of `conformance/scenarios.md`.

use crate::certificates;
use crate::languages::Language;
use crate::options::Options;
use crate::process::Program;
use crate::repo;
use crate::report::Report;
use crate::service::Service;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Begins the names of the scenarios that run over SOAP.
const SOAP: &str = "soap/";

/// The longest that one scenario, and the longest that one client may take.
const SCENARIO_LIMIT: Duration = Duration::from_secs(120);
const CLIENT_LIMIT: Duration = Duration::from_secs(600);

/// The words in the first column of the page's tables. Behind `soap/a` in a row, `b` is `soap/b`.
fn scenarios() -> Result<Vec<String>, String> {
    let page = repo::read(&repo::path("conformance/scenarios.md"))?;
    let mut names = Vec::new();
    for column in page.lines().filter_map(|line| line.strip_prefix("| `")?.split(" |").next()) {
        let soap = column.starts_with(SOAP);
        names
            .extend(column.split('`').step_by(2).map(|name| if soap && !name.starts_with(SOAP) { format!("{SOAP}{name}") } else { name.to_owned() }));
    }
    if names.is_empty() { Err("conformance/scenarios.md holds no table of scenarios".to_owned()) } else { Ok(names) }
}

pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    let scenarios: Vec<String> = scenarios()?.into_iter().filter(|s| options.wants(s)).collect();
    let certificates = certificates::make()?;
    let mut service = Service::start_with(Some(&certificates.join("service.p12")))?;
    let tls_port = service.tls_port.ok_or("the service has no port for TLS")?;
    let http = service.http.ok_or("the service has no port for HTTP")?;
    let (soap, tcp): (Vec<&String>, Vec<&String>) = scenarios.iter().partition(|s| s.starts_with(SOAP));
    let (tls, plain): (Vec<&String>, Vec<&String>) = tcp.into_iter().partition(|s| s.starts_with("tls-"));
    let vectors = repo::path("conformance/vectors/binary");
    for language in options.languages() {
        let program = match language.ready().and_then(|()| language.conformance_peer()) {
            Ok(program) => program,
            Err(why) => {
                report.fail(language.name(), why);
                continue;
            }
        };
        let client = program.clone().args(["client", "127.0.0.1", &service.port.to_string()]).arg(&vectors);
        run_client(language, &client, &plain, report);
        let client = program.clone().args(["client-soap", &format!("http://127.0.0.1:{http}")]).arg(repo::path("conformance/vectors/xml"));
        run_client(language, &client, &soap, report);
        if language == Language::C {
            report.not_run("TLS of the C client: it belongs to the caller, who brings the library (docs/c.md)");
        } else {
            let client = program.args(["tls", "localhost", &tls_port.to_string()]).arg(&vectors).arg(&certificates).arg(service.port.to_string());
            run_client(language, &client, &tls, report);
        }
        if !service.is_alive() {
            return Err(format!("the service died while the {} client spoke with it; {}", language.name(), service.complaint()));
        }
    }
    report.check("the service ends when it is asked to", service.stop());
    Ok(())
}

/// Runs a client, and checks what it says of each scenario.
fn run_client(language: Language, client: &Program, scenarios: &[&String], report: &mut Report) {
    if scenarios.is_empty() {
        return;
    }
    match listen(client) {
        Ok(told) => {
            for scenario in scenarios {
                let result = match told.get(scenario.strip_prefix(SOAP).unwrap_or(scenario)) {
                    Some(outcome) => outcome.clone(),
                    None => Err(told.get("").and_then(|end| end.clone().err()).unwrap_or_else(|| "the client said nothing of it".to_owned())),
                };
                report.check(format!("{} {scenario}", language.name()), result);
            }
        }
        Err(why) => report.fail(language.name(), why),
    }
}

/// What a client says of each scenario; under the empty name, how it ended if not well.
fn listen(client: &Program) -> Result<BTreeMap<String, Result<(), String>>, String> {
    let mut running = client.start()?;
    let mut told = BTreeMap::new();
    let begin = Instant::now();
    let end = loop {
        if begin.elapsed() > CLIENT_LIMIT {
            break Err(format!("the client was still running after {} s; {}", CLIENT_LIMIT.as_secs(), running.complaint()));
        }
        match running.line(SCENARIO_LIMIT) {
            Ok(line) => {
                let said: Value = match serde_json::from_str(&line) {
                    Ok(said) => said,
                    Err(why) => break Err(format!("the client said {line:?}, which is not JSON: {why}")),
                };
                let outcome = match (said["ok"].as_bool(), said["why"].as_str()) {
                    (Some(true), _) => Ok(()),
                    (_, why) => Err(why.unwrap_or("it does not say why").to_owned()),
                };
                told.insert(said["scenario"].as_str().unwrap_or_default().to_owned(), outcome);
            }
            Err(why) if why.starts_with("ended with exit code") => {
                let clean = why.starts_with("ended with exit code 0;");
                break if clean { Ok(()) } else { Err(format!("the client {why}")) };
            }
            Err(why) => break Err(format!("the client: {why}")),
        }
    };
    told.insert(String::new(), end);
    Ok(told)
}
