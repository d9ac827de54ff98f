//! Decides the code of interfaces: names of methods and parameters, and their messages.

use crate::lang::{Body, Code, Field, Header, Message, Method, Needs, Service, Stream, TextStep, Ty, Value};
use crate::lower_base::Lowering;
use crate::lower_names::wanted;
use crate::lower_text::{Texts, all_writes};
use crate::lower_types::{plain_field, properties, record};
use crate::names;
use crate::scalars;
use creo_codegen::{About, Names, method_uses_deprecated};
use creo_model::{Notes, TypeId};
use creo_plan::{Content, Kind, Position, Record, secrets};
use std::collections::BTreeSet;

/// Names an interface's methods.
struct MethodNames<'a> {
    /// The names of all codecs, used by descriptors: no descriptor may hide one.
    codecs: &'a BTreeSet<&'a str>,
    descriptors: Names,
    in_client: Names,
    /// Both forms of each named method.
    taken: BTreeSet<String>,
}

impl MethodNames<'_> {
    fn descriptor(&mut self, declared: &str, wanted: &str) -> String {
        let mut key = declared.to_owned();
        loop {
            let name = self.descriptors.give(&key, wanted);
            if !self.codecs.contains(name.as_str()) {
                return name;
            }
            key.push('#');
        }
    }

    fn method(&mut self, declared: &str, wanted: &str) -> String {
        let mut name = self.in_client.give(declared, wanted);
        // Both names of a method must be free.
        let asynchronous = |name: &str| format!("{name}Async");
        while self.taken.contains(&name)
            || self.taken.contains(&asynchronous(&name))
            || names::is_client_member(&asynchronous(&name))
        {
            name.push('_');
        }
        self.taken.extend([name.clone(), asynchronous(&name)]);
        name
    }
}

