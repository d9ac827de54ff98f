//! Properties that hold of all texts. The seed is fixed, so a run here is a run everywhere.

mod generate;

use creo_diag::{FileId, Report, SourceFile};
use creo_syntax::{Tree, format, outline, parse};
use generate::description;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(0x6372_656f),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn read(text: &str) -> (SourceFile, Tree, Report) {
    let file = SourceFile::new(FileId(0), "test.creo", text);
    let mut report = Report::new();
    let tree = parse(&file, &mut report);
    for diagnostic in report.diagnostics() {
        let places = diagnostic
            .labels
            .iter()
            .chain([&diagnostic.primary])
            .map(|label| label.span)
            .chain(diagnostic.fix.iter().map(|fix| fix.span));
        for span in places {
            assert!(text.get(span.start..span.end).is_some(), "{diagnostic:?} is outside of the text");
        }
    }
    (file, tree, report)
}

/// LANG-27, for a text without mistakes.
fn formats_well(text: &str) {
    let (file, tree, report) = read(text);
    if report.has_errors() {
        return;
    }
    let first = format(&file, &tree);
    let (file, again, report) = read(&first);
    assert!(!report.has_errors(), "{report}after formatting\n{text}\nto\n{first}");
    assert_eq!(outline(&tree), outline(&again), "formatting changed the meaning of\n{text}\nto\n{first}");
    let kinds = |tree: &Tree| tree.comments().iter().map(|comment| comment.kind).collect::<Vec<_>>();
    assert_eq!(kinds(&tree), kinds(&again), "formatting lost a comment of\n{text}\nin\n{first}");
    assert_eq!(first, format(&file, &again), "formatting twice differs for\n{text}");
}

/// Pieces that make up texts which are nearly descriptions.
const PIECES: [&str; 65] = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    ";",
    ",",
    "=",
    "?",
    ".",
    "@",
    "struct",
    "enum",
    "union",
    "exception",
    "interface",
    "extensible",
    "oneway",
    "stream",
    "throws",
    "void",
    "import",
    "Map",
    "int",
    "String",
    "A",
    "b",
    "PACKAGE",
    "Name",
    "\"text\"",
    "\"",
    "'",
    "'c'",
    "\\",
    "1",
    "-",
    "-1",
    "1.5",
    "1.",
    "0x",
    "0x1F",
    "1e",
    "-Infinity",
    "NaN",
    "//",
    "/*",
    "*/",
    "/**",
    "/** doc */",
    "\n",
    "\n",
    " ",
    " ",
    "\r",
    "é",
    "😀",
    "\u{feff}",
    "#",
    "$",
    "\u{0}",
    "true",
    "L",
];

proptest! {
    #![proptest_config(config(1_500))]

    #[test]
    fn a_description_parses_and_formats(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let text = description(&bytes);
        let (_, _, report) = read(&text);
        prop_assert!(!report.has_errors(), "{report}in\n{text}");
        formats_well(&text);
    }

    #[test]
    fn pieces_never_panic(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..120)) {
        formats_well(&pieces.concat());
        formats_well(&pieces.join(" "));
    }

    #[test]
    fn text_never_panics(text in any::<String>()) {
        formats_well(&text);
    }

    /// A description with one piece put in, taken out or put over another.
    #[test]
    fn near_descriptions_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300), at in any::<prop::sample::Index>(), piece in prop::sample::select(&PIECES[..]), cut in 0..6usize) {
        let text = description(&bytes);
        let chars: Vec<char> = text.chars().collect();
        let at = at.index(chars.len() + 1);
        let end = (at + cut).min(chars.len());
        let changed: String = chars[..at].iter().collect::<String>() + piece + &chars[end..].iter().collect::<String>();
        formats_well(&changed);
    }
}

#[test]
fn every_beginning_of_a_description_is_read() {
    let text = description(&(0..=255).cycle().take(2_000).collect::<Vec<u8>>());
    for (end, _) in text.char_indices() {
        formats_well(&text[..end]);
    }
}

/// LANG-10, and no follow-up noise: depth of any kind neither overflows the stack nor fills the report.
#[test]
fn deep_texts_are_no_danger() {
    for (open, close) in [
        ("[", "]"),
        ("Map<", ">"),
        ("(", ")"),
        ("{", "}"),
        ("struct A {", "}"),
        ("@A(", ")"),
        ("@", ""),
        ("int[]", ""),
        ("Map<int,", ">"),
        ("struct A {\n", ""),
    ] {
        let text = format!("struct A {{ {} x {}; }}", open.repeat(100_000), close.repeat(100_000));
        read(&text);
        read(&open.repeat(100_000));
    }
    let text = format!("struct A {{ int{} x; }}", "[]".repeat(100_000));
    let (_, _, report) = read(&text);
    assert_eq!(report.errors(), 1);
}
