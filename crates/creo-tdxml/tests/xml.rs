//! Valid and invalid XML: TDX-60, TDX-72, TDX-73.

mod common;

use common::{back, refused_document, scratch, table};
use creo_tdxml::{Code, Scheme};

fn round(text: &str) -> String {
    back(&table(text, Scheme::Aggregated))
}

#[test]
fn tdx_60_entities_and_defaults_of_the_internal_subset() {
    let dtd = "<!DOCTYPE r [<!ENTITY e 'x<b>y</b>'><!ENTITY f '&e;&#38;amp;'><!ATTLIST r a NMTOKENS ' 1  2 ' b CDATA #IMPLIED c (x|y) #REQUIRED>]>";
    assert_eq!(round(&format!("{dtd}<r c=' x '>&f;</r>")), "<r c=\"x\" a=\"1 2\">x<b>y</b>&amp;</r>\n");
    let dtd = "<!DOCTYPE r [<!ATTLIST r xmlns CDATA 'urn:x' xmlns:p CDATA #FIXED 'urn:y'>]>";
    assert_eq!(
        round(&format!("{dtd}<r><p:s/></r>")),
        "<r xmlns=\"urn:x\" xmlns:p=\"urn:y\"><p:s></p:s></r>\n"
    );
    let dtd =
        "<!DOCTYPE r SYSTEM 'never.dtd' [<!ENTITY % p SYSTEM 'never.ent'><!ENTITY e 'v'>%p;<!ENTITY f 'w'>]>";
    assert_eq!(round(&format!("{dtd}<r a='&e;'>&f;</r>")), "<r a=\"v\">w</r>\n");
}

/// A processing instruction in front of all is no declaration, whatever it says.
#[test]
fn tdx_60_only_a_declaration_names_the_encoding() {
    assert_eq!(
        round("<?xml-x encoding='ISO-8859-1'?><r>\u{e9}</r>"),
        "<?xml-x encoding='ISO-8859-1'?>\n<r>\u{e9}</r>\n"
    );
}

#[test]
fn tdx_60_values_are_normalised() {
    assert_eq!(
        round("<r a='\t1\r\n2&#9;&#10;&#13;'>\r\n&#13;\r</r>"),
        "<r a=\" 1 2&#9;&#10;&#13;\">\n&#13;\n</r>\n"
    );
    assert_eq!(round("<r><![CDATA[<&]]]]><![CDATA[>]]>]</r>"), "<r>&lt;&amp;]]&gt;]</r>\n");
}

