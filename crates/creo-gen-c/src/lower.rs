//! Decides everything about the C code for a model: names, types, orders, which value is held how. Rendering prints what stands here.

use crate::blocks;
use crate::composites::{Composite, Composites, Shape};
use crate::lang::{Definition, Docs, Enum, EnumConstant, EnumRef, Field, Init, Member, Record, Slot, Ty, Union, Unit};
use crate::literals;
use crate::names::{self, Globals, Members, TARGET, Wanted};
use crate::order;
use crate::text::lower_text;
use creo_codegen::Style;
use creo_model::{CheckedModel, Literal, Notes, PackageId, Plan, Primitive, Type, TypeDecl, TypeId, TypeKind, plan};
use std::collections::BTreeSet;

/// The endings of the functions of a struct or exception.
const RECORD_ENDINGS: &[&str] = &["_init", "_encode", "_decode", "_to_bytes", "_from_bytes"];
const UNION_ENDINGS: &[&str] = &["_init", "_encode", "_decode", "_to_bytes", "_from_bytes", "_kind"];
const ENUM_ENDINGS: &[&str] = &["_valid", "_name", "_encode", "_decode"];

/// What lowering knows while it works.
pub struct Lower<'m> {
    pub model: &'m CheckedModel,
    pub plan: Plan<'m>,
    pub globals: Globals,
    pub prefixes: Vec<String>,
    /// C name of each type.
    pub types: Vec<String>,
    /// Names of each enum's constants, or of each union's kinds.
    constants: Vec<Vec<String>>,
    pub composites: Composites,
    /// For each type and composite, its component among those that hold one another by value.
    circles: Vec<usize>,
}

/// Lowers a model to the units of C.
pub fn lower(model: &CheckedModel) -> Vec<Unit> {
    let mut lower = Lower::names(model);
    lower.find_composites();
    let edges = lower.containment();
    lower.circles = order::components(&edges);
    let order = order::dependencies_first(&lower.without_pointers(edges));
    let mut units = lower.units(&order);
    lower_text(&mut lower, &mut units);
    units
}

/// The docs of a declaration.
pub fn docs(notes: &Notes) -> Docs {
    Docs { doc: notes.doc.clone(), deprecated: notes.deprecated.clone() }
}

