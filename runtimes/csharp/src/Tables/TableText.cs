using System;
using System.Text;

namespace Creo.Tables;

/// <summary>The rows of a table in its envelope, and the envelope's attributes.</summary>
/// <param name="Bytes">The bytes that contain them, followed by a few more.</param>
/// <param name="From">The start of the rows.</param>
/// <param name="To">The end of the rows.</param>
/// <param name="IsRecord">Whether they use the record scheme.</param>
/// <param name="Of">The name of the content, if given.</param>
/// <param name="Schema">The schema, if there is one.</param>
/// <param name="IsWhole">Whether they are part of the input, so an index is an offset.</param>
internal sealed record TableText(byte[] Bytes, int From, int To, bool IsRecord, string? Of, string? Schema, bool IsWhole)
{
    private const int MaxShown = 100;

    /// <summary>The same rows without the white space directly after the start tag, up to the first line feed (TDX-15).</summary>
    public TableText WithoutFirstLine()
    {
        int rest = Bytes.AsSpan(From, To - From).IndexOfAnyExcept(" \t\r"u8);
        return rest >= 0 && Bytes[From + rest] == '\n' ? this with { From = From + rest + 1 } : this;
    }

    /// <summary>Fails if the table names other content, or has another schema.</summary>
    public void Check(string? of, TableSchema schema)
    {
        if (Of is not null && Of != of)
        {
            throw new CreoException(ErrorCode.Malformed, $"a table of \"{Of}\", where {(of is null ? "it should not say what it is of" : $"one of \"{of}\" must be")}");
        }
        if (Schema is not null)
        {
            schema.Check(Schema);
        }
    }

    /// <summary>The row of a byte for messages: its number and text (TDX-15).</summary>
    public string RowAt(int at)
    {
        ReadOnlySpan<byte> before = Bytes.AsSpan(From, at - From);
        int start = From + before.LastIndexOf((byte)'\n') + 1;
        int length = Bytes.AsSpan(start, To - start).IndexOf((byte)'\n');
        ReadOnlySpan<byte> row = Bytes.AsSpan(start, length < 0 ? To - start : length);
        row = row.TrimStart(" \t"u8);
        string text = Encoding.UTF8.GetString(row[..Math.Min(row.Length, 4 * MaxShown)]);
        int cut = text.Length <= MaxShown ? text.Length : char.IsHighSurrogate(text[MaxShown - 1]) ? MaxShown - 1 : MaxShown;
        return $"row {before.Count((byte)'\n') + 1}: {text[..cut].TrimEnd('\r')}";
    }
}