#[test]
fn tdx_72_what_is_not_well_formed_is_refused_with_its_place() {
    let cases: &[(&str, &str)] = &[
        ("", "there is no element"),
        ("  ", "there is no element"),
        ("x", "text stands outside"),
        ("<a>", "the element `a` has no end"),
        ("<a></b>", "the end tag of `a`"),
        ("<a></ab>", "the end tag of `a`"),
        ("<a/><b/>", "something stands behind"),
        ("<a/>x", "something stands behind"),
        ("<a/><!DOCTYPE a>", "something stands behind"),
        (" <?xml version='1.0'?><a/>", "an XML declaration stands elsewhere"),
        ("<?xml encoding='UTF-8'?><a/>", "the XML declaration cannot be read"),
        ("<?xml version='2.0'?><a/>", "the XML declaration cannot be read"),
        ("<?xml version='1.0' encoding='martian'?><a/>", "the encoding `martian` is not known"),
        ("<a b/>", "the attribute `b` has no value"),
        ("<a b=c/>", "the value of an attribute has no quotes"),
        ("<a b='1'c='2'/>", "the tag `a` is not as a tag must be"),
        ("<a b='<'/>", "`<` stands in the value"),
        ("<a b='1' b='2'/>", "the attribute `b` comes twice"),
        ("<a xmlns:x='u' xmlns:y='u' x:b='1' y:b='2'/>", "the attribute `y:b` comes twice"),
        ("<a x:b='1'/>", "the prefix `x` is not bound"),
        ("<x:a/>", "the prefix `x` is not bound"),
        ("<a:b:c xmlns:a='u'/>", "`a:b:c` is no name of an element"),
        ("<:a/>", "`:a` is no name of an element"),
        ("<1a/>", "`1a` is no name of an element"),
        ("<a xmlns:b=''/>", "the prefix `b` cannot be bound"),
        ("<a xmlns:xmlns='u'/>", "the prefix `xmlns` cannot be bound"),
        ("<a xmlns='http://www.w3.org/XML/1998/namespace'/>", "the prefix `` cannot be bound"),
        ("<a>&b;</a>", "the entity `b` is not declared"),
        ("<a>& b</a>", "`&` is not followed by a name"),
        ("<a>&#0;</a>", "`&#0;` is no character"),
        ("<a>&#xFFFE;</a>", "`&#xFFFE;` is no character"),
        ("<a>&#99999999999999;</a>", "`&#99999999999999;` is no character"),
        ("<a>\u{1}</a>", "U+0001 is no character"),
        ("<a>\u{ffff}</a>", "U+FFFF is no character"),
        ("<a>]]></a>", "`]]>` stands in text"),
        ("<a><!-- -- --></a>", "`--` stands in a comment"),
        ("<a><!-- --->", "`--` stands in a comment"),
        ("<a><![CDATA[", "a CDATA section has no end"),
        ("<a><!x></a>", "`<!` begins neither"),
        ("<a><?xml version='1.0'?></a>", "an XML declaration stands elsewhere"),
        ("<a><?p", "` is no target"),
        ("<a><?p:q?></a>", "a processing instruction has a colon"),
        ("<!DOCTYPE a [<!ENTITY p:q 'x'>]><a/>", "an entity has a colon"),
        ("<!DOCTYPE a><!DOCTYPE a><a/>", "a second document type"),
        (
            "<!DOCTYPE a [<!ENTITY b SYSTEM 'c.xml'>]><a>&b;</a>",
            "the entity `b` is external: it is not fetched",
        ),
        (
            "<!DOCTYPE a [<!ENTITY b SYSTEM 'c.xml'>]><a b='&b;'/>",
            "the entity `b` is external: it is not fetched",
        ),
        ("<!DOCTYPE a [<!ENTITY b SYSTEM 'c' NDATA d>]><a>&b;</a>", "the entity `b` is not XML"),
        ("<!DOCTYPE a SYSTEM 'b.dtd'><a>&c;</a>", "the entity `c` is not declared in the document; external"),
        (
            "<!DOCTYPE a [<!ENTITY % p SYSTEM 'p'>%p;]><a>&b;</a>",
            "the entity `b` is not declared in the document; external",
        ),
        ("<!DOCTYPE a [<!ENTITY b '&c;'><!ENTITY c '&b;'>]><a>&b;</a>", "the entity `b` refers to itself"),
        ("<!DOCTYPE a [<!ENTITY b '&c;'><!ENTITY c '&b;'>]><a b='&b;'/>", "the entity `b` refers to itself"),
        ("<!DOCTYPE a [<!ENTITY b '<c>'>]><a>&b;</c></a>", "an element begins in the entity `b`"),
        ("<!DOCTYPE a [<!ENTITY b '</a>'>]><a>&b;", "an element ends in the entity `b`"),
        ("<!DOCTYPE a [<!ENTITY b '<'>]><a b='&b;'/>", "`<` stands in the value"),
        ("<!DOCTYPE a [<!ENTITY b '<c'>]><a>&b;/></a>", "the tag `c` is not as a tag must be"),
        ("<!DOCTYPE a [<!ENTITY % p 'x'><!ENTITY b '%p;'>]><a/>", "a parameter entity is referred to within"),
        ("<!DOCTYPE a [<!ENTITY % p '%p;'>%p;]><a/>", "a parameter entity is referred to within"),
        ("<!DOCTYPE a [<!ENTITY % p '&#37;p;'>%p;]><a/>", "the parameter entity `p` refers to itself"),
        ("<!DOCTYPE a [<!ELEMENT a (b>]><a/>", "the declaration of an element cannot be read"),
        ("<!DOCTYPE a [<!ATTLIST a b WRONG 'c'>]><a/>", "`WRONG` is no type"),
        ("<!DOCTYPE a [", "the internal subset"),
    ];
    for (text, message) in cases {
        let wrong = refused_document(text.as_bytes());
        assert_eq!(wrong.code, Code::Malformed, "{text}");
        assert!(wrong.message.contains(message), "{text}: {wrong:?}");
        assert!(wrong.position.is_some(), "{text}");
    }
    assert!(refused_document(b"<a>\xff</a>").message.contains("not UTF-8"));
    assert!(refused_document(b"<a>\xe2\x82").message.contains("not UTF-8"));
    assert!(
        refused_document(b"<?xml version='1.0' encoding='US-ASCII'?><a>\xe9</a>")
            .message
            .contains("not ASCII")
    );
    assert!(refused_document(b"\xff\xfe<\0a\0>\0\0").message.contains("UTF-16LE"));
    assert_eq!(refused_document(b"<a>\n  <b>\n  x</c>").position, Some((3, 6)));
}

