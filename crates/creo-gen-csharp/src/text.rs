//! Comments and attributes.

use crate::context::Context;
use crate::literals;
use creo_codegen::{Writer, wrap_doc};

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

/// Writes a documentation element: on one line if its text is one.
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

/// Writes the summary, if there is a text.
pub fn summary(w: &mut Writer, doc: Option<&str>) {
    if let Some(doc) = doc {
        element(w, "summary", "summary", doc);
    }
}

/// The attribute for something deprecated.
pub fn obsolete(w: &mut Writer, cx: &Context, deprecated: Option<&str>) {
    match deprecated {
        None => {}
        Some("") => w.line(format!("[{}]", cx.platform("Obsolete"))),
        Some(text) => w.line(format!("[{}({})]", cx.platform("Obsolete"), literals::string(text))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn docs_cannot_leave_their_comment() {
        let mut w = Writer::new("    ");
        summary(&mut w, Some("</summary> & \u{2028}evil();\n\n/// x"));
        assert_eq!(
            w.finish(),
            "/// <summary>\n/// &lt;/summary&gt; &amp; \u{fffd}evil();\n///\n/// /// x\n/// </summary>\n"
        );
    }
}
