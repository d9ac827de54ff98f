//! The messages that calibration measures (COST-33).

use crate::binding::Direction;
use crate::digits::Range;
use crate::length::Length;

/// A message with given lengths.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    pub method: &'static str,
    pub direction: Direction,
    /// Lengths by short path below the method or a type.
    pub lengths: Vec<(String, Length)>,
    pub present: Vec<(&'static str, f64)>,
    pub ranges: Vec<(&'static str, Range)>,
    /// Whether strings have characters beyond ASCII.
    pub wide: bool,
    /// The line it belongs to, and its position on it.
    pub line: Option<(String, u64)>,
}

impl Case {
    fn new(method: &'static str) -> Case {
        Case {
            method,
            direction: Direction::Request,
            lengths: Vec::new(),
            present: Vec::new(),
            ranges: Vec::new(),
            wide: false,
            line: None,
        }
    }

    fn answer(method: &'static str) -> Case {
        Case { direction: Direction::Response, ..Case::new(method) }
    }

    fn long(mut self, path: &str, length: u64) -> Case {
        self.lengths.push((path.to_owned(), Length::Fixed(length)));
        self
    }

    /// Lengths around a mean: real arrays do not have strings of a single length.
    fn about(mut self, path: &str, mean: u64) -> Case {
        let length = Length::Uniform(mean.saturating_sub(1), mean + 1);
        self.lengths.push((path.to_owned(), length));
        self
    }

    fn all_long(self, paths: &[&str], length: u64) -> Case {
        paths.iter().fold(self, |case, path| case.long(path, length))
    }

    /// Items with a separate length.
    fn long_items(self, method: &str) -> Case {
        if method == "blobs" { self.long("blobs.v[]", 60) } else { self }
    }

    fn on(mut self, line: &str, at: u64) -> Case {
        self.line = Some((line.to_owned(), at));
        self
    }

    /// A readable name: the method and the lengths.
    pub fn name(&self) -> String {
        let lengths =
            self.lengths.iter().map(|(path, length)| format!(" {path}={length}")).collect::<String>();
        format!("{}{lengths}{}", self.method, if self.wide { " wide" } else { "" })
    }
}

/// Methods with arrays, and the paths of their items.
const ARRAYS: [(&str, &str); 15] = [
    ("booleans", "boolean"),
    ("shorts", "short"),
    ("chars", "char"),
    ("ints", "int"),
    ("longs", "long"),
    ("floats", "float"),
    ("doubles", "double"),
    ("strings", "String"),
    ("instants", "DateTime"),
    ("decimals", "Decimal"),
    ("blobs", "bytes"),
    ("colours", "enum"),
    ("maybeBytes", "byte?"),
    ("maybeInts", "int?"),
    ("maybeStrings", "String?"),
];

/// Methods with arrays of structs, each with fields of one kind.
const FIELDS: [&str; 13] = [
    "booleanFields",
    "byteFields",
    "shortFields",
    "charFields",
    "intFields",
    "longFields",
    "floatFields",
    "doubleFields",
    "stringFields",
    "instantFields",
    "decimalFields",
    "blobFields",
    "colourFields",
];

/// Methods with arrays of structs that are not plain (COST-20): each has an array besides the fields of one kind.
const LOOSE: [&str; 13] = [
    "looseBooleans",
    "looseBytes",
    "looseShorts",
    "looseChars",
    "looseInts",
    "looseLongs",
    "looseFloats",
    "looseDoubles",
    "looseStrings",
    "looseInstants",
    "looseDecimals",
    "looseBlobs",
    "looseColours",
];

/// Methods with arrays and maps that vary only in length.
const MANY: [&str; 12] = [
    "longNames",
    "shortNames",
    "looseLongNames",
    "looseShortNames",
    "ones",
    "people",
    "groups",
    "holders",
    "lists",
    "shapes",
    "counts",
    "names",
];

/// Methods with arrays of structs with attributes, and with one such struct.
const TAGGED: [(&str, &str); 4] = [
    ("taggedInts", "singleTaggedInts"),
    ("taggedStrings", "singleTaggedStrings"),
    ("tagged", "singleTagged"),
    ("worded", "singleWorded"),
];

/// Methods with arrays of nested structs, and with one such struct.
const NESTED: [(&str, &str); 2] = [("tags", "singleTags"), ("looseTags", "singleLooseTags")];

/// Methods that vary only in the length of their result.
const ANSWERS: [&str; 4] = ["answerInts", "answerStrings", "answerPeople", "answerText"];

/// Methods that return a value of fixed length.
const ANSWERED: [&str; 6] =
    ["answerEmpty", "answerInt", "answerBoolean", "answerPerson", "answerInvoice", "answerStrings"];

/// Methods that return an optional value.
const MAYBE_ANSWERED: [(&str, &str); 3] = [
    ("answerMaybeText", "answerMaybeText.result"),
    ("answerMaybeInt", "answerMaybeInt.result"),
    ("answerMaybePerson", "answerMaybePerson.result"),
];

/// Methods with a single struct.
const SINGLES: [&str; 13] = [
    "singleBooleans",
    "singleBytes",
    "singleShorts",
    "singleChars",
    "singleInts",
    "singleLongs",
    "singleFloats",
    "singleDoubles",
    "singleStrings",
    "singleInstants",
    "singleDecimals",
    "singleBlobs",
    "singleColours",
];

/// The lengths of the types that mix all kinds.
const COMPOSED: &[&str] =
    &["Invoice.lines", "Line.notes", "Ledger.invoices", "Station.samples", "Station.parts"];

/// The fields of a struct of `byte[]`s.
const BLOBS: &[&str] = &["Blobs.a", "Blobs.b", "Blobs.c", "Blobs.d"];

/// The numbers of structs in arrays.
fn few(quick: bool) -> &'static [u64] {
    if quick { &[1, 10, 100] } else { &[1, 2, 5, 10, 20, 50, 100, 200] }
}

