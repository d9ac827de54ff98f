//! Obstacle courses of names: descriptions that use every name that generated code uses itself.
//!
//! The names are not guessed: they are the identifiers in the generated code of a description with every feature. A name that generated
//! code starts to use is included automatically.

use crate::languages::{Language, generate};
use creo_check::CheckedModel;
use creo_codegen::Input;
use std::collections::BTreeSet;
use std::fmt::Write;

/// A description with everything that generators treat specially. The prefix `zz` distinguishes its names from those of generated code.
const EVERYTHING: &str = r#"@PACKAGE("zz.zzall")
@Deprecated("old") struct ZzOld { int zzA; }
enum ZzKind { ZZ_A, @Deprecated ZZ_B }
extensible enum ZzLevel { ZZ_C, ZZ_D }
struct ZzFixed { int zzA; short zzB; ZzKind zzC; DateTime zzD; byte zzE; boolean zzF; char zzG; long zzH; float zzI; double zzJ; }
struct ZzBits { int zzA; double zzB; }
struct ZzPlain { ZzOld zzA; String zzB; Decimal zzC; byte[] zzD; ZzFixed[] zzE; ZzBits[] zzF; DateTime[] zzG; String[] zzH; ZzKind[] zzI; Decimal[] zzJ; }
struct ZzBulk { boolean[] zzA; short[] zzB; char[] zzC; int[] zzD; long[] zzE; float[] zzF; double[] zzG; byte[][] zzH; double[][] zzI; int[][][] zzJ; }
struct ZzMaybe { boolean? zzA; byte? zzB; short? zzC; char? zzD; int? zzE; long? zzF; float? zzG; double? zzH; String? zzI; DateTime? zzJ; Decimal? zzK; byte[]? zzL; int[]? zzM; ZzKind? zzN; ZzTree? zzO; String?[] zzP; int?[] zzQ; Map<String, int?>? zzR; }
extensible struct ZzOpen { int zzA; boolean zzB = true; byte zzC = 1; short zzD = 2; char zzE = 'e'; int zzF = 3; long zzG = 4; float zzH = 0.5; double zzI = NaN; String zzJ = "zz"; DateTime zzK = "2000-01-01T00:00:00Z"; Decimal zzL = 1.5; byte[] zzM = {}; int[] zzN = {}; String[] zzO = {}; Map<String, int> zzP = {}; ZzKind zzQ = ZZ_A; ZzLevel zzR = ZZ_D; int? zzS; double zzT = Infinity; }
struct ZzTree { ZzTree[] zzA; Map<int, ZzTree> zzB; ZzEither? zzC; }
struct ZzMaps { Map<boolean, char> zzA; Map<byte, short> zzB; Map<char, long> zzC; Map<ZzKind, float> zzD; Map<long, double> zzE; Map<short, DateTime> zzF; Map<String, Decimal[]> zzG; Map<int, byte[]> zzH; Map<String, Map<String, ZzFixed>> zzI; }
union ZzEither { int zzA; String zzB; double[] zzC; ZzTree zzD; ZzKind zzE; Map<String, ZzTree> zzF; ZzFixed zzG; }
extensible union ZzAny { int zzA; String zzB; byte[] zzC; ZzTree[] zzD; }
exception ZzLost { String zzA; int? zzB; double[] zzC; ZzKind zzD = ZZ_A; String[] zzE = {}; }
extensible exception ZzGone { String zzA; int zzB = 1; }
exception ZzEmptyProblem {}
struct ZzEmpty {}
struct ZzText { @Xml(attribute) int zzA; @Xml(attribute) String zzB = "zz"; @Xml(attribute, list) int[] zzC = {}; @Xml(text) Decimal zzD; @Xml(anyAttribute) Map<String, String> zzE; }
struct ZzParts { int zzP; @Xml(inline) ZzChoice zzQ; @Xml(raw) String zzR; @Xml(any) String[] zzS; }
union ZzChoice { int zzA; String[] zzB; }
@Xml(derived) union ZzSub { @Xml(base) ZzBase zzA; ZzMore zzB; }
struct ZzBase { int zzA; }
struct ZzMore { int zzA; int zzB; }
@Xml(name = "ZzBase") struct ZzClash { int zzA; }
interface ZzService {
    ZzPlain zzA(ZzPlain zzA, ZzBulk zzB, ZzMaybe? zzC, ZzOpen zzD, ZzTree[] zzE, ZzMaps zzF) throws ZzLost, ZzGone, ZzEmptyProblem;
    void zzB();
    oneway void zzC(String zzA, int? zzB);
    int zzD(int zzA, long zzB, double zzC);
    double[] zzE(double[] zzA, ZzFixed zzB, ZzFixed[] zzC);
    Map<String, ZzTree>? zzF(Map<String, int> zzA, ZzEither zzB, ZzAny zzC);
    ZzText zzG(@Xml(header) ZzText zzA, ZzParts zzB, ZzSub zzC, @Xml(header) int[] zzD) throws ZzLost;
    @Xml(bare) @XmlResponse(bare) String? zzH(@Xml(raw) String zzA);
    ZzKind zzI(ZzKind zzA, ZzLevel zzB, ZzClash zzC, byte[] zzD, DateTime zzE, Decimal zzF, boolean zzG, char zzH, short zzI, byte zzJ, float zzK);
    @Deprecated("old") String[] zzJ(ZzEmpty zzA);
}
interface ZzNothing {}
"#;

