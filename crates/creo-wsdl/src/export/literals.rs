//! Defaults of attributes as attribute text.

use super::node::is_xml;
use creo_model::{Literal, Type, date_time_text};
use creo_plan::Plan;

/// The text of a default, or `None` if XML cannot hold it or schema attributes would change it.
pub fn text(plan: &Plan, literal: &Literal, ty: &Type) -> Option<String> {
    let text = match literal {
        Literal::Boolean(value) => value.to_string(),
        Literal::Integer(value) => value.to_string(),
        Literal::Char(unit) => unit.to_string(),
        Literal::Number(value) if value.is_nan() => "NaN".to_owned(),
        Literal::Number(value) if value.is_infinite() => if *value > 0.0 { "INF" } else { "-INF" }.to_owned(),
        Literal::Number(value) if *ty == Type::Primitive(creo_model::Primitive::Float) => {
            format!("{:?}", *value as f32)
        }
        Literal::Number(value) => format!("{value:?}"),
        Literal::String(text) | Literal::Decimal(text) => text.clone(),
        Literal::DateTime(seconds, nanoseconds) => date_time_text(*seconds, *nanoseconds),
        Literal::Constant(id, index) => plan.enumeration(*id).constants[*index].text.clone(),
        Literal::Empty => String::new(),
    };
    text.chars().all(|c| is_xml(c) && !matches!(c, '\n' | '\r' | '\t')).then_some(text)
}
