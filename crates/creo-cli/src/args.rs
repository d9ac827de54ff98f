//! The command line.

use crate::args_call::{CallArgs, ListArgs};
use crate::git::GitRef;
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Describe a service once; get services and clients in every language.
#[derive(Debug, Parser)]
#[command(
    name = "creo",
    version,
    max_term_width = 100,
    arg_required_else_help = true,
    disable_help_subcommand = true
)]
#[command(
    after_help = "Exit codes: 0 all is well, 1 failure, 2 wrong usage, 3 an exception that the called method declares, 100 findings (mistakes in a description, differences, breaking changes)."
)]
pub struct Args {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub command: Command,
}

/// The options of every command.
#[derive(Clone, Debug, ClapArgs)]
pub struct Common {
    /// How diagnostics and failures are written to standard error
    #[arg(long, value_enum, default_value_t = ErrorFormat::Text, global = true, value_name = "FORMAT")]
    pub error_format: ErrorFormat,
    /// When to use colours; `auto` also obeys NO_COLOR
    #[arg(long, value_enum, default_value_t = ColorChoice::Auto, global = true, value_name = "WHEN")]
    pub color: ColorChoice,
    /// Show all diagnostics, not the first 50
    #[arg(long, global = true)]
    pub all: bool,
    /// Report only problems
    #[arg(short, long, global = true)]
    pub quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ErrorFormat {
    /// For people: the source line with a caret
    Text,
    /// For programs: one JSON object per line
    Json,
    /// For MSBuild and editors that read its output: `FILE(LINE,COLUMN): error CODE: TEXT`
    Msbuild,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check descriptions; write nothing
    Check(CheckArgs),
    /// Format descriptions in place
    Fmt(FmtArgs),
    /// Generate code from a description
    Generate(GenerateArgs),
    /// Make packages for distribution: a JAR, a wheel, a C source archive, a NuGet package
    Pack(PackArgs),
    /// Make a description from a WSDL or XML Schema
    Import(ImportArgs),
    /// Write the model of a description as JSON
    Model(ModelArgs),
    /// Show a value or message byte by byte
    Inspect(InspectArgs),
    /// Call a method of a running service
    Call(CallArgs),
    /// List the interfaces and methods of a running host with reflection
    List(ListArgs),
    /// Write documents for other tools: WSDL, OpenAPI
    Export(ExportArgs),
    /// Convert any XML document to a table of the tdxml wire, and back
    Tdxml(TdxmlArgs),
    /// Measure the cost of serialization on this machine: a profile for `estimate`
    Calibrate(CalibrateArgs),
    /// Estimate the cost of each method on each binding: bytes, time, cores
    Estimate(EstimateArgs),
    /// Simulate how many hosts a load needs, and how fast calls are
    Capacity(Box<CapacityArgs>),
    /// The old name of `capacity`
    #[command(hide = true)]
    Plan(Box<CapacityArgs>),
    /// Start a project: description, service, clients, build files
    New(NewArgs),
    /// Show which changes between two descriptions break which users
    Diff(DiffArgs),
    /// Explain the code of a diagnostic or error
    Explain(ExplainArgs),
    /// Write completions for a shell
    Completions(CompletionsArgs),
}

#[derive(Debug, ClapArgs)]
pub struct CheckArgs {
    /// The descriptions; their imports are checked as well
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub struct FmtArgs {
    /// The descriptions; `-` reads standard input and writes standard output
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Write nothing; list the files that are not formatted
    #[arg(long)]
    pub check: bool,
    /// Write nothing; show the changes
    #[arg(long)]
    pub diff: bool,
}

#[derive(Debug, ClapArgs)]
pub struct GenerateArgs {
    /// The descriptions; several become one model, and share one runtime. Without any, `creo.toml` decides what to generate
    #[arg(value_name = "FILE", requires_all = ["target", "out"])]
    pub files: Vec<PathBuf>,
    #[arg(short, long, value_delimiter = ',', value_name = "NAMES", requires = "files")]
    #[arg(help = format!("What to generate: {}, or `NAME` for the program creo-gen-NAME", creo_targets::names()))]
    pub target: Vec<String>,
    /// The output folder; each target gets a subfolder with its name
    #[arg(short, long, value_name = "DIR", requires = "files")]
    pub out: Option<PathBuf>,
    /// Write nothing; list the files that differ from what would be generated
    #[arg(long, conflicts_with_all = ["prune", "force"])]
    pub check: bool,
    /// Where generated code finds its runtime
    #[arg(long, value_enum, value_name = "MODE", requires = "files")]
    pub runtime: Option<RuntimeMode>,
    /// The package for the copied runtime, to avoid collisions with other copies: `org.example.lab.creo`
    #[arg(long, value_name = "NAME", requires = "files")]
    pub runtime_package: Option<String>,
    /// The wires of the code: binary, soap, tdxml, json, all. By default, a copied runtime has binary and json, and soap if the description has `@Xml`
    #[arg(long, value_delimiter = ',', value_name = "WIRES", requires = "files")]
    pub wires: Vec<String>,
    /// The sides of calls in the code; a target without service hosts has only the client's
    #[arg(long, value_enum, value_name = "SIDES", requires = "files")]
    pub sides: Option<SidesOfCalls>,
    /// Modules to copy with the runtime: balance, retries, jms, jms-broker, opentelemetry, wss
    #[arg(long, value_delimiter = ',', value_name = "MODULES", requires = "files")]
    pub with: Vec<String>,
    /// Remove files that were generated earlier and no longer are
    #[arg(long)]
    pub prune: bool,
    /// Overwrite files that creo did not generate, or that were changed
    #[arg(long)]
    pub force: bool,
    /// The time limit of a third-party target
    #[arg(long, default_value_t = 60, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub timeout: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RuntimeMode {
    /// Copied next to the code (the default)
    #[default]
    Copy,
    /// A package that the code depends on
    Package,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SidesOfCalls {
    /// Clients
    Client,
    /// Services
    Service,
    /// Both, where the target has service hosts (the default)
    #[default]
    Both,
}

#[derive(Debug, ClapArgs)]
pub struct PackArgs {
    /// The descriptions; several become one package. Without any, those of `creo.toml`
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The version of the packages: `1.4.0`, or one before it: `1.4.0-alpha.1`, `1.4.0-beta.2`, `1.4.0-rc.3`
    #[arg(long, value_name = "VERSION")]
    pub version: String,
    /// The name of the packages; by default that of the first description
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    #[arg(short, long, value_delimiter = ',', value_name = "NAMES")]
    #[arg(help = format!("What to pack: {}; all of them, or those of `creo.toml`, unless it is said", creo_targets::names()))]
    pub target: Vec<String>,
    /// The output folder
    #[arg(short, long, value_name = "DIR", default_value = "dist")]
    pub out: PathBuf,
    /// The package of the code, instead of that of the first description; other packages become its subpackages
    #[arg(long, value_name = "PACKAGE")]
    pub package: Option<String>,
    /// Whether the packages contain the runtime, in its own package, or depend on a package with it
    #[arg(long, value_enum, value_name = "MODE", default_value_t = RuntimeMode::Copy)]
    pub runtime: RuntimeMode,
    /// The registry's coordinates of the runtime's package, with `--runtime package`: `java=GROUP:ARTIFACT:VERSION`, `python=REQUIREMENT`,
    /// `c=MODULE`, `csharp=ID/VERSION`
    #[arg(long, value_name = "TARGET=COORDINATES")]
    pub runtime_from: Vec<String>,
    /// The wires of the code: binary, soap, tdxml, json, all. By default those of `creo generate`
    #[arg(long, value_delimiter = ',', value_name = "WIRES")]
    pub wires: Vec<String>,
    /// The sides of calls in the code; a target without service hosts has only the client's
    #[arg(long, value_enum, value_name = "SIDES", default_value_t = SidesOfCalls::Client)]
    pub sides: SidesOfCalls,
    /// Make no documentation JAR, which takes up to half of the time
    #[arg(long)]
    pub no_docs: bool,
}

#[derive(Debug, ClapArgs)]
pub struct ImportArgs {
    /// The WSDL 1.1, or an XML Schema
    pub file: PathBuf,
    /// The output folder: the description gets the name of the file
    #[arg(short, long, value_name = "DIR")]
    pub out: PathBuf,
    /// The package; by default derived from the target namespace
    #[arg(long, value_name = "NAME")]
    pub package: Option<String>,
    /// The file for a location or namespace imported by the WSDL; or a folder that is searched by name and namespace. Nothing is ever fetched
    #[arg(long, value_name = "LOCATION=FILE|DIR")]
    pub include: Vec<String>,
    /// Only the operations of this port; may be given several times
    #[arg(long, value_name = "NAME")]
    pub port: Vec<String>,
    /// Only this operation, as `Operation` or `PortType.Operation`, and the types that it uses; may be given several times
    #[arg(long, value_name = "NAME")]
    pub operation: Vec<String>,
    /// Write nothing if anything is omitted
    #[arg(long)]
    pub strict: bool,
    /// Declare all types, including those that no method uses
    #[arg(long)]
    pub all_types: bool,
    /// Declare elements and attributes as optional, whatever the schema says: for a partner whose answers leave out what it requires
    #[arg(long)]
    pub lenient: bool,
    /// Overwrite an existing description
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, ClapArgs)]
pub struct ModelArgs {
    /// The description
    pub file: PathBuf,
}

#[derive(Debug, ClapArgs)]
#[command(group = clap::ArgGroup::new("input").required(true).args(["value", "hex", "sample", "log"]))]
#[command(group = clap::ArgGroup::new("part").args(["request", "response", "exception"]))]
pub struct InspectArgs {
    /// The description
    pub file: PathBuf,
    /// The type of a single value: `Data`, `org.example.data.Data`, `double[]`, `Map<String, Data>`
    #[arg(long = "type", value_name = "TYPE", conflicts_with_all = ["method", "part", "frame"])]
    pub ty: Option<String>,
    /// The method of a message: `retrieveData`, `DataService.retrieveData`
    #[arg(long, value_name = "METHOD")]
    pub method: Option<String>,
    /// The parameters of the method (the default)
    #[arg(long, requires = "method")]
    pub request: bool,
    /// The result of the method
    #[arg(long, requires = "method")]
    pub response: bool,
    /// An exception of the method
    #[arg(long, requires = "method")]
    pub exception: bool,
    /// The value as JSON; `@FILE` reads it from a file, `@-` from standard input
    #[arg(long, value_name = "JSON")]
    pub value: Option<String>,
    /// Bytes in hexadecimal, or a dump by hexdump -C or xxd; `@FILE` reads them from a file, `@-` from standard input
    #[arg(long, value_name = "HEX")]
    pub hex: Option<String>,
    /// An example value
    #[arg(long)]
    pub sample: bool,
    /// Raw messages as a runtime logs them; `@FILE` reads them from a file, `@-` from standard input
    #[arg(long, value_name = "LOG", conflicts_with_all = ["ty", "method", "frame"])]
    pub log: Option<String>,
    /// Whole frames of a connection instead of one body
    #[arg(long)]
    pub frame: bool,
    /// The output format
    #[arg(long, value_enum, default_value_t = InspectFormat::Text)]
    pub format: InspectFormat,
    /// The max number of listed items of an array or map
    #[arg(long, default_value_t = 16, value_name = "COUNT")]
    pub items: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum InspectFormat {
    /// The bytes, field by field
    Text,
    /// Bytes, value and fields
    Json,
    /// Only the bytes
    Hex,
}

#[derive(Debug, ClapArgs)]
pub struct ExportArgs {
    /// The format
    #[arg(value_enum)]
    pub format: ExportFormat,
    /// The description
    pub file: PathBuf,
    /// The interface, if there are several: `DataService`, `org.example.data.DataService`
    #[arg(long, value_name = "NAME")]
    pub interface: Option<String>,
    /// The address of the service, of HTTP or, for a WSDL, of JMS [default: `http://localhost/NAME`]
    #[arg(long, value_name = "URL")]
    pub address: Option<String>,
    /// Omit the port for SOAP 1.2 from a WSDL
    #[arg(long)]
    pub soap11: bool,
    /// The file to write, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// WSDL 1.1 with its schemas
    Wsdl,
    /// OpenAPI 3.1 of the json wire
    Openapi,
}

#[derive(Debug, ClapArgs)]
pub struct TdxmlArgs {
    #[command(subcommand)]
    pub command: TdxmlCommand,
}

#[derive(Debug, Subcommand)]
pub enum TdxmlCommand {
    /// Write an XML document as a table with its schema, to standard output
    Encode {
        /// The XML document; `-` reads standard input
        file: PathBuf,
        /// The scheme of the table
        #[arg(long, value_enum, default_value_t = SchemeName::Aggregated, value_name = "SCHEME")]
        scheme: SchemeName,
    },
    /// Write the XML document of a table with a schema to standard output
    Decode {
        /// The table; `-` reads standard input
        file: PathBuf,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SchemeName {
    /// A row for each value
    Aggregated,
    /// A row for each element with its values as columns
    Record,
}

#[derive(Debug, ClapArgs)]
pub struct CalibrateArgs {
    #[arg(short, long, value_delimiter = ',', value_name = "NAMES")]
    #[arg(help = format!("What to measure: {}; all whose tools are found, unless it is said", creo_measure::names()))]
    pub target: Vec<String>,
    /// Only these wires: `binary`, `soap`, `tdxml-record`, `json` and so on; `jaxb` and `xmlserializer` are other stacks
    #[arg(long, value_delimiter = ',', value_name = "WIRES")]
    pub wire: Vec<String>,
    /// Also measure other XML stacks: JAXB in Java, XmlSerializer in C#
    #[arg(long)]
    pub foreign: bool,
    /// Fewer lengths and rounds: a rough result in some minutes
    #[arg(long)]
    pub quick: bool,
    /// Also write the profile without covariances and lines, which are most of its size, for sharing
    #[arg(long, value_name = "FILE")]
    pub brief: Option<PathBuf>,
    /// Also write each measured time next to the fitted one, as CSV
    #[arg(long, value_name = "FILE")]
    pub residuals: Option<PathBuf>,
    /// The profile to write
    #[arg(short, long, value_name = "FILE")]
    pub out: PathBuf,
}

/// Assumptions about values and the network.
#[derive(Clone, Debug, ClapArgs)]
pub struct AssumeArgs {
    /// How long an array, map, `byte[]`, `String` or `Decimal` is: `Data.samples=1000`, `=10..1000`, `=uniform(10,1000)`, `=normal(100,20)`, `=geometric(50)`
    #[arg(long, value_name = "PATH=LENGTH")]
    pub length: Vec<String>,
    /// The share of values that are present, for an optional: `Query.atLeast=0.5`
    #[arg(long, value_name = "PATH=SHARE")]
    pub present: Vec<String>,
    /// The range of numbers, with decimal places: `Data.samples[]=0..500/2`
    #[arg(long, value_name = "PATH=RANGE")]
    pub value: Vec<String>,
    /// The nesting depth of values of a recursive type [default: 2]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u8).range(1..=20))]
    pub depth: Option<u8>,
    /// The share of strings with non-ASCII characters [default: 0]
    #[arg(long, value_name = "SHARE")]
    pub wide: Option<f64>,
    /// Bits per second between client and service: `100M`, `1G` [default: 1G]
    #[arg(long, value_name = "BITS")]
    pub bandwidth: Option<String>,
    /// The one-way latency: `50us`, `0.1ms` [default: 0.1ms]
    #[arg(long, value_name = "TIME")]
    pub latency: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub struct EstimateArgs {
    /// The description, or a WSDL
    pub file: PathBuf,
    #[command(flatten)]
    pub assume: AssumeArgs,
    /// Only these methods: `retrieveData`, `DataService.retrieveData`
    #[arg(long, value_delimiter = ',', value_name = "METHODS")]
    pub method: Vec<String>,
    /// Only these bindings, or those of a wire or transport: `soap+http`, `json`, `tcp`
    #[arg(long, value_delimiter = ',', value_name = "BINDINGS")]
    pub binding: Vec<String>,
    /// Only these targets of the profile
    #[arg(short, long, value_delimiter = ',', value_name = "NAMES")]
    pub target: Vec<String>,
    /// The profile from `creo calibrate`; by default the built-in one for this processor, or another; `none` for only bytes and network times
    #[arg(long, value_name = "FILE")]
    pub profile: Option<PathBuf>,
    /// The WS-Security of requests over SOAP: `token` or `digest` (a user's), `timestamp`, `sign`, `encrypt`; `user=`, `password=`, `certificate=`, `issuer=` BYTES and `serial=DIGITS` say how long its texts are
    #[arg(long, value_delimiter = ',', value_name = "PARTS", conflicts_with = "verify")]
    pub security: Vec<String>,
    /// That of responses: `sign`, `encrypt`
    #[arg(long, value_delimiter = ',', value_name = "PARTS", conflicts_with = "verify")]
    pub security_response: Vec<String>,
    /// Calls per second of each method: shows how many cores of the service they occupy
    #[arg(long, value_name = "CALLS")]
    pub rate: Option<f64>,
    /// Vary one length, and show where one binding overtakes another: `Data.samples=1..10000`
    #[arg(long, value_name = "PATH=RANGE")]
    pub over: Option<String>,
    /// Build and measure the messages of these methods, and show predicted next to measured times
    #[arg(long, conflicts_with = "over")]
    pub verify: bool,
    /// Verify in a few seconds: only whether it works, not the times
    #[arg(long, requires = "verify")]
    pub quick: bool,
    /// Also print the tables and assumptions instead of only the verdict
    #[arg(long)]
    pub all: bool,
    /// The output format
    #[arg(long, value_enum, default_value_t = EstimateFormat::Text)]
    pub format: EstimateFormat,
    /// The file to write, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

#[derive(Clone, Debug, ClapArgs)]
pub struct CapacityArgs {
    /// The description, or a WSDL
    pub file: PathBuf,
    /// A TOML file with the options; command-line options take precedence
    #[arg(long, value_name = "FILE")]
    pub scenario: Option<PathBuf>,
    /// How often a method is called: `retrieveData=500/s`, `=30/min`, `=100/h`
    #[arg(long, value_name = "METHOD=RATE")]
    pub call: Vec<String>,
    /// The processor time of the method itself: `retrieveData=2ms`, `=exponential(2ms)`, `=lognormal(2ms,1ms)`, `=uniform(1ms,3ms)`
    #[arg(long, value_name = "METHOD=TIME")]
    pub work: Vec<String>,
    /// How long the method waits without using a processor, for a database or a disk; as `--work`
    #[arg(long, value_name = "METHOD=TIME")]
    pub wait: Vec<String>,
    /// Processor time of the host for each call in addition to messages and methods: `40us` [default: 0]
    #[arg(long, value_name = "TIME")]
    pub overhead: Option<String>,
    /// The arrival of calls: `poisson`, `even`, `burst(20)` [default: poisson]
    #[arg(long, value_name = "KIND")]
    pub arrivals: Option<String>,
    /// The number of service hosts [default: 1]
    #[arg(long, value_name = "COUNT")]
    pub hosts: Option<u32>,
    /// The cores of each host [default: 1]
    #[arg(long, value_name = "COUNT")]
    pub cores: Option<u32>,
    /// The worker threads of each host [default: 4 with a queue, otherwise one per call]
    #[arg(long, value_name = "COUNT")]
    pub threads: Option<u32>,
    /// How calls are distributed: `queue`, `round-robin`, `random`, `least-busy` [default: queue over JMS, otherwise round-robin]
    #[arg(long, value_name = "HOW")]
    pub balance: Option<String>,
    /// The time that a queue's broker adds to each message: `1ms` [default: 0]
    #[arg(long, value_name = "TIME")]
    pub broker: Option<String>,
    /// Find the highest rate, and the min number of hosts, for which 99 of 100 calls take at most this time: `50ms`
    #[arg(long, value_name = "TIME")]
    pub goal: Option<String>,
    /// Only these bindings, or those of a wire or transport: `soap+http`, `json`, `tcp`
    #[arg(long, value_delimiter = ',', value_name = "BINDINGS")]
    pub binding: Vec<String>,
    /// Only these targets of the profile
    #[arg(short, long, value_delimiter = ',', value_name = "NAMES")]
    pub target: Vec<String>,
    /// The profile from `creo calibrate`; by default the built-in one for this processor, or another; `none`: messages take no processor time
    #[arg(long, value_name = "FILE")]
    pub profile: Option<PathBuf>,
    #[command(flatten)]
    pub assume: AssumeArgs,
    /// The number of simulated calls [default: 50000]
    #[arg(long, value_name = "CALLS")]
    pub sample: Option<usize>,
    /// The random seed: the same seed gives the same result [default: 1]
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<u64>,
    /// Also print the tables and assumptions instead of only the verdict
    #[arg(long)]
    pub all: bool,
    /// The output format
    #[arg(long, value_enum, default_value_t = EstimateFormat::Text)]
    pub format: EstimateFormat,
    /// The file to write, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EstimateFormat {
    /// Tables for people
    Text,
    Json,
    Csv,
    /// A page with a plot that needs no network
    Html,
}

#[derive(Debug, ClapArgs)]
pub struct NewArgs {
    /// The project's name and folder
    pub name: String,
    /// The languages: java has the service, all have a client
    #[arg(short, long, value_delimiter = ',', default_value = creo_check::TARGETS.join(","), value_name = "NAMES")]
    pub target: Vec<String>,
}

#[derive(Debug, ClapArgs)]
#[command(
    override_usage = "creo diff [OPTIONS] <OLD> <NEW>\n       creo diff [OPTIONS] --against git:REF <FILE>..."
)]
pub struct DiffArgs {
    /// The old and the new description; with --against, the new descriptions, as one model
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Compare with the same files in a commit, branch or tag of their Git repository
    #[arg(long, value_name = "git:REF")]
    pub against: Option<GitRef>,
    /// The output format
    #[arg(long, value_enum, default_value_t = DiffFormat::Text)]
    pub format: DiffFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DiffFormat {
    Text,
    Json,
}

#[derive(Debug, ClapArgs)]
pub struct ExplainArgs {
    /// The code, such as `unknown-type`; by default all codes are listed
    pub code: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}
