//! The command line.

use crate::languages::Language;
use crate::process::Program;
use clap::{Parser, ValueEnum};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// Every kind in sequence
    All,
    /// Each vector: bytes to value and back, in each language
    Vectors,
    /// Each malformed input: the error, its code and its path, in each language
    Malformed,
    /// Malformed and valid frames, sent to the Java service
    Frames,
    /// Answers of a broken or hostile service, sent to each client
    Answers,
    /// Calls that are repeated by each client, against hosts that fail before and after they execute
    Retries,
    /// Streams of each client, against a host that misbehaves
    Streams,
    /// Handwritten HTTP requests against the Java service
    Http,
    /// Each client against the Java service
    Matrix,
    /// Random descriptions and values in all languages
    Random,
    /// Small descriptions and all their output
    Golden,
    /// Awkward descriptions, compiled in each language with warnings as errors
    Compile,
    /// Copied runtimes with the parts for some wires, compiled in each language
    Copies,
    /// The same input gives the same output, anywhere and any time
    Determinism,
    /// Formatting is idempotent and changes no model
    Format,
    /// Imports real WSDLs, if there is a folder of them
    Corpus,
    /// Packages from real WSDLs, compiled in each language; slow, and not part of `all`
    CorpusCompile,
    /// The messages of every operation of imported WSDLs, in each language, validated with the WSDL's schemas
    Operations,
}

impl Kind {
    /// All single kinds, fast ones first.
    pub const EACH: [Kind; 16] = [
        Kind::Format,
        Kind::Corpus,
        Kind::Determinism,
        Kind::Golden,
        Kind::Vectors,
        Kind::Malformed,
        Kind::Frames,
        Kind::Answers,
        Kind::Retries,
        Kind::Streams,
        Kind::Http,
        Kind::Matrix,
        Kind::Compile,
        Kind::Copies,
        Kind::Random,
        Kind::Operations,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Kind::All => "all",
            Kind::Vectors => "vectors",
            Kind::Malformed => "malformed",
            Kind::Frames => "frames",
            Kind::Answers => "answers",
            Kind::Retries => "retries",
            Kind::Streams => "streams",
            Kind::Http => "http",
            Kind::Matrix => "matrix",
            Kind::Random => "random",
            Kind::Golden => "golden",
            Kind::Compile => "compile",
            Kind::Copies => "copies",
            Kind::Determinism => "determinism",
            Kind::Format => "format",
            Kind::Corpus => "corpus",
            Kind::CorpusCompile => "corpus-compile",
            Kind::Operations => "operations",
        }
    }

    /// Whether it needs the languages' toolchains.
    pub fn speaks(self) -> bool {
        match self {
            Kind::Vectors
            | Kind::Malformed
            | Kind::Frames
            | Kind::Answers
            | Kind::Retries
            | Kind::Streams
            | Kind::Http
            | Kind::Matrix
            | Kind::Random
            | Kind::Compile
            | Kind::Copies
            | Kind::CorpusCompile
            | Kind::Operations => true,
            Kind::All | Kind::Golden | Kind::Determinism | Kind::Format | Kind::Corpus => false,
        }
    }
}

/// Conformance, golden, compile, matrix and property tests of Creo
#[derive(Debug, Parser)]
#[command(name = "creo-harness")]
pub struct Options {
    /// The kind to run
    pub kind: Kind,

    /// Only cases whose name contains this text
    #[arg(long, default_value = "")]
    pub only: String,

    /// Only these languages
    #[arg(long, value_delimiter = ',', value_parser = language)]
    target: Vec<Language>,

    /// Exclude these languages; the summary lists them
    #[arg(long, value_delimiter = ',', value_parser = language)]
    without: Vec<Language>,

    /// A program with arguments that vectors, malformed, answers and streams ask instead of the languages: it needs only the repository's data
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["target", "without"])]
    peer: Option<String>,

    /// The seed of the random kind: the same seed gives the same descriptions and values
    #[arg(long, default_value_t = 20_261_121)]
    pub seed: u64,

    /// The number of random descriptions
    #[arg(long, default_value_t = 6)]
    pub count: usize,

    /// The number of corpus WSDLs for the operations kind besides the repository's, chosen by the seed
    #[arg(long, default_value_t = 5)]
    pub sample: usize,

    /// Only one in N cases, chosen by the seed: for quick runs of slow kinds
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub share: u64,

    /// The number of calls of a method that is not idempotent, for the retries kind; other cases make a fifth
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(10..))]
    pub calls: u64,

    /// Rewrite the golden outputs. The run still fails: check the difference, and run again
    #[arg(long)]
    pub refresh: bool,
}

/// The name of the `--peer` program in reports.
pub const OUTSIDE: &str = "peer";

/// Parses a command of words separated by spaces.
fn program(command: &str) -> Result<Program, String> {
    let mut words = command.split_whitespace();
    words
        .next()
        .map(|first| Program::new(first).args(words))
        .ok_or_else(|| "--peer names no program".to_owned())
}

fn language(name: &str) -> Result<Language, String> {
    Language::from_name(name).ok_or_else(|| {
        format!("no such language; there are {}", Language::ALL.map(Language::name).join(", "))
    })
}

impl Options {
    /// The languages to run.
    pub fn languages(&self) -> Vec<Language> {
        Language::ALL.into_iter().filter(|l| self.takes(*l)).collect()
    }

    /// The programs to ask, with their names: the languages' peers, built on demand, or the given program.
    pub fn peers(&self) -> impl Iterator<Item = (&'static str, Result<Program, String>)> {
        let named = self.peer.as_deref().map(|command| (OUTSIDE, program(command)));
        let own = self
            .languages()
            .into_iter()
            .flat_map(|language| language.ways(language.ready().and_then(|()| language.conformance_peer())));
        named.into_iter().chain(own)
    }

    /// The excluded languages.
    pub fn left_out(&self) -> Vec<Language> {
        Language::ALL.into_iter().filter(|l| self.peer.is_none() && !self.takes(*l)).collect()
    }

    pub fn takes(&self, language: Language) -> bool {
        self.peer.is_none()
            && (self.target.is_empty() || self.target.contains(&language))
            && !self.without.contains(&language)
    }

    /// Whether a case is selected by `--only` and `--share`.
    pub fn wants(&self, name: &str) -> bool {
        self.names(name) && self.shares(name)
    }

    /// Whether a case is selected by `--only`.
    pub fn names(&self, name: &str) -> bool {
        name.contains(&self.only)
    }

    /// Whether something is selected by `--share`: as many seeds in a row as the share has parts select everything once.
    pub fn shares(&self, name: &str) -> bool {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for byte in name.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        (hash >> 20).wrapping_add(self.seed).is_multiple_of(self.share)
    }
}

#[cfg(test)]
mod tests {
    use super::Options;
    use clap::Parser;

    #[test]
    fn seeds_in_a_row_select_each_case_once() {
        let of = |seed: u64| {
            Options::parse_from(["harness", "copies", "--share", "4", "--seed", &seed.to_string()])
        };
        for case in 0..1_000 {
            let name = format!("java copy {case}");
            assert_eq!((739_950..739_954).filter(|seed| of(*seed).wants(&name)).count(), 1, "{name}");
        }
    }
}
