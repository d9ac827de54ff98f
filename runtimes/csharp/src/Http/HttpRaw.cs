using System;
using System.Collections.Generic;
using System.Linq;
using System.Net.Http;
using System.Net.Http.Headers;
using Creo.Messages;

namespace Creo.Http;

/// <summary>Shows the messages of one call over HTTP.</summary>
internal sealed class HttpRaw(ClientOptions options, string method, IReadOnlyList<string> secrets, Uri url)
    : RawHook(options, method, secrets, $"{url.Host}:{url.Port}")
{
    /// <summary>Shows a request; the body has no coding.</summary>
    public void Request(HttpRequestMessage request, ReadOnlyMemory<byte> body) => Show(0, Fields(request.Headers.NonValidated, request.Content!.Headers.NonValidated), body);

    /// <summary>Shows an answer, unless its coding cannot be undone.</summary>
    public void Answer(HttpResponseMessage response, MessageBody body)
    {
        MessageBody plain;
        try
        {
            plain = body.Decoded(response.Content.Headers.ContentEncoding);
        }
        catch (CreoException)
        {
            return;
        }
        Show((int)response.StatusCode, Fields(response.Headers.NonValidated, response.Content.Headers.NonValidated), plain.Memory);
    }

    /// <summary>Shows an answer whose body is a stream.</summary>
    public void Head(HttpResponseMessage response) => Show((int)response.StatusCode, Fields(response.Headers.NonValidated, response.Content.Headers.NonValidated), default);

    private static List<KeyValuePair<string, string>> Fields(HttpHeadersNonValidated head, HttpHeadersNonValidated content)
    {
        var fields = new List<KeyValuePair<string, string>>();
        foreach ((string name, HeaderStringValues values) in head.Concat(content))
        {
            foreach (string value in values)
            {
                fields.Add(new(name, value));
            }
        }
        return fields;
    }

    private void Show(int status, List<KeyValuePair<string, string>> fields, ReadOnlyMemory<byte> body)
    {
        string? type = fields.Find(static field => field.Key.Equals("Content-Type", StringComparison.OrdinalIgnoreCase)).Value;
        byte[] shown = RawBody.Shown(body, type, Secrets, out string? hidden);
        Show(status != 0, status, fields, shown, body.Length, hidden);
    }
}
