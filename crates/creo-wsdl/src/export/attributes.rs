//! Attributes, and the types of texts.

use super::Problem;
use super::content::commented;
use super::literals;
use super::node::Node;
use super::schema::{Form, Part};
use super::schemas::{Import, Namespace, Schemas};
use creo_model::{Primitive, XML_NAMESPACE};
use creo_plan::{ArrayLayout, Kind, Node as Value, Position, StringForm, schema_type};

impl Schemas<'_> {
    /// The attributes of a struct or message.
    pub fn attributes(&mut self, namespace: Namespace, parts: &[&Part]) -> Result<Vec<Node>, Problem> {
        let mut nodes = Vec::new();
        for part in parts.iter().filter(|part| part.field.node.xml.position == Position::Attribute) {
            nodes.push(self.attribute(namespace, part)?);
        }
        if let Some(part) = parts.iter().find(|part| part.field.node.xml.position == Position::AnyAttribute) {
            let any = Node::new("xs:anyAttribute").with("namespace", "##any").with("processContents", "lax");
            nodes.push(commented(any, part.doc));
        }
        Ok(nodes)
    }

    fn attribute(&mut self, namespace: Namespace, part: &Part) -> Result<Node, Problem> {
        let field = part.field;
        let name = &field.node.xml.name;
        let default = field
            .default
            .as_ref()
            .filter(|_| !is_qname(&field.node))
            .and_then(|literal| literals::text(self.plan, literal, &field.node.ty));
        let usage = |node: Node| {
            let node = if field.may_be_missing() { node } else { node.with("use", "required") };
            let node = default.iter().fold(node, |node, text| node.with("default", text));
            commented(node, part.doc)
        };
        let at_home = name.namespace == namespace && namespace.is_some();
        if name.namespace.is_none() || at_home {
            let node = Node::new("xs:attribute").with("name", &name.local);
            let node = usage(if at_home { node.with("form", "qualified") } else { node });
            return Ok(match self.simple(namespace, part, &field.node) {
                Form::Named(ty) => {
                    let mut node = node;
                    node.attributes.insert(1, ("type".to_owned(), ty));
                    node
                }
                Form::Anonymous(ty) => node.child(ty),
            });
        }
        if name.namespace.is_some_and(|index| self.plan.namespaces()[index] == XML_NAMESPACE) {
            self.schema(namespace).imports.insert(Import::Xml);
            self.xml_attributes.insert(name.local.clone());
            return Ok(usage(Node::new("xs:attribute").with("ref", format!("xml:{}", name.local))));
        }
        // An attribute of another namespace is declared at the top of that namespace's schema.
        let form = self.simple(name.namespace, part, &field.node);
        let top = form.on(Node::new("xs:attribute").with("name", &name.local));
        self.count(&top)?;
        let known =
            self.schema(name.namespace).attributes.entry(name.local.clone()).or_insert_with(|| top.clone());
        if *known != top {
            return Err(self.same_element(name));
        }
        let reference = self.qualified(namespace, name);
        Ok(usage(Node::new("xs:attribute").with("ref", reference)))
    }

    /// The type of a text.
    pub fn simple(&mut self, namespace: Namespace, part: &Part, value: &Value) -> Form {
        let said = part.xml.schema_type;
        let builtin = |name: &str| Form::Named(format!("xs:{}", said.unwrap_or(name)));
        match &value.kind {
            Kind::Optional(inner) => self.simple(namespace, part, inner),
            Kind::Scalar(known) => builtin(schema_type(known.primitive())),
            Kind::String(StringForm::Plain) => builtin(schema_type(Primitive::String)),
            Kind::Decimal => builtin(schema_type(Primitive::Decimal)),
            Kind::String(StringForm::Token) => builtin("token"),
            Kind::String(StringForm::QName) => Form::Named("xs:QName".to_owned()),
            Kind::Bytes { hex } => {
                Form::Named(if *hex { "xs:hexBinary" } else { "xs:base64Binary" }.to_owned())
            }
            Kind::Enum(id) => {
                let name = self.names.get(*id).clone();
                Form::Named(self.qualified(namespace, &name))
            }
            Kind::Array { layout: ArrayLayout::List, item, .. } => {
                let list = Node::new("xs:list");
                let list = match self.simple(namespace, part, item) {
                    Form::Named(name) => list.with("itemType", name),
                    Form::Anonymous(ty) => list.child(ty),
                };
                Form::Anonymous(Node::new("xs:simpleType").child(list))
            }
            Kind::Record(_)
            | Kind::Union(_)
            | Kind::String(StringForm::Raw)
            | Kind::Array { layout: ArrayLayout::Repeated | ArrayLayout::Wrapped, .. }
            | Kind::Map { .. } => unreachable!("`check` lets nothing else be a text"),
        }
    }
}

/// Whether the value is a name or a list of names, whose text depends on the prefixes in scope.
fn is_qname(node: &Value) -> bool {
    match &node.kind {
        Kind::Optional(inner) | Kind::Array { layout: ArrayLayout::List, item: inner, .. } => is_qname(inner),
        Kind::String(form) => *form == StringForm::QName,
        Kind::Array { layout: ArrayLayout::Repeated | ArrayLayout::Wrapped, .. }
        | Kind::Scalar(_)
        | Kind::Decimal
        | Kind::Bytes { .. }
        | Kind::Map { .. }
        | Kind::Record(_)
        | Kind::Union(_)
        | Kind::Enum(_) => false,
    }
}
