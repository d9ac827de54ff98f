//! What lenient reading takes otherwise than strict reading, and what errors of strict reading say about it (XML-50 to XML-52).
// A new kind of value must be handled here.
#![deny(clippy::wildcard_enum_match_arm)]

use crate::called::Reading;
use crate::error::Hint;
use crate::xml_read::{Reader, Result};
use crate::xml_text::{is_space, read_constant, trim};
use crate::xml_tree::{Element, XSI};
use creo_model::TypeId;
use creo_plan::{Field, Kind, Node, StringForm};
use serde_json::Value;

impl Reader<'_> {
    pub fn is_lenient(&self) -> bool {
        self.reading == Reading::Lenient
    }

    /// Fails, unless what the message names is skipped.
    pub fn skip(&self, message: impl AsRef<str>) -> Result<()> {
        if self.is_lenient() {
            return Ok(());
        }
        self.wrong(message).map_err(|error| error.hinted(Hint::Skips))
    }

    /// The value of an element of a field, item, key or value; `None` if it is taken as missing. `may_miss`: whether it may be missing.
    pub fn taken(&mut self, node: &Node, element: &Element, may_miss: bool) -> Result<Option<Value>> {
        let missing = self.is_missing(node, element);
        if missing && self.is_lenient() {
            return Ok(None);
        }
        let read = self.element(node, element).map(Some);
        if missing && may_miss { read.map_err(|error| error.hinted(Hint::Misses)) } else { read }
    }

    /// An optional value whose element is not nil.
    pub fn present(&mut self, inner: &Node, element: &Element) -> Result<Value> {
        let blank = self.is_blank(inner, element);
        if blank && self.is_lenient() {
            return Ok(Value::Null);
        }
        let read = self.element(inner, element);
        if blank { read.map_err(|error| error.hinted(Hint::Misses)) } else { read }
    }

    /// The value of a field that is an attribute or a text; `None` if it is taken as missing.
    pub fn single(&mut self, field: &Field, element: &Element, text: &str) -> Result<Option<Value>> {
        let node = field.node.inner();
        let blank = self.is_never_blank(node) && text.chars().all(is_space);
        if blank && self.is_lenient() {
            return Ok(None);
        }
        let read = self.within(format!(".{}", field.name), |r| r.leaf(node, element, text)).map(Some);
        if blank && field.may_be_missing() { read.map_err(|error| error.hinted(Hint::Misses)) } else { read }
    }

    /// A flag that is none of the words of XML Schema.
    pub fn flag(&self, text: &str) -> Result<Value> {
        let word = trim(text);
        let value = [true, false].into_iter().find(|value| word.eq_ignore_ascii_case(&value.to_string()));
        match value {
            Some(value) if self.is_lenient() => Ok(value.into()),
            Some(_) => self.no_value(text).map_err(|error| error.hinted(Hint::Accepts)),
            None => self.no_value(text),
        }
    }

    /// XML-32: whether `xsi:nil` on an element says that the text of a struct is nothing.
    pub fn nil_is_its_text(&self, node: &Node) -> bool {
        let record = |id: TypeId| {
            let record = self.plan.record(id);
            record.text.is_some_and(|index| record.fields[index].node.is_optional())
        };
        match &node.kind {
            Kind::Record(id) => record(*id),
            Kind::Union(id) => {
                let union = self.plan.union(*id);
                union.derived && union.members.iter().any(|member| self.nil_is_its_text(&member.node))
            }
            Kind::Scalar(_)
            | Kind::String(_)
            | Kind::Decimal
            | Kind::Bytes { .. }
            | Kind::Array { .. }
            | Kind::Map { .. }
            | Kind::Optional(_)
            | Kind::Enum(_) => false,
        }
    }

    /// Whether an element of what is not optional is as if it were not there.
    fn is_missing(&self, node: &Node, element: &Element) -> bool {
        if matches!(node.kind, Kind::Optional(_) | Kind::String(StringForm::Raw)) {
            return false;
        }
        let nil = matches!(element.attribute(XSI, "nil").map(trim), Some("true" | "1"));
        (nil && !self.nil_is_its_text(node)) || self.is_blank(node, element)
    }

    fn is_blank(&self, node: &Node, element: &Element) -> bool {
        self.is_never_blank(node)
            && element.elements().next().is_none()
            && element.text().chars().all(is_space)
    }

    /// Whether a value is one text of a type that no blank text is a value of.
    fn is_never_blank(&self, node: &Node) -> bool {
        match &node.kind {
            Kind::Scalar(_) | Kind::Decimal => true,
            Kind::Enum(id) => read_constant(self.plan.enumeration(*id), "").is_none(),
            Kind::String(_)
            | Kind::Bytes { .. }
            | Kind::Array { .. }
            | Kind::Map { .. }
            | Kind::Optional(_)
            | Kind::Record(_)
            | Kind::Union(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::CallError;
    use crate::xml_tree::read;
    use creo_check::compile;
    use creo_inspect::Limits;
    use serde_json::json;

    const DESCRIPTION: &str = r#"
        @PACKAGE("p")
        struct Flags { @Xml(list) boolean[] all; boolean[] each; }
        struct Note { @Xml(text) String? text; @Xml(attribute) int size = 7; }
        struct Plain { String name; }
        @Xml(derived) union Item { @Xml(base) Note note; Plain plain; }
        struct Shelf { Item[] items; }
        extensible struct Group { int first = 5; int second = 6; }
        struct Around { @Xml(inline) Group group; int[] marks; }
        struct Deep { Deep? deep; }
    "#;

    /// Reads the content of an element of a type.
    fn value(ty: &str, content: &str, reading: Reading) -> std::result::Result<Value, CallError> {
        let model = compile(&[("main.creo", DESCRIPTION)]).unwrap_or_else(|report| panic!("{report}"));
        let text = format!("<{ty} xmlns='urn:creo:p' xmlns:i='{XSI}'>{content}</{ty}>");
        let element = read(text.as_bytes(), reading, &Limits::default())?;
        let plan = model.plan();
        let id = model.find(&format!("p.{ty}")).expect("a type");
        Reader::new(plan, "$", reading).element(plan.value(id), &element)
    }

    #[track_caller]
    fn differs(ty: &str, content: &str, hint: Hint, lenient: Value) {
        let error = value(ty, content, Reading::Strict).expect_err("strict reading fails");
        assert_eq!((error.code, error.hint), ("malformed", Some(hint)), "{error}");
        assert_eq!(value(ty, content, Reading::Lenient), Ok(lenient));
    }

    #[test]
    fn flags_in_a_list_and_one_by_one() {
        let both = json!({ "all": [true, false], "each": [false] });
        differs("Flags", "<all>TRUE false</all><each>False</each>", Hint::Accepts, both);
        let error = value("Flags", "<all>TRUE yes</all>", Reading::Lenient).expect_err("no flag");
        assert_eq!((error.hint, error.place.as_deref()), (None, Some("$.all[1]")));
    }

    #[test]
    fn a_text_that_is_nil() {
        let note = json!({ "items": [{ "note": {} }] });
        assert_eq!(value("Shelf", "<items i:nil='true'/>", Reading::Strict), Ok(note.clone()));
        differs("Shelf", "<items i:nil='true'>more</items>", Hint::Skips, note);
        for reading in [Reading::Strict, Reading::Lenient] {
            let error = value("Shelf", "<items i:nil='true'><x/></items>", reading).expect_err("not empty");
            assert_eq!(error.hint, None, "{error}");
        }
    }

    #[test]
    fn a_blank_element_of_what_is_inline_does_not_end_it() {
        let value = json!({ "group": { "first": 1 }, "marks": [2, 3] });
        differs(
            "Around",
            "<second/><first>1</first><marks>2</marks><marks/><marks>3</marks>",
            Hint::Misses,
            value,
        );
    }

    #[test]
    fn many_items_apart() {
        let content: String = (0..20_000).map(|i| format!("<marks>{i}</marks><x/>")).collect();
        let marks: Vec<i32> = (0..20_000).collect();
        differs("Around", &content, Hint::Skips, json!({ "group": {}, "marks": marks }));
        let wrong = format!("{content}<marks>a</marks>");
        let error = value("Around", &wrong, Reading::Lenient).expect_err("no number");
        assert_eq!(error.place.as_deref(), Some("$.marks[20000]"));
    }

    #[test]
    fn limits_hold_for_what_is_skipped() {
        let nested = |name: &str, count| {
            format!("{}{}", format!("<{name}>").repeat(count), format!("</{name}>").repeat(count))
        };
        for (content, says) in [
            (nested("x", 600), "maxXmlDepth"),
            (nested("deep", 101), "maxDepth"),
            (
                format!("<x {}/>", (0..300).map(|i| format!("a{i}='' ")).collect::<String>()),
                "maxXmlAttributes",
            ),
        ] {
            let error = value("Deep", &content, Reading::Lenient).expect_err("a limit is exceeded");
            assert!(error.code == "too-large" && error.message.contains(says), "{error}");
        }
    }

    #[test]
    fn what_is_not_well_formed_is_refused() {
        for content in ["<?xml x?>", "<?x", "<!DOCTYPE a>", "&#2;", "a]]>", "<a><b></a>", "<u:a/>"] {
            for reading in [Reading::Strict, Reading::Lenient] {
                let error = value("Plain", content, reading).expect_err("not well-formed");
                assert_eq!((error.code, error.hint), ("malformed", None), "{content}: {error}");
            }
        }
    }
}
