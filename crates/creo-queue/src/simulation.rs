//! The simulation: events in the order of their times (COST-51 to COST-55).

use crate::cores::Cores;
use crate::duration::{exponential, unit};
use crate::priority::Priority;
use crate::scenario::{Arrivals, Invalid, Run, Scenario, Sharing};
use crate::statistics::{Counts, Outcome, Record};
use rand_pcg::Pcg64;
use std::collections::VecDeque;

/// Simulates the calls of a scenario.
///
/// If the rate exceeds the capacity, queues and times grow for as long as the simulation runs: [`crate::Search`] detects that.
pub fn simulate(scenario: &Scenario, run: &Run) -> Result<Outcome, Invalid> {
    scenario.check(run)?;
    Ok(outcome(scenario, run))
}

/// The outcome of a checked scenario.
pub(crate) fn outcome(scenario: &Scenario, run: &Run) -> Outcome {
    let mut simulation = Simulation::new(scenario, run);
    simulation.go();
    Outcome::new(scenario, run, &simulation.record)
}

/// The served calls per second under overload.
pub(crate) fn throughput(scenario: &Scenario, run: &Run) -> f64 {
    let mut simulation = Simulation::new(scenario, run);
    simulation.stop_early = true;
    simulation.go();
    simulation.record.throughput()
}

/// Streams of random numbers: the same calls arrive with the same demands, whatever the hosts and rates.
const OF_BALANCER: u128 = 0;
const OF_CALLS: u128 = 1;

#[derive(Clone, Copy, Debug)]
enum Happening {
    /// A call of the method with this index arrives.
    Arrive(usize),
    /// A request leaves its client.
    Sent(usize),
    /// A message has completely arrived at the broker.
    Brokered { call: usize, back: bool },
    /// A request has completely arrived at its host, or at the shared queue.
    There(usize),
    /// A turn on a core ends.
    Turn(usize),
    /// The method's wait has ended.
    Waited(usize),
}

/// A running call.
#[derive(Clone, Copy, Debug)]
struct Active {
    method: usize,
    cost: usize,
    /// Its number in order of arrival.
    number: usize,
    since: f64,
    host: usize,
    work: f64,
    wait: f64,
    /// Processor time until it waits or ends.
    left: f64,
    /// The credited turns since it last came to a core.
    turns: f64,
    /// Whether it has waited, or need not.
    last_leg: bool,
}

#[derive(Clone, Debug)]
struct Host {
    /// Calls that were sent to the host and have not left.
    present: u32,
    threads: u32,
    /// Calls without a thread.
    queue: VecDeque<usize>,
    /// Calls with a thread that want a core have one, or wait here.
    cores: Cores,
    /// When the links become free.
    into: f64,
    out: f64,
}

struct Simulation<'a> {
    scenario: &'a Scenario,
    turn: f64,
    now: f64,
    /// Ordered by time.
    events: Priority<Happening>,
    active: Vec<Active>,
    unused: Vec<usize>,
    hosts: Vec<Host>,
    /// The broker's queue, and its links.
    queue: VecDeque<usize>,
    into: f64,
    out: f64,
    /// Idle threads of all hosts.
    idle: u64,
    /// The next host in turn.
    next: usize,
    balancer: Pcg64,
    callers: Vec<Pcg64>,
    arrived: usize,
    all: usize,
    stop_early: bool,
    counts: Counts,
    record: Record,
}

