using System;
using System.Collections.Generic;

namespace Creo.Xml;

// Qualified names as texts (XML-48): each is written with a prefix, and its element declares the prefixes that the message does not.
internal sealed partial class XmlWriter
{
    // The prefixes that the current element declares for names, by their namespaces.
    private readonly Dictionary<string, string> _own = new(StringComparer.Ordinal);

    // Declarations still to be written.
    private byte[] _missing = [];

    // The start of the value's text.
    private int _namesFrom;

    private static (string Namespace, string Local) SplitName(string name)
    {
        int close = name.StartsWith('{') ? name.IndexOf('}') : -1;
        string uri = close > 0 ? name[1..close] : "";
        string local = name[(close + 1)..];
        if (close == 1 || !XmlReader.IsName(local) || uri == XmlName.Xmlns)
        {
            throw new CreoException(ErrorCode.InvalidValue, $"\"{name}\" is no qualified name: {{uri}}local, or local");
        }
        return (uri, local);
    }

    // Begins a value that may be a name, or a list of names.
    private void BeginNames(TextField field)
    {
        if (field.Place == TextPlace.Element)
        {
            _own.Clear();
        }
        _missing = [];
        _namesFrom = -1;
    }

    private void WriteName(TextField field, string value)
    {
        if (field.Place != TextPlace.Listed)
        {
            BeginNames(field);
        }
        (string uri, string local) = SplitName(value);
        Lead(field, 0);
        if (_namesFrom < 0)
        {
            _namesFrom = _position;
        }
        PutPrefix(Prefix(TextNamespaces.Known(uri)) ?? Own(uri));
        Escaped(local, Escapes.XmlText);
        if (field.Place == TextPlace.Listed)
        {
            return;
        }
        if (field.Place == TextPlace.Attribute)
        {
            Raw("\""u8);
        }
        DeclareNames(field);
        if (field.Place == TextPlace.Element)
        {
            EndTag(field.Xml);
        }
    }

    // The element's own prefix for a namespace.
    private string Own(string uri)
    {
        if (!_own.TryGetValue(uri, out string? prefix))
        {
            prefix = string.Create(null, $"q{_own.Count + 1}");
            int from = _position;
            Ascii($" xmlns:{prefix}=\"");
            Escaped(uri, Escapes.XmlAttribute);
            Raw("\""u8);
            _missing = [.. _missing, .. _buffer.AsSpan(from, _position - from)];
            _position = from;
            _own.Add(uri, prefix);
        }
        return prefix;
    }

    // Writes the declarations that a value needs: after its attribute, or at the end of the start tag before its text.
    private void DeclareNames(TextField field)
    {
        int size = _missing.Length;
        if (size == 0)
        {
            return;
        }
        Room(size);
        int at = field.Place == TextPlace.Attribute ? _position : _namesFrom - 1;
        _buffer.AsSpan(at, _position - at).CopyTo(_buffer.AsSpan(at + size));
        _missing.CopyTo(_buffer, at);
        _position += size;
        _missing = [];
    }
}
