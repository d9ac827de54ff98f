//! A number of bytes or rows with bounds.

use crate::length::Length;

/// A size: the bounds hold for every value that the assumptions allow, and the expected size is the mean over those values (COST-10).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    pub least: u64,
    pub expected: f64,
    /// Saturates: the max value means "unbounded".
    pub most: u64,
}

impl Spread {
    pub const ZERO: Spread = Spread::exact(0);

    pub const fn exact(size: u64) -> Spread {
        Spread { least: size, expected: size as f64, most: size }
    }

    /// Whether the assumptions fix the size.
    pub fn is_exact(&self) -> bool {
        self.least == self.most
    }

    #[must_use]
    pub fn plus(self, other: Spread) -> Spread {
        Spread {
            least: self.least.saturating_add(other.least),
            expected: self.expected + other.expected,
            most: self.most.saturating_add(other.most),
        }
    }

    #[must_use]
    pub fn and(self, size: u64) -> Spread {
        self.plus(Spread::exact(size))
    }

    /// The size times a fixed number.
    #[must_use]
    pub fn by(self, factor: u64) -> Spread {
        Spread {
            least: self.least.saturating_mul(factor),
            expected: self.expected * factor as f64,
            most: self.most.saturating_mul(factor),
        }
    }

    /// The size times a length; item and number are independent (COST-13).
    #[must_use]
    pub fn times(self, count: &Length) -> Spread {
        Spread {
            least: self.least.saturating_mul(count.least()),
            expected: self.expected * count.mean(),
            most: self.most.saturating_mul(count.most()),
        }
    }

    /// The size with the probability `share`, otherwise `other`.
    #[must_use]
    pub fn or(self, share: f64, other: Spread) -> Spread {
        if share >= 1.0 {
            self
        } else if share <= 0.0 {
            other
        } else {
            Spread {
                least: self.least.min(other.least),
                expected: self.expected * share + other.expected * (1.0 - share),
                most: self.most.max(other.most),
            }
        }
    }

    pub fn sum(items: impl IntoIterator<Item = Spread>) -> Spread {
        items.into_iter().fold(Spread::ZERO, Spread::plus)
    }

    /// One of several sizes, with probabilities that add up to 1.
    pub fn one_of(items: impl IntoIterator<Item = (f64, Spread)>) -> Spread {
        let mut found: Option<Spread> = None;
        for (share, item) in items {
            let part = item.expected * share;
            found = Some(match found {
                None => Spread { expected: part, ..item },
                Some(so_far) => Spread {
                    least: so_far.least.min(item.least),
                    expected: so_far.expected + part,
                    most: so_far.most.max(item.most),
                },
            });
        }
        found.unwrap_or(Spread::ZERO)
    }
}
