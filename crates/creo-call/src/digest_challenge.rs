//! Reads the challenges of a 401, and chooses one of digest authentication (HTTP-49).

/// The max bytes of all challenges, and of a realm, a nonce and an opaque.
const MAX_LIST: usize = 8_192;
const MAX_PARAMETER: usize = 1_024;
const MALFORMED: &str = "its challenges are malformed";

/// Challenges that cannot be used, and why.
type Result<T> = std::result::Result<T, String>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hash {
    Md5,
    Sha256,
}

/// A challenge that can be answered.
#[derive(Debug)]
pub struct Challenge {
    pub realm: String,
    pub nonce: String,
    pub opaque: Option<String>,
    /// As it came.
    pub algorithm: Option<String>,
    pub hash: Hash,
    /// The algorithm ends in `-sess`.
    pub session: bool,
    /// `qop=auth` is offered; without it, answers are those of RFC 2069.
    pub qop: bool,
    pub userhash: bool,
    /// The refused credentials are good, and their nonce is too old.
    pub stale: bool,
}

/// The strongest challenge of the fields `WWW-Authenticate`; `None` if none is of this scheme.
pub fn challenge_of<'v>(fields: impl Iterator<Item = &'v str>) -> Result<Option<Challenge>> {
    let text = fields.collect::<Vec<_>>().join(", ");
    if !text.to_ascii_lowercase().contains("digest") {
        return Ok(None);
    }
    if text.len() > MAX_LIST {
        return Err("its challenges have more than 8,192 bytes".to_owned());
    }
    let offered = Scan { rest: &text }.digests().ok_or(MALFORMED)?;
    let (mut best, mut why) = (None::<Challenge>, None);
    for parameters in offered {
        match challenge(&parameters) {
            Ok(next)
                if best.as_ref().is_none_or(|best| next.hash == Hash::Sha256 && best.hash == Hash::Md5) =>
            {
                best = Some(next);
            }
            Ok(_) => {}
            Err(problem) => why = why.or(Some(problem)),
        }
    }
    match (best, why) {
        (None, Some(why)) => Err(why),
        (best, _) => Ok(best),
    }
}

type Parameters = Vec<(String, String)>;

fn challenge(parameters: &Parameters) -> Result<Challenge> {
    let twice = parameters
        .iter()
        .enumerate()
        .any(|(i, (name, _))| parameters[..i].iter().any(|(other, _)| other.eq_ignore_ascii_case(name)));
    if twice {
        return Err("its challenge has a parameter twice".to_owned());
    }
    let value = |wanted: &str| {
        parameters.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted)).map(|(_, value)| value.as_str())
    };
    let is_true = |name: &str| value(name).is_some_and(|text| text.eq_ignore_ascii_case("true"));
    for name in ["realm", "nonce", "opaque"] {
        let text = value(name).unwrap_or_default();
        if text.len() > MAX_PARAMETER || text.chars().any(|c| c.is_ascii_control()) {
            return Err(format!(
                "the {name} of its challenge has more than 1,024 bytes, or control characters"
            ));
        }
    }
    let (Some(realm), Some(nonce)) = (value("realm"), value("nonce").filter(|nonce| !nonce.is_empty()))
    else {
        return Err("its challenge has no realm or no nonce".to_owned());
    };
    let opaque = value("opaque");
    if !nonce.is_ascii() || !opaque.unwrap_or_default().is_ascii() {
        return Err("its challenge has a nonce or an opaque that is not ASCII".to_owned());
    }
    let algorithm = value("algorithm");
    let kind = algorithm.unwrap_or("MD5").to_ascii_lowercase();
    let (kind, session) = kind.strip_suffix("-sess").map_or((kind.as_str(), false), |kind| (kind, true));
    let hash = match kind {
        "md5" => Hash::Md5,
        "sha-256" => Hash::Sha256,
        _ => return Err("it offers no algorithm of MD5, MD5-sess, SHA-256 and SHA-256-sess".to_owned()),
    };
    let qop = value("qop");
    if qop.is_some_and(|list| {
        !list.split(',').any(|one| one.trim_matches([' ', '\t']).eq_ignore_ascii_case("auth"))
    }) {
        return Err("it does not offer qop=auth, the only one that clients know".to_owned());
    }
    if session && qop.is_none() {
        return Err("an algorithm with -sess needs a qop".to_owned());
    }
    // A field has this character in place of bytes that are not UTF-8.
    if realm.contains('\u{fffd}') {
        return Err("the realm of its challenge is not UTF-8".to_owned());
    }
    Ok(Challenge {
        realm: realm.to_owned(),
        nonce: nonce.to_owned(),
        opaque: opaque.map(str::to_owned),
        algorithm: algorithm.map(str::to_owned),
        hash,
        session,
        qop: qop.is_some(),
        userhash: is_true("userhash"),
        stale: is_true("stale"),
    })
}

/// The rest of a list of challenges (RFC 9110, section 11.6.1). A method returns nothing if the list breaks the rules.
struct Scan<'t> {
    rest: &'t str,
}

