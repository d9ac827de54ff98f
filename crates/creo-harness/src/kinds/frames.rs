//! Malformed and valid frames against the Java service. Whatever a case does, the service must answer a good call afterwards.

use crate::descriptions;
use crate::frames::{
    Case, Connection, Expected, Frame, Missing, Piece, code_name, frame_body_text, leb128, load, method_id,
    split_count,
};
use crate::options::Options;
use crate::repo;
use crate::report::Report;
use crate::service::Service;
use std::collections::BTreeMap;

/// The kinds of the frames of streams.
const ITEMS: u8 = 10;
const CREDIT: u8 = 11;

pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    let model = descriptions::compile_file(&repo::path("conformance/schemas/matrix.creo"))?;
    let answer = method_id(&model, "Answer.answer")?;
    let cases = load(&model, &options.only)?;
    let mut service = Service::start()?;
    for case in &cases {
        let port = if case.tcp_only {
            service.tcp_only.ok_or("the service has no port of the binary wire alone")?
        } else {
            service.port
        };
        let result = run_case(case, port, answer).and_then(|()| {
            let mut connection =
                Connection::open(service.port).map_err(|why| format!("afterwards: {why}"))?;
            connection.send(b"CREO\x01\0\0\0");
            connection
                .good_call(answer, 1, &mut |_| Ok(()))
                .map_err(|why| format!("afterwards, on a new connection: {why}"))
        });
        report.check(&case.name, result);
        if !service.is_alive() {
            return Err(format!("the service died of {}; {}", case.name, service.complaint()));
        }
    }
    report.check("the service ends when it is asked to", service.stop());
    Ok(())
}

fn run_case(case: &Case, port: u16, answer: u64) -> Result<(), String> {
    let mut others = Vec::new();
    for _ in 1..case.connections {
        let mut other = Connection::open(port)?;
        send(case, &mut other)?;
        others.push(other);
    }
    let mut connection = Connection::open(port)?;
    let mut due = Due { expected: case.expect.clone(), ignored: case.ignore.clone(), items: BTreeMap::new() };
    let (written, early) = send(case, &mut connection)?;
    if case.close {
        connection.close();
        return Ok(());
    }
    if let Some(text) = &case.text {
        let rest = connection.rest()?;
        let came = String::from_utf8_lossy(&rest);
        return if came.starts_with(text) && (!case.tcp_only || came.to_lowercase().contains("creo")) {
            Ok(())
        } else {
            Err(format!("{came:?} came instead of {text:?} and a text that names the protocol"))
        };
    }
    for frame in early {
        take(case, &mut due, &frame)?;
    }
    while !due.expected.is_empty() {
        match connection.answer() {
            Ok(frame) => take(case, &mut due, &frame)?,
            Err(missing) => {
                let sent = if written { "" } else { " (and took not all that was sent)" };
                return Err(format!("{missing:?}{sent} while these were due: {:02x?}", due.expected));
            }
        }
    }
    match case.closed {
        Some(true) => closes(case, &mut connection),
        Some(false) => connection
            .good_call(answer, 4_000_000_000, &mut |frame| take(case, &mut due, frame))
            .map_err(|why| format!("on the same connection: {why}")),
        None => Ok(()),
    }
}

/// The service closes the connection, and sends nothing more except ignored frames.
fn closes(case: &Case, connection: &mut Connection) -> Result<(), String> {
    loop {
        match connection.answer() {
            Err(Missing::Closed) => return Ok(()),
            Err(Missing::Wrong(why)) => return Err(format!("the connection should be closed: {why}")),
            // A goodbye before the end is polite; answers to running calls may still come.
            Ok(frame) if frame.kind == 9 || frame.call != 0 || case.ignore.contains(&frame.call) => {}
            Ok(frame) => return Err(format!("before the connection was closed came {}", shown(&frame))),
        }
    }
}

/// Sends a case. Returns whether everything was written, and the answers received on the way.
fn send(case: &Case, connection: &mut Connection) -> Result<(bool, Vec<Frame>), String> {
    let mut answers = Vec::new();
    let mut written = true;
    for piece in &case.send {
        written &= match piece {
            Piece::Bytes(bytes) if case.drip => bytes.iter().all(|byte| {
                std::thread::sleep(std::time::Duration::from_millis(1));
                connection.send(&[*byte])
            }),
            Piece::Bytes(bytes) => connection.send(bytes),
            Piece::Zeros(count) => {
                const BLOCK: u64 = 1 << 20;
                let block = vec![0; BLOCK as usize];
                (0..*count)
                    .step_by(BLOCK as usize)
                    .all(|at| connection.send(&block[..BLOCK.min(count - at) as usize]))
            }
            Piece::Pause(milliseconds) => {
                std::thread::sleep(std::time::Duration::from_millis(*milliseconds));
                true
            }
            Piece::Wait(_) | Piece::Credit => {
                let (mut count, is_due): (usize, fn(u8) -> bool) = match piece {
                    Piece::Wait(count) => (*count, |kind| kind != ITEMS && kind != CREDIT),
                    _ => (1, |kind| kind == CREDIT),
                };
                while count > 0 {
                    let frame = connection
                        .answer()
                        .map_err(|missing| format!("while waiting between requests: {missing:?}"))?;
                    count -= usize::from(is_due(frame.kind));
                    answers.push(frame);
                }
                true
            }
        };
    }
    Ok((written, answers))
}

