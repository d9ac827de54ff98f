//! Ranges of numbers, for checking whether a number belongs to an enum.

/// The numbers as a minimal sequence of ranges from a first to a last.
pub fn ranges(numbers: impl IntoIterator<Item = u32>) -> Vec<(u32, u32)> {
    let mut numbers: Vec<u32> = numbers.into_iter().collect();
    numbers.sort_unstable();
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(number) => *last = number,
            Some(_) | None => ranges.push((number, number)),
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn neighbours_are_one_range() {
        assert_eq!(ranges([7, 0, 2, 1, u32::MAX, 9]), [(0, 2), (7, 7), (9, 9), (u32::MAX, u32::MAX)]);
        assert_eq!(ranges([]), []);
    }
}
