//! The cases of `conformance/`, as its files have them.

use crate::repo;
use creo_json::parse_json;
use serde_json::Value;
use std::path::PathBuf;

/// One case of a file.
#[derive(Debug)]
pub struct Entry {
    /// `FILE/ID`
    pub name: String,
    pub json: Value,
    /// The wire that the file is about, if it says one.
    pub wire: Option<String>,
    path: PathBuf,
}

impl Entry {
    /// A member that must be a text.
    pub fn text(&self, member: &str) -> Result<String, String> {
        let found = self.json[member].as_str().map(str::to_owned);
        found.ok_or_else(|| self.wrong(&format!("no {member}")))
    }

    /// What is wrong with the case, with the place where it stands.
    pub fn wrong(&self, why: &str) -> String {
        format!("{}: {why} in {}", self.path.display(), self.json)
    }
}

/// The cases of all files below a folder of `conformance/`, which stand in the member `list` of each. A case says what it shows, and of which clause.
pub fn entries(folder: &str, list: &str) -> Result<Vec<Entry>, String> {
    let mut found = Vec::new();
    for path in repo::files_below(&repo::path("conformance").join(folder), "json") {
        let file = parse_json(&repo::read(&path)?).map_err(|e| format!("{}: {e:?}", path.display()))?;
        let subject = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let all = file[list].as_array().ok_or_else(|| format!("{}: no {list}", path.display()))?;
        for json in all {
            let (json, path) = (json.clone(), path.clone());
            let wire = file["wire"].as_str().map(str::to_owned);
            let mut entry = Entry { name: String::new(), json, wire, path };
            entry.name = format!("{subject}/{}", entry.text("id")?);
            entry.text("doc").and(entry.text("clause"))?;
            found.push(entry);
        }
    }
    Ok(found)
}
