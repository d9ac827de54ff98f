//! `creo estimate`: the cost of a service, from its description (`spec/cost.md`).

mod answer;
mod data;
mod html;
pub mod options;
mod text;
mod verdict;
mod verify;

use crate::args::{EstimateArgs, EstimateFormat};
use crate::commands::import::Disk;
use crate::failure::{Failure, Outcome};
use crate::input;
use crate::output::{writable, write_whole};
use crate::snippets;
use crate::terminal::Terminal;
use answer::{Answer, Growth};
use creo_check::{CheckedModel, compile};
use creo_cost::{Profile, Question, Sizes, TooLarge, crossovers, estimate, over_lengths, spaced};
use creo_measure::Effort;
use creo_wsdl::import::{Options, import};
use std::path::Path;

pub use answer::streaming;
pub use text::{TOO_LONG, shipped, table, time};
pub use verdict::standing;

/// The points of a plot.
const POINTS: usize = 25;

pub fn run(args: &EstimateArgs, terminal: &Terminal) -> Result<Outcome, Failure> {
    let Some(model) = model(&args.file, terminal)? else { return Ok(Outcome::Findings) };
    let sizes = Sizes::new(&model);
    let assumptions = options::assumptions(&args.assume, &model)?;
    let profile = profile(args.profile.as_deref())?;
    let mut question = Question {
        methods: options::methods(&args.method, &sizes)?,
        bindings: options::bindings(&args.binding)?,
        targets: options::targets(&args.target, profile.as_ref())?,
        profile: profile.as_ref(),
        network: options::network(&args.assume)?,
        wide: options::wide(&args.assume)?,
        security: options::security(&args.security, &args.security_response)?,
    };
    let rate = options::rate(args.rate)?;
    if args.verify {
        let render = match args.format {
            EstimateFormat::Text => verify::text,
            EstimateFormat::Csv => verify::csv,
            EstimateFormat::Json | EstimateFormat::Html => {
                return Err(Failure::coded("invalid-assumption", "--verify is written as text or csv"));
            }
        };
        if let Some(path) = &args.out {
            writable(path)?;
        }
        if let Some(profile) = profile.as_ref().filter(|_| args.profile.is_none()) {
            terminal.warning(&format!("predicted by {}", text::shipped(profile)));
        }
        let effort = if args.quick { Effort::LOOK } else { Effort::CHECK };
        let checked =
            verify::run(&sizes, &assumptions, &question, !args.target.is_empty(), effort, terminal)?;
        return write(args, &render(&sizes, &checked), terminal);
    }
    let rows = estimate(&sizes, &assumptions, &question).map_err(too_large)?;
    let over = match &args.over {
        None => None,
        Some(said) => {
            let (path, first, last) = options::over(said, &model)?;
            let lengths = spaced(first, last, POINTS);
            let mut all = Vec::new();
            for method in std::mem::take(&mut question.methods) {
                question.methods = vec![method];
                let series =
                    over_lengths(&sizes, &assumptions, &question, &path, &lengths).map_err(too_large)?;
                let crossovers =
                    crossovers(&sizes, &assumptions, &question, &path, &lengths).map_err(too_large)?;
                all.push(Growth { method, series, crossovers });
            }
            Some((said.clone(), all))
        }
    };
    let shipped = args.profile.is_none();
    let answer = Answer {
        sizes: &sizes,
        assumptions: &assumptions,
        profile: profile.as_ref(),
        shipped,
        network: question.network,
        security: question.security,
        rate,
        rows,
        over,
    };
    if answer.rows.is_empty() {
        terminal.warning(match sizes.methods().next() {
            None => "the description has no methods",
            Some(_) => "no binding here carries these methods",
        });
    }
    let result = match args.format {
        EstimateFormat::Text if args.all => {
            format!("{}\n{}", verdict::verdict(&answer).text(), text::render(&answer))
        }
        EstimateFormat::Text => verdict::verdict(&answer).text(),
        EstimateFormat::Json => data::json(&answer),
        EstimateFormat::Csv => data::csv(&answer),
        EstimateFormat::Html => html::render(&answer),
    };
    write(args, &result, terminal)
}

fn write(args: &EstimateArgs, result: &str, terminal: &Terminal) -> Result<Outcome, Failure> {
    match &args.out {
        Some(path) => {
            write_whole(path, result.as_bytes(), None)?;
            terminal.note(&format!("{} written", path.display()));
        }
        None => terminal.result(result)?,
    }
    Ok(Outcome::Done)
}

pub fn too_large(error: TooLarge) -> Failure {
    Failure::coded("too-large", error.to_string()).help(match error {
        TooLarge::Parts => {
            "leave optionals out with --present PATH=0, or ask for fewer methods with --method"
        }
        TooLarge::Bytes => "say shorter lengths with --length PATH=NUMBER",
    })
}

/// The model of a description, or of a WSDL through its import.
pub fn model(path: &Path, terminal: &Terminal) -> Result<Option<CheckedModel>, Failure> {
    let is_wsdl = path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("wsdl") || ending.eq_ignore_ascii_case("xsd"));
    if !is_wsdl {
        return input::model(&[path], terminal);
    }
    std::fs::metadata(path).map_err(|error| Failure::file("read", path, &error))?;
    let imported = import(&input::name_of(path), &Options::default(), &mut Disk::beside(path));
    snippets::report(&imported.report, &imported.sources, terminal);
    let Some(text) = imported.text else { return Ok(None) };
    match compile(&[("imported.creo", &text)]) {
        Ok(model) => Ok(Some(model)),
        Err(report) => Err(Failure::new(format!(
            "the description that was made of {} is wrong: {report}",
            path.display()
        ))),
    }
}

/// The profile of `--profile`: a file, `none`, or by default the built-in one for this machine's processor.
pub fn profile(said: Option<&Path>) -> Result<Option<Profile>, Failure> {
    match said {
        Some(path) if path == Path::new("none") => Ok(None),
        Some(path) => read_profile(path).map(Some),
        None => Profile::shipped(creo_measure::machine::processor().as_deref()).map(Some).map_err(|error| {
            Failure::coded(error.code(), format!("the profile that comes with creo: {error}"))
        }),
    }
}

/// The largest profile that is read.
const MAX_PROFILE: u64 = 64 << 20;

fn read_profile(path: &Path) -> Result<Profile, Failure> {
    let size = std::fs::metadata(path).map_err(|error| Failure::file("read", path, &error))?.len();
    if size > MAX_PROFILE {
        return Err(Failure::coded("malformed-profile", format!("{} is larger than 64 MiB", path.display())));
    }
    let text = std::fs::read_to_string(path).map_err(|error| Failure::file("read", path, &error))?;
    Profile::from_json(&text).map_err(|error| {
        Failure::coded(error.code(), format!("{}: {error}", path.display()))
            .help("make a profile with `creo calibrate`")
    })
}
