//! The path from the root to the current value.

use crate::subject::Subject;

/// The maximum nesting of values in this crate, which recurses; beyond it, the error is `too-large`. A recursive type reaches LIM-4 long
/// before; this limit covers descriptions that nest thousands of different types.
pub const MAX_NESTING: usize = 4_000;

/// A step from a value to a part of it.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// A field, a parameter, or a member of a union.
    Field(&'a str),
    Item(usize),
    Entry(usize),
    Key,
    Value,
}

/// The path from the root to the current value; formatted only on demand.
#[derive(Debug)]
pub struct Place<'a> {
    pub root: &'static str,
    pub steps: Vec<Step<'a>>,
}

impl<'a> Place<'a> {
    pub fn new(subject: &Subject<'_>) -> Place<'a> {
        let root = match subject {
            Subject::Type(_) | Subject::Request(_) => "$",
            Subject::Response(_) => "$result",
            Subject::Exception(_) => "$exception",
            Subject::Items(_) => "$items",
        };
        Place { root, steps: Vec::new() }
    }

    pub fn write(&self) -> String {
        let mut text = self.root.to_owned();
        self.steps.iter().for_each(|step| step.write(&mut text));
        text
    }

    /// The label of a value in a listing: the last step, or the root.
    pub fn label(&self) -> String {
        let mut text = String::new();
        match self.steps.last() {
            Some(step) => step.write(&mut text),
            None => text.push_str(self.root),
        }
        text.strip_prefix('.').map(str::to_owned).unwrap_or(text)
    }
}

impl Step<'_> {
    fn write(&self, text: &mut String) {
        match self {
            Step::Field(name) => {
                text.push('.');
                text.push_str(name);
            }
            Step::Item(index) => text.push_str(&format!("[{index}]")),
            Step::Entry(index) => text.push_str(&format!("{{{index}}}")),
            Step::Key => text.push_str(".key"),
            Step::Value => text.push_str(".value"),
        }
    }
}
