//! Nodes, runs and leaves.

use creo_check::{CheckedModel, compile};
use creo_model::{Primitive, Type, TypeId};
use creo_plan::{
    ArrayLayout, BulkScalar, FixedScalar, Kind, LeafKind, LeafLimits, Plan, RunField, Step, StringForm,
};

fn planned(text: &str) -> (CheckedModel, Plan) {
    match compile(&[("test.creo", text)]) {
        Ok(model) => {
            let plan = model.plan().clone();
            (model, plan)
        }
        Err(report) => panic!("{report:?}"),
    }
}

fn id(model: &CheckedModel, name: &str) -> TypeId {
    model.find(&format!("service.{name}")).expect(name)
}

/// More than any type here has.
const MANY: LeafLimits = LeafLimits { max_leaves: 100, max_depth: 100 };

#[test]
fn a_node_says_what_its_value_is_on_every_wire() {
    let (model, plan) = planned(
        "struct S { int[] repeated; @Xml(list, attribute) int[] list; String[][] nested; byte[] bytes; @Xml(type = \"date\") String day; DateTime[] times; }",
    );
    let record = plan.record(id(&model, "S"));
    let array = |index: usize| match &record.fields[index].node.kind {
        Kind::Array { item, bulk, layout } => (item.as_ref(), *bulk, *layout),
        other => panic!("{other:?}"),
    };
    let (item, bulk, layout) = array(0);
    assert_eq!(
        (&item.kind, bulk, layout),
        (&Kind::Scalar(FixedScalar::Int), Some(BulkScalar::Int), ArrayLayout::Repeated)
    );
    assert_eq!(item.xml.name.local, "repeated");
    assert_eq!((array(1).1, array(1).2), (Some(BulkScalar::Int), ArrayLayout::List));
    let (inner, bulk, layout) = array(2);
    assert_eq!((bulk, layout), (None, ArrayLayout::Repeated));
    assert!(
        matches!(&inner.kind, Kind::Array { bulk: None, layout: ArrayLayout::Wrapped, item } if item.xml.name.local == "item")
    );
    assert_eq!(record.fields[3].node.kind, Kind::Bytes { hex: false });
    assert_eq!(record.fields[4].node.kind, Kind::String(StringForm::Token));
    assert_eq!(array(5).1, None, "instants are not moved in bulk");
}

#[test]
fn fields_may_be_missing_where_their_value_or_a_default_says_so() {
    let (model, plan) = planned(
        "struct S { int a; int? b; int[] c; int d = 1; @Xml(attribute) int e = 1; @Xml(list) int[] f; }
         extensible struct T { int a; int b = 1; }",
    );
    let missing = |name: &str| {
        plan.record(id(&model, name)).fields.iter().map(|field| field.may_be_missing()).collect::<Vec<_>>()
    };
    assert_eq!(missing("S"), [false, true, true, false, true, false]);
    assert_eq!(missing("T"), [false, true]);
    let in_json = |name: &str| {
        let record = plan.record(id(&model, name));
        record.fields.iter().map(|field| record.json_may_miss(field)).collect::<Vec<_>>()
    };
    assert_eq!(in_json("S"), [false, true, false, false, false, false]);
    assert_eq!(in_json("T"), [false, true]);
}

