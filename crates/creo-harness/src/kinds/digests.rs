//! Checks digests of clients over HTTP (HTTP-50), of SHA-256 with `qop=auth`, by RFC 7616 and without a runtime.

use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// Checks the field `Authorization` of a request.
///
/// `due` is `USER:PASSWORD` and, after a space each, parameters with their values as they are written.
pub(super) fn check(head: &str, due: &str) -> Result<(), String> {
    let target = head.split(' ').nth(1).unwrap_or_default();
    let mut fields = head.lines().skip(1).filter_map(|field| field.split_once(": "));
    let (_, value) = fields
        .find(|(name, _)| name.eq_ignore_ascii_case("authorization"))
        .ok_or_else(|| format!("a digest is due in {head:?}"))?;
    let parameters =
        parameters(value.strip_prefix("Digest ").ok_or_else(|| format!("no digest: {value:?}"))?)?;
    let of = |name: &str| parameters.get(name).map_or("", String::as_str);
    let mut words = due.split(' ');
    let (user, password) =
        words.next().and_then(|both| both.split_once(':')).ok_or("no user and password")?;
    for word in words {
        let (name, text) = word.split_once('=').ok_or("a parameter has no value")?;
        if of(name) != text {
            return Err(format!("{word} is due in {value:?}"));
        }
    }
    if of("uri") != target || of("algorithm") != "SHA-256" || of("qop") != "auth" {
        return Err(format!("uri, algorithm or qop of {value:?}"));
    }
    let name = format!("{user}:{}", of("realm"));
    if parameters.get("userhash").is_some_and(|text| text == "true") {
        if of("username") != hash(&name) {
            return Err(format!("the hash of the user in {value:?}"));
        }
    } else if !parameters.contains_key("username*") && of("username") != user {
        return Err(format!("the user in {value:?}"));
    }
    let parts = [of("nonce"), of("nc"), of("cnonce"), "auth"]
        .iter()
        .fold(hash(&format!("{name}:{password}")), |text, part| text + ":" + part);
    let response = hash(&format!("{parts}:{}", hash(&format!("POST:{target}"))));
    if of("response") == response { Ok(()) } else { Err(format!("response={response} is due in {value:?}")) }
}

fn hash(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The parameters of a value, whose quoted strings have lost their quotes and backslashes.
fn parameters(value: &str) -> Result<BTreeMap<String, String>, String> {
    let mut found = BTreeMap::new();
    let mut rest = value;
    while !rest.is_empty() {
        let (name, after) =
            rest.split_once('=').ok_or_else(|| format!("a parameter without a value: {value:?}"))?;
        let mut text = String::new();
        let mut left = after.chars();
        if after.starts_with('"') {
            left.next();
            loop {
                match left.next() {
                    Some('"') => break,
                    Some('\\') => text.extend(left.next()),
                    Some(c) => text.push(c),
                    None => return Err(format!("a quoted string without an end: {value:?}")),
                }
            }
        } else {
            text.extend(left.by_ref().take_while(|c| *c != ','));
            // The comma is taken.
            left = after[text.len()..].chars();
        }
        if found.insert(name.to_owned(), text).is_some() {
            return Err(format!("{name} occurs twice: {value:?}"));
        }
        let left = left.as_str();
        rest = if left.is_empty() {
            ""
        } else {
            left.strip_prefix(", ").ok_or_else(|| format!("no comma: {value:?}"))?
        };
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The digest is by another program.
    #[test]
    fn a_digest_and_what_is_none() {
        let good = "POST /x HTTP/1.1\r\nAuthorization: Digest username=\"me\", realm=\"r \\\"x\\\"\", nonce=\"a, b\", uri=\"/x\", response=\"4867233408be907652aa5ae42d59598cbb0242f3375ea18a4a140ebca7b2bb44\", algorithm=SHA-256, qop=auth, nc=00000001, cnonce=\"c\"\r\n\r\n";
        check(good, "me:hunter2 nc=00000001 cnonce=c").expect("a good one");
        for (head, due) in [
            (good.to_owned(), "me:hunter3"),
            (good.to_owned(), "you:hunter2"),
            (good.to_owned(), "me:hunter2 nc=00000002"),
            (good.replace("/x HTTP", "/y HTTP"), "me:hunter2"),
            (good.replace("nonce=\"a", "nonce=\"A"), "me:hunter2"),
            (good.replace(", qop=auth", ""), "me:hunter2"),
            (good.replace(", qop=auth", ", qop=auth, qop=auth"), "me:hunter2"),
            (good.replace("Digest ", "Basic "), "me:hunter2"),
            (good.replace("cnonce=\"c\"", "cnonce=\"c"), "me:hunter2"),
            (good.replace("Authorization", "X"), "me:hunter2"),
        ] {
            assert!(check(&head, due).is_err(), "{head} {due}");
        }
    }
}
