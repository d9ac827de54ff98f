//! Simple types. Most become primitives, enumerations enums, lists arrays in one text, and unions text.

use crate::import::builtin::{Builtin, builtin, range, white_space};
use crate::import::draft::{Constant, Decl, DeclId, Rank, Shape, Ty};
use crate::import::mapper::{Key, Mapper};
use crate::import::simple::Simple;
use crate::import::table::{Kind, Spot};
use std::collections::BTreeSet;

/// The maximum nesting of lists and unions of simple types.
const DEEPEST: usize = 20;

/// A longer chain of restrictions becomes text.
const LONGEST_CHAIN: usize = 200;

/// Facets kept while a restriction is followed to its base.
#[derive(Default)]
struct Facets {
    /// The nearest enumeration, and the name of its type.
    enumeration: Option<(Spot, String)>,
    least: Option<i128>,
    most: Option<i128>,
}

impl Mapper<'_> {
    /// The simple type of a `simpleType` element. `name` is its name, or that of its owner.
    pub fn simple_at(&mut self, spot: Spot, name: &str) -> Simple {
        self.simple_within(spot, name, 0)
    }

    fn simple_within(&mut self, spot: Spot, name: &str, depth: usize) -> Simple {
        if let Some(known) = self.simples.get(&spot) {
            return known.clone();
        }
        let found = if depth >= DEEPEST { Simple::text() } else { self.follow(spot, name, depth) };
        self.simples.insert(spot, found.clone());
        found
    }

    /// The simple type of a name; for a complex type with simple content, that of its content.
    pub fn simple_named(&mut self, text: &str, from: Spot, depth: usize) -> Simple {
        let name = self.table.resolve(from, text, self.report);
        if name.builtin() {
            return builtin(&name.local).map_or_else(Simple::text, Simple::builtin);
        }
        match self.table.look_up(Kind::Type, &name, from, self.report) {
            Some((name, spot)) if self.table.element(spot).local == "simpleType" => {
                self.simple_within(spot, &name.local, depth + 1)
            }
            _ => builtin(&name.local).map_or_else(Simple::text, Simple::builtin),
        }
    }

    fn follow(&mut self, spot: Spot, name: &str, depth: usize) -> Simple {
        let mut facets = Facets::default();
        let mut at = spot;
        let mut name = name.to_owned();
        let mut seen = BTreeSet::new();
        for _ in 0..LONGEST_CHAIN {
            if !seen.insert(at) {
                break;
            }
            let Some(how) = self.table.child(at, &["restriction", "list", "union"]) else { break };
            match self.table.element(how).local.as_str() {
                "list" => return self.list(how, &name, depth),
                "union" => return self.union(how, at, &name, depth),
                _ => {}
            }
            self.facets(how, at, &name, &mut facets);
            match self.table.element(how).attribute("base") {
                Some(base) => {
                    let base = self.table.resolve(how, base, self.report);
                    if base.builtin() {
                        return self.finish(builtin(&base.local), facets);
                    }
                    match self.table.look_up(Kind::Type, &base, how, self.report) {
                        Some((base, next)) if self.table.element(next).local == "simpleType" => {
                            name = base.local.to_string();
                            at = next;
                        }
                        _ => break,
                    }
                }
                None => match self.table.child(how, &["simpleType"]) {
                    Some(inner) => at = inner,
                    None => break,
                },
            }
        }
        self.finish(None, facets)
    }

    fn facets(&mut self, restriction: Spot, at: Spot, name: &str, facets: &mut Facets) {
        for facet in self.table.children(restriction) {
            let element = self.table.element(facet);
            let value = element.attribute("value").unwrap_or("").trim();
            let number = value.parse::<i128>().ok();
            let (least, most) = match element.local.as_str() {
                "enumeration" => {
                    facets.enumeration.get_or_insert((at, name.to_owned()));
                    continue;
                }
                "minInclusive" => (number, None),
                "minExclusive" => (number.and_then(|n| n.checked_add(1)), None),
                "maxInclusive" => (None, number),
                "maxExclusive" => (None, number.and_then(|n| n.checked_sub(1))),
                "totalDigits" => match value.parse::<u32>().ok().filter(|digits| *digits <= 18) {
                    Some(digits) => (Some(1 - 10i128.pow(digits)), Some(10i128.pow(digits) - 1)),
                    None => continue,
                },
                _ => continue,
            };
            // The nearest facet of a kind is the strictest.
            facets.least = facets.least.max(least);
            facets.most = match (facets.most, most) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
        }
    }

    /// The outcome of a chain of restrictions.
    fn finish(&mut self, base: Option<Builtin>, facets: Facets) -> Simple {
        let base = base.unwrap_or(Builtin { word: "String", xsd: None });
        if let Some((spot, name)) = facets.enumeration {
            // A QName's prefix means nothing without its document, so its texts are not constants.
            let texts = base.word == "String" && !matches!(base.xsd, Some("QName" | "NOTATION"));
            if texts && self.texts(spot).next().is_some() {
                let id = self.enumeration(spot, &name);
                return Simple { ty: Ty::Decl(id), ..Simple::text() };
            }
            let values: Vec<&str> = self.texts(spot).collect();
            if !values.is_empty() {
                let comment = format!("One of {}.", listed(&values));
                return Simple::builtin(base).commented(comment);
            }
        }
        if let ("Decimal", Some(xsd)) = (base.word, base.xsd) {
            let (least, most) = range(xsd);
            let fits = |bound: Option<i128>| bound.is_some_and(|n| i64::try_from(n).is_ok());
            let nearest = |a: Option<i128>, b: Option<i128>| a.or(b);
            if fits(nearest(facets.least, least)) && fits(nearest(facets.most, most)) {
                return Simple { ty: Ty::Word("long"), xsd: Some(xsd), ..Simple::text() };
            }
        }
        Simple::builtin(base)
    }

    /// The values of an enumeration, as written in the schema.
    fn texts(&self, spot: Spot) -> impl Iterator<Item = &str> {
        let restriction = self.table.child(spot, &["restriction"]);
        let facets = restriction.into_iter().flat_map(|restriction| self.table.children(restriction));
        facets
            .map(|facet| self.table.element(facet))
            .filter(|facet| facet.local == "enumeration")
            .filter_map(|facet| facet.attribute("value"))
    }

    fn enumeration(&mut self, spot: Spot, name: &str) -> DeclId {
        let notes = self.notes(spot);
        let namespace = self.namespace(spot);
        let named = self.table.element(spot).attribute("name").map(|name| name.trim().into());
        self.declare(Key::Enum(spot), || Decl {
            shape: Shape::Waiting,
            name: name.to_owned(),
            suffix: "Type",
            rank: if named.is_some() { Rank::Type } else { Rank::Anonymous },
            xml: named,
            namespace,
            notes,
        })
    }

    /// The constants of an enumeration, or of a union of enumerations, without duplicates.
    pub fn constants(&mut self, spot: Spot) -> Shape {
        let mut constants = Vec::new();
        let mut seen = BTreeSet::new();
        let mut waiting = vec![spot];
        let mut visited = BTreeSet::new();
        while let Some(at) = waiting.pop() {
            if !visited.insert(at) {
                continue;
            }
            if let Some(union) = self.table.child(at, &["union"]) {
                let mut members = self.union_members(union);
                members.reverse();
                waiting.extend(members);
                continue;
            }
            let Some(restriction) = self.table.child(at, &["restriction"]) else { continue };
            let facets: Vec<Spot> = self
                .table
                .children(restriction)
                .filter(|facet| self.table.element(*facet).local == "enumeration")
                .collect();
            if facets.is_empty() {
                // A restriction that keeps the whole enumeration.
                waiting.extend(self.base_of(restriction));
            }
            let xsd = self.xsd_of(at);
            for facet in facets {
                // Readers skip white space around the text of an enum (XML-10).
                let text = white_space(xsd, self.table.element(facet).attribute("value").unwrap_or(""));
                let text = text.trim().to_owned();
                if seen.insert(text.clone()) && self.spend(facet) {
                    constants.push(Constant { text, notes: self.notes(facet) });
                }
            }
        }
        Shape::Enum(constants)
    }

    /// [`Builtin::xsd`] of the base of a chain of restrictions.
    fn xsd_of(&mut self, spot: Spot) -> Option<&'static str> {
        let mut at = spot;
        for _ in 0..LONGEST_CHAIN {
            let restriction = self.table.child(at, &["restriction"])?;
            if let Some(base) = self.table.element(restriction).attribute("base") {
                let base = self.table.resolve(restriction, base, self.report);
                if base.builtin() {
                    return builtin(&base.local)?.xsd;
                }
            }
            at = self.base_of(restriction)?;
        }
        None
    }

    fn base_of(&mut self, restriction: Spot) -> Option<Spot> {
        match self.table.element(restriction).attribute("base") {
            Some(base) => {
                let base = self.table.resolve(restriction, base, self.report);
                self.table.find(Kind::Type, &base).map(|(_, spot)| spot)
            }
            None => self.table.child(restriction, &["simpleType"]),
        }
    }

    fn list(&mut self, list: Spot, name: &str, depth: usize) -> Simple {
        let item = match self.table.element(list).attribute("itemType").map(str::to_owned) {
            Some(item) => self.simple_named(&item, list, depth),
            None => match self.table.child(list, &["simpleType"]) {
                Some(inner) => self.simple_within(inner, &format!("{name}Item"), depth + 1),
                None => Simple::text(),
            },
        };
        match item.ty {
            Ty::Word(_) | Ty::Decl(_) => {
                Simple { ty: item.ty.array(), list: true, xsd: item.xsd, comment: item.comment }
            }
            Ty::Bytes | Ty::Attributes | Ty::Array(_) | Ty::Optional(_) => {
                Simple::text().commented("A list: its items are separated by white space.")
            }
        }
    }

    /// A union's member types that are simple types of the files.
    fn union_members(&mut self, union: Spot) -> Vec<Spot> {
        let names = self.table.element(union).attribute("memberTypes").unwrap_or("").to_owned();
        let mut members = Vec::new();
        for name in names.split_whitespace() {
            let name = self.table.resolve(union, name, self.report);
            members.extend(self.table.find(Kind::Type, &name).map(|(_, spot)| spot));
        }
        members.extend(
            self.table.children(union).filter(|child| self.table.element(*child).local == "simpleType"),
        );
        members
    }

    fn union(&mut self, union: Spot, at: Spot, name: &str, depth: usize) -> Simple {
        let names = self.table.element(union).attribute("memberTypes").unwrap_or("").to_owned();
        let mut members: Vec<Simple> =
            names.split_whitespace().map(|name| self.simple_named(name, union, depth)).collect();
        let inner: Vec<Spot> = self
            .table
            .children(union)
            .filter(|child| self.table.element(*child).local == "simpleType")
            .collect();
        let enums: Vec<bool> = inner.iter().map(|child| self.texts(*child).next().is_some()).collect();
        let named_enums = members.iter().all(|member| matches!(member.ty, Ty::Decl(_)));
        if named_enums
            && enums.iter().all(|is| *is)
            && members.len() + inner.len() > 0
            && !self.table.children(at).any(|c| self.table.element(c).local == "restriction")
        {
            let id = self.enumeration(at, name);
            return Simple { ty: Ty::Decl(id), ..Simple::text() };
        }
        for (index, child) in inner.iter().enumerate() {
            members.push(if enums[index] {
                Simple::text()
            } else {
                self.simple_within(*child, name, depth + 1)
            });
        }
        match members.split_first() {
            Some((first, rest))
                if rest.iter().all(|other| other.ty == first.ty && other.xsd == first.xsd && !other.list)
                    && !matches!(first.ty, Ty::Decl(_)) =>
            {
                Simple { comment: None, ..first.clone() }
            }
            _ => Simple::text().commented(format!("{name}: a union of simple types.")),
        }
    }
}

/// Some values for a comment.
fn listed(values: &[&str]) -> String {
    const MOST: usize = 12;
    let shown: Vec<&str> = values.iter().take(MOST).copied().collect();
    let more = if values.len() > MOST { format!(" and {} more", values.len() - MOST) } else { String::new() };
    format!("{}{more}", shown.join(", "))
}
