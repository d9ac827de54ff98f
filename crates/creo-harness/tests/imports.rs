//! The files of a crate import one another in one direction: no file needs, by way of others, a file that needs it. What a file needs is read from its
//! `use` declarations and its paths; a `mod` declaration needs nothing, tests within a file do not count, and an item that a file only passes on
//! (`pub use`) is needed from where it is made.

#![allow(clippy::disallowed_methods)] // It reads the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The path of a module within its crate; that of the crate itself has no parts.
type Module = Vec<String>;

/// The imports of a file.
#[derive(Debug, Default)]
struct Source {
    /// The paths that it names, from the root of the crate, as far as they can be.
    paths: Vec<Vec<String>>,
    /// Names introduced by `use`, and their paths.
    aliases: Vec<(String, Vec<String>)>,
}

#[test]
fn files_of_a_crate_import_one_another_in_one_direction() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(crates).expect("the crates").map(|entry| entry.expect("a folder").path()).collect();
    folders.sort();
    let mut cycles = Vec::new();
    let mut files = 0;
    for folder in folders {
        let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        let sources = sources(&folder.join("src"));
        files += sources.len();
        cycles.extend(found_cycles(&sources).into_iter().map(|cycle| format!("{name}: {cycle}")));
    }
    assert!(files > 100, "{files} files were read");
    assert!(cycles.is_empty(), "files that need each other:\n{}", cycles.join("\n"));
}

/// The texts of all modules below a folder.
fn sources(root: &Path) -> BTreeMap<Module, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![(root.to_owned(), Module::new())];
    while let Some((folder, parent)) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
            let mut module = parent.clone();
            if path.is_dir() {
                module.push(stem);
                folders.push((path, module));
            } else if path.extension().is_some_and(|e| e == "rs") {
                if !["lib", "main", "mod"].contains(&stem.as_str()) {
                    module.push(stem);
                }
                found.insert(module, std::fs::read_to_string(&path).expect("a source"));
            }
        }
    }
    found
}

/// A line for each group of modules that need each other.
fn found_cycles(texts: &BTreeMap<Module, String>) -> Vec<String> {
    let modules: BTreeSet<Module> = texts.keys().cloned().collect();
    let sources: BTreeMap<Module, Source> =
        texts.iter().map(|(module, text)| (module.clone(), read(module, text, &modules))).collect();
    let mut needs: BTreeMap<&Module, BTreeSet<Module>> = BTreeMap::new();
    for (module, source) in &sources {
        let found: BTreeSet<Module> = source
            .paths
            .iter()
            .filter_map(|path| home(path, &sources, 8))
            .filter(|home| home != module)
            .collect();
        needs.insert(module, found);
    }
    let reached = |from: &Module| {
        let mut all: BTreeSet<Module> = BTreeSet::new();
        let mut next: Vec<Module> = needs[from].iter().cloned().collect();
        while let Some(module) = next.pop() {
            if all.insert(module.clone()) {
                next.extend(needs[&module].iter().cloned());
            }
        }
        all
    };
    let reaches: BTreeMap<&Module, BTreeSet<Module>> =
        needs.keys().map(|module| (*module, reached(module))).collect();
    let mut groups: BTreeSet<BTreeSet<Module>> = BTreeSet::new();
    for (module, all) in &reaches {
        if all.contains(*module) {
            groups.insert(all.iter().filter(|other| reaches[other].contains(*module)).cloned().collect());
        }
    }
    let name = |module: &Module| {
        if module.is_empty() { "the crate's root".to_owned() } else { module.join("::") }
    };
    let shown = |group: BTreeSet<Module>| {
        let edges = group.iter().map(|module| {
            let inside: Vec<String> = needs[module].intersection(&group).map(name).collect();
            format!("{} needs {}", name(module), inside.join(", "))
        });
        edges.collect::<Vec<_>>().join("; ")
    };
    groups.into_iter().map(shown).collect()
}

