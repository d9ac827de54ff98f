//! The parts of a runtime, and the parts that generated code needs.

use creo_check::CheckedModel;
use std::collections::BTreeSet;

/// An encoding of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wire {
    Binary,
    Soap,
    Tdxml,
    Json,
}

impl Wire {
    pub const ALL: [Wire; 4] = [Wire::Binary, Wire::Soap, Wire::Tdxml, Wire::Json];

    /// The name on the command line and in spec/.
    pub fn name(self) -> &'static str {
        match self {
            Wire::Binary => "binary",
            Wire::Soap => "soap",
            Wire::Tdxml => "tdxml",
            Wire::Json => "json",
        }
    }

    /// The wire with a name.
    pub fn find(name: &str) -> Option<Wire> {
        Wire::ALL.into_iter().find(|wire| wire.name() == name)
    }

    /// The parts of a runtime that a client of this wire uses, if the runtime has them.
    fn parts(self) -> &'static [&'static str] {
        match self {
            Wire::Binary => &["tcp", "aio"],
            Wire::Soap => &["soap", "http"],
            Wire::Tdxml => &["tdxml", "http"],
            Wire::Json => &["json", "http"],
        }
    }
}

/// A set of wires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wires([bool; Wire::ALL.len()]);

impl Wires {
    pub const ALL: Wires = Wires([true; Wire::ALL.len()]);
    pub const NONE: Wires = Wires([false; Wire::ALL.len()]);

    pub fn of(wires: impl IntoIterator<Item = Wire>) -> Wires {
        let mut set = Wires::NONE;
        wires.into_iter().for_each(|wire| set.0[wire as usize] = true);
        set
    }

    pub fn has(self, wire: Wire) -> bool {
        self.0[wire as usize]
    }

    /// Whether there is a text wire, which requires the types' text form.
    pub fn any_text(self) -> bool {
        self.iter().any(|wire| wire != Wire::Binary)
    }

    pub fn iter(self) -> impl Iterator<Item = Wire> {
        Wire::ALL.into_iter().filter(move |wire| self.has(*wire))
    }
}

/// A part of a runtime that is only emitted on request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Module {
    /// Several addresses for one client. A packaged runtime always has it.
    Balance,
    /// Repeating calls that fail. A packaged runtime always has it.
    Retries,
    /// Calls through a message broker.
    Jms,
    /// A message broker within the program.
    JmsBroker,
    /// Spans and metrics of calls.
    OpenTelemetry,
    /// Signatures and encryption of SOAP messages.
    Wss,
}

impl Module {
    pub const ALL: [Module; 6] = [
        Module::Balance,
        Module::Retries,
        Module::Jms,
        Module::JmsBroker,
        Module::OpenTelemetry,
        Module::Wss,
    ];
    /// Those that are parts of the runtime in each language, and are there in every package of it.
    pub const PARTS: [Module; 2] = [Module::Balance, Module::Retries];
    /// [`Module::Balance`] as a part.
    pub const BALANCE: Part = Part { name: "balance", needs: &["balance"], files: &[] };
    /// [`Module::Retries`] as a part.
    pub const RETRIES: Part = Part { name: "retries", needs: &["retries"], files: &[] };

    /// The word on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Module::Balance => "balance",
            Module::Retries => "retries",
            Module::Jms => "jms",
            Module::JmsBroker => "jms-broker",
            Module::OpenTelemetry => "opentelemetry",
            Module::Wss => "wss",
        }
    }

    /// Whether the module depends on packages of others.
    pub fn has_dependencies(self) -> bool {
        match self {
            // The platforms have what signatures need.
            Module::Balance | Module::Retries | Module::Wss => false,
            Module::Jms | Module::JmsBroker | Module::OpenTelemetry => true,
        }
    }

    /// Whether the module carries calls, and so needs the code of every wire that they may have.
    pub fn is_transport(self) -> bool {
        match self {
            Module::Balance | Module::Retries | Module::OpenTelemetry | Module::Wss => false,
            Module::Jms | Module::JmsBroker => true,
        }
    }

    /// The module with a word.
    pub fn find(name: &str) -> Option<Module> {
        Module::ALL.into_iter().find(|module| module.name() == name)
    }
}

/// What code needs from a runtime.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needs {
    pub wires: Wires,
    pub with: BTreeSet<Module>,
    /// Whether a method has streams.
    pub streams: bool,
}

impl Needs {
    /// The needs of code for a description.
    pub fn of(model: &CheckedModel, wires: Wires, with: &[Module]) -> Needs {
        Needs { wires, with: with.iter().copied().collect(), streams: model.plan().has_streams() }
    }

    /// The needs of no code.
    pub fn none() -> &'static Needs {
        static NONE: Needs = Needs { wires: Wires::NONE, with: BTreeSet::new(), streams: false };
        &NONE
    }

    /// Adds the needs of other code.
    pub fn add(&mut self, other: &Needs) {
        self.wires = Wires::of(self.wires.iter().chain(other.wires.iter()));
        self.with.extend(&other.with);
        self.streams |= other.streams;
    }
}

/// The sides of a call for which code is generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    Client,
    Service,
    Both,
}

impl Sides {
    pub fn client(self) -> bool {
        match self {
            Sides::Client | Sides::Both => true,
            Sides::Service => false,
        }
    }

    pub fn service(self) -> bool {
        match self {
            Sides::Service | Sides::Both => true,
            Sides::Client => false,
        }
    }
}

/// Where generated code finds its runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runtime {
    /// Copied next to the generated code, byte for byte as tested.
    Copy,
    /// A package that the generated code depends on.
    Package,
}

