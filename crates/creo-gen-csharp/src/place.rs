//! Moves the runtime to another namespace, so copies in one program do not collide.

use crate::names::RUNTIME;

/// A file of the runtime in the namespace `runtime`.
///
/// The new namespace may be inside one of a description, whose types would hide those imported at the top of a file. Imports are therefore
/// moved into the namespace, where they take precedence, and are fully qualified.
pub fn place(runtime: &str, path: &str, text: &str) -> (String, String) {
    if runtime == RUNTIME {
        return (path.to_owned(), text.to_owned());
    }
    let rest = path.strip_prefix("Creo/").unwrap_or(path);
    if rest == "Creo.csproj" {
        let text = text.replace(&format!(">{RUNTIME}<"), &format!(">{runtime}<"));
        return (format!("{runtime}/{runtime}.csproj"), text);
    }
    (format!("{runtime}/{rest}"), source(runtime, text))
}

fn source(runtime: &str, text: &str) -> String {
    let moved = |namespace: &str| match namespace.strip_prefix(RUNTIME) {
        Some(rest) if rest.is_empty() || rest.starts_with('.') => format!("{runtime}{rest}"),
        _ => namespace.to_owned(),
    };
    let imports: Vec<String> = text
        .lines()
        .filter_map(import)
        .map(|namespace| format!("using global::{};", moved(namespace)))
        .collect();
    let mut out = String::with_capacity(text.len() + 1024);
    let mut line_of = |line: &str| {
        out.push_str(line);
        out.push('\n');
    };
    // Set between the line of a block namespace and its brace.
    let mut opens = false;
    let mut begun = false;
    for line in text.lines() {
        if import(line).is_some() {
            continue;
        }
        let head = line.strip_prefix("namespace ");
        match head.and_then(|head| head.strip_suffix(';')) {
            Some(namespace) => {
                line_of(&format!("namespace {};", moved(namespace)));
                if !imports.is_empty() {
                    line_of("");
                    imports.iter().for_each(|import| line_of(import));
                }
            }
            None if head.is_some() => {
                opens = true;
                line_of(&format!("namespace {}", moved(head.unwrap_or_default())));
            }
            None if opens && line == "{" => {
                opens = false;
                line_of(line);
                imports.iter().for_each(|import| line_of(&format!("    {import}")));
                if !imports.is_empty() {
                    line_of("");
                }
            }
            // The blank line between imports and namespace.
            None if line.is_empty() && !begun => {}
            None => line_of(line),
        }
        begun |= !line.is_empty();
    }
    out
}

/// The namespace imported by a line.
fn import(line: &str) -> Option<&str> {
    line.strip_prefix("using ")?.strip_suffix(';')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::{JMS, JMS_STREAMS, OPEN_TELEMETRY, RUNTIME as PARTS, WSS};

    #[test]
    fn imports_move_into_the_namespace() {
        let text = "using System;\nusing Creo.Xml;\n\nnamespace Creo.Tables;\n\n// Text.\nclass A { }\n";
        let (path, text) = place("Lab.Creo", "Creo/Tables/A.cs", text);
        assert_eq!(path, "Lab.Creo/Tables/A.cs");
        assert_eq!(
            text,
            "namespace Lab.Creo.Tables;\n\nusing global::System;\nusing global::Lab.Creo.Xml;\n\n// Text.\nclass A { }\n"
        );
        let text = "using System;\n\nnamespace Creo\n{\n    class A { }\n}\n\nnamespace Creo.Xml\n{\n    class B { }\n}\n";
        let expected = "namespace P\n{\n    using global::System;\n\n    class A { }\n}\n\nnamespace P.Xml\n{\n    using global::System;\n\n    class B { }\n}\n";
        assert_eq!(place("P", "Creo/A.cs", text).1, expected);
    }

    #[test]
    fn the_project_is_called_as_its_namespace() {
        let (path, text) = place("P", "Creo/Creo.csproj", "<AssemblyName>Creo</AssemblyName>");
        assert_eq!((path.as_str(), text.as_str()), ("P/P.csproj", "<AssemblyName>P</AssemblyName>"));
    }

    /// The assumptions of `source`, checked for each file of the runtime.
    #[test]
    fn the_runtime_can_move() {
        for (path, text) in
            PARTS.iter().chain([&*JMS, &*JMS_STREAMS, &*OPEN_TELEMETRY, &*WSS]).flat_map(|part| part.files)
        {
            if path.ends_with(".csproj") {
                continue;
            }
            let (_, moved) = place("Lab.Creo", path, text);
            let imports = moved.lines().take_while(|line| !line.contains("class ")).collect::<String>();
            assert!(!imports.contains("using System") && !imports.contains("using Creo"), "{path}");
            for line in moved.lines().filter(|line| !line.trim_start().starts_with("//")) {
                // Outside of imports, qualified names start at the root; strings are ignored.
                let code: String = line.split('"').step_by(2).collect();
                for name in ["System.", "Creo."] {
                    for (at, _) in code.match_indices(name) {
                        let before = &code[..at];
                        let rooted = before.ends_with("global::") || before.ends_with("Lab.");
                        let inside = before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.');
                        assert!(rooted || inside, "{path}: {line}");
                    }
                }
            }
        }
    }
}
