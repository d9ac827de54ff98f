//! A tree of XML elements, and its text.

use std::fmt::Write;

/// An element of a schema or WSDL. Attributes keep the order in which they were added.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Node {
    pub name: &'static str,
    pub attributes: Vec<(String, String)>,
    pub children: Vec<Node>,
    /// Text content, which excludes children.
    pub text: Option<String>,
}

impl Node {
    pub fn new(name: &'static str) -> Node {
        Node { name, attributes: Vec::new(), children: Vec::new(), text: None }
    }

    pub fn with(mut self, name: &str, value: impl Into<String>) -> Node {
        self.attributes.push((name.to_owned(), value.into()));
        self
    }

    pub fn child(mut self, child: Node) -> Node {
        self.children.push(child);
        self
    }

    pub fn children(mut self, children: impl IntoIterator<Item = Node>) -> Node {
        self.children.extend(children);
        self
    }

    pub fn text(mut self, text: &str) -> Node {
        self.text = Some(text.to_owned());
        self
    }

    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The number of elements in the tree.
    pub fn size(&self) -> usize {
        1 + self.children.iter().map(Node::size).sum::<usize>()
    }

    /// The text of the whole document.
    pub fn document(&self) -> String {
        let mut out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
        self.write(0, &mut out);
        out
    }

    fn write(&self, depth: usize, out: &mut String) {
        (0..depth).for_each(|_| out.push_str("  "));
        let _ = write!(out, "<{}", self.name);
        for (name, value) in &self.attributes {
            let _ = write!(out, " {name}=\"");
            escape(value, true, out);
            out.push('"');
        }
        match (&self.text, self.children.is_empty()) {
            (Some(text), _) => {
                out.push('>');
                escape(text, false, out);
            }
            (None, true) => {
                out.push_str("/>\n");
                return;
            }
            (None, false) => {
                out.push_str(">\n");
                self.children.iter().for_each(|child| child.write(depth + 1, out));
                (0..depth).for_each(|_| out.push_str("  "));
            }
        }
        let _ = writeln!(out, "</{}>", self.name);
    }
}

/// XML-12. Characters that XML cannot hold become U+FFFD.
fn escape(text: &str, quoted: bool, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\r' => out.push_str("&#13;"),
            '"' if quoted => out.push_str("&quot;"),
            '\t' if quoted => out.push_str("&#9;"),
            '\n' if quoted => out.push_str("&#10;"),
            c if is_hidden(c) => {
                let _ = write!(out, "&#x{:X};", u32::from(c));
            }
            c if is_xml(c) => out.push(c),
            _ => out.push('\u{FFFD}'),
        }
    }
}

/// Whether a character is invisible or controls a terminal. Such characters are written as references, which mean the same.
fn is_hidden(c: char) -> bool {
    matches!(c, '\u{7F}'..='\u{9F}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
        | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

/// Whether XML 1.0 allows a character.
pub fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{FFFD}' | '\u{10000}'..)
}

#[cfg(test)]
mod tests {
    use super::Node;

    #[test]
    fn text_is_escaped() {
        let node =
            Node::new("a").with("b", "<\"&'\n\u{1}>").child(Node::new("c").text("<\"&>\u{FFFE}\r\n\u{9B}"));
        let expected = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a b=\"&lt;&quot;&amp;'&#10;\u{FFFD}&gt;\">\n  <c>&lt;\"&amp;&gt;\u{FFFD}&#13;\n&#x9B;</c>\n</a>\n";
        assert_eq!(node.document(), expected);
    }
}
