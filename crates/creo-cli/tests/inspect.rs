//! `creo inspect`: values to bytes and back, annotated.

mod common;

use common::Place;

const DATA_VALUE: &str = r#"{"metadata":{"description":"CO2","timestamp":1},"samples":[1.0,-2.5]}"#;
const DATA_HEX: &str = "03434f32000000000000000102";
const SAMPLES_HEX: &str = "3ff0000000000000c004000000000000";

#[test]
fn a_value_field_by_field() {
    let place = Place::with_data();
    let ran = place.creo_with(&["inspect", "data.creo", "--type", "Data", "--value", DATA_VALUE]).exits(0);
    assert_eq!(
        ran.out,
        "\
Data, 29 bytes

                                 $: Data
                                   metadata: MetaData
     0  03                           description: count of bytes = 3
     1  43 4f 32                     description: String = \"CO2\"
     4  00 00 00 00 00 00 00 01      timestamp: long = 1
                                   samples: double[]
    12  02                           samples: count of items = 2
    13  3f f0 00 00 00 00 00 00      [0]: double = 1.0
    21  c0 04 00 00 00 00 00 00      [1]: double = -2.5
"
    );
}

#[test]
fn values_to_hex_and_back() {
    let place = Place::with_data();
    let hex = format!("{DATA_HEX}{SAMPLES_HEX}");
    let ran = place
        .creo_with(&[
            "inspect",
            "data.creo",
            "--type",
            "org.example.data.Data",
            "--value",
            DATA_VALUE,
            "--format",
            "hex",
        ])
        .exits(0);
    assert_eq!(ran.out, format!("{hex}\n"));
    let ran = place
        .creo_with(&["inspect", "data.creo", "--type", "Data", "--hex", &hex, "--format", "json"])
        .exits(0);
    assert_eq!(ran.json()["value"].to_string(), DATA_VALUE);
    assert_eq!(ran.json()["bytes"], hex.as_str());
    assert_eq!(ran.json()["sections"][0]["items"][3]["place"], "$.metadata.description");
}

