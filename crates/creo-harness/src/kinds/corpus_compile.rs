//! Packages from real WSDLs, compiled in each language with every warning an error.
//!
//! The whole corpus takes half an hour or more, so each result is stored with a fingerprint of the generated code. An interrupted run
//! continues, and a changed generator recompiles only what changed. A changed runtime recompiles nothing: remove
//! `build/harness/corpus-compile` for that. `--only` selects roots by name, `--target` languages. The last lines count what compiles, and
//! list the causes of failures.

use super::corpus::{Root, check, folder, import_own, import_root, own, roots};
use crate::languages::{Language, Sources, Unit, generate};
use crate::options::Options;
use crate::repo;
use crate::report::Report;
use creo_check::CheckedModel;
use creo_codegen::Input;
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::path::PathBuf;

/// The number of packages compiled at once, which share one compilation of the runtime.
const BATCH: usize = 24;

/// The max bytes of generated code at once, which limits the time of a compiler run.
const BATCH_BYTES: usize = 12 << 20;

/// A package to compile.
struct Package {
    path: String,
    model: CheckedModel,
    /// Whether it counts for the measure: all its messages are document/literal.
    counts: bool,
}

/// A package and its generated code in one language.
struct Case<'p> {
    package: &'p Package,
    fingerprint: String,
    bytes: usize,
}

type Outcomes = BTreeMap<String, Result<(), String>>;

/// Generates and compiles a package from each imported root in each language.
pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    let folder = folder();
    let all = if folder.is_dir() { roots(&folder)? } else { Vec::new() };
    if all.is_empty() {
        println!(
            "corpus: there is no folder of WSDLs at {}: only those of tests/import were run",
            folder.display()
        );
        report.not_run("the corpus is not there");
    }
    let wanted: Vec<&Root> = all.iter().filter(|root| options.wants(&root.path)).collect();
    let mut packages: Vec<Package> = Vec::new();
    for path in own().into_iter().filter(|path| options.wants(&path.display().to_string())) {
        let (path, model) = import_own(&path)?;
        packages.push(Package { path, model, counts: false });
    }
    let mut not_in: Outcomes = Outcomes::new();
    for root in &wanted {
        let found = import_root(&folder, &root.path)?;
        match found.text.ok_or_else(|| found.report.to_string()).and_then(|text| check(&root.path, &text)) {
            Ok(model) => packages.push(Package { path: root.path.clone(), model, counts: counts(root) }),
            Err(why) => drop(not_in.insert(root.path.clone(), Err(why))),
        }
    }
    let measured = wanted.iter().filter(|root| counts(root)).count();
    let mut good: BTreeSet<&str> = packages.iter().filter(|p| p.counts).map(|p| p.path.as_str()).collect();
    println!("corpus: {} of {measured} document/literal roots are imported", good.len());
    for path in wanted
        .iter()
        .filter(|root| counts(root))
        .filter_map(|root| not_in.contains_key(&root.path).then_some(&root.path))
    {
        println!("corpus: not imported: {path}");
    }
    for language in options.languages() {
        if let Err(why) = language.ready() {
            report.fail(language.name(), why);
            continue;
        }
        let outcomes = all_in(language, &packages)?;
        for (path, outcome) in &outcomes {
            report.check(format!("{} {path}", language.name()), outcome.clone());
        }
        summarise(language, &packages, &outcomes);
        good.retain(|path| outcomes.get(*path).is_some_and(Result::is_ok));
    }
    let names: Vec<&str> = options.languages().into_iter().map(Language::name).collect();
    println!(
        "corpus: {} of {measured} document/literal roots are imported and compile in {}",
        good.len(),
        names.join(", ")
    );
    Ok(())
}

fn counts(root: &Root) -> bool {
    root.literal && !root.rpc
}

/// Prints the counts of one language, then each cause with its packages.
fn summarise(language: Language, packages: &[Package], outcomes: &Outcomes) {
    let good = |path: &str| outcomes.get(path).is_some_and(Result::is_ok);
    let measured: Vec<&Package> = packages.iter().filter(|p| p.counts).collect();
    println!(
        "corpus: {}: {} of {} packages compile; of those with document/literal, {} of {}",
        language.name(),
        packages.iter().filter(|p| good(&p.path)).count(),
        packages.len(),
        measured.iter().filter(|p| good(&p.path)).count(),
        measured.len()
    );
    let mut causes: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (path, outcome) in outcomes {
        if let Err(why) = outcome {
            causes.entry(cause(why)).or_default().push(path);
        }
    }
    for (cause, paths) in causes {
        println!("corpus: {}: {} with: {cause}: {}", language.name(), paths.len(), paths.join(", "));
    }
}

/// The first compiler error, without quoted names.
fn cause(why: &str) -> String {
    const MOST: usize = 120;
    let line = why
        .lines()
        .skip(1)
        .find(|line| line.contains("error"))
        .or_else(|| why.lines().next())
        .unwrap_or_default();
    let text = line
        .find("error")
        .map_or(line, |at| line[at..].trim_start_matches("error"))
        .trim_start_matches([':', ' ']);
    let mut out = String::new();
    let mut quoted = false;
    for c in text.chars() {
        let quote = matches!(c, '"' | '\'' | '\u{2018}' | '\u{2019}');
        quoted ^= quote;
        if quote || !quoted {
            out.push(c);
        }
    }
    out.chars().take(MOST).collect()
}