/// Frames still required, and optional ones.
#[derive(Debug)]
struct Due {
    expected: Vec<Expected>,
    ignored: Vec<u32>,
    /// How many items came, and their bytes, of each call that is under way; `None`: it was answered.
    items: BTreeMap<u32, Option<(usize, Vec<u8>)>>,
}

/// Removes the expectation that a frame fulfils, or the call id whose answer is ignored.
fn take(case: &Case, due: &mut Due, frame: &Frame) -> Result<(), String> {
    match frame.kind {
        ITEMS => {
            let came = due.items.entry(frame.call).or_insert_with(|| Some((0, Vec::new())));
            let came = came.as_mut().ok_or_else(|| format!("{} came after the answer", shown(frame)))?;
            let (count, items) = split_count(&frame.rest).ok_or("an items frame has no count")?;
            came.0 += count;
            came.1.extend(items);
            Ok(())
        }
        CREDIT if frame.rest.len() == 4 && frame.rest[0] < 128 && frame.rest != [0; 4] => Ok(()),
        CREDIT => Err(format!("credit came with {:02x?}", frame.rest)),
        2..=4 => {
            let all = due.items.insert(frame.call, None).flatten();
            let is_due = |e: &Expected| e.kind == ITEMS && e.calls.contains(&frame.call);
            if let Some((count, items)) = all
                && due.expected.iter().any(is_due)
            {
                let rest = [leb128(count), items].concat();
                take_whole(case, due, &Frame { kind: ITEMS, flags: 0, call: frame.call, rest })?;
            }
            take_whole(case, due, frame)
        }
        _ => take_whole(case, due, frame),
    }
}

/// The same for a frame that is no part of a stream; the items of a stream come as one.
fn take_whole(case: &Case, due: &mut Due, frame: &Frame) -> Result<(), String> {
    let candidates =
        if case.ordered { &due.expected[..1.min(due.expected.len())] } else { &due.expected[..] };
    let problems: Vec<Option<String>> = candidates.iter().map(|expected| problem(expected, frame)).collect();
    if let Some(at) = problems.iter().position(Option::is_none) {
        due.expected.remove(at);
        return Ok(());
    }
    if case.ignore_pongs && frame.kind == 8 {
        return Ok(());
    }
    if let Some(at) = due.ignored.iter().position(|call| *call == frame.call) {
        due.ignored.remove(at);
        return Ok(());
    }
    let why = problems.into_iter().flatten().next().unwrap_or_else(|| "nothing is due for it".to_owned());
    Err(format!("{} came: {why}", shown(frame)))
}

/// Why a frame is not the expected one.
fn problem(expected: &Expected, frame: &Frame) -> Option<String> {
    if frame.kind != expected.kind || !(expected.calls.is_empty() || expected.calls.contains(&frame.call)) {
        return Some(format!("kind {} for a call of {:?} is due", expected.kind, expected.calls));
    }
    if let Some(body) = &expected.body
        && *body != frame.rest
    {
        return Some(format!("its body should be {}", repo::hex(body)));
    }
    if !expected.codes.is_empty() {
        let number = frame.rest.first().copied().unwrap_or(0);
        if !expected.codes.contains(&number) {
            let names: Vec<&str> = expected.codes.iter().map(|c| code_name(*c)).collect();
            return Some(format!("the code {} is due", names.join(" or ")));
        }
    }
    let text = frame_body_text(frame);
    if let Some(missing) = expected.holds.iter().find(|t| !text.contains(*t)) {
        return Some(format!("it should hold {missing:?}"));
    }
    match &expected.place {
        Some(place) if !text.contains(place) => Some(format!("its place should be {place}")),
        _ => None,
    }
}

fn shown(frame: &Frame) -> String {
    let what = match frame.kind {
        4 => format!("an error {:?}", code_name(frame.rest.first().copied().unwrap_or(0))),
        kind => format!("a frame of kind {kind}"),
    };
    crate::report::cut(&format!("{what} for call {} with {:?}", frame.call, frame_body_text(frame)))
}
