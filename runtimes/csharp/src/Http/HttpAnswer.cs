using System.Net.Http;

namespace Creo.Http;

/// <summary>What a service has answered: status, media type and body, which is no longer compressed.</summary>
internal sealed class HttpAnswer
{
    private readonly HttpResponseMessage _response;
    private readonly string _address;

    public HttpAnswer(HttpResponseMessage response, HttpBody body, Limits limits, string address)
    {
        _response = response;
        _address = address;
        Limits = limits;
        Type = MediaType.Parse(response.Content.Headers.NonValidated.TryGetValues("Content-Type", out var values) ? values.ToString() : null);
        Body = body.Decoded(response.Content.Headers.ContentEncoding, limits);
    }

    public MediaType Type { get; }

    public HttpBody Body { get; }

    public Limits Limits { get; }

    /// <summary>Whether the status says that all went well.</summary>
    public bool IsRight => (int)_response.StatusCode is >= 200 and < 300;

    /// <summary>The error that the status means where there is no message of the wire (HTTP-3).</summary>
    public CreoException OfStatus() => HttpErrors.OfStatus(_response, Type.Name, _address);

    /// <summary>Whether the character set that the media type says is one of UTF-16.</summary>
    public static bool IsUtf16(MediaType type) => type["charset"]?.ToLowerInvariant() switch
    {
        null or "utf-8" or "us-ascii" => false,
        "utf-16" or "utf-16le" or "utf-16be" => true,
        var other => throw new CreoException(ErrorCode.Malformed, $"the answer is in the character set \"{other}\", which is not read here"),
    };
}
