//! Least squares: coefficients with intervals, lines with R², and the length from which a string costs more (COST-20 to COST-26).

use crate::feature::Feature;
use crate::features::Features;
use nalgebra::{DMatrix, DVector};
use statrs::distribution::{ContinuousCDF, FisherSnedecor, StudentsT};
use std::fmt;

/// The confidence of all intervals.
pub const CONFIDENCE: f64 = 0.95;

/// A singular value this much smaller than the greatest means that two variables cannot be distinguished.
const SINGULAR: f64 = 1e-9;

/// A measured message: its features, and its time in nanoseconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    pub name: String,
    pub features: Features,
    pub ns: f64,
    /// Its relative weight, above 0.
    pub weight: f64,
}

/// Why a fit failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FitError {
    /// Too few points for the coefficients: (points, needed).
    TooFewPoints(usize, usize),
    /// An invalid time.
    NoTime(String),
    /// These variables are linearly dependent in the points.
    Dependent(Vec<String>),
}

impl FitError {
    /// COST-40
    pub fn code(&self) -> &'static str {
        match self {
            FitError::TooFewPoints(..) => "too-few-points",
            FitError::NoTime(_) => "invalid-measurement",
            FitError::Dependent(_) => "dependent-variables",
        }
    }
}

impl fmt::Display for FitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FitError::TooFewPoints(points, needed) => {
                write!(f, "{points} points, and the fit needs at least {needed}")
            }
            FitError::NoTime(name) => write!(f, "the time of {name} is not above 0"),
            FitError::Dependent(names) => {
                write!(f, "the points do not tell these apart: {}", names.join(", "))
            }
        }
    }
}

impl std::error::Error for FitError {}

/// The coefficients of a linear model without a constant, fitted to relative errors.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// Nanoseconds for one of each. Negative only as [`Feature::may_be_negative`] allows.
    pub coefficients: Vec<(Feature, f64)>,
    /// The covariances of the coefficients, in their order.
    pub covariance: DMatrix<f64>,
    /// The standard deviation of relative errors, weighted.
    pub residual: f64,
    pub freedom: usize,
    pub points: usize,
    /// For measured and fitted times.
    pub r2: f64,
    /// Relative errors of the points: the median, the ninetieth percentile.
    pub errors: (f64, f64),
}

/// A time with its [`CONFIDENCE`] interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Time {
    pub ns: f64,
    pub low: f64,
    pub high: f64,
}

impl Time {
    pub const ZERO: Time = Time { ns: 0.0, low: 0.0, high: 0.0 };

    /// Without error.
    pub fn exact(ns: f64) -> Time {
        Time { ns, low: ns, high: ns }
    }

    /// The errors of two times add up, since those of one profile are correlated (COST-25).
    #[must_use]
    pub fn plus(self, other: Time) -> Time {
        Time { ns: self.ns + other.ns, low: self.low + other.low, high: self.high + other.high }
    }

    #[must_use]
    pub fn by(self, factor: f64) -> Time {
        Time { ns: self.ns * factor, low: self.low * factor, high: self.high * factor }
    }
}

