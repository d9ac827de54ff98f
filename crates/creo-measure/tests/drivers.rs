//! The driver of each target is generated, compiled and run, and the sizes of what it writes are those of the model. The times are not tested.

#![allow(clippy::disallowed_methods, clippy::disallowed_types)] // The environment says which languages are taken out.

use creo_check::compile;
use creo_cost::calibration::{check_size, prepare};
use creo_cost::{Assumptions, Direction, Foreign, Length, Sizes, Wire};
use creo_measure::{Effort, Progress, Task, Tools, find, measure};
use std::path::{Path, PathBuf};
use std::process::Command;

struct Silent;

impl Progress for Silent {
    fn note(&self, _: &str) {}
    fn advance(&self, _: Option<&str>) {}
}

/// Every kind of type: the sizes of the runtime's messages are compared with the model's on all seven wires. Times are not checked.
fn what_is_verified_has_the_sizes_of_the_model(target: &str) {
    let all = "@PACKAGE(\"p.q\") enum Colour { RED, GREEN = 300 } union Shape { double circle; int[] sides; Colour colour; }
         struct All { boolean a; byte b; short c; char d; int e; long f; float g; double h; String i; DateTime j; Decimal k; byte[] l; Colour m; Shape n;
             int? o; String?[] p; Map<String, All2> q; double[][] r; @Xml(attribute) String s; }
         extensible struct All2 { int x = 5; String[] y = {}; @Xml(nillable) String? z; }
         struct Tree { String name; Tree[] children; Tree? next; }
         struct Tag { @Xml(attribute) int a0; @Xml(attribute) int? a1; @Xml(attribute) int a2; @Xml(attribute) int a3; @Xml(attribute) int a4; @Xml(attribute) int a5;
             @Xml(attribute) int a6; @Xml(attribute) int a7; @Xml(attribute) int a8; @Xml(attribute) int a9; @Xml(any) String[] any; @Xml(anyAttribute) Map<String, String> more; }
         interface One { All[] all(All[] value, int number, @Xml(header) String? session); void none(); oneway void tree(Tree value); }
         interface Two { void all(Map<int, Shape> value); void tags(Tag?[] value); @Xml(bare) void page(@Xml(raw) String text);
             @Xml(bare) void several(All2 value, Shape shape, @Xml(header) String? session, double? last); }";
    // The requests of seven methods and the response of the one with a result.
    verify(target, all, &assumptions("p.q.One.all.value", &["p.q.All.o"]), 7 + 1);
}

/// Measures each message on seven wires, both ways.
fn verify(target: &str, description: &str, assumptions: &Assumptions, messages: usize) {
    verify_on(&Wire::ALL, target, description, assumptions, messages);
}

/// Measures each message on some wires, both ways.
fn verify_on(wires: &[Wire], target: &str, description: &str, assumptions: &Assumptions, messages: usize) {
    if std::env::var("CREO_WITHOUT").unwrap_or_default().split(',').any(|name| name.trim() == target) {
        eprintln!("{target} was taken out by CREO_WITHOUT");
        return;
    }
    let language = find(target).expect("a target that can be measured");
    let model = compile(&[("all.creo", description)]).unwrap_or_else(|report| panic!("{report}"));
    let sizes = Sizes::new(&model);
    let ways = sizes.methods().flat_map(|id| {
        let answered = sizes.method(id).1.result.is_some();
        std::iter::once((id, Direction::Request)).chain(answered.then_some((id, Direction::Response)))
    });
    let prepared: Vec<_> = ways
        .enumerate()
        .map(|(seed, (id, direction))| {
            prepare(&sizes, id, direction, assumptions, seed as u64, 0.0).unwrap_or_else(|e| panic!("{e}"))
        })
        .collect();
    assert_eq!(prepared.len(), messages);
    let task = Task { sizes: &sizes, messages: &prepared, wires, effort: Effort::LOOK };
    let folder = tempfile::tempdir().expect("a folder");
    let found = measure(language, &task, &tools(target), folder.path(), &Silent)
        .unwrap_or_else(|failure| panic!("{failure}"));
    assert_eq!(found.samples.len(), messages * wires.len());
    for (wire, sample) in &found.samples {
        check_size(&sizes, *wire, &prepared[sample.request], sample.bytes).unwrap_or_else(|e| panic!("{e}"));
        assert!(sample.serialize > 0.0 && sample.deserialize > 0.0, "{wire:?} {sample:?}");
    }
}

