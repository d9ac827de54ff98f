//! Generates python code from the model.
