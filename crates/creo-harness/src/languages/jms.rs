//! The peers with JMS: the ordinary ones, the optional module of the language, and its library.

use super::{Language, Sources, c, csharp, java, python};
use crate::process::Program;
use crate::repo;
use creo_check::CheckedModel;
use creo_codegen::Module;
use std::time::Duration;

/// Why a language's client over JMS cannot run here, if so. Java's libraries come with `scripts/setup.sh`: without them Java fails.
pub fn missing(language: Language) -> Option<String> {
    if language.target().module(Module::Jms).is_none() {
        return Some("its generator has no such module".to_owned());
    }
    let no_client =
        |file: &str| (!repo::path(file).is_file()).then(|| format!("its peer has no client ({file})"));
    let runs = |program: Program| program.run(Duration::from_secs(60)).is_ok();
    match language {
        Language::Java => None,
        Language::Python => no_client("conformance/peers/python/jms.py").or_else(|| {
            (!runs(python::interpreter().args(["-c", "import proton"])))
                .then(|| "no python-qpid-proton in build/venv".to_owned())
        }),
        Language::C => no_client("conformance/peers/c/jms/client.c").or_else(|| {
            (!runs(Program::new("pkg-config").args(["--exists", c::PROTON])))
                .then(|| format!("no {} (pkg-config)", c::PROTON))
        }),
        Language::CSharp => no_client("conformance/peers/csharp/Jms/JmsMode.cs"),
    }
}

/// The peer of the conformance schemas with `client-jms`; Java's also with `service-jms`.
pub fn peer(language: Language) -> Result<Program, String> {
    let models = crate::descriptions::conformance()?;
    let models: Vec<&CheckedModel> = models.iter().collect();
    let work = repo::build("peers").join(format!("{}-jms", language.name()));
    let _held = repo::hold(&work)?;
    let with: &[Module] = match language {
        Language::Java => &[Module::Balance, Module::Retries, Module::Jms, Module::JmsBroker],
        Language::Python | Language::C | Language::CSharp => &[Module::Balance, Module::Retries, Module::Jms],
    };
    let sources = Sources::generate_with(language, &models, &work.join("generated"), with)?;
    match language {
        Language::Java => java::jms_peer(&sources, &work),
        Language::Python => python::peer(&sources),
        Language::C => c::jms_peer(&sources, &models, &work),
        Language::CSharp => csharp::jms_peer(&sources, &work),
    }
}
