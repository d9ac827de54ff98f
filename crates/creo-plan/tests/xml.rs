//! The plan of the text wires: names, positions, forms, first sets, namespaces, actions.

use creo_check::{CheckedModel, compile};
use creo_model::{TypeId, XML_NAMESPACE, XmlWord};
use creo_plan::{
    ArrayLayout, Content, Field, FixedScalar, Kind, Message, Name, Node, Plan, Position, StringForm,
};

fn model(text: &str) -> CheckedModel {
    match compile(&[("test.creo", text)]) {
        Ok(model) => model,
        Err(report) => panic!("{report}in {text}"),
    }
}

struct Planned {
    model: CheckedModel,
    plan: Plan,
}

impl Planned {
    fn new(text: &str) -> Planned {
        let model = model(text);
        let plan = model.plan().clone();
        Planned { model, plan }
    }

    fn id(&self, name: &str) -> TypeId {
        self.model.find(&format!("service.{name}")).expect(name)
    }

    fn name(&self, name: &Name) -> String {
        match name.namespace {
            Some(index) => format!("{{{}}}{}", self.plan.namespaces()[index], name.local),
            None => name.local.clone(),
        }
    }

    fn fields(&self, name: &str) -> &[Field] {
        &self.plan.record(self.id(name)).fields
    }

    /// Each field as `declared position name form`.
    fn forms(&self, fields: &[Field]) -> Vec<String> {
        fields.iter().map(|field| format!("{} {}", field.name, self.form(&field.node))).collect()
    }

    fn form(&self, node: &Node) -> String {
        let position = match node.xml.position {
            Position::Element => self.name(&node.xml.name),
            Position::Attribute => format!("@{}", self.name(&node.xml.name)),
            Position::Header => format!("^{}", self.name(&node.xml.name)),
            position => format!("{position:?}").to_lowercase(),
        };
        format!("{position}{} {}", if node.xml.nillable { " nil" } else { "" }, self.value(node))
    }

    fn value(&self, node: &Node) -> String {
        match &node.kind {
            Kind::Scalar(scalar) => scalar.primitive().keyword().to_owned(),
            Kind::Decimal => "Decimal".into(),
            Kind::String(form) => match form {
                StringForm::Plain => "String",
                StringForm::Token => "token",
                StringForm::Raw => "raw",
                StringForm::QName => "qname",
            }
            .into(),
            Kind::Bytes { hex } => if *hex { "hex" } else { "base64" }.to_owned(),
            Kind::Enum(id) | Kind::Record(id) | Kind::Union(id) => self.model.ty(*id).name.clone(),
            Kind::Optional(inner) => format!("({})?", self.value(inner)),
            Kind::Array { item, layout: ArrayLayout::Repeated, .. } => format!("[{}]", self.form(item)),
            Kind::Array { item, layout: ArrayLayout::Wrapped, .. } => format!("<{}>", self.form(item)),
            Kind::Array { item, layout: ArrayLayout::List, .. } => format!("list({})", self.value(item)),
            Kind::Map { attributes: true, .. } => "attributes".into(),
            Kind::Map { key, value, .. } => format!("map({}, {})", self.form(key), self.form(value)),
        }
    }

    fn first(&self, content: &Content) -> Vec<String> {
        content.first.iter().map(|(name, index)| format!("{}:{index}", self.name(name))).collect()
    }

    /// The namespaces, and `xsi`.
    fn needs(&self, content: &Content) -> Vec<String> {
        let mut all: Vec<String> =
            content.namespaces.iter().map(|index| self.plan.namespaces()[*index].clone()).collect();
        all.extend(content.xsi.then(|| "xsi".to_owned()));
        all
    }

    fn record_needs(&self, name: &str) -> Vec<String> {
        self.needs(&self.plan.record(self.id(name)).content)
    }

    fn request(&self, method: usize) -> &Message {
        &self.plan.interface(0).methods[method].request
    }

    fn response(&self, method: usize) -> &Message {
        self.plan.interface(0).methods[method].response.as_ref().expect("it has one")
    }

    fn message_needs(&self, message: &Message) -> Vec<String> {
        self.needs(&message.record.content)
    }
}

