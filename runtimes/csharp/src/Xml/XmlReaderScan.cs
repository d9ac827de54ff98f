using System;
using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Unicode;

namespace Creo.Xml;

// The syntax of XML 1.0 with namespaces (XML-40 to XML-43): tags, comments, references. It reads one array whose end is followed by zeros. XML
// contains no zeros, so checks for the end are unnecessary.
internal sealed partial class XmlReader
{
    private const int MaxDeclaration = 200;

    private byte[] _b = new byte[Padding];
    private byte[] _own = [];
    private int _pos;
    private int _end;

    // For each open element, the position of its name, and the number of prefixes bound before it.
    private OpenElement[] _elements = new OpenElement[32];
    private int _open;

    // The innermost open element has neither content nor end tag.
    private bool _empty;
    private int _referenceEnd;

    /// <summary>Reads a copy of a message, with the transport's charset, if any.</summary>
    public void Open(ReadOnlySpan<byte> text, string? charset) => Open(text, charset, charged: text.Length);

    /// <summary>Reads a copy of a text.</summary>
    /// <param name="text">The text.</param>
    /// <param name="charset">The transport's charset, if any.</param>
    /// <param name="charged">The size of the enclosing message (LIM-18).</param>
    public void Open(ReadOnlySpan<byte> text, string? charset, int charged)
    {
        if (text.Length > _limits.MaxMessageSize)
        {
            throw CreoException.TooLarge("maxMessageSize", _limits.MaxMessageSize, $"an XML text of {text.Length} bytes");
        }
        ChargeBody(charged);
        if (_own.Length < text.Length + Padding)
        {
            _own = new byte[Math.Max(1024, text.Length + Padding)];
        }
        text.CopyTo(_own);
        Start(_own, text.Length, charset);
    }

    /// <summary>Reads an array with a message and room for zeros at its end.</summary>
    public void OpenOwn(byte[] text, int length, string? charset)
    {
        ChargeBody(length);
        Start(text, length, charset);
    }

    private void Start(byte[] text, int length, string? charset)
    {
        XmlEncoding encoding = XmlEncodings.Of(text.AsSpan(0, length), charset, out int mark);
        if (encoding != XmlEncoding.Utf8)
        {
            (text, length) = XmlEncodings.ToUtf8(encoding, text.AsSpan(mark, length - mark));
        }
        text.AsSpan(length, Padding).Clear();
        _b = text;
        _end = length;
        _pos = encoding == XmlEncoding.Utf8 ? mark : 0;
        _open = 0;
        _prefixes.Reset(_b, 0);
        _attributes = 0;
        _empty = false;
        _likelyNamespace = null;
        _declared = 0;
        Declaration(encoding, mark > 0, !string.IsNullOrEmpty(charset));
    }

    /// <summary>Skips white space and comments after the root; fails if anything else follows.</summary>
    public void EndDocument()
    {
        int p = _pos;
        while (p < _end)
        {
            if (Digits.IsSpace(_b[p]))
            {
                p++;
            }
            else if (_b[p] == '<' && _b[p + 1] is (byte)'!' or (byte)'?')
            {
                p = Comment(p);
            }
            else
            {
                throw Malformed(p, "something follows the last element");
            }
        }
        _pos = p;
    }

