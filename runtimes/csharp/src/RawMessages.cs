using System;
using System.Collections.Generic;
using System.IO;
using Creo.Http;

namespace Creo;

/// <summary>A message of a call over HTTP as it was sent or came, with <c>***</c> for secrets (CALL-62).</summary>
/// <remarks>Everything in it may be the peer's: <see cref="ToText"/> makes it fit for a log.</remarks>
public sealed class RawMessage
{
    /// <summary>Whether it was sent; otherwise it came.</summary>
    public required bool IsSent { get; init; }

    /// <summary>Whether it is an answer; otherwise it is a request.</summary>
    public required bool IsAnswer { get; init; }

    /// <summary>The full name of the interface, a dot and the name of the method.</summary>
    public required string Method { get; init; }

    /// <summary>The host and port of the service.</summary>
    public required string Peer { get; init; }

    /// <summary>The status of an answer; 0 of a request.</summary>
    public int Status { get; init; }

    /// <summary>The header fields, in their order as far as the platform keeps it.</summary>
    public required IReadOnlyList<KeyValuePair<string, string>> Headers { get; init; }

    /// <summary>The first bytes of the body, without codings.</summary>
    public required ReadOnlyMemory<byte> Body { get; init; }

    /// <summary>How many bytes after them were left out.</summary>
    public long Cut { get; init; }

    /// <summary>The whole length of the body in bytes, as it was sent or came.</summary>
    public required long Length { get; init; }

    /// <summary>Why the body is not shown, though it has bytes; null if it is.</summary>
    public string? Hidden { get; init; }

    /// <summary>The message as text of several lines (CALL-68).</summary>
    /// <param name="indented">Whether XML and JSON get line breaks and indentation.</param>
    public string ToText(bool indented = false) => RawText.Of(this, indented);

    /// <summary>What writes each message to a log, as text of several lines, for <see cref="ClientOptions.RawMessages"/>.</summary>
    /// <param name="log">The log. Messages of several calls are written one after the other.</param>
    /// <param name="indented">Whether XML and JSON get line breaks and indentation.</param>
    public static Action<RawMessage> To(TextWriter log, bool indented = false)
    {
        ArgumentNullException.ThrowIfNull(log);
        object turn = new();
        return message =>
        {
            string text = message.ToText(indented);
            lock (turn)
            {
                log.WriteLine(text);
            }
        };
    }
}

public sealed partial record ClientOptions
{
    private const int MaxOfAllRawBodies = 16_777_216;

    private readonly int _maxRawBody = 65_536;

    /// <summary>
    /// Is shown each message of calls over HTTP (CALL-60 to CALL-68), such as by <see cref="RawMessage.To"/>; null for none. Called on the thread of the
    /// call, for several calls at a time. What it throws is traced, and changes nothing.
    /// </summary>
    public Action<RawMessage>? RawMessages { get; init; }

    /// <summary>The max bytes of a body that are shown there, 0 to 16,777,216.</summary>
    public int MaxRawBody
    {
        get => _maxRawBody;
        init => _maxRawBody = value is >= 0 and <= MaxOfAllRawBodies
            ? value
            : throw new ArgumentOutOfRangeException(nameof(MaxRawBody), value, "the max bytes of a body that are shown are 0 to 16,777,216");
    }
}

public partial class Method<TArguments, TResult>
{
    /// <summary>The names of secrets in its messages (CALL-65).</summary>
    public IReadOnlyList<string> Secrets { get; init; } = [];
}
