//! Every production of `spec/language.md`, section 2, and the tokens of section 1: accepted texts and their meaning.

use creo_diag::{FileId, Report, SourceFile};
use creo_syntax::{DeclarationKind, LiteralKind, Tree, outline, parse};

fn read(text: &str) -> (Tree, Report) {
    let file = SourceFile::new(FileId(0), "test.creo", text);
    let mut report = Report::new();
    let tree = parse(&file, &mut report);
    (tree, report)
}

#[track_caller]
fn tree(text: &str) -> Tree {
    let (tree, report) = read(text);
    assert!(!report.has_errors(), "{report}in {text}");
    tree
}

#[track_caller]
fn says(text: &str, expected: &str) {
    assert_eq!(outline(&tree(text)), expected, "{text}");
}

#[track_caller]
fn is_refused(text: &str) {
    let (_, report) = read(text);
    assert!(report.has_errors(), "accepted: {text}");
}

/// The literal of `struct A { int a = ..; }`.
#[track_caller]
fn literal(text: &str) -> LiteralKind {
    let tree = tree(&format!("struct A {{ int a = {text}; }}"));
    let DeclarationKind::Struct(fields) = &tree.declarations[0].kind else { panic!("it is a struct") };
    fields[0].default.as_ref().expect("it has a default").kind.clone()
}

#[test]
fn white_space_means_nothing() {
    // LANG-1
    says("\u{feff}struct\tA\r\n{\x0cint a\r;}", "struct A\n    int a None\n");
    is_refused("struct A { int\u{a0}a; }");
    is_refused("struct A {\u{feff} int a; }");
}

#[test]
fn comments() {
    // LANG-2
    says("// a\rstruct /* // */ A { /* /* */ } // */", "struct A\n");
    says("/** d */ struct A { /** e */ int a; }", "doc \"d\"\nstruct A\ndoc \"e\"\n    int a None\n");
    says("/***/ struct A {} /**/", "struct A\n");
    is_refused("/* /* */ */");
    is_refused("/*/ struct A {}");
    let (_, report) = read("struct A { int a /** x */; }");
    assert_eq!(report.to_string(), "warning[unattached-doc]: this documentation belongs to nothing\n");
    // Of two, the last belongs to what follows; a comment between does not part them.
    says("/** a */ /** b */ // c\nstruct A {}", "doc \"b\"\nstruct A\n");
}

#[test]
fn names() {
    // LANG-3, LANG-4: no word is reserved where a member is named.
    says(
        "struct A { int struct; int _9; int Map; int true; }",
        "struct A\n    int struct None\n    int _9 None\n    int Map None\n    int true None\n",
    );
    says("enum E { enum, import = 3 }", "enum E\n  constant enum None\n  constant import Some(\"3\")\n");
    says(
        "interface I { void oneway(int throws); oneway void oneway() throws throws; }",
        "interface I\n  method void oneway oneway=false throws=[]\n    int throws None\n  method void oneway oneway=true throws=[\"throws\"]\n",
    );
    is_refused("struct 9a {}");
    is_refused("struct é {}");
    is_refused("struct a-b {}");
}

#[test]
fn numbers() {
    // LANG-5
    for text in ["0", "7", "-1", "0x1F", "-0xff", "9999999999999999999999999"] {
        assert_eq!(literal(text), LiteralKind::Integer(text.into()));
    }
    for (text, value) in [("1L", "1"), ("-0x1Fl", "-0x1F"), ("0l", "0")] {
        assert_eq!(literal(text), LiteralKind::Integer(value.into()));
    }
    for text in ["1.5", "-0.25", "1e3", "1E-3", "1.5e+10", "00.50", "-Infinity"] {
        assert_eq!(literal(text), LiteralKind::Decimal(text.into()));
    }
    for (text, value) in [("1.5f", "1.5"), ("1e3F", "1e3"), ("1.0d", "1.0"), ("1.0D", "1.0")] {
        assert_eq!(literal(text), LiteralKind::Decimal(value.into()));
    }
    for text in [
        "00", "01", "0x", "0xg", "1.", ".5", "1e", "1e+", "1f", "1.5L", "- 1", "--1", "+1", "1__0", "1.5.6",
        "0x1.5", "-", "-NaN", "0X1",
    ] {
        is_refused(&format!("struct A {{ int a = {text}; }}"));
    }
}

