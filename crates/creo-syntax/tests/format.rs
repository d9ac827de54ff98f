//! LANG-27: one form, comments kept, and the same after a second time.

use creo_diag::{FileId, Report, SourceFile};
use creo_syntax::{format, outline, parse};

/// The formatted text, after the properties that hold of every text were checked.
fn formatted(text: &str) -> String {
    let (first, tree) = once(text);
    let (second, again) = once(&first);
    assert_eq!(tree, again, "formatting changed the meaning of\n{text}\nto\n{first}");
    assert_eq!(first, second, "formatting twice differs for\n{text}");
    first
}

fn once(text: &str) -> (String, String) {
    let file = SourceFile::new(FileId(0), "test.creo", text);
    let mut report = Report::new();
    let tree = parse(&file, &mut report);
    assert!(!report.has_errors(), "{report}in\n{text}");
    (format(&file, &tree), outline(&tree))
}

fn check(text: &str, expected: &str) {
    assert_eq!(formatted(text), expected, "for\n{text}");
}

#[test]
fn nothing_stays_nothing() {
    check("", "");
    check(" \n\t\n", "");
    check("\u{feff}// only a comment", "// only a comment\n");
}

#[test]
fn a_whole_file() {
    check(
        r#"


@PACKAGE ( "a.b" ,python="c" ) @NAMESPACE("urn:x") import "x.creo" ; import "y.creo";

import "z.creo";
/** Doc.
      * More.
 */ @Deprecated("x") @Name(java="J")
extensible   struct A{int a=1;/* one */ String ? b ; // two


// three
   Map < String , a . b . C [ ] > c = { } ; } ;
enum E { A , B=2 ,
C ; }
union U { double a; }
interface I { }
interface J {
 @Deprecated void a ( int x , @Name(c="y") String y ) throws A , B ;
 @Deprecated
 oneway void b();



 /** Doc. */ Data[] c(Map<String,int>[] x);
}
"#,
        r#"@PACKAGE("a.b", python = "c")
@NAMESPACE("urn:x")

import "x.creo";
import "y.creo";

import "z.creo";

/** Doc.
 * More.
 */
@Deprecated("x")
@Name(java = "J")
extensible struct A {
    int a = 1; /* one */
    String? b; // two

    // three
    Map<String, a.b.C[]> c = {};
}

enum E {
    A,
    B = 2,
    C
}

union U { double a; }

interface I {}

interface J {
    @Deprecated void a(int x, @Name(c = "y") String y) throws A, B;
    @Deprecated
    oneway void b();

    /** Doc. */
    Data[] c(Map<String, int>[] x);
}
"#,
    );
}

#[test]
fn what_fits_on_a_line_stays_there() {
    check("struct A { int a; /* x */ int b; }", "struct A { int a; /* x */ int b; }\n");
    check("enum A{B,C=3,}", "enum A { B, C = 3 }\n");
    check(
        "interface I { void m(/** d */ int a, /* b */ Map</* k */ int, int /* v */> c /* d */); }",
        "interface I { void m(/** d */ int a, /* b */ Map</* k */ int, int /* v */> c /* d */); }\n",
    );
    check("struct A { /** d */ int a; }", "struct A { /** d */ int a; }\n");
    let name = "x".repeat(80);
    check(&format!("struct A {{ int {name}; }}"), &format!("struct A {{ int {name}; }}\n"));
    let name = "x".repeat(90);
    check(&format!("struct A {{ int {name}; }}"), &format!("struct A {{\n    int {name};\n}}\n"));
    check("struct A {\n}\nstruct B { /* none */ }", "struct A {}\n\nstruct B { /* none */ }\n");
}

#[test]
fn long_methods_are_broken_at_their_parameters() {
    check(
        "interface I { Data find(String aVeryLongParameterNameToFillTheLine, Map<String, int> another, @Name(c = \"z\") int third) throws X; }",
        "interface I {
    Data find(
        String aVeryLongParameterNameToFillTheLine,
        Map<String, int> another,
        @Name(c = \"z\") int third
    ) throws X;
}
",
    );
    check(
        "interface I {\n void a(int x, // why\n int y /* z */);\n void b(\n int x); }",
        "interface I {\n    void a(\n        int x, // why\n        int y /* z */\n    );\n    void b(int x);\n}\n",
    );
    check("interface I {\n void a(// none\n); }", "interface I {\n    void a(// none\n    );\n}\n");
}

#[test]
fn comments_stay_where_they_stand() {
    check(
        "struct A {}// a\n// b\nstruct B {} /* c */ struct C {}",
        "struct A {} // a\n\n// b\nstruct B {} /* c */\n\nstruct C {}\n",
    );
    check("struct A {\n int a // x\n ; int b;\n}", "struct A {\n    int a; // x\n    int b;\n}\n");
    check(
        "interface I {\n void m(int a)\n /* c */ ;\n}",
        "interface I {\n    void m(int a);\n    /* c */\n}\n",
    );
    check("enum A {\n B, // b\n C, // c\n}", "enum A {\n    B, // b\n    C // c\n}\n");
    check("enum A {\n B // b\n , C // c\n}", "enum A {\n    B, // b\n    C // c\n}\n");
    check("struct A {\n int // x\n a;\n}", "struct A {\n    int // x\n        a;\n}\n");
    check(
        "struct A {\n // first\n\n // second\n int a;\n // last\n}\n// end",
        "struct A {\n    // first\n\n    // second\n    int a;\n    // last\n}\n// end\n",
    );
    check("/*\n  drawing\n   *\n*/\nstruct A {}", "/*\n  drawing\n   *\n*/\nstruct A {}\n");
    check(
        "struct A {\n      /*\n      * x\n          */\n int a;\n}",
        "struct A {\n    /*\n     * x\n     */\n    int a;\n}\n",
    );
    check("struct A {}\r\n\r\n// x\r\nstruct B {}", "struct A {}\n\n// x\nstruct B {}\n");
}

#[test]
fn documentation_does_not_move_to_something_else() {
    check("struct A {} /** nobody's */ ; struct B {}", "struct A {} /** nobody's */;\n\nstruct B {}\n");
    check("enum A { B /** nobody's */ , C }", "enum A { B /** nobody's */, C }\n");
    check("struct A { int a /** nobody's */ ; int b; }", "struct A { int a /** nobody's */; int b; }\n");
    check(
        "interface I { void a /** nobody's */ (int b); }",
        "interface I { void a /** nobody's */(int b); }\n",
    );
}

#[test]
fn a_text_with_mistakes_is_left_alone() {
    let file = SourceFile::new(FileId(0), "test.creo", "struct  A { int }");
    let tree = parse(&file, &mut Report::new());
    assert_eq!(format(&file, &tree), "struct  A { int }");
}

#[test]
fn streams() {
    check(
        "interface I{stream   Tick\n ticks(long count)throws A;long sum( @Name(c=\"n\")stream\tlong numbers ) ; stream byte[ ]?both(stream Map<int,A>/* all */asks); }",
        r#"interface I {
    stream Tick ticks(long count) throws A;
    long sum(@Name(c = "n") stream long numbers);
    stream byte[]? both(stream Map<int, A> /* all */ asks);
}
"#,
    );
    let long = "a_parameter_with_a_name_that_takes_a_lot_of_space";
    check(
        &format!("interface I {{ stream int m(int {long}, stream int {long}2); }}"),
        &format!(
            "interface I {{\n    stream int m(\n        int {long},\n        stream int {long}2\n    );\n}}\n"
        ),
    );
}
