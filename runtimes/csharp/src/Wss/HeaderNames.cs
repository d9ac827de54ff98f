using System;
using System.Collections.Generic;

namespace Creo.Wss;

/// <summary>Names of header blocks, each as <c>{namespace}name</c>; the name <c>*</c> means all of the namespace.</summary>
internal sealed class HeaderNames
{
    private readonly List<(string Namespace, string Local)> _names = [];

    /// <exception cref="ArgumentException">One is not such a name.</exception>
    public HeaderNames(IEnumerable<string> names)
    {
        foreach (string name in names)
        {
            int end = name.IndexOf('}');
            if (!name.StartsWith('{') || end < 2 || end == name.Length - 1)
            {
                throw new ArgumentException($"a header block is {{namespace}}name or {{namespace}}*, not \"{CreoException.Printable(name)}\"");
            }
            _names.Add((name[1..end], name[(end + 1)..]));
        }
    }

    /// <summary>Whether a block has one of the names.</summary>
    public bool Has(Element block) => _names.Exists(each => each.Namespace == block.Namespace && (each.Local == "*" || each.Local == block.Local));
}
