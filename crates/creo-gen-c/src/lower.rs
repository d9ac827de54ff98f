//! Decides everything about the C code for a model: names, types, orders, which value is held how. Rendering prints what stands here.

use crate::blocks;
use crate::composites::{Composite, Composites, Shape};
use crate::lang::{Definition, Docs, Enum, EnumConstant, EnumRef, Field, Init, Member, Record, Slot, Ty, Union, Unit, word};
use crate::literals;
use crate::names::{self, Globals, Members, TARGET, Wanted};
use crate::order;
use crate::text::lower_text;
use creo_codegen::Style;
use creo_model::{CheckedModel, Literal, Notes, PackageId, Primitive, TypeId, TypeKind};
use creo_plan::{Declared, FixedScalar, Kind, Node, Plan};
use std::collections::BTreeSet;

/// The endings of the functions of a struct or exception.
const RECORD_ENDINGS: &[&str] = &["_init", "_encode", "_decode", "_to_bytes", "_from_bytes"];
const UNION_ENDINGS: &[&str] = &["_init", "_encode", "_decode", "_to_bytes", "_from_bytes", "_kind"];
const ENUM_ENDINGS: &[&str] = &["_valid", "_name", "_encode", "_decode"];

/// What lowering knows while it works.
pub struct Lower<'m> {
    pub model: &'m CheckedModel,
    pub plan: &'m Plan,
    pub globals: Globals,
    pub prefixes: Vec<String>,
    /// C name of each type.
    pub types: Vec<String>,
    /// Names of each enum's constants, or of each union's kinds.
    constants: Vec<Vec<String>>,
    pub composites: Composites<'m>,
    /// Names of each struct's and exception's fields.
    pub members: Vec<Vec<String>>,
    /// For each type and composite, its component among those that hold one another by value.
    circles: Vec<usize>,
}

