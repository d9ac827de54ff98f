//! A queue ordered by numbers.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Returns the item with the lowest number first, and equal ones in the order of insertion.
#[derive(Clone, Debug)]
pub(crate) struct Priority<T> {
    heap: BinaryHeap<Entry<T>>,
    order: u64,
}

#[derive(Clone, Copy, Debug)]
struct Entry<T> {
    number: f64,
    order: u64,
    what: T,
}

impl<T> PartialEq for Entry<T> {
    fn eq(&self, other: &Entry<T>) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<T> Eq for Entry<T> {}

impl<T> PartialOrd for Entry<T> {
    fn partial_cmp(&self, other: &Entry<T>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Entry<T> {
    /// The heap returns the greatest first, so the order is reversed.
    fn cmp(&self, other: &Entry<T>) -> Ordering {
        other.number.total_cmp(&self.number).then(other.order.cmp(&self.order))
    }
}

impl<T> Priority<T> {
    pub(crate) fn new() -> Priority<T> {
        Priority { heap: BinaryHeap::new(), order: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.heap.len()
    }

    pub(crate) fn push(&mut self, number: f64, what: T) {
        self.order += 1;
        self.heap.push(Entry { number, order: self.order, what });
    }

    pub(crate) fn pop(&mut self) -> Option<(f64, T)> {
        self.heap.pop().map(|first| (first.number, first.what))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_first_and_of_several_the_oldest() {
        let mut found = Priority::new();
        [(2.0, 'a'), (1.0, 'b'), (2.0, 'c'), (1.0, 'd'), (0.5, 'e')]
            .into_iter()
            .for_each(|(number, what)| found.push(number, what));
        assert_eq!(found.len(), 5);
        let all: String = std::iter::from_fn(|| found.pop().map(|(_, what)| what)).collect();
        assert_eq!(all, "ebdac");
    }
}
