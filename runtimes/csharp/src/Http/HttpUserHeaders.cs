using System;
using System.Buffers;
using System.Collections.Generic;
using System.Net.Http;

namespace Creo.Http;

/// <summary>Headers that a user adds to requests (HTTP-24).</summary>
internal static class HttpUserHeaders
{
    private const int MaxHeaders = 64;
    private const int MaxName = 64;

    private static readonly SearchValues<char> Token =
        SearchValues.Create("!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");

    // The names reserved for framing or the wire.
    private static readonly HashSet<string> Owned = new(StringComparer.OrdinalIgnoreCase)
    {
        "Accept-Encoding", "Connection", "Expect", "Host", "Keep-Alive", "MIME-Version", "SOAPAction", "TE", "Trailer", "Transfer-Encoding", "Upgrade",
    };

    private static readonly string[] OwnedPrefixes = ["Content-", "Creo-", "Proxy-"];

    /// <summary>Adds headers to a request with this metadata.</summary>
    public static void Add(
        HttpRequestMessage request, IReadOnlyDictionary<string, string>? headers, IReadOnlyDictionary<string, string>? metadata, Limits limits)
    {
        if (headers is not { Count: > 0 })
        {
            return;
        }
        if (headers.Count > MaxHeaders)
        {
            throw CreoException.TooLarge("maxMetadataSize", limits.MaxMetadataSize, $"a request has at most {MaxHeaders} headers of its user");
        }
        var seen = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        long size = 0;
        foreach ((string name, string value) in headers)
        {
            Check(name, value);
            if (!seen.Add(name))
            {
                throw Invalid($"the header {name} is there twice");
            }
            if (metadata is not null && HttpMetadata.IsPlain(name.ToLowerInvariant()) && metadata.ContainsKey(name.ToLowerInvariant()))
            {
                throw Invalid($"the metadata of the call hold the header {name} too");
            }
            size += name.Length + value.Length + 4;
            // The platform keeps some names with the body, such as Expires.
            if (!request.Headers.TryAddWithoutValidation(name, value))
            {
                request.Content!.Headers.TryAddWithoutValidation(name, value);
            }
        }
        if (size > limits.MaxMetadataSize)
        {
            throw CreoException.TooLarge("maxMetadataSize", limits.MaxMetadataSize, "the headers of the request are too large");
        }
    }

    private static void Check(string name, string value)
    {
        if (name.Length is 0 or > MaxName || name.AsSpan().ContainsAnyExcept(Token))
        {
            throw Invalid($"\"{CreoException.Printable(name)}\" is no name of a header: 1 to {MaxName} characters of a token, such as X-Api-Key");
        }
        if (Owned.Contains(name) || Array.Exists(OwnedPrefixes, prefix => name.StartsWith(prefix, StringComparison.OrdinalIgnoreCase)))
        {
            throw Invalid($"the header {name} is the transport's own");
        }
        if (string.IsNullOrEmpty(value) || value[0] is ' ' or '\t' || value[^1] is ' ' or '\t' || value.Replace('\t', ' ').AsSpan().ContainsAnyExceptInRange(' ', '~'))
        {
            throw Invalid($"the value of the header {name} is not printable ASCII, or has spaces around it, or is empty");
        }
    }

    private static CreoException Invalid(string text) => new(ErrorCode.InvalidValue, text);
}
