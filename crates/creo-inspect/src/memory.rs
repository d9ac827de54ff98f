//! The memory of values by the nominal sizes of LIM-18: the tables of `spec/limits.md`, row by row.

use crate::least::least_values;
use creo_model::{Field, Model, Primitive, Type, TypeDecl, TypeKind};

const MAX_WEIGHT: u64 = 0x7fff_ffff;

/// Adds up the memory of a message.
pub(crate) struct Meter {
    weights: Vec<u64>,
    used: u64,
    max: u64,
}

impl Meter {
    pub fn new(model: &Model, max: u64) -> Meter {
        Meter { weights: weights(model), used: 0, max }
    }

    /// Charges `count` values, and fails above the limit.
    pub fn charge(&mut self, count: u64, each: u64) -> Result<(), String> {
        self.used = self.used.saturating_add(count.saturating_mul(each));
        if self.used > self.max {
            return Err(format!("{} bytes of memory by LIM-18, and maxMemory is {}", self.used, self.max));
        }
        Ok(())
    }

    /// The charge of an item of an array on the binary wire.
    pub fn item(&self, ty: &Type) -> u64 {
        if is_bulk(ty) { 0 } else { (8 + weight(ty, &self.weights)).min(MAX_WEIGHT) }
    }

    /// The charge of an entry of a map.
    pub fn entry(&self, key: &Type, value: &Type) -> u64 {
        (64 + weight(key, &self.weights) + weight(value, &self.weights)).min(MAX_WEIGHT)
    }

    /// The charge of the value of an optional.
    pub fn optional(&self, ty: &Type) -> u64 {
        weight(ty, &self.weights).max(16)
    }

    /// The charge of a union's member, or of an unknown one kept as bytes.
    pub fn member(&self, ty: Option<&Type>) -> u64 {
        ty.map_or(32, |ty| weight(ty, &self.weights))
    }
}

/// The weight of each type of a model, by index.
fn weights(model: &Model) -> Vec<u64> {
    let sizes = least_values(model, fixed_size);
    least_values(model, |decl, weights| declared(decl, weights, &sizes))
}

/// The size of values if all have the same, else `u64::MAX`.
fn fixed_size(decl: &TypeDecl, sizes: &[u64]) -> u64 {
    match &decl.kind {
        _ if decl.extensible => u64::MAX,
        TypeKind::Struct(fields) | TypeKind::Exception(fields) => {
            fields.iter().map(|f| size(&f.ty, sizes)).fold(0, u64::saturating_add)
        }
        TypeKind::Enum(constants) if constants.iter().all(|c| c.number < 128) => 1,
        TypeKind::Enum(_) | TypeKind::Union(_) => u64::MAX,
    }
}

fn size(ty: &Type, sizes: &[u64]) -> u64 {
    match ty {
        Type::Primitive(Primitive::DateTime) => 12,
        Type::Primitive(primitive) => number_size(*primitive).unwrap_or(u64::MAX),
        Type::Named(id) => sizes[id.0],
        Type::Bytes | Type::Array(_) | Type::Optional(_) | Type::Map(..) => u64::MAX,
    }
}

/// The bytes of a number, a boolean or a char.
fn number_size(primitive: Primitive) -> Option<u64> {
    match primitive {
        Primitive::Boolean | Primitive::Byte => Some(1),
        Primitive::Short | Primitive::Char => Some(2),
        Primitive::Int | Primitive::Float => Some(4),
        Primitive::Long | Primitive::Double => Some(8),
        Primitive::String | Primitive::DateTime | Primitive::Decimal => None,
    }
}

fn declared(decl: &TypeDecl, weights: &[u64], sizes: &[u64]) -> u64 {
    let weight = match &decl.kind {
        TypeKind::Enum(_) if decl.extensible => 32,
        TypeKind::Enum(_) => 0,
        TypeKind::Union(_) => 32,
        TypeKind::Struct(fields) | TypeKind::Exception(fields) if fixed_size(decl, sizes) < u64::MAX => {
            let of = |field: &Field| match &field.ty {
                // An enum's byte; a struct's weight.
                Type::Named(id) if weights[id.0] == 0 => 1,
                Type::Primitive(primitive) => number_size(*primitive).unwrap_or(32),
                Type::Bytes | Type::Array(_) | Type::Optional(_) | Type::Map(..) | Type::Named(_) => {
                    weight(&field.ty, weights)
                }
            };
            fields.iter().map(of).fold(16, u64::saturating_add)
        }
        TypeKind::Struct(fields) | TypeKind::Exception(fields) => fields
            .iter()
            .map(|field| weight(&field.ty, weights).saturating_add(8))
            .fold(40, u64::saturating_add),
    };
    weight.min(MAX_WEIGHT)
}

/// The weight of a type, given those of the declared types.
fn weight(ty: &Type, weights: &[u64]) -> u64 {
    match ty {
        Type::Primitive(Primitive::Decimal) => 64,
        Type::Primitive(Primitive::String | Primitive::DateTime) | Type::Bytes => 32,
        Type::Primitive(_) | Type::Optional(_) => 0,
        Type::Array(item) if is_bulk(item) => 128,
        Type::Array(_) => 64,
        Type::Map(..) => 96,
        Type::Named(id) => weights[id.0],
    }
}

