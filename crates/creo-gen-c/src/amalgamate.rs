//! Joins the runtime files that programs need: all public headers into `creo.h`, all sources into `creo.c`. The separate sources of a
//! module, such as JMS, are joined into `creo_NAME.c`.
//!
//! The files are unchanged and follow each other in the order of their dependencies, each under a comment with its name. The changes:
//! includes of the runtime's own files are removed; those of system headers come first, once each; a source file's macros end with it; and
//! what only files of the runtime share is static (`CREO_AMALGAMATED` in `base/internal.h`). An indented include (`#  include`) belongs to
//! one operating system and stays in place.

use creo_codegen::Part;
use std::collections::BTreeSet;

/// The path of the header for programs and generated code. The runtime has a file with this name that includes all public headers; the
/// joined header replaces it.
pub const HEADER: &str = "include/creo/creo.h";
pub const SOURCE: &str = "src/creo.c";

/// The contents of the two files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Amalgamation {
    pub header: String,
    pub source: String,
}

/// Joins parts, lowest first.
///
/// # Errors
/// If a file includes one outside the parts.
pub fn amalgamate(parts: &[&Part]) -> Result<Amalgamation, String> {
    let files = files(parts);
    let names: Vec<&str> = parts.iter().map(|part| part.name).collect();
    let what = |kind: &str| head(&format!("The runtime of Creo for C, in one {kind}: {}.", names.join(", ")));
    let mut headers = Joined::new(&files);
    for (path, text) in files.iter().filter(|(path, _)| is_public(path)) {
        headers.add(path, text)?;
    }
    let mut sources = Joined::new(&files);
    // These headers are in the joined one.
    sources.done.clone_from(&headers.done);
    for (path, text) in files.iter().filter(|(path, _)| path.ends_with(".c")) {
        sources.add(path, text)?;
    }
    let own = &sources.system - &headers.system;
    Ok(Amalgamation {
        header: format!(
            "{}#ifndef CREO_CREO_H\n#define CREO_CREO_H\n\n{}{}\n\n#endif\n",
            what("header"),
            includes(&headers.system),
            headers.text.trim_end()
        ),
        source: format!(
            "{}{POSIX}#define CREO_AMALGAMATED\n\n#include <creo/creo.h>\n\n{}{}\n",
            what("source file"),
            includes(&own),
            sources.text.trim_end()
        ),
    })
}

/// The files of a module, by path: its public headers unchanged, and one that joins its sources, and those of its part for streams if the
/// program has some, with the files of the parts that they include. The parts are those that the module needs. It is separate from
/// `creo.c`: a program that does not use the module need not link the module's library.
///
/// # Errors
/// If a file includes one outside the module and the parts.
pub fn amalgamate_module(
    module: &Part,
    streams: Option<&Part>,
    parts: &[&Part],
) -> Result<Vec<(String, String)>, String> {
    let own: Vec<&Part> = [module].into_iter().chain(streams).collect();
    let (public, sources): (Vec<_>, Vec<_>) = files(&own).into_iter().partition(|(path, _)| is_public(path));
    let files = files(&[parts, &own].concat());
    let mut joined = Joined::new(&files);
    joined.done.extend(files.iter().map(|(path, _)| *path).filter(|path| is_public(path)));
    for (path, text) in sources.iter().filter(|(path, _)| path.ends_with(".c")) {
        joined.add(path, text)?;
    }
    let headers: String = public
        .iter()
        .map(|(path, _)| format!("#include <{}>\n", path.trim_start_matches("include/")))
        .collect();
    let version = files
        .iter()
        .flat_map(|(_, text)| text.lines())
        .find_map(|line| line.strip_prefix("#define CREO_RUNTIME_VERSION "))
        .map_or_else(String::new, |version| {
            format!("#if CREO_RUNTIME_VERSION != {version}\n#error \"This module is of another version of the Creo runtime: generate it again.\"\n#endif\n\n")
        });
    // A copy of the runtime that was made for other code may have streams.
    let without = if streams.is_none() { "#define CREO_MODULE_WITHOUT_STREAMS\n" } else { "" };
    let source = format!(
        "{}{POSIX}#define CREO_AMALGAMATED_MODULE\n{without}\n{headers}\n{version}{}{}\n",
        head(&format!(
            "The module {} of the runtime of Creo for C, in one source file. It knows internals of the runtime, and fits no other version.",
            module.name
        )),
        includes(&joined.system),
        joined.text.trim_end()
    );
    let mut made: Vec<(String, String)> =
        public.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    made.push((module_source(module.name), source));
    Ok(made)
}

