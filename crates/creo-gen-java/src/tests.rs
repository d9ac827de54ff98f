//! Lowering and rendering, on small descriptions.

use crate::Java;
use creo_codegen::{Files, Input, Runtime, Target};

fn generate(text: &str) -> Files {
    let model = creo_check::compile(&[("test.creo", text)]).unwrap_or_else(|report| panic!("{report:?}"));
    Java.generate(&Input::new(&Java, &model))
}

fn file<'f>(files: &'f Files, path: &str) -> &'f str {
    files.get(path).unwrap_or_else(|| {
        panic!("{path} is not among {:?}", files.iter().map(|(p, _)| p).collect::<Vec<_>>())
    })
}

fn holds(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no {part:?} in\n{text}");
    }
}

#[test]
fn a_struct_is_a_record_and_a_codec() {
    let files = generate("@PACKAGE(\"a.b\") struct Data { String text; double[] samples; Data[] parts; }");
    holds(
        file(&files, "a/b/Data.java"),
        &[
            "package a.b;",
            "import java.util.List;",
            "public record Data(String text, double[] samples, List<Data> parts) implements Serializable {",
            "this.text.equals(creo_that.text)",
            "Values.equal(this.samples, creo_that.samples)",
        ],
    );
    holds(
        file(&files, "a/b/DataCodec.java"),
        &[
            "w.writeString(v.text());",
            "w.writeDoubles(v.samples());",
            "writeListOfData(w, v.parts());",
            "r.enter();",
            "items[i] = DataCodec.decode(r);",
        ],
    );
}

#[test]
fn defaults_and_optionals_may_be_left_out() {
    let files = generate("extensible struct Query { String text; int? most; int limit = 100; }");
    holds(
        file(&files, "service/Query.java"),
        &[
            "public record Query(String text, @Nullable Integer most, int limit) implements Serializable {",
            "public static Query of(String text) {",
            "return new Query(text, null, 100);",
            "public Query withLimit(int limit) {",
            "return toBuilder().limit(limit).build();",
            "@param most or null",
        ],
    );
    holds(
        file(&files, "service/QueryCodec.java"),
        &["int f2 = r.inRegion() ? r.readInt() : 100;", "throw r.missing();", "r.closeRegion(outer);"],
    );
}

/// Constructors check and copy a value, however it is made.
#[test]
fn constructors_refuse_null_and_copy_lists_and_maps() {
    let files = generate(
        "struct Item { int x; } \
         struct All { String text; String? note; byte[] bytes; byte[]? more; Item[] items; Item?[] holes; int[][][] cube; Map<String, Item[]> named; Item[]? others; int n; } \
         union Any { Item[] items; String? text; int n; }",
    );
    let all = file(&files, "service/All.java");
    holds(
        all,
        &[
            "public record All(String text, @Nullable String note, byte[] bytes, byte @Nullable [] more, List<Item> items, List<@Nullable Item> holes, List<List<int[]>> cube, Map<String, List<Item>> named, @Nullable List<Item> others, int n) implements Serializable {",
            "    public All {\n        Objects.requireNonNull(text, \"text\");\n        Objects.requireNonNull(bytes, \"bytes\");\n",
            "items = Lists.copyOf(items, \"items\");",
            "holes = Lists.copyOfNullable(holes, \"holes\");",
            "cube = Lists.copyOf(cube, \"cube\", creo_0 -> Lists.copyOf(creo_0, \"cube[]\"));",
            "named = Lists.copyOf(named, \"named\", creo_0 -> Lists.copyOf(creo_0, \"named{}\"));",
            "others = others == null ? null : Lists.copyOf(others, \"others\");",
            "&& this.text.equals(creo_that.text)",
            "&& Objects.equals(this.note, creo_that.note)",
            "&& this.n == creo_that.n;",
            "Integer.hashCode(this.n)",
            "return new All(text, note, bytes, more, items, holes, cube, named, others, Objects.requireNonNull(n, \"n\"));",
        ],
    );
    holds(
        file(&files, "service/Any.java"),
        &[
            "public Items {\n            value = Lists.copyOf(value, \"value\");",
            "record Text(@Nullable String value)",
            "record N(int value) implements Any {\n    }",
        ],
    );
    assert!(!file(&files, "service/Item.java").contains("public Item {"), "an int is never null");
}

