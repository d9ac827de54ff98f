//! Generates java code from the model.
