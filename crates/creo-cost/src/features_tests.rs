//! The analysis of messages (COST-20), compared with counts by hand.

use crate::beside::Beside;
use crate::binding::{Direction, OnWire, Wire};
use crate::feature::Feature;
use crate::features::{Bends, Features, features, values};
use crate::leaf::{Kind, Leaf};
use crate::length::Length;
use crate::part::{Items, Part, RecordLayout};
use crate::table::Scheme;
use creo_model::Primitive;

#[test]
fn words_are_unlike_one_another() {
    for feature in Feature::all() {
        assert_eq!(Feature::from_word(&feature.word()), Some(feature));
    }
}

const INT: Kind = Kind::Primitive(Primitive::Int);
const STRING: Kind = Kind::Primitive(Primitive::String);
const TABLE: Wire = Wire::Table(Scheme::Record);

fn leaf(primitive: Primitive, length: Length) -> Part {
    Part::Leaf(Box::new(Leaf::assumed(primitive, &length, None)))
}

fn int() -> Part {
    leaf(Primitive::Int, Length::Fixed(0))
}

fn record(fields: Vec<Part>) -> Part {
    let begun =
        (0..fields.len()).filter(|&i| fields[i].is_fixed() && (i == 0 || !fields[i - 1].is_fixed())).count();
    let is_fixed = fields.iter().all(Part::is_fixed);
    Part::Record {
        fields,
        layout: RecordLayout { extensible: false, is_fixed, checks: begun as u64, elements: true },
    }
}

fn optional(share: f64, part: Part) -> Part {
    Part::Optional { share, part: Some(Box::new(part)) }
}

fn alike(count: u64, item: Part) -> Part {
    Part::Items(Items::Alike { count: Length::Fixed(count), item: Box::new(item) })
}

/// A message of one array.
fn found(wire: Wire, count: u64, item: Part, bends: Bends) -> Features {
    features(wire, Direction::Response, &record(vec![alike(count, item)]), OnWire::default(), bends)
}

#[test]
fn fields_of_plain_structs_are_cells_where_these_are_items() {
    let point = || record(vec![int(), int()]);
    for wire in Wire::ALL {
        let many = found(wire, 5, point(), Bends::default());
        assert_eq!(
            (many[&Feature::Row], many[&Feature::Cell(INT)], many[&Feature::Column(INT)]),
            (5.0, 10.0, 2.0),
            "{}",
            wire.word()
        );
        assert!(
            !many.contains_key(&Feature::Record)
                && !many.contains_key(&Feature::Field(INT))
                && !many.contains_key(&Feature::Element)
        );
    }
    let alone = features(
        Wire::Binary,
        Direction::Response,
        &record(vec![point()]),
        OnWire::default(),
        Bends::default(),
    );
    assert_eq!((alone[&Feature::SingleRecord], alone[&Feature::Single(INT)]), (1.0, 2.0));
    // On the binary wire a string has no fixed size; on the others it is like any text.
    let named = || record(vec![int(), leaf(Primitive::String, Length::Fixed(3))]);
    assert_eq!(found(Wire::Binary, 5, named(), Bends::default())[&Feature::Field(STRING)], 5.0);
    let cells = found(Wire::Soap, 5, named(), Bends::default());
    assert_eq!((cells[&Feature::Cell(STRING)], cells[&Feature::TextCell]), (5.0, 15.0));
    // A struct with an array is not plain either.
    let loose = record(vec![int(), Part::Items(Items::Each(Vec::new()))]);
    let loose = found(Wire::Soap, 5, loose, Bends::default());
    assert_eq!(
        (
            loose[&Feature::Element],
            loose[&Feature::Record],
            loose[&Feature::Field(INT)],
            loose[&Feature::Columns]
        ),
        (5.0, 5.0, 5.0, 2.0)
    );
}