#[test]
fn types_as_descriptions_write_them() {
    let place = Place::with_data();
    for (ty, value, hex) in [
        ("int[]", "[1]", "0100000001"),
        ("Map<String, short?>", r#"{"a":1}"#, "010161010001"),
        ("byte[]", r#""AA==""#, "0100"),
        ("MetaData?", "null", "00"),
        (" org.example.data.MetaData [ ] ? ", "[]", "0100"),
    ] {
        let ran = place
            .creo_with(&["inspect", "data.creo", "--type", ty, "--value", value, "--format", "hex"])
            .exits(0);
        assert_eq!(ran.out.trim(), hex, "{ty}");
    }
    for ty in ["Nope", "int[", "Map<int>", "int??", "Data x", "", "Map<Map<int,int>,", "org.example.Data"] {
        place.creo_with(&["inspect", "data.creo", "--type", ty, "--sample"]).exits(1);
    }
    place
        .creo_with(&["inspect", "data.creo", "--type", &"Map<int,".repeat(100), "--sample"])
        .exits(1)
        .says("nests too deep");
    place
        .creo_with(&["inspect", "data.creo", "--type", "Dat", "--sample"])
        .exits(1)
        .says("no type \"Dat\"")
        .says("it has MetaData, Data, NotFound");
}

#[test]
fn messages() {
    let place = Place::with_data();
    place
        .creo("inspect data.creo --method retrieveData --sample")
        .exits(0)
        .prints("request of retrieveData, 12 bytes")
        .prints("description: String = \"description\"");
    place
        .creo("inspect data.creo --method DataService.retrieveData --response --sample")
        .exits(0)
        .prints("$result: Data");
    place
        .creo("inspect data.creo --method retrieveData --exception --sample")
        .exits(0)
        .prints("$exception: exception 0");
    place
        .creo("inspect data.creo --method storeData --response --sample")
        .exits(0)
        .prints("response of storeData, 0 bytes");
    place.creo("inspect data.creo --method touch --response --sample").exits(1).says("touch is oneway");
    place
        .creo("inspect data.creo --method storeData --exception --sample")
        .exits(1)
        .says("storeData throws nothing");
    place
        .creo("inspect data.creo --method nope --sample")
        .exits(1)
        .says("no method \"nope\"")
        .says("it has storeData, retrieveData, touch");
}

#[test]
fn whole_frames() {
    let place = Place::with_data();
    let ran = place
        .creo_with(&[
            "inspect",
            "data.creo",
            "--method",
            "retrieveData",
            "--value",
            r#"{"description":"CO2"}"#,
            "--frame",
        ])
        .exits(0);
    for line in [
        "     0  43 52 45 4f              protocol = CREO",
        "request frame, call 1, 26 bytes",
        "    12  01                       kind = request",
        "org.example.data.DataService.retrieveData",
        "    26  00 00 ea 60              milliseconds left = 60000",
        "    31  43 4f 32                 description: String = \"CO2\"",
    ] {
        assert!(ran.out.contains(line), "no {line:?} in\n{}", ran.out);
    }
    let request =
        place.creo("inspect data.creo --method retrieveData --sample --frame --format hex").exits(0).out;
    let response = place
        .creo_with(&[
            "inspect",
            "data.creo",
            "--method",
            "retrieveData",
            "--response",
            "--value",
            DATA_VALUE,
            "--frame",
            "--format",
            "hex",
        ])
        .exits(0)
        .out;
    // A dump of both sides needs no method: it is in the request.
    let both = format!("{request}\n{response}");
    let json = place
        .creo_with(&["inspect", "data.creo", "--frame", "--hex", &both, "--format", "json"])
        .exits(0)
        .json();
    assert_eq!(json["messages"][0]["method"], "org.example.data.DataService.retrieveData");
    assert_eq!(json["messages"][1]["value"].to_string(), DATA_VALUE);
    place
        .creo_with(&["inspect", "data.creo", "--frame", "--hex", &response])
        .exits(0)
        .prints("body of a method that is not known");
    place
        .creo_with(&["inspect", "data.creo", "--frame", "--method", "retrieveData", "--hex", &response])
        .exits(0)
        .prints("$result: Data");
    place
        .creo_with(&["inspect", "data.creo", "--frame", "--hex", "47 45 54 20 2f"])
        .exits(100)
        .prints("the bytes look like HTTP");
}

#[test]
fn malformed_bytes_are_findings() {
    let place = Place::with_data();
    let ran = place
        .creo_with(&["inspect", "data.creo", "--type", "Data", "--hex", "03434f3200000000000000 01 05"])
        .exits(100);
    assert!(ran.out.contains("timestamp: long = 1"), "{}", ran.out);
    assert!(
        ran.out.contains("^ malformed: 5 items of at least 8 bytes each, and 0 left (at $.samples, byte 12)"),
        "{}",
        ran.out
    );
    let json = place
        .creo_with(&["inspect", "data.creo", "--type", "Data", "--hex", "00", "--format", "json"])
        .exits(100)
        .json();
    let error = &json["sections"][0]["error"];
    assert_eq!(
        (&error["code"], &error["place"], &error["offset"]),
        (&"malformed".into(), &"$.metadata.timestamp".into(), &1.into())
    );
    assert!(json.get("value").is_none());
}

#[test]
fn wrong_values_are_failures() {
    let place = Place::with_data();
    let value = |value: &str| {
        place.creo_with(&["inspect", "data.creo", "--type", "MetaData", "--value", value]).exits(1)
    };
    value(r#"{"description":"x"}"#).says("invalid-value: is missing, and has no default (at $.timestamp)");
    value(r#"{"description":1,"timestamp":1}"#).says("at $.description");
    value(r#"{"description":"x","description":"y","timestamp":1}"#).says("occurs twice");
    value("{").says("the value is not JSON");
    place.creo_with(&["inspect", "data.creo", "--type", "Data", "--hex", "0"]).exits(1).says("odd number");
}

#[test]
fn arguments_from_files() {
    let place = Place::with_data();
    place.write("value.json", DATA_VALUE);
    place.write("dump", format!("# a remark\n{DATA_HEX}\n{SAMPLES_HEX}\n"));
    place.creo("inspect data.creo --type Data --value @value.json").exits(0).prints("[1]: double = -2.5");
    place.creo("inspect data.creo --type Data --hex @dump").exits(0).prints("[1]: double = -2.5");
    place
        .creo_reading("inspect data.creo --type Data --value @-", DATA_VALUE.as_bytes())
        .exits(0)
        .prints("[1]: double = -2.5");
    place.creo("inspect data.creo --type Data --hex @nope").exits(1).says("cannot read nope");
    place
        .creo_reading("inspect data.creo --type Data --hex @-", b"\xff")
        .exits(1)
        .says("standard input is not UTF-8");
}

#[test]
fn long_arrays_are_cut_in_the_listing_and_checked_to_the_end() {
    let place = Place::with_data();
    let numbers = format!("[{}]", vec!["1"; 1000].join(","));
    let run = |items: &str| {
        place
            .creo_with(&["inspect", "data.creo", "--type", "short[]", "--value", &numbers, "--items", items])
            .exits(0)
            .out
    };
    assert!(run("3").contains("[2]: short = 1") && !run("3").contains("[3]: short"));
    assert!(run("3").contains("997 more items"), "{}", run("3"));
    assert!(run("1000").contains("[999]: short = 1"));
}

#[test]
fn usage() {
    let place = Place::with_data();
    for arguments in [
        "inspect data.creo",
        "inspect data.creo --type Data",
        "inspect data.creo --type Data --sample --hex 00",
        "inspect data.creo --type Data --method x --sample",
        "inspect data.creo --request --sample",
        "inspect data.creo --method x --request --response --sample",
        "inspect data.creo --type Data --frame --sample",
    ] {
        place.creo(arguments).exits(2);
    }
    place.creo("inspect data.creo --sample").exits(1).says("--type or --method");
    place.creo("inspect data.creo --frame --sample").exits(1).says("--method");
}

#[test]
fn colours_are_for_terminals() {
    let place = Place::with_data();
    let coloured = place.creo("inspect data.creo --type Data --sample --color always").exits(0).out;
    assert!(coloured.contains("\u{1b}[31m$: Data\u{1b}[0m"), "{coloured}");
    assert!(!place.creo("inspect data.creo --type Data --sample").exits(0).out.contains('\u{1b}'));
}

const LOG: &str = "\
12:00:00 INFO creo.raw sent request of org.example.data.DataService.retrieveData to 127.0.0.1:7000, 4 bytes
| wire: binary
| kind: request
| timeout: 60000
| x-api-key: ***
| 
|      0  03 43 4f 32
12:00:00 INFO creo.raw received answer of org.example.data.DataService.retrieveData from 127.0.0.1:7000, 29 bytes
| wire: binary
| kind: response
| 
|      0  03 43 4f 32 00 00 00 00
| (21 more bytes)
";

#[test]
fn messages_of_a_log() {
    let place = Place::with_data();
    place.write("raw.log", LOG);
    let ran = place.creo_with(&["inspect", "data.creo", "--log", "@raw.log"]).exits(0);
    assert_eq!(
        ran.out,
        "\
sent request of org.example.data.DataService.retrieveData to 127.0.0.1:7000, 4 bytes
wire: binary
kind: request
timeout: 60000
x-api-key: ***

request of retrieveData, 4 bytes

     0  03                       description: count of bytes = 3
     1  43 4f 32                 description: String = \"CO2\"

received answer of org.example.data.DataService.retrieveData from 127.0.0.1:7000, 29 bytes
wire: binary
kind: response

response of retrieveData, 8 bytes

                                 $result: Data
                                   metadata: MetaData
     0  03                           description: count of bytes = 3
     1  43 4f 32                     description: String = \"CO2\"

(cut: 21 more bytes were left out of the log)
"
    );
    let ran = place.creo_with(&["inspect", "data.creo", "--log", "@raw.log", "--format", "json"]).exits(0);
    let messages = &ran.json()["messages"];
    assert_eq!(messages[0]["value"].to_string(), r#"{"description":"CO2"}"#);
    assert_eq!(messages[1]["line"], 8);
    assert!(messages[1]["value"].is_null());
}

#[test]
fn messages_of_a_log_without_a_body_or_method() {
    let place = Place::with_data();
    let head = |what: &str, more: &str| format!("{what}, 2 bytes\n| wire: binary\n{more}");
    let shown = |log: &str, code: i32| place.creo_with(&["inspect", "data.creo", "--log", log]).exits(code);
    let known = "sent request of org.example.data.DataService.retrieveData to a";
    let hidden = shown(&head(known, "| \n| (the body is not shown: it is of the binary wire)"), 0);
    assert!(
        hidden.out.ends_with("\n\n(the body is not shown: it is of the binary wire)\n"),
        "{}",
        hidden.out
    );
    let unknown = shown(&head("sent request of a.B.c to a", "| \n|      0  00 01"), 0);
    assert!(unknown.out.ends_with("\n\n(the description has no such method)\n"), "{}", unknown.out);
    let error = shown(&head("received answer from a", "| kind: error\n| \n|      0  03 00"), 100);
    assert!(error.out.contains("malformed"), "{}", error.out);
    let malformed = shown(&head(known, "| \n|      0  03 00"), 100);
    assert!(malformed.out.contains("malformed"), "{}", malformed.out);
    let wrong = shown(&head(known, "| \n|      0  0g 00"), 1);
    assert!(
        wrong.err.contains("line 4 of the log: a byte is two hexadecimal digits, not \"0g\""),
        "{}",
        wrong.err
    );
    assert!(shown("nothing", 1).err.contains("no message of the binary wire"));
    let hex = place.creo_with(&["inspect", "data.creo", "--log", LOG, "--format", "hex"]).exits(1);
    assert!(hex.err.contains("--format text"), "{}", hex.err);
}
