using System;
using System.Buffers;
using System.ComponentModel;

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
