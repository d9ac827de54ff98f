//! Tables that people and generated code write (TDX-68 to TDX-72).

mod common;

use common::{back, refused};
use creo_tdxml::Code;

/// Figure 2 of the paper, with the rows that are given.
fn figure_2(rows: &str) -> String {
    format!(
        "<TDXML:Env>\n<TDXML:DS>\nemployees [0] ::= SET OF person \nperson [0]::= SEQUENCE OF{{ \ngender(0) [ATTRIBUTE]\n      UTF8String  (\u{201c}M\u{201d}) \n\
         firstname[0] UTF8String, \nlastname[1] UTF8String, \nage [2] Integer}} \n</TDXML:DS>\n<TDXML:CT>\n{rows}</TDXML:CT>\n</TDXML:Env>\n"
    )
}

const ALAN: [&str; 4] = ["[0][0]0(0)|M\n", "[0][0]0[0]|Alan\n", "[0][0]0[1]|Johnson\n", "[0][0]0[2]|28\n"];
const MARY: [&str; 4] = ["[0][0]1(0)|F\n", "[0][0]1[0]|Mary\n", "[0][0]1[1]|Khan\n", "[0][0]1[2]|35\n"];
const BOTH: &str = "<employees><person gender=\"M\"><firstname>Alan</firstname><lastname>Johnson</lastname><age>28</age></person>\
    <person gender=\"F\"><firstname>Mary</firstname><lastname>Khan</lastname><age>35</age></person></employees>\n";

/// A table with a schema.
fn table(name: &str, schema: &str, rows: &str) -> String {
    format!("<Env xmlns=\"urn:creo:tdxml\"><DS>{schema}</DS><{name}>{rows}</{name}></Env>")
}

#[test]
fn tdx_13_figure_2_and_figure_3_are_one_document() {
    let (alan, mary) = (ALAN.concat(), MARY.concat());
    assert_eq!(back(&figure_2(&format!("{alan}{mary}"))), BOTH);
    assert_eq!(back(&figure_2(&format!("{mary}{alan}"))), BOTH);
    let mut rows: Vec<&str> = ALAN.into_iter().chain(MARY).collect();
    for turn in 0..rows.len() {
        rows.rotate_left(3);
        rows.swap(turn, 0);
        assert_eq!(back(&figure_2(&rows.concat())), BOTH);
    }
}

#[test]
fn tdx_68_defaults_are_taken_and_refused() {
    let rows = [&ALAN[1..], &MARY].concat().concat();
    assert_eq!(back(&figure_2(&rows)), BOTH);
    let rows = format!("[0][0]0(0)~\n{rows}");
    assert_eq!(back(&figure_2(&rows)), BOTH.replace(" gender=\"M\"", ""));
    let schema = "r [0] ::= SEQUENCE {a [0] UTF8String (\"x\"), b [1] SEQUENCE OF {t TEXT Integer (\u{201d}\\q7\u{201d})}, c [2] Integer (\"3\")}";
    assert_eq!(back(&table("CT", schema, "[0][2]|1")), "<r><a>x</a><b>\"7</b><c>1</c></r>\n");
    assert_eq!(back(&table("RT", schema, "[0]|~|1")), "<r><a>x</a><b>\"7</b><c>1</c></r>\n");
}

#[test]
fn tdx_1_envelopes_in_all_their_forms() {
    for text in [
        "<e:Envelope xmlns:e='urn:creo:tdxml' of='R'><e:DataSchema>r ::= Integer</e:DataSchema> <e:ContentTable>[0]|1</e:ContentTable></e:Envelope>",
        "<TDXML:Envelope><TDXML:DS>r[0]::=Integer</TDXML:DS><TDXML:RecordTable>\r\n \t[0]|1\r\n\r\n</TDXML:RecordTable></TDXML:Envelope>",
        "<Env xmlns='urn:creo:tdxml'><DS><![CDATA[r [0] ::= Integer]]></DS><CT>[0]<!-- c --><![CDATA[|]]>&#x31;&#10;</CT></Env>",
    ] {
        assert_eq!(back(text), "<r>1</r>\n", "{text}");
    }
    for text in [
        "<Env><DS>r [0] ::= Integer</DS><CT>[0]|1</CT></Env>",
        "<Env xmlns='urn:creo:tdxml'><CT>[0]|1</CT></Env>",
        "<Env xmlns='urn:creo:tdxml'><CT>[0]|1</CT><DS>r [0] ::= Integer</DS></Env>",
        "<Env xmlns='urn:creo:tdxml'><DS>r [0] ::= Integer</DS></Env>",
        "<Env xmlns='urn:creo:tdxml'><DS>r [0] ::= Integer</DS><UT>[0]|1</UT></Env>",
        "<Env xmlns='urn:creo:tdxml'><DS>r [0] ::= Integer</DS><CT>[0]|1</CT><CT/></Env>",
        "<Env xmlns='urn:creo:tdxml'><DS>r [0] ::= Integer</DS>x<CT>[0]|1</CT></Env>",
        "<Env xmlns='urn:creo:tdxml' to='x'><DS>r [0] ::= Integer</DS><CT>[0]|1</CT></Env>",
        "<Env xmlns='urn:creo:tdxml'><DS>r [0] ::= Integer</DS><CT>[0]<b/>|1</CT></Env>",
        "<Env xmlns='urn:creo:tdxml'><?p?><DS>r [0] ::= Integer</DS><CT>[0]|1</CT></Env>",
        "<!DOCTYPE Env><Env xmlns='urn:creo:tdxml'><DS>r [0] ::= Integer</DS><CT>[0]|1</CT></Env>",
    ] {
        assert_eq!(refused(text).code, Code::Malformed, "{text}");
    }
}

