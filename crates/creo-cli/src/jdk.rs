//! The JDK's compiler, which the small program `Pack.java` runs in memory.

use crate::failure::Failure;
use creo_diag::reason;
use creo_pack::{Entries, JavaSources};
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

/// The oldest version that supports generated code.
const OLDEST: u32 = 17;

/// The program, which a JDK runs from its source.
const PROGRAM: &str = include_str!("../java/Pack.java");

/// Descriptions may nest deeply, and the compiler is recursive.
const STACK: &str = "-Xss64m";

/// Flags of a source: see `Pack.java`.
const SHIPPED: u8 = 1;
const DOCUMENTED: u8 = 2;

/// The result of compiling.
#[derive(Debug)]
pub struct Compiled {
    pub classes: Entries,
    /// HTML; empty if not requested.
    pub documentation: Entries,
    /// The compiler's messages after success.
    pub said: String,
}

/// A JDK that can compile.
#[derive(Debug)]
pub struct Jdk {
    java: PathBuf,
}

impl Jdk {
    /// The JDK of `JAVA_HOME`, or else the one on the `PATH`. One that cannot compile, or document if requested, is an error that names it.
    pub fn find(documents: bool) -> Result<Jdk, Failure> {
        let home = std::env::var_os("JAVA_HOME").filter(|home| !home.is_empty());
        let home = home.map(|home| Path::new(&home).join("bin/java"));
        let from = if home.is_some() { "JAVA_HOME" } else { "the PATH" };
        let java = home.unwrap_or_else(|| PathBuf::from("java"));
        let modules = match output(&java, &["--list-modules"]) {
            Ok(modules) => modules,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(lacking(format!("there is no java at {from} ({})", java.display())));
            }
            Err(error) => {
                return Err(lacking(format!("{} cannot be run: {}", java.display(), reason(&error))));
            }
        };
        // Java 8 has no modules, and prints its version only with the old option.
        let Some(version) = modules.lines().find_map(|line| line.trim().strip_prefix("java.base@")) else {
            let said = output(&java, &["-version"]).unwrap_or_default();
            let version = said.split('"').nth(1).unwrap_or("of an unknown version").to_owned();
            return Err(lacking(format!("{} is Java {version}", java.display())));
        };
        if major(version) < OLDEST {
            return Err(lacking(format!("{} is Java {version}", java.display())));
        }
        let lacks = |module: &str| !modules.lines().any(|line| line.trim().starts_with(module));
        if lacks("jdk.compiler@") {
            return Err(lacking(format!(
                "{} is Java {version} without a compiler: a runtime environment, not a JDK",
                java.display()
            )));
        }
        if documents && lacks("jdk.javadoc@") {
            return Err(lacking(format!("{} is Java {version} without javadoc", java.display()))
                .help("set JAVA_HOME to a JDK, or leave out the documentation: --no-docs"));
        }
        Ok(Jdk { java })
    }

    /// Compiles sources in memory, and documents them if requested.
    pub fn compile(&self, sources: &JavaSources, documents: bool) -> Result<Compiled, Failure> {
        let fail = |what: &str, error: &io::Error| Failure::new(format!("cannot {what}: {}", reason(error)));
        let folder = tempfile::Builder::new().prefix("creo-pack-").tempdir();
        let folder = folder.map_err(|e| fail("make a temporary folder", &e))?;
        let program = folder.path().join("Pack.java");
        std::fs::write(&program, PROGRAM).map_err(|e| Failure::file("write", &program, &e))?;
        let mut child = Command::new(&self.java)
            .args([OsString::from(STACK), program.into_os_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| fail("run java", &e))?;
        let question = question(sources, documents);
        let mut stdin = child.stdin.take();
        let mut stderr = child.stderr.take();
        let (written, errors, answer) = thread::scope(|scope| {
            let writer = scope.spawn(|| stdin.take().map_or(Ok(()), |mut pipe| pipe.write_all(&question)));
            let errors = scope.spawn(|| {
                let mut text = Vec::new();
                stderr.take().map(|mut pipe| pipe.read_to_end(&mut text));
                text
            });
            let mut answer = Vec::new();
            let read = child.stdout.take().map_or(Ok(0), |mut pipe| pipe.read_to_end(&mut answer));
            let written = writer.join().unwrap_or_else(|_| Err(io::ErrorKind::Other.into()));
            (written, errors.join().unwrap_or_default(), read.map(|_| answer))
        });
        let status = child.wait().map_err(|e| fail("wait for java", &e))?;
        let answer = answer.map_err(|e| fail("read what java says", &e))?;
        let parsed = Answer::new(&answer).parse();
        match parsed {
            Some(Ok(compiled)) if status.success() && written.is_ok() => Ok(compiled),
            Some(Err(said)) => {
                Err(Failure::coded("java-compiler", "Java does not compile").help(said.trim()))
            }
            Some(Ok(_)) | None => {
                let errors = String::from_utf8_lossy(&errors).trim().to_owned();
                let failure = Failure::new(format!("{} ended with {status}", self.java.display()));
                Err(if errors.is_empty() { failure } else { failure.help(errors) })
            }
        }
    }
}

