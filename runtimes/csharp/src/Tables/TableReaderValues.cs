using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Text;
using Creo.Xml;

namespace Creo.Tables;

// Columns, single values, and arrays of primitives.
internal sealed partial class TableReader
{
    // The number of bytes of a column that are checked one by one.
    private const int Near = 16;

    // The last column: as in the rows, and, after unescaping, as the slice.
    private byte[] _slice = [];
    private int _sliceFrom;
    private int _sliceTo;
    private int _sliceAt;
    private bool _isEscaped;

    // Whether it is known to be ASCII.
    private bool _isAscii;
    private byte[] _scratch = new byte[256];

    private ReadOnlySpan<byte> Taken => _slice.AsSpan(_sliceFrom, _sliceTo - _sliceFrom);

    private bool IsPlain => _source == Source.Slice && !_isEscaped && ReferenceEquals(_slice, _b);

    public override bool ReadBoolean()
    {
        ReadOnlySpan<byte> text = TakeTrimmed();
        if (text.SequenceEqual("true"u8) || text.SequenceEqual("1"u8))
        {
            return true;
        }
        return text.SequenceEqual("false"u8) || text.SequenceEqual("0"u8) ? false : throw Wrong("true or false");
    }

    public override sbyte ReadSByte() => (sbyte)Integer(sbyte.MinValue, sbyte.MaxValue);

    public override short ReadInt16() => (short)Integer(short.MinValue, short.MaxValue);

    public override char ReadChar() => (char)Integer(char.MinValue, char.MaxValue);

    public override int ReadInt32() => (int)Integer(int.MinValue, int.MaxValue);

    public override long ReadInt64() => Integer(long.MinValue, long.MaxValue);

    public override double ReadDouble()
    {
        if (IsPlain)
        {
            int to = Digits.PlainNumber(_b, _sliceFrom, false, out bool negative, out ulong digits, out int exponent);
            double value = to != _sliceTo ? double.NaN : FloatingPoint.Nearest(digits, exponent);
            if (!double.IsNaN(value))
            {
                return negative ? -value : value;
            }
        }
        return TextNumbers.TryParse(TakeTrimmed(), out double parsed) ? parsed : throw Wrong("a number");
    }

    public override float ReadSingle()
    {
        if (IsPlain)
        {
            int to = Digits.PlainNumber(_b, _sliceFrom, false, out bool negative, out ulong digits, out int exponent);
            float value = to != _sliceTo ? float.NaN : FloatingPoint.NearestSingle(digits, exponent);
            if (!float.IsNaN(value))
            {
                return negative ? -value : value;
            }
        }
        return TextNumbers.TryParse(TakeTrimmed(), out float parsed) ? parsed : throw Wrong("a number");
    }

    public override string ReadString()
    {
        if (_isAscii && IsPlain && _sliceTo - _sliceFrom <= _maxText && !_field!.IsToken)
        {
            return Encoding.Latin1.GetString(_b, _sliceFrom, _sliceTo - _sliceFrom);
        }
        if (_field!.IsToken)
        {
            return Encoding.UTF8.GetString(TakeTrimmed());
        }
        TakeSlice();
        ReadOnlySpan<byte> text = Taken;
        return _isAscii || global::System.Text.Ascii.IsValid(text) ? Encoding.Latin1.GetString(text) : Encoding.UTF8.GetString(text);
    }

    public override Instant ReadInstant() => TextTimes.TryParse(TakeTrimmed(), out Instant value) ? value : throw Wrong("a date and time");

    public override BigDecimal ReadDecimal()
    {
        ReadOnlySpan<byte> text = TakeTrimmed();
        return Digits.TryDecimal(text, out BigDecimal value, out bool isTooLong)
            ? value
            : throw Wrong(isTooLong ? $"a decimal number of at most {BigDecimal.MaxDigits} digits" : "a decimal number");
    }

    public override int ReadEnum(TextEnum type)
    {
        ReadOnlySpan<byte> text = TakeTrimmed();
        int number = type.Number(text);
        if (number >= 0)
        {
            return number;
        }
        if (type.IsExtensible && text.Length > 1 && text[0] == '#' && Digits.AreAll(text[1..]))
        {
            return Digits.TryInteger(false, text[1..], 0, int.MaxValue, out long unknown) ? (int)unknown : throw Wrong($"a number up to {int.MaxValue}");
        }
        throw Wrong("one of " + type.Expected());
    }

