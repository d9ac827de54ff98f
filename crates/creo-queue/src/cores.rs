//! Who has a core next (COST-54).

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// The cores of a host that work, and the calls that wait for one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cores {
    pub(crate) running: u32,
    waiting: BinaryHeap<Waiting>,
    /// The turns that all who have a core or wait for one count as having had.
    turns: f64,
    order: u64,
}

#[derive(Clone, Copy, Debug)]
struct Waiting {
    turns: f64,
    order: u64,
    call: usize,
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Waiting) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Waiting {}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Waiting) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Waiting {
    /// The heap gives the greatest first, which is to be the one with the fewest turns.
    fn cmp(&self, other: &Waiting) -> Ordering {
        other.turns.total_cmp(&self.turns).then(other.order.cmp(&self.order))
    }
}

impl Cores {
    /// A call comes: how many turns it counts as having had, as many as those that are there on average.
    pub(crate) fn comes(&mut self) -> f64 {
        let there = self.waiting.len() as f64 + f64::from(self.running);
        let turns = if there > 0.0 { self.turns / there } else { 0.0 };
        self.turns += turns;
        turns
    }

    /// A call that counts as having had so many turns has one more.
    pub(crate) fn had_turn(&mut self) {
        self.turns += 1.0;
    }

    /// A call goes that counts as having had so many turns, and that no longer runs or waits.
    pub(crate) fn goes(&mut self, turns: f64) {
        // Of nobody there is no rest from rounding.
        self.turns = if self.waiting.is_empty() && self.running == 0 { 0.0 } else { self.turns - turns };
    }

    pub(crate) fn waits(&mut self, call: usize, turns: f64) {
        self.order += 1;
        self.waiting.push(Waiting { turns, order: self.order, call });
    }

    /// The call that is to have the next free core.
    pub(crate) fn next(&mut self) -> Option<usize> {
        self.waiting.pop().map(|first| first.call)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_comes_stands_amid_those_that_had_turns() {
        let mut cores = Cores { running: 1, ..Cores::default() };
        // Three came at the same time, and one has had a turn.
        for call in 0..3 {
            let turns = cores.comes();
            cores.waits(call, turns);
        }
        assert_eq!(cores.next(), Some(0));
        cores.had_turn();
        cores.waits(0, 1.0);
        let turns = cores.comes();
        assert_eq!(turns, 0.25);
        cores.waits(3, turns);
        assert_eq!([cores.next(), cores.next(), cores.next(), cores.next(), cores.next()], [Some(1), Some(2), Some(3), Some(0), None]);
    }

    #[test]
    fn who_never_has_a_second_turn_is_served_in_order() {
        let mut cores = Cores { running: 1, ..Cores::default() };
        for call in 0..100 {
            let turns = cores.comes();
            cores.waits(call, turns);
            if call % 3 == 2 {
                assert_eq!(cores.next(), Some(call / 3));
                cores.goes(0.0);
            }
        }
    }
}
