//! Random descriptions with XML annotations: each is refused, or has a plan with distinct names and a WSDL that the importer accepts.
//! Random schemas: the importer makes a description of each.
#![allow(clippy::disallowed_methods)]

use creo_check::{CheckedModel, compile};
use creo_model::TypeKind;
use creo_wsdl::export::{Options, wsdl};
use creo_wsdl::import::{self, import};
use std::collections::BTreeSet;
use std::fmt::Write;

/// A generator of numbers that is the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn one_of<'t>(&mut self, words: &[&'t str]) -> &'t str {
        words[self.below(words.len())]
    }

    fn chance(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }
}

const NAMESPACES: [&str; 4] = ["", "urn:a", "urn:b", "http://c/?x&y'z"];

/// Names and namespaces, and the word if there is one.
fn facts(random: &mut Random, word: &str) -> String {
    let mut arguments: Vec<String> = Vec::new();
    if !word.is_empty() {
        arguments.push(word.to_owned());
    }
    if random.chance(6) {
        arguments.push(format!("name = \"{}\"", random.one_of(&["x", "a-b", "y", "z.1"])));
    }
    if random.chance(8) {
        arguments.push(format!("namespace = \"{}\"", random.one_of(&NAMESPACES)));
    }
    if arguments.is_empty() { String::new() } else { format!("@Xml({}) ", arguments.join(", ")) }
}

/// A type that is allowed anywhere. Structs before `from` would make some infinite.
fn ty(random: &mut Random, from: usize, types: usize) -> String {
    let declared = from + random.below(types.saturating_sub(from).max(1));
    let inner = match random.below(9) {
        0 => "String".to_owned(),
        1 => "byte[]".to_owned(),
        2 => "Decimal".to_owned(),
        3 => format!("Map<String, {}>", random.one_of(&["int", "T0?", "String"])),
        4 => "E".to_owned(),
        5..7 if declared < types => format!("T{declared}"),
        _ => "int".to_owned(),
    };
    format!("{inner}{}", random.one_of(&["", "", "?", "[]", "?[]", "[][]"]))
}

/// A field, member or parameter with a word and a type that mostly fit one another.
fn field(random: &mut Random, from: usize, types: usize, name: usize, words: &[&str]) -> String {
    let word = if random.chance(2) { random.one_of(words) } else { "" };
    let simple = ["int", "String?", "E", "byte[]", "DateTime", "double?", "E?", "boolean"];
    let declared = from + random.below(types.saturating_sub(from).max(1));
    let ty = match word {
        "attribute" | "text" => random.one_of(&simple).to_owned(),
        "list" | "attribute, list" | "text, list" => {
            random.one_of(&["int[]", "E[]", "String[]", "byte[][]"]).to_owned()
        }
        "nillable" => random.one_of(&["int?", "String?", "E?", "int?[]", "int[]?"]).to_owned(),
        "inline" if declared < types => format!("T{declared}{}", random.one_of(&["", "", "?", "[]"])),
        "any" | "raw" => random.one_of(&["String", "String?", "String[]"]).to_owned(),
        "anyAttribute" => "Map<String, String>".to_owned(),
        "base" if declared < types => format!("T{declared}"),
        "type = \"date\"" => random.one_of(&["String", "String?", "String[]"]).to_owned(),
        "type = \"hexBinary\"" => "byte[]".to_owned(),
        _ => ty(random, from, types),
    };
    format!("{}{ty} f{name}", facts(random, word))
}

const FIELD: [&str; 13] = [
    "attribute",
    "attribute",
    "text",
    "list",
    "attribute, list",
    "nillable",
    "inline",
    "inline",
    "any",
    "raw",
    "anyAttribute",
    "type = \"date\"",
    "type = \"hexBinary\"",
];
const MEMBER: [&str; 4] = ["inline", "inline", "nillable", "type = \"date\""];
const PARAMETER: [&str; 7] = ["list", "nillable", "inline", "any", "raw", "header", "header"];

