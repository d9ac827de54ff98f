//! One request over HTTP/1.1, and its response (`spec/transports/http.md`).

use crate::called::{Login, Options, Side, Trace};
use crate::digest::Attempt;
use crate::digest_challenge::challenge_of;
use crate::error::{CallError, shown};
use crate::hidden;
use crate::http_head::{Head, check_header, metadata_field};
use crate::http_read::{Feed, Incoming};
use crate::link::Link;
use crate::target::Target;
use base64::prelude::{BASE64_STANDARD, Engine as _};
use creo_json::parse_json;
use serde_json::Value;
use std::net::IpAddr;
use std::time::Instant;

/// The number of characters shown of an answer that is not a message of the wire (HTTP-22).
pub const MAX_SHOWN: usize = 300;
/// The longest time in a request, which also stands for none (HTTP-7).
const MAX_TIMEOUT: u32 = 999_999_999;

/// The longest user and password, in characters (HTTP-46).
const MAX_CREDENTIAL: usize = 1_024;

/// What is shown of a body.
pub type Shows = fn(&[u8]) -> Vec<u8>;

/// A request to post.
#[derive(Clone)]
pub struct Request<'a> {
    pub path: String,
    /// Fields besides the standard ones.
    pub fields: Vec<(String, String)>,
    /// The answer to a challenge of digest authentication.
    pub authorization: Option<String>,
    pub body: &'a [u8],
    /// Holds for the body of the answer, too.
    pub shows: Shows,
}

/// A response.
pub struct Response {
    pub head: Head,
    pub body: Vec<u8>,
}

/// The user and the password of a text with a colon between them (HTTP-46).
fn credentials(user: &str) -> Result<(&str, &str), CallError> {
    let (name, password) = user.split_once(':').unwrap_or((user, ""));
    let why = if name.chars().count().max(password.chars().count()) > MAX_CREDENTIAL {
        "a user or a password is longer than 1,024 characters"
    } else if user.chars().any(char::is_control) {
        "a user or a password has a control character"
    } else {
        return Ok((name, password));
    };
    Err(CallError::new("invalid-value", why))
}

/// Basic authentication (HTTP-46).
fn basic(user: &str, target: &Target) -> Result<String, CallError> {
    let local = target.host().eq_ignore_ascii_case("localhost")
        || target.host().parse().is_ok_and(|address: IpAddr| address.is_loopback());
    if !target.tls() && !local {
        let why = "a password goes to https:// or to this machine only: what is meant to be sent in clear is a header";
        return Err(CallError::new("invalid-value", why));
    }
    let (name, password) = credentials(user)?;
    Ok(format!("Basic {}", BASE64_STANDARD.encode(format!("{name}:{password}"))))
}

/// Posts a request, and reads the complete response.
pub fn post(
    target: &Target,
    request: &Request<'_>,
    options: &Options,
    trace: &mut dyn Trace,
) -> Result<Response, CallError> {
    let (mut incoming, head) = exchange(target, request, options, trace)?;
    respond(&mut incoming, head, request.shows, options, trace)
}

/// Posts a request, and reads the head of the response: of the last one, if digest authentication needs several (HTTP-51).
pub fn exchange(
    target: &Target,
    request: &Request<'_>,
    options: &Options,
    trace: &mut dyn Trace,
) -> Result<(Incoming<Link>, Head), CallError> {
    let Some(Login::Digest(user)) = &options.login else {
        return exchange_once(target, request, options, trace);
    };
    let (user, password) = credentials(user)?;
    let mut attempt = Attempt::new(user, password);
    let mut request = request.clone();
    let mut options = options.clone();
    let begun = Instant::now();
    let deadline = options.deadline;
    loop {
        let (mut incoming, head) = exchange_once(target, &request, &options, trace)?;
        if head.status != 401 {
            return Ok((incoming, head));
        }
        let challenge = match challenge_of(head.all("www-authenticate")) {
            Ok(Some(challenge)) => challenge,
            Ok(None) => return Ok((incoming, head)),
            Err(why) => {
                let refused = respond(&mut incoming, head, request.shows, &options, trace)?.foreign(target);
                let message =
                    format!("digest authentication is not possible, since {why}: {}", refused.message);
                return Err(CallError { message, ..refused });
            }
        };
        let Some(value) = attempt.answer(challenge, &request.path)? else { return Ok((incoming, head)) };
        request.authorization = Some(value);
        respond(&mut incoming, head, request.shows, &options, trace)?;
        options.deadline = deadline.map(|deadline| deadline.saturating_sub(begun.elapsed()));
    }
}

fn exchange_once(
    target: &Target,
    request: &Request<'_>,
    options: &Options,
    trace: &mut dyn Trace,
) -> Result<(Incoming<Link>, Head), CallError> {
    let framing = format!("Content-Length: {}", request.body.len());
    let (mut link, head) = open(target, request, &framing, options, trace)?;
    trace.text(Side::Client, &(request.shows)(request.body));
    let written = link.write(head.as_bytes())? && link.write(request.body)?;
    let mut incoming = Incoming::new(link, written);
    let head = incoming.head(trace)?;
    Ok((incoming, head))
}

