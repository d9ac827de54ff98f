//! Python: `mypy --strict` and `pyright` for the generated packages, and every module imported by the oldest and the newest interpreter.

use super::sources::{COMPILE_LIMIT, Sources};
use crate::process::Program;
use crate::repo;
use std::path::{Path, PathBuf};

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
            .run(COMPILE_LIMIT)?;
    }
    Ok(())
}

/// Imports and type-checks generated code with a partial runtime.
pub fn compile_copy(sources: &Sources, work: &Path) -> Result<(), String> {
    compile_with(IMPORT_ALL, sources, work)
}

pub fn compile(sources: &Sources, work: &Path) -> Result<(), String> {
    compile_with(&format!("{IMPORT_ALL}{MAKE_ALL}"), sources, work)
}

fn compile_with(script: &str, sources: &Sources, work: &Path) -> Result<(), String> {
    let interpreters = interpreters()?;
    repo::once(work, &repo::fingerprint(&sources.all(), &interpreters.join(" ")), || {
        run_all(&interpreters, script, sources)?;
        let roots = roots(sources);
        Program::new(tool("mypy"))
            .args([
                "--strict",
                "--explicit-package-bases",
                "--python-version",
                "3.9",
                "--no-error-summary",
                "--cache-dir",
            ])
            .arg(work.join("mypy"))
            .args(&roots)
            .folder(&sources.folder)
            .run(COMPILE_LIMIT)?;
        repo::write(
            &work.join("pyrightconfig.json"),
            &serde_json::json!({
                // Pyright ignores an absolute path here, and would check leftovers of earlier runs.
                "include": [sources.folder.strip_prefix(work).unwrap_or(&sources.folder).display().to_string()],
                "extraPaths": [sources.folder.display().to_string()],
                "pythonVersion": "3.9",
                "typeCheckingMode": "strict"
            })
            .to_string(),
        )?;
        Program::new(tool("pyright"))
            .arg("--project")
            .arg(work.join("pyrightconfig.json"))
            .run(COMPILE_LIMIT)
            .map(|_| ())
    })
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
