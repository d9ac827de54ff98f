//! Values as bytes: the worked examples of `spec/wires/binary.md`, and every type with bytes written by hand from its table.

mod common;

use common::{One, hex, method, model};
use creo_inspect::{Limits, Subject, decode, encode};
use creo_json::{parse_json, print_json};
use creo_model::Type;

const LANGUAGE: &str = r#"
@PACKAGE("org.example.data")
struct MetaData { String description; long timestamp; }
struct Data { MetaData metadata; double[] samples; }
exception NotFound { String description; }
interface DataService {
    void storeData(Data[] data);
    Data retrieveData(String description) throws NotFound;
}
"#;

#[test]
fn worked_example_data() {
    let model = model(LANGUAGE);
    let ty = Type::Named(model.find("org.example.data.Data").expect("Data"));
    let bytes = hex("03                        | count of bytes of metadata.description
                     43 4f 32                  | CO2
                     00 00 00 00 00 00 00 01   | metadata.timestamp = 1
                     02                        | count of samples
                     3f f0 00 00 00 00 00 00   | samples[0] = 1.0
                     c0 04 00 00 00 00 00 00   | samples[1] = -2.5");
    let value =
        parse_json(r#"{"metadata":{"description":"CO2","timestamp":1},"samples":[1.0,-2.5]}"#).expect("JSON");
    let limits = Limits::default();
    assert_eq!(encode(&model, &Subject::Type(&ty), &value, &limits), Ok(bytes.clone()));
    assert_eq!(decode(&model, &Subject::Type(&ty), &bytes, &limits), Ok(value));
}

#[test]
fn worked_example_query() {
    One::new("Query", "extensible struct Query { String description; Quality? atLeast; int limit = 100; } enum Quality { RAW, CHECKED, CERTIFIED }")
        .both(r#"{"description":"é","atLeast":"CHECKED","limit":100}"#, "00000009 02c3a9 01 01 00000064");
}

#[test]
fn worked_example_shape() {
    One::new("Shape", "union Shape { double circle; int[] sides; }")
        .both(r#"{"sides":[3,4]}"#, "01 02 00000003 00000004");
}

#[test]
fn worked_example_map() {
    One::new("Map<String, short>", "").both(r#"{"a":1,"b":-1}"#, "02 0161 0001 0162 ffff");
}

#[test]
fn worked_examples_of_time_decimal_and_count() {
    One::new("DateTime", "")
        .writes(r#""1969-12-31T23:59:59.5Z""#, "ffffffffffffffff 1dcd6500")
        .reads(r#""1969-12-31T23:59:59.500Z""#, "ffffffffffffffff 1dcd6500");
    One::new("Decimal", "").both(r#""-1.50""#, "05 2d312e3530");
    let zeros = "00".repeat(300);
    let falses = format!("[{}]", vec!["false"; 300].join(","));
    One::new("boolean[]", "").both(&falses, &format!("ac02 {zeros}"));
}

#[test]
fn integers() {
    One::new("boolean", "").both("false", "00").both("true", "01");
    One::new("byte", "").both("-128", "80").both("127", "7f").both("-1", "ff");
    One::new("short", "").both("-32768", "8000").both("258", "0102");
    One::new("int", "").both("-2147483648", "80000000").both("16909060", "01020304");
    One::new("long", "")
        .both("9007199254740991", "001fffffffffffff")
        .both(r#""9007199254740992""#, "0020000000000000")
        .both(r#""-9223372036854775808""#, "8000000000000000")
        .writes("9223372036854775807", "7fffffffffffffff")
        .writes(r#""-1""#, "ffffffffffffffff");
}

#[test]
fn characters() {
    One::new("char", "")
        .both(r#""a""#, "0061")
        .both(r#""€""#, "20ac")
        .both("55357", "d83d")
        .both(r#""\u0000""#, "0000")
        .writes("97", "0061")
        .invalid(r#""😀""#, "$")
        .invalid(r#""""#, "$")
        .invalid("65536", "$")
        .invalid("-1", "$");
}

#[test]
fn floating_point_numbers() {
    One::new("float", "")
        .both("0.1", "3dcccccd")
        .both("-0.0", "80000000")
        .both(r#""NaN""#, "7fc00000")
        .both(r#""Infinity""#, "7f800000")
        .both(r#""-Infinity""#, "ff800000")
        .both("1e-45", "00000001")
        // Between two floats, a little above the middle: by way of a double it would be rounded down.
        .writes("1.0000000596046447753906250000000001", "3f800001")
        .invalid("3.5e38", "$");
    One::new("double", "")
        .both("0.1", "3fb999999999999a")
        .both("-0.0", "8000000000000000")
        .both("5e-324", "0000000000000001")
        .both("1.7976931348623157e+308", "7fefffffffffffff")
        .both(r#""-Infinity""#, "fff0000000000000")
        .reads(r#""NaN""#, "7ff0000000000001")
        .writes("1", "3ff0000000000000")
        .invalid("1e309", "$")
        .invalid(r#""nan""#, "$");
}

#[test]
fn texts_and_bytes() {
    One::new("String", "").both(r#""""#, "00").both(r#""é\u0000😀""#, "07 c3a9 00 f09f9880");
    One::new("byte[]", "")
        .both(r#""""#, "00")
        .both(r#""AAH/""#, "03 0001ff")
        .invalid(r#""AAH""#, "$")
        .invalid(r#""AA H/""#, "$")
        .invalid("[0]", "$");
    One::new("byte[][]", "").both(r#"["AA==",""]"#, "02 0100 00").invalid(r#"["AA=="," "]"#, "$[1]");
    One::new("Decimal", "")
        .both(r#""0""#, "0130")
        .invalid(r#""1e3""#, "$")
        .invalid("1.5", "$")
        .invalid(r#""-0""#, "$");
    let digits = "7".repeat(1000);
    One::new("Decimal", "")
        .both(&format!("\"{digits}\""), &format!("e807 {}", "37".repeat(1000)))
        .invalid(&format!("\"{digits}7\""), "$");
}

#[test]
fn instants() {
    One::new("DateTime", "")
        .both(r#""0001-01-01T00:00:00Z""#, "fffffff1886e0900 00000000")
        .both(r#""9999-12-31T23:59:59.999999999Z""#, "0000003afff4417f 3b9ac9ff")
        .writes(r#""1970-01-01T01:00:00+01:00""#, "0000000000000000 00000000")
        .invalid(r#""0000-12-31T23:59:59Z""#, "$")
        .invalid("0", "$");
}

#[test]
fn arrays_and_optionals() {
    One::new("int[]", "").both("[]", "00").both("[1,-1]", "02 00000001 ffffffff");
    One::new("int?", "").both("null", "00").both("7", "01 00000007");
    One::new("String?[]", "").both(r#"[null,"x"]"#, "02 00 01 0178");
    One::new("int[][]", "").both("[[],[5]]", "02 00 01 00000005").invalid("[[],[5,6.5]]", "$[1][1]");
    One::new("int[]?", "").both("[]", "01 00");
}

#[test]
fn maps() {
    One::new("Map<boolean, byte>", "")
        .both(r#"{"true":1,"false":0}"#, "02 01 01 00 00")
        .invalid(r#"{"True":1}"#, "${0}.key");
    One::new("Map<int, String>", "").both(r#"{"-5":""}"#, "01 fffffffb 00");
    One::new("Map<long, byte>", "").both(r#"{"9223372036854775807":1}"#, "01 7fffffffffffffff 01");
    One::new("Map<char, byte>", "").both(r#"{"a":1,"55296":2,"5":3}"#, "03 0061 01 d800 02 0035 03");
    One::new("Map<char, byte>", "").invalid(r#"{"a":1,"97":2}"#, "${1}.key");
    One::new("Map<E, int>", "enum E { A, B = 200 }")
        .both(r#"{"B":1,"A":2}"#, "02 c801 00000001 00 00000002")
        .invalid(r#"{"C":1}"#, "${0}.key");
    One::new("Map<E, byte>", "extensible enum E { A }").both(r#"{"7":1,"A":2}"#, "02 07 01 00 02");
    One::new("Map<String, Map<String, byte>>", "")
        .both(r#"{"":{},"x":{"y":1}}"#, "02 00 00 0178 01 0179 01")
        .invalid(r#"{"":{},"x":{"y":128}}"#, "${1}.value{0}.value");
}

#[test]
fn enums() {
    One::new("E", "enum E { A, B = 5, C, D = 300, Z = 2147483647 }")
        .both(r#""A""#, "00")
        .both(r#""C""#, "06")
        .both(r#""D""#, "ac02")
        .both(r#""Z""#, "ffffffff07")
        .writes("6", "06")
        .invalid("1", "$")
        .invalid(r#""X""#, "$");
    One::new("E", "extensible enum E { A }")
        .both("7", "07")
        .both("2147483647", "ffffffff07")
        .invalid("2147483648", "$")
        .invalid("-1", "$");
}

#[test]
fn records() {
    One::new("S", "struct S {}").both("{}", "").invalid(r#"{"x":1}"#, "$");
    let one = One::new(
        "S",
        r#"struct S { int a = 5; String? b; Map<String, int> c = {}; byte[] d = {}; char e = 'x'; float f = 0.1; DateTime t = "1970-01-01T00:00:00Z"; Decimal g = 1.5; E h = B; } enum E { A, B }"#,
    );
    one.writes("{}", "00000005 00 00 00 0078 3dcccccd 000000000000000000000000 03312e35 01");
    one.reads(
        r#"{"a":5,"c":{},"d":"","e":"x","f":0.1,"t":"1970-01-01T00:00:00Z","g":"1.5","h":"B"}"#,
        "00000005 00 00 00 0078 3dcccccd 000000000000000000000000 03312e35 01",
    );
    One::new("S", "struct S { P p; } struct P { int x; int y; }")
        .both(r#"{"p":{"x":1,"y":2}}"#, "00000001 00000002")
        .invalid(r#"{"p":{"x":1}}"#, "$.p.y")
        .invalid(r#"{"p":{"x":1,"y":null}}"#, "$.p.y")
        .invalid(r#"{"p":{"x":1,"y":2,"z":3}}"#, "$.p")
        .invalid(r#"{"p":[]}"#, "$.p");
}

#[test]
fn extensible_records_have_a_region() {
    let one = One::new("G", "extensible struct G { String name; int limit = 100; double? weight; }");
    one.both(r#"{"name":"a","limit":7,"weight":1.5}"#, "0000000f 0161 00000007 01 3ff8000000000000");
    one.writes(r#"{"name":"a","newer":true}"#, "00000007 0161 00000064 00");
    // An older writer: the region ends before a field, which then has its default.
    one.reads(r#"{"name":"a","limit":100}"#, "00000002 0161");
    one.reads(r#"{"name":"a","limit":7}"#, "00000006 0161 00000007");
    // A newer writer: the rest of the region is skipped.
    one.reads(r#"{"name":"a","limit":7}"#, "0000000a 0161 00000007 00 ffffff");
    let empty = One::new("G[]", "extensible struct G {}");
    empty.both("[{},{}]", "02 00000000 00000000").reads("[{},{}]", "02 00000001ff 00000000");
}

#[test]
fn a_field_of_no_bytes_is_there_at_the_end_of_a_region() {
    One::new("G", "extensible struct G { int a; N n; } struct N {}")
        .both(r#"{"a":1,"n":{}}"#, "00000004 00000001");
}

#[test]
fn unions() {
    One::new("U", "union U { N nothing; String text; }  struct N {}")
        .both(r#"{"nothing":{}}"#, "00")
        .both(r#"{"text":"x"}"#, "01 0178")
        .invalid(r#"{"text":"x","nothing":{}}"#, "$")
        .invalid("{}", "$")
        .invalid(r##"{"#7":""}"##, "$")
        .invalid(r#"{"text":1}"#, "$.text");
    One::new("U", "extensible union U { String text; G grown; } extensible struct G { int a; }")
        .both(r#"{"text":"x"}"#, "00 00000002 0178")
        .both(r#"{"grown":{"a":1}}"#, "01 00000008 00000004 00000001")
        // What a newer writer added to the extensible value is inside its region.
        .reads(r#"{"grown":{"a":1}}"#, "01 0000000a 00000006 00000001 ffff")
        .both(r##"{"#7":"AAH/"}"##, "07 00000003 0001ff")
        .both(r##"{"#300":""}"##, "ac02 00000000")
        .invalid(r##"{"#1":""}"##, "$")
        .invalid(r##"{"#x":""}"##, "$")
        .invalid(r##"{"#7":1}"##, "$");
}

#[test]
fn bodies() {
    let model = model(
        "exception A { int a; } exception B { String b; }
         interface I { int add(int left, String right) throws A, B; void nothing(); oneway void note(int[] n); int? maybe(); }",
    );
    let limits = Limits::default();
    let both = |subject: Subject<'_>, value: &str, bytes: &str| {
        let json = parse_json(value).expect("JSON");
        assert_eq!(encode(&model, &subject, &json, &limits), Ok(hex(bytes)), "{value}");
        assert_eq!(
            decode(&model, &subject, &hex(bytes), &limits).map(|v| print_json(&v)),
            Ok(value.to_owned())
        );
    };
    let add = method(&model, "add");
    both(Subject::Request(add), r#"{"left":1,"right":"x"}"#, "00000001 0178");
    both(Subject::Response(add), "7", "00000007");
    both(Subject::Exception(add), r#"{"A":{"a":1}}"#, "00 00000001");
    both(Subject::Exception(add), r#"{"B":{"b":"x"}}"#, "01 0178");
    both(Subject::Request(method(&model, "nothing")), "{}", "");
    both(Subject::Response(method(&model, "nothing")), "null", "");
    both(Subject::Response(method(&model, "maybe")), "null", "00");
    let place = |subject: Subject<'_>, bytes: &str| {
        decode(&model, &subject, &hex(bytes), &limits).expect_err("malformed").place
    };
    assert_eq!(place(Subject::Request(add), "00000001 0578"), "$.right");
    assert_eq!(place(Subject::Response(add), "000000"), "$result");
    assert_eq!(place(Subject::Exception(add), "02"), "$exception");
    assert_eq!(place(Subject::Exception(add), "01 ff"), "$exception.b");
    assert_eq!(place(Subject::Request(method(&model, "note")), "01 000000"), "$.n");
    assert_eq!(place(Subject::Request(method(&model, "nothing")), "00"), "$");
    let error = encode(&model, &Subject::Exception(add), &parse_json(r#"{"C":{}}"#).expect("JSON"), &limits)
        .expect_err("unknown exception");
    assert_eq!(error.to_string(), "invalid-value: add throws A, B, not \"C\" (at $exception)");
}
