//! The model of Java code, made by lowering and printed by rendering.

use crate::names::{ClassName, Scope};
use crate::scalars::{self, bulk_item, scalar, slots};
use creo_codegen::About;
use creo_model::{Primitive, TypeId};
use creo_plan::{BulkScalar, Field, FixedScalar, Node};

/// A type of Java.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ty {
    /// `int`, with its boxed class.
    Primitive(&'static str, &'static str),
    /// `int[]`.
    Array(&'static str),
    Class(ClassName),
    List(Box<Ty>),
    Map(Box<Ty>, Box<Ty>),
    /// An object that may be null.
    Nullable(Box<Ty>),
}

impl Ty {
    pub fn of(primitive: Primitive) -> Ty {
        let row = scalar(primitive);
        match row.class {
            scalars::Class::Boxed(class) => Ty::Primitive(row.name, class),
            scalars::Class::In(package) => Ty::Class(ClassName::new(package, row.name)),
        }
    }

    /// The type in a method's body.
    pub fn text(&self, scope: &Scope) -> String {
        self.written(scope, Nulls::Omit)
    }

    /// The type in a declaration: with `@Nullable` wherever a value may be null.
    pub fn declared(&self, scope: &Scope) -> String {
        self.written(scope, Nulls::Mark)
    }

    fn written(&self, scope: &Scope, nulls: Nulls) -> String {
        match self {
            Ty::Primitive(name, _) => (*name).to_owned(),
            Ty::Array(item) => format!("{item}[]"),
            Ty::Class(class) => scope.class(class),
            Ty::List(item) => {
                format!("{}<{}>", scope.jdk("java.util", "List"), item.boxed().written(scope, nulls))
            }
            Ty::Map(key, value) => format!(
                "{}<{}, {}>",
                scope.jdk("java.util", "Map"),
                key.boxed().written(scope, nulls),
                value.boxed().written(scope, nulls)
            ),
            Ty::Nullable(inner) => match (nulls, &**inner) {
                (Nulls::Omit, _) => inner.written(scope, nulls),
                // Before the brackets: before the type it would apply to the items.
                (Nulls::Mark, Ty::Array(item)) => format!("{item} @{} []", scope.creo("Nullable")),
                (
                    Nulls::Mark,
                    Ty::Primitive(..) | Ty::Class(_) | Ty::List(_) | Ty::Map(..) | Ty::Nullable(_),
                ) => {
                    let text = inner.written(scope, nulls);
                    // Next to the simple name: packages cannot have annotations.
                    let class = text.find('<').unwrap_or(text.len());
                    let (package, name) = text.split_at(text[..class].rfind('.').map_or(0, |dot| dot + 1));
                    format!("{package}@{} {name}", scope.creo("Nullable"))
                }
            },
        }
    }

    /// The type as an object: `Integer` for `int`.
    pub fn boxed(&self) -> Ty {
        match self {
            Ty::Primitive(_, class) => Ty::Class(ClassName::new("java.lang", class)),
            Ty::Array(_) | Ty::Class(_) | Ty::List(_) | Ty::Map(..) | Ty::Nullable(_) => self.clone(),
        }
    }

    /// The type without null.
    pub fn present(&self) -> &Ty {
        match self {
            Ty::Nullable(inner) => inner,
            Ty::Primitive(..) | Ty::Array(_) | Ty::Class(_) | Ty::List(_) | Ty::Map(..) => self,
        }
    }

    pub fn is_nullable(&self) -> bool {
        matches!(self, Ty::Nullable(_))
    }

    /// Whether its values are lists or maps, which are copied into values.
    pub fn is_collection(&self) -> bool {
        matches!(self.present(), Ty::List(_) | Ty::Map(..))
    }

    pub fn is_primitive(&self) -> bool {
        matches!(self, Ty::Primitive(..))
    }

    /// Whether equality must compare arrays by items.
    pub fn holds_array(&self) -> bool {
        match self {
            Ty::Array(_) => true,
            Ty::Primitive(..) | Ty::Class(_) => false,
            Ty::List(item) | Ty::Nullable(item) => item.holds_array(),
            Ty::Map(_, value) => value.holds_array(),
        }
    }
}

