using System;
using System.Buffers.Text;
using System.Globalization;
using System.Runtime.CompilerServices;

namespace Creo;

/// <summary>Numbers as text: the shortest digits that round-trip, in the layout of XML-11; and back.</summary>
internal static class TextNumbers
{
    /// <summary>The max size of a number in bytes.</summary>
    public const int MaxLength = 32;

    // Below this, decimal numbers with so few digits are all distinct in binary.
    private const double Exact = 1e15;
    private const float ExactSingle = 1e6f;
    private const int MaxPlain = 21;

    // The platform's NaN has the sign of a negative number.
    private static readonly double NotANumber = BitConverter.Int64BitsToDouble(0x7ff8_0000_0000_0000);

    /// <summary>Writes a primitive in the form of XML, and returns its size.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Put<T>(Span<byte> target, T value)
        where T : unmanaged
    {
        if (typeof(T) == typeof(bool))
        {
            return Put(target, Unsafe.BitCast<T, bool>(value));
        }
        if (typeof(T) == typeof(double))
        {
            return Put(target, Unsafe.BitCast<T, double>(value));
        }
        if (typeof(T) == typeof(float))
        {
            return Put(target, Unsafe.BitCast<T, float>(value));
        }
        return Put(target, Integer(value));
    }

    /// <summary>An integer, or the number of a character.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long Integer<T>(T value)
        where T : unmanaged =>
        typeof(T) == typeof(long) ? Unsafe.BitCast<T, long>(value)
        : typeof(T) == typeof(int) ? Unsafe.BitCast<T, int>(value)
        : typeof(T) == typeof(short) ? Unsafe.BitCast<T, short>(value)
        : typeof(T) == typeof(char) ? Unsafe.BitCast<T, char>(value)
        : throw new InvalidOperationException("no integer");

    public static int Put(Span<byte> target, bool value)
    {
        ReadOnlySpan<byte> text = value ? "true"u8 : "false"u8;
        text.CopyTo(target);
        return text.Length;
    }

    public static int Put(Span<byte> target, long value)
    {
        if ((ulong)value < 10)
        {
            target[0] = (byte)('0' + value);
            return 1;
        }
        Utf8Formatter.TryFormat(value, target, out int written);
        return written;
    }

    public static int Put(Span<byte> target, double value)
    {
        double size = Math.Abs(value);
        // Few digits, as in most everyday numbers: found without a search.
        if (size is < Exact and >= 1e-3 or 0)
        {
            double scaled = value * 1e3;
            double whole = Math.Round(scaled);
            if (Math.Abs(whole) < Exact && whole / 1e3 == value)
            {
                return PutThousandths(target, (long)whole, value);
            }
        }
        if (!double.IsFinite(value))
        {
            return PutName(target, value);
        }
        ulong digits = FloatingPoint.Shortest(size, out int power);
        return Lay(target, value < 0, digits, power);
    }

    public static int Put(Span<byte> target, float value)
    {
        float size = Math.Abs(value);
        if (size is < ExactSingle and >= 1e-3f or 0)
        {
            float scaled = value * 1e3f;
            float whole = MathF.Round(scaled);
            if (MathF.Abs(whole) < ExactSingle && whole / 1e3f == value)
            {
                return PutThousandths(target, (long)whole, value);
            }
        }
        if (!float.IsFinite(value))
        {
            return PutName(target, value);
        }
        ulong digits = FloatingPoint.Shortest(size, out int power);
        return Lay(target, value < 0, digits, power);
    }

