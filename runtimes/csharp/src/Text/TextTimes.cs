using System;

namespace Creo;

/// <summary>A <c>DateTime</c> as text: written by VAL-6, read by XML-13.</summary>
internal static class TextTimes
{
    private const int Day = 86_400;
    private const int MaxFractionDigits = 9;

    /// <summary>Writes an instant, and returns its size.</summary>
    public static int Put(Span<byte> target, Instant value)
    {
        ulong seconds = (ulong)(value.Seconds - Instant.MinSeconds);
        uint days = (uint)(seconds / Day);
        (uint year, uint month, uint day) = Date(days);
        uint time = (uint)(seconds - days * (ulong)Day);
        uint minutes = time / 60;
        target = target[..TextNumbers.MaxLength];
        uint century = year / 100;
        PutTwo(target, century);
        PutTwo(target[2..], year - 100 * century);
        target[4] = (byte)'-';
        PutTwo(target[5..], month);
        target[7] = (byte)'-';
        PutTwo(target[8..], day);
        target[10] = (byte)'T';
        PutTwo(target[11..], minutes / 60);
        target[13] = (byte)':';
        PutTwo(target[14..], minutes % 60);
        target[16] = (byte)':';
        PutTwo(target[17..], time - 60 * minutes);
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

    /// <summary>The instant of a trimmed text; false if invalid.</summary>
    public static bool TryParse(ReadOnlySpan<byte> text, out Instant value)
    {
        value = default;
        if (text.Length < 19 || text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[13] != ':' || text[16] != ':')
        {
            return false;
        }
        int year = Two(text[0], text[1]) * 100 + Two(text[2], text[3]);
        int month = Two(text[5], text[6]);
        int day = Two(text[8], text[9]);
        int hour = Two(text[11], text[12]);
        int minute = Two(text[14], text[15]);
        int second = Two(text[17], text[18]);
        if (year < 1 || month is < 1 or > 12 || day < 1 || day > DateTime.DaysInMonth(year, month) || hour is < 0 or > 24 || minute is < 0 or > 59
            || second is < 0 or > 59 || !TryParseFraction(text[19..], out int nanoseconds, out int fraction)
            || (hour == 24 && (minute != 0 || second != 0 || nanoseconds != 0)) || !TryParseOffset(text[(19 + fraction)..], out int offset))
        {
            return false;
        }
        // The inverse of writing.
        uint shifted = (uint)(month <= 2 ? year - 1 : year);
        uint moved = (uint)(month <= 2 ? month + 9 : month - 3);
        long days = 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + (153 * moved + 2) / 5 + (uint)day - 307;
        long seconds = days * Day + Instant.MinSeconds + hour * 3600 + minute * 60 + second;
        if (seconds > Instant.MaxSeconds)
        {
            return false;
        }
        value = Instant.OfLocal(seconds, nanoseconds, offset);
        return true;
    }

    // The date of a day, counted from 0001-01-01: years begin in March, so the leap day is the last.
    private static (uint Year, uint Month, uint Day) Date(uint days)
    {
        const uint era = 146_097;
        uint shifted = days + 306;
        uint eras = shifted / era;
        uint of = shifted - eras * era;
        uint year = (of - of / 1460 + of / 36_524 - of / 146_096) / 365;
        uint day = of - (365 * year + year / 4 - year / 100);
        uint month = (5 * day + 2) / 153;
        uint first = day - (153 * month + 2) / 5 + 1;
        uint civil = month < 10 ? month + 3 : month - 9;
        return (eras * 400 + year + (civil <= 2 ? 1u : 0u), civil, first);
    }

    private static void PutTwo(Span<byte> target, uint value)
    {
        ReadOnlySpan<byte> all =
            "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849"u8
            + "5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899"u8;
        all.Slice((int)(2 * value), 2).CopyTo(target);
    }

    private static void PutDigits(Span<byte> target, int value, int count)
    {
        for (int i = count - 1; i >= 0; i--)
        {
            target[i] = (byte)('0' + value % 10);
            value /= 10;
        }
    }

    // The number of two digits; far below zero if invalid.
    private static int Two(byte tens, byte ones)
    {
        int first = tens - '0';
        int second = ones - '0';
        return (uint)first > 9 || (uint)second > 9 ? -100_000 : first * 10 + second;
    }

    // Digits after the ninth must be zeros.
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
        for (int i = 0; i < MaxFractionDigits; i++)
        {
            nanoseconds = nanoseconds * 10 + (i < digits ? text[1 + i] - '0' : 0);
        }
        return digits > 0 && (digits <= MaxFractionDigits || text[(1 + MaxFractionDigits)..length].IndexOfAnyExcept((byte)'0') < 0);
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
        int hours = Two(text[1], text[2]);
        int minutes = Two(text[4], text[5]);
        seconds = (hours * 60 + minutes) * (text[0] == '-' ? -60 : 60);
        return hours >= 0 && minutes is >= 0 and <= 59 && hours * 60 + minutes <= 14 * 60;
    }
}
