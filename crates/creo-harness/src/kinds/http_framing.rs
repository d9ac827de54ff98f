//! Cases of `conformance/malformed/http/framing.json`: the raw bytes of a connection, the statuses of all answers, and whether the service
//! then closes the connection.

use crate::http::Connection;
use crate::http::shown;
use crate::repo;
use serde_json::Value;

/// A call answered with 42, after which the connection closes.
pub const GOOD_CALL: &str = "POST /Answer/answer HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";

pub fn check(case: &Value, port: u16) -> Result<(), String> {
    let bytes = raw(&case["raw"])?;
    let statuses = case["statuses"].as_array().ok_or("no statuses")?;
    let closed = case["closed"].as_bool().ok_or("no closed")?;
    let bare = bytes.starts_with(b"HEAD ");
    let mut connection = Connection::open(port)?;
    let sent = connection.send(&bytes);
    for (i, due) in statuses.iter().enumerate() {
        let answer =
            connection.response(bare).map_err(|why| format!("answer {i}: {why}; written: {sent:?}"))?;
        let allowed = due.as_array().map_or_else(|| vec![due], |several| several.iter().collect());
        if !allowed.contains(&&Value::from(answer.status)) {
            return Err(format!("the status of answer {i} is {due}; it was {}", shown(&answer)));
        }
        if let Some(text) = case["answer"].as_str()
            && answer.body != text.as_bytes()
        {
            return Err(format!("the body of answer {i} is {text:?}; it was {}", shown(&answer)));
        }
    }
    if closed {
        return connection.end().map_err(|why| format!("after the answers the connection is closed: {why}"));
    }
    connection.send(GOOD_CALL.as_bytes()).map_err(|why| format!("the connection stays open: {why}"))?;
    let answer = connection.response(false).map_err(|why| format!("the connection stays open: {why}"))?;
    if answer.status == 200 && answer.body == b"42" {
        connection.end()
    } else {
        Err(format!("a good call on the same connection was answered {}", shown(&answer)))
    }
}

/// Text, or several parts: text, `{"hex": ...}`, `{"repeat": TEXT, "times": N}`.
fn raw(value: &Value) -> Result<Vec<u8>, String> {
    if let Some(text) = value.as_str() {
        return Ok(text.as_bytes().to_vec());
    }
    if let Some(hex) = value["hex"].as_str() {
        return repo::unhex(hex);
    }
    if let (Some(text), Some(times)) = (value["repeat"].as_str(), value["times"].as_u64()) {
        return Ok(text.repeat(usize::try_from(times).map_err(|e| e.to_string())?).into_bytes());
    }
    let parts = value.as_array().ok_or_else(|| format!("no bytes: {value}"))?;
    Ok(parts.iter().map(raw).collect::<Result<Vec<_>, _>>()?.concat())
}
