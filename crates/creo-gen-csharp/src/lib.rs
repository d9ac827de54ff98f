//! Generates csharp code from the model.
