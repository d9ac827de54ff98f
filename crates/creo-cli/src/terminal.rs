//! Standard output and standard error: colours, text or JSON, nothing hostile.

use crate::args::{ColorChoice, Common, ErrorFormat};
use crate::failure::Failure;
use creo_diag::escape_controls;
use creo_diag::reason;
use serde_json::{Value, json};
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::sync::Mutex;

/// The destination of a command's results and messages.
#[derive(Debug)]
pub struct Terminal {
    pub errors: ErrorFormat,
    quiet: bool,
    all: bool,
    colour_out: bool,
    colour_err: bool,
    out: Mutex<BufWriter<StdoutLock<'static>>>,
}

/// A colour or weight of text.
#[derive(Clone, Copy, Debug)]
pub enum Paint {
    Red,
    Green,
    Yellow,
    Cyan,
    Bold,
}

impl Paint {
    fn sequence(self) -> &'static str {
        match self {
            Paint::Red => "1;31",
            Paint::Green => "32",
            Paint::Yellow => "1;33",
            Paint::Cyan => "36",
            Paint::Bold => "1",
        }
    }
}

impl Terminal {
    /// Whether every diagnostic is shown: on request, and to programs.
    pub fn shows_all(&self) -> bool {
        self.all || self.is_for_programs()
    }

    pub fn new(common: &Common) -> Terminal {
        // https://no-color.org: any value but the empty one.
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        let colour = |is_terminal: bool| match common.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => is_terminal && !no_color && !dumb,
        };
        Terminal {
            errors: common.error_format,
            quiet: common.quiet,
            all: common.all,
            colour_out: colour(io::stdout().is_terminal()),
            colour_err: colour(io::stderr().is_terminal()),
            out: Mutex::new(BufWriter::new(io::stdout().lock())),
        }
    }

    /// Whether a program reads the output.
    pub fn is_for_programs(&self) -> bool {
        self.errors != ErrorFormat::Text
    }

    /// Whether only problems are reported, or a program reads.
    fn is_quiet(&self) -> bool {
        self.quiet || self.is_for_programs()
    }

    /// Whether results are coloured.
    pub fn colour_out(&self) -> bool {
        self.colour_out
    }

    /// Whether messages are coloured.
    pub fn colour_err(&self) -> bool {
        self.colour_err
    }

    /// Writes a result to standard output. Text of a description must have been escaped before.
    pub fn result(&self, text: &str) -> Result<(), Failure> {
        self.result_bytes(text.as_bytes())
    }

    /// Writes raw bytes to standard output.
    pub fn result_bytes(&self, bytes: &[u8]) -> Result<(), Failure> {
        let mut out = self.out.lock().unwrap_or_else(|e| e.into_inner());
        out.write_all(bytes).map_err(|e| output_failure(&e))
    }

    /// Paints a part of a result.
    pub fn paint(&self, paint: Paint, text: &str) -> String {
        painted(self.colour_out, paint, text)
    }

    /// Paints a part of a message.
    pub fn paint_message(&self, paint: Paint, text: &str) -> String {
        painted(self.colour_err, paint, text)
    }

    /// Reports what was done, unless `--quiet` was given, or a program reads.
    pub fn note(&self, text: &str) {
        if !self.is_quiet() {
            self.message(&escape_controls(text));
        }
    }

    /// Writes a line to standard error, after the results so far. If that fails, there is no other place to report it.
    pub fn message(&self, text: &str) {
        // If this fails, it fails again at the end, where it is reported.
        let _ = self.finish();
        let _ = writeln!(io::stderr().lock(), "{text}");
    }

    /// A line on standard error for programs: an object with severity and message, and optional code, place and help.
    pub fn message_object(&self, object: &Value) {
        match self.errors {
            ErrorFormat::Msbuild => self.message(&msbuild(object)),
            ErrorFormat::Json | ErrorFormat::Text => self.message(&creo_json::print_json(object)),
        }
    }

    /// Reports something that does not stop the command.
    pub fn warning(&self, text: &str) {
        match self.errors {
            ErrorFormat::Json | ErrorFormat::Msbuild => {
                self.message_object(&json!({ "severity": "warning", "message": text }))
            }
            ErrorFormat::Text => {
                let head = painted(self.colour_err, Paint::Yellow, "warning");
                self.message(&format!("{head}: {}", line(text)));
            }
        }
    }

    /// Reports why the command failed.
    pub fn failure(&self, failure: &Failure) {
        let Failure::Message { message, help, code } = failure else { return };
        match self.errors {
            ErrorFormat::Json | ErrorFormat::Msbuild => {
                let mut object = json!({ "severity": "error", "message": message });
                if let Some(code) = code {
                    object["code"] = json!(code);
                }
                if let Some(help) = help {
                    object["help"] = json!(help);
                }
                self.message_object(&object);
            }
            ErrorFormat::Text => {
                let head = code.map_or("error".to_owned(), |code| format!("error[{code}]"));
                let head = painted(self.colour_err, Paint::Red, &head);
                self.message(&format!("{head}: {}", line(message)));
                if let Some(help) = help {
                    let head = painted(self.colour_err, Paint::Cyan, "help");
                    self.message(&format!("{head}: {}", line(help)));
                }
            }
        }
    }

    /// Flushes standard output.
    pub fn finish(&self) -> Result<(), Failure> {
        self.out.lock().unwrap_or_else(|e| e.into_inner()).flush().map_err(|e| output_failure(&e))
    }
}

impl creo_measure::Progress for Terminal {
    fn note(&self, text: &str) {
        Terminal::note(self, text);
    }

    fn advance(&self, text: Option<&str>) {
        let mut err = io::stderr().lock();
        if err.is_terminal() && !self.is_quiet() {
            // There is no other place to report this.
            let _ = match text {
                Some(text) => write!(err, "\r{text}"),
                None => write!(err, "\r\x1b[K"),
            };
        }
    }
}

fn output_failure(error: &io::Error) -> Failure {
    if error.kind() == io::ErrorKind::BrokenPipe {
        Failure::PipeClosed
    } else {
        Failure::new(format!("cannot write to standard output: {}", reason(error)))
    }
}

fn painted(colour: bool, paint: Paint, text: &str) -> String {
    if colour { format!("\u{1b}[{}m{text}\u{1b}[0m", paint.sequence()) } else { text.to_owned() }
}

/// An object of `message_object` in MSBuild's format: `FILE(LINE,COLUMN): error CODE: TEXT`, where FILE is `creo` by default.
fn msbuild(object: &Value) -> String {
    let text = |member: &str| object[member].as_str().map(line);
    let origin = match (text("file"), &object["line"], &object["column"]) {
        (Some(file), Value::Number(line), Value::Number(column)) => format!("{file}({line},{column})"),
        (file, _, _) => file.unwrap_or_else(|| "creo".to_owned()),
    };
    let severity = if object["severity"] == "warning" { "warning" } else { "error" };
    let code = text("code").map_or_else(String::new, |code| format!(" {code}"));
    let message = text("message").unwrap_or_else(|| line(&creo_json::print_json(object)));
    let help = text("help").map_or_else(String::new, |help| format!(" ({help})"));
    format!("{origin}: {severity}{code}: {message}{help}")
}

/// A text from a possibly hostile file, on one line.
fn line(text: &str) -> String {
    escape_controls(&text.replace('\n', "\\n"))
}