impl Fit {
    /// Fits all variables that occur in the points.
    pub fn new(points: &[Measured]) -> Result<Fit, FitError> {
        if let Some(wrong) = points.iter().find(|point| !(point.ns > 0.0 && point.ns.is_finite())) {
            return Err(FitError::NoTime(wrong.name.clone()));
        }
        let mut active: Vec<Feature> = Feature::all();
        active.retain(|feature| {
            points.iter().any(|point| point.features.get(feature).is_some_and(|amount| *amount > 0.0))
        });
        if points.len() <= active.len() {
            return Err(FitError::TooFewPoints(points.len(), active.len() + 1));
        }
        let mut dropped = Vec::new();
        let weights = weights(points);
        let (solution, inverse) = loop {
            let (solution, inverse) = solve(points, &weights, &active)?;
            // The variable that is most negative relative to its error is assumed to cost nothing.
            let worst = (0..active.len())
                .filter(|i| solution[*i] < 0.0 && !active[*i].may_be_negative())
                .min_by(|a, b| {
                    let score = |i: usize| solution[i] / inverse[(i, i)].sqrt();
                    score(*a).total_cmp(&score(*b))
                });
            match worst {
                Some(index) => dropped.push(active.remove(index)),
                None => break (solution, inverse),
            }
        };
        let fitted = |point: &Measured| -> f64 {
            active.iter().zip(solution.iter()).map(|(f, b)| point.features.get(f).unwrap_or(&0.0) * b).sum()
        };
        let mut relative: Vec<f64> =
            points.iter().map(|point| (fitted(point) - point.ns) / point.ns).collect();
        let freedom = points.len() - active.len();
        let residual = (relative.iter().zip(weights.iter()).map(|(r, w)| (r * w).powi(2)).sum::<f64>()
            / freedom as f64)
            .sqrt();
        let r2 = determination(points.iter().map(|point| (point.ns, fitted(point))));
        relative.iter_mut().for_each(|r| *r = r.abs());
        Ok(Fit {
            coefficients: active
                .iter()
                .copied()
                .zip(solution.iter().copied())
                .chain(dropped.iter().map(|f| (*f, 0.0)))
                .collect(),
            covariance: inverse.map(|entry| entry * residual * residual).resize(
                active.len() + dropped.len(),
                active.len() + dropped.len(),
                0.0,
            ),
            residual,
            freedom,
            points: points.len(),
            r2,
            errors: (percentile(&mut relative, 0.5), percentile(&mut relative, 0.9)),
        })
    }

    /// The time of a message: COST-24, COST-25. `None` if one of its features was never measured.
    pub fn time(&self, features: &Features) -> Option<Time> {
        let mut amounts = vec![0.0; self.coefficients.len()];
        for (feature, amount) in features {
            match self.coefficients.iter().position(|(known, _)| known == feature) {
                Some(index) => amounts[index] = *amount,
                None if *amount > 0.0 => return None,
                None => {}
            }
        }
        let ns: f64 = amounts.iter().zip(&self.coefficients).map(|(amount, (_, b))| amount * b).sum();
        let amounts = DVector::from_vec(amounts);
        let variance = (amounts.transpose() * &self.covariance * &amounts)[(0, 0)].max(0.0)
            + (self.residual * ns).powi(2);
        let reach = student(self.freedom) * variance.sqrt();
        let ns = ns.max(0.0);
        Some(Time { ns, low: (ns - reach).max(0.0), high: ns + reach })
    }

    /// A coefficient with its interval.
    pub fn coefficient(&self, feature: Feature) -> Option<Time> {
        let index = self.coefficients.iter().position(|(known, _)| *known == feature)?;
        let (ns, reach) = (
            self.coefficients[index].1,
            student(self.freedom) * self.covariance[(index, index)].max(0.0).sqrt(),
        );
        Some(Time { ns, low: ns - reach, high: ns + reach })
    }

    /// Whether two coefficients differ by more than their errors and by more than a tenth (COST-26). `None` if one is missing.
    pub fn differ(&self, one: Feature, other: Feature) -> Option<bool> {
        let at = |feature| self.coefficients.iter().position(|(known, _)| *known == feature);
        let (i, j) = (at(one)?, at(other)?);
        let (a, b) = (self.coefficients[i].1, self.coefficients[j].1);
        let variance = self.covariance[(i, i)] + self.covariance[(j, j)] - 2.0 * self.covariance[(i, j)];
        let difference = (a - b).abs();
        Some(difference > student(self.freedom) * variance.max(0.0).sqrt() && difference > 0.1 * a.max(b))
    }
}

/// The factors for the relative errors of the points: the roots of the weights, with mean 1.
fn weights(points: &[Measured]) -> DVector<f64> {
    let mean = points.iter().map(|point| point.weight).sum::<f64>() / points.len() as f64;
    DVector::from_iterator(points.len(), points.iter().map(|point| (point.weight / mean).sqrt()))
}

