using System;
using System.Net.Http;

namespace Creo.Http;

/// <summary>What failures of HTTP, and answers that are no message, mean (HTTP-3, HTTP-10, ERR-9).</summary>
internal static class HttpErrors
{
    /// <summary>The error of a request that failed.</summary>
    public static CreoException Of(Exception e, string address, Limits limits)
    {
        for (Exception? cause = e; cause is not null; cause = cause.InnerException)
        {
            // What failed to connect says so itself.
            if (cause is CreoException known)
            {
                return known;
            }
            if (cause is TimeoutException)
            {
                return Unavailable(address, "connecting took too long", e);
            }
        }
        return ErrorOf(e) switch
        {
            HttpRequestError.InvalidResponse => Mismatch(address, "the answer is no HTTP", e),
            HttpRequestError.HttpProtocolError or HttpRequestError.VersionNegotiationError => Mismatch(address, "the answer is no HTTP/1.1", e),
            HttpRequestError.ConfigurationLimitExceeded =>
                CreoException.TooLarge("maxHeaderSize", limits.MaxHeaderSize, $"the headers of {address}'s answer are too large"),
            HttpRequestError.ResponseEnded => Unavailable(address, "the connection was lost before the answer had come", e),
            _ => Unavailable(address, "the connection was lost", e),
        };
    }

    /// <summary>The error that a status means where there is no message.</summary>
    public static CreoException OfStatus(HttpResponseMessage response, string mediaType, string address)
    {
        int status = (int)response.StatusCode;
        string text = $"{address} answered with the status {status} and {(mediaType.Length == 0 ? "no media type" : mediaType)}";
        if (status is >= 300 and < 400)
        {
            return new CreoException(ErrorCode.Unavailable, $"{text}: it is to be found at {response.Headers.Location?.OriginalString ?? "another place"}, and redirects are not followed");
        }
        ErrorCode code = status switch
        {
            401 or 407 => ErrorCode.Unauthenticated,
            403 => ErrorCode.PermissionDenied,
            404 or 502 or 503 or 504 => ErrorCode.Unavailable,
            413 => ErrorCode.TooLarge,
            429 => ErrorCode.Overloaded,
            _ => ErrorCode.ProtocolMismatch,
        };
        return new CreoException(code, text);
    }

    private static HttpRequestError ErrorOf(Exception e) => e switch
    {
        HttpRequestException { HttpRequestError: not HttpRequestError.Unknown } known => known.HttpRequestError,
        HttpIOException known => known.HttpRequestError,
        { InnerException: { } inner } => ErrorOf(inner),
        _ => HttpRequestError.Unknown,
    };

    private static CreoException Unavailable(string address, string text, Exception e) => new(ErrorCode.Unavailable, $"cannot call {address}: {text}", e);

    private static CreoException Mismatch(string address, string text, Exception e) => new(ErrorCode.ProtocolMismatch, $"cannot call {address}: {text}", e);
}

/// <summary>Metadata as headers of HTTP (HTTP-8).</summary>
internal static class HttpMetadata
{
    /// <summary>Adds the pairs to a request.</summary>
    public static void Add(HttpRequestMessage request, System.Collections.Generic.IReadOnlyDictionary<string, string> pairs, Limits limits)
    {
        using (var sizes = new Writer(limits))
        {
            // The names and the sizes are those of the binary wire.
            Tcp.Metadata.Write(sizes, pairs, limits);
        }
        foreach ((string name, string value) in pairs)
        {
            if (name is "authorization" or "traceparent" or "tracestate")
            {
                if (value.AsSpan().ContainsAnyExceptInRange(' ', '~') || value.Length == 0)
                {
                    throw new CreoException(ErrorCode.InvalidValue, $"the value of \"{name}\" is not printable ASCII").At("metadata " + name, null);
                }
                request.Headers.TryAddWithoutValidation(name, value);
            }
            else
            {
                request.Headers.TryAddWithoutValidation("Creo-Meta-" + name, Escaped(value));
            }
        }
    }

    private static string Escaped(string value)
    {
        var text = new System.Text.StringBuilder();
        foreach (byte b in System.Text.Encoding.UTF8.GetBytes(value))
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
}
