using System;
using System.Text;

namespace Creo.Xml;

// Start tags, attributes, prefixes.
internal sealed partial class XmlReader
{
    // The namespaces that were bound last, so that those of the next text need not be made again.
    private readonly (byte[] Bytes, string Uri)[] _recent = new (byte[], string)[4];
    private int _nextRecent;

    private Binding[] _bound = new Binding[16];
    private int _bindings;

    // The prefix, with its colon, that was looked up last.
    private ulong _likelyPrefix;
    private ulong _likelyMask;
    private int _likelyLength;
    private string? _likelyNamespace;

    private string _tagNamespace = "";
    private int _tagLocal;
    private int _tagEnd;

    private Attribute[] _attribute = new Attribute[16];
    private int _attributes;

    // Reads the start tag where the reader is: opens its element, finds its name and its attributes.
    private void StartTag()
    {
        int from = _pos + 1;
        int p = Name(from);
        int colon = -1;
        if (_b[p] == ':')
        {
            colon = p;
            p = Name(p + 1);
        }
        CheckName(from, p);
        _attributes = 0;
        PushElement(from, p - from);
        _tagLocal = colon < 0 ? from : colon + 1;
        _tagEnd = p;
        if (_b[p] == '>')
        {
            _pos = p + 1;
        }
        else
        {
            Attributes(p);
        }
        int prefix = colon < 0 ? 0 : colon - from;
        _tagNamespace = Resolve(from, prefix, element: true);
        Likely(from, colon < 0 ? 0 : prefix + 1);
    }

    // Remembers the prefix of the tag, which the next tag is likely to have, too.
    private void Likely(int from, int length)
    {
        if (length > 8)
        {
            _likelyNamespace = null;
            return;
        }
        _likelyLength = length;
        _likelyMask = XmlName.Mask(length);
        _likelyPrefix = Word(from) & _likelyMask;
        _likelyNamespace = _tagNamespace;
    }

    // The namespace of the prefix of some bytes at an index.
    private string Resolve(int from, int length, bool element)
    {
        if (length == 0 && !element)
        {
            return XmlName.None;
        }
        for (int i = _bindings - 1; i >= 0; i--)
        {
            if (_bound[i].Length == length && Same(_bound[i].Prefix, from, length))
            {
                return _bound[i].Uri;
            }
        }
        if (length == 0)
        {
            return XmlName.None;
        }
        if (_takesTables && length == 5 && IsAt(from, "TDXML"u8))
        {
            return TableNamespace;
        }
        return length == 3 && IsAt(from, "xml"u8) ? XmlName.XmlSpace : throw Malformed(from, $"the prefix {Shown(from, from + length)}, which is not bound");
    }

    // The namespace of a prefix in a text, or null.
    private string? NamespaceOf(ReadOnlySpan<byte> prefix)
    {
        for (int i = _bindings - 1; i >= 0; i--)
        {
            if (_b.AsSpan(_bound[i].Prefix, _bound[i].Length).SequenceEqual(prefix))
            {
                return _bound[i].Uri;
            }
        }
        return prefix.IsEmpty ? XmlName.None : null;
    }

    private void Attributes(int p)
    {
        int all = 0;
        while (true)
        {
            int before = p;
            p = SkipSpace(p);
            if (_b[p] == '>')
            {
                _pos = p + 1;
                break;
            }
            if (_b[p] == '/' && _b[p + 1] == '>')
            {
                _pos = p + 2;
                _empty = true;
                break;
            }
            if (p == before)
            {
                throw Malformed(p, "no white space before an attribute");
            }
            if (++all > _limits.MaxXmlAttributes)
            {
                throw TooLarge(p, "maxXmlAttributes", _limits.MaxXmlAttributes, "too many attributes");
            }
            p = TakeAttribute(p);
        }
        for (int i = 0; i < _attributes; i++)
        {
            ref Attribute attribute = ref _attribute[i];
            int prefix = attribute.Local - attribute.Name - 1;
            attribute.Namespace = prefix < 0 ? XmlName.None : Resolve(attribute.Name, prefix, element: false);
            ReadOnlySpan<byte> local = _b.AsSpan(attribute.Local, attribute.End - attribute.Local);
            for (int k = 0; k < i; k++)
            {
                if (local.SequenceEqual(_b.AsSpan(_attribute[k].Local, _attribute[k].End - _attribute[k].Local))
                    && attribute.Namespace == _attribute[k].Namespace)
                {
                    throw Malformed(attribute.Name, $"the attribute {Shown(attribute.Name, attribute.End)}, which was there before");
                }
            }
        }
    }

