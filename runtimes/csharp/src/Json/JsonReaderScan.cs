using System;
using System.Buffers;
using System.Text;
using System.Text.Unicode;

namespace Creo.Json;

// The tokens of JSON (RFC 8259): brackets, strings, numbers, and skipped values.
internal sealed partial class JsonReader
{
    private const string Space = " \t\r\n";

    // The bytes that end a plain run of a string.
    private static readonly SearchValues<byte> Special = SearchValues.Create(SpecialBytes());

    // The last string, unescaped.
    private byte[] _slice = [];
    private int _sliceFrom;
    private int _sliceTo;
    private byte[] _scratch = new byte[256];
    private int _scratched;

    // The open brackets in a skipped value.
    private byte[] _skipped = [];

    private ReadOnlySpan<byte> Taken => _slice.AsSpan(_sliceFrom, _sliceTo - _sliceFrom);

    private static byte[] SpecialBytes()
    {
        byte[] special = new byte[34];
        for (byte c = 0; c < 32; c++)
        {
            special[c] = c;
        }
        special[32] = (byte)'"';
        special[33] = (byte)'\\';
        return special;
    }

    private CreoException Malformed(int at, string text) =>
        at >= _end
            ? new CreoException(ErrorCode.Malformed, "the JSON text ends too early", null, _end)
            : new CreoException(ErrorCode.Malformed, text, null, at);

    // The text at an index, for messages.
    private string Shown(int at)
    {
        const int longest = 40;
        int to = at;
        while (to < _end && to - at < longest && !Space.Contains((char)_b[to]) && (to == at || !",:[]{}"u8.Contains(_b[to])))
        {
            to++;
        }
        return $"\"{Encoding.UTF8.GetString(_b, at, to - at)}\"";
    }

    private string ShownName()
    {
        const int longest = 100;
        return $"\"{Encoding.UTF8.GetString(Taken[..Math.Min(Taken.Length, longest)])}\"";
    }

    private bool IsAt(int p, ReadOnlySpan<byte> text) => _b.AsSpan(p).StartsWith(text);

    private int SkipSpace(int p)
    {
        while (_b[p] is (byte)' ' or (byte)'\n' or (byte)'\r' or (byte)'\t')
        {
            p++;
        }
        return p;
    }

    // Goes to the next byte that is not white space.
    private int Start()
    {
        int p = _pos;
        if (_b[p] <= ' ')
        {
            p = SkipSpace(p);
            _pos = p;
        }
        return p;
    }

    private void OpenBracket(byte bracket, string what)
    {
        int p = Start();
        if (_b[p] != bracket)
        {
            throw Malformed(p, $"{Shown(p)}, where {what} must be");
        }
        Deeper(p);
        _pos = p + 1;
    }

    private void CloseBracket(int p)
    {
        _open--;
        _pos = p + 1;
    }

    private void Deeper(int p)
    {
        if (++_open > _limits.MaxXmlDepth)
        {
            throw CreoException.TooLarge("maxXmlDepth", _limits.MaxXmlDepth, "arrays and objects are nested too deeply").AtOffset(p);
        }
    }

    // Reads the name of a member, which is here, and the following colon.
    private void TakeName(bool isChar = false)
    {
        int p = Start();
        if (_b[p] != '"')
        {
            throw Malformed(p, $"{Shown(p)}, where the name of a member must be");
        }
        TakeString(p, isChar);
        p = Start();
        if (_b[p] != ':')
        {
            throw Malformed(p, $"{Shown(p)}, where a colon must be");
        }
        _pos = p + 1;
    }