/// The path of a module's source file.
fn module_source(name: &str) -> String {
    format!("src/creo_{name}.c")
}

const POSIX: &str = "#ifndef _POSIX_C_SOURCE\n#define _POSIX_C_SOURCE 200809L\n#endif\n";

/// Path and text of the files of parts.
fn files<'t>(parts: &[&'t Part]) -> Vec<(&'t str, &'t str)> {
    parts.iter().flat_map(|part| part.files).copied().collect()
}

/// The comment that begins a file.
fn head(what: &str) -> String {
    format!("/*\n * {what}\n * Joined from the files that the comments name.\n */\n")
}

fn is_public(path: &str) -> bool {
    path.starts_with("include/")
}

/// A block of includes, possibly empty.
fn includes(names: &BTreeSet<&str>) -> String {
    let lines: String = names.iter().map(|name| format!("#include <{name}>\n")).collect();
    if lines.is_empty() { lines } else { lines + "\n" }
}

enum Include<'t> {
    System(&'t str),
    /// A file of the runtime, by its emitted path.
    Own(String),
}

/// The file that a line includes, if any.
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

/// Ends the macros of a source file: the next one may define the names differently.
fn undefine(lines: &[&str]) -> String {
    let defined = lines.iter().filter_map(|line| line.strip_prefix("#define "));
    let names: BTreeSet<&str> = defined
        .filter_map(|rest| rest.split(|c: char| c != '_' && !c.is_ascii_alphanumeric()).next())
        .collect();
    let text: String = names.iter().map(|name| format!("#undef {name}\n")).collect();
    if text.is_empty() { text } else { text + "\n" }
}

