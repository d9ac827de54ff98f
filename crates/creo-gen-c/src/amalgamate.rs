//! Joins the files of the runtime's parts that a program needs: all public headers into `creo.h`, all sources into `creo.c`.
//!
//! The files stay as they are, one after another in the order in which they need each other, under comments that name them. What changes: includes of the
//! runtime's own files go, those of the system's headers come first, once each, a source file's macros end with it, and what files share is static
//! (`CREO_AMALGAMATED` in `base/internal.h`).

use creo_codegen::Part;
use std::collections::BTreeSet;

/// Where generated code finds the header. The runtime has a file of that name, which includes the others: the joined header takes its place.
pub const HEADER: &str = "include/creo/creo.h";
pub const SOURCE: &str = "src/creo.c";

/// The two files, by their text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Amalgamation {
    pub header: String,
    pub source: String,
}

/// Joins parts, the lowest first.
///
/// # Errors
/// When a file includes one that is of none of the parts.
pub fn amalgamate(parts: &[&Part]) -> Result<Amalgamation, String> {
    let files: Vec<(&str, &str)> = parts.iter().flat_map(|part| part.files).copied().collect();
    let names: Vec<&str> = parts.iter().map(|part| part.name).collect();
    let what = format!(
        "/*\n * The runtime of Creo for C, in one {{}}: {}.\n * Joined from the files that the comments name.\n */\n",
        names.join(", ")
    );
    let mut headers = Joined::new(&files);
    for (path, text) in files.iter().filter(|(path, _)| is_public(path) && *path != HEADER) {
        headers.add(path, text)?;
    }
    let mut sources = Joined::new(&files);
    // Those headers are in the joined one.
    sources.done.clone_from(&headers.done);
    sources.done.insert(HEADER);
    for (path, text) in files.iter().filter(|(path, _)| path.ends_with(".c")) {
        sources.add(path, text)?;
    }
    let own = &sources.system - &headers.system;
    Ok(Amalgamation {
        header: format!(
            "{}#ifndef CREO_CREO_H\n#define CREO_CREO_H\n\n{}{}\n\n#endif\n",
            what.replace("{}", "header"),
            includes(&headers.system),
            headers.text.trim_end()
        ),
        source: format!(
            "{}#ifndef _POSIX_C_SOURCE\n#define _POSIX_C_SOURCE 200809L\n#endif\n#define CREO_AMALGAMATED\n\n#include <creo/creo.h>\n\n{}{}\n",
            what.replace("{}", "source file"),
            includes(&own),
            sources.text.trim_end()
        ),
    })
}

fn is_public(path: &str) -> bool {
    path.starts_with("include/")
}

/// A block of includes, or nothing.
fn includes(names: &BTreeSet<&str>) -> String {
    let lines: String = names.iter().map(|name| format!("#include <{name}>\n")).collect();
    if lines.is_empty() { lines } else { lines + "\n" }
}

enum Include<'t> {
    System(&'t str),
    /// A file of the runtime, by its emitted path.
    Own(String),
}

/// What a line includes, if it does.
fn include<'t>(line: &'t str, from: &str) -> Option<Include<'t>> {
    let named = line.strip_prefix("#include ")?.trim();
    if let Some(name) = named.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) {
        let own = name.starts_with("creo/");
        return Some(if own { Include::Own(format!("include/{name}")) } else { Include::System(name) });
    }
    let mut path: Vec<&str> = from.split('/').collect();
    path.pop();
    for step in named.trim_matches('"').split('/') {
        match step {
            ".." => drop(path.pop()),
            step => path.push(step),
        }
    }
    Some(Include::Own(path.join("/")))
}

/// The end of what a source file defines: the next one may use the names otherwise.
fn undefine(lines: &[&str]) -> String {
    let defined = lines.iter().filter_map(|line| line.strip_prefix("#define "));
    let names: BTreeSet<&str> = defined
        .filter_map(|rest| rest.split(|c: char| c != '_' && !c.is_ascii_alphanumeric()).next())
        .collect();
    let text: String = names.iter().map(|name| format!("#undef {name}\n")).collect();
    if text.is_empty() { text } else { text + "\n" }
}

/// Files after one another, each after those that it includes.
struct Joined<'t> {
    /// Path and text of the files of the parts.
    files: &'t [(&'t str, &'t str)],
    done: BTreeSet<&'t str>,
    system: BTreeSet<&'t str>,
    text: String,
}

