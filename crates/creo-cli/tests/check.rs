//! `creo check`: exit codes, diagnostics as text and JSON, several files, imports.

mod common;

use common::Place;

#[test]
fn a_correct_description() {
    let place = Place::with_data();
    place.creo("check data.creo").exits(0).says("1 file OK");
    place.creo("check -q data.creo").exits(0).writes_nothing();
    assert_eq!(place.files("."), ["data.creo"], "check writes nothing");
}

#[test]
fn mistakes_are_shown_where_they_are() {
    let place = Place::new();
    place.write("bad.creo", "struct Data {\n    Strin description;\n    double[] samples\n}\n");
    let ran = place.creo("check bad.creo").exits(100);
    assert_eq!(
        ran.err,
        "\
error[unknown-type]: there is no type `Strin` here
 --> bad.creo:2:5
  |
2 |     Strin description;
  |     ^^^^^ not known
  |
  = help: did you mean `String`?

error[expected-token]: expected `;`, found `}`
 --> bad.creo:3:21
  |
3 |     double[] samples
  |                     ^ expected `;`
  |
  = help: insert `;`

2 errors
"
    );
    assert_eq!(ran.out, "");
}

#[test]
fn warnings_alone_are_no_findings() {
    let place = Place::new();
    place.write("warn.creo", "@Foo struct A {}");
    place.creo("check warn.creo").exits(0).says("warning[unknown-annotation]").says("1 warning");
}

#[test]
fn diagnostics_as_json() {
    let place = Place::new();
    place.write("bad.creo", "struct A { Strin a; int a; }\n@Foo struct B {}");
    let ran = place.creo("check --error-format json bad.creo").exits(100);
    let messages = ran.messages();
    let codes: Vec<&str> = messages.iter().map(|m| m["code"].as_str().expect("a code")).collect();
    assert_eq!(codes, ["unknown-type", "duplicate-name", "unknown-annotation"]);
    assert_eq!(messages[0]["file"], "bad.creo");
    assert_eq!(
        (&messages[0]["line"], &messages[0]["column"], &messages[0]["start"], &messages[0]["end"]),
        (&1.into(), &12.into(), &11.into(), &16.into())
    );
    assert_eq!(messages[0]["fix"]["text"], "String");
    assert_eq!(messages[1]["labels"][0]["column"], 18);
    assert_eq!(messages[2]["severity"], "warning");
    // Nothing else is among the lines.
    place.write("good.creo", "struct A {}");
    place.creo("check --error-format json good.creo").exits(0).writes_nothing();
    let failure = place.creo("check --error-format json nope.creo").exits(1).messages();
    assert_eq!(
        failure,
        [
            serde_json::json!({ "severity": "error", "message": "cannot read nope.creo: there is no such file" })
        ]
    );
}

#[test]
fn diagnostics_as_msbuild_reads_them() {
    let place = Place::new();
    place.write("bad.creo", "struct A { Strin a; int a; }\n@Foo struct B {}");
    let ran = place.creo("check --error-format msbuild bad.creo").exits(100);
    assert_eq!(
        ran.err,
        "\
bad.creo(1,12): error unknown-type: there is no type `Strin` here (did you mean `String`?)
bad.creo(1,25): error duplicate-name: the field `a` is there twice
bad.creo(2,2): warning unknown-annotation: `@Foo` is not known here, and is only kept
"
    );
    place.write("good.creo", "struct A {}");
    place.creo("check --error-format msbuild good.creo").exits(0).writes_nothing();
    let ran = place.creo("check --error-format msbuild nope.creo").exits(1);
    assert_eq!(ran.err, "creo: error: cannot read nope.creo: there is no such file\n");
    // A name or text of two lines stays on one.
    place.write("two\nlines.creo", "struct A { Strin a; }");
    let ran = place.creo_with(&["check", "--error-format", "msbuild", "two\nlines.creo"]).exits(100);
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    assert!(ran.err.starts_with("two\\nlines.creo(1,12): error unknown-type: "), "{}", ran.err);
}

#[test]
fn several_files_are_checked_and_shared_mistakes_told_once() {
    let place = Place::new();
    place.write("types.creo", "struct T { Nope n; }");
    place.write("a.creo", "import \"types.creo\"; struct A { T t; }");
    place.write("b.creo", "import \"types.creo\"; struct B { T t; }");
    let ran = place.creo("check a.creo b.creo types.creo").exits(100);
    assert_eq!(ran.err.matches("unknown-type").count(), 1, "{}", ran.err);
    assert!(ran.err.ends_with("\n1 error\n"), "{}", ran.err);
    // A file that cannot be read does not keep the others from being checked.
    place
        .creo("check nope.creo a.creo")
        .exits(1)
        .says("unknown-type")
        .says("error: cannot read nope.creo: there is no such file");
}

#[test]
fn places_in_several_files_are_shown() {
    let place = Place::new();
    place.write("types.creo", "struct Other {}\n\nstruct T {}\n");
    place.write("a.creo", "import \"types.creo\";\n\nstruct A { T t; }\n\nstruct T {}\n");
    let ran = place.creo("check a.creo").exits(100).says("error[duplicate-name]");
    assert!(ran.err.contains("a.creo:") && ran.err.contains("types.creo:"), "{}", ran.err);
}

