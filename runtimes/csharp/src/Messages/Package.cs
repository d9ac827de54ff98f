using System;
using System.Collections.Generic;
using System.Text;

namespace Creo.Messages;

/// <summary>A multipart: an envelope or a table, and its referenced parts (SOAP-20 to SOAP-22, TDX-53).</summary>
internal sealed class Package : ITextParts
{
    private const int MaxPartHeaders = 16_384;
    private const int MaxBoundary = 70;
    private const string IdHeader = "content-id";
    private const string TypeHeader = "content-type";
    private const string EncodingHeader = "content-transfer-encoding";

    private readonly Dictionary<string, Part> _parts = new(StringComparer.Ordinal);

    private Package(Part root)
    {
        Root = root.Read();
        RootType = root.Type;
    }

    /// <summary>The envelope.</summary>
    public ReadOnlyMemory<byte> Root { get; }

    public MediaType RootType { get; }

    /// <summary>The segments of a multipart, in order; the memory is not copied.</summary>
    public static List<ReadOnlyMemory<byte>> Write(ReadOnlyMemory<byte> envelope, List<ReadOnlyMemory<byte>> parts, string rootType, string boundary)
    {
        List<ReadOnlyMemory<byte>> segments =
        [
            Bytes($"--{boundary}\r\nContent-Type: {rootType}\r\nContent-Transfer-Encoding: binary\r\nContent-ID: <root@creo>\r\n\r\n"),
            envelope,
        ];
        for (int i = 0; i < parts.Count; i++)
        {
            segments.Add(Bytes(string.Create(
                null,
                $"\r\n--{boundary}\r\nContent-Type: application/octet-stream\r\nContent-Transfer-Encoding: binary\r\nContent-ID: <{i}@creo>\r\n\r\n")));
            segments.Add(parts[i]);
        }
        segments.Add(Bytes($"\r\n--{boundary}--\r\n"));
        return segments;
    }

    /// <summary>Takes a package apart; the parts stay where they are.</summary>
    public static Package Read(ReadOnlyMemory<byte> body, MediaType type, Limits limits)
    {
        if (type["boundary"] is not { Length: > 0 and <= MaxBoundary } boundary)
        {
            throw Malformed($"a package without a boundary of 1 to {MaxBoundary} characters");
        }
        byte[] delimiter = Encoding.Latin1.GetBytes("\r\n--" + boundary);
        List<Part> all = [];
        int at = Begin(body.Span, delimiter);
        while (at >= 0)
        {
            if (all.Count == limits.MaxParts)
            {
                throw CreoException.TooLarge("maxParts", limits.MaxParts, "the package has too many parts");
            }
            all.Add(ReadPart(body, ref at, delimiter));
        }
        return Of(all, type["start"]);
    }

    /// <inheritdoc/>
    public byte[]? Take(string href)
    {
        if (!href.StartsWith("cid:", StringComparison.Ordinal))
        {
            throw Malformed("something else than a part of the package is named");
        }
        return _parts.Remove(Uri.UnescapeDataString(href[4..]), out Part? part) ? part.Read().ToArray() : null;
    }

    private static Package Of(List<Part> all, string? start)
    {
        Part root = all.Find(part => start is null || part.Id == Unbracketed(start)) ?? throw Malformed("a package without its root");
        HashSet<string> ids = new(StringComparer.Ordinal);
        var package = new Package(root);
        foreach (Part part in all)
        {
            if (part.Id is not { } id)
            {
                continue;
            }
            if (!ids.Add(id))
            {
                throw Malformed($"two parts have the content id \"{id}\"");
            }
            if (part != root)
            {
                package._parts.Add(id, part);
            }
        }
        return package;
    }