impl<'m> Lower<'m> {
    /// Gives all types and constants their names: types first, in order, then constants.
    fn names(model: &'m CheckedModel) -> Lower<'m> {
        let prefixes = names::prefixes(model);
        let mut globals = Globals::default();
        let types: Vec<String> = model
            .types
            .iter()
            .map(|decl| {
                let own = names::styled(&decl.name, decl.notes.target_name(TARGET), Style::Snake);
                let endings = match decl.kind {
                    TypeKind::Struct(_) | TypeKind::Exception(_) => RECORD_ENDINGS,
                    TypeKind::Union(_) => UNION_ENDINGS,
                    TypeKind::Enum(_) => ENUM_ENDINGS,
                };
                globals.claim(&format!("{}_{own}", prefixes[decl.package.0]), endings)
            })
            .collect();
        let constants = model
            .types
            .iter()
            .zip(&types)
            .map(|(decl, name)| {
                let mut claim = |declared: &str, notes: &Notes| {
                    let own = names::styled(declared, notes.target_name(TARGET), Style::Screaming);
                    globals.claim(&format!("{}_{own}", name.to_ascii_uppercase()), &[])
                };
                match &decl.kind {
                    TypeKind::Enum(constants) => constants.iter().map(|c| claim(&c.name, &c.notes)).collect(),
                    TypeKind::Union(members) => members.iter().map(|m| claim(&m.name, &m.notes)).collect(),
                    TypeKind::Struct(_) | TypeKind::Exception(_) => Vec::new(),
                }
            })
            .collect();
        Lower { model, plan: plan(model), globals, prefixes, types, constants, composites: Composites::default(), circles: Vec::new() }
    }

    /// Finds every array, map and optional that needs a struct of its own.
    fn find_composites(&mut self) {
        for decl in &self.model.types {
            let in_union = matches!(decl.kind, TypeKind::Union(_));
            for field in decl.fields() {
                match &field.ty {
                    Type::Optional(item) if !in_union => self.ty(item, decl.package),
                    other => self.ty(other, decl.package),
                };
            }
        }
        for interface in &self.model.interfaces {
            for method in &interface.methods {
                for parameter in &method.parameters {
                    match &parameter.ty {
                        Type::Optional(item) => self.ty(item, interface.package),
                        other => self.ty(other, interface.package),
                    };
                }
                if let Some(result) = &method.result {
                    self.ty(result, interface.package);
                }
            }
        }
    }

    /// The place of a value of type `ty` that `package` uses. Makes the composite that it needs if there is none yet.
    pub fn ty(&mut self, ty: &Type, package: PackageId) -> Ty {
        match ty {
            Type::Primitive(p @ (Primitive::String | Primitive::Decimal)) => Ty::Text(*p),
            Type::Primitive(p) => Ty::Scalar(*p),
            Type::Bytes => Ty::Bytes,
            Type::Named(id) => match self.model.ty(*id).kind {
                TypeKind::Enum(_) => Ty::Enum(EnumRef { name: self.types[id.0].clone(), extensible: self.model.ty(*id).extensible }),
                TypeKind::Struct(_) | TypeKind::Exception(_) | TypeKind::Union(_) => Ty::Record(self.types[id.0].clone()),
            },
            Type::Array(item) => match item.as_ref() {
                Type::Primitive(p) => Ty::Bulk(crate::lang::word(*p)),
                Type::Bytes => Ty::Bulk("bytes"),
                Type::Array(_) | Type::Optional(_) | Type::Map(..) | Type::Named(_) => Ty::Record(self.composite(ty, package)),
            },
            Type::Optional(_) | Type::Map(..) => Ty::Record(self.composite(ty, package)),
        }
    }

    /// The name of the struct for an array, map or optional. It belongs to the package of the types that it holds if that is one, so that all packages share it.
    fn composite(&mut self, ty: &Type, user: PackageId) -> String {
        let home = self.home(ty, user);
        let word = self.describe(ty, home);
        if let Some(found) = self.composites.find(home, ty) {
            return found.to_owned();
        }
        let endings = match ty {
            Type::Map(..) => &["_encode", "_decode", "_entry"][..],
            Type::Array(_) | Type::Optional(_) | Type::Primitive(_) | Type::Bytes | Type::Named(_) => &["_encode", "_decode"][..],
        };
        let name = self.globals.claim(&format!("{}_{word}", self.prefixes[home.0]), endings);
        self.composites.reserve(home, ty, &name);
        let shape = match ty {
            Type::Array(item) => Shape::Array(self.ty(item, home), item.as_ref().clone()),
            Type::Map(key, value) => Shape::Map(self.ty(key, home), key.as_ref().clone(), self.ty(value, home), value.as_ref().clone()),
            Type::Optional(item) => Shape::Optional(self.ty(item, home), item.as_ref().clone()),
            Type::Primitive(_) | Type::Bytes | Type::Named(_) => unreachable!("only arrays, maps and optionals are composites"),
        };
        self.composites.add(Composite { name: name.clone(), home, shape });
        name
    }

    fn packages_of(&self, ty: &Type, found: &mut BTreeSet<PackageId>) {
        match ty {
            Type::Primitive(_) | Type::Bytes => {}
            Type::Array(item) | Type::Optional(item) => self.packages_of(item, found),
            Type::Map(key, value) => {
                self.packages_of(key, found);
                self.packages_of(value, found);
            }
            Type::Named(id) => {
                found.insert(self.model.ty(*id).package);
            }
        }
    }

    /// What a composite is called behind its package's prefix.
    fn describe(&self, ty: &Type, home: PackageId) -> String {
        match ty {
            Type::Primitive(p) => crate::lang::word(*p).to_owned(),
            Type::Bytes => "bytes".to_owned(),
            Type::Array(item) => format!("{}_array", self.describe(item, home)),
            Type::Optional(item) => format!("{}_optional", self.describe(item, home)),
            Type::Map(key, value) => format!("{}_{}_map", self.describe(key, home), self.describe(value, home)),
            Type::Named(id) => {
                let name = &self.types[id.0];
                let own = self.model.ty(*id).package == home;
                let prefix = format!("{}_", self.prefixes[home.0]);
                name.strip_prefix(&prefix).filter(|_| own).unwrap_or(name).to_owned()
            }
        }
    }

    /// What each type and composite holds by value; circles among them are broken by pointers later.
    fn containment(&self) -> Vec<Vec<usize>> {
        let mut edges: Vec<Vec<usize>> =
            self.model.types.iter().map(|decl| decl.fields().iter().filter_map(|field| self.held(&field.ty, decl)).collect()).collect();
        edges.extend(self.composites.all().map(|composite| match &composite.shape {
            Shape::Array(..) => Vec::new(),
            Shape::Map(_, _, _, value) | Shape::Optional(_, value) => self.node(value, composite.home).into_iter().collect(),
        }));
        edges
    }

    /// The node that a field or member of type `ty` holds by value.
    fn held(&self, ty: &Type, decl: &TypeDecl) -> Option<usize> {
        match (&decl.kind, ty) {
            (TypeKind::Struct(_) | TypeKind::Exception(_), Type::Optional(item)) => self.node(item, decl.package),
            (TypeKind::Struct(_) | TypeKind::Exception(_) | TypeKind::Union(_) | TypeKind::Enum(_), _) => self.node(ty, decl.package),
        }
    }

    fn node(&self, ty: &Type, user: PackageId) -> Option<usize> {
        match ty {
            Type::Named(id) => (!matches!(self.model.ty(*id).kind, TypeKind::Enum(_))).then_some(id.0),
            Type::Optional(_) => self.composites.position(self.home(ty, user), ty).map(|at| self.model.types.len() + at),
            // The struct of a map or array holds a pointer; it is defined before all others.
            Type::Primitive(_) | Type::Bytes | Type::Array(_) | Type::Map(..) => None,
        }
    }

    /// The package to which an array, map or optional belongs.
    pub fn home(&self, ty: &Type, user: PackageId) -> PackageId {
        let mut packages = BTreeSet::new();
        self.packages_of(ty, &mut packages);
        if packages.len() == 1 { packages.into_iter().next().unwrap_or(user) } else { user }
    }

    /// Whether a field or member of `id` must be held by pointer, since its value holds `id` again.
    fn by_pointer(&self, id: TypeId, ty: &Type) -> bool {
        let decl = self.model.ty(id);
        let breakable = matches!(decl.kind, TypeKind::Union(_)) || matches!(ty, Type::Optional(_));
        breakable && self.held(ty, decl).is_some_and(|node| self.circles[node] == self.circles[id.0])
    }

    fn without_pointers(&self, mut edges: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
        for id in self.model.type_ids() {
            let decl = self.model.ty(id);
            let kept = decl.fields().iter().filter(|field| !self.by_pointer(id, &field.ty));
            edges[id.0] = kept.filter_map(|field| self.held(&field.ty, decl)).collect();
        }
        edges
    }

    fn units(&mut self, order: &[usize]) -> Vec<Unit> {
        let package_edges = self.package_edges();
        let component = order::components(&package_edges);
        let count = component.iter().max().map_or(0, |last| last + 1);
        let mut units: Vec<Unit> = (0..count).map(|_| Unit::default()).collect();
        for (package, &at) in component.iter().enumerate() {
            let unit = &mut units[at];
            unit.packages.push(self.model.packages[package].name.clone());
            if unit.stem.is_empty() { unit.stem.clone_from(&self.prefixes[package]) } else { unit.forwards.push(self.prefixes[package].clone()) }
        }
        for (package, used) in package_edges.iter().enumerate() {
            let stems: Vec<String> = used.iter().map(|&other| units[component[other]].stem.clone()).collect();
            let unit = &mut units[component[package]];
            unit.includes.extend(stems.into_iter().filter(|stem| *stem != unit.stem));
            unit.includes.sort();
            unit.includes.dedup();
        }
        for id in self.model.type_ids() {
            if let TypeKind::Enum(_) = self.model.ty(id).kind {
                units[component[self.model.ty(id).package.0]].enums.push(self.lower_enum(id));
            }
        }
        for &node in order {
            let (package, definition) = match node.checked_sub(self.model.types.len()) {
                None => (self.model.types[node].package, self.lower_type(TypeId(node))),
                Some(at) => (self.composites.get(at).home, Some(self.lower_composite(at))),
            };
            units[component[package.0]].definitions.extend(definition);
        }
        for interface in &self.model.interfaces {
            let service = self.lower_service(interface);
            units[component[interface.package.0]].services.push(service);
        }
        units
    }

    /// The packages that each package's types and methods mention.
    fn package_edges(&self) -> Vec<Vec<usize>> {
        let mut used: Vec<BTreeSet<PackageId>> = vec![BTreeSet::new(); self.model.packages.len()];
        for decl in &self.model.types {
            for field in decl.fields() {
                self.packages_of(&field.ty, &mut used[decl.package.0]);
            }
        }
        for interface in &self.model.interfaces {
            let of = &mut used[interface.package.0];
            for method in &interface.methods {
                method.parameters.iter().for_each(|p| self.packages_of(&p.ty, of));
                method.result.iter().for_each(|ty| self.packages_of(ty, of));
                of.extend(method.throws.iter().map(|id| self.model.ty(*id).package));
            }
        }
        used.into_iter().enumerate().map(|(own, set)| set.into_iter().map(|id| id.0).filter(|&id| id != own).collect()).collect()
    }

    fn lower_enum(&self, id: TypeId) -> Enum {
        let decl = self.model.ty(id);
        let TypeKind::Enum(constants) = &decl.kind else { unreachable!("called for enums") };
        let constants = constants.iter().zip(&self.constants[id.0]);
        Enum {
            name: self.types[id.0].clone(),
            full_name: self.model.full_name(id),
            docs: docs(&decl.notes),
            extensible: decl.extensible,
            constants: constants
                .map(|(c, name)| EnumConstant { name: name.clone(), declared: c.name.clone(), number: c.number, docs: docs(&c.notes) })
                .collect(),
        }
    }

    fn lower_type(&mut self, id: TypeId) -> Option<Definition> {
        let decl = self.model.ty(id);
        match &decl.kind {
            TypeKind::Enum(_) => None,
            TypeKind::Struct(_) | TypeKind::Exception(_) => Some(Definition::Record(self.lower_record(id))),
            TypeKind::Union(_) => Some(Definition::Union(self.lower_union(id))),
        }
    }

    fn lower_record(&mut self, id: TypeId) -> Record {
        let model = self.model;
        let decl = model.ty(id);
        let names = self.record_members(id);
        let steps = blocks::steps(self, &self.plan.record(id), decl.fields(), &names, blocks::Held::ByValue);
        let fields = decl.fields().iter().zip(names).map(|(field, name)| {
            let (ty, slot) = match &field.ty {
                Type::Optional(item) if self.by_pointer(id, &field.ty) => (self.ty(item, decl.package), Slot::Pointer),
                Type::Optional(item) => (self.ty(item, decl.package), Slot::Flag),
                other => (self.ty(other, decl.package), Slot::Value),
            };
            let init = self.init(&field.ty, field.default.as_ref());
            let may_be_missing = field.default.is_some() || matches!(field.ty, Type::Optional(_));
            let charge = self.field_charge(&field.ty);
            Field { name, declared: field.name.clone(), ty, slot, charge, docs: docs(&field.notes), init, may_be_missing }
        });
        let fields = fields.collect();
        Record {
            name: self.types[id.0].clone(),
            full_name: model.full_name(id),
            docs: docs(&decl.notes),
            extensible: decl.extensible,
            recursive: decl.recursive,
            fields,
            steps,
        }
    }

    /// What the value of a field or parameter is charged, if it is an optional (LIM-18).
    pub fn field_charge(&self, ty: &Type) -> u64 {
        match ty {
            Type::Optional(item) => self.plan.optional_charge(item),
            Type::Primitive(_) | Type::Bytes | Type::Array(_) | Type::Map(..) | Type::Named(_) => 0,
        }
    }

    /// The names of a record's fields in C.
    pub fn record_members(&self, id: TypeId) -> Vec<String> {
        let wanted: Vec<Wanted> = self
            .model
            .ty(id)
            .fields()
            .iter()
            .map(|field| Wanted {
                declared: field.name.clone(),
                name: names::styled(&field.name, field.notes.target_name(TARGET), Style::Snake),
                flag: matches!(field.ty, Type::Optional(_)) && !self.by_pointer(id, &field.ty),
            })
            .collect();
        Members::new(&self.globals, &["creo_empty"]).give(&wanted)
    }

    fn lower_union(&mut self, id: TypeId) -> Union {
        let model = self.model;
        let decl = model.ty(id);
        let wanted: Vec<Wanted> = decl
            .fields()
            .iter()
            .map(|m| Wanted { declared: m.name.clone(), name: names::styled(&m.name, m.notes.target_name(TARGET), Style::Snake), flag: false })
            .collect();
        let own: &[&str] = if decl.extensible { &["unknown"] } else { &[] };
        let names = Members::new(&self.globals, own).give(&wanted);
        let constants = self.constants[id.0].clone();
        let members = decl.fields().iter().zip(names).zip(constants).map(|((member, name), constant)| Member {
            name,
            declared: member.name.clone(),
            constant,
            ty: self.ty(&member.ty, decl.package),
            pointer: self.by_pointer(id, &member.ty),
            charge: self.plan.weight(&member.ty),
            docs: docs(&member.notes),
        });
        let members: Vec<Member> = members.collect();
        let first = decl.fields().first().filter(|_| members.first().is_some_and(|m| !m.pointer));
        let first_init = first.and_then(|member| self.init(&member.ty, None).pop());
        Union {
            name: self.types[id.0].clone(),
            full_name: model.full_name(id),
            docs: docs(&decl.notes),
            extensible: decl.extensible,
            recursive: decl.recursive,
            members,
            first_init,
        }
    }

    /// What makes a field that is all zeros the field's default.
    fn init(&self, ty: &Type, default: Option<&Literal>) -> Vec<Init> {
        match default {
            Some(literal) => self.literal(literal, ty),
            None => match ty {
                Type::Named(id) => self.named_init(*id),
                Type::Primitive(Primitive::Decimal) => vec![Init::Text("0".to_owned())],
                Type::Primitive(_) | Type::Bytes | Type::Array(_) | Type::Optional(_) | Type::Map(..) => Vec::new(),
            },
        }
    }

    fn named_init(&self, id: TypeId) -> Vec<Init> {
        match &self.model.ty(id).kind {
            TypeKind::Enum(constants) if constants.iter().all(|c| c.number != 0) => vec![Init::Assign(self.constants[id.0][0].clone())],
            TypeKind::Enum(_) => Vec::new(),
            TypeKind::Struct(_) | TypeKind::Exception(_) | TypeKind::Union(_) => vec![Init::Call(format!("{}_init", self.types[id.0]))],
        }
    }

    fn literal(&self, literal: &Literal, ty: &Type) -> Vec<Init> {
        let is_float = matches!(ty, Type::Primitive(Primitive::Float));
        match literal {
            Literal::Boolean(value) => vec![Init::Assign(value.to_string())],
            Literal::Integer(value) => vec![Init::Assign(literals::integer(*value))],
            Literal::Char(unit) => vec![Init::Assign(unit.to_string())],
            Literal::Number(value) if is_float => vec![Init::Assign(literals::float(*value))],
            Literal::Number(value) => vec![Init::Assign(literals::double(*value))],
            Literal::String(text) | Literal::Decimal(text) => vec![Init::Text(text.clone())],
            Literal::DateTime(seconds, nanoseconds) => vec![Init::Instant(*seconds, *nanoseconds)],
            Literal::Constant(id, index) => vec![Init::Assign(self.constants[id.0][*index].clone())],
            Literal::Empty => Vec::new(),
        }
    }
}
