//! Reads a WSDL and everything that it imports and includes. Nothing is downloaded: locations are relative paths, or mapped by the caller.

use crate::import::decode::decode;
use crate::import::files::{Files, Options, Unread};
use crate::import::known;
use crate::import::xml::{NodeId, Tree};
use creo_diag::{Code, Diagnostic, FileId, Report, Sources, Span, quote};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

pub const WSDL: &str = "http://schemas.xmlsoap.org/wsdl/";
pub const XML: &str = "http://www.w3.org/XML/1998/namespace";
pub const XSD: &str = "http://www.w3.org/2001/XMLSchema";

/// The maximum number of files, and of bytes in all of them.
const MAX_FILES: usize = 2_000;
const MAX_BYTES: usize = 256 << 20;

/// XML Schema, including the namespaces of its drafts.
pub fn is_xsd(namespace: &str) -> bool {
    matches!(namespace, XSD | "http://www.w3.org/1999/XMLSchema" | "http://www.w3.org/2000/10/XMLSchema")
}

/// A `schema` or `definitions` element, read for one target namespace, which gives its names their meaning.
#[derive(Debug)]
pub struct Unit {
    pub file: usize,
    pub node: NodeId,
    pub target: Rc<str>,
    /// Whether it has the target namespace of the including schema. A reference without a namespace then means that one.
    pub chameleon: bool,
    pub elements_qualified: bool,
    pub attributes_qualified: bool,
    /// Whether it is built in: its components are declared only if used.
    pub known: bool,
}

/// Everything that was read.
#[derive(Debug, Default)]
pub struct Loaded {
    pub trees: Vec<Tree>,
    pub schemas: Vec<Unit>,
    pub definitions: Vec<Unit>,
}

struct Loader<'a> {
    files: &'a mut dyn Files,
    options: &'a Options,
    sources: &'a mut Sources,
    report: &'a mut Report,
    out: Loaded,
    /// The tree of each path, or `None` if there is none.
    read: BTreeMap<String, Option<usize>>,
    /// Units by file, element and target namespace.
    seen: BTreeSet<(usize, NodeId, Rc<str>)>,
    /// The target namespace of the root of each file in the catalogue.
    catalogue: Option<Vec<(String, String)>>,
    waiting: VecDeque<(usize, NodeId, Option<Rc<str>>)>,
    bytes: usize,
    known: BTreeMap<&'static str, usize>,
}

/// The kind of a reference to another file.
enum Reference {
    Wsdl,
    Import,
    /// An include, for the target namespace of the including schema.
    Include(Rc<str>),
}

/// Loads the file at `root`. `None`: it cannot be read, which is reported.
pub fn load(
    root: &str,
    options: &Options,
    files: &mut dyn Files,
    sources: &mut Sources,
    report: &mut Report,
) -> Option<Loaded> {
    let mut loader = Loader {
        files,
        options,
        sources,
        report,
        out: Loaded::default(),
        read: BTreeMap::new(),
        seen: BTreeSet::new(),
        catalogue: None,
        waiting: VecDeque::new(),
        bytes: 0,
        known: BTreeMap::new(),
    };
    let file = match loader.open(root) {
        Ok(Some(file)) => file,
        Ok(None) => return None,
        Err(unread) => {
            let id = loader.sources.add(root, "");
            let told = match unread {
                Unread::Missing => "the file does not exist".to_owned(),
                Unread::Refused(why) => format!("the file is not read: {why}"),
            };
            loader.report.add(&Diagnostic::new(Code::UnreadableXml, Span::new(id, 0, 0), told));
            return None;
        }
    };
    let tree = &loader.out.trees[file];
    let element = tree.element(tree.root());
    let is_wsdl = &*element.namespace == WSDL && element.local == "definitions";
    let is_schema = is_xsd(&element.namespace) && element.local == "schema";
    if !is_wsdl && !is_schema {
        let name = format!("{{{}}}{}", element.namespace, element.local);
        let mut wrong = Diagnostic::new(
            Code::NotWsdl,
            element.span,
            format!("{} is neither a WSDL 1.1 nor an XML Schema", quote(&name)),
        );
        if element.local == "description" {
            wrong = wrong
                .help("this looks like WSDL 2.0, which is not read; most services also publish WSDL 1.1");
        }
        loader.report.add(&wrong);
        return None;
    }
    let start = tree.root();
    loader.waiting.push_back((file, start, None));
    while let Some((file, node, target)) = loader.waiting.pop_front() {
        loader.unit(file, node, target);
    }
    loader.load_known();
    Some(loader.out)
}

