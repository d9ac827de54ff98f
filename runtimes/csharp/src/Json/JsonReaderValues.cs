using System;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;

namespace Creo.Json;

// Single values, and arrays of primitives.
internal sealed partial class JsonReader
{
    public override bool ReadBoolean()
    {
        if (_isKey)
        {
            _isKey = false;
            return Taken.SequenceEqual("true"u8) || (Taken.SequenceEqual("false"u8) ? false : throw WrongKey("true or false"));
        }
        int p = Start();
        if (IsAt(p, "true"u8))
        {
            _pos = p + 4;
            return true;
        }
        if (!IsAt(p, "false"u8))
        {
            throw Wrong(p, "true or false");
        }
        _pos = p + 5;
        return false;
    }

    public override sbyte ReadSByte() => (sbyte)Integer(sbyte.MinValue, sbyte.MaxValue);

    public override short ReadInt16() => (short)Integer(short.MinValue, short.MaxValue);

    public override int ReadInt32() => (int)Integer(int.MinValue, int.MaxValue);

    public override long ReadInt64()
    {
        if (!_isKey && _b[Start()] == '"')
        {
            int at = _pos;
            TakeString(at);
            return IntegerOf(Taken, at, long.MinValue, long.MaxValue);
        }
        return Integer(long.MinValue, long.MaxValue);
    }

    public override char ReadChar()
    {
        int at = _pos;
        if (!_isKey)
        {
            at = Start();
            if (_b[at] != '"')
            {
                return (char)Integer(char.MinValue, char.MaxValue);
            }
            TakeString(at, isChar: true);
        }
        bool isKey = _isKey;
        _isKey = false;
        int unit = OneUnit(Taken);
        if (unit >= 0)
        {
            return (char)unit;
        }
        return isKey ? (char)IntegerOf(Taken, at, char.MinValue, char.MaxValue) : throw Malformed(at, "a string that is not one character, where a char must be");
    }

    public override double ReadDouble()
    {
        int p = Start();
        int to = Digits.PlainNumber(_b, p, true, out bool negative, out ulong digits, out int exponent);
        if (to >= 0)
        {
            double value = FloatingPoint.Nearest(digits, exponent);
            if (!double.IsNaN(value))
            {
                _pos = to;
                return negative ? -value : value;
            }
        }
        double slow = _b[p] == '"' ? Named(p) : double.Parse(NumberAt(p), NumberStyles.Float, CultureInfo.InvariantCulture);
        return _b[p] == '"' || double.IsFinite(slow) ? slow : throw Wrong(p, "a number that is not too large");
    }

    public override float ReadSingle()
    {
        int p = Start();
        int to = Digits.PlainNumber(_b, p, true, out bool negative, out ulong digits, out int exponent);
        if (to >= 0)
        {
            float value = FloatingPoint.NearestSingle(digits, exponent);
            if (!float.IsNaN(value))
            {
                _pos = to;
                return negative ? -value : value;
            }
        }
        float slow = _b[p] == '"' ? (float)Named(p) : float.Parse(NumberAt(p), NumberStyles.Float, CultureInfo.InvariantCulture);
        return _b[p] == '"' || float.IsFinite(slow) ? slow : throw Wrong(p, "a number that is not too large");
    }

    public override string ReadString()
    {
        if (_isKey)
        {
            _isKey = false;
            return WholeKey();
        }
        return TakeString(Quote("a string")) ? Encoding.Latin1.GetString(Taken) : Encoding.UTF8.GetString(Taken);
    }

    public override Instant ReadInstant()
    {
        int at = Quote("a date and time");
        TakeString(at);
        return TryTime(Taken, out Instant value) ? value : throw Wrong(at, "a date and time");
    }

    public override BigDecimal ReadDecimal()
    {
        int at = Start();
        if (_b[at] == '"')
        {
            TakeString(at);
            return BigDecimal.TryParseCanonical(Taken, out BigDecimal value) ? value : throw Wrong(at, "a decimal number");
        }
        return DecimalOf(NumberAt(at), at);
    }

    public override ValueArray<byte> ReadBytes()
    {
        int at = Quote("base64");
        TakeString(at);
        return Digits.FromBase64(Taken) ?? throw Wrong(at, "base64");
    }

    public override int ReadEnum(TextEnum type)
    {
        bool isKey = _isKey;
        _isKey = false;
        int at = isKey ? _pos : Start();
        if (isKey || _b[at] == '"')
        {
            if (!isKey)
            {
                TakeString(at);
            }
            int number = type.NumberOfName(Taken);
            if (number >= 0)
            {
                return number;
            }
            if (!isKey || Taken.IsEmpty || Taken[0] is < (byte)'0' or > (byte)'9')
            {
                throw isKey ? WrongKey("one of " + type.Expected(names: true)) : Wrong(at, "one of " + type.Expected(names: true));
            }
        }
        int given = (int)IntegerOf(isKey ? Taken : NumberAt(at), at, 0, int.MaxValue);
        return type.IsExtensible || type.Text(given) is not null ? given : throw Wrong(at, "one of " + type.Expected(names: true));
    }

