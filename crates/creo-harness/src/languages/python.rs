//! Python: `mypy --strict` and `pyright` for the generated packages, and every module imported by the oldest and the newest interpreter.

use super::sources::{Copied, Sources, Unit, compile_limit};
use crate::process::Program;
use crate::repo::{self, Stamp};
use std::path::PathBuf;

/// The environment created by `scripts/setup.sh`.
fn tool(name: &str) -> PathBuf {
    repo::path("build/venv/bin").join(name)
}

/// The interpreters to test, listed by `scripts/setup.sh` from the oldest.
fn interpreters() -> Result<Vec<String>, String> {
    let list = repo::read(&repo::path("build/pythons.txt"))
        .map_err(|e| format!("run scripts/setup.sh first: {e}"))?;
    Ok(list.lines().filter(|l| !l.is_empty()).map(str::to_owned).collect())
}

pub fn ready() -> Result<(), String> {
    for name in ["python", "mypy", "pyright"] {
        if !tool(name).exists() {
            return Err(format!("no {name} in build/venv: run scripts/setup.sh first"));
        }
    }
    interpreters().map(|_| ())
}

/// Imports every module in the given folder.
const IMPORT_ALL: &str = "
import importlib, pathlib, sys
root = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(root))
for path in sorted(root.rglob('*.py')):
    parts = list(path.relative_to(root).with_suffix('').parts)
    if parts[-1] == '__init__':
        parts.pop()
    if parts and parts[-1] != '__main__':
        importlib.import_module('.'.join(parts))
";

/// Creates the writer and reader of each imported method on every text wire, and those of XML for each type, which generated code does
/// lazily.
const MAKE_ALL: &str = "
from creo import codegen
from creo.codegen import text
from creo._json.calls import JsonBinding
from creo._soap import SoapBinding
from creo._tdxml.http import TdxmlBinding
from creo._text import ANY, ELEMENT, INLINE
from creo._xml.read import READERS
from creo._xml.write import dialect, root_form

bindings = [
    SoapBinding('1.1', False, None, False), SoapBinding('1.2', True, None, False),
    SoapBinding('1.1', False, 'record', True), JsonBinding(), TdxmlBinding('record', False, False),
]
for name, module in sorted(sys.modules.items()):
    if name.partition('.')[0] == 'creo' or not str(getattr(module, '__file__', '')).startswith(str(root)):
        continue
    for held in [module, *(c for c in vars(module).values() if isinstance(c, type) and c.__module__ == name)]:
        for value in list(vars(held).values()):
            # A method with streams is of a class of its own: text wires do not carry it.
            if type(value) is codegen.Method:
                for binding in bindings:
                    binding.operation(value)
            elif isinstance(value, (text.TextRecord, text.TextUnion)):
                root_form(value)
                for field in () if getattr(value, 'derived', False) else value.fields:
                    if field.place in (ELEMENT, INLINE, ANY):
                        dialect(value.namespaces).field(field)
                READERS.group(value)
";

/// Runs a script over generated code in each interpreter, warnings as errors.
fn run_all(interpreters: &[String], script: &str, sources: &Sources) -> Result<(), String> {
    for interpreter in interpreters {
        Program::new(interpreter)
            .args(["-X", "dev", "-W", "error", "-B", "-c", script])
            .arg(&sources.folder)
            .run(compile_limit(&sources.all()))?;
    }
    Ok(())
}

/// Imports and type-checks generated code, each unit by itself.
pub fn compile_each(units: &[Unit], copied: Copied) -> Vec<Result<(), String>> {
    let all = interpreters().and_then(|interpreters| {
        let script = match copied {
            Copied::Whole => format!("{IMPORT_ALL}{MAKE_ALL}"),
            Copied::Parts => IMPORT_ALL.to_owned(),
        };
        let stamps: Vec<Stamp> = units
            .iter()
            .map(|unit| {
                Stamp::new(
                    &unit.work,
                    repo::fingerprint(&unit.sources.all(), &format!("{interpreters:?} {script}")),
                )
            })
            .collect();
        let mut results = Vec::new();
        let mut good = Vec::new();
        for (at, (unit, stamp)) in units.iter().zip(&stamps).enumerate() {
            let result = stamp.is_set().and_then(|done| {
                if !done {
                    run_all(&interpreters, &script, &unit.sources).and_then(|()| mypy(unit))?;
                    good.push(at);
                }
                Ok(())
            });
            results.push(result);
        }
        let checked: Vec<&Unit> = good.iter().map(|at| &units[*at]).collect();
        for (at, result) in good.iter().zip(pyright(&checked)?) {
            results[*at] = result.and_then(|()| stamps[*at].set());
        }
        Ok(results)
    });
    all.unwrap_or_else(|why| units.iter().map(|_| Err(why.clone())).collect())
}

