using System;
using System.Buffers;
using System.Linq;
using System.Runtime.Intrinsics;
using System.Text;

namespace Creo;

/// <summary>The characters of a text that are escaped, and those that are not allowed.</summary>
internal sealed class Escapes
{
    // The text for each ASCII character; null for the character itself, empty if it is not allowed.
    private readonly byte[]?[] _texts = new byte[128][];

    // The special characters from the space on, 32 times each.
    private readonly Vector256<byte>[] _marks;

    private Escapes(bool xml, params (char Character, string Text)[] texts)
    {
        IsXml = xml;
        for (int c = 0; c < 0x20; c++)
        {
            _texts[c] = xml && c is not ('\t' or '\n' or '\r') ? [] : xml ? null : Encoding.ASCII.GetBytes($"\\u{c:x4}");
        }
        foreach ((char c, string text) in texts)
        {
            _texts[c] = Encoding.ASCII.GetBytes(text);
        }
        var plain = new StringBuilder();
        var special = new StringBuilder(xml ? "\ufffe\uffff" : "");
        for (char c = (char)0; c < 128; c++)
        {
            IsSpecial[c] = _texts[c] is not null;
            (IsSpecial[c] ? special : plain).Append(c);
        }
        _marks = [.. Enumerable.Range(0x20, 0x60).Where(c => IsSpecial[c]).Select(c => Vector256.Create((byte)c))];
        Plain = SearchValues.Create(plain.ToString());
        Special = SearchValues.Create(special.ToString());
    }

    /// <summary>In the text of an element (XML-12).</summary>
    public static Escapes XmlText { get; } = new(true, ('&', "&amp;"), ('<', "&lt;"), ('>', "&gt;"), ('\r', "&#13;"));

    /// <summary>In an attribute (XML-12).</summary>
    public static Escapes XmlAttribute { get; } =
        new(true, ('&', "&amp;"), ('<', "&lt;"), ('>', "&gt;"), ('"', "&quot;"), ('\r', "&#13;"), ('\n', "&#10;"), ('\t', "&#9;"));

    /// <summary>In a string of JSON (JSON-2).</summary>
    public static Escapes Json { get; } =
        new(false, ('"', "\\\""), ('\\', "\\\\"), ('\b', "\\b"), ('\f', "\\f"), ('\n', "\\n"), ('\r', "\\r"), ('\t', "\\t"));

    /// <summary>In a column of a table, after its first character (TDX-12).</summary>
    public static Escapes Table { get; } =
        new(true, ('\n', "\\n"), ('\r', "\\r"), ('|', "\\|"), ('\\', "\\\\"), ('&', "\\a"), ('<', "\\l"), ('>', "\\g"));

    /// <summary>Whether characters that XML does not allow are refused.</summary>
    public bool IsXml { get; }

    /// <summary>Whether each ASCII character is escaped or refused.</summary>
    public bool[] IsSpecial { get; } = new bool[128];

    /// <summary>The ASCII characters that are written unchanged.</summary>
    public SearchValues<char> Plain { get; }

    /// <summary>The characters that end a run of unchanged text.</summary>
    public SearchValues<char> Special { get; }

    /// <summary>Whether ASCII characters are all written unchanged; false for controls.</summary>
    public bool ArePlain(Vector256<byte> characters)
    {
        Vector256<byte> found = Vector256.LessThan(characters, Vector256.Create((byte)' '));
        foreach (Vector256<byte> mark in _marks)
        {
            found |= Vector256.Equals(characters, mark);
        }
        return found == Vector256<byte>.Zero;
    }

    /// <summary>The replacement for a special character; empty if it is not allowed.</summary>
    public ReadOnlySpan<byte> Text(char c) => c < 128 ? _texts[c] : default;
}
