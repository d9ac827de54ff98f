//! The XML around a table (section 1): envelope, schema, rows.

use crate::error::{Result, malformed, shown, too_large};
use crate::limits::MAX_SCHEMA;
use crate::rows::Consumer;
use crate::schema::{self, Schema};
use crate::xml::{self, Handler, Tag};
use std::io::Read;
use std::rc::Rc;

pub const NAMESPACE: &str = "urn:creo:tdxml";

/// The paper's prefix, which needs no declaration (TDX-1).
const PREFIX: &str = "TDXML";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Outside,
    Envelope,
    Schema,
    Table,
}

/// Reads a document. `make` creates the receiver of rows from a schema; its flag is true for a record table.
pub fn read<C: Consumer>(input: impl Read, make: impl FnOnce(Rc<Schema>, bool) -> C) -> Result<C> {
    let mut table = Table {
        place: Place::Outside,
        schema_text: String::new(),
        schema: None,
        make: Some(make),
        consumer: None,
    };
    xml::parse(input, xml::Options { prefix: Some((PREFIX, NAMESPACE)) }, &mut table)?;
    match table.consumer {
        Some(consumer) => Ok(consumer),
        None => malformed("the envelope holds no table"),
    }
}

struct Table<C, F> {
    place: Place,
    schema_text: String,
    schema: Option<Rc<Schema>>,
    make: Option<F>,
    consumer: Option<C>,
}

impl<C: Consumer, F: FnOnce(Rc<Schema>, bool) -> C> Table<C, F> {
    fn enter_table(&mut self, record: bool) -> Result<()> {
        let Some(schema) = &self.schema else {
            return malformed("the table has no data schema, so nothing says what its rows are called");
        };
        let Some(make) = self.make.take() else { return malformed("the envelope holds a second table") };
        self.consumer = Some(make(Rc::clone(schema), record));
        self.place = Place::Table;
        Ok(())
    }
}

impl<C: Consumer, F: FnOnce(Rc<Schema>, bool) -> C> Handler for Table<C, F> {
    fn start(&mut self, tag: &Tag<'_>) -> Result<()> {
        let local = tag.name.rsplit(':').next().unwrap_or_default();
        let known = if tag.namespace == NAMESPACE { local } else { "" };
        for attribute in tag.attributes {
            let name = attribute.name.as_str();
            if !name.contains(':')
                && name != "xmlns"
                && !(name == "of" && matches!(known, "Env" | "Envelope"))
            {
                return malformed(format!(
                    "the element `{}` has an attribute `{}`",
                    shown(tag.name),
                    shown(name)
                ));
            }
        }
        match (self.place, known) {
            (Place::Outside, "Env" | "Envelope") => self.place = Place::Envelope,
            (Place::Envelope, "DS" | "DataSchema") if self.schema.is_none() && self.make.is_some() => {
                self.place = Place::Schema
            }
            (Place::Envelope, "CT" | "ContentTable") => self.enter_table(false)?,
            (Place::Envelope, "RT" | "RecordTable") => self.enter_table(true)?,
            (Place::Envelope, "UT" | "UpdateTable") => {
                return malformed("the table is an update, which is no document");
            }
            (Place::Outside, _) => {
                return malformed(format!(
                    "the root `{}` is not the envelope of a table, `Env` in `{NAMESPACE}`",
                    shown(tag.name)
                ));
            }
            (Place::Envelope | Place::Schema | Place::Table, _) => {
                return malformed(format!("the element `{}` stands in a table's envelope", shown(tag.name)));
            }
        }
        Ok(())
    }

    fn end(&mut self) -> Result<()> {
        match self.place {
            Place::Outside | Place::Envelope => self.place = Place::Outside,
            Place::Schema => {
                self.schema = Some(Rc::new(schema::parse(&std::mem::take(&mut self.schema_text))?));
                self.place = Place::Envelope;
            }
            Place::Table => {
                if let Some(consumer) = &mut self.consumer {
                    consumer.finish()?;
                }
                self.place = Place::Envelope;
            }
        }
        Ok(())
    }

    fn text(&mut self, text: &str) -> Result<()> {
        match (self.place, &mut self.consumer) {
            (Place::Table, Some(consumer)) => consumer.feed(text),
            (Place::Schema, _) => {
                self.schema_text.push_str(text);
                if self.schema_text.len() > MAX_SCHEMA {
                    too_large(format!("the schema is longer than {MAX_SCHEMA} bytes"))
                } else {
                    Ok(())
                }
            }
            _ if text.trim_ascii().is_empty() => Ok(()),
            _ => malformed("text stands in the envelope beside the table"),
        }
    }

    fn comment(&mut self, _: &str) -> Result<()> {
        Ok(())
    }

    fn instruction(&mut self, _: &str, _: &str) -> Result<()> {
        malformed("a processing instruction stands in a table's document (XML-41)")
    }

    fn doctype(&mut self) -> Result<()> {
        malformed("a table's document has a document type declaration (XML-41)")
    }
}
