//! Containment of types.

/// The strongly connected components: groups of nodes that reach each other. A component follows all that it reaches.
///
/// Tarjan's algorithm with an explicit stack: a description may have a chain of 100,000 types.
pub fn components(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const UNSEEN: usize = usize::MAX;
    let mut index = vec![UNSEEN; edges.len()];
    let mut low = vec![0; edges.len()];
    let mut on_stack = vec![false; edges.len()];
    let mut components = Vec::new();
    let mut stack = Vec::new();
    let mut next = 0;
    for root in 0..edges.len() {
        if index[root] != UNSEEN {
            continue;
        }
        // A node and the number of its visited edges.
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
                    let first = stack
                        .iter()
                        .rposition(|member| *member == node)
                        .expect("a node stays until its component is complete");
                    let members = stack.split_off(first);
                    members.iter().for_each(|member| on_stack[*member] = false);
                    components.push(members);
                }
                None => {}
            }
        }
    }
    components
}

/// The index of each node's component in [`components`].
pub fn component_of(edges: &[Vec<usize>]) -> Vec<usize> {
    let mut number_of = vec![0; edges.len()];
    for (number, members) in components(edges).into_iter().enumerate() {
        members.into_iter().for_each(|member| number_of[member] = number);
    }
    number_of
}

/// Whether each node can reach itself: its component has several nodes, or it has an edge to itself.
pub fn on_cycles(edges: &[Vec<usize>]) -> Vec<bool> {
    let mut cyclic = vec![false; edges.len()];
    for members in components(edges) {
        let several = members.len() > 1;
        for member in members {
            cyclic[member] = several || edges[member].contains(&member);
        }
    }
    cyclic
}

#[cfg(test)]
mod tests {
    use super::{components, on_cycles};

    #[test]
    fn cycles() {
        assert_eq!(
            on_cycles(&[vec![1], vec![2], vec![1, 3], vec![], vec![4], vec![0, 0]]),
            [false, true, true, false, true, false]
        );
        let chain: Vec<Vec<usize>> = (0..100_000).map(|i| vec![(i + 1) % 100_000]).collect();
        assert!(on_cycles(&chain).iter().all(|c| *c));
    }

    #[test]
    fn a_component_stands_behind_what_it_reaches() {
        let mut found = components(&[vec![1], vec![2], vec![1, 3], vec![], vec![4], vec![0, 0]]);
        found.iter_mut().for_each(|members| members.sort_unstable());
        assert_eq!(found, [vec![3], vec![1, 2], vec![0], vec![4], vec![5]]);
        let chain: Vec<Vec<usize>> =
            (0..100_000).map(|i| if i < 99_999 { vec![i + 1] } else { Vec::new() }).collect();
        assert!(components(&chain).into_iter().flatten().eq((0..100_000).rev()));
    }
}
