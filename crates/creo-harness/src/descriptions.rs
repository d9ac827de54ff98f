//! Compiled descriptions.

use crate::repo;
use creo_check::{CheckedModel, LoadError, compile_files};
use std::path::Path;

/// Compiles a file and its imports.
pub fn compile_file(path: &Path) -> Result<CheckedModel, String> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut load = |file: &str| std::fs::read(folder.join(file)).map_err(|_| LoadError::NotFound);
    let compilation = compile_files(&[&name], &mut load).map_err(|e| format!("{}: {e:?}", path.display()))?;
    compilation.model.ok_or_else(|| format!("{}:\n{}", path.display(), compilation.report))
}

/// Compiles a text in memory.
pub fn compile_text(name: &str, text: &str) -> Result<CheckedModel, String> {
    creo_check::compile(&[(name, text)]).map_err(|report| report.to_string())
}

/// The descriptions of every peer: the service with its imports, an incompatible one, one with a partner's XML, and one with tables.
pub fn conformance() -> Result<Vec<CheckedModel>, String> {
    ["matrix.creo", "changed/matrix.creo", "xml.creo", "tdxml.creo"]
        .iter()
        .map(|p| compile_file(&repo::path("conformance/schemas").join(p)))
        .collect()
}
