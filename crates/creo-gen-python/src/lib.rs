//! Generates Python from the model: a package of typed, immutable classes with their codecs and clients, next to the runtime `creo`.
//!
//! `names`, `literals` and `scalars` have Python's rules for names, texts and primitives. `lower*` decide the content of each module, in
//! terms of `lang`; `print_*` print it through `body`, `code` and `layout`.

// Every match must handle a new kind of value or type.
#![deny(clippy::wildcard_enum_match_arm)]

mod body;
mod code;
mod lang;
mod layout;
mod literals;
mod lower;
mod lower_binary;
mod lower_binary_values;
mod lower_calls;
mod lower_fixed;
mod lower_layouts;
mod lower_limits;
mod lower_names;
mod lower_scope;
mod lower_text;
mod lower_types;
mod lower_values;
mod names;
mod names_reserved;
mod print_binary;
mod print_binary_values;
mod print_calls;
mod print_project;
mod print_text;
mod print_types;
mod scalars;

use creo_codegen::{Files, Input, Module, Part, Target, header};
use lower_binary::Bodies;
use print_project::Head;

include!(concat!(env!("OUT_DIR"), "/runtime.rs"));

/// The part of the runtime for structs of fixed size, which few descriptions have.
const COLUMNS: Part = Part { name: "columns", needs: &["columns"], files: &[] };

/// The target `python`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Python;

