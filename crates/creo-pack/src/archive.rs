//! Archives whose bytes depend only on their entries: no dates, owners or machine.

use flate2::{Compression, GzBuilder};
use std::collections::BTreeMap;
use std::io::{Cursor, Write};
use tar::{EntryType, Header};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// The time of files in tar archives: 1980-01-01, the earliest date in ZIP archives.
const TIME: u64 = 315_532_800;

/// Bytes by path, sorted for reproducibility.
pub type Entries = BTreeMap<String, Vec<u8>>;

/// A ZIP archive. The entries in `first` come first, in that order.
///
/// # Panics
/// If an entry is too large for a ZIP archive, which generated code never is.
pub fn zip(entries: &Entries, first: &[&str]) -> Vec<u8> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let leading = first.iter().filter_map(|path| entries.get_key_value(*path));
    let others = entries.iter().filter(|(path, _)| !first.contains(&path.as_str()));
    for (path, bytes) in leading.chain(others) {
        writer.start_file(path.as_str(), options).expect("written to memory");
        writer.write_all(bytes).expect("written to memory");
    }
    writer.finish().expect("written to memory").into_inner()
}

/// A gzip-compressed tar archive with all paths in the folder `root`.
///
/// # Panics
/// If an entry's path is not valid within a folder.
pub fn tar_gz(root: &str, entries: &Entries) -> Vec<u8> {
    let gzip = GzBuilder::new().mtime(0).operating_system(255).write(Vec::new(), Compression::best());
    let mut writer = tar::Builder::new(gzip);
    for (path, bytes) in entries {
        let mut header = Header::new_gnu();
        header.set_entry_type(EntryType::Regular);
        header.set_mode(0o644);
        header.set_mtime(TIME);
        header.set_size(bytes.len() as u64);
        writer
            .append_data(&mut header, format!("{root}/{path}"), bytes.as_slice())
            .expect("a path within a folder, written to memory");
    }
    writer.into_inner().and_then(|gzip| gzip.finish()).expect("written to memory")
}

/// Escapes a text for XML content and double-quoted attributes.
pub fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_entries_give_the_same_bytes() {
        let entries = Entries::from([("b/c.txt".to_owned(), vec![1; 1000]), ("a".to_owned(), Vec::new())]);
        assert_eq!(zip(&entries, &[]), zip(&entries, &[]));
        assert_eq!(tar_gz("r", &entries), tar_gz("r", &entries));
        let first = zip(&entries, &["b/c.txt"]);
        // The local header of the first entry: the date is 1980-01-01, and the name begins at offset 30.
        assert_eq!(first[10..14], [0, 0, 0x21, 0]);
        assert_eq!(&first[30..37], b"b/c.txt");
    }

    #[test]
    fn long_paths_have_a_place() {
        let path = format!("{}/{}", "folder".repeat(30), "name".repeat(30));
        assert!(!tar_gz("r", &Entries::from([(path, vec![7])])).is_empty());
    }

    #[test]
    fn texts_stay_texts() {
        assert_eq!(xml("<a b=\"c\">&\u{1}"), "&lt;a b=&quot;c&quot;&gt;&amp; ");
    }
}
