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

/// What every command takes.
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
    /// Say only what is wrong
    #[arg(short, long, global = true)]
    pub quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ErrorFormat {
    /// For people: the line with a caret
    Text,
    /// For programs: one JSON object a line
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
    /// Make packages to hand out: a JAR, a wheel, a C source archive, a NuGet package
    Pack(PackArgs),
    /// Make a description of a WSDL or XML Schema
    Import(ImportArgs),
    /// Write the model of a description as JSON
    Model(ModelArgs),
    /// Show a value or message byte by byte
    Inspect(InspectArgs),
    /// Call a method of a running service
    Call(CallArgs),
    /// List the interfaces and methods of a running host that tells them
    List(ListArgs),
    /// Write what others read instead of a description: WSDL, OpenAPI
    Export(ExportArgs),
    /// Convert any XML document to a table of the tdxml wire, and back
    Tdxml(TdxmlArgs),
    /// Measure what serializing costs on this machine: a profile for `estimate`
    Calibrate(CalibrateArgs),
    /// Say what each method will cost on each binding: bytes, time, cores
    Estimate(EstimateArgs),
    /// Say how many hosts a load needs, and how fast calls are: a simulation of hosts and queues
    Capacity(Box<CapacityArgs>),
    /// The old name of `capacity`
    #[command(hide = true)]
    Plan(Box<CapacityArgs>),
    /// Start a project: description, service, clients, build files
    New(NewArgs),
    /// Say which changes between two descriptions break whom
    Diff(DiffArgs),
    /// Explain the code of a diagnostic or error
    Explain(ExplainArgs),
    /// Write completions for a shell
    Completions(CompletionsArgs),
}

