//! The document type declaration: the internal subset is read for entities and attributes; external parts are not (TDX-60).

use super::chars::{is_name, is_public_char};
use super::entities::{Entity, Rule, character, tokens};
use super::parser::Parser;
use crate::error::{Result, malformed, shown, too_large};
use crate::limits::{MAX_DECLARED, MAX_ENTITY_DEPTH, MAX_SCHEMA};
use std::io::Read;
use std::rc::Rc;

impl<R: Read> Parser<R> {
    /// `<!DOCTYPE ...>`
    pub(super) fn doctype(&mut self) -> Result<()> {
        self.input.advance("<!DOCTYPE".len());
        self.space()?;
        self.name("a document type")?;
        let spaced = self.input.skip_space()?;
        let external = spaced && self.external_id()?;
        self.input.skip_space()?;
        if self.input.take("[")? {
            self.subset()?;
            self.input.skip_space()?;
        }
        self.dtd.unread |= external;
        self.expect(">")
    }

    fn expect(&mut self, text: &str) -> Result<()> {
        if self.input.take(text)? {
            Ok(())
        } else {
            malformed(format!("`{text}` is missing in the document type declaration"))
        }
    }

    fn space(&mut self) -> Result<()> {
        if self.input.skip_space()? {
            Ok(())
        } else {
            malformed("white space is missing in the document type declaration")
        }
    }

    /// Limits the kept bytes of a DTD.
    fn keep(&mut self, bytes: usize) -> Result<()> {
        self.dtd.size += bytes + 64;
        if self.dtd.size > MAX_SCHEMA {
            too_large(format!("the document type declaration is longer than {MAX_SCHEMA} bytes"))
        } else {
            Ok(())
        }
    }

    /// Reads `SYSTEM "..."` or `PUBLIC "..." "..."`; false if there is neither.
    fn external_id(&mut self) -> Result<bool> {
        if self.input.take("PUBLIC")? {
            self.space()?;
            self.public_id()?;
        } else if !self.input.take("SYSTEM")? {
            return Ok(false);
        }
        self.space()?;
        self.literal()?;
        Ok(true)
    }

    fn public_id(&mut self) -> Result<()> {
        let id = self.literal()?;
        if id.chars().all(is_public_char) {
            Ok(())
        } else {
            malformed(format!("`{}` is no public identifier", shown(&id)))
        }
    }

    /// Reads a quoted literal.
    fn literal(&mut self) -> Result<String> {
        let quote = match self.input.peek()? {
            Some(b'"') => "\"",
            Some(b'\'') => "'",
            Some(_) | None => return malformed("quotes are missing in the document type declaration"),
        };
        self.input.advance(1);
        let mut text = String::new();
        self.input.take_until(quote, &mut text, MAX_SCHEMA, "a text in the document type declaration")?;
        Ok(text)
    }

    fn subset(&mut self) -> Result<()> {
        loop {
            self.input.skip_space()?;
            match self.input.peek()? {
                None if self.input.frames.pop().is_some() => {}
                Some(b']') if self.input.frames.is_empty() => {
                    self.input.advance(1);
                    return Ok(());
                }
                Some(b'%') => self.parameter_reference()?,
                Some(b'<') => self.markup_declaration()?,
                Some(_) | None => {
                    return malformed("the internal subset of the document type declaration has no end");
                }
            }
        }
    }

    /// Reads `%name;` between declarations.
    fn parameter_reference(&mut self) -> Result<()> {
        self.input.advance(1);
        let name = self.local_name("a parameter entity")?;
        self.expect(";")?;
        match self.dtd.parameters.get_key_value(name.as_str()) {
            Some((name, Some(text))) => {
                let (name, text) = (Rc::clone(name), Rc::clone(text));
                if self.input.frames.iter().any(|frame| frame.name == name) {
                    return malformed(format!("the parameter entity `{}` refers to itself", shown(&name)));
                }
                if self.input.frames.len() >= MAX_ENTITY_DEPTH {
                    return too_large(format!("entities nest deeper than {MAX_ENTITY_DEPTH}"));
                }
                self.charge(text.len())?;
                self.input.enter(name, text, 0);
            }
            found => {
                if found.is_none() && !self.dtd.unread && self.dtd.standalone {
                    return malformed(format!("the parameter entity `{}` is not declared", shown(&name)));
                }
                self.dtd.unread = true;
            }
        }
        Ok(())
    }

    fn markup_declaration(&mut self) -> Result<()> {
        if self.input.take("<!--")? {
            self.comment().map(|_| ())
        } else if self.input.take("<?")? {
            self.instruction().map(|_| ())
        } else if self.input.take("<!ENTITY")? {
            self.entity()
        } else if self.input.take("<!ATTLIST")? {
            self.attribute_list()
        } else if self.input.take("<!ELEMENT")? {
            self.element()
        } else if self.input.take("<!NOTATION")? {
            self.notation()
        } else {
            malformed("a declaration is not one of a document type")
        }
    }