    /// <summary>The number of a trimmed text; false if invalid.</summary>
    public static bool TryParse(ReadOnlySpan<byte> text, out double value)
    {
        if (TryParseName(text, out value))
        {
            return true;
        }
        return IsNumber(text) && double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out value);
    }

    /// <inheritdoc cref="TryParse(ReadOnlySpan{byte}, out double)"/>
    public static bool TryParse(ReadOnlySpan<byte> text, out float value)
    {
        if (TryParseName(text, out double named))
        {
            value = (float)named;
            return true;
        }
        value = 0;
        return IsNumber(text) && float.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out value);
    }

    private static int PutThousandths(Span<byte> target, long thousandths, double value)
    {
        int position = 0;
        if (double.IsNegative(value))
        {
            target[position++] = (byte)'-';
            thousandths = -thousandths;
        }
        (long whole, long rest) = Math.DivRem(thousandths, 1000);
        position += Put(target[position..], whole);
        if (rest != 0)
        {
            target[position] = (byte)'.';
            target[position + 1] = (byte)('0' + rest / 100);
            target[position + 2] = (byte)('0' + rest / 10 % 10);
            target[position + 3] = (byte)('0' + rest % 10);
            position += rest % 10 != 0 ? 4 : rest % 100 != 0 ? 3 : 2;
        }
        return position;
    }

    private static int PutName(Span<byte> target, double value)
    {
        ReadOnlySpan<byte> name = double.IsNaN(value) ? "NaN"u8 : value > 0 ? "INF"u8 : "-INF"u8;
        name.CopyTo(target);
        return name.Length;
    }

    // Lays out nonzero digits times a power of ten as ECMAScript does.
    private static int Lay(Span<byte> target, bool negative, ulong digits, int power)
    {
        int position = 0;
        if (negative)
        {
            target[position++] = (byte)'-';
        }
        Span<byte> text = stackalloc byte[20];
        Utf8Formatter.TryFormat(digits, text, out int count);
        return position + Lay(target[position..], text[..count].TrimEnd((byte)'0'), count + power);
    }

    // The digits follow the point, which is moved `point` positions to the right.
    private static int Lay(Span<byte> target, ReadOnlySpan<byte> digits, int point)
    {
        if (digits.Length <= point && point <= MaxPlain)
        {
            digits.CopyTo(target);
            target[digits.Length..point].Fill((byte)'0');
            return point;
        }
        if (point is > 0 and <= MaxPlain)
        {
            digits[..point].CopyTo(target);
            target[point] = (byte)'.';
            digits[point..].CopyTo(target[(point + 1)..]);
            return digits.Length + 1;
        }
        if (point is > -6 and <= 0)
        {
            "0."u8.CopyTo(target);
            target[2..(2 - point)].Fill((byte)'0');
            digits.CopyTo(target[(2 - point)..]);
            return 2 - point + digits.Length;
        }
        int position = 1;
        target[0] = digits[0];
        if (digits.Length > 1)
        {
            target[1] = (byte)'.';
            digits[1..].CopyTo(target[2..]);
            position = digits.Length + 1;
        }
        target[position++] = (byte)'e';
        target[position++] = point > 0 ? (byte)'+' : (byte)'-';
        return position + Put(target[position..], Math.Abs(point - 1));
    }

    private static bool TryParseName(ReadOnlySpan<byte> text, out double value)
    {
        value = text.Length is not (3 or 4) ? 0
            : text.SequenceEqual("NaN"u8) ? NotANumber
            : text.SequenceEqual("INF"u8) || text.SequenceEqual("+INF"u8) ? double.PositiveInfinity
            : text.SequenceEqual("-INF"u8) ? double.NegativeInfinity
            : 0;
        return value != 0;
    }

    // [+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?
    private static bool IsNumber(ReadOnlySpan<byte> text)
    {
        if (text.Length > 0 && text[0] is (byte)'+' or (byte)'-')
        {
            text = text[1..];
        }
        int mark = text.IndexOfAny((byte)'e', (byte)'E');
        if (mark >= 0)
        {
            ReadOnlySpan<byte> exponent = text[(mark + 1)..];
            if (exponent.Length > 0 && exponent[0] is (byte)'+' or (byte)'-')
            {
                exponent = exponent[1..];
            }
            if (exponent.IsEmpty || exponent.ContainsAnyExceptInRange((byte)'0', (byte)'9'))
            {
                return false;
            }
            text = text[..mark];
        }
        int point = text.IndexOf((byte)'.');
        ReadOnlySpan<byte> whole = point < 0 ? text : text[..point];
        ReadOnlySpan<byte> fraction = point < 0 ? default : text[(point + 1)..];
        return whole.Length + fraction.Length > 0
            && !whole.ContainsAnyExceptInRange((byte)'0', (byte)'9') && !fraction.ContainsAnyExceptInRange((byte)'0', (byte)'9');
    }
}
