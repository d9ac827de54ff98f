//! The targets that `creo` knows by itself.

use creo_codegen::Target;
use creo_gen_c::C;
use creo_gen_csharp::CSharp;
use creo_gen_java::Java;
use creo_gen_python::Python;

/// All built-in targets, in the order in which help names them.
pub fn built_in() -> [Box<dyn Target>; 4] {
    [Box::new(Java), Box::new(Python), Box::new(C), Box::new(CSharp)]
}

/// The built-in target of a name.
pub fn find(name: &str) -> Option<Box<dyn Target>> {
    built_in().into_iter().find(|target| target.name() == name)
}

/// Whether a word can name a target: it becomes the name of a folder, and of a program behind `creo-gen-`.
pub fn is_name(word: &str) -> bool {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_lowercase());
    rest.len() < word.len()
        && word.len() <= 64
        && rest.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_')
}
