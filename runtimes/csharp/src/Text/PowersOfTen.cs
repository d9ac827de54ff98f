using System.Numerics;

namespace Creo;

/// <summary>Normalized 128-bit powers of ten, for converting numbers to digits and back.</summary>
internal static class PowersOfTen
{
    /// <summary>The exponents of the table: all that a double can need.</summary>
    public const int Least = -342;

    /// <inheritdoc cref="Least"/>
    public const int Most = 324;

    private static readonly ulong[] s_high = new ulong[Most - Least + 1];
    private static readonly ulong[] s_low = new ulong[Most - Least + 1];

    static PowersOfTen()
    {
        BigInteger power = BigInteger.One;
        for (int k = 0; k <= -Least; k++)
        {
            int length = (int)power.GetBitLength();
            if (k <= Most)
            {
                Put(k, (power << 128) >> length);
            }
            if (k > 0)
            {
                // The reciprocal of the power, to 128 bits, rounded down.
                Put(-k, (BigInteger.One << (127 + length)) / power);
            }
            power *= 10;
        }
    }

    /// <summary>The upper 64 bits of 10^<paramref name="k"/>, rounded down.</summary>
    public static ulong High(int k) => s_high[k - Least];

    /// <summary>The lower 64 bits of 10^<paramref name="k"/>, rounded down.</summary>
    public static ulong Low(int k) => s_low[k - Least];

    /// <summary>Whether the 128 bits represent 10^<paramref name="k"/> exactly.</summary>
    public static bool IsExact(int k) => k is >= 0 and <= 55;

    private static void Put(int k, BigInteger bits)
    {
        s_high[k - Least] = (ulong)(bits >> 64);
        s_low[k - Least] = (ulong)(bits & ulong.MaxValue);
    }
}