/// The messages with elements kept as XML.
fn raw_cases(quick: bool) -> Vec<Case> {
    let mut all = Vec::new();
    for length in [60, 250, 1_000, 4_000] {
        all.push(Case::new("pass").long("pass.v", length));
        all.push(Case::new("page").long("Page.body", length));
        all.push(Case::answer("answerPage").long("Page.body", length));
    }
    let any = |method: &'static str, share: f64, length: u64| {
        Case { present: vec![("Wrapped.any", share)], ..Case::new(method) }.long("Wrapped.any", length)
    };
    all.extend(
        [(0.0, 16), (1.0, 16), (1.0, 60), (1.0, 250), (1.0, 1_000)]
            .map(|(share, length)| any("wrapped", share, length)),
    );
    let rest = |method: &'static str, count: u64, length: u64| {
        Case::new(method).long("Extension.rest", count).long("Extension.rest[]", length)
    };
    all.extend(
        [(1, 16), (4, 16), (20, 16), (4, 60), (20, 60), (20, 250)]
            .map(|(count, length)| rest("extension", count, length)),
    );
    for n in few(quick) {
        all.extend([60, 250].map(|length| Case::new("pages").long("pages.v", *n).long("Page.body", length)));
        let many = [(0.0, 16), (0.5, 16), (1.0, 16), (1.0, 60), (1.0, 250)]
            .map(|(share, length)| any("wrappings", share, length));
        all.extend(many.map(|case| case.long("wrappings.v", *n)));
        all.extend(
            [(1, 16), (4, 60)]
                .map(|(count, length)| rest("extensions", count, length).long("extensions.v", *n)),
        );
    }
    all
}

/// All measured messages, including elements kept as XML. `quick` selects fewer lengths of each kind.
pub fn cases(quick: bool) -> Vec<Case> {
    let mut all = common_cases(quick);
    all.extend(raw_cases(quick));
    all
}