/// The rows of the points, divided by their times, which makes errors relative, and multiplied by their weights.
fn rows(points: &[Measured], weights: &DVector<f64>, active: &[Feature]) -> DMatrix<f64> {
    DMatrix::from_fn(points.len(), active.len(), |i, j| {
        points[i].features.get(&active[j]).unwrap_or(&0.0) / points[i].ns * weights[i]
    })
}

/// The solution, and the inverse of the normal matrix.
fn solve(
    points: &[Measured],
    weights: &DVector<f64>,
    active: &[Feature],
) -> Result<(DVector<f64>, DMatrix<f64>), FitError> {
    let mut matrix = rows(points, weights, active);
    // Columns are normalized, so the singular values reveal only dependence.
    let scales: Vec<f64> = (0..active.len()).map(|j| matrix.column(j).norm()).collect();
    for (j, scale) in scales.iter().enumerate() {
        matrix.column_mut(j).scale_mut(1.0 / scale);
    }
    let svd = matrix.svd(true, true);
    let greatest = svd.singular_values.max();
    let (Some(u), Some(v)) = (&svd.u, &svd.v_t) else { return Err(FitError::Dependent(Vec::new())) };
    for (index, value) in svd.singular_values.iter().enumerate() {
        if *value <= greatest * SINGULAR {
            let names = (0..active.len()).filter(|j| v[(index, *j)].abs() > 0.1).map(|j| active[j].word());
            return Err(FitError::Dependent(names.collect()));
        }
    }
    let mut projected = u.transpose() * weights;
    projected.component_div_assign(&svd.singular_values);
    let mut solution = v.transpose() * projected;
    let scaled = DMatrix::from_diagonal(&svd.singular_values.map(|s| 1.0 / (s * s)));
    let mut inverse = v.transpose() * scaled * v;
    for i in 0..active.len() {
        solution[i] /= scales[i];
        for j in 0..active.len() {
            inverse[(i, j)] /= scales[i] * scales[j];
        }
    }
    Ok((solution, inverse))
}

/// Time by length (the paper's first figures).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Up to the length at which it bends or jumps, if any.
    pub intercept: f64,
    pub slope: f64,
    /// For all points.
    pub r2: f64,
    /// The time of the longest divided by that of the shortest.
    pub rise: f64,
    pub points: usize,
    /// The length from which slope and level change, other than the breaks that the caller allowed (COST-31).
    pub own_break: Option<f64>,
}

/// The lengths from which a line changes its slope, and those at which it jumps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Breaks {
    pub bend: Option<f64>,
    /// If no length lies between the two, the second is ignored.
    pub jumps: [Option<f64>; 2],
    /// Where it changes both.
    pub own: Option<f64>,
}

/// A line with at least this R² needs no break of its own.
const STRAIGHT: f64 = 0.99;