#[derive(Debug, ClapArgs)]
pub struct CheckArgs {
    /// The descriptions; what they import is checked as well
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub struct FmtArgs {
    /// The descriptions; `-` reads standard input and writes standard output
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Write nothing; name the files that are not formatted
    #[arg(long)]
    pub check: bool,
    /// Write nothing; show what formatting would change
    #[arg(long)]
    pub diff: bool,
}

#[derive(Debug, ClapArgs)]
pub struct GenerateArgs {
    /// The descriptions; several become one model, and share one runtime. Without any, `creo.toml` says what to generate
    #[arg(value_name = "FILE", requires_all = ["target", "out"])]
    pub files: Vec<PathBuf>,
    #[arg(short, long, value_delimiter = ',', value_name = "NAMES", requires = "files")]
    #[arg(help = format!("What to generate: {}, or `NAME` for the program creo-gen-NAME", creo_targets::names()))]
    pub target: Vec<String>,
    /// Where to: each target gets a folder of its name in it
    #[arg(short, long, value_name = "DIR", requires = "files")]
    pub out: Option<PathBuf>,
    /// Write nothing; name what differs from what would be generated
    #[arg(long, conflicts_with_all = ["prune", "force"])]
    pub check: bool,
    /// Where generated code finds its runtime
    #[arg(long, value_enum, value_name = "MODE", requires = "files")]
    pub runtime: Option<RuntimeMode>,
    /// The package to which the copied runtime moves, so that it meets no other copy in a program: `org.example.lab.creo`
    #[arg(long, value_name = "NAME", requires = "files")]
    pub runtime_package: Option<String>,
    /// The wires that the code speaks: binary, soap, tdxml, json, all. A copied runtime has binary and json by default, and soap if the description has `@Xml`
    #[arg(long, value_delimiter = ',', value_name = "WIRES", requires = "files")]
    pub wires: Vec<String>,
    /// The sides of calls that the code takes; a target without service hosts has the client's alone
    #[arg(long, value_enum, value_name = "SIDES", requires = "files")]
    pub sides: Option<SidesOfCalls>,
    /// Modules to copy beside the runtime, which need packages of others: jms
    #[arg(long, value_delimiter = ',', value_name = "MODULES", requires = "files")]
    pub with: Vec<String>,
    /// Remove files that were generated before and are not any more
    #[arg(long)]
    pub prune: bool,
    /// Overwrite files that creo did not generate, or that were changed since
    #[arg(long)]
    pub force: bool,
    /// How long a third-party target may take
    #[arg(long, default_value_t = 60, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub timeout: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RuntimeMode {
    /// Copied beside the code (the default)
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
    /// The descriptions; several become one package. Without any, those that `creo.toml` generates
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The version of the packages: `1.4.0`, or one before it: `1.4.0-alpha.1`, `1.4.0-beta.2`, `1.4.0-rc.3`
    #[arg(long, value_name = "VERSION")]
    pub version: String,
    /// What to call the packages: as the first description, unless it is said
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    #[arg(short, long, value_delimiter = ',', value_name = "NAMES")]
    #[arg(help = format!("What to pack: {}; all of them, or those of `creo.toml`, unless it is said", creo_targets::names()))]
    pub target: Vec<String>,
    /// Where to
    #[arg(short, long, value_name = "DIR", default_value = "dist")]
    pub out: PathBuf,
    /// The package of the code, in place of that of the first description; other packages go into it
    #[arg(long, value_name = "PACKAGE")]
    pub package: Option<String>,
    /// Whether the runtime is in the packages, in a place of its own, or in a package that they need
    #[arg(long, value_enum, value_name = "MODE", default_value_t = RuntimeMode::Copy)]
    pub runtime: RuntimeMode,
    /// What a registry calls the runtime's package, with `--runtime package`: `java=GROUP:ARTIFACT:VERSION`, `python=REQUIREMENT`, `c=MODULE`, `csharp=ID/VERSION`
    #[arg(long, value_name = "TARGET=COORDINATES")]
    pub runtime_from: Vec<String>,
    /// The wires that the code speaks: binary, soap, tdxml, json, all. By default those of `creo generate`
    #[arg(long, value_delimiter = ',', value_name = "WIRES")]
    pub wires: Vec<String>,
    /// The sides of calls that the code takes; a target without service hosts has the client's alone
    #[arg(long, value_enum, value_name = "SIDES", default_value_t = SidesOfCalls::Client)]
    pub sides: SidesOfCalls,
    /// Make no JAR of documentation, which is up to half of the time
    #[arg(long)]
    pub no_docs: bool,
}

#[derive(Debug, ClapArgs)]
pub struct ImportArgs {
    /// The WSDL 1.1, or an XML Schema
    pub file: PathBuf,
    /// Where to: the description is called as the file
    #[arg(short, long, value_name = "DIR")]
    pub out: PathBuf,
    /// The package; without it, one made of the target namespace
    #[arg(long, value_name = "NAME")]
    pub package: Option<String>,
    /// The file for a location or namespace that the WSDL imports; or a folder in which files are found by name and namespace. Nothing is ever fetched
    #[arg(long, value_name = "LOCATION=FILE|DIR")]
    pub include: Vec<String>,
    /// Only what this port of a service offers; may be given several times
    #[arg(long, value_name = "NAME")]
    pub port: Vec<String>,
    /// Only this operation, as `Operation` or `PortType.Operation`, and the types that it uses; may be given several times
    #[arg(long, value_name = "NAME")]
    pub operation: Vec<String>,
    /// Write nothing if anything is left out
    #[arg(long)]
    pub strict: bool,
    /// Declare all types, those included that no method uses
    #[arg(long)]
    pub all_types: bool,
    /// Declare elements and attributes as optional, whatever the schema says: for a partner whose answers leave out what it requires
    #[arg(long)]
    pub lenient: bool,
    /// Overwrite a description that is there
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, ClapArgs)]
pub struct ModelArgs {
    /// The description
    pub file: PathBuf,
}

