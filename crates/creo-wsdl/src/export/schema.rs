//! Schema types and elements of a description, declared in the schemas of their namespaces.

use super::content::{ONCE, Occurs, anything, commented, documented, is_consistent, meets_any};
use super::derive::same;
use super::node::Node;
use super::problem::Problem;
use super::schemas::{Import, Namespace, Schemas};
use creo_model::{Model, Primitive, TypeId, TypeKind, Xml};
use creo_plan::{
    ArrayLayout, Declared, Field, Kind, Message, Name, Node as Value, Plan, Position, StringForm, schema_type,
};

/// A field with its documentation from the model.
pub struct Part<'a> {
    pub field: &'a Field,
    pub xml: &'a Xml,
    pub doc: Option<&'a str>,
}

/// The type of an element or attribute.
pub enum Form {
    Named(String),
    Anonymous(Node),
}

impl Form {
    pub fn on(self, node: Node) -> Node {
        match self {
            Form::Named(name) => node.with("type", name),
            Form::Anonymous(ty) => node.child(ty),
        }
    }
}

impl<'m> Schemas<'m> {
    /// Collects the types that an interface needs, each in its schema.
    pub fn new(model: &'m Model, plan: &'m Plan, interface: usize) -> Result<Schemas<'m>, Problem> {
        // The fields of a result that are parts of the response are in no type (SOAP-26, SOAP-100).
        let types = plan.reached(interface).into_iter().filter(|id| !model.is_parts(*id));
        let types: Vec<TypeId> = types.collect();
        let mut schemas = Schemas::empty(model, plan, interface, &types)?;
        for id in types {
            schemas.declare(id)?;
        }
        Ok(schemas)
    }

    fn declare(&mut self, id: TypeId) -> Result<(), Problem> {
        let decl = self.model.ty(id);
        if matches!(decl.kind, TypeKind::Exception(_)) {
            let name = &self.plan.record(id).xml;
            let ty = self.record(id, name.namespace, documented(Node::new("xs:complexType"), &decl.notes))?;
            return self.element_of_message(name, ty);
        }
        let name = self.names.get(id).clone();
        let node = match &decl.kind {
            TypeKind::Enum(constants) => {
                let values = constants.iter().zip(&self.plan.enumeration(id).constants);
                let values = values.map(|(constant, planned)| {
                    documented(Node::new("xs:enumeration").with("value", &planned.text), &constant.notes)
                });
                let restriction = Node::new("xs:restriction").with("base", "xs:string").children(values);
                documented(Node::new("xs:simpleType").with("name", &name.local), &decl.notes)
                    .child(restriction)
            }
            TypeKind::Struct(_) | TypeKind::Exception(_) => {
                let ty = documented(Node::new("xs:complexType").with("name", &name.local), &decl.notes);
                self.record(id, name.namespace, ty)?
            }
            TypeKind::Union(_) => {
                match self.union(id, name.namespace, Node::new("xs:complexType").with("name", &name.local))? {
                    Some(ty) => ty,
                    None => return Ok(()),
                }
            }
        };
        self.count(&node)?;
        self.schema(name.namespace).types.push(node);
        Ok(())
    }

    fn union(&mut self, id: TypeId, namespace: Namespace, ty: Node) -> Result<Option<Node>, Problem> {
        let union = self.plan.union(id);
        let notes = &self.model.ty(id).notes;
        if !union.derived {
            let choice = self.choice(namespace, id, ONCE)?;
            let choice = if union.content.ambiguous || !is_consistent(&choice) { anything() } else { choice };
            return Ok(Some(documented(ty, notes).child(choice)));
        }
        if self.derivations.head(id) != Some(id) {
            return Ok(None);
        }
        let ty = documented(ty.with("abstract", "true"), notes);
        Ok(Some(match self.derivations.parent(id) {
            None => ty.child(Node::new("xs:sequence")),
            Some(parent) => ty.child(Node::new("xs:complexContent").child(self.extension(parent, namespace))),
        }))
    }

    fn extension(&mut self, parent: TypeId, namespace: Namespace) -> Node {
        let name = self.names.get(parent).clone();
        Node::new("xs:extension").with("base", self.qualified(namespace, &name))
    }

    /// The type of a struct or exception.
    fn record(&mut self, id: TypeId, namespace: Namespace, ty: Node) -> Result<Node, Problem> {
        let parts = self.parts(id);
        let parent = self.derivations.parent(id);
        // The fields that the extended type already has.
        let inherited = parent.map_or(Vec::new(), |parent| self.all_fields(parent));
        let own: Vec<&Part> = parts
            .iter()
            .filter(|part| !inherited.iter().any(|field| same(self.plan, field, part.field)))
            .collect();
        let attributes = self.attributes(namespace, &own)?;
        if let Some(text) = parts.iter().find(|part| part.field.node.xml.position == Position::Text) {
            let extension = match parent {
                Some(parent) => self.extension(parent, namespace),
                None => {
                    let base = self.text_type(namespace, self.plan.type_name(id), text);
                    Node::new("xs:extension").with("base", base)
                }
            };
            return Ok(ty.child(Node::new("xs:simpleContent").child(extension.children(attributes))));
        }
        let is_last = !self.derivations.is_extended(id);
        let sequence = self.content(namespace, &own, self.plan.record(id).content.ambiguous, is_last)?;
        match parent {
            None => Ok(ty.child(sequence).children(attributes)),
            Some(parent) => {
                let extension = self.extension(parent, namespace);
                let extension =
                    if sequence.children.is_empty() { extension } else { extension.child(sequence) };
                Ok(ty.child(Node::new("xs:complexContent").child(extension.children(attributes))))
            }
        }
    }

    /// The fields of a struct and of all types that it extends.
    fn all_fields(&self, id: TypeId) -> Vec<&'m Field> {
        let mut fields: Vec<&Field> = match self.plan.declared(id) {
            Declared::Record(record) => record.fields.iter().collect(),
            Declared::Union(_) | Declared::Enum(_) => Vec::new(),
        };
        if let Some(parent) = self.derivations.parent(id) {
            fields.extend(self.all_fields(parent));
        }
        fields
    }

    /// The simple type of a struct's text. It is named since another type extends it.
    fn text_type(&mut self, namespace: Namespace, owner: &Name, part: &Part) -> String {
        match self.simple(namespace, part, &part.field.node) {
            Form::Named(name) => name,
            Form::Anonymous(ty) => {
                let wanted = Name { local: format!("{}Text", owner.local), namespace };
                let name = self.names.free(&wanted);
                let named = Node { attributes: vec![("name".to_owned(), name.local.clone())], ..ty };
                self.schema(namespace).types.push(named);
                self.prefixed(&name)
            }
        }
    }

    fn parts(&self, id: TypeId) -> Vec<Part<'m>> {
        let fields = self.model.ty(id).fields().iter().zip(self.plan.members(id));
        let part = |(said, field): (&'m creo_model::Field, &'m Field)| Part {
            field,
            xml: said.notes.xml(),
            doc: said.notes.doc.as_deref(),
        };
        fields.map(part).collect()
    }

    /// The content of a struct or message, or a wildcard if no schema can describe it.
    fn content(
        &mut self,
        namespace: Namespace,
        parts: &[&Part],
        ambiguous: bool,
        is_last: bool,
    ) -> Result<Node, Problem> {
        let sequence = self.sequence(namespace, parts, ONCE, is_last)?;
        Ok(if ambiguous || !is_consistent(&sequence) || meets_any(&sequence) { anything() } else { sequence })
    }

    /// The elements of fields, in order. `is_last`: no element follows them, so a wildcard is allowed.
    fn sequence(
        &mut self,
        namespace: Namespace,
        parts: &[&Part],
        occurs: Occurs,
        is_last: bool,
    ) -> Result<Node, Problem> {
        let mut sequence = occurs.on(Node::new("xs:sequence"));
        let elements: Vec<&&Part> = parts
            .iter()
            .filter(|part| {
                matches!(part.field.node.xml.position, Position::Element | Position::Inline | Position::Any)
            })
            .collect();
        for (index, part) in elements.iter().enumerate() {
            let node = if part.field.node.xml.position == Position::Any {
                // XML Schema must know each element's field; an element of the same namespace could belong to the field before.
                let before = index.checked_sub(1).map(|before| elements[before]);
                let is_definite = before.is_none_or(|before| {
                    before.field.node.xml.position == Position::Element
                        && Occurs::of(before.field).least == 1
                        && !Occurs::of(before.field).unbounded
                });
                let namespace =
                    if is_last && index + 1 == elements.len() && is_definite { "##any" } else { "##other" };
                let any = Node::new("xs:any").with("namespace", namespace).with("processContents", "lax");
                commented(Occurs::of(part.field).on(any), part.doc)
            } else {
                self.particle(namespace, part)?
            };
            self.count(&node)?;
            sequence.children.push(node);
        }
        Ok(sequence)
    }

    /// The element of a field, or its inline content.
    fn particle(&mut self, namespace: Namespace, part: &Part) -> Result<Node, Problem> {
        let (value, occurs) = (&part.field.node, Occurs::of(part.field));
        if value.xml.position == Position::Inline {
            return self.inline(namespace, value, occurs);
        }
        self.element(namespace, part, stripped(value), occurs)
    }

    fn inline(&mut self, namespace: Namespace, value: &Value, occurs: Occurs) -> Result<Node, Problem> {
        match &value.kind {
            Kind::Optional(inner) => self.inline(namespace, inner, occurs),
            Kind::Array { layout: ArrayLayout::Repeated, item, .. } => self.inline(namespace, item, occurs),
            Kind::Record(id) => {
                let parts = self.parts(*id);
                let parts: Vec<&Part> = parts.iter().collect();
                self.sequence(namespace, &parts, occurs, false)
            }
            Kind::Union(id) => self.choice(namespace, *id, occurs),
            Kind::Scalar(_)
            | Kind::String(_)
            | Kind::Decimal
            | Kind::Bytes { .. }
            | Kind::Enum(_)
            | Kind::Array { layout: ArrayLayout::Wrapped | ArrayLayout::List, .. }
            | Kind::Map { .. } => unreachable!("`check` lets nothing else be inline"),
        }
    }

    fn choice(&mut self, namespace: Namespace, id: TypeId, occurs: Occurs) -> Result<Node, Problem> {
        let mut choice = occurs.on(Node::new("xs:choice"));
        for part in self.parts(id) {
            let value = &part.field.node;
            let node = if value.xml.position == Position::Inline {
                let unbounded = matches!(value.kind, Kind::Array { layout: ArrayLayout::Repeated, .. });
                let mut content = self.inline(namespace, value, Occurs { least: 1, unbounded })?;
                // XML-35: inline content has at least one element. A schema cannot say that of several.
                if let [only] = content.children.as_mut_slice() {
                    only.attributes.retain(|(name, _)| name != "minOccurs");
                }
                content
            } else {
                self.element(namespace, &part, value, ONCE)?
            };
            self.count(&node)?;
            choice.children.push(node);
        }
        Ok(choice)
    }

    /// An element within a type. An element of another namespace is declared at the top of that namespace's schema.
    fn element(
        &mut self,
        from: Namespace,
        part: &Part,
        value: &Value,
        occurs: Occurs,
    ) -> Result<Node, Problem> {
        let name = &value.xml.name;
        let nillable = value.xml.nillable || self.has_nil_text(value);
        if name.namespace.is_some() && name.namespace != from {
            let form = self.form(name.namespace, part, value)?;
            self.element_at_top(name, nillable, form, None)?;
            let reference = self.qualified(from, name);
            return Ok(commented(occurs.on(Node::new("xs:element").with("ref", reference)), part.doc));
        }
        let node = Node::new("xs:element").with("name", &name.local);
        let form = self.form_of(from, name.namespace, part, value)?;
        let (node, ty) = match form {
            Form::Named(ty) => (node.with("type", ty), None),
            Form::Anonymous(ty) => (node, Some(ty)),
        };
        let node = if nillable { node.with("nillable", "true") } else { node };
        let node = occurs.on(node);
        // Without a target namespace, qualified and unqualified elements are the same.
        let node = if from.is_some() {
            node.with("form", if name.namespace.is_some() { "qualified" } else { "unqualified" })
        } else {
            node
        };
        Ok(commented(node, part.doc).children(ty))
    }

    /// A top-level element of a schema: that of a message or fault, or of a type of another namespace.
    fn element_at_top(
        &mut self,
        name: &Name,
        nillable: bool,
        form: Form,
        doc: Option<&str>,
    ) -> Result<(), Problem> {
        let node = Node::new("xs:element").with("name", &name.local);
        let (node, ty) = match form {
            Form::Named(ty) => (node.with("type", ty), None),
            Form::Anonymous(ty) => (node, Some(ty)),
        };
        let node = if nillable { node.with("nillable", "true") } else { node };
        let node = commented(node, doc).children(ty);
        self.count(&node)?;
        let known =
            self.schema(name.namespace).elements.entry(name.local.clone()).or_insert_with(|| node.clone());
        if *known == node { Ok(()) } else { Err(self.same_element(name)) }
    }

    pub fn same_element(&self, name: &Name) -> Problem {
        let namespace =
            name.namespace.map(|namespace| self.plan.namespaces()[namespace].clone()).unwrap_or_default();
        Problem::SameElement { name: name.local.clone(), namespace }
    }

    fn form(&mut self, namespace: Namespace, part: &Part, value: &Value) -> Result<Form, Problem> {
        self.form_of(namespace, namespace, part, value)
    }

    /// The type of an element in the schema of `from`, whose items are in `inner`.
    fn form_of(
        &mut self,
        from: Namespace,
        inner: Namespace,
        part: &Part,
        value: &Value,
    ) -> Result<Form, Problem> {
        match &value.kind {
            Kind::String(StringForm::Raw) => Ok(Form::Named("xs:anyType".to_owned())),
            Kind::Scalar(_)
            | Kind::String(StringForm::Plain | StringForm::Token | StringForm::QName)
            | Kind::Decimal
            | Kind::Bytes { .. }
            | Kind::Enum(_)
            | Kind::Array { layout: ArrayLayout::List, .. } => Ok(self.simple(from, part, value)),
            Kind::Optional(value) => self.form_of(from, inner, part, value),
            Kind::Record(id) => {
                let name = self.names.get(*id).clone();
                Ok(Form::Named(self.qualified(from, &name)))
            }
            Kind::Union(id) => {
                let head = if self.plan.union(*id).derived { self.derivations.head(*id) } else { Some(*id) };
                let Some(head) = head else { return Ok(Form::Named("xs:anyType".to_owned())) };
                let name = self.names.get(head).clone();
                Ok(Form::Named(self.qualified(from, &name)))
            }
            Kind::Array { layout: ArrayLayout::Wrapped, item, .. }
                if self.plan.interface(self.interface).encoded =>
            {
                self.encoded_array(from, part, value, item)
            }
            Kind::Array { layout: ArrayLayout::Wrapped, item, .. } => {
                let item = self.item(from, item, part, Occurs { least: 0, unbounded: true })?;
                self.collection(from, part, value, item)
            }
            Kind::Map { key, value: item, attributes: false } => {
                let least = if item.is_optional() { 0 } else { 1 };
                let inside = Node::new("xs:sequence").child(self.item(from, key, part, ONCE)?);
                let inside = inside.child(self.item(from, item, part, Occurs { least, unbounded: false })?);
                let entry = Node::new("xs:element").with("name", "entry");
                let entry = Occurs { least: 0, unbounded: true }.on(entry);
                let entry = if from.is_some() {
                    entry.with("form", if inner.is_some() { "qualified" } else { "unqualified" })
                } else {
                    entry
                };
                let entry = entry.child(Node::new("xs:complexType").child(inside));
                self.collection(from, part, value, entry)
            }
            Kind::Array { layout: ArrayLayout::Repeated, .. } | Kind::Map { attributes: true, .. } => {
                unreachable!("these are no elements")
            }
        }
    }

    /// The type of an array or map with a single element.
    fn collection(
        &mut self,
        from: Namespace,
        part: &Part,
        value: &Value,
        element: Node,
    ) -> Result<Form, Problem> {
        self.named(from, part, value, Node::new("xs:sequence").child(element))
    }

    /// A named type for anonymous content. The same content gets the same type.
    fn named(&mut self, from: Namespace, part: &Part, value: &Value, content: Node) -> Result<Form, Problem> {
        self.count(&content)?;
        if let Some(name) = self.collections.get(&(from, content.clone())) {
            return Ok(Form::Named(self.prefixed(name)));
        }
        let name = self.names.free(&Name { local: self.words(part, value), namespace: from });
        let ty = Node::new("xs:complexType").with("name", &name.local).child(content.clone());
        self.schema(from).types.push(ty);
        let form = Form::Named(self.prefixed(&name));
        self.collections.insert((from, content), name);
        Ok(form)
    }

    /// The array of SOAP encoding (SOAP-31).
    fn encoded_array(
        &mut self,
        from: Namespace,
        part: &Part,
        value: &Value,
        item: &Value,
    ) -> Result<Form, Problem> {
        let items = match self.form_of(from, None, part, item)? {
            Form::Named(name) => name,
            Form::Anonymous(_) => "xs:anyType".to_owned(),
        };
        self.schema(from).imports.insert(Import::Encoding);
        let attribute = Node::new("xs:attribute")
            .with("ref", "soapenc:arrayType")
            .with("wsdl:arrayType", format!("{items}[]"));
        let restriction = Node::new("xs:restriction").with("base", "soapenc:Array").child(attribute);
        self.named(from, part, value, Node::new("xs:complexContent").child(restriction))
    }

    /// The type of a part of an encoded message.
    pub fn part_type(
        &mut self,
        namespace: Namespace,
        field: &'m Field,
        said: Said<'m>,
    ) -> Result<String, Problem> {
        match self.form_of(namespace, None, &said.part(field), &field.node)? {
            Form::Named(name) => Ok(name),
            Form::Anonymous(_) => Ok(self.text_type(namespace, &field.node.xml.name, &said.part(field))),
        }
    }

    /// The name for a type that has none: `ArrayOfInt`, `MapOfStringToData`.
    fn words(&self, part: &Part, value: &Value) -> String {
        let builtin = |name: &'static str| capitalised(part.xml.schema_type.unwrap_or(name));
        match &value.kind {
            Kind::Scalar(known) => builtin(schema_type(known.primitive())),
            Kind::String(StringForm::Plain) => builtin(schema_type(Primitive::String)),
            Kind::Decimal => builtin(schema_type(Primitive::Decimal)),
            Kind::String(StringForm::Token) => builtin("token"),
            Kind::String(StringForm::QName) => "QName".to_owned(),
            Kind::String(StringForm::Raw) => "Any".to_owned(),
            Kind::Bytes { hex } => if *hex { "HexBinary" } else { "Base64Binary" }.to_owned(),
            Kind::Enum(id) | Kind::Record(id) | Kind::Union(id) => capitalised(&self.names.get(*id).local),
            Kind::Optional(inner) => format!("Nillable{}", self.words(part, inner)),
            Kind::Array { layout: ArrayLayout::List, item, .. } => {
                format!("ListOf{}", self.words(part, item))
            }
            Kind::Array { layout: ArrayLayout::Wrapped | ArrayLayout::Repeated, item, .. } => {
                format!("ArrayOf{}", self.words(part, item))
            }
            Kind::Map { key, value, attributes: false } => {
                format!("MapOf{}To{}", self.words(part, key), self.words(part, value))
            }
            Kind::Map { attributes: true, .. } => "Attributes".to_owned(),
        }
    }

    /// An item, key or value, in the namespace of the surrounding element.
    fn item(&mut self, from: Namespace, item: &Value, part: &Part, occurs: Occurs) -> Result<Node, Problem> {
        self.element(from, &Part { doc: None, ..*part }, item, occurs)
    }

    /// Whether the value's text may be nil (XML-32).
    fn has_nil_text(&self, value: &Value) -> bool {
        match &value.kind {
            Kind::Optional(inner) => self.has_nil_text(inner),
            Kind::Record(id) => {
                let record = self.plan.record(*id);
                record.text.is_some_and(|text| record.fields[text].node.xml.nillable)
            }
            Kind::Union(id) => {
                let union = self.plan.union(*id);
                union.derived && union.members.iter().any(|member| self.has_nil_text(&member.node))
            }
            Kind::Scalar(_)
            | Kind::String(_)
            | Kind::Decimal
            | Kind::Bytes { .. }
            | Kind::Array { .. }
            | Kind::Map { .. }
            | Kind::Enum(_) => false,
        }
    }

    /// The element of a message's body with all fields but headers, or of a bare message the elements of its fields.
    pub fn body(&mut self, message: &Message, fields: &[(&'m Field, Said<'m>)]) -> Result<(), Problem> {
        let (name, bare, ambiguous) = (&message.element, message.bare, message.record.content.ambiguous);
        let parts: Vec<Part> = fields.iter().map(|(field, said)| said.part(field)).collect();
        let parts: Vec<&Part> = parts.iter().collect();
        if bare {
            return parts.iter().try_for_each(|part| self.top(part));
        }
        let sequence = self.content(name.namespace, &parts, ambiguous, true)?;
        let attributes = self.attributes(name.namespace, &parts)?;
        let ty = Node::new("xs:complexType").child(sequence).children(attributes);
        self.element_of_message(name, ty)
    }

    /// A top-level element with a type that nothing else uses. The type is anonymous unless its class name would clash.
    fn element_of_message(&mut self, name: &Name, ty: Node) -> Result<(), Problem> {
        let anonymous = Node::new("xs:element").with("name", &name.local).child(ty.clone());
        let is_known = self.schema(name.namespace).elements.get(&name.local) == Some(&anonymous);
        if is_known || self.names.take_alone(name) {
            return self.element_at_top(name, false, Form::Anonymous(ty), None);
        }
        let named =
            self.names.free(&Name { local: format!("{}Message", name.local), namespace: name.namespace });
        let ty = Node { attributes: vec![("name".to_owned(), named.local.clone())], ..ty };
        self.count(&ty)?;
        self.schema(name.namespace).types.push(ty);
        let form = Form::Named(self.prefixed(&named));
        self.element_at_top(name, false, form, None)
    }

    /// The element of a header.
    pub fn header(&mut self, field: &'m Field, said: Said<'m>) -> Result<(), Problem> {
        self.top(&said.part(field))
    }

    fn top(&mut self, part: &Part) -> Result<(), Problem> {
        let value = stripped(&part.field.node);
        let form = self.form(value.xml.name.namespace, part, value)?;
        let nillable = value.xml.nillable || self.has_nil_text(value);
        self.element_at_top(&value.xml.name, nillable, form, part.doc)
    }
}

/// What the model says about a parameter or result.
#[derive(Clone, Copy)]
pub struct Said<'m> {
    pub xml: &'m Xml,
    pub doc: Option<&'m str>,
}

impl<'m> Said<'m> {
    fn part(self, field: &'m Field) -> Part<'m> {
        Part { field, xml: self.xml, doc: self.doc }
    }
}

fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// The value that has the element.
fn stripped(value: &Value) -> &Value {
    match &value.kind {
        Kind::Array { layout: ArrayLayout::Repeated, item, .. } => stripped(item),
        Kind::Array { layout: ArrayLayout::Wrapped | ArrayLayout::List, .. }
        | Kind::Scalar(_)
        | Kind::String(_)
        | Kind::Decimal
        | Kind::Bytes { .. }
        | Kind::Map { .. }
        | Kind::Optional(_)
        | Kind::Record(_)
        | Kind::Union(_)
        | Kind::Enum(_) => value,
    }
}
