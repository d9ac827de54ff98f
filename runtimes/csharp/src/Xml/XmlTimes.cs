using System;

namespace Creo.Xml;

/// <summary>A <c>DateTime</c> as text: written as VAL-6 says, read as XML-13 does.</summary>
internal static class XmlTimes
{
    private const int Day = 86_400;
    private const int LongestFraction = 9;

    /// <summary>Writes an instant, and answers how many bytes that took.</summary>
    public static int Put(Span<byte> target, Instant value)
    {
        DateTime time = value.ToDateTime();
        PutDigits(target, time.Year, 4);
        target[4] = (byte)'-';
        PutDigits(target[5..], time.Month, 2);
        target[7] = (byte)'-';
        PutDigits(target[8..], time.Day, 2);
        target[10] = (byte)'T';
        PutDigits(target[11..], time.Hour, 2);
        target[13] = (byte)':';
        PutDigits(target[14..], time.Minute, 2);
        target[16] = (byte)':';
        PutDigits(target[17..], time.Second, 2);
        int position = 19;
        int nanoseconds = value.Nanoseconds;
        if (nanoseconds != 0)
        {
            int digits = nanoseconds % 1_000_000 == 0 ? 3 : nanoseconds % 1_000 == 0 ? 6 : 9;
            target[position] = (byte)'.';
            PutDigits(target[(position + 1)..], digits == 3 ? nanoseconds / 1_000_000 : digits == 6 ? nanoseconds / 1_000 : nanoseconds, digits);
            position += 1 + digits;
        }
        target[position] = (byte)'Z';
        return position + 1;
    }

    /// <summary>The instant of a text without white space around it; false if it is none.</summary>
    public static bool TryParse(ReadOnlySpan<byte> text, out Instant value)
    {
        value = default;
        if (text.Length < 19 || text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[13] != ':' || text[16] != ':')
        {
            return false;
        }
        int year = Digits(text, 4);
        int month = Digits(text[5..], 2);
        int day = Digits(text[8..], 2);
        int hour = Digits(text[11..], 2);
        int minute = Digits(text[14..], 2);
        int second = Digits(text[17..], 2);
        if (year < 1 || month is < 1 or > 12 || day < 1 || day > DateTime.DaysInMonth(year, month) || hour is < 0 or > 24 || minute is < 0 or > 59
            || second is < 0 or > 59 || !TryParseFraction(text[19..], out int nanoseconds, out int fraction)
            || (hour == 24 && (minute != 0 || second != 0 || nanoseconds != 0)) || !TryParseOffset(text[(19 + fraction)..], out int offset))
        {
            return false;
        }
        long days = new DateTime(year, month, day).Ticks / TimeSpan.TicksPerDay;
        long seconds = days * Day + Instant.LeastSeconds + hour * 3600 + minute * 60 + second - offset;
        if (seconds is < Instant.LeastSeconds or > Instant.MostSeconds)
        {
            return false;
        }
        value = new Instant(seconds, nanoseconds);
        return true;
    }

    private static void PutDigits(Span<byte> target, int value, int count)
    {
        for (int i = count - 1; i >= 0; i--)
        {
            target[i] = (byte)('0' + value % 10);
            value /= 10;
        }
    }

    private static int Digits(ReadOnlySpan<byte> text, int count)
    {
        int value = 0;
        foreach (byte digit in text[..count])
        {
            if (digit is < (byte)'0' or > (byte)'9')
            {
                return -1;
            }
            value = value * 10 + (digit - '0');
        }
        return value;
    }

    // Digits behind the ninth must be zeros.
    private static bool TryParseFraction(ReadOnlySpan<byte> text, out int nanoseconds, out int length)
    {
        nanoseconds = 0;
        length = 0;
        if (text.IsEmpty || text[0] != '.')
        {
            return true;
        }
        int digits = text[1..].IndexOfAnyExceptInRange((byte)'0', (byte)'9');
        digits = digits < 0 ? text.Length - 1 : digits;
        length = 1 + digits;
        for (int i = 0; i < LongestFraction; i++)
        {
            nanoseconds = nanoseconds * 10 + (i < digits ? text[1 + i] - '0' : 0);
        }
        return digits > 0 && (digits <= LongestFraction || text[(1 + LongestFraction)..length].IndexOfAnyExcept((byte)'0') < 0);
    }

    private static bool TryParseOffset(ReadOnlySpan<byte> text, out int seconds)
    {
        seconds = 0;
        if (text.IsEmpty || (text.Length == 1 && text[0] == 'Z'))
        {
            return true;
        }
        if (text.Length != 6 || text[0] is not ((byte)'+' or (byte)'-') || text[3] != ':')
        {
            return false;
        }
        int hours = Digits(text[1..], 2);
        int minutes = Digits(text[4..], 2);
        seconds = (hours * 60 + minutes) * (text[0] == '-' ? -60 : 60);
        return hours >= 0 && minutes is >= 0 and <= 59 && hours * 60 + minutes <= 14 * 60;
    }
}
