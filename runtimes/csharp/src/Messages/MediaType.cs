using System;
using System.Collections.Generic;
using System.Text;

namespace Creo.Messages;

/// <summary>A media type from a header or property: its name and its parameters by name, both in lower case.</summary>
internal sealed class MediaType
{
    // A parameter may be empty, or have no value.
    private static readonly char[] NameEnds = ['=', ';'];

    private readonly Dictionary<string, string> _parameters = new(StringComparer.OrdinalIgnoreCase);

    private MediaType(string name) => Name = name;

    public string Name { get; }

    public string? this[string parameter] => _parameters.TryGetValue(parameter, out string? value) ? value : null;

    /// <summary>Parses a header; invalid parts are ignored.</summary>
    public static MediaType Parse(string? header)
    {
        string text = header ?? "";
        int semicolon = text.IndexOf(';');
        var type = new MediaType((semicolon < 0 ? text : text[..semicolon]).Trim().ToLowerInvariant());
        int p = semicolon;
        while (p >= 0 && p < text.Length)
        {
            int from = p + 1;
            p = text.IndexOfAny(NameEnds, from);
            if (p < 0 || text[p] == ';')
            {
                continue;
            }
            string name = text[from..p].Trim();
            var value = new StringBuilder();
            p++;
            while (p < text.Length && text[p] is ' ' or '\t')
            {
                p++;
            }
            if (p < text.Length && text[p] == '"')
            {
                for (p++; p < text.Length && text[p] != '"'; p++)
                {
                    p += text[p] == '\\' && p + 1 < text.Length ? 1 : 0;
                    value.Append(text[p]);
                }
                p = text.IndexOf(';', Math.Min(p, text.Length));
            }
            else
            {
                int end = text.IndexOf(';', p);
                value.Append(text[p..(end < 0 ? text.Length : end)].Trim());
                p = end;
            }
            type._parameters.TryAdd(name, value.ToString());
        }
        return type;
    }
}
