//! Joins the files of the runtime's parts that a program needs: all public headers into `creo.h`, all sources into `creo.c`.
//!
//! The files stay as they are, one after another in the order in which they need each other, under comments that name them. What changes: includes of the
//! runtime's own files go, those of the system's headers come first, once each, a source file's macros end with it, and what files share is static
//! (`CREO_AMALGAMATED` in `base/internal.h`).

use std::collections::{BTreeMap, BTreeSet};

/// Where generated code finds the header. The runtime has a file of that name, which includes the others: the joined header takes its place.
pub const HEADER: &str = "include/creo/creo.h";
pub const SOURCE: &str = "src/creo.c";

/// A part of the runtime, as `runtimes/c/emit.txt` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    pub name: String,
    /// The parts that it needs directly, which come before it.
    pub needs: Vec<String>,
    /// Where its files are emitted to.
    pub files: Vec<String>,
}

/// The two files, by their text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Amalgamation {
    pub header: String,
    pub source: String,
}

/// The parts of a list: `[name: needs]`, then a line `source -> emitted` for each file. A section may be within a comment.
pub fn parts(list: &str) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for line in list.lines() {
        let bare = line.trim_start_matches('#').trim();
        if let Some(section) = bare.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            let (name, needs) = section.split_once(':').unwrap_or((section, ""));
            parts.push(Part {
                name: name.trim().to_owned(),
                needs: needs.split_whitespace().map(str::to_owned).collect(),
                files: Vec::new(),
            });
        } else if let (false, Some((_, emitted)), Some(part)) =
            (line.starts_with('#'), line.split_once("->"), parts.last_mut())
        {
            part.files.push(emitted.trim().to_owned());
        }
    }
    parts
}

/// Joins the chosen parts and those that they need. `files` has the text of each emitted file by its path.
///
/// # Errors
/// When a part or a file is missing, or a file includes one that is of none of the parts.
pub fn amalgamate(
    parts: &[Part],
    files: &BTreeMap<&str, &str>,
    chosen: &[&str],
) -> Result<Amalgamation, String> {
    let parts = closure(parts, chosen)?;
    let paths: Vec<&str> = parts.iter().flat_map(|part| part.files.iter().map(String::as_str)).collect();
    let names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
    let what = format!(
        "/*\n * The runtime of Creo for C, in one {{}}: {}.\n * Joined from the files that the comments name.\n */\n",
        names.join(", ")
    );
    let mut headers = Joined::new(files, &paths);
    for path in paths.iter().filter(|path| is_public(path) && **path != HEADER) {
        headers.add(path)?;
    }
    let mut sources = Joined::new(files, &paths);
    // Those headers are in the joined one.
    sources.done.clone_from(&headers.done);
    sources.done.insert(HEADER);
    for path in paths.iter().filter(|path| path.ends_with(".c")) {
        sources.add(path)?;
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

/// The chosen parts and all below them, in the order of the list.
fn closure<'p>(parts: &'p [Part], chosen: &[&str]) -> Result<Vec<&'p Part>, String> {
    let mut wanted: BTreeSet<&str> = chosen.iter().copied().collect();
    if let Some(unknown) = wanted.iter().find(|name| parts.iter().all(|part| part.name != **name)) {
        return Err(format!("the runtime has no part {unknown}"));
    }
    // Each needs only those before it.
    for part in parts.iter().rev() {
        if wanted.contains(part.name.as_str()) {
            wanted.extend(part.needs.iter().map(String::as_str));
        }
    }
    Ok(parts.iter().filter(|part| wanted.contains(part.name.as_str())).collect())
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
    files: &'t BTreeMap<&'t str, &'t str>,
    /// The files of the parts.
    paths: &'t [&'t str],
    done: BTreeSet<&'t str>,
    system: BTreeSet<&'t str>,
    text: String,
}

impl<'t> Joined<'t> {
    fn new(files: &'t BTreeMap<&'t str, &'t str>, paths: &'t [&'t str]) -> Joined<'t> {
        Joined { files, paths, done: BTreeSet::new(), system: BTreeSet::new(), text: String::new() }
    }

    fn add(&mut self, path: &'t str) -> Result<(), String> {
        if !self.done.insert(path) {
            return Ok(());
        }
        let text = *self.files.get(path).ok_or_else(|| format!("the runtime has no file {path}"))?;
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
                    let own = self.paths.iter().find(|known| **known == own).ok_or_else(|| {
                        format!("{path} includes {own}, which is of none of the parts that were chosen")
                    })?;
                    self.add(own)?;
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
    use super::{Amalgamation, amalgamate, parts};
    use std::collections::BTreeMap;

    const LIST: &str = "# Files.\n# [low]\ni/low.h -> include/creo/low.h\ns/low.h -> src/creo/low/low.h\ns/low.c -> src/creo/low/low.c\n\n[side: low]\ns/side.c -> src/creo/side/side.c\n\n[high: low]\ni/high.h -> include/creo/high.h\ni/creo.h -> include/creo/creo.h\ns/high.c -> src/creo/high/high.c\n";

    fn files() -> BTreeMap<&'static str, &'static str> {
        BTreeMap::from([
            ("include/creo/low.h", "/** Low. */\n#include <stdint.h>\n\nint low(void);\n"),
            ("src/creo/low/low.h", "#include <creo/low.h>\n\n#include <time.h>\n\nint shared(void);\n"),
            (
                "src/creo/low/low.c",
                "#ifndef _POSIX_C_SOURCE\n#define _POSIX_C_SOURCE 200809L\n#endif\n\n#include \"low.h\"\n\n#include <stdint.h>\n\n#define ONE 1\n#define ADD(x) (x)\n\nint shared(void) { return ADD(ONE); }\n",
            ),
            ("src/creo/side/side.c", "#include \"../low/low.h\"\n\nint side;\n"),
            ("include/creo/high.h", "#include <creo/low.h>\n\nint high(void);\n"),
            ("include/creo/creo.h", "#include <creo/high.h>\n#include <creo/low.h>\n"),
            (
                "src/creo/high/high.c",
                "#include <creo/high.h>\n\n#include \"../low/low.h\"\n\nint high(void) { return shared(); }\n",
            ),
        ])
    }

    fn join(chosen: &[&str]) -> Result<Amalgamation, String> {
        amalgamate(&parts(LIST), &files(), chosen)
    }

    #[test]
    fn a_list_has_parts() {
        let found = parts(LIST);
        let names: Vec<&str> = found.iter().map(|part| part.name.as_str()).collect();
        assert_eq!(names, ["low", "side", "high"]);
        assert_eq!(found[2].needs, ["low"]);
        assert_eq!(found[1].files, ["src/creo/side/side.c"]);
    }

    #[test]
    fn the_files_of_the_chosen_parts_are_joined() {
        let made = join(&["high"]).expect("the parts are there");
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
    fn what_is_missing_is_an_error() {
        assert_eq!(join(&["none"]), Err("the runtime has no part none".to_owned()));
        let list = LIST.replace("[high: low]", "[high]");
        assert_eq!(
            amalgamate(&parts(&list), &files(), &["high"]),
            Err("include/creo/high.h includes include/creo/low.h, which is of none of the parts that were chosen".to_owned())
        );
        let mut less = files();
        less.remove("src/creo/low/low.h");
        assert_eq!(
            amalgamate(&parts(LIST), &less, &["low"]),
            Err("the runtime has no file src/creo/low/low.h".to_owned())
        );
    }
}
