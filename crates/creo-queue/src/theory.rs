//! The simulation compared with results of queueing theory. Seeds are fixed, so these tests are reproducible.

use crate::duration::Duration;
use crate::scenario::{Arrivals, Call, Cost, Run, Scenario, Sharing};
use crate::simulation::outcome;
use crate::statistics::{Found, Outcome};

const RUN: Run = Run { calls: 60_000, seed: 0 };
const SEEDS: u64 = 20;
/// Intervals contain the true value in 95 of 100 simulations: of 20, fewer than 16 would occur once in 500.
const ENOUGH: usize = 16;

/// Nanoseconds of work with a mean of a millisecond: 1,000 calls per second saturate a core.
const WORK: f64 = 1e6;

/// One host with one core.
fn scenario(load: f64, work: Duration) -> Scenario {
    Scenario {
        calls: vec![Call {
            rate: load * 1e9 / WORK,
            costs: vec![Cost::default()],
            work,
            wait: Duration::ZERO,
            answers: true,
        }],
        arrivals: Arrivals::Poisson,
        hosts: 1,
        cores: 1,
        threads: Some(1),
        sharing: Sharing::RoundRobin,
        latency: 0.0,
        broker: 0.0,
    }
}

const EXPONENTIAL: Duration = Duration::Exponential(WORK);

