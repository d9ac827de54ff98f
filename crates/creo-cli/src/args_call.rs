//! The command line of `creo call`.

use clap::{Args as ClapArgs, ValueEnum};
use std::path::PathBuf;

/// The longest time that a frame can say (TCP-12), in seconds.
const MAX_DEADLINE: f64 = 4_294_967.0;

#[derive(Debug, ClapArgs)]
pub struct CallArgs {
    /// Where: `host:port` for the binary wire over TCP, `http://host:port/path` for JSON or SOAP; without a path, that of the interface's name
    #[arg(value_name = "TARGET")]
    pub target: String,
    /// What: `Interface.method`, or the method's name alone
    #[arg(value_name = "METHOD")]
    pub method: String,
    /// The parameters, a JSON object of their names; `@FILE` reads a file, `-` standard input
    #[arg(value_name = "JSON", default_value = "{}")]
    pub request: String,
    /// The description of the service, or its WSDL; without it, the host is asked, which answers if its reflection is switched on
    #[arg(short, long, value_name = "FILE")]
    pub description: Option<PathBuf>,
    /// The wire: binary over TCP; over HTTP json, or soap if the description says anything of its XML
    #[arg(short, long, value_enum, value_name = "WIRE")]
    pub wire: Option<CallWire>,
    /// A field of the request over HTTP; may be given several times
    #[arg(long, value_name = "NAME: VALUE", value_parser = header)]
    pub header: Vec<(String, String)>,
    /// A pair of the call's metadata; may be given several times
    #[arg(long, value_name = "KEY=VALUE", value_parser = metadata)]
    pub metadata: Vec<(String, String)>,
    /// The time of the call, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = deadline)]
    pub deadline: f64,
    /// Show what is sent and received on standard error: binary messages byte by byte, as `creo inspect` does
    #[arg(short, long)]
    pub verbose: bool,
}

#[derive(Debug, ClapArgs)]
pub struct ListArgs {
    /// Where: `host:port`, of a port that speaks the binary wire
    #[arg(value_name = "TARGET")]
    pub target: String,
    /// How the result is written
    #[arg(long, value_enum, default_value_t = ListFormat::Text)]
    pub format: ListFormat,
    /// Write the descriptions of the interfaces below this folder, and list the files
    #[arg(long, value_name = "FOLDER")]
    pub save: Option<PathBuf>,
    /// A pair of the calls' metadata; may be given several times
    #[arg(long, value_name = "KEY=VALUE", value_parser = metadata)]
    pub metadata: Vec<(String, String)>,
    /// The time of each call, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = deadline)]
    pub deadline: f64,
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

fn deadline(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.001..=MAX_DEADLINE).contains(&seconds) => Ok(seconds),
        _ => Err(format!("a time is a number of seconds from 0.001 to {MAX_DEADLINE}")),
    }
}