/// XML-1, XML-30
#[test]
fn names() {
    let planned = Planned::new(
        r#"
        @NAMESPACE("urn:a")
        struct Plain { int a; @Xml(name = "b-b") int b; @Xml(namespace = "urn:z") int c; @Xml(namespace = "") int d; @Xml(attribute) int e; @Xml(attribute, namespace = "urn:z", name = "g") int f; }
        @Xml(name = "T", namespace = "urn:b") struct Renamed { int a; @Xml(namespace = "urn:a") int b; }
        @Xml(unqualified) struct Unqualified { int a; @Xml(namespace = "urn:z") int b; Plain[] c; int[][] d; Map<int, int> e; }
        @Xml(namespace = "") struct None { int a; }
        @Xml(name = "Gone") exception Lost { int a; }
        @Xml(name = "E2") enum E { @Xml(name = "x y") A, B }
        @Xml(unqualified, name = "U2") union U { int a; @Xml(name = "c") Plain b; }
        "#,
    );
    assert_eq!(planned.plan.namespaces(), ["urn:a", "urn:b", "urn:z"]);
    assert_eq!(planned.name(&planned.plan.record(planned.id("Plain")).xml), "{urn:a}Plain");
    let expected =
        ["a {urn:a}a int", "b {urn:a}b-b int", "c {urn:z}c int", "d d int", "e @e int", "f @{urn:z}g int"];
    assert_eq!(planned.forms(planned.fields("Plain")), expected);
    assert_eq!(planned.name(planned.plan.type_name(planned.id("Renamed"))), "{urn:b}T");
    assert_eq!(planned.forms(planned.fields("Renamed")), ["a {urn:b}a int", "b {urn:a}b int"]);
    let expected =
        ["a a int", "b {urn:z}b int", "c c [c Plain]", "d d [d <item int>]", "e e map(key int, value int)"];
    assert_eq!(planned.forms(planned.fields("Unqualified")), expected);
    assert_eq!(planned.name(planned.plan.type_name(planned.id("Unqualified"))), "{urn:a}Unqualified");
    assert_eq!(planned.forms(planned.fields("None")), ["a a int"]);
    assert_eq!(planned.name(planned.plan.type_name(planned.id("None"))), "None");
    assert_eq!(planned.name(planned.plan.type_name(planned.id("Lost"))), "{urn:a}Gone");
    let enumeration = planned.plan.enumeration(planned.id("E"));
    assert_eq!(planned.name(&enumeration.xml), "{urn:a}E2");
    assert_eq!(
        enumeration.constants.iter().map(|constant| constant.text.as_str()).collect::<Vec<_>>(),
        ["x y", "B"]
    );
    let union = planned.plan.union(planned.id("U"));
    assert_eq!(planned.name(&union.xml), "{urn:a}U2");
    assert_eq!(planned.forms(&union.members), ["a a int", "b c Plain"]);
}

/// XML-21 to XML-25, XML-31 to XML-38
#[test]
fn forms() {
    let planned = Planned::new(
        r#"
        @NAMESPACE("n:n")
        @Xml(unqualified) struct S {
            int? a;
            @Xml(nillable) int? b;
            int?[] c;
            int[]? d;
            int?[]? e;
            int[][][] f;
            Map<int, int?[]> g;
            Map<E, String?> h;
            byte[] i;
            @Xml(type = "hexBinary") byte[][] j;
            @Xml(list) int[] k;
            @Xml(list, type = "date") String[]? l;
            @Xml(type = "date") String?[] m;
            @Xml(type = "normalizedString") String n;
            @Xml(type = "integer") Decimal o;
            @Xml(any) String[] p;
            @Xml(raw) String? q;
            @Xml(anyAttribute) Map<String, String> r;
            @Xml(attribute, list) E[] s;
            U t;
            @Xml(inline) U u;
            @Xml(nillable, list) int[]? v;
        }
        enum E { A }
        union U { int ua; int? ub; int[] uc; @Xml(inline) G ud; @Xml(inline) H[] ue; int?[]? uf; }
        struct G { int ga; }
        struct H { int ha; }
        struct T { @Xml(text) double? a; @Xml(attribute) int b; }
        "#,
    );
    assert_eq!(
        planned.forms(planned.fields("S")),
        [
            "a a (int)?",
            "b b nil (int)?",
            "c c [c nil (int)?]",
            "d d (<item int>)?",
            "e e (<item nil (int)?>)?",
            "f f [f <item <item int>>]",
            "g g map(key int, value <item nil (int)?>)",
            "h h map(key E, value (String)?)",
            "i i base64",
            "j j [j hex]",
            "k k list(int)",
            "l l (list(String))?",
            "m m [m nil (token)?]",
            "n n String",
            "o o Decimal",
            "p any [any raw]",
            "q q (raw)?",
            "r anyattribute attributes",
            "s @s list(E)",
            "t t U",
            "u inline U",
            "v v nil (list(int))?",
        ]
    );
    let record = planned.plan.record(planned.id("S"));
    assert_eq!((record.has_attributes, record.text, record.any), (true, None, Some(15)));
    let members = &planned.plan.union(planned.id("U")).members;
    let n = "{n:n}";
    assert_eq!(
        planned.forms(members),
        [
            format!("ua {n}ua int"),
            format!("ub {n}ub nil (int)?"),
            format!("uc {n}uc <{n}item int>"),
            "ud inline G".to_owned(),
            "ue inline [inline H]".to_owned(),
            format!("uf {n}uf nil (<{n}item nil (int)?>)?"),
        ]
    );
    let record = planned.plan.record(planned.id("T"));
    assert_eq!((record.has_attributes, record.text, record.any), (true, Some(0), None));
    assert_eq!(planned.forms(&record.fields), ["a text nil (double)?", "b @b int"]);
    assert_eq!(record.fields[0].node.inner().kind, Kind::Scalar(FixedScalar::Double));
}

