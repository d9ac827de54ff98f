//! Addresses of JMS, and their properties in a WSDL (`spec/transports/jms.md`, sections 1 and 7).

/// The transport of a binding, and the namespace of its properties.
pub const JMS: &str = "http://www.w3.org/2010/soapjms/";
/// The same in a draft of the recommendation.
pub const DRAFT: &str = "http://www.w3.org/2008/07/soap/bindings/JMS/";

/// The maximum length of an address in characters.
const MAX_ADDRESS: usize = 4_096;
/// The maximum number of digits of a number.
const MAX_DIGITS: usize = 15;

/// Whether elements of a namespace are properties of JMS.
pub fn is_namespace(namespace: &str) -> bool {
    matches!(namespace, JMS | DRAFT)
}

/// Whether an address is meant for JMS, valid or not.
pub fn is_address(text: &str) -> bool {
    text.get(..4).is_some_and(|scheme| scheme.eq_ignore_ascii_case("jms:"))
}

/// Splits an address into what is before `?`, and its parameters.
pub fn split(address: &str) -> (&str, Vec<&str>) {
    match address.split_once('?') {
        Some((path, query)) if !query.is_empty() => (path, query.split('&').collect()),
        Some((path, _)) => (path, Vec::new()),
        None => (address, Vec::new()),
    }
}

/// The name of a parameter.
pub fn key(parameter: &str) -> Option<String> {
    decoded(parameter.split_once('=')?.0).filter(|key| !key.is_empty())
}

/// Whether an address is of a kind that clients use. Others look up names by JNDI.
pub fn is_direct(path: &str) -> bool {
    path.split(':')
        .nth(1)
        .is_some_and(|variant| variant.eq_ignore_ascii_case("queue") || variant.eq_ignore_ascii_case("topic"))
}

/// Whether a parameter or property is for JNDI.
pub fn is_jndi(key: &str) -> bool {
    key.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("jndi"))
}

/// Why an address is not one of JMS-1.
pub fn problem(address: &str) -> Option<String> {
    const FORM: &str = "it has not the form jms:queue:NAME";
    if !is_address(address) {
        return Some(FORM.to_owned());
    }
    if address.chars().count() > MAX_ADDRESS {
        return Some(format!("it has more than {MAX_ADDRESS} characters"));
    }
    if address.chars().any(|c| c.is_ascii_whitespace() || c.is_control() || c == '#') {
        return Some("white space, control characters and # are written as %XX".to_owned());
    }
    let (path, parameters) = split(address);
    let name = path.splitn(3, ':').nth(2).filter(|name| !name.is_empty());
    let Some(name) = name else { return Some(FORM.to_owned()) };
    if !is_direct(path) {
        return Some("names are not looked up: after jms: is queue or topic".to_owned());
    }
    if decoded(name).is_none() || parameters.iter().any(|parameter| decoded(parameter).is_none()) {
        return Some("%XX stands for a byte of UTF-8".to_owned());
    }
    let mut seen = std::collections::BTreeSet::new();
    for parameter in parameters {
        let Some(key) = key(parameter) else { return Some("a parameter is NAME=VALUE".to_owned()) };
        if is_jndi(&key) {
            return Some("names are not looked up by JNDI: the broker is configured apart".to_owned());
        }
        let value = parameter.split_once('=').and_then(|(_, value)| decoded(value)).unwrap_or_default();
        if let Some(problem) = value_problem(&key, &value) {
            return Some(problem);
        }
        if !seen.insert(key) {
            return Some("a parameter is there twice".to_owned());
        }
    }
    None
}

/// Why a value cannot be that of a parameter.
pub fn value_problem(key: &str, value: &str) -> Option<String> {
    let number = !value.is_empty() && value.len() <= MAX_DIGITS && value.bytes().all(|b| b.is_ascii_digit());
    match key {
        "deliveryMode" if !matches!(value, "PERSISTENT" | "NON_PERSISTENT") => {
            Some("deliveryMode is PERSISTENT or NON_PERSISTENT".to_owned())
        }
        "timeToLive" if !number => Some("timeToLive is a number of milliseconds".to_owned()),
        "priority" if !number || value.trim_start_matches('0').len() > 1 => {
            Some("priority is a number from 0 to 9".to_owned())
        }
        "replyToName" | "targetService" if value.is_empty() => Some(format!("{key} is a name")),
        _ => None,
    }
}

/// A text with `%XX` for everything that could mean something in a URI.
pub fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b'-' | b'.' | b'_' | b'~' | b'/' | b':' => out.push(byte.into()),
            _ if byte.is_ascii_alphanumeric() => out.push(byte.into()),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        if *first != b'%' {
            bytes.push(*first);
            rest = after;
            continue;
        }
        let digit = |at: usize| after.get(at).and_then(|b| char::from(*b).to_digit(16));
        bytes.push((digit(0)? * 16 + digit(1)?) as u8);
        rest = &after[2..];
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_checked() {
        for right in [
            "jms:queue:data",
            "JMS:Topic:a%20b%C3%BC:c",
            "jms:queue:a?",
            "jms:queue:a?deliveryMode=NON_PERSISTENT&timeToLive=0&priority=9&replyToName=b&targetService=o.P&x=",
        ] {
            assert_eq!(problem(right), None, "{right}");
        }
        for (wrong, told) in [
            ("http://localhost/", "form"),
            ("jms", "form"),
            ("jms:", "form"),
            ("jms:queue", "form"),
            ("jms:queue:", "form"),
            ("jms:queue:?priority=1", "form"),
            ("jms:jndi:data", "looked up"),
            ("jms:/queue?destination=a", "form"),
            ("jms:queue:a b", "%XX"),
            ("jms:queue:a\u{7}", "%XX"),
            ("jms:queue:a#b", "%XX"),
            ("jms:queue:%", "UTF-8"),
            ("jms:queue:%ff", "UTF-8"),
            ("jms:queue:%+1", "UTF-8"),
            ("jms:queue:a?priority=10", "0 to 9"),
            ("jms:queue:a?priority=", "0 to 9"),
            ("jms:queue:a?priority=-1", "0 to 9"),
            ("jms:queue:a?priority=1&priority=1", "twice"),
            ("jms:queue:a?priority=1&%70riority=2", "twice"),
            ("jms:queue:a?deliveryMode=persistent", "deliveryMode"),
            ("jms:queue:a?timeToLive=1e3", "milliseconds"),
            ("jms:queue:a?timeToLive=1234567890123456", "milliseconds"),
            ("jms:queue:a?replyToName=", "a name"),
            ("jms:queue:a?x", "NAME=VALUE"),
            ("jms:queue:a?=x", "NAME=VALUE"),
            ("jms:queue:a?&", "NAME=VALUE"),
            ("jms:queue:a?JNDIurl=x", "JNDI"),
        ] {
            let found = problem(wrong).unwrap_or_default();
            assert!(found.contains(told), "{wrong}: {found}");
        }
        assert!(problem(&format!("jms:queue:{}", "x".repeat(5_000))).is_some());
        assert!(!is_address("jmé:queue") && !is_address("j"));
    }

    #[test]
    fn values_become_parts_of_a_uri() {
        assert_eq!(encoded("a/b:c-d &ü?%"), "a/b:c-d%20%26%C3%BC%3F%25");
        assert_eq!(decoded(&encoded("a &ü?%")).as_deref(), Some("a &ü?%"));
    }
}
