//! A generated file: its scope, and the text around its class.

use crate::literals::{comment, doc};
use crate::names::{ClassName, Inside, Scope, Taken};
use creo_codegen::{About, Files, Sides, Wires, Writer};

/// Shared by all files of a run.
pub struct Output<'a> {
    pub header: String,
    pub taken: &'a Taken,
    pub wires: Wires,
    pub sides: Sides,
}

impl Output<'_> {
    /// Adds the file of a class: `body` writes it and uses the scope.
    pub fn file(
        &self,
        files: &mut Files,
        class: &ClassName,
        inside: Inside,
        body: impl Fn(&mut Writer, &Scope),
    ) {
        let mut scope = Scope::new(&class.package, self.taken, inside);
        let mut text = Writer::new("    ");
        body(&mut text, &scope);
        if scope.casts() {
            // It is now known at the top of the file, which tells the compiler.
            scope = scope.with_casts();
            text = Writer::new("    ");
            body(&mut text, &scope);
        }
        let mut w = Writer::new("    ");
        w.line(format!("// {}", self.header));
        w.line(format!("package {};", class.package));
        w.blank();
        let imports = scope.imports();
        if !imports.is_empty() {
            imports.iter().for_each(|import| w.line(format!("import {import};")));
            w.blank();
        }
        let path = format!("{}/{}.java", class.package.replace('.', "/"), class.name);
        files.add(path, w.finish() + &text.finish());
    }
}

/// Writes the comment and the annotations of a declaration. `tags` are further tags of the comment.
pub fn about(w: &mut Writer, scope: &Scope, about: &About, or: &str, mut tags: Vec<(String, Vec<String>)>) {
    let text = about
        .doc
        .as_deref()
        .map_or_else(|| if or.is_empty() { Vec::new() } else { vec![or.to_owned()] }, doc);
    if let Some(why) = about.deprecated.as_deref().filter(|why| !why.is_empty()) {
        tags.push(("@deprecated".to_owned(), doc(why)));
    }
    if !text.is_empty() || !tags.is_empty() {
        w.lines(comment(&text, &tags));
    }
    if about.deprecated.is_some() {
        w.line(format!("@{}", scope.lang("Deprecated")));
    }
}

/// Writes the annotations above each class of a file: that it is generated. They also suppress warnings about deprecated parts of the same
/// description, and about casts that are needed to name a class.
pub fn generated(w: &mut Writer, scope: &Scope, uses_deprecated: bool) {
    w.line(format!("@{}(\"creo\")", scope.creo("Generated")));
    let warnings = match (uses_deprecated, scope.may_cast()) {
        (false, false) => return,
        (true, false) => "\"deprecation\"",
        (false, true) => "\"static\"",
        (true, true) => "{\"deprecation\", \"static\"}",
    };
    w.line(format!("@{}({warnings})", scope.lang("SuppressWarnings")));
}
