//! Broken documents and tables are refused or converted, never with a panic, and converted ones survive the way back.
#![allow(clippy::disallowed_methods)] // Tests read their documents.

use creo_tdxml::{Failure, Scheme, Scratch, decode, encode};
use std::io;
use std::path::Path;

fn scratch() -> io::Result<Box<dyn Scratch>> {
    Ok(Box::new(io::Cursor::new(Vec::new())))
}

/// Numbers that are the same in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most as u64) as usize
    }
}

const PIECES: [&[u8]; 24] = [
    b"<",
    b">",
    b"</",
    b"/>",
    b"&",
    b";",
    b"\"",
    b"'",
    b"]]>",
    b"<!--",
    b"-->",
    b"<?",
    b"?>",
    b"<![CDATA[",
    b"[0]",
    b"(0)",
    b"0",
    b"|",
    b"~",
    b"\\",
    b"\n",
    b" SET OF ",
    b"\xff",
    b"\0",
];

fn break_it(bytes: &[u8], chance: &mut Chance) -> Vec<u8> {
    let mut broken = bytes.to_vec();
    for _ in 0..=chance.below(3) {
        let at = chance.below(broken.len() + 1);
        let to = (at + chance.below(12)).min(broken.len());
        match chance.below(4) {
            0 => drop(broken.drain(at..to)),
            1 => broken.extend_from_within(at..to),
            2 => drop(broken.splice(at..at, PIECES[chance.below(PIECES.len())].iter().copied())),
            _ => {
                let piece: Vec<u8> = broken[at..to].to_vec();
                let elsewhere = chance.below(broken.len() + 1);
                drop(broken.splice(elsewhere..elsewhere, piece));
            }
        }
    }
    broken
}

fn documents() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/documents");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("it can be read").path())
        .collect();
    paths.sort();
    let xml = paths.into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "xml"));
    xml.map(|path| std::fs::read(path).expect("it can be read")).filter(|bytes| bytes.len() < 4_000).collect()
}

/// The table or document; nothing if it is refused.
fn run(convert: impl FnOnce(&mut Vec<u8>) -> creo_tdxml::Result<()>) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    match convert(&mut out) {
        Ok(()) => Some(out),
        Err(Failure::Refused(mistake)) => {
            assert!(!mistake.message.is_empty() && out.is_empty());
            None
        }
        Err(failure) => panic!("{failure:?}"),
    }
}

#[test]
fn broken_documents() {
    let mut chance = Chance(0x9e37_79b9_7f4a_7c15);
    let mut converted = 0;
    for document in documents() {
        for _ in 0..200 {
            let broken = break_it(&document, &mut chance);
            let scheme = if chance.below(2) == 0 { Scheme::Aggregated } else { Scheme::Record };
            let Some(table) = run(|out| encode(&mut broken.as_slice(), scheme, out)) else { continue };
            let back = run(|out| decode(&mut table.as_slice(), &mut scratch, out))
                .unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&broken)));
            // What comes back is a document, whose table gives it again.
            let again = run(|out| encode(&mut back.as_slice(), scheme, out))
                .unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&broken)));
            assert_eq!(
                run(|out| decode(&mut again.as_slice(), &mut scratch, out)),
                Some(back),
                "{}",
                String::from_utf8_lossy(&broken)
            );
            converted += 1;
        }
    }
    assert!(converted > 100, "only {converted}");
}

#[test]
fn broken_tables() {
    let mut chance = Chance(0x2545_f491_4f6c_dd1d);
    let mut converted = 0;
    for document in documents() {
        for scheme in [Scheme::Aggregated, Scheme::Record] {
            let table = run(|out| encode(&mut document.as_slice(), scheme, out)).expect("it is well-formed");
            for _ in 0..150 {
                let broken = break_it(&table, &mut chance);
                let Some(back) = run(|out| decode(&mut broken.as_slice(), &mut scratch, out)) else {
                    continue;
                };
                assert!(
                    run(|out| encode(&mut back.as_slice(), scheme, out)).is_some(),
                    "{}",
                    String::from_utf8_lossy(&broken)
                );
                converted += 1;
            }
        }
    }
    assert!(converted > 100, "only {converted}");
}
