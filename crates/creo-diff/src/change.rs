//! One change: what, how, and whom it breaks.

use std::sync::Arc;

/// Full names, shared between all changes that have the same: thousands of types may each be carried by thousands of methods.
pub type Names = Arc<[Arc<str>]>;

/// What kind of thing changed.
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
    /// Documentation and annotations: nothing that travels.
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

/// Who fails on a wire.
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

    pub fn is_nobody(self) -> bool {
        self == Breaks::NOBODY
    }
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub noun: Noun,
    pub verb: Verb,
    /// Full name of what changed: `org.example.data.Data.samples`; of what is new for an addition, of what was before for all others.
    pub place: String,
    /// A sentence without its full stop.
    pub text: String,
    /// On the binary wire.
    pub binary: Breaks,
    /// On the text wires.
    pub named: Breaks,
    /// Whether some calls on the binary wire keep their ids, so that values are misread instead of refused.
    pub unnoticed: bool,
    /// The full names of the methods that it breaks on some wire, as they were before, sorted.
    pub methods: Arc<[Arc<str>]>,
}

impl Change {
    /// Whether anybody fails on any wire.
    pub fn breaks(&self) -> bool {
        !self.binary.is_nobody() || !self.named.is_nobody()
    }

    /// A word for tools: `field-added`.
    pub fn word(&self) -> String {
        format!("{}-{}", self.noun.word(), self.verb.word())
    }
}