    /// <summary>Whether a text is a name without colon.</summary>
    public static bool IsName(string text)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(text + "\0");
        return text.Length > 0 && XmlChars.NameEnd(bytes, 0) == bytes.Length - 1;
    }

    /// <summary>The encoding that an ASCII-compatible text declares; null if there is none, or the declaration is invalid.</summary>
    public static string? DeclaredEncoding(ReadOnlySpan<byte> bytes)
    {
        int length = bytes.StartsWith("<?xml"u8) ? bytes[..Math.Min(MaxDeclaration, bytes.Length)].IndexOf("?>"u8) : -1;
        string text = length < 5 ? "" : Encoding.Latin1.GetString(bytes[5..length]);
        int at = 0;
        return TryTake(text, ref at, "version", out string? version) && version is not null && TryTake(text, ref at, "encoding", out string? encoding) ? encoding : null;
    }

    private CreoException Malformed(int at, string text) =>
        at >= _end
            ? new CreoException(ErrorCode.Malformed, "the XML text ends too early", null, _end)
            : new CreoException(ErrorCode.Malformed, text, null, at);

    private CreoException TooLarge(int at, string limit, long allowed, string text) => CreoException.TooLarge(limit, allowed, text).AtOffset(at);

    // A part of the text, for messages.
    private string Shown(int from, int to) => $"\"{Encoding.UTF8.GetString(_b, from, Math.Min(to, from + 100) - from)}\"";

    private string ShownTag()
    {
        string text = Shown(_tagLocal, _tagEnd);
        return _tagNamespace.Length == 0 ? text : $"{text} of the namespace \"{_tagNamespace}\"";
    }

    // Skips the declaration, if there is one (XML-40). If the transport named the encoding, it overrides the declared one (XML-46).
    private void Declaration(XmlEncoding actual, bool isMarked, bool isTold)
    {
        int p = _pos;
        if (!IsAt(p, "<?xml"u8) || !Digits.IsSpace(_b[p + 5]))
        {
            return;
        }
        int length = _b.AsSpan(p, Math.Min(MaxDeclaration, _end - p)).IndexOf("?>"u8);
        string text = length < 0 ? "" : Encoding.Latin1.GetString(_b, p + 5, length - 5);
        string? version = null;
        string? encoding = null;
        string? standalone = null;
        int at = 0;
        bool right = length >= 0 && TryTake(text, ref at, "version", out version) && version is not null && TryTake(text, ref at, "encoding", out encoding)
            && TryTake(text, ref at, "standalone", out standalone) && string.IsNullOrWhiteSpace(text[at..]) && standalone is null or "yes" or "no";
        if (!right || version is null)
        {
            throw Malformed(p, "the XML declaration is none");
        }
        if (version != "1.0")
        {
            throw Malformed(p, $"XML {version}, where 1.0 must be");
        }
        if (encoding is not null && !isTold)
        {
            XmlEncoding declared = XmlEncodings.Named(encoding);
            if (declared.IsWide() != actual.IsWide() || (isMarked && !actual.IsWide() && declared != actual))
            {
                throw Malformed(p, $"the encoding \"{encoding}\", where the bytes are {actual}");
            }
        }
        _pos = p + length + 2;
    }

    // Takes white space, a name, an equals sign and a quoted value from the declaration, if the name is next; false if it is malformed.
    private static bool TryTake(string text, ref int at, string name, out string? value)
    {
        value = null;
        int p = at;
        SkipSpace(text, ref p);
        if (p == at || string.CompareOrdinal(text, p, name, 0, name.Length) != 0)
        {
            return true;
        }
        p += name.Length;
        SkipSpace(text, ref p);
        if (p == text.Length || text[p++] != '=')
        {
            return false;
        }
        SkipSpace(text, ref p);
        int close = p < text.Length && text[p] is '"' or '\'' ? text.IndexOf(text[p], p + 1) : -1;
        if (close < 0)
        {
            return false;
        }
        value = text[(p + 1)..close];
        at = close + 1;
        return true;
    }

    private static void SkipSpace(string text, ref int p)
    {
        while (p < text.Length && Digits.IsSpace(text[p]))
        {
            p++;
        }
    }

    private int Name(int p)
    {
        int to = XmlChars.NameEnd(_b, p);
        return to > p ? to : throw Malformed(p, "no name, where one must be");
    }

    private void CheckName(int from, int to)
    {
        if (to - from > _limits.MaxXmlName)
        {
            throw TooLarge(from, "maxXmlName", _limits.MaxXmlName, $"a name of {to - from} bytes");
        }
    }

    // Opens an element whose name is at an index.
    private void PushElement(int name, int length)
    {
        if (_open == _elements.Length || _open >= _limits.MaxXmlDepth)
        {
            if (_open >= _limits.MaxXmlDepth)
            {
                throw TooLarge(name - 1, "maxXmlDepth", _limits.MaxXmlDepth, "elements are nested too deeply");
            }
            Array.Resize(ref _elements, 2 * _open);
        }
        _elements[_open++] = new OpenElement(name, length, _prefixes.Count);
    }

    private void PopElement()
    {
        _open--;
        if (_prefixes.Count != _elements[_open].Scope)
        {
            _prefixes.Reset(_b, _elements[_open].Scope);
            _likelyNamespace = null;
        }
    }

    // Eight bytes of the text, whose end is followed by zeros.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ulong Word(int p) => Unsafe.ReadUnaligned<ulong>(ref _b[p]);

    // Whether bytes at two positions of the text are equal.
    private bool Same(int s, int t, int length)
    {
        for (; length > 8; length -= 8, s += 8, t += 8)
        {
            if (Word(s) != Word(t))
            {
                return false;
            }
        }
        return ((Word(s) ^ Word(t)) & XmlName.Mask(length)) == 0;
    }

    private bool IsAt(int p, ReadOnlySpan<byte> text) => _b.AsSpan(p).StartsWith(text);

    // Reads the innermost element's end tag if it is at an index in its plain form.
    private bool TryClose(int p)
    {
        ref OpenElement element = ref _elements[_open - 1];
        int length = element.Length;
        if (_b[p] != '<' || _b[p + 1] != '/' || !Same(element.Name, p + 2, length) || _b[p + 2 + length] != '>')
        {
            return false;
        }
        PopElement();
        _pos = p + 3 + length;
        return true;
    }

    // Reads the innermost element's end tag.
    private void EndTag()
    {
        if (_empty)
        {
            _empty = false;
            PopElement();
            return;
        }
        if (TryClose(_pos))
        {
            return;
        }
        int p = _pos;
        if (_b[p] != '<' || _b[p + 1] != '/')
        {
            throw Malformed(p, "content, where the element must end");
        }
        OpenElement element = _elements[_open - 1];
        int from = p + 2;
        int to = from + element.Length > _end || !Same(element.Name, from, element.Length) ? -1 : SkipSpace(from + element.Length);
        if (to < 0 || _b[to] != '>')
        {
            throw Malformed(to >= _end ? to : p, $"an end tag that is not that of {Shown(element.Name, element.Name + element.Length)}");
        }
        PopElement();
        _pos = to + 1;
    }

    private int SkipSpace(int p)
    {
        while (Digits.IsSpace(_b[p]))
        {
            p++;
        }
        return p;
    }

    // Goes to the next tag: true if it opens an element, false if the innermost one ends. Skips comments and white space.
    private bool Child()
    {
        if (_empty)
        {
            return false;
        }
        int p = _pos;
        while (true)
        {
            int c = _b[p];
            if (c == '<')
            {
                int next = _b[p + 1];
                if (next is not ('!' or '?'))
                {
                    _pos = p;
                    return next != '/';
                }
                if (_open > 0 && IsAt(p, "<![CDATA["u8))
                {
                    int from = p + 9;
                    p = CdataEnd(p);
                    if (SkipSpace(from) < p - 3)
                    {
                        SkipText(from);
                    }
                }
                else
                {
                    p = Comment(p);
                }
            }
            else if (Digits.IsSpace(c))
            {
                p++;
            }
            else if (c == '&' && _open > 0)
            {
                if (!Digits.IsSpace(Reference(p)))
                {
                    SkipText(p);
                }
                p = _referenceEnd;
            }
            else if (_open == 0)
            {
                throw Malformed(p, "no element, where one must be");
            }
            else
            {
                CheckBrackets(p);
                int next = Character(p);
                SkipText(p);
                p = next;
            }
        }
    }

    // The index after the comment, or the processing instruction, at an index; all else that begins with an exclamation or question mark is refused (XML-41).
    private int Comment(int p)
    {
        if (_b[p + 1] == '?')
        {
            return Instruction(p);
        }
        if (!IsAt(p, "<!--"u8))
        {
            throw Malformed(p, IsAt(p, "<!DOCTYPE"u8) ? "a document type declaration" : "no tag");
        }
        int hyphens = _b.AsSpan(p + 4, Math.Max(0, _end - p - 4)).IndexOf("--"u8);
        int to = hyphens < 0 ? _end : p + 4 + hyphens;
        CheckCharacters(p + 4, to);
        if (hyphens < 0 || _b[to + 2] != '>')
        {
            throw Malformed(to, "two hyphens within a comment");
        }
        return to + 3;
    }

    // The index after the CDATA section at an index.
    private int CdataEnd(int p)
    {
        int close = _b.AsSpan(p + 9, Math.Max(0, _end - p - 9)).IndexOf("]]>"u8);
        int to = close < 0 ? _end : p + 9 + close;
        CheckCharacters(p + 9, to);
        return close < 0 ? throw Malformed(_end, "") : to + 3;
    }

    // Checks that XML allows all characters from one index to another.
    private void CheckCharacters(int from, int to)
    {
        for (int p = from; p < to;)
        {
            int plain = _b.AsSpan(p, to - p).IndexOfAnyExceptInRange((byte)0x20, (byte)0x7f);
            p = plain < 0 ? to : Character(p + plain);
        }
    }

    // The index after the character at an index, which XML must allow.
    private int Character(int p)
    {
        int c = _b[p];
        if (c is (>= 0x20 and < 0x80) or '\t' or '\n' or '\r')
        {
            return p + 1;
        }
        int size = c >= 0x80 ? XmlChars.Character(_b.AsSpan(p, _end - p)) : 0;
        return size > 0
            ? p + size
            : throw Malformed(p, c >= 0x80 ? "bytes that are not UTF-8, or no character of XML" : "a character that XML does not allow");
    }

    // Checks a run of text without control characters: fast, and exactly only if that fails.
    private void CheckRun(int from, int to)
    {
        ReadOnlySpan<byte> run = _b.AsSpan(from, to - from);
        if (Utf8.IsValid(run) && run.IndexOf((ReadOnlySpan<byte>)[0xef, 0xbf, 0xbe]) < 0 && run.IndexOf((ReadOnlySpan<byte>)[0xef, 0xbf, 0xbf]) < 0)
        {
            return;
        }
        for (int p = from; p < to;)
        {
            p = Character(p);
        }
    }

    // The code point of the reference at an index.
    private int Reference(int p)
    {
        int q = p + 1;
        if (_b[q] == '#')
        {
            bool hex = _b[q + 1] == 'x';
            q += hex ? 2 : 1;
            int from = q;
            int code = 0;
            for (; hex ? char.IsAsciiHexDigit((char)_b[q]) : char.IsAsciiDigit((char)_b[q]); q++)
            {
                code = Math.Min(code * (hex ? 16 : 10) + Digits.HexDigit(_b[q]), 0x11_0000);
            }
            if (q == from || _b[q] != ';' || !XmlChars.IsAllowed(code))
            {
                throw Malformed(_b[q] == 0 ? q : p, "a reference that is none, or to a character that XML does not allow");
            }
            _referenceEnd = q + 1;
            return code;
        }
        int named = IsAt(q, "amp;"u8) ? '&' : IsAt(q, "lt;"u8) ? '<' : IsAt(q, "gt;"u8) ? '>' : IsAt(q, "quot;"u8) ? '"' : IsAt(q, "apos;"u8) ? '\'' : 0;
        if (named == 0)
        {
            throw Malformed(p, "an entity that is none of XML's own");
        }
        _referenceEnd = q + _b.AsSpan(q).IndexOf((byte)';') + 1;
        return named;
    }

    // Skips the rest of the innermost element and its content.
    private void SkipElement()
    {
        int depth = _open - 1;
        while (_open > depth)
        {
            if (_empty || IsAt(_pos, "</"u8))
            {
                EndTag();
            }
            else if (IsStartTag(_pos))
            {
                StartTag();
            }
            else
            {
                SkipText();
            }
        }
    }

    // Whether a start tag is at an index, and not other markup.
    private bool IsStartTag(int p) => _b[p] == '<' && _b[p + 1] is not ((byte)'!' or (byte)'?' or (byte)'/');

    // Skips a run of text, a reference, a section or a comment; returns whether it is more than white space.
    private bool SkipText()
    {
        int p = _pos;
        int c = _b[p];
        if (c == '<')
        {
            bool isSection = IsAt(p, "<![CDATA["u8);
            _pos = isSection ? CdataEnd(p) : Comment(p);
            return isSection && SkipSpace(p + 9) < _pos - 3;
        }
        if (c == '&')
        {
            int code = Reference(p);
            _pos = _referenceEnd;
            return !Digits.IsSpace(code);
        }
        if (c == ']')
        {
            CheckBrackets(p);
            _pos = p + 1;
            return true;
        }
        int run = _b.AsSpan(p, _end - p).IndexOfAny((byte)'<', (byte)'&', (byte)']');
        int to = run < 0 ? _end : p + run;
        CheckCharacters(p, to);
        _pos = to == p ? Character(p) : to;
        return SkipSpace(p) < _pos;
    }

    private void CheckBrackets(int p)
    {
        if (_b[p] == ']' && _b[p + 1] == ']' && _b[p + 2] == '>')
        {
            throw Malformed(p, "\"]]>\" in text");
        }
    }

    // An element: the position of its name, and the number of prefixes bound before it.
    private readonly record struct OpenElement(int Name, int Length, int Scope);
}
