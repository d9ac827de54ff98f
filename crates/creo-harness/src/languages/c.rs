//! C: gcc and clang with warnings as errors, the headers also as C++; the peer with AddressSanitizer and UndefinedBehaviorSanitizer.

use super::sources::{Sources, Unit, compile_limit, in_parallel, runs};
use crate::glue_c;
use crate::process::Program;
use crate::repo;
use creo_check::CheckedModel;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

const WARNINGS: [&str; 4] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];

pub fn ready() -> Result<(), String> {
    ["gcc", "g++", "clang"].iter().try_for_each(|program| runs(program, "--version"))
}

/// The include path: the folder of the sources, and its `include` folder.
fn include(sources: &Sources) -> Vec<String> {
    [sources.folder.clone(), sources.folder.join("include")]
        .iter()
        .filter(|p| p.is_dir())
        .map(|p| format!("-I{}", p.display()))
        .collect()
}

/// The C files of libraries, without those that have a `main`.
fn units(sources: &Sources) -> Vec<PathBuf> {
    sources.with_extension("c")
}

/// Runs a compiler over one file.
fn compiler(compiler: &str, flags: &[String], file: &PathBuf, further: &[&str]) -> Result<(), String> {
    let program = Program::new(compiler).args(flags).arg(file).args(further.iter().copied());
    program.run(compile_limit([file])).map(|_| ())
}

/// Does something with the copied runtime once for all cases with the same runtime and flags: it takes most of the compile time.
/// Returns the folder for the result.
fn with_runtime(
    compiler: &str,
    flags: &[String],
    source: &Path,
    work: impl FnOnce(&Path) -> Result<(), String>,
) -> Result<PathBuf, String> {
    let read = |path: &Path| std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()));
    let header = source.with_file_name("../include/creo/creo.h");
    let text = read(source)? + &read(&header)?;
    // This line names the parts; the paths of a case's folders do not matter.
    let parts = text.lines().nth(1).unwrap_or_default();
    let own: Vec<&String> = flags.iter().filter(|flag| !flag.starts_with("-I")).collect();
    let name = repo::fingerprint(&[], &format!("{compiler} {own:?} {parts}"));
    let folder = repo::build("c-runtime").join(name);
    let _held = repo::hold(&folder)?;
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    repo::once(&folder, &repo::fingerprint(&[], &text), || work(&folder))?;
    Ok(folder)
}

fn is_runtime(file: &Path) -> bool {
    file.ends_with("src/creo.c")
}

/// Compiles each file to an object.
fn objects(flags: &[String], files: &[PathBuf], folder: &Path) -> Result<Vec<PathBuf>, String> {
    let jobs: Vec<(&PathBuf, PathBuf)> = files
        .iter()
        .enumerate()
        .map(|(i, f)| {
            (f, folder.join(format!("{i}-{}.o", f.file_stem().unwrap_or_default().to_string_lossy())))
        })
        .collect();
    in_parallel(&jobs, |(file, object)| {
        let compile =
            |object: &Path| compiler("gcc", flags, file, &["-c", "-o", &object.display().to_string()]);
        if is_runtime(file) {
            let object = |folder: &Path| folder.join("creo.o");
            let folder = with_runtime("gcc", flags, file, |folder| compile(&object(folder)))?;
            return Ok(object(&folder));
        }
        compile(object).map(|()| object.clone())
    })
}

fn flags(sources: &Sources, further: &[&str]) -> Vec<String> {
    WARNINGS.iter().chain(further).map(|f| (*f).to_owned()).chain(include(sources)).collect()
}