#[test]
fn structs_within_plain_ones_are_rows_where_no_index_is_theirs() {
    let nested = || record(vec![int(), record(vec![int(), int()])]);
    for wire in [Wire::Soap, Wire::Json] {
        let rows = found(wire, 5, nested(), Bends::default());
        assert_eq!(
            (
                rows[&Feature::Row],
                rows[&Feature::RowInner],
                rows[&Feature::Cell(INT)],
                rows[&Feature::Column(INT)]
            ),
            (5.0, 5.0, 15.0, 3.0),
            "{}",
            wire.word()
        );
    }
    for wire in [Wire::Binary, TABLE] {
        let records = found(wire, 5, nested(), Bends::default());
        assert_eq!(
            (records[&Feature::Record], records[&Feature::Field(INT)]),
            (10.0, 15.0),
            "{}",
            wire.word()
        );
    }
    // In a table, a struct with one value is like any other.
    assert_eq!(found(TABLE, 5, record(vec![int()]), Bends::default())[&Feature::Record], 5.0);
    assert_eq!(found(Wire::Json, 5, record(vec![int()]), Bends::default())[&Feature::Row], 5.0);
}

#[test]
fn structs_with_attributes_are_no_rows_where_there_are_tags() {
    let plain = |elements| Part::Record {
        fields: vec![int(), int()],
        layout: RecordLayout { extensible: false, is_fixed: true, checks: 1, elements },
    };
    for wire in Wire::ALL {
        let many = found(wire, 5, plain(false), Bends::default());
        let single = features(
            wire,
            Direction::Request,
            &record(vec![plain(false), plain(true)]),
            OnWire::default(),
            Bends::default(),
        );
        let count = |found: &Features, feature: Feature| found.get(&feature).copied().unwrap_or_default();
        if wire == Wire::Soap {
            assert_eq!(
                (
                    count(&many, Feature::Tagged),
                    count(&many, Feature::Field(INT)),
                    count(&many, Feature::Row)
                ),
                (5.0, 10.0, 0.0)
            );
            assert_eq!(
                (
                    count(&single, Feature::Tagged),
                    count(&single, Feature::SingleRecord),
                    count(&single, Feature::SingleRow)
                ),
                (1.0, 1.0, 1.0)
            );
        } else {
            assert_eq!(
                (count(&many, Feature::Tagged), count(&many, Feature::Row)),
                (0.0, 5.0),
                "{}",
                wire.word()
            );
            assert_eq!(
                (count(&single, Feature::Tagged), count(&single, Feature::SingleRow)),
                (0.0, 0.0),
                "{}",
                wire.word()
            );
        }
    }
}

#[test]
fn what_not_all_items_have_stands_alone() {
    let many = found(Wire::Binary, 10, optional(0.5, int()), Bends::default());
    assert_eq!((many[&Feature::OptionalItem], many[&Feature::Single(INT)]), (10.0, 5.0));
    assert!(!many.contains_key(&Feature::Item(INT)));
    let texts = found(Wire::Json, 10, optional(0.5, int()), Bends::default());
    assert_eq!(
        (texts[&Feature::OptionalItem], texts[&Feature::Item(INT)], texts.get(&Feature::Single(INT))),
        (10.0, 5.0, None)
    );
    let fields = || record(vec![int(), optional(0.25, int())]);
    let binary = found(Wire::Binary, 8, fields(), Bends::default());
    assert_eq!(
        (binary[&Feature::Optional], binary[&Feature::Single(INT)], binary[&Feature::Field(INT)]),
        (8.0, 2.0, 8.0)
    );
    // 4 × 0.25 × 0.75
    assert_eq!(binary[&Feature::Mixed], 6.0);
    let soap = found(Wire::Soap, 8, fields(), Bends::default());
    assert_eq!(
        (soap[&Feature::CellOptional], soap[&Feature::Cell(INT)], soap[&Feature::Columns]),
        (8.0, 10.0, 1.0)
    );
    // The same with individually known values.
    let each = (0..8).map(|i| {
        record(vec![
            int(),
            if i < 2 { optional(1.0, int()) } else { Part::Optional { share: 0.0, part: None } },
        ])
    });
    let known = features(
        Wire::Soap,
        Direction::Response,
        &record(vec![Part::Items(Items::Each(each.collect()))]),
        OnWire::default(),
        Bends::default(),
    );
    assert_eq!(known, soap);
}

