//! Descriptions that are right, and what their models hold.

use creo_check::{CheckedModel, LoadError, compile, compile_files};
use creo_model::{Literal, Primitive, Type, TypeKind};

fn model(text: &str) -> CheckedModel {
    match compile(&[("test.creo", text)]) {
        Ok(model) => model,
        Err(report) => panic!("{report}"),
    }
}

/// LANG-28: Program 1 of the paper, with its missing braces mended.
const PROGRAM_1: &str = r#"// annotations
@PACKAGE("packagename")

// type definitions
struct MetaData
{
  String description;
  long timestamp;
}

struct Data
{
  MetaData metadata;
  double[] samples;
}

// interface definitions
interface DataService
{
  void storeData (Data[] data);
  Data retrieveData (String description);
}
"#;

#[test]
fn program_1_is_a_description() {
    let model = model(PROGRAM_1);
    assert_eq!(model.packages[0].name, "packagename");
    assert_eq!(model.packages[0].namespace, "urn:creo:packagename");
    assert_eq!(model.sources, ["test.creo"]);
    let data = model.find("packagename.Data").expect("Data is there");
    assert_eq!(model.ty(data).fields()[1].ty, Type::Array(Box::new(Type::Primitive(Primitive::Double))));
    let service = &model.interfaces[0];
    assert_eq!(service.methods[0].result, None);
    assert_eq!(service.methods[1].result, Some(Type::Named(data)));
}

/// The example of DESIGN, which uses most of the language.
const DATA: &str = r#"
@PACKAGE("org.example.data")

/** Where a series of samples came from. */
struct MetaData { String description; long timestamp; }
struct Data { MetaData metadata; double[] samples; }
enum Quality { RAW, CHECKED = 5, CERTIFIED }
/** Grows.
 *  Two lines. */
extensible struct Query { String description; Quality? atLeast; int limit = 100; Quality q = CHECKED; }
exception NotFound { String description; }
union Shape { double circle; Tree[] trees; }
struct Tree { Tree? left; Map<String, Tree> named; byte[] bytes; byte[][] more; Shape shape; }
interface DataService {
    void storeData(Data[] data);
    Data retrieveData(String description) throws NotFound;
    @Deprecated("use find") @Name(java = "search") Data[] find(/** What. */ Query query);
    oneway void touch(String description);
}
"#;

#[test]
fn a_description_of_everything() {
    let model = model(DATA);
    let ty = |name: &str| model.ty(model.find(&format!("org.example.data.{name}")).expect(name));
    assert_eq!(ty("MetaData").notes.doc.as_deref(), Some("Where a series of samples came from."));
    assert_eq!(ty("Query").notes.doc.as_deref(), Some("Grows.\n Two lines."));
    let TypeKind::Enum(constants) = &ty("Quality").kind else { panic!("Quality is an enum") };
    assert_eq!(constants.iter().map(|c| c.number).collect::<Vec<_>>(), [0, 5, 6]);
    assert_eq!(ty("Query").fields()[2].default, Some(Literal::Integer(100)));
    assert_eq!(
        ty("Query").fields()[3].default,
        model.find("org.example.data.Quality").map(|id| Literal::Constant(id, 1))
    );
    assert_eq!(
        model.types.iter().filter(|t| t.recursive).map(|t| t.name.as_str()).collect::<Vec<_>>(),
        ["Shape", "Tree"]
    );
    assert_eq!(ty("Tree").fields()[2].ty, Type::Bytes);
    assert_eq!(ty("Tree").fields()[3].ty, Type::Array(Box::new(Type::Bytes)));
    let find = &model.interfaces[0].methods[2];
    assert_eq!(find.notes.deprecated.as_deref(), Some("use find"));
    assert_eq!(find.notes.target_name("java"), Some("search"));
    assert_eq!(find.parameters[0].notes.doc.as_deref(), Some("What."));
    assert!(model.interfaces[0].methods[3].oneway);
}

#[test]
fn files_import_one_another() {
    let files = [
        (
            "a/root.creo",
            "@PACKAGE(\"p\")\nimport \"../b/x.creo\";\nimport \"y.creo\";\nstruct A { X x; q.Y y; Z z; }",
        ),
        ("b/x.creo", "@PACKAGE(\"p\")\nimport \"../a/./root.creo\";\nstruct X { A[] a; }"),
        ("a/y.creo", "@PACKAGE(\"q\")\nstruct Y {}\nstruct Z {}\nstruct X {}"),
    ];
    let mut asked = Vec::new();
    let mut load = |name: &str| {
        asked.push(name.to_owned());
        files.iter().find(|(n, _)| *n == name).map(|(_, t)| t.as_bytes().to_vec()).ok_or(LoadError::NotFound)
    };
    let compilation = compile_files(&["a/root.creo"], &mut load).expect("the root is there");
    assert_eq!(asked, ["a/root.creo", "b/x.creo", "a/y.creo"]);
    assert_eq!(compilation.report.to_string(), "");
    let model = compilation.model.expect("no mistakes");
    assert_eq!(model.sources, ["root.creo", "x.creo", "y.creo"]);
    assert_eq!(
        model.type_ids().map(|id| model.full_name(id)).collect::<Vec<_>>(),
        ["p.A", "p.X", "q.Y", "q.Z", "q.X"]
    );
    assert_eq!(
        model.ty(model.find("p.A").expect("p.A")).fields()[0].ty,
        Type::Named(model.find("p.X").expect("p.X"))
    );
}

#[test]
fn a_missing_root_is_the_callers_matter() {
    assert_eq!(
        compile_files(&["x"], &mut |_| Err(LoadError::NotFound)).map(|_| ()),
        Err(("x", LoadError::NotFound))
    );
}

/// LANG-18: a file that only gathers others uses its imports by naming them.
#[test]
fn a_file_of_imports_alone_has_no_unused_import() {
    let warnings = |root: &str| {
        let mut load = |name: &str| match name {
            "root.creo" => Ok(root.as_bytes().to_vec()),
            "part.creo" => Ok(b"struct Part {}".to_vec()),
            _ => Err(LoadError::NotFound),
        };
        let compilation = compile_files(&["root.creo"], &mut load).expect("the root is there");
        assert!(compilation.model.is_some());
        compilation.report.diagnostics().iter().filter(|d| d.code.word() == "unused-import").count()
    };
    assert_eq!(warnings("import \"part.creo\";"), 0);
    assert_eq!(warnings("import \"part.creo\"; import \"part.creo\";"), 1);
    assert_eq!(warnings("import \"part.creo\"; struct Other {}"), 1);
}
