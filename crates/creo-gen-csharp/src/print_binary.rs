//! Prints codecs of the binary wire: straight-line code with one bounds check for a block of fixed-size fields.

use crate::lang::{Enum, Field, Kind, Layout, Output, Record, Type, Union};
use crate::names_scope::Scope;
use crate::print_binary_values::{Values, at, get, put};
use crate::print_shared::class_file;
use creo_codegen::Writer;

/// The parameters of the codec's methods.
const PARAMETERS: [&str; 3] = ["reader", "writer", "value"];

/// These, and the local variables for reading a union.
const UNION_LOCALS: [&str; 6] = ["reader", "writer", "value", "index", "outer", "result"];

pub fn print(output: &Output, ty: &Type) -> String {
    class_file(output, &ty.classes.codec, ty.touches_deprecated, |w, scope| {
        let described = ty.classes.class.in_full();
        w.line(format!("/// <summary><see cref=\"{described}\"/> on the binary wire.</summary>"));
        w.line(format!("public static class {}", ty.classes.codec.name));
        w.block("{", "}", |w| {
            w.line(
                "// Does not compile with a runtime that is older than the generator: then generate the runtime again, or update its package.",
            );
            let version = scope.runtime("RuntimeVersion");
            w.line(format!("private const bool RuntimeIsNewEnough = {version}.IsAtLeast0_1;"));
            w.blank();
            let codec = Codec { scope, ty, class: scope.class(&ty.classes.class) };
            codec.layout(w);
            w.blank();
            codec.whole(w);
            w.blank();
            match &ty.kind {
                Kind::Struct(record) | Kind::Exception(record) => match &record.layout {
                    Some(layout) => codec.value_record(w, record, layout),
                    None => codec.record(w, record),
                },
                Kind::Enum(enumeration) => codec.enumeration(w, enumeration),
                Kind::Union(union) => codec.union(w, union),
            }
            w.blank();
            codec.members(w);
        });
    })
}

/// Fields, members or parameters of a layout, an expression each.
pub fn member_layouts(scope: &Scope, fields: &[Field]) -> Vec<String> {
    let one = |(index, field): (usize, &Field)| {
        let layout = field.value.ty.layout(scope);
        format!("new(\"{}\", {layout}, {index}, {}),", field.wire_name, field.absent.is_none())
    };
    fields.iter().enumerate().map(one).collect()
}

/// The charge for a member that is kept as its bytes (LIM-18).
const UNKNOWN_MEMBER: u64 = 32;

/// The codec of a type.
struct Codec<'a> {
    scope: &'a Scope<'a>,
    ty: &'a Type,
    /// As the file writes it.
    class: String,
}