    public override string ReadRaw() => ReadString();

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

    // The first quote of the string that is expected here.
    private int Quote(string what)
    {
        int p = Start();
        return _b[p] == '"' ? p : throw Wrong(p, what);
    }

    private CreoException Wrong(int at, string what) => Malformed(at, $"{Shown(at)}, where {what} must be");

    private CreoException WrongKey(string what) => Malformed(_pos - 1, $"the name {ShownName()}, where {what} must be");

    private long Integer(long min, long max)
    {
        if (_isKey)
        {
            _isKey = false;
            return IntegerOf(Taken, _pos - 1, min, max);
        }
        byte[] bytes = _b;
        int at = Start();
        int p = at;
        bool negative = bytes[p] == '-';
        int from = negative ? ++p : p;
        long value = 0;
        for (uint digit = bytes[p] - (uint)'0'; digit <= 9; digit = bytes[++p] - (uint)'0')
        {
            value = value * 10 + digit;
        }
        value = negative ? -value : value;
        int count = p - from;
        if (count is > 0 and <= 18 && (count == 1 || bytes[from] != '0') && value >= min && value <= max && bytes[p] != '.' && (bytes[p] | 0x20) != 'e')
        {
            _pos = p;
            return value;
        }
        return IntegerOf(NumberAt(at), at, min, max);
    }

    // JSON-12.
    private long IntegerOf(ReadOnlySpan<byte> text, int at, long min, long max)
    {
        bool negative = text.StartsWith("-"u8);
        ReadOnlySpan<byte> digits = negative ? text[1..] : text;
        if (!IsWhole(digits))
        {
            throw Malformed(at, "no number without fraction and exponent, where one must be");
        }
        return Digits.TryInteger(negative, digits, min, max, out long value) ? value : throw Malformed(at, $"a number that is not one from {min} to {max}");
    }

    // Reads the number that is expected at an index.
    private ReadOnlySpan<byte> NumberAt(int p)
    {
        int to = EndOfNumber(p);
        ReadOnlySpan<byte> text = _b.AsSpan(p, to - p);
        if (!IsNumber(text))
        {
            throw Malformed(to >= _end ? _end : p, $"{Shown(p)}, where a number must be");
        }
        _pos = to;
        return text;
    }

    // VAL-3.
    private double Named(int quote)
    {
        TakeString(quote);
        return Taken.SequenceEqual("NaN"u8) ? BitConverter.Int64BitsToDouble(0x7ff8_0000_0000_0000)
            : Taken.SequenceEqual("Infinity"u8) ? double.PositiveInfinity
            : Taken.SequenceEqual("-Infinity"u8) ? double.NegativeInfinity
            : throw Wrong(quote, "a number");
    }

    // A JSON number with all its digits (JSON-12).
    private BigDecimal DecimalOf(ReadOnlySpan<byte> text, int at)
    {
        bool negative = text.StartsWith("-"u8);
        ReadOnlySpan<byte> number = negative ? text[1..] : text;
        int point = number.IndexOf((byte)'.');
        ReadOnlySpan<byte> whole = point < 0 ? number : number[..point];
        ReadOnlySpan<byte> fraction = point < 0 ? default : number[(point + 1)..];
        if (number.IndexOfAny((byte)'e', (byte)'E') >= 0)
        {
            throw Malformed(at, "a number with an exponent, where a decimal number must be");
        }
        return Digits.TryDecimal(negative, whole, fraction, out BigDecimal value) ? value : throw Malformed(at, "a decimal number of too many digits");
    }

    // RFC 3339 (VAL-6): as in XML, with an offset, without hour 24, and with at most nine digits of fraction.
    private static bool TryTime(ReadOnlySpan<byte> text, out Instant value)
    {
        const int hour = 11;
        const int fixedSize = 19;
        value = default;
        if (text.Length <= fixedSize || text.Slice(hour, 2).SequenceEqual("24"u8))
        {
            return false;
        }
        int fraction = text[fixedSize] == '.' ? text[(fixedSize + 1)..].IndexOfAnyExceptInRange((byte)'0', (byte)'9') : 0;
        return fraction is >= 0 and <= 9 && TextTimes.TryParse(text, out value);
    }

    // The only code unit of a text; -1 if there are more.
    private static int OneUnit(ReadOnlySpan<byte> text) => text.Length switch
    {
        1 => text[0],
        2 when text[0] >= 0xc0 => ((text[0] & 0x1f) << 6) | (text[1] & 0x3f),
        3 when text[0] >= 0xe0 => ((text[0] & 0x0f) << 12) | ((text[1] & 0x3f) << 6) | (text[2] & 0x3f),
        _ => -1,
    };

    // A string key, which must not be a lone surrogate.
    private string WholeKey()
    {
        ReadOnlySpan<byte> text = Taken;
        return global::System.Text.Unicode.Utf8.IsValid(text) ? Encoding.UTF8.GetString(text) : throw Malformed(_pos - 1, "a surrogate without its partner");
    }
}
