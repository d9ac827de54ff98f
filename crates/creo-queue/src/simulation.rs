//! The simulation: events in the order of their times (COST-51 to COST-55).

use crate::cores::Cores;
use crate::duration::{exponential, unit};
use crate::priority::Priority;
use crate::scenario::{Arrivals, Invalid, Run, Scenario, Sharing};
use crate::statistics::{Counts, Outcome, Record};
use rand_pcg::Pcg64;
use std::collections::VecDeque;

/// What becomes of the calls of a scenario.
///
/// Where more is asked for than the hosts can do, queues grow as long as the simulation goes on, and with them the times: [`crate::Search`] tells.
pub fn simulate(scenario: &Scenario, run: &Run) -> Result<Outcome, Invalid> {
    scenario.check(run)?;
    Ok(outcome(scenario, run))
}

/// Of a scenario that was checked.
pub(crate) fn outcome(scenario: &Scenario, run: &Run) -> Outcome {
    let mut simulation = Simulation::new(scenario, run);
    simulation.go();
    Outcome::new(scenario, run, &simulation.record)
}

/// Calls a second that are served while ever more arrive.
pub(crate) fn throughput(scenario: &Scenario, run: &Run) -> f64 {
    let mut simulation = Simulation::new(scenario, run);
    simulation.stop_early = true;
    simulation.go();
    simulation.record.throughput()
}

/// Streams of random numbers: the same calls come with the same demands, whatever the hosts do with them and however fast they come.
const OF_BALANCER: u128 = 0;
const OF_CALLS: u128 = 1;

#[derive(Clone, Copy, Debug)]
enum Happening {
    /// Of the method with this place.
    Arrive(usize),
    /// A request leaves its client.
    Sent(usize),
    /// A message is whole at the broker, which has it for as long as it takes.
    Brokered { call: usize, back: bool },
    /// A request is whole at its host, or with one queue where hosts take it.
    There(usize),
    /// A turn on a core ends.
    Turn(usize),
    /// The method has what it waited for.
    Waited(usize),
}

/// A call under way.
#[derive(Clone, Copy, Debug)]
struct Active {
    method: usize,
    cost: usize,
    /// Its number in the order of arrival.
    number: usize,
    since: f64,
    host: usize,
    work: f64,
    wait: f64,
    /// Processor time until it waits or ends.
    left: f64,
    /// How many turns on a core it counts as having had since it last came to one.
    turns: f64,
    /// Whether it has waited, or need not.
    last_leg: bool,
}

#[derive(Clone, Debug)]
struct Host {
    /// Calls that were sent there and have not left.
    present: u32,
    threads: u32,
    /// Calls without a thread.
    queue: VecDeque<usize>,
    /// Those with a thread that want a core have one, or wait here.
    cores: Cores,
    /// Until when the links are busy.
    into: f64,
    out: f64,
}

struct Simulation<'a> {
    scenario: &'a Scenario,
    turn: f64,
    now: f64,
    /// By their times.
    events: Priority<Happening>,
    active: Vec<Active>,
    unused: Vec<usize>,
    hosts: Vec<Host>,
    /// The queue of a broker, and its links.
    queue: VecDeque<usize>,
    into: f64,
    out: f64,
    /// Threads of all hosts that have nothing to do.
    idle: u64,
    /// The host whose turn it is.
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
        // Seeds that are near one another must not begin near one another.
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
                // Methods that are called evenly do not begin together.
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

    /// A message goes over a link, which is free from `free` on; gives when the link is free again.
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
                // Of several with as few, the next in turn.
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
            // Hosts that have a thread take messages in turn.
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

    /// The call has a thread.
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

    /// The call has a core for a turn.
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

    /// The host has done its part: the thread takes another call, and the response goes out.
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