fn description(random: &mut Random) -> String {
    let types = 2 + random.below(4);
    let mut text = "enum E { A, @Xml(name = \"b c\") B }\nexception X { int x; }\n".to_owned();
    for index in 0..types {
        let kind = random.below(5);
        let word = if random.chance(5) { "unqualified" } else { "" };
        let head = if random.chance(3) { facts(random, word) } else { String::new() };
        match kind {
            // The members of a derived union are structs declared after it.
            0 if index + 2 <= types => {
                let _ = write!(
                    text,
                    "@Xml(derived) union T{index} {{ {}T{} f0; T{} f1; ",
                    if random.chance(2) { "@Xml(base) " } else { "" },
                    index + 1,
                    types
                );
            }
            1 => {
                let _ = write!(text, "{head}union T{index} {{ ");
                for name in 0..1 + random.below(3) {
                    let _ = write!(
                        text,
                        "{}{}; ",
                        field(random, index + 1, types, name, &MEMBER),
                        name + index * 3
                    );
                }
            }
            _ => {
                let _ = write!(text, "{head}struct T{index} {{ ");
                for name in 0..random.below(4) {
                    let _ = write!(
                        text,
                        "{}{}; ",
                        field(random, index + 1, types, name, &FIELD),
                        name + index * 3
                    );
                }
            }
        }
        text.push_str("}\n");
    }
    let _ = writeln!(text, "struct T{types} {{ int f0; }}");
    text.push_str("interface I {\n");
    for method in 0..1 + random.below(3) {
        let word = random.one_of(&["", "", "unqualified", "bare"]);
        let head = if random.chance(4) { facts(random, word) } else { String::new() };
        let parameters: Vec<String> =
            (0..random.below(3)).map(|name| field(random, 0, types, name, &PARAMETER)).collect();
        let response = if random.chance(4) { "@XmlResponse(bare) " } else { "" };
        let result = if random.chance(6) {
            format!("@XmlResult({}) ", random.one_of(&["list", "nillable", "inline", "raw"]))
        } else {
            String::new()
        };
        let _ = writeln!(
            text,
            "{head}{response}{result}{} m{method}({}) throws X;",
            ty(random, 0, types),
            parameters.join(", ")
        );
    }
    text.push_str("}\n");
    text
}

struct Memory(Vec<u8>);

impl import::Files for Memory {
    fn read(&mut self, _path: &str) -> Result<Vec<u8>, import::Unread> {
        Ok(self.0.clone())
    }
}

fn check(model: &CheckedModel, text: &str) -> bool {
    let plan = model.plan();
    for id in model.type_ids() {
        let (first, namespaces) = match model.ty(id).kind {
            TypeKind::Struct(_) | TypeKind::Exception(_) => {
                (&plan.record(id).content.first, &plan.record(id).content.namespaces)
            }
            TypeKind::Union(_) => (&plan.union(id).content.first, &plan.union(id).content.namespaces),
            TypeKind::Enum(_) => continue,
        };
        let names: BTreeSet<_> = first.iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), first.len(), "no name stands twice\n{text}");
        assert!(namespaces.is_sorted());
    }
    let Ok(wsdl) = wsdl(model, plan, 0, &Options::default()) else { return false };
    if let Ok(folder) = std::env::var("CREO_WSDL_FOLDER") {
        let count = std::fs::read_dir(&folder).map_or(0, Iterator::count);
        std::fs::write(format!("{folder}/{count}.wsdl"), &wsdl).expect("it can be written");
    }
    let import = import("test.wsdl", &import::Options::default(), &mut Memory(wsdl.clone().into_bytes()));
    let back = import.text.unwrap_or_else(|| panic!("{}\n{text}\n{wsdl}", import.report));
    if let Err(report) = compile(&[("back.creo", &back)]) {
        panic!("{report}\n{text}\n{wsdl}\n{back}");
    }
    true
}

/// With `CREO_WSDL_FOLDER` set, the documents are left there for other readers.
#[test]
fn descriptions_with_facts() {
    let mut random = Random(0x6372_656f);
    let (mut accepted, mut exported) = (0, 0);
    for _ in 0..4_000 {
        let text = description(&mut random);
        if let Ok(model) = compile(&[("test.creo", &text)]) {
            accepted += 1;
            exported += usize::from(check(&model, &text));
        }
    }
    assert!(accepted > 200 && exported > 150, "{accepted} accepted, {exported} exported");
}