    // Sets the slice to the unescaped string whose quote is at an index. Returns whether it is ASCII.
    private bool TakeString(int quote, bool isChar = false)
    {
        int from = quote + 1;
        int run = _b.AsSpan(from, _end - from).IndexOfAny(Special);
        int to = run < 0 ? _end : from + run;
        if (_b[to] != '"' || to >= _end)
        {
            Gather(quote, isChar);
            return false;
        }
        CheckLength(quote, to - from);
        bool ascii = Ascii.IsValid(_b.AsSpan(from, to - from));
        if (!ascii)
        {
            CheckUtf8(from, to);
        }
        _slice = _b;
        _sliceFrom = from;
        _sliceTo = to;
        _pos = to + 1;
        return ascii;
    }

    private void CheckLength(int at, long size)
    {
        if (size > _limits.MaxXmlText)
        {
            throw CreoException.TooLarge("maxXmlText", _limits.MaxXmlText, $"a string of {size} bytes").AtOffset(at);
        }
    }

    private void CheckUtf8(int from, int to)
    {
        if (Utf8.IsValid(_b.AsSpan(from, to - from)))
        {
            return;
        }
        for (int p = from; p < to;)
        {
            if (Rune.DecodeFromUtf8(_b.AsSpan(p, to - p), out _, out int size) != OperationStatus.Done)
            {
                throw new CreoException(ErrorCode.Malformed, "bytes that are not UTF-8", null, p);
            }
            p += size;
        }
    }

    // As above, with escapes or invalid characters.
    private void Gather(int quote, bool isChar)
    {
        int p = quote + 1;
        _scratched = 0;
        while (true)
        {
            int run = _b.AsSpan(p, _end - p).IndexOfAny(Special);
            int to = run < 0 ? _end : p + run;
            CheckUtf8(p, to);
            CheckLength(quote, (long)_scratched + to - p);
            Append(_b.AsSpan(p, to - p));
            if (to >= _end)
            {
                throw Malformed(_end, "");
            }
            switch (_b[to])
            {
                case (byte)'"':
                    _slice = _scratch;
                    _sliceFrom = 0;
                    _sliceTo = _scratched;
                    _pos = to + 1;
                    return;
                case (byte)'\\':
                    p = Escape(to, isChar);
                    break;
                default:
                    throw Malformed(to, "a control character within a string");
            }
        }
    }

    // Appends the character of the escape at an index; returns the index after it.
    private int Escape(int p, bool isChar)
    {
        byte c = _b[p + 1];
        if (c != 'u')
        {
            int index = "\"\\/bfnrt"u8.IndexOf(c);
            if (index < 0 || p + 1 >= _end)
            {
                throw Malformed(p + 1 >= _end ? _end : p, "a backslash and a character that is no escape");
            }
            Append("\"\\/\b\f\n\r\t"u8.Slice(index, 1));
            return p + 2;
        }
        int unit = Unit(p);
        p += 6;
        Span<byte> bytes = stackalloc byte[4];
        if (!char.IsSurrogate((char)unit))
        {
            Append(bytes[..new Rune((char)unit).EncodeToUtf8(bytes)]);
            return p;
        }
        if (char.IsHighSurrogate((char)unit) && _b[p] == '\\' && _b[p + 1] == 'u')
        {
            int second = Unit(p);
            if (char.IsLowSurrogate((char)second))
            {
                Append(bytes[..new Rune((char)unit, (char)second).EncodeToUtf8(bytes)]);
                return p + 6;
            }
        }
        if (!isChar)
        {
            throw Malformed(p - 6, "a surrogate without its partner");
        }
        // Only a char can be a lone surrogate: it is encoded like UTF-8, which is undone when it is read.
        bytes[0] = (byte)(0xe0 | (unit >> 12));
        bytes[1] = (byte)(0x80 | ((unit >> 6) & 0x3f));
        bytes[2] = (byte)(0x80 | (unit & 0x3f));
        Append(bytes[..3]);
        return p;
    }

    private int Unit(int p)
    {
        int unit = 0;
        for (int i = p + 2; i < p + 6; i++)
        {
            if (i >= _end || !char.IsAsciiHexDigit((char)_b[i]))
            {
                throw Malformed(i >= _end ? _end : p, "\"\\u\" without four hexadecimal digits");
            }
            unit = unit * 16 + Digits.HexDigit(_b[i]);
        }
        return unit;
    }

