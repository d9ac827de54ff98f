//! An assumed length: fixed, a range, or a distribution (COST-3).

use statrs::distribution::{ContinuousCDF, Normal};
use std::fmt;

/// The number of points for an expectation if a distribution has more values than this.
const POINTS: u64 = 2_048;

/// The range of a normal distribution around its mean, in deviations.
const REACH: f64 = 4.0;

/// The range of a geometric distribution, as a multiple of its mean.
const TAIL: f64 = 20.0;

/// The max length: that of a count on the binary wire (BIN-2).
pub const MAX_LENGTH: u64 = 0x7fff_ffff;

/// A number of items, entries, or bytes.
#[derive(Clone, Debug, PartialEq)]
pub enum Length {
    Fixed(u64),
    /// Equally likely numbers from the first to the last.
    Uniform(u64, u64),
    /// Rounded, cut at four deviations and at 0.
    Normal {
        mean: f64,
        deviation: f64,
    },
    /// The number of failures before a success, cut at twenty times its mean.
    Geometric {
        mean: f64,
    },
}

impl Length {
    pub fn least(&self) -> u64 {
        match self {
            Length::Fixed(n) => *n,
            Length::Uniform(low, _) => *low,
            Length::Normal { mean, deviation } => rounded(mean - REACH * deviation),
            Length::Geometric { .. } => 0,
        }
    }

    pub fn most(&self) -> u64 {
        match self {
            Length::Fixed(n) => *n,
            Length::Uniform(_, high) => *high,
            Length::Normal { mean, deviation } => rounded(mean + REACH * deviation),
            Length::Geometric { mean } => rounded((mean * TAIL).ceil()),
        }
    }

    pub fn mean(&self) -> f64 {
        match self {
            Length::Fixed(n) => *n as f64,
            Length::Uniform(low, high) => (*low as f64 + *high as f64) / 2.0,
            Length::Normal { .. } | Length::Geometric { .. } => self.expect(|n| n as f64),
        }
    }

    /// The probability of length 0.
    pub fn none(&self) -> f64 {
        self.expect(|n| if n == 0 { 1.0 } else { 0.0 })
    }

    /// The quantile of a share from 0 up to, but excluding, 1: uniform shares give lengths with this distribution.
    pub fn at(&self, share: f64) -> u64 {
        match self {
            Length::Fixed(n) => *n,
            Length::Uniform(low, high) => (low + ((high - low + 1) as f64 * share) as u64).min(*high),
            Length::Normal { mean, deviation } => match Normal::new(*mean, *deviation) {
                Ok(normal) => rounded(normal.inverse_cdf(share)).clamp(self.least(), self.most()),
                // The library rejects a deviation of 0, which means a fixed length here.
                Err(_) => rounded(*mean),
            },
            Length::Geometric { mean } => {
                let again = mean / (mean + 1.0);
                if again <= 0.0 { 0 } else { (((1.0 - share).ln() / again.ln()) as u64).min(self.most()) }
            }
        }
    }

    /// The mean of a function of the length: exact for fixed lengths and ranges of at most 2,048 numbers, else over that many quantiles.
    pub fn expect(&self, of: impl Fn(u64) -> f64) -> f64 {
        match self {
            Length::Fixed(n) => of(*n),
            Length::Uniform(low, high) if high - low < POINTS => {
                (*low..=*high).map(of).sum::<f64>() / (high - low + 1) as f64
            }
            Length::Uniform(..) | Length::Normal { .. } | Length::Geometric { .. } => {
                (0..POINTS).map(|i| of(self.at((i as f64 + 0.5) / POINTS as f64))).sum::<f64>()
                    / POINTS as f64
            }
        }
    }

