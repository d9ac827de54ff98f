//! The matrix: each client against the Java service with every scenario of `conformance/scenarios.md`, over JMS through an embedded broker.

use crate::certificates;
use crate::codec::Wire;
use crate::languages::{Language, jms};
use crate::options::Options;
use crate::process::Program;
use crate::repo;
use crate::report::Report;
use crate::service::{JmsService, Service};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How a client communicates, and the prefix of its scenarios' names on the page; the client prints names without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Tcp,
    Tls,
    Soap,
    SoapTls,
    Json,
    Tables,
    Tdxml,
    TdxmlTcp,
    SoapJms,
    TdxmlJms,
    BinaryJms,
}

impl Way {
    const ALL: [Way; 11] = [
        Way::Tcp,
        Way::Tls,
        Way::Soap,
        Way::SoapTls,
        Way::Json,
        Way::Tables,
        Way::Tdxml,
        Way::TdxmlTcp,
        Way::SoapJms,
        Way::TdxmlJms,
        Way::BinaryJms,
    ];

    fn prefix(self) -> &'static str {
        match self {
            Way::Tcp | Way::Tls => "",
            Way::Soap => "soap/",
            Way::SoapTls => "soap-tls/",
            Way::Json => "json/",
            Way::Tables => "tables/",
            Way::Tdxml => "tdxml/",
            Way::TdxmlTcp => "tdxml-tcp/",
            Way::SoapJms => "soap+jms/",
            Way::TdxmlJms => "tdxml+jms/",
            Way::BinaryJms => "binary+jms/",
        }
    }

    /// The wire of a client over JMS, and the wire of its vectors; `None` for other ways.
    fn over_jms(self) -> Option<(&'static str, Wire)> {
        match self {
            Way::SoapJms => Some(("soap", Wire::Xml)),
            Way::TdxmlJms => Some(("tdxml", Wire::Tdxml)),
            Way::BinaryJms => Some(("binary", Wire::Binary)),
            Way::Tcp
            | Way::Tls
            | Way::Soap
            | Way::SoapTls
            | Way::Json
            | Way::Tables
            | Way::Tdxml
            | Way::TdxmlTcp => None,
        }
    }

    /// The way of a scenario.
    fn of(scenario: &str) -> Way {
        match scenario.split_once('/') {
            Some((way, _)) => {
                Way::ALL.into_iter().find(|w| w.prefix().strip_suffix('/') == Some(way)).unwrap_or(Way::Tcp)
            }
            None if scenario.starts_with("tls-") => Way::Tls,
            None => Way::Tcp,
        }
    }

    /// Whether TLS is used, which C leaves to its caller.
    fn tls(self) -> bool {
        matches!(self, Way::Tls | Way::SoapTls)
    }
}

/// The ports of the service.
struct Doors {
    plain: String,
    tls: String,
    http: String,
    https: String,
    certificates: PathBuf,
}

fn vectors(wire: Wire) -> PathBuf {
    repo::path("conformance/vectors").join(wire.folder())
}

impl Doors {
    /// The client of a way other than JMS.
    fn client(&self, peer: &Program, way: Way) -> Program {
        let url = |host: &str, port: &str| format!("http://{host}:{port}");
        let peer = peer.clone();
        match way {
            Way::Tcp => peer.args(["client", "127.0.0.1", &self.plain]).arg(vectors(Wire::Binary)),
            Way::Tls => peer
                .args(["tls", "localhost", &self.tls])
                .arg(vectors(Wire::Binary))
                .arg(&self.certificates)
                .arg(&self.plain),
            Way::Soap => peer.args(["client-soap", &url("127.0.0.1", &self.http)]).arg(vectors(Wire::Xml)),
            Way::SoapTls => peer
                .args(["client-soap-tls", &format!("https://localhost:{}", self.https)])
                .arg(vectors(Wire::Xml))
                .arg(&self.certificates)
                .arg(url("localhost", &self.http)),
            Way::Json => peer.args(["client-json", &url("127.0.0.1", &self.http)]).arg(vectors(Wire::Json)),
            Way::Tables => {
                peer.args(["client-tables", &url("127.0.0.1", &self.http)]).arg(vectors(Wire::Tdxml))
            }
            Way::Tdxml => {
                peer.args(["client-tdxml", &url("127.0.0.1", &self.http)]).arg(vectors(Wire::Tdxml))
            }
            Way::TdxmlTcp => {
                peer.args(["client-tdxml-tcp", "127.0.0.1", &self.plain]).arg(vectors(Wire::Tdxml))
            }
            Way::SoapJms | Way::TdxmlJms | Way::BinaryJms => {
                unreachable!("the broker is no door of this service")
            }
        }
    }
}

