//! Makes descriptions out of bytes: every sequence of bytes is one that the grammar allows, with white space and comments in odd places.

/// Decisions, taken from bytes; when they are used up, the first choice is taken.
struct Choices<'a> {
    bytes: &'a [u8],
    tokens: Vec<String>,
}

const NAMES: [&str; 13] = [
    "a",
    "B",
    "struct",
    "enum",
    "oneway",
    "stream",
    "throws",
    "extensible",
    "import",
    "Map",
    "_x1",
    "interface",
    "verylongnamethatfillstheline",
];
const TYPES: [&str; 8] = ["int", "String", "byte", "A", "Data", "DateTime", "void", "Quality"];
const GAPS: [&str; 16] = [
    " ",
    "\n",
    " ",
    "\n\n",
    "\t",
    "\n\n\n",
    " // line\n",
    "\n// own line\n",
    " /* block */ ",
    "\n/* own\n   drawing */\n",
    " /** doc */ ",
    "\n/** doc\n     * more\n */\n",
    "\r\n",
    " /* a */ /* b */",
    "\n\n// far\n\n",
    " /** doc */ // line\n",
];

/// A description of at most about a thousand tokens.
pub fn description(bytes: &[u8]) -> String {
    let mut choices = Choices { bytes, tokens: Vec::new() };
    choices.file();
    let mut text = String::new();
    let tokens = std::mem::take(&mut choices.tokens);
    for token in &tokens {
        let gap = choices.pick(GAPS.len() + 16);
        match GAPS.get(gap) {
            Some(gap) => text.push_str(gap),
            None if text.ends_with(is_word) && token.starts_with(is_word) => text.push(' '),
            None => {}
        }
        text.push_str(token);
    }
    if let Some(gap) = GAPS.get(choices.pick(GAPS.len() * 2)) {
        text.push_str(gap);
    }
    text
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-' || c == '.'
}

impl Choices<'_> {
    fn pick(&mut self, count: usize) -> usize {
        match self.bytes.split_first() {
            Some((first, rest)) => {
                self.bytes = rest;
                usize::from(*first) % count
            }
            None => 0,
        }
    }

    fn more(&mut self) -> bool {
        !self.bytes.is_empty() && self.tokens.len() < 1_000 && self.pick(3) > 0
    }

    fn maybe(&mut self) -> bool {
        self.pick(4) == 3
    }

    fn put(&mut self, token: &str) {
        self.tokens.push(token.to_owned());
    }

    fn name(&mut self) {
        let name = NAMES[self.pick(NAMES.len())];
        self.put(name);
    }

    fn file(&mut self) {
        while self.more() {
            if self.maybe() {
                self.put("import");
                self.put("\"a.creo\"");
                self.put(";");
            } else {
                self.annotation(["PACKAGE", "X", "N1"]);
            }
        }
        while self.more() {
            self.declaration();
        }
    }

    fn annotation(&mut self, names: [&str; 3]) {
        self.put("@");
        let name = names[self.pick(3)];
        self.put(name);
        if self.maybe() {
            return;
        }
        self.put("(");
        for index in 0..self.pick(3) {
            if index > 0 {
                self.put(",");
            }
            if self.maybe() {
                self.name();
                self.put("=");
            }
            self.literal();
        }
        self.put(")");
    }

    fn literal(&mut self) {
        match self.pick(9) {
            0 => self.put("1"),
            1 => self.put("\"text // \\\" /* \\u00e9\""),
            2 => self.put("'\\''"),
            3 => self.put("-0x1FL"),
            4 => self.put("-1.5e-3f"),
            5 => self.put("-Infinity"),
            6 => self.put("true"),
            7 => {
                self.put("{");
                self.put("}");
            }
            _ => self.name(),
        }
    }

    fn annotations(&mut self) {
        while self.maybe() {
            self.annotation(["Deprecated", "Name", "x"]);
        }
    }

    fn declaration(&mut self) {
        self.annotations();
        let kind = self.pick(5);
        if kind != 4 && self.maybe() {
            self.put("extensible");
        }
        self.put(["struct", "exception", "union", "enum", "interface"][kind]);
        self.name();
        self.put("{");
        match kind {
            3 => self.constants(),
            4 => {
                while self.more() {
                    self.method();
                }
            }
            _ => {
                while self.more() {
                    self.annotations();
                    self.ty(0);
                    self.name();
                    if kind != 2 && self.maybe() {
                        self.put("=");
                        self.literal();
                    }
                    self.put(";");
                }
            }
        }
        self.put("}");
        if self.maybe() {
            self.put(";");
        }
    }

    fn constants(&mut self) {
        let mut any = false;
        while self.more() {
            if any {
                self.put(",");
            }
            any = true;
            self.annotations();
            self.name();
            if self.maybe() {
                self.put("=");
                self.put("7");
            }
        }
        if any && self.maybe() {
            self.put(",");
        }
        if self.maybe() {
            self.put(";");
        }
    }

    fn method(&mut self) {
        self.annotations();
        if self.maybe() {
            self.put("oneway");
        }
        if self.maybe() {
            self.put("stream");
        }
        self.ty(0);
        self.name();
        self.put("(");
        for index in 0..self.pick(4) {
            if index > 0 {
                self.put(",");
            }
            self.annotations();
            if self.maybe() {
                self.put("stream");
            }
            self.ty(0);
            self.name();
        }
        self.put(")");
        for index in 0..self.pick(3) {
            self.put(if index == 0 { "throws" } else { "," });
            self.type_name();
        }
        self.put(";");
    }

    fn type_name(&mut self) {
        let name = TYPES[self.pick(TYPES.len())];
        self.put(name);
        while self.maybe() {
            self.put(".");
            self.name();
        }
    }

    fn ty(&mut self, depth: usize) {
        if depth < 4 && self.maybe() {
            self.put("Map");
            self.put("<");
            self.ty(depth + 1);
            self.put(",");
            self.ty(depth + 1);
            self.put(">");
        } else {
            self.type_name();
        }
        for _ in 0..self.pick(8).saturating_sub(5) {
            if self.maybe() {
                self.put("?");
            } else {
                self.put("[");
                self.put("]");
            }
        }
    }
}
