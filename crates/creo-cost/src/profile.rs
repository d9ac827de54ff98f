//! The results of calibration on one machine, as JSON (COST-30 to COST-33).

use crate::binding::Wire;
use crate::feature::Feature;
use crate::features::Bends;
use crate::fit::{Cut, Fit, Line, Time};
use crate::security_time::SecurityCosts;
use crate::spread::{Spread, saturated};
use nalgebra::DMatrix;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The version of the format.
pub const PROFILE_FORMAT: u32 = 2;

/// The profiles shipped with the program, each for another kind of processor (COST-37): all of `profiles/`, written by
/// `scripts/cost-check.sh --ship` and packed by `build.rs`.
const SHIPPED: [&[u8]; 3] = [
    include_bytes!(concat!(env!("OUT_DIR"), "/amd-epyc-family-25-model-17.json.deflate")),
    include_bytes!(concat!(env!("OUT_DIR"), "/amd-epyc-family-26-model-2.json.deflate")),
    include_bytes!(concat!(env!("OUT_DIR"), "/amd-epyc-family-23-model-1.json.deflate")),
];

/// The shipped profiles as JSON.
pub(crate) fn shipped_texts() -> Result<Vec<String>, ProfileError> {
    let text = |packed: &&[u8]| {
        let bytes = miniz_oxide::inflate::decompress_to_vec(packed)
            .map_err(|e| ProfileError::Malformed(e.to_string()))?;
        String::from_utf8(bytes).map_err(|e| ProfileError::Malformed(e.to_string()))
    };
    SHIPPED.iter().map(text).collect()
}

/// Beyond this nothing was measured: a time of eleven days. Times of messages, which are products of such numbers, stay finite.
const MAX_NUMBER: f64 = 1e15;

/// A line with a smaller rise is flat: the differences of its times are noise (COST-31).
const RISES: f64 = 2.0;

/// A profile: the costs of serializing and deserializing for each target and wire.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Profile {
    pub format: u32,
    /// The version of Creo whose runtimes were measured.
    pub creo: String,
    /// The date, such as `2026-11-21`.
    pub date: String,
    /// A description of the machine: `processor`, `system` and so on.
    pub machine: BTreeMap<String, String>,
    /// Whether fewer lengths were measured, for a shorter time.
    pub quick: bool,
    pub targets: Vec<TargetProfile>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TargetProfile {
    /// `java`
    pub target: String,
    /// The version of the language's implementation.
    pub version: String,
    /// The time of the target driver's reference, in nanoseconds: all times are scaled to this clock rate.
    pub reference: f64,
    /// What WS-Security costs, where it was measured (COST-39).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub security: Option<SecurityCosts>,
    pub wires: Vec<WireProfile>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WireProfile {
    /// [`Wire::word`]
    pub wire: String,
    /// For another stack: its bytes as a line over those of Creo's SOAP message (COST-35).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub size: Option<LineProfile>,
    pub serialize: FitProfile,
    pub deserialize: FitProfile,
}

/// A fit in numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FitProfile {
    pub coefficients: Vec<Coefficient>,
    /// The lower triangle by row, in the order of the coefficients; empty in a brief profile.
    pub covariance: Vec<f64>,
    /// The standard deviation of relative errors.
    pub residual: f64,
    pub freedom: usize,
    pub points: usize,
    pub r2: f64,
    /// The median and the ninetieth percentile over the points.
    pub median_error: f64,
    pub high_error: f64,
    /// The min time distinguishable from zero, in nanoseconds.
    pub noise: f64,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cut: Option<CutProfile>,
    /// The cut-off of `byte[]`, if there is one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub bytes_cut: Option<CutProfile>,
    /// The number of values from which each costs more, if any.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub many: Option<f64>,
    /// The lines of arrays and strings of each primitive.
    pub lines: Vec<LineProfile>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coefficient {
    /// [`Feature::word`]
    pub feature: String,
    /// Nanoseconds for each.
    pub ns: f64,
    pub low: f64,
    pub high: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CutProfile {
    pub at: f64,
    pub low: f64,
    pub high: f64,
    /// Whether longer strings have a higher fixed cost.
    pub jump: bool,
}

impl CutProfile {
    fn new(cut: Cut) -> CutProfile {
        CutProfile { at: cut.at, low: short(cut.low), high: short(cut.high), jump: cut.jump }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineProfile {
    pub of: String,
    pub intercept: f64,
    pub slope: f64,
    pub r2: f64,
    /// The time of the longest divided by that of the shortest.
    pub rise: f64,
    pub points: usize,
    /// The line's own break (COST-31).
    #[serde(rename = "break", default, skip_serializing_if = "Option::is_none")]
    pub own_break: Option<f64>,
}

/// Why a text is not a usable profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProfileError {
    /// Not JSON, or not a profile: the reason, perhaps with line and column.
    Malformed(String),
    /// The format has another version: that of the text.
    Format(u64),
    /// Another version of Creo, with other runtimes: that of the text.
    Version(String),
}

impl ProfileError {
    /// COST-40
    pub fn code(&self) -> &'static str {
        match self {
            ProfileError::Malformed(_) => "malformed-profile",
            ProfileError::Format(_) | ProfileError::Version(_) => "profile-version",
        }
    }
}

impl fmt::Display for ProfileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProfileError::Malformed(why) => write!(f, "not a profile: {why}"),
            ProfileError::Format(format) => {
                write!(f, "a profile of the format {format}, and this creo reads the format {PROFILE_FORMAT}")
            }
            ProfileError::Version(version) => {
                write!(
                    f,
                    "a profile of creo {version}, whose runtimes are others than those of creo {}",
                    env!("CARGO_PKG_VERSION")
                )
            }
        }
    }
}

