//! The layouts that the codecs of a module need.

use std::collections::BTreeMap;

/// Constants of a module: one `struct.Struct` for each combination of codes.
#[derive(Debug, Default)]
pub struct Layouts {
    codes: Vec<String>,
    indices: BTreeMap<String, usize>,
}

impl Layouts {
    /// The constant that packs these codes.
    pub fn constant(&mut self, codes: &str) -> String {
        if let Some(index) = self.indices.get(codes) {
            return format!("_S{index}");
        }
        let index = self.codes.len();
        self.codes.push(codes.to_owned());
        self.indices.insert(codes.to_owned(), index);
        format!("_S{index}")
    }

    /// The `struct` format of each constant.
    pub fn definitions(&self) -> Vec<String> {
        self.codes.iter().map(|codes| format!(">{}", counted(codes))).collect()
    }
}

/// Runs of a code with their length, in `struct` format: `dddh` is `3dh`.
fn counted(codes: &str) -> String {
    let mut out = String::new();
    let mut rest = codes;
    while let Some(code) = rest.chars().next() {
        let run = rest.len() - rest.trim_start_matches(code).len();
        if run > 1 {
            out.push_str(&run.to_string());
        }
        out.push(code);
        rest = &rest[run..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_are_shared_and_short() {
        let mut layouts = Layouts::default();
        assert_eq!(layouts.constant("dddh"), "_S0");
        assert_eq!(layouts.constant("q"), "_S1");
        assert_eq!(layouts.constant("dddh"), "_S0");
        assert_eq!(layouts.definitions(), [">3dh", ">q"]);
    }
}
