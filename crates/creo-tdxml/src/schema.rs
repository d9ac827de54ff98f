//! The data schema of a table: sections 5 and 8 of the specification.

use crate::error::{Result, malformed, shown};
use crate::escape;
use crate::rows::Component;
use crate::tokens::{Token, tokens};
use crate::xml::chars::qualified;
use std::collections::BTreeMap;
use std::rc::Rc;

/// TDX-61: names that must be quoted.
pub const WORDS: [&str; 19] = [
    "ATTRIBUTE",
    "Boolean",
    "CHOICE",
    "COMMENT",
    "DateTime",
    "Decimal",
    "Enumerated",
    "INDENTED",
    "INSTRUCTION",
    "Integer",
    "MIXED",
    "OF",
    "OPTIONAL",
    "OctetString",
    "Real",
    "SEQUENCE",
    "SET",
    "TEXT",
    "UTF8String",
];

const SCALARS: [&str; 8] =
    ["Boolean", "DateTime", "Decimal", "Enumerated", "Integer", "OctetString", "Real", "UTF8String"];

/// The maximum nesting of anonymous types.
const MAX_NESTING: usize = 64;

/// A text as a string literal of a schema.
pub fn quoted(text: &str) -> String {
    let mut bytes = Vec::new();
    // Writing to memory cannot fail.
    let _ = escape::write(text, false, &mut bytes);
    format!("\"{}\"", String::from_utf8_lossy(&bytes).replace('"', "\\q"))
}

/// Index of a type in its schema.
pub type TypeId = usize;

#[derive(Debug)]
pub struct AttributeType {
    pub number: u32,
    pub name: Rc<str>,
    pub optional: bool,
    pub default: Option<String>,
}

#[derive(Debug)]
pub struct Member {
    pub number: u32,
    pub name: Rc<str>,
    pub ty: TypeId,
    pub repeats: bool,
    pub optional: bool,
    pub default: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Sequence,
    Choice,
    Mixed,
}

/// A column of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    Attribute(usize),
    Text,
    Member(usize),
}

/// The type of an element with more than text.
#[derive(Debug)]
pub struct ElementType {
    pub kind: Kind,
    /// By number.
    pub attributes: Vec<AttributeType>,
    /// By number.
    pub members: Vec<Member>,
    pub text: bool,
    pub text_default: Option<String>,
    pub unit: Option<String>,
    pub columns: Vec<Column>,
    /// The possible columns, as declared.
    declared: Vec<Column>,
}

#[derive(Debug)]
pub enum Type {
    Scalar,
    Element(ElementType),
    /// Nodes that are not elements.
    Text,
    Comment,
    Instruction,
    /// The name of a definition, until all are known.
    Named(String),
}

#[derive(Debug)]
pub struct Schema {
    pub types: Vec<Type>,
    pub root: TypeId,
    pub root_name: Rc<str>,
    /// TDX-66: the numbers and types of nodes outside the root.
    pub outside: Vec<(u32, TypeId)>,
}

impl Schema {
    /// The element for a part of an index, and the child's member index.
    pub fn child(&self, ty: TypeId, component: &Component) -> Result<(&ElementType, usize)> {
        let Type::Element(element) = &self.types[ty] else {
            return malformed("the element has nothing in it but text");
        };
        match element.member(component.0) {
            Some(place) => Ok((element, place)),
            None => malformed(format!("the element has no child with the number {}", component.0)),
        }
    }

    /// The element with an attribute of this number, and the attribute's index.
    pub fn attribute(&self, ty: TypeId, number: u32) -> Result<(&ElementType, usize)> {
        let Type::Element(element) = &self.types[ty] else {
            return malformed("the element has no attributes");
        };
        match element.attribute(number) {
            Some(place) => Ok((element, place)),
            None => malformed(format!("the element has no attribute with the number {number}")),
        }
    }
}