impl Target for Python {
    fn name(&self) -> &'static str {
        names::TARGET
    }

    fn module(&self, module: Module) -> Option<&'static Part> {
        match module {
            Module::Balance => Some(&Module::BALANCE),
            Module::Retries => Some(&Module::RETRIES),
            Module::Jms => Some(&*JMS),
            Module::OpenTelemetry => Some(&*OPEN_TELEMETRY),
            Module::Wss => Some(&*WSS),
            Module::JmsBroker => None,
        }
    }

    fn module_streams(&self, module: Module) -> Option<&'static Part> {
        match module {
            Module::Jms => Some(&*JMS_STREAMS),
            Module::Balance | Module::Retries | Module::JmsBroker | Module::OpenTelemetry | Module::Wss => {
                None
            }
        }
    }

    fn runtime_package(&self) -> Option<&'static str> {
        Some(names::RUNTIME)
    }

    fn is_reserved(&self, word: &str) -> bool {
        names::is_keyword(word)
    }

    fn generate(&self, input: &Input) -> Files {
        // Python has no server: code that reads arguments and writes results is for programs that measure both sides of a call.
        let bodies = if input.sides.service() { Bodies::Both } else { Bodies::Client };
        let runtime = input.runtime_package.unwrap_or(names::RUNTIME);
        let head = Head { line: header(input.model), runtime };
        let mut files = Files::new();
        let mut columns = false;
        for package in lower::lower(input.model, bodies) {
            let mut add = |name: &str, text: String| files.add(format!("{}/{name}", package.folder), text);
            columns |= package.uses_columns();
            add("__init__.py", print_project::init_module(&package.init, &head));
            if let Some(types) = &package.types {
                add("creo_types.py", print_types::types_module(types, &head));
            }
            add("creo_binary.py", print_binary::binary_module(&package.binary, &head));
            if input.wires.any_text() {
                add("creo_text.py", print_text::text_module(&package.text, &head));
            }
            if let Some(clients) = &package.clients {
                add("creo_client.py", print_calls::client_module(clients, &head));
            }
            add("py.typed", String::new());
        }
        let folder = runtime.replace('.', "/");
        let further: &[&Part] = if columns { &[&COLUMNS] } else { &[] };
        for (path, text) in input.runtime_files_for(self, &RUNTIME, further) {
            // The runtime imports itself relatively, so it works in any package.
            files.add(path.replacen(names::RUNTIME, &folder, 1), text);
        }
        files
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use creo_check::{CheckedModel, LoadError, compile_files};
    use creo_codegen::{Runtime, Wire, Wires};

    const OTHER: &str = r#"@PACKAGE("far.away")
        import "main.creo";
        enum Kind { ONE, TWO }
        struct Back { Data data; Kind kind; }"#;

    fn model(main: &str) -> CheckedModel {
        let compilation = compile_files(&["main.creo"], &mut |path| match path {
            "main.creo" => Ok(main.as_bytes().to_vec()),
            "other.creo" => Ok(OTHER.as_bytes().to_vec()),
            _ => Err(LoadError::NotFound),
        });
        let compilation = compilation.expect("the file is there");
        compilation.model.unwrap_or_else(|| panic!("{:?}", compilation.report))
    }

    fn generated(main: &str) -> Files {
        Python.generate(&Input::new(&Python, &model(main)))
    }

    fn text(files: &Files, path: &str) -> String {
        files.get(path).unwrap_or_else(|| panic!("no {path}")).to_owned()
    }

    #[test]
    fn a_package_has_a_module_for_each_concern() {
        let files =
            generated(r#"@PACKAGE("org.example.data") struct Data { int a; } interface S { void f(); }"#);
        let paths: Vec<&str> = files.iter().map(|(path, _)| path).collect();
        assert_eq!(
            paths,
            [
                "org/example/data/__init__.py",
                "org/example/data/creo_binary.py",
                "org/example/data/creo_client.py",
                "org/example/data/creo_text.py",
                "org/example/data/creo_types.py",
                "org/example/data/py.typed",
            ]
        );
    }

    #[test]
    fn the_runtime_goes_out_with_it() {
        let model = model("struct Data { int a; }");
        let files = Python.generate(&Input { runtime: Runtime::Copy, ..Input::new(&Python, &model) });
        assert!(files.get("creo/__init__.py").is_some() && files.get("creo/py.typed").is_some());
    }

    #[test]
    fn parts_of_the_runtime_are_copied_if_the_description_uses_them() {
        for (text, columns, streams) in [
            ("struct Data { String a; double[] b; } interface S { Data f(); }", false, false),
            ("struct Point { double x; double y; }", true, false),
            ("struct Data { String a; } interface S { stream Data f(); }", false, true),
        ] {
            let model = model(text);
            let files = Python.generate(&Input {
                runtime: Runtime::Copy,
                wires: Wires::of([Wire::Binary]),
                ..Input::new(&Python, &model)
            });
            for (path, expected) in [
                ("creo/_columns/__init__.py", columns),
                ("creo/codegen/columns.py", columns),
                ("creo/streams.py", streams),
                ("creo/_tcp/streams.py", streams),
                ("creo/_aio/streams.py", streams),
                ("creo/_call/placed.py", false),
                ("creo/_jms/streams.py", false),
                ("creo/tcp.py", true),
                ("creo/aio.py", true),
            ] {
                assert_eq!(files.get(path).is_some(), expected, "{path} for {text}");
            }
        }
    }

    #[test]
    fn jms_comes_with_streams_if_the_description_has_them() {
        for (text, streams) in
            [("interface S { stream int f(); }", true), ("interface S { int f(); }", false)]
        {
            let model = model(text);
            let input = Input { runtime: Runtime::Copy, with: &[Module::Jms], ..Input::new(&Python, &model) };
            let files = Python.generate(&input);
            assert!(files.get("creo/_jms/call.py").is_some());
            assert_eq!(files.get("creo/_jms/streams.py").is_some(), streams, "{text}");
        }
    }

    #[test]
    fn fixed_fields_are_moved_together() {
        let files = generated(
            "struct Point { double x; double y; } struct Data { int a; Point p; String s; short b; boolean c; }",
        );
        let codec = text(&files, "service/creo_binary.py");
        assert!(codec.contains("x1, x2, x3 = _S1.unpack_from(b, p)"), "{codec}");
        assert!(codec.contains("_S1 = _Struct(\">i2d\")"), "{codec}");
        assert!(codec.contains("_S2.pack(v.b, FLAG[v.c])"), "{codec}");
    }

    #[test]
    fn what_stands_behind_a_default_is_taken_by_keyword() {
        let files = generated("struct Data { int a = 1; int b; }");
        assert!(
            text(&files, "service/creo_types.py")
                .contains("def __init__(self, a: int = 1, *, b: int) -> None:")
        );
        assert!(text(&files, "service/creo_binary.py").contains("return Data(x1, b=x2), p"));
    }

    #[test]
    fn packages_that_need_one_another_are_imported_last() {
        let files = generated(
            r#"@PACKAGE("org.main") import "other.creo"; struct Data { Kind kind = TWO; Back? back; }"#,
        );
        let types = text(&files, "org/main/creo_types.py");
        assert!(
            types.ends_with("\n\n\nfrom far.away import creo_types as _far_away  # noqa: E402\n"),
            "{types}"
        );
        // The constant is evaluated when an object is made, not when the class is.
        assert!(types.contains("kind: _far_away.Kind | None = None"), "{types}");
    }

    #[test]
    fn hostile_texts_stay_texts() {
        let files = generated(
            r#"/** """; import os # \ */ struct Data { /** x""" */ String a = "\"; import os; \"\n'"; }
               interface S { @Deprecated("\"); import os; (\"") void f(); }"#,
        );
        let types = text(&files, "service/creo_types.py");
        assert!(types.contains(r#"    """\"\"\"; import os # \x5c""""#), "{types}");
        assert!(types.contains(r#"    """x\"\"\x22""""#), "{types}");
        assert!(types.contains(r#"a: str = '"; import os; "\n\''"#), "{types}");
        let client = text(&files, "service/creo_client.py");
        assert!(client.contains(r#"    @_creo.deprecated('"); import os; ("')"#), "{client}");
        assert!(client.contains(r#"        """Deprecated: \"); import os; (\x22""""#), "{client}");
    }

    #[test]
    fn text_wires_get_constants_and_nothing_else() {
        let files = generated(
            r#"@PACKAGE("p") @NAMESPACE("urn:'p") struct Data { @Xml(attribute, name = "n") int a; String[] b; Map<String, int?> c; }
               @Xml(namespace = "urn:s") interface S { @Xml(bare, action = "urn:f") Data f(@Xml(name = "G") Data g); oneway void h(); }"#,
        );
        let texts = text(&files, "p/creo_text.py");
        assert!(texts.contains("_N0 = \"urn:'p\""), "{texts}");
        assert!(
            texts.contains(r#"_creo.TextField("a", "", _creo.TEXT_INT, local="n", place=_creo.ATTRIBUTE),"#),
            "{texts}"
        );
        assert!(
            texts.contains(r#"_creo.TextField("b", _N0, _creo.TextRepeated(_creo.TEXT_STRING, 40)),"#),
            "{texts}"
        );
        assert!(
            texts.contains("S_INTERFACE_METHODS = {\n    \"f\": _creo.TextMethod(\n        \"urn:f\",\n"),
            "{texts}"
        );
        assert!(texts.contains("bare=True"), "{texts}");
        let client = text(&files, "p/creo_client.py");
        assert!(
            client.contains("    __name__,\n    \"S_INTERFACE_METHODS\",\n")
                || client.contains("__name__, \"S_INTERFACE_METHODS\")"),
            "{client}"
        );
    }

    #[test]
    fn streams_are_read_and_written_as_arrays_of_their_items() {
        let files = generated(
            r#"@PACKAGE("p") struct Data { String a; }
               interface S { stream Data f(int n); void g(stream double x); stream byte h(int? n, stream Data? x); }"#,
        );
        let client = text(&files, "p/creo_client.py");
        for line in [
            "    def f(self, n: int) -> _streams.ItemStream[Data]:\n        return self._stream(_S_F, (n,))\n",
            "    def g(self, x: Iterable[float]) -> None:\n        self._upload(_S_G, (), x)\n",
            "    async def g(self, x: _streams.Items[float]) -> None:\n        await self._upload(_S_G, (), x)\n",
            "    def h(self, n: int | None, x: Iterable[Data | None]) -> _streams.ItemStream[int]:\n",
            "    def h(self, n: int | None, x: _streams.Items[Data | None]) -> _streams.AsyncItemStream[int]:\n",
            "    lambda: (decode_s_h_items, _creo.BYTES),\n",
            "_S_G = _streams.void_upload_method(",
        ] {
            assert!(client.contains(line), "{line}: {client}");
        }
        let codec = text(&files, "p/creo_binary.py");
        assert!(
            codec.contains("def encode_s_g_items(w: _creo.Writing, v: _creo.Floats) -> None:"),
            "{codec}"
        );
        assert!(
            codec.contains("def encode_s_f_arguments(w: _creo.Writing, v: tuple[int]) -> None:"),
            "{codec}"
        );
        let texts = text(&files, "p/creo_text.py");
        // One stream has a form in lines; two have none.
        assert_eq!(texts.matches("item=_creo.TextMessage(").count(), 2, "{texts}");
        assert!(texts.contains("    \"g\": _creo.TextMethod("), "{texts}");
        assert!(!texts.contains("    \"h\": _creo.TextMethod("), "{texts}");
    }

    #[test]
    fn methods_with_streams_name_their_secrets() {
        let files = generated("struct Card { @Secret String number; } interface S { stream int f(Card c); }");
        let client = text(&files, "service/creo_client.py");
        assert!(client.contains("    secrets=(\"number\",),\n"), "{client}");
    }

    #[test]
    fn output_depends_on_the_description_alone() {
        let main = "union U { int a; String b; } extensible enum E { X } exception N { U u; } interface S { E f(Map<String, U[]> m) throws N; }";
        assert_eq!(generated(main), generated(main));
    }

    #[test]
    fn a_field_alone_stays_in_a_tuple_however_long_its_name_is() {
        for length in 1..60 {
            for ty in ["int", "long"] {
                let name = "n".repeat(length);
                let codec = text(
                    &generated(&format!("struct Data {{ Map<String, {ty}[]?> {name}; }}")),
                    "service/creo_binary.py",
                );
                let fields = &codec[codec.find("lambda:").expect("the fields are there")..];
                let end = fields.find("least=").expect("the facts are behind them");
                let tidy: String = fields[..end].split_whitespace().collect();
                assert!(tidy.ends_with("),),"), "{length}: {tidy}");
            }
        }
    }

    #[test]
    fn lines_are_short() {
        let main = "struct AVeryLongNameOfAStruct { Map<String, Map<String, double[]>>? aVeryLongNameOfAField; }
            interface S { AVeryLongNameOfAStruct f(AVeryLongNameOfAStruct aLongName, AVeryLongNameOfAStruct anotherLongName); }";
        for (path, text) in generated(main).iter() {
            for line in text.lines() {
                assert!(line.chars().count() <= literals::WIDTH, "{path}: {line}");
            }
        }
    }
}
