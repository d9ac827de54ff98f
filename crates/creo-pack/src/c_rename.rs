//! Renames the C runtime with the package's prefix: `creo_client` becomes `lab_creo_client`, `<creo/creo.h>` `<lab_creo/creo.h>`. C
//! functions share one namespace in a program, so only this keeps two copies apart with every linker.

use creo_codegen::Files;

/// The prefix of the runtime's names.
const PREFIX: &str = "creo_";

/// A prefix for the runtime that begins like `word` and that no name in the generated files `own` has.
pub fn free_prefix(own: &Files, word: &str) -> String {
    let texts: Vec<String> = own.iter().map(|(_, text)| text.to_ascii_lowercase()).collect();
    let mut number = 1u32;
    loop {
        let prefix = if number == 1 { format!("{word}_creo_") } else { format!("{word}_creo{number}_") };
        if !texts.iter().any(|text| text.contains(&prefix)) {
            return prefix;
        }
        number += 1;
    }
}

/// The path of a runtime file, renamed in its folder or file name.
pub fn path(path: &str, prefix: &str) -> String {
    let (top, rest) = path.split_once('/').unwrap_or(("", path));
    let renamed = included(rest, prefix);
    if top.is_empty() { renamed } else { format!("{top}/{renamed}") }
}

/// The text of a source file or header, renamed. String literals stay: they are sent or displayed.
pub fn source(text: &str, prefix: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for line in text.split_inclusive('\n') {
        match include(line) {
            Some((before, path, after)) => {
                out.push_str(before);
                out.push_str(&included(path, prefix));
                out.push_str(after);
            }
            None => code(line, prefix, &mut out),
        }
    }
    out
}

/// An include line: what precedes the path, the path, and the rest.
fn include(line: &str) -> Option<(&str, &str, &str)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start();
    let end = match rest.chars().next()? {
        '<' => '>',
        '"' => '"',
        _ => return None,
    };
    let start = line.len() - rest.len() + 1;
    let length = line[start..].find(end)?;
    Some((&line[..start], &line[start..start + length], &line[start + length..]))
}

/// The path of an include: the runtime's begin with `creo/`, or are `creo.h`.
fn included(path: &str, prefix: &str) -> String {
    let folder = prefix.trim_end_matches('_');
    match path.strip_prefix("creo") {
        Some(rest) if rest.starts_with('/') || rest == ".h" || rest == ".c" => format!("{folder}{rest}"),
        _ => path.to_owned(),
    }
}

/// Renames a line of code. No C literal spans lines, and comments may be renamed, so lines are independent.
fn code(line: &str, prefix: &str, out: &mut String) {
    let bytes = line.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        let end = if byte.is_ascii_alphabetic() || byte == b'_' {
            let end = span(bytes, at, |b| b.is_ascii_alphanumeric() || b == b'_');
            name(&line[at..end], prefix, out);
            at = end;
            continue;
        } else if byte.is_ascii_digit() {
            // A number with its suffix is not a name.
            span(bytes, at, |b| b.is_ascii_alphanumeric() || b == b'_' || b == b'.')
        } else if (byte == b'"' || byte == b'\'') && closes(bytes, at).is_some() {
            closes(bytes, at).unwrap_or(at + 1)
        } else {
            span(bytes, at, |b| !(b.is_ascii_alphanumeric() || b == b'_' || b == b'"' || b == b'\''))
                .max(at + 1)
        };
        out.push_str(&line[at..end]);
        at = end;
    }
}

fn span(bytes: &[u8], from: usize, wanted: impl Fn(u8) -> bool) -> usize {
    bytes[from..].iter().position(|b| !wanted(*b)).map_or(bytes.len(), |length| from + length)
}

/// The end of the literal at `from`, if it ends on its line: a quote in a comment need not.
fn closes(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b if b == bytes[from] => return Some(at + 1),
            _ => at += 1,
        }
    }
    None
}

fn name(word: &str, prefix: &str, out: &mut String) {
    if let Some(rest) = word.strip_prefix(PREFIX) {
        out.push_str(prefix);
        out.push_str(rest);
    } else if let Some(rest) = word.strip_prefix("CREO_") {
        out.push_str(&prefix.to_ascii_uppercase());
        out.push_str(rest);
    } else {
        out.push_str(word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_get_the_prefix_and_texts_do_not() {
        for (text, expected) in [
            (
                "creo_client *c = creo_open(\"creo_x\");\n",
                "lab_creo_client *c = lab_creo_open(\"creo_x\");\n",
            ),
            ("#ifndef CREO_H\n", "#ifndef LAB_CREO_H\n"),
            ("#include <creo/creo.h>\n", "#include <lab_creo/creo.h>\n"),
            ("#  include \"creo.h\" /* creo_a */\n", "#  include \"lab_creo.h\" /* creo_a */\n"),
            ("#include \"lab.creo.h\"\n", "#include \"lab.creo.h\"\n"),
            ("#include \"base/internal.h\"\n", "#include \"base/internal.h\"\n"),
            (
                "my_creo_x creo creole 'c' '\\'' \"\\\"creo_\" creo_y\n",
                "my_creo_x creo creole 'c' '\\'' \"\\\"creo_\" lab_creo_y\n",
            ),
            ("/* it's creo_z */ 0x1creo_q é \"", "/* it's lab_creo_z */ 0x1creo_q é \""),
        ] {
            assert_eq!(source(text, "lab_creo_"), expected);
        }
    }

    #[test]
    fn files_of_the_runtime_get_it_too() {
        for (from, to) in [
            ("include/creo/creo.h", "include/lab_creo/creo.h"),
            ("include/creo.h", "include/lab_creo.h"),
            ("src/creo.c", "src/lab_creo.c"),
            ("src/creo/base/a.c", "src/lab_creo/base/a.c"),
            ("include/lab.creo.h", "include/lab.creo.h"),
            ("src/creole.c", "src/creole.c"),
        ] {
            assert_eq!(path(from, "lab_creo_"), to);
        }
    }

    #[test]
    fn a_prefix_is_free() {
        let mut own = Files::new();
        assert_eq!(free_prefix(&own, "lab"), "lab_creo_");
        own.add("a.h", "struct LAB_CREO_X;");
        assert_eq!(free_prefix(&own, "lab"), "lab_creo2_");
    }
}
