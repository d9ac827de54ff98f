//! Limits: the rate that the hosts can serve, the rate at which calls meet a goal, and the number of hosts for that (COST-57, COST-58).

use crate::scenario::{Invalid, MAX_HOSTS, Run, Scenario, Sharing};
use crate::simulation::{outcome, throughput};
use crate::statistics::Outcome;

/// The precision of the rate: the search ends when a rate that is too high exceeds it by no more than this factor.
const NEAR: f64 = 1.01;

/// The shares of the capacity, or of the given rate if there is none, at a plot's points.
const SHARES: [f64; 10] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95];

/// The utilization from which a service counts as saturated: closer to 1, no finite simulation shows the outcome.
const FULL: f64 = 0.995;

/// The min number of simulated calls per thread if only threads are used.
const CALLS_FOR_A_THREAD: f64 = 20.0;

/// What limits the rate.
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

/// The rate of the same mix beyond which the queue grows without bound, in calls per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capacity {
    pub rate: f64,
    pub limit: Limit,
}

/// A point of a plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// Calls per second.
    pub rate: f64,
    pub outcome: Outcome,
}

/// Simulations of a scenario at other rates and with other numbers of hosts, with the same random numbers.
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

    /// `None` if calls cost nothing, so any rate can be served.
    pub fn capacity(&self) -> Option<Capacity> {
        self.capacity
    }

    /// The outcome at the given rates. `None`: they exceed the capacity, so there is no response time.
    pub fn outcome(&self) -> Option<Outcome> {
        self.at(1.0)
    }

    fn at(&self, factor: f64) -> Option<Outcome> {
        let rate = self.scenario.rate() * factor;
        let full = self.capacity.is_some_and(|capacity| rate >= capacity.rate * FULL);
        (!full).then(|| outcome(&self.scenario.scaled(factor), &self.run))
    }

    /// The highest rate of the same mix with a 99th percentile of response times of at most `goal`, within one per cent. `None`: even few
    /// calls are slower, or calls are never slower.
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

    /// The lowest number of hosts with a 99th percentile of at most `goal` at the given rates. `None`: even [`MAX_HOSTS`] are too few.
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
        // `high` is sufficient and `low` is not.
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if good(middle) { high = middle } else { low = middle }
        }
        Some(high)
    }

    /// The outcomes of increasing rates.
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
    // Requests and responses have separate links; a broker's link carries both.
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
    // With few threads that both wait and work, cores can be idle though calls queue. The capacity then shows only under overload.
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