#[test]
fn imports_are_found_beside_the_file() {
    let place = Place::new();
    place.write("deep/a.creo", "import \"../common/t.creo\"; struct A { T t; }");
    place.write("common/t.creo", "struct T {}");
    place.creo("check deep/a.creo").exits(0);
    place.creo("check ./deep/../deep/a.creo").exits(0);
    place.creo_with(&["check", place.path("deep/a.creo").to_str().expect("UTF-8")]).exits(0);
    place.write("deep/b.creo", "import \"gone.creo\"; struct A {}");
    place.creo("check deep/b.creo").exits(100).says("error[import-not-found]").says("deep/b.creo:1:8");
    place.write("deep/c.creo", "import \".\"; struct A {}");
    place.creo("check deep/c.creo").exits(100);
}

#[test]
fn colours_are_a_choice() {
    let place = Place::new();
    place.write("bad.creo", "struct A { Strin a; }");
    let escape = |arguments: &str| place.creo(arguments).err.contains('\u{1b}');
    assert!(!escape("check bad.creo"), "standard error is no terminal");
    assert!(escape("check --color always bad.creo"));
    assert!(!escape("--color never check bad.creo"));
    let no_color = |value: &str, arguments: &[&str]| {
        let output = place.command().args(arguments).env("NO_COLOR", value).output().expect("creo runs");
        output.stderr.contains(&0x1b)
    };
    assert!(!no_color("1", &["check", "bad.creo"]));
    // What was said on the command line counts more.
    assert!(no_color("1", &["check", "bad.creo", "--color", "always"]));
}

#[test]
fn a_long_line_is_shown_in_part() {
    let place = Place::new();
    let fields = |from: usize, to: usize| (from..to).map(|i| format!("int a{i}; ")).collect::<String>();
    place.write("long.creo", format!("struct A {{ {}Strin x; {}}}", fields(0, 100), fields(100, 1_000)));
    let ran = place.creo("check long.creo").exits(100).says("long.creo:1:902").says("^^^^^ not known");
    assert!(ran.err.len() < 1_000, "{}", ran.err);
    // Of a line that is larger still, the place alone.
    place.write("longer.creo", format!("struct A {{ {}Strin x; }}", fields(0, 100_000)));
    let ran =
        place.creo("check longer.creo").exits(100).says("error[unknown-type]").says("longer.creo:1:1188902");
    assert!(ran.err.len() < 1_000, "{}", ran.err);
}

#[test]
fn mistakes_without_number_are_counted_and_not_all_told() {
    let place = Place::new();
    place.write("many.creo", format!("struct A {{ {} }}", "int a; ".repeat(20_000)));
    place.creo("check many.creo").exits(100).says("19999 errors (19949 not shown; --all shows more)");
    place.creo("check --all many.creo").exits(100).says("19999 errors (18999 not shown)");
}

#[test]
fn a_span_of_many_lines_is_shown_by_its_first() {
    let place = Place::new();
    place.write("open.creo", format!("struct A {{}}\n/* open\n{}", "more\n".repeat(1000)));
    let ran =
        place.creo("check open.creo").exits(100).says("error[unterminated-comment]").says("open.creo:2:1");
    assert!(ran.err.lines().count() < 20, "{}", ran.err);
}

/// Partners' files are not descriptions, and hundreds of mistakes would not say so.
#[test]
fn xml_is_not_a_description() {
    let place = Place::new();
    place.write("a.wsdl", "<?xml version='1.0'?>\n<definitions/>");
    place.write("b.xsd", b"\xff\xfe<\0a\0/\0>\0");
    place.write("d.creo", "<definitions/>");
    place.write("c.creo", "import \"d.creo\";\nstruct C {}\n");
    for command in [
        "check a.wsdl",
        "check b.xsd",
        "generate a.wsdl --target python --out o",
        "model a.wsdl",
        "fmt a.wsdl",
    ] {
        place.creo(command).exits(1).says("it is XML, not a description; `creo import` makes a description");
    }
    place.creo("check c.creo").exits(100).says("c.creo:1:8").says("it is XML, not a description");
}

#[test]
fn errors_are_shown_before_warnings_if_there_are_many() {
    let place = Place::new();
    let many: String = (0..60).map(|i| format!("@Foo struct A{i} {{}}\n")).collect();
    place.write("warn.creo", format!("{many}struct B {{ Strin a; }}\n"));
    place
        .creo("check warn.creo")
        .exits(100)
        .says("unknown-type")
        .says("1 error, 60 warnings (11 not shown; --all shows more)");
    assert_eq!(
        place.creo("check --error-format json warn.creo").exits(100).messages().len(),
        61,
        "programs are shown all"
    );
}

/// LANG-18: each file is read once, under whatever name.
#[test]
fn a_file_is_one_file_under_all_its_names() {
    let place = Place::new();
    place.write("lab/y.creo", "import \"../lab/z.creo\"; struct Y { Z? b; }");
    place.write("lab/z.creo", "import \"y.creo\"; struct Z { Y? b; }");
    place.creo_in("lab", "check y.creo").exits(0);
    place.creo("check lab/y.creo").exits(0);
    place.creo_in("lab", "check y.creo ../lab/y.creo ./z.creo").exits(0);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("y.creo", place.path("lab/link.creo")).expect("a link");
        place.creo_in("lab", "check link.creo y.creo").exits(0);
    }
}