#[test]
fn strings_and_characters() {
    // LANG-6
    assert_eq!(
        literal(r#""\b\t\n\f\r\"\'\\\u00e9é/* // */""#),
        LiteralKind::String("\u{8}\t\n\u{c}\r\"'\\éé/* // */".into())
    );
    assert_eq!(literal(r#""\uD83D\uDE00""#), LiteralKind::String("😀".into()));
    assert_eq!(literal(r#""""#), LiteralKind::String(String::new()));
    for (text, unit) in
        [("'a'", 97), (r"'\''", 39), ("'\"'", 34), (r"'\uD83D'", 0xd83d), ("'é'", 0xe9), (r"'\u0000'", 0)]
    {
        assert_eq!(literal(text), LiteralKind::Character(unit), "{text}");
    }
    for text in [
        r#""\x""#,
        r#""\u12""#,
        r#""\u+123""#,
        r#""\uD83D""#,
        r#""\uDE00\uD83D""#,
        "\"a\nb\"",
        "''",
        "'ab'",
        "'😀'",
        "'a",
        "\"a",
        r#""\"#,
    ] {
        is_refused(&format!("struct A {{ int a = {text}; }}"));
    }
}

#[test]
fn other_literals() {
    assert_eq!(literal("{}"), LiteralKind::Empty);
    assert_eq!(literal("{ /* nothing */ }"), LiteralKind::Empty);
    for word in ["true", "false", "NaN", "Infinity", "RAW", "struct"] {
        assert_eq!(literal(word), LiteralKind::Word(word.into()));
    }
    is_refused("struct A { int[] a = { 1 }; }");
}

#[test]
fn files() {
    says("", "");
    says(
        "@PACKAGE(\"a\") @X import \"b\"; import \"c\"; struct A {}",
        "@PACKAGE None=\"a\"\n@X\nimport Some(\"b\")\nimport Some(\"c\")\nstruct A\n",
    );
    is_refused("struct A {} import \"b\";");
    is_refused("struct A {} @PACKAGE(\"a\")");
    is_refused("import b;");
    is_refused("import \"b\" struct A {}");
    is_refused(";");
}

#[test]
fn structs_exceptions_unions() {
    says("extensible struct A { int a = 1; };", "extensible struct A\n    int a Some(\"1\")\n");
    says("exception A {} extensible exception B {}", "exception A\nextensible exception B\n");
    says(
        "union A { int a; B b; } extensible union C {}",
        "union A\n    int a None\n    B b None\nextensible union C\n",
    );
    is_refused("union A { int a = 1; }");
    is_refused("struct A { int a, b; }");
    is_refused("struct A { a; }");
    is_refused("struct A { ; }");
    is_refused("struct { }");
    is_refused("struct A");
    is_refused("struct A {} ;;");
    is_refused("extensible extensible struct A {}");
}

#[test]
fn enums() {
    for text in ["enum E { A, B }", "enum E { A, B, }", "enum E { A, B; }", "enum E { A, B,; };"] {
        says(text, "enum E\n  constant A None\n  constant B None\n");
    }
    says("extensible enum E {}", "extensible enum E\n");
    says("enum E { ; }", "enum E\n");
    says(
        "enum E { A = 5, /** d */ @X1y B = 0x1 }",
        "enum E\n  constant A Some(\"5\")\ndoc \"d\"\n@X1y\n  constant B Some(\"0x1\")\n",
    );
    for text in [
        "enum E { , }",
        "enum E { A B }",
        "enum E { A, ,B }",
        "enum E { A; B }",
        "enum E { A;; }",
        "enum E { A = B }",
        "enum E { A = 1.0 }",
    ] {
        is_refused(text);
    }
}

#[test]
fn interfaces() {
    says("interface I {};", "interface I\n");
    says(
        "interface I { a.b.C[]? m(int a, Map<String, b.C[]>? b) throws c.D, E; }",
        "interface I\n  method a.b.C[]? m oneway=false throws=[\"c.D\", \"E\"]\n    int a None\n    Map<String, b.C[]>? b None\n",
    );
    for text in [
        "extensible interface I {}",
        "interface I { void m() }",
        "interface I { void m(int); }",
        "interface I { void m(int a,); }",
        "interface I { void m(,); }",
        "interface I { void m() throws; }",
        "interface I { void m() throws A,; }",
        "interface I { void m() throws A[]; }",
        "interface I { m(); }",
        "interface I { oneway m(); }",
        "interface I { int a; }",
        "interface I { void m(int a = 1); }",
    ] {
        is_refused(text);
    }
}

#[test]
fn streams() {
    // LANG-30
    says(
        "interface I { stream a.b m(int stream, stream Map<int, c[]?>[] x); oneway stream stream stream(stream stream stream); }",
        "interface I\n  method stream a.b m oneway=false throws=[]\n    int stream None\n    stream Map<int, c[]?>[] x None\n\
         \x20 method stream stream stream oneway=true throws=[]\n    stream stream stream None\n",
    );
    // A package may have the name.
    says(
        "interface I { stream.T m(stream.T[] a); }",
        "interface I\n  method stream.T m oneway=false throws=[]\n    stream.T[] a None\n",
    );
    // A parameter that is one comes wherever it was written: the parser does not count.
    says(
        "interface I { void m(stream int a, stream int b); }",
        "interface I\n  method void m oneway=false throws=[]\n    stream int a None\n    stream int b None\n",
    );
    for text in [
        "interface I { stream m(); }",
        "interface I { void m(stream a); }",
        "interface I { void m(stream a, int b); }",
        "interface I { stream stream int m(); }",
        "interface I { stream oneway int m(); }",
        "interface I { Map<int, stream int> m(); }",
        "struct S { stream int a; }",
        "union U { stream int a; }",
    ] {
        is_refused(text);
    }
}

#[test]
fn types() {
    says(
        "struct A { int[][]?[] a; Map<a.b, Map<int, int[]>[]>? b; }",
        "struct A\n    int[][]?[] a None\n    Map<a.b, Map<int, int[]>[]>? b None\n",
    );
    for text in [
        "int[3]",
        "int[",
        "List<int>",
        "Map<int>",
        "Map<int, int, int>",
        "Map<>",
        "Map<int, int",
        "a.",
        ".a",
        "[]",
        "?",
        "int*",
    ] {
        is_refused(&format!("struct A {{ {text} a; }}"));
    }
    // LANG-10
    for (depth, right) in [(32, true), (33, false)] {
        for text in [
            format!("int{}", "[]".repeat(depth)),
            format!("{}int{}", "Map<int,".repeat(depth), ">".repeat(depth)),
        ] {
            assert_eq!(!read(&format!("struct A {{ {text} a; }}")).1.has_errors(), right, "{text}");
        }
    }
    assert!(
        !read(&format!(
            "struct A {{ {}int{}{} a; }}",
            "Map<int,".repeat(16),
            ">".repeat(16),
            "[]".repeat(16)
        ))
        .1
        .has_errors()
    );
    is_refused(&format!(
        "struct A {{ {}int{}{} a; }}",
        "Map<int,".repeat(16),
        ">".repeat(16),
        "[]".repeat(17)
    ));
}

#[test]
fn annotations() {
    // LANG-8
    says(
        "@Deprecated @Name(java = \"x\", c = 'y') @Any(1, -1.5, true, {}, z) struct A {}",
        "@Deprecated\n@Name Some(\"java\")=\"x\" Some(\"c\")='0079'\n@Any None=1 None=-1.5 None=true None={} None=z\nstruct A\n",
    );
    says("struct A { @X1y() int a; }", "struct A\n@X1y\n    int a None\n");
    says(
        "interface I { @Ax void m(@By int a); }",
        "interface I\n@Ax\n  method void m oneway=false throws=[]\n@By\n    int a None\n",
    );
    for text in [
        "@ struct A {}",
        "@A( struct A {}",
        "@Ab(,) struct A {}",
        "@Ab(a,) struct A {}",
        "@Ab(a = ) struct A {}",
        "@Ab(a b) struct A {}",
        "@Ab",
        "struct A { @Ab }",
    ] {
        is_refused(text);
    }
    is_refused("struct A { @PACKAGE(\"x\") int a; }");
    is_refused("@Deprecated import \"x\";");
}

/// LANG-11: after a mistake the rest is read, and what can be kept is kept.
#[test]
fn what_stands_beside_mistakes_is_read() {
    let (tree, report) = read("struct A { int a; int int int; int b; } strict C {} struct D { int d; }");
    assert_eq!(report.errors(), 2);
    assert_eq!(outline(&tree), "struct A\n    int a None\n    int b None\nstruct D\n    int d None\n");
    let (tree, report) = read("interface I { void m(int a; void n(); }\nenum E { A, 5, B }");
    assert_eq!(report.errors(), 2);
    assert_eq!(
        outline(&tree),
        "interface I\n  method void n oneway=false throws=[]\nenum E\n  constant A None\n  constant B None\n"
    );
}