impl ElementType {
    /// Checks that a part of an index has an occurrence exactly where the member repeats. In a record, repeated texts have none, and
    /// columns no rows.
    pub fn check_occurrence(
        &self,
        schema: &Schema,
        record: bool,
        place: usize,
        occurrence: Option<u32>,
    ) -> Result<()> {
        let member = &self.members[place];
        if self.kind == Kind::Mixed {
            return if occurrence.is_some() {
                Ok(())
            } else {
                malformed("a node of a mixed element has no occurrence")
            };
        }
        let scalar = record && matches!(schema.types[member.ty], Type::Scalar);
        if scalar && !member.repeats && self.kind == Kind::Sequence {
            return malformed(format!("`{}` is a column of its record, and has no row", member.name));
        }
        let needed = member.repeats && !scalar;
        if occurrence.is_some() == needed {
            return Ok(());
        }
        malformed(format!(
            "`{}` {}",
            member.name,
            if needed { "repeats: its occurrence is missing" } else { "has no occurrences here" }
        ))
    }

    pub fn member(&self, number: u32) -> Option<usize> {
        self.members.binary_search_by_key(&number, |member| member.number).ok()
    }

    pub fn attribute(&self, number: u32) -> Option<usize> {
        self.attributes.binary_search_by_key(&number, |attribute| attribute.number).ok()
    }
}

/// Reads a schema.
pub fn parse(text: &str) -> Result<Schema> {
    let mut parser = Parser {
        tokens: tokens(text)?,
        at: 0,
        types: Vec::new(),
        definitions: BTreeMap::new(),
        outside: Vec::new(),
        nesting: 0,
    };
    let mut root = None;
    while *parser.peek() != Token::End {
        let (name, ty) = parser.definition()?;
        root = root.or_else(|| name.map(|name| (name, ty)));
    }
    let Some((root_name, root)) = root else { return malformed("the schema defines nothing") };
    parser.resolve(root_name, root)
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    types: Vec<Type>,
    definitions: BTreeMap<Rc<str>, TypeId>,
    outside: Vec<(u32, TypeId)>,
    nesting: usize,
}

impl Parser {
    fn peek(&self) -> &Token {
        self.tokens.get(self.at).unwrap_or(&Token::End)
    }

    fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.at += 1;
        token
    }

    fn wrong<T>(&self, expected: &str, found: &Token) -> Result<T> {
        let before = self.at.checked_sub(2).and_then(|at| self.tokens.get(at));
        let behind = before.map_or_else(String::new, |token| format!(" behind {}", token.shown()));
        malformed(format!("the schema has {}{behind}, where {expected} is expected", found.shown()))
    }

    fn sign(&mut self, sign: char) -> Result<()> {
        match self.next() {
            Token::Sign(found) if found == sign => Ok(()),
            found => self.wrong(&format!("`{sign}`"), &found),
        }
    }

    fn take_sign(&mut self, sign: char) -> bool {
        let there = *self.peek() == Token::Sign(sign);
        self.at += usize::from(there);
        there
    }

    fn take_word(&mut self, word: &str) -> bool {
        let there = matches!(self.peek(), Token::Name(name) if name == word);
        self.at += usize::from(there);
        there
    }

    fn word(&mut self, word: &str) -> Result<()> {
        if self.take_word(word) {
            return Ok(());
        }
        let found = self.next();
        self.wrong(&format!("`{word}`"), &found)
    }

    fn number(&mut self) -> Result<u32> {
        match self.next() {
            Token::Number(number) => Ok(number),
            found => self.wrong("a number", &found),
        }
    }

    fn name(&mut self) -> Result<Rc<str>> {
        match self.next() {
            Token::Name(name) => Ok(name.into()),
            Token::Quoted(name) if qualified(&name).is_some() => Ok(name.into()),
            found => self.wrong("a name", &found),
        }
    }

    fn add(&mut self, ty: Type) -> TypeId {
        self.types.push(ty);
        self.types.len() - 1
    }

    /// Reads a definition's type, and its name unless it names nodes outside the root.
    fn definition(&mut self) -> Result<(Option<Rc<str>>, TypeId)> {
        let name = self.name()?;
        let mut number = None;
        if self.take_sign('[') {
            number = Some(self.number()?);
            self.sign(']')?;
        }
        match self.next() {
            Token::Assign => {}
            found => return self.wrong("`::=`", &found),
        }
        if let Some(node) = self.node_type() {
            let ty = self.add(node);
            let Some(number) =
                number.filter(|number| *number > 0 && self.outside.iter().all(|(known, _)| known != number))
            else {
                return malformed(format!("the definition `{}` has no number of its own", shown(&name)));
            };
            self.outside.push((number, ty));
            return Ok((None, ty));
        }
        let ty = if self.take_word("SET") { self.set_of()? } else { self.ty()? };
        if self.take_word("INDENTED") {
            let unit = self.default()?;
            match &mut self.types[ty] {
                Type::Element(element) if unit.bytes().all(|b| matches!(b, b' ' | b'\t')) => {
                    element.unit = Some(unit)
                }
                _ => return malformed(format!("`{}` cannot be INDENTED so", shown(&name))),
            }
        }
        if self.definitions.insert(Rc::clone(&name), ty).is_some() {
            return malformed(format!("the schema defines `{}` twice", shown(&name)));
        }
        Ok((Some(name), ty))
    }

    fn node_type(&mut self) -> Option<Type> {
        let node = match self.peek() {
            Token::Name(word) if word == "TEXT" => Type::Text,
            Token::Name(word) if word == "COMMENT" => Type::Comment,
            Token::Name(word) if word == "INSTRUCTION" => Type::Instruction,
            _ => return None,
        };
        self.at += 1;
        Some(node)
    }

    /// Reads a definition `SET OF` a type: an element with one repeated child, named after that type.
    fn set_of(&mut self) -> Result<TypeId> {
        self.word("OF")?;
        let name = match self.peek() {
            Token::Name(name) if !WORDS.contains(&name.as_str()) => name.as_str().into(),
            Token::Quoted(name) => name.as_str().into(),
            _ => "item".into(),
        };
        let ty = self.ty()?;
        let members = vec![Member { number: 0, name, ty, repeats: true, optional: false, default: None }];
        let element = ElementType {
            kind: Kind::Sequence,
            attributes: Vec::new(),
            members,
            text: false,
            text_default: None,
            unit: None,
            columns: Vec::new(),
            declared: Vec::new(),
        };
        Ok(self.add(Type::Element(element)))
    }

    fn ty(&mut self) -> Result<TypeId> {
        let word = match self.next() {
            Token::Name(word) => word,
            Token::Quoted(name) => return Ok(self.add(Type::Named(name))),
            found => return self.wrong("a type", &found),
        };
        let kind = match word.as_str() {
            word if SCALARS.contains(&word) => return Ok(self.add(Type::Scalar)),
            "SEQUENCE" => {
                self.take_word("OF");
                Kind::Sequence
            }
            "CHOICE" => Kind::Choice,
            "MIXED" => Kind::Mixed,
            word if WORDS.contains(&word) => return self.wrong("a type", &Token::Name(word.to_owned())),
            _ => return Ok(self.add(Type::Named(word))),
        };
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return malformed("types of the schema nest too deep");
        }
        let element = self.element(kind)?;
        self.nesting -= 1;
        Ok(self.add(Type::Element(element)))
    }

    fn element(&mut self, kind: Kind) -> Result<ElementType> {
        self.sign('{')?;
        let mut element = ElementType {
            kind,
            attributes: Vec::new(),
            members: Vec::new(),
            text: kind == Kind::Mixed,
            text_default: None,
            unit: None,
            columns: Vec::new(),
            declared: Vec::new(),
        };
        while !self.take_sign('}') {
            let name = self.name()?;
            if self.take_sign('(') {
                let number = self.number()?;
                self.sign(')')?;
                self.sign('[')?;
                self.word("ATTRIBUTE")?;
                self.sign(']')?;
                self.ty()?;
                let (optional, default) = self.behind()?;
                element.attributes.push(AttributeType { number, name, optional, default });
            } else if self.take_sign('[') {
                let number = self.number()?;
                self.sign(']')?;
                element.declared.push(Column::Member(number as usize));
                let member = self.member(kind, number, name)?;
                element.members.push(member);
            } else {
                self.word("TEXT")?;
                self.ty()?;
                element.text_default = self.behind()?.1;
                if std::mem::replace(&mut element.text, true) {
                    return malformed("an element of the schema has two texts");
                }
                element.declared.push(Column::Text);
            }
        }
        element.attributes.sort_by_key(|attribute| attribute.number);
        element.members.sort_by_key(|member| member.number);
        let twice = element.attributes.windows(2).any(|two| two[0].number == two[1].number);
        if twice || element.members.windows(2).any(|two| two[0].number == two[1].number) {
            return malformed("an element of the schema has a number twice");
        }
        Ok(element)
    }

    fn member(&mut self, kind: Kind, number: u32, name: Rc<str>) -> Result<Member> {
        if kind == Kind::Mixed
            && let Some(node) = self.node_type()
        {
            let ty = self.add(node);
            return Ok(Member { number, name, ty, repeats: true, optional: true, default: None });
        }
        let repeats = self.take_word("SET");
        if repeats {
            self.word("OF")?;
        }
        let ty = self.ty()?;
        let (optional, default) = self.behind()?;
        Ok(Member { number, name, ty, repeats, optional: optional || kind != Kind::Sequence, default })
    }

    /// Reads `OPTIONAL` and a default.
    fn behind(&mut self) -> Result<(bool, Option<String>)> {
        let optional = self.take_word("OPTIONAL");
        let default = if *self.peek() == Token::Sign('(') { Some(self.default()?) } else { None };
        Ok((optional, default))
    }

    fn default(&mut self) -> Result<String> {
        self.sign('(')?;
        let text = match self.next() {
            Token::Quoted(text) => text,
            found => return self.wrong("a string", &found),
        };
        self.sign(')')?;
        Ok(text)
    }

    /// Replaces names of definitions with their types.
    fn resolve(mut self, root_name: Rc<str>, root: TypeId) -> Result<Schema> {
        let mut real = Vec::with_capacity(self.types.len());
        for start in 0..self.types.len() {
            let (mut at, mut steps) = (start, 0);
            while let Type::Named(name) = &self.types[at] {
                let Some(found) = self.definitions.get(name.as_str()) else {
                    return malformed(format!("the schema does not define `{}`", shown(name)));
                };
                (at, steps) = (*found, steps + 1);
                if steps > MAX_NESTING {
                    return malformed(format!("the definition of `{}` is its own", shown(name)));
                }
            }
            real.push(at);
        }
        let scalar: Vec<bool> = real.iter().map(|ty| matches!(self.types[*ty], Type::Scalar)).collect();
        for ty in &mut self.types {
            let Type::Element(element) = ty else { continue };
            for member in &mut element.members {
                member.ty = real[member.ty];
            }
            let mut columns: Vec<Column> = (0..element.attributes.len()).map(Column::Attribute).collect();
            if element.kind == Kind::Mixed {
                columns.push(Column::Text);
            }
            for declared in &element.declared {
                match declared {
                    Column::Member(number) => {
                        let place = element.member(*number as u32).filter(|_| element.kind == Kind::Sequence);
                        let place = place.filter(|place| {
                            !element.members[*place].repeats && scalar[element.members[*place].ty]
                        });
                        columns.extend(place.map(Column::Member));
                    }
                    Column::Text => columns.push(Column::Text),
                    Column::Attribute(_) => {}
                }
            }
            element.columns = columns;
        }
        Ok(Schema { root: real[root], types: self.types, root_name, outside: self.outside })
    }
}