#[test]
fn tdx_71_tables_of_descriptions() {
    let schema = "find [0] ::= SEQUENCE OF {query [0] Query, ids [1] SET OF Integer, names [2] SEQUENCE OF {item [0] SET OF UTF8String} OPTIONAL, \
        counts [3] SEQUENCE OF {entry [0] SET OF SEQUENCE OF {key [0] UTF8String, value [1] Integer OPTIONAL}}, shape [4] Shape OPTIONAL}\n\
        Query [0] ::= SEQUENCE OF {lang (0) [ATTRIBUTE] UTF8String OPTIONAL, text TEXT UTF8String}\n\
        Shape [4] ::= CHOICE {circle [0] Circle, none [1] Boolean}\nCircle [0] ::= SEQUENCE OF {r [0] Real, colour [1] UTF8String OPTIONAL}\n";
    let document = "<find><query lang=\"en\">a|b</query><ids>1</ids><ids>2</ids><names><item>x</item>\
        <item xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:nil=\"true\"></item></names>\
        <counts><entry><key>k</key><value>1</value></entry><entry><key>l</key></entry></counts><shape><circle><r>1.5</r></circle></shape></find>\n";
    let rows = "[0][0]|a\\|b\n[0][0](0)|en\n[0][1]0|1\n[0][1]1|2\n[0][2][0]0|x\n[0][2][0]1~\n[0][3][0]0[0]|k\n[0][3][0]0[1]|1\n[0][3][0]1[0]|l\n[0][4][0][0]|1.5\n";
    assert_eq!(back(&table("CT", schema, rows)), document);
    let rows = "[0][0]|en|a\\|b\n[0][1]|1|2\n[0][2][0]|x|~\n[0][3][0]0|k|1\n[0][3][0]1|l\n[0][4][0]|1.5\n";
    assert_eq!(back(&table("RT", schema, rows)), document);
    let rows = "[0][4][0]|1.5\n[0][3][0]1|l\n[0][2][0]|x|~\n[0][3][0]0|k|1\n[0][1]|1|2\n[0][0]|en|a\\|b\n";
    assert_eq!(back(&table("RT", schema, rows)), document);
    let wrong = refused(&table("CT", schema, "[0][0]|a\n[0][4]\n"));
    assert!(wrong.message.contains("CHOICE"), "{wrong:?}");
    let wrong = refused(&table("CT", schema, "[0][0]|a\n[0][4][0][0]|1\n[0][4][1]|true\n"));
    assert!(wrong.message.contains("CHOICE"), "{wrong:?}");
}

/// More rows than are sorted in memory.
#[test]
fn tdx_70_many_rows_in_another_order() {
    let schema = "r [0] ::= SET OF i\ni [0] ::= SEQUENCE OF {a (0) [ATTRIBUTE] UTF8String, t TEXT UTF8String} comment [1] ::= COMMENT";
    let count = 700_000_u32;
    let mut rows: Vec<String> =
        (0..count).flat_map(|n| [format!("[0][0]{n}|t{n}\n"), format!("[0][0]{n}(0)|a{n}\n")]).collect();
    rows.extend(["[1]0|before\n".to_owned(), "[1]2|behind\n".to_owned()]);
    let document = |count: u32| (0..count).map(|n| format!("<i a=\"a{n}\">t{n}</i>")).collect::<String>();
    rows.reverse();
    let half = rows.len() / 2;
    rows.rotate_left(half);
    let expected = format!("<!--before-->\n<r>{}</r>\n<!--behind-->\n", document(count));
    assert!(back(&table("CT", schema, &rows.concat())) == expected);
    rows.push("[0][0]17|again\n".to_owned());
    let wrong = refused(&table("CT", schema, &rows.concat()));
    assert!(wrong.message.starts_with("the index comes twice"), "{wrong:?}");
    assert_eq!(wrong.row, Some((rows.len() as u64, "[0][0]17|again".to_owned())));
}

