using System;
using System.ComponentModel;
using System.Text;

namespace Creo;

/// <summary>The position of a value in the text of its struct, message or union.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public enum TextPlace
{
    /// <summary>An element.</summary>
    Element,

    /// <summary>An attribute (XML-31).</summary>
    Attribute,

    /// <summary>The text of the struct's element (XML-32).</summary>
    Text,

    /// <summary>Without its own element (XML-35).</summary>
    Inline,

    /// <summary>An element that no other field declares (XML-36).</summary>
    Any,

    /// <summary>The attributes that no other field declares (XML-36).</summary>
    AnyAttribute,

    /// <summary>One of several values in one text (XML-33).</summary>
    Listed,

    /// <summary>A union member that is identified by <c>xsi:type</c> (XML-37).</summary>
    Derived,
}

/// <summary>The form of a scalar's text; it has a name in the schema of a table (TDX-42).</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public enum TextForm
{
    /// <summary>Plain text.</summary>
    Text,

    /// <summary><c>true</c> or <c>false</c>.</summary>
    Boolean,

    /// <summary>A number without fraction.</summary>
    Integer,

    /// <summary>A binary number with fraction.</summary>
    Real,

    /// <summary>A decimal number with fraction.</summary>
    Decimal,

    /// <summary>A point in time.</summary>
    Time,

    /// <summary>A constant of an enum.</summary>
    Enum,

    /// <summary>Bytes.</summary>
    Bytes,
}

/// <summary>The names of elements in one namespace that begin an inline field.</summary>
/// <param name="Namespace">The namespace; empty for none.</param>
/// <param name="Locals">The local names.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed record TextStarts(string Namespace, params string[] Locals);

/// <summary>The name of an XML Schema type.</summary>
/// <param name="Namespace">The namespace; empty for none.</param>
/// <param name="Local">The local name, followed by <c>[]</c> for arrays of the type.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed record TextSchemaType(string Namespace, string Local)
{
    /// <summary>The namespace; empty for none.</summary>
    public string Namespace { get; } = TextNamespaces.Shared(Namespace);
}

/// <summary>
/// What text wires know of a field, parameter, result, union member or array item: its names and its position. Generated code makes constants of it.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed partial class TextField
{
    // Key and value of attributes as a map.
    private static readonly TextField AnyKey = new(null, "", "key");
    private static readonly TextField AnyValue = new(null, "", "value");

    private readonly TextStarts[] _starts = [];

    private TextRecord? _entry;

    /// <summary>A field.</summary>
    /// <param name="name">The declared name; null for an item, a key or value of an entry, or a result.</param>
    /// <param name="ns">The namespace of its element or attribute, or of its type if that identifies the member; empty for none.</param>
    /// <param name="local">The local name.</param>
    /// <param name="place">The position.</param>
    public TextField(string? name, string ns = "", string local = "", TextPlace place = TextPlace.Element)
    {
        Name = name;
        Namespace = TextNamespaces.Shared(ns);
        Local = local;
        Place = place;
        if (place == TextPlace.AnyAttribute)
        {
            Key = AnyKey;
            Value = AnyValue;
        }
    }

    /// <summary>A standalone map of texts.</summary>
    internal static TextField Map { get; } = new(null) { Key = AnyKey, Value = AnyValue, EachCharge = 64 + 32 + 32 };

    /// <summary>The root of a message without its own element.</summary>
    internal static TextField Root { get; } = new(null);

    /// <summary>The form of a scalar.</summary>
    public TextForm Form { get; init; }

    /// <summary>The struct or union of its value; null for others.</summary>
    public Func<TextType>? Type { get; init; }

    /// <summary>A parameter that is an element of the header (SOAP-8).</summary>
    public bool IsHeader { get; init; }

    /// <summary>Whether null is written as <c>xsi:nil</c>.</summary>
    public bool IsNillable { get; init; }

    /// <summary>Whether it may be null.</summary>
    public bool IsOptional { get; init; }

    /// <summary>Whether it may be absent because it has a default.</summary>
    public bool MayBeMissing { get; init; }

    /// <summary>Whether surrounding white space is ignored (XML-38).</summary>
    public bool IsToken { get; init; }

    /// <summary>A name in Clark notation, written in XML with a prefix (XML-48).</summary>
    public bool IsQualifiedName { get; init; }

    /// <summary>A text that is a whole element (XML-36).</summary>
    public bool IsRaw { get; init; }

    /// <summary>An enum, one of whose constants is an empty text (XML-16).</summary>
    public bool MayBeBlank { get; init; }

    /// <summary>Bytes in hexadecimal digits.</summary>
    public bool IsHex { get; init; }

    /// <summary>The union member that is used without <c>xsi:type</c>.</summary>
    public bool IsBase { get; init; }

    /// <summary>The items of an array.</summary>
    public TextField? Item { get; init; }

    /// <summary>Whether the items have a wrapper element, or are in one text; otherwise each has an element.</summary>
    public bool IsWrapped { get; init; }

    /// <summary>The keys of a map.</summary>
    public TextField? Key { get; init; }

    /// <summary>The values of a map.</summary>
    public TextField? Value { get; init; }

    /// <summary>The charge for its value, if it is a present optional or a union member (LIM-18).</summary>
    public int ValueCharge { get; init; }

    /// <summary>The charge for each of its items or entries (LIM-18).</summary>
    public int EachCharge { get; init; }

    /// <summary>The type of its element in SOAP encoding (SOAP-31); null if not written.</summary>
    public TextSchemaType? SchemaType { get; init; }

    /// <summary>The type of an array's items, if written.</summary>
    public TextSchemaType? SchemaItems { get; init; }

    /// <summary>The names of the elements that can begin it, if it is inline.</summary>
    public TextStarts[] Starts
    {
        get => _starts;
        init
        {
            _starts = value;
            foreach (TextStarts part in value)
            {
                TextNamespaces.Shared(part.Namespace);
            }
        }
    }

    internal string? Name { get; }

    /// <summary>The namespace of its element or attribute; empty for none.</summary>
    internal string Namespace { get; }

    /// <summary>The local name of its element or attribute.</summary>
    internal string Local { get; }

    /// <summary>Whether it is one text: a column of a table (TDX-30).</summary>
    internal bool IsScalar => Item is null ? Key is null && Type is null : IsList;

    /// <summary>Its number among the elements, or among the attributes, of its record or union; -1 for a text (TDX-11).</summary>
    internal int Number { get; private set; } = -1;

    internal TextPlace Place { get; }

    /// <summary>Whether a value without it is malformed.</summary>
    internal bool IsRequired => !IsOptional && !MayBeMissing && Place != TextPlace.AnyAttribute && (Item is null || IsWrapped);

    /// <summary>Whether it is an array in one text.</summary>
    internal bool IsList => Item is { Place: TextPlace.Listed };

    /// <summary>Key and value of a map's entries.</summary>
    internal TextRecord Entry => _entry ??= new TextRecord("entry", Namespace, "entry", Key!, Value!);

    /// <summary>Gives the field its number.</summary>
    internal void Count(int number) => Number = number;

    /// <summary>What is allowed here, for messages.</summary>
    internal string Shown()
    {
        if (Place != TextPlace.Inline)
        {
            return Place == TextPlace.Any ? "any element" : Local;
        }
        var text = new StringBuilder();
        foreach (TextStarts part in Starts)
        {
            foreach (string local in part.Locals)
            {
                text.Append(text.Length == 0 ? "" : ", ").Append(local);
            }
        }
        return text.ToString();
    }
}