/// The module that defines what a path names: the last module on the path, or the one it re-exports from.
fn home(path: &[String], sources: &BTreeMap<Module, Source>, patience: usize) -> Option<Module> {
    let depth = (0..=path.len()).rev().find(|depth| sources.contains_key(&path[..*depth]))?;
    let module = path[..depth].to_vec();
    let Some(name) = path.get(depth) else { return Some(module) };
    let alias = sources[&module].aliases.iter().find(|(alias, _)| alias == name);
    match alias {
        Some((_, target)) if patience > 0 && target != path => {
            let whole: Vec<String> = target.iter().chain(&path[depth + 1..]).cloned().collect();
            home(&whole, sources, patience - 1)
        }
        _ => Some(module),
    }
}

/// Reads the imports of a file.
fn read(module: &Module, text: &str, modules: &BTreeSet<Module>) -> Source {
    let tokens = tokens(text);
    let mut source = Source::default();
    // Modules within the file, each with its depth of braces.
    let mut inner: Vec<usize> = Vec::new();
    let (mut depth, mut at) = (0, 0);
    while at < tokens.len() {
        let token = tokens[at].as_str();
        let next = |ahead: usize| tokens.get(at + ahead).map_or("", String::as_str);
        match token {
            "{" => depth += 1,
            "}" => {
                depth -= 1;
                inner.pop_if(|at| *at == depth);
            }
            "mod" if next(2) == "{" && next(1) == "tests" => {
                at = closing(&tokens, at + 2);
            }
            "mod" if next(2) == "{" => inner.push(depth),
            "use" if next(1) != "<" => {
                let end = at + tokens[at..].iter().position(|token| token == ";").expect("the end of a use");
                let mut names = Vec::new();
                tree(&tokens[at + 1..end], &mut Vec::new(), &mut names);
                for (alias, path) in names {
                    if let Some(path) = absolute(&path, module, inner.len(), modules) {
                        source.paths.push(path.clone());
                        source.aliases.push((alias, path));
                    }
                }
                at = end;
            }
            _ if next(1) == "::" && (at == 0 || tokens[at - 1] != "::") => {
                let mut path = vec![token.to_owned()];
                while next(2 * path.len() - 1) == "::" && is_name(next(2 * path.len())) {
                    path.push(next(2 * path.len()).to_owned());
                }
                source.paths.extend(absolute(&path, module, inner.len(), modules));
            }
            _ => {}
        }
        at += 1;
    }
    source
}

/// The paths of a `use`, each with the name that it has here.
fn tree(tokens: &[String], before: &mut Vec<String>, found: &mut Vec<(String, Vec<String>)>) {
    let known = before.len();
    let mut at = 0;
    while at < tokens.len() {
        match tokens[at].as_str() {
            "{" => {
                let end = closing(tokens, at);
                let (mut start, mut depth) = (at + 1, 0);
                for part in at + 1..=end {
                    match tokens[part].as_str() {
                        "{" => depth += 1,
                        "}" if part < end => depth -= 1,
                        "," | "}" if depth == 0 => {
                            tree(&tokens[start..part], before, found);
                            start = part + 1;
                        }
                        _ => {}
                    }
                }
                before.truncate(known);
                return;
            }
            "as" => {
                found.push((tokens[at + 1].clone(), before.clone()));
                before.truncate(known);
                return;
            }
            "::" => {}
            "self" if !before.is_empty() => {}
            name => before.push(name.to_owned()),
        }
        at += 1;
    }
    if before.len() > known || tokens.last().is_some_and(|token| token == "self") {
        found.push((before.last().cloned().unwrap_or_default(), before.clone()));
    }
    before.truncate(known);
}

/// A path from the root of the crate; `None` if it leads out of the crate.
fn absolute(
    path: &[String],
    module: &Module,
    inner: usize,
    modules: &BTreeSet<Module>,
) -> Option<Vec<String>> {
    let mut base = module.clone();
    let mut inner = inner;
    let mut rest = path;
    match path.first().map(String::as_str)? {
        "crate" => {
            base.clear();
            rest = &path[1..];
        }
        "self" => rest = &path[1..],
        "super" => {}
        child => {
            let mut child_path = base.clone();
            child_path.push(child.to_owned());
            if !modules.contains(&child_path) {
                return None;
            }
        }
    }
    while rest.first().is_some_and(|first| first == "super") {
        if inner > 0 {
            inner -= 1;
        } else {
            base.pop()?;
        }
        rest = &rest[1..];
    }
    base.extend(rest.iter().cloned());
    Some(base)
}

