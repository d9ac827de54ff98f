//! What commands say of methods with streams, which not every wire carries.

mod common;

use common::Place;

/// CALL-47: a WSDL has the other methods, and nothing that the streams alone need; an OpenAPI document has those with one stream, too.
#[test]
fn streams_are_left_out() {
    let place = Place::new();
    place.write(
        "s.creo",
        "struct Item { int a; } struct Both { int b; } exception Gone { int c; } exception Lost { int d; } struct Word { int e; }
        interface S {
            Both plain(int count) throws Lost;
            stream Item items(Both both) throws Gone;
            void take(stream Item items);
            stream Word talk(stream Word words);
        }
        interface T { stream Item only(); }",
    );
    let ran = place.creo("export wsdl s.creo --interface S").exits(0);
    let ran = ran.says(
        "warning[stream-not-carried]: `service.S.items`, `service.S.take`, `service.S.talk` have streams, which the wires binary \
         and json carry: the WSDL leaves them out",
    );
    assert!(ran.out.contains("plain") && ran.out.contains("Both") && ran.out.contains("Lost"), "{}", ran.out);
    for absent in ["Item", "items", "take", "Gone", "talk"] {
        assert!(!ran.out.contains(absent), "{absent} is in {}", ran.out);
    }
    let ran = place.creo("export openapi s.creo --interface S").exits(0);
    let ran = ran.says(
        "warning[stream-not-carried]: `service.S.talk` has two streams, which the binary wire alone carries: the OpenAPI document \
         leaves it out",
    );
    for there in ["plain", "items", "take", "Item", "Gone", "application/x-ndjson", "text/event-stream"] {
        assert!(ran.out.contains(there), "{there} is not in {}", ran.out);
    }
    assert!(!ran.out.contains("talk") && !ran.out.contains("Word"), "{}", ran.out);
    let alone = place.creo("export openapi s.creo --interface T").exits(0);
    assert!(alone.err.is_empty() && alone.out.contains("\"/only\""), "{}{}", alone.err, alone.out);
    place.creo("export -o t.wsdl wsdl s.creo --interface T").exits(0);
    place.creo("import t.wsdl --out imported").exits(100).says("nothing-to-import");
    place.creo("explain stream-not-carried").exits(0).prints("CALL-47");
}

/// CALL-47.
#[test]
fn streams_need_a_wire_that_carries_them() {
    let place = Place::new();
    let methods: Vec<String> = (0..7).map(|i| format!("stream int m{i}();")).collect();
    place.write("s.creo", format!("@PACKAGE(\"a\") interface S {{ void plain(); {} }}", methods.join(" ")));
    place.write(
        "two.creo",
        "@PACKAGE(\"a\") interface S { stream int one(); stream int two(stream int given); }",
    );
    let names = "error[stream-not-carried]: `a.S.m0`, `a.S.m1`, `a.S.m2`, `a.S.m3`, `a.S.m4` and 2 more have streams, which";
    let refused = format!("{names} the wires binary and json carry: add `binary` to the wires, or `json`");
    place.creo("generate s.creo -t java,c --wires tdxml,soap -o out").exits(100).says(&refused);
    place.creo("generate s.creo -t nobody --wires soap -o out").exits(100).says(&refused);
    place.creo("pack s.creo -t python --wires soap --version 1.0.0 -o packed").exits(100).says(&refused);
    let two = "error[stream-not-carried]: `a.S.two` has two streams, which the binary wire alone carries: add `binary` to the wires";
    place.creo("generate two.creo -t java --wires json -o out").exits(100).says(two);
    assert!(!place.exists("out"), "nothing was written");
    place.creo("generate s.creo -t java,python,c,csharp --wires json -o alone").exits(0);
    place.creo("generate s.creo -t java,python,c,csharp --wires json,binary -o out").exits(0);
    place.creo("generate s.creo -t java,python,c,csharp --wires all -o all").exits(0);
}

/// COST-17.
#[test]
fn items_of_streams_are_not_priced() {
    let place = Place::new();
    place.write(
        "s.creo",
        "interface S { stream double[] items(int count); int sum(String name, stream long numbers); void plain(int a); }",
    );
    let ran = place.creo("estimate s.creo --profile none --all").exits(0);
    ran.prints("not priced    the items of streams: S.items, S.sum\n")
        .prints("The items of streams are not priced: S.items, S.sum.")
        .prints("cheapest      binary+tcp:");
    let ran = place.creo("estimate s.creo --profile none --format json --method items --method sum").exits(0);
    let json: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    let rows: Vec<String> = json["rows"]
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| {
            let bytes = |message: &str| row[message]["body"]["expected"].as_f64();
            format!(
                "{} {} {:?} {:?} {}",
                row["method"],
                row["binding"],
                bytes("request"),
                bytes("response"),
                row["streams"]
            )
        })
        .collect();
    assert_eq!(
        rows,
        [
            "\"S.items\" \"binary+tcp\" Some(4.0) Some(0.0) true",
            "\"S.sum\" \"binary+tcp\" Some(17.0) Some(4.0) true",
        ]
    );
    place
        .creo("estimate s.creo --profile none --binding json --method items")
        .exits(0)
        .says("no binding here carries these methods");
    for path in ["items.result=3", "sum.numbers=3"] {
        place
            .creo(&format!("estimate s.creo --length {path}"))
            .exits(1)
            .says("no field, parameter or result");
    }
    let plain = place.creo("estimate s.creo --profile none --method plain").exits(0);
    assert!(!plain.out.contains("not priced"), "{}", plain.out);
}
