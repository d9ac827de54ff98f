//! Generates c code from the model.