fn is_bulk(item: &Type) -> bool {
    matches!(item, Type::Primitive(primitive) if number_size(*primitive).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use creo_check::compile;
    use creo_plan::{Kind, Node};

    const TEXT: &str = "struct Point { double x; short y; } struct Note { String text; Point? at; } struct Empty {} struct Far { Point p; DateTime t; E e; boolean b; }
        enum E { A } enum Wide { A = 200 } extensible enum X { A } union U { Sum sum; double n; Point p; } struct Sum { U left; U right; }
        struct All { byte a; char b; String c; DateTime d; Decimal e; byte[] f; int[] g; Point[] h; int? i; Map<int, U> j; E k; X l; U m; Far n; Wide o; }
        extensible struct Growing { int a; Growing? next; }
        struct D0 { String s; } struct D1 { D0 a; D0 b; D0 c; D0 d; D0 e; D0 f; D0 g; D0 h; D0 i; D0 j; } struct D2 { D1 a; D1 b; D1 c; D1 d; D1 e; D1 f; D1 g; D1 h; D1 i; D1 j; }";

    fn by_hand() -> Vec<(&'static str, u64)> {
        let all = 40 + 15 * 8 + 32 + 32 + 64 + 32 + 128 + 64 + 96 + 32 + 32 + 76;
        vec![
            ("Point", 26),
            ("Note", 40 + 8 + 32 + 8),
            ("Empty", 16),
            ("Far", 16 + 26 + 32 + 1 + 1),
            ("E", 0),
            ("Wide", 0),
            ("X", 32),
            ("U", 32),
            ("Sum", 40 + 2 * (8 + 32)),
            ("All", all),
            ("Growing", 40 + 16),
            ("D0", 80),
            ("D1", 40 + 10 * 88),
            ("D2", 40 + 10 * (8 + 920)),
        ]
    }

    #[test]
    fn weights_are_those_of_the_table() {
        let model = compile(&[("a.creo", TEXT)]).unwrap_or_else(|report| panic!("{report}"));
        let weights = weights(&model);
        for (name, expected) in by_hand() {
            let id = model.find(&format!("service.{name}")).expect(name);
            assert_eq!(weights[id.0], expected, "{name}");
        }
    }

    #[test]
    fn the_plan_knows_the_same_weights() {
        let values = include_str!("../../../conformance/schemas/values.creo");
        for text in [TEXT, values] {
            let model = compile(&[("a.creo", text)]).unwrap_or_else(|report| panic!("{report}"));
            let (plan, meter) = (model.plan(), Meter::new(&model, 0));
            for id in model.type_ids() {
                assert_eq!(plan.value(id).weight, meter.weights[id.0], "{}", model.full_name(id));
                for member in plan.members(id) {
                    agrees(&member.node, &meter, &member.name);
                }
            }
        }
    }

    /// Checks that weights and charges equal the plan's, for a value and everything in it.
    fn agrees(node: &Node, meter: &Meter, name: &str) {
        assert_eq!(node.weight, meter.member(Some(&node.ty)), "{name}");
        match &node.kind {
            Kind::Optional(inner) => assert_eq!(node.charges.own, meter.optional(&inner.ty), "{name}"),
            // Items that are moved in bulk are charged by their bytes.
            Kind::Array { bulk: Some(_), item, .. } => assert_eq!(0, meter.item(&item.ty), "{name}"),
            Kind::Array { bulk: None, item, .. } => {
                assert_eq!(node.charges.each, meter.item(&item.ty), "{name}")
            }
            Kind::Map { key, value, .. } => {
                assert_eq!(node.charges.each, meter.entry(&key.ty, &value.ty), "{name}")
            }
            Kind::Scalar(_)
            | Kind::String(_)
            | Kind::Decimal
            | Kind::Bytes { .. }
            | Kind::Record(_)
            | Kind::Union(_)
            | Kind::Enum(_) => {}
        }
        node.children().for_each(|child| agrees(child, meter, name));
    }

    #[test]
    fn weights_do_not_overflow() {
        let many: String = (1..=12)
            .map(|i| {
                format!(
                    "struct S{i} {{ {} }}\n",
                    (0..10).map(|f| format!("S{} f{f};", i - 1)).collect::<String>()
                )
            })
            .collect();
        let model =
            compile(&[("a.creo", &format!("struct S0 {{ String s; }}\n{many}struct All {{ S12[] all; }}"))])
                .unwrap_or_else(|report| panic!("{report}"));
        let (plan, meter) = (model.plan(), Meter::new(&model, 0));
        let found = |name: &str| model.find(&format!("service.{name}")).expect("a type");
        let (last, all) = (plan.value(found("S12")), &plan.members(found("All"))[0].node);
        assert_eq!((meter.member(Some(&last.ty)), last.weight), (MAX_WEIGHT, MAX_WEIGHT));
        assert_eq!((meter.item(&last.ty), all.charges.each), (MAX_WEIGHT, MAX_WEIGHT));
    }

    #[test]
    fn a_long_chain_of_types_has_weights() {
        let chain: String = (0..20_000).map(|i| format!("struct S{i} {{ S{} s; }}\n", i + 1)).collect();
        let model = compile(&[("a.creo", &format!("{chain}struct S20000 {{ int i; }}"))])
            .unwrap_or_else(|report| panic!("{report}"));
        let (plan, weights) = (model.plan(), weights(&model));
        let first = plan.value(model.find("service.S0").expect("S0"));
        assert_eq!((weight(&first.ty, &weights), first.weight), (20_001 * 16 + 4, 20_001 * 16 + 4));
    }
}
