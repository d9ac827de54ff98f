//! The file, its declarations and their members.

use super::cursor::{KEYWORDS, Parser};
use super::heads::is_file_annotation;
use crate::token::TokenKind;
use crate::tree::{
    Constant, Declaration, DeclarationKind, Field, Head, Import, LiteralKind, Method, Name, Tree, TypeRefKind,
};
use creo_diag::Span;

/// How a member list continues after an item.
enum Next {
    Item,
    /// Something else was found and skipped.
    Again,
    /// The closing brace is missing: another declaration starts here.
    Leave,
}

impl Parser<'_> {
    /// `{ fileNote } { import } { declaration }`
    pub(super) fn file(&mut self, tree: &mut Tree) {
        while !self.is_end() {
            if self.is_word("import") {
                self.import(tree);
                continue;
            }
            if tree.declarations.is_empty()
                && self.is(b'@')
                && is_file_annotation(self.text_of(self.ahead(1)))
            {
                tree.notes.extend(self.annotation());
                continue;
            }
            self.declaration(tree);
        }
    }

    /// `"import" STRING ";"`
    fn import(&mut self, tree: &mut Tree) {
        let start = self.span();
        if let Some(first) = tree.declarations.first() {
            self.refuse_with(
                "a declaration",
                Some((first.name.span, "the first declaration")),
                Some("imports come before the first declaration".into()),
            );
        }
        self.advance();
        if self.token().kind != TokenKind::String {
            self.refuse("the path of a file, as a string");
            self.lossy = true;
            self.recover_outside();
            return;
        }
        let path_span = self.span();
        let path = match self.literal("a path").map(|literal| literal.kind) {
            Some(LiteralKind::String(path)) => Some(path),
            _ => None,
        };
        let span = start.to(path_span);
        self.lossy |= path.is_none();
        tree.imports.push(Import { path, path_span, span });
        if self.semicolon("`;`").is_none() {
            self.recover_outside();
        }
    }

    /// Like [`Parser::recover`], but outside all declarations.
    fn recover_outside(&mut self) {
        self.recover();
        if self.accept(b'}').is_some() {
            self.accept(b';');
        }
    }

    fn declaration(&mut self, tree: &mut Tree) {
        let first = tree.declarations.first().map(|first| first.name.span);
        let head = self.head(first);
        let start = self.span();
        if self.is(b'}') && self.open_braces > 0 {
            self.open_braces -= 1;
            self.advance();
            self.accept(b';');
            return;
        }
        if self.is_end() || self.is_word("import") {
            self.refuse_head(&head);
            return;
        }
        let extensible = if self.is_word("extensible") {
            let token = self.advance();
            Some(self.span_of(token))
        } else {
            None
        };
        let Some(keyword) = KEYWORDS
            .into_iter()
            .find(|word| self.is_word(word))
            .filter(|word| extensible.is_none() || *word != "interface")
        else {
            self.refuse_declaration(extensible.is_some());
            return;
        };
        self.advance();
        let Some(name) = self.name(&format!("the name of the {keyword}")) else {
            self.lossy = true;
            self.recover_outside();
            return;
        };
        let mut declaration =
            Declaration { head, name, extensible, kind: empty(keyword), is_lossy: false, span: start };
        let closed = match self.accept(b'{') {
            Some(open) => self.body(&mut declaration, open),
            None if self.is_name() && !self.is_declaration_start() => {
                // As for a missing semicolon: a member seems to follow.
                self.refuse("`{`");
                self.body(&mut declaration, start)
            }
            None => {
                self.refuse("`{`");
                declaration.is_lossy = true;
                self.recover();
                self.accept(b'}').is_some()
            }
        };
        declaration.span = start.to(self.last_span());
        tree.declarations.push(declaration);
        if closed {
            self.accept(b';');
        }
    }

    fn refuse_declaration(&mut self, extensible: bool) {
        let expected = if extensible {
            "`struct`, `exception`, `enum` or `union`"
        } else {
            "`struct`, `exception`, `enum`, `union`, `interface` or `import`"
        };
        let help = match self.text_of(self.token()) {
            "class" | "record" | "message" | "type" => Some("a type with fields is a `struct`"),
            "service" | "protocol" => Some("methods are declared in an `interface`"),
            "interface" => Some("an interface may always gain methods: leave `extensible` out"),
            "package" | "namespace" => Some("the package is named by `@PACKAGE(\"name\")`"),
            "oneof" | "variant" => Some("a choice between types is a `union`"),
            "}" => Some("all declarations before are closed"),
            _ => None,
        };
        self.refuse_with(expected, None, help.map(str::to_owned));
        let skipped = self.at;
        self.recover_outside();
        // A line without braces, such as `package x;`, declares nothing that could be missed later.
        self.lossy |= extensible
            || (skipped..self.at).any(|at| self.tokens.tokens[at].kind == TokenKind::Punctuation(b'{'));
    }

    fn body(&mut self, declaration: &mut Declaration, open: Span) -> bool {
        let mut lossy = false;
        let closed = match &mut declaration.kind {
            DeclarationKind::Struct(fields) | DeclarationKind::Exception(fields) => {
                self.members(open, &mut lossy, |parser, head| {
                    parser.field(head, true).map(|field| fields.push(field))
                })
            }
            DeclarationKind::Union(members) => self.members(open, &mut lossy, |parser, head| {
                parser.field(head, false).map(|member| members.push(member))
            }),
            DeclarationKind::Interface(methods) => self.members(open, &mut lossy, |parser, head| {
                parser.method(head).map(|method| methods.push(method))
            }),
            DeclarationKind::Enum(constants) => self.constants(open, &mut lossy, constants),
        };
        declaration.is_lossy = lossy;
        closed
    }

    /// Reads members with `member` up to the closing brace. Returns whether there was one.
    fn members(
        &mut self,
        open: Span,
        lossy: &mut bool,
        mut member: impl FnMut(&mut Self, Head) -> Option<()>,
    ) -> bool {
        loop {
            if self.accept(b'}').is_some() {
                return true;
            }
            let start = self.at;
            let head = self.head(None);
            match self.leave(open, start) {
                Next::Item => {}
                Next::Again => {
                    *lossy = true;
                    continue;
                }
                Next::Leave => {
                    *lossy = true;
                    return false;
                }
            }
            if self.is(b'}') {
                self.refuse_head(&head);
                continue;
            }
            if member(self, head).is_none() {
                *lossy = true;
                self.recover();
            }
        }
    }

    /// Whether the body opened at `open` ends here without a brace. `start` is the start of the head before this token.
    fn leave(&mut self, open: Span, start: usize) -> Next {
        let because = Some((open, "this is not closed"));
        if self.is_end() {
            self.refuse_with("`}`", because, None);
            return Next::Leave;
        }
        if !self.is_declaration_start() {
            return Next::Item;
        }
        let indent = self.indent_of(open);
        let same_line = self.source.line_start(open.start) == self.source.line_start(self.span().start);
        if same_line || self.indent_of(self.span()) > indent {
            self.refuse_with("a member", None, Some("declarations cannot be nested: move it out".into()));
            self.skip_nested(indent);
            return Next::Again;
        }
        self.refuse_with("`}`", because, None);
        self.open_braces += 1;
        // The head belongs to the next declaration.
        self.at = start;
        Next::Leave
    }

    /// The indentation of the line of `place` in bytes. Bounded, since a line may be the whole file.
    fn indent_of(&self, place: Span) -> usize {
        let line = &self.source.text()[self.source.line_start(place.start)..place.start];
        line.bytes().take(1_000).take_while(|b| matches!(b, b' ' | b'\t')).count()
    }

    /// Continues after a nested declaration, or before one that is indented no deeper than the outer one.
    fn skip_nested(&mut self, indent: usize) {
        self.lossy = true;
        let mut depth = 0usize;
        while !self.is_end() {
            if self.is(b'{') {
                depth += 1;
            } else if self.is(b'}') {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    self.advance();
                    self.accept(b';');
                    return;
                }
            } else if self.token().newlines > 0
                && self.is_declaration_start()
                && self.indent_of(self.span()) <= indent
            {
                return;
            }
            self.advance();
        }
    }

    /// `type NAME [ "=" literal ] ";"`, the default for fields only.
    fn field(&mut self, head: Head, may_default: bool) -> Option<Field> {
        let start = self.span();
        let ty = self.type_ref("a type")?;
        let name = self.name("a name")?;
        let default = if may_default && self.accept(b'=').is_some() {
            Some(self.literal("a default value")?)
        } else {
            None
        };
        let span = start.to(self.last_span());
        if self.is(b'(') {
            self.refuse_with("`;`", None, Some("methods are declared in an `interface`".into()));
            return None;
        }
        if self.is_name() && matches!(&ty.kind, TypeRefKind::Name(name) if name.single() == Some("stream")) {
            let help = "the results and parameters of methods can be streams; fields and members cannot";
            self.refuse_with("`;`", None, Some(help.into()));
            return None;
        }
        self.semicolon(if may_default && default.is_none() { "`=` or `;`" } else { "`;`" })?;
        Some(Field { head, streams: None, ty, name, default, span })
    }

    /// `["oneway"] ( ["stream"] type | "void" ) NAME "(" [ param { "," param } ] ")" [ "throws" typeName { "," typeName } ] ";"`
    fn method(&mut self, head: Head) -> Option<Method> {
        let start = self.span();
        let oneway = if self.is_word("oneway") && self.ahead(1).kind == TokenKind::Name {
            self.advance();
            Some(start)
        } else {
            None
        };
        let streams = self.stream(b"(")?;
        let result = self.type_ref("the type of the result, or `void`")?;
        let name = self.name("the name of the method")?;
        self.expect(b'(', "`(`")?;
        let mut parameters = Vec::new();
        while !self.is(b')') {
            let head = self.head(None);
            let from = self.span();
            let streams = self.stream(b",)")?;
            let ty = self.type_ref("a parameter")?;
            let name = self.name("the name of the parameter")?;
            let span = from.to(self.last_span());
            parameters.push(Field { head, streams, ty, name, default: None, span });
            if self.accept(b',').is_some() {
                if self.is(b')') {
                    self.refuse("a parameter");
                    return None;
                }
            } else if !self.is(b')') {
                self.refuse("`,` or `)`");
                return None;
            }
        }
        self.advance();
        let mut throws = Vec::new();
        if self.is_word("throws") {
            self.advance();
            throws.push(self.type_name("the name of an exception")?);
            while self.accept(b',').is_some() {
                throws.push(self.type_name("the name of an exception")?);
            }
        }
        let span = start.to(self.last_span());
        self.semicolon(if throws.is_empty() { "`throws` or `;`" } else { "`,` or `;`" })?;
        Some(Method { head, oneway, streams, result, name, parameters, throws, span })
    }

    /// `["stream"]` before the type of a result or parameter, whose name is followed by one of `ends`. `None`: the type is missing.
    #[expect(clippy::option_option, reason = "a word that may be missing, in a parser that may fail")]
    fn stream(&mut self, ends: &[u8]) -> Option<Option<Span>> {
        if !self.is_word("stream") || self.ahead(1).kind != TokenKind::Name {
            return Some(None);
        }
        let word = self.span();
        self.advance();
        if matches!(self.ahead(1).kind, TokenKind::Punctuation(end) if ends.contains(&end)) {
            self.refuse_with("the type of the items", Some((word, "a stream of what?")), None);
            return None;
        }
        Some(Some(word))
    }

    /// `[ constant { "," constant } [","] ] [";"] "}"`
    fn constants(&mut self, open: Span, lossy: &mut bool, constants: &mut Vec<Constant>) -> bool {
        loop {
            if self.accept(b'}').is_some() {
                return true;
            }
            if self.is(b';') && self.ahead(1).kind == TokenKind::Punctuation(b'}') {
                self.advance();
                continue;
            }
            let start = self.at;
            let head = self.head(None);
            match self.leave(open, start) {
                Next::Item => {}
                Next::Again => {
                    *lossy = true;
                    continue;
                }
                Next::Leave => {
                    *lossy = true;
                    return false;
                }
            }
            if self.is(b'}') {
                self.refuse_head(&head);
                continue;
            }
            match self.constant(head) {
                Some(constant) => constants.push(constant),
                None => {
                    *lossy = true;
                    self.recover_constant();
                }
            }
        }
    }

    fn constant(&mut self, head: Head) -> Option<Constant> {
        let name: Name = self.name("the name of a constant")?;
        let start = name.span;
        let number = if self.accept(b'=').is_some() {
            if !matches!(self.token().kind, TokenKind::Integer) {
                self.refuse("a whole number");
                return None;
            }
            Some(self.literal("a whole number")?)
        } else {
            None
        };
        let span = start.to(self.last_span());
        let closes = self.is(b'}') || (self.is(b';') && self.ahead(1).kind == TokenKind::Punctuation(b'}'));
        if self.accept(b',').is_none() && !closes {
            if self.is_name() && self.token().newlines > 0 && !self.is_declaration_start() {
                self.refuse_missing(",");
            } else if !self.is_end() && !self.is_declaration_start() {
                self.refuse(if number.is_none() { "`=`, `,` or `}`" } else { "`,` or `}`" });
                return None;
            }
        }
        Some(Constant { head, name, number, span })
    }

    /// Like [`Parser::recover`], but an enum's items end with `,` instead of `;`.
    fn recover_constant(&mut self) {
        let mut depth = 0usize;
        while !self.is_end() && !self.is_declaration_start() {
            match self.token().kind {
                TokenKind::Punctuation(b'}') if depth == 0 => return,
                TokenKind::Punctuation(b'}' | b')') => depth = depth.saturating_sub(1),
                TokenKind::Punctuation(b'{' | b'(') => depth += 1,
                TokenKind::Punctuation(b',' | b';') if depth == 0 => {
                    self.advance();
                    return;
                }
                _ => {}
            }
            self.advance();
        }
    }
}

fn empty(keyword: &str) -> DeclarationKind {
    match keyword {
        "exception" => DeclarationKind::Exception(Vec::new()),
        "enum" => DeclarationKind::Enum(Vec::new()),
        "union" => DeclarationKind::Union(Vec::new()),
        "interface" => DeclarationKind::Interface(Vec::new()),
        _ => DeclarationKind::Struct(Vec::new()),
    }
}
