//! The answer: what each method costs on each binding and target, ranked (COST-16, COST-24 to COST-28).

use crate::assume::{Assumed, Assumptions, TooLarge};
use crate::binding::{Binding, Direction, MethodId, OnWire, Sizes, Wire};
use crate::features::{Bends, features};
use crate::fit::{Fit, Time};
use crate::length::Length;
use crate::part::Part;
use crate::profile::{FitProfile, Profile};
use crate::security::Security;
use crate::spread::Spread;
use std::collections::BTreeMap;

/// The parameters of an estimate, besides the description.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    pub methods: Vec<MethodId>,
    pub bindings: Vec<Binding>,
    /// Names of targets; empty without a profile.
    pub targets: Vec<String>,
    pub profile: Option<&'a Profile>,
    pub network: Network,
    /// The share of strings with characters beyond ASCII.
    pub wide: f64,
    /// The security of requests and of responses over SOAP.
    pub security: [Security; 2],
}

impl Question<'_> {
    fn security(&self, direction: Direction) -> &Security {
        match direction {
            Direction::Request => &self.security[0],
            Direction::Response => &self.security[1],
        }
    }
}

/// The network between client and service.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Network {
    /// Bits per second.
    pub bandwidth: f64,
    /// One-way latency in nanoseconds.
    pub latency: f64,
}

impl Network {
    fn time(&self, bytes: Spread) -> Time {
        let of = |bytes: f64| self.latency + bytes * 8.0 / self.bandwidth * 1e9;
        Time { ns: of(bytes.expected), low: of(bytes.least as f64), high: of(bytes.most as f64) }
    }
}

/// The bytes of a body that `maxMessageSize` allows unless it is set to more (LIM-1).
pub const DEFAULT_MAX_BODY: f64 = 134_217_728.0;

/// The most that `maxMessageSize` can be set to.
pub const MAX_BODY: f64 = 2_147_483_647.0;

/// Whether `maxMessageSize` lets a message pass that has the expected bytes (COST-16).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Allowance {
    Default,
    /// If it is set to more than its default.
    Raised,
    /// Whatever it is set to.
    Never,
}

/// One message of a call on a binding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Message {
    pub body: Spread,
    /// What security adds to the body, of which it is a part (COST-18); the bounds are those of the expected body.
    pub security: Option<f64>,
    /// The bytes added by the transport.
    pub transport: Spread,
    /// `None` if the message is too long to be sent.
    pub network: Option<Time>,
    /// `None` without a profile, where it has not measured what the message has, and if the message is too long to be sent.
    pub serialize: Option<Time>,
    pub deserialize: Option<Time>,
}

impl Message {
    pub fn allowance(&self) -> Allowance {
        allowance(self.body)
    }

    pub fn bytes(&self) -> Spread {
        self.body.plus(self.transport)
    }
}

fn allowance(body: Spread) -> Allowance {
    match body.expected {
        bytes if bytes > MAX_BODY => Allowance::Never,
        bytes if bytes > DEFAULT_MAX_BODY => Allowance::Raised,
        _ => Allowance::Default,
    }
}

/// A method on a binding and target.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub method: MethodId,
    pub binding: Binding,
    pub target: Option<String>,
    pub request: Message,
    pub response: Option<Message>,
}

impl Row {
    fn messages(&self) -> impl Iterator<Item = &Message> {
        std::iter::once(&self.request).chain(&self.response)
    }

    /// That of the longer message.
    pub fn allowance(&self) -> Allowance {
        self.messages().map(Message::allowance).max().unwrap_or(Allowance::Default)
    }

    /// The bytes of both messages.
    pub fn bytes(&self) -> Spread {
        Spread::sum(self.messages().map(Message::bytes))
    }

    /// The processor time of both sides for both messages.
    pub fn processor(&self) -> Option<Time> {
        self.messages().try_fold(Time::ZERO, |sum, message| {
            Some(sum.plus(message.serialize?).plus(message.deserialize?))
        })
    }

    /// `None` if a message is too long to be sent.
    pub fn network(&self) -> Option<Time> {
        self.messages().try_fold(Time::ZERO, |sum, message| Some(sum.plus(message.network?)))
    }

    pub fn total(&self) -> Option<Time> {
        Some(self.processor()?.plus(self.network()?))
    }

    /// The share of serializing and deserializing in the total.
    pub fn share(&self) -> Option<f64> {
        let (processor, total) = (self.processor()?.ns, self.total()?.ns);
        Some(if total > 0.0 { processor / total } else { 0.0 })
    }

