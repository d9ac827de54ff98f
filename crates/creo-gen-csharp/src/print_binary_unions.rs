//! Prints how the codec of a union writes and reads its members.

use crate::lang::Union;
use crate::names_scope::Scope;
use crate::print_binary_values::Values;
use creo_codegen::Writer;

/// What a member that is kept as its bytes is charged (LIM-18).
const UNKNOWN_MEMBER: u64 = 32;

/// The codec of a union.
pub struct Codec<'a> {
    /// The class of the union, in full.
    pub own: &'a str,
    pub full_name: &'a str,
    pub throw_null: &'a str,
    pub union: &'a Union,
}

impl Codec<'_> {
    /// What the value of each member is charged (LIM-18).
    pub fn charges(&self, w: &mut Writer, scope: &Scope) {
        let charges: Vec<String> = self.union.charges.iter().map(u64::to_string).collect();
        let span = scope.platform("ReadOnlySpan");
        w.line(format!("private static {span}<int> Charges => [{}];", charges.join(", ")));
    }

    pub fn encode(&self, w: &mut Writer, values: &mut Values) {
        let own = self.own;
        w.line("switch (value)");
        w.block("{", "}", |w| {
            for (index, member) in self.union.members.iter().enumerate() {
                let local = values.locals.fresh("member");
                w.line(format!("case {own}.{} {local}:", member.name));
                w.block("{", "}", |w| {
                    w.line(format!("writer.WriteCount({index});"));
                    if self.union.unknown.is_some() {
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
            if let Some(unknown) = &self.union.unknown {
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
            w.indented(|w| w.lines([self.throw_null, "break;"]));
        });
    }

    /// Reads into a local that is declared, `result`.
    pub fn decode(&self, w: &mut Writer, values: &mut Values) {
        let own = self.own;
        let is_extensible = self.union.unknown.is_some();
        let unknown_charge = if is_extensible { UNKNOWN_MEMBER } else { 0 };
        w.line(format!("int index = reader.ReadMember(Charges, {unknown_charge});"));
        if is_extensible {
            w.line("int outer = reader.OpenRegion();");
        }
        w.line(format!("{own} result;"));
        w.line("switch (index)");
        w.block("{", "}", |w| {
            for (index, member) in self.union.members.iter().enumerate() {
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
            w.indented(|w| match &self.union.unknown {
                Some(unknown) => {
                    w.line(format!("result = new {own}.{unknown}(index, reader.ReadRest());"));
                    w.line("reader.CloseRegion(outer);");
                    w.line("break;");
                }
                None => {
                    let reader = values.scope.runtime("Reader");
                    w.line(format!("throw {reader}.Undeclared(\"{}\", index);", self.full_name));
                }
            });
        });
    }
}