/// Whether a type shows nullability.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nulls {
    Mark,
    Omit,
}

/// The classes of a declared type: for its values and codecs.
#[derive(Clone, Debug)]
pub struct TypeNames {
    pub class: ClassName,
    pub codec: ClassName,
    pub text: ClassName,
    /// The constants of an enum.
    pub constants: Vec<String>,
}

/// The classes of each type of the model.
#[derive(Clone, Debug)]
pub struct Classes(pub Vec<TypeNames>);

impl Classes {
    pub fn of(&self, id: TypeId) -> &TypeNames {
        &self.0[id.0]
    }

    /// The type of a value.
    pub fn ty(&self, node: &Node) -> Ty {
        match &node.kind {
            creo_plan::Kind::Scalar(fixed) => Ty::of(fixed.primitive()),
            creo_plan::Kind::String(_) => Ty::of(Primitive::String),
            creo_plan::Kind::Decimal => Ty::of(Primitive::Decimal),
            creo_plan::Kind::Bytes { .. } => Ty::Array("byte"),
            creo_plan::Kind::Array { bulk: Some(bulk), .. } => Ty::Array(bulk_item(*bulk)),
            creo_plan::Kind::Array { item, bulk: None, .. } => Ty::List(Box::new(self.ty(item))),
            creo_plan::Kind::Optional(item) => Ty::Nullable(Box::new(self.ty(item).boxed())),
            creo_plan::Kind::Map { key, value, .. } => {
                Ty::Map(Box::new(self.ty(key)), Box::new(self.ty(value)))
            }
            creo_plan::Kind::Record(id) | creo_plan::Kind::Union(id) | creo_plan::Kind::Enum(id) => {
                Ty::Class(self.of(*id).class.clone())
            }
        }
    }
}

/// How a value is written and read.
#[derive(Clone, Debug, PartialEq)]
pub enum Code {
    Scalar(FixedScalar),
    String,
    Decimal,
    Bytes,
    Bulk(BulkScalar),
    /// `String[]`: many at once.
    Strings,
    /// By the codec of its type.
    Coded(ClassName),
    /// By two methods of the same class, with this suffix after `read` and `write`.
    Helper(String),
}

/// How a fixed-size value is written and read at an index of a buffer.
#[derive(Clone, Debug, PartialEq)]
pub enum Slot {
    Scalar(FixedScalar),
    /// By the codec of an enum with one-byte numbers.
    Enum(ClassName),
    /// By the codec of a struct.
    Record(ClassName),
}

/// A fixed-size value.
#[derive(Clone, Debug, PartialEq)]
pub struct Fixed {
    pub size: u64,
    pub slot: Slot,
}

/// A fixed-size component, at an offset from the start of its record or block.
#[derive(Clone, Debug, PartialEq)]
pub struct FixedField {
    /// The index of the component.
    pub index: usize,
    pub offset: u64,
    pub fixed: Fixed,
}

/// Two methods for a composite type.
#[derive(Clone, Debug)]
pub struct Helper {
    /// The suffix of `read` and `write` in their names.
    pub name: String,
    pub ty: Ty,
    pub kind: HelperKind,
}

#[derive(Clone, Debug)]
pub enum HelperKind {
    /// `fixed`: for each item, if the item's codec can read and write it at an index.
    Each {
        item: Value,
        fixed: Option<Fixed>,
        /// The charge for each item (LIM-18).
        charge: u64,
    },
    Entries {
        key: Value,
        value: Value,
        /// The charge for each entry.
        charge: u64,
    },
    Optional {
        item: Value,
        /// The charge for a present value.
        charge: u64,
    },
}

/// A value's type and encoding.
#[derive(Clone, Debug)]
pub struct Value {
    pub ty: Ty,
    pub code: Code,
    pub min_size: u64,
}

