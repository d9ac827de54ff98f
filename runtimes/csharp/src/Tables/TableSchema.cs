using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;

namespace Creo.Tables;

/// <summary>The names and types of a table in an ASN.1-like notation (TDX-40 to TDX-43), made on first use.</summary>
internal sealed class TableSchema
{
    // Names that must be quoted (TDX-41).
    private static readonly HashSet<string> Notation =
    [
        "ATTRIBUTE", "Boolean", "CHOICE", "COMMENT", "DateTime", "Decimal", "Enumerated", "INDENTED", "INSTRUCTION", "Integer", "MIXED", "OF", "OPTIONAL",
        "OctetString", "Real", "SEQUENCE", "SET", "TEXT", "UTF8String",
    ];

    private readonly string _name;
    private readonly TextField? _field;
    private readonly TextRecord? _record;
    private byte[]? _text;

    /// <summary>The schema of a standalone value.</summary>
    public TableSchema(string name, TextField root)
    {
        _name = name[(name.LastIndexOf('.') + 1)..];
        _field = root;
    }

    /// <summary>The schema of a message, with the name of its method.</summary>
    public TableSchema(string name, TextRecord record)
    {
        _name = name;
        _record = record;
    }

    /// <summary>Its lines, each with its end.</summary>
    public byte[] Text => _text ??= Encoding.UTF8.GetBytes(Make());

    /// <summary>Fails if a peer's schema differs.</summary>
    public void Check(string theirs)
    {
        string ours = Encoding.UTF8.GetString(Text);
        if (theirs.AsSpan().Trim().SequenceEqual(ours.AsSpan().Trim()))
        {
            return;
        }
        List<List<string>> given = Definitions(theirs);
        List<List<string>> own = Definitions(ours);
        for (int i = 0; i < Math.Max(given.Count, own.Count); i++)
        {
            if (i >= given.Count || i >= own.Count || !AreSame(given[i], own[i]))
            {
                string Shown(List<List<string>> all) => i < all.Count ? string.Join(' ', all[i]) : "nothing";
                throw new CreoException(ErrorCode.ProtocolMismatch, $"the table has another schema: \"{Shown(given)}\", where this side has \"{Shown(own)}\"");
            }
        }
    }

    private string Make()
    {
        var all = new List<(TextType Type, int Number)>();
        if (_record is not null)
        {
            FindNamed(_record, all);
        }
        else if (_field!.Type?.Invoke() is { } root)
        {
            all.Add((root, 0));
        }
        for (int i = 0; i < all.Count; i++)
        {
            FindNamed(all[i].Type, all);
        }
        ILookup<string, TextType> byName = all.Select(one => one.Type).ToLookup(type => type.Name);
        string NameOf(TextType type) => byName[type.Name].Count() > 1 ? type.FullName : Quoted(type.Name);
        var text = new StringBuilder();
        if (_record is not null || all.Count == 0)
        {
            text.Append(Quoted(_name)).Append(" [0] ::= ").Append(_record is null ? TypeOf(_field!, NameOf) : Body(_record, NameOf)).Append('\n');
        }
        foreach ((TextType type, int number) in all)
        {
            text.Append(NameOf(type)).Append(" [").Append(number).Append("] ::= ").Append(Body(type, NameOf)).Append('\n');
        }
        return text.ToString();
    }

    private static string Quoted(string name) => Notation.Contains(name) ? $"\"{name}\"" : name;

    // The types that a definition uses first, with the number of that field.
    private static void FindNamed(TextType type, List<(TextType Type, int Number)> all)
    {
        TextField[] fields = type is TextRecord record ? record.Fields : ((TextUnion)type).Members;
        foreach (TextField field in fields.OrderBy(field => field.Place != TextPlace.Attribute))
        {
            Find(field, Math.Max(0, field.Number), all);
        }
    }

    private static void Find(TextField field, int number, List<(TextType Type, int Number)> all)
    {
        if (field.Item is not null)
        {
            Find(field.Item, number, all);
        }
        else if (field.Value is not null)
        {
            Find(field.Value, number, all);
        }
        else if (field.Type?.Invoke() is { } named && !all.Exists(one => ReferenceEquals(one.Type, named)))
        {
            all.Add((named, number));
        }
    }

    private static string Body(TextType type, Func<TextType, string> nameOf)
    {
        if (type is TextUnion union)
        {
            return $"CHOICE {{{Members(union.Members, nameOf)}}}";
        }
        TextField[] fields = ((TextRecord)type).Fields;
        return fields is [{ Item: { Type: { } item }, IsWrapped: false } only] && item().Name == only.Name
            ? "SET OF " + nameOf(item())
            : $"SEQUENCE OF {{{Members(fields, nameOf)}}}";
    }

