//! The features of a message have as many fixed-size runs as its plan.

use crate::binding::{Direction, Wire};
use crate::feature::Feature;
use crate::features::{Bends, features};
use crate::{Assumed, Assumptions, Scheme, Sizes};
use creo_check::compile;

/// The runs of the request of a description's first method, as a single value and in the items of an array, and the number of its rows.
fn planned(types: &str, parameter: &str) -> [f64; 3] {
    let text = format!("{types} interface I {{ void m({parameter} v); }}");
    let model = compile(&[("x.creo", &text)]).unwrap_or_else(|report| panic!("{report}"));
    let (sizes, assumptions) = (Sizes::new(&model), Assumptions::default());
    let id = sizes.methods().next().expect("a method");
    let part =
        Assumed::new(&model, sizes.plan(), &assumptions).message(id, Direction::Request).expect("a message");
    let on_wire = sizes.on_wire(Wire::Binary, id, Direction::Request, &part).expect("a request");
    let found = features(Wire::Binary, Direction::Request, &part, on_wire, Bends::default());
    [Feature::SingleRun, Feature::Run, Feature::Row]
        .map(|feature| found.get(&feature).copied().unwrap_or(0.0))
}

#[test]
fn runs_are_those_of_the_plan() {
    let fields = "struct S { int a; E e; int b; E f; int c; }";
    let (closed, open) = (format!("enum E {{ A }} {fields}"), format!("extensible enum E {{ A }} {fields}"));
    assert_eq!(planned(&closed, "S"), [1.0, 0.0, 0.0]);
    assert_eq!(planned(&open, "S"), [3.0, 0.0, 0.0], "an extensible enum is of no fixed size");
    // Ten items are rows, or ten structs of three runs.
    assert_eq!(planned(&closed, "S[]"), [0.0, 0.0, 10.0]);
    assert_eq!(planned(&open, "S[]"), [0.0, 30.0, 0.0]);
    // An enum whose numbers take one or two bytes, though these constants have the same size.
    assert_eq!(planned(&format!("enum E {{ A = 128, B = 129 }} {fields}"), "S"), [3.0, 0.0, 0.0]);
    // The region of an extensible struct may end between any two fields (BIN-8).
    assert_eq!(planned("struct S { int a; int b; long c; }", "S"), [1.0, 0.0, 0.0]);
    assert_eq!(planned("extensible struct S { int a; int b; long c; }", "S"), [3.0, 0.0, 0.0]);
    assert_eq!(planned("extensible struct S { int a; String b; long c; }", "S[]"), [0.0, 20.0, 0.0]);
    // A struct of fixed size belongs to the run around it.
    assert_eq!(planned("struct P { int x; int y; } struct S { int a; P p; int b; }", "S"), [1.0, 0.0, 0.0]);
    assert_eq!(
        planned("extensible struct P { int x; int y; } struct S { int a; P p; int b; }", "S"),
        [4.0, 0.0, 0.0]
    );
}

/// A message with the deepest chain of nested structs: results for a struct are not recomputed for each one around it.
#[test]
fn a_long_chain_of_structs_is_estimated() {
    const STRUCTS: usize = 10_000;
    let chain = |field: &str| {
        let structs = (0..STRUCTS).map(|i| format!("struct S{i} {{ int id; {field} S{} next; }}\n", i + 1));
        let text = structs.collect::<String>();
        let text = format!("{text} struct S{STRUCTS} {{ int id; }} interface I {{ S0 m(S0 v); }}");
        let model = compile(&[("x.creo", &text)]).unwrap_or_else(|report| panic!("{report}"));
        let (sizes, assumptions) = (Sizes::new(&model), Assumptions::default());
        let id = sizes.methods().next().expect("a method");
        let part = Assumed::new(&model, sizes.plan(), &assumptions)
            .message(id, Direction::Request)
            .expect("a message");
        [Wire::Binary, Wire::Soap, Wire::Json, Wire::Table(Scheme::Record)].map(|wire| {
            let on_wire = sizes.on_wire(wire, id, Direction::Request, &part).expect("a request");
            let found = features(wire, Direction::Request, &part, on_wire, Bends::default());
            [Feature::SingleRow, Feature::SingleRecord]
                .map(|feature| found.get(&feature).copied().unwrap_or(0.0))
        })
    };
    // The walk recurses as deep as the chain.
    let walk = std::thread::Builder::new().stack_size(1 << 30).spawn(move || {
        let all = STRUCTS as f64 + 1.0;
        assert_eq!(chain(""), [[0.0, all], [all, 0.0], [0.0, all + 1.0], [0.0, all]]);
        assert_eq!(chain("int[] many;"), [[0.0, all], [1.0, all - 1.0], [0.0, all + 1.0], [0.0, all]]);
    });
    walk.expect("a thread").join().expect("an estimate");
}