/// XML-3
#[test]
fn values_alone() {
    let planned = Planned::new(
        "@NAMESPACE(\"n:n\") struct S { T? t; } struct T { @Xml(namespace = \"urn:t\") int?[] a; } @Xml(name = \"X\") enum E { A }",
    );
    let (s, e) = (planned.id("S"), planned.id("E"));
    assert_eq!(planned.form(planned.plan.value(s)), "{n:n}S S");
    assert_eq!(planned.form(planned.plan.value(e)), "{n:n}X E");
    let needs = |id: TypeId| {
        let (namespaces, xsi) = planned.plan.value_needs(id);
        planned.needs(&Content { namespaces, xsi, ..Content::default() })
    };
    assert_eq!(needs(s), ["n:n", "urn:t", "xsi"]);
    assert_eq!(needs(e), ["n:n"]);
}

/// XML-20, XML-35
#[test]
fn first_sets() {
    let planned = Planned::new(
        r#"
        @NAMESPACE("n:n")
        @Xml(unqualified) struct S { int a; @Xml(attribute) int b; @Xml(inline) Group? c; int[] d; @Xml(inline) Choice? e; @Xml(any) String f; }
        @Xml(unqualified) struct Group { int[] ga; int? gb; @Xml(inline) Inner gc; int gd; }
        @Xml(unqualified) struct Inner { int? ia; int ib; int ic; }
        @Xml(unqualified) union Choice { int ca; @Xml(inline) Second cb; @Xml(inline) Third[] cc; }
        @Xml(unqualified) struct Second { int sa; int sb; }
        @Xml(unqualified) struct Third { int[] ta; int tb; }
        @Xml(unqualified) extensible struct Grown { int oa; int ob = 1; }
        @Xml(unqualified) struct OfGrown { @Xml(inline) Grown g; @Xml(inline) Other h; }
        @Xml(unqualified) extensible struct Other { int ha = 1; int hb = 1; @Xml(name = "x") int hc = 2; }
        @Xml(derived) union D { Second a; Third b; }
        interface I { void m(@Xml(header) int h, @Xml(inline) Second s, @Xml(namespace = "") int t); }
        "#,
    );
    let record = |name: &str| planned.first(&planned.plan.record(planned.id(name)).content);
    assert_eq!(record("S"), ["a:0", "ga:2", "gb:2", "ia:2", "ib:2", "d:3", "ca:4", "sa:4", "ta:4", "tb:4"]);
    assert_eq!(record("Group"), ["ga:0", "gb:1", "ia:2", "ib:2", "gd:3"]);
    assert_eq!(record("OfGrown"), ["oa:0", "ha:1", "hb:1", "x:1"]);
    assert_eq!(
        planned.first(&planned.plan.union(planned.id("Choice")).content),
        ["ca:0", "sa:1", "ta:2", "tb:2"]
    );
    assert!(planned.plan.union(planned.id("D")).content.first.is_empty());
    assert_eq!(planned.first(&planned.request(0).record.content), ["sa:1", "t:2"]);
}

