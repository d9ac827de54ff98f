//! Digest authentication: shows a service that a password is known, without sending it (HTTP-48 to HTTP-51).

use crate::digest_challenge::{Challenge, Hash};
use crate::error::CallError;
use md5::Md5;
use rustls::crypto::ring;
use sha2::{Digest as _, Sha256};

/// A user and a password, and what the requests of one call have shown.
pub struct Attempt<'a> {
    user: &'a str,
    password: &'a str,
    /// What the last request answered, and how many have.
    shown: Option<(Challenge, String, u32)>,
    refused: bool,
}

impl<'a> Attempt<'a> {
    pub fn new(user: &'a str, password: &'a str) -> Attempt<'a> {
        Attempt { user, password, shown: None, refused: false }
    }

    /// The value of `Authorization` for another request after a 401 with this challenge. `None` if that answer is the call's (HTTP-51), as for
    /// a wrong password. `uri` is path and query. Fails if the system has no random numbers.
    pub fn answer(&mut self, challenge: Challenge, uri: &str) -> Result<Option<String>, CallError> {
        let next = match self.shown.take() {
            None => (challenge, fresh()?, 1),
            Some(_) if self.refused || !challenge.stale => return Ok(None),
            Some((old, cnonce, count)) => {
                self.refused = true;
                if old.nonce == challenge.nonce {
                    (challenge, cnonce, count + 1)
                } else {
                    (challenge, fresh()?, 1)
                }
            }
        };
        let value = self.value(&next, "POST", uri);
        self.shown = Some(next);
        Ok(Some(value))
    }

    /// HTTP-50
    fn value(
        &self,
        (challenge, cnonce, count): &(Challenge, String, u32),
        method: &str,
        uri: &str,
    ) -> String {
        let hash = |parts: &[&str]| hashed(challenge.hash, &parts.join(":"));
        let mut secret = hash(&[self.user, &challenge.realm, self.password]);
        if challenge.session {
            secret = hash(&[&secret, &challenge.nonce, cnonce]);
        }
        let nc = format!("{count:08x}");
        let asked = hash(&[method, uri]);
        let response = if challenge.qop {
            hash(&[&secret, &challenge.nonce, &nc, cnonce, "auth", &asked])
        } else {
            hash(&[&secret, &challenge.nonce, &asked])
        };
        let user = if challenge.userhash {
            format!("username={}", quoted(&hash(&[self.user, &challenge.realm])))
        } else if self.user.is_ascii() {
            format!("username={}", quoted(self.user))
        } else {
            format!("username*=UTF-8''{}", extended(self.user))
        };
        let (realm, nonce) = (quoted(&challenge.realm), quoted(&challenge.nonce));
        let mut value = format!(
            "Digest {user}, realm={realm}, nonce={nonce}, uri={}, response=\"{response}\"",
            quoted(uri)
        );
        if let Some(algorithm) = &challenge.algorithm {
            value.push_str(&format!(", algorithm={algorithm}"));
        }
        if let Some(opaque) = &challenge.opaque {
            value.push_str(&format!(", opaque={}", quoted(opaque)));
        }
        if challenge.qop {
            value.push_str(&format!(", qop=auth, nc={nc}, cnonce=\"{cnonce}\""));
        }
        if challenge.userhash {
            value.push_str(", userhash=true");
        }
        value
    }
}

/// 128 random bits in hexadecimal.
fn fresh() -> Result<String, CallError> {
    let mut bits = [0; 16];
    let filled = ring::default_provider().secure_random.fill(&mut bits);
    filled.map_err(|_| CallError::new("invalid-value", "the system has no random numbers"))?;
    Ok(hexadecimal(&bits))
}

fn hashed(hash: Hash, text: &str) -> String {
    match hash {
        Hash::Md5 => hexadecimal(&Md5::digest(text)),
        Hash::Sha256 => hexadecimal(&Sha256::digest(text)),
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The characters of RFC 8187, and `%C3` for other bytes.
fn extended(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"!#$&+-.^_`|~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest_challenge::challenge_of;

    fn of(field: &str) -> Challenge {
        challenge_of([field].into_iter()).expect("it can be used").expect("it is Digest")
    }

    /// RFC 7616, section 3.9.1, and `digest-rfc2069` of `conformance/`.
    #[test]
    fn values() {
        let attempt = Attempt::new("Mufasa", "Circle of Life");
        let cnonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ";
        let more = "qop=\"auth, auth-int\", nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\", opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\"";
        for (algorithm, response) in [
            ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
            ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        ] {
            let challenge =
                of(&format!("Digest realm=\"http-auth@example.org\", algorithm={algorithm}, {more}"));
            let value = attempt.value(&(challenge, cnonce.to_owned(), 1), "GET", "/dir/index.html");
            assert_eq!(
                value,
                format!(
                    "Digest username=\"Mufasa\", realm=\"http-auth@example.org\", nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\", uri=\"/dir/index.html\", response=\"{response}\", algorithm={algorithm}, opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\", qop=auth, nc=00000001, cnonce=\"{cnonce}\""
                )
            );
        }
        let old = (of("Digest realm=\"lab\", nonce=\"a\""), String::new(), 1);
        assert_eq!(
            Attempt::new("me", "hunter2").value(&old, "POST", "/Echo/add"),
            "Digest username=\"me\", realm=\"lab\", nonce=\"a\", uri=\"/Echo/add\", response=\"78e4064d7ab019399f65c2fc3049d54a\""
        );
    }

    #[test]
    fn users() {
        let at =
            |user, field: &str| Attempt::new(user, "p").value(&(of(field), "c".to_owned(), 1), "POST", "/");
        let challenge = "Digest realm=\"a\\\"b\", nonce=\"n\", algorithm=sha-256, qop=auth";
        assert!(at("a\\b", challenge).starts_with("Digest username=\"a\\\\b\", realm=\"a\\\"b\", "));
        assert!(at("mé %", challenge).starts_with("Digest username*=UTF-8''m%C3%A9%20%25, "));
        let hashed = at("me", &format!("{challenge}, userhash=TRUE"));
        let due = hexadecimal(&Sha256::digest("me:a\"b"));
        assert!(hashed.starts_with(&format!("Digest username=\"{due}\", ")), "{hashed}");
        assert!(hashed.ends_with(", algorithm=sha-256, qop=auth, nc=00000001, cnonce=\"c\", userhash=true"));
    }

    /// HTTP-51
    #[test]
    fn at_most_two_more_requests() {
        let mut attempt = Attempt::new("me", "p");
        let mut said = |field: &str| attempt.answer(of(field), "/").expect("random numbers");
        let challenge = "Digest realm=\"lab\", nonce=\"a\", algorithm=SHA-256-sess, qop=\"auth\"";
        let first = said(challenge).expect("it is asked");
        assert!(first.contains(", algorithm=SHA-256-sess, qop=auth, nc=00000001, cnonce=\""), "{first}");
        let second = said(&format!("{challenge}, stale=true")).expect("the nonce is too old");
        assert!(second.contains("nc=00000002"), "{second}");
        assert_eq!(said(&format!("{challenge}, stale=true")), None);
        let mut attempt = Attempt::new("me", "p");
        let mut said = |field: &str| attempt.answer(of(field), "/").expect("random numbers");
        assert!(said(challenge).is_some());
        assert_eq!(said("Digest realm=\"lab\", nonce=\"b\", algorithm=SHA-256, qop=\"auth\""), None);
    }
}
