using System;
using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace Creo;

// Arrays of primitives, moved in bulk with the platform's vectorised byte-order calls (BIN-7).
public sealed partial class Writer
{
    public void WriteBytes(ReadOnlySpan<byte> items) => items.CopyTo(Bulk(items.Length, 1));

    public void WriteBooleans(ReadOnlySpan<bool> items)
    {
        Span<byte> target = Bulk(items.Length, 1);
        for (int i = 0; i < items.Length; i++)
        {
            // A bool that was made from memory can hold another byte than 0 and 1.
            target[i] = items[i] ? (byte)1 : (byte)0;
        }
    }

    public void WriteInt16s(ReadOnlySpan<short> items) =>
        Reverse(items, MemoryMarshal.Cast<byte, short>(Bulk(items.Length, 2)));

    public void WriteChars(ReadOnlySpan<char> items) =>
        Reverse(MemoryMarshal.Cast<char, short>(items), MemoryMarshal.Cast<byte, short>(Bulk(items.Length, 2)));

    public void WriteInt32s(ReadOnlySpan<int> items) =>
        Reverse(items, MemoryMarshal.Cast<byte, int>(Bulk(items.Length, 4)));

    public void WriteInt64s(ReadOnlySpan<long> items) =>
        Reverse(items, MemoryMarshal.Cast<byte, long>(Bulk(items.Length, 8)));

    public void WriteSingles(ReadOnlySpan<float> items) =>
        Reverse(MemoryMarshal.Cast<float, int>(items), MemoryMarshal.Cast<byte, int>(Bulk(items.Length, 4)));

    public void WriteDoubles(ReadOnlySpan<double> items) =>
        Reverse(MemoryMarshal.Cast<double, long>(items), MemoryMarshal.Cast<byte, long>(Bulk(items.Length, 8)));

    private Span<byte> Bulk(int count, int size)
    {
        WriteCount(count);
        return Blocks(count, size);
    }

    internal static void Reverse(ReadOnlySpan<short> source, Span<short> target)
    {
        if (BitConverter.IsLittleEndian)
        {
            BinaryPrimitives.ReverseEndianness(source, target);
        }
        else
        {
            source.CopyTo(target);
        }
    }

    internal static void Reverse(ReadOnlySpan<int> source, Span<int> target)
    {
        if (BitConverter.IsLittleEndian)
        {
            BinaryPrimitives.ReverseEndianness(source, target);
        }
        else
        {
            source.CopyTo(target);
        }
    }

    internal static void Reverse(ReadOnlySpan<long> source, Span<long> target)
    {
        if (BitConverter.IsLittleEndian)
        {
            BinaryPrimitives.ReverseEndianness(source, target);
        }
        else
        {
            source.CopyTo(target);
        }
    }
}
