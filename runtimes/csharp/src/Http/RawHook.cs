// What the hook throws is traced in every build.
#define TRACE

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Net.Http;
using System.Net.Http.Headers;
using Creo.Messages;

namespace Creo.Http;

/// <summary>Shows the messages of one call to the hook of its client (CALL-61).</summary>
internal sealed class RawHook(ClientOptions options, string method, IReadOnlyList<string> secrets, Uri url)
{
    private static readonly string[] HiddenNames = ["authorization", "x-auth", "cookie", "token", "secret", "password", "api-key", "apikey"];
    private const string Metadata = "creo-meta-";

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

    private static bool IsSecret(string name)
    {
        ReadOnlySpan<char> bare = name.StartsWith(Metadata, StringComparison.OrdinalIgnoreCase) ? name.AsSpan(Metadata.Length) : name;
        foreach (string word in HiddenNames)
        {
            if (bare.Contains(word, StringComparison.OrdinalIgnoreCase))
            {
                return true;
            }
        }
        return false;
    }

    private void Show(int status, List<KeyValuePair<string, string>> fields, ReadOnlyMemory<byte> body)
    {
        string? type = fields.Find(static field => field.Key.Equals("Content-Type", StringComparison.OrdinalIgnoreCase)).Value;
        byte[] shown = RawBody.Shown(body, type, secrets, out string? hidden);
        for (int i = 0; i < fields.Count; i++)
        {
            fields[i] = IsSecret(fields[i].Key) ? new(fields[i].Key, "***") : fields[i];
        }
        try
        {
            options.RawMessages!(new RawMessage
            {
                IsSent = status == 0,
                IsAnswer = status != 0,
                Method = method,
                Peer = $"{url.Host}:{url.Port}",
                Status = status,
                Headers = fields,
                Body = shown.AsMemory(0, Math.Min(shown.Length, options.MaxRawBody)),
                Cut = Math.Max(0, shown.Length - options.MaxRawBody),
                Length = body.Length,
                Hidden = hidden,
            });
        }
        catch (Exception e)
        {
            Trace.TraceError(CreoException.Printable($"creo: the hook for raw messages failed at a call of {method}: {e.GetType()}: {e.Message}"));
        }
    }
}