    private static string Members(TextField[] fields, Func<TextType, string> nameOf) =>
        string.Join(", ", fields.OrderBy(field => field.Place != TextPlace.Attribute).Select(field =>
        {
            string place = field.Place switch
            {
                TextPlace.Attribute => $"({field.Number}) [ATTRIBUTE]",
                TextPlace.Text => "TEXT",
                _ => $"[{field.Number}]",
            };
            return $"{(field.Name is null ? "result" : Quoted(field.Name))} {place} {TypeOf(field, nameOf)}{(field.IsOptional ? " OPTIONAL" : "")}";
        }));

    // TDX-42.
    private static string TypeOf(TextField field, Func<TextType, string> nameOf)
    {
        if (field.Item is not null && !field.IsList)
        {
            string items = "SET OF " + TypeOf(field.Item, nameOf);
            return field.IsWrapped ? $"SEQUENCE OF {{item [0] {items}}}" : items;
        }
        if (field.Key is not null)
        {
            string optional = field.Value!.IsOptional ? " OPTIONAL" : "";
            return $"SEQUENCE OF {{entry [0] SET OF SEQUENCE OF {{key [0] {TypeOf(field.Key, nameOf)}, value [1] {TypeOf(field.Value, nameOf)}{optional}}}}}";
        }
        if (field.Type is not null)
        {
            return nameOf(field.Type());
        }
        return (field.IsList ? TextForm.Text : field.Form) switch
        {
            TextForm.Boolean => "Boolean",
            TextForm.Integer => "Integer",
            TextForm.Real => "Real",
            TextForm.Decimal => "Decimal",
            TextForm.Time => "DateTime",
            TextForm.Enum => "Enumerated",
            TextForm.Bytes => "OctetString",
            _ => "UTF8String",
        };
    }

    // The words of each definition, without defaults and meaningless words.
    private static List<List<string>> Definitions(string text)
    {
        List<string> words = Words(text);
        var all = new List<List<string>>();
        for (int i = 0; i < words.Count; i++)
        {
            bool begins = (i + 1 < words.Count && words[i] != "]" && words[i + 1] == "::=")
                || (i + 4 < words.Count && words[i + 1] == "[" && words[i + 3] == "]" && words[i + 4] == "::=");
            if (begins || all.Count == 0)
            {
                all.Add([]);
            }
            if (words[i] != "OF" || i == 0 || words[i - 1] != "SEQUENCE")
            {
                all[^1].Add(words[i]);
            }
        }
        return all;
    }

    private static List<string> Words(string text)
    {
        const string quotes = "\"\u201c\u201d";
        var words = new List<string>();
        int p = 0;
        while (p < text.Length)
        {
            char c = text[p];
            if (char.IsWhiteSpace(c) || c == ',')
            {
                p++;
            }
            else if (c == '"' && (words.Count == 0 || words[^1] != "("))
            {
                // A quoted name; without its end, an invalid one.
                int close = text.IndexOf('"', p + 1);
                int end = close < 0 ? text.Length : close + 1;
                words.Add(text[p..end]);
                p = end;
            }
            else if (quotes.Contains(c))
            {
                // A default, in brackets.
                int close = text.AsSpan(p + 1).IndexOfAny(quotes);
                p = close < 0 ? text.Length : p + close + 2;
                while (p < text.Length && char.IsWhiteSpace(text[p]))
                {
                    p++;
                }
                if (words.Count > 0 && words[^1] == "(" && p < text.Length && text[p] == ')')
                {
                    words.RemoveAt(words.Count - 1);
                    p++;
                }
            }
            else if ("{}[]()".Contains(c))
            {
                words.Add(c.ToString());
                p++;
            }
            else
            {
                int from = p;
                while (p < text.Length && !char.IsWhiteSpace(text[p]) && !",{}[]()".Contains(text[p]) && !quotes.Contains(text[p]) && (p == from || IsSign(text[p]) == IsSign(c)))
                {
                    p++;
                }
                words.Add(text[from..p]);
            }
        }
        return words;
    }

    private static bool IsSign(char c) => c is ':' or '=';

    // The number after the name is optional.
    private static bool AreSame(List<string> given, List<string> own) =>
        given.SequenceEqual(own) || (given.Count + 3 == own.Count && own.Count > 4 && given[0] == own[0] && given.Skip(1).SequenceEqual(own.Skip(4)));
}