    private void Append(ReadOnlySpan<byte> bytes)
    {
        if (_scratch.Length - _scratched < bytes.Length)
        {
            Array.Resize(ref _scratch, (int)Math.Min(Math.Max(2L * _scratch.Length, (long)_scratched + bytes.Length), Array.MaxLength));
        }
        bytes.CopyTo(_scratch.AsSpan(_scratched));
        _scratched += bytes.Length;
    }

    // The end of the number-like characters at an index.
    private int EndOfNumber(int p)
    {
        int length = _b.AsSpan(p, _end - p).IndexOfAnyExcept("0123456789+-.eE"u8);
        return length < 0 ? _end : p + length;
    }

    // -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?
    private static bool IsNumber(ReadOnlySpan<byte> text)
    {
        ReadOnlySpan<byte> rest = text.StartsWith("-"u8) ? text[1..] : text;
        int mark = rest.IndexOfAny((byte)'e', (byte)'E');
        ReadOnlySpan<byte> number = mark < 0 ? rest : rest[..mark];
        int point = number.IndexOf((byte)'.');
        ReadOnlySpan<byte> whole = point < 0 ? number : number[..point];
        ReadOnlySpan<byte> exponent = mark < 0 ? "0"u8 : rest[(mark + 1)..];
        if (exponent.Length > 0 && exponent[0] is (byte)'+' or (byte)'-')
        {
            exponent = exponent[1..];
        }
        return IsWhole(whole) && (point < 0 || Digits.AreAll(number[(point + 1)..])) && Digits.AreAll(exponent);
    }

    private static bool IsWhole(ReadOnlySpan<byte> text) => Digits.AreAll(text) && (text.Length == 1 || text[0] != '0');

    // Skips a value, which must still be valid JSON.
    private void SkipValue()
    {
        int depth = 0;
        while (true)
        {
            int p = Start();
            byte c = _b[p];
            if (c is (byte)'{' or (byte)'[')
            {
                Deeper(p);
                if (depth == _skipped.Length)
                {
                    Array.Resize(ref _skipped, Math.Max(64, 2 * depth));
                }
                _skipped[depth++] = c;
                _pos = p + 1;
                p = Start();
                if (_b[p] != (c == '{' ? '}' : ']'))
                {
                    if (c == '{')
                    {
                        TakeName();
                    }
                    continue;
                }
                depth--;
                CloseBracket(p);
            }
            else
            {
                SkipScalar(p);
            }
            if (SkipEnds(ref depth))
            {
                return;
            }
        }
    }

    private void SkipScalar(int p)
    {
        if (_b[p] == '"')
        {
            TakeString(p);
            return;
        }
        int to = IsAt(p, "true"u8) || IsAt(p, "null"u8) ? p + 4 : IsAt(p, "false"u8) ? p + 5 : EndOfNumber(p);
        if (to == p || (_b[p] is not ((byte)'t' or (byte)'n' or (byte)'f') && !IsNumber(_b.AsSpan(p, to - p))))
        {
            throw Malformed(to >= _end ? _end : p, $"{Shown(p)}, where a value must be");
        }
        _pos = to;
    }

    // After a skipped value: closes what ends there. Returns whether that is all.
    private bool SkipEnds(ref int depth)
    {
        while (depth > 0)
        {
            int p = Start();
            bool isObject = _skipped[depth - 1] == '{';
            if (_b[p] == ',')
            {
                _pos = p + 1;
                if (isObject)
                {
                    TakeName();
                }
                return false;
            }
            if (_b[p] != (isObject ? '}' : ']'))
            {
                throw Malformed(p, $"{Shown(p)}, where a comma or a closing bracket must be");
            }
            depth--;
            CloseBracket(p);
        }
        return true;
    }
}