#[test]
fn methods_reach_what_their_messages_and_exceptions_hold() {
    let (model, plan) = planned(
        "struct A { B[] b; } struct B { Map<String, C?> c; } enum C { X } struct D { A a; } union U { A a; } exception E { D d; } struct Unused { U u; }
         interface I { A m(U u) throws E; } interface J { oneway void n(C c); }",
    );
    let reached = |index: usize| {
        plan.reached(index).into_iter().map(|id| model.ty(id).name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(reached(0), ["A", "B", "C", "D", "U", "E"]);
    assert_eq!(reached(1), ["C"]);
}

/// The text wires do not carry streams, so what they alone reach is not in any document.
#[test]
fn streams_are_arrays_beside_the_messages() {
    let (model, plan) = planned(
        "struct A { int a; } struct B { A a; } struct C { } exception E { B b; } exception F { }
         interface I {
             stream A out(int count, String name) throws E;
             A in(int count, stream double numbers);
             stream byte bytes(stream byte bytes);
             stream byte[] blobs(stream B? bs);
             oneway void told(C c);
             void plain(String name) throws F;
         }",
    );
    let methods = &plan.interface(0).methods;
    let names = |index: usize| -> Vec<&str> {
        methods[index].request.record.fields.iter().map(|field| field.name.as_str()).collect()
    };
    let ty = |field: &Option<creo_plan::Field>| {
        field.as_ref().map(|field| (field.name.clone(), field.node.ty.clone(), field.node.stream_item().ty))
    };
    let a = Type::Named(id(&model, "A"));
    let array = |item: &Type| Type::Array(Box::new(item.clone()));

    assert_eq!(names(0), ["count", "name"]);
    assert_eq!(ty(&methods[0].stream_result), Some(("items".to_owned(), array(&a), a)));
    assert_eq!(methods[0].stream_parameter, None);
    assert!(methods[0].result().is_none() && methods[0].response.is_some());

    let double = Type::Primitive(Primitive::Double);
    assert_eq!(names(1), ["count"]);
    assert_eq!(ty(&methods[1].stream_parameter), Some(("numbers".to_owned(), array(&double), double)));
    assert_eq!(methods[1].stream_result, None);
    assert!(methods[1].result().is_some());
    let numbers = methods[1].stream_parameter.as_ref().expect("a stream");
    assert!(matches!(numbers.node.kind, Kind::Array { bulk: Some(BulkScalar::Double), .. }));

    // The array of bytes is the byte string.
    let byte = Type::Primitive(Primitive::Byte);
    for stream in methods[2].streams() {
        assert_eq!((&stream.node.kind, &stream.node.ty), (&Kind::Bytes { hex: false }, &Type::Bytes));
        let item = stream.node.stream_item();
        assert_eq!((item.ty, item.kind), (byte.clone(), Kind::Scalar(FixedScalar::Byte)));
    }
    let optional = Type::Optional(Box::new(Type::Named(id(&model, "B"))));
    assert_eq!(ty(&methods[3].stream_result), Some(("items".to_owned(), array(&Type::Bytes), Type::Bytes)));
    assert_eq!(ty(&methods[3].stream_parameter), Some(("bs".to_owned(), array(&optional), optional)));

    assert!(methods[..4].iter().all(creo_plan::Method::has_streams));
    assert!(!methods[4].has_streams() && !methods[5].has_streams());
    let reached: Vec<_> = plan.reached(0).into_iter().map(|id| model.ty(id).name.clone()).collect();
    assert_eq!(reached, ["C", "F"]);
    let of_text = plan.interface(0).text_methods(&model.interfaces[0]);
    assert_eq!(of_text.map(|(method, _)| method.name.as_str()).collect::<Vec<_>>(), ["told", "plain"]);
}

#[test]
fn consecutive_fields_of_fixed_size_are_a_run() {
    let (model, plan) = planned(
        "struct P { double x; double y; } enum E { A } extensible enum O { A } struct S { int a; P p; E e; String s; long l; O o; int z; }
         extensible struct T { int a; int b; }",
    );
    let record = plan.record(id(&model, "S"));
    let run = |fields: &[(usize, u64, u64)]| Step::Run {
        fields: fields
            .iter()
            .map(|(index, offset, size)| RunField { index: *index, offset: *offset, size: *size })
            .collect(),
        size: fields.iter().map(|(_, _, size)| size).sum(),
    };
    let expected = [
        run(&[(0, 0, 4), (1, 4, 16), (2, 20, 1)]),
        Step::Field(3),
        run(&[(4, 0, 8)]),
        Step::Field(5),
        run(&[(6, 0, 4)]),
    ];
    assert_eq!(record.steps(u64::MAX), expected);
    let expected = [
        run(&[(0, 0, 4)]),
        run(&[(1, 0, 16), (2, 16, 1)]),
        Step::Field(3),
        run(&[(4, 0, 8)]),
        Step::Field(5),
        run(&[(6, 0, 4)]),
    ];
    assert_eq!(record.steps(17), expected);
    assert_eq!(record.steps(15)[1], Step::Field(1), "what is larger than a run is a step of its own");
    assert_eq!(plan.record(id(&model, "T")).steps(u64::MAX), [Step::Field(0), Step::Field(1)]);
}

#[test]
fn a_value_of_fixed_size_has_leaves() {
    let (model, plan) = planned(
        "struct P { double x; boolean y; } enum E { A } struct S { P a; DateTime b; E c; } struct V { String s; }",
    );
    let (point, outer, letter) = (id(&model, "P"), id(&model, "S"), id(&model, "E"));
    let leaves = plan.leaves(plan.value(outer), MANY).expect("of fixed size");
    let found: Vec<_> =
        leaves.iter().map(|leaf| (leaf.path.as_slice(), leaf.offset, leaf.size, leaf.kind)).collect();
    assert_eq!(
        found,
        [
            (&[(outer, 0), (point, 0)][..], 0, 8, LeafKind::Scalar(FixedScalar::Double)),
            (&[(outer, 0), (point, 1)][..], 8, 1, LeafKind::Scalar(FixedScalar::Boolean)),
            (&[(outer, 1)][..], 9, 12, LeafKind::Scalar(FixedScalar::DateTime)),
            (&[(outer, 2)][..], 21, 1, LeafKind::Enum(letter)),
        ]
    );
    assert_eq!(plan.leaves(plan.value(outer), LeafLimits { max_leaves: 3, ..MANY }), None);
    assert_eq!(plan.leaves(plan.value(outer), LeafLimits { max_depth: 1, ..MANY }), None);
    assert_eq!(plan.leaves(plan.value(id(&model, "V")), MANY), None);
}
