//! Packs the profiles that come with the program: they would be a tenth of it.
#![allow(clippy::disallowed_methods)] // A build script reads and writes files: that is its purpose.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=profiles");
    let out = std::env::var("OUT_DIR").expect("set by cargo");
    let folder = std::fs::read_dir("profiles").expect("the folder of profiles is in the package");
    for entry in folder {
        let path = entry.expect("the folder of profiles can be read").path();
        let text = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned() + ".deflate";
        let packed = miniz_oxide::deflate::compress_to_vec(&text, 9);
        std::fs::write(Path::new(&out).join(&name), packed).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
}
