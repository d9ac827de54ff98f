//! The codes are those of the specification's table, with its severities, in its order.
#![allow(clippy::disallowed_methods)]

use creo_diag::Code;

#[test]
fn codes_are_those_of_the_specification() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/language.md");
    let page = std::fs::read_to_string(path).expect("the page is there");
    let table = page.split("| code | severity | says |").nth(1).expect("the table is there");
    let mut expected = Vec::new();
    for row in table.lines().skip(2).take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        for code in cells[1].split(',') {
            expected.push((code.trim().trim_matches('`').to_owned(), cells[2].to_owned()));
        }
    }
    let found: Vec<(String, String)> =
        Code::ALL.iter().map(|code| (code.to_string(), code.severity().to_string())).collect();
    assert_eq!(found, expected);
}
