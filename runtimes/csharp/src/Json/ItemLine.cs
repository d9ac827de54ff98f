using System;
using System.IO;

namespace Creo.Json;

/// <summary>What a line of a stream is (HTTP-30).</summary>
internal enum ItemLineKind
{
    /// <summary>Only white space.</summary>
    Empty,
    Item,
    End,
    Error,
}

/// <summary>The lines of a stream.</summary>
internal static class ItemLine
{
    public const string MediaType = "application/x-ndjson";

    private const string Place = "$items";

    /// <summary>The kind of a line, and what its member has.</summary>
    /// <exception cref="CreoException"><c>malformed</c>.</exception>
    public static ItemLineKind Of(ReadOnlySpan<byte> line, out ReadOnlySpan<byte> value)
    {
        ReadOnlySpan<byte> rest = Trim(line);
        value = default;
        if (rest.IsEmpty)
        {
            return ItemLineKind.Empty;
        }
        if (rest.Length > 1 && rest[0] == '{' && rest[^1] == '}')
        {
            rest = Trim(rest[1..^1]);
            ItemLineKind kind = rest.StartsWith("\"item\""u8) ? ItemLineKind.Item
                : rest.StartsWith("\"end\""u8) ? ItemLineKind.End
                : rest.StartsWith("\"error\""u8) ? ItemLineKind.Error
                : ItemLineKind.Empty;
            rest = Trim(rest[(kind switch { ItemLineKind.Item => 6, ItemLineKind.End => 5, ItemLineKind.Error => 7, _ => 0 })..]);
            if (kind != ItemLineKind.Empty && rest.StartsWith(":"u8))
            {
                value = Trim(rest[1..]);
                // A value begins with ASCII, not with the mark of a text's beginning.
                if (kind == ItemLineKind.End ? value.SequenceEqual("true"u8) : !value.IsEmpty && value[0] < 0x80)
                {
                    return kind;
                }
            }
        }
        throw new CreoException(ErrorCode.Malformed, "a line that is neither an item, an end nor an error").At(Place, null);
    }

    /// <summary>The error of a line that is too long.</summary>
    public static CreoException TooLong(Limits limits) =>
        CreoException.TooLarge("maxMessageSize", limits.MaxMessageSize, $"a line of more than {limits.MaxBody} bytes").At(Place, null);

    /// <summary>Reads an item, before which the stream had <paramref name="index"/> others.</summary>
    public static T Read<T>(ReadOnlySpan<byte> value, long index, TextRead<T> read, Limits limits)
    {
        JsonReader reader = JsonReader.Rent(limits);
        try
        {
            reader.Open(value);
            reader.BeginResult();
            reader.IsItem(index);
            T item = read(reader);
            reader.EndDocument();
            return item;
        }
        catch (CreoException error) when (error.Place is null)
        {
            throw reader.Locate(error);
        }
        finally
        {
            reader.GiveBack();
        }
    }

    /// <summary>Writes an item with the end of its line.</summary>
    public static void Write<T>(MemoryStream target, T item, TextPart<T> write, Limits limits)
    {
        JsonWriter writer = JsonWriter.Rent(limits);
        try
        {
            writer.Raw("{\"item\":"u8);
            write(writer, item);
            writer.Raw("}\n"u8);
            writer.CheckSize();
            target.Write(writer.Written.Span);
        }
        catch (CreoException error) when (error.Place is null)
        {
            throw error.At(Place + writer.Locate(error).Place?[1..], null);
        }
        finally
        {
            writer.GiveBack();
        }
    }

    private static ReadOnlySpan<byte> Trim(ReadOnlySpan<byte> text) => text.Trim(" \t\r\n"u8);
}

/// <summary>The bytes of a stream as they arrive, cut into lines.</summary>
internal sealed class LineBuffer(Limits limits)
{
    private const int FirstSize = 16 * 1024;

    // The memory of a longer line is not kept.
    private const int KeptSize = 1 << 20;

    private byte[] _bytes = new byte[FirstSize];
    private int _start;
    private int _end;

    // Up to where there is no end of a line.
    private int _scanned;

    /// <summary>Room for the next bytes, once no complete line is left.</summary>
    /// <exception cref="CreoException"><c>too-large</c>: the line has as many bytes as it may have, and does not end.</exception>
    public Memory<byte> Room()
    {
        int length = _end - _start;
        if (length > limits.MaxBody)
        {
            throw ItemLine.TooLong(limits);
        }
        byte[] target = _bytes;
        if (length == 0 && target.Length > KeptSize)
        {
            target = new byte[FirstSize];
        }
        else if (length == target.Length)
        {
            target = new byte[(int)Math.Min(2L * length, Array.MaxLength)];
        }
        if (_start > 0 || target != _bytes)
        {
            _bytes.AsSpan(_start, length).CopyTo(target);
            (_bytes, _start, _end, _scanned) = (target, 0, length, length);
        }
        return _bytes.AsMemory(_end);
    }

    /// <summary>Notes that bytes of the room were filled.</summary>
    public void Commit(int count) => _end += count;

    /// <summary>The next complete line, without its end.</summary>
    public bool TryNext(out ReadOnlySpan<byte> line)
    {
        int length = _bytes.AsSpan(_scanned, _end - _scanned).IndexOf((byte)'\n');
        if (length < 0)
        {
            _scanned = _end;
            line = default;
            return false;
        }
        int end = _scanned + length;
        line = _bytes.AsSpan(_start, end - _start);
        _start = _scanned = end + 1;
        return line.Length <= limits.MaxBody ? true : throw ItemLine.TooLong(limits);
    }
}