    /// Parses `12`, `10..1000`, `uniform(10,1000)`, `normal(100,20)`, `geometric(50)`. The message explains the error.
    pub fn parse(text: &str) -> Result<Length, String> {
        let text = text.trim();
        if let Some((name, arguments)) = text.strip_suffix(')').and_then(|t| t.split_once('(')) {
            let numbers = arguments.split(',').map(number).collect::<Result<Vec<f64>, String>>()?;
            return match (name.trim(), &numbers[..]) {
                ("uniform", [low, high]) => range(whole(*low)?, whole(*high)?),
                ("normal", [mean, deviation]) => {
                    Ok(Length::Normal { mean: bounded(*mean)?, deviation: bounded(*deviation)? })
                }
                ("geometric", [mean]) => Ok(Length::Geometric { mean: bounded(*mean)? }),
                ("uniform" | "normal", _) => Err(format!("{} takes two numbers", name.trim())),
                ("geometric", _) => Err("geometric takes one number, the mean".to_owned()),
                (other, _) => Err(format!(
                    "there is no distribution {other:?}: there are uniform, normal and geometric"
                )),
            };
        }
        match text.split_once("..") {
            Some((low, high)) => range(whole(number(low)?)?, whole(number(high)?)?),
            None => Ok(Length::Fixed(whole(number(text)?)?)),
        }
    }
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Length::Fixed(n) => write!(f, "{n}"),
            Length::Uniform(low, high) => write!(f, "{low}..{high}"),
            Length::Normal { mean, deviation } => write!(f, "normal({mean},{deviation})"),
            Length::Geometric { mean } => write!(f, "geometric({mean})"),
        }
    }
}

/// Clamps a number to the bounds of a length.
fn rounded(number: f64) -> u64 {
    number.round().clamp(0.0, MAX_LENGTH as f64) as u64
}

fn number(text: &str) -> Result<f64, String> {
    let text = text.trim().replace('_', "");
    text.parse::<f64>().ok().filter(|n| n.is_finite()).ok_or_else(|| format!("{text:?} is no number"))
}

fn bounded(number: f64) -> Result<f64, String> {
    if (0.0..=MAX_LENGTH as f64).contains(&number) {
        Ok(number)
    } else {
        Err(format!("{number} does not lie between 0 and {MAX_LENGTH}"))
    }
}

fn whole(number: f64) -> Result<u64, String> {
    let number = bounded(number)?;
    if number.fract() == 0.0 { Ok(number as u64) } else { Err(format!("{number} is no whole number")) }
}

fn range(low: u64, high: u64) -> Result<Length, String> {
    match low.cmp(&high) {
        std::cmp::Ordering::Less => Ok(Length::Uniform(low, high)),
        std::cmp::Ordering::Equal => Ok(Length::Fixed(low)),
        std::cmp::Ordering::Greater => Err(format!("the range {low}..{high} is empty")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_read_and_written() {
        for text in ["0", "12", "10..1000", "normal(100,20)", "geometric(50)"] {
            assert_eq!(Length::parse(text).map(|l| l.to_string()), Ok(text.to_owned()));
        }
        assert_eq!(Length::parse(" uniform( 1 , 3 ) "), Ok(Length::Uniform(1, 3)));
        assert_eq!(Length::parse("1_000"), Ok(Length::Fixed(1000)));
        assert_eq!(Length::parse("5..5"), Ok(Length::Fixed(5)));
        for wrong in [
            "",
            "x",
            "-1",
            "1.5",
            "5..3",
            "uniform(1)",
            "normal(1,2,3)",
            "poisson(3)",
            "geometric()",
            "inf",
            "4294967296",
            "normal(nan,1)",
        ] {
            assert!(Length::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn means_and_bounds() {
        let near = |a: f64, b: f64| (a - b).abs() <= 0.01 * b;
        assert_eq!(Length::Uniform(10, 20).mean(), 15.0);
        assert_eq!(Length::Uniform(0, 9).expect(|n| (n * n) as f64), 28.5);
        assert_eq!(Length::Uniform(0, 9).none(), 0.1);
        let normal = Length::Normal { mean: 100.0, deviation: 20.0 };
        assert!(near(normal.mean(), 100.0) && (normal.least(), normal.most()) == (20, 180));
        assert!(near(normal.expect(|n| (n as f64 - 100.0).powi(2)), 400.0));
        let geometric = Length::Geometric { mean: 50.0 };
        assert!(near(geometric.mean(), 50.0) && (geometric.least(), geometric.most()) == (0, 1000));
        assert!((geometric.none() - 1.0 / 51.0).abs() < 0.001);
        assert!(near(Length::Uniform(0, 1_000_000).mean(), 500_000.0));
        assert_eq!([0.0, 0.5, 0.999].map(|share| Length::Uniform(10, 19).at(share)), [10, 15, 19]);
        assert_eq!([0.0, 0.5, 0.999_999].map(|share| normal.at(share)), [20, 100, 180]);
        assert_eq!([0.0, 0.5].map(|share| Length::Geometric { mean: 0.0 }.at(share)), [0, 0]);
        assert_eq!(Length::Normal { mean: 7.0, deviation: 0.0 }.mean(), 7.0);
        assert_eq!(Length::Geometric { mean: 0.0 }.mean(), 0.0);
    }
}
