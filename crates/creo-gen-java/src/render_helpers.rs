//! Prints how single values are written and read, and the pairs of methods for arrays, maps and optionals.

use crate::lang::{Code, Helper, HelperKind, Value};
use crate::names::Scope;
use crate::render_codec::word;
use creo_codegen::Writer;

/// The call that writes the value of an expression, without the semicolon.
pub fn write(value: &Value, expression: &str, scope: &Scope) -> String {
    match &value.code {
        Code::Scalar(p) | Code::Text(p) => format!("w.write{}({expression})", word(*p)),
        Code::Bytes => format!("w.writeBytes({expression})"),
        Code::Bulk(p) => format!("w.write{}s({expression})", word(*p)),
        Code::Texts => format!("w.writeStrings({expression})"),
        Code::Coded(codec) => format!("{}.encode(w, {expression})", scope.statics(codec)),
        Code::Helper(name) => format!("write{name}(w, {expression})"),
    }
}

/// The call that reads a value.
pub fn read(value: &Value, scope: &Scope) -> String {
    match &value.code {
        Code::Scalar(p) | Code::Text(p) => format!("r.read{}()", word(*p)),
        Code::Bytes => "r.readBytes()".to_owned(),
        Code::Bulk(p) => format!("r.read{}s()", word(*p)),
        Code::Texts => "r.readStrings()".to_owned(),
        Code::Coded(codec) => format!("{}.decode(r)", scope.statics(codec)),
        Code::Helper(name) => format!("read{name}(r)"),
    }
}

/// A codec as an object, for the descriptor of a method.
pub fn codec(value: &Value, class: &str, scope: &Scope) -> String {
    let ty = value.ty.boxed().text(scope);
    let (writer, reader) = (scope.creo("Writer"), scope.creo("Reader"));
    let (write, read) = match &value.code {
        Code::Coded(codec) => return format!("{}.CODEC", scope.statics(codec)),
        Code::Scalar(p) | Code::Text(p) => (format!("{writer}::write{}", word(*p)), format!("{reader}::read{}", word(*p))),
        Code::Bytes => (format!("{writer}::writeBytes"), format!("{reader}::readBytes")),
        Code::Bulk(p) => (format!("{writer}::write{}s", word(*p)), format!("{reader}::read{}s", word(*p))),
        Code::Texts => (format!("{writer}::writeStrings"), format!("{reader}::readStrings")),
        Code::Helper(name) => (format!("{class}::write{name}"), format!("{class}::read{name}")),
    };
    format!("{}.<{ty}>of({write}, {read})", scope.creo("Codec"))
}

pub fn helpers(w: &mut Writer, scope: &Scope, all: &[Helper]) {
    for helper in all {
        w.blank();
        writer(w, scope, helper);
        w.blank();
        reader(w, scope, helper);
        if let HelperKind::Each { item, fixed: Some(size), .. } = &helper.kind {
            getter(w, scope, helper, item, *size);
        }
    }
}

