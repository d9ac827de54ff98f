using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace Creo;

/// <summary>A failure of a call, or of reading or writing a value, that the description does not declare (ERR-7).</summary>
public sealed class CreoException : Exception
{
    private static readonly Dictionary<string, string> NoDetails = [];

    public CreoException(ErrorCode code, string text, Exception? innerException = null)
        : this(code, text, null, null, NoDetails, false, innerException)
    {
    }

    internal CreoException(
        ErrorCode code,
        string text,
        string? place,
        long? offset,
        IReadOnlyDictionary<string, string>? details = null,
        bool fromPeer = false,
        Exception? innerException = null)
        : base(null, innerException)
    {
        Code = code;
        Text = text;
        Place = place;
        Offset = offset;
        Details = details ?? NoDetails;
        FromPeer = fromPeer;
    }

    /// <summary>What kind of failure it is.</summary>
    public ErrorCode Code { get; }

    /// <summary>What happened, in words. Text of a peer is shown as it came: <see cref="Message"/> is safe to print.</summary>
    public string Text { get; }

    /// <summary>The place of the value, such as <c>$.data[3].metadata</c>, if there is one.</summary>
    public string? Place { get; }

    /// <summary>The offset of the byte in the body, if it is known.</summary>
    public long? Offset { get; }

    /// <summary>Facts with a name: <c>limit</c>, <c>allowed</c>, <c>peer</c> and what a service adds (ERR-4).</summary>
    public IReadOnlyDictionary<string, string> Details { get; }

    /// <summary>Whether the error was sent by the peer, or was found on this side.</summary>
    public bool FromPeer { get; }

    /// <summary>One line: <c>code: message (at place, byte offset)</c>, with control characters escaped (ERR-7, ERR-8).</summary>
    public override string Message
    {
        get
        {
            var line = new StringBuilder();
            line.Append(ErrorCodes.Word(Code)).Append(": ").Append(Printable(Text));
            if (Place is not null || Offset is not null)
            {
                line.Append(" (");
                if (Place is not null)
                {
                    line.Append("at ").Append(Printable(Place));
                }
                if (Offset is not null)
                {
                    line.Append(Place is null ? "byte " : ", byte ").Append(Offset.Value.ToString(CultureInfo.InvariantCulture));
                }
                line.Append(')');
            }
            return line.ToString();
        }
    }

    /// <summary>The full name of the type whose value is the culprit, where several values begin at the same byte.</summary>
    internal string? Subject { get; init; }

    /// <summary>The same error with the place and the offset that were found for it.</summary>
    internal CreoException At(string place, long? offset) => new(Code, Text, place, offset, Details, FromPeer, this);

    internal CreoException AtOffset(long offset) => new(Code, Text, null, offset, Details, FromPeer, InnerException);

    /// <summary>The same error with one more fact.</summary>
    internal CreoException With(string name, string value) =>
        new(Code, Text, Place, Offset, new Dictionary<string, string>(Details) { [name] = value }, FromPeer, InnerException);

    /// <summary>An error that the peer found; its details say the place, if there is one.</summary>
    internal static CreoException OfPeer(ErrorCode code, string text, IReadOnlyDictionary<string, string> details) =>
        new(
            code,
            text,
            details.TryGetValue("place", out string? place) ? place : null,
            details.TryGetValue("offset", out string? at) && long.TryParse(at, NumberStyles.None, CultureInfo.InvariantCulture, out long offset) ? offset : null,
            details,
            fromPeer: true);

    internal static CreoException TooLarge(string limit, long allowed, string text) =>
        new(ErrorCode.TooLarge, string.Create(CultureInfo.InvariantCulture, $"{text}; {limit} is {allowed}"), null, null,
            new Dictionary<string, string> { ["limit"] = limit, ["allowed"] = allowed.ToString(CultureInfo.InvariantCulture) });

    /// <summary>An answer whose bytes alone are more than the limits allow (LIM-1, LIM-18).</summary>
    internal static CreoException AnswerTooLarge(Limits limits) =>
        TooLarge(limits.MaxBody < limits.MaxMessageSize ? "maxMemory" : "maxMessageSize", limits.MaxBody, "the answer is too large");

    /// <summary>A message that takes more memory than the limits allow (LIM-18).</summary>
    internal static CreoException TooMuchMemory(Limits limits) =>
        TooLarge("maxMemory", limits.MaxMemory, "the message takes too much memory");

