//! Simple types as a description has them.

use crate::import::builtin::Builtin;
use crate::import::draft::Ty;
use crate::import::slots::Value;

/// A simple type as a description has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simple {
    pub ty: Ty,
    pub list: bool,
    pub xsd: Option<&'static str>,
    pub comment: Option<String>,
}

impl Simple {
    pub fn text() -> Simple {
        Simple { ty: Ty::Word("String"), list: false, xsd: None, comment: None }
    }

    pub fn builtin(known: Builtin) -> Simple {
        Simple { ty: known.ty(), list: false, xsd: known.xsd, comment: None }
    }

    pub fn commented(self, comment: impl Into<String>) -> Simple {
        Simple { comment: Some(comment.into()), ..self }
    }

    pub fn value(self) -> Value {
        Value { list: self.list, xsd: self.xsd, comment: self.comment, ..Value::plain(self.ty) }
    }
}

impl From<Value> for Simple {
    fn from(value: Value) -> Simple {
        Simple { ty: value.ty, list: value.list, xsd: value.xsd, comment: value.comment }
    }
}
