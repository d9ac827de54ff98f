//! The base of lowering: the names of types, constants and fields, the C type of each value, and containment by value.

use crate::lang::{EnumRef, Ty};
use crate::lower_composites::{Composite, Composites, Shape};
use crate::names::{self, Endings, Globals, Members, TARGET, Wanted};
use crate::scalars::scalar;
use creo_check::CheckedModel;
use creo_codegen::Style;
use creo_model::{Notes, PackageId, Primitive, Type, TypeId, TypeKind};
use creo_plan::{Declared, Kind, Method, Node, Plan, Position};
use std::collections::BTreeSet;

/// The suffixes of a struct's or exception's functions.
const RECORD_ENDINGS: Endings = &["_init", "_encode", "_decode", "_to_bytes", "_from_bytes"];
const UNION_ENDINGS: Endings = &["_init", "_encode", "_decode", "_to_bytes", "_from_bytes", "_kind"];
const ENUM_ENDINGS: Endings = &["_valid", "_name", "_encode", "_decode"];

/// The items of a method's streams, which are no arrays in C. None for bytes.
pub fn items(method: &Method) -> impl Iterator<Item = &Node> {
    method.streams().flat_map(|stream| stream.node.children())
}

/// The state of lowering.
pub struct Lower<'m> {
    pub model: &'m CheckedModel,
    pub plan: &'m Plan,
    pub globals: Globals,
    pub prefixes: Vec<String>,
    /// The C name of each type.
    pub types: Vec<String>,
    /// The names of each enum's constants, or of each union's kinds.
    pub constants: Vec<Vec<String>>,
    pub composites: Composites<'m>,
    /// The names of each struct's and exception's fields.
    pub members: Vec<Vec<String>>,
    /// For each type and composite, its component among those that contain one another by value.
    pub circles: Vec<usize>,
}

impl<'m> Lower<'m> {
    /// Names all types and constants: types first, in order, then constants.
    pub fn names(model: &'m CheckedModel, plan: &'m Plan) -> Lower<'m> {
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

