// What the hook throws is traced in every build.
#define TRACE

using System;
using System.Collections.Generic;
using System.Diagnostics;

namespace Creo;

/// <summary>A message of a call as it was sent or came, with <c>***</c> for secrets (CALL-62). Everything in it may be the peer's.</summary>
public sealed partial class RawMessage
{
    /// <summary>Whether it was sent; otherwise it came.</summary>
    public required bool IsSent { get; init; }

    /// <summary>Whether it is an answer; otherwise it is a request.</summary>
    public required bool IsAnswer { get; init; }

    /// <summary>The full name of the interface, a dot and the name of the method.</summary>
    public required string Method { get; init; }

    /// <summary>The host and port of the service; over JMS <c>jms:queue:NAME</c>.</summary>
    public required string Peer { get; init; }

    /// <summary>The status of an answer over HTTP; otherwise 0.</summary>
    public int Status { get; init; }

    /// <summary>
    /// The fields: over HTTP the header fields, in their order as far as the platform keeps it; over JMS the properties; over TCP <c>wire</c>, <c>kind</c>,
    /// <c>timeout</c> in milliseconds if a request has one, and the metadata.
    /// </summary>
    public required IReadOnlyList<KeyValuePair<string, string>> Headers { get; init; }

    /// <summary>The first bytes of the body, without codings and frames.</summary>
    public required ReadOnlyMemory<byte> Body { get; init; }

    /// <summary>How many bytes after them were left out.</summary>
    public long Cut { get; init; }

    /// <summary>The whole length of the body in bytes, as it was sent or came.</summary>
    public required long Length { get; init; }

    /// <summary>Why the body is not shown, though it has bytes; null if it is.</summary>
    public string? Hidden { get; init; }
}

public sealed partial record ClientOptions
{
    private const int MaxOfAllRawBodies = 16_777_216;

    private readonly int _maxRawBody = 65_536;

    /// <summary>
    /// Is shown each message of calls (CALL-60 to CALL-68), such as by <c>RawMessage.To(Console.Error)</c>; null for none. Called on the thread of the
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

/// <summary>Shows the messages of one call to the hook of its client (CALL-61).</summary>
internal abstract class RawHook(ClientOptions options, string method, IReadOnlyList<string> secrets, string peer)
{
    private const string Hidden = "***";

    private static readonly string[] HiddenNames = ["authorization", "x-auth", "cookie", "token", "secret", "password", "api-key", "apikey"];

    protected IReadOnlyList<string> Secrets => secrets;

    /// <summary>A body as it is, or none and the reason if the method has secrets (CALL-66).</summary>
    protected ReadOnlyMemory<byte> Whole(ReadOnlyMemory<byte> body, out string? hidden, string reason = "it is of the binary wire")
    {
        hidden = secrets.Count > 0 && body.Length > 0 ? reason : null;
        return hidden is null ? body : default;
    }

    /// <summary>Shows a message. What the hook throws is traced.</summary>
    /// <param name="isAnswer">Whether it is an answer.</param>
    /// <param name="status">The status of HTTP, or 0.</param>
    /// <param name="fields">The fields; values with secret names are replaced.</param>
    /// <param name="body">The body without secrets.</param>
    /// <param name="length">The length of the body with them.</param>
    /// <param name="hidden">Why the body is not shown, or null.</param>
    protected void Show(bool isAnswer, int status, List<KeyValuePair<string, string>> fields, ReadOnlyMemory<byte> body, int length, string? hidden)
    {
        for (int i = 0; i < fields.Count; i++)
        {
            fields[i] = IsSecret(fields[i].Key) ? new(fields[i].Key, Hidden) : fields[i];
        }
        try
        {
            options.RawMessages!(new RawMessage
            {
                IsSent = !isAnswer,
                IsAnswer = isAnswer,
                Method = method,
                Peer = peer,
                Status = status,
                Headers = fields,
                Body = body[..Math.Min(body.Length, options.MaxRawBody)].ToArray(),
                Cut = Math.Max(0, body.Length - options.MaxRawBody),
                Length = length,
                Hidden = hidden,
            });
        }
        catch (Exception e)
        {
            Trace.TraceError(CreoException.Printable($"creo: the hook for raw messages failed at a call of {method}: {e.GetType()}: {e.Message}"));
        }
    }

    // CALL-64. In the name of a property, a hyphen is "_2d" (JMS-4).
    private static bool IsSecret(string name)
    {
        string bare = name.Replace("_2d", "-", StringComparison.OrdinalIgnoreCase);
        foreach (string word in HiddenNames)
        {
            if (bare.Contains(word, StringComparison.OrdinalIgnoreCase))
            {
                return true;
            }
        }
        return false;
    }
}
