//! The options, with errors that have a code and name the option (COST-40).

use crate::args::AssumeArgs;
use crate::failure::Failure;
use crate::type_text::find_method;
use creo_check::CheckedModel;
use creo_cost::{
    Assumptions, Binding, Facts, Length, MethodId, Network, Paths, Profile, Range, Security, Sizes, Token,
    Unknown,
};
use creo_model::Primitive;
use creo_queue::{MAX_RATE, MIN_RATE};

const UNKNOWN: &str = "unknown-field";
const WRONG: &str = "invalid-assumption";

pub fn assumptions(args: &AssumeArgs, model: &CheckedModel) -> Result<Assumptions, Failure> {
    let paths = Paths::new(model);
    let mut assumptions = Assumptions::default();
    if let Some(depth) = args.depth {
        assumptions.depth = depth.into();
    }
    for said in &args.length {
        let (path, facts, text) = find(&paths, "--length", said)?;
        needs(facts.length, "--length", said, "no array, map, byte[], String or Decimal, and has no length")?;
        let length = Length::parse(text).map_err(|why| wrong("--length", said, &why))?;
        assumptions.lengths.insert(path, length);
    }
    for said in &args.present {
        let (path, facts, text) = find(&paths, "--present", said)?;
        needs(facts.optional, "--present", said, "not optional: it is always there")?;
        assumptions.present.insert(path, share(&format!("--present {said}"), text)?);
    }
    for said in &args.value {
        let (path, facts, text) = find(&paths, "--value", said)?;
        needs(facts.number.is_some(), "--value", said, "no number")?;
        let range = range(text, facts.number).map_err(|why| wrong("--value", said, &why))?;
        assumptions.ranges.insert(path, range);
    }
    Ok(assumptions)
}

/// The varied length: its path, start and end.
pub fn over(said: &str, model: &CheckedModel) -> Result<(String, u64, u64), Failure> {
    let paths = Paths::new(model);
    let (path, facts, text) = find(&paths, "--over", said)?;
    needs(facts.length, "--over", said, "no array, map, byte[], String or Decimal, and has no length")?;
    match Length::parse(text).map_err(|why| wrong("--over", said, &why))? {
        Length::Uniform(first, last) => Ok((path, first, last)),
        Length::Fixed(_) | Length::Normal { .. } | Length::Geometric { .. } => {
            Err(wrong("--over", said, "a range is needed, such as 1..10000"))
        }
    }
}

fn find<'t>(paths: &Paths, option: &str, said: &'t str) -> Result<(String, Facts, &'t str), Failure> {
    let Some((name, text)) = said.split_once('=') else { return Err(wrong(option, said, "it has no `=`")) };
    match paths.find(name.trim()) {
        Ok((path, facts)) => Ok((path.to_owned(), facts, text)),
        Err(Unknown::Missing(near)) => {
            let failure = Failure::coded(
                UNKNOWN,
                format!(
                    "{option} {said}: the description has no field, parameter or result {:?}",
                    name.trim()
                ),
            );
            Err(match near {
                Some(near) => failure.help(format!("did you mean `{near}`?")),
                None => failure.help(
                    "write `Type.field`, `method.parameter` or `method.result`; `[]` after it means its items, `.key` and `.value` those of a map",
                ),
            })
        }
        Err(Unknown::Several(all)) => {
            let shown = all.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
            Err(Failure::coded(UNKNOWN, format!("{option} {said}: {:?} may be several", name.trim()))
                .help(format!("they are {shown}")))
        }
    }
}

fn needs(is: bool, option: &str, said: &str, otherwise: &str) -> Result<(), Failure> {
    if is { Ok(()) } else { Err(wrong(option, said, &format!("it is {otherwise}"))) }
}

fn wrong(option: &str, said: &str, why: &str) -> Failure {
    Failure::coded(WRONG, format!("{option} {said}: {why}"))
}

/// A number from 0 to 1.
pub fn share(option: &str, text: &str) -> Result<f64, Failure> {
    let share = text.trim().parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| Failure::coded(WRONG, format!("{option}: a share lies between 0 and 1")))
}

