//! From the estimates of messages to the simulated scenario for each binding and target (COST-51, COST-52).

use super::answer::{Case, LeftOut};
use super::options::Request;
use crate::commands::estimate::too_large;
use crate::failure::Failure;
use creo_cost::{Allowance, Assumptions, Binding, Length, Message, Question, Random, Row, Sizes, estimate};
use creo_queue::{Call, Cost, Scenario};
use std::collections::{BTreeMap, BTreeSet};

/// The number of messages of different lengths that represent all, if lengths are not fixed.
const DRAWS: usize = 64;

/// The seed of the lengths: they are the same for all bindings, rates and hosts.
const SEED: u64 = 52;

type Key = (Binding, Option<String>);

/// The cases, and the names of those that are left out.
pub fn cases(
    sizes: &Sizes<'_>,
    assumptions: &Assumptions,
    question: &Question<'_>,
    request: &Request,
) -> Result<(Vec<Case>, LeftOut), Failure> {
    // For each case, the costs of each method.
    let mut costs: BTreeMap<Key, Vec<Vec<Cost>>> = BTreeMap::new();
    let (mut unmeasured, mut too_long): (BTreeSet<Key>, BTreeSet<Key>) = Default::default();
    for assumed in draws(assumptions) {
        for row in estimate(sizes, &assumed, question).map_err(too_large)? {
            let key = (row.binding, row.target.clone());
            let Some(place) = request.calls.iter().position(|call| call.method == row.method) else {
                continue;
            };
            if row.allowance() == Allowance::Never {
                too_long.insert(key);
                continue;
            }
            match cost(&row, question, request.overhead) {
                Some(cost) => costs.entry(key).or_insert_with(|| vec![Vec::new(); request.calls.len()])
                    [place]
                    .push(cost),
                None => {
                    unmeasured.insert(key);
                }
            }
        }
    }
    // A binding that one of the methods does not support is excluded for the mix.
    costs.retain(|key, of_methods| {
        !(unmeasured.contains(key) || too_long.contains(key))
            && of_methods.iter().all(|costs| !costs.is_empty())
    });
    let case = |((binding, target), costs): (Key, Vec<Vec<Cost>>)| {
        let sharing = request.sharing(binding);
        let call = |(said, costs): (&super::options::Called, Vec<Cost>)| {
            let (_, method) = sizes.method(said.method);
            Call { rate: said.rate, costs, work: said.work, wait: said.wait, answers: !method.oneway }
        };
        let scenario = Scenario {
            calls: request.calls.iter().zip(costs).map(call).collect(),
            arrivals: request.arrivals,
            hosts: request.hosts,
            cores: request.cores,
            threads: request.threads(sharing),
            sharing,
            latency: question.network.latency,
            broker: request.broker,
        };
        Case { binding, target, scenario }
    };
    let name = |(binding, target): Key| {
        target.map_or_else(|| binding.to_string(), |target| format!("{target} {binding}"))
    };
    let left_out = LeftOut {
        unmeasured: unmeasured.into_iter().map(name).collect(),
        too_long: too_long.into_iter().map(name).collect(),
    };
    Ok((costs.into_iter().map(case).collect(), left_out))
}

/// The assumptions themselves if all lengths are fixed; otherwise several in which each length has one of its values: each part of its
/// range in proportion to its probability, in independent orders.
fn draws(assumptions: &Assumptions) -> Vec<Assumptions> {
    let varied: Vec<(&String, &Length)> =
        assumptions.lengths.iter().filter(|(_, length)| length.least() < length.most()).collect();
    if varied.is_empty() {
        return vec![assumptions.clone()];
    }
    let mut all = vec![assumptions.clone(); DRAWS];
    let mut random = Random::new(SEED);
    for (path, length) in varied {
        let mut order: Vec<usize> = (0..DRAWS).collect();
        for last in (1..DRAWS).rev() {
            order.swap(last, random.below(last as u64 + 1) as usize);
        }
        for (assumed, place) in all.iter_mut().zip(order) {
            assumed
                .lengths
                .insert(path.clone(), Length::Fixed(length.at((place as f64 + 0.5) / DRAWS as f64)));
        }
    }
    all
}

/// `None` if the profile lacks data for the messages.
fn cost(row: &Row, question: &Question<'_>, overhead: f64) -> Option<Cost> {
    // Without a profile all times are zero.
    let time = |time: Option<creo_cost::Time>| {
        if question.profile.is_none() { Some(0.0) } else { time.map(|time| time.ns.max(0.0)) }
    };
    let link = |message: &Message| message.bytes().expected * 8.0 / question.network.bandwidth * 1e9;
    let response = |of: &dyn Fn(&Message) -> Option<f64>| row.response.as_ref().map_or(Some(0.0), of);
    Some(Cost {
        client_before: time(row.request.serialize)?,
        request: link(&row.request),
        before: time(row.request.deserialize)? + overhead,
        after: response(&|message| time(message.serialize))?,
        response: response(&|message| Some(link(message)))?,
        client_after: response(&|message| time(message.deserialize))?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_drawn_as_often_as_they_are_likely() {
        let mut assumptions = Assumptions::default();
        assert_eq!(draws(&assumptions).len(), 1);
        assumptions.lengths.insert("a".to_owned(), Length::Uniform(1, 64));
        assumptions.lengths.insert("b".to_owned(), Length::Uniform(1, 2));
        assumptions.lengths.insert("c".to_owned(), Length::Fixed(7));
        let all = draws(&assumptions);
        let of = |path: &str| all.iter().map(|assumed| assumed.lengths[path].at(0.0)).collect::<Vec<u64>>();
        let mut first = of("a");
        assert_ne!(first, (1..=64).collect::<Vec<u64>>());
        first.sort_unstable();
        assert_eq!(first, (1..=64).collect::<Vec<u64>>());
        assert_eq!(of("b").iter().sum::<u64>(), 96);
        assert!(of("c").iter().all(|length| *length == 7));
    }
}