impl<'t> Scan<'t> {
    /// The parameters of each challenge of the scheme Digest.
    fn digests(mut self) -> Option<Vec<Parameters>> {
        let mut found: Vec<Parameters> = Vec::new();
        // The scheme of the current challenge is Digest; nothing before the first.
        let mut current = None;
        loop {
            self.rest = self.rest.trim_start_matches([' ', '\t', ',']);
            if self.rest.is_empty() {
                return Some(found);
            }
            let name = self.token()?;
            let spaced = self.space();
            match current {
                Some(digest) if self.rest.starts_with('=') => {
                    let value = self.value()?;
                    if digest {
                        found.last_mut()?.push((name.to_owned(), value));
                    }
                }
                _ => {
                    let digest = name.eq_ignore_ascii_case("digest");
                    current = Some(digest);
                    if digest {
                        found.push(Vec::new());
                    }
                    if spaced && !self.ends() && !self.token68() {
                        let name = self.token()?;
                        self.space();
                        let value = self.value()?;
                        if digest {
                            found.last_mut()?.push((name.to_owned(), value));
                        }
                    }
                }
            }
            self.space();
            if !self.ends() {
                return None;
            }
        }
    }

    /// Whether an item of the list ends here.
    fn ends(&self) -> bool {
        self.rest.is_empty() || self.rest.starts_with(',')
    }

    /// Skips white space; whether there was any.
    fn space(&mut self) -> bool {
        let rest = self.rest.trim_start_matches([' ', '\t']);
        let some = rest.len() < self.rest.len();
        self.rest = rest;
        some
    }

    fn token(&mut self) -> Option<&'t str> {
        let is_letter = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
        let end = self.rest.find(|c| !is_letter(c)).unwrap_or(self.rest.len());
        let (token, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!token.is_empty()).then_some(token)
    }

    /// An equals sign, and a token or a quoted string.
    fn value(&mut self) -> Option<String> {
        self.rest = self.rest.strip_prefix('=')?;
        self.space();
        let Some(quoted) = self.rest.strip_prefix('"') else { return self.token().map(str::to_owned) };
        let mut value = String::new();
        let mut letters = quoted.char_indices();
        loop {
            match letters.next()? {
                (at, '"') => {
                    self.rest = &quoted[at + 1..];
                    return Some(value);
                }
                (_, '\\') => value.push(letters.next()?.1),
                (_, letter) => value.push(letter),
            }
        }
    }

    /// Skips the one word of a challenge without parameters, as Negotiate has it; whether it is one.
    fn token68(&mut self) -> bool {
        let is_letter = |c: char| c.is_ascii_alphanumeric() || "-._~+/".contains(c);
        let word = self.rest.trim_start_matches(is_letter);
        let after = word.trim_start_matches('=').trim_start_matches([' ', '\t']);
        let fits = word.len() < self.rest.len() && (after.is_empty() || after.starts_with(','));
        if fits {
            self.rest = after;
        }
        fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(field: &str, why: &str) {
        let said = challenge_of([field].into_iter()).expect_err("it cannot be used");
        assert!(said.contains(why), "{said}");
    }

    #[test]
    fn the_strongest_of_several() {
        let fields = [
            "Basic realm=\"b, Digest\", Digest realm=\"x\", nonce=\"m\", qop=\"auth\"",
            "Negotiate abc==, , Digest realm = \"l\\ab\", nonce=s,algorithm=SHA-256, qop=\"auth-int, AUTH\", opaque=\"o,\\\"\"",
            "Digest realm=\"later\", nonce=\"n\", algorithm=SHA-256-sess, qop=auth",
        ];
        let found = challenge_of(fields.into_iter()).expect("it can be used").expect("it is Digest");
        assert_eq!((found.realm.as_str(), found.nonce.as_str()), ("lab", "s"));
        assert_eq!((found.opaque.as_deref(), found.hash, found.qop), (Some("o,\""), Hash::Sha256, true));
        assert!(!found.session && !found.stale && !found.userhash);
    }

    #[test]
    fn other_schemes_alone() {
        for field in ["", "Basic realm=\"x\"", "Basic realm=\"Digest\"", "Basic realm=\"open", "Negotiate"] {
            assert!(challenge_of([field].into_iter()).expect("none is Digest").is_none(), "{field}");
        }
    }

    #[test]
    fn challenges_that_cannot_be_used() {
        let long = "x".repeat(MAX_PARAMETER + 1);
        for (parameters, why) in [
            ("realm=\"r\", qop=auth", "no nonce"),
            ("nonce=\"n\", qop=auth", "no realm"),
            ("realm=\"r\", nonce=\"\"", "no nonce"),
            ("realm=\"r\", nonce=\"n\", NONCE=\"n\"", "twice"),
            ("realm=\"r\", nonce=\"a\tb\"", "the nonce of its challenge has"),
            (&format!("realm=\"r\", nonce=\"n\", opaque=\"{long}\""), "the opaque of its challenge has"),
            (&format!("realm=\"{long}\", nonce=\"n\""), "the realm of its challenge has"),
            ("realm=\"r\", nonce=\"é\"", "not ASCII"),
            ("realm=\"\u{fffd}\", nonce=\"n\"", "not UTF-8"),
            ("realm=\"r\", nonce=\"n\", algorithm=SHA-512-256", "algorithm"),
            ("realm=\"r\", nonce=\"n\", qop=\"auth-int\"", "qop=auth"),
            ("realm=\"r\", nonce=\"n\", algorithm=MD5-sess", "-sess"),
            ("realm=\"r\", nonce=\"n", "malformed"),
            ("realm=\"r\" nonce=\"n\"", "malformed"),
            ("realm=\"r\", nonce", "no nonce"),
            ("realm=\"r\", nonce=", "malformed"),
            (&",".repeat(MAX_LIST), "8,192 bytes"),
        ] {
            refused(&format!("Digest {parameters}"), why);
        }
    }
}
