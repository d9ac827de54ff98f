using System;
using System.Buffers;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Unicode;

namespace Creo;

/// <summary>Reads values of the binary wire from the caller's memory.</summary>
/// <remarks>
/// It never reads beyond the given bytes, and allocates nothing for a count that they cannot hold. Errors say what is wrong; <see cref="Locator"/>
/// finds the position afterwards, at no cost for successful reads.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct Reader
{
    private const int ShortText = 64;

    private readonly ReadOnlySpan<byte> _bytes;
    private readonly Limits _limits;
    private int _position;
    private int _end;
    private int _depthLeft;
    private int _emptyLeft;
    private long _memoryLeft;

    public Reader(ReadOnlySpan<byte> bytes, Limits? limits = null)
    {
        _bytes = bytes;
        _limits = limits ?? Limits.Default;
        _end = bytes.Length;
        _depthLeft = _limits.MaxDepth;
        _emptyLeft = _limits.MaxEmptyItems;
        _memoryLeft = _limits.MaxMemory - bytes.Length;
        if (_memoryLeft < 0)
        {
            ThrowBody(_limits);
        }
    }

    /// <summary>The offset of the next byte.</summary>
    public readonly int Position => _position;

    /// <summary>Whether the region, or else the body, ends here.</summary>
    public readonly bool AtEnd => _position == _end;

    public bool ReadBoolean() => ToBoolean(Block(1)[0]);

    public sbyte ReadSByte() => (sbyte)Block(1)[0];

    public byte ReadByte() => Block(1)[0];

    public short ReadInt16() => BinaryPrimitives.ReadInt16BigEndian(Block(2));

    public char ReadChar() => (char)BinaryPrimitives.ReadUInt16BigEndian(Block(2));

    public int ReadInt32() => BinaryPrimitives.ReadInt32BigEndian(Block(4));

    public long ReadInt64() => BinaryPrimitives.ReadInt64BigEndian(Block(8));

    public float ReadSingle() => BinaryPrimitives.ReadSingleBigEndian(Block(4));

    public double ReadDouble() => BinaryPrimitives.ReadDoubleBigEndian(Block(8));

    public Instant ReadInstant() => ToInstant(Block(12));

    /// <summary>Reads the first byte of an optional; a present value is charged <paramref name="charge"/> (LIM-18).</summary>
    public bool ReadPresence(int charge)
    {
        int start = _position;
        if (!ReadBoolean())
        {
            return false;
        }
        Charge(charge, start);
        return true;
    }

    public BigDecimal ReadDecimal()
    {
        int start = _position;
        ReadOnlySpan<byte> text = Block(ReadCount(1));
        return BigDecimal.TryParseCanonical(text, out BigDecimal value) ? value : throw Malformed("not a decimal number in canonical form", start);
    }

    /// <summary>Reads text (BIN-4).</summary>
    public string ReadString()
    {
        int size = ReadCount(1);
        if (size == 0)
        {
            return "";
        }
        ReadOnlySpan<byte> text = Block(size);
        if (size <= ShortText)
        {
            // Most short texts are ASCII: checked and widened together.
            Span<char> chars = stackalloc char[ShortText];
            if (Ascii.ToUtf16(text, chars, out int count) == OperationStatus.Done)
            {
                return new string(chars[..count]);
            }
        }
        if (!Utf8.IsValid(text))
        {
            ThrowNotUtf8(_position - size);
        }
        return Encoding.UTF8.GetString(text);
    }

    /// <summary>Reads the number of an enum.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int ReadNumber()
    {
        int position = _position;
        if (position < _end)
        {
            int first = _bytes[position];
            if (first < 0x80)
            {
                _position = position + 1;
                return first;
            }
        }
        return ReadLongNumber();
    }

    /// <summary>Reads the index of a union's member.</summary>
    /// <param name="charges">The charges of the members (LIM-18).</param>
    /// <param name="unknown">The charge of an unknown member; 0 if there can be none.</param>
    public int ReadMember(ReadOnlySpan<int> charges, int unknown)
    {
        int start = _position;
        int index = ReadNumber();
        Charge((uint)index < (uint)charges.Length ? charges[index] : unknown, start);
        return index;
    }

    /// <summary>
    /// Reads a count of items of at least <paramref name="min"/> bytes each, which must be available (BIN-5), and are charged <paramref
    /// name="charge"/> each (LIM-18).
    /// </summary>
    public int ReadCount(int min, int charge)
    {
        int start = _position;
        int count = ReadCount(min);
        Charge((long)count * charge, start);
        return count;
    }

    // A count of items that consist of bytes of the body.
    private int ReadCount(int min)
    {
        int start = _position;
        int count = ReadNumber();
        if ((long)count * min > _end - _position)
        {
            throw Malformed($"a count of {count} is more than the bytes that are left", start);
        }
        if (min == 0 && (_emptyLeft -= count) < 0)
        {
            throw CreoException.TooLarge("maxEmptyItems", _limits.MaxEmptyItems, "there are too many items that take no bytes").AtOffset(start);
        }
        return count;
    }

    /// <summary>Takes the next bytes, for fields at fixed offsets.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ReadOnlySpan<byte> Block(int size)
    {
        int position = _position;
        if (_end - position < size)
        {
            ThrowTruncated(position);
        }
        _position = position + size;
        // The check above is the bounds check: the compiler then knows the length and omits those of the fields.
        return MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Add(ref MemoryMarshal.GetReference(_bytes), position), size);
    }

    /// <summary>Takes the next <paramref name="count"/> blocks of <paramref name="size"/> bytes; the count was read for such items.</summary>
    public ReadOnlySpan<byte> Blocks(int count, int size) => Block(count * size);

    /// <summary>Begins a region (BIN-8); pass the result to <see cref="CloseRegion"/>.</summary>
    public int OpenRegion()
    {
        int start = _position;
        uint size = BinaryPrimitives.ReadUInt32BigEndian(Block(4));
        if (size > (uint)(_end - _position))
        {
            throw Malformed($"a region of {size} bytes is more than the bytes that are left", start);
        }
        int outer = _end;
        _end = _position + (int)size;
        return outer;
    }

    /// <summary>Ends a region, skipping the rest of it.</summary>
    public void CloseRegion(int outer)
    {
        _position = _end;
        _end = outer;
    }

    /// <summary>Ends a region, which must have been read completely.</summary>
    public void CloseFullRegion(int outer)
    {
        if (_position != _end)
        {
            throw Malformed("the member's region has bytes left after its value", _position);
        }
        _end = outer;
    }

    /// <summary>The remaining bytes of the region.</summary>
    public ValueArray<byte> ReadRest() => Block(_end - _position).ToArray();

    /// <summary>Fails unless all bytes were read (BIN-14).</summary>
    public readonly void ReadEnd()
    {
        if (_position != _end)
        {
            throw Malformed("bytes are left after the last value", _position);
        }
    }

    /// <summary>Begins a value of a recursive type (BIN-13).</summary>
    public void Descend(string type)
    {
        if (--_depthLeft < 0)
        {
            throw CreoException.TooDeep(_limits.MaxDepth, type);
        }
    }

    /// <summary>Ends a value of a recursive type.</summary>
    public void Ascend() => _depthLeft++;

    /// <summary>Reads an instant at the start of a block.</summary>
    public static Instant ToInstant(ReadOnlySpan<byte> block)
    {
        long seconds = BinaryPrimitives.ReadInt64BigEndian(block);
        uint nanoseconds = BinaryPrimitives.ReadUInt32BigEndian(block[8..]);
        if (seconds is < Instant.MinSeconds or > Instant.MaxSeconds || nanoseconds >= Instant.NanosecondsPerSecond)
        {
            throw Malformed("an instant is out of range", null);
        }
        return new Instant(seconds, (int)nanoseconds);
    }

    /// <summary>Reads a boolean.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool ToBoolean(byte value)
    {
        if (value > 1)
        {
            ThrowNotBoolean();
        }
        return value != 0;
    }

    /// <summary>The error for a number that a plain enum does not declare, or an index that a plain union does not (BIN-9).</summary>
    public static CreoException Undeclared(string type, long number) => Malformed($"{type} has no constant or member {number}", null);

    /// <summary>The error for a field without a default that the region does not contain (MODEL-11).</summary>
    public static CreoException Missing() => Malformed("a field is missing that has no default", null);

    private static CreoException Malformed(string text, int? offset) => new(ErrorCode.Malformed, text, null, offset);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Charge(long bytes, int start)
    {
        if ((_memoryLeft -= bytes) < 0)
        {
            ThrowMemory(start);
        }
    }

    [DoesNotReturn]
    private readonly void ThrowMemory(int offset) => throw CreoException.TooMuchMemory(_limits).AtOffset(offset);

    [DoesNotReturn]
    private static void ThrowBody(Limits limits) => throw CreoException.TooMuchMemory(limits).About(Locator.Body);

    [DoesNotReturn]
    private static void ThrowTruncated(int offset) => throw Malformed("the bytes end within a value", offset);

    [DoesNotReturn]
    private static void ThrowNotBoolean() => throw Malformed("a boolean, or the first byte of an optional, is neither 0 nor 1", null);

    [DoesNotReturn]
    private static void ThrowNotUtf8(int offset) => throw Malformed("the text is not UTF-8", offset);

    private int ReadLongNumber()
    {
        int start = _position;
        uint number = 0;
        for (int shift = 0; shift < 35; shift += 7)
        {
            if (_position == _end)
            {
                _position = start;
                ThrowTruncated(start);
            }
            byte next = _bytes[_position++];
            // The fifth byte holds the upper three bits of 31.
            if (shift == 28 && next > 7)
            {
                break;
            }
            number |= (uint)(next & 0x7f) << shift;
            if (next < 0x80)
            {
                if (next == 0 && shift > 0)
                {
                    break;
                }
                return (int)number;
            }
        }
        _position = start;
        throw Malformed("a count is not in its shortest form, or not below 2^31", start);
    }

    // Arrays of primitives, copied in bulk with vectorised byte-order calls (BIN-7).
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

    /// <summary>Makes a map of the read entries, which no other code uses.</summary>
    public static ValueMap<TKey, TValue> ToMap<TKey, TValue>(KeyValuePair<TKey, TValue>[] entries)
        where TKey : notnull =>
        ValueMap<TKey, TValue>.TryWrap(entries, out ValueMap<TKey, TValue>? map, out _)
            ? map
            : throw new CreoException(ErrorCode.Malformed, "a key occurs twice in a map") { Subject = Locator.TwiceTheSameKey };
}
