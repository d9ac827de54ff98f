using System;
using System.Buffers;
using System.Buffers.Text;
using System.Globalization;
using System.Numerics;
using System.Text;

namespace Creo;

/// <summary>Parses the digits of texts.</summary>
internal static class Digits
{
    /// <summary>Whether a character is white space of a text wire.</summary>
    public static bool IsSpace(int c) => c is ' ' or '\n' or '\t' or '\r';

    /// <summary>Whether a text consists of one or more digits.</summary>
    public static bool AreAll(ReadOnlySpan<byte> text) => !text.IsEmpty && !text.ContainsAnyExceptInRange((byte)'0', (byte)'9');

    /// <summary>The value of digits, if within bounds that include zero.</summary>
    public static bool TryInteger(bool negative, ReadOnlySpan<byte> digits, long min, long max, out long number)
    {
        digits = digits.TrimStart((byte)'0');
        number = 0;
        // This many always fit into 64 bits unsigned.
        if (digits.Length > 19)
        {
            return false;
        }
        ulong value = 0;
        foreach (byte digit in digits)
        {
            value = (value * 10) + (ulong)(digit - '0');
        }
        if (value > (negative ? unchecked((ulong)-min) : (ulong)max))
        {
            return false;
        }
        number = negative ? unchecked((long)(0 - value)) : (long)value;
        return true;
    }

    /// <summary>Parses a number of up to 18 digits at an index: returns the index after it, or -1. Zeros follow the text.</summary>
    public static int PlainNumber(byte[] bytes, int p, bool json, out bool negative, out ulong digits, out int exponent)
    {
        negative = bytes[p] == '-';
        if (negative)
        {
            p++;
        }
        int from = p;
        digits = 0;
        exponent = 0;
        for (uint digit = bytes[p] - (uint)'0'; digit <= 9; digit = bytes[++p] - (uint)'0')
        {
            digits = digits * 10 + digit;
        }
        int count = p - from;
        if (json && (count == 0 || (bytes[from] == '0' && count > 1)))
        {
            return -1;
        }
        if (bytes[p] == '.')
        {
            int point = ++p;
            for (uint digit = bytes[p] - (uint)'0'; digit <= 9; digit = bytes[++p] - (uint)'0')
            {
                digits = digits * 10 + digit;
            }
            exponent = point - p;
            if (json && exponent == 0)
            {
                return -1;
            }
            count -= exponent;
        }
        if (count is 0 or > 18)
        {
            return -1;
        }
        if ((bytes[p] | 0x20) == 'e')
        {
            byte sign = bytes[++p];
            if (sign is (byte)'-' or (byte)'+')
            {
                p++;
            }
            int power = 0;
            int first = p;
            for (uint digit = bytes[p] - (uint)'0'; digit <= 9 && p - first < 5; digit = bytes[++p] - (uint)'0')
            {
                power = power * 10 + (int)digit;
            }
            if (p == first || p - first > 4)
            {
                return -1;
            }
            exponent += sign == '-' ? -power : power;
        }
        return p;
    }

    /// <summary>The decimal number of the digits before and after a point; false if there are too many (BIN-12).</summary>
    public static bool TryDecimal(bool negative, ReadOnlySpan<byte> whole, ReadOnlySpan<byte> fraction, out BigDecimal number)
    {
        number = default;
        whole = whole.TrimStart((byte)'0');
        if (Math.Max(1, whole.Length) + fraction.Length > BigDecimal.MaxDigits)
        {
            return false;
        }
        const int few = 18;
        if (whole.Length + fraction.Length <= few)
        {
            long small = 0;
            foreach (byte digit in whole)
            {
                small = small * 10 + (digit - '0');
            }
            foreach (byte digit in fraction)
            {
                small = small * 10 + (digit - '0');
            }
            number = new BigDecimal(negative ? -small : small, fraction.Length);
            return true;
        }
        Span<char> digits = stackalloc char[1 + whole.Length + fraction.Length];
        digits[0] = '0';
        Encoding.ASCII.GetChars(whole, digits[1..]);
        Encoding.ASCII.GetChars(fraction, digits[(1 + whole.Length)..]);
        BigInteger unscaled = BigInteger.Parse(digits, NumberStyles.None, CultureInfo.InvariantCulture);
        number = new BigDecimal(negative ? -unscaled : unscaled, fraction.Length);
        return true;
    }

    /// <summary>The decimal number of a trimmed text (XML-14); false if invalid, or too long.</summary>
    public static bool TryDecimal(ReadOnlySpan<byte> text, out BigDecimal number, out bool isTooLong)
    {
        number = default;
        isTooLong = false;
        bool negative = text.Length > 0 && text[0] == '-';
        if (text.Length > 0 && text[0] is (byte)'-' or (byte)'+')
        {
            text = text[1..];
        }
        int point = text.IndexOf((byte)'.');
        ReadOnlySpan<byte> whole = point < 0 ? text : text[..point];
        ReadOnlySpan<byte> fraction = point < 0 ? default : text[(point + 1)..];
        if (whole.Length + fraction.Length == 0 || whole.ContainsAnyExceptInRange((byte)'0', (byte)'9') || fraction.ContainsAnyExceptInRange((byte)'0', (byte)'9'))
        {
            return false;
        }
        isTooLong = !TryDecimal(negative, whole, fraction, out number);
        return !isTooLong;
    }

    /// <summary>A text without any white space (XML-15).</summary>
    public static ReadOnlySpan<byte> WithoutSpace(ReadOnlySpan<byte> text)
    {
        if (text.IndexOfAny(" \t\r\n"u8) < 0)
        {
            return text;
        }
        byte[] digits = new byte[text.Length];
        int count = 0;
        foreach (byte c in text)
        {
            if (!IsSpace(c))
            {
                digits[count++] = c;
            }
        }
        return digits.AsSpan(0, count);
    }

    /// <summary>The bytes of hexadecimal digits; null if invalid.</summary>
    public static byte[]? FromHex(ReadOnlySpan<byte> text)
    {
        byte[] bytes = new byte[text.Length / 2];
        for (int i = 0; i < bytes.Length; i++)
        {
            if (!char.IsAsciiHexDigit((char)text[2 * i]) || !char.IsAsciiHexDigit((char)text[2 * i + 1]))
            {
                return null;
            }
            bytes[i] = (byte)((HexDigit(text[2 * i]) << 4) | HexDigit(text[2 * i + 1]));
        }
        return text.Length % 2 == 0 ? bytes : null;
    }

    /// <summary>The bytes of base64 with padding and without white space; null if invalid.</summary>
    public static byte[]? FromBase64(ReadOnlySpan<byte> text)
    {
        int padding = text.EndsWith("=="u8) ? 2 : text.EndsWith("="u8) ? 1 : 0;
        byte[] bytes = GC.AllocateUninitializedArray<byte>(Math.Max(0, text.Length / 4 * 3 - padding));
        // White space, which the platform skips, gives fewer bytes than expected.
        if (text.Length % 4 != 0
            || Base64.DecodeFromUtf8(text, bytes, out _, out int written) != OperationStatus.Done || written != bytes.Length)
        {
            return null;
        }
        // Surplus bits must be zero: the last digits must equal the encoding of these bytes.
        if (padding > 0)
        {
            Span<byte> again = stackalloc byte[4];
            Base64.EncodeToUtf8(bytes.AsSpan(bytes.Length - (3 - padding)), again, out _, out _);
            if (!text.EndsWith(again))
            {
                return null;
            }
        }
        return bytes;
    }

    /// <summary>The value of a valid digit.</summary>
    public static int HexDigit(byte c) => c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
}