impl Loader<'_> {
    /// The tree of a file; `None` if the file is not valid XML, which is reported.
    fn open(&mut self, path: &str) -> Result<Option<usize>, Unread> {
        if let Some(known) = self.read.get(path) {
            return Ok(*known);
        }
        if self.read.len() >= MAX_FILES {
            return Err(Unread::Missing);
        }
        let bytes = self.files.read(path)?;
        self.bytes += bytes.len();
        let parsed = if self.bytes > MAX_BYTES {
            let id = self.sources.add(path, "");
            let wrong = Diagnostic::new(
                Code::ImportTooLarge,
                Span::new(id, 0, 0),
                "the files are larger than 256 MiB together",
            );
            self.report.add(&wrong);
            None
        } else {
            match decode(&bytes) {
                // A diagnostic shows no source line of a file that is not XML.
                Ok(text) if !text.trim_start().starts_with('<') => {
                    let id = self.sources.add(path, "");
                    self.report.add(&Diagnostic::new(
                        Code::UnreadableXml,
                        Span::new(id, 0, 0),
                        "the file is not XML: it does not begin with a tag",
                    ));
                    None
                }
                Ok(text) => {
                    let id = self.sources.add(path, text);
                    self.parse(id)
                }
                Err(why) => {
                    let id = self.sources.add(path, "");
                    self.report.add(&Diagnostic::new(Code::UnreadableXml, Span::new(id, 0, 0), why));
                    None
                }
            }
        };
        self.read.insert(path.to_owned(), parsed);
        Ok(parsed)
    }

    fn parse(&mut self, id: FileId) -> Option<usize> {
        match Tree::parse(id, self.sources.file(id).text()) {
            Ok(tree) => {
                // One diagnostic per file is enough.
                if let Some((span, prefix)) = tree.undeclared.first() {
                    let told = format!("the prefix {} is not declared", quote(prefix));
                    self.report.add(&Diagnostic::new(Code::UnknownComponent, *span, told));
                }
                self.out.trees.push(tree);
                Some(self.out.trees.len() - 1)
            }
            Err(refused) => {
                self.report.add(&Diagnostic::new(Code::UnreadableXml, refused.span, refused.why));
                None
            }
        }
    }

    /// Reads a `definitions` or `schema` element, and follows its references.
    fn unit(&mut self, file: usize, node: NodeId, including: Option<Rc<str>>) {
        let tree = &self.out.trees[file];
        let element = tree.element(node);
        let own: Rc<str> = element.attribute("targetNamespace").unwrap_or("").trim().into();
        let chameleon = own.is_empty() && including.as_ref().is_some_and(|n| !n.is_empty());
        let target = if chameleon { including.unwrap_or_default() } else { own };
        if !self.seen.insert((file, node, target.clone())) {
            return;
        }
        let unit = Unit {
            file,
            node,
            target: target.clone(),
            chameleon,
            elements_qualified: element.attribute("elementFormDefault") == Some("qualified"),
            attributes_qualified: element.attribute("attributeFormDefault") == Some("qualified"),
            known: false,
        };
        let is_schema = element.local == "schema";
        let mut follow: Vec<(NodeId, Reference)> = Vec::new();
        for child in element.children.iter().copied() {
            let at = tree.element(child);
            match (at.local.as_str(), is_schema) {
                ("import", false) if &*at.namespace == WSDL => follow.push((child, Reference::Wsdl)),
                ("types", false) => {
                    let inner = at.children.iter().filter(|c| {
                        is_xsd(&tree.element(**c).namespace) && tree.element(**c).local == "schema"
                    });
                    self.waiting.extend(inner.map(|schema| (file, *schema, None)));
                }
                ("import", true) => follow.push((child, Reference::Import)),
                ("include" | "redefine" | "override", true) => {
                    follow.push((child, Reference::Include(target.clone())))
                }
                _ => {}
            }
        }
        if is_schema {
            self.out.schemas.push(unit)
        } else {
            self.out.definitions.push(unit)
        }
        for (node, reference) in follow {
            self.follow(file, node, reference);
        }
    }

    fn follow(&mut self, file: usize, node: NodeId, reference: Reference) {
        let element = self.out.trees[file].element(node);
        let span = element.span;
        if matches!(element.local.as_str(), "redefine" | "override") && !element.children.is_empty() {
            let what = format!(
                "what `{}` changes is left out: the components are taken as they are in the file",
                element.local
            );
            self.report.add(&Diagnostic::new(Code::LeftOut, span, what));
        }
        let namespace = element.attribute("namespace").unwrap_or("").trim().to_owned();
        let location = element
            .attribute("schemaLocation")
            .or(element.attribute("location"))
            .unwrap_or("")
            .trim()
            .to_owned();
        if location.is_empty() && (namespace.is_empty() || self.catalogue_file("", &namespace).is_none()) {
            // Without a location, it says only that the namespace is used. Any of the files may have a schema for it.
            return;
        }
        let base = self.sources.file(span.file).name().to_owned();
        let mut candidates: Vec<String> = Vec::new();
        let mapped = self.options.include.iter().filter(|(from, _)| *from == location || *from == namespace);
        candidates.extend(mapped.map(|(_, to)| to.clone()));
        if let Some(relative) = relative(&location) {
            candidates.push(beside(&base, &relative));
        }
        candidates.extend(self.catalogue_file(&location, &namespace));
        let mut refused = is_absolute(&location)
            .then(|| format!("{} is not read: it is an absolute path", quote(&location)));
        for path in candidates {
            match self.open(&path) {
                Ok(Some(found)) => {
                    let tree = &self.out.trees[found];
                    let root = tree.element(tree.root());
                    let fits = match root.local.as_str() {
                        "schema" => is_xsd(&root.namespace),
                        "definitions" => &*root.namespace == WSDL,
                        _ => false,
                    };
                    if !fits {
                        let wrong = format!("{} is neither a WSDL 1.1 nor an XML Schema", quote(&path));
                        self.report.add(&Diagnostic::new(Code::SchemaNotFound, span, wrong));
                        return;
                    }
                    let target = match reference {
                        Reference::Include(target) => Some(target),
                        // Some WSDLs import a schema without a target namespace and mean their own.
                        Reference::Import => Some(namespace.as_str().into()),
                        Reference::Wsdl => None,
                    };
                    self.waiting.push_back((found, tree.root(), target));
                    return;
                }
                Ok(None) => return,
                Err(Unread::Refused(why)) => {
                    refused = refused.or(Some(format!("{} is not read: {why}", quote(&path))))
                }
                Err(Unread::Missing) => {}
            }
        }
        if known::schema(&namespace).is_none() && !is_xsd(&namespace) {
            let what = if location.is_empty() { &namespace } else { &location };
            let told = refused.unwrap_or_else(|| format!("there is no file for {}", quote(what)));
            let help = "nothing is fetched: name the file with --include LOCATION=FILE, or a folder that holds it with --include FOLDER";
            self.report.add(&Diagnostic::new(Code::SchemaNotFound, span, told).help(help));
        }
    }

    /// The catalogue's file for a location or namespace: a file name that ends the location, or else that target namespace.
    fn catalogue_file(&mut self, location: &str, namespace: &str) -> Option<String> {
        let name = base_name(location);
        if !name.is_empty() {
            let named = self.options.catalogue.iter().find(|path| base_name(path) == name);
            if let Some(path) = named {
                return Some(path.clone());
            }
        }
        if namespace.is_empty() {
            return None;
        }
        if self.catalogue.is_none() {
            let mut found = Vec::new();
            for path in &self.options.catalogue {
                let target = self
                    .files
                    .read(path)
                    .ok()
                    .and_then(|bytes| decode(&bytes).ok())
                    .and_then(|text| target_of(&text));
                found.extend(target.map(|target| (target, path.clone())));
            }
            self.catalogue = Some(found);
        }
        let catalogue = self.catalogue.as_deref().unwrap_or_default();
        catalogue.iter().find(|(target, _)| target == namespace).map(|(_, path)| path.clone())
    }

    /// Loads built-in schemas for namespaces that no file was read for.
    fn load_known(&mut self) {
        let read: BTreeSet<Rc<str>> = self.out.schemas.iter().map(|s| s.target.clone()).collect();
        for (namespace, text) in known::SCHEMAS {
            if read.contains(*namespace) || self.known.contains_key(namespace) {
                continue;
            }
            let id = self.sources.add(*namespace, *text);
            if let Some(file) = self.parse(id) {
                self.known.insert(namespace, file);
                let node = self.out.trees[file].root();
                self.out.schemas.push(Unit {
                    file,
                    node,
                    target: (*namespace).into(),
                    chameleon: false,
                    elements_qualified: true,
                    attributes_qualified: self.out.trees[file]
                        .element(node)
                        .attribute("attributeFormDefault")
                        == Some("qualified"),
                    known: true,
                });
            }
        }
    }
}

