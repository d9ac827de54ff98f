//! Python expressions, as far as layout needs them: where they can be broken.

use std::fmt;

/// An expression, a parameter or a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Code {
    /// Never broken.
    Text(String),
    /// Broken between its items: `open` ends with a bracket, `close` is one.
    List { open: String, items: Vec<Code>, close: &'static str, comma: Comma },
    /// `value if condition else other`, broken before each keyword.
    Choice { value: String, condition: String, other: Box<Code> },
    /// Code followed by text that is not broken.
    Followed(Box<Code>, String),
}

/// Which lists have a trailing comma.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comma {
    /// If broken.
    IfBroken,
    /// Always: a tuple of one item.
    Always,
    /// Never: a comma would make a tuple of a single index.
    Never,
}

impl Code {
    pub fn call<T: Into<Code>>(function: impl fmt::Display, arguments: impl IntoIterator<Item = T>) -> Code {
        let items = arguments.into_iter().map(Into::into).collect();
        Code::List { open: format!("{function}("), items, close: ")", comma: Comma::IfBroken }
    }

    pub fn tuple<T: Into<Code>>(items: impl IntoIterator<Item = T>) -> Code {
        let items: Vec<Code> = items.into_iter().map(Into::into).collect();
        let comma = if items.len() == 1 { Comma::Always } else { Comma::IfBroken };
        Code::List { open: "(".to_owned(), items, close: ")", comma }
    }

    pub fn dict(items: impl IntoIterator<Item = String>) -> Code {
        Code::List {
            open: "{".to_owned(),
            items: items.into_iter().map(Code::Text).collect(),
            close: "}",
            comma: Comma::IfBroken,
        }
    }

    /// `table[index]`, or a type with its parameters.
    pub fn index<T: Into<Code>>(table: impl fmt::Display, indices: impl IntoIterator<Item = T>) -> Code {
        let items: Vec<Code> = indices.into_iter().map(Into::into).collect();
        let comma = if items.len() == 1 { Comma::Never } else { Comma::IfBroken };
        Code::List { open: format!("{table}["), items, close: "]", comma }
    }

    /// The type of a tuple with these items.
    pub fn tuple_type<T: Into<Code>>(items: impl IntoIterator<Item = T>) -> Code {
        let items = items.into_iter().map(Into::into).collect();
        Code::List { open: "tuple[".to_owned(), items, close: "]", comma: Comma::IfBroken }
    }

    pub fn choice(value: &str, condition: String, other: Code) -> Code {
        Code::Choice { value: value.to_owned(), condition, other: Box::new(other) }
    }

    /// A parameter. If it is too long, its type is broken, or its default if the type has no brackets.
    pub fn parameter(name: &str, annotation: &Code, default: Option<&Code>) -> Code {
        let typed = annotation.after(format!("{name}: "));
        match (default, annotation) {
            (None, _) => typed,
            (Some(default), Code::List { .. }) => Code::Followed(Box::new(typed), format!(" = {default}")),
            (Some(default), Code::Text(_) | Code::Choice { .. } | Code::Followed(..)) => {
                default.after(format!("{typed} = "))
            }
        }
    }

    /// The code with a prefix.
    pub fn after(&self, text: impl fmt::Display) -> Code {
        match self {
            Code::Text(code) => Code::Text(format!("{text}{code}")),
            Code::List { open, items, close, comma } => {
                Code::List { open: format!("{text}{open}"), items: items.clone(), close, comma: *comma }
            }
            Code::Choice { value, condition, other } => Code::Choice {
                value: format!("{text}{value}"),
                condition: condition.clone(),
                other: other.clone(),
            },
            Code::Followed(code, end) => Code::Followed(Box::new(code.after(text)), end.clone()),
        }
    }
}

/// On one line.
impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Code::Text(code) => f.write_str(code),
            Code::List { open, items, close, comma } => {
                f.write_str(open)?;
                for (index, item) in items.iter().enumerate() {
                    let separator = if index == 0 { "" } else { ", " };
                    write!(f, "{separator}{item}")?;
                }
                f.write_str(if *comma == Comma::Always { "," } else { "" })?;
                f.write_str(close)
            }
            Code::Choice { value, condition, other } => write!(f, "{value} if {condition} else {other}"),
            Code::Followed(code, end) => write!(f, "{code}{end}"),
        }
    }
}

impl From<String> for Code {
    fn from(code: String) -> Code {
        Code::Text(code)
    }
}

impl From<&String> for Code {
    fn from(code: &String) -> Code {
        Code::Text(code.clone())
    }
}

impl From<&str> for Code {
    fn from(code: &str) -> Code {
        Code::Text(code.to_owned())
    }
}

impl From<&&str> for Code {
    fn from(code: &&str) -> Code {
        Code::Text((*code).to_owned())
    }
}

impl From<&Code> for Code {
    fn from(code: &Code) -> Code {
        code.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_on_one_line() {
        assert_eq!(Code::tuple(["a"]).to_string(), "(a,)");
        assert_eq!(Code::tuple(["a", "b"]).to_string(), "(a, b)");
        assert_eq!(Code::index("T", ["a"]).to_string(), "T[a]");
        assert_eq!(
            Code::choice("a", "b".to_owned(), Code::call("f", ["c"])).after("k=").to_string(),
            "k=a if b else f(c)"
        );
    }

    #[test]
    fn parameters_are_broken_within_their_types() {
        let default = Code::call("f", ["1"]);
        let typed = Code::parameter("a", &Code::index("T", ["int"]), Some(&default));
        assert!(matches!(&typed, Code::Followed(_, end) if end == " = f(1)"), "{typed:?}");
        let plain = Code::parameter("a", &Code::from("int"), Some(&default));
        assert!(matches!(&plain, Code::List { open, .. } if open == "a: int = f("), "{plain:?}");
    }
}