impl std::error::Error for ProfileError {}

impl Profile {
    pub fn from_json(text: &str) -> Result<Profile, ProfileError> {
        let malformed = |error: serde_json::Error| ProfileError::Malformed(error.to_string());
        let value: serde_json::Value = serde_json::from_str(text).map_err(malformed)?;
        match value.get("format").and_then(serde_json::Value::as_u64) {
            Some(format) if format == u64::from(PROFILE_FORMAT) => {}
            Some(format) => return Err(ProfileError::Format(format)),
            None => return Err(ProfileError::Malformed("it has no \"format\"".to_owned())),
        }
        let profile: Profile = serde_json::from_str(text).map_err(malformed)?;
        if profile.creo != env!("CARGO_PKG_VERSION") {
            return Err(ProfileError::Version(profile.creo));
        }
        if let Some(target) = profile
            .targets
            .iter()
            .find(|target| !(0.0..=MAX_NUMBER).contains(&target.reference) || target.reference == 0.0)
        {
            return Err(ProfileError::Malformed(format!("{}: the reference takes no time", target.target)));
        }
        for target in &profile.targets {
            let mut numbers = target.security.iter().flat_map(SecurityCosts::numbers);
            if numbers.any(|number| !(0.0..=MAX_NUMBER).contains(&number)) {
                return Err(ProfileError::Malformed(format!(
                    "{}: a number of \"security\" is below 0 or beyond 10^15",
                    target.target
                )));
            }
        }
        for (target, wire) in
            profile.targets.iter().flat_map(|target| target.wires.iter().map(move |wire| (target, wire)))
        {
            for fit in [&wire.serialize, &wire.deserialize] {
                fit.check().map_err(|why| {
                    ProfileError::Malformed(format!("{} on {}: {why}", target.target, wire.wire))
                })?;
            }
            match Wire::from_word(&wire.wire) {
                Some(known) if known.is_foreign() != wire.size.is_some() => {
                    return Err(ProfileError::Malformed(format!(
                        "{} on {}: \"size\" is there for other stacks alone",
                        target.target, wire.wire
                    )));
                }
                Some(_) => {}
                None => return Err(ProfileError::Malformed(format!("there is no wire {:?}", wire.wire))),
            }
            let is_measured = |number: f64| number.abs() <= MAX_NUMBER;
            if wire
                .size
                .as_ref()
                .is_some_and(|line| !(is_measured(line.intercept) && is_measured(line.slope)))
            {
                return Err(ProfileError::Malformed(format!(
                    "{} on {}: a number is beyond 10^15",
                    target.target, wire.wire
                )));
            }
        }
        Ok(profile)
    }

    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }

    /// The profile without covariances and lines, which are most of its bytes. Intervals then depend only on residuals (COST-37).
    #[must_use]
    pub fn brief(mut self) -> Profile {
        for wire in self.targets.iter_mut().flat_map(|target| &mut target.wires) {
            for fit in [&mut wire.serialize, &mut wire.deserialize] {
                fit.covariance.clear();
                fit.lines.clear();
            }
        }
        self
    }

    /// The shipped profile that was measured on such a processor, or the first one (COST-37).
    pub fn shipped(processor: Option<&str>) -> Result<Profile, ProfileError> {
        let mut profiles =
            shipped_texts()?.iter().map(|text| Profile::from_json(text)).collect::<Result<Vec<_>, _>>()?;
        let fitting = profiles.iter().position(|profile| profile.is_of(processor));
        Ok(profiles.swap_remove(fitting.unwrap_or(0)))
    }

    /// Whether it was measured on such a processor.
    pub fn is_of(&self, processor: Option<&str>) -> bool {
        processor.is_some_and(|processor| self.machine.get("processor").is_some_and(|of| of == processor))
    }

    pub fn target(&self, name: &str) -> Option<&TargetProfile> {
        self.targets.iter().find(|found| found.target == name)
    }

    pub fn wire(&self, target: &str, wire: Wire) -> Option<&WireProfile> {
        self.target(target)?.wires.iter().find(|found| found.wire == wire.word())
    }
}

