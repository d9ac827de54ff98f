//! The declarations visible in a file, and the meaning of names in it (LANG-17 to LANG-19).

use crate::file::File;
use crate::mistakes::{AmbiguousType, DuplicateName, NotAType, UnknownType};
use crate::nearest::Nearest;
use creo_diag::{Report, Span};
use creo_model::{Primitive, TypeId};
use creo_syntax::{Declaration, DeclarationKind, TypeName};
use std::collections::btree_map::Entry::{Occupied, Vacant};
use std::collections::{BTreeMap, BTreeSet};

/// The type for an unknown name. It was reported, so no checked model contains it.
pub const UNKNOWN: TypeId = TypeId(usize::MAX);

#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub file: usize,
    pub name_span: Span,
    /// `None` for an interface.
    pub ty: Option<TypeId>,
}

/// All declarations of a description, by name.
pub struct Scope<'t> {
    files: &'t [File],
    /// The package of each file.
    packages: &'t [String],
    /// Entries of one name are of different packages, and in the order of their files.
    by_name: BTreeMap<&'t str, Vec<Entry>>,
    /// Each file and its imports.
    visible: Vec<BTreeSet<usize>>,
    /// Files in which a lookup succeeded: user, used.
    used: BTreeSet<(usize, usize)>,
    /// Files in which a name may be missing only because of an earlier error.
    doubtful: Vec<bool>,
    nearest: Nearest,
}

impl<'t> Scope<'t> {
    /// Collects the declarations; types are numbered by file, then by declaration.
    pub fn new(files: &'t [File], packages: &'t [String], report: &mut Report) -> Scope<'t> {
        let mut by_name: BTreeMap<&str, Vec<Entry>> = BTreeMap::new();
        let mut first: BTreeMap<(&str, &str), Span> = BTreeMap::new();
        let mut types = 0;
        for (index, file) in files.iter().enumerate() {
            for declaration in &file.tree.declarations {
                let ty = if is_interface(declaration) {
                    None
                } else {
                    types += 1;
                    Some(TypeId(types - 1))
                };
                let name = &declaration.name;
                match first.entry((&packages[index], &name.text)) {
                    Occupied(first) => report.add(&DuplicateName {
                        span: name.span,
                        first: *first.get(),
                        name: name.text.clone(),
                        of: "type or interface",
                    }),
                    Vacant(free) => {
                        free.insert(name.span);
                        let entry = Entry { file: index, name_span: name.span, ty };
                        by_name.entry(&name.text).or_default().push(entry);
                    }
                }
            }
        }
        let visible: Vec<BTreeSet<usize>> = files
            .iter()
            .enumerate()
            .map(|(index, file)| file.imports.iter().flatten().copied().chain([index]).collect())
            .collect();
        let doubtful = (0..files.len())
            .map(|index| {
                files[index].imports.iter().any(Option::is_none)
                    || visible[index].iter().any(|seen| files[*seen].tree.is_lossy)
            })
            .collect();
        Scope { files, packages, by_name, visible, used: BTreeSet::new(), doubtful, nearest: Nearest::new() }
    }

    /// Whether any name in `user` refers to a declaration in `used`.
    pub fn is_used(&self, user: usize, used: usize) -> bool {
        self.used.contains(&(user, used))
    }

    /// Whether unknown names of a file need not be reported.
    pub fn is_doubtful(&self, file: usize) -> bool {
        self.doubtful[file]
    }

    /// LANG-19: the type of `name` in `file`. If there is none, it is reported and [`UNKNOWN`] returned.
    pub fn look_up(&mut self, file: usize, name: &TypeName, report: &mut Report) -> TypeId {
        let found = self.candidates(file, name);
        let ty = match found.as_slice() {
            [] => {
                if !self.doubtful[file] {
                    let mistake = self.unknown(file, name);
                    report.add(&mistake);
                }
                return UNKNOWN;
            }
            [entry] => entry.ty,
            several => {
                let places = several
                    .iter()
                    .map(|entry| (entry.name_span, self.packages[entry.file].clone()))
                    .collect();
                report.add(&AmbiguousType { span: name.span, name: name.text(), places });
                for entry in several {
                    self.used.insert((file, entry.file));
                }
                return UNKNOWN;
            }
        };
        self.used.insert((file, found[0].file));
        ty.unwrap_or_else(|| {
            report.add(&NotAType { span: name.span, name: name.text(), interface: found[0].name_span });
            UNKNOWN
        })
    }

    fn candidates(&self, file: usize, name: &TypeName) -> Vec<Entry> {
        let Some(last) = name.parts.last() else { return Vec::new() };
        let Some(entries) = self.by_name.get(last.text.as_str()) else { return Vec::new() };
        let visible = &self.visible[file];
        // There may be as many of either as there are files: the fewer are walked.
        let seen: Vec<Entry> = if visible.len() < entries.len() {
            let place = |file: &usize| entries.binary_search_by_key(file, |entry| entry.file).ok();
            visible.iter().filter_map(place).map(|place| entries[place]).collect()
        } else {
            entries.iter().filter(|entry| visible.contains(&entry.file)).copied().collect()
        };
        if name.parts.len() > 1 {
            let package = name.parts[..name.parts.len() - 1]
                .iter()
                .map(|part| part.text.as_str())
                .collect::<Vec<_>>()
                .join(".");
            return seen.into_iter().filter(|entry| self.packages[entry.file] == package).collect();
        }
        let own: Vec<Entry> =
            seen.iter().filter(|entry| self.packages[entry.file] == self.packages[file]).copied().collect();
        if own.is_empty() { seen } else { own }
    }

    fn unknown(&mut self, file: usize, name: &TypeName) -> UnknownType {
        let text = name.text();
        let last = name.parts.last().map_or("", |part| part.text.as_str());
        let elsewhere = self
            .by_name
            .get(last)
            .into_iter()
            .flatten()
            .find(|entry| !self.visible[file].contains(&entry.file) && entry.ty.is_some());
        let elsewhere = elsewhere.map(|entry| (entry.name_span, self.files[entry.file].base_name.clone()));
        let is_alone = name.parts.len() == 1 && elsewhere.is_none();
        let nearest = if is_alone && self.nearest.can_afford(self.by_name.len()) {
            self.nearest_type(file, &text)
        } else {
            None
        };
        UnknownType { span: name.span, name: text, nearest, elsewhere }
    }

    fn nearest_type(&mut self, file: usize, name: &str) -> Option<String> {
        let visible = &self.visible[file];
        let is_seen = |entry: &Entry| entry.ty.is_some() && visible.contains(&entry.file);
        let declared =
            self.by_name.iter().filter(|(_, entries)| entries.iter().any(is_seen)).map(|(name, _)| *name);
        let known: Vec<&str> =
            Primitive::ALL.iter().map(|primitive| primitive.keyword()).chain(declared).collect();
        self.nearest.find(name, &known)
    }
}

pub fn is_interface(declaration: &Declaration) -> bool {
    matches!(declaration.kind, DeclarationKind::Interface(_))
}
