//! Shared by all commands that call a service: its address and method, the display of bytes, and the report of failures.

use crate::args_call::TlsArgs;
use crate::failure::Failure;
use crate::terminal::Terminal;
use crate::type_text;
use creo_call::{CallError, Called, Side, Target, Tls, Trace};
use creo_check::CheckedModel;
use creo_diag::reason;
use creo_inspect::{Section, Style, render};
use std::fs;
use std::path::PathBuf;

/// The max number of array items listed with --verbose.
const SHOWN_ITEMS: usize = 10;
/// The max size of a text body shown with --verbose.
const SHOWN_TEXT: usize = 64 << 10;

pub fn target(text: &str) -> Result<Target, Failure> {
    Target::parse(text).map_err(|why| Failure::new(format!("{text:?} is no address of a service: {why}")))
}

/// The options of TLS, from their files.
pub fn tls(target: &Target, args: &TlsArgs) -> Result<Tls, Failure> {
    if !target.tls() && (args.cacert.is_some() || args.cert.is_some()) {
        return Err(Failure::new("certificates were given, and the address is without TLS")
            .help("write tls://host:port, or https://host:port/path"));
    }
    let read = |path: &PathBuf| {
        fs::read(path)
            .map_err(|error| Failure::new(format!("cannot read {}: {}", path.display(), reason(&error))))
    };
    let identity = match (&args.cert, &args.key) {
        (Some(certificate), Some(key)) => Some((read(certificate)?, read(key)?)),
        _ => None,
    };
    Ok(Tls { authorities: args.cacert.as_ref().map(read).transpose()?, identity })
}

pub fn called<'m>(model: &'m CheckedModel, name: &str) -> Result<Called<'m>, Failure> {
    let (interface, method) = type_text::find_method(model, name)?;
    let at = model.interfaces.iter().position(|each| std::ptr::eq(each, interface));
    let of = interface.methods.iter().position(|each| std::ptr::eq(each, method));
    match (at, of) {
        (Some(interface), Some(method)) => Ok(Called { model, interface, method }),
        _ => Err(Failure::new(format!("the description has no method {name:?}"))),
    }
}

pub fn failure(error: CallError, called: &Called<'_>) -> Failure {
    let by = if error.from_peer { "the service says: " } else { "" };
    let failed = Failure::coded(error.code, format!("{by}{error}"));
    if error.code != "unknown-method" || !error.from_peer {
        let details: Vec<String> = error
            .details
            .iter()
            .filter(|(key, _)| !["place", "offset", "peer", "started"].contains(&key.as_str()))
            .map(|(key, value)| format!("{key}: {value}"))
            .collect();
        return if details.is_empty() { failed } else { failed.help(details.join("; ")) };
    }
    // ERR-5
    let interface = called.interface();
    let (name, own) = (called.model.interface_name(interface), format!("{:016x}", interface.fingerprint));
    let offers = error.details.iter().filter(|(key, _)| key.contains('.') || *key == name);
    let offered: Vec<String> = offers.map(|(key, value)| format!("{key} ({value})")).collect();
    let mut help = format!("{} of {name} ({own}) was called; ", called.method().name);
    let other = error.details.iter().find(|(key, _)| *key == name).filter(|(_, theirs)| *theirs != own);
    if offered.is_empty() {
        help.push_str("the service does not say what it offers");
    } else {
        help.push_str(&format!("the service offers {}", offered.join(", ")));
    }
    if other.is_some() {
        help.push_str("; it was generated from another description of the interface");
    }
    failed.help(help)
}

/// Shows sent and received data on standard error.
pub struct Shown<'t> {
    pub terminal: &'t Terminal,
    pub verbose: bool,
}

impl Shown<'_> {
    fn mark(side: Side) -> &'static str {
        match side {
            Side::Client => ">",
            Side::Service => "<",
        }
    }
}

impl Trace for Shown<'_> {
    fn bytes(&mut self, side: Side, sections: &[Section]) {
        if !self.verbose || sections.is_empty() {
            return;
        }
        let style = if self.terminal.colour_err() { Style::Coloured } else { Style::Plain };
        let text = render(sections, style);
        self.terminal.message(&format!("{} {}", Shown::mark(side), text.trim_end()));
    }

    fn text(&mut self, side: Side, text: &[u8]) {
        if !self.verbose {
            return;
        }
        let cut = &text[..text.len().min(SHOWN_TEXT)];
        let mark = Shown::mark(side);
        for line in String::from_utf8_lossy(cut).lines() {
            self.terminal.message(&format!("{mark} {}", creo_diag::escape_controls(line)));
        }
        if cut.len() < text.len() {
            self.terminal.message(&format!("{mark} and {} more bytes", text.len() - cut.len()));
        }
    }

    fn items(&self) -> usize {
        if self.verbose { SHOWN_ITEMS } else { 0 }
    }
}