impl Codec<'_> {
    /// The type's layout, for messages and tools.
    fn layout(&self, w: &mut Writer) {
        let kind = match &self.ty.kind {
            Kind::Struct(_) | Kind::Exception(_) => "Struct",
            Kind::Enum(_) => "Enum",
            Kind::Union(_) => "Union",
        };
        let extensible = if self.ty.is_extensible { ", extensible: true" } else { "" };
        let recursive = if self.ty.is_recursive { ", recursive: true" } else { "" };
        w.line("/// <summary>The type in the words of the description.</summary>");
        w.line(format!(
            "public static {} Layout {{ get; }} = {}.{kind}(\"{}\", Members{extensible}{recursive});",
            self.scope.runtime("Layout"),
            self.scope.runtime_in_full("Layout"),
            self.ty.full_name
        ));
    }

    /// The members of the type's layout.
    fn members(&self, w: &mut Writer) {
        let lines = match &self.ty.kind {
            Kind::Enum(enumeration) => {
                let line = |c: &crate::lang::Constant| {
                    format!("new(\"{}\", null, {}, false),", c.wire_name, c.number)
                };
                enumeration.constants.iter().map(line).collect()
            }
            Kind::Struct(record) | Kind::Exception(record) => member_layouts(self.scope, &record.fields),
            Kind::Union(union) => member_layouts(self.scope, &union.members),
        };
        w.line(format!("private static {}[] Members() =>", self.scope.runtime("LayoutMember")));
        w.block("[", "];", |w| w.lines(lines));
    }

    /// Whole values as bytes.
    fn whole(&self, w: &mut Writer) {
        let (name, binary) = (&self.class, self.scope.runtime("Binary"));
        w.line("/// <summary>The bytes of a value.</summary>");
        w.line(format!(
            "public static byte[] ToBytes({name} value) => {binary}.ToBytes(value, Encode, Layout);"
        ));
        w.blank();
        w.line(
            "/// <summary>The value of some bytes, which must be there to the last and no further.</summary>",
        );
        w.line(format!(
            "public static {name} FromBytes({}<byte> bytes) => {binary}.FromBytes(bytes, Decode, Layout);",
            self.scope.platform("ReadOnlySpan")
        ));
    }

    fn record(&self, w: &mut Writer, record: &Record) {
        let fields = record.fields.as_slice();
        self.encode(w, |w| {
            let mut values = Values::new(self.scope, PARAMETERS);
            w.line("if (value is null)");
            w.block("{", "}", |w| w.line(self.throw_null()));
            self.descend(w, "writer");
            let region = record.is_extensible.then(|| values.locals.fresh("region"));
            w.lines(region.iter().map(|region| format!("int {region} = writer.OpenRegion();")));
            values.write_fields(w, fields, &record.writes, &accessors(fields));
            w.lines(region.iter().map(|region| format!("writer.CloseRegion({region});")));
            self.ascend(w, "writer");
        });
        w.blank();
        self.decode(w, |w| {
            let taken = PARAMETERS.into_iter().chain(fields.iter().map(|field| field.local.as_str()));
            let mut values = Values::new(self.scope, taken);
            self.descend(w, "reader");
            if record.is_extensible {
                read_region(w, fields, &mut values);
            } else {
                values.read_fields(w, fields, &record.reads);
            }
            self.ascend(w, "reader");
            self.return_new(w, fields.iter().map(|field| field.local.clone()), fields);
        });
    }

    /// A value type, with fields at fixed offsets.
    fn value_record(&self, w: &mut Writer, record: &Record, layout: &Layout) {
        let (scope, name, size, fields) = (self.scope, &self.class, layout.size, record.fields.as_slice());
        let inline = format!(
            "[{}({}.AggressiveInlining)]",
            scope.platform("MethodImpl"),
            scope.platform("MethodImplOptions")
        );
        if layout.is_put {
            self.encode(w, |w| w.line(format!("Put(writer.Block({size}), value);")));
            w.blank();
            w.line(&inline);
            w.line(format!("internal static void Put({}<byte> block, {name} value)", scope.platform("Span")));
            w.block("{", "}", |w| {
                for placed in &layout.fields {
                    let v = format!("value.{}", fields[placed.index].name);
                    w.line(put(scope, &placed.slot, &at("block", placed.offset), &v));
                }
            });
        } else {
            self.encode(w, |w| {
                Values::new(scope, PARAMETERS).write_fields(w, fields, &record.writes, &accessors(fields));
            });
        }
        w.blank();
        self.decode(w, |w| w.line(format!("return Get(reader.Block({size}));")));
        w.blank();
        w.line(&inline);
        w.line(format!("internal static {name} Get({}<byte> block)", scope.platform("ReadOnlySpan")));
        w.block("{", "}", |w| {
            if fields.is_empty() {
                w.line("return default;");
                return;
            }
            let placed = layout.fields.iter();
            let values = placed.map(|placed| get(scope, &placed.slot, &at("block", placed.offset)));
            self.return_new(w, values, fields);
        });
    }

    fn return_new(&self, w: &mut Writer, values: impl Iterator<Item = String>, fields: &[Field]) {
        w.line(format!("return new {}", self.class));
        w.block("{", "};", |w| {
            w.lines(fields.iter().zip(values).map(|(field, value)| format!("{} = {value},", field.name)));
        });
    }

    fn union(&self, w: &mut Writer, union: &Union) {
        self.encode(w, |w| {
            self.descend(w, "writer");
            self.write_member(w, union);
            self.ascend(w, "writer");
        });
        w.blank();
        self.decode(w, |w| {
            self.descend(w, "reader");
            self.read_member(w, union);
            self.ascend(w, "reader");
            w.line("return result;");
        });
        w.blank();
        let charges: Vec<String> = union.charges.iter().map(u64::to_string).collect();
        let span = self.scope.platform("ReadOnlySpan");
        w.line(format!("private static {span}<int> Charges => [{}];", charges.join(", ")));
    }

    fn write_member(&self, w: &mut Writer, union: &Union) {
        let mut values = Values::new(self.scope, UNION_LOCALS);
        let own = self.ty.classes.class.in_full();
        w.line("switch (value)");
        w.block("{", "}", |w| {
            for (index, member) in union.members.iter().enumerate() {
                let local = values.locals.fresh("member");
                w.line(format!("case {own}.{} {local}:", member.name));
                w.block("{", "}", |w| {
                    w.line(format!("writer.WriteCount({index});"));
                    if union.unknown.is_some() {
                        let region = values.locals.fresh("region");
                        w.line(format!("int {region} = writer.OpenRegion();"));
                        values.write(w, &member.value, &format!("{local}.Value"));
                        w.line(format!("writer.CloseRegion({region});"));
                    } else {
                        values.write(w, &member.value, &format!("{local}.Value"));
                    }
                    w.line("break;");
                });
                w.blank();
            }
            if let Some(unknown) = &union.unknown {
                let (local, region) = (values.locals.fresh("member"), values.locals.fresh("region"));
                w.line(format!("case {own}.{unknown} {local}:"));
                w.block("{", "}", |w| {
                    w.line(format!("writer.WriteCount({local}.Index);"));
                    w.line(format!("int {region} = writer.OpenRegion();"));
                    w.line(format!("writer.WriteRaw({local}.Bytes);"));
                    w.line(format!("writer.CloseRegion({region});"));
                    w.line("break;");
                });
                w.blank();
            }
            w.line("default:");
            w.indented(|w| w.lines([self.throw_null().as_str(), "break;"]));
        });
    }

    /// Reads into the declared local variable `result`.
    fn read_member(&self, w: &mut Writer, union: &Union) {
        let mut values = Values::new(self.scope, UNION_LOCALS);
        let own = self.ty.classes.class.in_full();
        let is_extensible = union.unknown.is_some();
        let unknown_charge = if is_extensible { UNKNOWN_MEMBER } else { 0 };
        w.line(format!("int index = reader.ReadMember(Charges, {unknown_charge});"));
        if is_extensible {
            w.line("int outer = reader.OpenRegion();");
        }
        w.line(format!("{own} result;"));
        w.line("switch (index)");
        w.block("{", "}", |w| {
            for (index, member) in union.members.iter().enumerate() {
                w.line(format!("case {index}:"));
                w.block("{", "}", |w| {
                    let value = values.read(w, &member.value);
                    w.line(format!("result = new {own}.{}({value});", member.name));
                    if is_extensible {
                        w.line("reader.CloseFullRegion(outer);");
                    }
                    w.line("break;");
                });
                w.blank();
            }
            w.line("default:");
            w.indented(|w| match &union.unknown {
                Some(unknown) => {
                    w.line(format!("result = new {own}.{unknown}(index, reader.ReadRest());"));
                    w.line("reader.CloseRegion(outer);");
                    w.line("break;");
                }
                None => {
                    let reader = values.scope.runtime("Reader");
                    w.line(format!("throw {reader}.Undeclared(\"{}\", index);", self.ty.full_name));
                }
            });
        });
    }

    fn enumeration(&self, w: &mut Writer, enumeration: &Enum) {
        let (name, full) = (&self.class, &self.ty.full_name);
        if enumeration.is_extensible {
            self.encode(w, |w| w.line("writer.WriteCount((int)value);"));
            w.blank();
            self.decode(w, |w| w.line(format!("return ({name})reader.ReadNumber();")));
            return;
        }
        self.encode(w, |w| {
            w.line("if (!IsDeclared((int)value))");
            w.block("{", "}", |w| {
                let writer = self.scope.runtime("Writer");
                w.line(format!("throw {writer}.Undeclared(\"{full}\", (int)value);"));
            });
            w.line("writer.WriteCount((int)value);");
        });
        w.blank();
        self.decode(w, |w| w.line("return FromNumber(reader.ReadNumber());"));
        w.blank();
        w.line(format!("internal static {name} FromNumber(int number) =>"));
        w.indented(|w| {
            let reader = self.scope.runtime("Reader");
            w.line(format!(
                "IsDeclared(number) ? ({name})number : throw {reader}.Undeclared(\"{full}\", number);"
            ));
        });
        w.blank();
        let pattern = |(first, last): &(u32, u32)| {
            if first == last { first.to_string() } else { format!("(>= {first} and <= {last})") }
        };
        let patterns: Vec<String> = enumeration.ranges.iter().map(pattern).collect();
        w.line(format!("private static bool IsDeclared(int number) => number is {};", patterns.join(" or ")));
    }

    fn encode(&self, w: &mut Writer, body: impl FnOnce(&mut Writer)) {
        w.line("/// <summary>Writes a value.</summary>");
        let writer = self.scope.runtime("Writer");
        w.line(format!("public static void Encode({writer} writer, {} value)", self.class));
        w.block("{", "}", body);
    }

    fn decode(&self, w: &mut Writer, body: impl FnOnce(&mut Writer)) {
        w.line("/// <summary>Reads a value.</summary>");
        let reader = self.scope.runtime("Reader");
        w.line(format!("public static {} Decode(ref {reader} reader)", self.class));
        w.block("{", "}", body);
    }

    fn throw_null(&self) -> String {
        format!("{}.ThrowNull(\"{}\");", self.scope.runtime("Writer"), self.ty.full_name)
    }

    fn descend(&self, w: &mut Writer, what: &str) {
        if self.ty.is_recursive {
            w.line(format!("{what}.Descend(\"{}\");", self.ty.full_name));
        }
    }

    fn ascend(&self, w: &mut Writer, what: &str) {
        if self.ty.is_recursive {
            w.line(format!("{what}.Ascend();"));
        }
    }
}

fn accessors(fields: &[Field]) -> Vec<String> {
    fields.iter().map(|field| format!("value.{}", field.name)).collect()
}

/// Fields of an extensible type: the region may end before any with a default (MODEL-11).
fn read_region(w: &mut Writer, fields: &[Field], values: &mut Values) {
    let outer = values.locals.fresh("outer");
    w.line(format!("int {outer} = reader.OpenRegion();"));
    for Field { value, local, absent, .. } in fields {
        let Some(absent) = absent else {
            values.read_into(w, value, local);
            continue;
        };
        w.line(format!("{} {local} = {absent};", value.ty.text(values.scope)));
        w.line("if (!reader.AtEnd)");
        w.block("{", "}", |w| {
            let value = values.read(w, value);
            w.line(format!("{local} = {value};"));
        });
    }
    w.line(format!("reader.CloseRegion({outer});"));
}
