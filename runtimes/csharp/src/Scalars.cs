using System;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Numerics;
using System.Text;

namespace Creo;

/// <summary>A point in time in nanoseconds, in the years 1 to 9999: the description's <c>DateTime</c>.</summary>
/// <remarks>The default value is 1970-01-01T00:00:00Z.</remarks>
public readonly struct Instant : IEquatable<Instant>, IComparable<Instant>, IComparable, ISpanParsable<Instant>
{
    /// <summary>The seconds of the first instant.</summary>
    internal const long MinSeconds = -62_135_596_800;

    /// <summary>The seconds of the last instant.</summary>
    internal const long MaxSeconds = 253_402_300_799;

    /// <summary>One second in nanoseconds.</summary>
    internal const int NanosecondsPerSecond = 1_000_000_000;

    private const int NanosecondsPerTick = 100;

    /// <summary>An instant from the seconds since 1970-01-01T00:00:00Z and the nanoseconds after that second.</summary>
    public Instant(long seconds, int nanoseconds = 0)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(seconds, MinSeconds);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(seconds, MaxSeconds);
        ArgumentOutOfRangeException.ThrowIfNegative(nanoseconds);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(nanoseconds, NanosecondsPerSecond);
        Seconds = seconds;
        Nanoseconds = nanoseconds;
    }

    /// <summary>0001-01-01T00:00:00Z.</summary>
    public static Instant MinValue => new(MinSeconds, 0);

    /// <summary>9999-12-31T23:59:59.999999999Z.</summary>
    public static Instant MaxValue => new(MaxSeconds, NanosecondsPerSecond - 1);

    /// <summary>The current time, as precise as the platform's clock.</summary>
    public static Instant Now => FromDateTimeOffset(DateTimeOffset.UtcNow);

    /// <summary>Whole seconds since 1970-01-01T00:00:00Z, rounded down.</summary>
    public long Seconds { get; }

    /// <summary>Nanoseconds after <see cref="Seconds"/>, 0 to 999,999,999.</summary>
    public int Nanoseconds { get; }

    public static implicit operator Instant(DateTimeOffset time) => FromDateTimeOffset(time);

    public static bool operator ==(Instant left, Instant right) => left.Equals(right);

    public static bool operator !=(Instant left, Instant right) => !left.Equals(right);

    public static bool operator <(Instant left, Instant right) => left.CompareTo(right) < 0;

    public static bool operator >(Instant left, Instant right) => left.CompareTo(right) > 0;

    public static bool operator <=(Instant left, Instant right) => left.CompareTo(right) <= 0;

    public static bool operator >=(Instant left, Instant right) => left.CompareTo(right) >= 0;

    public static Instant FromDateTimeOffset(DateTimeOffset time)
    {
        (long seconds, long ticks) = Math.DivRem(time.UtcTicks, TimeSpan.TicksPerSecond);
        return new Instant(seconds + MinSeconds, (int)ticks * NanosecondsPerTick);
    }

    /// <summary>An instant from a date and time, which is local if its kind says so, and otherwise UTC.</summary>
    public static Instant FromDateTime(DateTime time) =>
        FromDateTimeOffset(new DateTimeOffset(time.Kind == DateTimeKind.Local ? time.ToUniversalTime().Ticks : time.Ticks, TimeSpan.Zero));

    /// <summary>The platform's time in UTC, truncated to its steps of 100 nanoseconds.</summary>
    public DateTimeOffset ToDateTimeOffset() =>
        new((Seconds - MinSeconds) * TimeSpan.TicksPerSecond + Nanoseconds / NanosecondsPerTick, TimeSpan.Zero);

    /// <summary>The platform's date and time in UTC, truncated to its steps of 100 nanoseconds.</summary>
    public DateTime ToDateTime() => ToDateTimeOffset().UtcDateTime;

    /// <summary>RFC 3339 text in UTC, with the fewest of 0, 3, 6 or 9 digits of fraction that are exact.</summary>
    public override string ToString()
    {
        string text = ToDateTimeOffset().ToString("yyyy-MM-dd'T'HH:mm:ss", CultureInfo.InvariantCulture);
        string fraction = Nanoseconds switch
        {
            0 => "",
            _ when Nanoseconds % 1_000_000 == 0 => string.Create(CultureInfo.InvariantCulture, $".{Nanoseconds / 1_000_000:d3}"),
            _ when Nanoseconds % 1_000 == 0 => string.Create(CultureInfo.InvariantCulture, $".{Nanoseconds / 1_000:d6}"),
            _ => string.Create(CultureInfo.InvariantCulture, $".{Nanoseconds:d9}"),
        };
        return text + fraction + "Z";
    }

    /// <summary>Parses RFC 3339 text with 0 to 9 digits of fraction, and <c>Z</c> or an offset.</summary>
    /// <exception cref="FormatException">The text has another form, or is out of range.</exception>
    public static Instant Parse(string s, IFormatProvider? provider = null)
    {
        ArgumentNullException.ThrowIfNull(s);
        return Parse(s.AsSpan(), provider);
    }

    /// <inheritdoc cref="Parse(string, IFormatProvider)"/>
    public static Instant Parse(ReadOnlySpan<char> s, IFormatProvider? provider = null) =>
        TryParse(s, provider, out Instant result) ? result : throw new FormatException($"\"{s}\" is not an instant in RFC 3339 form");

    public static bool TryParse([NotNullWhen(true)] string? s, IFormatProvider? provider, out Instant result) =>
        TryParse(s.AsSpan(), provider, out result);

    public static bool TryParse(ReadOnlySpan<char> s, IFormatProvider? provider, out Instant result)
    {
        result = default;
        const int fixedLength = 19;
        if (s.Length <= fixedLength
            || !DateTime.TryParseExact(Uppercase(s[..fixedLength]), "yyyy-MM-dd'T'HH:mm:ss", CultureInfo.InvariantCulture, DateTimeStyles.None, out DateTime local))
        {
            return false;
        }
        ReadOnlySpan<char> rest = s[fixedLength..];
        int nanoseconds = 0;
        if (rest[0] == '.')
        {
            int digits = rest[1..].IndexOfAnyExceptInRange('0', '9');
            if (digits is < 1 or > 9)
            {
                return false;
            }
            foreach (char digit in rest.Slice(1, digits))
            {
                nanoseconds = nanoseconds * 10 + (digit - '0');
            }
            for (int i = digits; i < 9; i++)
            {
                nanoseconds *= 10;
            }
            rest = rest[(1 + digits)..];
        }
        if (!TryParseOffset(rest, out int offset))
        {
            return false;
        }
        result = OfLocal(local.Ticks / TimeSpan.TicksPerSecond + MinSeconds, nanoseconds, offset);
        return true;
    }

    /// <summary>The instant of a time with an offset; the first or the last one if only the offset takes it out of the range (XML-13).</summary>
    internal static Instant OfLocal(long seconds, int nanoseconds, int offset) => (seconds - offset) switch
    {
        < MinSeconds => MinValue,
        > MaxSeconds => MaxValue,
        long utc => new Instant(utc, nanoseconds),
    };

    public bool Equals(Instant other) => Seconds == other.Seconds && Nanoseconds == other.Nanoseconds;

    public override bool Equals(object? obj) => obj is Instant other && Equals(other);

    public override int GetHashCode() => HashCode.Combine(Seconds, Nanoseconds);

    public int CompareTo(Instant other) =>
        Seconds != other.Seconds ? Seconds.CompareTo(other.Seconds) : Nanoseconds.CompareTo(other.Nanoseconds);

    int IComparable.CompareTo(object? obj) => obj switch
    {
        null => 1,
        Instant other => CompareTo(other),
        _ => throw new ArgumentException("not an instant", nameof(obj)),
    };

    private static string Uppercase(ReadOnlySpan<char> text) => text.ToString().Replace('t', 'T');

    private static bool TryParseOffset(ReadOnlySpan<char> text, out int seconds)
    {
        seconds = 0;
        if (text is "Z" or "z")
        {
            return true;
        }
        if (text.Length != 6 || text[0] is not ('+' or '-') || text[3] != ':'
            || !int.TryParse(text.Slice(1, 2), NumberStyles.None, CultureInfo.InvariantCulture, out int hours)
            || !int.TryParse(text.Slice(4, 2), NumberStyles.None, CultureInfo.InvariantCulture, out int minutes)
            || hours > 23 || minutes > 59)
        {
            return false;
        }
        seconds = (hours * 60 + minutes) * (text[0] == '-' ? -60 : 60);
        return true;
    }
}