    /// The service's cores that a call rate keeps busy: it reads requests and writes responses.
    pub fn cores(&self, rate: f64) -> Option<Time> {
        let written = self.response.map_or(Some(Time::ZERO), |response| response.serialize)?;
        Some(self.request.deserialize?.plus(written).by(rate / 1e9))
    }

    /// The sort key of rows: the total, or the bytes if there is no time.
    pub fn measure(&self) -> f64 {
        self.total().map_or_else(|| self.bytes().expected, |total| total.ns)
    }
}

/// The target, the wire, and whether it serializes.
type FitKey = (String, &'static str, bool);

/// The fits of a profile, computed once.
struct Fits<'a> {
    profile: Option<&'a Profile>,
    made: BTreeMap<FitKey, Option<(Fit, Bends)>>,
    wide: f64,
}

impl<'a> Fits<'a> {
    fn of(question: &Question<'a>) -> Fits<'a> {
        Fits { profile: question.profile, made: BTreeMap::new(), wide: question.wide }
    }

    fn time(
        &mut self,
        target: &str,
        binding: Binding,
        direction: Direction,
        serialize: bool,
        part: &Part,
        on_wire: OnWire,
    ) -> Option<Time> {
        let (profile, wide) = (self.profile?, self.wide);
        let (fit, bends) = self
            .made
            .entry((target.to_owned(), binding.wire.word(), serialize))
            .or_insert_with(|| {
                let found = profile.wire(target, binding.wire)?;
                let part: &FitProfile = if serialize { &found.serialize } else { &found.deserialize };
                Some((part.fit(), part.bends(wide)))
            })
            .as_ref()?;
        fit.time(&features(binding.wire, direction, part, on_wire, *bends))
    }
}

/// Computes the estimate. The rows of a method are adjacent, cheapest first.
pub fn estimate(
    sizes: &Sizes<'_>,
    assumptions: &Assumptions,
    question: &Question<'_>,
) -> Result<Vec<Row>, TooLarge> {
    estimate_with(sizes, assumptions, question, &mut Fits::of(question))
}

/// [`estimate`] with fits of the question, which are kept from one estimate to the next: it takes longer to make them than to use them once.
fn estimate_with(
    sizes: &Sizes<'_>,
    assumptions: &Assumptions,
    question: &Question<'_>,
    fits: &mut Fits<'_>,
) -> Result<Vec<Row>, TooLarge> {
    let mut rows = Vec::new();
    let mut assumed = Assumed::new(sizes.model(), sizes.plan(), assumptions);
    for id in &question.methods {
        let (_, method) = sizes.method(*id);
        let request = assumed.message(*id, Direction::Request)?;
        let response = if method.oneway { None } else { Some(assumed.message(*id, Direction::Response)?) };
        let mut of_method = Vec::new();
        for binding in &question.bindings {
            let targets: Vec<Option<&str>> = match question.targets.is_empty() {
                true => vec![None],
                false => question.targets.iter().map(|target| Some(target.as_str())).collect(),
            };
            for target in targets {
                let mut message = |direction: Direction, part: &Part| {
                    let modelled = sizes.body_on(*binding, *id, direction, part)?;
                    // Another stack's size is known only where it was measured.
                    let body = match binding.wire {
                        Wire::Foreign(_) => {
                            question.profile?.wire(target?, binding.wire)?.size.as_ref()?.spread(modelled)
                        }
                        Wire::Binary | Wire::Soap | Wire::Table(_) | Wire::TableInSoap(_) | Wire::Json => {
                            modelled
                        }
                    };
                    let security = question.security(direction);
                    let secured = if security.is_none() {
                        None
                    } else {
                        sizes.secured(binding.wire, *id, direction, part, security)
                    };
                    let added = secured.map(|secured| secured.expected - body.expected);
                    let body = secured.unwrap_or(body);
                    let transport = sizes.transport(*binding, *id, direction, body);
                    let on_wire = OnWire {
                        body: modelled.expected,
                        beside: sizes.beside(binding.wire, *id, direction, part),
                    };
                    if allowance(body) == Allowance::Never {
                        let (network, serialize, deserialize) = (None, None, None);
                        let security = added;
                        return Some(Message { body, security, transport, network, serialize, deserialize });
                    }
                    let mut time = |serialize| {
                        let plain = fits.time(target?, *binding, direction, serialize, part, on_wire)?;
                        let Some(secured) = secured else { return Some(plain) };
                        let costs = question.profile?.target(target?)?.security_costs();
                        let elements = on_wire.beside.elements;
                        Some(plain.plus(security.time(costs, serialize, secured.expected, elements)?))
                    };
                    let (serialize, deserialize) = (time(true), time(false));
                    let network = Some(question.network.time(body.plus(transport)));
                    Some(Message { body, security: added, transport, network, serialize, deserialize })
                };
                let Some(first) = message(Direction::Request, &request) else { continue };
                let second = response.as_ref().and_then(|part| message(Direction::Response, part));
                of_method.push(Row {
                    method: *id,
                    binding: *binding,
                    target: target.map(str::to_owned),
                    request: first,
                    response: second,
                });
            }
        }
        // Rows without a time stand behind those that have one, and behind all what cannot be sent.
        let rank = |row: &Row| (row.allowance() == Allowance::Never, row.total().is_none());
        of_method.sort_by(|a, b| rank(a).cmp(&rank(b)).then(a.measure().total_cmp(&b.measure())));
        rows.extend(of_method);
    }
    Ok(rows)
}

/// A line of a plot: a binding on a target.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    pub binding: Binding,
    pub target: Option<String>,
    /// Length and measure, up to the length from which on a message is too long to be sent.
    pub points: Points,
}

