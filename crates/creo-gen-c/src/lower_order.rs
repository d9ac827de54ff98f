//! Orders in which C can be written: what contains what by value must come after it.

/// The strongly connected component of each node, numbered so that a component comes after all that it points to.
pub fn components(edges: &[Vec<usize>]) -> Vec<usize> {
    let count = edges.len();
    let mut component = vec![usize::MAX; count];
    let mut index = vec![usize::MAX; count];
    let mut low = vec![0; count];
    let mut stack = Vec::new();
    let mut next_index = 0;
    let mut next_component = 0;
    for root in 0..count {
        if index[root] != usize::MAX {
            continue;
        }
        // Each entry is a node and how many of its edges were followed; a chain of any length fits.
        let mut path = vec![(root, 0)];
        while let Some((node, followed)) = path.pop() {
            if followed == 0 {
                index[node] = next_index;
                low[node] = next_index;
                next_index += 1;
                stack.push(node);
            } else {
                let child = edges[node][followed - 1];
                low[node] = low[node].min(low[child]);
            }
            let mut edge = followed;
            let mut descended = false;
            while edge < edges[node].len() {
                let child = edges[node][edge];
                edge += 1;
                if index[child] == usize::MAX {
                    path.push((node, edge));
                    path.push((child, 0));
                    descended = true;
                    break;
                }
                if component[child] == usize::MAX {
                    low[node] = low[node].min(index[child]);
                }
            }
            if descended {
                continue;
            }
            if low[node] == index[node] {
                while let Some(member) = stack.pop() {
                    component[member] = next_component;
                    if member == node {
                        break;
                    }
                }
                next_component += 1;
            }
        }
    }
    component
}

/// The nodes in an order in which each comes after all that it points to, otherwise as they are numbered. Without circles.
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
    fn circles_are_found() {
        let edges = vec![vec![1], vec![2], vec![0, 3], vec![], vec![4]];
        let found = components(&edges);
        assert_eq!(found[0], found[1]);
        assert_eq!(found[1], found[2]);
        assert_ne!(found[2], found[3]);
        assert!(found[3] < found[0]);
        assert_ne!(found[4], found[0]);
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let count = 100_000;
        let edges: Vec<Vec<usize>> =
            (0..count).map(|i| if i + 1 < count { vec![i + 1] } else { vec![] }).collect();
        assert_eq!(components(&edges)[count - 1], 0);
        assert_eq!(dependencies_first(&edges)[0], count - 1);
    }

    #[test]
    fn dependencies_come_first_and_the_rest_stays() {
        assert_eq!(dependencies_first(&[vec![2], vec![], vec![]]), [2, 0, 1]);
    }
}
