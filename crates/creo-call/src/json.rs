//! A call of the json wire over HTTP (`spec/wires/json.md`, section 3).

use crate::called::{Answer, Called, Options, Trace, canonical, received};
use crate::error::CallError;
use crate::http::{Request, Response, post};
use crate::target::Target;
use creo_inspect::Subject;
use creo_json::parse_json;
use serde_json::Value;

/// LIM-20: the max nesting of arrays and objects.
const MAX_DEPTH: usize = 500;
const PROBLEM: &str = "application/problem+json";

pub fn call(
    target: &Target,
    called: &Called<'_>,
    value: &Value,
    options: &Options,
    trace: &mut dyn Trace,
) -> Result<Answer, CallError> {
    let body = canonical(called, value, &options.limits)?.to_string();
    let request = request(target, called, body.as_bytes(), "application/json", "application/json")?;
    let response = post(target, &request, options, trace)?;
    answer(target, called, &response, options)
}

/// The request of a call (JSON-20), with the media types of its body and of the result.
pub fn request<'a>(
    target: &Target,
    called: &Called<'_>,
    body: &'a [u8],
    media: &str,
    result: &str,
) -> Result<Request<'a>, CallError> {
    let Target::Http { path, .. } = target else {
        return Err(CallError::new(
            "invalid-value",
            "the json wire goes over HTTP alone: write http:// before the host",
        ));
    };
    let base = if path.is_empty() { format!("/{}", called.interface().name) } else { path.clone() };
    Ok(Request {
        authorization: None,
        path: format!("{base}/{}", called.method().name),
        fields: vec![
            ("Content-Type".to_owned(), media.to_owned()),
            ("Accept".to_owned(), format!("{result}, {PROBLEM}")),
        ],
        body,
        shows: <[u8]>::to_vec,
    })
}

/// The outcome of a call whose result is no stream (JSON-21 to JSON-24).
pub fn answer(
    target: &Target,
    called: &Called<'_>,
    response: &Response,
    options: &Options,
) -> Result<Answer, CallError> {
    let status = response.head.status;
    let is_result = (200..300).contains(&status) && response.head.media_type() != PROBLEM;
    match &called.method().result {
        None if is_result && response.body.is_empty() => Ok(Answer::Nothing),
        Some(_) if is_result && response.head.media_type() == "application/json" => {
            let result = parsed(response)?;
            received(called, &Subject::Response(called.method()), &result, &options.limits)
                .map(Answer::Result)
        }
        _ => failure(target, called, response, options),
    }
}

/// The outcome of an answer without a result: an exception that it holds, or an error.
pub fn failure(
    target: &Target,
    called: &Called<'_>,
    response: &Response,
    options: &Options,
) -> Result<Answer, CallError> {
    if response.head.media_type() != PROBLEM {
        return Err(response.foreign(target));
    }
    problem(called, &parsed(response)?, options, || response.foreign(target))
}

/// The body as JSON.
fn parsed(response: &Response) -> Result<Value, CallError> {
    if let Some(charset) = response.head.parameter("charset").filter(|c| !c.eq_ignore_ascii_case("utf-8")) {
        return Err(CallError::new(
            "malformed",
            format!("the answer's charset is {charset}, and JSON is UTF-8"),
        ));
    }
    parsed_text(response.body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&response.body), "the answer")
}

/// A text as JSON within the nesting limit.
pub fn parsed_text(bytes: &[u8], what: &str) -> Result<Value, CallError> {
    let text = str::from_utf8(bytes).map_err(|error| {
        let mistake = CallError::new("malformed", format!("{what} is not UTF-8"));
        CallError { offset: Some(error.valid_up_to()), ..mistake }
    })?;
    if depth(text) > MAX_DEPTH {
        return Err(CallError::new(
            "too-large",
            format!("{what} nests deeper than maxXmlDepth, which is {MAX_DEPTH}"),
        ));
    }
    parse_json(text).map_err(|error| CallError::new("malformed", format!("{what} is not JSON: {error}")))
}

/// The max nesting of arrays and objects, by a quick scan: the parser recurses.
fn depth(text: &str) -> usize {
    let (mut open, mut most) = (0_usize, 0);
    let (mut quoted, mut escaped) = (false, false);
    for b in text.bytes() {
        match b {
            _ if escaped => escaped = false,
            b'\\' => escaped = quoted,
            b'"' => quoted = !quoted,
            b'[' | b'{' if !quoted => {
                open += 1;
                most = most.max(open);
            }
            b']' | b'}' if !quoted => open = open.saturating_sub(1),
            _ => {}
        }
    }
    most
}

/// What a problem document says (JSON-22 to JSON-24), or the error for one that says nothing of a call.
pub fn problem(
    called: &Called<'_>,
    problem: &Value,
    options: &Options,
    unexplained: impl FnOnce() -> CallError,
) -> Result<Answer, CallError> {
    let text = |name: &str| problem.get(name).and_then(Value::as_str).unwrap_or_default();
    let kind = text("type");
    if let Some(code) = kind.strip_prefix("urn:creo:error:") {
        return Err(CallError::from_service(
            code,
            text("detail"),
            CallError::details(problem.get("details")),
        ));
    }
    let Some(thrown) = kind.strip_prefix("urn:creo:exception:") else { return Err(unexplained()) };
    let model = called.model;
    let throws = &called.method().throws;
    let Some(id) = throws.iter().find(|id| model.full_name(**id) == thrown) else {
        return Err(CallError::from_service(
            "internal",
            &format!("the service threw {thrown}, which the method does not declare"),
            Vec::new(),
        ));
    };
    let name = called.exception_name(*id);
    let value = problem.get("value").cloned().unwrap_or(Value::Null);
    let exception = Value::Object([(name, value)].into_iter().collect());
    received(called, &Subject::Exception(called.method()), &exception, &options.limits).map(Answer::Exception)
}
