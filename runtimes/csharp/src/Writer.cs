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

/// <summary>Writes a value; generated for each type.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public delegate void Encoder<in T>(Writer writer, T value);

/// <summary>Reads a value; generated for each type.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public delegate T Decoder<out T>(ref Reader reader);

/// <summary>Whole values as bytes of the binary wire; errors contain the path (BIN-15).</summary>
public static class Binary
{
    // A writer with more memory than this is not kept for the thread's next value.
    private const int KeptCapacity = 1 << 20;

    [ThreadStatic]
    private static Writer? t_writer;

    /// <summary>The bytes of a value.</summary>
    /// <exception cref="CreoException"><c>invalid-value</c> or <c>too-large</c>.</exception>
    public static byte[] ToBytes<T>(T value, Encoder<T> encode, Layout layout, Limits? limits = null)
    {
        Writer writer = Rent(limits);
        try
        {
            Encode(writer, value, encode, layout, "$");
            return writer.Written.ToArray();
        }
        finally
        {
            GiveBack(writer);
        }
    }

    /// <summary>Writes the bytes of a value to the caller's buffer.</summary>
    /// <exception cref="CreoException"><c>invalid-value</c> or <c>too-large</c>; nothing was written.</exception>
    public static void Write<T>(IBufferWriter<byte> target, T value, Encoder<T> encode, Layout layout, Limits? limits = null)
    {
        ArgumentNullException.ThrowIfNull(target);
        Writer writer = Rent(limits);
        try
        {
            Encode(writer, value, encode, layout, "$");
            target.Write(writer.Written);
        }
        finally
        {
            GiveBack(writer);
        }
    }

    /// <summary>The value of some bytes, all of which must belong to it.</summary>
    /// <exception cref="CreoException"><c>malformed</c> or <c>too-large</c>.</exception>
    public static T FromBytes<T>(ReadOnlySpan<byte> bytes, Decoder<T> decode, Layout layout, Limits? limits = null) =>
        Decode(bytes, decode, layout, limits ?? Limits.Default, "$");

    internal static T Decode<T>(ReadOnlySpan<byte> bytes, Decoder<T> decode, Layout layout, Limits limits, string root)
    {
        try
        {
            var reader = new Reader(bytes, limits);
            T value = decode(ref reader);
            reader.ReadEnd();
            return value;
        }
        catch (CreoException error) when (error.Place is null)
        {
            throw Locator.InBytes(error, layout, bytes, limits, root);
        }
    }

    internal static void Encode<T>(Writer writer, T value, Encoder<T> encode, Layout layout, string root)
    {
        try
        {
            encode(writer, value);
            writer.CheckSize();
        }
        catch (CreoException error) when (error.Place is null)
        {
            throw Locator.InValue(error, layout, writer.Written, root);
        }
    }

    private static Writer Rent(Limits? limits)
    {
        limits ??= Limits.Default;
        Writer? writer = t_writer;
        t_writer = null;
        return writer is not null && ReferenceEquals(writer.Limits, limits) ? writer : new Writer(limits);
    }

    private static void GiveBack(Writer writer)
    {
        if (writer.Buffer.Length > KeptCapacity)
        {
            writer.Dispose();
        }
        writer.Clear();
        t_writer = writer;
    }
}

/// <summary>Writes values on the binary wire into its own reusable memory.</summary>
/// <remarks>
/// <see cref="Clear"/> keeps the memory, so a reused writer does not allocate for values of the same size. Disposing returns the memory. Not for use
/// by several threads at once.
/// </remarks>
public sealed class Writer : IDisposable
{
    private const int FirstCapacity = 1024;

    private readonly Limits _limits;
    private byte[] _buffer = [];
    private int _position;
    private int _start;
    private int _depth;

    public Writer(Limits? limits = null) => _limits = limits ?? Limits.Default;

    /// <summary>The bytes written since the last <see cref="Clear"/>.</summary>
    public ReadOnlySpan<byte> Written => _buffer.AsSpan(_start, _position - _start);

    /// <summary>The number of bytes written since the last <see cref="Clear"/>.</summary>
    public int WrittenCount => _position - _start;

    /// <summary>Discards the written bytes, and keeps the memory.</summary>
    public void Clear()
    {
        _position = _start = 0;
        _depth = 0;
    }

    /// <summary>Returns the memory. The writer may be used again.</summary>
    public void Dispose()
    {
        Clear();
        if (_buffer.Length > 0)
        {
            ArrayPool<byte>.Shared.Return(_buffer);
            _buffer = [];
        }
    }

    public void WriteBoolean(bool value) => Block(1)[0] = value ? (byte)1 : (byte)0;

    public void WriteSByte(sbyte value) => Block(1)[0] = (byte)value;

    public void WriteByte(byte value) => Block(1)[0] = value;

    public void WriteInt16(short value) => BinaryPrimitives.WriteInt16BigEndian(Block(2), value);

