//! The names of classes, package by package.

use crate::names::Names;
use creo_model::PackageId;
use std::collections::BTreeMap;

/// The scopes of a model's packages. Packages with the same name in a language share one.
#[derive(Debug)]
pub struct PackageScopes {
    /// By index of the package.
    packages: Vec<String>,
    scopes: BTreeMap<String, Names>,
}

impl PackageScopes {
    /// `packages` are the language's names for the packages of a model, joined by dots; `others` are further packages of the program. No
    /// class may have the name of a package inside its own.
    pub fn new(packages: Vec<String>, others: &[&str], scope: fn() -> Names) -> PackageScopes {
        let mut scopes: BTreeMap<String, Names> =
            packages.iter().map(|package| (package.clone(), scope())).collect();
        for other in packages.iter().map(String::as_str).chain(others.iter().copied()) {
            for (at, _) in other.match_indices('.') {
                let inner = other[at + 1..].split('.').next().unwrap_or_default();
                if let Some(scope) = scopes.get_mut(&other[..at]) {
                    scope.take(inner);
                }
            }
        }
        PackageScopes { packages, scopes }
    }

    /// The language's names for the packages, by index.
    pub fn packages(&self) -> &[String] {
        &self.packages
    }

    /// The language's name for a package.
    pub fn package(&self, id: PackageId) -> &str {
        &self.packages[id.0]
    }

    /// Reserves a name in all packages.
    pub fn take(&mut self, name: &str) {
        self.scopes.values_mut().for_each(|scope| scope.take(name));
    }

    /// Returns the name of a class in a package, as [`Names::give`] does.
    pub fn give(&mut self, package: PackageId, key: &str, wanted: &str) -> String {
        let scope = self.scopes.get_mut(&self.packages[package.0]);
        scope.expect("each package has a scope").give(key, wanted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_of_one_name_share_a_scope_without_the_packages_within() {
        let packages = ["a", "a.b.c", "a", "a.b"].map(str::to_owned).to_vec();
        let mut scopes = PackageScopes::new(packages, &["a.runtime", "d.e"], || Names::new(|_| false));
        scopes.take("root");
        let wanted =
            [(0, "b"), (0, "c"), (2, "c"), (0, "runtime"), (1, "c"), (3, "c"), (3, "e"), (1, "root")];
        let give = |(key, (package, wanted)): (usize, (usize, &str))| {
            scopes.give(PackageId(package), &key.to_string(), wanted)
        };
        let names: Vec<String> = wanted.into_iter().enumerate().map(give).collect();
        assert_eq!(names, ["b_", "c", "c_", "runtime_", "c", "c_", "e", "root_"]);
    }
}