/// A tested number and its theoretical value.
type Check = (&'static str, fn(&Outcome) -> Found, f64);

/// In nearly all of 20 simulations the interval contains the theoretical value, and is narrow enough to be meaningful.
fn agrees(name: &str, scenario: &Scenario, checks: &[Check]) {
    let outcomes: Vec<Outcome> = (0..SEEDS).map(|seed| outcome(scenario, &Run { seed, ..RUN })).collect();
    for (what, of, theory) in checks {
        let found: Vec<Found> = outcomes.iter().map(of).collect();
        let holds = found.iter().filter(|found| found.low <= *theory && *theory <= found.high).count();
        assert!(holds >= ENOUGH, "{what} of {name}: {holds} of {SEEDS} intervals hold {theory}: {found:?}");
        let mean = found.iter().map(|found| found.value).sum::<f64>() / SEEDS as f64;
        assert!((mean - theory).abs() <= 0.02 * theory, "{what} of {name}: {mean}, not {theory}");
        assert!(
            found.iter().all(|found| found.high - found.low <= 0.5 * theory),
            "{what} of {name}: intervals too wide: {found:?}"
        );
    }
}

/// The mean time in M/G/1 by Pollaczek and Khinchine; `variation` is the squared coefficient of variation.
fn pollaczek_khinchine(load: f64, variation: f64) -> f64 {
    WORK + WORK * load / (1.0 - load) * (1.0 + variation) / 2.0
}

/// The probability that a call has to wait in M/M/c.
fn erlang_c(servers: u32, load: f64) -> f64 {
    let offered = load * f64::from(servers);
    // Uses Erlang's loss formula, server by server.
    let loss = (1..=servers).fold(1.0, |loss, n| offered * loss / (f64::from(n) + offered * loss));
    loss / (1.0 - load * (1.0 - loss))
}

/// The root of GI/M/1: the share of calls that find the core busy. `transform` is the Laplace transform of the arrivals' intervals.
fn found_busy(transform: impl Fn(f64) -> f64) -> f64 {
    (0..10_000).fold(0.5, |busy, _| transform((1.0 - busy) / WORK))
}

#[test]
fn one_core_and_exponential_work() {
    let load = 0.7;
    let scenario = scenario(load, EXPONENTIAL);
    let mean = WORK / (1.0 - load);
    agrees(
        "M/M/1",
        &scenario,
        &[
            ("the mean", |o| o.mean, mean),
            ("the median", |o| o.median, mean * 2f64.ln()),
            ("p90", |o| o.p90, mean * 10f64.ln()),
            ("p99", |o| o.p99, mean * 100f64.ln()),
            ("the utilisation", |o| o.utilisation, load),
            ("the queue", |o| o.waiting, load * load / (1.0 - load)),
            ("the throughput", |o| o.throughput, scenario.rate()),
        ],
    );
}

#[test]
fn one_core_and_other_work() {
    let load = 0.6;
    agrees(
        "M/D/1",
        &scenario(load, Duration::Fixed(WORK)),
        &[("the mean", |o| o.mean, pollaczek_khinchine(load, 0.0))],
    );
    agrees(
        "M/U/1",
        &scenario(load, Duration::Uniform(0.0, 2.0 * WORK)),
        &[("the mean", |o| o.mean, pollaczek_khinchine(load, 1.0 / 3.0))],
    );
    let mut lognormal = scenario(load, Duration::Lognormal { mean: WORK, deviation: 0.8 * WORK });
    agrees(
        "M/G/1 with lognormal work",
        &lognormal,
        &[("the mean", |o| o.mean, pollaczek_khinchine(load, 0.64))],
    );
    // Half of the calls cost only their messages, the others twice as much: drawing from several costs is a distribution, too.
    lognormal.calls[0].work = Duration::ZERO;
    lognormal.calls[0].costs =
        vec![Cost::default(), Cost { before: 0.5 * WORK, after: 1.5 * WORK, ..Cost::default() }];
    agrees("M/G/1 with two sizes", &lognormal, &[("the mean", |o| o.mean, pollaczek_khinchine(load, 1.0))]);
}

#[test]
fn several_cores_and_one_queue() {
    let load = 0.7;
    for (hosts, cores) in [(1, 4), (4, 1), (3, 2)] {
        let servers = hosts * cores;
        let scenario = Scenario {
            hosts,
            cores,
            threads: Some(cores),
            sharing: Sharing::Queue,
            ..scenario(load * f64::from(servers), EXPONENTIAL)
        };
        let wait = erlang_c(servers, load) * WORK / (f64::from(servers) * (1.0 - load));
        agrees(
            "M/M/c",
            &scenario,
            &[
                ("the mean", |o| o.mean, WORK + wait),
                ("the queue", |o| o.waiting, wait * scenario.rate() / 1e9),
                ("the utilisation", |o| o.utilisation, load),
            ],
        );
    }
}

#[test]
fn a_balancer_by_chance_makes_queues_that_know_nothing_of_one_another() {
    let load = 0.7;
    let scenario = Scenario { hosts: 5, sharing: Sharing::Random, ..scenario(5.0 * load, EXPONENTIAL) };
    agrees(
        "five M/M/1",
        &scenario,
        &[
            ("the mean", |o| o.mean, WORK / (1.0 - load)),
            ("p99", |o| o.p99, WORK / (1.0 - load) * 100f64.ln()),
        ],
    );
}

#[test]
fn a_balancer_in_turn_makes_arrivals_even() {
    let (load, hosts) = (0.7, 3);
    let scenario =
        Scenario { hosts, sharing: Sharing::RoundRobin, ..scenario(load * f64::from(hosts), EXPONENTIAL) };
    // Every third arrival: Erlang's distribution of three stages.
    let stage = scenario.rate() / 1e9;
    let busy = found_busy(|s| (stage / (stage + s)).powi(3));
    agrees(
        "E3/M/1",
        &scenario,
        &[
            ("the mean", |o| o.mean, WORK / (1.0 - busy)),
            ("p99", |o| o.p99, WORK / (1.0 - busy) * 100f64.ln()),
        ],
    );
}

#[test]
fn arrivals_that_are_even_or_come_in_bursts() {
    let load: f64 = 0.7;
    let even = Scenario { arrivals: Arrivals::Even, ..scenario(load, EXPONENTIAL) };
    let busy = found_busy(|s| (-s * WORK / load).exp());
    agrees("D/M/1", &even, &[("the mean", |o| o.mean, WORK / (1.0 - busy))]);
    let bursts = Scenario { arrivals: Arrivals::Burst(4), ..scenario(0.5, EXPONENTIAL) };
    // M/M/1, and on average one and a half earlier calls of the same burst.
    agrees("M[4]/M/1", &bursts, &[("the mean", |o| o.mean, WORK * (1.0 + 1.5) / (1.0 - 0.5))]);
}

#[test]
fn turns_share_a_core() {
    let load = 0.6;
    // With many threads, calls share a core in turns. Calls of many turns are served almost as if the core were divided, which would take
    // 125 ms; in sequence it would be 87.5 ms. The order does not change the mean for exponential work.
    let long = 50.0;
    let mut shared = scenario(load / long, Duration::Fixed(WORK * long));
    shared.threads = None;
    let means = (0..SEEDS).map(|seed| outcome(&shared, &Run { seed, ..RUN }).mean.value);
    let mean = means.sum::<f64>() / SEEDS as f64;
    assert!((0.97..1.0).contains(&(mean / (WORK * long / (1.0 - load)))), "{mean}");
    shared.calls[0].work = Duration::Exponential(WORK * long);
    agrees("M/M/1 in turns", &shared, &[("the mean", |o| o.mean, WORK * long / (1.0 - load))]);
    // Work shorter than a turn is done in one.
    shared = Scenario { threads: None, ..scenario(load, Duration::Fixed(WORK)) };
    agrees(
        "M/D/1 with a thread for each call",
        &shared,
        &[("the mean", |o| o.mean, pollaczek_khinchine(load, 0.0))],
    );
}

#[test]
fn links_are_queues() {
    let load = 0.6;
    let mut scenario = scenario(load, Duration::ZERO);
    scenario.latency = 3e6;
    scenario.calls[0].costs = vec![Cost { request: WORK, ..Cost::default() }];
    agrees("a link as M/D/1", &scenario, &[("the mean", |o| o.mean, pollaczek_khinchine(load, 0.0) + 6e6)]);
    scenario.calls[0].costs =
        vec![Cost { response: WORK, client_before: 1e6, client_after: 2e6, ..Cost::default() }];
    agrees(
        "the other link as M/D/1",
        &scenario,
        &[("the mean", |o| o.mean, pollaczek_khinchine(load, 0.0) + 9e6)],
    );
}

#[test]
fn waiting_takes_no_core() {
    // Ten hosts' worth of waiting with a tenth of a core's work: M/G/infinity.
    let mut scenario = Scenario { threads: None, ..scenario(0.001, Duration::Fixed(WORK)) };
    scenario.calls[0].wait = Duration::Uniform(0.0, 20.0 * WORK);
    agrees(
        "waiting",
        &scenario,
        &[
            ("the mean", |o| o.mean, 11.0 * WORK + 0.0005 * WORK),
            ("the utilisation", |o| o.utilisation, 0.001),
        ],
    );
}
