//! The address and wire of a call.

use std::fmt;

/// A service host as given on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// `host:port`, or `tls://host:port`
    Tcp { host: String, port: u16, tls: bool },
    /// `http://host:port/path`, or `https://`; an empty path means the interface's default.
    Http { host: String, port: u16, path: String, tls: bool },
}

/// A wire for calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    Binary,
    Json,
    Soap,
}

impl Wire {
    pub fn name(self) -> &'static str {
        match self {
            Wire::Binary => "binary",
            Wire::Json => "json",
            Wire::Soap => "soap",
        }
    }
}

impl fmt::Display for Wire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Target {
    /// Parses `host:port`, `[::1]:port`, `tls://host:port`, `http://host:port/path` or `https://`. The error explains the mistake.
    pub fn parse(text: &str) -> Result<Target, String> {
        if text.bytes().any(|b| !(0x21..=0x7e).contains(&b)) {
            return Err("it has a character that no address has".to_owned());
        }
        let Some((scheme, rest)) = text.split_once("://") else {
            let (host, port) = authority(text, None)?;
            return Ok(Target::Tcp { host, port, tls: false });
        };
        let scheme = scheme.to_ascii_lowercase();
        match scheme.as_str() {
            "http" | "https" => {
                let tls = scheme == "https";
                let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
                let (host, port) = authority(&rest[..end], Some(if tls { 443 } else { 80 }))?;
                let path = &rest[end..];
                if path.contains(['?', '#']) {
                    return Err(
                        "it has a query or a fragment, and a path alone names an interface".to_owned()
                    );
                }
                Ok(Target::Http { host, port, path: path.trim_end_matches('/').to_owned(), tls })
            }
            "tcp" | "tls" => {
                let (host, port) = authority(rest, None)?;
                Ok(Target::Tcp { host, port, tls: scheme == "tls" })
            }
            _ => Err(format!("{scheme} is no scheme that is known here: tcp, tls, http, https")),
        }
    }

    /// Whether the connection is encrypted.
    pub fn tls(&self) -> bool {
        match self {
            Target::Tcp { tls, .. } | Target::Http { tls, .. } => *tls,
        }
    }

    pub fn host(&self) -> &str {
        match self {
            Target::Tcp { host, .. } | Target::Http { host, .. } => host,
        }
    }

    pub fn port(&self) -> u16 {
        match self {
            Target::Tcp { port, .. } | Target::Http { port, .. } => *port,
        }
    }

    /// `host:port`, with an IPv6 address in brackets.
    pub fn authority(&self) -> String {
        let host = self.host();
        if host.contains(':') {
            format!("[{host}]:{}", self.port())
        } else {
            format!("{host}:{}", self.port())
        }
    }
}

fn authority(text: &str, default: Option<u16>) -> Result<(String, u16), String> {
    if text.contains('@') {
        return Err("it has a user; give credentials with --header or --metadata".to_owned());
    }
    let (host, port) = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((host, rest)) => (host, rest.strip_prefix(':').or(rest.is_empty().then_some(""))),
        None => text.rsplit_once(':').map_or((text, Some("")), |(host, port)| (host, Some(port))),
    };
    if host.is_empty() || host.contains('/') || (!text.starts_with('[') && host.contains(':')) {
        return Err("write it as host:port".to_owned());
    }
    match (port, default) {
        (Some(""), Some(port)) => Ok((host.to_owned(), port)),
        (Some(port), _) if port.bytes().all(|b| b.is_ascii_digit()) => match port.parse() {
            Ok(number) if number > 0 => Ok((host.to_owned(), number)),
            _ => Err("a port is a number from 1 to 65535: write it as host:port".to_owned()),
        },
        _ => Err("a port is a number from 1 to 65535: write it as host:port".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        let tcp = |host: &str, port, tls| Ok(Target::Tcp { host: host.to_owned(), port, tls });
        let http = |host: &str, port, path: &str, tls| {
            Ok(Target::Http { host: host.to_owned(), port, path: path.to_owned(), tls })
        };
        assert_eq!(Target::parse("localhost:7400"), tcp("localhost", 7400, false));
        assert_eq!(Target::parse("tcp://[::1]:1"), tcp("::1", 1, false));
        assert_eq!(Target::parse("tls://h:1"), tcp("h", 1, true));
        assert_eq!(Target::parse("[::1]:65535").map(|t| t.authority()), Ok("[::1]:65535".to_owned()));
        assert_eq!(Target::parse("http://h/Weather/"), http("h", 80, "/Weather", false));
        assert_eq!(Target::parse("HTTP://h:8080"), http("h", 8080, "", false));
        assert_eq!(Target::parse("https://h/a"), http("h", 443, "/a", true));
        assert_eq!(Target::parse("HTTPS://h:8443"), http("h", 8443, "", true));
        for wrong in [
            "",
            "h",
            ":1",
            "h:",
            "h:0",
            "h:65536",
            "h:+1",
            "::1:7",
            "[::1]7",
            "h:1/x",
            "http://u@h/",
            "http://h/?wsdl",
            "ftp://h:1",
            "tls://h",
            "https://h/?wsdl",
            "h\u{1b}:1",
            "h :1",
        ] {
            assert!(Target::parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
