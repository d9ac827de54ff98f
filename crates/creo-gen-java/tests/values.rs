//! The contracts of generated values, tested by a Java program: `values/Main.java`.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)] // A test writes files and runs a compiler.

use creo_codegen::{Input, Runtime, Target};
use creo_gen_java::Java;
use std::path::{Path, PathBuf};
use std::process::Command;

fn run(program: &str, arguments: &[&str], folder: &Path) -> String {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap_or_else(|why| panic!("{program}: {why}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{program}: {}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn values_keep_their_promise() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/values");
    let text = std::fs::read_to_string(own.join("values.creo")).expect("the description");
    let model = creo_check::compile(&[("values.creo", &text)]).unwrap_or_else(|report| panic!("{report:?}"));
    let files = Java.generate(&Input { runtime: Runtime::Copy, ..Input::new(&Java, &model) });
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("values");
    let _ = std::fs::remove_dir_all(&folder);
    for (path, text) in files.iter() {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    let sources = files.iter().map(|(path, _)| path).filter(|path| path.ends_with(".java"));
    let sources: String = sources.map(|path| format!("{path}\n")).collect();
    std::fs::write(folder.join("sources"), sources).expect("a list");
    let main = own.join("Main.java").display().to_string();
    run("javac", &["--release", "17", "-Xlint:all", "-Werror", "-d", "classes", "@sources", &main], &folder);
    assert_eq!(run("java", &["-cp", "classes", "Main"], &folder), "all is as promised\n");
}
