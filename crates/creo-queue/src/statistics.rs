//! Counters during the simulation, and the results (COST-56).

use crate::scenario::{Run, Scenario, Sharing};

/// The 97.5 % quantile of Student's distribution; its degrees of freedom are the batches less one.
const STUDENT: f64 = 2.093_024;

/// The correlation of adjacent batches' means from which they count as dependent: about 99 % of independent ones are below.
const DEPENDENT: f64 = 0.5;

/// The min warm-up as a multiple of the mean response time.
const SETTLING: f64 = 5.0;

/// A number with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

impl Found {
    /// `value` is that of all calls, `batches` are those of the batches.
    fn new(value: f64, batches: &[f64]) -> Found {
        let count = batches.len() as f64;
        let mean = batches.iter().sum::<f64>() / count;
        let variance = batches.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (count - 1.0);
        let reach = STUDENT * (variance / count).sqrt();
        Found { value, low: (value - reach).max(0.0), high: value + reach }
    }
}

/// The results of one method's calls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OfCall {
    pub calls: u64,
    pub median: f64,
    pub p90: f64,
    pub p99: f64,
}

/// The results of a simulation. Times are nanoseconds from a call's start at its client to its end there.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The share of time that the cores are busy.
    pub utilisation: Found,
    /// Served calls per second.
    pub throughput: Found,
    pub mean: Found,
    pub median: Found,
    pub p90: Found,
    pub p99: Found,
    /// The mean number of calls at the service that wait for a thread or a core.
    pub waiting: Found,
    /// The max number of waiting calls.
    pub longest: u64,
    /// In the order of the scenario; `None` if a method was not called in the simulated time.
    pub calls: Vec<Option<OfCall>>,
    /// Whether the intervals are reliable: batches are long enough to be independent, and the warm-up was long enough.
    pub settled: bool,
}

/// The state that changes over time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    /// Busy cores and waiting calls, and their integrals over time.
    pub running: u64,
    pub waiting: u64,
    busy: f64,
    waited: f64,
    time: f64,
    pub longest: u64,
    pub served: u64,
}

impl Counts {
    /// One more call waits.
    pub fn waits(&mut self) {
        self.waiting += 1;
        self.longest = self.longest.max(self.waiting);
    }

    pub fn pass(&mut self, time: f64) {
        self.busy += self.running as f64 * time;
        self.waited += self.waiting as f64 * time;
        self.time += time;
    }
}

/// All records of a simulation.
pub(crate) struct Record {
    warm: usize,
    batch: usize,
    /// Of each call, by number.
    times: Vec<f64>,
    methods: Vec<u32>,
    /// At the first call of each batch, and at the very last call.
    marks: Vec<Counts>,
    all: usize,
}

impl Record {
    pub fn new(run: &Run) -> Record {
        let all = run.all();
        Record {
            warm: run.warm(),
            batch: run.batch(),
            times: vec![f64::NAN; all],
            methods: vec![0; all],
            marks: Vec::new(),
            all,
        }
    }

    pub fn arrives(&mut self, number: usize, method: usize, counts: &Counts) {
        self.methods[number] = method as u32;
        let begins = number >= self.warm && (number - self.warm).is_multiple_of(self.batch);
        if begins || number + 1 == self.all {
            self.marks.push(counts.clone());
        }
    }

    pub fn took(&mut self, number: usize, time: f64) {
        self.times[number] = time;
    }

    /// Calls per second after the warm-up.
    pub fn throughput(&self) -> f64 {
        match (self.marks.first(), self.marks.last()) {
            (Some(first), Some(last)) if last.time > first.time => {
                (last.served - first.served) as f64 / (last.time - first.time) * 1e9
            }
            _ => 0.0,
        }
    }

    /// A quantity between two marks, for the whole and for each batch.
    fn over_time(&self, of: impl Fn(&Counts, &Counts) -> f64) -> Found {
        let batches: Vec<f64> = self.marks.windows(2).map(|pair| of(&pair[0], &pair[1])).collect();
        let whole = match (self.marks.first(), self.marks.last()) {
            (Some(first), Some(last)) => of(first, last),
            _ => 0.0,
        };
        Found::new(whole, &batches)
    }
}

/// The quantile by the nearest rank.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted[rank.clamp(1, sorted.len()) - 1]
}

