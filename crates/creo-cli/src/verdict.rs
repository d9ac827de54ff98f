//! A verdict: the few lines that a reader needs first, each with a label.

use creo_cost::Wire;

/// The max number of lines of a verdict.
pub const MAX_LINES: usize = 6;

/// The number of others that are compared with the best.
pub const OTHERS: usize = 3;

/// The representative target if several were measured: hosts are written in it.
pub const HOST: &str = "java";

/// Labels and texts, most important first.
#[derive(Debug, Default)]
pub struct Verdict {
    lines: Vec<(&'static str, String)>,
}

impl Verdict {
    pub fn say(&mut self, label: &'static str, text: impl Into<String>) {
        debug_assert!(self.lines.len() < MAX_LINES, "a verdict is short");
        self.lines.push((label, text.into()));
    }

    pub fn lines(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.lines.iter().map(|(label, text)| (*label, text.as_str()))
    }

    /// One line each, with aligned texts.
    pub fn text(&self) -> String {
        let width = self.lines.iter().map(|(label, _)| label.len()).max().unwrap_or(0);
        self.lines.iter().map(|(label, text)| format!("{label:width$}  {text}\n")).collect()
    }
}

/// Of the ranked others, the first of each wire except the best one's; and SOAP, since many compare with it, even if it is the last. If all have the same wire, the first ones.
pub fn other_wires<'s, T>(best: Wire, others: &[&'s T], wire: impl Fn(&T) -> Wire) -> Vec<&'s T> {
    let mut found: Vec<&T> = Vec::new();
    for other in others {
        if wire(other) != best && found.iter().all(|known| wire(known) != wire(other)) {
            found.push(other);
        }
    }
    if found.is_empty() {
        found = others.to_vec();
    }
    if let Some(at) = found.iter().position(|other| wire(other) == Wire::Soap).filter(|at| *at >= OTHERS) {
        let soap = found.remove(at);
        found.insert(OTHERS - 1, soap);
    }
    found.truncate(OTHERS);
    found
}

/// `8150 bytes`, `42.5 kB`, `1.2 GB`
pub fn bytes(count: f64) -> String {
    match count {
        c if c < 10_000.0 => format!("{c:.0} bytes"),
        c if c < 1e6 => format!("{:.1} kB", c / 1e3),
        c if c < 1e9 => format!("{:.1} MB", c / 1e6),
        c => format!("{:.1} GB", c / 1e9),
    }
}

/// `1.02`, `1.3`, `12`
pub fn factor(ratio: f64) -> String {
    match ratio {
        r if r < 1.095 => format!("{r:.2}"),
        r if r < 9.95 => format!("{r:.1}"),
        r => format!("{r:.0}"),
    }
}

/// `75 % network latency, 24 % network bandwidth`: the largest first. Parts below 2 % are omitted.
pub fn shares(parts: &[(&str, f64)]) -> String {
    let sum: f64 = parts.iter().map(|(_, part)| part).sum();
    let mut parts = parts.to_vec();
    parts.sort_by(|a, b| b.1.total_cmp(&a.1));
    let shown = parts.iter().filter(|(_, part)| sum > 0.0 && part / sum >= 0.02);
    let shown: Vec<String> =
        shown.map(|(name, part)| format!("{:.0} % {name}", part / sum * 100.0)).collect();
    if shown.is_empty() { "nothing that is known".to_owned() } else { shown.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            [17.0, 9_999.0, 42_508.0, 2.5e6, 4.29e9].map(bytes),
            ["17 bytes", "9999 bytes", "42.5 kB", "2.5 MB", "4.3 GB"]
        );
        assert_eq!([1.0, 1.04, 1.28, 9.94, 12.3].map(factor), ["1.00", "1.04", "1.3", "9.9", "12"]);
    }

    #[test]
    fn others_are_one_a_wire_and_soap() {
        let scheme = creo_cost::Scheme::Record;
        let all = [
            Wire::Binary,
            Wire::Json,
            Wire::Json,
            Wire::Table(scheme),
            Wire::TableInSoap(scheme),
            Wire::Soap,
        ];
        let ranked: Vec<&Wire> = all.iter().collect();
        let found = other_wires(Wire::Binary, &ranked, |wire| *wire);
        assert_eq!(found, [&Wire::Json, &Wire::Table(scheme), &Wire::Soap]);
        let same = [&Wire::Binary, &Wire::Binary];
        assert_eq!(other_wires(Wire::Binary, &same, |wire| *wire), same);
    }

    #[test]
    fn shares_are_ranked() {
        assert_eq!(shares(&[("a", 24.0), ("b", 75.0), ("c", 1.0), ("d", 0.1)]), "75 % b, 24 % a");
        assert_eq!(shares(&[("a", 0.0)]), "nothing that is known");
    }

    #[test]
    fn texts_stand_below_one_another() {
        let mut verdict = Verdict::default();
        verdict.say("a", "one");
        verdict.say("long", "two");
        assert_eq!(verdict.text(), "a     one\nlong  two\n");
    }
}