/// The units share a cache, in which the copied runtime and Python's own types are found again: it goes by relative paths and by content.
fn mypy(unit: &Unit) -> Result<(), String> {
    let sources = &unit.sources;
    Program::new(tool("mypy"))
        .args([
            "--strict",
            "--explicit-package-bases",
            "--python-version",
            "3.9",
            "--no-error-summary",
            "--cache-dir",
        ])
        .arg(unit.work.with_file_name("mypy"))
        .args(roots(sources))
        .folder(&sources.folder)
        .run(compile_limit(&sources.all()))
        .map(|_| ())
}

/// Checks units in one run, which reads Python's own types once; each has its own packages.
fn pyright(units: &[&Unit]) -> Result<Vec<Result<(), String>>, String> {
    let Some(first) = units.first() else { return Ok(Vec::new()) };
    let project = first.work.parent().expect("a folder of units");
    // Pyright ignores an absolute path in `include`, and would check leftovers of earlier runs.
    let folders: Vec<String> = units
        .iter()
        .map(|unit| unit.sources.folder.strip_prefix(project).map(|path| path.display().to_string()))
        .collect::<Result<_, _>>()
        .map_err(|e| e.to_string())?;
    let environments: Vec<_> = folders.iter().map(|folder| serde_json::json!({"root": folder})).collect();
    let config = project.join("pyrightconfig.json");
    repo::write(
        &config,
        &serde_json::json!({
            "include": folders,
            "executionEnvironments": environments,
            "pythonVersion": "3.9",
            "typeCheckingMode": "strict"
        })
        .to_string(),
    )?;
    let files: Vec<PathBuf> = units.iter().flat_map(|unit| unit.sources.all()).collect();
    let told = Program::new(tool("pyright")).arg("--project").arg(&config).run(compile_limit(&files));
    let Err(why) = told else { return Ok(units.iter().map(|_| Ok(())).collect()) };
    // The messages of a unit name its files.
    let of = |unit: &Unit| {
        let folder = format!("{}/", unit.sources.folder.display());
        let lines: Vec<&str> = why.lines().filter(|line| line.contains(&folder)).collect();
        lines.join("\n")
    };
    let told: Vec<String> = units.iter().map(|unit| of(unit)).collect();
    if told.iter().all(String::is_empty) {
        return Err(why);
    }
    let result = |told: String| if told.is_empty() { Ok(()) } else { Err(format!("pyright:\n{told}")) };
    Ok(told.into_iter().map(result).collect())
}

/// The top-level folders and files of the sources, as mypy's arguments.
fn roots(sources: &Sources) -> Vec<String> {
    let mut roots: Vec<String> = sources
        .paths
        .iter()
        .filter(|p| p.ends_with(".py"))
        .filter_map(|p| p.split('/').next())
        .map(str::to_owned)
        .collect();
    roots.dedup();
    roots
}

/// The interpreter that runs the peer.
pub fn interpreter() -> Program {
    Program::new(tool("python"))
}

pub fn peer(sources: &Sources) -> Result<Program, String> {
    let main = repo::path("conformance/peers/python");
    if !main.join("__main__.py").exists() {
        return Err("conformance/peers/python holds no program yet".to_owned());
    }
    let path =
        std::env::join_paths([&sources.folder, &repo::path(ACCELERATOR)]).map_err(|e| e.to_string())?;
    Ok(interpreter().args(["-X", "dev", "-B"]).arg(main).env("PYTHONPATH", path).env("CREO_ACCELERATOR", "0"))
}

/// The folder where `scripts/setup.sh` builds the accelerator.
const ACCELERATOR: &str = "build/accelerator";

/// The same peer with the accelerator, which must exist.
pub fn accelerated(peer: Program) -> Result<Program, String> {
    if !repo::path(ACCELERATOR).join("creo_accelerator/__init__.py").exists() {
        return Err(format!("no creo_accelerator in {ACCELERATOR}: run scripts/setup.sh first"));
    }
    Ok(peer.env("CREO_ACCELERATOR", "1"))
}
