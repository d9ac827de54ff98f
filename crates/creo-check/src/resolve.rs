//! From trees to a model: resolves every name, and attaches packages, documentation and annotations.
//!
//! `check` does everything that needs a value's type (numbers of constants, defaults), and all rules that do not need names.

use crate::file::File;
use crate::limits::MAX_TYPES;
use crate::mistakes::{TooManyTypes, UnusedImport};
use crate::notes::{Place, lower_head, lower_method_head, lower_packages};
use crate::scope::{Scope, UNKNOWN, is_interface};
use creo_diag::Report;
use creo_model::{
    Constant, Field, Interface, Method, Model, Notes, PackageId, Primitive, Type, TypeDecl, TypeKind,
};
use creo_syntax::{Declaration, DeclarationKind, TypeRef, TypeRefKind};

/// A model that may break rules, with the tree of each declaration, from which `check` gets positions.
///
/// Members of a declaration in the model and in its tree correspond one to one.
pub struct Resolved<'t> {
    pub model: Model,
    /// The tree of each type.
    pub types: Vec<&'t Declaration>,
    /// The tree of each interface.
    pub interfaces: Vec<&'t Declaration>,
}

/// Resolves all names of the files; the first `named` of them are the roots.
pub fn resolve<'t>(files: &'t [File], named: usize, report: &mut Report) -> Resolved<'t> {
    let (packages, names) = lower_packages(files, report);
    let package_ids: Vec<PackageId> = names
        .iter()
        .map(|name| {
            PackageId(
                packages
                    .binary_search_by(|package| package.name.as_str().cmp(name))
                    .expect("every file's package is in the list"),
            )
        })
        .collect();
    let mut resolved = Resolved {
        model: Model {
            sources: files.iter().map(|file| file.base_name.clone()).collect(),
            packages,
            named: first_of_each(&package_ids[..named]),
            types: Vec::new(),
            interfaces: Vec::new(),
        },
        types: Vec::new(),
        interfaces: Vec::new(),
    };
    let count: usize = files.iter().map(|file| file.tree.declarations.len()).sum();
    if count > MAX_TYPES {
        let last = files
            .iter()
            .flat_map(|file| &file.tree.declarations)
            .nth(MAX_TYPES)
            .map(|declaration| declaration.name.span);
        report.add(&TooManyTypes { span: last.expect("there are more"), count });
        return resolved;
    }
    let mut scope = Scope::new(files, &names, report);
    for (index, file) in files.iter().enumerate() {
        let mut lower = Lower { file: index, package: package_ids[index], scope: &mut scope, report };
        for declaration in &file.tree.declarations {
            if is_interface(declaration) {
                resolved.model.interfaces.push(lower.interface(declaration));
                resolved.interfaces.push(declaration);
            } else {
                resolved.model.types.push(lower.ty(declaration));
                resolved.types.push(declaration);
            }
        }
    }
    unused_imports(files, &scope, report);
    resolved
}

/// The packages without duplicates.
fn first_of_each(packages: &[PackageId]) -> Vec<PackageId> {
    let mut found = Vec::new();
    for package in packages {
        if !found.contains(package) {
            found.push(*package);
        }
    }
    found
}

/// LANG-18. Reports nothing where names may be missing because of an earlier error.
fn unused_imports(files: &[File], scope: &Scope, report: &mut Report) {
    for (index, file) in files.iter().enumerate() {
        if file.tree.has_errors || scope.is_doubtful(index) {
            continue;
        }
        for (at, (import, target)) in file.tree.imports.iter().zip(&file.imports).enumerate() {
            let Some(target) = target else { continue };
            let again = file.imports[..at].contains(&Some(*target));
            // A file without declarations exists to group imports.
            let gathers = file.tree.declarations.is_empty();
            if again || *target == index || !(gathers || scope.is_used(index, *target)) {
                report.add(&UnusedImport { span: import.span, again });
            }
        }
    }
}

struct Lower<'a, 't> {
    file: usize,
    package: PackageId,
    scope: &'a mut Scope<'t>,
    report: &'a mut Report,
}

impl Lower<'_, '_> {
    fn notes(&mut self, head: &creo_syntax::Head, place: Place) -> Notes {
        lower_head(head, place, self.report)
    }

