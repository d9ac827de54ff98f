//! Turns slots and attributes into the fields of a declaration, with their inline structs and unions.

use crate::import::draft::{Decl, Field, Marks, Notes, Rank, Shape, Ty, plain};
use crate::import::mapper::Mapper;
use crate::import::slots::{ChoiceSlot, ElementSlot, Slot, Value};
use crate::import::text::{capitalised, uncapitalised};
use std::rc::Rc;

/// The context that names inline declarations, and their namespace.
#[derive(Clone, Debug)]
pub struct Owner {
    pub name: String,
    pub namespace: Rc<str>,
}

/// The field of an element.
pub fn element(slot: ElementSlot) -> Field {
    let ElementSlot { xml, mut value, optional, many, nillable, default, mut notes } = slot;
    if many && value.list {
        list_as_text(&mut value, &mut notes);
    }
    let mut field = plain(xml.local.to_string(), value.ty);
    field.xml = Some(xml);
    field.marks.raw = value.raw;
    field.marks.xsd = value.xsd;
    field.marks.list = value.list;
    notes.comments.extend(value.comment);
    // A raw element already says whether it is nil.
    let nillable = nillable && !field.marks.raw;
    if many {
        field.ty = if nillable { field.ty.optional().array() } else { field.ty.array() };
    } else if optional {
        field.ty = field.ty.optional();
    } else if nillable {
        field.ty = field.ty.optional();
        field.marks.nillable = true;
    }
    match (&default, &field.ty) {
        (Some(default), Ty::Optional(_) | Ty::Array(_)) => {
            notes.comments.push(format!("The schema's default: {}", shown(default)))
        }
        _ => field.default = default,
    }
    field.notes = notes;
    field
}

/// An element of a list where its field cannot be `@Xml(list)`: the word would be that of an outer array, or a union's member does
/// not have it.
fn list_as_text(value: &mut Value, notes: &mut Notes) {
    notes.comments.extend(value.comment.take());
    (value.ty, value.list) = (Ty::Word("String"), false);
    if value.xsd.take() == Some("QName") {
        // Only the whole element says what the prefixes of its names mean.
        value.raw = true;
        notes.comments.push("Each is a list of qualified names: the whole element, as XML.".to_owned());
    } else {
        notes.comments.push("Each is a list: its items are separated by white space.".to_owned());
    }
}

/// Schema text for a single-line comment.
pub fn shown(text: &str) -> String {
    if text.trim().is_empty() { "an empty text".to_owned() } else { text.chars().take(100).collect() }
}

impl Mapper<'_> {
    /// The fields of a content model.
    pub fn fields(&mut self, slots: Vec<Slot>, owner: &Owner) -> Vec<Field> {
        let mut fields = Vec::new();
        for slot in slots {
            fields.push(match slot {
                Slot::Element(slot) => element(*slot),
                Slot::Any { optional, many, comment } => {
                    let text = Ty::Word("String");
                    let ty = if many {
                        text.array()
                    } else if optional {
                        text.optional()
                    } else {
                        text
                    };
                    let notes = Notes { doc: String::new(), comments: comment.into_iter().collect() };
                    Field { marks: Marks { any: true, ..Marks::default() }, notes, ..plain("any", ty) }
                }
                Slot::Group(slots) => {
                    let id = self.group(slots, owner, "Group");
                    Field {
                        marks: Marks { inline: true, ..Marks::default() },
                        ..plain("groups", Ty::Decl(id).array())
                    }
                }
                Slot::Choice(choice) => self.choice(*choice, owner),
            });
        }
        fields
    }

    fn choice(&mut self, choice: ChoiceSlot, owner: &Owner) -> Field {
        let ChoiceSlot { branches, optional, many, head, notes } = choice;
        let name = match &head {
            Some(head) => format!("{}Choice", capitalised(head)),
            None => format!("{}Choice", owner.name),
        };
        let inner = Owner { name: owner.name.clone(), namespace: owner.namespace.clone() };
        let members: Vec<Field> =
            branches.into_iter().map(|branch| self.branch(branch, many, &inner)).collect();
        // A substitution head that is used in several places has one union.
        let known = self
            .substitutions
            .iter()
            .find(|(known, union, _)| Some(known) == head.as_ref() && *union == members);
        let id = match known {
            Some((_, _, id)) => *id,
            None => {
                let shape = Shape::Union { members: members.clone(), derived: false };
                let namespace = owner.namespace.clone();
                let id = self.add(Decl {
                    shape,
                    name,
                    suffix: "",
                    rank: Rank::Anonymous,
                    xml: None,
                    namespace,
                    notes: Notes::default(),
                });
                if let Some(head) = &head {
                    self.substitutions.push((head.clone(), members, id));
                }
                id
            }
        };
        let ty = Ty::Decl(id);
        let ty = if many {
            ty.array()
        } else if optional {
            ty.optional()
        } else {
            ty
        };
        let name = head.unwrap_or_else(|| if many { "choices" } else { "choice" }.to_owned());
        Field { marks: Marks { inline: true, ..Marks::default() }, notes, ..plain(name, ty) }
    }

    /// A member of a union: an element, or inline content.
    fn branch(&mut self, mut branch: Vec<Slot>, repeated: bool, owner: &Owner) -> Field {
        // Inline, a nil list might have no element, and then a repeated union cannot be told from the next (XML-35).
        if let [Slot::Element(slot)] = branch.as_mut_slice()
            && repeated
            && slot.nillable
            && slot.value.list
        {
            list_as_text(&mut slot.value, &mut slot.notes);
        }
        let is_element = match branch.as_slice() {
            [Slot::Element(slot)] => !slot.many && !slot.value.raw && !slot.value.list,
            _ => false,
        };
        if is_element && let Some(Slot::Element(mut slot)) = branch.pop() {
            slot.optional = false;
            let mut field = element(*slot);
            // A member that is nothing is written as nil in any case.
            field.marks.nillable = false;
            field.default = None;
            return field;
        }
        let first = branch.iter().find_map(|slot| {
            if let Slot::Element(slot) = slot { Some(slot.xml.local.to_string()) } else { None }
        });
        let name = match first {
            Some(first) if branch.len() == 1 => first,
            Some(first) => format!("{first}Group"),
            None => "group".to_owned(),
        };
        let id = self.group(branch, owner, &capitalised(&name));
        Field {
            marks: Marks { inline: true, ..Marks::default() },
            ..plain(uncapitalised(&name), Ty::Decl(id))
        }
    }

    fn group(&mut self, slots: Vec<Slot>, owner: &Owner, name: &str) -> crate::import::draft::DeclId {
        let name = format!("{}{name}", owner.name);
        let fields = self.fields(slots, &Owner { name: name.clone(), namespace: owner.namespace.clone() });
        let shape = Shape::Struct(fields);
        self.add(Decl {
            shape,
            name,
            suffix: "",
            rank: Rank::Anonymous,
            xml: None,
            namespace: owner.namespace.clone(),
            notes: Notes::default(),
        })
    }
}