#[test]
fn keys_that_are_no_strings_are_counted() {
    let map = |key: Part| {
        let entry = record(vec![key, int()]);
        let entries = Part::Entries(Items::Alike { count: Length::Fixed(3), item: Box::new(entry) });
        features(Wire::Json, Direction::Response, &record(vec![entries]), OnWire::default(), Bends::default())
    };
    let numbers = map(int());
    assert_eq!(
        (numbers[&Feature::Entry], numbers[&Feature::Key], numbers[&Feature::Single(INT)]),
        (3.0, 3.0, 6.0)
    );
    assert!(!map(leaf(Primitive::String, Length::Fixed(4))).contains_key(&Feature::Key));
}

#[test]
fn markup_goes_to_rows_as_values_do() {
    let message = record(vec![int(), alike(3, record(vec![int(), int()]))]);
    let body = 700.0 + 7.0 * Leaf::assumed(Primitive::Int, &Length::Fixed(0), None).xml.expected;
    let found = features(
        Wire::Soap,
        Direction::Response,
        &message,
        OnWire { body, ..OnWire::default() },
        Bends::default(),
    );
    assert!(
        (found[&Feature::MarkupRow] - 600.0).abs() < 1e-9 && (found[&Feature::Markup] - 100.0).abs() < 1e-9,
        "{found:?}"
    );
}

#[test]
fn values_behind_a_number_count_once_more() {
    // The array, three structs, six numbers; a hundred numbers are one array.
    let message = record(vec![alike(3, record(vec![int(), int()])), alike(100, int())]);
    assert_eq!(values(Wire::Json, &message), 11.0);
    let behind = |many: f64| {
        features(
            Wire::Json,
            Direction::Response,
            &message,
            OnWire::default(),
            Bends { many: Some(many), ..Bends::default() },
        )
        .get(&Feature::Many)
        .copied()
    };
    assert_eq!((behind(8.0), behind(11.0), behind(20.0)), (Some(3.0), None, None));
}

#[test]
fn strings_of_one_length_and_long_ones() {
    let cut = Bends { cut: Some(100.0), jump: true, ..Bends::default() };
    let alike = found(Wire::Binary, 200, leaf(Primitive::String, Length::Fixed(10)), cut);
    assert_eq!(
        (alike[&Feature::Alike], alike[&Feature::TextAlike], alike[&Feature::Long]),
        (200.0, 2_000.0, 1.0)
    );
    assert!(!alike.contains_key(&Feature::Item(STRING)));
    let unlike = found(Wire::Binary, 100, leaf(Primitive::String, Length::Uniform(9, 11)), cut);
    assert_eq!((unlike[&Feature::Item(STRING)], unlike[&Feature::Text]), (100.0, 1_000.0));
    assert!(!unlike.contains_key(&Feature::Long) && !unlike.contains_key(&Feature::TextOverItem));
    let over = found(Wire::Binary, 100, leaf(Primitive::String, Length::Fixed(150)), cut);
    assert_eq!(
        (over[&Feature::Item(STRING)], over[&Feature::TextOverItem], over[&Feature::TextBeyond]),
        (100.0, 100.0, 5_000.0)
    );
    let text = found(Wire::Json, 200, leaf(Primitive::String, Length::Fixed(10)), cut);
    assert_eq!(text[&Feature::Item(STRING)], 200.0);
    assert!(!text.contains_key(&Feature::Alike) && !text.contains_key(&Feature::Long));
}