/// Unweighted least squares. Needs more points than coefficients, at as many lengths. A break that does not divide the points is ignored.
pub fn line(points: &[(f64, f64)], breaks: Breaks) -> Result<Line, FitError> {
    let divides = |at: &f64| points.iter().any(|p| p.0 <= *at) && points.iter().any(|p| p.0 > *at);
    let bend = breaks.bend.filter(divides).map(|at| move |x: f64| (x - at).max(0.0));
    let before = |at: f64| points.iter().filter(|p| p.0 <= at).count();
    let [first, second] = breaks.jumps.map(|at| at.filter(divides));
    let second = second.filter(|at| first.is_none_or(|first| before(first) != before(*at)));
    let jump = |at: Option<f64>, x: f64| at.map(|at| f64::from(u8::from(x > at)));
    let own = breaks.own.filter(divides);
    let row = |x: f64| {
        let beyond = own.map(|at| (x - at).max(0.0));
        [Some(1.0), Some(x), bend.map(|bend| bend(x)), jump(first, x), jump(second, x), beyond, jump(own, x)]
            .into_iter()
            .flatten()
    };
    let columns = row(0.0).count();
    if points.len() <= columns {
        return Err(FitError::TooFewPoints(points.len(), columns + 1));
    }
    let matrix = DMatrix::from_row_iterator(points.len(), columns, points.iter().flat_map(|p| row(p.0)));
    let times = DVector::from_iterator(points.len(), points.iter().map(|p| p.1));
    let dependent = || FitError::Dependent(vec!["length".to_owned()]);
    let svd = matrix.svd(true, true);
    if svd.singular_values.min() <= svd.singular_values.max() * SINGULAR {
        return Err(dependent());
    }
    let found = svd.solve(&times, 0.0).map_err(|_| dependent())?;
    let says = |x: f64| -> f64 { row(x).zip(found.iter()).map(|(amount, ns)| amount * ns).sum() };
    let r2 = determination(points.iter().map(|p| (p.1, says(p.0))));
    Ok(Line {
        intercept: found[0],
        slope: found[1],
        r2,
        rise: rise(points),
        points: points.len(),
        own_break: own,
    })
}

/// A line with a break of its own if it explains too little without one and the break is significantly better (COST-31).
pub fn broken_line(points: &[(f64, f64)], breaks: Breaks) -> Result<Line, FitError> {
    let straight = line(points, breaks)?;
    let mut lengths: Vec<f64> = points.iter().map(|p| p.0).collect();
    lengths.sort_by(f64::total_cmp);
    lengths.dedup();
    // Two lengths are left on either side.
    let places = lengths.get(1..lengths.len().saturating_sub(2)).unwrap_or_default();
    let broken = |at: &f64| line(points, Breaks { own: Some(*at), ..breaks }).ok();
    let best = if straight.r2 >= STRAIGHT {
        None
    } else {
        places.iter().filter_map(broken).max_by(|a, b| a.r2.total_cmp(&b.r2))
    };
    // A line may have its own coefficients, those of three given breaks, and those of its own break and its place.
    let freedom = points.len().saturating_sub(8) as f64;
    let Some(best) = best.filter(|_| freedom >= 1.0) else { return Ok(straight) };
    let limit = FisherSnedecor::new(3.0, freedom).map_or(f64::INFINITY, |f| f.inverse_cdf(0.99));
    let ratio = (best.r2 - straight.r2) / 3.0 / ((1.0 - best.r2).max(f64::MIN_POSITIVE) / freedom);
    Ok(if ratio >= limit { best } else { straight })
}

/// Least squares of relative errors, so short messages count as much as long ones.
pub fn relative_line(points: &[(f64, f64)]) -> Result<Line, FitError> {
    if points.len() < 3 {
        return Err(FitError::TooFewPoints(points.len(), 3));
    }
    if let Some((at, _)) = points.iter().find(|(_, y)| *y <= 0.0) {
        return Err(FitError::NoTime(format!("the point at {at}")));
    }
    let weighed = |f: &dyn Fn(f64, f64) -> f64| points.iter().map(|(x, y)| f(*x, *y) / (y * y)).sum::<f64>();
    let (w, wx, wy, wxx, wxy) = (
        weighed(&|_, _| 1.0),
        weighed(&|x, _| x),
        weighed(&|_, y| y),
        weighed(&|x, _| x * x),
        weighed(&|x, y| x * y),
    );
    let determinant = w * wxx - wx * wx;
    if determinant <= 1e-12 * w * wxx {
        return Err(FitError::Dependent(vec!["length".to_owned()]));
    }
    let slope = (w * wxy - wx * wy) / determinant;
    let intercept = (wy - slope * wx) / w;
    let r2 = determination(points.iter().map(|p| (p.1, intercept + slope * p.0)));
    Ok(Line { intercept, slope, r2, rise: rise(points), points: points.len(), own_break: None })
}

