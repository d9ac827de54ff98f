using System;
using System.Collections.Generic;
using System.Net.Http;
using Creo.Messages;

namespace Creo.Http;

/// <summary>Metadata as HTTP headers (HTTP-8).</summary>
internal static class HttpMetadata
{
    /// <summary>Whether metadata with this key is a header of the same name.</summary>
    public static bool IsPlain(string key) => key is "authorization" or "traceparent" or "tracestate";

    /// <summary>Adds the pairs to a request.</summary>
    public static void Add(HttpRequestMessage request, IReadOnlyDictionary<string, string> pairs, Limits limits)
    {
        MetadataText.Check(pairs, limits);
        foreach ((string name, string value) in pairs)
        {
            if (IsPlain(name))
            {
                if (value.AsSpan().ContainsAnyExceptInRange(' ', '~') || value.Length == 0)
                {
                    throw new CreoException(ErrorCode.InvalidValue, $"the value of \"{name}\" is not printable ASCII").At("metadata " + name, null);
                }
                request.Headers.TryAddWithoutValidation(name, value);
            }
            else
            {
                request.Headers.TryAddWithoutValidation("Creo-Meta-" + name, MetadataText.Escaped(value));
            }
        }
    }
}
