//! The simulated scenario (COST-50 to COST-55).

use crate::duration::{Duration, MAX_TIME};
use std::fmt;

/// The number of batches of calls after the warm-up.
pub const BATCHES: usize = 20;

pub const MAX_HOSTS: u32 = 1_000;
pub const MAX_CORES: u32 = 1_024;
pub const MAX_THREADS: u32 = 100_000;
pub const MAX_BURST: u32 = 10_000;
/// The min and max calls per second of a method.
pub const MIN_RATE: f64 = 0.001;
pub const MAX_RATE: f64 = 1e9;
/// The min and max number of simulated calls.
pub const MIN_CALLS: usize = 1_000;
pub const MAX_CALLS: usize = 10_000_000;
/// The max time that a call uses a core before others get a turn, unless calls are much longer (COST-54).
pub const TURN: f64 = 3e6;
/// The max number of turns of an average call.
const TURNS: f64 = 20.0;

/// The costs of a call's messages in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// At the client, before the request is sent.
    pub client_before: f64,
    /// The request on a link.
    pub request: f64,
    /// Of the host's processor, before the method.
    pub before: f64,
    /// Of the host's processor, after the method.
    pub after: f64,
    /// The response on a link.
    pub response: f64,
    /// At the client, after receiving the response.
    pub client_after: f64,
}

/// A called method.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Calls per second.
    pub rate: f64,
    /// Equally likely; never empty.
    pub costs: Vec<Cost>,
    /// Processor time of the method itself.
    pub work: Duration,
    /// Time with a thread but without a processor: for a disk, a database, another service.
    pub wait: Duration,
    /// Oneway methods do not answer: their calls end with the work.
    pub answers: bool,
}

/// How calls are spread over time; the rate is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrivals {
    /// As from many independent clients.
    Poisson,
    /// Equal intervals for each method.
    Even,
    /// Bursts of this size, which arrive like Poisson.
    Burst(u32),
}

/// How calls are distributed to the hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// A single queue at a broker, from which hosts take calls when they can.
    Queue,
    RoundRobin,
    Random,
    /// The host with the fewest calls.
    LeastBusy,
}

impl Sharing {
    pub const ALL: [Sharing; 4] = [Sharing::Queue, Sharing::RoundRobin, Sharing::Random, Sharing::LeastBusy];

    pub fn word(self) -> &'static str {
        match self {
            Sharing::Queue => "queue",
            Sharing::RoundRobin => "round-robin",
            Sharing::Random => "random",
            Sharing::LeastBusy => "least-busy",
        }
    }
}

impl Arrivals {
    /// Parses `poisson`, `even`, `burst(20)`.
    pub fn parse(text: &str) -> Result<Arrivals, String> {
        match text.trim() {
            "poisson" => Ok(Arrivals::Poisson),
            "even" => Ok(Arrivals::Even),
            other => {
                let count = other
                    .strip_prefix("burst(")
                    .and_then(|rest| rest.strip_suffix(')'))
                    .ok_or("there are poisson, even and burst(COUNT)")?;
                let count = count.trim().parse::<u32>().ok().filter(|count| (1..=MAX_BURST).contains(count));
                count
                    .map(Arrivals::Burst)
                    .ok_or_else(|| format!("a burst has between 1 and {MAX_BURST} calls"))
            }
        }
    }
}

impl fmt::Display for Arrivals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Arrivals::Poisson => f.write_str("poisson"),
            Arrivals::Even => f.write_str("even"),
            Arrivals::Burst(count) => write!(f, "burst({count})"),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    pub calls: Vec<Call>,
    pub arrivals: Arrivals,
    pub hosts: u32,
    pub cores: u32,
    /// Threads of each host; `None`: one for each call.
    pub threads: Option<u32>,
    pub sharing: Sharing,
    /// One-way latency between two machines.
    pub latency: f64,
    /// The time that a broker adds to each message; only for [`Sharing::Queue`].
    pub broker: f64,
}

