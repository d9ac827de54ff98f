//! The Python runtime's tests use generated packages stored next to them, so they need no compiler for descriptions. They must equal this
//! generator's output. `CREO_REFRESH=1` rewrites them, and the run still fails: review the changes first.
#![allow(clippy::disallowed_methods)] // A test that compares files reads them.

use creo_check::compile;
use creo_codegen::{Input, Target};
use creo_gen_python::Python;
use std::path::Path;

#[test]
fn the_runtimes_samples_are_what_is_generated() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtimes/python/tests");
    let mut stale = Vec::new();
    for sample in ["sample", "partner", "flow"] {
        let name = format!("{sample}.creo");
        let text = std::fs::read_to_string(folder.join(&name)).expect("the sample's description");
        let model = compile(&[(name.as_str(), &text)]).unwrap_or_else(|report| panic!("{report}"));
        let files = Python.generate(&Input::new(&Python, &model));
        let own: Vec<(&str, &str)> =
            files.iter().filter(|(path, _)| path.starts_with(&format!("{sample}/"))).collect();
        assert!(own.len() > 3, "{sample} is not the package of {name}");
        for (path, generated) in own {
            let kept = folder.join(path);
            if std::fs::read_to_string(&kept).unwrap_or_default() != generated {
                stale.push(path.to_owned());
                if std::env::var("CREO_REFRESH").is_ok() {
                    std::fs::write(&kept, generated).expect("the sample can be written");
                }
            }
        }
    }
    assert!(stale.is_empty(), "not what is generated now: {stale:?} in {}", folder.display());
}
