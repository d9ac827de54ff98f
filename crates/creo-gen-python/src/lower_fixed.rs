//! Fixed-size values as sequences of numbers.

use creo_model::{TypeId, TypeKind};
use creo_plan::{FixedScalar, Kind, Node};

use crate::lang::{Block, Column, FixedRead, FixedWrite, Packed, Unpack, Value};
use crate::lower_layouts::Layouts;
use crate::lower_scope::{Lower, Scope};
use crate::scalars::{self, ENUM, Made, Number, Scalar};

/// A value as a sequence of numbers, in wire order.
#[derive(Debug)]
pub struct Flat {
    numbers: Vec<FlatNumber>,
    value: Value,
    /// In bytes.
    size: u64,
}

#[derive(Debug)]
struct FlatNumber {
    number: Number,
    /// The attributes of the path to the scalar or enum, each with its dot.
    path: String,
    /// For an enum.
    table: Option<TypeId>,
}

impl Flat {
    pub fn scalar(scalar: FixedScalar) -> Flat {
        let row = scalars::fixed(scalar);
        Flat {
            numbers: numbers_of(&row, "").collect(),
            value: Value::Made(row.unpacked, row.numbers.iter().map(|_| Value::Number).collect()),
            size: scalar.size(),
        }
    }
}

fn numbers_of(row: &Scalar, path: &str) -> impl Iterator<Item = FlatNumber> {
    row.numbers.iter().map(move |number| FlatNumber { number: *number, path: path.to_owned(), table: None })
}

/// The source of the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Bytes,
    Columns,
}

impl Lower<'_> {
    /// The struct, if an array of `item` is a view: its items are structs with a fixed size above 0.
    pub fn block_item(&self, item: &Node) -> Option<TypeId> {
        let Kind::Record(id) = item.kind else { return None };
        let is_struct = matches!(self.model.ty(id).kind, TypeKind::Struct(_));
        (is_struct && self.flat.has(id) && item.shape.fixed_size != Some(0)).then_some(id)
    }
}

impl Scope<'_> {
    /// The numbers of a value; `None` if its size is not fixed or it exceeds the limits.
    pub fn flat(&mut self, node: &Node) -> Option<Flat> {
        let size = node.shape.fixed_size?;
        if let Kind::Record(id) = node.kind
            && !self.lower.flat.has(id)
        {
            return None;
        }
        let mut numbers = Vec::new();
        let value = self.flatten(node, Source::Bytes, "", &mut numbers)?;
        Some(Flat { numbers, value, size })
    }

    /// Adds the numbers of a value that is within the limits.
    fn flatten(
        &mut self,
        node: &Node,
        source: Source,
        path: &str,
        numbers: &mut Vec<FlatNumber>,
    ) -> Option<Value> {
        match node.kind {
            Kind::Scalar(scalar) => {
                let row = scalars::fixed(scalar);
                let made = match source {
                    Source::Bytes => row.unpacked,
                    Source::Columns => row.of_columns,
                };
                numbers.extend(numbers_of(&row, path));
                Some(Value::Made(made, row.numbers.iter().map(|_| Value::Number).collect()))
            }
            Kind::Enum(id) => {
                numbers.push(FlatNumber { number: ENUM, path: path.to_owned(), table: Some(id) });
                Some(Value::Constant(self.table(id)))
            }
            Kind::Record(id) => {
                let lower = self.lower;
                let class = self.class(id);
                let fields = lower.plan.record(id).fields.iter().zip(&lower.ty(id).members);
                let arguments = fields.zip(lower.keywords(id)).map(|((field, name), keyword)| {
                    let path = format!("{path}.{name}");
                    Some((keyword, self.flatten(&field.node, source, &path, numbers)?))
                });
                let arguments = arguments.collect::<Option<Vec<_>>>()?;
                Some(Value::Struct(class, arguments))
            }
            Kind::String(_)
            | Kind::Decimal
            | Kind::Bytes { .. }
            | Kind::Array { .. }
            | Kind::Map { .. }
            | Kind::Optional(_)
            | Kind::Union(_) => None,
        }
    }

    /// The layout of arrays of a struct; `None` if they are not views.
    pub fn block_of(&mut self, id: TypeId) -> Option<Block> {
        let lower = self.lower;
        let node = lower.plan.value(id);
        lower.block_item(node)?;
        let mut numbers = Vec::new();
        let fields = lower.plan.record(id).fields.iter().zip(&lower.ty(id).members);
        let fields = fields.map(|(field, name)| {
            let path = format!(".{name}");
            Some((name.clone(), self.flatten(&field.node, Source::Columns, &path, &mut numbers)?))
        });
        let fields = fields.collect::<Option<Vec<_>>>()?;
        let columns = numbers.into_iter().map(|flat| Column {
            name: format!("{}{}", flat.path.trim_start_matches('.'), flat.number.column_attribute),
            code: flat.number.column,
            table: flat.table.map(|id| self.table(id)),
            number: flat.packed(0),
        });
        let columns = columns.collect();
        self.standard("Any");
        self.columns = true;
        Some(Block { constant: self.block(id), fields, columns })
    }
}

impl FlatNumber {
    /// The number in the value at this index.
    fn packed(&self, value: usize) -> Packed {
        Packed { value, path: format!("{}{}", self.path, self.number.attribute), made: self.number.packed }
    }
}

/// Reads consecutive values together.
pub fn read(values: Vec<Flat>, layouts: &mut Layouts) -> FixedRead {
    let numbers = values.iter().flat_map(|flat| &flat.numbers);
    let codes: String = numbers.map(|flat| flat.number.code).collect();
    let unpack = match codes.as_str() {
        "" => Unpack::Nothing,
        "B" => Unpack::Byte,
        codes => Unpack::By(layouts.constant(codes)),
    };
    FixedRead {
        unpack,
        size: values.iter().map(|flat| flat.size).sum(),
        values: values.into_iter().map(|flat| flat.value).collect(),
    }
}

/// Writes consecutive values together; the first has this index.
pub fn write(first: usize, values: &[Flat], layouts: &mut Layouts) -> FixedWrite {
    let numbers: Vec<(usize, &FlatNumber)> = values
        .iter()
        .zip(first..)
        .flat_map(|(flat, index)| flat.numbers.iter().map(move |number| (index, number)))
        .collect();
    if numbers.is_empty() {
        return FixedWrite::Nothing;
    }
    if let [(index, only)] = numbers.as_slice()
        && let Some(table) = only.number.bytes
    {
        return FixedWrite::Bytes(table, Packed { made: Made::Same, ..only.packed(*index) });
    }
    let codes: String = numbers.iter().map(|(_, flat)| flat.number.code).collect();
    let packed = numbers.iter().map(|(index, flat)| flat.packed(*index)).collect();
    FixedWrite::Pack(layouts.constant(&codes), packed)
}
