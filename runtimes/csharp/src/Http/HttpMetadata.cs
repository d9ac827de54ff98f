using System;
using System.Collections.Generic;
using System.Net.Http;
using System.Net.Http.Headers;
using Creo.Messages;

namespace Creo.Http;

/// <summary>Metadata as HTTP headers (HTTP-8).</summary>
internal static class HttpMetadata
{
    private const string Prefix = "creo-meta-";

    /// <summary>Whether metadata with this key is a header of the same name.</summary>
    public static bool IsPlain(string key) => key is "authorization" or "traceparent" or "tracestate";

    /// <summary>What came with an answer (HTTP-25), which is checked in any case; null if it is not wanted.</summary>
    public static Answer? Of(HttpResponseMessage response, Limits limits, bool isWanted)
    {
        AnswerMetadata? metadata = isWanted ? new AnswerMetadata(limits) : null;
        List<KeyValuePair<string, string>>? headers = isWanted ? [] : null;
        Collect(response.Headers.NonValidated, limits, ref metadata, headers);
        Collect(response.Content.Headers.NonValidated, limits, ref metadata, headers);
        return headers is null ? null : new Answer { Metadata = metadata!.Pairs, Status = (int)response.StatusCode, Headers = headers };
    }

    private static void Collect(HttpHeadersNonValidated from, Limits limits, ref AnswerMetadata? metadata, List<KeyValuePair<string, string>>? headers)
    {
        foreach ((string name, HeaderStringValues values) in from)
        {
            bool isPair = name.StartsWith(Prefix, StringComparison.OrdinalIgnoreCase);
            if (!isPair && headers is null)
            {
                continue;
            }
            string small = name.ToLowerInvariant();
            foreach (string value in values)
            {
                headers?.Add(new(small, value));
                if (isPair)
                {
                    metadata ??= new AnswerMetadata(limits);
                    metadata.Add(small[Prefix.Length..], MetadataText.Unescaped(value));
                }
            }
        }
    }

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
