using System;
using System.Collections.Generic;
using System.Globalization;
using Creo.Net;

namespace Creo.Tcp;

/// <summary>Shows the messages of one call over TCP, without their frames (CALL-62).</summary>
internal sealed class TcpRaw(ClientOptions options, string method, IReadOnlyList<string> secrets, string peer, BodyWire? wire) : RawHook(options, method, secrets, peer)
{
    private readonly ClientOptions _options = options;

    /// <summary>Shows a request; the body is not compressed.</summary>
    public void Request(bool isOneway, ReadOnlyMemory<byte> body, Deadline deadline, IReadOnlyDictionary<string, string>? metadata) =>
        Show(isOneway ? "oneway" : "request", isAnswer: false, deadline, metadata, body, wire is not null);

    /// <summary>Shows an answer, unless its compression cannot be undone or its body exceeds a limit. Its metadata were taken.</summary>
    public void Answer(AnswerBody answer, IReadOnlyDictionary<string, string> metadata)
    {
        try
        {
            answer.Decompress();
        }
        catch (CreoException)
        {
            // Reading the answer says so.
            return;
        }
        if (answer.Length <= _options.Limits.MaxBody)
        {
            string kind = answer.Kind switch { FrameKind.Response => "response", FrameKind.Exception => "exception", _ => "error" };
            // Errors are of the binary wire (TDX-52).
            Show(kind, isAnswer: true, Deadline.None, metadata, answer.Memory, wire is not null && answer.Kind is (FrameKind.Response or FrameKind.Exception));
        }
    }

    private void Show(string kind, bool isAnswer, Deadline deadline, IReadOnlyDictionary<string, string>? metadata, ReadOnlyMemory<byte> body, bool isTable)
    {
        List<KeyValuePair<string, string>> fields = [new("wire", wire is null ? "binary" : "tdxml"), new("kind", kind)];
        if (!deadline.IsNone)
        {
            fields.Add(new("timeout", deadline.MillisecondsLeft().ToString(CultureInfo.InvariantCulture)));
        }
        fields.AddRange(metadata ?? new Dictionary<string, string>());
        string? hidden;
        // The columns of a table have no names.
        ReadOnlyMemory<byte> shown = isTable ? Whole(body, out hidden, "its secrets have no names of their own") : Whole(body, out hidden);
        Show(isAnswer, 0, fields, shown, body.Length, hidden);
    }
}
