//! The variables of the time model (COST-20), and their names in profiles.

use crate::leaf::Kind;
use creo_model::Primitive;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A variable of the time model, in the order of profiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// 1 in every nonempty request.
    Message,
    /// 1 in every nonempty response.
    Response,
    /// 1 in every empty request.
    Empty,
    /// 1 in every empty response.
    EmptyResponse,
    /// 1 in every response that is a missing optional.
    MissingResponse,
    /// Single values of a kind: in parameters and fields outside arrays, in optionals, members and entries.
    Single(Kind),
    /// Values of a kind in fields that all items of an array have.
    Field(Kind),
    /// Values of a kind as items of arrays.
    Item(Kind),
    /// Values of a kind in fields of plain structs that are items of arrays.
    Cell(Kind),
    /// Arrays of single values of a kind.
    Array(Kind),
    /// Arrays of values with parts, and of optionals.
    Arrays,
    /// Items of arrays that have parts but are not plain structs.
    Element,
    /// Arrays and maps within the items of an array.
    Inner,
    /// On the binary wire, runs of adjacent fixed-size values in a message or struct, including those in nested structs.
    Run,
    SingleRun,
    /// Single structs without fields.
    SingleEmpty,
    /// Plain structs that are items of arrays.
    Row,
    /// Structs nested in those.
    RowInner,
    /// Fields of a kind in plain structs, once for each array of these.
    Column(Kind),
    /// Optional fields of plain structs that are items of arrays, present or not.
    CellOptional,
    /// Fields of other structs that are items of arrays, and optional fields of plain ones, once for each array.
    Columns,
    /// For fields that only some structs of an array have: 1 for each struct if half of them have it, and less the more uniform they are.
    Mixed,
    /// Arrays, maps and `byte[]` with a length of at least 128, whose counts take several bytes on the binary wire (BIN-2).
    Long,
    /// On the binary wire, strings in arrays whose strings all have the same length.
    Alike,
    Map,
    Entry,
    /// Entries whose key is not a string.
    Key,
    /// Single structs and exceptions.
    SingleRecord,
    /// Plain ones among these, on SOAP.
    SingleRow,
    /// Structs that are items of arrays, or fields that all items have; without rows.
    Record,
    /// Fields of structs that follow one of another kind; without those of rows.
    Change,
    /// The same for rows.
    ChangeRow,
    /// Optionals, present or not.
    Optional,
    /// Optionals that are items of arrays.
    OptionalItem,
    /// Present optionals with parts: some targets store them separately.
    OptionalParts,
    Union,
    /// Attributes of elements, on SOAP. Their values count like others.
    Attribute,
    /// Structs on SOAP with fields that are attributes, text or kept as XML.
    Tagged,
    /// Elements kept as XML, on SOAP and in tables. They also count as strings; this is their additional cost.
    Raw,
    /// Bytes of strings, in UTF-8.
    Text,
    /// Bytes of strings beyond the cut-off (COST-22).
    TextBeyond,
    /// Strings longer than the cut-off that are not items of arrays.
    TextOver,
    /// Strings longer than the cut-off that are items of arrays.
    TextOverItem,
    /// Bytes of strings that [`Feature::Alike`] counts.
    TextAlike,
    /// Bytes of strings in rows.
    TextCell,
    /// Bytes of elements kept as XML.
    TextRaw,
    /// Bytes of strings with characters beyond ASCII.
    TextWide,
    /// Strings with characters beyond ASCII.
    WideString,
    /// Messages with such strings.
    Wide,
    /// Bytes of `byte[]`.
    Bytes,
    /// Bytes of `byte[]` beyond its cut-off (COST-22).
    BytesBeyond,
    /// `byte[]` longer than its cut-off.
    BytesOver,
    /// Bytes of the texts of `float` and `double`. Unused on the binary wire.
    RealDigits,
    /// Bytes of the text of all other values; on the binary wire, of `Decimal`s.
    Digits,
    /// Bytes outside of values: tags, names, indices, envelopes; without those of rows. Unused on the binary wire.
    Markup,
    /// The same for rows: their share of these bytes equals their share of the values.
    MarkupRow,
    /// Values beyond a number of them, without the items of arrays of single values (COST-29).
    Many,
}

/// All kinds of leaves.
pub fn kinds() -> impl Iterator<Item = Kind> {
    Primitive::ALL.into_iter().map(Kind::Primitive).chain([Kind::Bytes, Kind::Enum])
}

