//! What is shown of messages of HTTP: without the credentials in it, which are `***` (CALL-64, CALL-65). Names alone count.

/// Parts of the names of fields whose values are credentials.
const FIELDS: [&str; 8] =
    ["authorization", "x-auth", "cookie", "token", "secret", "password", "api-key", "apikey"];
/// Elements of WS-Security and SAML whose content and attributes are credentials.
const ELEMENTS: [&[u8]; 4] = [b"Password", b"Nonce", b"BinarySecurityToken", b"Assertion"];
const MAX_DEPTH: usize = 256;

/// The head of a message.
pub fn head(text: &[u8]) -> Vec<u8> {
    let lines = text.split_inclusive(|byte| *byte == b'\n').map(|line| {
        let Some(colon) = line.iter().position(|byte| *byte == b':') else { return line.to_vec() };
        let name = String::from_utf8_lossy(&line[..colon]).to_ascii_lowercase();
        if !FIELDS.iter().any(|part| name.contains(part)) {
            return line.to_vec();
        }
        let end = line.iter().rposition(|byte| !b"\r\n".contains(byte)).map_or(colon, |last| last + 1);
        [&line[..=colon], b" ***", &line[end..]].concat()
    });
    lines.collect::<Vec<_>>().concat()
}

/// A body of XML. One whose tags do not match is shown as it is, or not at all if it may have credentials (CALL-66).
pub fn xml(body: &[u8]) -> Vec<u8> {
    let mut scan = Scan { body, at: 0, shown: Vec::new(), copied: 0, open: Vec::new(), hidden: None };
    if scan.run().is_some() {
        scan.shown.extend_from_slice(&body[scan.copied..]);
        return scan.shown;
    }
    if find(body, b"\0").is_none() && find(body, b"wssecurity-secext").is_none() {
        return body.to_vec();
    }
    format!(
        "({} bytes, which are not shown: they may have a password, and are not well-formed UTF-8)",
        body.len()
    )
    .into_bytes()
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}

/// Copies a body, and leaves out parts of it. A method returns nothing if the body cannot be followed.
struct Scan<'b> {
    body: &'b [u8],
    at: usize,
    shown: Vec<u8>,
    /// The index after what was copied or left out.
    copied: usize,
    /// The names of the open elements.
    open: Vec<&'b [u8]>,
    /// The hidden element: how many are open around it, and where its content begins.
    hidden: Option<(usize, usize)>,
}

impl<'b> Scan<'b> {
    fn run(&mut self) -> Option<()> {
        const PASSED: [(&[u8], &[u8]); 3] = [(b"<!--", b"-->"), (b"<?", b"?>"), (b"<![CDATA[", b"]]>")];
        if find(self.body, b"\0").is_some() {
            return None;
        }
        while let Some(next) = find(&self.body[self.at..], b"<") {
            self.at += next;
            let rest = &self.body[self.at..];
            if let Some((start, end)) = PASSED.iter().find(|(start, _)| rest.starts_with(start)) {
                self.at += start.len() + find(&rest[start.len()..], end)? + end.len();
            } else if rest.starts_with(b"</") {
                self.end()?;
            } else if rest.starts_with(b"<!") {
                return None;
            } else {
                self.start()?;
            }
        }
        self.open.is_empty().then_some(())
    }

    fn end(&mut self) -> Option<()> {
        let rest = &self.body[self.at..];
        let close = find(rest, b">")?;
        if self.open.pop()? != rest[2..close].trim_ascii_end() {
            return None;
        }
        if let Some((_, from)) = self.hidden.filter(|(depth, _)| *depth == self.open.len()) {
            self.hide(from, self.at);
            self.hidden = None;
        }
        self.at += close + 1;
        Some(())
    }

    fn start(&mut self) -> Option<()> {
        self.at += 1;
        let name = self.name()?;
        let local = name.iter().position(|byte| *byte == b':').map_or(name, |colon| &name[colon + 1..]);
        let secret = self.hidden.is_none() && ELEMENTS.contains(&local);
        loop {
            self.space();
            let rest = &self.body[self.at..];
            if rest.starts_with(b"/>") {
                self.at += 2;
                return Some(());
            }
            if rest.starts_with(b">") {
                self.at += 1;
                break;
            }
            self.attribute(secret)?;
        }
        if self.open.len() == MAX_DEPTH {
            return None;
        }
        if secret {
            self.hidden = Some((self.open.len(), self.at));
        }
        self.open.push(name);
        Some(())
    }

