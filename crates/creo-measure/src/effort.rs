//! How long and how often messages are measured.

/// However few messages there are.
const MOST_ROUNDS: u32 = 100;

/// How long and how often.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Parts of the messages, each method's in one, that are measured apart: a compiler that works while the program runs decides by what it sees of it, and what it decides in
    /// one program would be in all times alike.
    pub parts: usize,
    /// Of each part, one after the other: where a process has its memory, and when its code is compiled, is different in each, and some are slower than others.
    pub processes: u32,
    /// Of each process, at least.
    pub rounds: u32,
    /// Milliseconds that a process measures at least: where there are few messages it measures them more often. A machine is slow for some tenths of a second at times, and
    /// compilers take their time.
    pub least: u32,
    /// Microseconds of a sample.
    pub sample: u32,
    /// Milliseconds that the warming of a process may take in all, where there are few requests: code that many of them share is warm sooner.
    pub warm: u32,
}

impl Effort {
    pub const FULL: Effort =
        Effort { parts: 6, processes: 2, rounds: 2, least: 6_000, sample: 2_000, warm: 15_000 };
    pub const QUICK: Effort =
        Effort { parts: 1, processes: 1, rounds: 3, least: 6_000, sample: 1_000, warm: 15_000 };
    /// Of few messages, to hold an estimate against: as many processes as are behind a profile, since more of them would find a lesser time.
    pub const CHECK: Effort =
        Effort { parts: 1, processes: 2, rounds: 3, least: 6_000, sample: 2_000, warm: 15_000 };
    /// Whether it works at all.
    pub const LOOK: Effort = Effort { parts: 1, processes: 1, rounds: 1, least: 0, sample: 200, warm: 500 };

    /// Of so many messages, each on one wire.
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
        // A round of one message takes 4 ms, both ways of it.
        assert_eq!(
            [effort.rounds_of(1_000), effort.rounds_of(50), effort.rounds_of(1), effort.rounds_of(0)],
            [3, 30, 100, 100]
        );
        assert_eq!(Effort { least: 0, ..effort }.rounds_of(1), 3);
    }
}
