//! `creo tdxml`

use crate::args::{SchemeName, TdxmlCommand};
use crate::failure::{Failure, Outcome};
use crate::input::name_of;
use crate::terminal::Terminal;
use creo_diag::escape_controls;
use creo_diag::reason;
use creo_tdxml::{Input, Mistake, Scheme, Scratch, decode, encode};
use serde_json::json;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::Path;

/// Converts one document to standard output.
pub fn run(command: &TdxmlCommand, terminal: &Terminal) -> Result<Outcome, Failure> {
    let (path, converted) = match command {
        TdxmlCommand::Encode { file, scheme } => {
            let scheme = match scheme {
                SchemeName::Aggregated => Scheme::Aggregated,
                SchemeName::Record => Scheme::Record,
            };
            (file, encode(&mut Document::open(file)?, scheme, &mut output(terminal)))
        }
        TdxmlCommand::Decode { file } => {
            (file, decode(&mut Document::open(file)?, &mut temporary, &mut output(terminal)))
        }
    };
    match converted {
        Ok(()) => Ok(Outcome::Done),
        Err(creo_tdxml::Failure::Refused(mistake)) => {
            tell(&mistake, &shown(path), terminal);
            Ok(Outcome::Findings)
        }
        Err(creo_tdxml::Failure::Read(error)) => {
            Err(Failure::new(format!("cannot read {}: {}", shown(path), reason(&error))))
        }
        Err(creo_tdxml::Failure::Scratch(error)) => {
            Err(Failure::new(format!("cannot use a temporary file: {}", reason(&error))))
        }
        Err(creo_tdxml::Failure::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            Err(Failure::PipeClosed)
        }
        // The error names the operation itself.
        Err(creo_tdxml::Failure::Write(error)) => Err(Failure::new(error.to_string())),
    }
}

fn shown(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { name_of(path) }
}

/// A file that can be read twice: the named one, or a temporary copy of a pipe's content.
struct Document(File);

impl Document {
    fn open(path: &Path) -> Result<Document, Failure> {
        let failure =
            |error: &io::Error| Failure::new(format!("cannot read {}: {}", shown(path), reason(error)));
        if path == Path::new("-") {
            return spooled(io::stdin().lock()).map_err(|error| failure(&error));
        }
        let file = File::open(path).map_err(|error| failure(&error))?;
        let data = file.metadata().map_err(|error| failure(&error))?;
        if data.is_dir() {
            return Err(failure(&io::ErrorKind::IsADirectory.into()));
        }
        if data.is_file() { Ok(Document(file)) } else { spooled(file).map_err(|error| failure(&error)) }
    }
}

/// A temporary file for sorted rows.
fn temporary() -> io::Result<Box<dyn Scratch>> {
    Ok(Box::new(tempfile::tempfile()?))
}

fn spooled(mut from: impl Read) -> io::Result<Document> {
    let mut file = tempfile::tempfile()?;
    io::copy(&mut from, &mut file)?;
    Ok(Document(file))
}

impl Input for Document {
    fn open(&mut self) -> io::Result<Box<dyn Read + '_>> {
        self.0.rewind()?;
        Ok(Box::new(&self.0))
    }
}

/// Standard output in larger pieces. Its failures keep their kind, so a closed pipe is recognized.
struct Output<'a>(&'a Terminal);

impl Write for Output<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.result_bytes(bytes).map_err(|failure| match failure {
            Failure::PipeClosed => io::ErrorKind::BrokenPipe.into(),
            Failure::Message { message, .. } => io::Error::other(message),
        })?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn output(terminal: &Terminal) -> BufWriter<Output<'_>> {
    BufWriter::with_capacity(1 << 16, Output(terminal))
}

/// Reports what is wrong with the document, and where.
fn tell(mistake: &Mistake, name: &str, terminal: &Terminal) {
    let code = mistake.code.word();
    match terminal.errors {
        crate::args::ErrorFormat::Json | crate::args::ErrorFormat::Msbuild => {
            let mut object =
                json!({ "severity": "error", "code": code, "message": mistake.message, "file": name });
            if let Some((line, column)) = mistake.position {
                object["line"] = json!(line);
                object["column"] = json!(column);
            }
            if let Some((row, text)) = &mistake.row {
                object["row"] = json!(row);
                object["text"] = json!(text);
            }
            terminal.message_object(&object);
        }
        crate::args::ErrorFormat::Text => {
            let head = terminal.paint_message(crate::terminal::Paint::Red, &format!("error[{code}]"));
            let mut place = name.to_owned();
            if let Some((line, column)) = mistake.position {
                place.push_str(&format!(":{line}:{column}"));
            }
            let mut text =
                format!("{head}: {}\n --> {}", escape_controls(&mistake.message), escape_controls(&place));
            if let Some((row, cut)) = &mistake.row {
                text.push_str(&format!(", row {row}: {}", escape_controls(cut)));
            }
            terminal.message(&text);
        }
    }
}