    public void WriteChar(char value) => BinaryPrimitives.WriteUInt16BigEndian(Block(2), value);

    public void WriteInt32(int value) => BinaryPrimitives.WriteInt32BigEndian(Block(4), value);

    public void WriteInt64(long value) => BinaryPrimitives.WriteInt64BigEndian(Block(8), value);

    public void WriteSingle(float value) => BinaryPrimitives.WriteSingleBigEndian(Block(4), value);

    public void WriteDouble(double value) => BinaryPrimitives.WriteDoubleBigEndian(Block(8), value);

    public void WriteInstant(Instant value) => PutInstant(Block(12), value);

    public void WriteDecimal(BigDecimal value)
    {
        EnsureAbout(1 + BigDecimal.MaxPutLength);
        int count = value.Put(_buffer.AsSpan(_position + 1, BigDecimal.MaxPutLength));
        if (count == 0)
        {
            WriteString(value.ToString());
            return;
        }
        _buffer[_position] = (byte)count;
        _position += 1 + count;
    }

    /// <summary>Writes the first byte of an optional.</summary>
    public void WritePresence(bool present) => WriteBoolean(present);

    /// <summary>Writes a count: of items, of bytes, or the number of an enum or of a union's member (BIN-2).</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteCount(int count)
    {
        if ((uint)count < 0x80)
        {
            Block(1)[0] = (byte)count;
        }
        else
        {
            WriteLongCount(count);
        }
    }

    /// <summary>Writes text as UTF-8 (BIN-4).</summary>
    /// <exception cref="CreoException"><c>invalid-value</c>: the text is null or contains a lone surrogate.</exception>
    public void WriteString(string value)
    {
        if (value is null)
        {
            ThrowNull(null);
        }
        int length = value.Length;
        if (length > 4096)
        {
            WriteLongString(value);
            return;
        }
        // The byte count is mostly that of characters and then has the same size: the text is written after a gap of that size.
        int gap = length < 0x80 ? 1 : 2;
        EnsureAbout(length * 3 + 2);
        if (Ascii.FromUtf16(value, _buffer.AsSpan(_position + gap), out int ascii) == OperationStatus.Done)
        {
            PutCount(ascii, gap);
            _position += gap + ascii;
            return;
        }
        OperationStatus status = Utf8.FromUtf16(value, _buffer.AsSpan(_position + gap), out _, out int written, replaceInvalidSequences: false);
        if (status != OperationStatus.Done)
        {
            ThrowLoneSurrogate();
        }
        if (written >= 0x80 && gap == 1)
        {
            _buffer.AsSpan(_position + 1, written).CopyTo(_buffer.AsSpan(_position + 2));
            gap = 2;
        }
        PutCount(written, gap);
        _position += gap + written;
    }

