//! The command line of `creo call`.

use clap::{Args as ClapArgs, ValueEnum};
use std::path::PathBuf;

/// The longest time in a frame (TCP-12), in seconds.
const MAX_DEADLINE: f64 = 4_294_967.0;

#[derive(Debug, ClapArgs)]
pub struct CallArgs {
    /// The address: `host:port` for the binary wire over TCP, `http://host:port/path` for JSON or SOAP; the default path is the interface's
    /// name. With TLS: `tls://host:port`, `https://host:port/path`
    #[arg(value_name = "TARGET")]
    pub target: String,
    /// `Interface.method`, or only the method's name
    #[arg(value_name = "METHOD")]
    pub method: String,
    /// The parameters as a JSON object by name; `@FILE` reads a file, `-` standard input. The items of a parameter that is a stream come from
    /// standard input, one JSON value per line
    #[arg(value_name = "JSON", default_value = "{}")]
    pub request: String,
    /// The description of the service, or its WSDL; by default the host is asked, which answers if its reflection is enabled
    #[arg(short, long, value_name = "FILE")]
    pub description: Option<PathBuf>,
    /// The wire: binary over TCP; over HTTP json, or soap if the description has XML annotations
    #[arg(short, long, value_enum, value_name = "WIRE")]
    pub wire: Option<CallWire>,
    /// An HTTP header field of the request; may be given several times
    #[arg(long, value_name = "NAME: VALUE", value_parser = header)]
    pub header: Vec<(String, String)>,
    /// Basic authentication over HTTP, through TLS or on this machine; other users of the machine may see the command
    #[arg(long, value_name = "USER:PASSWORD")]
    pub user: Option<String>,
    /// Digest authentication over HTTP, which does not send the password; not for a call that sends a stream
    #[arg(long, value_name = "USER:PASSWORD", conflicts_with = "user")]
    pub digest: Option<String>,
    /// A metadata entry of the call; may be given several times
    #[arg(long, value_name = "KEY=VALUE", value_parser = metadata)]
    pub metadata: Vec<(String, String)>,
    /// A header element of a SOAP answer that may be skipped although it must be understood: `{namespace}name`; may be given several times
    #[arg(long, value_name = "NAME", value_parser = understood)]
    pub understood: Vec<String>,
    /// Read a SOAP answer leniently, for a service whose answers do not follow its description: what is not declared is skipped
    #[arg(long)]
    pub lenient: bool,
    /// The timeout of the call, in seconds; 60 by default, and none if the method has streams
    #[arg(long, value_name = "SECONDS", value_parser = deadline)]
    pub deadline: Option<f64>,
    #[command(flatten)]
    pub tls: TlsArgs,
    /// Show sent and received data on standard error: binary messages byte by byte, as `creo inspect` does
    #[arg(short, long)]
    pub verbose: bool,
}

#[derive(Debug, ClapArgs)]
pub struct ListArgs {
    /// The address: `host:port` of a port with the binary wire, or `tls://host:port`
    #[arg(value_name = "TARGET")]
    pub target: String,
    /// The output format
    #[arg(long, value_enum, default_value_t = ListFormat::Text)]
    pub format: ListFormat,
    /// Write the descriptions of the interfaces to this folder, and list the files
    #[arg(long, value_name = "FOLDER")]
    pub save: Option<PathBuf>,
    /// A metadata entry of the calls; may be given several times
    #[arg(long, value_name = "KEY=VALUE", value_parser = metadata)]
    pub metadata: Vec<(String, String)>,
    /// The timeout of each call, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = deadline)]
    pub deadline: f64,
    #[command(flatten)]
    pub tls: TlsArgs,
}

/// For connections with TLS.
#[derive(Debug, ClapArgs)]
pub struct TlsArgs {
    /// Trust the authorities in this file alone, in PEM, instead of those of the system
    #[arg(long, value_name = "FILE")]
    pub cacert: Option<PathBuf>,
    /// The client's certificate and its chain, in PEM
    #[arg(long, value_name = "FILE", requires = "key")]
    pub cert: Option<PathBuf>,
    /// The key of the client's certificate, in PEM
    #[arg(long, value_name = "FILE", requires = "cert")]
    pub key: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ListFormat {
    Text,
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CallWire {
    Binary,
    Json,
    Soap,
    Tdxml,
}

fn header(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once(':').ok_or("write it as `Name: value`")?;
    Ok((name.to_owned(), value.trim().to_owned()))
}

fn metadata(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("write it as `key=value`")?;
    Ok((key.to_owned(), value.to_owned()))
}

/// SOAP-25
fn understood(text: &str) -> Result<String, String> {
    let local = match text.strip_prefix('{').map(|rest| rest.split_once('}')) {
        Some(Some((namespace, local))) if !namespace.is_empty() && !namespace.contains(['{', ' ']) => local,
        Some(_) => "",
        None => text,
    };
    let is_name = !local.is_empty() && !local.contains(|c: char| c.is_whitespace() || "{}:".contains(c));
    if is_name { Ok(text.to_owned()) } else { Err("a header element is `{namespace}name`".to_owned()) }
}

fn deadline(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.001..=MAX_DEADLINE).contains(&seconds) => Ok(seconds),
        _ => Err(format!("a time is a number of seconds from 0.001 to {MAX_DEADLINE}")),
    }
}