#[test]
fn tdx_52_an_empty_table_is_an_empty_root() {
    assert_eq!(back(&table("CT", "ping [0] ::= SEQUENCE OF {}", "\n")), "<ping></ping>\n");
}

#[test]
fn tdx_22_a_structure_without_rows_is_empty() {
    let schema = "r [0] ::= SEQUENCE OF {a [0] A, b [1] B}\nA [0] ::= SEQUENCE OF {x [0] Integer OPTIONAL}\nB [1] ::= SEQUENCE OF {y [0] Integer}";
    assert_eq!(back(&table("CT", schema, "[0][1][0]|1\n")), "<r><a></a><b><y>1</y></b></r>\n");
    let wrong = refused(&table("CT", schema, "[0][0]\n"));
    assert_eq!(wrong.message, "`y` is missing: there is no row `[0][1][0]` (at r.b)");
    let endless = refused(&table("CT", "r [0] ::= SEQUENCE OF {r [0] r}", "[0]\n"));
    assert!(endless.message.contains("is missing"), "{endless:?}");
}

#[test]
fn tdx_15_a_bad_row_is_named() {
    let good =
        |bad: &str| refused(&figure_2(&format!("{}{}{bad}\n{}", ALAN.concat(), MARY[..3].concat(), MARY[3])));
    for (bad, message) in [
        ("[0][0]1[3]|x", "the element has no child with the number 3"),
        ("[0][0]1(1)|x", "the element has no attribute with the number 1"),
        ("[0][0]1[1]|x", "the index comes twice: in row 7 and in row 8"),
        ("[0][0][2]|x", "`person` repeats: its occurrence is missing"),
        ("[0][0]1[2]0|x", "`age` has no occurrences here"),
        ("[1]|x", "the index does not begin with `[0]`, the root"),
        ("[0][0]1[2][0]|x", "the element has nothing in it but text"),
        ("[0][0]1|x", "`person` has no text of its own"),
        ("[0][0]01[2]|x", "`[0][0]01[2]` is no index"),
        ("[0][0]1[2|x", "`[0][0]1[2` is no index"),
        ("[0][0]4294967296[2]|x", "`[0][0]4294967296[2]` is no index"),
        ("[0][0]1(0)[0]|x", "`[0][0]1(0)[0]` is no index"),
        ("[0][0]1[2]", "the index comes twice"),
        ("[0][0]1[2]x", "an index is followed by neither `|` nor `~` nor the end of the row"),
        ("[0][0]1[2]|a\\z", "a value has an escape that is none"),
        ("[0][0]1[2]|~a", "something follows `~`"),
        ("[0][0]1[2]~|", "something follows `~`"),
        ("[0][0]1[2]|a|b", "a row of this table has one value"),
        ("[0][0]2(0)", "the row of an attribute has no value"),
        ("0][0]1[2]|x", "a row does not begin with an index"),
        ("[0][0]1[2]|a&#13;b", "a row contains a carriage return"),
    ] {
        let wrong = good(bad);
        assert_eq!(wrong.code, Code::Malformed);
        let (number, text) = wrong.row.clone().unwrap_or_else(|| panic!("{bad}: {wrong:?}"));
        assert!(wrong.message.starts_with(message), "{bad}: {wrong:?}");
        // Of an index that comes twice it is the later row.
        assert!(
            number == 8 || (number == 9 && message.starts_with("the index comes twice")),
            "{bad}: {wrong:?}"
        );
        assert!(number != 8 || text == bad.replace("&#13;", "\u{fffd}"), "{bad}: {wrong:?}");
    }
}

#[test]
fn tdx_15_white_space_behind_the_start_tag_is_no_row() {
    for (before, number) in [("", 1), ("\n", 1), (" \t\r\n", 1), ("\n\n", 2)] {
        for rows in ["[0][9]|x", "[0][1]|1\n[0][9]|x"] {
            let wrong = refused(&table(
                "CT",
                "r [0] ::= SEQUENCE OF {a [0] Integer OPTIONAL, b [1] Integer OPTIONAL}",
                &format!("{before}{rows}"),
            ));
            assert_eq!(
                wrong.row.map(|row| row.0),
                Some(number + rows.matches('\n').count() as u64),
                "{before:?} {rows}"
            );
        }
    }
    // Also where rows are sorted.
    let wrong = refused(&table(
        "CT",
        "r [0] ::= SEQUENCE OF {a [0] Integer, b [1] Integer}",
        "[0][1]|1\n[0][0]|1\n[0][0]|2",
    ));
    assert_eq!(wrong.message, "the index comes twice: in row 2 and in row 3");
}