impl Outcome {
    pub(crate) fn new(scenario: &Scenario, run: &Run, record: &Record) -> Outcome {
        let counted = &record.times[record.warm..];
        let sorted = |times: &[f64]| {
            let mut times = times.to_vec();
            times.sort_unstable_by(f64::total_cmp);
            times
        };
        let all = sorted(counted);
        let batches: Vec<Vec<f64>> = counted.chunks(run.batch()).map(sorted).collect();
        let of_times = |share: f64| {
            Found::new(
                quantile(&all, share),
                &batches.iter().map(|batch| quantile(batch, share)).collect::<Vec<f64>>(),
            )
        };
        let mean = |times: &[f64]| times.iter().sum::<f64>() / times.len() as f64;
        let means: Vec<f64> = batches.iter().map(|batch| mean(batch)).collect();
        let cores = f64::from(scenario.hosts) * f64::from(scenario.cores);
        // Two marks have the same time only if all calls of a batch come in one burst.
        let rate = |amount: f64, time: f64| if time > 0.0 { amount / time } else { 0.0 };
        let calls = (0..scenario.calls.len()).map(|method| {
            let of_method = |(number, time): (usize, &f64)| {
                (record.methods[record.warm + number] as usize == method).then_some(*time)
            };
            let times = sorted(&counted.iter().enumerate().filter_map(of_method).collect::<Vec<f64>>());
            let found = || OfCall {
                calls: times.len() as u64,
                median: quantile(&times, 0.5),
                p90: quantile(&times, 0.9),
                p99: quantile(&times, 0.99),
            };
            (!times.is_empty()).then(found)
        });
        let lasted = record.marks.first().map_or(0.0, |mark| mark.time);
        let utilisation = record.over_time(|from, to| rate(to.busy - from.busy, to.time - from.time) / cores);
        // The number of calls after which a queue's length is forgotten, by the relaxation time of M/M/1.
        let forgets = 4.0 / (1.0 - utilisation.value).max(1e-9).powi(2);
        let queues = if scenario.sharing == Sharing::Queue { 1.0 } else { f64::from(scenario.hosts) };
        Outcome {
            utilisation,
            throughput: record
                .over_time(|from, to| rate((to.served - from.served) as f64, to.time - from.time) * 1e9),
            mean: Found::new(mean(&all), &means),
            median: of_times(0.5),
            p90: of_times(0.9),
            p99: of_times(0.99),
            waiting: record.over_time(|from, to| rate(to.waited - from.waited, to.time - from.time)),
            longest: record.marks.last().map_or(0, |mark| mark.longest),
            calls: calls.collect(),
            settled: correlation(&means) <= DEPENDENT
                && lasted >= SETTLING * mean(&all)
                && run.batch() as f64 >= queues * forgets,
        }
    }
}

/// The correlation of consecutive numbers: between -1 and 1.
fn correlation(numbers: &[f64]) -> f64 {
    let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
    let all: f64 = numbers.iter().map(|x| (x - mean).powi(2)).sum();
    let pairs: f64 = numbers.windows(2).map(|pair| (pair[0] - mean) * (pair[1] - mean)).sum();
    if all > 0.0 { pairs / all } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::BATCHES;

    #[test]
    fn quantiles_are_by_the_nearest_rank() {
        let numbers: Vec<f64> = (1..=100).map(f64::from).collect();
        assert_eq!(
            [0.5, 0.9, 0.99, 1.0, 0.0].map(|share| quantile(&numbers, share)),
            [50.0, 90.0, 99.0, 100.0, 1.0]
        );
        assert_eq!(quantile(&[7.0], 0.5), 7.0);
    }

    #[test]
    fn intervals_grow_with_what_batches_differ_by() {
        let same = Found::new(3.0, &[3.0; BATCHES]);
        assert_eq!((same.low, same.high), (3.0, 3.0));
        let batches: Vec<f64> = (0..BATCHES).map(|i| if i % 2 == 0 { 9.0 } else { 11.0 }).collect();
        let found = Found::new(10.0, &batches);
        // The deviation of such batches is the root of 20/19; that of their mean is the root of 1/19.
        assert!((found.high - 10.0 - STUDENT / 19f64.sqrt()).abs() < 1e-9 && found.low < 10.0);
    }

    #[test]
    fn batches_that_drift_depend_on_one_another() {
        let drift: Vec<f64> = (0..BATCHES).map(|i| i as f64).collect();
        assert!(correlation(&drift) > DEPENDENT);
        let even: Vec<f64> = (0..BATCHES).map(|i| (i % 2) as f64).collect();
        assert!(correlation(&even) < 0.0);
        assert_eq!(correlation(&[2.0; BATCHES]), 0.0);
    }
}
