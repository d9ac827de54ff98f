//! Bytes that a decoder refuses: each clause of `spec/wires/binary.md` that says so, with place and offset.

mod common;

use common::{One, hex, model};
use creo_inspect::{Code, Limits, Subject, What, annotate, decode};
use creo_model::Type;

#[test]
fn counts_are_short_and_below_two_to_the_31st() {
    One::new("S", "struct S { String a; boolean[] b; }")
        .malformed("8000", "$.a", 0)
        .malformed("00 818000", "$.b", 1)
        .malformed("00 8080808008", "$.b", 1)
        .malformed("00 ffffffff0f", "$.b", 1)
        .malformed("00 808080808001", "$.b", 1)
        .malformed("00 80", "$.b", 1)
        .malformed("00", "$.b", 1)
        .malformed("", "$.a", 0)
        // In its shortest form, but more than available.
        .malformed("00 ffffffff07", "$.b", 1);
}

#[test]
fn flags_are_0_or_1() {
    One::new("boolean[]", "").malformed("03 00 01 02", "$[2]", 3);
    One::new("int?", "").malformed("02 00000000", "$", 0).malformed("ff", "$", 0).malformed("", "$", 0);
}

#[test]
fn strings_are_utf_8() {
    let one = One::new("String", "");
    for (bytes, offset) in [
        ("01 ff", 1),
        ("02 c080", 1),
        ("03 e08080", 1),
        ("03 eda080", 1),
        ("04 f08080 80", 1),
        ("04 f4908080", 1),
        ("03 61c3 28", 2),
        ("02 61c3", 2),
        ("01 80", 1),
        ("05 61 f09f98 61", 2),
    ] {
        one.malformed(bytes, "$", offset);
    }
    one.reads(r#""\u0000""#, "01 00").reads("\"\u{10ffff}\"", "04 f48fbfbf");
}

#[test]
fn counts_fit_into_what_is_left() {
    One::new("String", "").malformed("03 6161", "$", 0);
    One::new("byte[]", "").malformed("02 00", "$", 0);
    One::new("long[]", "").malformed("02 0000000000000000", "$", 0);
    One::new("String[]", "").malformed("03 0000", "$", 0);
    One::new("Map<String, int>", "").malformed("02 00 00000000 00 000000", "$", 0);
    One::new("S[]", "struct S { int a; String b; }").malformed("02 00000000 00 00000000", "$", 0);
    // The recursive type's min size is that of its shortest value: one byte for a list, four for a number.
    One::new("Tree[]", "struct Tree { int n; Tree[] children; }").malformed(
        "02 00000000 00 00000000",
        "$",
        0,
    );
    One::new(
        "Expression[]",
        "union Expression { Sum sum; double number; } struct Sum { Expression left; Expression right; }",
    )
    .malformed("02 01 0000000000000000 01", "$", 0);
    // Within a region the region's end counts.
    One::new("G", "extensible struct G { byte[] b; }").malformed("00000002 02 00 00", "$.b", 4);
}

#[test]
fn items_of_no_bytes_cost_budget() {
    let one = One::new("N[][]", "struct N {} extensible struct M {}");
    one.reads("[[{},{}],[]]", "02 02 00");
    one.refuses("01 818004", Code::TooLarge, "$[0]", 1);
    one.refuses("02 808002 818002", Code::TooLarge, "$[1]", 4);
    assert!(one.decode("02 808002 808002").is_ok());
    let limits = Limits { max_empty_items: 2, ..Limits::default() };
    assert!(one.decode_within(&hex("01 02"), &limits).is_ok());
    assert_eq!(one.decode_within(&hex("01 03"), &limits).expect_err("too many").code, Code::TooLarge);
}

/// Decodes with this `maxMemory`, which suffices, and with one less.
fn takes(one: &One, bytes: &str, memory: u64, place: &str, offset: usize) {
    let within =
        |memory| one.decode_within(&hex(bytes), &Limits { max_memory: Some(memory), ..Limits::default() });
    assert!(within(memory).is_ok(), "{bytes}: {:?}", within(memory));
    let error = within(memory - 1).expect_err("too much");
    assert_eq!(
        (error.code, error.place.as_str(), error.offset),
        (Code::TooLarge, place, offset),
        "{bytes}: {error}"
    );
}

#[test]
fn memory_is_bounded() {
    takes(&One::new("String", ""), "03 616263", 4, "$", 0);
    takes(&One::new("int[]", ""), "01 00000005", 5, "$", 0);
    takes(&One::new("String[]", ""), "02 00 00", 3 + 2 * 40, "$", 0);
    takes(&One::new("int[][]", ""), "02 00 00", 3 + 2 * 136, "$", 0);
    takes(&One::new("Map<int, Decimal>[]", ""), "01 01 00000001 0130", 8 + 104 + 128, "$[0]", 1);
    takes(&One::new("long?", ""), "01 0000000000000001", 9 + 16, "$", 0);
    takes(&One::new("String?", ""), "01 00", 2 + 32, "$", 0);
    takes(&One::new("U", "union U { int a; Map<String, int> b; }"), "01 00", 2 + 96, "$", 0);
    takes(&One::new("U", "extensible union U { int a; }"), "05 00000002 aabb", 7 + 32, "$", 0);
    takes(&One::new("P[]", "struct P { double x; short y; }"), "01 00000000000000000000", 11 + 34, "$", 0);
    takes(&One::new("N[]", "struct N {}"), "02", 1 + 2 * 24, "$", 0);
    // The min size applies first, and then the budget of items without bytes.
    One::new("String[]", "").malformed("ffffffff07", "$", 0);
    let limits = Limits { max_empty_items: 2, max_memory: Some(1), ..Limits::default() };
    let error = One::new("N[]", "struct N {}").decode_within(&hex("03"), &limits).expect_err("too many");
    assert!(error.message.contains("maxEmptyItems"), "{error}");
    // By default the limit follows that of messages.
    let limits = Limits { max_message_size: 20, ..Limits::default() };
    assert!(One::new("String[]", "").decode_within(&hex("01 00"), &limits).is_ok());
    assert!(One::new("String[]", "").decode_within(&hex("02 00 00"), &limits).is_err());
}

#[test]
fn regions_stay_inside_and_end_between_fields() {
    let one = One::new("G", "extensible struct G { String name; int limit = 100; }");
    one.malformed("000000", "$", 0)
        .malformed("00000003 0161", "$", 0)
        .malformed("ffffffff 0161", "$", 0)
        .malformed("00000000", "$.name", 4)
        .malformed("00000001 01", "$.name", 4)
        .malformed("00000005 0161 000000", "$.limit", 6)
        .malformed("00000002 0161 ff", "$", 6);
    let nested = One::new(
        "Outer",
        "extensible struct Outer { Inner inner; int a = 1; } extensible struct Inner { int b; }",
    );
    nested.reads(r#"{"inner":{"b":5},"a":1}"#, "00000008 00000004 00000005");
    nested.malformed("00000008 00000005 00000005 ff", "$.inner", 4);
    nested.malformed("00000007 00000004 00000005", "$.inner", 4);
}

#[test]
fn members_of_an_extensible_union_fill_their_region() {
    One::new("U", "extensible union U { int number; G grown; } extensible struct G { int a; }")
        .malformed("00 00000005 00000001 00", "$.number", 9)
        .malformed("00 00000003 00000001", "$.number", 5)
        .malformed("00 00000005 00000001", "$.number", 1)
        .malformed("01 00000009 00000004 00000001 00", "$.grown", 13)
        .malformed("07 00000001", "$", 1)
        .malformed("07 000000", "$", 1);
}

#[test]
fn plain_enums_and_unions_are_closed() {
    One::new("E[]", "enum E { A, B = 5 }").malformed("02 00 04", "$[1]", 2);
    One::new("U", "union U { int a; }").malformed("01 00000000", "$", 0);
}

#[test]
fn keys_are_distinct() {
    One::new("Map<String, byte>", "").malformed("02 0161 01 0161 02", "${1}.key", 4);
    One::new("Map<E, byte>", "extensible enum E { A }").malformed("02 07 01 07 02", "${1}.key", 3);
    One::new("Map<boolean, byte>", "").malformed("01 02 00", "${0}.key", 1);
}

#[test]
fn instants_are_within_the_calendar() {
    One::new("DateTime", "")
        .malformed("fffffff1886e08ff 3b9ac9ff", "$", 0)
        .malformed("0000003afff44180 00000000", "$", 0)
        .malformed("0000000000000000 3b9aca00", "$", 0)
        .malformed("0000000000000000 000000", "$", 0);
}

#[test]
fn decimals_are_canonical() {
    let one = One::new("Decimal", "");
    for text in ["", "+1", "01", "1.", ".1", "-0", "-0.0", "1e3", " 1", "1\u{0}", "é"] {
        let bytes: String =
            std::iter::once(text.len() as u8).chain(text.bytes()).map(|b| format!("{b:02x}")).collect();
        one.malformed(&bytes, "$", 1);
    }
    one.malformed(&format!("e907 {}", "37".repeat(1001)), "$", 2);
}

#[test]
fn depth_is_bounded_for_recursive_types_alone() {
    let one = One::new("List", "struct List { List? next; }");
    assert!(one.decode(&("01".repeat(99) + "00")).is_ok());
    let place = format!("${}", ".next".repeat(100));
    one.refuses(&("01".repeat(100) + "00"), Code::TooLarge, &place, 100);
    // A union and the struct in it are both recursive: each is a level.
    let both = One::new("E", "union E { double n; Box box; } struct Box { E inner; }");
    assert!(both.decode(&("01".repeat(49) + "00" + &"00".repeat(8))).is_ok());
    assert!(both.decode(&("01".repeat(50) + "00" + &"00".repeat(8))).is_err());
    let flat = (0..150).map(|i| format!("struct S{i} {{ S{} s; }}", i + 1)).collect::<String>()
        + "struct S150 { byte b; }";
    assert!(One::new("S0", &flat).decode("07").is_ok());
    // Adjacent values do not add up.
    let wide = One::new("Tree", "struct Tree { Tree[] children; }");
    assert!(wide.decode(&("c801".to_owned() + &"00".repeat(200))).is_ok());
}

#[test]
fn writers_know_the_depth_too() {
    let one = One::new("Tree", "struct Tree { Tree[] children; }");
    let tree = |depth: usize| format!("{}{}", r#"{"children":["#.repeat(depth), "]}".repeat(depth));
    assert!(one.encode(&tree(100)).is_ok());
    let error = one.encode(&tree(101)).expect_err("too deep");
    assert_eq!(error.code, Code::TooLarge);
    assert_eq!(error.place, format!("${}", ".children[0]".repeat(100)));
}

#[test]
fn nothing_comes_after_the_last_value() {
    One::new("int", "").malformed("00000000 00", "$", 4);
    One::new("int[]", "").malformed("00 00000000", "$", 1);
}

#[test]
fn bodies_are_bounded() {
    let one = One::new("byte[]", "");
    let limits = Limits { max_message_size: 4, ..Limits::default() };
    assert!(one.decode_within(&hex("03 000000"), &limits).is_ok());
    let error = one.decode_within(&hex("04 00000000"), &limits).expect_err("too large");
    assert_eq!(error.to_string(), "too-large: 5 bytes, and maxMessageSize is 4 (at $, byte 0)");
}

#[test]
fn places_lead_to_the_value() {
    One::new("Map<String, S>[]", "struct S { U? u; } union U { int[] a; }").malformed(
        "01 01 0161 01 00 02 00000001 000000",
        "$[0]{0}.value.u.a",
        6,
    );
}

#[test]
fn what_stands_before_a_mistake_is_annotated() {
    let model =
        model("struct Data { Meta meta; boolean[] flags; } struct Meta { String description; long time; }");
    let ty = Type::Named(model.find("service.Data").expect("Data"));
    let bytes = hex("02 c3a9 0000000000000001 02 01 05");
    let (section, outcome) = annotate(&model, &Subject::Type(&ty), &bytes, &Limits::default(), 10);
    let found: Vec<(usize, usize, &str, What)> =
        section.items.iter().map(|i| (i.start, i.end, i.place.as_str(), i.what)).collect();
    assert_eq!(
        found,
        [
            (0, 0, "$", What::Group),
            (0, 11, "$.meta", What::Group),
            (0, 1, "$.meta.description", What::Count),
            (1, 3, "$.meta.description", What::Scalar),
            (3, 11, "$.meta.time", What::Scalar),
            (11, 11, "$.flags", What::Group),
            (11, 12, "$.flags", What::Count),
            (12, 13, "$.flags[0]", What::Scalar),
        ]
    );
    let error = outcome.expect_err("5 is no boolean");
    assert_eq!((error.place.as_str(), error.offset), ("$.flags[1]", 13));
    assert_eq!(section.mistake, Some((13, error)));
}

#[test]
fn every_byte_of_a_correct_value_is_annotated_once() {
    let model = model(
        "extensible struct G { String name; U[] members; Map<int, DateTime?> times; Decimal d = 1.5; }
         extensible union U { byte[] b; boolean? o; N n; } struct N {}",
    );
    let ty = Type::Named(model.find("service.G").expect("G"));
    let bytes = hex("00000039 0161 04 00 00000003 02aabb 01 00000001 00 02 00000000 09 00000001 ff
         02 00000001 00 00000002 01 0000000000000000 00000000 03 312e35 ffff");
    let (section, outcome) = annotate(&model, &Subject::Type(&ty), &bytes, &Limits::default(), 100);
    assert!(outcome.is_ok(), "{outcome:?}");
    let mut at = 0;
    for item in section.items.iter().filter(|item| item.what != What::Group) {
        assert_eq!(item.start, at, "{item:?}");
        at = item.end;
    }
    assert_eq!(at, bytes.len());
}

#[test]
fn every_prefix_and_every_changed_byte_is_read_or_refused() {
    let model = model(
        "extensible struct G { String name; U[] members; Map<char, DateTime?> times; Decimal d = 1.5; G[] more = {}; E e = A; }
         union U { byte[] b; boolean? o; float[] f; } enum E { A, B }",
    );
    let ty = Type::Named(model.find("service.G").expect("G"));
    let bytes = hex(
        "00000031 02c3a9 03 00 02aabb 01 01 01 02 01 3f800000 01 0061 01 0000000000000000 00000000 03 312e35 01 00000006 00 00 00 013000 01",
    );
    let limits = Limits::default();
    let subject = Subject::Type(&ty);
    assert!(
        decode(&model, &subject, &bytes, &limits).is_ok(),
        "{:?}",
        decode(&model, &subject, &bytes, &limits)
    );
    for end in 0..bytes.len() {
        assert!(decode(&model, &subject, &bytes[..end], &limits).is_err(), "cut at {end}");
    }
    for at in 0..bytes.len() {
        for byte in 0..=255 {
            let mut changed = bytes.clone();
            changed[at] = byte;
            if let Err(error) = decode(&model, &subject, &changed, &limits) {
                assert!(error.offset <= changed.len() && error.place.starts_with('$'), "{error}");
            }
        }
    }
}
