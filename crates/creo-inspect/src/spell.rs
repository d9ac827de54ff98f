//! Types as people read them, and texts that are safe to show.

use creo_model::{Model, Type, TypeId};

/// A type as its description writes it; a declared type by its simple name, or by its full name if several packages have the simple one.
pub fn spell(model: &Model, ty: &Type) -> String {
    match ty {
        Type::Primitive(primitive) => primitive.keyword().to_owned(),
        Type::Bytes => "byte[]".to_owned(),
        Type::Array(item) => format!("{}[]", spell(model, item)),
        Type::Optional(item) => format!("{}?", spell(model, item)),
        Type::Map(key, value) => format!("Map<{}, {}>", spell(model, key), spell(model, value)),
        Type::Named(id) => declared_name(model, *id),
    }
}

/// The simple name of a declared type, or its full name where the simple one is not enough.
fn declared_name(model: &Model, id: TypeId) -> String {
    let name = &model.ty(id).name;
    let alone = model.types.iter().filter(|decl| decl.name == *name).count() == 1;
    if alone { name.clone() } else { model.full_name(id) }
}

/// Writes control characters, and characters that change the direction of text, as `\uXXXX`, so that a hostile text can neither drive a terminal nor look
/// like what it is not. Line feeds stay: escape them before if they are not the caller's own. In JSON text the result is still the same JSON.
pub fn escape_controls(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c != '\n' && is_unsafe(c) {
            let mut units = [0u16; 2];
            for unit in c.encode_utf16(&mut units) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(c);
        }
    }
    out
}

fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::escape_controls;

    #[test]
    fn nothing_that_drives_a_terminal_comes_through() {
        assert_eq!(
            escape_controls("a\u{1b}[31m\u{202e}b\u{85}\u{7f}é\u{e0001}\n"),
            "a\\u001b[31m\\u202eb\\u0085\\u007fé\\udb40\\udc01\n"
        );
    }
}
