//! Build helper of the generators: turns the lists of a runtime's files into Rust constants.
//!
//! A runtime is real code in `runtimes/<target>/`; `emit.txt` there lists the emitted files, their paths, and the part of the runtime that
//! each belongs to. Users get the tested files byte for byte.
#![allow(clippy::disallowed_methods)] // A build script must read files.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Reads `runtimes/<runtime>/emit.txt` and the lists of modules, and writes `runtime.rs` to Cargo's `OUT_DIR`: `RUNTIME`, the
/// `creo_codegen::Part`s in the order of the list, and a part with the given name for each module, with `_STREAMS` behind it for what only
/// descriptions with streams get. The texts are compressed, and unpacked when they are first needed.
///
/// A line is `source-path -> emitted-path`, or one path if both are the same, relative to the folder of the list and with `/`; `#` starts a
/// comment. `[name: needs ...]` starts a part, which needs only earlier parts. The list of a module is one part, which needs parts of the
/// runtime, and may have another one, `[name+streams: needs ...]`, for descriptions with streams: `NAME_STREAMS`.
///
/// # Panics
/// If a list or a file on it cannot be read, or a list breaks these rules: a build without its runtime must fail.
pub fn embed(runtime: &str, modules: &[(&str, &str)]) {
    let mut texts = String::new();
    let mut code = "use std::sync::LazyLock;\n\nstatic TEXTS: LazyLock<&'static str> = LazyLock::new(|| creo_codegen::unpacked(include_bytes!(concat!(env!(\"OUT_DIR\"), \"/runtime.bin\"))));\n/// The parts of the runtime.\npub static RUNTIME: LazyLock<Vec<creo_codegen::Part>> = LazyLock::new(|| vec![\n".to_owned();
    let parts = List::read(&format!("{runtime}/emit.txt"), &[]).parts;
    let names: Vec<String> = parts.iter().map(|part| part.name.clone()).collect();
    for part in parts {
        let _ = writeln!(code, "{},", part.code(&mut texts));
    }
    code.push_str("]);\n");
    for (name, list) in modules {
        let list = List::read(list, &names);
        let [part, streams @ ..] = &list.parts[..] else { panic!("{}: no part", list.path.display()) };
        assert!(
            streams.len() < 2 && streams.iter().all(|more| more.name == format!("{}+streams", part.name)),
            "{}: a module is one part, and one for streams",
            list.path.display()
        );
        for (part, name) in [(part, (*name).to_owned())]
            .into_iter()
            .chain(streams.iter().map(|more| (more, format!("{name}_STREAMS"))))
        {
            let part = part.code(&mut texts);
            let _ = writeln!(
                code,
                "/// A module.\npub static {name}: LazyLock<creo_codegen::Part> = LazyLock::new(|| {part});"
            );
        }
    }
    let out = std::env::var("OUT_DIR").expect("set by cargo");
    let packed = miniz_oxide::deflate::compress_to_vec(texts.as_bytes(), 9);
    for (name, content) in [("runtime.bin", &packed[..]), ("runtime.rs", code.as_bytes())] {
        let path = Path::new(&out).join(name);
        std::fs::write(&path, content).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }
}

/// A list of files.
struct List {
    path: PathBuf,
    parts: Vec<Part>,
}

struct Part {
    name: String,
    needs: Vec<String>,
    /// Emitted paths and their sources.
    files: Vec<(String, PathBuf)>,
}

impl Part {
    /// The part as a Rust expression, whose texts are added to those of all.
    fn code(&self, texts: &mut String) -> String {
        let start = texts.len();
        let mut files = String::new();
        for (emitted, source) in &self.files {
            let text =
                std::fs::read_to_string(source).unwrap_or_else(|e| panic!("{}: {e}", source.display()));
            let _ = writeln!(files, "    ({emitted:?}, {}),", text.len());
            texts.push_str(&text);
        }
        format!(
            "creo_codegen::Part {{ name: {:?}, needs: &{:?}, files: creo_codegen::texts(&TEXTS[{start}..], &[\n{files}]) }}",
            self.name, self.needs
        )
    }
}

impl List {
    /// Reads a list in `runtimes/`, whose parts may also need those in `below`.
    fn read(list: &str, below: &[String]) -> List {
        let manifest = std::env::var("CARGO_MANIFEST_DIR").expect("set by cargo");
        let path = Path::new(&manifest).join("../../runtimes").join(list);
        let path = path.canonicalize().unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        println!("cargo::rerun-if-changed={}", path.display());
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let mut list = List { path, parts: Vec::new() };
        for line in text.lines().map(|l| l.split('#').next().unwrap_or_default().trim()) {
            if let Some(head) = line.strip_prefix('[') {
                list.start_part(head, below);
            } else if !line.is_empty() {
                list.add_file(line);
            }
        }
        list
    }

    fn start_part(&mut self, head: &str, below: &[String]) {
        let head = head.strip_suffix(']').unwrap_or_else(|| panic!("{}: `[{head}`", self.path.display()));
        let (name, needs) = head.split_once(':').unwrap_or((head, ""));
        let needs: Vec<String> =
            needs.split([',', ' ']).filter(|need| !need.is_empty()).map(str::to_owned).collect();
        for need in &needs {
            let known = below.contains(need) || self.parts.iter().any(|part| part.name == *need);
            assert!(known, "{}: {name} needs {need}, which is not before it", self.path.display());
        }
        self.parts.push(Part { name: name.trim().to_owned(), needs, files: Vec::new() });
    }

    fn add_file(&mut self, line: &str) {
        let (source, emitted) = line.split_once("->").unwrap_or((line, line));
        let source = self.path.parent().expect("a file is in a folder").join(source.trim());
        assert!(source.is_file(), "{}: {} is not a file", self.path.display(), source.display());
        println!("cargo::rerun-if-changed={}", source.display());
        let part = self.parts.last_mut();
        let part = part.unwrap_or_else(|| panic!("{}: `{line}` is in no part", self.path.display()));
        part.files.push((emitted.trim().to_owned(), source));
    }
}