#[derive(Debug, ClapArgs)]
#[command(group = clap::ArgGroup::new("input").required(true).args(["value", "hex", "sample"]))]
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
    /// The parameters of the method (this is what a method alone means)
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
    /// Whole frames of a connection instead of a single body
    #[arg(long)]
    pub frame: bool,
    /// How the result is written
    #[arg(long, value_enum, default_value_t = InspectFormat::Text)]
    pub format: InspectFormat,
    /// How many items of an array or map are listed one by one
    #[arg(long, default_value_t = 16, value_name = "COUNT")]
    pub items: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum InspectFormat {
    /// The bytes, field by field
    Text,
    /// Bytes, value and fields
    Json,
    /// The bytes alone
    Hex,
}

#[derive(Debug, ClapArgs)]
pub struct ExportArgs {
    /// What to write
    #[arg(value_enum)]
    pub format: ExportFormat,
    /// The description
    pub file: PathBuf,
    /// The interface, if there are several: `DataService`, `org.example.data.DataService`
    #[arg(long, value_name = "NAME")]
    pub interface: Option<String>,
    /// Where the service is: `http://localhost/NAME` unless it is said
    #[arg(long, value_name = "URL")]
    pub address: Option<String>,
    /// Leave out the port for SOAP 1.2 of a WSDL
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
        /// Which table
        #[arg(long, value_enum, default_value_t = SchemeName::Aggregated, value_name = "SCHEME")]
        scheme: SchemeName,
    },
    /// Write the XML document that a table with a schema stands for, to standard output
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
    /// Also measure what other stacks of XML cost: JAXB in Java, XmlSerializer in C#
    #[arg(long)]
    pub foreign: bool,
    /// Fewer lengths and rounds: a look, in some minutes
    #[arg(long)]
    pub quick: bool,
    /// Also write the profile without covariances and lines, which are most of its bytes: to be handed on
    #[arg(long, value_name = "FILE")]
    pub brief: Option<PathBuf>,
    /// Also write each measured time beside the fitted one, as CSV
    #[arg(long, value_name = "FILE")]
    pub residuals: Option<PathBuf>,
    /// The profile to write
    #[arg(short, long, value_name = "FILE")]
    pub out: PathBuf,
}

