//! The kinds and flags of frames, and how other protocols begin (`spec/transports/tcp.md`, sections 1 and 2).

/// A frame's kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Request,
    Response,
    Exception,
    Error,
    Data,
    Cancel,
    Ping,
    Pong,
    Goodbye,
    Items,
    Credit,
}

/// The ability of the sixth byte of a preamble (TCP-1).
pub(crate) const READS_COMPRESSED: u8 = 0x01;

pub(crate) const MORE: u8 = 0x01;
pub(crate) const COMPRESSED: u8 = 0x02;
pub(crate) const METADATA: u8 = 0x04;
pub(crate) const END: u8 = 0x08;

impl Kind {
    const ALL: [Kind; 11] = [
        Kind::Request,
        Kind::Response,
        Kind::Exception,
        Kind::Error,
        Kind::Data,
        Kind::Cancel,
        Kind::Ping,
        Kind::Pong,
        Kind::Goodbye,
        Kind::Items,
        Kind::Credit,
    ];

    pub(crate) fn from_number(number: u8) -> Option<Kind> {
        Kind::ALL.get(usize::from(number).wrapping_sub(1)).copied()
    }

    pub(crate) fn number(self) -> u8 {
        Kind::ALL.iter().position(|kind| *kind == self).map_or(0, |index| index as u8 + 1)
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Kind::Request => "request",
            Kind::Response => "response",
            Kind::Exception => "exception",
            Kind::Error => "error",
            Kind::Data => "data",
            Kind::Cancel => "cancel",
            Kind::Ping => "ping",
            Kind::Pong => "pong",
            Kind::Goodbye => "goodbye",
            Kind::Items => "items",
            Kind::Credit => "credit",
        }
    }

    /// The flags defined for the kind.
    pub(crate) fn flags(self) -> u8 {
        match self {
            Kind::Request | Kind::Response | Kind::Exception | Kind::Error => MORE | COMPRESSED | METADATA,
            Kind::Data => MORE,
            Kind::Items => END,
            Kind::Cancel | Kind::Ping | Kind::Pong | Kind::Goodbye | Kind::Credit => 0,
        }
    }

    /// The minimum length: kind, flags and call id, and what else every frame of the kind has.
    pub(crate) fn least_length(self) -> usize {
        match self {
            Kind::Request => 18,
            Kind::Credit => 10,
            Kind::Response | Kind::Exception | Kind::Error | Kind::Data | Kind::Items => 6,
            Kind::Cancel | Kind::Ping | Kind::Pong | Kind::Goodbye => 6,
        }
    }

    /// Whether a body may follow.
    pub(crate) fn has_body(self) -> bool {
        match self {
            Kind::Request | Kind::Response | Kind::Exception | Kind::Error | Kind::Data | Kind::Items => true,
            Kind::Cancel | Kind::Ping | Kind::Pong | Kind::Goodbye | Kind::Credit => false,
        }
    }

    /// Whether the frame may stand between those of a chain (TCP-6).
    pub(crate) fn may_interrupt(self) -> bool {
        matches!(self, Kind::Cancel | Kind::Ping | Kind::Pong | Kind::Goodbye)
    }
}

/// The names of the flags that are set.
pub(crate) fn flag_words(flags: u8) -> String {
    let all = [(MORE, "more"), (COMPRESSED, "compressed"), (METADATA, "metadata"), (END, "end")];
    let names: Vec<&str> = all.into_iter().filter(|(bit, _)| flags & bit != 0).map(|(_, n)| n).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// The protocol that bytes other than a preamble look like (TCP-2). `None` if they look like no known one.
pub(crate) fn foreign_protocol(bytes: &[u8]) -> Option<&'static str> {
    const HTTP: [&[u8]; 10] = [
        b"HTTP/",
        b"GET ",
        b"HEAD ",
        b"POST ",
        b"PUT ",
        b"DELETE ",
        b"OPTIONS ",
        b"CONNECT ",
        b"TRACE ",
        b"PATCH ",
    ];
    if HTTP.iter().any(|start| bytes.starts_with(start)) {
        return Some("HTTP");
    }
    matches!(bytes, [0x16 | 0x15, 0x03, ..]).then_some("TLS")
}
