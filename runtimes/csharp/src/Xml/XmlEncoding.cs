using System;
using System.Text;

namespace Creo.Xml;

/// <summary>The encodings of XML texts (XML-46).</summary>
internal enum XmlEncoding
{
    Utf8,
    Utf16,
    Utf16BigEndian,
    Utf16LittleEndian,
    Ascii,
    Latin1,
    Windows1252,
}

/// <summary>Determines encodings, and converts them to UTF-8.</summary>
internal static class XmlEncodings
{
    // The characters of the bytes 80 to 9F in windows-1252; NUL for none.
    private const string High =
        "\u20ac\0\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\0\u017d\0\0\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\0\u017e\u0178";

    public static bool IsWide(this XmlEncoding encoding) =>
        encoding is XmlEncoding.Utf16 or XmlEncoding.Utf16BigEndian or XmlEncoding.Utf16LittleEndian;

    /// <summary>The encoding with a name; fails if it is not supported.</summary>
    public static XmlEncoding Named(string name) => name.ToLowerInvariant() switch
    {
        "utf-8" or "utf8" => XmlEncoding.Utf8,
        "utf-16" => XmlEncoding.Utf16,
        "utf-16be" => XmlEncoding.Utf16BigEndian,
        "utf-16le" => XmlEncoding.Utf16LittleEndian,
        "us-ascii" or "ascii" => XmlEncoding.Ascii,
        "iso-8859-1" or "latin1" => XmlEncoding.Latin1,
        "windows-1252" or "cp1252" => XmlEncoding.Windows1252,
        _ => throw new CreoException(ErrorCode.Malformed, $"the encoding \"{CreoException.Printable(name)}\", which is not known", null, 0),
    };

    /// <summary>The encoding of a text; for UTF-16, including its byte order.</summary>
    /// <param name="text">The text.</param>
    /// <param name="charset">The transport's charset; null or empty if none.</param>
    /// <param name="mark">The size of the byte order mark.</param>
    public static XmlEncoding Of(ReadOnlySpan<byte> text, string? charset, out int mark)
    {
        mark = text.StartsWith((ReadOnlySpan<byte>)[0xef, 0xbb, 0xbf]) ? 3 : 0;
        if (mark > 0)
        {
            return XmlEncoding.Utf8;
        }
        if (text is [0xfe, 0xff, ..] or [0xff, 0xfe, ..])
        {
            mark = 2;
            return text[0] == 0xfe ? XmlEncoding.Utf16BigEndian : XmlEncoding.Utf16LittleEndian;
        }
        XmlEncoding guess = text is [(byte)'<', 0, ..] ? XmlEncoding.Utf16LittleEndian : XmlEncoding.Utf16BigEndian;
        if (!string.IsNullOrEmpty(charset))
        {
            XmlEncoding named = Named(charset);
            return named == XmlEncoding.Utf16 ? guess : named;
        }
        if (text is [(byte)'<', 0, ..] or [0, (byte)'<', ..])
        {
            return guess;
        }
        XmlEncoding declared = XmlReader.DeclaredEncoding(text) is { } name ? Named(name) : XmlEncoding.Utf8;
        return declared.IsWide() ? XmlEncoding.Utf8 : declared;
    }

    /// <summary>Converts a text to UTF-8 from another encoding, with room for zeros after it.</summary>
    public static (byte[] Text, int Length) ToUtf8(XmlEncoding encoding, ReadOnlySpan<byte> text)
    {
        char[] chars = new char[encoding.IsWide() ? text.Length / 2 : text.Length];
        int count = encoding.IsWide() ? Wide(text, encoding == XmlEncoding.Utf16LittleEndian, chars) : Narrow(text, encoding, chars);
        if (count < chars.Length || (encoding.IsWide() && text.Length % 2 != 0))
        {
            int before = Encoding.UTF8.GetByteCount(chars, 0, count);
            throw new CreoException(ErrorCode.Malformed, $"bytes that are no character of {encoding}", null, before);
        }
        byte[] bytes = new byte[Encoding.UTF8.GetByteCount(chars) + TextInput.Padding];
        return (bytes, Encoding.UTF8.GetBytes(chars, bytes));
    }

    // The number of code units before an invalid one.
    private static int Wide(ReadOnlySpan<byte> text, bool little, char[] chars)
    {
        for (int i = 0; i < chars.Length; i++)
        {
            chars[i] = (char)(little ? text[2 * i] | (text[(2 * i) + 1] << 8) : (text[2 * i] << 8) | text[(2 * i) + 1]);
        }
        for (int i = 0; i < chars.Length; i++)
        {
            if (char.IsHighSurrogate(chars[i]) && i + 1 < chars.Length && char.IsLowSurrogate(chars[i + 1]))
            {
                i++;
            }
            else if (char.IsSurrogate(chars[i]))
            {
                return i;
            }
        }
        return chars.Length;
    }

    private static int Narrow(ReadOnlySpan<byte> text, XmlEncoding encoding, char[] chars)
    {
        for (int i = 0; i < chars.Length; i++)
        {
            bool isHigh = encoding == XmlEncoding.Windows1252 && text[i] is >= 0x80 and < 0xa0;
            chars[i] = isHigh ? High[text[i] - 0x80] : (char)text[i];
            if ((isHigh && chars[i] == 0) || (encoding == XmlEncoding.Ascii && text[i] >= 0x80))
            {
                return i;
            }
        }
        return chars.Length;
    }
}
