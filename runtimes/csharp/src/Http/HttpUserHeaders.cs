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

    /// <summary>Adds the headers of a client and those of a call, which take precedence, to a request with this metadata.</summary>
    public static void Add(
        HttpRequestMessage request,
        IReadOnlyDictionary<string, string>? client,
        IReadOnlyDictionary<string, string>? call,
        IReadOnlyDictionary<string, string>? metadata,
        Limits limits)
    {
        if (client is not { Count: > 0 } && call is not { Count: > 0 })
        {
            return;
        }
        var all = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        Collect(all, client);
        Collect(all, call);
        if (all.Count > MaxHeaders)
        {
            throw CreoException.TooLarge("maxMetadataSize", limits.MaxMetadataSize, $"a request has at most {MaxHeaders} headers of its user");
        }
        long size = 0;
        foreach ((string name, string value) in all)
        {
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

    private static void Collect(Dictionary<string, string> all, IReadOnlyDictionary<string, string>? headers)
    {
        if (headers is null)
        {
            return;
        }
        var seen = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        foreach ((string name, string value) in headers)
        {
            Check(name, value);
            if (!seen.Add(name))
            {
                throw Invalid($"the header {name} is there twice");
            }
            all[name] = value;
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
