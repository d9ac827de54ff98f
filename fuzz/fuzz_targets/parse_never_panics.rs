//! No bytes make the parser panic, and every place that it reports lies within the text (LANG-11, LANG-26).
#![no_main]

use creo_diag::{FileId, Report, SourceFile};
use creo_syntax::{outline, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let file = SourceFile::new(FileId(0), "fuzz.creo", bytes);
    let mut report = Report::new();
    let tree = parse(&file, &mut report);
    assert_eq!(tree.has_errors, report.has_errors());
    let _ = outline(&tree);
    for diagnostic in report.diagnostics() {
        let labels = diagnostic.labels.iter().chain([&diagnostic.primary]).map(|label| label.span);
        for span in labels.chain(diagnostic.fix.iter().map(|fix| fix.span)) {
            assert!(file.text().get(span.start..span.end).is_some(), "{diagnostic:?}");
        }
    }
});
