//! The built-in targets. The language names them (LANG-16), so their names are [`creo_check::TARGETS`]; only this crate knows their
//! generators.

// A new kind of value or type must be handled everywhere.
#![deny(clippy::wildcard_enum_match_arm)]

mod description;

use creo_check::CheckedModel;
use creo_codegen::{Document, Target};
use creo_gen_c::C;
use creo_gen_csharp::CSharp;
use creo_gen_java::Java;
use creo_gen_python::Python;

/// All built-in targets, ordered by name.
pub const ALL: [&dyn Target; creo_check::TARGETS.len()] = [&Java, &Python, &C, &CSharp];

/// The built-in target with a name.
pub fn find(name: &str) -> Option<&'static dyn Target> {
    ALL.into_iter().find(|target| target.name() == name)
}

/// The names of all built-in targets, for help and messages.
pub fn names() -> String {
    creo_check::TARGETS.join(", ")
}

/// Whether a word can be the name of a target: it becomes the name of a folder, and of a program after `creo-gen-`.
pub fn is_name(word: &str) -> bool {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_lowercase());
    rest.len() < word.len()
        && word.len() <= 64
        && rest.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_')
}

/// The documents of a description's interfaces that generated services publish.
pub fn documents(model: &CheckedModel) -> Vec<Document> {
    let plan = model.plan();
    let mut documents = creo_wsdl::export::documents(model, plan);
    documents.extend(creo_openapi::documents(model, plan));
    documents.extend(description::documents(model));
    documents
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_of_the_language_has_its_generator() {
        assert_eq!(ALL.map(Target::name), creo_check::TARGETS);
        for name in creo_check::TARGETS {
            assert!(is_name(name) && find(name).is_some(), "{name}");
        }
    }
}