/// `0..500`, `0..500/2`
fn range(text: &str, primitive: Option<Primitive>) -> Result<Range, String> {
    let (bounds, decimals) = match text.split_once('/') {
        Some((bounds, digits)) => {
            let digits = digits
                .trim()
                .parse::<u32>()
                .ok()
                .filter(|d| *d <= 15)
                .ok_or("the digits behind the point are a number from 0 to 15")?;
            (bounds, Some(digits))
        }
        None => (text, None),
    };
    let whole =
        matches!(primitive, Some(Primitive::Byte | Primitive::Short | Primitive::Int | Primitive::Long));
    if whole && decimals.is_some() {
        return Err("integers have no digits behind the point".to_owned());
    }
    let number = |text: &str| {
        text.trim()
            .parse::<f64>()
            .ok()
            .filter(|n| n.is_finite() && n.abs() <= 1e15)
            .ok_or_else(|| format!("{text:?} is no number up to 10^15"))
    };
    let (low, high) = match bounds.split_once("..") {
        Some((low, high)) => (number(low)?, number(high)?),
        None => (number(bounds)?, number(bounds)?),
    };
    if low > high {
        return Err(format!("the range {bounds} is empty"));
    }
    if whole && (low.fract() != 0.0 || high.fract() != 0.0) {
        return Err("the bounds of integers are integers".to_owned());
    }
    Ok(Range { low, high, decimals })
}

pub fn methods(names: &[String], sizes: &Sizes<'_>) -> Result<Vec<MethodId>, Failure> {
    if names.is_empty() {
        return Ok(sizes.methods().collect());
    }
    let mut found = Vec::new();
    for name in names {
        let (interface, method) = find_method(sizes.model(), name)?;
        let is = |id: &MethodId| {
            let (i, m) = sizes.method(*id);
            i.fingerprint == interface.fingerprint && m.id == method.id
        };
        found.extend(sizes.methods().filter(is));
    }
    Ok(found)
}

pub fn bindings(names: &[String]) -> Result<Vec<Binding>, Failure> {
    if names.is_empty() {
        return Ok(Binding::all());
    }
    let mut found = Vec::new();
    for name in names {
        let of_name = Binding::named(name.trim());
        if of_name.is_empty() {
            let all: Vec<String> = Binding::all().iter().map(ToString::to_string).collect();
            return Err(Failure::coded(WRONG, format!("--binding {name}: there is no such binding"))
                .help(format!("there are {}", all.join(", "))));
        }
        found.extend(of_name);
    }
    found.sort();
    found.dedup();
    Ok(found)
}

pub fn targets(names: &[String], profile: Option<&Profile>) -> Result<Vec<String>, Failure> {
    let known: Vec<String> = profile
        .map_or(Vec::new(), |profile| profile.targets.iter().map(|target| target.target.clone()).collect());
    match names.iter().find(|name| !known.contains(name)) {
        Some(name) if profile.is_none() => {
            Err(Failure::coded(WRONG, format!("--target {name}: targets are those of a profile"))
                .help("give one with --profile"))
        }
        Some(name) => Err(Failure::coded(WRONG, format!("--target {name}: the profile has not measured it"))
            .help(format!("it has {}", known.join(", ")))),
        None if names.is_empty() => Ok(known),
        None => Ok(names.to_vec()),
    }
}

pub fn network(args: &AssumeArgs) -> Result<Network, Failure> {
    const BITS: [(&str, f64); 8] = [
        ("Gbit", 1e9),
        ("Mbit", 1e6),
        ("kbit", 1e3),
        ("bit", 1.0),
        ("G", 1e9),
        ("M", 1e6),
        ("k", 1e3),
        ("", 1.0),
    ];
    let (bandwidth_said, latency_said) =
        (args.bandwidth.as_deref().unwrap_or("1G"), args.latency.as_deref().unwrap_or("0.1ms"));
    let bandwidth = scaled(bandwidth_said, &BITS).filter(|bits| (1.0..=MAX_BANDWIDTH).contains(bits));
    let latency = scaled(latency_said, &TIMES).filter(|time| *time <= MAX_LATENCY);
    Ok(Network {
        bandwidth: bandwidth.ok_or_else(|| {
            Failure::coded(
                WRONG,
                format!(
                    "--bandwidth {}: write bits a second, such as 100M or 1G, from 1 to 1000000G",
                    bandwidth_said
                ),
            )
        })?,
        latency: latency.ok_or_else(|| {
            Failure::coded(
                WRONG,
                format!("--latency {}: write a time, such as 50us or 0.1ms, of a day at most", latency_said),
            )
        })?,
    })
}

/// A petabit a second.
const MAX_BANDWIDTH: f64 = 1e15;

/// A day, in nanoseconds.
const MAX_LATENCY: f64 = 86_400.0 * 1e9;

const TIMES: [(&str, f64); 4] = [("ns", 1.0), ("us", 1e3), ("ms", 1e6), ("s", 1e9)];

