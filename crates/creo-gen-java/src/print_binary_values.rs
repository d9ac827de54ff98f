//! Prints how single values are written and read, and the methods for arrays, maps and optionals.

use crate::lang::{Code, Fixed, Helper, HelperKind, Slot, Value};
use crate::names::Scope;
use crate::scalars::{bulk_word, word};
use creo_codegen::Writer;
use creo_plan::FixedScalar;

/// The call that writes the value of an expression, without the semicolon.
pub fn write(value: &Value, expression: &str, scope: &Scope) -> String {
    match &value.code {
        Code::Scalar(scalar) => format!("w.write{}({expression})", word(*scalar)),
        Code::String => format!("w.writeString({expression})"),
        Code::Decimal => format!("w.writeDecimal({expression})"),
        Code::Bytes => format!("w.writeBytes({expression})"),
        Code::Bulk(bulk) => format!("w.write{}({expression})", bulk_word(*bulk)),
        Code::Strings => format!("w.writeStrings({expression})"),
        Code::Coded(codec) => format!("{}.encode(w, {expression})", scope.statics(codec)),
        Code::Helper(name) => format!("write{name}(w, {expression})"),
    }
}

/// The call that reads a value.
pub fn read(value: &Value, scope: &Scope) -> String {
    match &value.code {
        Code::Scalar(scalar) => format!("r.read{}()", word(*scalar)),
        Code::String => "r.readString()".to_owned(),
        Code::Decimal => "r.readDecimal()".to_owned(),
        Code::Bytes => "r.readBytes()".to_owned(),
        Code::Bulk(bulk) => format!("r.read{}()", bulk_word(*bulk)),
        Code::Strings => "r.readStrings()".to_owned(),
        Code::Coded(codec) => format!("{}.decode(r)", scope.statics(codec)),
        Code::Helper(name) => format!("read{name}(r)"),
    }
}

/// A codec as an object, for the descriptor of a method.
pub fn codec(value: &Value, class: &str, scope: &Scope) -> String {
    let ty = value.ty.boxed().text(scope);
    let (writer, reader) = (scope.creo("Writer"), scope.creo("Reader"));
    let (writes, reads, word) = match &value.code {
        Code::Coded(codec) => return format!("{}.CODEC", scope.statics(codec)),
        Code::Scalar(scalar) => (writer, reader, word(*scalar).to_owned()),
        Code::String => (writer, reader, "String".to_owned()),
        Code::Decimal => (writer, reader, "Decimal".to_owned()),
        Code::Bytes => (writer, reader, "Bytes".to_owned()),
        Code::Bulk(bulk) => (writer, reader, bulk_word(*bulk)),
        Code::Strings => (writer, reader, "Strings".to_owned()),
        Code::Helper(name) => (class.to_owned(), class.to_owned(), name.clone()),
    };
    format!("{}.<{ty}>of({writes}::write{word}, {reads}::read{word})", scope.creo("Codec"))
}

pub fn helpers(w: &mut Writer, scope: &Scope, all: &[Helper]) {
    for helper in all {
        w.blank();
        writer(w, scope, helper);
        w.blank();
        reader(w, scope, helper);
        if let HelperKind::Each { item, fixed: Some(fixed), .. } = &helper.kind {
            getter(w, scope, helper, item, fixed);
        }
    }
}

fn writer(w: &mut Writer, scope: &Scope, helper: &Helper) {
    let open = format!(
        "private static void write{}({} w, {} v) {{",
        helper.name,
        scope.creo("Writer"),
        helper.ty.text(scope)
    );
    w.block(open, "}", |w| match &helper.kind {
        HelperKind::Each { item, fixed: Some(fixed), .. } => write_fixed_items(w, scope, item, fixed),
        HelperKind::Each { item, fixed: None, .. } => write_items(w, scope, item),
        HelperKind::Entries { key, value, .. } => write_entries(w, scope, key, value),
        HelperKind::Optional { item, .. } => {
            w.line("w.writeBoolean(v != null);");
            w.block("if (v != null) {", "}", |w| w.line(format!("{};", write(item, "v", scope))));
        }
    });
}

fn reader(w: &mut Writer, scope: &Scope, helper: &Helper) {
    let ty = helper.ty.text(scope);
    w.block(format!("private static {ty} read{}({} r) {{", helper.name, scope.creo("Reader")), "}", |w| {
        match &helper.kind {
            HelperKind::Each { item, fixed: Some(fixed), charge } => {
                read_fixed_items(w, scope, helper, item, fixed, *charge);
            }
            HelperKind::Each { item, fixed: None, charge } => read_items(w, scope, item, *charge),
            HelperKind::Entries { key, value, charge } => read_entries(w, scope, key, value, *charge),
            HelperKind::Optional { item, charge } => {
                w.line(format!("return r.readPresence({charge}) ? {} : null;", read(item, scope)))
            }
        }
    });
}