/// Lowers a model to the units of C.
pub fn lower(model: &CheckedModel) -> Vec<Unit> {
    let plan = creo_plan::plan(model);
    let mut lower = Lower::names(model, &plan);
    lower.find_composites();
    let edges = lower.containment();
    lower.circles = order::components(&edges);
    lower.members = model.type_ids().map(|id| lower.record_members(id)).collect();
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
    fn names(model: &'m CheckedModel, plan: &'m Plan) -> Lower<'m> {
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
        let (composites, members, circles) = (Composites::default(), Vec::new(), Vec::new());
        Lower { model, plan, globals, prefixes, types, constants, composites, members, circles }
    }

    /// Finds every array, map and optional that needs a struct of its own.
    fn find_composites(&mut self) {
        let (model, plan) = (self.model, self.plan);
        for (id, decl) in model.type_ids().zip(&model.types) {
            let in_union = matches!(plan.declared(id), Declared::Union(_));
            for field in plan.members(id) {
                self.ty(if in_union { &field.node } else { field.node.inner() }, decl.package);
            }
        }
        for (interface, text) in model.interfaces.iter().zip(plan.interfaces()) {
            for method in &text.methods {
                for parameter in &method.request.record.fields {
                    self.ty(parameter.node.inner(), interface.package);
                }
                if let Some(result) = method.result() {
                    self.ty(result, interface.package);
                }
            }
        }
    }

    /// The C type of a value that `package` uses. Makes the composite that it needs if there is none yet.
    pub fn ty(&mut self, node: &'m Node, package: PackageId) -> Ty {
        match &node.kind {
            Kind::Scalar(scalar) => Ty::Scalar(scalar.primitive()),
            Kind::String(_) => Ty::Text(Primitive::String),
            Kind::Decimal => Ty::Text(Primitive::Decimal),
            Kind::Bytes { .. } => Ty::Bytes,
            Kind::Enum(id) => Ty::Enum(EnumRef { name: self.types[id.0].clone(), extensible: self.model.ty(*id).extensible }),
            Kind::Record(id) | Kind::Union(id) => Ty::Record(self.types[id.0].clone()),
            Kind::Array { item, .. } => match &item.kind {
                Kind::Scalar(scalar) => Ty::Bulk(word(scalar.primitive())),
                Kind::String(_) => Ty::Bulk(word(Primitive::String)),
                Kind::Decimal => Ty::Bulk(word(Primitive::Decimal)),
                Kind::Bytes { .. } => Ty::Bulk("bytes"),
                Kind::Array { .. } | Kind::Map { .. } | Kind::Optional(_) | Kind::Record(_) | Kind::Union(_) | Kind::Enum(_) => {
                    self.composite(node, package, &["_encode", "_decode"], |lower, home| Shape::Array(lower.ty(item, home), item))
                }
            },
            Kind::Map { key, value, .. } => self.composite(node, package, &["_encode", "_decode", "_entry"], |lower, home| {
                let (key_type, value_type) = (lower.ty(key, home), lower.ty(value, home));
                Shape::Map(key_type, key, value_type, value)
            }),
            Kind::Optional(item) => self.composite(node, package, &["_encode", "_decode"], |lower, home| Shape::Optional(lower.ty(item, home), item)),
        }
    }

    /// The struct for an array, map or optional. It belongs to the package of the types that it holds if that is one, so that all packages share it.
    fn composite(&mut self, node: &'m Node, user: PackageId, endings: &[&str], shape: impl FnOnce(&mut Lower<'m>, PackageId) -> Shape<'m>) -> Ty {
        let home = self.home(node, user);
        if let Some(found) = self.composites.find(home, &node.ty) {
            return Ty::Record(found.to_owned());
        }
        let name = self.globals.claim(&format!("{}_{}", self.prefixes[home.0], self.describe(node, home)), endings);
        let shape = shape(self, home);
        // Only an optional has a charge of its own, and its item may be an array.
        let charge = if node.is_optional() { node.charges.own } else { node.charges.each };
        self.composites.add(&node.ty, Composite { name: name.clone(), home, shape, charge });
        Ty::Record(name)
    }

    fn packages_of(&self, node: &Node, found: &mut BTreeSet<PackageId>) {
        let mut named = Vec::new();
        node.add_named(&mut named);
        found.extend(named.into_iter().map(|id| self.model.ty(id).package));
    }

    /// What a composite is called after its package's prefix.
    fn describe(&self, node: &Node, home: PackageId) -> String {
        match &node.kind {
            Kind::Scalar(scalar) => word(scalar.primitive()).to_owned(),
            Kind::String(_) => word(Primitive::String).to_owned(),
            Kind::Decimal => word(Primitive::Decimal).to_owned(),
            Kind::Bytes { .. } => "bytes".to_owned(),
            Kind::Array { item, .. } => format!("{}_array", self.describe(item, home)),
            Kind::Optional(item) => format!("{}_optional", self.describe(item, home)),
            Kind::Map { key, value, .. } => format!("{}_{}_map", self.describe(key, home), self.describe(value, home)),
            Kind::Record(id) | Kind::Union(id) | Kind::Enum(id) => {
                let name = &self.types[id.0];
                let own = self.model.ty(*id).package == home;
                let prefix = format!("{}_", self.prefixes[home.0]);
                name.strip_prefix(&prefix).filter(|_| own).unwrap_or(name).to_owned()
            }
        }
    }

    /// What each type and composite holds by value; circles among them are broken by pointers later.
    fn containment(&self) -> Vec<Vec<usize>> {
        let held = |id| self.plan.members(id).iter().filter_map(move |field| self.held(id, &field.node)).collect();
        let mut edges: Vec<Vec<usize>> = self.model.type_ids().map(held).collect();
        edges.extend(self.composites.all().map(|composite| match &composite.shape {
            Shape::Array(..) => Vec::new(),
            Shape::Map(_, _, _, value) | Shape::Optional(_, value) => self.vertex(value, composite.home).into_iter().collect(),
        }));
        edges
    }

    /// The type or composite that a field or member of `id` holds by value.
    fn held(&self, id: TypeId, node: &Node) -> Option<usize> {
        let node = match self.plan.declared(id) {
            Declared::Record(_) => node.inner(),
            Declared::Union(_) | Declared::Enum(_) => node,
        };
        self.vertex(node, self.model.ty(id).package)
    }

    /// The type or composite of a value, as a number among all.
    fn vertex(&self, node: &Node, user: PackageId) -> Option<usize> {
        match &node.kind {
            Kind::Record(id) | Kind::Union(id) => Some(id.0),
            Kind::Optional(_) => self.composites.position(self.home(node, user), &node.ty).map(|at| self.model.types.len() + at),
            // The struct of a map or array holds a pointer; it is defined before all others.
            Kind::Scalar(_) | Kind::String(_) | Kind::Decimal | Kind::Bytes { .. } | Kind::Array { .. } | Kind::Map { .. } | Kind::Enum(_) => None,
        }
    }

    /// The package to which an array, map or optional belongs.
    pub fn home(&self, node: &Node, user: PackageId) -> PackageId {
        let mut packages = BTreeSet::new();
        self.packages_of(node, &mut packages);
        if packages.len() == 1 { packages.into_iter().next().unwrap_or(user) } else { user }
    }

    /// Whether a field or member of `id` must be held by pointer, since its value holds `id` again.
    fn by_pointer(&self, id: TypeId, node: &Node) -> bool {
        let breakable = match self.plan.declared(id) {
            Declared::Union(_) => true,
            Declared::Record(_) | Declared::Enum(_) => node.is_optional(),
        };
        breakable && self.held(id, node).is_some_and(|held| self.circles[held] == self.circles[id.0])
    }

    fn without_pointers(&self, mut edges: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
        for id in self.model.type_ids() {
            let kept = self.plan.members(id).iter().filter(|field| !self.by_pointer(id, &field.node));
            edges[id.0] = kept.filter_map(|field| self.held(id, &field.node)).collect();
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
        for (id, decl) in self.model.type_ids().zip(&self.model.types) {
            if let TypeKind::Enum(constants) = &decl.kind {
                units[component[decl.package.0]].enums.push(self.lower_enum(id, constants));
            }
        }
        for &node in order {
            let (package, definition) = match node.checked_sub(self.model.types.len()) {
                None => (self.model.types[node].package, self.lower_type(TypeId(node))),
                Some(at) => (self.composites.get(at).home, Some(self.lower_composite(at))),
            };
            units[component[package.0]].definitions.extend(definition);
        }
        for (index, interface) in self.model.interfaces.iter().enumerate() {
            let service = self.lower_service(index);
            units[component[interface.package.0]].services.push(service);
        }
        units
    }

    /// The packages that each package's types and methods mention.
    fn package_edges(&self) -> Vec<Vec<usize>> {
        let mut used: Vec<BTreeSet<PackageId>> = vec![BTreeSet::new(); self.model.packages.len()];
        for id in self.model.type_ids() {
            for field in self.plan.members(id) {
                self.packages_of(&field.node, &mut used[self.model.ty(id).package.0]);
            }
        }
        for (interface, plan) in self.model.interfaces.iter().zip(self.plan.interfaces()) {
            let of = &mut used[interface.package.0];
            for method in &plan.methods {
                method.request.record.fields.iter().for_each(|parameter| self.packages_of(&parameter.node, of));
                method.result().into_iter().for_each(|result| self.packages_of(result, of));
                of.extend(method.throws.iter().map(|id| self.model.ty(*id).package));
            }
        }
        used.into_iter().enumerate().map(|(own, set)| set.into_iter().map(|id| id.0).filter(|&id| id != own).collect()).collect()
    }

    fn lower_enum(&self, id: TypeId, constants: &[creo_model::Constant]) -> Enum {
        let decl = self.model.ty(id);
        let constants = constants.iter().zip(&self.constants[id.0]);
        Enum {
            id,
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
        match self.plan.declared(id) {
            Declared::Enum(_) => None,
            Declared::Record(record) => Some(Definition::Record(self.lower_record(id, record))),
            Declared::Union(union) => Some(Definition::Union(self.lower_union(id, union))),
        }
    }

    fn lower_record(&mut self, id: TypeId, record: &'m creo_plan::Record) -> Record {
        let decl = self.model.ty(id);
        let names = self.members[id.0].clone();
        let steps = blocks::steps(self, record, &names, blocks::Held::ByValue);
        let fields = record.fields.iter().zip(decl.fields()).zip(names).map(|((field, declared), name)| {
            let node = &field.node;
            let slot = match node.is_optional() {
                true if self.by_pointer(id, node) => Slot::Pointer,
                true => Slot::Flag,
                false => Slot::Value,
            };
            Field {
                name,
                declared: field.name.clone(),
                ty: self.ty(node.inner(), decl.package),
                slot,
                charge: node.charges.own,
                docs: docs(&declared.notes),
                init: self.init(node, field.default.as_ref()),
                may_be_missing: field.default.is_some() || node.is_optional(),
            }
        });
        let fields = fields.collect();
        Record {
            id,
            name: self.types[id.0].clone(),
            full_name: self.model.full_name(id),
            docs: docs(&decl.notes),
            extensible: record.extensible,
            recursive: record.recursive,
            fields,
            steps,
        }
    }

    /// The names of a record's fields in C.
    fn record_members(&self, id: TypeId) -> Vec<String> {
        let Declared::Record(record) = self.plan.declared(id) else { return Vec::new() };
        let wanted: Vec<Wanted> = record
            .fields
            .iter()
            .zip(self.model.ty(id).fields())
            .map(|(field, declared)| Wanted {
                declared: field.name.clone(),
                name: names::styled(&field.name, declared.notes.target_name(TARGET), Style::Snake),
                flag: field.node.is_optional() && !self.by_pointer(id, &field.node),
            })
            .collect();
        Members::new(&self.globals, &["creo_empty"]).give(&wanted)
    }

    fn lower_union(&mut self, id: TypeId, union: &'m creo_plan::Union) -> Union {
        let decl = self.model.ty(id);
        let wanted: Vec<Wanted> = decl
            .fields()
            .iter()
            .map(|m| Wanted { declared: m.name.clone(), name: names::styled(&m.name, m.notes.target_name(TARGET), Style::Snake), flag: false })
            .collect();
        let own: &[&str] = if decl.extensible { &["unknown"] } else { &[] };
        let names = Members::new(&self.globals, own).give(&wanted);
        let constants = self.constants[id.0].clone();
        let members = union.members.iter().zip(decl.fields()).zip(names).zip(constants).map(|(((member, declared), name), constant)| Member {
            name,
            declared: member.name.clone(),
            constant,
            ty: self.ty(&member.node, decl.package),
            pointer: self.by_pointer(id, &member.node),
            charge: member.node.weight,
            docs: docs(&declared.notes),
        });
        let members: Vec<Member> = members.collect();
        let first = union.members.first().filter(|_| members.first().is_some_and(|m| !m.pointer));
        let first_init = first.and_then(|member| self.init(&member.node, None).pop());
        Union {
            id,
            name: self.types[id.0].clone(),
            full_name: self.model.full_name(id),
            docs: docs(&decl.notes),
            extensible: union.extensible,
            recursive: union.recursive,
            members,
            first_init,
        }
    }

    /// What makes a field that is all zeros the field's default.
    fn init(&self, node: &Node, default: Option<&Literal>) -> Vec<Init> {
        match (default, &node.kind) {
            (Some(literal), kind) => self.literal(literal, *kind == Kind::Scalar(FixedScalar::Float)),
            (None, Kind::Enum(id)) => {
                let zero = self.plan.enumeration(*id).constants.iter().any(|constant| constant.number == 0);
                if zero { Vec::new() } else { vec![Init::Assign(self.constants[id.0][0].clone())] }
            }
            (None, Kind::Record(id) | Kind::Union(id)) => vec![Init::Call(format!("{}_init", self.types[id.0]))],
            (None, Kind::Decimal) => vec![Init::Text("0".to_owned())],
            (None, Kind::Scalar(_) | Kind::String(_) | Kind::Bytes { .. } | Kind::Array { .. } | Kind::Map { .. } | Kind::Optional(_)) => Vec::new(),
        }
    }

    fn literal(&self, literal: &Literal, is_float: bool) -> Vec<Init> {
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