/// `has_lines`: whether the json wire is among those of the code, which carries a stream as lines.
pub fn service(lowering: &Lowering, codecs: &BTreeSet<&str>, index: usize, has_lines: bool) -> Service {
    let interface = &lowering.model.interfaces[index];
    let plan = lowering.plan.interface(index);
    let [methods_file, client, texts_file] = &lowering.names.services[index];
    let methods_class = &methods_file.class.name;
    let mut given = MethodNames {
        codecs,
        descriptors: Names::new(names::is_client_member),
        in_client: Names::new(names::is_client_member),
        taken: BTreeSet::new(),
    };
    // The names used by descriptors, which these must not hide.
    [methods_class, &texts_file.class.name, "Service", "Reader", "Writer", "BinaryPrimitives", "GC"]
        .iter()
        .for_each(|name| given.descriptors.take(name));
    [&client.class.name, methods_class, "_binding", "_own"]
        .iter()
        .for_each(|name| given.in_client.take(name));
    let mut texts = Texts::new(lowering, plan.encoded);
    // Of methods with streams that no text wire carries.
    let mut unused_texts = Texts::new(lowering, plan.encoded);
    let method = |(index, (declared, plan)): (usize, (&creo_model::Method, &creo_plan::Method))| {
        let wanted_name = wanted(&declared.name, &declared.notes, names::pascal);
        let mut scope = Names::new(names::never);
        // The names used by the body, which a parameter must not hide.
        ["_binding", "_own", methods_class].iter().for_each(|name| scope.take(name));
        let parameters = declared.parameters.iter();
        let parameters = parameters.map(|p| (p.name.as_str(), wanted(&p.name, &p.notes, names::camel)));
        let mut parameters = scope.give_all(parameters);
        let sent = declared.stream_parameter().zip(plan.stream_parameter.as_ref());
        let sent =
            sent.map(|(declared, plan)| stream(lowering, plan, parameters.pop(), About::of(&declared.notes)));
        let received = plan.stream_result.as_ref();
        let received = received.map(|plan| stream(lowering, plan, None, About::default()));
        let planned_line = plan.item.as_ref().filter(|_| has_lines);
        let is_carried = !plan.has_streams() || planned_line.is_some();
        let texts = if is_carried { &mut texts } else { &mut unused_texts };
        let fields = plan.request.record.fields.iter().zip(&declared.parameters).zip(parameters).enumerate();
        let parameter = |(i, ((plan, declared), name)): (usize, ((_, &creo_model::Field), _))| {
            plain_field(lowering, plan, &declared.notes, name, format!("f{i}"))
        };
        let fields: Vec<Field> = fields.map(parameter).collect();
        let request = request(lowering, texts, &plan.request, fields, &declared.name, &format!("_{index}"));
        let response = plan.response.as_ref();
        let response = response.map(|plan| response_of(lowering, texts, plan, &format!("_{index}r")));
        let soap_response = lowering.model.result_in_parts(declared).zip(plan.soap_response.as_ref());
        let soap_response = soap_response.map(|(id, plan)| {
            (soap_response_of(lowering, texts, id, plan, &format!("_{index}s")), lowering.classes(id))
        });
        let of_item = sent.as_ref().or(received.as_ref()).map(|stream| &stream.item);
        let line = planned_line.zip(of_item);
        let line = line.map(|(plan, item)| line_of(lowering, texts, plan, item, &format!("_{index}i")));
        Method {
            name: given.method(&declared.name, &wanted_name),
            descriptor: given.descriptor(&declared.name, &wanted_name),
            wire_name: declared.name.clone(),
            id: declared.id,
            idempotent: declared.idempotent,
            secrets: secrets(lowering.model, lowering.plan, plan),
            options: scope.give("#options", "options"),
            cancellation: scope.give("#cancellation", "cancellationToken"),
            action: plan.action.clone(),
            request,
            response,
            soap_response,
            sent,
            received,
            line,
            throws: declared.throws.iter().map(|id| lowering.classes(*id)).collect(),
            about: About::of(&declared.notes),
        }
    };
    let methods: Vec<Method> = interface.methods.iter().zip(&plan.methods).enumerate().map(method).collect();
    let namespaces = texts.namespaces();
    methods
        .iter()
        .filter(|method| !method.has_streams())
        .filter_map(|method| method.response.as_ref())
        .for_each(|message| texts.name_all(&message.needs));
    Service {
        index,
        methods_class: methods_file.class.clone(),
        client: client.class.clone(),
        texts: texts_file.class.clone(),
        methods_path: methods_file.path.clone(),
        client_path: client.path.clone(),
        texts_path: texts_file.path.clone(),
        full_name: lowering.model.interface_name(interface),
        fingerprint: interface.fingerprint,
        is_soap12: plan.soap12,
        is_encoded: plan.encoded,
        has_addressing: plan.addressing,
        about: About::of(&interface.notes),
        touches_deprecated: interface.notes.deprecated.is_some()
            || interface.methods.iter().any(|method| method_uses_deprecated(lowering.model, method)),
        methods,
        namespaces,
        namespaces_both_ways: texts.namespaces(),
    }
}

fn stream(lowering: &Lowering, plan: &creo_plan::Field, name: Option<String>, about: About) -> Stream {
    let items = lowering.value(&plan.node);
    let mut item = lowering.value(&plan.node.stream_item());
    if let Kind::Bytes { .. } = plan.node.kind {
        item = Value { ty: Ty::Scalar(scalars::stream_byte()), code: Code::Word("Byte".to_owned()), ..item };
    }
    Stream { name: name.unwrap_or_default(), about, item, items }
}

fn request(
    lowering: &Lowering,
    texts: &mut Texts,
    plan: &creo_plan::Message,
    fields: Vec<Field>,
    name: &str,
    suffix: &str,
) -> Message {
    let is_header = |i: &usize| plan.record.fields[*i].node.xml.position == Position::Header;
    let in_header: Vec<usize> = (0..fields.len()).filter(is_header).collect();
    let header = (!in_header.is_empty()).then(|| Header {
        writes: in_header.into_iter().map(TextStep::Field).collect(),
        all: all_writes(&plan.record),
        body: body(lowering, texts, &plan.record, &fields, &format!("{suffix}b")),
    });
    let text = texts.record(&plan.record, name, suffix, true);
    let needs = needs(&plan.record.content);
    texts.name_all(&needs);
    Message {
        record: record(lowering, &plan.record, fields, text),
        element: (!plan.bare).then(|| texts.element(&plan.element, Vec::new())),
        needs,
        header,
    }
}

