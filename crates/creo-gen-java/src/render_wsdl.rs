//! Prints the WSDL of an interface, which a service gives to those who ask for it.

use crate::file::Output;
use crate::lang::Service;
use crate::literals::string;
use creo_codegen::{ADDRESS, Files, Writer};
use std::collections::BTreeSet;

/// Characters of one constant: a class file takes no more than 65,535 bytes in one.
const LONGEST: usize = 8_000;

pub fn render(out: &Output, service: &Service, text: &str, files: &mut Files) {
    out.file(files, &service.wsdl_class, BTreeSet::new(), |w, scope| {
        w.line(format!("/** The WSDL of {{@link {}}}. */", scope.class(&service.class)));
        w.block(format!("final class {} {{", service.wsdl_class.simple()), "}", |w| {
            w.block(format!("private static final {}[] PARTS = {{", scope.lang("String")), "};", |w| parts(w, text));
            w.blank();
            w.line(format!("private {}() {{}}", service.wsdl_class.simple()));
            w.blank();
            w.line("/** The WSDL for the address at which it was asked for. */");
            w.block(format!("static {0} at({0} address) {{", scope.lang("String")), "}", |w| {
                w.line(format!("return {}.at(address, {}, PARTS);", scope.creo("Wsdl"), string(ADDRESS)));
            });
        });
    });
}

/// The text as constants that are not too long, each of them its lines.
fn parts(w: &mut Writer, text: &str) {
    let mut size = 0;
    let mut open: Vec<String> = Vec::new();
    let close = |open: &mut Vec<String>, w: &mut Writer| {
        let last = open.len().saturating_sub(1);
        for (i, line) in open.drain(..).enumerate() {
            w.line(format!("{}{line}{}", if i == 0 { "" } else { "    + " }, if i == last { "," } else { "" }));
        }
    };
    for line in text.split_inclusive('\n') {
        let chars: Vec<char> = line.chars().collect();
        for piece in chars.chunks(LONGEST) {
            if size + piece.len() > LONGEST && !open.is_empty() {
                close(&mut open, w);
                size = 0;
            }
            size += piece.len();
            open.push(string(&piece.iter().collect::<String>()));
        }
    }
    close(&mut open, w);
}
