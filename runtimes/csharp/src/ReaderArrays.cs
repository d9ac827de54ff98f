using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace Creo;

// Arrays of primitives, moved in bulk with the platform's vectorised byte-order calls (BIN-7), and maps.
public ref partial struct Reader
{
    public ValueArray<byte> ReadBytes()
    {
        ReadOnlySpan<byte> source = Block(ReadCount(1));
        byte[] items = GC.AllocateUninitializedArray<byte>(source.Length);
        source.CopyTo(items);
        return items;
    }

    public ValueArray<bool> ReadBooleans()
    {
        int count = ReadCount(1);
        ReadOnlySpan<byte> source = Block(count);
        int wrong = source.IndexOfAnyExceptInRange((byte)0, (byte)1);
        if (wrong >= 0)
        {
            throw Malformed("a boolean is neither 0 nor 1", _position - count + wrong);
        }
        return MemoryMarshal.Cast<byte, bool>(source).ToArray();
    }

    public ValueArray<short> ReadInt16s()
    {
        short[] items = GC.AllocateUninitializedArray<short>(ReadCount(2));
        Writer.Reverse(MemoryMarshal.Cast<byte, short>(Block(items.Length * 2)), items);
        return items;
    }

    public ValueArray<char> ReadChars()
    {
        char[] items = GC.AllocateUninitializedArray<char>(ReadCount(2));
        Writer.Reverse(MemoryMarshal.Cast<byte, short>(Block(items.Length * 2)), MemoryMarshal.Cast<char, short>(items));
        return items;
    }

    public ValueArray<int> ReadInt32s()
    {
        int[] items = GC.AllocateUninitializedArray<int>(ReadCount(4));
        Writer.Reverse(MemoryMarshal.Cast<byte, int>(Block(items.Length * 4)), items);
        return items;
    }

    public ValueArray<long> ReadInt64s()
    {
        long[] items = GC.AllocateUninitializedArray<long>(ReadCount(8));
        Writer.Reverse(MemoryMarshal.Cast<byte, long>(Block(items.Length * 8)), items);
        return items;
    }

    public ValueArray<float> ReadSingles()
    {
        float[] items = GC.AllocateUninitializedArray<float>(ReadCount(4));
        Writer.Reverse(MemoryMarshal.Cast<byte, int>(Block(items.Length * 4)), MemoryMarshal.Cast<float, int>(items));
        return items;
    }

    public ValueArray<double> ReadDoubles()
    {
        double[] items = GC.AllocateUninitializedArray<double>(ReadCount(8));
        Writer.Reverse(MemoryMarshal.Cast<byte, long>(Block(items.Length * 8)), MemoryMarshal.Cast<double, long>(items));
        return items;
    }

    /// <summary>Makes a map of the entries that were read, which nobody else holds.</summary>
    public static ValueMap<TKey, TValue> ToMap<TKey, TValue>(KeyValuePair<TKey, TValue>[] entries)
        where TKey : notnull =>
        ValueMap<TKey, TValue>.TryWrap(entries, out ValueMap<TKey, TValue>? map, out _)
            ? map
            : throw new CreoException(ErrorCode.Malformed, "a key occurs twice in a map") { Subject = Locator.TwiceTheSameKey };
}
