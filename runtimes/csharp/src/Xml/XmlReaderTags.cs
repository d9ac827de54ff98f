using System;
using System.Text;

namespace Creo.Xml;

// Start tags, attributes, prefixes.
internal sealed partial class XmlReader
{
    // Namespaces of descriptors as written in earlier texts, which the next text is likely to use too; and the slot for the next one.
    private readonly (byte[] Bytes, string Uri)[] _recent = new (byte[], string)[8];
    private int _nextRecent;

    private readonly XmlPrefixes _prefixes = new();

    // The prefix looked up last, with its colon.
    private ulong _likelyPrefix;
    private ulong _likelyMask;
    private int _likelyLength;
    private string? _likelyNamespace;

    private string _tagNamespace = "";
    private int _tagLocal;
    private int _tagEnd;

    private Attribute[] _attribute = new Attribute[16];
    private int _attributes;

    // Reads the start tag at the reader's position: opens its element, finds its name and its attributes.
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

    // Remembers the tag's prefix, which the next tag is likely to have too.
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

    // The namespace of the prefix at an index.
    private string Resolve(int from, int length, bool element)
    {
        if (length == 0 && !element)
        {
            return XmlName.None;
        }
        int found = _prefixes.Find(_b, _b.AsSpan(from, length));
        if (found >= 0)
        {
            return _prefixes[found].Uri;
        }
        if (length == 0)
        {
            return XmlName.None;
        }
        if (_impliedNamespace is not null && _b.AsSpan(from, length).SequenceEqual(_impliedPrefix))
        {
            return _impliedNamespace;
        }
        return length == 3 && IsAt(from, "xml"u8) ? XmlName.XmlSpace : throw Malformed(from, $"the prefix {Shown(from, from + length)}, which is not bound");
    }

    // The namespace of a prefix in a text, or null.
    private string? NamespaceOf(ReadOnlySpan<byte> prefix)
    {
        int found = _prefixes.Find(_b, prefix);
        return found >= 0 ? _prefixes[found].Uri : prefix.IsEmpty ? XmlName.None : null;
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
        bool binds = IsAt(from, "xmlns"u8) && (from + 5 == nameEnd || local == from + 6);
        int prefix = local == from ? nameEnd : local;
        if (binds && Recent(start, quote) is (int after, string known))
        {
            CheckAttribute(start, after);
            Bind(prefix, nameEnd - prefix, known, from);
            return after + 1;
        }
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
        CheckAttribute(start, p);
        if (binds)
        {
            Bind(prefix, nameEnd - prefix, Uri(start, p, plain), from);
            return p + 1;
        }
        if (_attributes == _attribute.Length)
        {
            Array.Resize(ref _attribute, 2 * _attributes);
        }
        _attribute[_attributes++] = new Attribute { Name = from, Local = local, End = nameEnd, Namespace = "", Value = start, ValueEnd = p, IsPlain = plain };
        return p + 1;
    }

    private void CheckAttribute(int from, int to)
    {
        if (to - from > _limits.MaxXmlText)
        {
            throw TooLarge(from, "maxXmlText", _limits.MaxXmlText, $"an attribute of {to - from} bytes");
        }
    }

    private void Bind(int prefix, int length, string uri, int at)
    {
        bool xml = length == 3 && IsAt(prefix, "xml"u8);
        if ((length > 0 && uri.Length == 0) || xml != (uri == XmlName.XmlSpace) || uri == XmlName.Xmlns || (length == 5 && IsAt(prefix, "xmlns"u8)))
        {
            throw Malformed(at, "a prefix that may not be bound to this namespace");
        }
        if (_prefixes.Find(_b, _b.AsSpan(prefix, length)) >= _elements[_open - 1].Scope)
        {
            throw Malformed(at, "a prefix that is bound twice by one element");
        }
        if (_prefixes.Count >= _limits.MaxXmlNamespaces)
        {
            throw TooLarge(at, "maxXmlNamespaces", _limits.MaxXmlNamespaces, "too many prefixes");
        }
        _prefixes.Bind(_b, prefix, length, uri);
        _likelyNamespace = null;
    }

    // The recent namespace at an index, up to a quote, and the index after it; null if it is none of them.
    private (int After, string Uri)? Recent(int from, byte quote)
    {
        foreach ((byte[] bytes, string uri) in _recent)
        {
            if (bytes is null)
            {
                break;
            }
            int after = from + bytes.Length;
            if (after < _end && _b[after] == quote && _b.AsSpan(from, bytes.Length).SequenceEqual(bytes))
            {
                return (after, uri);
            }
        }
        return null;
    }

    // The namespace in the value of an attribute.
    private string Uri(int from, int to, bool plain)
    {
        const int longest = 256;
        Expand(from, to, plain);
        ReadOnlySpan<byte> text = _slice.AsSpan(_sliceFrom, _sliceTo - _sliceFrom);
        string uri = Encoding.UTF8.GetString(text);
        string known = TextNamespaces.Known(uri);
        // A quote could end the value if it is enclosed in that kind of quotes.
        if (!ReferenceEquals(known, uri) && plain && text.Length <= longest && text.IndexOfAny((byte)'"', (byte)'\'') < 0)
        {
            _recent[_nextRecent] = (text.ToArray(), known);
            _nextRecent = (_nextRecent + 1) % _recent.Length;
        }
        return known;
    }

    // Sets the slice to an attribute's value, with references and white space replaced.
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

    private struct Attribute
    {
        public int Name;
        public int Local;
        public int End;
        public string Namespace;
        public int Value;
        public int ValueEnd;
        public bool IsPlain;

        // Its field in the record: an index, or one of the marks.
        public int Field;
    }
}