impl<'a> Simulation<'a> {
    fn new(scenario: &'a Scenario, run: &Run) -> Simulation<'a> {
        // Similar seeds must not start similarly.
        let seed =
            u128::from(run.seed).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        let threads = scenario.threads.unwrap_or(u32::MAX);
        let host =
            Host { present: 0, threads, queue: VecDeque::new(), cores: Cores::new(), into: 0.0, out: 0.0 };
        let mut simulation = Simulation {
            scenario,
            turn: scenario.turn(),
            now: 0.0,
            events: Priority::new(),
            active: Vec::new(),
            unused: Vec::new(),
            hosts: vec![host; scenario.hosts as usize],
            queue: VecDeque::new(),
            into: 0.0,
            out: 0.0,
            idle: u64::from(threads) * u64::from(scenario.hosts),
            next: 0,
            balancer: Pcg64::new(seed, OF_BALANCER),
            callers: (0..scenario.calls.len()).map(|i| Pcg64::new(seed, OF_CALLS + i as u128)).collect(),
            arrived: 0,
            all: run.all(),
            stop_early: false,
            counts: Counts::default(),
            record: Record::new(run),
        };
        for method in 0..scenario.calls.len() {
            let first = match scenario.arrivals {
                // Evenly called methods do not start together.
                Arrivals::Even => 1e9 / scenario.calls[method].rate * unit(&mut simulation.callers[method]),
                Arrivals::Poisson | Arrivals::Burst(_) => simulation.gap(method),
            };
            simulation.at(first, Happening::Arrive(method));
        }
        simulation
    }

    fn go(&mut self) {
        while let Some((at, what)) = self.events.pop() {
            self.pass(at);
            match what {
                Happening::Arrive(method) => self.arrive(method),
                Happening::Sent(call) => self.sent(call),
                Happening::Brokered { call, back } => self.brokered(call, back),
                Happening::There(call) => self.there(call),
                Happening::Turn(call) => self.turn_ends(call),
                Happening::Waited(call) => self.waited(call),
            }
            if self.stop_early && self.arrived == self.all {
                return;
            }
        }
    }

    fn at(&mut self, at: f64, what: Happening) {
        self.events.push(at, what);
    }

    fn pass(&mut self, now: f64) {
        self.counts.pass(now - self.now);
        self.now = now;
    }

    fn gap(&mut self, method: usize) -> f64 {
        let mean = 1e9 / self.scenario.calls[method].rate;
        match self.scenario.arrivals {
            Arrivals::Poisson => mean * exponential(&mut self.callers[method]),
            Arrivals::Even => mean,
            Arrivals::Burst(count) => mean * f64::from(count) * exponential(&mut self.callers[method]),
        }
    }

    fn arrive(&mut self, method: usize) {
        let count = match self.scenario.arrivals {
            Arrivals::Poisson | Arrivals::Even => 1,
            Arrivals::Burst(count) => count,
        };
        for _ in 0..count {
            if self.arrived == self.all {
                return;
            }
            self.record.arrives(self.arrived, method, &self.counts);
            let of_method = &self.scenario.calls[method];
            let random = &mut self.callers[method];
            let cost = match of_method.costs.len() {
                1 => 0,
                several => ((unit(random) * several as f64) as usize).min(several - 1),
            };
            let (work, wait) = (of_method.work.draw(random), of_method.wait.draw(random));
            let call = Active {
                method,
                cost,
                number: self.arrived,
                since: self.now,
                host: 0,
                work,
                wait,
                left: 0.0,
                turns: 0.0,
                last_leg: false,
            };
            self.arrived += 1;
            let place = match self.unused.pop() {
                Some(place) => {
                    self.active[place] = call;
                    place
                }
                None => {
                    self.active.push(call);
                    self.active.len() - 1
                }
            };
            self.at(self.now + of_method.costs[cost].client_before, Happening::Sent(place));
        }
        if self.arrived < self.all {
            let next = self.now + self.gap(method);
            self.at(next, Happening::Arrive(method));
        }
    }

    /// Sends a message over a link that is free from `free` on; returns when it is free again.
    fn send(&self, free: f64, takes: f64) -> f64 {
        self.now.max(free) + takes
    }

    fn sent(&mut self, call: usize) {
        let active = self.active[call];
        let takes = self.scenario.calls[active.method].costs[active.cost].request;
        if self.scenario.sharing == Sharing::Queue {
            self.into = self.send(self.into, takes);
            return self.at(
                self.into + self.scenario.latency + self.scenario.broker,
                Happening::Brokered { call, back: false },
            );
        }
        let host = self.choose();
        self.active[call].host = host;
        self.hosts[host].present += 1;
        self.hosts[host].into = self.send(self.hosts[host].into, takes);
        self.at(self.hosts[host].into + self.scenario.latency, Happening::There(call));
    }

    fn choose(&mut self) -> usize {
        let count = self.hosts.len();
        match self.scenario.sharing {
            Sharing::Random => ((unit(&mut self.balancer) * count as f64) as usize).min(count - 1),
            Sharing::RoundRobin | Sharing::Queue => {
                self.next = (self.next + 1) % count;
                self.next
            }
            Sharing::LeastBusy => {
                // Of several equal ones, the next in turn.
                let from = self.next;
                let best =
                    (1..=count).map(|i| (from + i) % count).min_by_key(|host| self.hosts[*host].present);
                self.next = best.unwrap_or(0);
                self.next
            }
        }
    }

    fn brokered(&mut self, call: usize, back: bool) {
        let active = self.active[call];
        let cost = self.scenario.calls[active.method].costs[active.cost];
        self.out = self.send(self.out, if back { cost.response } else { cost.request });
        let there = self.out + self.scenario.latency;
        if back { self.ends(call, there + cost.client_after) } else { self.at(there, Happening::There(call)) }
    }

    fn there(&mut self, call: usize) {
        if self.scenario.sharing == Sharing::Queue {
            if self.idle == 0 {
                self.counts.waits();
                return self.queue.push_back(call);
            }
            // Hosts with a free thread take messages in turn.
            let mut host = self.choose();
            while self.hosts[host].threads == 0 {
                host = self.choose();
            }
            self.begin(call, host);
        } else {
            let host = self.active[call].host;
            if self.hosts[host].threads == 0 {
                self.counts.waits();
                return self.hosts[host].queue.push_back(call);
            }
            self.begin(call, host);
        }
    }

    /// The call gets a thread.
    fn begin(&mut self, call: usize, host: usize) {
        self.hosts[host].threads -= 1;
        self.idle -= 1;
        let active = &mut self.active[call];
        active.host = host;
        let cost = self.scenario.calls[active.method].costs[active.cost];
        active.last_leg = active.wait <= 0.0;
        active.left = cost.before + active.work + if active.last_leg { cost.after } else { 0.0 };
        self.wants_core(call, host);
    }

    fn wants_core(&mut self, call: usize, host: usize) {
        let cores = &mut self.hosts[host].cores;
        let turns = cores.comes();
        self.active[call].turns = turns;
        if cores.running < self.scenario.cores {
            cores.running += 1;
            self.counts.running += 1;
            self.runs(call);
        } else {
            cores.waits(call, turns);
            self.counts.waits();
        }
    }

    /// The call gets a core for a turn.
    fn runs(&mut self, call: usize) {
        let takes = self.active[call].left.min(self.turn);
        self.active[call].left -= takes;
        self.at(self.now + takes, Happening::Turn(call));
    }

    fn turn_ends(&mut self, call: usize) {
        let host = self.active[call].host;
        let more = self.active[call].left > 0.0;
        let cores = &mut self.hosts[host].cores;
        if more {
            cores.had_turn();
            self.active[call].turns += 1.0;
            cores.waits(call, self.active[call].turns);
        }
        let next = cores.next();
        if next.is_none() {
            cores.running -= 1;
            self.counts.running -= 1;
        } else if !more {
            self.counts.waiting -= 1;
        }
        if !more {
            cores.goes(self.active[call].turns);
        }
        if let Some(next) = next {
            self.runs(next);
        }
        if more {
            return;
        }
        if self.active[call].last_leg {
            self.leaves(call, host);
        } else {
            self.at(self.now + self.active[call].wait, Happening::Waited(call));
        }
    }

    fn waited(&mut self, call: usize) {
        let active = &mut self.active[call];
        active.last_leg = true;
        active.left = self.scenario.calls[active.method].costs[active.cost].after;
        let host = active.host;
        self.wants_core(call, host);
    }

    /// The host has finished: the thread takes another call, and the response is sent.
    fn leaves(&mut self, call: usize, host: usize) {
        self.counts.served += 1;
        self.hosts[host].threads += 1;
        self.idle += 1;
        let waits = if self.scenario.sharing == Sharing::Queue {
            self.queue.pop_front()
        } else {
            self.hosts[host].present -= 1;
            self.hosts[host].queue.pop_front()
        };
        if let Some(other) = waits {
            self.counts.waiting -= 1;
            self.begin(other, host);
        }
        let active = self.active[call];
        let of_method = &self.scenario.calls[active.method];
        let cost = of_method.costs[active.cost];
        if !of_method.answers {
            self.ends(call, self.now);
        } else if self.scenario.sharing == Sharing::Queue {
            self.into = self.send(self.into, cost.response);
            self.at(
                self.into + self.scenario.latency + self.scenario.broker,
                Happening::Brokered { call, back: true },
            );
        } else {
            self.hosts[host].out = self.send(self.hosts[host].out, cost.response);
            let there = self.hosts[host].out + self.scenario.latency;
            self.ends(call, there + cost.client_after);
        }
    }

    fn ends(&mut self, call: usize, at: f64) {
        let active = self.active[call];
        self.record.took(active.number, at - active.since);
        self.unused.push(call);
    }
}
