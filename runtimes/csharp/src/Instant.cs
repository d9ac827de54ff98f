using System;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;

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
