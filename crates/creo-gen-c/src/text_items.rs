//! The model of the text wires' descriptors that rendering prints.

use crate::lang::Slot;
use std::collections::BTreeMap;

/// The descriptors of a unit, in an order in which each stands behind those that it points to within the file.
#[derive(Debug, Default)]
pub struct Text {
    pub items: Vec<Item>,
    /// For each type, by its C name: that of its value alone, and of the functions that write and read it.
    pub roots: BTreeMap<String, Root>,
    /// Interfaces by their C name: that of its descriptor.
    pub interfaces: Vec<String>,
    /// Types that other units may use: kind and name of the descriptor.
    pub shared: Vec<(&'static str, String)>,
}

#[derive(Debug, Clone)]
pub struct Root {
    pub name: String,
    pub to_xml: String,
    pub from_xml: String,
    pub to_json: String,
    pub from_json: String,
    pub to_tdxml: String,
    pub from_tdxml: String,
}

#[derive(Debug)]
pub enum Item {
    Space {
        name: String,
        uri: String,
    },
    Arguments {
        name: String,
        parameters: Vec<(String, Slot, String)>,
    },
    Clear {
        name: String,
        init: String,
        ty: String,
    },
    Fields {
        name: String,
        fields: Vec<FieldText>,
    },
    Starts {
        name: String,
        starts: Vec<(NameText, usize)>,
    },
    Map {
        name: String,
        key: String,
        value: String,
        entry: String,
        keys: String,
        /// For each entry (LIM-18).
        charge: u64,
    },
    Record {
        name: String,
        record: RecordText,
    },
    Union {
        name: String,
        union: UnionText,
    },
    Enum {
        name: String,
        full_name: String,
        xml: NameText,
        list: String,
        constants: Vec<(String, String, u32)>,
        extensible: bool,
    },
    /// The namespaces of a message or a value alone.
    Spaces {
        name: String,
        items: Vec<String>,
    },
    Root {
        name: String,
        field: FieldText,
        spaces: SpacesText,
    },
    Exceptions {
        name: String,
        exceptions: Vec<(String, String)>,
    },
    Methods {
        name: String,
        methods: Vec<MethodText>,
    },
    Interface {
        name: String,
        full_name: String,
        methods: Option<(String, usize)>,
        soap12: bool,
    },
}

#[derive(Debug, Clone)]
pub struct NameText {
    pub local: String,
    /// The constant of the namespace.
    pub space: Option<String>,
}

#[derive(Debug, Clone)]
pub struct FieldText {
    pub name: Option<String>,
    pub xml: NameText,
    pub place: &'static str,
    pub kind: String,
    pub slot: &'static str,
    pub flags: Vec<&'static str>,
    /// Among the attributes, or among the elements, of what holds it.
    pub number: usize,
    pub offset: String,
    pub flag: String,
    pub inner: String,
    pub size: String,
    /// For a value, if it is an optional that has one or a member of a union, and for an item (LIM-18).
    pub value_charge: u64,
    pub item_charge: u64,
    pub ty: String,
}

#[derive(Debug)]
pub struct RecordText {
    /// Full declared name; of a message, the method's.
    pub full_name: String,
    pub xml: NameText,
    pub fields: Option<(String, usize)>,
    pub flags: Vec<&'static str>,
    pub size: String,
    pub text: Option<usize>,
    pub any: Option<usize>,
    pub starts: Option<(String, usize)>,
    pub clear: Option<String>,
}

#[derive(Debug)]
pub struct UnionText {
    pub full_name: String,
    pub xml: NameText,
    pub members: (String, usize),
    pub flags: Vec<&'static str>,
    pub ty: String,
    pub base: Option<usize>,
    pub starts: Option<(String, usize)>,
}

#[derive(Debug)]
pub struct SpacesText {
    pub list: Option<(String, usize)>,
    pub xsi: bool,
}

#[derive(Debug)]
pub struct MessageText {
    pub element: NameText,
    pub bare: bool,
    pub record: RecordText,
    pub spaces: SpacesText,
}

#[derive(Debug)]
pub struct MethodText {
    pub id: u64,
    pub action: String,
    pub request: MessageText,
    pub response: Option<MessageText>,
    pub exceptions: Option<(String, usize)>,
    pub kind: String,
}