/// A group of elements, or one. Elements of one name have one type.
fn particle(random: &mut Random, depth: usize) -> String {
    let occurs = random.one_of(&[
        "",
        "",
        " minOccurs=\"0\"",
        " maxOccurs=\"unbounded\"",
        " minOccurs=\"0\" maxOccurs=\"3\"",
    ]);
    let group = match random.below(12) {
        0 => return format!("<xs:any{occurs}/>"),
        1 => return format!("<xs:element ref=\"t:{}\"{occurs}/>", random.one_of(&["Global", "Head"])),
        2..5 if depth < 4 => "sequence",
        5..8 if depth < 4 => "choice",
        _ => {
            const TYPES: [&str; 8] =
                ["xs:int", "xs:string", "t:List", "t:Names", "t:Sky", "t:Pair", "xs:anyType", "t:Text"];
            let index = random.below(TYPES.len());
            let name = ["a", "b", "c", "d", "e", "f", "g", "h"][index];
            let nillable = random.one_of(&["", " nillable=\"true\""]);
            let default = random.one_of(&["", "", "", " default=\"1\""]);
            return format!(
                "<xs:element name=\"{name}\" type=\"{}\"{occurs}{nillable}{default}/>",
                TYPES[index]
            );
        }
    };
    let inner: String = (0..random.below(4)).map(|_| particle(random, depth + 1)).collect();
    format!("<xs:{group}{occurs}>{inner}</xs:{group}>")
}

/// No schema is `import-refused`.
#[test]
fn schemas() {
    let mut random = Random(0x7773_646c);
    for index in 0..400 {
        let contents: Vec<String> = (0..2)
            .map(|_| {
                let inner: String = (0..1 + random.below(4)).map(|_| particle(&mut random, 1)).collect();
                format!("<xs:sequence{}>{inner}</xs:sequence>", random.one_of(&["", " maxOccurs=\"9\""]))
            })
            .collect();
        let wsdl = format!(
            r#"<w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/" xmlns:s="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:t="urn:t" targetNamespace="urn:t">
<w:types><xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:t" elementFormDefault="qualified">
<xs:simpleType name="List"><xs:list itemType="xs:int"/></xs:simpleType><xs:simpleType name="Names"><xs:list itemType="xs:QName"/></xs:simpleType>
<xs:simpleType name="Sky"><xs:restriction base="xs:string"><xs:enumeration value="1"/><xs:enumeration value="2"/></xs:restriction></xs:simpleType>
<xs:complexType name="Text"><xs:simpleContent><xs:extension base="xs:int"><xs:attribute name="x"/></xs:extension></xs:simpleContent></xs:complexType>
<xs:complexType name="Pair">{}</xs:complexType><xs:element name="Global" type="xs:int" nillable="true"/>
<xs:element name="Head" abstract="true"/><xs:element name="First" type="t:List" substitutionGroup="t:Head" nillable="true"/><xs:element name="Next" type="t:Pair" substitutionGroup="t:Head"/>
<xs:element name="Call"><xs:complexType>{}</xs:complexType></xs:element></xs:schema></w:types>
<w:message name="in"><w:part name="p" element="t:Call"/></w:message>
<w:portType name="P"><w:operation name="Call"><w:input message="t:in"/><w:output message="t:in"/></w:operation></w:portType>
<w:binding name="B" type="t:P"><s:binding transport="x"/><w:operation name="Call"><w:input><s:body use="literal"/></w:input><w:output><s:body use="literal"/></w:output></w:operation></w:binding>
</w:definitions>"#,
            contents[0], contents[1]
        );
        let options = import::Options { lenient: index % 2 == 1, ..import::Options::default() };
        let import = import("test.wsdl", &options, &mut Memory(wsdl.clone().into_bytes()));
        assert!(import.text.is_some(), "{index}: {}\n{wsdl}", import.report);
    }
}
