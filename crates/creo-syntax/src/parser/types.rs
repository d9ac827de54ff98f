//! Types as written.

use super::cursor::Parser;
use crate::MAX_TYPE_DEPTH;
use crate::mistakes::TooDeep;
use crate::token::TokenKind;
use crate::tree::{Name, TypeName, TypeRef, TypeRefKind};

impl Parser<'_> {
    /// `( typeName | "Map" "<" type "," type ">" ) { "[" "]" | "?" }`
    pub(super) fn type_ref(&mut self, expected: &str) -> Option<TypeRef> {
        Some(self.nested_type(expected, 0)?.0)
    }

    /// A type within `outer` maps, and its nesting depth.
    fn nested_type(&mut self, expected: &str, outer: usize) -> Option<(TypeRef, usize)> {
        let (mut ty, mut depth) = if self.is_word("Map") && self.ahead(1).kind == TokenKind::Punctuation(b'<')
        {
            self.map_type(outer)?
        } else {
            let name = self.type_name(expected)?;
            (TypeRef { span: name.span, kind: TypeRefKind::Name(name) }, 0)
        };
        if self.is(b'<') {
            let help = match &ty.kind {
                TypeRefKind::Name(name)
                    if matches!(
                        name.single(),
                        Some("List" | "Set" | "ArrayList" | "Collection" | "Array")
                    ) =>
                {
                    Some(
                        "an array is written with brackets behind the type of its items: `String[]`"
                            .to_owned(),
                    )
                }
                TypeRefKind::Name(name) if name.single() == Some("Optional") => {
                    Some("an optional is written with a question mark behind its type: `String?`".to_owned())
                }
                _ => Some("of all types, only `Map` takes arguments".to_owned()),
            };
            self.refuse_with("a name", None, help);
            return None;
        }
        loop {
            let start = self.span();
            let array = if self.accept(b'[').is_some() {
                if self.accept(b']').is_none() {
                    let help = (self.token().kind == TokenKind::Integer)
                        .then(|| "an array holds any number of items: `int[]`".to_owned());
                    self.refuse_with("`]`", None, help);
                    return None;
                }
                true
            } else if self.accept(b'?').is_some() {
                false
            } else {
                return Some((ty, depth));
            };
            depth += 1;
            if depth + outer > MAX_TYPE_DEPTH {
                if depth + outer == MAX_TYPE_DEPTH + 1 {
                    self.report.add(&TooDeep { span: start.to(self.last_span()) });
                }
                // Deeper levels are read and dropped, which bounds the depth of the tree.
                ty.kind = TypeRefKind::Unknown;
                continue;
            }
            let span = ty.span.to(self.last_span());
            let item = Box::new(ty);
            let kind = if array { TypeRefKind::Array(item) } else { TypeRefKind::Optional(item) };
            ty = TypeRef { kind, span };
        }
    }

    fn map_type(&mut self, outer: usize) -> Option<(TypeRef, usize)> {
        let start = self.span();
        self.advance();
        self.advance();
        if outer >= MAX_TYPE_DEPTH {
            self.report.add(&TooDeep { span: start });
            self.skip_arguments();
            return Some((TypeRef { kind: TypeRefKind::Unknown, span: start }, 0));
        }
        let (key, key_depth) = self.nested_type("the type of the keys", outer + 1)?;
        self.expect(b',', "`,` and the type of the values")?;
        let (value, value_depth) = self.nested_type("the type of the values", outer + 1)?;
        self.expect(b'>', "`>`")?;
        let span = start.to(self.last_span());
        Some((
            TypeRef { kind: TypeRefKind::Map(Box::new(key), Box::new(value)), span },
            1 + key_depth.max(value_depth),
        ))
    }

    /// Continues after the `>` that closes the current arguments.
    fn skip_arguments(&mut self) {
        let mut depth = 1usize;
        while depth > 0 {
            match self.token().kind {
                TokenKind::Punctuation(b'<') => depth += 1,
                TokenKind::Punctuation(b'>') => depth -= 1,
                TokenKind::Punctuation(b';' | b'{' | b'}') | TokenKind::End => return,
                _ => {}
            }
            self.advance();
        }
    }

    /// `NAME { "." NAME }`
    pub(super) fn type_name(&mut self, expected: &str) -> Option<TypeName> {
        let first = self.name(expected)?;
        let mut parts: Vec<Name> = vec![first];
        while self.accept(b'.').is_some() {
            parts.push(self.name("a name behind the dot")?);
        }
        let span = parts[0].span.to(self.last_span());
        Some(TypeName { parts, span })
    }
}
