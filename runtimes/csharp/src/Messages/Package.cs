using System;
using System.Collections.Generic;
using System.Text;

namespace Creo.Messages;

/// <summary>A multipart: an envelope or a table, and its referenced parts (SOAP-20 to SOAP-22, TDX-53).</summary>
internal sealed class Package : ITextParts
{
    private const int MaxPartHeaders = 16_384;

    private readonly Dictionary<string, ReadOnlyMemory<byte>> _parts = new(StringComparer.Ordinal);

    private Package(ReadOnlyMemory<byte> root, MediaType rootType)
    {
        Root = root;
        RootType = rootType;
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

    /// <summary>Parses a multipart whose root has a media type; the parts are not copied.</summary>
    public static Package Read(ReadOnlyMemory<byte> body, MediaType type, string rootType, Limits limits)
    {
        if (type["boundary"] is not { Length: > 0 and <= 70 } boundary)
        {
            throw Malformed("a package without a boundary");
        }
        if (type["type"] is { } inner && !inner.Equals(rootType, StringComparison.OrdinalIgnoreCase))
        {
            throw new CreoException(ErrorCode.ProtocolMismatch, $"a package of the type \"{inner}\", which is not known here");
        }
        byte[] delimiter = Encoding.Latin1.GetBytes("\r\n--" + boundary);
        List<(string? Id, MediaType Type, ReadOnlyMemory<byte> Content)> all = [];
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
        if (!href.StartsWith("cid:", StringComparison.OrdinalIgnoreCase))
        {
            throw Malformed("something else than a part of the package is named");
        }
        return _parts.Remove(Uri.UnescapeDataString(href[4..]), out ReadOnlyMemory<byte> part) ? part.ToArray() : null;
    }

    /// <summary>Fails if a part was not used.</summary>
    public void CheckUsed()
    {
        foreach (string id in _parts.Keys)
        {
            throw Malformed($"the part \"{id}\" is named nowhere");
        }
    }

    private static Package Of(List<(string? Id, MediaType Type, ReadOnlyMemory<byte> Content)> all, string? start)
    {
        if (all.Count == 0)
        {
            throw Malformed("a package without parts");
        }
        int root = start is null ? 0 : all.FindIndex(part => part.Id == Unbracketed(start));
        if (root < 0)
        {
            throw Malformed($"the package has no part \"{start}\", which should be its first");
        }
        var package = new Package(all[root].Content, all[root].Type);
        for (int i = 0; i < all.Count; i++)
        {
            if (i == root)
            {
                continue;
            }
            string id = all[i].Id ?? throw Malformed("a part without a content id");
            if (id == all[root].Id || !package._parts.TryAdd(id, all[i].Content))
            {
                throw Malformed($"two parts have the content id \"{id}\"");
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

    private static (string? Id, MediaType Type, ReadOnlyMemory<byte> Content) ReadPart(ReadOnlyMemory<byte> body, ref int at, byte[] delimiter)
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
        (string? id, MediaType type) = ReadHeaders(Encoding.Latin1.GetString(rest[..headers]));
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
                return (id, type, body[start..Math.Max(start, end)]);
            }
        }
    }

    private static (string? Id, MediaType Type) ReadHeaders(string headers)
    {
        string? id = null;
        MediaType type = MediaType.Parse(null);
        foreach (string line in headers.Replace("\r\n ", " ").Replace("\r\n\t", " ").Split("\r\n"))
        {
            int colon = line.IndexOf(':');
            string value = line[(colon + 1)..].Trim();
            switch (colon < 0 ? "" : line[..colon].Trim().ToLowerInvariant())
            {
                case "content-id":
                    id = Unbracketed(value);
                    break;
                case "content-type":
                    type = MediaType.Parse(value);
                    break;
                case "content-transfer-encoding" when value.ToLowerInvariant() is not ("binary" or "8bit" or "7bit"):
                    throw Malformed($"a part in the transfer encoding \"{value}\"");
                default:
                    break;
            }
        }
        return (id, type);
    }

    private static string Unbracketed(string id) => id.StartsWith('<') && id.EndsWith('>') ? id[1..^1] : id;

    private static byte[] Bytes(string text) => Encoding.Latin1.GetBytes(text);

    private static CreoException Malformed(string text) => new(ErrorCode.Malformed, text);
}
