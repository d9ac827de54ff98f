//! The C peer's table of types, made from the model.

use creo_model::CheckedModel;

/// The text of one C file.
pub fn glue(_models: &[&CheckedModel]) -> String {
    String::new()
}
