//! Properties of the simulation that need no theory.

use crate::duration::Duration;
use crate::scenario::{Arrivals, Call, Cost, MAX_HOSTS, Run, Scenario, Sharing};
use crate::search::{Limit, Search};
use crate::simulation::simulate;

const RUN: Run = Run { calls: 20_000, seed: 1 };

fn call(rate: f64, work: Duration) -> Call {
    Call { rate, costs: vec![Cost::default()], work, wait: Duration::ZERO, answers: true }
}

/// A host with one core and 500 calls of a millisecond per second.
fn scenario() -> Scenario {
    Scenario {
        calls: vec![call(500.0, Duration::Exponential(1e6))],
        arrivals: Arrivals::Poisson,
        hosts: 1,
        cores: 1,
        threads: None,
        sharing: Sharing::RoundRobin,
        latency: 0.0,
        broker: 0.0,
    }
}

fn search(scenario: &Scenario) -> Search<'_> {
    Search::new(scenario, RUN).unwrap_or_else(|why| panic!("{why}"))
}

fn near(found: f64, expected: f64, by: f64) {
    assert!((found - expected).abs() <= by * expected, "{found}, not {expected}");
}

#[test]
fn the_same_seed_gives_the_same_and_another_another() {
    let mut scenario = scenario();
    scenario.hosts = 3;
    for sharing in Sharing::ALL {
        scenario.sharing = sharing;
        let one = simulate(&scenario, &RUN);
        assert_eq!(one, simulate(&scenario, &RUN));
        assert_ne!(one, simulate(&scenario, &Run { seed: 2, ..RUN }));
    }
}

#[test]
fn better_balancers_are_better() {
    let mut scenario = scenario().scaled(3.2);
    scenario.hosts = 4;
    scenario.threads = Some(1);
    let p99 = |sharing| {
        let found =
            simulate(&Scenario { sharing, ..scenario.clone() }, &RUN).unwrap_or_else(|why| panic!("{why}"));
        found.p99.value
    };
    let found: Vec<f64> = [Sharing::Queue, Sharing::LeastBusy, Sharing::RoundRobin, Sharing::Random]
        .into_iter()
        .map(p99)
        .collect();
    assert!(found.windows(2).all(|pair| pair[0] < pair[1]), "{found:?}");
}

#[test]
fn calls_of_all_methods_are_counted_in_their_proportion() {
    let mut scenario = scenario();
    scenario.calls.push(call(50.0, Duration::Fixed(2e6)));
    scenario.cores = 4;
    let found = simulate(&scenario, &RUN).unwrap_or_else(|why| panic!("{why}"));
    let [Some(first), Some(second)] = found.calls[..] else { panic!("{found:?}") };
    assert_eq!(first.calls + second.calls, 16_000);
    near(first.calls as f64 / second.calls as f64, 10.0, 0.1);
    // Fixed work never ends earlier.
    assert!(second.median >= 2e6 && first.median < 1e6, "{found:?}");
    near(found.utilisation.value, (0.5 + 0.1) / 4.0, 0.03);
}

#[test]
fn oneway_calls_end_with_their_work() {
    let mut scenario = scenario();
    (scenario.latency, scenario.calls[0].work, scenario.calls[0].answers) =
        (1e6, Duration::Fixed(10.0), false);
    let found = simulate(&scenario, &RUN).unwrap_or_else(|why| panic!("{why}"));
    near(found.median.value, 1e6 + 10.0, 1e-6);
}

#[test]
fn a_broker_stands_between() {
    let mut scenario = scenario().scaled(0.02);
    scenario.calls[0].work = Duration::Fixed(1e6);
    scenario.calls[0].costs = vec![Cost {
        client_before: 1.0,
        request: 10.0,
        before: 100.0,
        after: 1e3,
        response: 1e4,
        client_after: 1e5,
    }];
    (scenario.latency, scenario.broker, scenario.sharing) = (1e7, 1e8, Sharing::Queue);
    let found = simulate(&scenario, &RUN).unwrap_or_else(|why| panic!("{why}"));
    // Four hops, and each message goes over two links.
    near(found.median.value, 4e7 + 2e8 + 1e6 + 1.0 + 20.0 + 100.0 + 1e3 + 2e4 + 1e5, 1e-9);
}

#[test]
fn what_ends_first_is_found() {
    let mut scenario = scenario();
    let found = |scenario: &Scenario| {
        search(scenario).capacity().map(|capacity| (capacity.rate.round(), capacity.limit))
    };
    assert_eq!(found(&scenario), Some((1000.0, Limit::Cores)));
    (scenario.hosts, scenario.cores) = (3, 2);
    assert_eq!(found(&scenario), Some((6000.0, Limit::Cores)));
    scenario.threads = Some(1);
    assert_eq!(found(&scenario), Some((3000.0, Limit::Threads)));
    // Each host has its links; those of a broker carry all messages.
    scenario.calls[0].costs[0] = Cost { request: 1e6, response: 2e6, ..Cost::default() };
    assert_eq!(found(&scenario), Some((1500.0, Limit::Network)));
    scenario.sharing = Sharing::Queue;
    assert_eq!(found(&scenario), Some((333.0, Limit::Network)));
    scenario.calls[0] = call(500.0, Duration::ZERO);
    scenario.threads = None;
    assert_eq!(found(&scenario), None);
}

