//! The description itself as a document that services publish (SVC-12).

use creo_check::{CheckedModel, Text};
use creo_codegen::{Document, DocumentKind};
use creo_json::print_json;
use serde_json::Value;

/// The file of each interface, and its imports. They may be read together, as one description.
pub fn documents(model: &CheckedModel) -> Vec<Document> {
    let all = model.interfaces.iter().enumerate();
    let documents = all.map(|(index, interface)| Document {
        kind: DocumentKind::Description,
        interface: model.interface_name(interface),
        text: text(&model.texts_of(index)),
    });
    documents.collect()
}

fn text(texts: &[&Text]) -> String {
    let names: Vec<&str> = texts.iter().map(|file| file.name.as_str()).collect();
    let files: Vec<String> = relative(&names)
        .into_iter()
        .zip(texts)
        .map(|(name, file)| format!("{}: {}", json(&name), json(&file.text)))
        .collect();
    format!("{{\n{}\n}}\n", files.join(",\n"))
}

fn json(text: &str) -> String {
    print_json(&Value::String(text.to_owned()))
}

/// Paths relative to the files' common folder, which reveals nothing about the machine and keeps imports valid.
fn relative(names: &[&str]) -> Vec<String> {
    let split = |name: &str| -> Vec<String> {
        let mut parts: Vec<String> = Vec::new();
        for part in name.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".") {
            match parts.last() {
                Some(last) if part == ".." && last != ".." => _ = parts.pop(),
                _ => parts.push(part.to_owned()),
            }
        }
        parts
    };
    let paths: Vec<Vec<String>> = names.iter().map(|name| split(name)).collect();
    let folders = paths.iter().map(|path| &path[..path.len().saturating_sub(1)]);
    let common = folders
        .reduce(|one, other| {
            let same = one.iter().zip(other).take_while(|(a, b)| a == b).count();
            &one[..same]
        })
        .map_or(0, <[String]>::len);
    paths.iter().map(|path| path[common..].join("/")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use creo_check::{LoadError, compile_files};

    #[test]
    fn names_are_below_the_common_folder() {
        assert_eq!(relative(&["/home/x/lab.creo"]), ["lab.creo"]);
        assert_eq!(relative(&["a/b/lab.creo", "a/c.creo"]), ["b/lab.creo", "c.creo"]);
        assert_eq!(relative(&["./lab.creo", "x/../types.creo"]), ["lab.creo", "types.creo"]);
        assert_eq!(relative(&["/a/lab.creo", "/a/lab.creo/x.creo"]), ["lab.creo", "lab.creo/x.creo"]);
    }

    #[test]
    fn the_files_are_one_description_again() {
        let root = "import \"../types/t.creo\";\n@PACKAGE(\"a\")\n// \u{fc}ber \"alles\" \u{1b}\ninterface I { types.T m(); }\n";
        let types = "@PACKAGE(\"types\")\nstruct T { int a; }\n";
        let mut load = |name: &str| match name {
            "/x/y/i.creo" => Ok(root.as_bytes().to_vec()),
            "/x/types/t.creo" => Ok(types.as_bytes().to_vec()),
            _ => Err(LoadError::NotFound),
        };
        let compiled = compile_files(&["/x/y/i.creo"], &mut load).expect("it loads");
        let model = compiled.model.unwrap_or_else(|| panic!("{:?}", compiled.report));
        let all = documents(&model);
        assert_eq!((all.len(), all[0].interface.as_str()), (1, "a.I"));
        let files: serde_json::Map<String, Value> = serde_json::from_str(&all[0].text).expect("it is JSON");
        let mut names: Vec<&str> = files.keys().map(String::as_str).collect();
        names.sort_unstable();
        assert_eq!(names, ["types/t.creo", "y/i.creo"]);
        assert_eq!(files["y/i.creo"], root);
        let mut load = |name: &str| {
            let text = files.get(name).and_then(Value::as_str).ok_or(LoadError::NotFound)?;
            Ok(text.as_bytes().to_vec())
        };
        let again = compile_files(&names, &mut load).expect("it loads").model.expect("it is right");
        assert_eq!(again.interfaces[0].fingerprint, model.interfaces[0].fingerprint);
    }

    #[test]
    fn an_interface_has_its_own_files_alone() {
        let mut load = |name: &str| match name {
            "a.creo" => Ok(b"import \"t.creo\";\n@PACKAGE(\"a\")\ninterface A { t.T m(); }\n".to_vec()),
            "b.creo" => Ok(b"@PACKAGE(\"b\")\ninterface B { void m(); }\n".to_vec()),
            "t.creo" => Ok(b"@PACKAGE(\"t\")\nstruct T { int a; }\n".to_vec()),
            _ => Err(LoadError::NotFound),
        };
        let compiled = compile_files(&["b.creo", "a.creo"], &mut load).expect("it loads");
        let model = compiled.model.unwrap_or_else(|| panic!("{:?}", compiled.report));
        for document in documents(&model) {
            let files: serde_json::Map<String, Value> =
                serde_json::from_str(&document.text).expect("it is JSON");
            let mut names: Vec<&str> = files.keys().map(String::as_str).collect();
            names.sort_unstable();
            let expected =
                if document.interface == "a.A" { vec!["a.creo", "t.creo"] } else { vec!["b.creo"] };
            assert_eq!(names, expected, "{}", document.interface);
        }
    }
}