/// The tools that the environment names, and .NET as the repository sets it up. C is compiled without optimization, which takes most of the
/// time and changes no size.
fn tools(target: &str) -> Tools {
    let mut tools = Tools::named(|name| std::env::var_os(name));
    tools.cc.push_str(" -O0");
    if target != "csharp" {
        return tools;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let scripts = root.join("scripts/dotnet");
    let ready = Command::new(scripts.join("setup.sh")).status().expect("a shell");
    assert!(ready.success(), "scripts/dotnet/setup.sh");
    let text = |path: PathBuf| path.to_str().expect("a path of UTF-8").to_owned();
    Tools {
        dotnet: text(root.join("build/tools/dotnet/dotnet")),
        csc: Some(text(scripts.join("csc.sh"))),
        ..tools
    }
}

/// Arrays of three items at a path, and optional values present half of the time.
fn assumptions(length: &str, present: &[&str]) -> Assumptions {
    let length = Length::parse("3").map(|three| (length.to_owned(), three)).expect("a length");
    let present = present.iter().map(|path| ((*path).to_owned(), 0.5)).collect();
    Assumptions { lengths: [length].into(), present, ..Assumptions::default() }
}

#[test]
fn csharp_has_the_sizes_of_the_model() {
    what_is_verified_has_the_sizes_of_the_model("csharp");
}

/// Generated C# also contains a client; the names of the measuring code are used in this description.
#[test]
fn csharp_reads_requests_and_writes_responses_of_any_method() {
    let hostile = "@PACKAGE(\"measured\") struct Message { int value; String writer; int reader; } union Reader { Message f0; String[] object; }
         exception Bad { String message; } enum TextField { All, Of } extensible struct Writer { Message[] more = {}; }
         interface Messages0 {
             Message message(Message value, int reader, String? writer, Message? f0, Reader element) throws Bad;
             int?[] optional(Map<String, int?> value);
             int? maybe();
             TextField kind(TextField kind, TextField[] kinds);
             Reader union(Reader writer, Writer more);
             void head(@Xml(header) String session, Message value, @Xml(header) int? number);
             @Xml(bare) @XmlResponse(bare) Message bare(@Xml(header) String session, Message value) throws Bad;
             @Xml(bare) void none();
             @Xml(bare) void headerOnly(@Xml(header) String session);
             @XmlResponse(bare) int[] ints(int x);
             Map<String, byte[][]> large(int a, int b, int c, int d, int e, int f, int g, int h, int i);
         }
         interface AllMessages { oneway void all(int x); }";
    verify("csharp", hostile, &Assumptions::default(), 12 + 8);
}

/// The driver compares what the stack reads and writes with Creo's values.
#[test]
fn xml_serializer_has_the_values_of_the_model() {
    let all = "@PACKAGE(\"p.q\") enum Colour { RED, GREEN = 300 } union Shape { double circle; int[] sides; Colour colour; All2 all; }
         struct All { boolean a; byte b; short c; char d; int e; long f; float g; double h; String i; DateTime j; Decimal k; byte[] l; Colour m; Shape n;
             int? o; String?[] p; Map<String, All2> q; double[][] r; @Xml(attribute) String s; Colour? t; byte[][] u; DateTime?[] v; Shape[]? w; @Xml(attribute) int? x; }
         extensible struct All2 { int x = 5; String[] y = {}; @Xml(nillable) int? z; }
         interface One { All[] all(All[] value, int number); Map<int, Shape> map(Map<String, int?> value); }";
    verify_on(
        &[Wire::Foreign(Foreign::XmlSerializer)],
        "csharp",
        all,
        &assumptions("p.q.One.all.value", &["p.q.All.o", "p.q.All.t"]),
        2 + 2,
    );
}

#[test]
fn java_has_the_sizes_of_the_model() {
    what_is_verified_has_the_sizes_of_the_model("java");
}

#[test]
fn python_has_the_sizes_of_the_model() {
    what_is_verified_has_the_sizes_of_the_model("python");
}

#[test]
fn c_has_the_sizes_of_the_model() {
    what_is_verified_has_the_sizes_of_the_model("c");
}

/// C has clients alone, so what reads requests and writes responses is made for measuring: by the generator's names, whatever those of the description are,
/// with outcomes that may be exceptions, and bodies without a wrapper.
#[test]
fn c_reads_requests_and_writes_responses_of_any_method() {
    let hostile = "@PACKAGE(\"errno.unix\") struct errno { int errno; String value; int reader; } union linux { errno errno; String[] class; }
         exception Bad { String why; errno[] e; } exception Worse { int why; } enum E { A, B }
         interface stdin {
             errno reader(errno value, int reader, String? item, errno? there, linux from) throws Bad, Worse;
             void to(int to, String? value) throws Bad;
             int?[] optional(Map<String, int?> value);
             int? maybe();
             E kind(E kind, E[] kinds);
             linux union(linux writer);
             void head(@Xml(header) String session, errno value);
             @Xml(bare) @XmlResponse(bare) errno bare(@Xml(header) String session, errno value) throws Bad;
             @Xml(bare) void none();
             @Xml(bare) void headerOnly(@Xml(header) String session);
             @XmlResponse(bare) int[] ints(int x);
         }
         interface measured_methods { oneway void table(int x); }";
    verify("c", hostile, &Assumptions::default(), 12 + 7);
}
