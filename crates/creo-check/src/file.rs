//! A file of a description.

use creo_syntax::Tree;

/// A file with its imports.
pub struct File {
    pub tree: Tree,
    /// For each import of the tree, the index of its file; `None` if it was refused.
    pub imports: Vec<Option<usize>>,
    pub base_name: String,
}