/// The messages that other stacks also support.
pub fn common_cases(quick: bool) -> Vec<Case> {
    let arrays: &[u64] = if quick {
        &[1, 10, 50, 200, 500, 1_000]
    } else {
        &[1, 10, 20, 50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1_000, 10_000]
    };
    let texts: &[u64] = if quick {
        &[1, 10, 50, 100, 200, 300, 500, 1_000, 5_000, 20_000, 100_000]
    } else {
        &[
            1, 4, 10, 20, 50, 80, 100, 128, 150, 200, 256, 300, 400, 500, 700, 1_000, 2_000, 5_000, 10_000,
            20_000, 50_000, 100_000,
        ]
    };
    let few = few(quick);
    let mut all =
        ["nothing", "several", "one", "person", "longName", "shortName", "looseLongName", "looseShortName"]
            .map(Case::new)
            .to_vec();
    for (method, kind) in ARRAYS {
        all.extend(arrays.iter().map(|n| {
            Case::new(method).long(&format!("{method}.v"), *n).long_items(method).on(&format!("{kind}[]"), *n)
        }));
    }
    for method in FIELDS {
        all.extend(few.iter().map(|n| {
            let case = Case::new(method).long(&format!("{method}.v"), *n);
            if method == "blobFields" { case.all_long(BLOBS, 60) } else { case }
        }));
    }
    all.extend(SINGLES.map(|method| {
        let case = Case::new(method);
        if method == "singleBlobs" { case.all_long(BLOBS, 60) } else { case }
    }));
    for share in [0.0, 0.5, 1.0] {
        all.push(Case { present: OPTIONALS.map(|field| (field, share)).to_vec(), ..Case::new("optional") });
    }
    for n in if quick { &[2, 20][..] } else { &[1, 2, 5, 20, 50] } {
        all.push(Case::new("customer").long("Customer.orders", *n).long("Customer.counts", *n));
        for method in ["invoice", "ledger", "station"] {
            all.push(Case::new(method).all_long(COMPOSED, *n));
        }
        all.push(Case::new("group").long("Group.people", *n).long("Group.counts", *n));
        all.push(Case::new("list").long("Lists.a", *n).long("Lists.b", *n).long("Lists.c", *n));
    }
    for n in texts {
        all.push(Case::new("text").long("text.v", *n).on(TEXT_LINE, *n));
        all.push(Case { wide: true, ..Case::new("text").long("text.v", *n) });
        all.push(Case::new("blob").long("blob.v", *n).on(BYTES_LINE, *n));
    }
    for n in if quick { &CUTS[..12] } else { CUTS } {
        all.push(Case::new("strings").long("strings.v", 100).about("strings.v[]", *n).on(CUT_LINE, *n));
    }
    all.extend([2, 6, 10, 14, 18].map(|n| Case::new("decimal").long("decimal.v", n)));
    for n in few {
        all.push(Case {
            ranges: vec![("smallInts.v[]", Range { low: 0.0, high: 99.0, decimals: None })],
            ..Case::new("smallInts").long("smallInts.v", 5 * n)
        });
        all.push(Case {
            ranges: vec![("shortReals.v[]", Range { low: 0.0, high: 500.0, decimals: Some(2) })],
            ..Case::new("shortReals").long("shortReals.v", 5 * n)
        });
        for length in [4, 20, 60, 200, 1_000] {
            all.push(Case::new("strings").long("strings.v", *n).about("strings.v[]", length));
        }
        for length in [4, 20, 60] {
            all.push(Case::new("strings").long("strings.v", *n).long("strings.v[]", length));
        }
        all.push(Case { wide: true, ..Case::new("strings").long("strings.v", *n).about("strings.v[]", 20) });
        for method in LOOSE {
            let case = Case::new(method).long(&format!("{method}.v"), *n);
            all.push(if method == "looseBlobs" {
                case.long("LooseBlobs.a", 60).long("LooseBlobs.b", 60)
            } else {
                case
            });
        }
        for method in MANY {
            all.push(Case::new(method).long(&format!("{method}.v"), *n));
        }
        for share in [0.0, 0.5, 1.0] {
            let all_of = |fields: &[&'static str]| fields.iter().map(|field| (*field, share)).collect();
            all.push(Case { present: all_of(&OPTIONALS), ..Case::new("optionals").long("optionals.v", *n) });
            all.push(Case { present: all_of(&MAYBES), ..Case::new("maybes").long("maybes.v", *n) });
        }
        for inner in [1, 10, 60] {
            all.push(Case::new("intLists").long("intLists.v", *n).long("intLists.v[]", inner));
            all.push(Case::new("holders").long("holders.v", *n).long("Holder.parts", inner));
        }
        for length in [4, 60, 250] {
            let case = Case::new("stringFields").long("stringFields.v", *n);
            all.push(
                ["a", "b", "c", "d", "e", "f", "g", "h"]
                    .iter()
                    .fold(case, |case, f| case.about(&format!("Strings.{f}"), length)),
            );
        }
        for inner in [1, 4] {
            for method in ["invoices", "ledgers", "stations"] {
                all.push(Case::new(method).long(&format!("{method}.v"), *n).all_long(COMPOSED, inner));
            }
        }
        for inner in [1, 5, 20] {
            all.push(
                Case::new("customers")
                    .long("customers.v", *n)
                    .long("Customer.orders", inner)
                    .long("Customer.counts", inner),
            );
        }
        for inner in [1, 4, 10] {
            all.push(Case::new("nested").long("nested.v", *n).long("nested.v.value", inner));
        }
    }
    all.push(Case::new("empty"));
    all.extend(ANSWERED.map(Case::answer));
    for n in few {
        all.extend(ANSWERS.map(|method| Case::answer(method).long(&format!("{method}.result"), *n)));
        all.extend(TAGGED.map(|(many, _)| Case::new(many).long(&format!("{many}.v"), *n)));
    }
    all.extend(TAGGED.map(|(_, one)| Case::new(one)));
    for (method, result) in MAYBE_ANSWERED {
        all.extend([0.0, 1.0].map(|share| Case { present: vec![(result, share)], ..Case::answer(method) }));
    }
    for (many, one) in NESTED {
        all.extend(few.iter().map(|n| Case::new(many).long(&format!("{many}.v"), *n)));
        all.push(Case::new(one));
    }
    for share in [0.0, 0.5, 1.0] {
        let of = |case: Case| Case { present: MAYBE_TAGS.map(|field| (field, share)).to_vec(), ..case };
        all.extend(few.iter().map(|n| of(Case::new("maybeTags").long("maybeTags.v", *n))));
        all.push(of(Case::new("singleMaybeTags")));
    }
    for (share, inner) in [(0.0, 4), (0.5, 1), (1.0, 4)] {
        let of = |case: Case| Case { present: LABELS.map(|field| (field, share)).to_vec(), ..case };
        all.extend(
            few.iter().map(|n| of(Case::new("labels").long("labels.v", *n).long("Labels.kinds", inner))),
        );
        all.push(of(Case::new("singleLabels").long("Labels.kinds", inner)));
        all.extend(few.iter().map(|n| of(Case::new("priced").long("priced.v", *n))));
        all.push(of(Case::new("singlePriced")));
    }
    for share in [0.0, 0.5, 1.0] {
        let of = |case: Case| Case { present: CONTACT.map(|field| (field, share)).to_vec(), ..case };
        all.extend(few.iter().map(|n| of(Case::new("contacts").long("contacts.v", *n))));
        all.push(of(Case::new("contact")));
        all.extend(few.iter().map(|n| of(Case::new("contactList").long("ContactList.contact", *n))));
    }
    all.extend(
        few.iter()
            .map(|n| Case::new("contactLists").long("contactLists.v", *n).long("ContactList.contact", 4)),
    );
    all.extend(few.iter().map(|n| Case::new("labelled").long("labelled.v", *n)));
    all.push(Case::new("singleLabelled"));
    for (method, items) in MAYBE_STRUCTS {
        for share in [0.5, 1.0] {
            all.extend(few.iter().map(|n| Case {
                present: vec![(items, share)],
                ..Case::new(method).long(&format!("{method}.v"), *n)
            }));
        }
    }
    all.extend(few.iter().map(|n| Case::answer("answerNames").long("NameList.names", *n)));
    for length in [4, 16, 40] {
        all.push(
            Case::new("asked")
                .all_long(&["asked.login", "asked.password", "asked.partner", "asked.date"], length),
        );
        all.push(Case::new("askedMore").all_long(
            &["askedMore.login", "askedMore.password", "askedMore.partner", "askedMore.note"],
            length,
        ));
    }
    all
}

/// The strings that reveal the cut-off: a hundred in an array, which outweighs the fixed cost of a message.
pub(crate) const CUT_LINE: &str = "100 String";

/// A single `byte[]`.
pub(crate) const BYTES_LINE: &str = "byte[]";

/// Single strings.
pub(crate) const TEXT_LINE: &str = "String";

const CUTS: &[u64] = &[
    2, 6, 12, 16, 20, 32, 64, 100, 126, 140, 256, 512, 4, 8, 10, 14, 17, 18, 24, 28, 40, 50, 80, 110, 120,
    130, 160, 200, 250, 264, 300, 400, 800, 600, 1_000,
];

const OPTIONALS: [&str; 8] = [
    "Optionals.a",
    "Optionals.b",
    "Optionals.c",
    "Optionals.d",
    "Optionals.e",
    "Optionals.f",
    "Optionals.g",
    "Optionals.h",
];

const MAYBE_TAGS: [&str; 4] = ["MaybeTags.a", "MaybeTags.b", "MaybeTags.c", "MaybeTags.d"];

/// Methods with arrays of optional structs, and their items.
const MAYBE_STRUCTS: [(&str, &str); 4] = [
    ("maybeOnes", "maybeOnes.v[]"),
    ("maybePairs", "maybePairs.v[]"),
    ("maybeNames", "maybeNames.v[]"),
    ("maybePeople", "maybePeople.v[]"),
];

const LABELS: [&str; 5] = ["Labels.market", "Labels.price", "Labels.code", "Labels.active", "Priced.high"];

const CONTACT: [&str; 10] = [
    "Contact.name",
    "Contact.company",
    "Contact.department",
    "Contact.telephone",
    "Contact.telefax",
    "Contact.electronicMail",
    "Contact.extension",
    "Contact.active",
    "Contact.lastChanged",
    "Contact.address",
];

const MAYBES: [&str; 6] = ["Maybes.a", "Maybes.b", "Maybes.c", "Maybes.d", "Maybes.e", "Maybes.f"];
