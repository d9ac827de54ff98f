using System.Text;
using Creo.Xml;

namespace Creo;

/// <summary>What text wires know of a struct, an exception, the parameters or the result of a method. For generated code.</summary>
public sealed class TextRecord
{
    private const int LongestList = 400;

    /// <summary>A record.</summary>
    /// <param name="name">As declared.</param>
    /// <param name="ns">The namespace of its type in XML Schema.</param>
    /// <param name="local">The local name of that.</param>
    /// <param name="fields">Its fields, in declared order.</param>
    public TextRecord(string name, string ns, string local, params TextField[] fields)
    {
        Name = name;
        Xml = new XmlName(ns, local);
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
    }

    /// <summary>It may grow.</summary>
    public bool IsExtensible { get; init; }

    /// <summary>It may hold values of its own type.</summary>
    public bool IsRecursive { get; init; }

    internal string Name { get; }

    internal XmlName Xml { get; }

    internal TextField[] Fields { get; }

    /// <summary>Whether its start tag stays open for attributes.</summary>
    internal bool IsOpen { get; }

    /// <summary>The index of the field that is the text, or -1.</summary>
    internal int Text { get; } = -1;

    /// <summary>The index of the field that takes any element, or -1.</summary>
    internal int Any { get; } = -1;

    /// <summary>The index of the field that takes any attribute, or -1.</summary>
    internal int AnyAttribute { get; } = -1;

    /// <summary>The elements that it knows, for messages.</summary>
    internal string Expected()
    {
        var text = new StringBuilder();
        foreach (TextField field in Fields)
        {
            if (field.Place is TextPlace.Element or TextPlace.Inline or TextPlace.Any)
            {
                text.Append(text.Length == 0 ? "" : ", ").Append(field.Shown());
                if (text.Length > LongestList)
                {
                    return text.Append(", ...").ToString();
                }
            }
        }
        return text.Length == 0 ? "nothing" : text.ToString();
    }

    /// <summary>The attributes that it knows, for messages.</summary>
    internal string ExpectedAttributes()
    {
        var text = new StringBuilder();
        foreach (TextField field in Fields)
        {
            if (field.Place == TextPlace.Attribute && text.Length < LongestList)
            {
                text.Append(text.Length == 0 ? "" : ", ").Append(field.Xml.Local);
            }
        }
        return text.Length == 0 ? "none" : text.ToString();
    }
}

/// <summary>What text wires know of a union. For generated code.</summary>
public sealed class TextUnion
{
    /// <summary>A union: its name as declared, and its members in declared order.</summary>
    public TextUnion(string name, params TextField[] members)
    {
        Name = name;
        Members = members;
    }

    /// <summary>The members are told apart by <c>xsi:type</c> (XML-37).</summary>
    public bool IsDerived { get; init; }

    /// <summary>It may hold values of its own type.</summary>
    public bool IsRecursive { get; init; }

    internal string Name { get; }

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