impl Series {
    /// `java soap+http`
    pub fn name(&self) -> String {
        self.target
            .as_ref()
            .map_or_else(|| self.binding.to_string(), |target| format!("{target} {}", self.binding))
    }
}

/// Lengths and measures.
type Points = Vec<(u64, f64)>;

/// A change of the cheapest binding as a length grows.
#[derive(Clone, Debug, PartialEq)]
pub struct Crossover {
    /// The first length at which the second binding is cheaper.
    pub length: u64,
    pub from: String,
    pub to: String,
}

/// A method's costs at several lengths of the value at `path`; all other assumptions stay.
pub fn over_lengths(
    sizes: &Sizes<'_>,
    assumptions: &Assumptions,
    question: &Question<'_>,
    path: &str,
    lengths: &[u64],
) -> Result<Vec<Series>, TooLarge> {
    let mut series: BTreeMap<(Option<String>, Binding), Points> = BTreeMap::new();
    let mut fits = Fits::of(question);
    for length in lengths {
        let rows = estimate_with(sizes, &at_length(assumptions, path, *length), question, &mut fits)?;
        for row in rows.into_iter().filter(|row| row.allowance() != Allowance::Never) {
            let measure = row.measure();
            series.entry((row.target, row.binding)).or_default().push((*length, measure));
        }
    }
    Ok(series.into_iter().map(|((target, binding), points)| Series { binding, target, points }).collect())
}

fn at_length(assumptions: &Assumptions, path: &str, length: u64) -> Assumptions {
    let mut changed = assumptions.clone();
    changed.lengths.insert(path.to_owned(), Length::Fixed(length));
    changed
}

/// The exact lengths at which another binding becomes the cheapest, searched between the points of the series.
pub fn crossovers(
    sizes: &Sizes<'_>,
    assumptions: &Assumptions,
    question: &Question<'_>,
    path: &str,
    lengths: &[u64],
) -> Result<Vec<Crossover>, TooLarge> {
    let mut fits = Fits::of(question);
    let mut cheapest = |length: u64| -> Result<Option<String>, TooLarge> {
        let rows = estimate_with(sizes, &at_length(assumptions, path, length), question, &mut fits)?;
        Ok(rows
            .into_iter()
            .find(|row| row.allowance() != Allowance::Never)
            .map(|row| Series { binding: row.binding, target: row.target, points: Vec::new() }.name()))
    };
    let mut found = Vec::new();
    let mut before: Option<(u64, String)> = None;
    for length in lengths {
        let Some(now) = cheapest(*length)? else { continue };
        if let Some((mut low, from)) = before.take()
            && from != now
        {
            let mut high = *length;
            let mut to = now.clone();
            while high - low > 1 {
                let middle = low + (high - low) / 2;
                match cheapest(middle)? {
                    Some(name) if name == from => low = middle,
                    Some(name) => (high, to) = (middle, name),
                    None => break,
                }
            }
            found.push(Crossover { length: high, from, to });
        }
        before = Some((*length, now));
    }
    Ok(found)
}

/// Distinct lengths from the first to the last, spaced evenly on a logarithmic scale.
pub fn spaced(first: u64, last: u64, count: usize) -> Vec<u64> {
    let (low, high) = (first.max(1) as f64, last.max(first).max(1) as f64);
    let mut all: Vec<u64> = (0..count.max(2))
        .map(|i| (low * (high / low).powf(i as f64 / (count.max(2) - 1) as f64)).round() as u64)
        .collect();
    all.dedup();
    all
}