/// A field of a struct or exception, a parameter of a method, a member of a union.
#[derive(Clone, Debug)]
pub struct Component<'p> {
    pub name: String,
    /// Its name in the description, which the paths of errors use, its form on text wires, and its default.
    pub field: &'p Field,
    pub value: Value,
    /// For a default that is a constant: the enum and the constant's name.
    pub constant: Option<(ClassName, String)>,
    pub about: About,
    /// The method that makes a copy with another value.
    pub wither: String,
}

impl Component<'_> {
    pub fn is_optional(&self) -> bool {
        self.field.node.is_optional()
    }

    /// The primitive of its type, if it is one.
    pub fn primitive(&self) -> Option<Primitive> {
        match self.field.node.ty {
            creo_model::Type::Primitive(primitive) => Some(primitive),
            creo_model::Type::Bytes
            | creo_model::Type::Array(_)
            | creo_model::Type::Optional(_)
            | creo_model::Type::Map(..)
            | creo_model::Type::Named(_) => None,
        }
    }

    /// Whether it may be omitted when a value is made.
    pub fn may_be_left_out(&self) -> bool {
        self.is_optional() || self.field.default.is_some()
    }
}

/// The items of a stream.
#[derive(Clone, Debug)]
pub struct Items {
    pub value: Value,
    /// The charge for each item (LIM-18).
    pub charge: u64,
}

impl Items {
    /// The type of the stream.
    pub fn stream(&self, scope: &Scope) -> String {
        format!("{}<{}>", scope.jdk("java.util.stream", "Stream"), self.value.ty.boxed().declared(scope))
    }
}

/// A parameter of a method that is a stream.
#[derive(Clone, Debug)]
pub struct StreamParameter {
    pub name: String,
    pub items: Items,
    pub about: About,
}

/// A step of a record's codec.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Two or more fixed-size components that share one check.
    Block { fields: Vec<FixedField>, size: u64 },
    /// The index of a component.
    Field(usize),
}

/// The layout of a fixed-size record.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    pub size: u64,
    pub fields: Vec<FixedField>,
}

/// A struct, an exception, or the arguments of a method.
#[derive(Clone, Debug)]
pub struct Record<'p> {
    pub class: ClassName,
    pub plan: &'p creo_plan::Record,
    pub components: Vec<Component<'p>>,
    pub steps: Vec<Step>,
    /// Set if the size is fixed and small, and the record is not an argument list.
    pub layout: Option<Layout>,
    /// Whether it is an exception, whose constructor also takes its cause.
    pub thrown: bool,
    /// The nested class that collects its components.
    pub builder: String,
    /// The last argument of a method, if it is a stream, which no message contains.
    pub stream: Option<StreamParameter>,
}

/// The max parameter slots of a method or constructor, without that of `this`.
pub const MAX_SLOTS: usize = 254;

/// The max constants of an enum: a class is initialized in 65,535 bytes of code, of which each constant takes 19.
pub const MAX_CONSTANTS: usize = 3_000;

impl Record<'_> {
    /// Whether it has more components than a constructor can have parameters (255, where `long` and `double` count twice, and `this` once):
    /// it is then a class with a builder.
    pub fn is_wide(&self) -> bool {
        self.slots() > MAX_SLOTS
    }

    /// The slots of its constructor.
    pub fn slots(&self) -> usize {
        let own: usize = self.components.iter().map(|component| slots(&component.field.node.ty)).sum();
        own + usize::from(self.thrown) + usize::from(self.stream.is_some())
    }

    /// Whether some components may be omitted when a value is made.
    pub fn has_optionals(&self) -> bool {
        self.components.iter().any(Component::may_be_left_out)
    }
}

/// A constant of an enum.
#[derive(Clone, Debug)]
pub struct Constant {
    pub name: String,
    pub number: u32,
    pub about: About,
}

#[derive(Clone, Debug)]
pub struct Enum<'p> {
    pub plan: &'p creo_plan::Enum,
    pub constants: Vec<Constant>,
}

