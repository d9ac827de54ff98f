//! Prints reading and writing of both messages of each method. Clients write requests and read results; programs that measure messages also
//! do the reverse.

use crate::lang::{Method, Unit};
use crate::print_calls::{request_decoder, response_encoder};
use crate::print_shared::text_header_name;
use creo_codegen::{Files, Writer};

/// The header with the type `measured_method`, which the build must add.
const DRIVER: &str = "#include \"driver.h\"";

/// A source file for each unit, which replaces the unit's own in a build, since it uses its static types; and the lists of all methods.
pub fn print(units: &[Unit], files: &mut Files) {
    for (number, unit) in units.iter().enumerate() {
        files.add(format!("measured/methods_{number}.c"), methods(number, unit));
    }
    files.add("measured/methods.c", lists(units.len()));
}

/// The name of a unit's list of methods. No generated name begins with `creo_`, and no name of the runtime with this.
fn list(number: usize) -> String {
    format!("creo_measured_{number}")
}

fn methods(number: usize, unit: &Unit) -> String {
    let mut w = Writer::new("    ");
    w.line(format!("#include \"{}.creo.c\"", unit.stem));
    w.line(format!("#include \"{}\"", text_header_name(&unit.stem)));
    w.line(DRIVER);
    w.blank();
    let mut rows = Vec::new();
    for (service, interface) in unit.services.iter().zip(&unit.text.interfaces) {
        let whole = service.methods.iter().filter(|method| method.streams.is_none());
        rows.extend(whole.map(|method| functions(&mut w, interface, method)));
    }
    w.line(format!("extern const measured_method {}[];", list(number)));
    w.block(format!("const measured_method {}[] = {{", list(number)), "};", |w| {
        w.lines(rows);
        w.line("{NULL, NULL, NULL, NULL, 0},");
    });
    w.finish()
}

/// Prints the functions of a method, and returns its row of the list.
fn functions(w: &mut Writer, interface: &str, method: &Method) -> String {
    let (read, write) =
        (format!("creo_{}_read_request", method.name), format!("creo_{}_write_response", method.name));
    request_decoder(w, &read, method);
    let outcome = response_encoder(w, &write, method);
    let size = outcome.map_or("0".to_owned(), |ty| format!("sizeof({ty})"));
    format!("{{&{}_method, &{interface}, {read}, {write}, {size}}},", method.name)
}

/// The lists of all units.
fn lists(units: usize) -> String {
    let mut w = Writer::new("    ");
    w.line(DRIVER);
    w.blank();
    (0..units).for_each(|number| w.line(format!("extern const measured_method {}[];", list(number))));
    w.block("const measured_method *const measured_methods[] = {", "};", |w| {
        (0..units).for_each(|number| w.line(format!("{},", list(number))));
    });
    w.line(format!("const size_t measured_methods_count = {units};"));
    w.finish()
}