impl TargetProfile {
    /// What security costs: as measured, or by default (COST-39).
    pub fn security_costs(&self) -> Option<SecurityCosts> {
        self.security.or_else(|| SecurityCosts::default_of(&self.target))
    }
}

impl LineProfile {
    pub fn new(of: &str, line: &Line) -> LineProfile {
        LineProfile {
            of: of.to_owned(),
            intercept: short(line.intercept),
            slope: short(line.slope),
            r2: short(line.r2),
            rise: short(line.rise),
            points: line.points,
            own_break: line.own_break,
        }
    }

    /// Whether the times rise enough to judge how well a line fits (COST-31).
    pub fn rises(&self) -> bool {
        self.rise >= RISES
    }

    fn at(&self, x: f64) -> f64 {
        saturated((self.intercept + self.slope * x).max(0.0))
    }

    /// The line's value for a size.
    pub fn spread(&self, size: Spread) -> Spread {
        let least = self.at(size.least as f64).floor() as u64;
        let most = if size.most == u64::MAX { u64::MAX } else { self.at(size.most as f64).ceil() as u64 };
        Spread { least, expected: self.at(size.expected), most }
    }
}

impl FitProfile {
    /// Creates a profile with the cut-offs of strings and `byte[]`, and the number of values from which each costs more.
    pub fn new(
        fit: &Fit,
        cut: Option<Cut>,
        bytes_cut: Option<Cut>,
        many: Option<f64>,
        noise: f64,
        lines: Vec<(String, Line)>,
    ) -> FitProfile {
        let coefficients = fit.coefficients.iter().map(|(feature, ns)| {
            let interval = fit.coefficient(*feature).unwrap_or(Time::exact(*ns));
            Coefficient {
                feature: feature.word(),
                ns: short(*ns),
                low: short(interval.low),
                high: short(interval.high),
            }
        });
        let triangle =
            (0..fit.coefficients.len()).flat_map(|i| (0..=i).map(move |j| short(fit.covariance[(i, j)])));
        FitProfile {
            coefficients: coefficients.collect(),
            covariance: triangle.collect(),
            residual: short(fit.residual),
            freedom: fit.freedom,
            points: fit.points,
            r2: short(fit.r2),
            median_error: short(fit.errors.0),
            high_error: short(fit.errors.1),
            noise: short(noise),
            cut: cut.map(CutProfile::new),
            bytes_cut: bytes_cut.map(CutProfile::new),
            many: many.map(short),
            lines: lines.into_iter().map(|(of, line)| LineProfile::new(&of, &line)).collect(),
        }
    }

