using System;
using System.Collections.Generic;
using System.Text;

namespace Creo.Wss;

/// <summary>Exclusive canonicalization without comments (W3C, Exclusive XML Canonicalization 1.0), of an element with its content.</summary>
internal sealed class Canonical
{
    private static readonly Comparer<string> ByCharacters = Comparer<string>.Create(Compare);

    private readonly IReadOnlyCollection<string> _listed;
    private readonly StringBuilder _text = new();

    // The namespaces of prefixes in scope, and as they were written last.
    private readonly Dictionary<string, string> _scope;
    private readonly Dictionary<string, string> _written = new() { [""] = "" };

    private bool _isFirst = true;

    private Canonical(Element element, IReadOnlyCollection<string> listed)
    {
        _listed = listed;
        _scope = new Dictionary<string, string>(element.Parent?.Scope() ?? []);
        _scope.TryAdd("", "");
    }

    /// <summary>The canonical form of an element, in UTF-8.</summary>
    /// <param name="element">The element; what is around it matters for its prefixes alone.</param>
    /// <param name="listed">The prefixes that are written wherever they are declared; empty for that of the default namespace.</param>
    public static byte[] Of(Element element, IReadOnlyCollection<string> listed)
    {
        var canonical = new Canonical(element, listed);
        canonical.Write(element);
        return Encoding.UTF8.GetBytes(canonical._text.ToString());
    }

    private void Write(Element element)
    {
        var before = new List<(Dictionary<string, string> Map, string Prefix, string? Uri)>();
        foreach ((string prefix, string uri) in element.Declarations)
        {
            Bind(_scope, prefix, uri, before);
        }
        _text.Append('<').Append(element.Name);
        foreach (string prefix in Prefixes(element))
        {
            if (_scope.TryGetValue(prefix, out string? uri) && uri != _written.GetValueOrDefault(prefix))
            {
                Bind(_written, prefix, uri, before);
                Tree.WriteDeclaration(prefix, uri, _text);
            }
        }
        ElementAttribute[] attributes = [.. element.Attributes];
        Array.Sort(attributes, static (a, b) => Compare(a.Namespace, b.Namespace) is var order and not 0 ? order : Compare(a.Local, b.Local));
        foreach (ElementAttribute attribute in attributes)
        {
            _text.Append(' ').Append(attribute.Name).Append("=\"");
            Tree.WriteValue(attribute.Value, _text);
            _text.Append('"');
        }
        _text.Append('>');
        foreach (Node node in element.Nodes)
        {
            switch (node)
            {
                case Element child:
                    Write(child);
                    break;
                case Text text:
                    Tree.WriteText(text.Value, _text);
                    break;
                case Instruction instruction:
                    _text.Append("<?").Append(instruction.Target).Append(instruction.Data.Length > 0 ? " " : "").Append(instruction.Data).Append("?>");
                    break;
            }
        }
        _text.Append("</").Append(element.Name).Append('>');
        for (int i = before.Count - 1; i >= 0; i--)
        {
            (Dictionary<string, string> map, string prefix, string? uri) = before[i];
            if (uri is null)
            {
                map.Remove(prefix);
            }
            else
            {
                map[prefix] = uri;
            }
        }
    }

    // Binds a prefix until the element ends, which takes what was before from the list.
    private static void Bind(Dictionary<string, string> map, string prefix, string uri, List<(Dictionary<string, string> Map, string Prefix, string? Uri)> before)
    {
        before.Add((map, prefix, map.GetValueOrDefault(prefix)));
        map[prefix] = uri;
    }

    // The prefixes that an element uses in names, and those that are listed, in the order in which they are written.
    private SortedSet<string> Prefixes(Element element)
    {
        // Once written, a listed prefix changes only where prefixes are declared.
        bool mayChange = _isFirst || element.Declarations.Length > 0;
        _isFirst = false;
        var prefixes = new SortedSet<string>(mayChange ? _listed : [], ByCharacters) { element.Prefix };
        foreach (ElementAttribute attribute in element.Attributes)
        {
            if (attribute.Prefix.Length > 0)
            {
                prefixes.Add(attribute.Prefix);
            }
        }
        prefixes.Remove("xml");
        return prefixes;
    }

    /// <summary>Compares texts by their characters, of which those outside the basic plane are the last.</summary>
    private static int Compare(string a, string b)
    {
        for (int i = 0; i < Math.Min(a.Length, b.Length); i++)
        {
            if (a[i] != b[i])
            {
                bool isHigh = char.IsSurrogate(a[i]);
                return isHigh == char.IsSurrogate(b[i]) ? a[i] - b[i] : isHigh ? 1 : -1;
            }
        }
        return a.Length - b.Length;
    }
}
