using System.Net.Http;
using Creo.Messages;

namespace Creo.Http;

/// <summary>A service's answer: status, media type and uncompressed body.</summary>
internal sealed class HttpAnswer : MessageAnswer
{
    private readonly HttpResponseMessage _response;
    private readonly string _address;

    public HttpAnswer(HttpResponseMessage response, MessageBody body, string address)
        : base(
            HttpErrors.First(response.Content.Headers.NonValidated, "Content-Type"),
            body.Decoded(response.Content.Headers.ContentEncoding))
    {
        _response = response;
        _address = address;
    }

    /// <inheritdoc/>
    public override bool IsRight => (int)_response.StatusCode is >= 200 and < 300;

    /// <inheritdoc/>
    /// <remarks>HTTP-3.</remarks>
    public override CreoException OfStatus(string? said = null) => HttpErrors.OfStatus(_response, said ?? Body.Begin(), _address);
}
