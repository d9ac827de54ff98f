//! Shared by the printers of files: frame, comments, attributes, loops.

use crate::lang::Output;
use crate::literals;
use crate::names_scope::{Class, Scope};
use creo_codegen::{About, Writer, wrap_doc};

/// The frame of a file's classes.
pub struct Frame<'a> {
    pub output: &'a Output,
    pub namespace: &'a str,
    /// Whether classes of the file's own namespace are written in full, because nested types could hide them.
    pub nests: bool,
    pub touches_deprecated: bool,
}

/// The whole file: header, imports, namespace, body.
pub fn file(frame: &Frame, body: impl FnOnce(&mut Writer, &Scope)) -> String {
    let scope = Scope::new(&frame.output.taken, &frame.output.runtime, frame.namespace, frame.nests);
    let mut inner = Writer::new("    ");
    body(&mut inner, &scope);
    let mut w = Writer::new("    ");
    w.line(format!("// {}", frame.output.header));
    w.blank();
    let imports = scope.imports();
    w.lines(imports.iter().map(|namespace| format!("using {namespace};")));
    if !imports.is_empty() {
        w.blank();
    }
    w.line(format!("namespace {};", frame.namespace));
    w.blank();
    if frame.touches_deprecated {
        w.line("// What the description deprecates is still read and written: the warnings are for those who use it.");
        w.line("#pragma warning disable CS0612, CS0618");
        w.blank();
    }
    w.finish() + &inner.finish()
}

/// The file of a class without nested ones.
pub fn class_file(
    output: &Output,
    class: &Class,
    touches_deprecated: bool,
    body: impl FnOnce(&mut Writer, &Scope),
) -> String {
    file(&Frame { output, namespace: &class.namespace, nests: false, touches_deprecated }, body)
}

/// Writes a loop over `count` with the variable `i`.
pub fn repeat(w: &mut Writer, count: &str, i: &str, body: impl FnOnce(&mut Writer)) {
    w.line(format!("for (int {i} = 0; {i} < {count}; {i}++)"));
    w.block("{", "}", body);
}

/// Escapes a text for an XML documentation comment.
pub fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // Not characters of XML.
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Writes a documentation element, on one line if its text fits.
pub fn element(w: &mut Writer, open: &str, close: &str, text: &str) {
    let lines: Vec<String> = wrap_doc(text).iter().map(|line| xml(line)).collect();
    if let [line] = lines.as_slice() {
        w.line(format!("/// <{open}>{line}</{close}>"));
        return;
    }
    w.line(format!("/// <{open}>"));
    for line in &lines {
        w.line(format!("/// {line}").trim_end());
    }
    w.line(format!("/// </{close}>"));
}

/// Documentation and deprecation of a declaration.
pub fn about(w: &mut Writer, scope: &Scope, about: &About) {
    summary(w, about);
    obsolete(w, scope, about);
}

/// The summary, if there is a text.
pub fn summary(w: &mut Writer, about: &About) {
    if let Some(doc) = &about.doc {
        element(w, "summary", "summary", doc);
    }
}

/// The attribute for deprecation.
pub fn obsolete(w: &mut Writer, scope: &Scope, about: &About) {
    match about.deprecated.as_deref() {
        None => {}
        Some("") => w.line(format!("[{}]", scope.platform("Obsolete"))),
        Some(text) => w.line(format!("[{}({})]", scope.platform("Obsolete"), literals::string(text))),
    }
}

/// An object initializer with properties; empty if there are none.
pub fn initializer(properties: &[String]) -> String {
    if properties.is_empty() { String::new() } else { format!(" {{ {} }}", properties.join(", ")) }
}

/// The expressions for several fields of a value: a single value itself, or the items of a tuple.
pub fn parts(value: &str, count: usize) -> Vec<String> {
    match count {
        1 => vec![value.to_owned()],
        count => (1..=count).map(|i| format!("{value}.Item{i}")).collect(),
    }
}

/// A single value itself, or a tuple.
pub fn together<S: AsRef<str>>(values: &[S], none: &str) -> String {
    match values {
        [] => none.to_owned(),
        [one] => one.as_ref().to_owned(),
        several => format!("({})", several.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn docs_cannot_leave_their_comment() {
        let mut w = Writer::new("    ");
        let doc = Some("</summary> & \u{2028}evil();\n\n/// x".to_owned());
        summary(&mut w, &About { doc, ..About::default() });
        assert_eq!(
            w.finish(),
            "/// <summary>\n/// &lt;/summary&gt; &amp; \u{fffd}evil();\n///\n/// /// x\n/// </summary>\n"
        );
    }
}
