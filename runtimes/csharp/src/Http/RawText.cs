using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;

namespace Creo.Http;

/// <summary>Raw messages as text (CALL-68).</summary>
internal static class RawText
{
    private const int Row = 16;
    private const int MaxIndent = 100;

    public static string Of(RawMessage message, bool indented)
    {
        var text = new StringBuilder();
        text.Append(message.IsSent ? "sent " : "received ").Append(message.IsAnswer ? "answer of " : "request of ").Append(message.Method);
        text.Append(message.IsSent ? " to " : " from ").Append(Plain(message.Peer));
        if (message.Status != 0)
        {
            text.Append(CultureInfo.InvariantCulture, $", status {message.Status}");
        }
        text.Append(CultureInfo.InvariantCulture, $", {message.Length} bytes");
        foreach ((string name, string value) in message.Headers)
        {
            Line(text, $"{Plain(name)}: {Plain(value)}");
        }
        if (message.Hidden is not null)
        {
            Line(text, "");
            Line(text, $"(the body is not shown: {message.Hidden})");
            return text.ToString();
        }
        if (message.Body.Length > 0)
        {
            Line(text, "");
            AddBody(text, message.Body.Span, IsBinary(message.Headers), indented);
        }
        if (message.Cut > 0)
        {
            Line(text, $"({message.Cut.ToString(CultureInfo.InvariantCulture)} more bytes)");
        }
        return text.ToString();
    }

    private static void Line(StringBuilder text, string line) => text.Append("\n| ").Append(line);

    private static string Plain(string text) => string.Concat(text.Select(static c => c is < ' ' or > '~' ? '?' : c));

    // Of the binary wire, over TCP (errors beside tables, too) or JMS: its bytes are no text, whatever they are.
    private static bool IsBinary(IReadOnlyList<KeyValuePair<string, string>> fields) =>
        fields is [{ Key: "wire", Value: "binary" }, ..] or [{ Key: "wire" }, { Key: "kind", Value: "error" }, ..]
        || fields.Any(static field => field.Key == "SOAPJMS_contentType" && field.Value.StartsWith("application/vnd.creo.binary", StringComparison.OrdinalIgnoreCase));

    private static void AddBody(StringBuilder text, ReadOnlySpan<byte> body, bool isBinary, bool indented)
    {
        string? shown = isBinary ? null : Decoded(body);
        if (shown is null)
        {
            for (int row = 0; row < body.Length; row += Row)
            {
                var line = new StringBuilder($"{row.ToString(CultureInfo.InvariantCulture),6} ");
                foreach (byte each in body.Slice(row, Math.Min(Row, body.Length - row)))
                {
                    line.Append(' ').Append(each.ToString("x2", CultureInfo.InvariantCulture));
                }
                Line(text, line.ToString());
            }
            return;
        }
        foreach (string line in (indented ? Indented(shown) : shown).ReplaceLineEndings("\n").Split('\n'))
        {
            Line(text, line);
        }
    }

    // The text of a body, which may be cut within a character; null if it is none.
    private static string? Decoded(ReadOnlySpan<byte> body)
    {
        char[] chars = new char[body.Length];
        int count;
        try
        {
            count = new UTF8Encoding(false, throwOnInvalidBytes: true).GetDecoder().GetChars(body, chars, flush: false);
        }
        catch (DecoderFallbackException)
        {
            return null;
        }
        string text = new(chars, 0, count);
        return count == 0 || text.Any(static c => char.IsControl(c) && c is not ('\t' or '\r' or '\n')) ? null : text;
    }

    // Line breaks and indentation, without a demand on the text: it may be cut.
    private static string Indented(string text)
    {
        string from = text.Trim();
        return from.StartsWith('<') ? IndentedXml(from) : from.StartsWith('{') || from.StartsWith('[') ? IndentedJson(from) : text;
    }

    private static void Break(StringBuilder text, int depth)
    {
        if (text.Length > 0)
        {
            text.Append('\n').Append(' ', 2 * Math.Clamp(depth, 0, MaxIndent));
        }
    }

    private static string IndentedJson(string from)
    {
        var text = new StringBuilder();
        int depth = 0;
        for (int i = 0; i < from.Length; i++)
        {
            char c = from[i];
            switch (c)
            {
                case '"':
                    int end = i + 1;
                    while (end < from.Length && from[end] != '"')
                    {
                        end += from[end] == '\\' ? 2 : 1;
                    }
                    end = Math.Min(end + 1, from.Length);
                    text.Append(from, i, end - i);
                    i = end - 1;
                    break;
                case '{' or '[':
                    int next = i + 1;
                    while (next < from.Length && from[next] <= ' ')
                    {
                        next++;
                    }
                    text.Append(c);
                    if (next < from.Length && from[next] is '}' or ']')
                    {
                        text.Append(from[next]);
                        i = next;
                    }
                    else
                    {
                        Break(text, ++depth);
                    }
                    break;
                case '}' or ']':
                    Break(text, --depth);
                    text.Append(c);
                    break;
                case ',':
                    text.Append(c);
                    Break(text, depth);
                    break;
                case ':':
                    text.Append(": ");
                    break;
                case > ' ':
                    text.Append(c);
                    break;
            }
        }
        return text.ToString();
    }

    // The end of a tag, a comment, or a CDATA section.
    private static int EndOf(string from, int at)
    {
        string last = IsAt(from, at, "<!--") ? "-->" : IsAt(from, at, "<![CDATA[") ? "]]>" : ">";
        int end = from.IndexOf(last, at, StringComparison.Ordinal);
        return end < 0 ? from.Length : end + last.Length;
    }

    private static bool IsAt(string from, int at, string what) => at >= 0 && string.CompareOrdinal(from, at, what, 0, what.Length) == 0;

    // An element whose content is text alone stays on its line.
    private static string IndentedXml(string from)
    {
        var text = new StringBuilder();
        int depth = 0;
        bool isInLine = false;
        int end;
        for (int at = 0; at < from.Length; at = end)
        {
            bool isSection = IsAt(from, at, "<![CDATA[");
            if (from[at] != '<' || isSection)
            {
                end = isSection ? EndOf(from, at) : from.IndexOf('<', at);
                end = end < 0 ? from.Length : end;
                ReadOnlySpan<char> content = from.AsSpan(at, end - at);
                if (!content.IsWhiteSpace())
                {
                    text.Append(content);
                    isInLine = true;
                }
                continue;
            }
            end = EndOf(from, at);
            bool closes = IsAt(from, at, "</");
            bool opens = !closes && !IsAt(from, at, "<?") && !IsAt(from, at, "<!") && !IsAt(from, end - 2, "/>");
            depth -= closes ? 1 : 0;
            if (!closes || !isInLine)
            {
                Break(text, depth);
            }
            text.Append(from, at, end - at);
            depth += opens ? 1 : 0;
            isInLine = opens;
        }
        return text.ToString();
    }
}