/// The parameters of a simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The number of simulated calls; the first fifth is the warm-up.
    pub calls: usize,
    pub seed: u64,
}

/// Why a scenario cannot be simulated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid(pub String);

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Invalid {}

impl Scenario {
    /// Checks that every number is within the simulation's range.
    pub fn check(&self, run: &Run) -> Result<(), Invalid> {
        let between = |what: &str, number: u32, most: u32| {
            if (1..=most).contains(&number) {
                Ok(())
            } else {
                Err(Invalid(format!("{what} are between 1 and {most}")))
            }
        };
        between("hosts", self.hosts, MAX_HOSTS)?;
        between("cores", self.cores, MAX_CORES)?;
        between("threads", self.threads.unwrap_or(1), MAX_THREADS)?;
        if let Arrivals::Burst(count) = self.arrivals {
            between("the calls of a burst", count, MAX_BURST)?;
        }
        if self.calls.is_empty() {
            return Err(Invalid("nothing is called".to_owned()));
        }
        if !(MIN_CALLS..=MAX_CALLS).contains(&run.calls) {
            return Err(Invalid(format!("between {MIN_CALLS} and {MAX_CALLS} calls are simulated")));
        }
        let mut times = vec![self.latency, self.broker];
        for call in &self.calls {
            if !(MIN_RATE..=MAX_RATE).contains(&call.rate) {
                return Err(Invalid(format!("a rate lies between {MIN_RATE} and {MAX_RATE} calls a second")));
            }
            if call.costs.is_empty() {
                return Err(Invalid("a call has no costs".to_owned()));
            }
            call.work.check().and_then(|()| call.wait.check()).map_err(Invalid)?;
            for cost in &call.costs {
                times.extend([
                    cost.client_before,
                    cost.request,
                    cost.before,
                    cost.after,
                    cost.response,
                    cost.client_after,
                ]);
            }
        }
        if self.rate() > MAX_RATE {
            return Err(Invalid(format!("all calls together are at most {MAX_RATE} a second")));
        }
        if times.iter().all(|time| (0.0..=MAX_TIME).contains(time)) {
            Ok(())
        } else {
            Err(Invalid("a time lies between 0 and a day".to_owned()))
        }
    }

    /// Calls per second of all methods.
    pub fn rate(&self) -> f64 {
        self.calls.iter().map(|call| call.rate).sum()
    }

    /// The same mix at another rate: each rate times `factor`.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Scenario {
        let mut other = self.clone();
        for call in &mut other.calls {
            call.rate *= factor;
        }
        other
    }

    #[must_use]
    pub fn with_hosts(&self, hosts: u32) -> Scenario {
        Scenario { hosts, ..self.clone() }
    }

    /// The mean over the mix of calls.
    pub(crate) fn mean(&self, of: impl Fn(&Call, &Cost) -> f64) -> f64 {
        let all = self.rate();
        let of_call =
            |call: &Call| call.costs.iter().map(|cost| of(call, cost)).sum::<f64>() / call.costs.len() as f64;
        self.calls.iter().map(|call| call.rate / all * of_call(call)).sum()
    }

    /// The mean processor time of a call at its host.
    pub fn demand(&self) -> f64 {
        self.mean(|call, cost| cost.before + call.work.mean() + cost.after)
    }

    /// The utilization of all cores if all calls were served; above 1 they are not.
    pub fn offered(&self) -> f64 {
        self.rate() * self.demand() / 1e9 / f64::from(self.hosts) / f64::from(self.cores)
    }

    /// COST-54
    pub(crate) fn turn(&self) -> f64 {
        TURN.max(self.demand() / TURNS)
    }
}

impl Run {
    /// The calls per batch; a warm-up of five batches comes first.
    pub(crate) fn batch(&self) -> usize {
        self.calls / (BATCHES + BATCHES / 4)
    }

    pub(crate) fn warm(&self) -> usize {
        self.batch() * (BATCHES / 4)
    }

    pub(crate) fn all(&self) -> usize {
        self.warm() + self.batch() * BATCHES
    }
}