#[test]
fn tdx_73_limits_hold() {
    let bomb: String =
        (1..12).map(|n| format!("<!ENTITY e{n} '{}'>", format!("&e{};", n - 1).repeat(10))).collect();
    for place in ["<a>&e11;</a>", "<a b='&e11;'/>"] {
        for leaf in ["boom", ""] {
            let wrong =
                refused_document(format!("<!DOCTYPE a [<!ENTITY e0 '{leaf}'>{bomb}]>{place}").as_bytes());
            assert_eq!(wrong.code, Code::TooLarge, "{place}");
        }
    }
    let chain: String = (1..100).map(|n| format!("<!ENTITY e{n} '&e{};'>", n - 1)).collect();
    for place in ["<a>&e99;</a>", "<a b='&e99;'/>"] {
        assert_eq!(
            refused_document(format!("<!DOCTYPE a [<!ENTITY e0 ''>{chain}]>{place}").as_bytes()).code,
            Code::TooLarge
        );
    }
    let long = "x".repeat(60_000);
    let dtd = format!("<!DOCTYPE a [<!ATTLIST b c CDATA '{long}'>]>");
    let wrong = refused_document(format!("{dtd}<a>{}</a>", "<b/>".repeat(1_000)).as_bytes());
    assert!(wrong.message.starts_with("entities and defaults expand"), "{wrong:?}");
    assert_eq!(
        round(&format!("<!DOCTYPE a [<!ENTITY e '{long}'>]><a>{}</a>", "&e;".repeat(200))).len(),
        60_000 * 200 + 8
    );
    let declared: String = (0..1_025).map(|n| format!(" a{n} CDATA #IMPLIED")).collect();
    assert_eq!(
        refused_document(format!("<!DOCTYPE a [<!ATTLIST a{declared}>]><a/>").as_bytes()).code,
        Code::TooLarge
    );
    assert_eq!(refused_document("<a>".repeat(10_001).as_bytes()).code, Code::TooLarge);
    assert_eq!(refused_document(format!("<{}/>", "a".repeat(65_537)).as_bytes()).code, Code::TooLarge);
    let many: String = (0..65_537).map(|n| format!(" a{n}=''")).collect();
    assert_eq!(refused_document(format!("<a{many}/>").as_bytes()).code, Code::TooLarge);
    let many: String = (0..4_097).map(|n| format!(" xmlns:a{n}='u'")).collect();
    assert_eq!(refused_document(format!("<a{many}/>").as_bytes()).code, Code::TooLarge);
    let deep = format!("{}{}", "<a>".repeat(10_000), "</a>".repeat(10_000));
    assert_eq!(round(&deep), format!("{deep}\n"));
}

#[test]
fn pieces_may_end_anywhere() {
    /// Gives a byte at a time.
    struct Slow<'a>(&'a [u8]);
    impl std::io::Read for Slow<'_> {
        fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
            let count = self.0.len().min(1);
            to[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }
    struct Document<'a>(&'a [u8]);
    impl creo_tdxml::Input for Document<'_> {
        fn open(&mut self) -> std::io::Result<Box<dyn std::io::Read + '_>> {
            Ok(Box::new(Slow(self.0)))
        }
    }
    let mut long = String::from("<?xml version='1.0'?>\r\n<!DOCTYPE r [<!ENTITY e '\u{20ac}'>]><r>");
    for n in 0..400 {
        long.push_str(&format!(
            "<a b='{n}\u{1f600}&e;'>\r\n]]&gt;]<!--\u{e9}--><![CDATA[]]]]><?pi d?>&#xe9;&e;</a>\r"
        ));
    }
    long.push_str("</r>");
    let fast = table(&long, Scheme::Aggregated);
    let mut slow = Vec::new();
    creo_tdxml::encode(&mut Document(long.as_bytes()), Scheme::Aggregated, &mut slow)
        .expect("it is well-formed");
    assert_eq!(String::from_utf8(slow).as_deref(), Ok(fast.as_str()));
    let mut out = Vec::new();
    creo_tdxml::decode(&mut Document(fast.as_bytes()), &mut scratch, &mut out).expect("it is a table");
    assert_eq!(String::from_utf8(out).as_deref(), Ok(back(&fast).as_str()));
}
