//! A wheel (PEP 427), written without build tools: there is nothing to build.

use crate::archive::{Entries, zip};
use crate::identity::{Artifact, Identity, LICENCE, RuntimeOf};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use creo_codegen::Files;
use sha2::{Digest, Sha256};

/// The wheel of generated files. `package` is the import name.
pub fn wheel(identity: &Identity, files: &Files, package: &str) -> Artifact {
    // PEP 427: the normalized name of the distribution, with `_` for `-`.
    let name = identity.name.word();
    let version = identity.version.python();
    let mut entries: Entries =
        files.iter().map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec())).collect();
    let info = format!("{name}-{version}.dist-info");
    let mut add = |file: &str, text: String| entries.insert(format!("{info}/{file}"), text.into_bytes());
    add("METADATA", metadata(identity, package));
    add(
        "WHEEL",
        format!(
            "Wheel-Version: 1.0\nGenerator: creo ({})\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
            env!("CARGO_PKG_VERSION")
        ),
    );
    if let Some(text) = identity.licence() {
        add(&format!("licenses/{LICENCE}"), text.to_owned());
    }
    let record_path = format!("{info}/RECORD");
    let mut record = String::new();
    for (path, bytes) in &entries {
        let hash = URL_SAFE_NO_PAD.encode(Sha256::digest(bytes));
        record.push_str(&format!("{},sha256={hash},{}\n", csv(path), bytes.len()));
    }
    record.push_str(&format!("{},,\n", csv(&record_path)));
    entries.insert(record_path, record.into_bytes());
    Artifact { name: format!("{name}-{version}-py3-none-any.whl"), bytes: zip(&entries, &[]) }
}

fn metadata(identity: &Identity, package: &str) -> String {
    let mut text = format!(
        "Metadata-Version: 2.1\nName: {}\nVersion: {}\nSummary: {}\nRequires-Python: >=3.9\n",
        identity.name.as_str(),
        identity.version.python(),
        identity.summary()
    );
    text.push_str("Classifier: Programming Language :: Python :: 3 :: Only\nClassifier: Typing :: Typed\n");
    if let RuntimeOf::Package(Some(requirement)) = &identity.runtime {
        text.push_str(&format!("Requires-Dist: {requirement}\n"));
    }
    text.push_str("Description-Content-Type: text/markdown\n\n");
    text.push_str(&identity.readme(&format!("```python\nimport {package}\n```")));
    text
}

/// A field of a line of RECORD.
fn csv(text: &str) -> String {
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}
