//! Decides which call gets a core next (COST-54).

use crate::priority::Priority;

/// The busy cores of a host, and the calls waiting for one.
#[derive(Clone, Debug)]
pub(crate) struct Cores {
    pub(crate) running: u32,
    /// Ordered by credited turns.
    waiting: Priority<usize>,
    /// The credited turns of all calls that have a core or wait for one.
    turns: f64,
}

impl Cores {
    pub(crate) fn new() -> Cores {
        Cores { running: 0, waiting: Priority::new(), turns: 0.0 }
    }

    /// A call arrives. Returns its credited turns: the average of the present calls.
    pub(crate) fn comes(&mut self) -> f64 {
        let there = self.waiting.len() as f64 + f64::from(self.running);
        let turns = if there > 0.0 { self.turns / there } else { 0.0 };
        self.turns += turns;
        turns
    }

    /// A call with this many credited turns has one more.
    pub(crate) fn had_turn(&mut self) {
        self.turns += 1.0;
    }

    /// A call with this many credited turns leaves; it no longer runs or waits.
    pub(crate) fn goes(&mut self, turns: f64) {
        // Without calls, rounding must leave no remainder.
        self.turns = if self.waiting.len() == 0 && self.running == 0 { 0.0 } else { self.turns - turns };
    }

    pub(crate) fn waits(&mut self, call: usize, turns: f64) {
        self.waiting.push(turns, call);
    }

    /// The call that gets the next free core.
    pub(crate) fn next(&mut self) -> Option<usize> {
        self.waiting.pop().map(|(_, call)| call)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_comes_stands_amid_those_that_had_turns() {
        let mut cores = Cores { running: 1, ..Cores::new() };
        // Three arrived at the same time, and one has had a turn.
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
        assert_eq!(
            [cores.next(), cores.next(), cores.next(), cores.next(), cores.next()],
            [Some(1), Some(2), Some(3), Some(0), None]
        );
    }

    #[test]
    fn who_never_has_a_second_turn_is_served_in_order() {
        let mut cores = Cores { running: 1, ..Cores::new() };
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
