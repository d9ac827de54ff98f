//! The schemas of an interface, one for each namespace, with their imports and prefixes.

use super::content::{drop_forms, forms};
use super::derive::Derivations;
use super::names::{TypeNames, prefixes};
use super::node::Node;
use super::problem::{MAX_NODES, Problem};
use creo_model::{Model, TypeId, XML_NAMESPACE};
use creo_plan::{Name, Plan, SOAP_ENCODING};
use std::collections::{BTreeMap, BTreeSet};

/// A namespace; `None` is one too.
pub type Namespace = Option<usize>;

/// The top-level contents of a schema.
#[derive(Default)]
pub struct Schema {
    pub elements: BTreeMap<String, Node>,
    pub attributes: BTreeMap<String, Node>,
    pub types: Vec<Node>,
    pub imports: BTreeSet<Import>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Import {
    Of(Namespace),
    /// The namespace of `xml:lang`.
    Xml,
    /// The namespace of SOAP encoding.
    Encoding,
}

/// The schemas of an interface.
pub struct Schemas<'m> {
    pub model: &'m Model,
    pub plan: &'m Plan,
    pub interface: usize,
    prefixes: BTreeMap<usize, String>,
    pub names: TypeNames,
    pub derivations: Derivations,
    schemas: BTreeMap<Namespace, Schema>,
    /// The attributes of the XML namespace that are used.
    pub xml_attributes: BTreeSet<String>,
    /// The types of arrays and maps by schema and content. Each has one name, so class generators create one class.
    pub collections: BTreeMap<(Namespace, Node), Name>,
    size: usize,
}

impl<'m> Schemas<'m> {
    /// Creates empty schemas.
    pub fn empty(
        model: &'m Model,
        plan: &'m Plan,
        interface: usize,
        types: &[TypeId],
    ) -> Result<Schemas<'m>, Problem> {
        Ok(Schemas {
            model,
            plan,
            interface,
            prefixes: prefixes(plan, interface, types),
            names: TypeNames::new(model, plan, types)?,
            derivations: Derivations::new(plan, types),
            schemas: BTreeMap::new(),
            xml_attributes: BTreeSet::new(),
            collections: BTreeMap::new(),
            size: 0,
        })
    }

    /// The prefixed name. The schema that uses it imports the name's schema.
    pub fn qualified(&mut self, from: Namespace, name: &Name) -> String {
        if name.namespace != from {
            self.schema(from).imports.insert(Import::Of(name.namespace));
        }
        self.prefixed(name)
    }

    /// The prefixed name, for use outside schemas.
    pub fn prefixed(&self, name: &Name) -> String {
        match name.namespace {
            Some(namespace) => format!("{}:{}", self.prefixes[&namespace], name.local),
            None => name.local.clone(),
        }
    }

    /// The prefixes and their namespaces.
    pub fn declarations(&self) -> impl Iterator<Item = (&str, &str)> {
        self.prefixes
            .iter()
            .map(|(namespace, prefix)| (prefix.as_str(), self.plan.namespaces()[*namespace].as_str()))
    }

    pub fn schema(&mut self, namespace: Namespace) -> &mut Schema {
        self.schemas.entry(namespace).or_default()
    }

    pub fn count(&mut self, node: &Node) -> Result<(), Problem> {
        self.size += node.size();
        if self.size > MAX_NODES { Err(Problem::TooLarge) } else { Ok(()) }
    }

    /// All schemas, by namespace.
    pub fn nodes(&mut self) -> Vec<Node> {
        // An imported schema is written even if it declares nothing.
        let imported: Vec<Namespace> = self
            .schemas
            .values()
            .flat_map(|schema| &schema.imports)
            .filter_map(|import| if let Import::Of(namespace) = import { Some(*namespace) } else { None })
            .collect();
        imported.into_iter().for_each(|namespace| _ = self.schema(namespace));
        let schemas = std::mem::take(&mut self.schemas);
        let of_xml = (!self.xml_attributes.is_empty()).then(|| {
            // Readers would try to download it.
            let attributes = self.xml_attributes.iter().map(|name| {
                let ty = match name.as_str() {
                    "space" => "xs:NCName",
                    "base" => "xs:anyURI",
                    "id" => "xs:ID",
                    _ => "xs:language",
                };
                Node::new("xs:attribute").with("name", name).with("type", ty)
            });
            Node::new("xs:schema").with("targetNamespace", XML_NAMESPACE).children(attributes)
        });
        of_xml
            .into_iter()
            .chain(schemas.into_iter().map(|(namespace, schema)| self.node(namespace, schema)))
            .collect()
    }

    fn node(&self, namespace: Namespace, schema: Schema) -> Node {
        let mut node = Node::new("xs:schema");
        if let Some(index) = namespace {
            node = node.with("targetNamespace", &self.plan.namespaces()[index]);
        }
        let imports = schema.imports.iter().map(|import| match import {
            Import::Of(Some(index)) => {
                Node::new("xs:import").with("namespace", &self.plan.namespaces()[*index])
            }
            Import::Of(None) => Node::new("xs:import"),
            Import::Xml => Node::new("xs:import").with("namespace", XML_NAMESPACE),
            Import::Encoding => Node::new("xs:import").with("namespace", SOAP_ENCODING),
        });
        let mut children: Vec<Node> = imports.collect();
        children.extend(schema.attributes.into_values());
        children.extend(schema.elements.into_values());
        children.extend(schema.types);
        let (mut qualified, mut unqualified) = (0, 0);
        children.iter().for_each(|child| forms(child, &mut qualified, &mut unqualified));
        let default =
            if namespace.is_some() && qualified >= unqualified { "qualified" } else { "unqualified" };
        children.iter_mut().for_each(|child| drop_forms(child, default));
        if namespace.is_some() {
            node = node.with("elementFormDefault", default);
        }
        node.children(children)
    }
}
