//! The measurements of a target, as printed by its driver.

use creo_cost::Wire;
use creo_cost::calibration::Sample;

/// The measurements of a target.
#[derive(Clone, Debug, Default)]
pub struct Measurement {
    /// The version of the language's implementation.
    pub version: String,
    /// The nanoseconds measured for an empty operation.
    pub noise: f64,
    /// The nanoseconds of the driver's reference at the clock rate of all times.
    pub reference: f64,
    pub samples: Vec<(Wire, Sample)>,
}

impl Measurement {
    /// The times scaled to the clock rate at which the reference takes this many nanoseconds.
    #[must_use]
    pub fn at(mut self, reference: f64) -> Measurement {
        let factor = reference / self.reference;
        for (_, sample) in &mut self.samples {
            sample.serialize *= factor;
            sample.deserialize *= factor;
        }
        self.noise *= factor;
        self.reference = reference;
        self
    }

    /// The samples of one wire.
    pub fn of_wire(&self, wire: Wire) -> Vec<Sample> {
        self.samples.iter().filter(|(found, _)| *found == wire).map(|(_, sample)| *sample).collect()
    }

    /// Adds measurements of other messages from another process, scaled to this clock rate.
    pub(crate) fn add(&mut self, other: Measurement) {
        let other = other.at(self.reference);
        self.noise = self.noise.min(other.noise);
        self.samples.extend(other.samples);
    }

    /// Keeps the lower times of two processes that measured the same messages.
    pub(crate) fn take(&mut self, other: Measurement) -> Result<(), String> {
        let other = other.at(self.reference);
        self.noise = self.noise.min(other.noise);
        for ((wire, sample), (other_wire, other)) in self.samples.iter_mut().zip(&other.samples) {
            if (*wire, sample.request, sample.bytes) != (*other_wire, other.request, other.bytes) {
                return Err(format!(
                    "message {} on {} has {} bytes, and {} on {} has {}",
                    sample.request,
                    wire.word(),
                    sample.bytes,
                    other.request,
                    other_wire.word(),
                    other.bytes
                ));
            }
            sample.serialize = sample.serialize.min(other.serialize);
            sample.deserialize = sample.deserialize.min(other.deserialize);
        }
        Ok(())
    }

    /// Reads a line of a driver.
    pub(crate) fn read_line(&mut self, line: &str, requests: usize) -> Result<(), String> {
        let (word, rest) = line.split_once(' ').ok_or("no word")?;
        match word {
            "version" => self.version = rest.to_owned(),
            "noise" => self.noise = rest.parse().map_err(|_| "no number")?,
            "reference" => {
                self.reference =
                    rest.parse().ok().filter(|n: &f64| n.is_finite() && *n > 0.0).ok_or("no time")?
            }
            "point" => {
                let words: Vec<&str> = rest.split(' ').collect();
                let [request, wire, bytes, serialize, deserialize] = words[..] else {
                    return Err("not five words".to_owned());
                };
                let number =
                    |text: &str| text.parse::<f64>().ok().filter(|n| n.is_finite()).ok_or("no number");
                let request =
                    request.parse().ok().filter(|n| *n < requests).ok_or("no request of that number")?;
                let sample = Sample {
                    request,
                    bytes: bytes.parse().map_err(|_| "no size")?,
                    serialize: number(serialize)?,
                    deserialize: number(deserialize)?,
                };
                self.samples.push((Wire::from_word(wire).ok_or("no such wire")?, sample));
            }
            _ => return Err("an unknown word".to_owned()),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_messages_are_added_at_the_same_clock() {
        let sample = |request, time| {
            (Wire::Soap, Sample { request, bytes: 100, serialize: time, deserialize: 2.0 * time })
        };
        let mut all = Measurement {
            version: String::new(),
            noise: 1.0,
            reference: 1000.0,
            samples: vec![sample(1, 300.0)],
        };
        all.add(Measurement {
            version: String::new(),
            noise: 1.0,
            reference: 1250.0,
            samples: vec![sample(0, 500.0)],
        });
        assert_eq!((all.noise, all.samples), (0.8, vec![sample(1, 300.0), sample(0, 400.0)]));
    }

    #[test]
    fn what_a_driver_says() {
        let nothing = Measurement::default();
        let mut found = nothing.clone();
        for line in ["version OpenJDK 17", "noise 1.5", "reference 1000", "point 2 soap 100 1500.5 2000"] {
            assert_eq!(found.read_line(line, 3), Ok(()), "{line}");
        }
        assert_eq!((found.version.as_str(), found.noise), ("OpenJDK 17", 1.5));
        assert_eq!(
            found.of_wire(Wire::Soap),
            [Sample { request: 2, bytes: 100, serialize: 1500.5, deserialize: 2000.0 }]
        );
        // The clock was slower by a quarter: 2000 are 1600, and 2375 are 1900.
        let mut other = Measurement { noise: 2.0, reference: 1250.0, ..nothing };
        assert_eq!(other.read_line("point 2 soap 100 2000 2375", 3), Ok(()));
        assert_eq!(found.take(other.clone()), Ok(()));
        let least = Sample { request: 2, bytes: 100, serialize: 1500.5, deserialize: 1900.0 };
        assert_eq!((found.noise, found.reference, found.of_wire(Wire::Soap)), (1.5, 1000.0, vec![least]));
        other.samples[0].1.bytes += 1;
        assert!(found.take(other).is_err());
        for line in [
            "",
            "hello world",
            "noise x",
            "reference 0",
            "reference x",
            "point 3 soap 1 1 1",
            "point 0 soup 1 1 1",
            "point 0 soap 1 1",
            "point 0 soap 1 NaN 1",
        ] {
            assert!(found.read_line(line, 3).is_err(), "{line}");
        }
    }
}
