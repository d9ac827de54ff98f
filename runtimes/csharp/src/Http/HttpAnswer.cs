using System.Net.Http;
using Creo.Messages;

namespace Creo.Http;

/// <summary>A service's answer: status, media type and uncompressed body.</summary>
internal sealed class HttpAnswer : MessageAnswer
{
    private readonly HttpResponseMessage _response;
    private readonly string _address;

    public HttpAnswer(HttpResponseMessage response, MessageBody body, string address)
        : base(HttpErrors.First(response.Content.Headers.NonValidated, "Content-Type"), Decoded(response, body, address))
    {
        _response = response;
        _address = address;
    }

    /// <inheritdoc/>
    public override bool IsRight => _response.IsSuccessStatusCode;

    /// <inheritdoc/>
    /// <remarks>HTTP-3.</remarks>
    public override CreoException OfStatus(string? said = null) => HttpErrors.OfStatus(_response, said ?? Body.Begin(), _address);

    // A status that says enough counts although the body cannot be read.
    private static MessageBody Decoded(HttpResponseMessage response, MessageBody body, string address)
    {
        try
        {
            return body.Decoded(response.Content.Headers.ContentEncoding);
        }
        catch (CreoException e) when (!response.IsSuccessStatusCode && e.Code is ErrorCode.ProtocolMismatch or ErrorCode.Malformed)
        {
            throw HttpErrors.OfStatus(response, e.Text, address);
        }
    }
}