#[test]
fn threads_that_wait_and_work_leave_cores_idle() {
    // Two threads, a millisecond each of work and waiting, one core: in the closed system the core is idle only while both wait.
    let mut scenario = scenario();
    (scenario.threads, scenario.calls[0].wait) = (Some(2), Duration::Exponential(1e6));
    let capacity = search(&scenario).capacity().unwrap_or_else(|| panic!("a capacity"));
    near(capacity.rate, 800.0, 0.02);
    assert!(search(&scenario.scaled(2.0)).outcome().is_none());
}

#[test]
fn more_than_can_be_done_has_no_outcome() {
    assert!(search(&scenario().scaled(1.9)).outcome().is_some());
    assert!(search(&scenario().scaled(2.0)).outcome().is_none());
    assert!(search(&scenario().scaled(2e6)).outcome().is_none());
}

#[test]
fn rates_and_hosts_for_a_goal() {
    let scenario = Scenario { threads: Some(1), ..scenario() };
    // M/M/1: p99 = ln 100 / (1 - load) milliseconds.
    let goal = 10e6;
    let rate = search(&scenario).highest(goal).unwrap_or_else(|| panic!("a rate"));
    near(rate, 1000.0 * (1.0 - 100f64.ln() / 10.0), 0.08);
    assert_eq!(search(&scenario).highest(4e6), None);
    // Several hosts, chosen at random: each has its share, at most 0.54 of its capacity.
    let many = Scenario { sharing: Sharing::Random, ..scenario.scaled(9.0) };
    let hosts = search(&many).hosts(goal).unwrap_or_else(|| panic!("hosts"));
    assert!((8..=9).contains(&hosts), "{hosts}");
    assert_eq!(search(&many).hosts(3e6), None);
    assert_eq!(search(&scenario.scaled(1e5)).hosts(goal), None);
    // If nothing is slow, there is no highest rate.
    assert_eq!(search(&Scenario { calls: vec![call(5.0, Duration::ZERO)], ..scenario }).highest(goal), None);
}

#[test]
fn a_curve_rises() {
    let scenario = Scenario { threads: Some(1), ..scenario() };
    let loads = search(&scenario).loads();
    assert_eq!(loads.len(), 10);
    near(loads[9].rate, 950.0, 1e-9);
    assert!(
        loads
            .windows(2)
            .all(|pair| pair[0].rate < pair[1].rate && pair[0].outcome.p99.value < pair[1].outcome.p99.value)
    );
}

#[test]
fn too_few_calls_are_told() {
    let mut scenario = scenario();
    assert!(simulate(&scenario, &RUN).is_ok_and(|found| found.settled));
    // 16 seconds of calls say little about ones that take an hour.
    scenario.calls[0].wait = Duration::Fixed(3600e9);
    assert!(simulate(&scenario, &RUN).is_ok_and(|found| !found.settled));
    let close = Scenario { threads: Some(1), ..self::scenario().scaled(1.97) };
    assert!(simulate(&close, &RUN).is_ok_and(|found| !found.settled));
}

#[test]
fn numbers_beyond_all_bounds_are_refused() {
    let with = |change: &dyn Fn(&mut Scenario)| {
        let mut changed = scenario();
        change(&mut changed);
        assert!(simulate(&changed, &RUN).is_err(), "{changed:?}");
    };
    with(&|s| s.hosts = 0);
    with(&|s| s.hosts = MAX_HOSTS + 1);
    with(&|s| s.cores = 0);
    with(&|s| s.threads = Some(0));
    with(&|s| s.arrivals = Arrivals::Burst(0));
    with(&|s| s.arrivals = Arrivals::Burst(u32::MAX));
    with(&|s| s.calls.clear());
    with(&|s| s.calls[0].costs.clear());
    with(&|s| s.latency = -1.0);
    with(&|s| s.broker = f64::NAN);
    for rate in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e12, 1e-9] {
        with(&|s| s.calls[0].rate = rate);
    }
    with(&|s| s.calls = vec![call(9e8, Duration::ZERO); 2]);
    for time in [-1.0, f64::NAN, f64::INFINITY, 1e300] {
        with(&|s| s.calls[0].work = Duration::Exponential(time));
        with(&|s| s.calls[0].wait = Duration::Fixed(time));
        with(&|s| s.calls[0].costs[0].request = time);
    }
    for calls in [0, 10, usize::MAX] {
        assert!(simulate(&scenario(), &Run { calls, seed: 0 }).is_err());
    }
}

#[test]
fn the_greatest_and_least_numbers_are_survived() {
    let mut scenario = Scenario {
        calls: vec![
            call(1e9, Duration::Lognormal { mean: 86_400e9, deviation: 86_400e9 }),
            call(0.001, Duration::Fixed(1e-300)),
        ],
        arrivals: Arrivals::Burst(10_000),
        hosts: MAX_HOSTS,
        cores: 1_024,
        threads: Some(100_000),
        sharing: Sharing::LeastBusy,
        latency: 86_400e9,
        broker: 86_400e9,
    };
    scenario.calls[0].rate -= 1.0;
    for run in [Run { calls: 1_000, seed: u64::MAX }, Run { calls: 30_000, seed: 0 }] {
        for sharing in Sharing::ALL {
            scenario.sharing = sharing;
            let found = simulate(&scenario, &run).unwrap_or_else(|why| panic!("{why}"));
            assert!(found.p99.value.is_finite() && found.p99.value >= 86_400e9, "{found:?}");
            let search = Search::new(&scenario, run).unwrap_or_else(|why| panic!("{why}"));
            assert!(
                search.capacity().is_some_and(|capacity| capacity.rate > 0.0) && search.outcome().is_none()
            );
        }
    }
}
