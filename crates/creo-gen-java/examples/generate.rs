//! Generates Java of a description in a file: `cargo run --example generate -- FILE OUT`. For work on this crate; people use `creo generate`.
#![allow(clippy::disallowed_methods)] // An example of how a generator is driven reads and writes files itself.

use creo_check::{LoadError, compile_files};
use creo_codegen::{Input, Runtime, Target};
use creo_gen_java::Java;
use std::path::Path;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, file, out] = arguments.as_slice() else { panic!("arguments: FILE OUT") };
    let folder = Path::new(file).parent().expect("a file");
    let name = Path::new(file).file_name().and_then(|n| n.to_str()).expect("a file");
    let mut load =
        |path: &str| std::fs::read(folder.join(path)).map_err(|e| LoadError::Unreadable(e.to_string()));
    let compilation = compile_files(&[name], &mut load).expect("readable files");
    let model = compilation.model.expect("a description without mistakes");
    for (path, text) in Java.generate(&Input { runtime: Runtime::Copy, ..Input::new(&Java, &model) }).iter() {
        let path = Path::new(out).join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
}