/// Adds the path to an error; `e` comes from the lines of `body`.
fn located(w: &mut Writer, scope: &Scope, rethrow: &str, body: impl FnOnce(&mut Writer)) {
    w.block("try {", "", body);
    w.block(format!("}} catch ({} e) {{", scope.creo("CreoException")), "}", |w| w.line(rethrow));
}

fn open_list(w: &mut Writer, scope: &Scope, item: &Value) {
    let ty = item.ty.boxed().text(scope);
    w.line(format!("{}<{ty}> items = {}.indexed(v);", scope.jdk("java.util", "List"), scope.creo("Lists")));
    w.line("int n = items.size();");
    w.line("w.writeCount(n);");
    w.line("int i = 0;");
}

fn write_items(w: &mut Writer, scope: &Scope, item: &Value) {
    open_list(w, scope, item);
    located(w, scope, "throw e.item(i);", |w| {
        w.block("for (; i < n; i++) {", "}", |w| w.line(format!("{};", write(item, "items.get(i)", scope))));
    });
}

fn write_fixed_items(w: &mut Writer, scope: &Scope, item: &Value, fixed: &Fixed) {
    let size = fixed.size;
    open_list(w, scope, item);
    let put = put(&fixed.slot, "b", "p", "items.get(i)", scope);
    located(w, scope, "throw e.item(i);", |w| {
        w.block("while (i < n) {", "}", |w| {
            w.line(format!("int k = w.room({size}, n - i);"));
            w.line(format!("int p = w.reserve({size} * k);"));
            w.line("byte[] b = w.buffer();");
            w.block(format!("for (int end = i + k; i < end; i++, p += {size}) {{"), "}", |w| w.line(put));
        });
    });
}

fn open_items(w: &mut Writer, scope: &Scope, item: &Value, charge: u64) {
    w.line(format!("int n = r.readCount({}, {charge});", item.min_size.min(i32::MAX as u64)));
    w.line(format!("{}[] items = r.items(n);", scope.lang("Object")));
    w.line("int i = 0;");
}

fn read_items(w: &mut Writer, scope: &Scope, item: &Value, charge: u64) {
    open_items(w, scope, item, charge);
    located(w, scope, "throw r.item(e, i);", |w| {
        w.block("for (; i < n; i++) {", "}", |w| {
            w.block("if (i == items.length) {", "}", |w| w.line("items = r.moreItems(items, n);"));
            w.line(format!("items[i] = {};", read(item, scope)));
        });
    });
    w.line(format!("return {}.{}(items, n);", scope.creo("Lists"), frozen(item.ty.is_nullable())));
}

fn read_fixed_items(
    w: &mut Writer,
    scope: &Scope,
    helper: &Helper,
    item: &Value,
    fixed: &Fixed,
    charge: u64,
) {
    let size = fixed.size;
    let ty = item.ty.text(scope);
    w.line(format!("int n = r.readCount({size}, {charge});"));
    w.line(format!("{ty}[] items = new {ty}[r.capacity(n, 0)];"));
    w.line("int i = 0;");
    let layout = match &fixed.slot {
        Slot::Record(codec) if size > 1 => format!("{}.LAYOUT", scope.statics(codec)),
        Slot::Record(_) | Slot::Enum(_) | Slot::Scalar(_) => "null".to_owned(),
    };
    w.line("int p = 0;");
    located(w, scope, &format!("throw r.item(e, i, p, {size});"), |w| {
        w.block("while (i < n) {", "}", |w| {
            w.block("if (i == items.length) {", "}", |w| {
                w.line(format!(
                    "items = {}.copyOf(items, r.capacity(n, i));",
                    scope.jdk("java.util", "Arrays")
                ));
            });
            w.line(format!("int k = r.window({size}, items.length - i, {layout});"));
            w.line(format!("p = r.advance({size} * k);"));
            w.line(format!("get{}(items, i, k, r.buffer(), p);", helper.name));
            w.line("i += k;");
        });
    });
    w.line(format!("return {}.frozen(items, n);", scope.creo("Lists")));
}

/// The loop over available items: in a separate method, four items per iteration. The JVM's compiler then keeps it apart from its caller,
/// and an array of 10,000 small records is read in two thirds of the time (`make bench-wire`, numbers).
fn getter(w: &mut Writer, scope: &Scope, helper: &Helper, item: &Value, fixed: &Fixed) {
    let size = fixed.size;
    w.blank();
    let ty = item.ty.text(scope);
    w.block(
        format!("private static void get{}({ty}[] items, int i, int k, byte[] b, int p) {{", helper.name),
        "}",
        |w| {
            w.line("int end = i + k;");
            w.block(format!("for (; i + 3 < end; i += 4, p += {}) {{", 4 * size), "}", |w| {
                for j in 0..4 {
                    w.line(format!(
                        "{ty} item{j} = {};",
                        get(&fixed.slot, "b", &offset("p", j * size), scope)
                    ));
                }
                for j in 0..4 {
                    w.line(format!("items[{}] = item{j};", offset("i", j)));
                }
            });
            w.block(format!("for (; i < end; i++, p += {size}) {{"), "}", |w| {
                w.line(format!("items[i] = {};", get(&fixed.slot, "b", "p", scope)))
            });
        },
    );
}

