//! C#: `dotnet` from `CREO_DOTNET` or the path, and the compiler of its SDK, which needs no network. If there is a runtime without an SDK,
//! `CREO_CSC` names a compiler: a command that accepts `-out:`, `-target:`, `-nullable` and files, and knows the runtime's libraries.
//!
//! The runtime does no work in the background: the allocating thread collects garbage; calls are counted from the first, so warm code has
//! been recompiled; and profiling is off, so code is not optimized for the first wire.

use crate::failure::Failure;
use crate::language::{Job, Language, Program};
use crate::tools::{Tools, compile, generated, write};
use crate::xmlserializer;
use creo_cost::{Foreign, Wire};
use creo_diag::reason;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub const LANGUAGE: Language =
    Language { name: "csharp", foreign: &[Foreign::XmlSerializer], missing, program };

const DRIVER: [(&str, &str); 3] = [
    ("Measured/Driver.cs", include_str!("../drivers/csharp/Driver.cs")),
    ("Measured/Subject.cs", include_str!("../drivers/csharp/Subject.cs")),
    ("Measured/Forms.cs", include_str!("../drivers/csharp/Forms.cs")),
];

/// The target runtime of generated code, or any later one.
const RUNTIME: &str = r#"{
  "runtimeOptions": {
    "tfm": "net8.0",
    "rollForward": "LatestMajor",
    "framework": { "name": "Microsoft.NETCore.App", "version": "8.0.0" },
    "configProperties": {
      "System.GC.Server": false,
      "System.GC.Concurrent": true,
      "System.GC.RetainVM": true,
      "System.GC.LOHThreshold": 1000000,
      "System.Globalization.Invariant": true,
      "System.Runtime.TieredPGO": false
    }
  }
}
"#;

