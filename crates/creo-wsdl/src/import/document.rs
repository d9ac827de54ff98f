//! Document style: the parts in a body are its elements, or one has the body's own type (SOAP-5, SOAP-6, SOAP-91 to SOAP-93).

use crate::import::draft::{Decl, Field, Method, Notes, Rank, Response, Shape, Ty, plain};
use crate::import::fields::{Owner, element};
use crate::import::mapper::Mapper;
use crate::import::slots::{Slot, content};
use crate::import::table::{Kind, QName, Spot};
use crate::import::text::capitalised;
use crate::import::wsdl::{Operation, Part};
use creo_diag::{Code, quote};

/// The content of a body.
enum Body {
    /// One element, and where it is declared, if it is.
    Element(QName, Option<Spot>),
    /// Elements that stand in the body themselves; none if it is empty.
    Fields(Vec<Field>),
}

impl Mapper<'_> {
    /// `None`: the operation is left out, which is reported.
    pub fn document(
        &mut self,
        operation: &Operation,
        input: &[Part],
        output: Option<&[Part]>,
        method: &mut Method,
    ) -> Option<()> {
        match self.body(operation, input, "request")? {
            Body::Element(name, spot) => match spot.and_then(|spot| self.unwrapped(spot, &operation.name)) {
                Some(fields) if *name.local == *operation.name || fields.is_empty() => {
                    method.wrapper = Some(name);
                    method.parameters = fields;
                }
                _ => {
                    let field = self.body_field(&name, spot);
                    method.parameters.push(field);
                }
            },
            Body::Fields(fields) => method.parameters = fields,
        }
        // An empty body is identified by its action alone (SOAP-7).
        if method.wrapper.is_none() && method.parameters.is_empty() && method.action.as_deref() == Some("") {
            method.action = None;
            method
                .notes
                .comments
                .push("The WSDL has no action for this, and the body is empty: the action is the one that stands for none.".to_owned());
        }
        let Some(output) = output else { return Some(()) };
        match self.body(operation, output, "response")? {
            Body::Element(name, spot) => self.response(operation, name, spot, method),
            Body::Fields(fields) if fields.len() > 1 => self.several(operation, fields, method),
            Body::Fields(mut fields) => {
                let field = fields.pop();
                let element = field.as_ref().and_then(|field| field.xml.clone());
                let element = element.unwrap_or_else(|| QName::new("", ""));
                method.response = Some(Response { element, bare: true, several: false });
                method.result = field.map(without_doc);
            }
        }
        Some(())
    }

    /// The response whose body has several elements, the fields of one struct (SOAP-100).
    fn several(&mut self, operation: &Operation, mut fields: Vec<Field>, method: &mut Method) {
        // An element of a body is always nillable, if it is optional.
        fields.iter_mut().for_each(|field| field.marks.nillable = false);
        let element = fields.iter().find_map(|field| field.xml.clone()).unwrap_or_else(|| QName::new("", ""));
        let id = self.add(Decl {
            shape: Shape::Struct(fields),
            name: capitalised(&format!("{}Answer", operation.name)),
            suffix: "Result",
            rank: Rank::Anonymous,
            xml: None,
            namespace: element.namespace.clone(),
            notes: Notes { doc: format!("What {} gives.", operation.name), comments: Vec::new() },
        });
        method.result = Some(plain("result", Ty::Decl(id)));
        method.response = Some(Response { element, bare: true, several: true });
    }

    /// The response whose body is one element.
    fn response(&mut self, operation: &Operation, name: QName, spot: Option<Spot>, method: &mut Method) {
        // A named type is kept as a value, unless its element is named after the operation.
        let wrapper = spot.filter(|spot| {
            name.local.starts_with(operation.name.as_str())
                || self.table.element(*spot).attribute("type").is_none()
        });
        match wrapper.and_then(|spot| self.unwrapped(spot, &name.local)) {
            Some(mut fields) if fields.len() <= usize::from(method.wrapper.is_some()) => {
                method.result = fields.pop();
                method.response = Some(Response { element: name, bare: false, several: false });
            }
            _ => {
                method.result = Some(without_doc(self.body_field(&name, spot)));
                method.response = Some(Response { element: name, bare: true, several: false });
            }
        }
    }

    /// An element of the body as a field. An undeclared element is raw XML.
    fn body_field(&mut self, name: &QName, spot: Option<Spot>) -> Field {
        match spot {
            Some(spot) => {
                let mut field = element(self.global_element(name, spot));
                field.default = None;
                field
            }
            None => {
                let mut field = plain(name.local.to_string(), Ty::Word("String"));
                field.xml = Some(name.clone());
                field.marks.raw = true;
                field.notes.comments.push(
                    "The element is declared in none of the files: the whole element, as XML.".to_owned(),
                );
                field
            }
        }
    }

    /// The content of a body with these parts. `None`: the operation is left out, which is reported.
    fn body(&mut self, operation: &Operation, parts: &[Part], which: &str) -> Option<Body> {
        if let [Part { ty: Some(ty), element: None, .. }] = parts {
            return self.typed_body(operation, &parts[0], ty, which).map(Body::Fields);
        }
        let mut elements: Vec<(QName, Option<Spot>)> = Vec::new();
        for part in parts {
            let Some(name) = &part.element else {
                let why = match &part.ty {
                    None => "neither an element nor a type",
                    Some(_) => "a type, which would be that of the whole body, and there are other parts",
                };
                let why = format!("the part {} of its {which} has {why}", quote(&part.name));
                self.refuse(operation, Code::LeftOut, &why);
                return None;
            };
            let name = self.table.resolve(part.spot, name, self.report);
            let (name, spot) = match self.table.look_up(Kind::Element, &name, part.spot, self.report) {
                Some((name, spot)) => (name, Some(spot)),
                None => (name, None),
            };
            if elements.iter().any(|(other, _)| *other == name) {
                let why = format!("two parts of its {which} are the element {}", quote(&name.to_string()));
                self.refuse(operation, Code::LeftOut, &why);
                return None;
            }
            elements.push((name, spot));
        }
        if elements.len() == 1 {
            return elements.pop().map(|(name, spot)| Body::Element(name, spot));
        }
        let fields = elements.iter().map(|(name, spot)| self.body_field(name, *spot));
        Some(Body::Fields(fields.collect()))
    }

    /// SOAP-93: the elements of a part's type, which is that of the body.
    fn typed_body(
        &mut self,
        operation: &Operation,
        part: &Part,
        ty: &str,
        which: &str,
    ) -> Option<Vec<Field>> {
        let name = self.table.resolve(part.spot, ty, self.report);
        let declared =
            if name.builtin() { None } else { self.table.look_up(Kind::Type, &name, part.spot, self.report) };
        let declared = declared.map(|(_, spot)| spot).filter(|spot| {
            self.table.element(*spot).local == "complexType" && !self.table.is_abstract(*spot)
        });
        let owner = capitalised(&name.local);
        let slots = declared.and_then(|spot| self.sequence(spot, &owner));
        let once = |slot: &Slot| match slot {
            Slot::Element(element) => !element.optional && !element.many,
            Slot::Choice(_) | Slot::Group(_) | Slot::Any { .. } => false,
        };
        let (Some(declared), Some(slots)) = (declared, slots.filter(|slots| slots.iter().all(once))) else {
            let why = format!(
                "the part {} of its {which} has a type, which is then that of the body itself, and {} is no sequence of elements that each occur once",
                quote(&part.name),
                quote(&name.to_string())
            );
            self.refuse(operation, Code::LeftOut, &why);
            return None;
        };
        Some(self.parameters(slots, owner, declared))
    }

    /// The fields of a wrapper, whose type must be a plain sequence of elements that nothing extends.
    fn unwrapped(&mut self, spot: Spot, owner: &str) -> Option<Vec<Field>> {
        let owner = capitalised(owner);
        let declared = match self.table.element(spot).attribute("type") {
            Some(name) => {
                let name = self.table.resolve(spot, name, self.report);
                let (name, ty) = self.table.find(Kind::Type, &name).filter(|_| !name.builtin())?;
                if self.table.element(ty).local != "complexType"
                    || self.table.is_abstract(ty)
                    || !self.members_of(&name).is_empty()
                {
                    return None;
                }
                ty
            }
            None => self.table.child(spot, &["complexType"])?,
        };
        let slots = self.sequence(declared, &owner)?;
        Some(self.parameters(slots, owner, declared))
    }

    /// The elements of a complex type; `None` if it holds anything else.
    fn sequence(&mut self, declared: Spot, owner: &str) -> Option<Vec<Slot>> {
        if self.opaque(declared).is_some() {
            return None;
        }
        let parts = self.parts(declared, owner);
        if parts.text.is_some() || !parts.attributes.is_empty() {
            return None;
        }
        let slots = content(parts.slots);
        slots.iter().all(|slot| matches!(slot, Slot::Element(_))).then_some(slots)
    }

    /// The elements of a type as parameters, which have no defaults.
    fn parameters(&mut self, slots: Vec<Slot>, owner: String, declared: Spot) -> Vec<Field> {
        let mut fields = self.fields(slots, &Owner { name: owner, namespace: self.namespace(declared) });
        fields.iter_mut().for_each(|field| field.default = None);
        fields
    }
}

/// A result, whose documentation is that of its type.
fn without_doc(mut field: Field) -> Field {
    field.notes.doc.clear();
    field
}