/// <summary>A decimal number with its scale, of up to 1,000 digits: the description's <c>Decimal</c>.</summary>
/// <remarks>
/// <c>1.5</c> and <c>1.50</c> are different values. This type stores numbers and does not calculate: convert to <see cref="decimal"/>, if the digits
/// fit, or use <see cref="Unscaled"/>. The default value is 0.
/// </remarks>
public readonly struct BigDecimal : IEquatable<BigDecimal>, IComparable<BigDecimal>, IComparable, ISpanParsable<BigDecimal>
{
    /// <summary>The max number of digits, including the zeros of <c>0.001</c>.</summary>
    public const int MaxDigits = 1000;

    /// <summary>The number <c>unscaled</c> / 10^<c>scale</c>.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The scale is negative, or the number has more than 1,000 digits.</exception>
    public BigDecimal(BigInteger unscaled, int scale = 0)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(scale);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(scale, MaxDigits);
        // 3,330 bits hold any number of 1,000 digits: a larger one is refused before its digits are computed.
        if (unscaled.GetBitLength() > 3330 || (unscaled.GetBitLength() > 3300 && DigitCount(unscaled, scale) > MaxDigits))
        {
            throw new ArgumentOutOfRangeException(nameof(unscaled), $"a decimal number has at most {MaxDigits} digits");
        }
        Unscaled = unscaled;
        Scale = scale;
    }

    /// <summary>All digits of the number, as an integer.</summary>
    public BigInteger Unscaled { get; }

    /// <summary>The number of digits after the point.</summary>
    public int Scale { get; }

    public static implicit operator BigDecimal(decimal value)
    {
        Span<int> parts = stackalloc int[4];
        decimal.GetBits(value, parts);
        BigInteger unscaled = ((BigInteger)(uint)parts[2] << 64) | ((BigInteger)(uint)parts[1] << 32) | (uint)parts[0];
        return new BigDecimal(parts[3] < 0 ? -unscaled : unscaled, (parts[3] >> 16) & 0xff);
    }

    public static implicit operator BigDecimal(long value) => new(value);

    /// <summary>The platform's decimal, with the same scale.</summary>
    /// <exception cref="OverflowException">It does not fit into 96 bits, or has more than 28 digits after the point.</exception>
    public static explicit operator decimal(BigDecimal value) => value.ToDecimal();

    public static bool operator ==(BigDecimal left, BigDecimal right) => left.Equals(right);

    public static bool operator !=(BigDecimal left, BigDecimal right) => !left.Equals(right);

    public static bool operator <(BigDecimal left, BigDecimal right) => left.CompareTo(right) < 0;

    public static bool operator >(BigDecimal left, BigDecimal right) => left.CompareTo(right) > 0;

    public static bool operator <=(BigDecimal left, BigDecimal right) => left.CompareTo(right) <= 0;

    public static bool operator >=(BigDecimal left, BigDecimal right) => left.CompareTo(right) >= 0;

    /// <inheritdoc cref="op_Explicit(BigDecimal)"/>
    public decimal ToDecimal()
    {
        BigInteger size = BigInteger.Abs(Unscaled);
        if (Scale > 28 || size.GetBitLength() > 96)
        {
            throw new OverflowException($"{this} does not fit into System.Decimal");
        }
        Span<byte> bytes = stackalloc byte[12];
        size.TryWriteBytes(bytes, out _, isUnsigned: true);
        return new decimal(
            BitConverter.ToInt32(bytes), BitConverter.ToInt32(bytes[4..]), BitConverter.ToInt32(bytes[8..]), Unscaled.Sign < 0, (byte)Scale);
    }

    /// <summary>The nearest binary number.</summary>
    public double ToDouble() => double.Parse(ToString(), CultureInfo.InvariantCulture);

    /// <summary>The canonical form: <c>-?(0|[1-9][0-9]*)(\.[0-9]+)?</c> (BIN-12).</summary>
    public override string ToString()
    {
        string digits = Digits();
        if (Scale > 0)
        {
            digits = digits.Insert(digits.Length - Scale, ".");
        }
        return Unscaled.Sign < 0 ? "-" + digits : digits;
    }

    /// <summary>Parses digits with an optional sign, point and exponent; a positive exponent is expanded to zeros.</summary>
    /// <exception cref="FormatException">The text has another form, or too many digits.</exception>
    public static BigDecimal Parse(string s, IFormatProvider? provider = null)
    {
        ArgumentNullException.ThrowIfNull(s);
        return Parse(s.AsSpan(), provider);
    }

    /// <inheritdoc cref="Parse(string, IFormatProvider)"/>
    public static BigDecimal Parse(ReadOnlySpan<char> s, IFormatProvider? provider = null) =>
        TryParse(s, provider, out BigDecimal result) ? result : throw new FormatException($"\"{s}\" is not a decimal number of at most {MaxDigits} digits");

    public static bool TryParse([NotNullWhen(true)] string? s, IFormatProvider? provider, out BigDecimal result) =>
        TryParse(s.AsSpan(), provider, out result);

    public static bool TryParse(ReadOnlySpan<char> s, IFormatProvider? provider, out BigDecimal result)
    {
        result = default;
        bool negative = s.Length > 0 && s[0] == '-';
        ReadOnlySpan<char> number = s.Length > 0 && s[0] is '-' or '+' ? s[1..] : s;
        int exponent = 0;
        int mark = number.IndexOfAny('e', 'E');
        if (mark >= 0)
        {
            if (!int.TryParse(number[(mark + 1)..], NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out exponent)
                || exponent is < -MaxDigits or > MaxDigits)
            {
                return false;
            }
            number = number[..mark];
        }
        int point = number.IndexOf('.');
        ReadOnlySpan<char> whole = point < 0 ? number : number[..point];
        ReadOnlySpan<char> fraction = point < 0 ? default : number[(point + 1)..];
        if (whole.IsEmpty || (point >= 0 && fraction.IsEmpty) || whole.Length + fraction.Length > MaxDigits
            || whole.ContainsAnyExceptInRange('0', '9') || fraction.ContainsAnyExceptInRange('0', '9'))
        {
            return false;
        }
        int scale = fraction.Length - exponent;
        BigInteger unscaled = BigInteger.Parse(string.Concat(whole, fraction), NumberStyles.None, CultureInfo.InvariantCulture);
        if (scale < 0)
        {
            unscaled *= BigInteger.Pow(10, -scale);
            scale = 0;
        }
        if (scale >= MaxDigits || DigitCount(unscaled, scale) > MaxDigits)
        {
            return false;
        }
        result = new BigDecimal(negative ? -unscaled : unscaled, scale);
        return true;
    }

    public bool Equals(BigDecimal other) => Scale == other.Scale && Unscaled == other.Unscaled;

    public override bool Equals(object? obj) => obj is BigDecimal other && Equals(other);

    public override int GetHashCode() => HashCode.Combine(Unscaled, Scale);

    /// <summary>Compares the numbers, and equal ones by their scale.</summary>
    public int CompareTo(BigDecimal other)
    {
        int scale = Math.Max(Scale, other.Scale);
        int order = (Unscaled * BigInteger.Pow(10, scale - Scale)).CompareTo(other.Unscaled * BigInteger.Pow(10, scale - other.Scale));
        return order != 0 ? order : Scale.CompareTo(other.Scale);
    }

    int IComparable.CompareTo(object? obj) => obj switch
    {
        null => 1,
        BigDecimal other => CompareTo(other),
        _ => throw new ArgumentException("not a decimal number", nameof(obj)),
    };

    /// <summary>Parses only the canonical form (BIN-12).</summary>
    internal static bool TryParseCanonical(ReadOnlySpan<byte> text, out BigDecimal result)
    {
        result = default;
        if (text.Length is 0 or > MaxDigits + 2)
        {
            return false;
        }
        bool negative = text[0] == (byte)'-';
        ReadOnlySpan<byte> number = negative ? text[1..] : text;
        int point = number.IndexOf((byte)'.');
        ReadOnlySpan<byte> whole = point < 0 ? number : number[..point];
        ReadOnlySpan<byte> fraction = point < 0 ? default : number[(point + 1)..];
        if (whole.IsEmpty || (whole.Length > 1 && whole[0] == (byte)'0') || (point >= 0 && fraction.IsEmpty)
            || whole.Length + fraction.Length > MaxDigits
            || whole.ContainsAnyExceptInRange((byte)'0', (byte)'9') || fraction.ContainsAnyExceptInRange((byte)'0', (byte)'9'))
        {
            return false;
        }
        BigInteger unscaled = whole.Length + fraction.Length <= 18 ? Few(Few(0, whole), fraction) : Many(whole, fraction);
        if (negative && unscaled.IsZero)
        {
            return false;
        }
        result = new BigDecimal(negative ? -unscaled : unscaled, fraction.Length);
        return true;
    }

    /// <summary>The room for <see cref="Put"/>.</summary>
    internal const int MaxPutLength = 32;

    /// <summary>Writes the canonical form if it has at most 19 digits, and returns its size; else returns 0.</summary>
    internal int Put(Span<byte> target)
    {
        const int maxDigits = 19;
        if (Scale >= maxDigits || Unscaled > long.MaxValue || Unscaled < -long.MaxValue)
        {
            return 0;
        }
        long unscaled = (long)Unscaled;
        int start = 0;
        if (unscaled < 0)
        {
            target[start++] = (byte)'-';
            unscaled = -unscaled;
        }
        global::System.Buffers.Text.Utf8Formatter.TryFormat(unscaled, target[start..], out int count);
        if (Scale == 0)
        {
            return start + count;
        }
        Span<byte> digits = target[start..];
        int zeros = Math.Max(0, Scale + 1 - count);
        digits[..count].CopyTo(digits[zeros..]);
        digits[..zeros].Fill((byte)'0');
        int point = zeros + count - Scale;
        digits.Slice(point, Scale).CopyTo(digits[(point + 1)..]);
        digits[point] = (byte)'.';
        return start + zeros + count + 1;
    }

    // A number with a few more digits, which together fit into a long.
    private static long Few(long number, ReadOnlySpan<byte> digits)
    {
        foreach (byte digit in digits)
        {
            number = (number * 10) + (digit - '0');
        }
        return number;
    }

    private static BigInteger Many(ReadOnlySpan<byte> whole, ReadOnlySpan<byte> fraction)
    {
        Span<char> digits = stackalloc char[whole.Length + fraction.Length];
        Encoding.ASCII.GetChars(whole, digits);
        Encoding.ASCII.GetChars(fraction, digits[whole.Length..]);
        return BigInteger.Parse(digits, NumberStyles.None, CultureInfo.InvariantCulture);
    }

    // The digits of the canonical form without its point: at least one precedes the point.
    private string Digits() =>
        BigInteger.Abs(Unscaled).ToString(CultureInfo.InvariantCulture).PadLeft(Scale + 1, '0');

    private static int DigitCount(BigInteger unscaled, int scale) =>
        Math.Max(BigInteger.Abs(unscaled).ToString(CultureInfo.InvariantCulture).Length, scale + 1);
}
