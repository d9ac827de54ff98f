//! Frames with the items of a stream (`spec/transports/tcp.md`, section 4).

use crate::decode::annotate_items;
use crate::frames::{END, Kind};
use crate::message::{From, Message, Stream, find_method};
use crate::part::{Part, raw};
use crate::reader::bytes as bytes_text;
use crate::{Code, Subject};
use creo_model::{Method, Primitive, Type};

impl<'a> Stream<'a> {
    /// The items of a stream (TCP-30).
    pub(crate) fn items_frame(&mut self, mut part: Part<'a>, flags: u8, call: u32, missing: usize) -> bool {
        let method = self.calls.get(&call).copied().or(self.hint);
        let mut message = Message::new(Kind::Items, call);
        message.method = method.map(|method| self.full_name(method));
        if flags & END != 0 && self.from == Some(From::Service) {
            return self.push(part.ended(5, Code::Malformed, "the end is for clients to say".to_owned()));
        }
        let start = part.at;
        let bytes = &part.bytes[start..];
        let arrays = method.map(|method| self.arrays(method, flags & END != 0));
        if let (Some([]), Some(name)) = (arrays.as_deref(), &message.method) {
            let message = format!("items of {name}, which has no such stream");
            return self.push(part.ended(4, Code::Malformed, message));
        }
        // Where both streams are possible and the first does not fit, the second may.
        let mut read = arrays
            .unwrap_or_default()
            .into_iter()
            .map(|array| annotate_items(self.model, &Subject::Items(&array), bytes, self.limits, self.shown));
        let (items, outcome) = match read.next() {
            None if bytes.is_empty() => (Vec::new(), Ok(None)),
            None => (vec![raw(0, bytes.len(), "items of a method that is not known")], Ok(None)),
            Some((items, Err(error))) => match read.find(|(_, outcome)| outcome.is_ok()) {
                Some((items, outcome)) => (items, outcome.map(Some)),
                None => (items, Err(error)),
            },
            Some((items, outcome)) => (items, outcome.map(Some)),
        };
        drop(read);
        part.inline(items, start);
        if missing > 0 {
            let end = part.bytes.len();
            let message = format!("the bytes end {} before the frame does", bytes_text(missing));
            return self.push(part.ended(end, Code::Malformed, message));
        }
        // A mistake in items concerns one call (TCP-34).
        let section = match outcome {
            Ok(value) => {
                message.value = value;
                part.done()
            }
            Err(error) => part.failed(start + error.offset.min(bytes.len()), error),
        };
        self.push(section);
        self.found.messages.push(message);
        true
    }

    /// The types that a frame of items may have, the likely one first.
    fn arrays(&self, method: &Method, ends: bool) -> Vec<Type> {
        let of_client = method.stream_parameter().map(|parameter| &parameter.ty);
        let of_service = method.result.as_ref().filter(|_| method.streams_result);
        let types = match self.from {
            Some(From::Client) => [of_client, None],
            Some(From::Service) => [of_service, None],
            None if ends => [of_client, None],
            None if self.asked => [of_client, of_service],
            None => [of_service, of_client],
        };
        types.into_iter().flatten().map(array_of).collect()
    }

    fn full_name(&self, method: &Method) -> String {
        match find_method(self.model, method.id) {
            Some((Some(interface), found)) => {
                format!("{}.{}", self.model.interface_name(interface), found.name)
            }
            _ => method.name.clone(),
        }
    }
}

/// `T[]`, which is the byte string if `T` is `byte`.
fn array_of(item: &Type) -> Type {
    if *item == Type::Primitive(Primitive::Byte) { Type::Bytes } else { Type::Array(Box::new(item.clone())) }
}