/// Half of the strings hold characters beyond ASCII, where they are long enough for one.
#[test]
fn wide_strings_and_their_bytes() {
    let half = Bends { wide: 0.5, ..Bends::default() };
    for wire in [Wire::Binary, Wire::Json] {
        // Of one length, of which the binary wire knows, and of 4 to 5 bytes.
        let alike = found(wire, 200, leaf(Primitive::String, Length::Fixed(10)), half);
        assert_eq!((alike[&Feature::WideString], alike[&Feature::TextWide]), (100.0, 1_000.0));
        let unlike = found(wire, 200, leaf(Primitive::String, Length::Uniform(4, 5)), half);
        assert_eq!((unlike[&Feature::WideString], unlike[&Feature::TextWide]), (50.0, 250.0));
        let fields = found(wire, 200, record(vec![leaf(Primitive::String, Length::Fixed(10)), int()]), half);
        assert_eq!((fields[&Feature::WideString], fields[&Feature::TextWide]), (100.0, 1_000.0));
        // None of them does.
        let two = found(wire, 2, leaf(Primitive::String, Length::Fixed(10)), half);
        assert_eq!((two[&Feature::WideString], two[&Feature::Wide]), (1.0, 0.75));
    }
    let none = found(Wire::Json, 200, leaf(Primitive::String, Length::Fixed(10)), Bends::default());
    assert!(
        !none.contains_key(&Feature::Wide)
            && !none.contains_key(&Feature::WideString)
            && !none.contains_key(&Feature::TextWide)
    );
}

#[test]
fn a_request_in_json_is_an_object() {
    let one = record(vec![int()]);
    for wire in Wire::ALL {
        let of = |direction: Direction| {
            features(wire, direction, &one, OnWire::default(), Bends::default())
                .get(&Feature::SingleRecord)
                .copied()
        };
        assert_eq!(of(Direction::Response), None, "{}", wire.word());
        assert_eq!(of(Direction::Request).is_some(), wire == Wire::Json, "{}", wire.word());
    }
}