/// A part of a runtime: files that belong together, and the parts that they need.
///
/// A part whose name joins others by `+` is common to them, and is needed if all of them are.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    pub name: &'static str,
    pub needs: &'static [&'static str],
    /// Path and text of each file.
    pub files: &'static [(&'static str, &'static str)],
}

/// The texts of a runtime, which `creo-embed` has compressed. They are kept for ever.
///
/// # Panics
/// If the bytes are others.
pub fn unpacked(packed: &[u8]) -> &'static str {
    let texts = miniz_oxide::inflate::decompress_to_vec(packed).expect("compressed by creo-embed");
    Box::leak(String::from_utf8(texts).expect("texts").into_boxed_str())
}

/// The files of a part: their paths and lengths, and their texts one after the other.
pub fn texts(
    texts: &'static str,
    files: &[(&'static str, usize)],
) -> &'static [(&'static str, &'static str)] {
    let mut rest = texts;
    let files = files.iter().map(|(path, length)| {
        let (text, others) = rest.split_at(*length);
        rest = others;
        (*path, text)
    });
    Box::leak(files.collect())
}

/// The parts of a runtime needed for a choice of wires, sides and modules, in the order of the list. The parts for streams are those that
/// have `streams` in their names, joined to the part that they extend.
pub fn needed_parts(
    parts: &'static [Part],
    wires: Wires,
    sides: Sides,
    streams: bool,
    modules: &[&'static Part],
) -> Vec<&'static Part> {
    let mut wanted: Vec<&str> = wires.iter().flat_map(|wire| wire.parts().iter().copied()).collect();
    wanted.extend(modules.iter().flat_map(|module| module.needs));
    if sides.service() {
        wanted.push("host");
    }
    if streams {
        wanted.push("streams");
    }
    parts_below(parts, wanted)
}

/// The wanted parts with their dependencies and common parts, in the order of the list. Parts that are not on the list are ignored.
pub fn parts_below(parts: &'static [Part], wanted: Vec<&'static str>) -> Vec<&'static Part> {
    let mut wanted = wanted;
    // A part needs only earlier parts, so one pass from the end finds the dependencies; a joint part can add more, so the pass is repeated.
    let mut needed = vec![false; parts.len()];
    loop {
        let before = wanted.len();
        for (at, part) in parts.iter().enumerate().rev() {
            let joint =
                part.name.contains('+') && part.name.split('+').all(|joined| wanted.contains(&joined));
            if !needed[at] && (joint || wanted.contains(&part.name)) {
                needed[at] = true;
                wanted.push(part.name);
                wanted.extend(part.needs);
            }
        }
        if wanted.len() == before {
            break;
        }
    }
    parts.iter().zip(needed).filter_map(|(part, needed)| needed.then_some(part)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LADDER: &[Part] = &[
        Part { name: "base", needs: &[], files: &[] },
        Part { name: "binary", needs: &["base"], files: &[] },
        Part { name: "tcp", needs: &["binary"], files: &[] },
        Part { name: "text", needs: &["base"], files: &[] },
        Part { name: "json", needs: &["text"], files: &[] },
        Part { name: "xml", needs: &["text"], files: &[] },
        Part { name: "soap", needs: &["xml"], files: &[] },
        Part { name: "tdxml", needs: &["xml"], files: &[] },
        Part { name: "http", needs: &["text"], files: &[] },
        Part { name: "tcp+tdxml", needs: &["tcp", "tdxml"], files: &[] },
        Part { name: "host", needs: &["tcp", "http"], files: &[] },
        Part { name: "host+soap", needs: &["host", "soap"], files: &[] },
        Part { name: "tcp+streams", needs: &["tcp"], files: &[] },
        Part { name: "host+streams", needs: &["host", "tcp+streams"], files: &[] },
    ];

    fn names(wires: &[Wire], sides: Sides) -> String {
        let wires = Wires::of(wires.iter().copied());
        let parts = needed_parts(LADDER, wires, sides, false, &[]);
        parts.iter().map(|part| part.name).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_module_brings_what_it_needs() {
        const JMS: Part = Part { name: "jms", needs: &["soap"], files: &[] };
        let parts = needed_parts(LADDER, Wires::of([Wire::Binary]), Sides::Client, false, &[&JMS]);
        let names: Vec<&str> = parts.iter().map(|part| part.name).collect();
        assert_eq!(names.join(" "), "base binary tcp text xml soap");
    }

    #[test]
    fn streams_come_with_what_carries_them() {
        let names = |wire, sides| {
            let parts = needed_parts(LADDER, Wires::of([wire]), sides, true, &[]);
            parts.iter().map(|part| part.name).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names(Wire::Binary, Sides::Client), "base binary tcp tcp+streams");
        assert_eq!(names(Wire::Json, Sides::Client), "base text json http");
        let both = "base binary tcp text http host tcp+streams host+streams";
        assert_eq!(names(Wire::Binary, Sides::Both), both);
    }

    #[test]
    fn only_what_a_wire_needs_goes_out() {
        assert_eq!(names(&[Wire::Binary], Sides::Client), "base binary tcp");
        assert_eq!(names(&[Wire::Json], Sides::Client), "base text json http");
        assert_eq!(names(&[Wire::Soap], Sides::Client), "base text xml soap http");
        assert_eq!(names(&[Wire::Binary], Sides::Both), "base binary tcp text http host");
        assert_eq!(
            names(&[Wire::Binary, Wire::Tdxml], Sides::Client),
            "base binary tcp text xml tdxml http tcp+tdxml"
        );
        assert_eq!(names(&Wire::ALL, Sides::Both).split(' ').count(), LADDER.len() - 2);
        assert_eq!(names(&[], Sides::Client), "");
    }
}
