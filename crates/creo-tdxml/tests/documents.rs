//! Section 8 of `spec/wires/tdxml.md`, clause by clause: tables of documents, and documents of tables.

mod common;

use common::{back, refused, rows, schema, table};
use creo_tdxml::{Code, Scheme};

/// Figure 1 (a) of the paper, its slips mended.
const FIGURE_1: &str = "<employees>\n<person gender=\"M\">\n<firstname>Alan</firstname>\n<lastname>Johnson</lastname>\n<age>28</age>\n</person>\n\
    <person gender=\"F\">\n<firstname>Mary</firstname>\n<lastname>Khan</lastname>\n<age>35</age>\n</person>\n</employees>";

/// Figure 1 (b).
const FIGURE_1_TABLE: &str = "[0][0]0(0)|M\n[0][0]0[0]|Alan\n[0][0]0[1]|Johnson\n[0][0]0[2]|28\n\
    [0][0]1(0)|F\n[0][0]1[0]|Mary\n[0][0]1[1]|Khan\n[0][0]1[2]|35\n";

#[test]
fn tdx_60_the_papers_document_gives_the_papers_table() {
    assert_eq!(rows(FIGURE_1, Scheme::Aggregated), FIGURE_1_TABLE);
    assert_eq!(back(&table(FIGURE_1, Scheme::Aggregated)), format!("{FIGURE_1}\n"));
    assert_eq!(rows(FIGURE_1, Scheme::Record), "[0][0]0|M|Alan|Johnson|28\n[0][0]1|F|Mary|Khan|35\n");
    assert_eq!(back(&table(FIGURE_1, Scheme::Record)), format!("{FIGURE_1}\n"));
}

#[test]
fn tdx_60_without_layout_the_table_is_the_same() {
    let one_line = FIGURE_1.replace('\n', "");
    assert_eq!(rows(&one_line, Scheme::Aggregated), FIGURE_1_TABLE);
    assert_eq!(back(&table(&one_line, Scheme::Aggregated)), format!("{one_line}\n"));
}

#[test]
fn tdx_61_words_of_the_grammar_are_quoted() {
    let text = "<SET><OF TEXT=\"1\"/><OF TEXT=\"2\"/></SET>";
    assert_eq!(
        schema(text, Scheme::Aggregated),
        "\"SET\" [0] ::= SET OF \"OF\"\n\"OF\" [0] ::= SEQUENCE OF {\"TEXT\" (0) [ATTRIBUTE] UTF8String}\n"
    );
    assert_eq!(
        back(&table(text, Scheme::Aggregated)),
        "<SET><OF TEXT=\"1\"></OF><OF TEXT=\"2\"></OF></SET>\n"
    );
}

#[test]
fn tdx_61_namespaces_are_attributes_with_defaults() {
    let text = "<a:r xmlns:a=\"urn:&quot;a&lt;\" xmlns=\"urn:b\"><c xmlns=\"\">1</c></a:r>";
    assert_eq!(
        schema(text, Scheme::Aggregated),
        "a:r [0] ::= SEQUENCE OF {xmlns:a (0) [ATTRIBUTE] UTF8String (\"urn:\\qa\\l\"), xmlns (1) [ATTRIBUTE] UTF8String (\"urn:b\"), c [0] c}\n\
         c [0] ::= SEQUENCE OF {xmlns (0) [ATTRIBUTE] UTF8String (\"\"), text TEXT UTF8String}\n"
    );
    assert_eq!(rows(text, Scheme::Aggregated), "[0][0]|1\n");
    assert_eq!(back(&table(text, Scheme::Aggregated)), format!("{}\n", text));
}

#[test]
fn tdx_62_elements_are_numbered_by_an_order_that_all_parents_keep() {
    let text = "<r><i><c/><d/></i><i><a/><c/></i><i><b/><d/></i></r>";
    assert_eq!(
        schema(text, Scheme::Aggregated),
        "r [0] ::= SET OF i\ni [0] ::= SEQUENCE OF {a [0] UTF8String OPTIONAL, c [1] UTF8String OPTIONAL, b [2] UTF8String OPTIONAL, d [3] UTF8String OPTIONAL}\n"
    );
    assert_eq!(
        rows(text, Scheme::Aggregated),
        "[0][0]0[1]|\n[0][0]0[3]|\n[0][0]1[0]|\n[0][0]1[1]|\n[0][0]2[2]|\n[0][0]2[3]|\n"
    );
}