/// The index of the brace that closes the one at an index.
fn closing(tokens: &[String], open: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.as_str() {
            "{" => depth += 1,
            "}" if depth == 1 => return at,
            "}" => depth -= 1,
            _ => {}
        }
    }
    tokens.len() - 1
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// The words and signs of a source, without comments, texts and characters.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let mut length = c.len_utf8();
        if rest.starts_with("//") {
            length = rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            length = rest.find("*/").map_or(rest.len(), |end| end + 2);
        } else if let Some(hashes) = raw_text(rest) {
            let start = rest.find('"').unwrap_or_default() + 1;
            let close = format!("\"{}", "#".repeat(hashes));
            length = rest[start..].find(&close).map_or(rest.len(), |end| start + end + close.len());
        } else if c == '"' {
            length = text_length(rest);
        } else if c == '\'' {
            length = char_length(rest);
        } else if c.is_alphanumeric() || c == '_' {
            length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            tokens.push(rest[..length].to_owned());
        } else if rest.starts_with("::") {
            length = 2;
            tokens.push("::".to_owned());
        } else if !c.is_whitespace() {
            tokens.push(c.to_string());
        }
        rest = &rest[length..];
    }
    tokens
}

/// How many `#` a raw text begins with, if one begins here.
fn raw_text(text: &str) -> Option<usize> {
    let behind = text.strip_prefix("br").or_else(|| text.strip_prefix('r'))?;
    let hashes = behind.len() - behind.trim_start_matches('#').len();
    behind[hashes..].starts_with('"').then_some(hashes)
}

fn text_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of a character literal; a lifetime's quote is a separate token.
fn char_length(text: &str) -> usize {
    let inside = &text[1..];
    if inside.starts_with('\\') {
        return inside[2..].find('\'').map_or(1, |end| end + 4);
    }
    let first = inside.chars().next().map_or(0, char::len_utf8);
    if inside[first..].starts_with('\'') { first + 2 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cycles(files: &[(&str, &str)]) -> Vec<String> {
        let module = |name: &str| {
            let parts = name.split("::").filter(|part| !part.is_empty());
            parts.map(str::to_owned).collect::<Module>()
        };
        let texts = files.iter().map(|(name, text)| (module(name), (*text).to_owned())).collect();
        found_cycles(&texts)
    }

    #[test]
    fn a_cycle_is_named() {
        let found = cycles(&[
            ("", "mod a; mod b; mod c; pub use c::D;"),
            ("a", "use crate::b::{x, y::{self, Z as W}};"),
            ("b", "fn f() { super::c::g::<'a', 'b'>('\\'', r#\"\"#) }"),
            ("c", "fn g() -> crate::a::X { \"use crate::nothing;\" } // crate::b"),
        ]);
        assert_eq!(found, ["a needs b; b needs c; c needs a"]);
    }

    #[test]
    fn parents_and_children_need_each_other_only_by_use() {
        assert!(
            cycles(&[("", "mod a;"), ("a", "mod b; pub struct A;"), ("a::b", "use super::A;")]).is_empty()
        );
        assert_eq!(
            cycles(&[("a", "mod b; fn f() { b::f() } pub struct A;"), ("a::b", "use super::*;")]),
            ["a needs a::b; a::b needs a"]
        );
    }

    #[test]
    fn what_is_passed_on_is_needed_from_where_it_is_made() {
        let root = ("", "mod a; mod b; pub use a::A;");
        assert!(cycles(&[root, ("a", "pub struct A;"), ("b", "use crate::A;")]).is_empty());
        assert_eq!(
            cycles(&[root, ("a", "use crate::b::B;"), ("b", "use crate::A;")]),
            ["a needs b; b needs a"]
        );
    }

    #[test]
    fn tests_within_a_file_do_not_count() {
        let a = "#[cfg(test)] mod tests { use crate::b::B; fn f() {} } mod inner { use super::super::c::C; }";
        assert_eq!(
            cycles(&[("", "use a::A;"), ("a", a), ("b", "use crate::a::A;"), ("c", "use crate::a::A;")]),
            ["a needs c; c needs a"]
        );
    }
}