/// More fields than a Java constructor can take.
const WIDE: usize = 300;

/// The max number of names in one declaration: few enough for a Java record.
const CHUNK: usize = 40;

/// The types of fields next to a name, which make the surrounding code mention more.
const BESIDE: &[(&str, &str)] = &[
    ("String[]", " = {}"),
    ("int[]", " = {}"),
    ("byte[]", " = {}"),
    ("Map<String, int>", " = {}"),
    ("DateTime", " = \"2000-01-01T00:00:00Z\""),
    ("Decimal", " = 1.5"),
    ("double", " = NaN"),
    ("long", " = 7"),
    ("float", " = Infinity"),
    ("char", " = 'c'"),
    ("zz.names.ZzKind", " = ZZ_A"),
    ("zz.names.ZzLevel", " = ZZ_A"),
    ("int?", ""),
    ("String?", ""),
    ("zz.names.ZzBits?", ""),
    ("String", " = \"zz\""),
    ("double[]", " = {}"),
    ("Map<String, String[]>", " = {}"),
];

/// The courses of a language: their names and descriptions.
pub fn courses(language: Language) -> Result<Vec<(String, CheckedModel)>, String> {
    let names = mentioned(language)?;
    let target = language.name();
    let mut courses = Vec::new();
    let mut add = |what: &str, files: &[(String, String)]| -> Result<(), String> {
        let texts: Vec<(&str, &str)> =
            files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let model = creo_check::compile(&texts)
            .map_err(|report| format!("the course of {what} of {target}: {report}"))?;
        courses.push((format!("names that generated code mentions, as {what}"), model));
        Ok(())
    };
    let one = |text: String| [("names.creo".to_owned(), text)];
    add("fields, constants, members, methods and parameters", &one(inside(&names, target)))?;
    add("enums", &one(types(&names, target, |_| 0)))?;
    add("types", &one(types(&names, target, |i| i % KINDS.len())))?;
    // A lower-case name is also used for a type; as an interface it adds nothing if names are kept unchanged.
    let classes: Vec<String> =
        names.iter().filter(|name| name.starts_with(|c: char| c.is_ascii_uppercase())).cloned().collect();
    add("interfaces", &one(interfaces(if language == Language::C { &names } else { &classes }, target)))?;
    add("packages", &packages(&names, target))?;
    Ok(courses)
}

/// The identifiers of generated code that are also valid names in descriptions.
fn mentioned(language: Language) -> Result<Vec<String>, String> {
    let mut text = EVERYTHING.to_owned();
    let fields: String = (0..WIDE).map(|i| format!("int? zzF{i}; ")).collect();
    let _ = write!(text, "struct ZzWide {{ {fields} }}\nexception ZzWideProblem {{ {fields} }}\n");
    let model = crate::descriptions::compile_text("everything.creo", &text)?;
    let documents = [
        creo_codegen::DocumentKind::Wsdl,
        creo_codegen::DocumentKind::OpenApi,
        creo_codegen::DocumentKind::Description,
    ]
    .map(|kind| creo_codegen::Document {
        kind,
        interface: "zz.zzall.ZzService".to_owned(),
        text: "zz".to_owned(),
    });
    let files =
        generate(language, &Input { documents: &documents, ..Input::new(language.target(), &model) })?;
    let mut names = BTreeSet::new();
    for (path, text) in files.iter() {
        let Some(comment) = comment_mark(path) else { continue };
        identifiers(text, comment, &mut names);
    }
    let usable = |name: &String| {
        let lower = name.to_ascii_lowercase();
        !lower.contains("zz") && !lower.starts_with("creo_") && !is_one_of_many(name)
    };
    let names: Vec<String> = names.into_iter().filter(usable).collect();
    if names.len() < 50 {
        Err(format!("{}: only {} names are mentioned", language.name(), names.len()))
    } else {
        Ok(names)
    }
}