    /// <summary>Takes the next bytes, for fields at fixed offsets. The span is valid until the next call.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Span<byte> Block(int size)
    {
        int position = _position;
        if (_buffer.Length - position < size)
        {
            Grow(size);
        }
        _position = position + size;
        // The check above is the bounds check: the compiler then knows the length and omits those of the fields.
        return MemoryMarshal.CreateSpan(ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(_buffer), position), size);
    }

    /// <summary>Takes <paramref name="count"/> blocks of <paramref name="size"/> bytes.</summary>
    public Span<byte> Blocks(int count, int size)
    {
        long total = (long)count * size;
        if (total > _limits.MaxMessageSize)
        {
            throw TooLargeMessage();
        }
        return Block((int)total);
    }

    /// <summary>Writes the count of an array's items, and returns the items, which must be written next.</summary>
    public ReadOnlySpan<T> WriteItems<T>(ValueArray<T> items)
    {
        WriteCount(items.Count);
        return items.Span;
    }

    /// <summary>Writes the count of a map's entries, and returns the entries, whose keys and values must be written next.</summary>
    public ReadOnlySpan<KeyValuePair<TKey, TValue>> WriteEntries<TKey, TValue>(ValueMap<TKey, TValue> entries)
        where TKey : notnull
    {
        if (entries is null)
        {
            ThrowNull(null);
        }
        WriteCount(entries.Count);
        return entries.Entries;
    }

    /// <summary>Writes bytes without a count: the value of an unknown member.</summary>
    public void WriteRaw(ReadOnlySpan<byte> bytes) => bytes.CopyTo(Block(bytes.Length));

    /// <summary>Begins a region (BIN-8); pass the result to <see cref="CloseRegion"/>.</summary>
    public int OpenRegion()
    {
        BinaryPrimitives.WriteUInt32BigEndian(Block(4), Locator.OpenRegion);
        return _position;
    }

    /// <summary>Ends a region: its size is now known.</summary>
    public void CloseRegion(int opened) =>
        BinaryPrimitives.WriteInt32BigEndian(_buffer.AsSpan(opened - 4), _position - opened);

    /// <summary>Begins a value of a recursive type (BIN-13).</summary>
    public void Descend(string type)
    {
        if (++_depth > _limits.MaxDepth)
        {
            throw CreoException.TooDeep(_limits.MaxDepth, type);
        }
    }

    /// <summary>Ends a value of a recursive type.</summary>
    public void Ascend() => _depth--;

    /// <summary>Writes an instant at the start of a block.</summary>
    public static void PutInstant(Span<byte> block, Instant value)
    {
        BinaryPrimitives.WriteInt64BigEndian(block, value.Seconds);
        BinaryPrimitives.WriteInt32BigEndian(block[8..], value.Nanoseconds);
    }

    /// <summary>Writes a boolean at the start of a block.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void PutBoolean(Span<byte> block, bool value) => block[0] = value ? (byte)1 : (byte)0;

    /// <summary>The error for a null value that must not be null.</summary>
    /// <param name="type">The full name of its type, which distinguishes it from values that begin at the same byte.</param>
    [DoesNotReturn]
    public static void ThrowNull(string? type) =>
        throw new CreoException(ErrorCode.InvalidValue, "a value is null") { Subject = type };

    /// <summary>The error for a number that a plain enum does not declare, or an impossible union member.</summary>
    public static CreoException Undeclared(string type, long number) => CreoException.Undeclared(type, number);

    internal Limits Limits => _limits;

    /// <summary>All memory up to the end of the output, including bytes before <see cref="Written"/>.</summary>
    internal byte[] Buffer => _buffer;

    internal int Position => _position;

    /// <summary>Takes bytes before a message that do not count as part of it.</summary>
    internal Span<byte> Head(int size)
    {
        if (_buffer.Length - _position < size)
        {
            Enlarge(size);
        }
        _position += size;
        StartHere();
        return _buffer.AsSpan(_position - size, size);
    }

    /// <summary>Starts <see cref="Written"/>, and the limit of a message, here.</summary>
    internal void StartHere() => _start = _position;

    /// <summary>Fails if the output exceeds the size of a message.</summary>
    internal void CheckSize()
    {
        if (WrittenCount > _limits.MaxMessageSize)
        {
            throw TooLargeMessage();
        }
    }

    private CreoException TooLargeMessage() => CreoException.TooLarge("maxMessageSize", _limits.MaxMessageSize, "the message is too large to be sent");

    private void WriteLongCount(int count)
    {
        if (count < 0)
        {
            throw new CreoException(ErrorCode.InvalidValue, "a count or number is negative");
        }
        uint rest = (uint)count;
        while (rest >= 0x80)
        {
            Block(1)[0] = (byte)(rest | 0x80);
            rest >>= 7;
        }
        Block(1)[0] = (byte)rest;
    }

    private void WriteLongString(string value)
    {
        int size = Encoding.UTF8.GetByteCount(value);
        int start = _position;
        WriteCount(size);
        if (size > _limits.MaxMessageSize)
        {
            throw TooLargeMessage();
        }
        OperationStatus status = Utf8.FromUtf16(value, Block(size), out _, out int written, replaceInvalidSequences: false);
        if (status != OperationStatus.Done || written != size)
        {
            _position = start;
            ThrowLoneSurrogate();
        }
    }

    [DoesNotReturn]
    private static void ThrowLoneSurrogate() => throw new CreoException(ErrorCode.InvalidValue, "the text holds a lone surrogate");

    // A count of one or two bytes, for which there is room (BIN-2).
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void PutCount(int count, int size)
    {
        Span<byte> place = _buffer.AsSpan(_position, size);
        if (size == 1)
        {
            place[0] = (byte)count;
            return;
        }
        place[0] = (byte)(count | 0x80);
        place[1] = (byte)(count >> 7);
    }

    // Makes room for a generous estimate: the actual size is checked when the message is complete.
    private void EnsureAbout(int size)
    {
        if (_buffer.Length - _position < size)
        {
            Enlarge(size);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Grow(int size)
    {
        if ((long)_position - _start + size > _limits.MaxMessageSize)
        {
            throw TooLargeMessage();
        }
        Enlarge(size);
    }

    private void Enlarge(int size)
    {
        long needed = (long)_position + size;
        long wanted = Math.Max(needed, Math.Max(FirstCapacity, Math.Min(2L * _buffer.Length, Array.MaxLength)));
        byte[] larger = ArrayPool<byte>.Shared.Rent((int)wanted);
        _buffer.AsSpan(0, _position).CopyTo(larger);
        if (_buffer.Length > 0)
        {
            ArrayPool<byte>.Shared.Return(_buffer);
        }
        _buffer = larger;
    }

    // Arrays of primitives, copied in bulk with vectorised byte-order calls (BIN-7).
    public void WriteBytes(ReadOnlySpan<byte> items) => items.CopyTo(Bulk(items.Length, 1));

    public void WriteBooleans(ReadOnlySpan<bool> items)
    {
        Span<byte> target = Bulk(items.Length, 1);
        for (int i = 0; i < items.Length; i++)
        {
            // A bool made from memory can have a byte other than 0 and 1.
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