    fn entity(&mut self) -> Result<()> {
        self.space()?;
        let parameter = self.input.take("%")?;
        if parameter {
            self.space()?;
        }
        let name: Rc<str> = self.local_name("an entity")?.into();
        self.space()?;
        if matches!(self.input.peek()?, Some(b'"' | b'\'')) {
            let literal = self.literal()?;
            let text: Rc<str> = replacement(&literal)?.into();
            self.keep(name.len() + text.len())?;
            // The first declaration wins.
            if parameter {
                self.dtd.parameters.entry(name).or_insert(Some(text));
            } else {
                self.dtd.entities.entry(name).or_insert(Entity::Internal(text));
            }
            self.input.skip_space()?;
            return self.expect(">");
        }
        if !self.external_id()? {
            return malformed(format!("the entity `{}` has no value", shown(&name)));
        }
        self.keep(name.len())?;
        let spaced = self.input.skip_space()?;
        let mut entity = Entity::External;
        if !parameter && spaced && self.input.take("NDATA")? {
            self.space()?;
            self.local_name("a notation")?;
            self.input.skip_space()?;
            entity = Entity::Unparsed;
        }
        if parameter {
            self.dtd.parameters.entry(name).or_insert(None);
        } else {
            self.dtd.entities.entry(name).or_insert(entity);
        }
        self.expect(">")
    }

    fn attribute_list(&mut self) -> Result<()> {
        self.space()?;
        let element = self.name("an element")?;
        loop {
            let spaced = self.input.skip_space()?;
            if self.input.take(">")? {
                return Ok(());
            }
            if !spaced {
                return malformed("white space is missing in the document type declaration");
            }
            let name = self.name("an attribute")?;
            self.space()?;
            let cdata = self.attribute_type()?;
            self.space()?;
            let default = self.default(cdata)?;
            self.keep(element.len() + name.len() + default.as_ref().map_or(0, String::len))?;
            let rules = self.dtd.attributes.entry(element.clone()).or_default();
            if rules.len() >= MAX_DECLARED {
                return too_large(format!("more than {MAX_DECLARED} attributes are declared for an element"));
            }
            if rules.iter().all(|rule| rule.name != name) {
                rules.push(Rule { name, cdata, default });
            }
        }
    }

    /// Reads a type; true if it is CDATA.
    fn attribute_type(&mut self) -> Result<bool> {
        if self.input.take("(")? {
            self.choices()?;
            return Ok(false);
        }
        let word = self.name("the type of an attribute")?;
        match word.as_str() {
            "CDATA" => Ok(true),
            "ID" | "IDREF" | "IDREFS" | "ENTITY" | "ENTITIES" | "NMTOKEN" | "NMTOKENS" => Ok(false),
            "NOTATION" => {
                self.space()?;
                self.expect("(")?;
                self.choices()?;
                Ok(false)
            }
            _ => malformed(format!("`{}` is no type of an attribute", shown(&word))),
        }
    }

    /// Reads `a | b)`.
    fn choices(&mut self) -> Result<()> {
        let mut text = String::new();
        self.input.take_until(")", &mut text, MAX_SCHEMA, "the type of an attribute")?;
        // Unlike names, tokens may begin with any name character.
        let right = text
            .split('|')
            .all(|token| is_name(&format!("_{}", token.trim_ascii())) && !token.trim_ascii().is_empty());
        if right { Ok(()) } else { malformed("the values of an attribute's type cannot be read") }
    }

    fn default(&mut self, cdata: bool) -> Result<Option<String>> {
        if self.input.take("#REQUIRED")? || self.input.take("#IMPLIED")? {
            return Ok(None);
        }
        if self.input.take("#FIXED")? {
            self.space()?;
        }
        let mut value = String::new();
        self.value(&mut value)?;
        Ok(Some(if cdata { value } else { tokens(&value) }))
    }

    fn element(&mut self) -> Result<()> {
        self.space()?;
        self.name("an element")?;
        self.space()?;
        let mut model = String::new();
        self.input.take_until(">", &mut model, MAX_SCHEMA, "the declaration of an element")?;
        let mut depth = 0_usize;
        for c in model.chars() {
            match c {
                '(' => depth += 1,
                ')' if depth == 0 => {
                    return malformed("parentheses of an element's declaration do not match");
                }
                ')' => depth -= 1,
                '<' | '&' | '%' | '"' | '\'' | ';' | '=' => {
                    return malformed(format!("`{c}` stands in the declaration of an element"));
                }
                _ => {}
            }
        }
        if depth == 0 && !model.trim_ascii().is_empty() {
            Ok(())
        } else {
            malformed("the declaration of an element cannot be read")
        }
    }

    fn notation(&mut self) -> Result<()> {
        self.space()?;
        self.local_name("a notation")?;
        self.space()?;
        if self.input.take("PUBLIC")? {
            self.space()?;
            self.public_id()?;
            self.input.skip_space()?;
            if matches!(self.input.peek()?, Some(b'"' | b'\'')) {
                self.literal()?;
            }
        } else if !self.external_id()? {
            return malformed("a notation has no identifier");
        }
        self.input.skip_space()?;
        self.expect(">")
    }
}

/// The replacement text of an entity's literal: character references are replaced, entity references stay (XML 1.0, 4.5).
fn replacement(literal: &str) -> Result<String> {
    let mut text = String::with_capacity(literal.len());
    let mut rest = literal;
    while let Some(at) = rest.bytes().position(|b| matches!(b, b'&' | b'%')) {
        text.push_str(&rest[..at]);
        if rest.as_bytes()[at] == b'%' {
            return malformed(
                "a parameter entity is referred to within a declaration of the internal subset",
            );
        }
        let Some((name, behind)) = rest[at + 1..].split_once(';') else {
            return malformed("`&` is not followed by a name and `;`");
        };
        match name.strip_prefix('#') {
            Some(number) => text.push(character(number)?),
            None if is_name(name) => {
                text.push('&');
                text.push_str(name);
                text.push(';');
            }
            None => return malformed("`&` is not followed by a name and `;`"),
        }
        rest = behind;
    }
    text.push_str(rest);
    Ok(text)
}
