//! Decodes the bytes of an XML file: UTF-8, UTF-16, or an encoding of the web that the XML declaration names.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// The number of bytes searched for an XML declaration.
const DECLARATION: usize = 256;

/// The text without a byte order mark, or an error.
pub fn decode(bytes: &[u8]) -> Result<String, String> {
    let (encoding, skip) = match Encoding::for_bom(bytes) {
        Some(found) => found,
        None => (guess(bytes)?, 0),
    };
    let text = encoding.decode_without_bom_handling_and_without_replacement(&bytes[skip..]);
    text.map(|text| text.into_owned()).ok_or_else(|| format!("the file is not {}", encoding.name()))
}

/// The encoding by its first bytes: the declared one, UTF-16 if `<?` has zero bytes, or UTF-8.
fn guess(bytes: &[u8]) -> Result<&'static Encoding, String> {
    match bytes {
        [b'<', 0, ..] => return Ok(UTF_16LE),
        [0, b'<', ..] => return Ok(UTF_16BE),
        _ => {}
    }
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(DECLARATION)]);
    let Some(declaration) = head
        .trim_start()
        .strip_prefix("<?xml")
        .and_then(|rest| rest.split_once("?>"))
        .map(|(declaration, _)| declaration)
    else {
        return Ok(UTF_8);
    };
    let Some((_, rest)) = declaration.split_once("encoding") else { return Ok(UTF_8) };
    let rest = rest.trim_start().strip_prefix('=').unwrap_or_default().trim_start();
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''));
    let Some((label, _)) = quote.and_then(|quote| rest[1..].split_once(quote)) else {
        return Err("the encoding of the XML declaration cannot be read".to_owned());
    };
    match Encoding::for_label(label.as_bytes()) {
        // The declaration was read byte by byte, so the file is not UTF-16: the label describes an earlier form.
        Some(encoding) if encoding == UTF_16LE || encoding == UTF_16BE => Ok(UTF_8),
        Some(encoding) => Ok(encoding),
        None => Err(format!("the encoding {label:?} is not known")),
    }
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn encodings_of_the_web_are_read() {
        assert_eq!(decode(b"<a/>").as_deref(), Ok("<a/>"));
        assert_eq!(decode(b"\xef\xbb\xbf<a/>").as_deref(), Ok("<a/>"));
        assert_eq!(decode(b"\xff\xfe<\0a\0/\0>\0").as_deref(), Ok("<a/>"));
        assert_eq!(decode(b"\0<\0a\0/\0>").as_deref(), Ok("<a/>"));
        assert_eq!(
            decode(b"<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe9</a>").as_deref(),
            Ok("<?xml version='1.0' encoding='ISO-8859-1'?><a>é</a>")
        );
        assert!(
            decode(b"\r\n<?xml version='1.0' encoding='ISO-8859-1'?>\xe9")
                .is_ok_and(|text| text.ends_with('é'))
        );
        assert!(
            decode(b"<?xml version='1.0' encoding=\"windows-1251\"?>\xc0")
                .is_ok_and(|text| text.ends_with('А'))
        );
        assert_eq!(
            decode(b"<?xml version='1.0' encoding='utf-16'?><a/>").as_deref(),
            Ok("<?xml version='1.0' encoding='utf-16'?><a/>")
        );
    }

    #[test]
    fn wrong_bytes_are_told() {
        assert!(decode(b"<a>\xff</a>").is_err());
        assert!(decode(b"<?xml version='1.0' encoding='martian'?><a/>").is_err());
        assert!(decode(b"<?xml version='1.0' encoding?><a/>").is_err());
        assert_eq!(decode(b"").as_deref(), Ok(""));
    }
}