/// The same settings, overriding the environment, and those that are only environment variables.
const ENVIRONMENT: [(&str, &str); 9] = [
    ("DOTNET_gcServer", "0"),
    ("DOTNET_gcConcurrent", "1"),
    // In hexadecimal digits: 6 MiB, which the concurrent collector respects. By default, new objects would get as much memory as the
    // processor's cache, or up to 200 MB after messages with many survivors: memory that no cache holds, and that the system supplies page
    // by page, 2 µs each.
    ("DOTNET_GCgen0size", "600000"),
    // 1 MB: objects over 85,000 bytes would be collected only with the oldest generation, and sporadically take two to ten times as long.
    ("DOTNET_GCLOHThreshold", "F4240"),
    ("DOTNET_TieredCompilation", "1"),
    ("DOTNET_TieredPGO", "0"),
    ("DOTNET_TC_CallCountingDelayMs", "0"),
    ("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "1"),
    ("DOTNET_CLI_TELEMETRY_OPTOUT", "1"),
];

fn missing(tools: &Tools, _: &[Wire]) -> Vec<String> {
    if !cfg!(any(target_os = "linux", target_os = "macos")) {
        return vec!["a clock of a thread's processor time, which is known of Linux and macOS".to_owned()];
    }
    let mut missing: Vec<String> = Vec::new();
    if let Err(why) = newest(&tools.dotnet, "--list-runtimes", "Microsoft.NETCore.App ") {
        missing.push(format!("a runtime of .NET: {why}"));
    } else if let Err(why) = compiler(tools) {
        missing.push(format!("a compiler of C#: {why}"));
    }
    missing
}

/// The compiler for C#.
enum Compiler {
    /// A separate command.
    Named(String),
    /// The library of an SDK, with the libraries of a runtime.
    Sdk { csc: PathBuf, libraries: PathBuf },
}

fn compiler(tools: &Tools) -> Result<Compiler, String> {
    if let Some(named) = &tools.csc {
        return started(Command::new(named).arg("-help"), named).map(|_| Compiler::Named(named.clone()));
    }
    let sdk = newest(&tools.dotnet, "--list-sdks", "")
        .map_err(|why| format!("{why} (CREO_CSC can name a compiler)"))?;
    let csc = sdk.join("Roslyn").join("bincore").join("csc.dll");
    if !csc.is_file() {
        return Err(format!("the SDK has none at {}", csc.display()));
    }
    Ok(Compiler::Sdk { csc, libraries: newest(&tools.dotnet, "--list-runtimes", "Microsoft.NETCore.App ")? })
}

/// The output of a program, whether or not it accepts its arguments.
fn started(command: &mut Command, name: &str) -> Result<String, String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{name} cannot be started: {}", reason(&error)))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The folder of the newest SDK or runtime, .NET 8 or later, that `dotnet` lists.
fn newest(dotnet: &str, list: &str, kind: &str) -> Result<PathBuf, String> {
    let said = started(Command::new(dotnet).arg(list), dotnet)?;
    last_of(&said, kind).ok_or_else(|| format!("`{dotnet} {list}` names none of .NET 8 or later"))
}

/// Lines are `KIND VERSION [FOLDER]`, the newest last.
fn last_of(said: &str, kind: &str) -> Option<PathBuf> {
    let mut found = said.lines().filter_map(|line| {
        let (version, folder) = line.strip_prefix(kind)?.trim_end().strip_suffix(']')?.split_once(" [")?;
        let major: u32 = version.split('.').next()?.parse().ok()?;
        (major >= 8).then(|| Path::new(folder).join(version))
    });
    found.next_back()
}

/// The driver, compiled with the code of a description and its readers and writers of both messages.
fn program(job: &Job<'_>) -> Result<Program, Failure> {
    let mut sources = Vec::new();
    let files = generated("csharp", job.model)?;
    let foreign = job.wires.contains(&Wire::Foreign(Foreign::XmlSerializer));
    let classes = if foreign { Some(xmlserializer::classes(job.model)?) } else { None };
    let stack = classes.iter().flat_map(|(path, text)| [(*path, text.as_str()), xmlserializer::DRIVER]);
    for (path, text) in files.iter().chain(DRIVER).chain(stack) {
        let path = job.folder.join(path);
        write(&path, text.as_bytes())?;
        if path.extension().is_some_and(|ending| ending == "cs") {
            sources.push(path);
        }
    }
    let out = job.folder.join("out").join("measure.dll");
    write(&out.with_extension("runtimeconfig.json"), RUNTIME.as_bytes())?;
    job.progress.note("csharp: compiling");
    let found =
        compiler(job.tools).map_err(|why| Failure::new(format!("csharp cannot be compiled: {why}")))?;
    compile(command(&found, &out, &sources, job)?, "the C# compiler")?;
    // The compiler may have written one.
    write(&out.with_extension("runtimeconfig.json"), RUNTIME.as_bytes())?;
    let mut dotnet = Command::new(&job.tools.dotnet);
    dotnet.envs(ENVIRONMENT).arg("exec").arg(&out);
    Ok(Program { command: dotnet, last: Vec::new() })
}

fn command(compiler: &Compiler, out: &Path, sources: &[PathBuf], job: &Job<'_>) -> Result<Command, Failure> {
    match compiler {
        Compiler::Named(name) => {
            let mut csc = Command::new(name);
            csc.arg(format!("-out:{}", out.display())).args(["-target:exe", "-nullable"]).args(sources);
            Ok(csc)
        }
        Compiler::Sdk { csc, libraries } => {
            // A response file, since some systems limit arguments.
            let mut list = String::from(
                "-nologo\n-nostdlib+\n-langversion:12\n-nullable:enable\n-optimize+\n-target:exe\n",
            );
            list.push_str(&format!("-out:\"{}\"\n", out.display()));
            for library in managed(libraries)? {
                list.push_str(&format!("-r:\"{}\"\n", library.display()));
            }
            sources.iter().for_each(|source| list.push_str(&format!("\"{}\"\n", source.display())));
            let arguments = job.folder.join("sources.txt");
            write(&arguments, list.as_bytes())?;
            let mut dotnet = Command::new(&job.tools.dotnet);
            // `-noconfig` is ignored in a response file.
            dotnet
                .envs(ENVIRONMENT)
                .arg("exec")
                .arg(csc)
                .arg("-noconfig")
                .arg(format!("@{}", arguments.display()));
            Ok(dotnet)
        }
    }
}

/// The managed libraries of a runtime, sorted.
fn managed(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries =
        std::fs::read_dir(folder).map_err(|error| Failure::file("read the folder", folder, &error))?;
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| is_managed(path))
        .collect();
    found.sort();
    Ok(found)
}

fn is_managed(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let named = name.starts_with("System.")
        || name.starts_with("Microsoft.Win32")
        || name == "netstandard.dll"
        || name == "mscorlib.dll";
    named && name.ends_with(".dll") && !name.ends_with(".Native.dll")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_of_a_list() {
        let sdks = "7.0.100 [/usr/share/dotnet/sdk]\n8.0.204 [/usr/share/dotnet/sdk]\n10.0.100 [/opt/with space/sdk]\n";
        assert_eq!(last_of(sdks, ""), Some(PathBuf::from("/opt/with space/sdk/10.0.100")));
        assert_eq!(last_of("6.0.1 [/sdk]\n", ""), None);
        let runtimes = "Microsoft.AspNetCore.App 8.0.4 [/d/a]\nMicrosoft.NETCore.App 8.0.4 [/d/b]\nMicrosoft.WindowsDesktop.App 9.0.0 [/d/c]\n";
        assert_eq!(last_of(runtimes, "Microsoft.NETCore.App "), Some(PathBuf::from("/d/b/8.0.4")));
        assert_eq!(last_of("", "Microsoft.NETCore.App "), None);
    }

    #[test]
    fn native_libraries_are_no_references() {
        assert!(
            is_managed(Path::new("/d/System.Private.CoreLib.dll"))
                && is_managed(Path::new("/d/netstandard.dll"))
        );
        for other in [
            "/d/libclrjit.so",
            "/d/System.IO.Compression.Native.dll",
            "/d/System.Native.so",
            "/d/WindowsBase.dll",
        ] {
            assert!(!is_managed(Path::new(other)), "{other}");
        }
    }
}