/// The target namespace of a schema's text, found without parsing all of it.
fn target_of(text: &str) -> Option<String> {
    let mut reader = quick_xml::reader::Reader::from_str(text);
    loop {
        match reader.read_event() {
            Ok(quick_xml::events::Event::Start(tag) | quick_xml::events::Event::Empty(tag)) => {
                let mut attributes = tag.attributes();
                let mut attributes = attributes.with_checks(false).flatten();
                return attributes
                    .find(|a| a.key.as_ref() == "targetNamespace")
                    .map(|a| a.value.trim().to_owned());
            }
            Ok(quick_xml::events::Event::Eof) | Err(_) => return None,
            Ok(_) => {}
        }
    }
}

fn base_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// A location as a relative path; `None` for a URL or an absolute path. `%20` becomes a space, and a backslash a slash.
fn relative(location: &str) -> Option<String> {
    let path = unescape(location).replace('\\', "/");
    let scheme = path.split_once(':').is_some_and(|(scheme, _)| !scheme.is_empty() && !scheme.contains('/'));
    let bad = path.is_empty() || path.starts_with('/') || scheme || path.contains(['\0', '\n']);
    (!bad).then_some(path)
}

/// Whether a location is an absolute path or a `file:` URL.
fn is_absolute(location: &str) -> bool {
    let path = unescape(location);
    let drive = path.as_bytes().get(1) == Some(&b':') && path.as_bytes()[0].is_ascii_alphabetic();
    path.starts_with(['/', '\\'])
        || drive
        || path.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:"))
}

