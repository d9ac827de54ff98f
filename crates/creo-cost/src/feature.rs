//! The variables of the time model (COST-20), and their names in profiles.

use crate::leaf::Kind;
use creo_model::Primitive;

/// A variable of the time model. Its order is that of profiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// 1 in every request that holds something.
    Message,
    /// 1 in every response that holds something.
    Response,
    /// 1 in every request that holds nothing.
    Empty,
    /// 1 in every response that holds nothing.
    EmptyResponse,
    /// 1 in every response that is an optional and not there.
    MissingResponse,
    /// Values of a kind that stand alone: in parameters and fields beneath no array, in optionals, members and entries.
    Single(Kind),
    /// Values of a kind in fields that all items of an array have.
    Field(Kind),
    /// Values of a kind as items of arrays.
    Item(Kind),
    /// Values of a kind in fields of plain structs that are items of arrays.
    Cell(Kind),
    /// Arrays of single values of a kind.
    Array(Kind),
    /// Arrays of values with parts and of optionals.
    Arrays,
    /// Items of arrays that have parts themselves, but are no plain structs.
    Element,
    /// Arrays and maps beneath the items of an array.
    Inner,
    /// On the binary wire, values of fixed size that follow one another in a message or struct, those of structs within it among them.
    Run,
    SingleRun,
    /// Structs without fields that stand alone.
    SingleEmpty,
    /// Plain structs that are items of arrays.
    Row,
    /// Structs within those.
    RowInner,
    /// Fields of a kind of plain structs, once for each array of these.
    Column(Kind),
    /// Optional fields of plain structs that are items of arrays, there or not.
    CellOptional,
    /// Fields of other structs that are items of arrays, and optional fields of plain ones, once for each array.
    Columns,
    /// Of fields that some structs of an array have and some have not: 1 for each struct where half of them have it, and less the more they are alike.
    Mixed,
    /// Arrays, maps and `byte[]` of 128 and more: on the binary wire, whose counts then take more than a byte (BIN-2).
    Long,
    /// On the binary wire, strings of arrays whose strings are all of one length.
    Alike,
    Map,
    Entry,
    /// Entries whose key is no string.
    Key,
    /// Structs and exceptions that stand alone.
    SingleRecord,
    /// Plain ones of these, on SOAP.
    SingleRow,
    /// Those that are items of arrays, or fields that all of these have; without rows.
    Record,
    /// Fields of structs that follow one of another kind; without those of rows.
    Change,
    /// Those of rows.
    ChangeRow,
    /// Optionals, there or not.
    Optional,
    /// Those that are items of arrays.
    OptionalItem,
    /// Those that are there and have parts: some targets hold them apart.
    OptionalParts,
    Union,
    /// Attributes of elements, on SOAP. The values in them count as others do.
    Attribute,
    /// Structs some of whose fields are attributes, a text or kept as XML, on SOAP.
    Tagged,
    /// Elements that are kept as XML, on SOAP and in tables. They count as strings, too: this is what they cost more.
    Raw,
    /// Bytes of strings, in UTF-8.
    Text,
    /// Bytes of strings behind the cut-off (COST-22).
    TextBeyond,
    /// Strings that are longer than the cut-off, but are no items of arrays.
    TextOver,
    /// Those that are.
    TextOverItem,
    /// Bytes of strings that [`Feature::Alike`] counts.
    TextAlike,
    /// Bytes of strings in rows.
    TextCell,
    /// Bytes of elements that are kept as XML.
    TextRaw,
    /// Bytes of strings with characters beyond ASCII.
    TextWide,
    /// Strings with characters beyond ASCII.
    WideString,
    /// Messages with such strings.
    Wide,
    /// Bytes of `byte[]`.
    Bytes,
    /// Those behind a cut-off of their own (COST-22).
    BytesBeyond,
    /// `byte[]` that are longer than it.
    BytesOver,
    /// Bytes of the texts of `float` and `double`. None on the binary wire.
    RealDigits,
    /// Bytes of the text of all other values; on the binary wire, of `Decimal`s.
    Digits,
    /// Bytes that are no value's text: tags, names, indices, envelopes; without those of rows. None on the binary wire.
    Markup,
    /// Those of rows: of all such bytes as great a share as rows have of the values.
    MarkupRow,
    /// Values, without the items of arrays of single values, behind a number of them (COST-29).
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

    /// A byte behind a cut-off may cost less than one before it, and an attribute less than an element.
    pub fn may_be_negative(self) -> bool {
        matches!(self, Feature::TextBeyond | Feature::BytesBeyond | Feature::Attribute)
    }

    pub fn from_word(word: &str) -> Option<Feature> {
        Feature::all().into_iter().find(|feature| feature.word() == word)
    }
}