/// The max time of a scenario, and of a client.
const SCENARIO_LIMIT: Duration = Duration::from_secs(120);
const CLIENT_LIMIT: Duration = Duration::from_secs(600);

/// The words in the first column of the page's tables. In a row that starts with `soap/a`, `b` means `soap/b`.
fn scenarios() -> Result<Vec<String>, String> {
    let page = repo::read(&repo::path("conformance/scenarios.md"))?;
    let mut names = Vec::new();
    for column in page.lines().filter_map(|line| line.strip_prefix("| `")?.split(" |").next()) {
        let way = Way::of(column.split('`').next().unwrap_or_default());
        let name = |name: &str| {
            if name.starts_with(way.prefix()) { name.to_owned() } else { format!("{}{name}", way.prefix()) }
        };
        names.extend(column.split('`').step_by(2).map(name));
    }
    if names.is_empty() {
        Err("conformance/scenarios.md holds no table of scenarios".to_owned())
    } else {
        Ok(names)
    }
}

pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    let scenarios: Vec<String> = scenarios()?.into_iter().filter(|s| options.names(s)).collect();
    let wanted = |way: Way| scenarios.iter().filter(|s| Way::of(s) == way).collect::<Vec<_>>();
    if Way::ALL.into_iter().any(|way| way.over_jms().is_none() && !wanted(way).is_empty()) {
        run_doors(options, &wanted, report)?;
    }
    if Way::ALL.into_iter().any(|way| way.over_jms().is_some() && !wanted(way).is_empty()) {
        run_jms(options, &wanted, report)?;
    }
    Ok(())
}

/// Whether a client uses a way in a run with a share: one in four gives each way one client, and consecutive seeds rotate them.
fn is_turn(options: &Options, language: Language, way: Way) -> bool {
    (options.seed + language as u64 + way as u64).is_multiple_of(options.share)
}

/// All ways except JMS.
fn run_doors<'a>(
    options: &Options,
    wanted: &dyn Fn(Way) -> Vec<&'a String>,
    report: &mut Report,
) -> Result<(), String> {
    let certificates = certificates::make()?;
    let mut service = Service::start_with(Some(&certificates.join("service.p12")))?;
    let port = |port: Option<u16>, of: &str| {
        port.map(|p| p.to_string()).ok_or_else(|| format!("the service has no port for {of}"))
    };
    let doors = Doors {
        plain: service.port.to_string(),
        tls: port(service.tls_port, "TLS")?,
        http: port(service.http, "HTTP")?,
        https: port(service.https, "HTTPS")?,
        certificates,
    };
    for language in options.languages() {
        let program = match language.ready().and_then(|()| language.conformance_peer()) {
            Ok(program) => program,
            Err(why) => {
                report.fail(language.name(), why);
                continue;
            }
        };
        for way in Way::ALL.into_iter().filter(|way| way.over_jms().is_none()) {
            if way.tls() && language == Language::C {
                if way == Way::Tls {
                    report.not_run(
                        "TLS of the C client: it belongs to the caller, who brings the library (docs/c.md)",
                    );
                }
                continue;
            }
            if is_turn(options, language, way) {
                run_client(language, way, &doors.client(&program, way), &wanted(way), report);
            }
        }
        if !service.is_alive() {
            return Err(format!(
                "the service died while the {} client spoke with it; {}",
                language.name(),
                service.complaint()
            ));
        }
    }
    report.check("the service ends when it is asked to", service.stop());
    Ok(())
}