    // The index after the first delimiter's line; earlier bytes are ignored.
    private static int Begin(ReadOnlySpan<byte> body, byte[] delimiter)
    {
        int at = body.StartsWith(delimiter.AsSpan(2)) ? delimiter.Length - 2 : -1;
        bool found = at >= 0 && TryEndLine(body, ref at);
        for (int from = 0; !found;)
        {
            int next = body[from..].IndexOf(delimiter);
            if (next < 0)
            {
                throw Malformed("the package does not hold its boundary");
            }
            at = from + next + delimiter.Length;
            from += next + 2;
            found = TryEndLine(body, ref at);
        }
        return at;
    }

    // After a delimiter: goes to the next line, or to -1 after the last; false if it is not a delimiter.
    private static bool TryEndLine(ReadOnlySpan<byte> body, ref int at)
    {
        if (body[at..].StartsWith("--"u8))
        {
            at = -1;
            return true;
        }
        int p = at;
        while (p < body.Length && body[p] is (byte)' ' or (byte)'\t')
        {
            p++;
        }
        if (!body[p..].StartsWith("\r\n"u8))
        {
            return false;
        }
        at = p + 2;
        return true;
    }

    private static Part ReadPart(ReadOnlyMemory<byte> body, ref int at, byte[] delimiter)
    {
        ReadOnlySpan<byte> rest = body.Span[at..];
        int headers = rest.StartsWith("\r\n"u8) ? 0 : rest.IndexOf("\r\n\r\n"u8);
        if (headers > MaxPartHeaders || (headers < 0 && rest.Length > MaxPartHeaders))
        {
            throw CreoException.TooLarge("maxParts", MaxPartHeaders, "the headers of a part are too large");
        }
        if (headers < 0)
        {
            throw Malformed("the package ends within the headers of a part");
        }
        Dictionary<string, string> found = ReadHeaders(Encoding.Latin1.GetString(rest[..headers]));
        int start = at + headers + (headers == 0 ? 2 : 4);
        // An empty part: the delimiter begins with the line end of its headers.
        int from = start - 2;
        while (true)
        {
            int next = body.Span[from..].IndexOf(delimiter);
            if (next < 0)
            {
                throw Malformed("the last boundary of the package is missing");
            }
            int end = from + next;
            int after = end + delimiter.Length;
            from = end + 2;
            if (TryEndLine(body.Span, ref after))
            {
                at = after;
                return new Part(found, body[start..Math.Max(start, end)]);
            }
        }
    }

    private static Dictionary<string, string> ReadHeaders(string headers)
    {
        Dictionary<string, string> found = [];
        string[] lines = headers.Length == 0 ? [] : headers.Replace("\r\n ", " ").Replace("\r\n\t", " ").Split("\r\n");
        foreach (string line in lines)
        {
            int colon = line.IndexOf(':');
            if (colon <= 0 || line.AsSpan(0, colon).ContainsAnyInRange('\0', ' '))
            {
                throw Malformed("a line that is no header of a part");
            }
            string name = line[..colon].ToLowerInvariant();
            if (name is IdHeader or TypeHeader or EncodingHeader && !found.TryAdd(name, line[(colon + 1)..].Trim()))
            {
                throw Malformed($"a part that has the header {name} twice");
            }
        }
        return found;
    }

    private static string Unbracketed(string id) => id.StartsWith('<') && id.EndsWith('>') ? id[1..^1] : id;

    private static byte[] Bytes(string text) => Encoding.Latin1.GetBytes(text);

    private static CreoException Malformed(string text) => new(ErrorCode.Malformed, text);

    private sealed class Part(Dictionary<string, string> headers, ReadOnlyMemory<byte> content)
    {
        public string? Id { get; } = headers.GetValueOrDefault(IdHeader) is { } id ? Unbracketed(id) : null;

        public MediaType Type => MediaType.Parse(headers.GetValueOrDefault(TypeHeader));

        /// <summary>The bytes; fails if their transfer encoding is not known, or not followed.</summary>
        public ReadOnlyMemory<byte> Read() => TransferEncoding.Decode(headers.GetValueOrDefault(EncodingHeader, ""), content);
    }
}
