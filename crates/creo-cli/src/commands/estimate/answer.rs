//! The data of all outputs.

use std::collections::BTreeMap;

use creo_cost::{Assumptions, Crossover, MethodId, Network, Profile, Row, Security, Series, Sizes};

/// The data of all outputs.
pub struct Answer<'a> {
    pub sizes: &'a Sizes<'a>,
    pub assumptions: &'a Assumptions,
    pub profile: Option<&'a Profile>,
    /// Whether it is a built-in one.
    pub shipped: bool,
    pub network: Network,
    /// Of requests and of responses.
    pub security: [Security; 2],
    pub rate: Option<f64>,
    pub rows: Vec<Row>,
    /// The varied length as given, and its effect on each method.
    pub over: Option<(String, Vec<Growth>)>,
}

/// The effect of a growing length on a method.
pub struct Growth {
    pub method: MethodId,
    pub series: Vec<Series>,
    pub crossovers: Vec<Crossover>,
}

impl Growth {
    /// Where another binding becomes the cheapest: a change of target says nothing about bindings.
    pub fn overtaking(&self) -> impl Iterator<Item = &Crossover> {
        // A name is `soap+http`, or `java soap+http`.
        let binding = |name: &str| name.rsplit(' ').next().map(str::to_owned);
        self.crossovers.iter().filter(move |found| binding(&found.from) != binding(&found.to))
    }
}

impl Answer<'_> {
    /// `DataService.retrieveData`, with the package if several interfaces share the name.
    pub fn name(&self, id: MethodId) -> String {
        let model = self.sizes.model();
        let (interface, method) = self.sizes.method(id);
        let alone = model.interfaces.iter().filter(|other| other.name == interface.name).count() == 1;
        let name = if alone { interface.name.clone() } else { model.interface_name(interface) };
        format!("{name}.{}", method.name)
    }

    /// The names of the methods with streams, whose items are not priced (COST-17); `None` for none.
    pub fn with_streams(&self) -> Option<String> {
        let methods = self.methods().into_iter().map(|(id, _)| id);
        streaming(self.sizes, methods, |id| self.name(id))
    }

    /// Where the times of signatures and encryption come from in each target of rows; of none, if nothing is signed or encrypted (COST-39).
    pub fn security_times(&self) -> BTreeMap<&str, SecurityTimes> {
        if !self.security.iter().any(|security| security.signed || security.encrypted) {
            return BTreeMap::new();
        }
        let targets = self.rows.iter().filter_map(|row| self.profile?.target(row.target.as_deref()?));
        targets
            .map(|target| {
                let times = match (target.security, target.security_costs()) {
                    (Some(_), _) => SecurityTimes::Measured,
                    (None, Some(_)) => SecurityTimes::Default,
                    (None, None) => SecurityTimes::None,
                };
                (target.target.as_str(), times)
            })
            .collect()
    }

    /// The methods that have rows, each with its rows.
    pub fn methods(&self) -> Vec<(MethodId, Vec<&Row>)> {
        let mut methods: Vec<(MethodId, Vec<&Row>)> = Vec::new();
        for row in &self.rows {
            match methods.last_mut() {
                Some((id, rows)) if *id == row.method => rows.push(row),
                _ => methods.push((row.method, vec![row])),
            }
        }
        methods
    }
}

/// Where the times of signatures and encryption come from in a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecurityTimes {
    /// From the profile.
    Measured,
    /// From the program, since the profile has none.
    Default,
    /// There are none, so rows with signatures and encryption have no times.
    None,
}

impl SecurityTimes {
    pub fn word(self) -> &'static str {
        match self {
            SecurityTimes::Measured => "measured",
            SecurityTimes::Default => "default",
            SecurityTimes::None => "none",
        }
    }
}

/// The methods with streams among some; `None` for none.
pub fn streaming(
    sizes: &Sizes<'_>,
    methods: impl IntoIterator<Item = MethodId>,
    name: impl Fn(MethodId) -> String,
) -> Option<String> {
    let names: Vec<String> =
        methods.into_iter().filter(|method| sizes.method(*method).1.has_streams()).map(name).collect();
    (!names.is_empty()).then(|| names.join(", "))
}