/// The start of a line comment in a file of code.
fn comment_mark(path: &str) -> Option<&'static str> {
    match path.rsplit('.').next() {
        Some("java" | "c" | "h" | "cs") => Some("//"),
        Some("py" | "pyi") => Some("#"),
        _ => None,
    }
}

/// `F12`, `at_0_3`, `readListOfString`: the first few represent the others.
fn is_one_of_many(name: &str) -> bool {
    let digits: String = name.chars().filter(char::is_ascii_digit).collect();
    let spelled = ["read", "write", "get"].iter().filter_map(|verb| name.strip_prefix(verb));
    digits.parse::<u64>().is_ok_and(|n| n > 1)
        || spelled
            .into_iter()
            .any(|rest| ["ListOf", "MapOf", "Optional"].iter().any(|form| rest.starts_with(form)))
}

/// Collects the identifiers of a text outside comments and strings, except members after a dot, which nothing can hide.
fn identifiers(text: &str, comment: &str, names: &mut BTreeSet<String>) {
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let before = &text[..text.len() - rest.len()];
        if rest.starts_with(comment) {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
        } else if comment == "//" && rest.starts_with("/*") {
            rest = rest.find("*/").map_or("", |end| &rest[end + 2..]);
        } else if let Some(quote) = ["\"\"\"", "\"", "'"].into_iter().find(|quote| rest.starts_with(quote)) {
            rest = after_string(&rest[quote.len()..], quote);
        } else if c.is_ascii_alphabetic() || c == '_' {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            if ![".", "::", "->"].iter().any(|mark| before.ends_with(mark)) {
                names.insert(rest[..end].to_owned());
            }
            rest = &rest[end..];
        } else if c.is_ascii_digit() {
            rest = &rest[rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len())..];
        } else {
            rest = &rest[c.len_utf8()..];
        }
    }
}

fn after_string<'t>(text: &'t str, quote: &str) -> &'t str {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if !escaped && text[at..].starts_with(quote) {
            return &text[at + quote.len()..];
        }
        escaped = !escaped && c == '\\';
    }
    ""
}

/// The declared name, and the note that gives a target the exact name: `declared` itself may be cased there.
fn note(target: &str, name: &str) -> String {
    format!("@Name({target} = \"{name}\") ")
}

const HEAD: &str = "@PACKAGE(\"zz.names\")\nenum ZzKind { ZZ_A, ZZ_B }\nextensible enum ZzLevel { ZZ_A, ZZ_B }\nstruct ZzBits { int zzA; double zzB; }\n";

/// All names within a declaration.
fn inside(names: &[String], target: &str) -> String {
    let mut text = HEAD.to_owned();
    for (number, chunk) in names.chunks(CHUNK).enumerate() {
        for (kind, noted) in [("cased", false), ("exact", true)] {
            // Java uses names as declared.
            if noted && target == "java" {
                continue;
            }
            let mark = |name: &str| if noted { note(target, name) } else { String::new() };
            for declaration in ["extensible struct", "struct", "exception", "extensible exception"] {
                let title = declaration.replace(' ', "_");
                let _ = writeln!(text, "{declaration} Zz_{title}_{kind}_{number} {{");
                for (i, name) in chunk.iter().enumerate() {
                    // Pyright rejects an attribute set in a constructor that is named like a constant; only a note can request such a name.
                    if noted
                        && target == "python"
                        && declaration.ends_with("exception")
                        && name.to_ascii_uppercase() == *name
                    {
                        continue;
                    }
                    let (ty, default) = BESIDE[i % BESIDE.len()];
                    let _ = writeln!(text, "    {}{ty} {name}{default};", mark(name));
                }
                for (i, (ty, default)) in BESIDE.iter().enumerate() {
                    let _ = writeln!(text, "    {ty} zz{i}{default};");
                }
                text.push_str("}\n");
            }
            for declaration in ["struct", "union", "extensible union"] {
                let title = declaration.replace(' ', "_");
                let _ = writeln!(text, "{declaration} Zz_{title}_of_{kind}_{number} {{");
                for (i, name) in chunk.iter().enumerate() {
                    let ty = [
                        "int",
                        "double[]",
                        "zz.names.ZzKind",
                        "String",
                        "zz.names.ZzBits",
                        "String[]",
                        "Map<String, int>",
                    ][i % 7];
                    let _ = writeln!(text, "    {}{ty} {name};", mark(name));
                }
                text.push_str("}\n");
            }
            for declaration in ["enum", "extensible enum"] {
                let title = declaration.replace(' ', "_");
                let constants: Vec<String> =
                    chunk.iter().map(|name| format!("{}{name}", mark(name))).collect();
                let _ = writeln!(
                    text,
                    "{declaration} Zz_{title}_of_{kind}_{number} {{ {} }}",
                    constants.join(", ")
                );
            }
            let _ = writeln!(text, "interface Zz_calls_{kind}_{number} {{");
            for (i, name) in chunk.iter().enumerate() {
                let parameters = |of: usize| -> String {
                    let tys = [
                        "int",
                        "zz.names.ZzKind",
                        "String[]",
                        "zz.names.ZzBits",
                        "Map<String, String>",
                        "double[]?",
                    ];
                    let all = chunk.iter().cycle().skip(i + of).take(6).enumerate();
                    all.map(|(j, name)| format!("{}{} {name}", mark(name), tys[j]))
                        .collect::<Vec<_>>()
                        .join(", ")
                };
                let _ = match i % 3 {
                    0 => writeln!(
                        text,
                        "    {}zz.names.ZzBits[] {name}({}) throws Zz_exception_{kind}_{number};",
                        mark(name),
                        parameters(0)
                    ),
                    1 => writeln!(text, "    {}void {name}({});", mark(name), parameters(7)),
                    _ => writeln!(text, "    {}oneway void {name}({});", mark(name), parameters(13)),
                };
            }
            text.push_str("}\n");
        }
    }
    text
}

