using System;
using System.Numerics;

namespace Creo;

/// <summary>
/// Floating-point numbers to the shortest digits that round-trip (XML-11), by Giulietti's Schubfach; and from digits to the nearest number, by the
/// methods of Clinger and Lemire. Without search or allocation.
/// </summary>
internal static class FloatingPoint
{
    private const ulong HiddenBit = 1UL << 52;
    private const ulong Fraction = HiddenBit - 1;
    private const uint SingleHiddenBit = 1U << 23;
    private const uint SingleFraction = SingleHiddenBit - 1;

    private static readonly double[] s_tens = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22];

    /// <summary>The digits of a finite positive number, to be multiplied by a power of ten; they may have trailing zeros.</summary>
    public static ulong Shortest(double value, out int power)
    {
        ulong bits = BitConverter.DoubleToUInt64Bits(value);
        int exponent = (int)(bits >> 52) & 0x7ff;
        ulong fraction = bits & Fraction;
        return exponent == 0
            ? Shortest(fraction, -1074, false, out power)
            : Shortest(fraction | HiddenBit, exponent - 1075, fraction == 0 && exponent > 1, out power);
    }

    /// <inheritdoc cref="Shortest(double, out int)"/>
    public static ulong Shortest(float value, out int power)
    {
        uint bits = BitConverter.SingleToUInt32Bits(value);
        int exponent = (int)(bits >> 23) & 0xff;
        uint fraction = bits & SingleFraction;
        return exponent == 0
            ? Shortest(fraction, -149, false, out power)
            : Shortest(fraction | SingleHiddenBit, exponent - 150, fraction == 0 && exponent > 1, out power);
    }

    /// <summary>The double nearest to <c>digits</c> × 10^<c>power</c>; NaN if this method cannot decide.</summary>
    public static double Nearest(ulong digits, int power)
    {
        if (digits <= 1UL << 53 && power is >= -22 and <= 22)
        {
            // One operation on exact numbers.
            return power < 0 ? digits / s_tens[-power] : digits * s_tens[power];
        }
        if (digits == 0)
        {
            return 0;
        }
        if (power is < PowersOfTen.Least or > 308)
        {
            return double.NaN;
        }
        int zeros = BitOperations.LeadingZeroCount(digits);
        ulong w = digits << zeros;
        ulong second = PowersOfTen.Low(power) + (power is < 0 and >= -27 ? 1UL : 0);
        ulong high = Math.BigMul(w, PowersOfTen.High(power), out ulong low);
        if ((high & 0x1ff) == 0x1ff)
        {
            ulong more = Math.BigMul(w, second, out _);
            low += more;
            high += low < more ? 1UL : 0;
            if (low == ulong.MaxValue && power is < -27 or > 55)
            {
                return double.NaN;
            }
        }
        int upper = (int)(high >> 63);
        ulong mantissa = high >> (upper + 9);
        int exponent = ((217_706 * power) >> 16) + 63 + upper - zeros + 1023;
        if (exponent is <= 0 or >= 0x7fe)
        {
            return double.NaN;
        }
        if (low <= 1 && power is >= -4 and <= 23 && (mantissa & 3) == 1 && mantissa << (upper + 9) == high)
        {
            // Half way between two numbers: round to even.
            mantissa &= ~1UL;
        }
        mantissa = (mantissa + (mantissa & 1)) >> 1;
        if (mantissa >= HiddenBit << 1)
        {
            mantissa = HiddenBit;
            exponent++;
        }
        return BitConverter.UInt64BitsToDouble((mantissa & Fraction) | ((ulong)exponent << 52));
    }

    /// <summary>The float nearest to <c>digits</c> × 10^<c>power</c>; NaN if this method cannot decide.</summary>
    public static float NearestSingle(ulong digits, int power)
    {
        double wide = Nearest(digits, power);
        if (wide == 0)
        {
            return digits == 0 ? 0 : float.NaN;
        }
        // Going through a double rounds twice, which matters only if the double is half way between two floats; subnormal floats have other halves.
        bool half = (BitConverter.DoubleToUInt64Bits(wide) & 0x1fff_ffff) == 0x1000_0000;
        return half || !(wide >= 1.17549435e-38 && wide <= float.MaxValue) ? float.NaN : (float)wide;
    }

    // The number c × 2^q, c > 0: the shortest decimal that is closer to it than to its neighbours.
    private static ulong Shortest(ulong c, int q, bool closerBelow, out int power)
    {
        ulong odd = c & 1;
        int k = ((q * 1_262_611) - (closerBelow ? 524_031 : 0)) >> 22;
        int h = q + ((-k * 1_741_647) >> 19) + 1;
        ulong high = PowersOfTen.High(-k);
        ulong low = PowersOfTen.Low(-k) + (PowersOfTen.IsExact(-k) ? 0UL : 1);
        ulong below = RoundToOdd(high, low, ((4 * c) - (closerBelow ? 1UL : 2)) << h) + odd;
        ulong value = RoundToOdd(high, low, (4 * c) << h);
        ulong above = RoundToOdd(high, low, ((4 * c) + 2) << h) - odd;
        ulong s = value >> 2;
        if (s >= 10)
        {
            ulong tens = s / 10;
            bool tensDown = below <= 40 * tens;
            bool tensUp = (40 * tens) + 40 <= above;
            if (tensDown != tensUp)
            {
                power = k + 1;
                return tensUp ? tens + 1 : tens;
            }
        }
        power = k;
        bool down = below <= 4 * s;
        bool up = (4 * s) + 4 <= above;
        if (down != up)
        {
            return up ? s + 1 : s;
        }
        ulong middle = (4 * s) + 2;
        return value > middle || (value == middle && (s & 1) != 0) ? s + 1 : s;
    }

    private static ulong RoundToOdd(ulong high, ulong low, ulong c)
    {
        ulong x = Math.BigMul(low, c, out _);
        ulong upper = Math.BigMul(high, c, out ulong lower);
        ulong sum = lower + x;
        upper += sum < lower ? 1UL : 0;
        return upper | (sum > 1 ? 1UL : 0);
    }
}