#[test]
fn a_message_is_a_request_a_response_or_nothing() {
    let kinds = [
        Feature::Message,
        Feature::Response,
        Feature::Empty,
        Feature::EmptyResponse,
        Feature::MissingResponse,
    ];
    let of = |direction, part: &Part| {
        let found = features(
            Wire::Soap,
            direction,
            part,
            OnWire { body: 0.0, beside: Beside { attributes: 3.0, ..Beside::default() } },
            Bends::default(),
        );
        assert_eq!(found[&Feature::Attribute], 3.0);
        kinds.map(|kind| found.get(&kind).copied().unwrap_or(0.0))
    };
    let (something, nothing, empty) = (record(vec![int()]), record(vec![]), record(vec![record(vec![])]));
    assert_eq!(of(Direction::Request, &something), [1.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(of(Direction::Response, &something), [0.0, 1.0, 0.0, 0.0, 0.0]);
    for part in [&nothing, &empty] {
        assert_eq!(of(Direction::Request, part), [0.0, 0.0, 1.0, 0.0, 0.0]);
        assert_eq!(of(Direction::Response, part), [0.0, 0.0, 0.0, 1.0, 0.0]);
    }
    // Even an empty array is not an empty message.
    assert_eq!(of(Direction::Request, &record(vec![alike(0, int())])), [1.0, 0.0, 0.0, 0.0, 0.0]);
    // A missing result is distinguished from a present one, but a parameter is not.
    for there in [None, Some(Box::new(int()))] {
        let missing = if there.is_some() { 0.0 } else { 1.0 };
        let maybe =
            record(vec![Part::Optional { share: if there.is_some() { 1.0 } else { 0.0 }, part: there }]);
        assert_eq!(of(Direction::Request, &maybe), [1.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(of(Direction::Response, &maybe), [0.0, 1.0, 0.0, 0.0, missing]);
    }
}

#[test]
fn an_optional_that_holds_parts_is_told_from_one_that_does_not() {
    let maybe = |share, part| Part::Optional { share, part: Some(Box::new(part)) };
    let of = |part| {
        let found = features(
            Wire::Binary,
            Direction::Request,
            &record(vec![part]),
            OnWire::default(),
            Bends::default(),
        );
        [Feature::Optional, Feature::OptionalParts].map(|feature| found.get(&feature).copied().unwrap_or(0.0))
    };
    assert_eq!(of(maybe(0.5, int())), [1.0, 0.0]);
    assert_eq!(of(maybe(0.5, record(vec![int()]))), [1.0, 0.5]);
    assert_eq!(of(maybe(1.0, alike(0, int()))), [1.0, 1.0]);
    assert_eq!(of(Part::Optional { share: 0.0, part: None }), [1.0, 0.0]);
}

#[test]
fn values_of_fixed_size_run_together() {
    let text = || leaf(Primitive::String, Length::Fixed(3));
    let runs = |part: Part| {
        let found = features(
            Wire::Binary,
            Direction::Request,
            &record(vec![part]),
            OnWire::default(),
            Bends::default(),
        );
        [Feature::SingleRun, Feature::Run].map(|feature| found.get(&feature).copied().unwrap_or(0.0))
    };
    let point = || record(vec![int(), int()]);
    assert_eq!(runs(int()), [1.0, 0.0]);
    assert_eq!(runs(text()), [0.0, 0.0]);
    // A nested struct of fixed size belongs to the run around it.
    assert_eq!(runs(record(vec![int(), point(), int()])), [1.0, 0.0]);
    assert_eq!(runs(record(vec![int(), text(), point(), text(), int()])), [3.0, 0.0]);
    assert_eq!(runs(record(vec![int(), record(vec![text(), int()]), int()])), [3.0, 0.0]);
    // Optional and extensible values are separate.
    assert_eq!(runs(record(vec![int(), optional(0.5, int()), optional(0.5, point())])), [2.0, 0.0]);
    let layout = RecordLayout { extensible: true, is_fixed: false, checks: 1, elements: true };
    let growing = Part::Record { fields: vec![int()], layout };
    assert_eq!(runs(record(vec![int(), growing, int()])), [3.0, 0.0]);
    // In items that are no rows; rows are moved otherwise.
    assert_eq!(runs(alike(5, record(vec![int(), text(), point()]))), [0.0, 10.0]);
    assert_eq!(runs(alike(5, point())), [0.0, 0.0]);
    assert!(!found(Wire::Json, 5, record(vec![int(), text()]), Bends::default()).contains_key(&Feature::Run));
}

#[test]
fn arrays_within_arrays_count_once_more() {
    let inner = |part: Part| {
        let found = features(
            Wire::Soap,
            Direction::Request,
            &record(vec![part]),
            OnWire::default(),
            Bends::default(),
        );
        found.get(&Feature::Inner).copied().unwrap_or(0.0)
    };
    assert_eq!(inner(record(vec![alike(5, int()), alike(5, int())])), 0.0);
    assert_eq!(inner(alike(5, alike(3, int()))), 5.0);
    assert_eq!(inner(alike(5, record(vec![alike(3, alike(2, int())), int()]))), 20.0);
}

#[test]
fn structs_without_fields_are_told_apart() {
    let found = features(
        Wire::Soap,
        Direction::Request,
        &record(vec![record(vec![]), int()]),
        OnWire::default(),
        Bends::default(),
    );
    assert_eq!((found[&Feature::SingleEmpty], found.get(&Feature::SingleRecord)), (1.0, None));
}

#[test]
fn a_long_array_of_bytes_jumps() {
    let cut = Bends { bytes: Some(100.0), bytes_jump: true, ..Bends::default() };
    let of = |length| {
        let bytes = Leaf::bytes(&Length::Fixed(length));
        let found = features(
            Wire::Soap,
            Direction::Request,
            &record(vec![Part::Leaf(Box::new(bytes))]),
            OnWire::default(),
            cut,
        );
        [Feature::Bytes, Feature::BytesBeyond, Feature::BytesOver]
            .map(|feature| found.get(&feature).copied().unwrap_or(0.0))
    };
    assert_eq!(of(100), [100.0, 0.0, 0.0]);
    assert_eq!(of(150), [150.0, 50.0, 1.0]);
}

#[test]
fn optionals_that_are_items_are_told_apart() {
    let list = || Part::Items(Items::Each(Vec::new()));
    let loose =
        found(Wire::Soap, 7, optional(1.0, record(vec![optional(0.5, int()), list()])), Bends::default());
    assert_eq!(
        [Feature::OptionalItem, Feature::Optional, Feature::OptionalParts].map(|feature| loose[&feature]),
        [7.0; 3]
    );
    // A present value counts like an item, and its fields once for each nonempty array.
    assert_eq!(
        [Feature::Element, Feature::Record, Feature::Columns].map(|feature| loose[&feature]),
        [7.0, 7.0, 2.0]
    );
    let pair = || record(vec![int(), int()]);
    for wire in Wire::ALL {
        let half = found(wire, 4, optional(0.5, pair()), Bends::default());
        let count = |feature| half.get(&feature).copied().unwrap_or_default();
        assert_eq!(
            (count(Feature::OptionalItem), count(Feature::OptionalParts)),
            (4.0, 2.0),
            "{}",
            wire.word()
        );
        // 1 - 0.5⁴ of the arrays have an item.
        if wire == Wire::Binary {
            // It is not moved in bulk there.
            assert_eq!(
                (count(Feature::Record), count(Feature::Field(INT)), count(Feature::Columns)),
                (2.0, 4.0, 2.0 * 0.9375)
            );
            assert_eq!(
                (count(Feature::Row), count(Feature::Element), count(Feature::Single(INT))),
                (0.0, 0.0, 0.0)
            );
        } else {
            assert_eq!(
                (count(Feature::Row), count(Feature::Cell(INT)), count(Feature::Column(INT))),
                (2.0, 4.0, 2.0 * 0.9375),
                "{}",
                wire.word()
            );
        }
    }
    // Half of the present ones have the field.
    let mixed = |items| {
        features(
            Wire::Json,
            Direction::Response,
            &record(vec![Part::Items(items)]),
            OnWire::default(),
            Bends::default(),
        )
    };
    let some = mixed(Items::Alike {
        count: Length::Fixed(8),
        item: Box::new(optional(0.5, record(vec![int(), optional(0.5, int())]))),
    });
    assert_eq!((some[&Feature::Mixed], some[&Feature::Row], some[&Feature::CellOptional]), (4.0, 4.0, 4.0));
    // The same with individually known values, whichever are missing.
    let one = |i: usize| match i % 4 {
        0 | 2 => Part::Optional { share: 0.0, part: None },
        1 => optional(1.0, record(vec![int(), optional(1.0, int())])),
        _ => optional(1.0, record(vec![int(), Part::Optional { share: 0.0, part: None }])),
    };
    let known = mixed(Items::Each((0..8).map(one).collect()));
    assert_eq!(
        [Feature::Mixed, Feature::Row, Feature::Cell(INT)].map(|f| known[&f]),
        [Feature::Mixed, Feature::Row, Feature::Cell(INT)].map(|f| some[&f])
    );
}

#[test]
fn fields_that_follow_one_of_another_kind() {
    let text = || leaf(Primitive::String, Length::Fixed(3));
    let list = || Part::Items(Items::Each(Vec::new()));
    // int, int?, int?, String, [], [] changes four times; the first time only if the first int? is there.
    let fields = |share| vec![int(), optional(share, int()), optional(0.5, int()), text(), list(), list()];
    let message = |wire, fields| {
        features(wire, Direction::Response, &record(fields), OnWire::default(), Bends::default())
    };
    for wire in [Wire::Json, Wire::Binary] {
        assert_eq!(message(wire, fields(1.0))[&Feature::Change], 4.0);
        assert_eq!(message(wire, fields(0.25))[&Feature::Change], 3.25);
        assert_eq!(message(wire, vec![int(), int()]).get(&Feature::Change), None);
        // A field that is never present changes nothing.
        assert_eq!(message(wire, vec![text(), optional(0.0, int()), text()]).get(&Feature::Change), None);
    }
    // Rows are counted separately, including nested ones.
    let rows =
        found(Wire::Json, 5, record(vec![int(), record(vec![text(), int()]), text()]), Bends::default());
    assert_eq!((rows[&Feature::ChangeRow], rows.get(&Feature::Change)), (5.0 * 3.0, None));
    let double = leaf(Primitive::Double, Length::Fixed(0));
    let moved = found(Wire::Binary, 5, record(vec![int(), double]), Bends::default());
    assert_eq!([Feature::ChangeRow, Feature::Change].map(|feature| moved.get(&feature)), [None, None]);
}