    fn ty(&mut self, declaration: &Declaration) -> TypeDecl {
        let place = match &declaration.kind {
            DeclarationKind::Struct(_) => Place::Struct,
            DeclarationKind::Exception(_) => Place::Exception,
            DeclarationKind::Union(_) => Place::Union,
            DeclarationKind::Enum(_) => Place::Enum,
            DeclarationKind::Interface(_) => Place::Interface,
        };
        let kind = match &declaration.kind {
            DeclarationKind::Struct(fields) => TypeKind::Struct(self.fields(fields, Place::Field)),
            DeclarationKind::Exception(fields) => TypeKind::Exception(self.fields(fields, Place::Field)),
            DeclarationKind::Union(members) => TypeKind::Union(self.fields(members, Place::Member)),
            DeclarationKind::Enum(constants) => TypeKind::Enum(
                constants
                    .iter()
                    .map(|c| Constant {
                        name: c.name.text.clone(),
                        number: 0,
                        notes: self.notes(&c.head, Place::Constant),
                    })
                    .collect(),
            ),
            DeclarationKind::Interface(_) => unreachable!("interfaces are no types"),
        };
        TypeDecl {
            name: declaration.name.text.clone(),
            package: self.package,
            kind,
            extensible: declaration.extensible.is_some(),
            recursive: false,
            notes: self.notes(&declaration.head, place),
        }
    }

    fn interface(&mut self, declaration: &Declaration) -> Interface {
        let DeclarationKind::Interface(methods) = &declaration.kind else {
            unreachable!("types are no interfaces")
        };
        let methods = methods.iter().map(|method| self.method(method)).collect();
        Interface {
            name: declaration.name.text.clone(),
            package: self.package,
            fingerprint: 0,
            methods,
            notes: self.notes(&declaration.head, Place::Interface),
        }
    }

    fn method(&mut self, method: &creo_syntax::Method) -> Method {
        let parameters = self.fields(&method.parameters, Place::Parameter);
        let returns = method.streams.is_some() || !is_void(&method.result);
        let result = returns.then(|| self.type_ref(&method.result));
        let throws =
            method.throws.iter().map(|name| self.scope.look_up(self.file, name, self.report)).collect();
        let (notes, own) = lower_method_head(&method.head, self.report);
        Method {
            name: method.name.text.clone(),
            id: 0,
            oneway: method.oneway.is_some(),
            idempotent: own.idempotent,
            parameters,
            result,
            streams_result: method.streams.is_some(),
            throws,
            notes,
            response_xml: own.response,
            result_xml: own.result,
        }
    }

    fn fields(&mut self, fields: &[creo_syntax::Field], place: Place) -> Vec<Field> {
        fields
            .iter()
            .map(|field| Field {
                name: field.name.text.clone(),
                ty: self.type_ref(&field.ty),
                streams: field.streams.is_some(),
                default: None,
                notes: self.notes(&field.head, place),
            })
            .collect()
    }

    /// The parser limits the nesting of types, so this recursion is bounded.
    fn type_ref(&mut self, ty: &TypeRef) -> Type {
        match &ty.kind {
            TypeRefKind::Unknown => Type::Named(UNKNOWN),
            TypeRefKind::Array(item) => {
                let item = self.type_ref(item);
                if item == Type::Primitive(Primitive::Byte) {
                    Type::Bytes
                } else {
                    Type::Array(Box::new(item))
                }
            }
            TypeRefKind::Optional(item) => Type::Optional(Box::new(self.type_ref(item))),
            TypeRefKind::Map(key, value) => {
                Type::Map(Box::new(self.type_ref(key)), Box::new(self.type_ref(value)))
            }
            TypeRefKind::Name(name) => match name.single() {
                // `check` reports that it is not allowed here.
                Some("void") => Type::Named(UNKNOWN),
                Some(word) if Primitive::from_keyword(word).is_some() => {
                    Type::Primitive(Primitive::from_keyword(word).expect("it is one"))
                }
                _ => Type::Named(self.scope.look_up(self.file, name, self.report)),
            },
        }
    }
}

/// Whether a result is plain `void`.
pub fn is_void(ty: &TypeRef) -> bool {
    matches!(&ty.kind, TypeRefKind::Name(name) if name.single() == Some("void"))
}
