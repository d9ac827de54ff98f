using System;
using System.Collections.Generic;
using System.Globalization;
using System.Net.Http;
using System.Net.Http.Headers;

namespace Creo.Http;

/// <summary>Errors for failures of HTTP, and for answers without a message (HTTP-3, HTTP-10, ERR-9).</summary>
internal static class HttpErrors
{
    // The max characters of each part of an answer in a message.
    private const int MaxExcerpt = 300;

    // A longer time is cut to this.
    private const int MaxSeconds = 2_000_000;

    /// <summary>The error for a failed request.</summary>
    public static CreoException Of(Exception e, string address, Limits limits)
    {
        for (Exception? cause = e; cause is not null; cause = cause.InnerException)
        {
            // A failed connect already has its error.
            if (cause is CreoException known)
            {
                return known;
            }
            if (cause is TimeoutException)
            {
                return Unavailable(address, "connecting took too long", e).Unsent();
            }
        }
        return ErrorOf(e) switch
        {
            HttpRequestError.InvalidResponse => Mismatch(address, "the answer is no HTTP", e),
            HttpRequestError.HttpProtocolError or HttpRequestError.VersionNegotiationError => Mismatch(address, "the answer is no HTTP/1.1", e),
            HttpRequestError.ConfigurationLimitExceeded =>
                CreoException.TooLarge("maxHeaderSize", limits.MaxHeaderSize, $"the headers of {address}'s answer are too large"),
            HttpRequestError.NameResolutionError or HttpRequestError.ConnectionError or HttpRequestError.ProxyTunnelError =>
                Unavailable(address, "there is no connection", e).Unsent(),
            HttpRequestError.ResponseEnded => Unavailable(address, "the connection was lost before the answer had come", e),
            _ => Unavailable(address, "the connection was lost", e),
        };
    }

    /// <summary>The error of an answer, with the time that its header says (CALL-24).</summary>
    public static CreoException WithTime(CreoException error, HttpResponseMessage response)
    {
        bool isRead = error is { FromPeer: true, RetryAfter: null } && (int)response.StatusCode is 429 or 503;
        return isRead && CreoException.WholeNumber(First(response.Headers.NonValidated, "Retry-After")?.Trim(), MaxSeconds) is { } seconds
            ? error.With("retry-after", (1000 * seconds).ToString(CultureInfo.InvariantCulture))
            : error;
    }

    /// <summary>The value of the first field with the name; null if there is none.</summary>
    public static string? First(HttpHeadersNonValidated headers, string name)
    {
        if (headers.TryGetValues(name, out HeaderStringValues values))
        {
            foreach (string value in values)
            {
                return value;
            }
        }
        return null;
    }

    /// <summary>The error for a status without a message (HTTP-22).</summary>
    /// <param name="response">The answer.</param>
    /// <param name="said">The text of its body.</param>
    /// <param name="address">The peer's address.</param>
    /// <param name="refusal">Why no request follows a redirect, or a challenge for a digest; null for no reason beyond the status.</param>
    public static CreoException OfStatus(HttpResponseMessage response, string said, string address, string? refusal = null)
    {
        int status = (int)response.StatusCode;
        string media = Cut(First(response.Content.Headers.NonValidated, "Content-Type") ?? "");
        string text = $"{address} answered with the status {status} {Cut(response.ReasonPhrase ?? "")}".TrimEnd() + $" and {(media.Length == 0 ? "no media type" : media)}";
        if (status is >= 300 and < 400)
        {
            refusal = refusal is not null ? "the redirect is not followed, since " + refusal
                : status is >= 301 and <= 303 ? $"redirects with {status} are not followed, since they keep neither method nor body"
                : "redirects are not followed";
            text += $"; it is to be found at {Cut(First(response.Headers.NonValidated, "Location") ?? "another place")}, and {refusal}";
        }
        string? challenge = status switch { 401 => "WWW-Authenticate", 407 => "Proxy-Authenticate", _ => null };
        if (challenge is not null && response.Headers.NonValidated.TryGetValues(challenge, out HeaderStringValues values))
        {
            text += $"; {challenge}: {Cut(values.ToString())}";
        }
        text += status == 401 && refusal is not null ? "; digest authentication is not possible, since " + refusal : "";
        said = Cut(said);
        text += said.Length == 0 ? "" : $": {said}";
        ErrorCode code = status switch
        {
            401 or 407 => ErrorCode.Unauthenticated,
            403 => ErrorCode.PermissionDenied,
            404 or 502 or 503 or 504 => ErrorCode.Unavailable,
            413 => ErrorCode.TooLarge,
            429 => ErrorCode.Overloaded,
            >= 300 and < 400 => ErrorCode.Unavailable,
            _ => ErrorCode.ProtocolMismatch,
        };
        return OfPeer(code, text);
    }

    private static CreoException OfPeer(ErrorCode code, string text) => CreoException.OfPeer(code, text, new Dictionary<string, string>());

    // The beginning of the peer's text.
    private static string Cut(string text)
    {
        text = text.Trim();
        return CreoException.Printable(text.Length > MaxExcerpt ? text[..MaxExcerpt] + "..." : text);
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
