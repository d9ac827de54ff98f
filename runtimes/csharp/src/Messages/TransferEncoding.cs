using System;

namespace Creo.Messages;

/// <summary>The transfer encodings of the parts of a package (SOAP-22).</summary>
internal static class TransferEncoding
{
    /// <summary>The bytes of a part in the encoding of a name; fails if that is not known, or not followed.</summary>
    public static ReadOnlyMemory<byte> Decode(string name, ReadOnlyMemory<byte> content)
    {
        ReadOnlyMemory<byte>? decoded = name.ToLowerInvariant() switch
        {
            "" or "7bit" or "8bit" or "binary" => content,
            "base64" => Base64(content.Span),
            "quoted-printable" => Quoted(content.Span),
            _ => throw new CreoException(ErrorCode.Malformed, $"a part in the transfer encoding \"{name}\", which is not known"),
        };
        return decoded ?? throw new CreoException(ErrorCode.Malformed, $"a part that is not {name}");
    }

    private static ReadOnlyMemory<byte>? Base64(ReadOnlySpan<byte> text)
    {
        byte[]? bytes = Digits.FromBase64(text) ?? Digits.FromBase64(Digits.WithoutSpace(text));
        return bytes is null ? default(ReadOnlyMemory<byte>?) : bytes;
    }

    // RFC 2045, section 6.7; null for a text that does not follow it.
    private static ReadOnlyMemory<byte>? Quoted(ReadOnlySpan<byte> text)
    {
        byte[] bytes = new byte[text.Length];
        int size = 0;
        while (text.Length > 0)
        {
            int feed = text.IndexOf((byte)'\n');
            int next = feed < 0 ? text.Length : feed + 1;
            int end = feed < 0 ? next : feed > 0 && text[feed - 1] == '\r' ? feed - 1 : feed;
            ReadOnlySpan<byte> line = text[..end].TrimEnd(" \t"u8);
            ReadOnlySpan<byte> lineEnd = text[end..next];
            if (line.EndsWith("="u8))
            {
                line = line[..^1];
                lineEnd = [];
            }
            if (!TryUnquote(line, bytes, ref size))
            {
                return null;
            }
            lineEnd.CopyTo(bytes.AsSpan(size));
            size += lineEnd.Length;
            text = text[next..];
        }
        return bytes.AsMemory(0, size);
    }

    private static bool TryUnquote(ReadOnlySpan<byte> line, byte[] bytes, ref int size)
    {
        for (int p = 0; p < line.Length; p++)
        {
            byte read = line[p];
            if (read == '=')
            {
                if (line.Length - p < 3 || !char.IsAsciiHexDigit((char)line[p + 1]) || !char.IsAsciiHexDigit((char)line[p + 2]))
                {
                    return false;
                }
                read = (byte)((Digits.HexDigit(line[p + 1]) << 4) | Digits.HexDigit(line[p + 2]));
                p += 2;
            }
            bytes[size++] = read;
        }
        return true;
    }
}
