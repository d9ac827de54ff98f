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