/// JMS, with a separate service and broker. A language without its library on this machine is skipped, which the summary says.
fn run_jms<'a>(
    options: &Options,
    wanted: &dyn Fn(Way) -> Vec<&'a String>,
    report: &mut Report,
) -> Result<(), String> {
    let mut service = JmsService::start()?;
    let port = service.broker.to_string();
    for language in options.languages() {
        if let Some(why) = jms::missing(language) {
            report.not_run(format!("JMS of {}: {why}", language.name()));
            continue;
        }
        let program = match language.ready().and_then(|()| jms::peer(language)) {
            Ok(program) => program,
            Err(why) => {
                report.fail(format!("{} over JMS", language.name()), why);
                continue;
            }
        };
        for way in Way::ALL {
            if let Some((name, wire)) = way.over_jms()
                && is_turn(options, language, way)
            {
                let client =
                    program.clone().args(["client-jms", name, "127.0.0.1", &port]).arg(vectors(wire));
                run_client(language, way, &client, &wanted(way), report);
            }
        }
        if !service.is_alive() {
            return Err(format!(
                "the service died while the {} client spoke with it over JMS; {}",
                language.name(),
                service.complaint()
            ));
        }
    }
    report.check("the service over JMS ends when it is asked to", service.stop());
    Ok(())
}

/// Runs a client, and checks its result for each scenario.
fn run_client(language: Language, way: Way, client: &Program, scenarios: &[&String], report: &mut Report) {
    if scenarios.is_empty() {
        return;
    }
    match listen(client) {
        Ok(told) => {
            for scenario in scenarios {
                let result = match told.get(scenario.strip_prefix(way.prefix()).unwrap_or(scenario)) {
                    Some(outcome) => outcome.clone(),
                    None => Err(told
                        .get("")
                        .and_then(|end| end.clone().err())
                        .unwrap_or_else(|| "the client said nothing of it".to_owned())),
                };
                report.check(format!("{} {scenario}", language.name()), result);
            }
        }
        Err(why) => report.fail(format!("{} {}", language.name(), way.prefix()), why),
    }
}

/// The client's results by scenario; under the empty name, how it ended if it failed.
fn listen(client: &Program) -> Result<BTreeMap<String, Result<(), String>>, String> {
    let mut running = client.start()?;
    let mut told = BTreeMap::new();
    let begin = Instant::now();
    let end = loop {
        if begin.elapsed() > CLIENT_LIMIT {
            break Err(format!(
                "the client was still running after {} s; {}",
                CLIENT_LIMIT.as_secs(),
                running.complaint()
            ));
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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[test]
    fn in_a_share_each_way_has_one_client_and_each_client_its_turn() {
        let pairs = || Way::ALL.into_iter().flat_map(|way| Language::ALL.map(|language| (language, way)));
        let mut turns = Vec::new();
        for seed in 739_947..739_951 {
            let options =
                Options::parse_from(["harness", "matrix", "--share", "4", "--seed", &format!("{seed}")]);
            let taken: Vec<_> =
                pairs().filter(|(language, way)| is_turn(&options, *language, *way)).collect();
            assert!(Way::ALL.iter().all(|way| taken.iter().filter(|(_, of)| of == way).count() == 1));
            turns.extend(taken);
        }
        assert!(pairs().all(|pair| turns.iter().filter(|turn| **turn == pair).count() == 1));
        let whole = Options::parse_from(["harness", "matrix"]);
        assert!(pairs().all(|(language, way)| is_turn(&whole, language, way)));
    }

    #[test]
    fn ways() {
        assert_eq!(Way::of("echo"), Way::Tcp);
        assert_eq!(Way::of("tls-echo"), Way::Tls);
        assert_eq!(Way::of("soap/echo"), Way::Soap);
        assert_eq!(Way::of("soap-tls/echo"), Way::SoapTls);
        assert_eq!(Way::of("tdxml-tcp/echo"), Way::TdxmlTcp);
        assert_eq!(Way::of("soap+jms/echo"), Way::SoapJms);
        let names = scenarios().expect("the page");
        for way in Way::ALL {
            assert!(names.iter().any(|name| Way::of(name) == way && name.ends_with("echo")), "{way:?}");
        }
        for name in [
            "json/parallel",
            "tdxml-tcp/reconnect",
            "soap+jms/mtom-12",
            "tdxml+jms/packages",
            "binary+jms/no-consumer",
        ] {
            assert!(names.contains(&name.to_owned()), "{name}");
        }
    }
}
