//! The language model: what lowering decided, and rendering prints.

use crate::names::{ClassName, Scope};
use creo_model::{Literal, Primitive};

/// A type of Java.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ty {
    /// `int`, with the class that boxes it.
    Primitive(&'static str, &'static str),
    /// `int[]`.
    Array(&'static str),
    Class(ClassName),
    List(Box<Ty>),
    Map(Box<Ty>, Box<Ty>),
}

impl Ty {
    /// How a file writes the type.
    pub fn text(&self, scope: &Scope) -> String {
        match self {
            Ty::Primitive(name, _) => (*name).to_owned(),
            Ty::Array(item) => format!("{item}[]"),
            Ty::Class(class) => scope.class(class),
            Ty::List(item) => format!("{}<{}>", scope.jdk("java.util", "List"), item.boxed().text(scope)),
            Ty::Map(key, value) => format!("{}<{}, {}>", scope.jdk("java.util", "Map"), key.boxed().text(scope), value.boxed().text(scope)),
        }
    }

    /// The type as an object: `Integer` for `int`.
    pub fn boxed(&self) -> Ty {
        match self {
            Ty::Primitive(_, class) => Ty::Class(ClassName::new("java.lang", class)),
            Ty::Array(_) | Ty::Class(_) | Ty::List(_) | Ty::Map(..) => self.clone(),
        }
    }

    pub fn is_primitive(&self) -> bool {
        matches!(self, Ty::Primitive(..))
    }

    /// Whether equality must look into arrays.
    pub fn holds_array(&self) -> bool {
        match self {
            Ty::Array(_) => true,
            Ty::Primitive(..) | Ty::Class(_) => false,
            Ty::List(item) => item.holds_array(),
            Ty::Map(_, value) => value.holds_array(),
        }
    }
}

/// How a value is written and read.
#[derive(Clone, Debug, PartialEq)]
pub enum Code {
    Scalar(Primitive),
    Text(Primitive),
    Bytes,
    Bulk(Primitive),
    /// `String[]`: many at once.
    Texts,
    /// By the codec of its type.
    Coded(ClassName),
    /// By a pair of methods of the same class: what follows `read` and `write` in their names.
    Helper(String),
}

/// A pair of methods for a composite type.
#[derive(Clone, Debug)]
pub struct Helper {
    /// What follows `read` and `write` in their names.
    pub name: String,
    pub ty: Ty,
    pub kind: HelperKind,
}

#[derive(Clone, Debug)]
pub enum HelperKind {
    /// `fixed`: the size of each item, where the item's codec can read and write it at an index.
    Each {
        item: Value,
        fixed: Option<u64>,
        /// For each item (LIM-18).
        charge: u64,
    },
    Entries {
        key: Value,
        value: Value,
        /// For each entry.
        charge: u64,
    },
    Optional {
        item: Value,
        /// For a value that is there.
        charge: u64,
    },
}

/// A value of a type, and how it travels.
#[derive(Clone, Debug)]
pub struct Value {
    pub ty: Ty,
    pub code: Code,
    pub least: u64,
}

/// Documentation and deprecation of something.
#[derive(Clone, Debug, Default)]
pub struct About {
    pub doc: Option<String>,
    pub deprecated: Option<String>,
}

/// A field of a struct or exception, a parameter of a method, a member of a union.
#[derive(Clone, Debug)]
pub struct Component {
    pub name: String,
    /// The name in the description, which places of errors use.
    pub wire_name: String,
    pub value: Value,
    /// The size, where it is fixed and small, and whether every sequence of bytes is a value.
    pub fixed: Option<u64>,
    pub any_bits: bool,
    pub is_enum: bool,
    pub optional: bool,
    pub default: Option<DefaultValue>,
    pub about: About,
    /// The method that makes a copy with another value.
    pub wither: String,
}

#[derive(Clone, Debug)]
pub struct DefaultValue {
    pub literal: Literal,
    pub primitive: Option<Primitive>,
    /// For a default that is a constant: the enum and the constant's name.
    pub constant: Option<(ClassName, String)>,
}

/// A step of a record's codec: indices into its components.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Components of fixed size, each with its offset: one check serves all.
    Block {
        fields: Vec<(usize, u64)>,
        size: u64,
    },
    Field(usize),
}