/// A type cannot have a keyword of the language as its name (LANG-4).
fn type_name(name: &str) -> String {
    if creo_check::is_word(name) { format!("Zz{name}") } else { name.to_owned() }
}

/// The kinds of types for a name, with members that make their code mention the most.
const KINDS: &[(&str, &str)] = &[
    ("enum", "ZZ_A, ZZ_B"),
    (
        "extensible struct",
        "int zzA = 1; String[] zzB = {}; Map<String, DateTime> zzC = {}; DateTime zzD = \"2000-01-01T00:00:00Z\"; double[] zzE = {};",
    ),
    ("union", "int zzA; String[] zzB; double[] zzC;"),
    ("extensible enum", "ZZ_A, ZZ_B"),
    ("struct", "int zzA; byte zzB; double zzC;"),
    ("exception", "int? zzA; double[] zzB; Map<String, int> zzC = {};"),
    ("extensible union", "int zzA; String[] zzB; double[] zzC;"),
];

/// Each name as a type, of the kind that `kind_of` returns for its index.
fn types(names: &[String], target: &str, kind_of: impl Fn(usize) -> usize) -> String {
    let mut text = "@PACKAGE(\"zz.types\")\n".to_owned();
    let mut values = Vec::new();
    let mut thrown = Vec::new();
    for (i, name) in names.iter().enumerate() {
        let (kind, members) = KINDS[kind_of(i)];
        let declared = type_name(name);
        let _ = writeln!(text, "{}{kind} {declared} {{ {members} }}", note(target, name));
        match kind {
            "exception" => thrown.push(declared),
            _ => values.push((declared, kind)),
        }
    }
    for (number, chunk) in values.chunks(CHUNK).enumerate() {
        let each = |form: &dyn Fn(usize, &str, &str) -> String| -> String {
            chunk.iter().enumerate().map(|(i, (name, kind))| form(i, name, kind)).collect()
        };
        let with_default = each(&|i, name, kind| {
            if kind.ends_with("enum") { format!("{name} zz{i} = ZZ_B; ") } else { format!("{name}? zz{i}; ") }
        });
        let _ = writeln!(text, "extensible struct ZzUse{number} {{ {with_default} }}");
        let all = each(&|i, name, _| format!("{name} zz{i}; "));
        let _ = writeln!(text, "struct ZzAll{number} {{ {all} }}\nunion ZzOne{number} {{ {all} }}");
        let many = each(&|i, name, _| format!("{name}[] zz{i}; Map<String, {name}> zzM{i}; "));
        let _ = writeln!(text, "struct ZzMany{number} {{ {many} }}");
        // As members of a union whose classes are named like the types, if any.
        let members = each(&|_, name, _| format!("{name} {name}; "));
        let _ = writeln!(text, "union ZzSame{number} {{ {members} }}");
        let failures = thrown.iter().skip(number * 8).take(8).cloned().collect::<Vec<_>>().join(", ");
        let throws = if failures.is_empty() { String::new() } else { format!(" throws {failures}") };
        let _ = writeln!(text, "interface ZzCalls{number} {{");
        for (i, (name, _)) in chunk.iter().enumerate() {
            let _ = writeln!(
                text,
                "    {name} zz{i}({name} zzA, {name}[] {name}, {name}? zzB){throws};\n    oneway void {name}({name} zzA);"
            );
        }
        text.push_str("}\n");
    }
    text
}

