using System;
using System.Buffers;
using System.Buffers.Text;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Unicode;

namespace Creo.Xml;

// The written bytes: tags, prefixes, escapes.
internal sealed partial class XmlWriter
{
    private string[] _namespaces = [];

    // The namespace whose prefix is in the stored words of the tags.
    private string? _current;
    private ulong _open;
    private int _openLength;
    private ulong _close;
    private int _closeLength;

    // Whether the next element declares the prefixes.
    private bool _declares;
    private bool _xsi;

    // Whether elements have types.
    private bool _types;

    /// <summary>Declares the prefixes of the namespaces on the next element (XML-2).</summary>
    public void DeclareOnNext(string[] namespaces, bool xsi)
    {
        Bind(namespaces);
        _declares = true;
        _xsi = xsi;
    }

    private void Bind(string[] namespaces)
    {
        _namespaces = namespaces;
        _current = null;
    }

    private void Declarations(bool xsi)
    {
        for (int i = 0; i < _namespaces.Length; i++)
        {
            Raw(" xmlns:n"u8);
            Room(TextNumbers.MaxLength);
            _position += TextNumbers.Put(_buffer.AsSpan(_position), i + 1L);
            Raw("=\""u8);
            Escaped(_namespaces[i], Escapes.XmlAttribute);
            Raw("\""u8);
        }
        if (xsi)
        {
            Raw(" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\""u8);
        }
    }

    // The prefix of a namespace, without its colon; null if the message has none for it.
    private string? Prefix(string ns)
    {
        if (ReferenceEquals(ns, XmlName.None))
        {
            return "";
        }
        if (ReferenceEquals(ns, XmlName.XmlSpace))
        {
            return "xml";
        }
        int index = Array.IndexOf(_namespaces, ns);
        return index < 0 ? null : string.Create(null, $"n{index + 1}");
    }

    private void Select(string ns)
    {
        string prefix = Prefix(ns) ?? throw new InvalidOperationException($"the namespace {ns} is not among those of the message");
        Span<byte> open = stackalloc byte[8];
        Span<byte> close = stackalloc byte[8];
        open.Clear();
        close.Clear();
        string colon = prefix.Length == 0 ? "" : ":";
        _openLength = Encoding.ASCII.GetBytes($"<{prefix}{colon}", open);
        _closeLength = Encoding.ASCII.GetBytes($"</{prefix}{colon}", close);
        _open = MemoryMarshal.Read<ulong>(open);
        _close = MemoryMarshal.Read<ulong>(close);
        _current = ns;
    }

    // Writes the start tag of a field's value with a number of items; makes room for some bytes and its end tag.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Start(TextField field, int room, int count = 0)
    {
        if (_types)
        {
            StartTyped(field, room, count);
            return;
        }
        Start(field.Xml, room);
    }

    private void StartTyped(TextField field, int room, int count)
    {
        StartOpen(field.Xml);
        WriteType(field, count);
        Raw(">"u8);
        Room(2 * field.Xml.Bytes.Length + 32 + room);
    }

    // Writes the type in the start tag of a field's value; implemented by the part for SOAP encoding, if present (SOAP-31).
    partial void WriteType(TextField field, int count);

    // Writes a start tag; makes room for some bytes and its end tag.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Start(XmlName name, int room)
    {
        Room(2 * name.Bytes.Length + 32 + room);
        if (_declares)
        {
            StartFirst(name, room);
            return;
        }
        if (!ReferenceEquals(name.Namespace, _current))
        {
            Select(name.Namespace);
        }
        PutTag(name, _open, _openLength);
    }

    private void StartFirst(XmlName name, int room)
    {
        StartOpen(name);
        Raw(">"u8);
        Room(2 * name.Bytes.Length + 32 + room);
    }

    // Writes a start tag that stays open for attributes.
    private void StartOpen(XmlName name)
    {
        Room(name.Bytes.Length + 32);
        if (!ReferenceEquals(name.Namespace, _current))
        {
            Select(name.Namespace);
        }
        PutTag(name, _open, _openLength);
        _position--;
        if (_declares)
        {
            _declares = false;
            Declarations(_xsi);
        }
    }

    // Writes an end tag where there is room.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void End(XmlName name)
    {
        if (!ReferenceEquals(name.Namespace, _current))
        {
            Select(name.Namespace);
        }
        PutTag(name, _close, _closeLength);
    }

    private void EndTag(XmlName name)
    {
        Room(name.Bytes.Length + 16);
        End(name);
    }

    // Writes whole words, with up to seven bytes too many each, in the room that is kept free.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void PutTag(XmlName name, ulong lead, int leadLength)
    {
        // The span is the bounds check for everything below.
        ref byte target = ref MemoryMarshal.GetReference(_buffer.AsSpan(_position, leadLength + name.Bytes.Length + 24));
        Unsafe.WriteUnaligned(ref target, lead);
        target = ref Unsafe.Add(ref target, leadLength);
        ulong[] words = name.Tag;
        for (int i = 0; i < words.Length; i++)
        {
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref target, 8 * i), words[i]);
        }
        _position += leadLength + name.Bytes.Length + 1;
    }

    private void NilElement(XmlName name)
    {
        StartOpen(name);
        Raw(" xsi:nil=\"true\">"u8);
        EndTag(name);
    }

    // Writes the name and the first quote of an attribute.
    private void StartAttribute(XmlName name)
    {
        string prefix = Prefix(name.Namespace) ?? throw new InvalidOperationException($"the namespace {name.Namespace} is not among those of the message");
        Raw(" "u8);
        PutPrefix(prefix);
        Raw(name.Bytes);
        Raw("=\""u8);
    }

    private void PutPrefix(string prefix)
    {
        if (prefix.Length > 0)
        {
            Ascii(prefix);
            Raw(":"u8);
        }
    }
}
