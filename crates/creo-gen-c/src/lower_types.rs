//! Lowers types: enums, structs, unions, and the structs of arrays, maps and optionals.

use crate::lang::{
    Array, Definition, Enum, EnumConstant, Field, Init, Map, Member, Optional, Record, Slot, Union,
};
use crate::literals;
use crate::lower_base::Lower;
use crate::lower_blocks::{self, Held};
use crate::lower_composites::Shape;
use crate::names::{self, Members, TARGET, Wanted};
use creo_codegen::{About, Style};
use creo_model::{Literal, TypeId};
use creo_plan::{Declared, FixedScalar, Kind, Node};

impl<'m> Lower<'m> {
    pub fn lower_enum(&self, id: TypeId, constants: &[creo_model::Constant]) -> Enum {
        let decl = self.model.ty(id);
        let constants = constants.iter().zip(&self.constants[id.0]);
        Enum {
            id,
            name: self.types[id.0].clone(),
            full_name: self.model.full_name(id),
            about: About::of(&decl.notes),
            extensible: decl.extensible,
            constants: constants
                .map(|(c, name)| EnumConstant {
                    name: name.clone(),
                    declared: c.name.clone(),
                    number: c.number,
                    about: About::of(&c.notes),
                })
                .collect(),
        }
    }

    pub fn lower_type(&mut self, id: TypeId) -> Option<Definition> {
        match self.plan.declared(id) {
            Declared::Enum(_) => None,
            Declared::Record(record) => Some(Definition::Record(self.lower_record(id, record))),
            Declared::Union(union) => Some(Definition::Union(self.lower_union(id, union))),
        }
    }

    fn lower_record(&mut self, id: TypeId, record: &'m creo_plan::Record) -> Record {
        let decl = self.model.ty(id);
        let names = self.members[id.0].clone();
        let steps = lower_blocks::steps(self, record, &names, Held::ByValue);
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
                about: About::of(&declared.notes),
                init: self.init(node, field.default.as_ref()),
                may_be_missing: field.default.is_some() || node.is_optional(),
            }
        });
        let fields = fields.collect();
        Record {
            id,
            name: self.types[id.0].clone(),
            full_name: self.model.full_name(id),
            about: About::of(&decl.notes),
            extensible: record.extensible,
            recursive: record.recursive,
            fields,
            steps,
        }
    }

    pub fn lower_composite(&self, at: usize) -> Definition {
        let composite = self.composites.get(at);
        let (name, charge) = (composite.name.clone(), composite.charge);
        match &composite.shape {
            Shape::Array(item, node) => Definition::Array(Array {
                name,
                item: item.clone(),
                least: node.shape.min_size,
                charge,
                block: lower_blocks::whole(self, node),
            }),
            Shape::Map(key, key_node, value, value_node) => Definition::Map(Map {
                entry: format!("{name}_entry"),
                name,
                key: key.clone(),
                value: value.clone(),
                least: key_node.shape.min_size.saturating_add(value_node.shape.min_size),
                charge,
            }),
            Shape::Optional(item, _) => Definition::Optional(Optional { name, item: item.clone(), charge }),
        }
    }

    fn lower_union(&mut self, id: TypeId, union: &'m creo_plan::Union) -> Union {
        let decl = self.model.ty(id);
        let wanted: Vec<Wanted> = decl
            .fields()
            .iter()
            .map(|m| Wanted {
                declared: m.name.clone(),
                name: names::styled(&m.name, m.notes.target_name(TARGET), Style::Snake),
                flag: false,
            })
            .collect();
        let own: &[&str] = if decl.extensible { &["unknown"] } else { &[] };
        let names = Members::new(&self.globals, own).give(&wanted);
        let constants = self.constants[id.0].clone();
        let members = union.members.iter().zip(decl.fields()).zip(names).zip(constants).map(
            |(((member, declared), name), constant)| Member {
                name,
                declared: member.name.clone(),
                constant,
                ty: self.ty(&member.node, decl.package),
                pointer: self.by_pointer(id, &member.node),
                charge: member.node.weight,
                about: About::of(&declared.notes),
            },
        );
        let members: Vec<Member> = members.collect();
        let first = union.members.first().filter(|_| members.first().is_some_and(|m| !m.pointer));
        let first_init = first.and_then(|member| self.init(&member.node, None).pop());
        Union {
            id,
            name: self.types[id.0].clone(),
            full_name: self.model.full_name(id),
            about: About::of(&decl.notes),
            extensible: union.extensible,
            recursive: union.recursive,
            members,
            first_init,
        }
    }

    /// The steps that set a cleared field to its default.
    fn init(&self, node: &Node, default: Option<&Literal>) -> Vec<Init> {
        match (default, &node.kind) {
            (Some(literal), kind) => self.literal(literal, *kind == Kind::Scalar(FixedScalar::Float)),
            (None, Kind::Enum(id)) => {
                let zero = self.plan.enumeration(*id).constants.iter().any(|constant| constant.number == 0);
                if zero { Vec::new() } else { vec![Init::Assign(self.constants[id.0][0].clone())] }
            }
            (None, Kind::Record(id) | Kind::Union(id)) => {
                vec![Init::Call(format!("{}_init", self.types[id.0]))]
            }
            (None, Kind::Decimal) => vec![Init::Text("0".to_owned())],
            (
                None,
                Kind::Scalar(_)
                | Kind::String(_)
                | Kind::Bytes { .. }
                | Kind::Array { .. }
                | Kind::Map { .. }
                | Kind::Optional(_),
            ) => Vec::new(),
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