fn interfaces(names: &[String], target: &str) -> String {
    let mut text =
        "@PACKAGE(\"zz.interfaces\")\nstruct ZzData { int[] zzA; }\nexception ZzLost { String zzA; }\n"
            .to_owned();
    for name in names {
        let declared = type_name(name);
        let _ = writeln!(
            text,
            "{}interface {declared} {{ ZzData zzA(int zzA, String? {name}) throws ZzLost; oneway void {name}(ZzData[] zzA); }}",
            note(target, name)
        );
    }
    text
}

/// Packages that begin with the name, and equally named types in them that need qualification.
fn packages(names: &[String], target: &str) -> Vec<(String, String)> {
    let declarations = "enum ZzKind { ZZ_A, ZZ_B } struct ZzBits { int zzA; double zzB; } struct ZzData { String[] zzA; ZzBits[] zzB; } exception ZzLost { ZzKind zzA = ZZ_A; }\n";
    let mut files = Vec::new();
    let mut main = "@PACKAGE(\"zz.packages\")\n".to_owned();
    let mut uses = String::new();
    let mut folded = BTreeSet::new();
    let distinct: Vec<&String> =
        names.iter().filter(|name| folded.insert(name.to_ascii_lowercase())).collect();
    for (number, chunk) in distinct.chunks(CHUNK).enumerate() {
        for name in chunk {
            let path = format!("of_{name}.creo");
            let _ = writeln!(main, "import \"{path}\";");
            files.push((path, format!("@PACKAGE(\"{name}.zz\", {target} = \"{name}.zz\")\n{declarations}")));
        }
        let each =
            |form: &dyn Fn(&str) -> String| -> String { chunk.iter().map(|name| form(name)).collect() };
        let _ = writeln!(
            uses,
            "extensible struct ZzOpen{number} {{ {} ZzKind zzA = ZZ_A; }}",
            each(&|n| format!("{n}.zz.ZzKind {n} = ZZ_B; "))
        );
        let _ = writeln!(
            uses,
            "struct ZzFixed{number} {{ {} ZzBits zzA; }}",
            each(&|n| format!("{n}.zz.ZzBits {n}; "))
        );
        let _ = writeln!(
            uses,
            "struct ZzMany{number} {{ {} ZzData[] zzA; }}",
            each(&|n| format!("{n}.zz.ZzData[] {n}; {n}.zz.ZzBits[] zz{n}; "))
        );
        let _ = writeln!(
            uses,
            "union ZzOne{number} {{ {} ZzData zzA; }}",
            each(&|n| format!("{n}.zz.ZzData {n}; "))
        );
        let calls = each(&|n| {
            format!(
                "{n}.zz.ZzData {n}({n}.zz.ZzBits {n}, {n}.zz.ZzKind[] zzB, ZzData zzC) throws {n}.zz.ZzLost, ZzLost; "
            )
        });
        let _ = writeln!(uses, "interface ZzCalls{number} {{ {calls} }}");
    }
    files.insert(0, ("main.creo".to_owned(), format!("{main}{declarations}{uses}")));
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_courses_hold_what_generated_code_mentions() {
        for (language, wanted) in [
            (Language::Java, ["List", "Instant", "Values", "Override", "FIELDS", "w"]),
            (Language::Python, ["list", "Decimal", "tuple", "self", "isinstance", "MappingProxyType"]),
            (Language::C, ["size_t", "memset", "NULL", "sizeof", "bool", "static"]),
            (
                Language::CSharp,
                ["ValueArray", "KeyValuePair", "System", "global", "Creo", "CancellationToken"],
            ),
        ] {
            let names = mentioned(language).unwrap_or_else(|why| panic!("{why}"));
            for name in wanted {
                assert!(names.iter().any(|n| n == name), "{}: no {name} in {names:?}", language.name());
            }
        }
    }

    #[test]
    fn comments_and_strings_hold_no_names() {
        let mut names = BTreeSet::new();
        identifiers("a /* b */ c // d\n\"e \\\" f\" 'g' h.j 0x12L i->k l::m", "//", &mut names);
        assert_eq!(names.into_iter().collect::<Vec<_>>(), ["a", "c", "h", "i", "l"]);
        let mut names = BTreeSet::new();
        identifiers("a # b\n\"\"\"c \" d\"\"\" e", "#", &mut names);
        assert_eq!(names.into_iter().collect::<Vec<_>>(), ["a", "e"]);
    }
}
