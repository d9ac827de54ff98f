//! Shared by the tests of this crate.
#![allow(dead_code)] // Each test file uses its part.

use creo_check::{CheckedModel, compile};
use creo_inspect::{Code, Limits, Subject, ValueError, WireError, decode, encode};
use creo_json::{parse_json, print_json};
use creo_model::{Method, Type};

/// Compiles one description.
pub fn model(text: &str) -> CheckedModel {
    compile(&[("test.creo", text)]).unwrap_or_else(|report| panic!("{report}"))
}

/// The bytes of a listing such as `03 434f32`; text after `|` in a line is a comment.
pub fn hex(text: &str) -> Vec<u8> {
    let digits: String = text
        .lines()
        .map(|line| line.split('|').next().unwrap_or_default())
        .collect::<String>()
        .split_whitespace()
        .collect();
    assert!(digits.len().is_multiple_of(2), "odd digits in {text}");
    (0..digits.len())
        .step_by(2)
        .map(|i| u8::from_str_radix(&digits[i..i + 2], 16).expect("hexadecimal digits"))
        .collect()
}

pub fn method<'m>(model: &'m CheckedModel, name: &str) -> &'m Method {
    model
        .interfaces
        .iter()
        .flat_map(|i| &i.methods)
        .find(|m| m.name == name)
        .unwrap_or_else(|| panic!("no method {name}"))
}

/// A description whose struct `T` has one field `v` of the given type, after further declarations.
pub struct One {
    model: CheckedModel,
    ty: Type,
}

impl One {
    pub fn new(ty: &str, declarations: &str) -> One {
        let model = model(&format!("struct T {{ {ty} v; }}\n{declarations}"));
        let id = model.find("service.T").expect("T is there");
        let ty = model.ty(id).fields()[0].ty.clone();
        One { model, ty }
    }

    pub fn encode(&self, value: &str) -> Result<Vec<u8>, ValueError> {
        let value = parse_json(value).unwrap_or_else(|e| panic!("{e}: {value}"));
        encode(&self.model, &Subject::Type(&self.ty), &value, &Limits::default())
    }

    pub fn decode(&self, bytes: &str) -> Result<String, WireError> {
        self.decode_within(&hex(bytes), &Limits::default())
    }

    pub fn decode_within(&self, bytes: &[u8], limits: &Limits) -> Result<String, WireError> {
        decode(&self.model, &Subject::Type(&self.ty), bytes, limits).map(|value| print_json(&value))
    }

    /// The value has these bytes, and the bytes this value.
    pub fn both(&self, value: &str, bytes: &str) -> &One {
        self.reads(value, bytes);
        self.writes(value, bytes)
    }

    /// The value is written as these bytes.
    pub fn writes(&self, value: &str, bytes: &str) -> &One {
        assert_eq!(self.encode(value).unwrap_or_else(|e| panic!("{value}: {e}")), hex(bytes), "{value}");
        self
    }

    /// The bytes are read as this value.
    pub fn reads(&self, value: &str, bytes: &str) -> &One {
        assert_eq!(self.decode(bytes).unwrap_or_else(|e| panic!("{bytes}: {e}")), value, "{bytes}");
        self
    }

    /// The bytes are refused at this place and offset.
    pub fn malformed(&self, bytes: &str, place: &str, offset: usize) -> &One {
        self.refuses(bytes, Code::Malformed, place, offset)
    }

    pub fn refuses(&self, bytes: &str, code: Code, place: &str, offset: usize) -> &One {
        let error = self.decode(bytes).expect_err(bytes);
        assert_eq!(
            (error.code, error.place.as_str(), error.offset),
            (code, place, offset),
            "{bytes}: {error}"
        );
        self
    }

    /// The value is refused at this place.
    pub fn invalid(&self, value: &str, place: &str) -> &One {
        let error = self.encode(value).expect_err(value);
        assert_eq!((error.code, error.place.as_str()), (Code::InvalidValue, place), "{value}: {error}");
        self
    }
}