    private int TakeAttribute(int from)
    {
        int p = Name(from);
        int local = from;
        if (_b[p] == ':')
        {
            local = p + 1;
            p = Name(local);
        }
        CheckName(from, p);
        int nameEnd = p;
        p = SkipSpace(p);
        if (_b[p] != '=')
        {
            throw Malformed(p, "an attribute without a value");
        }
        p = SkipSpace(p + 1);
        byte quote = _b[p];
        if (quote is not ((byte)'"' or (byte)'\''))
        {
            throw Malformed(p, "a value of an attribute without quotes");
        }
        int start = ++p;
        bool plain = true;
        while (_b[p] != quote)
        {
            byte c = _b[p];
            if (c == '<')
            {
                throw Malformed(p, "\"<\" within an attribute");
            }
            if (c == '&')
            {
                Reference(p);
                p = _referenceEnd;
                plain = false;
            }
            else
            {
                plain &= c >= 0x20;
                p = Character(p);
            }
        }
        if (p - start > _limits.MaxXmlText)
        {
            throw TooLarge(start, "maxXmlText", _limits.MaxXmlText, $"an attribute of {p - start} bytes");
        }
        if (IsAt(from, "xmlns"u8) && (from + 5 == nameEnd || local == from + 6))
        {
            int prefix = local == from ? nameEnd : local;
            Bind(prefix, nameEnd - prefix, start, p, plain, from);
            return p + 1;
        }
        if (_attributes == _attribute.Length)
        {
            Array.Resize(ref _attribute, 2 * _attributes);
        }
        _attribute[_attributes++] = new Attribute { Name = from, Local = local, End = nameEnd, Namespace = "", Value = start, ValueEnd = p, IsPlain = plain };
        return p + 1;
    }

    private void Bind(int prefix, int length, int from, int to, bool plain, int at)
    {
        Expand(from, to, plain);
        string uri = Uri(_slice.AsSpan(_sliceFrom, _sliceTo - _sliceFrom));
        bool xml = length == 3 && IsAt(prefix, "xml"u8);
        if ((length > 0 && uri.Length == 0) || xml != (uri == XmlName.XmlSpace) || uri == XmlName.Xmlns || (length == 5 && IsAt(prefix, "xmlns"u8)))
        {
            throw Malformed(at, "a prefix that may not be bound to this namespace");
        }
        for (int i = _elements[_open - 1].Scope; i < _bindings; i++)
        {
            if (_bound[i].Length == length && Same(_bound[i].Prefix, prefix, length))
            {
                throw Malformed(at, "a prefix that is bound twice by one element");
            }
        }
        if (_bindings >= _limits.MaxXmlNamespaces)
        {
            throw TooLarge(at, "maxXmlNamespaces", _limits.MaxXmlNamespaces, "too many prefixes");
        }
        if (_bindings == _bound.Length)
        {
            Array.Resize(ref _bound, 2 * _bindings);
        }
        _bound[_bindings++] = new Binding(prefix, length, uri);
        _likelyNamespace = null;
    }

    private string Uri(ReadOnlySpan<byte> text)
    {
        const int longest = 256;
        foreach ((byte[] bytes, string known) in _recent)
        {
            if (bytes is not null && text.SequenceEqual(bytes))
            {
                return known;
            }
        }
        string uri = XmlName.Known(Encoding.UTF8.GetString(text));
        if (text.Length <= longest)
        {
            _recent[_nextRecent++ % _recent.Length] = (text.ToArray(), uri);
        }
        return uri;
    }

    // Takes the value of an attribute as the slice, its references and white space replaced.
    private void Expand(int index)
    {
        ref Attribute attribute = ref _attribute[index];
        Expand(attribute.Value, attribute.ValueEnd, attribute.IsPlain);
    }

    private void Expand(int from, int to, bool plain)
    {
        if (plain)
        {
            Slice(_b, from, to);
            return;
        }
        _scratched = 0;
        for (int p = from; p < to;)
        {
            byte c = _b[p];
            if (c == '&')
            {
                AppendCode(Reference(p));
                p = _referenceEnd;
            }
            else if (c < 0x20)
            {
                AppendByte((byte)' ');
                p += c == '\r' && _b[p + 1] == '\n' ? 2 : 1;
            }
            else
            {
                AppendByte(c);
                p++;
            }
        }
        Slice(_scratch, 0, _scratched);
    }

    private bool IsAttribute(int index, string ns, ReadOnlySpan<byte> local)
    {
        ref Attribute attribute = ref _attribute[index];
        return attribute.Namespace == ns && _b.AsSpan(attribute.Local, attribute.End - attribute.Local).SequenceEqual(local);
    }

    private readonly record struct Binding(int Prefix, int Length, string Uri);

    private struct Attribute
    {
        public int Name;
        public int Local;
        public int End;
        public string Namespace;
        public int Value;
        public int ValueEnd;
        public bool IsPlain;

        // Which field of the record it is: an index, or one of the marks.
        public int Field;
    }
}
