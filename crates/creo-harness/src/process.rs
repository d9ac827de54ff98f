//! Other programs: run to their end, or used interactively line by line; every wait has a limit.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// How to start a program.
#[derive(Clone, Debug)]
pub struct Program {
    pub program: OsString,
    pub arguments: Vec<OsString>,
    pub environment: Vec<(OsString, OsString)>,
    pub folder: Option<PathBuf>,
}

impl Program {
    pub fn new(program: impl Into<OsString>) -> Program {
        Program { program: program.into(), arguments: Vec::new(), environment: Vec::new(), folder: None }
    }

    pub fn arg(mut self, argument: impl Into<OsString>) -> Program {
        self.arguments.push(argument.into());
        self
    }

    pub fn args<T: Into<OsString>>(mut self, arguments: impl IntoIterator<Item = T>) -> Program {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Program {
        self.environment.push((name.into(), value.into()));
        self
    }

    pub fn folder(mut self, folder: impl Into<PathBuf>) -> Program {
        self.folder = Some(folder.into());
        self
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).envs(self.environment.iter().map(|(k, v)| (k, v)));
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// The command as typed in a shell, shortened to a few lines.
    pub fn shown(&self) -> String {
        const MOST: usize = 300;
        let words: Vec<String> = std::iter::once(&self.program)
            .chain(&self.arguments)
            .map(|w| w.to_string_lossy().into_owned())
            .collect();
        let text = words.join(" ");
        if text.chars().count() > MOST {
            text.chars().take(MOST).chain(" ...".chars()).collect()
        } else {
            text
        }
    }

    /// Runs to the end and returns the output. Anything but exit code 0 within the limit is an error with all output.
    pub fn run(&self, limit: Duration) -> Result<String, String> {
        let output = self.output(limit)?;
        match output.code {
            Some(0) => Ok(output.stdout),
            code => {
                let code = code.map_or("a signal".to_owned(), |c| format!("exit code {c}"));
                Err(format!("{} ended with {code}\n{}{}", self.shown(), output.stdout, output.stderr))
            }
        }
    }

    /// Runs to the end, whatever the exit code.
    pub fn output(&self, limit: Duration) -> Result<Output, String> {
        let mut child = self.command().spawn().map_err(|e| format!("{}: {e}", self.shown()))?;
        drop(child.stdin.take());
        let stdout = drain(child.stdout.take().expect("piped"));
        let stderr = drain(child.stderr.take().expect("piped"));
        let code = wait(&mut child, limit);
        let text = |kept: Kept| {
            String::from_utf8_lossy(
                &kept
                    .handle
                    .join()
                    .map(|()| kept.bytes.lock().expect("no panic").clone())
                    .unwrap_or_default(),
            )
            .into_owned()
        };
        let (stdout, stderr) = (text(stdout), text(stderr));
        match code {
            Some(code) => Ok(Output { code, stdout, stderr }),
            None => Err(format!(
                "{} was still running after {} s\n{stdout}{stderr}",
                self.shown(),
                limit.as_secs()
            )),
        }
    }

    /// Starts the program for interactive use.
    pub fn start(&self) -> Result<Running, String> {
        let mut child = self.command().spawn().map_err(|e| format!("{}: {e}", self.shown()))?;
        let stdout = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in stdout.lines() {
                let Ok(line) = line else { break };
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let stderr = drain(child.stderr.take().expect("piped"));
        let stdin = child.stdin.take();
        Ok(Running { child, stdin, lines, stderr })
    }
}

/// The output of a program, and its exit code (`None`: ended by a signal).
#[derive(Debug)]
pub struct Output {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

#[derive(Debug)]
struct Kept {
    bytes: Arc<Mutex<Vec<u8>>>,
    handle: thread::JoinHandle<()>,
}

/// Reads a stream to its end on a thread, and keeps the last part.
fn drain(mut stream: impl Read + Send + 'static) -> Kept {
    const MOST: usize = 8 << 20;
    let bytes = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&bytes);
    let handle = thread::spawn(move || {
        let mut buffer = [0; 65_536];
        while let Ok(n @ 1..) = stream.read(&mut buffer) {
            let mut kept = kept.lock().expect("no panic");
            kept.extend_from_slice(&buffer[..n]);
            if kept.len() > 2 * MOST {
                let from = kept.len() - MOST;
                kept.drain(..from);
            }
        }
    });
    Kept { bytes, handle }
}

/// Waits for the end; after the limit the program is killed. `None`: it was killed.
fn wait(child: &mut Child, limit: Duration) -> Option<Option<i32>> {
    let end = Instant::now() + limit;
    let mut pause = Duration::from_millis(1);
    loop {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status.code());
        }
        if Instant::now() > end {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

/// A running program. Dropping it kills it.
#[derive(Debug)]
pub struct Running {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    stderr: Kept,
}

impl Running {
    /// The next line of its output.
    pub fn line(&mut self, limit: Duration) -> Result<String, String> {
        match self.lines.recv_timeout(limit) {
            Ok(line) => Ok(line),
            Err(RecvTimeoutError::Timeout) => {
                Err(format!("no line within {} s; {}", limit.as_secs(), self.complaint()))
            }
            Err(RecvTimeoutError::Disconnected) => {
                let code = wait(&mut self.child, Duration::from_secs(5)).flatten();
                let code =
                    code.map_or("ended by a signal".to_owned(), |c| format!("ended with exit code {c}"));
                Err(format!("{code}; {}", self.complaint()))
            }
        }
    }

    /// Writes lines on a thread, then closes the stream, so neither side blocks on full buffers.
    pub fn feed(&mut self, lines: Vec<String>) {
        let Some(mut stdin) = self.stdin.take() else { return };
        thread::spawn(move || {
            for line in lines {
                if writeln!(stdin, "{line}").is_err() {
                    break;
                }
            }
        });
    }

    /// Writes one line.
    pub fn say(&mut self, line: &str) -> Result<(), String> {
        let stdin = self.stdin.as_mut().ok_or("its standard input is closed")?;
        writeln!(stdin, "{line}")
            .and_then(|()| stdin.flush())
            .map_err(|e| format!("it takes no more lines: {e}; {}", self.complaint()))
    }

    /// Closes the standard input and waits for the end.
    pub fn finish(mut self, limit: Duration) -> Result<(), String> {
        drop(self.stdin.take());
        match wait(&mut self.child, limit) {
            Some(Some(0)) => Ok(()),
            Some(code) => Err(format!("ended with {code:?}; {}", self.complaint())),
            None => Err(format!("did not end within {} s; {}", limit.as_secs(), self.complaint())),
        }
    }

    pub fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// The output to standard error so far.
    pub fn complaint(&self) -> String {
        thread::sleep(Duration::from_millis(100));
        let text = String::from_utf8_lossy(&self.stderr.bytes.lock().expect("no panic")).into_owned();
        if text.trim().is_empty() {
            "nothing on standard error".to_owned()
        } else {
            format!("standard error:\n{}", crate::report::cut(&text))
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Asks a peer many questions, one per line; it answers each with a line, in order. A peer that dies or hangs fails the current question
/// and is restarted for the rest; after a few restarts the rest fails too.
pub fn ask(program: &Program, questions: &[String], limit: Duration) -> Vec<Result<String, String>> {
    const STARTS: usize = 8;
    let mut answers = Vec::with_capacity(questions.len());
    let mut rest: VecDeque<&String> = questions.iter().collect();
    for _ in 0..STARTS {
        if rest.is_empty() {
            return answers;
        }
        let mut running = match program.start() {
            Ok(running) => running,
            Err(why) => {
                answers.extend(rest.drain(..).map(|_| Err(why.clone())));
                return answers;
            }
        };
        running.feed(rest.iter().map(|q| (*q).clone()).collect());
        while !rest.is_empty() {
            let answer = running.line(limit);
            let broken = answer.is_err();
            answers.push(answer);
            rest.pop_front();
            if broken {
                break;
            }
        }
    }
    answers.extend(
        rest.iter()
            .map(|_| Err(format!("not asked: the peer was started {STARTS} times and failed each time"))),
    );
    answers
}