/// The time of the longest divided by that of the shortest; 1 without points.
fn rise(points: &[(f64, f64)]) -> f64 {
    let by_length = |a: &&(f64, f64), b: &&(f64, f64)| a.0.total_cmp(&b.0);
    match (points.iter().min_by(by_length), points.iter().max_by(by_length)) {
        (Some(first), Some(last)) if first.1 > 0.0 => last.1 / first.1,
        (_, _) => 1.0,
    }
}

/// COST-29: the number of values from which each costs more, if significant. `counts` are the points' numbers of values.
pub fn bend(fit: &Fit, points: &[Measured], counts: &[f64]) -> Option<f64> {
    let active: Vec<Feature> =
        fit.coefficients.iter().take(points.len() - fit.freedom).map(|(feature, _)| *feature).collect();
    let weights = weights(points);
    let basis = rows(points, &weights, &active).svd(true, false).u?;
    // The residual of a column after regression on the variables.
    let rest = |column: DVector<f64>| &column - &basis * basis.tr_mul(&column);
    let left = rest(weights.clone());
    let squares = left.norm_squared();
    if squares <= 1e-8 * points.len() as f64 || fit.freedom <= 2 {
        return None;
    }
    let mut sorted = counts.to_vec();
    sorted.sort_by(f64::total_cmp);
    // Leaves enough points on either side.
    let (first, last) = (sorted[sorted.len() / 2].max(1.0), sorted[sorted.len().saturating_sub(BEYOND)]);
    let mut best: Option<(f64, f64)> = None;
    for i in 0..PLACES {
        let at = first * (last / first).powf(i as f64 / PLACES as f64);
        let column = rest(DVector::from_fn(points.len(), |i, _| {
            (counts[i] - at).max(0.0) / points[i].ns * weights[i]
        }));
        let (along, length) = (column.dot(&left), column.norm_squared());
        // Beyond it a value must cost more, not less.
        if along > 0.0 && length > 0.0 && best.is_none_or(|(gain, _)| along * along / length > gain) {
            best = Some((along * along / length, at));
        }
    }
    let (gain, at) = best?;
    let freedom = (fit.freedom - 2) as f64;
    let limit = FisherSnedecor::new(2.0, freedom).map_or(f64::INFINITY, |f| f.inverse_cdf(0.99));
    (gain / 2.0 / ((squares - gain).max(f64::MIN_POSITIVE) / freedom) >= limit).then(|| at.round())
}

/// The length from which a string, or each of its bytes, has another cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut {
    pub at: f64,
    /// Its confidence interval: the lengths that fit equally well.
    pub low: f64,
    pub high: f64,
    /// Whether a longer string has a higher fixed cost.
    pub jump: bool,
}

/// A model of strings' times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Line,
    /// Two lines that meet at the cut.
    Bend,
    /// Two lines that need not meet.
    Step,
}

impl Shape {
    fn columns(self) -> usize {
        match self {
            Shape::Line => 2,
            Shape::Bend => 3,
            Shape::Step => 4,
        }
    }
}

/// The number of places tried.
const PLACES: usize = 128;

/// The min number of points beyond each tried number of values.
const BEYOND: usize = 8;

