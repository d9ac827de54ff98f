//! Prints the documents that a service offers about itself: its WSDL, its OpenAPI document, its description.

use crate::lang::Service;
use crate::literals::string;
use crate::names::{ClassName, Inside, Scope};
use crate::print_project::{Output, generated};
use creo_codegen::{ADDRESS, Document, DocumentKind, Files, Writer};

/// The max characters of one constant: a class file allows 65,535 bytes.
const LONGEST: usize = 8_000;

/// The class with the document.
fn class<'a>(service: &'a Service, kind: DocumentKind) -> &'a ClassName {
    match kind {
        DocumentKind::Wsdl => &service.wsdl_class,
        DocumentKind::OpenApi => &service.open_api_class,
        DocumentKind::Description => &service.description_class,
    }
}

/// The call that gives the document to the builder of an endpoint.
pub fn setter(scope: &Scope, service: &Service, kind: DocumentKind) -> String {
    let (name, method) = match kind {
        DocumentKind::Wsdl => ("wsdl", "at"),
        DocumentKind::OpenApi => ("openApi", "at"),
        DocumentKind::Description => ("description", "text"),
    };
    format!(".{name}({}::{method})", scope.class(class(service, kind)))
}

pub fn render(out: &Output, service: &Service, document: &Document, files: &mut Files) {
    let (what, maker) = match document.kind {
        DocumentKind::Wsdl => ("WSDL", Some("wsdl")),
        DocumentKind::OpenApi => ("OpenAPI document", Some("openApi")),
        DocumentKind::Description => ("description", None),
    };
    let class = class(service, document.kind);
    out.file(files, class, Inside::default(), |w, scope| {
        w.line(format!("/** The {what} of {{@link {}}}. */", scope.class(&service.class)));
        generated(w, scope, false);
        w.block(format!("final class {} {{", class.simple()), "}", |w| {
            w.block(format!("private static final {}[] PARTS = {{", scope.lang("String")), "};", |w| {
                parts(w, &document.text)
            });
            w.blank();
            w.line(format!("private {}() {{}}", class.simple()));
            w.blank();
            let Some(maker) = maker else {
                w.line("/** The text of each file, as a JSON object. */");
                w.block(format!("static {} text() {{", scope.lang("String")), "}", |w| {
                    w.line(format!("return {}.join(\"\", PARTS);", scope.lang("String")));
                });
                return;
            };
            w.line(format!("/** The {what} for the address at which it was asked for. */"));
            w.block(format!("static {0} at({0} address) {{", scope.lang("String")), "}", |w| {
                w.line(format!(
                    "return {}.{maker}(address, {}, PARTS);",
                    scope.creo("Documents"),
                    string(ADDRESS)
                ));
            });
        });
    });
}

/// The text as constants of limited length, each of whole lines.
fn parts(w: &mut Writer, text: &str) {
    let mut size = 0;
    let mut open: Vec<String> = Vec::new();
    let close = |open: &mut Vec<String>, w: &mut Writer| {
        let last = open.len().saturating_sub(1);
        for (i, line) in open.drain(..).enumerate() {
            w.line(format!(
                "{}{line}{}",
                if i == 0 { "" } else { "    + " },
                if i == last { "," } else { "" }
            ));
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
