//! The tree of one file by the grammar of `spec/language.md`, with spans.

pub use crate::comment::{Comment, CommentKind};
use crate::token::Tokens;
use creo_diag::{FileId, Span};

/// One file, parsed.
#[derive(Clone, Debug)]
pub struct Tree {
    pub file: FileId,
    /// LANG-8: annotations of the file, `@PACKAGE`.
    pub notes: Vec<Annotation>,
    pub imports: Vec<Import>,
    pub declarations: Vec<Declaration>,
    /// Whether the text had syntax errors.
    pub has_errors: bool,
    /// Whether a declaration or import was dropped, so names may seem to be missing.
    pub is_lossy: bool,
    pub(crate) tokens: Tokens,
}

impl Tree {
    /// All comments in order.
    pub fn comments(&self) -> &[Comment] {
        &self.tokens.comments
    }
}

#[derive(Clone, Debug)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Import {
    /// `None` if the string was invalid.
    pub path: Option<String>,
    /// The string with its quotes.
    pub path_span: Span,
    pub span: Span,
}

/// The head of a declaration, field, constant, member, method or parameter.
#[derive(Clone, Debug, Default)]
pub struct Head {
    /// LANG-2: the cleaned text of the documentation comment.
    pub doc: Option<String>,
    pub annotations: Vec<Annotation>,
}

#[derive(Clone, Debug)]
pub struct Declaration {
    pub head: Head,
    pub name: Name,
    /// The word `extensible`.
    pub extensible: Option<Span>,
    pub kind: DeclarationKind,
    /// Whether members were dropped.
    pub is_lossy: bool,
    /// From the first word to the closing brace, without documentation and annotations.
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum DeclarationKind {
    Struct(Vec<Field>),
    Exception(Vec<Field>),
    Enum(Vec<Constant>),
    Union(Vec<Field>),
    Interface(Vec<Method>),
}

impl DeclarationKind {
    /// The keyword of such a declaration.
    pub fn keyword(&self) -> &'static str {
        match self {
            DeclarationKind::Struct(_) => "struct",
            DeclarationKind::Exception(_) => "exception",
            DeclarationKind::Enum(_) => "enum",
            DeclarationKind::Union(_) => "union",
            DeclarationKind::Interface(_) => "interface",
        }
    }
}

/// A field of a struct or exception, a member of a union, a parameter of a method.
#[derive(Clone, Debug)]
pub struct Field {
    pub head: Head,
    /// The word `stream`. Only for parameters; then [`Field::ty`] is the type of the items.
    pub streams: Option<Span>,
    pub ty: TypeRef,
    pub name: Name,
    /// Only for structs and exceptions.
    pub default: Option<Literal>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Constant {
    pub head: Head,
    pub name: Name,
    /// A [`LiteralKind::Integer`].
    pub number: Option<Literal>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Method {
    pub head: Head,
    pub oneway: Option<Span>,
    /// The word `stream` before the result; then [`Method::result`] is the type of the items.
    pub streams: Option<Span>,
    /// `void` is the type name `void`.
    pub result: TypeRef,
    pub name: Name,
    pub parameters: Vec<Field>,
    pub throws: Vec<TypeName>,
    pub span: Span,
}

/// A type as written. Nests at most [`crate::MAX_TYPE_DEPTH`] deep.
#[derive(Clone, Debug)]
pub struct TypeRef {
    pub kind: TypeRefKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum TypeRefKind {
    Name(TypeName),
    Array(Box<TypeRef>),
    Optional(Box<TypeRef>),
    Map(Box<TypeRef>, Box<TypeRef>),
    /// An invalid type, which was reported.
    Unknown,
}

/// A name with or without its package.
#[derive(Clone, Debug)]
pub struct TypeName {
    /// Never empty.
    pub parts: Vec<Name>,
    pub span: Span,
}

impl TypeName {
    /// The name as written, without white space.
    pub fn text(&self) -> String {
        self.parts.iter().map(|part| part.text.as_str()).collect::<Vec<_>>().join(".")
    }

    /// The name if it has a single part.
    pub fn single(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [name] => Some(&name.text),
            _ => None,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Annotation {
    pub name: Name,
    pub arguments: Vec<Argument>,
    /// Whether arguments were dropped.
    pub is_lossy: bool,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Argument {
    pub name: Option<Name>,
    pub value: Literal,
}

#[derive(Clone, Debug)]
pub struct Literal {
    pub kind: LiteralKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LiteralKind {
    String(String),
    /// One UTF-16 code unit.
    Character(u16),
    /// `[-]digits` or `[-]0xdigits`, without the suffix.
    Integer(String),
    /// `[-]digits[.digits][exponent]` or `-Infinity`, without the suffix.
    Decimal(String),
    /// `true`, `false`, `NaN`, `Infinity`, the name of a constant.
    Word(String),
    /// `{}`
    Empty,
    /// An invalid literal, which was reported.
    Unknown,
}

impl Literal {
    /// The kind of the literal, worded for messages.
    pub fn describe(&self) -> String {
        match &self.kind {
            LiteralKind::String(_) => "a string".into(),
            LiteralKind::Character(_) => "a character".into(),
            LiteralKind::Integer(_) => "a whole number".into(),
            LiteralKind::Word(word) | LiteralKind::Decimal(word)
                if !word.ends_with(|c: char| c.is_ascii_digit()) =>
            {
                format!("`{word}`")
            }
            LiteralKind::Decimal(_) => "a decimal number".into(),
            LiteralKind::Word(word) => format!("`{word}`"),
            LiteralKind::Empty => "`{}`".into(),
            LiteralKind::Unknown => "something else".into(),
        }
    }
}