/// The result of each package in one language: stored results first, then the rest in batches.
fn all_in(language: Language, packages: &[Package]) -> Result<Outcomes, String> {
    let mut outcomes = Outcomes::new();
    let mut rest: Vec<Case<'_>> = Vec::new();
    for package in packages {
        match case(language, package) {
            Err(why) => drop(outcomes.insert(package.path.clone(), Err(why))),
            Ok(case) => match kept(language, &case) {
                Some(outcome) => drop(outcomes.insert(package.path.clone(), outcome)),
                None => rest.push(case),
            },
        }
    }
    println!(
        "corpus: {}: {} results are kept, {} packages are to be compiled",
        language.name(),
        outcomes.len(),
        rest.len()
    );
    for batch in batches(&rest) {
        settle(language, &batch, &mut outcomes)?;
    }
    Ok(outcomes)
}

fn case(language: Language, package: &Package) -> Result<Case<'_>, String> {
    let files = generate(language, &Input::new(language.target(), &package.model))?;
    let (mut hasher, mut bytes) = (DefaultHasher::new(), 0);
    for (path, text) in files.iter() {
        (path, text).hash(&mut hasher);
        bytes += text.len();
    }
    Ok(Case { package, fingerprint: format!("{:016x}", hasher.finish()), bytes })
}

/// Compiles a batch, and bisects it until the faulty packages are isolated.
fn settle(language: Language, batch: &[&Case<'_>], outcomes: &mut Outcomes) -> Result<(), String> {
    let together: Vec<&CheckedModel> = batch.iter().map(|case| &case.package.model).collect();
    let outcome = compile(language, &together);
    if let (Err(why), true) = (&outcome, batch.len() > 1) {
        println!(
            "corpus: {}: a batch of {} does not compile as one: {}",
            language.name(),
            batch.len(),
            cause(why)
        );
        let (left, right) = batch.split_at(batch.len() / 2);
        return settle(language, left, outcomes).and_then(|()| settle(language, right, outcomes));
    }
    for case in batch {
        // Packages that timed out on a busy machine are retried by the next run.
        if !outcome.as_ref().is_err_and(|why| {
            why.contains(" was still running after ") || why.contains(" does not come to an end")
        }) {
            keep(language, case, &outcome)?;
        }
        println!(
            "corpus: {}: {} {}",
            language.name(),
            if outcome.is_ok() { "compiles:" } else { "does not compile:" },
            case.package.path
        );
        outcomes.insert(case.package.path.clone(), outcome.clone());
    }
    Ok(())
}

fn compile(language: Language, models: &[&CheckedModel]) -> Result<(), String> {
    let work = work(language).join("work");
    Sources::generate(language, models, &work.join("generated"))
        .and_then(|sources| language.compile(Unit { sources, work }))
}

fn work(language: Language) -> PathBuf {
    repo::build("corpus-compile").join(language.name())
}

/// The file with a package's result: its fingerprint on the first line, then the error, if any.
fn result_file(language: Language, path: &str) -> PathBuf {
    work(language).join("results").join(path.replace('/', "__")).with_extension("txt")
}

fn kept(language: Language, case: &Case<'_>) -> Option<Result<(), String>> {
    let text = repo::read(&result_file(language, &case.package.path)).ok()?;
    let (fingerprint, why) = text.split_once('\n')?;
    (fingerprint == case.fingerprint).then(|| if why.is_empty() { Ok(()) } else { Err(why.to_owned()) })
}

fn keep(language: Language, case: &Case<'_>, outcome: &Result<(), String>) -> Result<(), String> {
    let why = outcome.as_ref().err().map_or("", String::as_str);
    repo::write(&result_file(language, &case.package.path), &format!("{}\n{why}", case.fingerprint))
}

/// Batches of packages without conflicts: neither their names nor the last parts of them are equal.
fn batches<'c, 'p>(cases: &'c [Case<'p>]) -> Vec<Vec<&'c Case<'p>>> {
    #[derive(Default)]
    struct Batch<'c, 'p> {
        taken: BTreeSet<String>,
        bytes: usize,
        cases: Vec<&'c Case<'p>>,
    }
    let mut batches: Vec<Batch<'_, '_>> = Vec::new();
    for case in cases {
        let names: BTreeSet<String> = case
            .package
            .model
            .packages
            .iter()
            .map(|package| package.name.rsplit('.').next().unwrap_or("").to_lowercase())
            .collect();
        let fits = |batch: &Batch<'_, '_>| {
            batch.cases.len() < BATCH
                && batch.bytes + case.bytes <= BATCH_BYTES
                && batch.taken.is_disjoint(&names)
        };
        let at = batches.iter().position(fits).unwrap_or_else(|| {
            batches.push(Batch::default());
            batches.len() - 1
        });
        batches[at].taken.extend(names);
        batches[at].bytes += case.bytes;
        batches[at].cases.push(case);
    }
    batches.into_iter().map(|batch| batch.cases).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_is_the_first_error_without_names() {
        let javac =
            "javac -d errors ended with exit code 1\na/B.java:17: error: too many constants\nfinal class B {";
        assert_eq!(cause(javac), "too many constants");
        assert_eq!(
            cause("csc ended with exit code 1\nA.cs(1,2): error CS0118: 'Uri' is a namespace"),
            "CS0118: '' is a namespace"
        );
        assert_eq!(cause("the c generator panicked: no"), "the c generator panicked: no");
    }
}
