//! Questions about which types hold which.

/// For each node whether it can reach itself: it is one of several in a strongly connected component, or has an edge to itself.
///
/// Tarjan's algorithm with a stack of its own: a description may hold a chain of 100,000 types.
pub fn on_cycles(edges: &[Vec<usize>]) -> Vec<bool> {
    const UNSEEN: usize = usize::MAX;
    let mut index = vec![UNSEEN; edges.len()];
    let mut low = vec![0; edges.len()];
    let mut on_stack = vec![false; edges.len()];
    let mut cyclic = vec![false; edges.len()];
    let mut stack = Vec::new();
    let mut next = 0;
    for root in 0..edges.len() {
        if index[root] != UNSEEN {
            continue;
        }
        // A node and how many of its edges were followed.
        let mut work: Vec<(usize, usize)> = vec![(root, 0)];
        while let Some((node, followed)) = work.pop() {
            if followed == 0 {
                index[node] = next;
                low[node] = next;
                next += 1;
                stack.push(node);
                on_stack[node] = true;
            } else {
                let child = edges[node][followed - 1];
                if on_stack[child] {
                    low[node] = low[node].min(low[child]);
                }
            }
            match edges[node].get(followed) {
                Some(&child) => {
                    work.push((node, followed + 1));
                    if index[child] == UNSEEN {
                        work.push((child, 0));
                    }
                }
                None if low[node] == index[node] => {
                    let mut members = Vec::new();
                    while let Some(member) = stack.pop() {
                        on_stack[member] = false;
                        members.push(member);
                        if member == node {
                            break;
                        }
                    }
                    let several = members.len() > 1;
                    for member in members {
                        cyclic[member] = several || edges[member].contains(&member);
                    }
                }
                None => {}
            }
        }
    }
    cyclic
}

#[cfg(test)]
mod tests {
    use super::on_cycles;

    #[test]
    fn cycles() {
        assert_eq!(on_cycles(&[vec![1], vec![2], vec![1, 3], vec![], vec![4], vec![0, 0]]), [false, true, true, false, true, false]);
        let chain: Vec<Vec<usize>> = (0..100_000).map(|i| vec![(i + 1) % 100_000]).collect();
        assert!(on_cycles(&chain).iter().all(|c| *c));
    }
}