    public override ValueArray<byte> ReadBytes()
    {
        TakeSlice();
        if (_parts is not null && Taken.StartsWith("cid:"u8) && !_field!.IsHex)
        {
            return _parts.Take(Encoding.UTF8.GetString(Taken)) ?? throw Wrong("the content id of a part that is there and was not named before");
        }
        Trim();
        return (_field!.IsHex ? Digits.FromHex(Taken) : Digits.FromBase64(Taken) ?? Digits.FromBase64(Digits.WithoutSpace(Taken))) ?? throw Wrong(_field.IsHex ? "bytes in hexadecimal digits" : "base64");
    }

    public override string ReadRaw()
    {
        TakeSlice();
        return Encoding.UTF8.GetString(Taken);
    }

    public override ValueMap<string, string> ReadAttributes() =>
        ReadEntries<string, string>(static reader => reader.ReadString(), static reader => reader.ReadString());

    public override ValueArray<bool> ReadBooleans() => ReadAll<bool>();

    public override ValueArray<short> ReadInt16s() => ReadAll<short>();

    public override ValueArray<char> ReadChars() => ReadAll<char>();

    public override ValueArray<int> ReadInt32s() => ReadAll<int>();

    public override ValueArray<long> ReadInt64s() => ReadAll<long>();

    public override ValueArray<float> ReadSingles() => ReadAll<float>();

    public override ValueArray<double> ReadDoubles() => ReadAll<double>();

