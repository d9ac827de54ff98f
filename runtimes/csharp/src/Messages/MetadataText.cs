using System;
using System.Collections.Generic;
using System.Text;
using System.Text.Unicode;
using Creo.Net;

namespace Creo.Messages;

/// <summary>Metadata as text properties of a message (HTTP-8).</summary>
internal static class MetadataText
{
    /// <summary>Fails unless the pairs are valid metadata: their names and sizes are those of the binary wire (TCP-17).</summary>
    public static void Check(IReadOnlyDictionary<string, string> pairs, Limits limits)
    {
        using var sizes = new Writer(limits);
        CallOptions.WriteMetadata(sizes, pairs, limits);
    }

    /// <summary>A value with non-printable characters as <c>%XX</c>.</summary>
    public static string Escaped(string value)
    {
        var text = new StringBuilder();
        foreach (byte b in Encoding.UTF8.GetBytes(value))
        {
            if (b is < 0x21 or > 0x7e or (byte)'%')
            {
                text.Append('%').Append(b.ToString("X2", null));
            }
            else
            {
                text.Append((char)b);
            }
        }
        return text.ToString();
    }

    /// <summary>The value that was escaped so, as an answer has it.</summary>
    public static string Unescaped(string value)
    {
        byte[] bytes = new byte[value.Length];
        int count = 0;
        for (int i = 0; i < value.Length; i++)
        {
            char c = value[i];
            if (c is < ' ' or > '~')
            {
                throw AnswerMetadata.Malformed("a value has a character that must be escaped");
            }
            if (c == '%')
            {
                if (i + 2 >= value.Length || !char.IsAsciiHexDigit(value[i + 1]) || !char.IsAsciiHexDigit(value[i + 2]))
                {
                    throw AnswerMetadata.Malformed("an escape in a value is not two hexadecimal digits");
                }
                c = (char)Convert.FromHexString(value.AsSpan(i + 1, 2))[0];
                i += 2;
            }
            bytes[count++] = (byte)c;
        }
        ReadOnlySpan<byte> text = bytes.AsSpan(0, count);
        return Utf8.IsValid(text) ? Encoding.UTF8.GetString(text) : throw AnswerMetadata.Malformed("a value is not UTF-8");
    }
}
