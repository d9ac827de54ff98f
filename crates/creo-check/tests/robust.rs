//! No text makes the front end panic; what it accepts, every later stage takes.

#[path = "../../creo-syntax/tests/generate/mod.rs"]
mod generate;

use creo_check::{LoadError, compile_files};
use creo_diff::diff;
use generate::description;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Everything but the last statement of a declaration: nearly all kinds, nearly all rules.
const GOOD: &str = r#"
@PACKAGE("org.example.data", python = "example_data")
@NAMESPACE("urn:x")
import "other.creo";

/** Where a series of samples came from. */
struct MetaData { String description; long timestamp = -0x1FL; DateTime at = "2026-11-21T10:31:56.25+01:00"; }
struct Data { MetaData metadata; double[] samples = {}; char c = '\u00e9'; Decimal d = 1.50; float f = -Infinity; }
enum Quality { RAW, CHECKED = 5, @Deprecated("x") CERTIFIED }
extensible struct Query { String description; Quality? atLeast; int limit = 100; Quality q = CHECKED; boolean b = true; }
exception NotFound { String description = "\"// \uD83D\uDE00"; }
union Shape { double circle; Tree[] trees; other.Thing thing; }
struct Tree { Tree? left; Map<String, Tree> named; byte[] bytes; byte[][] more; Shape shape; }
interface DataService {
    void storeData(Data[] data);
    @Name(java = "search") Data[] find(/** What. */ Query query) throws NotFound;
    oneway void touch(String description);
}
"#;

fn run(bytes: &[u8]) -> bool {
    let mut load = |name: &str| match name {
        "test.creo" => Ok(bytes.to_vec()),
        "other.creo" => {
            Ok(b"@PACKAGE(\"other\") import \"test.creo\"; struct Thing { int a; } enum Quality { X }"
                .to_vec())
        }
        _ => Err(LoadError::NotFound),
    };
    let compilation = compile_files(&["test.creo"], &mut load).expect("the root is there");
    for diagnostic in compilation.report.diagnostics() {
        let _ = creo_diag::to_json(diagnostic, &compilation.sources).to_string();
    }
    assert_eq!(compilation.model.is_none(), compilation.report.has_errors());
    let Some(model) = compilation.model else { return false };
    for id in model.type_ids() {
        assert!(model.plan().shape(id).min_size < u64::MAX, "LANG-14 lets no endless type through");
    }
    let _ = creo_plan::to_json(&model, model.plan()).to_string();
    assert!(diff(&model, &model).is_empty());
    true
}

#[test]
fn the_good_one_is_good() {
    assert!(run(GOOD.as_bytes()));
}

#[test]
fn truncated_texts() {
    for end in 0..GOOD.len() {
        run(&GOOD.as_bytes()[..end]);
        run(&GOOD.as_bytes()[end..]);
    }
}

#[test]
fn lines_left_out() {
    let lines: Vec<&str> = GOOD.lines().collect();
    for from in 0..lines.len() {
        for to in from..lines.len() {
            let rest: Vec<&str> = lines[..from].iter().chain(&lines[to..]).copied().collect();
            run(rest.join("\n").as_bytes());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, rng_seed: RngSeed::Fixed(0x6372_656f), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn edited_texts(edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4u8), 1..6)) {
        let mut bytes = GOOD.as_bytes().to_vec();
        for (at, byte, what) in edits {
            let at = at.index(bytes.len());
            match what {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                2 => { bytes.remove(at); }
                // A byte of the text itself is more likely to mean something.
                _ => bytes[at] = bytes[usize::from(byte) * 7 % bytes.len()],
            }
        }
        run(&bytes);
    }

    #[test]
    fn words_put_in_other_places(swaps in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..8)) {
        let mut words: Vec<&str> = GOOD.split_inclusive([' ', '\n', '(', ')', ';']).collect();
        for (from, to) in swaps {
            let (from, to) = (from.index(words.len()), to.index(words.len()));
            words.swap(from, to);
        }
        run(words.concat().as_bytes());
    }

    #[test]
    fn descriptions_by_the_grammar(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        run(description(&bytes).as_bytes());
    }
}