    fn check(&self) -> Result<(), String> {
        let n = self.coefficients.len();
        if let Some(unknown) = self.coefficients.iter().find(|c| Feature::from_word(&c.feature).is_none()) {
            return Err(format!("there is no variable {:?}", unknown.feature));
        }
        if !self.covariance.is_empty() && self.covariance.len() != n * (n + 1) / 2 {
            return Err(format!(
                "{n} coefficients have {} numbers of covariance, and there are {}",
                n * (n + 1) / 2,
                self.covariance.len()
            ));
        }
        let numbers = self
            .coefficients
            .iter()
            .map(|c| c.ns)
            .chain(self.covariance.iter().map(|product| product.abs().sqrt()))
            .chain([self.residual])
            .chain(self.many)
            .chain([self.cut, self.bytes_cut].into_iter().flatten().map(|cut| cut.at));
        if numbers.into_iter().any(|number| number.is_nan() || number.abs() > MAX_NUMBER)
            || self
                .coefficients
                .iter()
                .any(|c| c.ns < 0.0 && !Feature::from_word(&c.feature).is_some_and(Feature::may_be_negative))
        {
            return Err("a number is beyond 10^15, or a cost below 0".to_owned());
        }
        Ok(())
    }

    /// The bends of the wire's lines, given the share of strings with characters beyond ASCII.
    pub fn bends(&self, wide: f64) -> Bends {
        let at = |cut: Option<CutProfile>| cut.map(|cut| cut.at);
        let jumps = |cut: Option<CutProfile>| cut.is_some_and(|cut| cut.jump);
        Bends {
            cut: at(self.cut),
            jump: jumps(self.cut),
            bytes: at(self.bytes_cut),
            bytes_jump: jumps(self.bytes_cut),
            many: self.many,
            wide,
        }
    }

    /// The fit that was passed to [`FitProfile::new`].
    pub fn fit(&self) -> Fit {
        let n = self.coefficients.len();
        let covariance = DMatrix::from_fn(n, n, |i, j| {
            let (i, j) = (i.max(j), i.min(j));
            self.covariance.get(i * (i + 1) / 2 + j).copied().unwrap_or(0.0)
        });
        Fit {
            coefficients: self
                .coefficients
                .iter()
                .filter_map(|c| Feature::from_word(&c.feature).map(|feature| (feature, c.ns)))
                .collect(),
            covariance,
            residual: self.residual,
            freedom: self.freedom,
            points: self.points,
            r2: self.r2,
            errors: (self.median_error, self.high_error),
        }
    }
}