#[test]
fn a_wither_is_as_long_for_many_fields_as_for_few() {
    let of = |count: usize| {
        let fields: String = (0..count).map(|i| format!("String? field{i};")).collect();
        file(&generate(&format!("struct Row {{ {fields} }}")), "service/Row.java").len()
    };
    assert!(of(200) < 23 * of(10), "{} and {}", of(200), of(10));
}

#[test]
fn a_struct_called_builder_has_one() {
    let files = generate("struct Builder { int builder; String toBuilder; } struct Other { Builder b; }");
    holds(
        file(&files, "service/Builder.java"),
        &[
            "public record Builder(int builder_, String toBuilder_)",
            "public static Builder_ builder() {",
            "public static final class Builder_ {",
        ],
    );
    holds(
        file(&files, "service/Other.java"),
        &["public record Other(service.Builder b)", "public Builder b(service.Builder b) {"],
    );
}

#[test]
fn a_package_called_builder_is_not_hidden() {
    let model = creo_check::compile(&[
        ("a.creo", "@PACKAGE(\"a\") import \"b.creo\"; struct Point { Builder.x.Point other; }"),
        ("b.creo", "@PACKAGE(\"Builder.x\") struct Point { int x; }"),
    ])
    .unwrap_or_else(|report| panic!("{report:?}"));
    let files = Java.generate(&Input::new(&Java, &model));
    holds(
        file(&files, "a/Point.java"),
        &["record Point(Builder.x.Point other)", "public static final class Builder_ {"],
    );
}

#[test]
fn fields_do_not_take_part_in_serialization() {
    let files = generate(
        "struct Data { int serialVersionUID; String readResolve; } extensible enum Level { serialVersionUID }",
    );
    holds(file(&files, "service/Data.java"), &["int serialVersionUID_, String readResolve_"]);
    holds(file(&files, "service/Level.java"), &["new Level(0, \"serialVersionUID_\")"]);
}

#[test]
fn fixed_fields_are_one_block() {
    let files = generate("struct Block { double d; short s; } struct Blocks { int a; Block[] items; }");
    holds(
        file(&files, "service/BlockCodec.java"),
        &[
            "public static final int SIZE = 10;",
            "Bytes.putShort(b, p + 8, v.s());",
            "short f1 = Bytes.getShort(b, p + 8);",
        ],
    );
    holds(
        file(&files, "service/BlocksCodec.java"),
        &[
            "int k = r.window(10, items.length - i, BlockCodec.LAYOUT);",
            "BlockCodec.put(b, p, items.get(i));",
        ],
    );
}

#[test]
fn a_block_has_1024_bytes_at_most() {
    let fields: String = (0..129).map(|i| format!("double f{i};")).collect();
    let files = generate(&format!("struct Row {{ {fields} }}"));
    let codec = file(&files, "service/RowCodec.java");
    holds(
        codec,
        &[
            "int p0 = w.reserve(1024);",
            "Bytes.putDouble(b0, p0 + 1016, v.f127());",
            "w.writeDouble(v.f128());",
        ],
    );
    assert!(!codec.contains("SIZE"), "{codec}");
}

#[test]
fn names_of_java_are_escaped() {
    let files = generate(
        "struct class_ { int int; int hashCode; int of; } struct record { String x; } struct String_ { String String; } \
         interface Odd { void wait(int new); void close(); int yield(); }",
    );
    holds(file(&files, "service/class_.java"), &["int int_, int hashCode_, int of_"]);
    holds(file(&files, "service/class_Codec.java"), &["FIELDS = {\"int\", \"hashCode\", \"of\"}"]);
    assert!(files.get("service/record_.java").is_some());
    holds(file(&files, "service/Odd.java"), &["void wait_(int new_);", "void close_();", "int yield_();"]);
}

#[test]
fn a_type_named_like_one_of_the_jdk_hides_it() {
    let files = generate("struct Object { int x; } struct List { String[] items; byte[] data; }");
    let list = file(&files, "service/List.java");
    holds(list, &["java.util.List<String> items", "equals(java.lang.Object creo_other)"]);
    assert!(!list.contains("import java.util.List;"), "{list}");
    holds(file(&files, "service/ListCodec.java"), &["public static List decode(Reader r)"]);
}