/// XML-2, XML-37
#[test]
fn used_namespaces() {
    let text = r#"
        @NAMESPACE("n:n")
        struct A { @Xml(namespace = "urn:a") int a; B? b; C[] c; }
        struct B { @Xml(namespace = "urn:b") int b; A? a; @Xml(raw, namespace = "urn:raw") String raw; }
        @Xml(namespace = "urn:c") struct C { @Xml(nillable) int? c; @Xml(attribute, namespace = "XML", name = "lang") String? l; }
        @Xml(namespace = "") struct D { @Xml(inline) Choice i; @Xml(any) String? any; }
        @Xml(namespace = "urn:choice") union Choice { int x; @Xml(namespace = "urn:y") int y; }
        @Xml(derived, namespace = "urn:derived") union Derived { @Xml(base) Base base; More more; }
        @Xml(namespace = "urn:base") struct Base {}
        @Xml(namespace = "urn:more") struct More {}
        struct E { Derived d; }
        struct F { Map<E2, int?[]> f; }
        struct G { E2? e; }
        struct H { @Xml(text) int? h; }
        @Xml(namespace = "urn:e2") enum E2 { A }
        exception X { @Xml(namespace = "urn:x") int x; }
        @Xml(namespace = "urn:i") interface I {
            D m(@Xml(header, namespace = "urn:header") int h, @Xml(namespace = "") A a) throws X;
            @Xml(bare) @XmlResponse(bare, name = "R", namespace = "urn:r") int? n(@Xml(namespace = "urn:p") D d);
            @Xml(bare) @XmlResponse(bare) void o();
        }
        "#;
    let planned = Planned::new(&text.replace("XML", XML_NAMESPACE));
    assert_eq!(planned.record_needs("A"), ["n:n", "urn:a", "urn:b", "urn:c", "xsi"]);
    assert_eq!(planned.record_needs("B"), ["n:n", "urn:a", "urn:b", "urn:c", "xsi"]);
    assert_eq!(planned.record_needs("C"), ["urn:c", "xsi"]);
    assert_eq!(planned.record_needs("D"), ["urn:choice", "urn:y"]);
    assert_eq!(planned.record_needs("E"), ["n:n", "urn:base", "urn:more", "xsi"]);
    assert_eq!(planned.record_needs("F"), ["n:n", "xsi"]);
    assert_eq!(planned.record_needs("G"), ["n:n"]);
    assert_eq!(planned.record_needs("H"), ["n:n", "xsi"]);
    assert_eq!(planned.record_needs("X"), ["n:n", "urn:x"]);
    let union = planned.plan.union(planned.id("Derived"));
    assert_eq!(planned.needs(&union.content), ["urn:base", "urn:derived", "urn:more", "xsi"]);
    assert_eq!((union.derived, union.base), (true, Some(0)));
    assert_eq!(
        planned.message_needs(planned.request(0)),
        ["n:n", "urn:a", "urn:b", "urn:c", "urn:header", "urn:i", "xsi"]
    );
    assert_eq!(planned.message_needs(planned.response(0)), ["urn:choice", "urn:i", "urn:y"]);
    assert_eq!(planned.message_needs(planned.request(1)), ["urn:choice", "urn:p", "urn:y"]);
    assert_eq!(planned.message_needs(planned.response(1)), ["urn:r", "xsi"]);
    assert_eq!(planned.message_needs(planned.request(2)), Vec::<String>::new());
    assert_eq!(planned.message_needs(planned.response(2)), Vec::<String>::new());
}

