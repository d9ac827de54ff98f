//! Messages ready for measuring, and errors of calibration.

use crate::assume::{Assumed, Assumptions, TooLarge};
use crate::binary;
use crate::binding::{Direction, MethodId, Sizes};
use crate::cases::Case;
use crate::estimate::DEFAULT_MAX_BODY;
use crate::fit::FitError;
use crate::forms;
use crate::observed::Observed;
use crate::part::Part;
use crate::paths::Paths;
use crate::values::Values;
use serde_json::Value;
use std::fmt;

/// A message ready for measuring.
#[derive(Clone, Debug, PartialEq)]
pub struct Prepared {
    pub name: String,
    pub method: MethodId,
    pub direction: Direction,
    /// The parameters or the result, in the notation of `spec/values.md`.
    pub value: Value,
    /// The parts of the actual value.
    pub part: Part,
    /// The share of strings generated with characters beyond ASCII.
    pub wide: f64,
    pub line: Option<(String, u64)>,
}

/// Why calibration failed.
#[derive(Clone, Debug, PartialEq)]
pub enum CalibrationError {
    TooLarge(TooLarge),
    /// The description lacks this path or method.
    Unknown(String),
    /// A request's size differs from the model's: its name, the wire, the model's size and the measured one.
    Size(String, &'static str, u64, u64),
    Fit(&'static str, FitError),
}

impl CalibrationError {
    /// COST-40
    pub fn code(&self) -> &'static str {
        match self {
            CalibrationError::TooLarge(_) => "too-large",
            CalibrationError::Unknown(_) => "unknown-field",
            CalibrationError::Size(..) => "invalid-measurement",
            CalibrationError::Fit(_, error) => error.code(),
        }
    }
}

impl fmt::Display for CalibrationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CalibrationError::TooLarge(error) => error.fmt(f),
            CalibrationError::Unknown(name) => write!(f, "the description has no {name}"),
            CalibrationError::Size(name, wire, model, real) => {
                write!(f, "{name} on the wire {wire}: {real} bytes were written, and the model says {model}")
            }
            CalibrationError::Fit(wire, error) => write!(f, "{wire}: {error}"),
        }
    }
}

impl std::error::Error for CalibrationError {}

/// Generates the value of a message by its assumptions, from a seed. The response of a oneway method is an error.
pub fn prepare(
    sizes: &Sizes<'_>,
    method: MethodId,
    direction: Direction,
    assumptions: &Assumptions,
    seed: u64,
    wide: f64,
) -> Result<Prepared, CalibrationError> {
    let (_, declared) = sizes.method(method);
    let plan = sizes.plan();
    let assumed = Assumed::new(sizes.model(), plan, assumptions)
        .message(method, direction)
        .map_err(CalibrationError::TooLarge)?;
    // The value is about to be made.
    if binary::size(&assumed).expected > DEFAULT_MAX_BODY {
        return Err(CalibrationError::TooLarge(TooLarge::Bytes));
    }
    let mut values = Values::new(plan, seed, wide);
    let observed = Observed::new(plan);
    let record = sizes.message(method, direction).map(|message| &message.record);
    let (value, part) = match (direction, record, assumed) {
        (Direction::Request, Some(record), assumed) => {
            let mut value = values.record(&record.fields, &assumed);
            forms::record(plan, &record.fields, &mut value);
            let part = observed.record(record, &value);
            (value, part)
        }
        (Direction::Response, Some(record), Part::Record { fields, layout }) if fields.len() == 1 => {
            let result = &record.fields[0].node;
            let mut value = values.value(result, &fields[0]);
            forms::change(plan, result, &mut value);
            let part = observed.value(result, &value).map(|part| Part::Record { fields: vec![part], layout });
            (value, part)
        }
        (_, _, nothing) => (Value::Null, Some(nothing)),
    };
    let part = part.ok_or_else(|| CalibrationError::Unknown(format!("value of {}", declared.name)))?;
    Ok(Prepared { name: declared.name.clone(), method, direction, value, part, wide, line: None })
}

/// Generates the values of all cases.
pub fn prepare_cases(sizes: &Sizes<'_>, cases: &[Case]) -> Result<Vec<Prepared>, CalibrationError> {
    let paths = Paths::new(sizes.model());
    let full = |name: &str| {
        paths
            .find(name)
            .map(|(path, _)| path.to_owned())
            .map_err(|_| CalibrationError::Unknown(name.to_owned()))
    };
    cases
        .iter()
        .enumerate()
        .map(|(seed, case)| {
            let mut assumptions = Assumptions::default();
            for (path, length) in &case.lengths {
                assumptions.lengths.insert(full(path)?, length.clone());
            }
            for (path, share) in &case.present {
                assumptions.present.insert(full(path)?, *share);
            }
            for (path, range) in &case.ranges {
                assumptions.ranges.insert(full(path)?, *range);
            }
            let method = sizes.methods().find(|id| sizes.method(*id).1.name == case.method);
            let method = method.ok_or_else(|| CalibrationError::Unknown(case.method.to_owned()))?;
            let prepared = prepare(
                sizes,
                method,
                case.direction,
                &assumptions,
                seed as u64,
                f64::from(u8::from(case.wide)),
            )?;
            Ok(Prepared { name: case.name(), line: case.line.clone(), ..prepared })
        })
        .collect()
}
