//! `creo capacity`: the speed of calls under load, and the resources for a load (`spec/cost.md`, section 6).

mod answer;
mod data;
mod file;
mod html;
mod mix;
mod options;
mod text;
mod verdict;

use crate::args::{CapacityArgs, EstimateFormat};
use crate::commands::estimate::{self, TOO_LONG};
use crate::failure::{Failure, Outcome};
use crate::output::write_whole;
use crate::terminal::Terminal;
use answer::{Answer, Case, Goal, Row};
use creo_cost::Sizes;
use creo_queue::{Run, Search};
use file::WRONG;
use std::num::NonZero;

pub fn run(args: &CapacityArgs, terminal: &Terminal) -> Result<Outcome, Failure> {
    let args = match &args.scenario {
        Some(path) => file::read(path)?.under(args, path),
        None => args.clone(),
    };
    let Some(model) = estimate::model(&args.file, terminal)? else { return Ok(Outcome::Findings) };
    let sizes = Sizes::new(&model);
    let assumptions = estimate::options::assumptions(&args.assume, &model)?;
    let network = estimate::options::network(&args.assume)?;
    let request = options::request(&args, &sizes)?;
    let profile = estimate::profile(args.profile.as_deref())?;
    let question = creo_cost::Question {
        methods: request.calls.iter().map(|call| call.method).collect(),
        bindings: estimate::options::bindings(&args.binding)?,
        targets: estimate::options::targets(&args.target, profile.as_ref())?,
        profile: profile.as_ref(),
        network,
        wide: estimate::options::wide(&args.assume)?,
        security: [creo_cost::Security::default(); 2],
    };
    let (cases, left_out) = mix::cases(&sizes, &assumptions, &question, &request)?;
    if cases.is_empty() && !left_out.too_long.is_empty() {
        return Err(Failure::coded(
            "too-large",
            format!("a message has {TOO_LONG} on each of these bindings"),
        )
        .help("say shorter lengths with --length PATH=NUMBER"));
    }
    if cases.is_empty() {
        return Err(Failure::coded(WRONG, "the profile has no times for these bindings")
            .help("measure them with `creo calibrate`, or do without: --profile none"));
    }
    let curves = matches!(args.format, EstimateFormat::Html | EstimateFormat::Json);
    let mut rows = simulate(cases, request.run, request.goal, curves)?;
    rows.sort_by(|a, b| a.rank().partial_cmp(&b.rank()).unwrap_or(std::cmp::Ordering::Equal));
    let answer = Answer {
        sizes: &sizes,
        request: &request,
        profile: profile.as_ref(),
        shipped: args.profile.is_none(),
        network,
        rows,
        left_out,
    };
    let result = match args.format {
        EstimateFormat::Text if args.all => {
            format!("{}\n{}", verdict::verdict(&answer).text(), text::render(&answer))
        }
        EstimateFormat::Text => verdict::verdict(&answer).text(),
        EstimateFormat::Json => data::json(&answer),
        EstimateFormat::Csv => data::csv(&answer),
        EstimateFormat::Html => html::render(&answer),
    };
    match &args.out {
        Some(path) => {
            write_whole(path, result.as_bytes(), None)?;
            terminal.note(&format!("{} written", path.display()));
        }
        None => terminal.result(&result)?,
    }
    Ok(Outcome::Done)
}

/// Simulates each case independently, on as many threads as there are cores, which does not affect the results.
fn simulate(cases: Vec<Case>, run: Run, goal: Option<f64>, curves: bool) -> Result<Vec<Row>, Failure> {
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get).min(cases.len());
    let mut parts: Vec<Vec<(usize, Case)>> = (0..threads).map(|_| Vec::new()).collect();
    for (number, case) in cases.into_iter().enumerate() {
        parts[number % threads].push((number, case));
    }
    let work = |part: Vec<(usize, Case)>| {
        part.into_iter().map(|(number, case)| Ok((number, row(case, run, goal, curves)?))).collect()
    };
    let parts = std::thread::scope(|scope| {
        let workers: Vec<_> = parts.into_iter().map(|part| scope.spawn(move || work(part))).collect();
        let join = |worker: std::thread::ScopedJoinHandle<'_, Result<Vec<(usize, Row)>, Failure>>| {
            worker.join().unwrap_or_else(|_| Err(Failure::new("a simulation ended before its time")))
        };
        workers.into_iter().map(join).collect::<Result<Vec<_>, Failure>>()
    })?;
    let mut rows: Vec<(usize, Row)> = parts.into_iter().flatten().collect();
    rows.sort_by_key(|(number, _)| *number);
    Ok(rows.into_iter().map(|(_, row)| row).collect())
}

fn row(case: Case, run: Run, goal: Option<f64>, curves: bool) -> Result<Row, Failure> {
    let search = Search::new(&case.scenario, run).map_err(|why| Failure::coded(WRONG, why.to_string()))?;
    let goal = goal.map(|goal| Goal { rate: search.highest(goal), hosts: search.hosts(goal) });
    let (capacity, outcome, loads) =
        (search.capacity(), search.outcome(), if curves { search.loads() } else { Vec::new() });
    Ok(Row { case, capacity, outcome, goal, loads })
}