    /// <summary>The same error about what is named by its full name, or by a constant of the locator.</summary>
    internal CreoException About(string subject) => new(Code, Text, Place, Offset, Details, FromPeer, InnerException) { Subject = subject };

    internal static CreoException Undeclared(string type, long number) => new(ErrorCode.InvalidValue, $"{type} has no constant or member {number}");

    internal static CreoException TooDeep(int allowed, string type) => TooLarge("maxDepth", allowed, "values are nested too deeply").About(type);

    /// <summary>Escapes control characters and cuts after 1,000 characters.</summary>
    internal static string Printable(string text)
    {
        const int maxLength = 1000;
        var shown = new StringBuilder(Math.Min(text.Length, maxLength));
        foreach (char c in text)
        {
            if (shown.Length >= maxLength)
            {
                shown.Append("...");
                break;
            }
            if (char.IsControl(c) || c is '\u2028' or '\u2029' or (>= '\u202a' and <= '\u202e') or (>= '\u2066' and <= '\u2069'))
            {
                shown.Append(CultureInfo.InvariantCulture, $"\\u{(int)c:x4}");
            }
            else
            {
                shown.Append(c);
            }
        }
        return shown.ToString();
    }
}

/// <summary>The base of all exceptions that a description declares.</summary>
public abstract class DeclaredException : Exception
{
    /// <summary>The exception's name in the description and its fields, on one line.</summary>
    public sealed override string Message => CreoException.Printable(Describe());

    /// <summary>The text of <see cref="Message"/>.</summary>
    protected abstract string Describe();
}

/// <summary>The closed list of what can go wrong with a call, the same in every language (ERR-1).</summary>
public enum ErrorCode
{
    /// <summary>The bytes do not follow the wire's rules; the place and the offset say where.</summary>
    Malformed = 1,

    /// <summary>The caller's value cannot be written; the place says where.</summary>
    InvalidValue = 2,

    /// <summary>A limit is exceeded; the details name it.</summary>
    TooLarge = 3,

    /// <summary>No service at this address has the method.</summary>
    UnknownMethod = 4,

    /// <summary>The time for the call is over.</summary>
    DeadlineExceeded = 5,

    /// <summary>The caller gave up.</summary>
    Cancelled = 6,

    /// <summary>No connection, a lost one, or a server that is about to stop.</summary>
    Unavailable = 7,

    /// <summary>The service's queue is full; nothing was started.</summary>
    Overloaded = 8,

    /// <summary>Who calls is not known.</summary>
    Unauthenticated = 9,

    /// <summary>Who calls is known, and may not.</summary>
    PermissionDenied = 10,

    /// <summary>The peer speaks another protocol, or another version of this one.</summary>
    ProtocolMismatch = 11,

    /// <summary>The method failed in a way that it did not declare.</summary>
    Internal = 12,

    /// <summary>The certificate of the other side is not accepted, or is for another name. Found by clients alone, and never sent (ERR-2).</summary>
    UntrustedPeer = 13,
}

/// <summary>The words of the error codes, as messages in every language have them.</summary>
internal static class ErrorCodes
{
    public static string Word(ErrorCode code) => code switch
    {
        ErrorCode.Malformed => "malformed",
        ErrorCode.InvalidValue => "invalid-value",
        ErrorCode.TooLarge => "too-large",
        ErrorCode.UnknownMethod => "unknown-method",
        ErrorCode.DeadlineExceeded => "deadline-exceeded",
        ErrorCode.Cancelled => "cancelled",
        ErrorCode.Unavailable => "unavailable",
        ErrorCode.Overloaded => "overloaded",
        ErrorCode.Unauthenticated => "unauthenticated",
        ErrorCode.PermissionDenied => "permission-denied",
        ErrorCode.ProtocolMismatch => "protocol-mismatch",
        ErrorCode.UntrustedPeer => "untrusted-peer",
        _ => "internal",
    };

    /// <summary>The code of a word that a peer sent, or null if it is none that may be sent.</summary>
    public static ErrorCode? OfWord(string word)
    {
        for (ErrorCode code = ErrorCode.Malformed; code <= ErrorCode.Internal; code++)
        {
            if (Word(code) == word)
            {
                return code;
            }
        }
        return null;
    }
}
