using System;
using System.Collections.Generic;
using Creo.Http;
using Creo.Messages;

namespace Creo.Jms;

/// <summary>Shows the messages of one call over a broker, whose properties are the fields (CALL-62).</summary>
internal sealed class JmsRaw(ClientOptions options, string method, IReadOnlyList<string> secrets, JmsAddress address, string binaryType)
    : RawHook(options, method, secrets, address.RequestUri.Split('?')[0])
{
    private readonly Limits _limits = options.Limits;

    /// <summary>Shows a request; the body is not compressed.</summary>
    public void Request(IEnumerable<(string Name, string Value)> properties, string contentType, ReadOnlyMemory<byte> body)
    {
        var fields = new List<KeyValuePair<string, string>>();
        foreach ((string name, string value) in properties)
        {
            fields.Add(new(name, value));
        }
        Show(false, fields, contentType, body);
    }

    /// <summary>Shows an answer, unless its coding cannot be undone or its body exceeds a limit.</summary>
    public void Answer(JmsMessage message)
    {
        ReadOnlyMemory<byte> came = message.Body;
        if (came.Length > _limits.MaxBody)
        {
            return;
        }
        var body = new MessageBody(came.Length, _limits);
        came.CopyTo(body.Room());
        body.Commit(came.Length);
        try
        {
            body = body.Decoded(message.ContentEncoding is null ? [] : [message.ContentEncoding]);
        }
        catch (CreoException)
        {
            // Reading the answer says so.
            return;
        }
        Show(true, message.Listed(), message.ContentType, body.Memory);
    }

    private void Show(bool isAnswer, List<KeyValuePair<string, string>> fields, string? contentType, ReadOnlyMemory<byte> body)
    {
        for (int i = 0; i < fields.Count; i++)
        {
            // Its parameters are not shown.
            fields[i] = fields[i].Key == "SOAPJMS_requestURI" ? new(fields[i].Key, fields[i].Value.Split('?')[0]) : fields[i];
        }
        string? hidden;
        bool isBinary = binaryType.Equals((contentType ?? "").Split(';')[0].Trim(), StringComparison.OrdinalIgnoreCase);
        ReadOnlyMemory<byte> shown = isBinary ? Whole(body, out hidden) : RawBody.Shown(body, contentType, Secrets, out hidden);
        Show(isAnswer, 0, fields, shown, body.Length, hidden);
    }
}
