//! Attributes, and the types of texts.

use super::Problem;
use super::content::{commented, scalar};
use super::literals;
use super::node::Node;
use super::schema::{Form, Import, Namespace, Part, Schemas};
use creo_model::text::{Place, Value, XML_NAMESPACE};

impl Schemas<'_> {
    /// Those of a struct or message.
    pub fn attributes(&mut self, namespace: Namespace, parts: &[&Part]) -> Result<Vec<Node>, Problem> {
        let mut nodes = Vec::new();
        for part in parts.iter().filter(|part| part.field.place == Place::Attribute) {
            nodes.push(self.attribute(namespace, part)?);
        }
        if let Some(part) = parts.iter().find(|part| part.field.place == Place::AnyAttribute) {
            let any = Node::new("xs:anyAttribute").with("namespace", "##any").with("processContents", "lax");
            nodes.push(commented(any, part.doc));
        }
        Ok(nodes)
    }

    fn attribute(&mut self, namespace: Namespace, part: &Part) -> Result<Node, Problem> {
        let name = &part.field.xml;
        let optional = matches!(part.field.value, Value::Optional(_)) || part.default.is_some();
        let default = part.default.filter(|_| !is_qname(&part.field.value)).and_then(|literal| literals::text(self.plan, literal, part.ty));
        let usage = |node: Node| {
            let node = if optional { node } else { node.with("use", "required") };
            let node = default.iter().fold(node, |node, text| node.with("default", text));
            commented(node, part.doc)
        };
        let at_home = name.namespace == namespace && namespace.is_some();
        if name.namespace.is_none() || at_home {
            let node = Node::new("xs:attribute").with("name", &name.local);
            let node = usage(if at_home { node.with("form", "qualified") } else { node });
            return Ok(match self.simple(namespace, part, &part.field.value) {
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
        // An attribute of another namespace stands at the top of that one's schema.
        let form = self.simple(name.namespace, part, &part.field.value);
        let top = form.on(Node::new("xs:attribute").with("name", &name.local));
        self.count(&top)?;
        let known = self.schema(name.namespace).attributes.entry(name.local.clone()).or_insert_with(|| top.clone());
        if *known != top {
            return Err(self.same_element(name));
        }
        let reference = self.qualified(namespace, name);
        Ok(usage(Node::new("xs:attribute").with("ref", reference)))
    }

    /// The type of a text.
    pub fn simple(&mut self, namespace: Namespace, part: &Part, value: &Value) -> Form {
        let said = part.xml.schema_type;
        match value {
            Value::Optional(value) => self.simple(namespace, part, value),
            Value::Scalar(primitive) => Form::Named(format!("xs:{}", said.unwrap_or(scalar(*primitive)))),
            Value::QName => Form::Named("xs:QName".to_owned()),
            Value::Token => Form::Named(format!("xs:{}", said.unwrap_or("token"))),
            Value::Bytes { hex } => Form::Named(if *hex { "xs:hexBinary" } else { "xs:base64Binary" }.to_owned()),
            Value::Enum(id) => {
                let name = self.names.get(*id).clone();
                Form::Named(self.qualified(namespace, &name))
            }
            Value::List(item) => {
                let list = Node::new("xs:list");
                let list = match self.simple(namespace, part, item) {
                    Form::Named(name) => list.with("itemType", name),
                    Form::Anonymous(ty) => list.child(ty),
                };
                Form::Anonymous(Node::new("xs:simpleType").child(list))
            }
            Value::Record(_) | Value::Union(_) | Value::Raw | Value::Repeated(_) | Value::Wrapped(_) | Value::Entries(..) | Value::Attributes => {
                unreachable!("`check` lets nothing else be a text")
            }
        }
    }
}

/// Whether it is a name or a list of names, whose text depends on the prefixes where it stands.
fn is_qname(value: &Value) -> bool {
    match value {
        Value::Optional(inner) | Value::List(inner) => is_qname(inner),
        value => *value == Value::QName,
    }
}
