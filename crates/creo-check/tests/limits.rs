//! LIM-17 and LANG-10: descriptions that are too large are refused, and large ones take time that grows with their size.

use creo_check::{LoadError, MAX_FILES, MAX_TYPES, compile, compile_files};
use creo_diag::Code;

fn codes(text: &str) -> Vec<Code> {
    match compile(&[("test.creo", text)]) {
        Ok(_) => Vec::new(),
        Err(report) => report.diagnostics().iter().map(|diagnostic| diagnostic.code).collect(),
    }
}

#[test]
fn a_file_has_at_most_16_mib() {
    const MOST: usize = 16 * 1024 * 1024;
    let mut text = "struct A { int a; }".to_owned();
    text.push_str(&" ".repeat(MOST - text.len()));
    assert_eq!(codes(&text), []);
    text.push('\n');
    assert_eq!(codes(&text), [Code::FileTooLarge]);
}

#[test]
fn a_description_has_at_most_100_000_types() {
    let mut text: String = (0..MAX_TYPES).map(|index| format!("struct T{index} {{}}\n")).collect();
    assert_eq!(codes(&text), []);
    text.push_str("interface I {}");
    assert_eq!(codes(&text), [Code::FileTooLarge]);
}

#[test]
fn a_description_has_at_most_10_000_files() {
    // Each file imports the next.
    let mut files = 0;
    let mut load = |name: &str| {
        files += 1;
        let index: usize = name.trim_end_matches(".creo").parse().map_err(|_| LoadError::NotFound)?;
        Ok(format!(
            "@PACKAGE(\"p{index}\") import \"{}.creo\"; struct T {{ p{}.T[] t; }}",
            index + 1,
            index + 1
        )
        .into_bytes())
    };
    let compilation = compile_files(&["0.creo"], &mut load).expect("the root is there");
    let errors: Vec<Code> = compilation.report.diagnostics().iter().map(|d| d.code).collect();
    assert_eq!((files, errors), (MAX_FILES, vec![Code::FileTooLarge]));
}

/// A chain of types that would overflow the stack of a recursive walk.
#[test]
fn long_chains_of_types() {
    let chain = |last: &str| -> String {
        let links: String =
            (0..2_000).map(|index| format!("struct T{index} {{ T{} next; }}\n", index + 1)).collect();
        format!("{links}struct T2000 {{ {last} }} interface I {{ void m(T0 t); }}")
    };
    assert_eq!(codes(&chain("int end;")), []);
    assert_eq!(codes(&chain("T0 again;")), [Code::InfiniteType]);
    assert_eq!(codes(&chain("T0[] again;")), []);
}

/// Many mistakes are counted, not kept.
#[test]
fn a_report_has_an_end() {
    let text = "# ".repeat(1_000_000);
    let Err(report) = compile(&[("test.creo", &text)]) else { panic!("it has mistakes") };
    assert_eq!((report.diagnostics().len(), report.errors()), (1_000, 1_000_000));
    let text: String =
        (0..50_000).map(|index| format!("struct T{index} {{ Unknown{index} a; }}\n")).collect();
    let Err(report) = compile(&[("test.creo", &text)]) else { panic!("it has mistakes") };
    assert_eq!(report.errors(), 50_000);
}

/// Every method reaches every type: circles of ten types, each of which mentions the next.
#[test]
fn many_methods_of_many_types_have_ids_soon() {
    let next = |index: usize| {
        if index % 10 == 9 {
            format!("T{}[] back; T{} t;", index - 9, index + 1)
        } else {
            format!("T{} t;", index + 1)
        }
    };
    let types: String = (0..5_000).map(|index| format!("struct T{index} {{ {} }}\n", next(index))).collect();
    let methods: String = (0..5_000).map(|index| format!("T{} m{index}(); ", index % 10)).collect();
    assert_eq!(codes(&format!("{types} struct T5000 {{ int i; }} interface I {{ {methods} }}")), []);
}

/// Many methods of one large type.
#[test]
fn a_large_type_is_looked_at_once() {
    let fields: String = (0..40_000).map(|index| format!("int aFieldWithRatherALongName{index}; ")).collect();
    let methods: String = (0..10_000).map(|index| format!("T m{index}(); ")).collect();
    assert_eq!(codes(&format!("struct T {{ {fields} }} interface I {{ {methods} }}")), []);
}