/// COST-22: the place with the least squares of relative errors of two lines, if significantly better than one line; and whether there is a
/// jump, if that is significantly better again.
pub fn cut_off(points: &[(f64, f64)]) -> Result<Option<Cut>, FitError> {
    if points.len() < 6 {
        return Err(FitError::TooFewPoints(points.len(), 6));
    }
    let mut points = points.to_vec();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let Some(straight) = squares(&points, Shape::Line, 0.0) else {
        return Err(FitError::Dependent(vec!["length".to_owned()]));
    };
    // Leaves two points on either side.
    let (first, last) = (points[1].0.max(1.0), points[points.len() - 3].0.max(1.0));
    if first >= last {
        return Ok(None);
    }
    let place = |i: usize| first * (last / first).powf(i as f64 / (PLACES - 1) as f64);
    let tried = |shape: Shape| -> Vec<(f64, f64)> {
        (0..PLACES)
            .filter_map(|i| squares(&points, shape, place(i)).map(|squares| (place(i), squares)))
            .collect()
    };
    let least = |tried: &[(f64, f64)]| tried.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1));
    let (bends, steps) = (tried(Shape::Bend), tried(Shape::Step));
    let (Some(bend), Some(step)) = (least(&bends), least(&steps)) else { return Ok(None) };
    // The degrees of freedom of each shape: its coefficients and the place.
    let freedom = |shape: Shape| (points.len() - shape.columns() - 1) as f64;
    let variance = |squares: f64, shape: Shape| (squares / freedom(shape)).max(f64::MIN_POSITIVE);
    let limit = |more: f64, shape: Shape| {
        FisherSnedecor::new(more, freedom(shape)).map_or(f64::INFINITY, |f| f.inverse_cdf(0.99))
    };
    let better = |from: f64, to: f64, more: f64, shape: Shape| {
        (from - to) / more / variance(to, shape) >= limit(more, shape) && to <= 0.8 * from
    };
    // A line that is accurate to one in 10,000 needs no second one, whatever rounding suggests.
    let right = |squares: f64| squares / points.len() as f64 <= 1e-8;
    let (shape, best, all) = if !right(straight)
        && better(straight, step.1, 3.0, Shape::Step)
        && !right(bend.1)
        && better(bend.1, step.1, 1.0, Shape::Step)
    {
        (Shape::Step, step, steps)
    } else if !right(straight) && better(straight, bend.1, 2.0, Shape::Bend) {
        (Shape::Bend, bend, bends)
    } else {
        return Ok(None);
    };
    let accepted = best.1 + variance(best.1, shape) * limit(1.0, shape);
    let as_good: Vec<f64> =
        all.iter().filter(|(_, squares)| *squares <= accepted).map(|(at, _)| *at).collect();
    let (low, high) = as_good.iter().fold((best.0, best.0), |(low, high), at| (low.min(*at), high.max(*at)));
    Ok(Some(Cut { at: best.0.ceil(), low, high, jump: shape == Shape::Step }))
}

/// The squared relative errors of a shape.
fn squares(points: &[(f64, f64)], shape: Shape, cut: f64) -> Option<f64> {
    let matrix = DMatrix::from_fn(points.len(), shape.columns(), |i, j| {
        let (x, y) = points[i];
        match j {
            0 => 1.0 / y,
            1 => x / y,
            2 => (x - cut).max(0.0) / y,
            _ => f64::from(u8::from(x > cut)) / y,
        }
    });
    let ones = DVector::from_element(points.len(), 1.0);
    let solution = matrix.clone().svd(true, true).solve(&ones, 1e-12).ok()?;
    Some((matrix * solution - ones).norm_squared())
}

/// R²: the explained share of the variance.
fn determination(points: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
    let (count, sum) = points.clone().fold((0.0, 0.0), |(n, sum), (y, _)| (n + 1.0, sum + y));
    let mean = sum / f64::max(count, 1.0);
    let (left, all) = points
        .fold((0.0, 0.0), |(left, all), (y, fitted)| (left + (y - fitted).powi(2), all + (y - mean).powi(2)));
    if all > 0.0 { 1.0 - left / all } else { 1.0 }
}

/// The half-width of an interval in standard deviations.
fn student(freedom: usize) -> f64 {
    StudentsT::new(0.0, 1.0, freedom.max(1) as f64)
        .map_or(f64::INFINITY, |t| t.inverse_cdf(0.5 + CONFIDENCE / 2.0))
}

/// A percentile of numbers, which it sorts; 0 if there are none.
pub fn percentile(numbers: &mut [f64], share: f64) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let at = ((numbers.len() as f64 - 1.0) * share).max(0.0);
    let (below, above) = (at.floor() as usize, at.ceil() as usize);
    match (numbers.get(below), numbers.get(above)) {
        (Some(low), Some(high)) => low + (high - low) * (at - below as f64),
        (_, _) => 0.0,
    }
}