/// Joined files, each after those that it includes.
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
            // The joined file has this before all includes.
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
                // No consecutive empty lines, and none at the beginning, where includes were removed.
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
    use super::{amalgamate, amalgamate_module};
    use creo_codegen::Part;

    const LOW: Part = Part {
        name: "low",
        needs: &[],
        files: &[
            (
                "include/creo/low.h",
                "/** Low. */\n#include <stdint.h>\n\n#define CREO_RUNTIME_VERSION 7\n\nint low(void);\n",
            ),
            ("src/low/low.h", "#include <creo/low.h>\n\n#include <time.h>\n\nint shared(void);\n"),
            (
                "src/low/low.c",
                "#ifndef _POSIX_C_SOURCE\n#define _POSIX_C_SOURCE 200809L\n#endif\n\n#include \"low.h\"\n\n#include <stdint.h>\n\n#define ONE 1\n#define ADD(x) (x)\n\nint shared(void) { return ADD(ONE); }\n",
            ),
        ],
    };
    const HIGH: Part = Part {
        name: "high",
        needs: &["low"],
        files: &[
            ("include/creo/high.h", "#include <creo/low.h>\n\nint high(void);\n"),
            (
                "src/high/high.c",
                "#include <creo/high.h>\n\n#include \"../low/low.h\"\n\n#ifdef OWN\n#  include <own.h>\n#endif\n\nint high(void) { return shared(); }\n",
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
                /*\n * creo/low.h\n */\n\n/** Low. */\n\n#define CREO_RUNTIME_VERSION 7\n\nint low(void);\n\n/*\n * creo/high.h\n */\n\nint high(void);\n\n#endif\n"
        );
        assert_eq!(
            made.source,
            what("source file")
                + "#ifndef _POSIX_C_SOURCE\n#define _POSIX_C_SOURCE 200809L\n#endif\n#define CREO_AMALGAMATED\n\n#include <creo/creo.h>\n\n#include <time.h>\n\n\
                /*\n * low/low.h\n */\n\nint shared(void);\n\n/*\n * low/low.c\n */\n\n#define ONE 1\n#define ADD(x) (x)\n\nint shared(void) { return ADD(ONE); }\n\n#undef ADD\n#undef ONE\n\n\
                /*\n * high/high.c\n */\n\n#ifdef OWN\n#  include <own.h>\n#endif\n\nint high(void) { return shared(); }\n"
        );
    }

    const MODULE: Part = Part {
        name: "more",
        needs: &["low"],
        files: &[
            ("include/creo/more.h", "#include <creo/creo.h>\n\nint more(void);\n"),
            ("src/more/own.h", "int own(void);\n"),
            (
                "src/more/more.c",
                "#include <creo/more.h>\n\n#include \"../low/low.h\"\n#include \"own.h\"\n\n#include <errno.h>\n\nint more(void) { return shared(); }\n",
            ),
        ],
    };

    #[test]
    fn a_module_is_a_pair_of_its_own_with_what_it_shares() {
        let made = amalgamate_module(&MODULE, None, &[&LOW]).expect("each has what it includes");
        let source = "/*\n * The module more of the runtime of Creo for C, in one source file. It knows internals of the runtime, and fits no other version.\n \
            * Joined from the files that the comments name.\n */\n#ifndef _POSIX_C_SOURCE\n#define _POSIX_C_SOURCE 200809L\n#endif\n#define CREO_AMALGAMATED_MODULE\n#define CREO_MODULE_WITHOUT_STREAMS\n\n#include <creo/more.h>\n\n\
            #if CREO_RUNTIME_VERSION != 7\n#error \"This module is of another version of the Creo runtime: generate it again.\"\n#endif\n\n\
            #include <errno.h>\n#include <time.h>\n\n/*\n * low/low.h\n */\n\nint shared(void);\n\n/*\n * more/own.h\n */\n\nint own(void);\n\n\
            /*\n * more/more.c\n */\n\nint more(void) { return shared(); }\n";
        let text = |text: &str| text.to_owned();
        assert_eq!(
            made,
            [
                (text("include/creo/more.h"), text("#include <creo/creo.h>\n\nint more(void);\n")),
                (text("src/creo_more.c"), text(source))
            ]
        );
        let why = "src/more/more.c includes src/low/low.h, which is of none of the parts that were chosen";
        assert_eq!(amalgamate_module(&MODULE, None, &[]), Err(text(why)));
    }

    #[test]
    fn a_module_has_its_part_for_streams_if_there_are_some() {
        let streams = Part {
            name: "more+streams",
            needs: &["more"],
            files: &[(
                "src/more+streams/flow.c",
                "#include \"../more/own.h\"\n\nint flow(void) { return own(); }\n",
            )],
        };
        let made = amalgamate_module(&MODULE, Some(&streams), &[&LOW]).expect("each has what it includes");
        let (_, source) = &made[1];
        assert!(
            !source.contains("CREO_MODULE_WITHOUT_STREAMS") && source.matches("int own(void);").count() == 1
        );
        assert!(source.ends_with("/*\n * more+streams/flow.c\n */\n\nint flow(void) { return own(); }\n"));
    }

    #[test]
    fn an_include_of_no_part_is_an_error() {
        let why =
            "include/creo/high.h includes include/creo/low.h, which is of none of the parts that were chosen";
        assert_eq!(amalgamate(&[&HIGH]), Err(why.to_owned()));
    }
}