/// Opens a connection for a request; returns the head to send there. `framing` is the field that says how the body ends.
pub fn open(
    target: &Target,
    request: &Request<'_>,
    framing: &str,
    options: &Options,
    trace: &mut dyn Trace,
) -> Result<(Link, String), CallError> {
    let mut fields = request.fields.clone();
    for (key, value) in &options.metadata {
        fields.push(metadata_field(key, value)?);
    }
    for (name, value) in &options.headers {
        check_header(name, value)?;
        fields.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        fields.push((name.clone(), value.clone()));
    }
    if let Some(login) = &options.login {
        if fields.iter().any(|(name, _)| name.eq_ignore_ascii_case("authorization")) {
            return Err(CallError::new("invalid-value", "a user is given, and Authorization as well"));
        }
        let value = match login {
            Login::Basic(user) => Some(basic(user, target)?),
            Login::Digest(_) => request.authorization.clone(),
        };
        fields.extend(value.map(|value| ("Authorization".to_owned(), value)));
    }
    let link = Link::connect(target, options)?;
    let mut head = format!("POST {} HTTP/1.1\r\nHost: {}\r\n", request.path, target.authority());
    for (name, value) in &fields {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    // HTTP-7
    let timeout = match link.milliseconds_left() {
        0 => MAX_TIMEOUT,
        left => left.min(MAX_TIMEOUT),
    };
    head.push_str(&format!("{framing}\r\nCreo-Timeout: {timeout}\r\nConnection: close\r\n\r\n"));
    trace.text(Side::Client, &hidden::head(head.trim_end().as_bytes()));
    Ok((link, head))
}

/// Reads a response to its end, of which the head has been read.
pub fn respond<F: Feed>(
    incoming: &mut Incoming<F>,
    head: Head,
    shows: Shows,
    options: &Options,
    trace: &mut dyn Trace,
) -> Result<Response, CallError> {
    let body = incoming.body(head.framing()?, options.limits.max_message_size)?;
    if !body.is_empty() {
        trace.text(Side::Service, &shows(&body));
    }
    if let Some(coding) = head.coding() {
        return Err(CallError::new(
            "protocol-mismatch",
            format!("the answer is encoded as {coding}, which was not asked for"),
        ));
    }
    Ok(Response { head, body })
}

impl Response {
    /// The error for an answer that is not a message of the wire (HTTP-3, HTTP-22).
    pub fn foreign(&self, target: &Target) -> CallError {
        let code = match self.head.status {
            401 | 407 => "unauthenticated",
            403 => "permission-denied",
            404 | 502..=504 => "unavailable",
            413 => "too-large",
            429 => "overloaded",
            300..=399 => "unavailable",
            _ => "protocol-mismatch",
        };
        let mut message = format!("{} answered {}", target.authority(), self.head.status_text());
        match self.head.media_type() {
            media if media.is_empty() => message.push_str(", without a media type"),
            media => message.push_str(&format!(", {}", shown(&media, MAX_SHOWN))),
        }
        let named: &[&str] = match self.head.status {
            401 => &["www-authenticate"],
            407 => &["proxy-authenticate"],
            300..=399 => &["location"],
            _ => &[],
        };
        for name in named {
            for value in self.head.all(name) {
                message.push_str(&format!(", {name}: {}", shown(value, MAX_SHOWN)));
            }
        }
        let said = self.words();
        if !said.is_empty() {
            message.push_str(&format!(": {}", shown(&said, MAX_SHOWN)));
        }
        CallError { from_peer: true, ..CallError::new(code, message) }
    }

    fn words(&self) -> String {
        let text = String::from_utf8_lossy(&self.body);
        if self.head.media_type() == "application/problem+json"
            && let Ok(problem) = parse_json(&text)
        {
            return words_of(&problem);
        }
        text.trim().to_owned()
    }
}

/// Title and detail of a problem document.
pub fn words_of(problem: &Value) -> String {
    let words = ["title", "detail"].into_iter().filter_map(|name| problem.get(name).and_then(Value::as_str));
    words.collect::<Vec<_>>().join(": ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users() {
        let at = |url: &str| Target::parse(url).expect("a target");
        for (user, due) in [("me:pw", "Basic bWU6cHc="), ("me", "Basic bWU6"), ("ä:ß:", "Basic w6Q6w586")] {
            for url in ["https://example.com", "http://localhost", "http://127.0.0.2:80", "http://[::1]"] {
                assert_eq!(basic(user, &at(url)).expect("a value"), due);
            }
        }
        let long = "x".repeat(MAX_CREDENTIAL + 1);
        for (user, url) in
            [("me:hunter2", "http://example.com"), ("hunter2:\r\n", "https://a"), (&long, "https://a")]
        {
            let error = basic(user, &at(url)).expect_err("refused");
            assert!(error.code == "invalid-value" && !error.to_string().contains("hunter2"), "{error}");
        }
    }
}
