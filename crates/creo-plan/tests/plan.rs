//! MODEL-21: sizes in the plan.

use creo_check::{CheckedModel, compile};
use creo_model::TypeId;
use creo_plan::{Plan, Shape, count_size};

fn model(text: &str) -> CheckedModel {
    match compile(&[("test.creo", text)]) {
        Ok(model) => model,
        Err(report) => panic!("{report:?}"),
    }
}

fn shape_of(model: &CheckedModel, plan: &Plan, name: &str) -> Shape {
    plan.shape(id(model, name))
}

fn id(model: &CheckedModel, name: &str) -> TypeId {
    model.find(&format!("service.{name}")).expect(name)
}

#[test]
fn sizes_are_those_of_the_binary_wire() {
    let model = model(
        "struct Point { double x; double y; } struct Flagged { boolean on; DateTime since; } struct Nothing {}
         struct Texts { String a; Decimal b; byte[] c; int[] d; int? e; Map<String, int> f; Point g; }
         enum Small { A, B = 127 } enum Wide { A, B = 128 } enum High { A = 128, B } extensible enum Open { A }
         union Shape { Point point; Nothing nothing; } extensible union Event { Point point; }
         extensible struct Growing { int a; String b; int c = 1; double d = 2; }",
    );
    let plan = model.plan();
    let all = |name: &str| {
        let shape = shape_of(&model, plan, name);
        (shape.min_size, shape.fixed_size, shape.any_bits)
    };
    assert_eq!(all("Point"), (16, Some(16), true));
    assert_eq!(all("Flagged"), (13, Some(13), false));
    assert_eq!(all("Nothing"), (0, Some(0), true));
    assert_eq!(all("Texts"), (1 + 2 + 1 + 1 + 1 + 1 + 16, None, false));
    assert_eq!(all("Small"), (1, Some(1), false));
    assert_eq!(all("Wide"), (1, None, false));
    assert_eq!(all("High"), (2, None, false));
    assert_eq!(all("Open"), (1, None, false));
    assert_eq!(all("Shape"), (1, None, false));
    assert_eq!(all("Event"), (5, None, false));
    assert_eq!(all("Growing"), (4 + 4 + 1, None, false));
}

#[test]
fn the_least_size_of_a_recursive_type_is_that_of_its_shortest_value() {
    let model = model(
        "struct Sum { Expression left; Expression right; } union Expression { Sum sum; double number; } struct Tree { Tree[] children; Tree? next; }",
    );
    let plan = model.plan();
    assert_eq!(shape_of(&model, plan, "Expression").min_size, 9);
    assert_eq!(shape_of(&model, plan, "Sum").min_size, 18);
    assert_eq!(shape_of(&model, plan, "Tree").min_size, 2);
    assert!(model.ty(id(&model, "Sum")).recursive && model.ty(id(&model, "Tree")).recursive);
}

#[test]
fn a_long_chain_of_types_is_planned_in_linear_time() {
    let mut text: String = (0..20_000).map(|i| format!("struct S{i} {{ S{} s; }}\n", i + 1)).collect();
    text.push_str("struct S20000 { int i; }");
    let model = model(&text);
    let plan = model.plan();
    assert_eq!(shape_of(&model, plan, "S0"), Shape { min_size: 4, fixed_size: Some(4), any_bits: true });
}

#[test]
fn counts_have_their_shortest_form() {
    for (count, size) in [
        (0, 1),
        (127, 1),
        (128, 2),
        (16_383, 2),
        (16_384, 3),
        (2_097_151, 3),
        (2_097_152, 4),
        (268_435_455, 4),
        (268_435_456, 5),
        (2_147_483_647, 5),
    ] {
        assert_eq!(count_size(count), size, "{count}");
    }
}
