//! One change: its kind, description, and whom it breaks.

use creo_model::Method;
use std::sync::Arc;

/// Full names, shared between changes: thousands of types may each be carried by thousands of methods.
pub type Names = Arc<[Arc<str>]>;

/// What changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Noun {
    Package,
    Type,
    Field,
    Member,
    Constant,
    Interface,
    Method,
    Parameter,
}

impl Noun {
    pub fn word(self) -> &'static str {
        match self {
            Noun::Package => "package",
            Noun::Type => "type",
            Noun::Field => "field",
            Noun::Member => "member",
            Noun::Constant => "constant",
            Noun::Interface => "interface",
            Noun::Method => "method",
            Noun::Parameter => "parameter",
        }
    }
}

/// How it changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verb {
    Added,
    Removed,
    Renamed,
    /// Its type, result, exceptions, number, kind, or whether it is extensible or `oneway`.
    Altered,
    /// The order of a list.
    Reordered,
    /// Its default.
    Defaulted,
    /// Documentation and annotations, which are never sent.
    Described,
}

impl Verb {
    pub fn word(self) -> &'static str {
        match self {
            Verb::Added => "added",
            Verb::Removed => "removed",
            Verb::Renamed => "renamed",
            Verb::Altered => "altered",
            Verb::Reordered => "reordered",
            Verb::Defaulted => "defaulted",
            Verb::Described => "described",
        }
    }
}

/// Which side fails on a wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Breaks {
    /// Old clients with the new service.
    pub old_clients: bool,
    /// New clients with the old service.
    pub new_clients: bool,
}

impl Breaks {
    pub const NOBODY: Breaks = Breaks { old_clients: false, new_clients: false };
    pub const EVERYBODY: Breaks = Breaks { old_clients: true, new_clients: true };

    /// Those who fail on a text wire, of all who would: a client whose description has streams there does not call the method (CALL-47).
    pub(crate) fn on_text(self, old: &Method, new: &Method) -> Breaks {
        Breaks {
            old_clients: self.old_clients && !old.has_streams(),
            new_clients: self.new_clients && !new.has_streams(),
        }
    }

    pub fn is_nobody(self) -> bool {
        self == Breaks::NOBODY
    }
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub noun: Noun,
    pub verb: Verb,
    /// The full name of the changed element, such as `org.example.data.Data.samples`: the new name for an addition, else the old one.
    pub place: String,
    /// A sentence without its full stop.
    pub text: String,
    /// On the binary wire.
    pub binary: Breaks,
    /// On the text wires.
    pub named: Breaks,
    /// Whether some calls on the binary wire keep their ids, so values are misread instead of refused.
    pub unnoticed: bool,
    /// The full old names of the methods that it breaks on some wire, sorted.
    pub methods: Arc<[Arc<str>]>,
}

impl Change {
    /// Whether any side fails on any wire.
    pub fn breaks(&self) -> bool {
        !self.binary.is_nobody() || !self.named.is_nobody()
    }

    /// A keyword for tools: `field-added`.
    pub fn word(&self) -> String {
        format!("{}-{}", self.noun.word(), self.verb.word())
    }
}