impl<'t> Joined<'t> {
    fn new(files: &'t [(&'t str, &'t str)]) -> Joined<'t> {
        Joined { files, done: BTreeSet::new(), system: BTreeSet::new(), text: String::new() }
    }

    fn add(&mut self, path: &'t str, text: &'t str) -> Result<(), String> {
        if !self.done.insert(path) {
            return Ok(());
        }
        let mut kept = Vec::new();
        let mut in_posix = false;
        for line in text.lines() {
            // The joined file has it, before all includes.
            in_posix |= line == "#ifndef _POSIX_C_SOURCE";
            if in_posix {
                in_posix = line != "#endif";
                continue;
            }
            match include(line, path) {
                Some(Include::System(name)) => drop(self.system.insert(name)),
                Some(Include::Own(own)) => {
                    let found = self.files.iter().find(|(known, _)| *known == own);
                    let (path, text) = found.ok_or_else(|| {
                        format!("{path} includes {own}, which is of none of the parts that were chosen")
                    })?;
                    self.add(path, text)?;
                }
                // No two empty lines, and none at the beginning: includes were between them.
                None if line.is_empty() && kept.last().is_none_or(|last: &&str| last.is_empty()) => {}
                None => kept.push(line),
            }
        }
        let undefined = if path.ends_with(".c") { undefine(&kept) } else { String::new() };
        let name = path.strip_prefix("include/").or_else(|| path.strip_prefix("src/")).unwrap_or(path);
        self.text.push_str(&format!("/*\n * {name}\n */\n\n{}\n\n{undefined}", kept.join("\n").trim_end()));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::amalgamate;
    use creo_codegen::Part;

    const LOW: Part = Part {
        name: "low",
        needs: &[],
        files: &[
            ("include/creo/low.h", "/** Low. */\n#include <stdint.h>\n\nint low(void);\n"),
            ("src/creo/low/low.h", "#include <creo/low.h>\n\n#include <time.h>\n\nint shared(void);\n"),
            (
                "src/creo/low/low.c",
                "#ifndef _POSIX_C_SOURCE\n#define _POSIX_C_SOURCE 200809L\n#endif\n\n#include \"low.h\"\n\n#include <stdint.h>\n\n#define ONE 1\n#define ADD(x) (x)\n\nint shared(void) { return ADD(ONE); }\n",
            ),
        ],
    };
    const HIGH: Part = Part {
        name: "high",
        needs: &["low"],
        files: &[
            ("include/creo/high.h", "#include <creo/low.h>\n\nint high(void);\n"),
            ("include/creo/creo.h", "#include <creo/high.h>\n#include <creo/low.h>\n"),
            (
                "src/creo/high/high.c",
                "#include <creo/high.h>\n\n#include \"../low/low.h\"\n\nint high(void) { return shared(); }\n",
            ),
        ],
    };

    #[test]
    fn the_files_of_the_chosen_parts_are_joined() {
        let made = amalgamate(&[&LOW, &HIGH]).expect("each has what it includes");
        let what = |kind| {
            format!(
                "/*\n * The runtime of Creo for C, in one {kind}: low, high.\n * Joined from the files that the comments name.\n */\n"
            )
        };
        assert_eq!(
            made.header,
            what("header")
                + "#ifndef CREO_CREO_H\n#define CREO_CREO_H\n\n#include <stdint.h>\n\n\
                /*\n * creo/low.h\n */\n\n/** Low. */\n\nint low(void);\n\n/*\n * creo/high.h\n */\n\nint high(void);\n\n#endif\n"
        );
        assert_eq!(
            made.source,
            what("source file")
                + "#ifndef _POSIX_C_SOURCE\n#define _POSIX_C_SOURCE 200809L\n#endif\n#define CREO_AMALGAMATED\n\n#include <creo/creo.h>\n\n#include <time.h>\n\n\
                /*\n * creo/low/low.h\n */\n\nint shared(void);\n\n/*\n * creo/low/low.c\n */\n\n#define ONE 1\n#define ADD(x) (x)\n\nint shared(void) { return ADD(ONE); }\n\n#undef ADD\n#undef ONE\n\n\
                /*\n * creo/high/high.c\n */\n\nint high(void) { return shared(); }\n"
        );
    }

    #[test]
    fn an_include_of_no_part_is_an_error() {
        let why =
            "include/creo/high.h includes include/creo/low.h, which is of none of the parts that were chosen";
        assert_eq!(amalgamate(&[&HIGH]), Err(why.to_owned()));
    }
}