/// Six digits: more would be noise and make profiles longer.
fn short(number: f64) -> f64 {
    format!("{number:.5e}").parse().unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::Features;
    use crate::fit::Measured;

    fn sample() -> Profile {
        let points: Vec<Measured> = (1..20)
            .map(|i| {
                let features: Features =
                    [(Feature::Message, 1.0), (Feature::Text, f64::from(i * i))].into_iter().collect();
                Measured {
                    name: i.to_string(),
                    ns: 100.0 + 2.0 * f64::from(i * i) + f64::from(i % 3),
                    features,
                    weight: 1.0,
                }
            })
            .collect();
        let fit = Fit::new(&points).unwrap_or_else(|e| panic!("{e}"));
        let cut = |at: f64, jump| Some(Cut { at, low: at - 50.0, high: at + 50.0, jump });
        let part = FitProfile::new(&fit, cut(256.0, false), cut(5000.0, true), None, 5.0, Vec::new());
        let wire =
            WireProfile { wire: "soap".to_owned(), size: None, serialize: part.clone(), deserialize: part };
        Profile {
            format: PROFILE_FORMAT,
            creo: env!("CARGO_PKG_VERSION").to_owned(),
            date: "2026-11-21".to_owned(),
            machine: BTreeMap::new(),
            quick: true,
            targets: vec![TargetProfile {
                target: "java".to_owned(),
                version: "17".to_owned(),
                reference: 10_000.0,
                security: None,
                wires: vec![wire],
            }],
        }
    }

    #[test]
    fn a_profile_is_read_as_it_was_written() {
        let profile = sample();
        let text = profile.to_json().unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(Profile::from_json(&text), Ok(profile.clone()));
        let fit = profile.wire("java", Wire::Soap).unwrap_or_else(|| panic!("soap")).serialize.fit();
        let message: Features = [(Feature::Message, 1.0), (Feature::Text, 50.0)].into_iter().collect();
        let time = fit.time(&message).unwrap_or_else(|| panic!("a time"));
        assert!((time.ns - 201.0).abs() < 2.0 && time.low < time.ns && time.ns < time.high, "{time:?}");
    }

    #[test]
    fn a_brief_profile_says_the_same_times() {
        let whole = sample();
        let brief = whole.clone().brief();
        let text = brief.to_json().unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(Profile::from_json(&text), Ok(brief.clone()));
        let message: Features = [(Feature::Message, 1.0), (Feature::Text, 50.0)].into_iter().collect();
        let time = |profile: &Profile| {
            let wire = profile.wire("java", Wire::Soap).unwrap_or_else(|| panic!("soap"));
            wire.serialize.fit().time(&message).unwrap_or_else(|| panic!("a time"))
        };
        let (whole, brief) = (time(&whole), time(&brief));
        assert_eq!(whole.ns, brief.ns);
        assert!(whole.low < brief.low && brief.high < whole.high, "{whole:?} {brief:?}");
    }

    /// The shipped profiles have the program's version and are small. `calibration.rs` tests that they have all variables.
    #[test]
    fn the_shipped_profiles_can_be_used() {
        let texts = shipped_texts().unwrap_or_else(|e| panic!("{e}"));
        for text in &texts {
            let profile = Profile::from_json(text)
                .unwrap_or_else(|e| panic!("{e}; make it again: scripts/cost-check.sh --ship"));
            assert!(text.len() < 1 << 20, "longer than 1 MiB");
            assert!(!profile.targets.is_empty() && !profile.quick);
            for target in &profile.targets {
                for wire in Wire::ALL {
                    assert!(
                        profile.wire(&target.target, wire).is_some(),
                        "{} has no {}",
                        target.target,
                        wire.word()
                    );
                }
            }
            // A machine with the same processor gets it.
            let processor = profile.machine.get("processor").unwrap_or_else(|| panic!("no processor"));
            assert_eq!(Profile::shipped(Some(processor)).as_ref(), Ok(&profile));
        }
        let first = Profile::from_json(&texts[0]);
        assert_eq!([Profile::shipped(None), Profile::shipped(Some("another"))], [first.clone(), first]);
    }

    #[test]
    fn wrong_profiles_are_refused() {
        let text = sample().to_json().unwrap_or_else(|e| panic!("{e}"));
        let code = |text: &str| Profile::from_json(text).map_err(|e| e.code());
        assert_eq!(code(&text.replace("\"format\":2", "\"format\":9")), Err("profile-version"));
        assert_eq!(
            code(&text.replace(concat!("\"creo\":\"", env!("CARGO_PKG_VERSION")), "\"creo\":\"0.0.1")),
            Err("profile-version")
        );
        assert_eq!(code("{}"), Err("malformed-profile"));
        assert_eq!(code("[1"), Err("malformed-profile"));
        assert_eq!(code(&text.replace("\"message\"", "\"massage\"")), Err("malformed-profile"));
        assert_eq!(code(&text.replace("\"covariance\":[", "\"covariance\":[1,")), Err("malformed-profile"));
        assert_eq!(code(&text.replace("\"soap\"", "\"soup\"")), Err("malformed-profile"));
        assert_eq!(code(&text.replace("\"quick\"", "\"quack\"")), Err("malformed-profile"));
        assert_eq!(
            code(&text.replace("\"reference\":10000.0", "\"reference\":0.0")),
            Err("malformed-profile")
        );
        for (member, number) in
            [("reference", "1e300"), ("residual", "1e16"), ("ns", "-1.0"), ("ns", "1e300")]
        {
            let start = text.find(&format!("\"{member}\":")).unwrap_or_else(|| panic!("no {member}"))
                + member.len()
                + 3;
            let end = start + text[start..].find([',', '}']).unwrap_or_else(|| panic!("no end of {member}"));
            let changed = format!("{}{number}{}", &text[..start], &text[end..]);
            assert_eq!(code(&changed), Err("malformed-profile"), "{member} {number}");
        }
    }
}
