//! All that the outputs show.

use creo_cost::{Assumptions, Crossover, MethodId, Network, Profile, Row, Series, Sizes};

/// All that the outputs show.
pub struct Answer<'a> {
    pub sizes: &'a Sizes<'a>,
    pub assumptions: &'a Assumptions,
    pub profile: Option<&'a Profile>,
    /// Whether it is one that comes with the program.
    pub shipped: bool,
    pub network: Network,
    pub rate: Option<f64>,
    pub rows: Vec<Row>,
    /// The length that grows, as it was said, and what comes of it for each method.
    pub over: Option<(String, Vec<Growth>)>,
}

/// What the growth of a length does to a method.
pub struct Growth {
    pub method: MethodId,
    pub series: Vec<Series>,
    pub crossovers: Vec<Crossover>,
}

impl Growth {
    /// Where another binding becomes the cheapest: that another target does says nothing about bindings.
    pub fn overtaking(&self) -> impl Iterator<Item = &Crossover> {
        // A name is `soap+http`, or `java soap+http`.
        let binding = |name: &str| name.rsplit(' ').next().map(str::to_owned);
        self.crossovers.iter().filter(move |found| binding(&found.from) != binding(&found.to))
    }
}

impl Answer<'_> {
    /// `DataService.retrieveData`, with the package where several interfaces share the name.
    pub fn name(&self, id: MethodId) -> String {
        let model = self.sizes.model();
        let (interface, method) = self.sizes.method(id);
        let alone = model.interfaces.iter().filter(|other| other.name == interface.name).count() == 1;
        let name = if alone { interface.name.clone() } else { model.interface_name(interface) };
        format!("{name}.{}", method.name)
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