/// SOAP-5 to SOAP-9, XML-39
#[test]
fn messages() {
    let planned = Planned::new(
        r#"
        @NAMESPACE("urn:n")
        struct S { int a; }
        @Xml(namespace = "http://i/") interface I {
            int plain(S s, int[] n);
            @Xml(name = "Ask", namespace = "urn:m", unqualified) @XmlResult(name = "out", nillable) int? asked(int a, @Xml(header) int? h, @Xml(namespace = "urn:q") int q);
            @Xml(bare, action = "urn:act") @XmlResponse(bare, name = "Answer") @XmlResult(list) int[] bare(@Xml(header) S h, @Xml(name = "Question") int[] q);
            @Xml(bare, name = "Nothing") @XmlResponse(bare) void nothing();
            oneway void touch(@Xml(inline) S s);
            @Xml(action = "") @XmlResponse(name = "R", namespace = "") @XmlResult(inline) S inline();
        }
        "#,
    );
    let actions: Vec<&str> =
        planned.plan.interface(0).methods.iter().map(|method| method.action.as_str()).collect();
    assert_eq!(
        actions,
        ["http://i/I/plain", "http://i/I/asked", "urn:act", "http://i/I/nothing", "http://i/I/touch", ""]
    );
    let show = |message: &Message| {
        let bare = if message.bare { "bare " } else { "" };
        format!(
            "{bare}{}: {}",
            planned.name(&message.element),
            planned.forms(&message.record.fields).join("; ")
        )
    };
    assert_eq!(
        show(planned.request(0)),
        "{http://i/}plain: s {http://i/}s S; n {http://i/}n [{http://i/}n int]"
    );
    assert_eq!(show(planned.response(0)), "{http://i/}plainResponse: result {http://i/}result int");
    assert_eq!(show(planned.request(1)), "{urn:m}Ask: a a int; h ^{urn:m}h (int)?; q {urn:q}q int");
    assert_eq!(show(planned.response(1)), "{urn:m}AskResponse: result out nil (int)?");
    assert_eq!(
        show(planned.request(2)),
        "bare {http://i/}Question: h ^{http://i/}h S; q {http://i/}Question <{http://i/}item int>"
    );
    assert_eq!(show(planned.response(2)), "bare {http://i/}Answer: result {http://i/}Answer list(int)");
    assert_eq!(show(planned.request(3)), "bare {http://i/}Nothing: ");
    assert_eq!(show(planned.response(3)), "bare {http://i/}NothingResponse: ");
    assert_eq!(show(planned.request(4)), "{http://i/}touch: s inline S");
    assert!(planned.plan.interface(0).methods[4].response.is_none());
    assert_eq!(show(planned.response(5)), "R: result inline S");
}

/// The facts stay in the model, for its JSON as annotations.
#[test]
fn facts_are_kept() {
    let model = model(
        r#"@Xml(name = "X") struct S { @Xml(attribute, name = "a-b") int a; }
        interface I { @XmlResponse(bare) @Xml(action = "x") @XmlResult(list) int[] m(@Xml(header) int h); }"#,
    );
    let field = &model.types[0].fields()[0];
    assert!(field.notes.xml().has(XmlWord::Attribute) && !field.notes.xml().has(XmlWord::Text));
    assert_eq!(field.notes.xml().name.as_deref(), Some("a-b"));
    assert_eq!(field.notes.annotations[0].arguments.len(), 2);
    let method = &model.interfaces[0].methods[0];
    assert!(method.response_xml().has(XmlWord::Bare) && method.result_xml().has(XmlWord::List));
    assert_eq!(method.notes.xml().action.as_deref(), Some("x"));
    assert_eq!(
        method.notes.annotations.iter().map(|annotation| annotation.name.as_str()).collect::<Vec<_>>(),
        ["XmlResponse", "Xml", "XmlResult"]
    );
    assert!(method.parameters[0].notes.xml().has(XmlWord::Header));
}

/// LIM-17: a chain, a ring, and types that all hold one another cost no more than their size.
#[test]
fn large_descriptions() {
    let chain: String = (0..30_000)
        .map(|i| {
            format!(
                "@Xml(namespace = \"urn:{}\") struct S{i} {{ int a; S{}? b; }}\n",
                i % 900,
                (i + 1) % 30_000
            )
        })
        .collect();
    let planned = Planned::new(&chain);
    assert_eq!(planned.plan.record(planned.id("S7")).content.namespaces.len(), 900);
    let wide: String = (0..300).map(|i| format!("@Xml(namespace = \"urn:{i}\") int a{i};")).collect();
    let inline: String = (0..2_000).map(|i| format!("struct T{i} {{ @Xml(inline) U u; }}\n")).collect();
    let planned = Planned::new(&format!("union U {{ {wide} }} {inline}"));
    assert_eq!(planned.plan.record(planned.id("T5")).content.first.len(), 300);
}

/// LIM-17
#[test]
fn too_much() {
    let many: String = (0..1_001).map(|i| format!("@Xml(namespace = \"urn:{i}\") int a{i};")).collect();
    let report =
        compile(&[("x.creo", &format!("struct S {{ {many} }}"))]).expect_err("it has too many namespaces");
    assert!(report.to_string().contains("at most 1000 XML namespaces"), "{report}");
    let wide: String = (0..2_000).map(|i| format!("int a{i};")).collect();
    let inline: String = (0..2_100).map(|i| format!("struct T{i} {{ @Xml(inline) U u; }}\n")).collect();
    let report = compile(&[("x.creo", &format!("union U {{ {wide} }} {inline}"))])
        .expect_err("it has too many beginnings");
    assert!(report.to_string().contains("to list their beginnings"), "{report}");
}
