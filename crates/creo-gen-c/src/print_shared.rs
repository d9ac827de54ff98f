//! Shared by the printers of several files.

use crate::literals;
use creo_codegen::{About, Writer};

pub fn header_name(stem: &str) -> String {
    format!("{stem}.creo.h")
}

pub fn guard(stem: &str) -> String {
    format!("CREO_GENERATED_{}_H", stem.to_ascii_uppercase())
}

pub fn text_header_name(stem: &str) -> String {
    format!("{stem}.text.h")
}

pub fn comment(w: &mut Writer, about: &About) {
    w.lines(literals::comment(about.doc.as_deref(), about.deprecated.as_deref()));
}

/// A function: its head on one line, its body between braces on separate lines.
pub fn function(w: &mut Writer, head: impl AsRef<str>, body: impl FnOnce(&mut Writer)) {
    w.line(head);
    w.block("{", "}", body);
    w.blank();
}

/// `if (!try) return where;`
pub fn check(w: &mut Writer, attempt: &str, otherwise: &str) {
    w.block(format!("if (!{attempt})"), "", |w| w.line(format!("return {otherwise};")));
}