pub fn compile(unit: &Unit) -> Result<(), String> {
    let Unit { sources, work } = unit;
    repo::once(work, &repo::fingerprint(&sources.all(), "c"), || {
        let folder = work.join("objects");
        repo::fresh(&folder)?;
        // The front end of clang gives its warnings; some of gcc come from the optimizer.
        let front_end = flags(sources, &["-std=c11", "-fsyntax-only"]);
        in_parallel(&units(sources), |file| {
            if is_runtime(file) {
                let check = |_: &Path| compiler("clang", &front_end, file, &[]);
                return with_runtime("clang", &front_end, file, check).map(|_| ());
            }
            compiler("clang", &front_end, file, &[])
        })?;
        let headers = sources.with_extension("h");
        let text: String = headers.iter().map(|h| format!("#include \"{}\"\n", h.display())).collect();
        // Each header alone, and all together, as C++.
        for (i, header) in headers.iter().enumerate() {
            repo::write(
                &folder.join(format!("header{i}.cpp")),
                &format!("#include \"{}\"\n", header.display()),
            )?;
        }
        repo::write(&folder.join("all.cpp"), &text)?;
        let as_cpp = flags(sources, &["-std=c++17", "-fsyntax-only"]);
        in_parallel(&repo::files_below(&folder, "cpp"), |file| compiler("g++", &as_cpp, file, &[]))?;
        // All objects in one program: two that define the same name would not link.
        repo::write(&folder.join("main.c"), "int main(void) { return 0; }\n")?;
        let files = [units(sources), vec![folder.join("main.c")]].concat();
        let objects = objects(&flags(sources, &["-std=c11", "-O1"]), &files, &folder)?;
        link(&objects, &[], &[], &folder.join("all"))
    })
}

const LINK_LIMIT: Duration = Duration::from_secs(600);

fn link(objects: &[PathBuf], flags: &[&str], libraries: &[String], out: &Path) -> Result<(), String> {
    let objects: BTreeSet<&PathBuf> = objects.iter().collect();
    Program::new("gcc")
        .args(flags)
        .args(objects)
        .args(libraries)
        .args(["-lm", "-lpthread", "-o"])
        .arg(out)
        .run(LINK_LIMIT)
        .map(|_| ())
}

/// The name of the JMS module's library in pkg-config.
pub const PROTON: &str = "libqpid-proton";

pub fn peer(sources: &Sources, models: &[&CheckedModel], work: &Path) -> Result<Program, String> {
    build(sources, models, work, &["conformance/peers/c"], &[], &[])
}

/// The peer over JMS: the ordinary one with its JMS files and the library.
pub fn jms_peer(sources: &Sources, models: &[&CheckedModel], work: &Path) -> Result<Program, String> {
    let ask = |what: &str| Program::new("pkg-config").args([what, PROTON]).run(LINK_LIMIT);
    let words = |text: String| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let mut flags = words(ask("--cflags")?);
    flags.push("-DPEER_JMS".to_owned());
    build(
        sources,
        models,
        work,
        &["conformance/peers/c", "conformance/peers/c/jms"],
        &flags,
        &words(ask("--libs")?),
    )
}

fn build(
    sources: &Sources,
    models: &[&CheckedModel],
    work: &Path,
    folders: &[&str],
    further: &[String],
    libraries: &[String],
) -> Result<Program, String> {
    const SANITIZERS: [&str; 3] = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g1"];
    let glue = work.join("glue.c");
    repo::write(&glue, &glue_c::glue(models))?;
    let mut files = units(sources);
    let mut watched = sources.with_extension("h");
    for folder in folders {
        let own = repo::files_in(&repo::path(folder), "c");
        if own.is_empty() {
            return Err(format!("{folder} holds no program yet"));
        }
        files.extend(own);
        watched.extend(repo::files_in(&repo::path(folder), "h"));
    }
    files.push(glue);
    watched.extend(files.iter().cloned());
    let out = work.join("peer");
    repo::once(work, &repo::fingerprint(&watched, &format!("c peer {further:?}")), || {
        let folder = work.join("objects");
        repo::fresh(&folder)?;
        // Optimized programs compile in twice the time, and the sanitizers find no more in them.
        let mut flags = flags(sources, &["-std=c11", "-O0"]);
        flags.extend(SANITIZERS.map(str::to_owned));
        flags.extend(further.iter().cloned());
        flags.push(format!("-I{}", repo::path("conformance/peers/c").display()));
        link(&objects(&flags, &files, &folder)?, &SANITIZERS, libraries, &out)
    })?;
    Ok(Program::new(out).env("ASAN_OPTIONS", "detect_stack_use_after_return=1:allocator_may_return_null=1"))
}
