//! Bytes as text: plain hexadecimal digits, and the dumps of `hexdump -C` and `xxd`.

/// Reads bytes. White space, colons and commas are allowed between digits; `#` starts a comment until the end of the line.
pub fn parse(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split(['#', '|']).next().unwrap_or_default();
        let line = without_offset(line, bytes.len()).unwrap_or(line);
        let mut half: Option<u32> = None;
        for c in line.chars().filter(|c| !c.is_whitespace() && !matches!(c, ':' | ',')) {
            let digit = c
                .to_digit(16)
                .ok_or_else(|| format!("{c:?} in line {} is no hexadecimal digit", number + 1))?;
            half = match half {
                None => Some(digit),
                Some(high) => {
                    bytes.push((high << 4 | digit) as u8);
                    None
                }
            };
        }
        if half.is_some() {
            return Err(format!("an odd number of hexadecimal digits in line {}", number + 1));
        }
    }
    Ok(bytes)
}

/// A line of a dump without its offset, and without the characters that `xxd` writes after two spaces. `None` if the line does not belong
/// to a dump.
fn without_offset(line: &str, so_far: usize) -> Option<&str> {
    let (offset, rest) = match line.split_once(": ") {
        Some((offset, rest)) => (offset, rest.split("  ").next().unwrap_or_default()),
        None => line.split_once("  ").unwrap_or((line, "")),
    };
    let is_offset = (7..=16).contains(&offset.len()) && usize::from_str_radix(offset, 16) == Ok(so_far);
    // The last line of `hexdump -C` is only the size; eight digits alone on the first line are bytes.
    let alone = rest.trim().is_empty() && so_far == 0;
    (is_offset && !alone).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn plain_digits() {
        assert_eq!(parse("43 52,45:4f\n 0A0b # a remark\n# another"), Ok(b"CREO\n\x0b".to_vec()));
        assert_eq!(parse("00000000"), Ok(vec![0; 4]));
        assert_eq!(parse("00000000 01"), Ok(vec![0, 0, 0, 0, 1]));
        assert_eq!(parse(""), Ok(Vec::new()));
        assert_eq!(parse("4"), Err("an odd number of hexadecimal digits in line 1".to_owned()));
        assert_eq!(parse("00\n4x"), Err("'x' in line 2 is no hexadecimal digit".to_owned()));
    }

    #[test]
    fn dumps() {
        let hexdump = "00000000  43 52 45 4f 01 01 00 00  00 00 00 16 01 00 00 00  |CREO............|\n00000010  01 11                                             |..|\n00000012\n";
        let xxd = "00000000: 4352 454f 0101 0000 0000 0016 0100 0000  CREO............\n00000010: 0111                                     ..\n";
        let bytes = b"CREO\x01\x01\0\0\0\0\0\x16\x01\0\0\0\x01\x11".to_vec();
        assert_eq!(parse(hexdump), Ok(bytes.clone()));
        assert_eq!(parse(xxd), Ok(bytes));
    }
}
