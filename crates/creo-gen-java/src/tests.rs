//! Lowering and rendering, on small descriptions.

use crate::Java;
use creo_codegen::{Files, Framework, Input, Target};

fn generate(text: &str) -> Files {
    let model = creo_model::compile(&[("test.creo", text)]).unwrap_or_else(|report| panic!("{report:?}"));
    Java.generate(&Input { model: &model, framework: Framework::Omit })
}

fn file<'f>(files: &'f Files, path: &str) -> &'f str {
    files.get(path).unwrap_or_else(|| panic!("{path} is not among {:?}", files.iter().map(|(p, _)| p).collect::<Vec<_>>()))
}
