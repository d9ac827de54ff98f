using System;
using System.ComponentModel;
using System.Linq;
using System.Text;

namespace Creo;

/// <summary>A struct, exception or union for text wires. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class TextType
{
    private protected TextType(string fullName)
    {
        FullName = fullName;
        Name = fullName[(fullName.LastIndexOf('.') + 1)..];
    }

    /// <summary>The name with the package.</summary>
    internal string FullName { get; }

    internal string Name { get; }
}

/// <summary>What text wires know of a struct, an exception, the parameters or the result of a method. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed partial class TextRecord : TextType
{
    private const int MaxList = 400;

    private const int MaxBits = 64;

    private int[]? _structs;

    // The required fields, as bits.
    private ulong _required;
    private ulong _members;
    private bool _isMasked;

    /// <summary>A record.</summary>
    /// <param name="name">The declared name, with the package.</param>
    /// <param name="ns">The namespace of its XML Schema type.</param>
    /// <param name="local">The local name of that type.</param>
    /// <param name="fields">Its fields, in declared order.</param>
    public TextRecord(string name, string ns, string local, params TextField[] fields)
        : base(name)
    {
        Namespace = TextNamespaces.Shared(ns);
        Local = local;
        Fields = fields;
        for (int i = 0; i < fields.Length; i++)
        {
            switch (fields[i].Place)
            {
                case TextPlace.Attribute:
                    IsOpen = true;
                    break;
                case TextPlace.AnyAttribute:
                    IsOpen = true;
                    AnyAttribute = i;
                    break;
                case TextPlace.Text:
                    IsOpen |= fields[i].IsOptional;
                    Text = i;
                    break;
                case TextPlace.Any:
                    Any = i;
                    break;
                default:
                    break;
            }
        }
        Attributes = Numbered(static field => field.Place == TextPlace.Attribute);
        Elements = Numbered(static field => field.Place is not (TextPlace.Attribute or TextPlace.Text));
        Columns =
        [
            .. Attributes,
            .. Enumerable.Range(0, fields.Length).Where(i => fields[i].Place != TextPlace.Attribute && fields[i].IsScalar),
        ];
        Following = Links();
    }

    /// <summary>Whether the type is extensible.</summary>
    public bool IsExtensible { get; init; }

    /// <summary>Whether its values may contain values of the same type.</summary>
    public bool IsRecursive { get; init; }

    /// <summary>The namespace of its XML Schema type.</summary>
    internal string Namespace { get; }

    /// <summary>The local name of that type.</summary>
    internal string Local { get; }

    internal TextField[] Fields { get; }

    /// <summary>Whether its start tag stays open for attributes.</summary>
    internal bool IsOpen { get; }

    /// <summary>The index of the field that is the text, or -1.</summary>
    internal int Text { get; } = -1;

    /// <summary>The index of the field that takes any element, or -1.</summary>
    internal int Any { get; } = -1;

    /// <summary>The index of the field that takes any attribute, or -1.</summary>
    internal int AnyAttribute { get; } = -1;

    /// <summary>The fields that are attributes, by their numbers (TDX-11).</summary>
    internal int[] Attributes { get; }

    /// <summary>The fields that are elements, by their numbers.</summary>
    internal int[] Elements { get; }

    /// <summary>The fields that are columns, in their order (TDX-30).</summary>
    internal int[] Columns { get; }

    /// <summary>
    /// The field after the one before each index for JSON, where attributes come first (JSON-1): at 0 the first field, after the last the number of
    /// fields; null if the order is the declared one.
    /// </summary>
    internal int[]? Following { get; }

    /// <summary>Whether the seen fields, as bits, include all required ones; false if that is uncertain.</summary>
    /// <param name="seen">The seen fields.</param>
    /// <param name="members">Whether they are JSON members, which only a default can replace (VAL-9).</param>
    internal bool HasAll(ulong seen, bool members = false)
    {
        if (!_isMasked)
        {
            for (int i = 0; i < Fields.Length && i < MaxBits; i++)
            {
                _required |= Fields[i].IsRequired ? 1UL << i : 0;
                _members |= Fields[i].IsOptional || Fields[i].MayBeMissing ? 0 : 1UL << i;
            }
            _isMasked = true;
        }
        ulong due = members ? _members : _required;
        return Fields.Length <= MaxBits && (seen & due) == due;
    }

    /// <summary>The required struct fields: without any row, such a struct has all fields absent (TDX-22).</summary>
    internal int[] Structs =>
        _structs ??= [.. Enumerable.Range(0, Fields.Length).Where(i => Fields[i] is { IsOptional: false, MayBeMissing: false, Type: { } type } && type() is TextRecord)];

    /// <summary>The elements of the record, for messages.</summary>
    internal string Expected()
    {
        var text = new StringBuilder();
        foreach (TextField field in Fields)
        {
            if (field.Place is TextPlace.Element or TextPlace.Inline or TextPlace.Any)
            {
                text.Append(text.Length == 0 ? "" : ", ").Append(field.Shown());
                if (text.Length > MaxList)
                {
                    return text.Append(", ...").ToString();
                }
            }
        }
        return text.Length == 0 ? "nothing" : text.ToString();
    }

    private int[]? Links()
    {
        int[] order = [.. Attributes, .. Enumerable.Range(0, Fields.Length).Where(i => Fields[i].Place != TextPlace.Attribute)];
        if (Attributes.Length == 0 || order.SequenceEqual(order.Order()))
        {
            return null;
        }
        int[] links = new int[order.Length + 1];
        int at = 0;
        foreach (int field in order)
        {
            links[at] = field;
            at = field + 1;
        }
        links[at] = order.Length;
        return links;
    }

    private int[] Numbered(Func<TextField, bool> which)
    {
        int[] found = [.. Enumerable.Range(0, Fields.Length).Where(i => which(Fields[i]))];
        for (int number = 0; number < found.Length; number++)
        {
            Fields[found[number]].Count(number);
        }
        return found;
    }

    /// <summary>The attributes of the record, for messages.</summary>
    internal string ExpectedAttributes()
    {
        var text = new StringBuilder();
        foreach (TextField field in Fields)
        {
            if (field.Place == TextPlace.Attribute && text.Length < MaxList)
            {
                text.Append(text.Length == 0 ? "" : ", ").Append(field.Local);
            }
        }
        return text.Length == 0 ? "none" : text.ToString();
    }
}

/// <summary>What text wires know of a union. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class TextUnion : TextType
{
    /// <summary>A union: its name as declared, with the package, and its members in declared order.</summary>
    public TextUnion(string name, params TextField[] members)
        : base(name)
    {
        Members = members;
        for (int i = 0; i < members.Length; i++)
        {
            members[i].Count(i);
        }
    }

    /// <summary>It may grow.</summary>
    public bool IsExtensible { get; init; }

    /// <summary>Whether the members are identified by <c>xsi:type</c> (XML-37).</summary>
    public bool IsDerived { get; init; }

    /// <summary>Whether its values may contain values of the same type.</summary>
    public bool IsRecursive { get; init; }

    internal TextField[] Members { get; }

    /// <summary>The members, for messages.</summary>
    internal string Expected()
    {
        var text = new StringBuilder();
        foreach (TextField member in Members)
        {
            text.Append(text.Length == 0 ? "" : ", ").Append(IsDerived ? member.Name : member.Shown());
        }
        return text.ToString();
    }
}