    fn attribute(&mut self, secret: bool) -> Option<()> {
        let name = self.name()?;
        self.space();
        (self.body.get(self.at) == Some(&b'=')).then(|| self.at += 1)?;
        self.space();
        let quote = self.body.get(self.at).filter(|byte| b"\"'".contains(byte))?;
        let from = self.at + 1;
        let to = from + self.body[from..].iter().position(|byte| byte == quote)?;
        if secret && name != b"xmlns" && !name.starts_with(b"xmlns:") {
            self.hide(from, to);
        }
        self.at = to + 1;
        Some(())
    }

    fn name(&mut self) -> Option<&'b [u8]> {
        let rest = &self.body[self.at..];
        let size = rest.iter().position(|byte| b" \t\r\n/>=<\"'!".contains(byte))?;
        self.at += size;
        (size > 0).then_some(&rest[..size])
    }

    fn space(&mut self) {
        let rest = &self.body[self.at..];
        self.at += rest.iter().take_while(|byte| b" \t\r\n".contains(byte)).count();
    }

    fn hide(&mut self, from: usize, to: usize) {
        self.shown.extend_from_slice(&self.body[self.copied..from]);
        self.shown.extend_from_slice(b"***");
        self.copied = to;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn xml_of(text: &str) -> String {
        String::from_utf8(xml(text.as_bytes())).expect("UTF-8")
    }

    #[test]
    fn fields_with_credentials() {
        let shown = head(b"POST /a HTTP/1.1\r\nHost: a\r\nauthorization: Basic bWU6\r\nCreo-Meta-my-Token:x\r\nSet-Cookie: a=b\r\n\r\n");
        let due: &[u8] = b"POST /a HTTP/1.1\r\nHost: a\r\nauthorization: ***\r\nCreo-Meta-my-Token: ***\r\nSet-Cookie: ***\r\n\r\n";
        assert_eq!(String::from_utf8_lossy(&shown), String::from_utf8_lossy(due));
    }

    #[test]
    fn elements_with_credentials() {
        for (text, due) in [
            ("<a>1</a>", "<a>1</a>"),
            (
                "<?x <?><s:Security xmlns:s='urn:s'><s:Password Type='t' xmlns:x=\"y\">hunter2</s:Password ><u>me</u></s:Security>",
                "<?x <?><s:Security xmlns:s='urn:s'><s:Password Type='***' xmlns:x=\"y\">***</s:Password ><u>me</u></s:Security>",
            ),
            ("<a><Nonce/><Nonce>a<![CDATA[</Nonce>]]>b</Nonce></a>", "<a><Nonce/><Nonce>***</Nonce></a>"),
            (
                "<Assertion ID = '1'><Password>a</Password><b c='d'/></Assertion>",
                "<Assertion ID = '***'>***</Assertion>",
            ),
            (
                "<a><!-- <Password>--><b c='>'>Password</b></a>",
                "<a><!-- <Password>--><b c='>'>Password</b></a>",
            ),
            ("<html><br></html>", "<html><br></html>"),
            ("", ""),
        ] {
            assert_eq!(xml_of(text), due);
        }
    }

    #[test]
    fn what_cannot_be_followed_is_not_shown() {
        const SPACE: &str = "oasis-200401-wss-wssecurity-secext-1.0.xsd";
        for end in
            ["", "</a>", "<b", "<b c", "<b c=", "<b c='", "</b", "<!DOCTYPE c>", "<>", "<!--", "</a></a></a>"]
        {
            let text = format!("<a x='{SPACE}'><Password>hunter2</Password><a>{end}");
            assert!(xml_of(&text).starts_with(&format!("({} bytes", text.len())), "{text}");
        }
        let utf16: Vec<u8> = "<Password>x</Password>".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert!(xml(&utf16).starts_with(b"(44 bytes"));
        let deep = format!("{SPACE}{}{}", "<a>".repeat(300), "</a>".repeat(300));
        assert!(xml_of(&deep).starts_with('('));
    }
}
