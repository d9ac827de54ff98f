using System;
using System.ComponentModel;
using System.Text;

namespace Creo;

/// <summary>Where a value is in the text of its struct, message or union.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public enum TextPlace
{
    /// <summary>An element.</summary>
    Element,

    /// <summary>An attribute (XML-31).</summary>
    Attribute,

    /// <summary>The text of the struct's element (XML-32).</summary>
    Text,

    /// <summary>Without an element of its own (XML-35).</summary>
    Inline,

    /// <summary>An element that no other field declares (XML-36).</summary>
    Any,

    /// <summary>The attributes that no other field declares (XML-36).</summary>
    AnyAttribute,

    /// <summary>One of several values in one text (XML-33).</summary>
    Listed,

    /// <summary>A member of a union whose element says by <c>xsi:type</c> which it is (XML-37).</summary>
    Derived,
}

/// <summary>What a scalar looks like as text; it has a name in the schema of a table (TDX-42).</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public enum TextForm
{
    /// <summary>A text as it is.</summary>
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

/// <summary>The names of elements of one namespace that begin a field which is inline.</summary>
/// <param name="Namespace">The namespace; empty for none.</param>
/// <param name="Locals">The local names.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed record TextStarts(string Namespace, params string[] Locals);

/// <summary>The name of a type of XML Schema.</summary>
/// <param name="Namespace">The namespace; empty for none.</param>
/// <param name="Local">The local name, with <c>[]</c> behind it for arrays of the type.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed record TextSchemaType(string Namespace, string Local)
{
    /// <summary>The namespace; empty for none.</summary>
    public string Namespace { get; } = TextNamespaces.Shared(Namespace);
}

/// <summary>
/// What text wires know of a field, a parameter, a result, a member of a union, an item of an array: its names, and where it is written. Generated code
/// makes constants of them.
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
    /// <param name="name">As declared; null for an item, a key or a value of an entry, a result.</param>
    /// <param name="ns">The namespace of its element or attribute, or of its type if that says which member it is; empty for none.</param>
    /// <param name="local">The local name.</param>
    /// <param name="place">Where it is written.</param>
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

    /// <summary>A map of texts on its own.</summary>
    internal static TextField Map { get; } = new(null) { Key = AnyKey, Value = AnyValue, EachCharge = 64 + 32 + 32 };

    /// <summary>The root of a message that has no element of its own.</summary>
    internal static TextField Root { get; } = new(null);

    /// <summary>What a scalar looks like.</summary>
    public TextForm Form { get; init; }

    /// <summary>The struct or union that its value is; null for all others.</summary>
    public Func<TextType>? Type { get; init; }

    /// <summary>A parameter that is an element of the header (SOAP-8).</summary>
    public bool IsHeader { get; init; }

    /// <summary>Nothing is said by <c>xsi:nil</c>.</summary>
    public bool IsNillable { get; init; }

    /// <summary>It may be nothing.</summary>
    public bool IsOptional { get; init; }

    /// <summary>It need not be there: a default takes its place.</summary>
    public bool MayBeMissing { get; init; }

    /// <summary>A text that is read without white space around it (XML-38).</summary>
    public bool IsToken { get; init; }

    /// <summary>A name in Clark's notation, which XML says with a prefix (XML-48).</summary>
    public bool IsQualifiedName { get; init; }

    /// <summary>A text that is a whole element (XML-36).</summary>
    public bool IsRaw { get; init; }

    /// <summary>An enum, one of whose constants is an empty text (XML-16).</summary>
    public bool MayBeBlank { get; init; }

    /// <summary>Bytes in hexadecimal digits.</summary>
    public bool IsHex { get; init; }

    /// <summary>The member of a union that is meant where there is no <c>xsi:type</c>.</summary>
    public bool IsBase { get; init; }

    /// <summary>The items of an array.</summary>
    public TextField? Item { get; init; }

    /// <summary>Whether the items have an element around them, or stand in one text; else there is an element for each.</summary>
    public bool IsWrapped { get; init; }

    /// <summary>The keys of a map.</summary>
    public TextField? Key { get; init; }

    /// <summary>The values of a map.</summary>
    public TextField? Value { get; init; }

    /// <summary>What its value is charged if it is an optional that has one, or a member of a union (LIM-18).</summary>
    public int ValueCharge { get; init; }

    /// <summary>What each of its items or entries is charged (LIM-18).</summary>
    public int EachCharge { get; init; }

    /// <summary>The type that its element says in a message of SOAP encoding (SOAP-31); null if it says none.</summary>
    public TextSchemaType? SchemaType { get; init; }

    /// <summary>The type of the items, if it is an array and says so.</summary>
    public TextSchemaType? SchemaItems { get; init; }

    /// <summary>The names of the elements that begin it, if it is inline.</summary>
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

    /// <summary>What can stand here, for messages.</summary>
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