#[test]
fn a_union_names_its_members_apart_from_types() {
    let files = generate("struct Circle { double r; } extensible union Shape { Circle circle; int side; }");
    holds(
        file(&files, "service/Shape.java"),
        &[
            "public sealed interface Shape extends Serializable {",
            "record Circle(service.Circle value) implements Shape {",
            "record Side(int value) implements Shape {",
            "record Unknown(",
        ],
    );
    holds(
        file(&files, "service/ShapeCodec.java"),
        &["case 0 -> new Shape.Circle(CircleCodec.decode(r));", "r.closeFullRegion(outer);"],
    );
}

#[test]
fn enums_know_their_numbers() {
    let files = generate("enum Colour { RED, GREEN = 5 } extensible enum Level { LOW }");
    holds(file(&files, "service/Colour.java"), &["public enum Colour {", "GREEN(5);", "case 5 -> GREEN;"]);
    holds(
        file(&files, "service/Level.java"),
        &["public final class Level implements Serializable {", "public boolean isKnown() {"],
    );
}

#[test]
fn methods_throw_what_they_declare() {
    let files = generate(
        "exception Lost { String why; } interface Store { String get(int key) throws Lost; oneway void touch(int key); }",
    );
    holds(
        file(&files, "service/Lost.java"),
        &[
            "public final class Lost extends DeclaredException {",
            "private final String why;",
            "public Lost(String why) {",
            "public Lost(String why, @Nullable Throwable cause) {",
            "this.why = Objects.requireNonNull(why, \"why\");",
            "public String why() {",
            "return \"why=\" + this.why;",
        ],
    );
    holds(file(&files, "service/Store.java"), &["String get(int key) throws Lost;", "void touch(int key);"]);
    holds(
        file(&files, "service/StoreAsync.java"),
        &["CompletionStage<String> get(int key);", "CompletionStage<Void> touch(int key);"],
    );
    holds(file(&files, "service/StoreClient.java"), &["catch (RuntimeException | Lost creo_e) {"]);
    holds(
        file(&files, "service/StoreMethods.java"),
        &[
            "ServiceMethod.oneway(INTERFACE, \"touch\"",
            "new ServiceMethod.Thrown<>(Lost.class, LostCodec.CODEC)",
        ],
    );
}

#[test]
fn deprecation_is_passed_on_and_does_not_warn_here() {
    let files =
        generate("@Deprecated(\"use New\") struct Old { int x; } struct New { @Deprecated int y; Old old; }");
    holds(file(&files, "service/Old.java"), &["@deprecated use New", "@Deprecated\n"]);
    holds(file(&files, "service/New.java"), &["@SuppressWarnings(\"deprecation\")", "@Deprecated int y"]);
}

#[test]
fn texts_hide_secrets() {
    let files = generate(
        "struct Plain { String a; @Secret long b; } struct Held { @Secret double[] c; int d; }
         exception Denied { @Secret String message; } union Proof { @Secret String pin; int number; }",
    );
    holds(file(&files, "service/Plain.java"), &["\"a=\" + this.a", "+ \", b=***\""]);
    holds(file(&files, "service/Held.java"), &["+ \"c=***\"", "+ \", d=\" + this.d"]);
    holds(file(&files, "service/Denied.java"), &["return \"message=***\";"]);
    let proof = file(&files, "service/Proof.java");
    holds(proof, &["+ \"value=***\""]);
    assert_eq!(proof.matches("toString").count(), 1, "the number is shown: {proof}");
}

#[test]
fn docs_and_names_cannot_inject_code() {
    let files = generate(
        "/** Ends here: *\u{2f} class Evil {} \\u002a\\u002f */ struct Data { /** @throws x */ int x; }"
            .replace("*\u{2f} class", "* / class")
            .as_str(),
    );
    let data = file(&files, "service/Data.java");
    holds(data, &["&#92;u002a&#92;u002f", "&#64;throws x"]);
    assert!(data.is_ascii());
}

#[test]
fn packages_refer_to_one_another() {
    let model = creo_check::compile(&[
        ("a.creo", "@PACKAGE(\"a\") import \"b.creo\"; struct Point { b.Point other; }"),
        ("b.creo", "@PACKAGE(\"b\", java = \"org.b\") struct Point { int x; }"),
    ])
    .unwrap_or_else(|report| panic!("{report:?}"));
    let files = Java.generate(&Input::new(&Java, &model));
    holds(
        file(&files, "a/Point.java"),
        &["public record Point(org.b.Point other) implements Serializable {"],
    );
    holds(file(&files, "org/b/Point.java"), &["package org.b;"]);
}