#[test]
fn tdx_63_what_occurs_twice_repeats() {
    let text = "<r><i>1</i><i>2</i><j>3</j></r>";
    assert_eq!(
        schema(text, Scheme::Aggregated),
        "r [0] ::= SEQUENCE OF {i [0] SET OF UTF8String, j [1] UTF8String}\n"
    );
    assert_eq!(rows(text, Scheme::Aggregated), "[0][0]0|1\n[0][0]1|2\n[0][1]|3\n");
    let text = "<r>first<i/>\n</r>";
    assert_eq!(schema(text, Scheme::Aggregated), "r [0] ::= MIXED {i [0] UTF8String, text [1] TEXT}\n");
    let text = "<r><i>first<j/></i><i x=\"1\"><j/></i></r>";
    assert_eq!(
        schema(text, Scheme::Aggregated),
        "r [0] ::= SET OF i\ni [0] ::= SEQUENCE OF {x (0) [ATTRIBUTE] UTF8String OPTIONAL, text TEXT UTF8String OPTIONAL, j [0] UTF8String}\n"
    );
}

#[test]
fn tdx_64_nodes_of_mixed_elements_are_counted_together() {
    let text = "<p>One <b>two</b> three<!--four--><b>five</b><?six seven?></p>";
    assert_eq!(
        schema(text, Scheme::Aggregated),
        "p [0] ::= MIXED {b [0] UTF8String, text [1] TEXT, comment [2] COMMENT, instruction [3] INSTRUCTION}\n"
    );
    assert_eq!(
        rows(text, Scheme::Aggregated),
        "[0]|One \n[0][0]0|two\n[0][1]1| three\n[0][2]2|four\n[0][0]3|five\n[0][3]4|six seven\n"
    );
    assert_eq!(back(&table(text, Scheme::Aggregated)), format!("{text}\n"));
}

#[test]
fn tdx_65_layout_is_said_once() {
    let text = "<r>\n  <a>\n    <b>\n      <a>\n        <b></b>\n      </a>\n    </b>\n  </a>\n</r>";
    let said = schema(text, Scheme::Aggregated);
    assert_eq!(
        said,
        "r [0] ::= SEQUENCE OF {a [0] a} INDENTED (\"  \")\na [0] ::= SEQUENCE OF {b [0] b} INDENTED (\"  \")\n\
         b [0] ::= SEQUENCE OF {a [0] a OPTIONAL} INDENTED (\"  \")\n"
    );
    assert_eq!(rows(text, Scheme::Aggregated), "[0][0][0][0][0]\n");
    assert_eq!(back(&table(text, Scheme::Aggregated)), format!("{text}\n"));
}

#[test]
fn tdx_65_what_differs_from_the_layout_is_text() {
    let text = "<r>\n  <a></a>\n  <a></a><a></a>\n\n  <a></a>\n</r>";
    assert_eq!(
        schema(text, Scheme::Aggregated),
        "r [0] ::= MIXED {a [0] UTF8String, text [1] TEXT} INDENTED (\"  \")\n"
    );
    assert_eq!(
        rows(text, Scheme::Aggregated),
        "[0][0]0|\n[0][0]1|\n[0][1]2|\n[0][0]3|\n[0][1]4|\\n\\n  \n[0][0]5|\n"
    );
    assert_eq!(back(&table(text, Scheme::Aggregated)), format!("{text}\n"));
}

#[test]
fn tdx_66_nodes_outside_the_root_are_counted_with_it() {
    let text = "<!--a-->\n<?b?>\n<r></r>\n<!--c-->\n";
    assert_eq!(
        schema(text, Scheme::Aggregated),
        "r [0] ::= SEQUENCE OF {}\ncomment [1] ::= COMMENT\ninstruction [2] ::= INSTRUCTION\n"
    );
    assert_eq!(rows(text, Scheme::Aggregated), "[1]0|a\n[2]1|b\n[0]\n[1]3|c\n");
    assert_eq!(back(&table(text, Scheme::Aggregated)), text);
}