/// The statement that writes the value of an expression at the index `p` of the buffer `b`.
pub fn put(slot: &Slot, b: &str, p: &str, expression: &str, scope: &Scope) -> String {
    match slot {
        Slot::Scalar(FixedScalar::Byte) => format!("{b}[{p}] = {expression};"),
        Slot::Scalar(scalar) => {
            format!("{}.put{}({b}, {p}, {expression});", scope.creo("Bytes"), word(*scalar))
        }
        Slot::Enum(codec) | Slot::Record(codec) => {
            format!("{}.put({b}, {p}, {expression});", scope.statics(codec))
        }
    }
}

/// The expression that reads a value at the index `p` of the buffer `b`.
pub fn get(slot: &Slot, b: &str, p: &str, scope: &Scope) -> String {
    match slot {
        Slot::Scalar(FixedScalar::Byte) => format!("{b}[{p}]"),
        Slot::Scalar(scalar) => format!("{}.get{}({b}, {p})", scope.creo("Bytes"), word(*scalar)),
        Slot::Enum(codec) | Slot::Record(codec) => format!("{}.get({b}, {p})", scope.statics(codec)),
    }
}

/// An index expression.
pub fn offset(base: &str, by: u64) -> String {
    if by == 0 { base.to_owned() } else { format!("{base} + {by}") }
}

/// A key or value of a map: one of a primitive type may still be null.
fn entry_part(value: &Value, getter: &str, scope: &Scope) -> String {
    let part = format!("entry.{getter}()");
    if value.ty.is_primitive() { format!("{}.present({part})", scope.creo("Values")) } else { part }
}

fn write_entries(w: &mut Writer, scope: &Scope, key: &Value, value: &Value) {
    let entry = format!(
        "{}.Entry<{}, {}>",
        scope.jdk("java.util", "Map"),
        key.ty.boxed().text(scope),
        value.ty.boxed().text(scope)
    );
    w.line(format!("w.writeCount({}.present(v).size());", scope.creo("Values")));
    w.line("int i = 0;");
    w.block(format!("for ({entry} entry : v.entrySet()) {{"), "}", |w| {
        located(w, scope, "throw e.key(i);", |w| {
            w.line(format!("{};", write(key, &entry_part(key, "getKey", scope), scope)))
        });
        located(w, scope, "throw e.value(i);", |w| {
            w.line(format!("{};", write(value, &entry_part(value, "getValue", scope), scope)))
        });
        w.line("i++;");
    });
}

fn read_entries(w: &mut Writer, scope: &Scope, key: &Value, value: &Value, charge: u64) {
    let arguments = format!("{}, {}", key.ty.boxed().text(scope), value.ty.boxed().text(scope));
    w.line(format!(
        "int n = r.readCount({}, {charge});",
        key.min_size.saturating_add(value.min_size).min(i32::MAX as u64)
    ));
    w.line(format!("{0}<{arguments}> map = new {0}<>();", scope.jdk("java.util", "LinkedHashMap")));
    w.block("for (int i = 0; i < n; i++) {", "}", |w| {
        w.line("long start = r.offset();");
        w.line(format!("{} key;", key.ty.text(scope)));
        located(w, scope, "throw r.key(e, i);", |w| {
            w.line(format!("key = {};", read(key, scope)));
            w.block("if (map.containsKey(key)) {", "}", |w| w.line("throw r.duplicateKey(start);"));
        });
        located(w, scope, "throw r.value(e, i);", |w| {
            w.line(format!("map.put(key, {});", read(value, scope)))
        });
    });
    w.line(format!("return {}.{}(map);", scope.creo("Lists"), frozen(value.ty.is_nullable())));
}

/// The function that makes an unmodifiable list or map.
pub fn frozen(holds_null: bool) -> &'static str {
    if holds_null { "frozenNullable" } else { "frozen" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::Ty;
    use crate::names::{ClassName, Inside, Taken};
    use creo_plan::BulkScalar;

    #[test]
    fn values_are_written_by_one_call() {
        let taken = Taken::default();
        let scope = Scope::new("p", &taken, Inside::default());
        let value = |code| Value { ty: Ty::Primitive("int", "Integer"), code, min_size: 4 };
        assert_eq!(write(&value(Code::Scalar(FixedScalar::Int)), "v.x()", &scope), "w.writeInt(v.x())");
        assert_eq!(read(&value(Code::Bulk(BulkScalar::Double)), &scope), "r.readDoubles()");
        assert_eq!(
            read(&value(Code::Coded(ClassName::new("p", "DataCodec"))), &scope),
            "DataCodec.decode(r)"
        );
    }
}