/// What is assumed of values and of the network.
#[derive(Clone, Debug, ClapArgs)]
pub struct AssumeArgs {
    /// How long an array, map, `byte[]`, `String` or `Decimal` is: `Data.samples=1000`, `=10..1000`, `=uniform(10,1000)`, `=normal(100,20)`, `=geometric(50)`
    #[arg(long, value_name = "PATH=LENGTH")]
    pub length: Vec<String>,
    /// The share of values that are there, of an optional: `Query.atLeast=0.5`
    #[arg(long, value_name = "PATH=SHARE")]
    pub present: Vec<String>,
    /// What the numbers are, with digits behind the point: `Data.samples[]=0..500/2`
    #[arg(long, value_name = "PATH=RANGE")]
    pub value: Vec<String>,
    /// How many values of a recursive type are within one another [default: 2]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u8).range(1..=20))]
    pub depth: Option<u8>,
    /// The share of strings with characters beyond ASCII [default: 0]
    #[arg(long, value_name = "SHARE")]
    pub wide: Option<f64>,
    /// Bits a second between client and service: `100M`, `1G` [default: 1G]
    #[arg(long, value_name = "BITS")]
    pub bandwidth: Option<String>,
    /// The time one way: `50us`, `0.1ms` [default: 0.1ms]
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
    /// What `creo calibrate` found on a machine; without it, the one that comes with creo for such a processor, or another, is used; `none` for bytes and network times alone
    #[arg(long, value_name = "FILE")]
    pub profile: Option<PathBuf>,
    /// Calls a second of each method: says how many cores of the service they keep busy
    #[arg(long, value_name = "CALLS")]
    pub rate: Option<f64>,
    /// Let one length grow, and say where one binding overtakes another: `Data.samples=1..10000`
    #[arg(long, value_name = "PATH=RANGE")]
    pub over: Option<String>,
    /// Build and measure the messages of these methods, and show predicted beside measured times
    #[arg(long, conflicts_with = "over")]
    pub verify: bool,
    /// Verify in a few seconds: whether it works, not how long it takes
    #[arg(long, requires = "verify")]
    pub quick: bool,
    /// Also print the tables and what was assumed, not the verdict alone
    #[arg(long)]
    pub all: bool,
    /// How the result is written
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
    /// A file of TOML that says what the options say; options that are given as well win
    #[arg(long, value_name = "FILE")]
    pub scenario: Option<PathBuf>,
    /// How often a method is called: `retrieveData=500/s`, `=30/min`, `=100/h`
    #[arg(long, value_name = "METHOD=RATE")]
    pub call: Vec<String>,
    /// The processor time of the method itself: `retrieveData=2ms`, `=exponential(2ms)`, `=lognormal(2ms,1ms)`, `=uniform(1ms,3ms)`
    #[arg(long, value_name = "METHOD=TIME")]
    pub work: Vec<String>,
    /// How long the method waits without a processor, for a database or a disk; as `--work`
    #[arg(long, value_name = "METHOD=TIME")]
    pub wait: Vec<String>,
    /// Processor time of the host for each call beside messages and methods: `40us` [default: 0]
    #[arg(long, value_name = "TIME")]
    pub overhead: Option<String>,
    /// When calls come: `poisson`, `even`, `burst(20)` [default: poisson]
    #[arg(long, value_name = "KIND")]
    pub arrivals: Option<String>,
    /// Service hosts [default: 1]
    #[arg(long, value_name = "COUNT")]
    pub hosts: Option<u32>,
    /// Cores of each host [default: 1]
    #[arg(long, value_name = "COUNT")]
    pub cores: Option<u32>,
    /// Worker threads of each host [default: 4 with a queue, otherwise one for each call]
    #[arg(long, value_name = "COUNT")]
    pub threads: Option<u32>,
    /// How calls are shared: `queue`, `round-robin`, `random`, `least-busy` [default: queue over JMS, otherwise round-robin]
    #[arg(long, value_name = "HOW")]
    pub balance: Option<String>,
    /// What the broker of a queue adds to each message: `1ms` [default: 0]
    #[arg(long, value_name = "TIME")]
    pub broker: Option<String>,
    /// Find the highest rate, and the fewest hosts, with which 99 of 100 calls take at most this time: `50ms`
    #[arg(long, value_name = "TIME")]
    pub goal: Option<String>,
    /// Only these bindings, or those of a wire or transport: `soap+http`, `json`, `tcp`
    #[arg(long, value_delimiter = ',', value_name = "BINDINGS")]
    pub binding: Vec<String>,
    /// Only these targets of the profile
    #[arg(short, long, value_delimiter = ',', value_name = "NAMES")]
    pub target: Vec<String>,
    /// What `creo calibrate` found on a machine; without it, the one that comes with creo for such a processor, or another, is used; `none`: messages cost no processor time
    #[arg(long, value_name = "FILE")]
    pub profile: Option<PathBuf>,
    #[command(flatten)]
    pub assume: AssumeArgs,
    /// How many calls are simulated [default: 50000]
    #[arg(long, value_name = "CALLS")]
    pub sample: Option<usize>,
    /// Of the random numbers: the same seed gives the same result [default: 1]
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<u64>,
    /// Also print the tables and what was assumed, not the verdict alone
    #[arg(long)]
    pub all: bool,
    /// How the result is written
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
    /// A page with a plot, which needs no network
    Html,
}

#[derive(Debug, ClapArgs)]
pub struct NewArgs {
    /// The project's name, which is also the name of its folder
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
    /// The description as it was, and as it is to be; with --against, the descriptions as they are to be, as one model
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Compare with the same files as they were in a commit, branch or tag of their Git repository
    #[arg(long, value_name = "git:REF")]
    pub against: Option<GitRef>,
    /// How the result is written
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
    /// The code, such as `unknown-type`; without it all codes are listed
    pub code: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}