fn unescape(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let escaped = (bytes[at] == b'%').then(|| text.get(at + 1..at + 3)).flatten();
        match escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}

/// Resolves a path against the file `base`, and normalizes it.
fn beside(base: &str, path: &str) -> String {
    let joined = match base.rsplit_once('/') {
        Some((folder, _)) => format!("{folder}/{path}"),
        None => path.to_owned(),
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in joined.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if joined.starts_with('/') && parts.is_empty() => {}
            other => parts.push(other),
        }
    }
    let path = parts.join("/");
    if joined.starts_with('/') { format!("/{path}") } else { path }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_are_paths() {
        assert_eq!(relative("a%20b.xsd").as_deref(), Some("a b.xsd"));
        assert_eq!(relative("..\\x\\a.xsd").as_deref(), Some("../x/a.xsd"));
        assert_eq!(relative("http://example.org/a.xsd"), None);
        assert_eq!(relative("file:///etc/passwd"), None);
        assert_eq!(relative("/etc/passwd"), None);
        let absolute = [
            "/etc/passwd",
            "%2Fetc/passwd",
            "\\\\host\\share\\a.xsd",
            "C:\\a.xsd",
            "c:/a.xsd",
            "FILE:///etc/passwd",
        ];
        assert!(absolute.into_iter().all(|location| is_absolute(location) && relative(location).is_none()));
        assert!(!["a.xsd", "../a.xsd", "http://example.org/a.xsd", "urn:a", ""].into_iter().any(is_absolute));
        assert_eq!(beside("dir/a.wsdl", "../b/./c.xsd"), "b/c.xsd");
        assert_eq!(beside("/x/a.wsdl", "c.xsd"), "/x/c.xsd");
    }
}