#[test]
fn tdx_66_values_that_are_no_comment_or_instruction_are_refused() {
    for (value, kind) in [("a--b", 1), ("a-", 1), ("xml x", 2), ("1", 2), ("a ?\\gb", 2), ("", 2)] {
        let text = format!(
            "<Env xmlns=\"urn:creo:tdxml\"><DS>r [0] ::= UTF8String comment [1] ::= COMMENT pi [2] ::= INSTRUCTION</DS><CT>\n[0]|\n[{kind}]1|{value}\n</CT></Env>"
        );
        assert_eq!(refused(&text).code, Code::Malformed, "{value}");
    }
}

#[test]
fn tdx_67_empty_elements_have_rows() {
    let text = "<r><a></a><b x=\"1\"></b><b></b></r>";
    assert_eq!(rows(text, Scheme::Aggregated), "[0][0]|\n[0][1]0(0)|1\n[0][1]1\n");
    assert_eq!(rows("<r/>", Scheme::Aggregated), "[0]\n");
    assert_eq!(back(&table("<r/>", Scheme::Aggregated)), "<r></r>\n");
}

#[test]
fn tdx_68_constant_attributes_are_defaults() {
    let text = "<r><a k=\"x\" o=\"1\">1</a><a k=\"x\">2</a></r>";
    assert_eq!(
        schema(text, Scheme::Aggregated),
        "r [0] ::= SET OF a\na [0] ::= SEQUENCE OF {k (0) [ATTRIBUTE] UTF8String (\"x\"), o (1) [ATTRIBUTE] UTF8String OPTIONAL, text TEXT UTF8String}\n"
    );
    assert_eq!(rows(text, Scheme::Aggregated), "[0][0]0|1\n[0][0]0(1)|1\n[0][0]1|2\n");
    assert_eq!(back(&table(text, Scheme::Aggregated)), format!("{text}\n"));
}

#[test]
fn tdx_69_records_are_written_as_they_are_read() {
    let text = "<r><i a=\"1\"><x>2</x><many>3</many><many>4</many><late>5</late></i><i><x></x><y>~</y></i><i></i></r>";
    assert_eq!(
        schema(text, Scheme::Record),
        "r [0] ::= SET OF i\ni [0] ::= SEQUENCE OF {a (0) [ATTRIBUTE] UTF8String OPTIONAL, x [0] UTF8String OPTIONAL, many [1] SET OF UTF8String, \
         late [2] SET OF UTF8String, y [3] SET OF UTF8String}\n"
    );
    assert_eq!(
        rows(text, Scheme::Record),
        "[0][0]0|1|2\n[0][0]0[1]|3|4\n[0][0]0[2]|5\n[0][0]1|~|\n[0][0]1[3]|\\~\n[0][0]2\n"
    );
    assert_eq!(back(&table(text, Scheme::Record)), format!("{text}\n"));
}

/// A table of data is smaller than its XML, by both schemes.
#[test]
fn tables_of_data_are_small() {
    let text = include_str!("../../../tests/documents/data.xml");
    assert!(table(text, Scheme::Aggregated).len() * 100 < text.len() * 80);
    assert!(table(text, Scheme::Record).len() * 100 < text.len() * 45);
}

/// Layout is up to 4,096 bytes of white space (TDX-65).
#[test]
fn tdx_65_long_white_space_is_text() {
    for count in [4_094, 4_095, 4_096, 4_097] {
        let text = format!("<r>\n{0}<a>\n{0} <b></b>\n{0}</a>\n</r>", " ".repeat(count));
        for scheme in [Scheme::Aggregated, Scheme::Record] {
            assert_eq!(back(&table(&text, scheme)), format!("{text}\n"), "{count}");
        }
    }
}

#[test]
fn tdx_70_long_texts_are_not_held_beside_attributes() {
    let long = "x".repeat((1 << 20) + 1);
    let text = format!("<r><a b=\"1\">{long}</a><a b=\"2\">short</a></r>");
    let table_text = table(&text, Scheme::Aggregated);
    assert!(table_text.contains("a [0] ::= MIXED {b (0) [ATTRIBUTE] UTF8String, text [0] TEXT}\n"));
    assert!(table_text.contains("\n[0][0]1(0)|2\n[0][0]1[0]0|short\n"));
    assert_eq!(back(&table_text), format!("{text}\n"));
    let text = format!("<r><a b=\"1\"><c>{long}</c></a></r>");
    assert_eq!(back(&table(&text, Scheme::Record)), format!("{text}\n"));
}
