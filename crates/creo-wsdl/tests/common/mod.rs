//! What the tests of imports share.

use creo_check::{LoadError, compile_files};
use creo_diag::Sources;
use creo_wsdl::import::{Files, Import, Options, Unread, import};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/import")
}

/// Files in memory.
pub struct Memory(pub BTreeMap<String, Vec<u8>>);

impl Files for Memory {
    fn read(&mut self, path: &str) -> Result<Vec<u8>, Unread> {
        self.0.get(path).cloned().ok_or(Unread::Missing)
    }
}

pub fn import_text(text: &str) -> Import {
    import_part(text, &Options::default())
}

pub fn import_part(text: &str, options: &Options) -> Import {
    import(
        "in.wsdl",
        options,
        &mut Memory(BTreeMap::from([("in.wsdl".to_owned(), text.as_bytes().to_vec())])),
    )
}

pub fn report(found: &Import) -> String {
    let mut text = String::new();
    for told in found.report.diagnostics() {
        let file = found.sources.file(told.primary.span.file);
        let at = file.position(told.primary.span.start);
        let _ = writeln!(
            text,
            "{}:{}:{}: {}[{}]: {}",
            file.name(),
            at.line,
            at.column,
            told.severity,
            told.code,
            told.message
        );
    }
    text
}

/// The description compiles without a word, and is as `creo fmt` leaves it.
pub fn check(text: &str) {
    let compilation =
        compile_files(&["in.creo"], &mut |_: &str| Ok::<_, LoadError>(text.as_bytes().to_vec()))
            .expect("it is there");
    assert!(compilation.report.is_empty(), "{}\n{text}", compilation.report);
    let mut sources = Sources::new();
    let id = sources.add("in.creo", text);
    let tree = creo_syntax::parse(sources.file(id), &mut creo_diag::Report::new());
    assert_eq!(creo_syntax::format(sources.file(id), &tree), text);
}
