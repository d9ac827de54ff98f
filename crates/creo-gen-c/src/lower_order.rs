//! Orders for C: a type comes after those that it contains by value.

/// The nodes in an order in which each follows all that it points to, and otherwise by number. There must be no cycles.
pub fn dependencies_first(edges: &[Vec<usize>]) -> Vec<usize> {
    let mut done = vec![false; edges.len()];
    let mut order = Vec::with_capacity(edges.len());
    for root in 0..edges.len() {
        let mut path = vec![(root, 0)];
        while let Some((node, edge)) = path.pop() {
            if done[node] {
                continue;
            }
            if let Some(&child) = edges[node].get(edge) {
                path.push((node, edge + 1));
                if !done[child] {
                    path.push((child, 0));
                }
            } else {
                done[node] = true;
                order.push(node);
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_chain_needs_no_stack() {
        let count = 100_000;
        let edges: Vec<Vec<usize>> =
            (0..count).map(|i| if i + 1 < count { vec![i + 1] } else { vec![] }).collect();
        assert_eq!(dependencies_first(&edges)[0], count - 1);
    }

    #[test]
    fn dependencies_come_first_and_the_rest_stays() {
        assert_eq!(dependencies_first(&[vec![2], vec![], vec![]]), [2, 0, 1]);
    }
}