    private ValueArray<T> ReadAll<T>()
        where T : unmanaged
    {
        var items = default(Growing<T>);
        BeginItems();
        while (NextItem())
        {
            items.Add(ReadOne<T>());
        }
        return items.ToArray();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private T ReadOne<T>()
        where T : unmanaged =>
        typeof(T) == typeof(double) ? Unsafe.BitCast<double, T>(ReadDouble())
        : typeof(T) == typeof(float) ? Unsafe.BitCast<float, T>(ReadSingle())
        : typeof(T) == typeof(long) ? Unsafe.BitCast<long, T>(ReadInt64())
        : typeof(T) == typeof(int) ? Unsafe.BitCast<int, T>(ReadInt32())
        : typeof(T) == typeof(short) ? Unsafe.BitCast<short, T>(ReadInt16())
        : typeof(T) == typeof(char) ? Unsafe.BitCast<char, T>(ReadChar())
        : Unsafe.BitCast<bool, T>(ReadBoolean());

    // Takes the column of a scalar with a separate row, which is then finished.
    private void TakeScalar()
    {
        int p = _row + _length;
        if (p >= _rowEnd)
        {
            throw Malformed(_row, "no value, where one must be");
        }
        if (_b[p] == '~' && p + 1 == _rowEnd)
        {
            _source = Source.Nil;
            _sliceAt = p;
        }
        else if (_b[p] == '|')
        {
            int at = p;
            if (TakeColumn(ref at) == Source.Nil || at < _rowEnd)
            {
                throw Malformed(_row, at < _rowEnd ? "more than one column" : "nothing as a column, where there is a row for it");
            }
        }
        else
        {
            throw Malformed(_row, "no value, where one must be");
        }
        Advance();
    }

    private void TakeColumn(TextFrame frame)
    {
        int at = frame.ColumnAt;
        TakeColumn(ref at);
        frame.ColumnAt = at;
    }

    // Takes the column whose bar is at an index, and moves past it.
    private Source TakeColumn(ref int at)
    {
        byte[] bytes = _b;
        int end = _rowEnd;
        int from = at + 1;
        int p = from;
        // Most columns are short: their end is found byte by byte. A bar and a backslash differ in one bit.
        int near = Math.Min(from + Near, end);
        int all = 0;
        while (p < near && (bytes[p] | 0x20) != '|')
        {
            all |= bytes[p++];
        }
        _isAscii = (p < near || near == end) && all < 0x80;
        _isEscaped = false;
        while (p < end && bytes[p] != '|')
        {
            if (bytes[p] == '\\')
            {
                _isEscaped = true;
                _isAscii = false;
                p = Math.Min(p + 2, end);
            }
            int next = bytes.AsSpan(p, end - p).IndexOfAny((byte)'|', (byte)'\\');
            p = next < 0 ? end : p + next;
        }
        if (!ReferenceEquals(_slice, bytes))
        {
            _slice = bytes;
        }
        _sliceAt = _sliceFrom = from;
        _sliceTo = p;
        at = p;
        _source = Source.Slice;
        if (from < p && _b[from] == '~')
        {
            if (p > from + 1)
            {
                throw Malformed(from, "\"~\" before a value");
            }
            _source = Source.Nil;
        }
        return _source;
    }

    // Unescapes the slice (TDX-12).
    private void TakeSlice()
    {
        if (_source != Source.Slice)
        {
            throw Malformed(_source == Source.Nil ? _sliceAt : Math.Min(_row, _to), "nothing, where a value must be");
        }
        if (!_isEscaped)
        {
            CheckLength(Taken.Length);
            return;
        }
        _isEscaped = false;
        int size = _sliceTo - _sliceFrom;
        if (_scratch.Length < size)
        {
            _scratch = new byte[Math.Max(size, 2 * _scratch.Length)];
        }
        int count = 0;
        for (int p = _sliceFrom; p < _sliceTo; p++)
        {
            byte c = _b[p];
            if (c == '\\')
            {
                int index = ++p < _sliceTo ? "nr|\\alg~"u8.IndexOf(_b[p]) : -1;
                if (index < 0)
                {
                    throw Malformed(p - 1, "a backslash and a character that is no escape");
                }
                c = "\n\r|\\&<>~"u8[index];
            }
            _scratch[count++] = c;
        }
        CheckLength(count);
        _slice = _scratch;
        _sliceFrom = 0;
        _sliceTo = count;
    }

    private void CheckLength(int size)
    {
        if (size > _maxText)
        {
            throw CreoException.TooLarge("maxXmlText", _limits.MaxXmlText, $"a text of {size} bytes").AtOffset(Offset(_sliceAt));
        }
    }

    private void CheckEscapes()
    {
        if (_source == Source.Slice)
        {
            TakeSlice();
        }
    }

    private ReadOnlySpan<byte> TakeTrimmed()
    {
        TakeSlice();
        Trim();
        return Taken;
    }

    private void Trim()
    {
        if (_sliceFrom < _sliceTo && _slice[_sliceFrom] > ' ' && _slice[_sliceTo - 1] > ' ')
        {
            return;
        }
        while (_sliceFrom < _sliceTo && Digits.IsSpace(_slice[_sliceFrom]))
        {
            _sliceFrom++;
        }
        while (_sliceFrom < _sliceTo && Digits.IsSpace(_slice[_sliceTo - 1]))
        {
            _sliceTo--;
        }
    }

    private bool NextListed(TextFrame frame)
    {
        byte[] bytes = frame.List!;
        int p = frame.ListPosition;
        while (p < frame.ListEnd && Digits.IsSpace(bytes[p]))
        {
            p++;
        }
        if (p == frame.ListEnd)
        {
            Pop();
            return false;
        }
        int from = p;
        while (p < frame.ListEnd && !Digits.IsSpace(bytes[p]))
        {
            p++;
        }
        _slice = bytes;
        _sliceFrom = from;
        _sliceTo = p;
        _isEscaped = _isAscii = false;
        _source = Source.Slice;
        frame.ListPosition = p;
        return true;
    }

    private CreoException Wrong(string what)
    {
        const int longest = 60;
        ReadOnlySpan<byte> text = Taken;
        string shown = text.Length > longest ? Encoding.UTF8.GetString(text[..longest]) + "..." : Encoding.UTF8.GetString(text);
        return Malformed(_sliceAt, $"\"{shown}\", where {what} must be");
    }

    private long Integer(long min, long max)
    {
        if (IsPlain)
        {
            byte[] bytes = _b;
            int p = _sliceFrom;
            bool negative = bytes[p] == '-';
            int from = negative ? ++p : p;
            long value = 0;
            for (uint digit = bytes[p] - (uint)'0'; digit <= 9; digit = bytes[++p] - (uint)'0')
            {
                value = value * 10 + digit;
            }
            value = negative ? -value : value;
            if (p == _sliceTo && p > from && p - from <= 18 && value >= min && value <= max)
            {
                return value;
            }
        }
        ReadOnlySpan<byte> text = TakeTrimmed();
        bool minus = text.StartsWith("-"u8);
        ReadOnlySpan<byte> digits = minus || text.StartsWith("+"u8) ? text[1..] : text;
        if (!Digits.AreAll(digits))
        {
            throw Wrong("a number");
        }
        return Digits.TryInteger(minus, digits, min, max, out long number) ? number : throw Wrong($"a number from {min} to {max}");
    }
}