fn writer(w: &mut Writer, scope: &Scope, helper: &Helper) {
    let open = format!("private static void write{}({} w, {} v) {{", helper.name, scope.creo("Writer"), helper.ty.text(scope));
    w.block(open, "}", |w| match &helper.kind {
        HelperKind::Each { item, fixed: Some(size), .. } => write_fixed_items(w, scope, item, *size),
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
    w.block(format!("private static {ty} read{}({} r) {{", helper.name, scope.creo("Reader")), "}", |w| match &helper.kind {
        HelperKind::Each { item, fixed: Some(size), charge } => read_fixed_items(w, scope, helper, item, *size, *charge),
        HelperKind::Each { item, fixed: None, charge } => read_items(w, scope, item, *charge),
        HelperKind::Entries { key, value, charge } => read_entries(w, scope, key, value, &ty, *charge),
        HelperKind::Optional { item, charge } => w.line(format!("return r.readPresence({charge}) ? {} : null;", read(item, scope))),
    });
}

/// Adds to an error where it happened; `e` comes from the lines of `body`.
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

fn write_fixed_items(w: &mut Writer, scope: &Scope, item: &Value, size: u64) {
    open_list(w, scope, item);
    let put = match &item.code {
        Code::Coded(codec) => format!("{}.put", scope.statics(codec)),
        _ => format!("{}.putInstant", scope.creo("Bytes")),
    };
    located(w, scope, "throw e.item(i);", |w| {
        w.block("while (i < n) {", "}", |w| {
            w.line(format!("int k = w.room({size}, n - i);"));
            w.line(format!("int p = w.reserve({size} * k);"));
            w.line("byte[] b = w.buffer();");
            w.block(format!("for (int end = i + k; i < end; i++, p += {size}) {{"), "}", |w| w.line(format!("{put}(b, p, items.get(i));")));
        });
    });
}

fn open_items(w: &mut Writer, scope: &Scope, item: &Value, charge: u64) {
    w.line(format!("int n = r.readCount({}, {charge});", item.least.min(i32::MAX as u64)));
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
    w.line(format!("return {}.frozen(items, n);", scope.creo("Lists")));
}

fn read_fixed_items(w: &mut Writer, scope: &Scope, helper: &Helper, item: &Value, size: u64, charge: u64) {
    let ty = item.ty.text(scope);
    w.line(format!("int n = r.readCount({size}, {charge});"));
    w.line(format!("{ty}[] items = new {ty}[r.capacity(n, 0)];"));
    w.line("int i = 0;");
    let layout = match &item.code {
        Code::Coded(codec) if size > 1 => format!("{}.LAYOUT", scope.statics(codec)),
        _ => "null".to_owned(),
    };
    w.line("int p = 0;");
    located(w, scope, &format!("throw r.item(e, i, p, {size});"), |w| {
        w.block("while (i < n) {", "}", |w| {
            w.block("if (i == items.length) {", "}", |w| {
                w.line(format!("items = {}.copyOf(items, r.capacity(n, i));", scope.jdk("java.util", "Arrays")));
            });
            w.line(format!("int k = r.window({size}, items.length - i, {layout});"));
            w.line(format!("p = r.advance({size} * k);"));
            w.line(format!("get{}(items, i, k, r.buffer(), p);", helper.name));
            w.line("i += k;");
        });
    });
    w.line(format!("return {}.frozen(items, n);", scope.creo("Lists")));
}

/// The loop over items that are there: in a method of its own, four items a turn. So the compiler of the JVM keeps it apart from its caller, and
/// an array of 10,000 small records is read in two thirds of the time (`make bench-wire`, numbers).
fn getter(w: &mut Writer, scope: &Scope, helper: &Helper, item: &Value, size: u64) {
    let get = match &item.code {
        Code::Coded(codec) => format!("{}.get", scope.statics(codec)),
        _ => format!("{}.getInstant", scope.creo("Bytes")),
    };
    w.blank();
    let ty = item.ty.text(scope);
    w.block(format!("private static void get{}({ty}[] items, int i, int k, byte[] b, int p) {{", helper.name), "}", |w| {
        w.line("int end = i + k;");
        w.block(format!("for (; i + 3 < end; i += 4, p += {}) {{", 4 * size), "}", |w| {
            for j in 0..4 {
                w.line(format!("{ty} item{j} = {get}(b, {});", offset("p", j * size)));
            }
            for j in 0..4 {
                w.line(format!("items[{}] = item{j};", offset("i", j)));
            }
        });
        w.block(format!("for (; i < end; i++, p += {size}) {{"), "}", |w| w.line(format!("items[i] = {get}(b, p);")));
    });
}

/// An index expression.
fn offset(base: &str, by: u64) -> String {
    if by == 0 { base.to_owned() } else { format!("{base} + {by}") }
}

/// A key or a value of a map: one of a primitive type may be null all the same.
fn entry_part(value: &Value, getter: &str, scope: &Scope) -> String {
    let part = format!("entry.{getter}()");
    if value.ty.is_primitive() { format!("{}.present({part})", scope.creo("Values")) } else { part }
}

fn write_entries(w: &mut Writer, scope: &Scope, key: &Value, value: &Value) {
    let entry = format!("{}.Entry<{}, {}>", scope.jdk("java.util", "Map"), key.ty.boxed().text(scope), value.ty.boxed().text(scope));
    w.line(format!("w.writeCount({}.present(v).size());", scope.creo("Values")));
    w.line("int i = 0;");
    w.block(format!("for ({entry} entry : v.entrySet()) {{"), "}", |w| {
        located(w, scope, "throw e.key(i);", |w| w.line(format!("{};", write(key, &entry_part(key, "getKey", scope), scope))));
        located(w, scope, "throw e.value(i);", |w| w.line(format!("{};", write(value, &entry_part(value, "getValue", scope), scope))));
        w.line("i++;");
    });
}

fn read_entries(w: &mut Writer, scope: &Scope, key: &Value, value: &Value, ty: &str, charge: u64) {
    let arguments = format!("{}, {}", key.ty.boxed().text(scope), value.ty.boxed().text(scope));
    w.line(format!("int n = r.readCount({}, {charge});", key.least.saturating_add(value.least).min(i32::MAX as u64)));
    w.line(format!("{ty} map = new {}<{arguments}>();", scope.jdk("java.util", "LinkedHashMap")));
    w.block("for (int i = 0; i < n; i++) {", "}", |w| {
        w.line("long start = r.offset();");
        w.line(format!("{} key;", key.ty.text(scope)));
        located(w, scope, "throw r.key(e, i);", |w| {
            w.line(format!("key = {};", read(key, scope)));
            w.block("if (map.containsKey(key)) {", "}", |w| w.line("throw r.duplicateKey(start);"));
        });
        located(w, scope, "throw r.value(e, i);", |w| w.line(format!("map.put(key, {});", read(value, scope))));
    });
    w.line(format!("return {}.frozen(map);", scope.creo("Lists")));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::Ty;
    use crate::names::{ClassName, Inside, Taken};
    use creo_model::Primitive;

    #[test]
    fn values_are_written_by_one_call() {
        let taken = Taken::default();
        let scope = Scope::new("p", &taken, Inside::default());
        let value = |code| Value { ty: Ty::Primitive("int", "Integer"), code, least: 4 };
        assert_eq!(write(&value(Code::Scalar(Primitive::Int)), "v.x()", &scope), "w.writeInt(v.x())");
        assert_eq!(read(&value(Code::Bulk(Primitive::Double)), &scope), "r.readDoubles()");
        assert_eq!(read(&value(Code::Coded(ClassName::new("p", "DataCodec"))), &scope), "DataCodec.decode(r)");
    }
}
