//! Where it ends: the rate that the hosts can do, the rate at which calls are as fast as they are to be, and how many hosts that takes (COST-57, COST-58).

use crate::scenario::{Invalid, MAX_HOSTS, Run, Scenario, Sharing};
use crate::simulation::{outcome, throughput};
use crate::statistics::Outcome;

/// How near the rate that is found lies to the greatest: the search ends when one that is too great is not greater by more.
const NEAR: f64 = 1.01;

/// The shares of the capacity, or of the given rate where there is none, at which a plot has points.
const SHARES: [f64; 10] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95];

/// From which share of its capacity on a service counts as saturated: closer to it, no simulation that ends shows what becomes of the calls.
const FULL: f64 = 0.995;

/// How many calls are simulated for each thread, at least, where threads alone are at work.
const CALLS_FOR_A_THREAD: f64 = 20.0;

/// What ends first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    Cores,
    Threads,
    Network,
}

impl Limit {
    pub fn word(self) -> &'static str {
        match self {
            Limit::Cores => "cores",
            Limit::Threads => "threads",
            Limit::Network => "network",
        }
    }
}

/// The calls a second, of the same mix, beyond which the queue grows without end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capacity {
    pub rate: f64,
    pub limit: Limit,
}

/// A point of a plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// Calls a second.
    pub rate: f64,
    pub outcome: Outcome,
}

/// Simulations of a scenario at other rates and with other numbers of hosts, all with the same random numbers.
#[derive(Debug)]
pub struct Search<'a> {
    scenario: &'a Scenario,
    run: Run,
    capacity: Option<Capacity>,
}

impl<'a> Search<'a> {
    pub fn new(scenario: &'a Scenario, run: Run) -> Result<Search<'a>, Invalid> {
        scenario.check(&run)?;
        Ok(Search { scenario, run, capacity: capacity(scenario, &run) })
    }

    /// `None` where calls cost nothing, so that any number can be served.
    pub fn capacity(&self) -> Option<Capacity> {
        self.capacity
    }

    /// What becomes of the calls at the given rates. `None`: more than the hosts can do; there is no response time then.
    pub fn outcome(&self) -> Option<Outcome> {
        self.at(1.0)
    }

    fn at(&self, factor: f64) -> Option<Outcome> {
        let rate = self.scenario.rate() * factor;
        let full = self.capacity.is_some_and(|capacity| rate >= capacity.rate * FULL);
        (!full).then(|| outcome(&self.scenario.scaled(factor), &self.run))
    }

    /// The calls a second, of the same mix, up to which the 99th percentile of response times is at most `goal`, within one hundredth. `None`: not even few calls are as fast, or there is
    /// no rate at which they would not be.
    pub fn highest(&self, goal: f64) -> Option<f64> {
        let given = self.scenario.rate();
        let most = self.capacity?.rate * FULL * 0.999 / given;
        let good = |factor: f64| self.at(factor).is_some_and(|found| found.p99.value <= goal);
        if good(most) {
            return Some(most * given);
        }
        let (mut low, mut high) = (most / 100.0, most);
        if !good(low) {
            return None;
        }
        while high / low > NEAR {
            let middle = (low * high).sqrt();
            if good(middle) { low = middle } else { high = middle }
        }
        Some(low * given)
    }

    /// The least number of hosts with which the 99th percentile is at most `goal` at the given rates. `None`: no number up to [`MAX_HOSTS`] is enough.
    pub fn hosts(&self, goal: f64) -> Option<u32> {
        let good = |hosts: u32| {
            let scenario = self.scenario.with_hosts(hosts);
            let search =
                Search { scenario: &scenario, run: self.run, capacity: capacity(&scenario, &self.run) };
            search.outcome().is_some_and(|found| found.p99.value <= goal)
        };
        let (mut low, mut high) = (0, 1);
        while !good(high) {
            if high == MAX_HOSTS {
                return None;
            }
            (low, high) = (high, (high * 2).min(MAX_HOSTS));
        }
        // `high` is enough and `low` is not.
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if good(middle) { high = middle } else { low = middle }
        }
        Some(high)
    }

    /// What becomes of more and more calls.
    pub fn loads(&self) -> Vec<Load> {
        let given = self.scenario.rate();
        let most = self.capacity.map_or(given, |capacity| capacity.rate);
        let point = |share: &f64| Some(Load { rate: share * most, outcome: self.at(share * most / given)? });
        SHARES.iter().filter_map(point).collect()
    }
}

fn capacity(scenario: &Scenario, run: &Run) -> Option<Capacity> {
    let hosts = f64::from(scenario.hosts);
    let demand = scenario.demand();
    let wait = scenario.mean(|call, _| call.wait.mean());
    // Requests and responses have links of their own; those of a broker carry both.
    let (request, response) = (
        scenario.mean(|_, cost| cost.request),
        scenario.mean(|call, cost| if call.answers { cost.response } else { 0.0 }),
    );
    let link =
        if scenario.sharing == Sharing::Queue { request + response } else { request.max(response) / hosts };
    let limits = [
        (Limit::Cores, f64::from(scenario.cores) * hosts / demand * 1e9),
        (
            Limit::Threads,
            scenario
                .threads
                .map_or(f64::INFINITY, |threads| f64::from(threads) * hosts / (demand + wait) * 1e9),
        ),
        (Limit::Network, 1e9 / link),
    ];
    let (limit, bound) = limits
        .into_iter()
        .fold((Limit::Cores, f64::INFINITY), |least, one| if one.1 < least.1 { one } else { least });
    if !bound.is_finite() {
        return None;
    }
    // With few threads that both wait and work, cores are idle though calls queue: what is left then shows when more is asked for than can be done.
    let few = scenario
        .threads
        .is_some_and(|threads| f64::from(threads) * hosts * CALLS_FOR_A_THREAD <= run.calls as f64);
    let rate = if few && wait > 0.0 {
        throughput(&scenario.scaled(2.0 * bound / scenario.rate()), run).min(bound)
    } else {
        bound
    };
    (rate > 0.0).then_some(Capacity { rate, limit })
}