    /// Finds all arrays, maps and optionals that need their own struct.
    pub fn find_composites(&mut self) {
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
                for value in method.result().into_iter().chain(items(method)) {
                    self.ty(value, interface.package);
                }
            }
        }
    }

    /// The C type of a value in `package`. Makes its composite if there is none yet.
    pub fn ty(&mut self, node: &'m Node, package: PackageId) -> Ty {
        match &node.kind {
            Kind::Scalar(fixed) => Ty::Scalar(fixed.primitive()),
            Kind::String(_) => Ty::Text(Primitive::String),
            Kind::Decimal => Ty::Text(Primitive::Decimal),
            Kind::Bytes { .. } => Ty::Bytes,
            Kind::Enum(id) => Ty::Enum(EnumRef {
                name: self.types[id.0].clone(),
                extensible: self.model.ty(*id).extensible,
            }),
            Kind::Record(id) | Kind::Union(id) => Ty::Record(self.types[id.0].clone()),
            Kind::Array { item, .. } => match &item.ty {
                Type::Primitive(primitive) => Ty::Bulk(scalar(*primitive).word),
                Type::Bytes => Ty::Bulk("bytes"),
                Type::Array(_) | Type::Map(..) | Type::Optional(_) | Type::Named(_) => {
                    self.composite(node, package, &["_encode", "_decode"], |lower, home| {
                        Shape::Array(lower.ty(item, home), item)
                    })
                }
            },
            Kind::Map { key, value, .. } => {
                self.composite(node, package, &["_encode", "_decode", "_entry"], |lower, home| {
                    let (key_type, value_type) = (lower.ty(key, home), lower.ty(value, home));
                    Shape::Map(key_type, key, value_type, value)
                })
            }
            Kind::Optional(item) => self.composite(node, package, &["_encode", "_decode"], |lower, home| {
                Shape::Optional(lower.ty(item, home), item)
            }),
        }
    }

    /// The struct for an array, map or optional. It belongs to the package of its types if there is only one, so all packages share it.
    fn composite(
        &mut self,
        node: &'m Node,
        user: PackageId,
        endings: Endings,
        shape: impl FnOnce(&mut Lower<'m>, PackageId) -> Shape<'m>,
    ) -> Ty {
        let home = self.home(node, user);
        if let Some(found) = self.composites.find(home, &node.ty) {
            return Ty::Record(found.to_owned());
        }
        let name = self
            .globals
            .claim(&format!("{}_{}", self.prefixes[home.0], self.describe(&node.ty, home)), endings);
        let shape = shape(self, home);
        // Only an optional has its own charge, and its item may be an array.
        let charge = if node.is_optional() { node.charges.own } else { node.charges.each };
        self.composites.add(&node.ty, Composite { name: name.clone(), home, shape, charge });
        Ty::Record(name)
    }

    pub fn packages_of(&self, node: &Node, found: &mut BTreeSet<PackageId>) {
        found.extend(node.ty.names().map(|id| self.model.ty(id).package));
    }

    /// The name of a composite after its package's prefix.
    fn describe(&self, ty: &Type, home: PackageId) -> String {
        match ty {
            Type::Primitive(primitive) => scalar(*primitive).word.to_owned(),
            Type::Bytes => "bytes".to_owned(),
            Type::Array(item) => format!("{}_array", self.describe(item, home)),
            Type::Optional(item) => format!("{}_optional", self.describe(item, home)),
            Type::Map(key, value) => {
                format!("{}_{}_map", self.describe(key, home), self.describe(value, home))
            }
            Type::Named(id) => {
                let name = &self.types[id.0];
                let own = self.model.ty(*id).package == home;
                let prefix = format!("{}_", self.prefixes[home.0]);
                name.strip_prefix(&prefix).filter(|_| own).unwrap_or(name).to_owned()
            }
        }
    }

    /// The types and composites that each contains by value; pointers will break cycles.
    pub fn containment(&self) -> Vec<Vec<usize>> {
        let held =
            |id| self.plan.members(id).iter().filter_map(move |field| self.held(id, &field.node)).collect();
        let mut edges: Vec<Vec<usize>> = self.model.type_ids().map(held).collect();
        edges.extend(self.composites.all().map(|composite| match &composite.shape {
            Shape::Array(..) => Vec::new(),
            Shape::Map(_, _, _, value) | Shape::Optional(_, value) => {
                self.vertex(value, composite.home).into_iter().collect()
            }
        }));
        edges
    }

    /// The type or composite that a field or member of `id` contains by value.
    fn held(&self, id: TypeId, node: &Node) -> Option<usize> {
        let node = match self.plan.declared(id) {
            Declared::Record(_) => node.inner(),
            Declared::Union(_) | Declared::Enum(_) => node,
        };
        self.vertex(node, self.model.ty(id).package)
    }

    /// The type or composite of a value, as a vertex number.
    fn vertex(&self, node: &Node, user: PackageId) -> Option<usize> {
        match &node.kind {
            Kind::Record(id) | Kind::Union(id) => Some(id.0),
            Kind::Optional(_) => self
                .composites
                .position(self.home(node, user), &node.ty)
                .map(|at| self.model.types.len() + at),
            // The struct of a map or array contains a pointer; it is defined before all others.
            Kind::Scalar(_)
            | Kind::String(_)
            | Kind::Decimal
            | Kind::Bytes { .. }
            | Kind::Array { .. }
            | Kind::Map { .. }
            | Kind::Enum(_) => None,
        }
    }

    /// The package to which an array, map or optional belongs.
    pub fn home(&self, node: &Node, user: PackageId) -> PackageId {
        let mut packages = BTreeSet::new();
        self.packages_of(node, &mut packages);
        if packages.len() == 1 { packages.into_iter().next().unwrap_or(user) } else { user }
    }

    /// Whether a field or member of `id` must be a pointer, since its value contains `id` again.
    pub fn by_pointer(&self, id: TypeId, node: &Node) -> bool {
        let breakable = match self.plan.declared(id) {
            Declared::Union(_) => true,
            Declared::Record(_) | Declared::Enum(_) => node.is_optional(),
        };
        breakable && self.held(id, node).is_some_and(|held| self.circles[held] == self.circles[id.0])
    }

    pub fn without_pointers(&self, mut edges: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
        for id in self.model.type_ids() {
            let kept = self.plan.members(id).iter().filter(|field| !self.by_pointer(id, &field.node));
            edges[id.0] = kept.filter_map(|field| self.held(id, &field.node)).collect();
        }
        edges
    }

    /// The names of a record's fields in C.
    pub fn record_members(&self, id: TypeId) -> Vec<String> {
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
}

/// The constant for a position in XML.
pub fn place(position: Position) -> &'static str {
    match position {
        Position::Element => "CREO_PLACE_ELEMENT",
        Position::Attribute | Position::AnyAttribute => "CREO_PLACE_ATTRIBUTE",
        Position::Text => "CREO_PLACE_TEXT",
        Position::Inline => "CREO_PLACE_INLINE",
        Position::Any => "CREO_PLACE_ANY",
        Position::Header => "CREO_PLACE_HEADER",
    }
}