/// A union member: the nested record for it.
#[derive(Clone, Debug)]
pub struct Member<'p> {
    pub class: String,
    pub component: Component<'p>,
}

#[derive(Clone, Debug)]
pub struct Union<'p> {
    pub plan: &'p creo_plan::Union,
    pub members: Vec<Member<'p>>,
}

#[derive(Clone, Debug)]
pub enum Kind<'p> {
    Struct(Record<'p>),
    Exception(Record<'p>),
    Enum(Enum<'p>),
    Union(Union<'p>),
}

/// A type with its codec.
#[derive(Clone, Debug)]
pub struct Type<'p> {
    pub id: TypeId,
    pub class: ClassName,
    pub codec: ClassName,
    pub text: ClassName,
    /// The declared name.
    pub wire_name: String,
    /// The name with its package.
    pub full_name: String,
    pub about: About,
    pub kind: Kind<'p>,
    pub helpers: Vec<Helper>,
    /// Whether the files use anything deprecated.
    pub uses_deprecated: bool,
}

#[derive(Clone, Debug)]
pub struct Method<'p> {
    pub plan: &'p creo_plan::Method,
    pub name: String,
    pub wire_name: String,
    pub id: u64,
    pub idempotent: bool,
    /// The names of secrets in its messages (CALL-65).
    pub secrets: Vec<String>,
    pub arguments: Record<'p>,
    /// The struct of its result if its fields are the parts of the response on the soap wire (SOAP-26, SOAP-100).
    pub soap: Option<Record<'p>>,
    /// The constant of its descriptor.
    pub constant: String,
    /// `None` for `void` and for a stream.
    pub result: Option<Value>,
    /// The items of a result that is a stream.
    pub gives: Option<Items>,
    /// Class and codec of each declared exception.
    pub throws: Vec<(ClassName, ClassName)>,
    /// Writes and reads them on text wires.
    pub thrown_texts: Vec<ClassName>,
    pub about: About,
}

impl Method<'_> {
    /// Whether only the binary wire carries it (CALL-47).
    pub fn has_streams(&self) -> bool {
        self.gives.is_some() || self.arguments.stream.is_some()
    }

    /// The names of its parameters.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let stream = self.arguments.stream.iter().map(|stream| stream.name.as_str());
        self.arguments.components.iter().map(|c| c.name.as_str()).chain(stream)
    }
}

/// A class file holds 65,535 constants and 64 KiB of static initialization; `javac` processes a chain of calls recursively. An interface
/// with more methods is split into several classes.
pub const METHODS_A_CLASS: usize = 100;

#[derive(Clone, Debug)]
pub struct Service<'p> {
    pub class: ClassName,
    pub asynchronous: ClassName,
    pub client: ClassName,
    pub async_client: ClassName,
    pub endpoint: ClassName,
    /// One per [`METHODS_A_CLASS`] methods; the first also has the descriptor of the interface.
    pub parts: Vec<Part>,
    pub wsdl_class: ClassName,
    pub open_api_class: ClassName,
    pub description_class: ClassName,
    pub wire_name: String,
    pub fingerprint: u64,
    pub about: About,
    pub methods: Vec<Method<'p>>,
    /// Whether clients write SOAP 1.2 instead of 1.1.
    pub soap12: bool,
    /// Whether messages use SOAP encoding.
    pub encoded: bool,
    /// SOAP-40
    pub addressing: bool,
    pub uses_deprecated: bool,
}

/// A part of an interface's methods: the classes with their descriptions for wires.
#[derive(Clone, Debug)]
pub struct Part {
    /// Descriptors for any wire.
    pub methods: ClassName,
    /// For text wires.
    pub texts: ClassName,
    /// The helpers of the descriptors.
    pub helpers: Vec<Helper>,
}

impl Service<'_> {
    /// The classes with a method's descriptions for wires.
    pub fn part(&self, method: usize) -> &Part {
        &self.parts[method / METHODS_A_CLASS]
    }

    /// The descriptor of the interface.
    pub fn interface(&self) -> &ClassName {
        &self.parts[0].methods
    }
}
