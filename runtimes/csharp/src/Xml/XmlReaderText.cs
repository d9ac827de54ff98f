using System;
using System.Buffers;
using System.Text;

namespace Creo.Xml;

// The text of elements.
internal sealed partial class XmlReader
{
    // The single-byte characters of unescaped text.
    private static readonly SearchValues<byte> PlainText = SearchValues.Create(Bytes(static c => c is (>= 0x20 and < 0x80 and not '<' and not '&' and not '>') or '\t' or '\n'));

    // The bytes that end a run of text.
    private static readonly SearchValues<byte> SpecialText = SearchValues.Create(Bytes(static c => c is '<' or '&' or '>' || (c < 0x20 && c is not ('\t' or '\n'))));

    // The last text.
    private byte[] _slice = [];
    private int _sliceFrom;
    private int _sliceTo;

    // Its start, for the offsets of errors.
    private int _sliceAt;
    private byte[] _scratch = new byte[256];
    private int _scratched;

    private ReadOnlySpan<byte> Taken => _slice.AsSpan(_sliceFrom, _sliceTo - _sliceFrom);

    private static byte[] Bytes(Func<int, bool> which)
    {
        var bytes = new global::System.Collections.Generic.List<byte>();
        for (int c = 0; c < 256; c++)
        {
            if (which(c))
            {
                bytes.Add((byte)c);
            }
        }
        return [.. bytes];
    }

    private void Slice(byte[] bytes, int from, int to)
    {
        _slice = bytes;
        _sliceFrom = from;
        _sliceTo = to;
    }

    // Sets the slice to the text up to the innermost element's end tag, where it stops. Returns whether it is ASCII.
    private bool TakeText()
    {
        int from = _pos;
        if (_empty)
        {
            Slice(_b, from, from);
            return true;
        }
        int p = from;
        bool ascii = true;
        while (true)
        {
            int run = _b.AsSpan(p, _end - p).IndexOfAnyExcept(PlainText);
            p = run < 0 ? _end : p + run;
            byte c = _b[p];
            if (c == '<' && _b[p + 1] == '/')
            {
                CheckText(from, p - from);
                Slice(_b, from, p);
                _pos = p;
                return ascii;
            }
            if (c >= 0x80)
            {
                ascii = false;
                p = EndOfRun(p);
            }
            else if (c == '>')
            {
                CheckBrackets(p - 2);
                p++;
            }
            else
            {
                Gather(p);
                return false;
            }
        }
    }

    // The index after a run of text without special characters, which is checked.
    private int EndOfRun(int p)
    {
        int run = _b.AsSpan(p, _end - p).IndexOfAny(SpecialText);
        int to = run < 0 ? _end : p + run;
        CheckRun(p, to);
        return to;
    }

    private void CheckText(int at, long size)
    {
        if (size > _limits.MaxXmlText)
        {
            throw TooLarge(at, "maxXmlText", _limits.MaxXmlText, $"a text of {size} bytes");
        }
    }

    // As above, for text with references, sections, comments or carriage returns, the first of them at an index.
    private void Gather(int p)
    {
        _scratched = 0;
        int from = _pos;
        Copy(from, p);
        while (_b[p] != '<' || _b[p + 1] != '/')
        {
            byte c = _b[p];
            CheckText(from, _scratched);
            switch (c)
            {
                case (byte)'&':
                    AppendCode(Reference(p));
                    p = _referenceEnd;
                    break;
                case (byte)'\r':
                    AppendByte((byte)'\n');
                    p += _b[p + 1] == '\n' ? 2 : 1;
                    break;
                case (byte)'<' when IsAt(p, "<![CDATA["u8):
                    int to = CdataEnd(p);
                    CopyLines(p + 9, to - 3);
                    p = to;
                    break;
                case (byte)'<' when _b[p + 1] is (byte)'!' or (byte)'?':
                    p = Comment(p);
                    break;
                case (byte)'<':
                    throw Malformed(p, "an element, where text must be");
                case (byte)'>':
                    CheckBrackets(p - 2);
                    AppendByte(c);
                    p++;
                    break;
                default:
                    int end = c < 0x20 && c is not ((byte)'\t' or (byte)'\n') ? Character(p) : EndOfRun(p);
                    Copy(p, end);
                    p = end;
                    break;
            }
        }
        CheckText(from, _scratched);
        _pos = p;
        Slice(_scratch, 0, _scratched);
    }

    private void Copy(int from, int to)
    {
        int size = to - from;
        if (_scratch.Length - _scratched < size)
        {
            Array.Resize(ref _scratch, (int)Math.Min(Math.Max(2L * _scratch.Length, (long)_scratched + size), Array.MaxLength));
        }
        _b.AsSpan(from, size).CopyTo(_scratch.AsSpan(_scratched));
        _scratched += size;
    }

    private void CopyLines(int from, int to)
    {
        while (from < to)
        {
            int run = _b.AsSpan(from, to - from).IndexOf((byte)'\r');
            Copy(from, run < 0 ? to : from + run);
            if (run < 0)
            {
                return;
            }
            AppendByte((byte)'\n');
            from += run + 1;
            from += from < to && _b[from] == '\n' ? 1 : 0;
        }
    }

    private void AppendByte(byte c)
    {
        if (_scratched == _scratch.Length)
        {
            Array.Resize(ref _scratch, 2 * _scratched);
        }
        _scratch[_scratched++] = c;
    }

    private void AppendCode(int code)
    {
        Span<byte> bytes = stackalloc byte[4];
        int size = new Rune(code).EncodeToUtf8(bytes);
        foreach (byte b in bytes[..size])
        {
            AppendByte(b);
        }
    }

    // Sets the slice to the text of the value, at any position, and reads its end tag.
    private void TakeSlice(bool isExtensible = false)
    {
        _sliceAt = _pos;
        switch (_source)
        {
            case Source.Element:
                CheckAttributes(isExtensible);
                TakeText();
                EndTag();
                break;
            case Source.Text:
                TakeText();
                EndTag();
                _top!.IsClosed = true;
                break;
            case Source.Attribute:
                _sliceAt = _attribute[_fromAttribute].Value;
                Expand(_fromAttribute);
                break;
            default:
                break;
        }
    }

    // As above, without surrounding white space.
    private ReadOnlySpan<byte> TakeTrimmed(bool isExtensible = false)
    {
        TakeSlice(isExtensible);
        Trim();
        return Taken;
    }

    private void Trim()
    {
        while (_sliceFrom < _sliceTo && Digits.IsSpace(_slice[_sliceFrom]))
        {
            _sliceFrom++;
        }
        while (_sliceFrom < _sliceTo && Digits.IsSpace(_slice[_sliceTo - 1]))
        {
            _sliceTo--;
        }
    }

    private CreoException Wrong(string what)
    {
        const int longest = 60;
        ReadOnlySpan<byte> text = Taken;
        string shown = text.Length > longest ? Encoding.UTF8.GetString(text[..longest]) + "..." : Encoding.UTF8.GetString(text);
        return Malformed(_sliceAt, $"\"{shown}\", where {what} must be{Hint()}");
    }

    private bool IsTag(ReadOnlySpan<byte> local) => _b.AsSpan(_tagLocal, _tagEnd - _tagLocal).SequenceEqual(local);

    private string ElementText()
    {
        TakeText();
        string text = Encoding.UTF8.GetString(Taken);
        EndTag();
        return text;
    }

    private string AttributeText(int index)
    {
        Expand(index);
        return Encoding.UTF8.GetString(Taken);
    }
}