/// A number, at least 0, with one of the units.
fn scaled(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let text = text.trim();
    let (number, scale) =
        units.iter().find_map(|(unit, scale)| text.strip_suffix(unit).map(|number| (number, *scale)))?;
    number.trim().parse::<f64>().ok().filter(|n| n.is_finite() && *n >= 0.0).map(|n| n * scale)
}

/// The share of strings with non-ASCII characters.
pub fn wide(args: &AssumeArgs) -> Result<f64, Failure> {
    args.wide.map_or(Ok(0.0), |wide| share("--wide", &wide.to_string()))
}

/// The security of requests and of responses.
pub fn security(requests: &[String], responses: &[String]) -> Result<[Security; 2], Failure> {
    let (request, response) =
        (security_of("--security", requests)?, security_of("--security-response", responses)?);
    if response.token.is_some() || response.timestamp {
        return Err(Failure::coded(
            WRONG,
            "--security-response: only requests have tokens, or a timestamp alone",
        )
        .help("a signed response has a timestamp; write sign, encrypt or both"));
    }
    Ok([request, response])
}

fn security_of(option: &str, said: &[String]) -> Result<Security, Failure> {
    let mut found = Security::default();
    for word in said {
        let word = word.trim();
        if let Some((name, number)) = word.split_once('=') {
            let size = match name {
                "user" => &mut found.user,
                "password" => &mut found.password,
                "certificate" => &mut found.certificate,
                "issuer" => &mut found.issuer,
                "serial" => &mut found.serial,
                _ => return Err(wrong_part(option, word)),
            };
            *size = number.parse::<u64>().ok().filter(|bytes| (1..=MAX_TEXT).contains(bytes)).ok_or_else(
                || Failure::coded(WRONG, format!("{option} {word}: a length lies between 1 and {MAX_TEXT}")),
            )?;
            continue;
        }
        match word {
            "token" | "digest" if found.token.is_some() => {
                return Err(Failure::coded(WRONG, format!("{option}: a message has one token")));
            }
            "token" => found.token = Some(Token::Text),
            "digest" => found.token = Some(Token::Digest),
            "timestamp" => found.timestamp = true,
            "sign" => found.signed = true,
            "encrypt" => found.encrypted = true,
            _ => return Err(wrong_part(option, word)),
        }
    }
    if found.is_none() && !said.is_empty() {
        return Err(Failure::coded(WRONG, format!("{option}: lengths alone are no security")));
    }
    if found.token.is_some() && found.encrypted {
        return Err(Failure::coded(WRONG, format!("{option}: an encrypted token is not priced"))
            .help("leave out token or encrypt"));
    }
    Ok(found)
}

fn wrong_part(option: &str, word: &str) -> Failure {
    Failure::coded(WRONG, format!("{option} {word}: there is no such part")).help(
        "there are token, digest, timestamp, sign, encrypt, and user=, password=, certificate=, issuer= and serial= with a length",
    )
}

/// The longest text of a security block.
const MAX_TEXT: u64 = 65_536;

pub fn rate(rate: Option<f64>) -> Result<Option<f64>, Failure> {
    match rate {
        Some(rate) if !(MIN_RATE..=MAX_RATE).contains(&rate) => Err(Failure::coded(
            WRONG,
            format!("--rate {rate}: a rate lies between {MIN_RATE} and {MAX_RATE} calls a second"),
        )),
        other => Ok(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units() {
        let bits = [("Mbit", 1e6), ("M", 1e6), ("", 1.0)];
        assert_eq!(scaled("100M", &bits), Some(1e8));
        assert_eq!(scaled("1.5 Mbit", &bits), Some(1.5e6));
        assert_eq!(scaled("12", &bits), Some(12.0));
        assert_eq!(scaled("-1", &bits), None);
        assert_eq!(scaled("fast", &bits), None);
    }

    #[test]
    fn ranges() {
        assert_eq!(
            range("0..500/2", Some(Primitive::Double)),
            Ok(Range { low: 0.0, high: 500.0, decimals: Some(2) })
        );
        assert_eq!(range("-5..5", Some(Primitive::Int)), Ok(Range { low: -5.0, high: 5.0, decimals: None }));
        for wrong in ["5..1", "a..b", "0..1/99", "0..", "1e400..2"] {
            assert!(range(wrong, Some(Primitive::Double)).is_err(), "{wrong}");
        }
        assert!(
            range("0..5/1", Some(Primitive::Int)).is_err() && range("0.5..2", Some(Primitive::Long)).is_err()
        );
    }
}
