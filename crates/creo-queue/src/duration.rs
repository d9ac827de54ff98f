//! A random or fixed duration (COST-52).

use rand_distr::{Distribution, Exp1, LogNormal};
use rand_pcg::Pcg64;
use std::fmt;

/// The longest time in a plan: a day, in nanoseconds.
pub const MAX_TIME: f64 = 86_400e9;

/// The max ratio of a time's deviation to its mean: beyond it, no feasible number of calls would show the mean.
const MAX_SPREAD: f64 = 100.0;

/// A time, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Duration {
    Fixed(f64),
    /// Uniformly distributed from the first time to the last.
    Uniform(f64, f64),
    /// Given by its mean.
    Exponential(f64),
    /// Given by its mean and deviation, not those of the logarithm.
    Lognormal {
        mean: f64,
        deviation: f64,
    },
}

impl Duration {
    pub const ZERO: Duration = Duration::Fixed(0.0);

    pub fn mean(&self) -> f64 {
        match self {
            Duration::Fixed(time) | Duration::Exponential(time) => *time,
            Duration::Uniform(low, high) => (low + high) / 2.0,
            Duration::Lognormal { mean, .. } => *mean,
        }
    }

    /// Checks that every number is usable; otherwise returns the error.
    pub fn check(&self) -> Result<(), String> {
        let within = |time: f64| {
            if (0.0..=MAX_TIME).contains(&time) {
                Ok(())
            } else {
                Err("a time lies between 0 and a day".to_owned())
            }
        };
        match self {
            Duration::Fixed(time) | Duration::Exponential(time) => within(*time),
            Duration::Uniform(low, high) => {
                within(*low)?;
                within(*high)?;
                if low <= high { Ok(()) } else { Err("the range is empty".to_owned()) }
            }
            Duration::Lognormal { mean, deviation } => {
                within(*mean)?;
                within(*deviation)?;
                if *deviation <= mean * MAX_SPREAD {
                    Ok(())
                } else {
                    Err(format!("the deviation is at most {MAX_SPREAD} times the mean"))
                }
            }
        }
    }

    pub(crate) fn draw(&self, random: &mut Pcg64) -> f64 {
        match self {
            Duration::Fixed(time) => *time,
            Duration::Uniform(low, high) => low + (high - low) * unit(random),
            Duration::Exponential(mean) => mean * exponential(random),
            Duration::Lognormal { mean, deviation } if *mean > 0.0 => {
                match LogNormal::from_mean_cv(*mean, deviation / mean) {
                    Ok(lognormal) => lognormal.sample(random),
                    // `check` rejects such deviations.
                    Err(_) => *mean,
                }
            }
            Duration::Lognormal { .. } => 0.0,
        }
    }

    /// Parses `2ms`, `uniform(1ms,3ms)`, `exponential(2ms)`, `lognormal(2ms,1ms)`. The message explains the error.
    pub fn parse(text: &str) -> Result<Duration, String> {
        let text = text.trim();
        let found = match text.strip_suffix(')').and_then(|t| t.split_once('(')) {
            None => Duration::Fixed(time(text)?),
            Some((name, arguments)) => {
                let times = arguments.split(',').take(3).map(time).collect::<Result<Vec<f64>, String>>()?;
                match (name.trim(), &times[..]) {
                    ("fixed", [time]) => Duration::Fixed(*time),
                    ("uniform", [low, high]) => Duration::Uniform(*low, *high),
                    ("exponential", [mean]) => Duration::Exponential(*mean),
                    ("lognormal", [mean, deviation]) => {
                        Duration::Lognormal { mean: *mean, deviation: *deviation }
                    }
                    ("fixed" | "exponential", _) => return Err(format!("{} takes one time", name.trim())),
                    ("uniform" | "lognormal", _) => return Err(format!("{} takes two times", name.trim())),
                    (other, _) => {
                        return Err(format!(
                            "there is no distribution {other:?}: there are fixed, uniform, exponential and lognormal"
                        ));
                    }
                }
            }
        };
        found.check()?;
        Ok(found)
    }
}

impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Duration::Fixed(time) => f.write_str(&written(*time)),
            Duration::Uniform(low, high) => write!(f, "uniform({},{})", written(*low), written(*high)),
            Duration::Exponential(mean) => write!(f, "exponential({})", written(*mean)),
            Duration::Lognormal { mean, deviation } => {
                write!(f, "lognormal({},{})", written(*mean), written(*deviation))
            }
        }
    }
}

const UNITS: [(&str, f64); 4] = [("ns", 1.0), ("us", 1e3), ("ms", 1e6), ("s", 1e9)];

fn time(text: &str) -> Result<f64, String> {
    let text = text.trim();
    let number = |(unit, scale): &(&str, f64)| {
        let number = text.strip_suffix(unit)?.trim().parse::<f64>().ok()?;
        (number.is_finite() && number >= 0.0).then_some(number * scale)
    };
    // `0` needs no unit.
    if text == "0" {
        return Ok(0.0);
    }
    UNITS.iter().find_map(number).ok_or_else(|| format!("{text:?} is no time: write 500us, 2ms or 1.5s"))
}

/// The time in the largest unit that makes it at least one.
fn written(time: f64) -> String {
    let (unit, scale) = UNITS.iter().rev().find(|(_, scale)| time >= *scale).unwrap_or(&UNITS[0]);
    format!("{}{unit}", time / scale)
}

/// From 0 up to, but excluding, 1.
pub(crate) fn unit(random: &mut Pcg64) -> f64 {
    rand_distr::StandardUniform.sample(random)
}

/// With the mean 1.
pub(crate) fn exponential(random: &mut Pcg64) -> f64 {
    Exp1.sample(random)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_and_written() {
        for text in
            ["2ms", "1.5s", "500us", "0ns", "uniform(1ms,3ms)", "exponential(2ms)", "lognormal(2ms,500us)"]
        {
            assert_eq!(Duration::parse(text).map(|time| time.to_string()), Ok(text.to_owned()));
        }
        assert_eq!(Duration::parse(" fixed( 2 ms ) "), Ok(Duration::Fixed(2e6)));
        assert_eq!(Duration::parse("0"), Ok(Duration::ZERO));
        for wrong in [
            "",
            "2",
            "ms",
            "-1ms",
            "nanms",
            "infs",
            "1e300s",
            "25h",
            "86401s",
            "uniform(3ms,1ms)",
            "uniform(1ms)",
            "exponential()",
            "exponential(1ms,2ms)",
            "lognormal(1ms)",
            "lognormal(1us,1s)",
            "lognormal(0,1ms)",
            "pareto(1ms)",
            "fixed(1ms",
            "lognormal(1ms,1ms,1ms,1ms)",
        ] {
            assert!(Duration::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn draws_have_the_mean_and_deviation_that_were_asked_for() {
        let mut random = Pcg64::new(7, 1);
        for (duration, deviation) in [
            (Duration::Fixed(5.0), 0.0),
            (Duration::Uniform(0.0, 12.0), 12.0 / 12f64.sqrt()),
            (Duration::Exponential(3.0), 3.0),
            (Duration::Lognormal { mean: 4.0, deviation: 2.0 }, 2.0),
            (Duration::Lognormal { mean: 4.0, deviation: 0.0 }, 0.0),
            (Duration::Lognormal { mean: 0.0, deviation: 0.0 }, 0.0),
        ] {
            let draws: Vec<f64> = (0..100_000).map(|_| duration.draw(&mut random)).collect();
            let mean = draws.iter().sum::<f64>() / draws.len() as f64;
            let found = (draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / draws.len() as f64).sqrt();
            assert!((mean - duration.mean()).abs() <= 0.02 * duration.mean(), "{duration}: mean {mean}");
            assert!((found - deviation).abs() <= 0.03 * deviation + 1e-9, "{duration}: deviation {found}");
        }
    }
}