/// A struct, an exception, or the arguments of a method.
#[derive(Clone, Debug)]
pub struct Record {
    pub class: ClassName,
    pub components: Vec<Component>,
    pub steps: Vec<Step>,
    pub extensible: bool,
    pub recursive: bool,
    /// The size, where it is fixed and small.
    pub fixed: Option<u64>,
    pub any_bits: bool,
}

/// The slots of parameters that a method or a constructor of an object has, beside the one of `this`.
pub const MOST_SLOTS: usize = 254;

impl Record {
    /// Whether it has more components than a constructor takes parameters (255, of which `long` and `double` are two, and `this` is one): then
    /// it is a class with a builder.
    pub fn is_wide(&self) -> bool {
        self.slots() > MOST_SLOTS
    }

    /// The slots that its components take as parameters.
    pub fn slots(&self) -> usize {
        let slots = |c: &Component| if matches!(c.value.ty, Ty::Primitive("long" | "double", _)) { 2 } else { 1 };
        self.components.iter().map(slots).sum()
    }

    /// Whether some components may be left out when a value is made.
    pub fn has_optionals(&self) -> bool {
        self.components.iter().any(|c| c.optional || c.default.is_some())
    }
}

#[derive(Clone, Debug)]
pub struct Constant {
    pub name: String,
    /// As declared.
    pub wire_name: String,
    pub number: u32,
    pub about: About,
}

#[derive(Clone, Debug)]
pub struct Enum {
    pub constants: Vec<Constant>,
    pub extensible: bool,
    /// Whether each number is one byte.
    pub one_byte: bool,
}

/// A member of a union: the nested record that holds it.
#[derive(Clone, Debug)]
pub struct Member {
    pub class: String,
    pub component: Component,
}

#[derive(Clone, Debug)]
pub struct Union {
    pub members: Vec<Member>,
    /// For the value of each member (LIM-18).
    pub charges: Vec<u64>,
    pub extensible: bool,
    pub recursive: bool,
}

#[derive(Clone, Debug)]
pub enum Kind {
    Struct(Record),
    Exception(Record),
    Enum(Enum),
    Union(Union),
}

/// A type with its codec.
#[derive(Clone, Debug)]
pub struct Type {
    pub class: ClassName,
    pub codec: ClassName,
    pub text: ClassName,
    /// As declared.
    pub wire_name: String,
    /// With its package.
    pub full_name: String,
    pub about: About,
    pub kind: Kind,
    pub helpers: Vec<Helper>,
    /// Whether the files use anything that is deprecated.
    pub uses_deprecated: bool,
}

#[derive(Clone, Debug)]
pub struct Method {
    pub name: String,
    pub wire_name: String,
    pub id: u64,
    pub oneway: bool,
    pub arguments: Record,
    /// The constant of its descriptor.
    pub constant: String,
    pub result: Option<Value>,
    /// Class and codec of each declared exception.
    pub throws: Vec<(ClassName, ClassName)>,
    /// What writes and reads them on text wires.
    pub thrown_texts: Vec<ClassName>,
    pub about: About,
}

/// A class file holds 65,535 constants, and 64 KiB of code that makes static values; `javac` walks a chain of calls by recursion: an interface of more
/// methods is spread over several classes.
pub const METHODS_A_CLASS: usize = 100;

#[derive(Clone, Debug)]
pub struct Service {
    pub class: ClassName,
    pub asynchronous: ClassName,
    pub client: ClassName,
    pub async_client: ClassName,
    pub endpoint: ClassName,
    /// One for each [`METHODS_A_CLASS`] methods; the first holds the descriptor of the interface too.
    pub parts: Vec<Part>,
    pub wsdl_class: ClassName,
    pub open_api_class: ClassName,
    pub wire_name: String,
    pub fingerprint: u64,
    pub about: About,
    pub methods: Vec<Method>,
    pub uses_deprecated: bool,
}

/// Some of the methods of an interface: the classes that hold what wires know of them.
#[derive(Clone, Debug)]
pub struct Part {
    /// Descriptors, whatever the wire.
    pub methods: ClassName,
    /// For text wires.
    pub texts: ClassName,
    /// The helpers of the descriptors.
    pub helpers: Vec<Helper>,
}

impl Service {
    /// The classes with what wires know of a method.
    pub fn part(&self, method: usize) -> &Part {
        &self.parts[method / METHODS_A_CLASS]
    }

    /// The descriptor of the interface.
    pub fn interface(&self) -> &ClassName {
        &self.parts[0].methods
    }
}