fn lacking(found: String) -> Failure {
    Failure::coded("no-jdk", format!("a JAR needs a JDK from version {OLDEST} on, and {found}"))
        .help("set JAVA_HOME to a JDK, or leave Java out: --target python,c,csharp")
}

/// The first number of a version: 17 of `17.0.15`, 1 of `1.8.0`.
fn major(version: &str) -> u32 {
    let digits: String = version.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(0)
}

/// The output of a program, from either stream.
fn output(program: &Path, arguments: &[&str]) -> io::Result<String> {
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).output()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(text(&output.stdout) + &text(&output.stderr))
}

fn question(sources: &JavaSources, documents: bool) -> Vec<u8> {
    let mut out = vec![u8::from(documents)];
    let bytes = |out: &mut Vec<u8>, bytes: &[u8]| {
        out.extend((bytes.len() as u32).to_be_bytes());
        out.extend(bytes);
    };
    out.extend(((sources.shipped.len() + sources.beside.len()) as u32).to_be_bytes());
    let all = sources.shipped.iter().map(|file| (file, SHIPPED));
    for ((path, text), flags) in all.chain(sources.beside.iter().map(|file| (file, 0))) {
        bytes(&mut out, path.as_bytes());
        bytes(&mut out, text.as_bytes());
        let documented = sources.documented.contains(path);
        out.push(flags | if documented { DOCUMENTED } else { 0 });
    }
    out
}

/// The answer of `Pack.java`.
struct Answer<'a> {
    rest: &'a [u8],
}

impl<'a> Answer<'a> {
    fn new(bytes: &'a [u8]) -> Answer<'a> {
        Answer { rest: bytes }
    }

    /// The files, or the compiler's messages; nothing if the answer is incomplete.
    fn parse(mut self) -> Option<Result<Compiled, String>> {
        let fine = self.byte()? == 1;
        let said = String::from_utf8_lossy(self.bytes()?).into_owned();
        if !fine {
            return Some(Err(said));
        }
        let mut compiled = Compiled { classes: Entries::new(), documentation: Entries::new(), said };
        for _ in 0..self.number()? {
            let documentation = self.byte()? == 1;
            let path = String::from_utf8(self.bytes()?.to_vec()).ok()?;
            let bytes = self.bytes()?.to_vec();
            let files = if documentation { &mut compiled.documentation } else { &mut compiled.classes };
            files.insert(path, bytes);
        }
        Some(Ok(compiled))
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    fn number(&mut self) -> Option<u32> {
        self.take(4)?.try_into().ok().map(u32::from_be_bytes)
    }

    fn bytes(&mut self) -> Option<&'a [u8]> {
        let count = self.number()? as usize;
        self.take(count)
    }
}
