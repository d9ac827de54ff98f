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

    // The declarations that were written, innermost last.
    private readonly List<(string Prefix, string Uri)> _written = [];

    private bool _isFirst = true;

    private Canonical(IReadOnlyCollection<string> listed) => _listed = listed;

    /// <summary>The canonical form of an element, in UTF-8.</summary>
    /// <param name="element">The element; what is around it matters for its prefixes alone.</param>
    /// <param name="listed">The prefixes that are written wherever they are declared; empty for that of the default namespace.</param>
    public static byte[] Of(Element element, IReadOnlyCollection<string> listed)
    {
        var canonical = new Canonical(listed);
        canonical.Write(element);
        return Encoding.UTF8.GetBytes(canonical._text.ToString());
    }

    private void Write(Element element)
    {
        int written = _written.Count;
        _text.Append('<').Append(element.Name);
        foreach (string prefix in Prefixes(element))
        {
            string? uri = element.Lookup(prefix);
            if (uri is not null && uri != Written(prefix))
            {
                _written.Add((prefix, uri));
                Tree.WriteDeclaration(prefix, uri, _text);
            }
        }
        var attributes = new List<ElementAttribute>(element.Attributes);
        attributes.Sort(static (a, b) => Compare(a.Namespace, b.Namespace) is var order and not 0 ? order : Compare(a.Local, b.Local));
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
        _written.RemoveRange(written, _written.Count - written);
    }

    // The prefixes that an element uses in names, and those that are listed, in the order in which they are written.
    private SortedSet<string> Prefixes(Element element)
    {
        // Once written, a listed prefix changes only where prefixes are declared.
        bool mayChange = _isFirst || element.Declarations.Count > 0;
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

    // What was written of a prefix; without any, there is no default namespace.
    private string? Written(string prefix)
    {
        for (int i = _written.Count - 1; i >= 0; i--)
        {
            if (_written[i].Prefix == prefix)
            {
                return _written[i].Uri;
            }
        }
        return prefix.Length == 0 ? "" : null;
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