#[test]
fn a_struct_with_more_fields_than_a_constructor_takes_has_a_builder() {
    let fields: String = (0..128).map(|i| format!("double f{i};")).collect();
    let files = generate(&format!("struct Row {{ {fields} }}"));
    holds(
        file(&files, "service/Row.java"),
        &[
            "public final class Row implements Serializable {",
            "public static final class Builder {",
            "private Double f0;",
            "this.f0 = Objects.requireNonNull(creo_builder.f0, \"f0\");",
            "public boolean equals(",
        ],
    );
    holds(file(&files, "service/RowCodec.java"), &["new Row.Builder().f0(f0).f1(f1)"]);
    let files = generate(&format!("struct Row {{ {} }}", fields.replace("double f127;", "")));
    holds(file(&files, "service/Row.java"), &["public record Row("]);
}

#[test]
fn the_runtime_goes_out_when_asked_for() {
    let model = creo_check::compile(&[("a.creo", "struct A { int x; }")])
        .unwrap_or_else(|report| panic!("{report:?}"));
    let files = Java.generate(&Input { runtime: Runtime::Copy, ..Input::new(&Java, &model) });
    let has = |path: &str, line: &str| files.get(path).is_some_and(|text| text.contains(line));
    assert!(has("creo/runtime/codegen/Reader.java", "package creo.runtime.codegen;"));
    assert!(has("creo/runtime/Limits.java", "package creo.runtime;"));
    assert!(files.get("module-info.java").is_none());
}

#[test]
fn a_runtime_that_moves_takes_its_packages_along() {
    let model = creo_check::compile(&[("a.creo", "struct A { int x; }")])
        .unwrap_or_else(|report| panic!("{report:?}"));
    let input =
        Input { runtime: Runtime::Copy, runtime_package: Some("org.acme.rt"), ..Input::new(&Java, &model) };
    let files = Java.generate(&input);
    let has = |path: &str, line: &str| files.get(path).is_some_and(|text| text.contains(line));
    assert!(has("org/acme/rt/codegen/Reader.java", "package org.acme.rt.codegen;"));
    assert!(has("org/acme/rt/codegen/Reader.java", "import org.acme.rt.internal.buffer.Failures;"));
    assert!(has("service/ACodec.java", "import org.acme.rt.codegen.Reader;"));
    assert!(
        files.iter().all(|(path, text)| !path.ends_with(".java") || !text.contains("import creo.runtime"))
    );
}

#[test]
fn a_method_with_more_parameters_than_java_allows_is_refused() {
    let refusals = |parameter: &str, count: usize| {
        let parameters: Vec<String> = (0..count).map(|i| format!("{parameter} p{i}")).collect();
        let text = format!(
            "@PACKAGE(\"a.b\") interface Wide {{ void small(long p); void call({}); }}",
            parameters.join(", ")
        );
        let model =
            creo_check::compile(&[("test.creo", &text)]).unwrap_or_else(|report| panic!("{report:?}"));
        Java.refusals(&model)
    };
    assert_eq!(refusals("int", 254), []);
    assert_eq!(refusals("double", 127), []);
    assert_eq!(refusals("double?", 254), []);
    for (parameter, count, slots) in [("int", 255, 255), ("double", 128, 256), ("long", 200, 400)] {
        let refused = refusals(parameter, count);
        assert_eq!(refused.len(), 1);
        assert_eq!(refused[0].code, "too-many-parameters");
        let said = format!("`a.b.Wide.call` has {count} parameters that take the place of {slots}");
        assert!(refused[0].message.contains(&said), "{}", refused[0].message);
    }
}

#[test]
fn enums_of_too_many_constants_are_refused() {
    for (count, refused) in [(3_000, 0), (3_001, 1)] {
        let constants: Vec<String> = (0..count).map(|i| format!("C{i}")).collect();
        let text = format!("@PACKAGE(\"a.b\") enum Code {{ {} }}", constants.join(", "));
        let model =
            creo_check::compile(&[("test.creo", &text)]).unwrap_or_else(|report| panic!("{report:?}"));
        let refusals = Java.refusals(&model);
        assert_eq!(refusals.len(), refused);
        for refusal in refusals {
            assert!(refusal.code == "too-many-constants" && refusal.message.contains("`a.b.Code` has 3001"));
        }
    }
}