#[test]
fn tdx_72_gaps_and_missing_rows_are_told() {
    let rows = [&ALAN[..2], &ALAN[3..]].concat().concat();
    assert_eq!(
        refused(&figure_2(&rows)).message,
        "`lastname` is missing: there is no row `[0][0]0[1]` (at employees.person[0])"
    );
    let wrong = refused(&figure_2(&MARY.concat()));
    assert_eq!(wrong.message, "the occurrence 1 of `person` comes where 0 is expected (at employees)");
    assert_eq!(wrong.row, Some((1, "[0][0]1(0)|F".to_owned())));
    let schema = "r [0] ::= MIXED {a [0] UTF8String, t [1] TEXT}";
    assert_eq!(back(&table("CT", schema, "[0][1]1|x\n[0][0]0|\n[0]|y")), "<r>y<a></a>x</r>\n");
    assert!(
        refused(&table("CT", schema, "[0][0]0|\n[0][1]2|x"))
            .message
            .starts_with("the node 2 comes where the node 1 is expected")
    );
    assert!(
        refused(&table("CT", schema, "[0][0]0|\n[0][1]0|x"))
            .message
            .starts_with("the node 0 comes where the node 1 is expected")
    );
}

#[test]
fn tdx_61_schemas_that_cannot_be_read() {
    for schema in [
        "",
        "r",
        "r [0] ::=",
        "r [0] ::= Unknown",
        "r [0] ::= r",
        "r [0] ::= a a [0] ::= b b [0] ::= a",
        "r [0] ::= SET OF SET OF Integer",
        "r [0] ::= SEQUENCE OF {a [0] Integer, b [0] Integer}",
        "r [0] ::= SEQUENCE OF {a (0) Integer}",
        "r [0] ::= SEQUENCE OF {t TEXT Integer, u TEXT Integer}",
        "r [0] ::= SEQUENCE OF {a [0] Integer",
        "r [0] ::= Integer r [0] ::= Integer",
        "r [0] ::= Integer comment [0] ::= COMMENT",
        "r [00] ::= Integer",
        "r [99999999999] ::= Integer",
        "r [0] ::= SEQUENCE OF {} INDENTED (\"x\")",
        "r [0] ::= Integer INDENTED (\"\")",
        "r [0] ::= SEQUENCE OF {a (0) [ATTRIBUTE] UTF8String (\"x}",
        "r [0] ::= SEQUENCE OF {a (0) [ATTRIBUTE] UTF8String (\"\\x\")}",
        "r [0] ::= SEQUENCE OF {a [0] TEXT}",
        "\"a b\" [0] ::= Integer",
        "r ; Integer",
    ] {
        assert_eq!(refused(&table("CT", schema, "[0]|1")).code, Code::Malformed, "{schema}");
    }
    let nested = format!("r [0] ::= {}Integer{}", "SEQUENCE OF {a [0] ".repeat(100_000), "}".repeat(100_000));
    assert_eq!(refused(&table("CT", &nested, "[0]|1")).code, Code::Malformed);
}

#[test]
fn tdx_72_what_a_table_gives_is_well_formed() {
    let unbound = "p:r [0] ::= Integer";
    assert!(refused(&table("CT", unbound, "[0]|1")).message.contains("not bound"));
    let twice = "r [0] ::= SEQUENCE OF {a (0) [ATTRIBUTE] UTF8String a (1) [ATTRIBUTE] UTF8String}";
    assert!(refused(&table("CT", twice, "[0](0)|1\n[0](1)|1")).message.contains("comes twice"));
}

#[test]
fn tdx_14_what_is_nothing_holds_nothing() {
    let schema = "r [0] ::= SEQUENCE OF {a [0] SEQUENCE OF {x [0] Integer} OPTIONAL}";
    assert_eq!(
        back(&table("CT", schema, "[0][0]~")),
        "<r><a xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:nil=\"true\"></a></r>\n"
    );
    assert!(refused(&table("CT", schema, "[0][0]~\n[0][0][0]|1")).message.contains("nothing in it"));
}

#[test]
fn tdx_73_indices_have_a_depth() {
    let deep = format!("{}|1", "[0]".repeat(10_001));
    assert_eq!(refused(&table("CT", "r [0] ::= SEQUENCE OF {r [0] r OPTIONAL}", &deep)).code, Code::TooLarge);
    let rows = format!("{}\n", "[0]".repeat(10_000));
    let text = back(&table("CT", "r [0] ::= SEQUENCE OF {r [0] r OPTIONAL}", &rows));
    assert_eq!(text.len(), 10_000 * 7 + 1);
}
