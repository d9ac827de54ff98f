//! The duration and repetitions of measurements.

/// The maximum, however few messages there are.
const MOST_ROUNDS: u32 = 100;

/// The duration and repetitions of measurements.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Parts into which methods are divided. They are measured separately, since a JIT compiler's decisions in one program would affect all
    /// times.
    pub parts: usize,
    /// Processes for each part, in sequence: memory layout and compilation times differ between processes, and some are slower than others.
    pub processes: u32,
    /// The min number of rounds of each process.
    pub rounds: u32,
    /// The min milliseconds of a process's measurements: machines are slow for some tenths of a second at times, and compilers take time.
    pub least: u32,
    /// Microseconds per sample.
    pub sample: u32,
    /// The max milliseconds for warming up a process with few requests: code shared by many is warm sooner.
    pub warm: u32,
}

impl Effort {
    pub const FULL: Effort =
        Effort { parts: 6, processes: 2, rounds: 2, least: 6_000, sample: 2_000, warm: 15_000 };
    pub const QUICK: Effort =
        Effort { parts: 1, processes: 1, rounds: 3, least: 6_000, sample: 1_000, warm: 15_000 };
    /// For checking an estimate with a few messages: as many processes as for a profile, since more would find lower times.
    pub const CHECK: Effort =
        Effort { parts: 1, processes: 2, rounds: 3, least: 6_000, sample: 2_000, warm: 15_000 };
    /// For testing whether it works at all.
    pub const LOOK: Effort = Effort { parts: 1, processes: 1, rounds: 1, least: 0, sample: 200, warm: 500 };

    /// The rounds for this many messages, each on one wire.
    pub(crate) fn rounds_of(&self, messages: usize) -> u32 {
        let round = 2 * u64::from(self.sample) * messages.max(1) as u64;
        let wanted = (1_000 * u64::from(self.least)).div_ceil(round);
        self.rounds.max(u32::try_from(wanted).unwrap_or(MOST_ROUNDS).min(MOST_ROUNDS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_messages_are_measured_more_often() {
        let effort = Effort { parts: 1, processes: 1, rounds: 3, least: 6_000, sample: 2_000, warm: 0 };
        // A round of one message takes 4 ms for both directions.
        assert_eq!(
            [effort.rounds_of(1_000), effort.rounds_of(50), effort.rounds_of(1), effort.rounds_of(0)],
            [3, 30, 100, 100]
        );
        assert_eq!(Effort { least: 0, ..effort }.rounds_of(1), 3);
    }
}