#[test]
fn a_struct_has_a_pair_for_text_wires() {
    let files = generate(
        "@PACKAGE(\"a.b\") struct Data { @Xml(attribute) int id; String text; double[] samples; Data?[] parts; Map<String, int> counts; @Xml(inline) Choice choice; int? most; } \
         @Xml(derived) union Either { Data one; } union Choice { int x; String y; } enum Size { @Xml(name = \"<s>\") SMALL }",
    );
    holds(
        file(&files, "a/b/DataText.java"),
        &[
            "private static final String N0 = \"urn:creo:a.b\";",
            "private static final TextField F0 = TextField.attribute(\"id\", \"\", \"id\").is(TextType.INTEGER);",
            "private static final TextField F2 = TextField.element(\"samples\", N0, \"samples\").repeated(TextField.element(null, N0, \"samples\").is(TextType.REAL)).charges(0, 8);",
            ".holds(() -> new TextCodec<?>[] {DataText.CODEC, ChoiceText.CODEC}).recursive();",
            "CODEC = TextCodec.of(\"a.b.Data\", ",
            ".shape(RECORD);",
            ".nillable().optional()",
            "TextField.inline(\"choice\").starts(N0, \"x\", \"y\").is(TextType.UNION);",
            "w.beginRecord(f, RECORD);",
            "w.content(f, RECORD);",
            "w.writeDoubles(F2, v.samples());",
            "for (int i = r.next(0); i >= 0; i = r.next(i + 1)) {",
            "case 2 -> f2 = r.readDoubles();",
            "case 6 -> f6 = r.nil() ? null : r.readInt();",
            "double[] f2 = TextReader.NO_DOUBLES;",
            "throw r.duplicateKey();",
            "public static byte[] toXml(Data value) {",
        ],
    );
    let text = file(&files, "a/b/DataText.java");
    let position = |part: &str| text.find(part).unwrap_or_else(|| panic!("no {part:?} in\n{text}"));
    assert!(position("w.writeInt(F0, v.id());") < position("w.content(f, RECORD);"), "attributes come first");
    assert!(
        position("w.content(f, RECORD);") < position("w.writeString(F1, v.text());"),
        "elements come behind them"
    );
    holds(file(&files, "a/b/EitherText.java"), &["TextField.derived(\"one\", N0, \"Data\")", ".derived()"]);
    holds(
        file(&files, "a/b/SizeText.java"),
        &["TextEnum.of(\"Size\", new String[] {\"<s>\"}, new int[] {0}).names(\"SMALL\");"],
    );
}

/// Element names and white space handling belong to the field: they need no other methods.
#[test]
fn lists_of_one_type_share_their_methods_on_text_wires() {
    let files = generate(
        "@PACKAGE(\"a.b\") struct Data { String[][] a; @Xml(name = \"other\", type = \"token\") String[][] b; int[][] c; String?[] d; }",
    );
    let text = file(&files, "a/b/DataText.java");
    let signatures = [
        "writeList_0(TextWriter w, TextField f, List<List<String>> v) {",
        "writeList_1(TextWriter w, TextField f, List<int[]> v) {",
        "writeList_2(TextWriter w, TextField f, List<String> v) {",
        "writeList_3(TextWriter w, TextField f, List<String> v) {",
    ];
    holds(text, &signatures);
    assert_eq!(text.matches("private static void writeList_").count(), signatures.len(), "{text}");
}

#[test]
fn methods_have_messages_for_text_wires() {
    let files = generate(
        "@PACKAGE(\"a.b\") exception Lost { String what; } interface Store { \
         long put(@Xml(header) String who, int value) throws Lost; @Xml(bare, action = \"urn:ping\") @XmlResponse(bare) void ping(); oneway void note(String text); }",
    );
    holds(
        file(&files, "a/b/StoreTexts.java"),
        &[
            "TextMethod.of(\"urn:creo:a.b:Store/put\", TextMessage.<StoreMethods.Put>of(E_0, RECORD_0, StoreTexts::header_0, StoreTexts::write_0, StoreTexts::read_0, false, N0)",
            "LostText.CODEC);",
            "TextMethod.of(\"urn:ping\", TextMessage.<StoreMethods.Ping>of(null, RECORD_1, null,",
            "StoreTexts::read_2, false, N0), null);",
            "private static final TextField F_0_0 = TextField.element(\"who\", N0, \"who\").header();",
        ],
    );
    holds(file(&files, "a/b/StoreMethods.java"), &[".text(() -> StoreTexts.PUT);"]);
}