fn response_of(lowering: &Lowering, texts: &mut Texts, plan: &creo_plan::Message, suffix: &str) -> Message {
    let result = |(i, field): (usize, &creo_plan::Field)| {
        plain_field(lowering, field, &Notes::default(), String::new(), format!("f{i}"))
    };
    let fields = plan.record.fields.iter().enumerate().map(result).collect();
    let text = texts.record(&plan.record, "result", suffix, false);
    Message {
        record: record(lowering, &plan.record, fields, text),
        element: (!plan.bare).then(|| texts.element(&plan.element, Vec::new())),
        needs: needs(&plan.record.content),
        header: None,
    }
}

/// A message whose only field is an item of a stream, which has no element of its own.
fn line_of(
    lowering: &Lowering,
    texts: &mut Texts,
    plan: &creo_plan::Message,
    item: &Value,
    suffix: &str,
) -> Message {
    let field = |(i, field): (usize, &creo_plan::Field)| {
        let field = plain_field(lowering, field, &Notes::default(), String::new(), format!("f{i}"));
        Field { value: item.clone(), ..field }
    };
    let fields = plan.record.fields.iter().enumerate().map(field).collect();
    let text = texts.record(&plan.record, "item", suffix, false);
    Message {
        record: record(lowering, &plan.record, fields, text),
        element: None,
        needs: needs(&plan.record.content),
        header: None,
    }
}

/// The fields of the result as parts of the response (SOAP-26). Their names are the properties of the result.
fn soap_response_of(
    lowering: &Lowering,
    texts: &mut Texts,
    id: TypeId,
    plan: &creo_plan::Message,
    suffix: &str,
) -> Message {
    let names = properties(lowering, id, lowering.model.ty(id).fields(), names::is_record_member, |_| false);
    let part = |(i, (field, named)): (usize, (&creo_plan::Field, Field))| {
        plain_field(lowering, field, &Notes::default(), named.name, format!("f{i}"))
    };
    let fields = plan.record.fields.iter().zip(names).enumerate().map(part).collect();
    let text = texts.record(&plan.record, "result", suffix, true);
    Message {
        record: record(lowering, &plan.record, fields, text),
        element: (!plan.bare).then(|| texts.element(&plan.element, Vec::new())),
        needs: needs(&plan.record.content),
        header: None,
    }
}

/// The needs of a message. A class names the namespaces only if it writes the message.
fn needs(content: &Content) -> Needs {
    Needs { xsi: content.xsi, namespaces: content.namespaces.clone() }
}

/// The record of a request without the parameters in the header.
fn body(lowering: &Lowering, texts: &mut Texts, plan: &Record, fields: &[Field], suffix: &str) -> Body {
    let is_kept = |i: &usize| plan.fields[*i].node.xml.position != Position::Header;
    let kept: Vec<usize> = (0..fields.len()).filter(is_kept).collect();
    let index = |old: usize| kept.iter().position(|i| *i == old);
    let first = plan.content.first.iter().filter_map(|(name, old)| Some((name.clone(), index(*old)?)));
    let body = Record {
        fields: kept.iter().map(|i| plan.fields[*i].clone()).collect(),
        text: plan.text.and_then(index),
        any: plan.any.and_then(index),
        content: Content { first: first.collect(), ..plan.content.clone() },
        ..plan.clone()
    };
    let text = texts.record(&body, "body", suffix, true);
    let fields_of_body = kept.iter().map(|i| fields[*i].clone()).collect();
    Body {
        record: record(lowering, &body, fields_of_body, text),
        indices: (0..fields.len()).map(index).collect(),
    }
}
