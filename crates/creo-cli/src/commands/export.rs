//! `creo export`

use crate::args::{ExportArgs, ExportFormat};
use crate::failure::{Failure, Outcome};
use crate::input;
use crate::terminal::Terminal;
use crate::uncarried;
use creo_check::CheckedModel;
use creo_diag::escape_controls;
use creo_wsdl::export::{Options, Problem, is_jms, wsdl};

/// Writes a document for other tools.
pub fn run(args: &ExportArgs, terminal: &Terminal) -> Result<Outcome, Failure> {
    input::with_model(&args.file, terminal, |model| {
        let index = interface(model, args.interface.as_deref())?;
        let address = args
            .address
            .clone()
            .unwrap_or_else(|| format!("http://localhost/{}", model.interfaces[index].name));
        let text = match args.format {
            ExportFormat::Openapi if args.soap11 => return Err(Failure::new("--soap11 is about a WSDL")),
            ExportFormat::Openapi if is_jms(&address) => {
                return Err(Failure::new("an OpenAPI document is about HTTP, and the address is one of JMS"));
            }
            ExportFormat::Openapi => creo_openapi::openapi(model, model.plan(), index, &address),
            ExportFormat::Wsdl => {
                let options = Options { address, soap12: !args.soap11 };
                let name = model.interface_name(&model.interfaces[index]);
                wsdl(model, model.plan(), index, &options).map_err(|problem| match problem {
                    Problem::Address { .. } => Failure::coded("invalid-value", problem.to_string()),
                    Problem::SameElement { .. } | Problem::SameType { .. } | Problem::TooLarge => {
                        Failure::new(format!("{name} has no WSDL: {problem}"))
                    }
                })?
            }
        };
        match args.format {
            ExportFormat::Openapi => uncarried::warn_of_openapi(model, &model.interfaces[index], terminal),
            ExportFormat::Wsdl => uncarried::warn_of_wsdl(model, &model.interfaces[index], terminal),
        }
        match &args.out {
            None => terminal.result(&text)?,
            Some(path) => {
                std::fs::write(path, &text).map_err(|error| Failure::file("write", path, &error))?;
                terminal.note(&format!("{} written", path.display()));
            }
        }
        Ok(Outcome::Done)
    })
}

/// The index of the interface with a full or simple name; by default of the only one.
fn interface(model: &CheckedModel, name: Option<&str>) -> Result<usize, Failure> {
    let names: Vec<String> =
        model.interfaces.iter().map(|interface| model.interface_name(interface)).collect();
    let all = || format!("there are {}", names.join(", "));
    let found: Vec<usize> = match name {
        None => (0..names.len()).collect(),
        Some(name) => (0..names.len())
            .filter(|index| names[*index] == name || model.interfaces[*index].name == name)
            .collect(),
    };
    match (found.as_slice(), name) {
        ([index], _) => Ok(*index),
        (_, _) if names.is_empty() => Err(Failure::new("the description has no interface")),
        ([], Some(name)) => {
            Err(Failure::new(escape_controls(&format!("there is no interface `{name}`"))).help(all()))
        }
        (_, None) => Err(Failure::new("the description has several interfaces")
            .help(format!("name one by --interface: {}", all()))),
        (_, Some(name)) => Err(Failure::new(format!("several interfaces are called `{name}`"))
            .help(format!("write its package too: {}", all()))),
    }
}
