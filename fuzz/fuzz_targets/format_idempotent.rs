//! Formatting twice gives what formatting once gave, keeps every comment, and changes no meaning (LANG-27). The bytes are taken as a text, and as
//! decisions that make a text by the grammar.
#![no_main]

#[path = "../../crates/creo-syntax/tests/generate/mod.rs"]
mod generate;

use creo_diag::{FileId, Report, SourceFile};
use creo_syntax::{Tree, format, outline, parse};
use libfuzzer_sys::fuzz_target;

fn read(text: &str) -> (SourceFile, Tree) {
    let file = SourceFile::new(FileId(0), "fuzz.creo", text);
    let tree = parse(&file, &mut Report::new());
    (file, tree)
}

fn check(text: &str, must_parse: bool) {
    let (file, tree) = read(text);
    if tree.has_errors {
        assert!(!must_parse, "the grammar allows\n{text}");
        return;
    }
    let first = format(&file, &tree);
    let (file, again) = read(&first);
    assert!(!again.has_errors, "formatting made a mistake of\n{text}\nin\n{first}");
    assert_eq!(outline(&tree), outline(&again), "formatting changed the meaning of\n{text}");
    let kinds = |tree: &Tree| tree.comments().iter().map(|comment| comment.kind).collect::<Vec<_>>();
    assert_eq!(kinds(&tree), kinds(&again), "formatting lost a comment of\n{text}");
    assert_eq!(first, format(&file, &again), "formatting twice differs for\n{text}");
}

fuzz_target!(|bytes: &[u8]| {
    check(&generate::description(bytes), true);
    if let Ok(text) = std::str::from_utf8(bytes) {
        check(text, false);
    }
});