/// A class file holds 65,535 constants and 64 KiB of static initialization; `javac` processes chains of calls recursively.
#[test]
fn an_interface_of_many_methods_is_spread() {
    let methods: String = (0..250).map(|i| format!("int call{i}(int a, int[][] b); ")).collect();
    let files = generate(&format!("@PACKAGE(\"a.b\") interface Wide {{ {methods} }}"));
    for (part, count) in [("", 100), ("2", 100), ("3", 50)] {
        let methods = file(&files, &format!("a/b/WideMethods{part}.java"));
        assert_eq!(methods.matches("static final ServiceMethod<").count(), count, "{part}");
        assert_eq!(methods.matches("endpoint.asyncMethod(").count(), count, "{part}");
        assert_eq!(methods.matches("private static void writeListOfListOfInt(").count(), 1, "{part}");
        assert_eq!(
            file(&files, &format!("a/b/WideTexts{part}.java")).matches("static final TextMethod<").count(),
            count,
            "{part}"
        );
    }
    holds(
        file(&files, "a/b/WideMethods3.java"),
        &[
            "static final ServiceMethod<WideMethods3.Call249, Integer> CALL249 = ServiceMethod.of(WideMethods.INTERFACE, ",
            ".text(() -> WideTexts3.CALL249);",
            "static void serve(Endpoint.Builder endpoint, Wide service) {",
            "endpoint.method(WideMethods3.CALL249, a -> service.call249(a.a(), a.b()));",
        ],
    );
    holds(
        file(&files, "a/b/WideClient.java"),
        &["creo_channel.call(WideMethods3.CALL249, new WideMethods3.Call249(a, b), creo_options)"],
    );
    holds(
        file(&files, "a/b/WideEndpoint.java"),
        &["WideMethods.serve(endpoint, service);", "WideMethods3.serveAsync(endpoint, service);"],
    );
}

#[test]
fn documents_are_embedded_in_constants_that_are_not_too_long() {
    let model = creo_check::compile(&[("test.creo", "@PACKAGE(\"a.b\") interface Store { void ping(); }")])
        .unwrap_or_else(|report| panic!("{report:?}"));
    let text = "<a>\n".repeat(10_000) + &"\u{e9}\"\\".repeat(10_000);
    let document = |kind, text: &str| creo_codegen::Document {
        kind,
        interface: "a.b.Store".to_owned(),
        text: text.to_owned(),
    };
    let documents = [
        document(creo_codegen::DocumentKind::Wsdl, &text),
        document(creo_codegen::DocumentKind::OpenApi, "{}\n"),
        document(creo_codegen::DocumentKind::Description, "{\n}\n"),
    ];
    let files = Java.generate(&Input { documents: &documents, ..Input::new(&Java, &model) });
    let wsdl = file(&files, "a/b/StoreWsdl.java");
    holds(wsdl, &["\"<a>\\n\"", "+ \"<a>\\n\"", "return Documents.wsdl(address, \"CREO-ADDRESS\", PARTS);"]);
    assert_eq!(wsdl.matches("<a>").count(), 10_000);
    assert!(wsdl.split(",\n").all(|part| part.len() < 100_000));
    holds(
        file(&files, "a/b/StoreOpenApi.java"),
        &["\"{}\\n\"", "return Documents.openApi(address, \"CREO-ADDRESS\", PARTS);"],
    );
    holds(
        file(&files, "a/b/StoreDescription.java"),
        &["\"{\\n\"", "static String text() {", "return String.join(\"\", PARTS);"],
    );
    holds(
        file(&files, "a/b/StoreEndpoint.java"),
        &[".wsdl(StoreWsdl::at)", ".openApi(StoreOpenApi::at)", ".description(StoreDescription::text)"],
    );
    let without = Java.generate(&Input::new(&Java, &model));
    assert!(without.get("a/b/StoreWsdl.java").is_none() && without.get("a/b/StoreOpenApi.java").is_none());
}