impl Feature {
    pub fn all() -> Vec<Feature> {
        let structure = [
            Feature::Arrays,
            Feature::Element,
            Feature::Inner,
            Feature::Run,
            Feature::SingleRun,
            Feature::SingleEmpty,
            Feature::Row,
            Feature::RowInner,
            Feature::CellOptional,
            Feature::Columns,
            Feature::Mixed,
            Feature::Long,
            Feature::Alike,
            Feature::Map,
            Feature::Entry,
            Feature::Key,
            Feature::SingleRecord,
            Feature::SingleRow,
            Feature::Record,
            Feature::Change,
            Feature::ChangeRow,
            Feature::Optional,
            Feature::OptionalItem,
            Feature::OptionalParts,
            Feature::Union,
            Feature::Attribute,
            Feature::Tagged,
            Feature::Raw,
        ];
        let bytes = [
            Feature::Text,
            Feature::TextBeyond,
            Feature::TextOver,
            Feature::TextOverItem,
            Feature::TextAlike,
            Feature::TextCell,
            Feature::TextRaw,
            Feature::TextWide,
            Feature::WideString,
            Feature::Wide,
            Feature::Bytes,
            Feature::BytesBeyond,
            Feature::BytesOver,
            Feature::RealDigits,
            Feature::Digits,
            Feature::Markup,
            Feature::MarkupRow,
            Feature::Many,
        ];
        let leaves =
            [Feature::Single, Feature::Field, Feature::Item, Feature::Array, Feature::Cell, Feature::Column]
                .into_iter()
                .flat_map(|of| kinds().map(of));
        let messages = [
            Feature::Message,
            Feature::Response,
            Feature::Empty,
            Feature::EmptyResponse,
            Feature::MissingResponse,
        ];
        messages.into_iter().chain(leaves).chain(structure).chain(bytes).collect()
    }

    /// The name in a profile.
    pub fn word(self) -> String {
        match self {
            Feature::Message => "message".to_owned(),
            Feature::Response => "response".to_owned(),
            Feature::Empty => "empty".to_owned(),
            Feature::EmptyResponse => "empty.response".to_owned(),
            Feature::MissingResponse => "missing.response".to_owned(),
            Feature::Single(kind) => format!("single.{}", kind.word()),
            Feature::Field(kind) => format!("field.{}", kind.word()),
            Feature::Item(kind) => format!("item.{}", kind.word()),
            Feature::Cell(kind) => format!("cell.{}", kind.word()),
            Feature::Array(kind) => format!("array.{}", kind.word()),
            Feature::Arrays => "array".to_owned(),
            Feature::Element => "element".to_owned(),
            Feature::Inner => "inner".to_owned(),
            Feature::Run => "run".to_owned(),
            Feature::SingleRun => "single.run".to_owned(),
            Feature::SingleEmpty => "single.empty".to_owned(),
            Feature::Row => "row".to_owned(),
            Feature::RowInner => "row.inner".to_owned(),
            Feature::Column(kind) => format!("column.{}", kind.word()),
            Feature::CellOptional => "cell.optional".to_owned(),
            Feature::Columns => "columns".to_owned(),
            Feature::Mixed => "mixed".to_owned(),
            Feature::Long => "long".to_owned(),
            Feature::Alike => "alike".to_owned(),
            Feature::Map => "map".to_owned(),
            Feature::Entry => "entry".to_owned(),
            Feature::Key => "key".to_owned(),
            Feature::SingleRecord => "single.record".to_owned(),
            Feature::SingleRow => "single.row".to_owned(),
            Feature::Record => "record".to_owned(),
            Feature::Change => "change".to_owned(),
            Feature::ChangeRow => "change.row".to_owned(),
            Feature::Optional => "optional".to_owned(),
            Feature::OptionalItem => "optional.item".to_owned(),
            Feature::OptionalParts => "optional.parts".to_owned(),
            Feature::Union => "union".to_owned(),
            Feature::Attribute => "attribute".to_owned(),
            Feature::Tagged => "tagged".to_owned(),
            Feature::Raw => "raw".to_owned(),
            Feature::Text => "text".to_owned(),
            Feature::TextBeyond => "text.beyond".to_owned(),
            Feature::TextOver => "text.over".to_owned(),
            Feature::TextOverItem => "text.over.item".to_owned(),
            Feature::TextAlike => "text.alike".to_owned(),
            Feature::TextCell => "text.cell".to_owned(),
            Feature::TextRaw => "text.raw".to_owned(),
            Feature::TextWide => "text.wide".to_owned(),
            Feature::WideString => "wide.string".to_owned(),
            Feature::Wide => "wide".to_owned(),
            Feature::Bytes => "bytes".to_owned(),
            Feature::BytesBeyond => "bytes.beyond".to_owned(),
            Feature::BytesOver => "bytes.over".to_owned(),
            Feature::RealDigits => "digits.real".to_owned(),
            Feature::Digits => "digits".to_owned(),
            Feature::Markup => "markup".to_owned(),
            Feature::MarkupRow => "markup.row".to_owned(),
            Feature::Many => "many".to_owned(),
        }
    }

    /// A byte beyond a cut-off may cost less than one before it, and an attribute less than an element.
    pub fn may_be_negative(self) -> bool {
        matches!(self, Feature::TextBeyond | Feature::BytesBeyond | Feature::Attribute)
    }

    pub fn from_word(word: &str) -> Option<Feature> {
        // Profiles have thousands of words.
        static BY_WORD: LazyLock<BTreeMap<String, Feature>> =
            LazyLock::new(|| Feature::all().into_iter().map(|feature| (feature.word(), feature)).collect());
        BY_WORD.get(word).copied()
    }
}
