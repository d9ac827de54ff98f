//! Lowers the responses of methods, and their declared exceptions, to descriptors of the text wires.

use crate::lang::{Item, MessageText, Method, Slot, Ty};
use crate::lower_text::{Base, Hold, Place, Work, counted};
use creo_model::PackageId;
use creo_plan::Message;

impl<'m> Work<'_, 'm> {
    pub fn response(&mut self, method: &Method, message: &'m Message, package: PackageId) -> MessageText {
        let descriptor = format!("{}_response", method.name);
        let outcome = format!("{}_outcome", method.name);
        let throws = !method.faults.is_empty();
        let result_type = method.result.as_ref().map(Ty::c);
        let fields = message.record.fields.iter().zip(&result_type).map(|(field, c)| {
            let base = if throws {
                Base::Member(&outcome, format!("as.{}", method.result_member))
            } else {
                Base::Alone(c.clone())
            };
            let place = Place {
                descriptor: &format!("{descriptor}_0"),
                name: None,
                package,
                base,
                hold: Hold::Plain,
            };
            self.field(&field.node, &place)
        });
        let fields = fields.collect();
        let ty = if method.has_outcome() { Some(outcome.as_str()) } else { result_type.as_deref() };
        self.message(message, self.message_struct(&descriptor, method, ty), fields)
    }

    /// The parts of the response are the members of the result (SOAP-26). Returns the constant.
    pub fn soap_response(
        &mut self,
        method: &Method,
        plan: &'m creo_plan::Method,
        message: &'m Message,
        package: PackageId,
    ) -> String {
        let descriptor = self.claim(&format!("{}_soap_response", method.name));
        let throws = !method.faults.is_empty();
        let owner = match &method.result {
            _ if throws => format!("{}_outcome", method.name),
            result => result.as_ref().map(Ty::c).unwrap_or_default(),
        };
        let path = if throws { format!("as.{}.", method.result_member) } else { String::new() };
        let id = plan.result().and_then(|result| creo_plan::named(&result.ty));
        let members = id.and_then(|id| self.in_parts.get(&id)).map_or(&[] as &[_], Vec::as_slice);
        let parts = message.record.fields.iter().zip(members).enumerate();
        let fields = parts.map(|(index, (field, (member, slot)))| {
            let part = format!("{descriptor}_{index}");
            let place = Place {
                descriptor: &part,
                name: Some(&field.name),
                package,
                base: Base::Member(&owner, format!("{path}{member}")),
                hold: Hold::Slot(*slot),
            };
            let mut lowered = self.field(&field.node, &place);
            if *slot == Slot::Flag {
                lowered.flag = format!("offsetof({owner}, {path}has_{member})");
            }
            lowered
        });
        let fields = fields.collect();
        let held = self.message_struct(&descriptor, method, Some(&owner));
        let message = self.message(message, held, fields);
        self.text.items.push(Item::Message { name: descriptor.clone(), message });
        descriptor
    }

    /// The descriptor of an item of the method's stream, if it has one that the json wire carries: where the caller reads it, or by itself.
    pub fn stream_item(
        &mut self,
        method: &Method,
        plan: &'m creo_plan::Method,
        package: PackageId,
    ) -> Option<String> {
        let node = plan.item_node()?;
        let streams = method.streams.as_ref()?;
        let outcome = method.outcome();
        let base = match (&streams.read, &streams.written) {
            (Some(items), _) => Base::Member(&outcome, format!("as.{}", items.member)),
            (None, Some((ty, _))) => Base::Alone(ty.c()),
            (None, None) => return None,
        };
        let descriptor = self.claim(&format!("{}_item_text", method.name));
        let place = Place { descriptor: &descriptor, name: None, package, base, hold: Hold::Plain };
        let field = self.field(node, &place);
        self.text.items.push(Item::Fields { name: descriptor.clone(), fields: vec![field] });
        Some(descriptor)
    }

    pub fn exceptions(&mut self, method: &Method) -> Option<(String, usize)> {
        let exceptions: Vec<(String, String)> = method
            .faults
            .iter()
            .map(|fault| {
                (
                    format!("&{}", self.types[fault.id.0]),
                    format!("offsetof({}_outcome, as.{})", method.name, fault.member),
                )
            })
            .collect();
        let name = self.claim(&format!("{}_exceptions", method.name));
        let count = counted(&name, &exceptions);
        if count.is_some() {
            self.text.items.push(Item::Exceptions { name, exceptions });
        }
        count
    }
}
