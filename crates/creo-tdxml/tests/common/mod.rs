//! Converting texts.

use creo_tdxml::{Failure, Mistake, Scheme, Scratch, decode, encode};
use std::io;

/// A temporary file in memory.
pub fn scratch() -> io::Result<Box<dyn Scratch>> {
    Ok(Box::new(io::Cursor::new(Vec::new())))
}

/// The table of a document.
pub fn table(text: &str, scheme: Scheme) -> String {
    let mut out = Vec::new();
    encode(&mut text.as_bytes(), scheme, &mut out).unwrap_or_else(|failure| panic!("{failure:?}"));
    String::from_utf8(out).expect("tables are UTF-8")
}

/// The document of a table.
pub fn back(text: &str) -> String {
    let mut out = Vec::new();
    decode(&mut text.as_bytes(), &mut scratch, &mut out).unwrap_or_else(|failure| panic!("{failure:?}"));
    String::from_utf8(out).expect("documents are UTF-8")
}

fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    text.split_once(from)
        .and_then(|(_, rest)| rest.split_once(to))
        .map(|(between, _)| between)
        .expect("both ends are there")
}

/// The lines of a document's schema.
#[allow(dead_code)] // Not every file of tests asks for it.
pub fn schema(text: &str, scheme: Scheme) -> String {
    between(&table(text, scheme), "<DS>\n", "</DS>").to_owned()
}

/// The rows of a document.
#[allow(dead_code)] // As above.
pub fn rows(text: &str, scheme: Scheme) -> String {
    let name = if scheme == Scheme::Record { "RT" } else { "CT" };
    between(&table(text, scheme), &format!("<{name}>\n"), &format!("</{name}>")).to_owned()
}

fn mistake(result: creo_tdxml::Result<()>, out: &[u8]) -> Mistake {
    match result {
        Err(Failure::Refused(mistake)) => {
            assert!(out.is_empty(), "something was written of what is refused");
            *mistake
        }
        other => panic!("not refused: {other:?}"),
    }
}

/// Why a table is refused.
#[allow(dead_code)] // As above.
pub fn refused(text: &str) -> Mistake {
    let mut out = Vec::new();
    let result = decode(&mut text.as_bytes(), &mut scratch, &mut out);
    mistake(result, &out)
}

/// Why a document is refused.
#[allow(dead_code)] // As above.
pub fn refused_document(text: &[u8]) -> Mistake {
    let mut out = Vec::new();
    let result = encode(&mut &*text, Scheme::Aggregated, &mut out);
    mistake(result, &out)
}
