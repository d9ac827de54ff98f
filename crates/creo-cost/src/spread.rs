//! A number of bytes or rows with bounds.

use crate::length::Length;

/// A size: the bounds hold for every value that the assumptions allow, and the expected size is the mean over those values (COST-10).
/// All three saturate: the largest `u64` stands for "more than can be said" (COST-16).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    pub least: u64,
    pub expected: f64,
    pub most: u64,
}

/// A mean that saturates as the bounds do, so that no later step makes an infinite one of it, or one that is no number.
pub(crate) fn saturated(expected: f64) -> f64 {
    expected.min(u64::MAX as f64)
}

impl Spread {
    pub const ZERO: Spread = Spread::exact(0);

    pub const fn exact(size: u64) -> Spread {
        Spread { least: size, expected: size as f64, most: size }
    }

    /// Whether the assumptions fix the size.
    pub fn is_exact(&self) -> bool {
        self.least == self.most && self.most < u64::MAX
    }

    #[must_use]
    pub fn plus(self, other: Spread) -> Spread {
        Spread {
            least: self.least.saturating_add(other.least),
            expected: saturated(self.expected + other.expected),
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
            expected: saturated(self.expected * factor as f64),
            most: self.most.saturating_mul(factor),
        }
    }

    /// The size times a length; item and number are independent (COST-13).
    #[must_use]
    pub fn times(self, count: &Length) -> Spread {
        Spread {
            least: self.least.saturating_mul(count.least()),
            expected: saturated(self.expected * count.mean()),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_saturate_instead_of_becoming_infinite() {
        let counts = [
            Length::Fixed(crate::MAX_LENGTH),
            Length::Uniform(1, crate::MAX_LENGTH),
            Length::Geometric { mean: 1e9 },
        ];
        for count in counts {
            let mut size = Spread::exact(8);
            for _ in 0..10_000 {
                size = size.times(&count).and(2).by(3).or(0.5, Spread::exact(1));
                size = Spread::one_of([(0.5, size), (0.5, size)]).plus(size);
                assert!(size.expected.is_finite() && size.expected > 0.0, "{size:?}");
            }
            assert_eq!((size.expected, size.most), (u64::MAX as f64, u64::MAX));
            assert!(!size.is_exact(), "{size:?}");
        }
        // Nothing, however often, is nothing.
        assert_eq!(Spread::ZERO.times(&Length::Fixed(crate::MAX_LENGTH)), Spread::ZERO);
    }
}
