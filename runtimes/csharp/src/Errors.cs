using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;

namespace Creo;

/// <summary>A failure of a call, or of reading or writing a value, other than a declared exception (ERR-7).</summary>
public sealed class CreoException : Exception
{
    // In milliseconds: the platform's timers take it.
    private const long MaxRetryAfter = 2_000_000_000;

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

    /// <summary>The error code.</summary>
    public ErrorCode Code { get; }

    /// <summary>The message. Text of a peer is included unchanged; only <see cref="Message"/> is safe to print.</summary>
    public string Text { get; }

    /// <summary>The path of the value, such as <c>$.data[3].metadata</c>, if there is one.</summary>
    public string? Place { get; }

    /// <summary>The offset in the body, if known.</summary>
    public long? Offset { get; }

    /// <summary>Named details: <c>limit</c>, <c>allowed</c>, <c>peer</c>, <c>attempts</c> and those of a service (ERR-4).</summary>
    public IReadOnlyDictionary<string, string> Details { get; }

    /// <summary>Whether the peer sent the error; otherwise this side detected it.</summary>
    public bool FromPeer { get; }

    /// <summary>Whether the method has certainly not begun to run (CALL-21). False leaves that open.</summary>
    public bool NotStarted => Details.TryGetValue("started", out string? started) && started == "no";

    /// <summary>The time after which the call should be repeated, at most 2,000,000 s; null if the error says nothing (CALL-24).</summary>
    public TimeSpan? RetryAfter =>
        WholeNumber(Details.GetValueOrDefault("retry-after"), MaxRetryAfter) is { } milliseconds ? TimeSpan.FromMilliseconds(milliseconds) : null;

    /// <summary>One line: <c>code: message (at path, byte offset)</c>, with control characters escaped (ERR-7, ERR-8).</summary>
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

    /// <summary>The full name of the type of the value in error, if several values begin at the same byte.</summary>
    internal string? Subject { get; init; }

    /// <summary>The same error with a path and an offset.</summary>
    internal CreoException At(string place, long? offset) => new(Code, Text, place, offset, Details, FromPeer, this);

    internal CreoException AtOffset(long offset) => new(Code, Text, null, offset, Details, FromPeer, InnerException);

    /// <summary>The same error with another detail.</summary>
    internal CreoException With(string name, string value) =>
        new(Code, Text, Place, Offset, new Dictionary<string, string>(Details) { [name] = value }, FromPeer, InnerException);

    /// <summary>The same error without a detail.</summary>
    internal CreoException Without(string name)
    {
        var details = new Dictionary<string, string>(Details);
        return details.Remove(name) ? new(Code, Text, Place, Offset, details, FromPeer, InnerException) : this;
    }

    /// <summary>The same error, for a call of which no byte was written (CALL-21).</summary>
    internal CreoException Unsent() => With("started", "no");

    /// <summary>The same error with more text.</summary>
    internal CreoException Adding(string text) => new(Code, Text + text, Place, Offset, Details, FromPeer, InnerException);

    /// <summary>A number of a peer, at most the given one; null if the text is not digits alone.</summary>
    internal static long? WholeNumber(string? text, long max)
    {
        if (string.IsNullOrEmpty(text))
        {
            return null;
        }
        long number = 0;
        foreach (char c in text)
        {
            if (c is < '0' or > '9')
            {
                return null;
            }
            number = Math.Min(max, 10 * number + (c - '0'));
        }
        return number;
    }

    /// <summary>An error reported by the peer; its details contain the path, if there is one.</summary>
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

    /// <summary>The error for an answer whose bytes alone exceed the limits (LIM-1, LIM-18).</summary>
    internal static CreoException AnswerTooLarge(Limits limits) =>
        TooLarge(limits.MaxBody < limits.MaxMessageSize ? "maxMemory" : "maxMessageSize", limits.MaxBody, "the answer is too large");

    /// <summary>The error for a message that takes more memory than the limits allow (LIM-18).</summary>
    internal static CreoException TooMuchMemory(Limits limits) =>
        TooLarge("maxMemory", limits.MaxMemory, "the message takes too much memory");

    /// <summary>The same error for a type's full name, or for a constant of the locator.</summary>
    internal CreoException About(string subject) => new(Code, Text, Place, Offset, Details, FromPeer, InnerException) { Subject = subject };

    internal static CreoException Undeclared(string type, long number) => new(ErrorCode.InvalidValue, $"{type} has no constant or member {number}");

    internal static CreoException TooDeep(int allowed, string type) => TooLarge("maxDepth", allowed, "values are nested too deeply").About(type);

    /// <summary>Escapes control characters and truncates after 1,000 characters.</summary>
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

/// <summary>The base class of all declared exceptions.</summary>
public abstract class DeclaredException : Exception
{
    /// <summary>The exception's name in the description and its fields, on one line.</summary>
    public sealed override string Message => CreoException.Printable(Describe());

    /// <summary>The text of <see cref="Message"/>.</summary>
    protected abstract string Describe();
}

/// <summary>The closed list of errors of a call, the same in every language (ERR-1).</summary>
public enum ErrorCode
{
    /// <summary>The bytes violate the rules of the wire; the path and offset say where.</summary>
    Malformed = 1,

    /// <summary>The caller's value cannot be written; the path says where.</summary>
    InvalidValue = 2,

    /// <summary>A limit is exceeded; the details name it.</summary>
    TooLarge = 3,

    /// <summary>No service at this address has the method.</summary>
    UnknownMethod = 4,

    /// <summary>The call's deadline has passed.</summary>
    DeadlineExceeded = 5,

    /// <summary>The caller gave up.</summary>
    Cancelled = 6,

    /// <summary>No connection, a lost connection, or a server that is draining.</summary>
    Unavailable = 7,

    /// <summary>The service's queue is full; nothing was started.</summary>
    Overloaded = 8,

    /// <summary>The caller is not authenticated.</summary>
    Unauthenticated = 9,

    /// <summary>The caller is authenticated but not allowed to make the call.</summary>
    PermissionDenied = 10,

    /// <summary>The peer speaks another protocol, or another version of this one.</summary>
    ProtocolMismatch = 11,

    /// <summary>The method failed in a way that it did not declare.</summary>
    Internal = 12,

    /// <summary>The peer's certificate is not trusted, or is not for its name. Only clients detect it; it is never sent (ERR-2).</summary>
    UntrustedPeer = 13,
}

/// <summary>The words of the error codes, the same in every language.</summary>
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

    /// <summary>The code of a word from a peer, or null if no code that may be sent has it.</summary>
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

/// <summary>The limits for received and sent data. Each is enforced before memory is allocated (LIM).</summary>
public sealed record Limits
{
    private readonly int _maxMessageSize = 134_217_728;
    private readonly long? _maxMemory;
    private readonly int _trustedAllocation = 1_048_576;
    private readonly int _maxDepth = 100;
    private readonly int _maxEmptyItems = 65_536;
    private readonly int _maxMetadataSize = 16_384;
    private readonly int _maxCallsPerConnection = 1_000;
    private readonly int _streamWindow = 1_048_576;
    private readonly int _maxXmlDepth = 500;
    private readonly int _maxXmlAttributes = 256;
    private readonly int _maxXmlName = 1_024;
    private readonly int _maxXmlNamespaces = 1_024;
    private readonly int? _maxXmlText;
    private readonly int _maxParts = 1_000;
    private readonly int _maxHeaderSize = 65_536;
    private readonly TimeSpan _connectTimeout = TimeSpan.FromSeconds(10);
    private readonly TimeSpan? _deadline = TimeSpan.FromSeconds(60);
    private readonly TimeSpan _frameTimeout = TimeSpan.FromSeconds(60);

    /// <summary>The default limits.</summary>
    public static Limits Default { get; } = new();

    /// <summary>Bytes of one body, uncompressed; sent or received. 128 MiB.</summary>
    public int MaxMessageSize { get => _maxMessageSize; init => _maxMessageSize = AtLeast(value, 1); }

    /// <summary>Nominal bytes that one decoded message takes (LIM-18). Four times <see cref="MaxMessageSize"/>.</summary>
    public long MaxMemory { get => _maxMemory ?? 4L * _maxMessageSize; init => _maxMemory = AtLeast(value, 1L); }

    /// <summary>Memory allocated for a claimed size before the bytes have come. 1 MiB.</summary>
    public int TrustedAllocation { get => _trustedAllocation; init => _trustedAllocation = AtLeast(value, 1); }

    /// <summary>Nested values of recursive types. 100.</summary>
    public int MaxDepth { get => _maxDepth; init => _maxDepth = AtLeast(value, 1); }

    /// <summary>Items and entries of one body without bytes. 65,536.</summary>
    public int MaxEmptyItems { get => _maxEmptyItems; init => _maxEmptyItems = AtLeast(value, 0); }

    /// <summary>Bytes of the metadata of a request. 16 KiB.</summary>
    public int MaxMetadataSize { get => _maxMetadataSize; init => _maxMetadataSize = AtLeast(value, 1); }

    /// <summary>Calls in progress on one connection. 1,000.</summary>
    public int MaxCallsPerConnection { get => _maxCallsPerConnection; init => _maxCallsPerConnection = AtLeast(value, 1); }

    /// <summary>
    /// Bytes of the items of one stream that were received or may arrive, and that the program has not taken; one more frame may exceed it. Below 256 KiB
    /// it counts as that. 1 MiB.
    /// </summary>
    public int StreamWindow { get => _streamWindow; init => _streamWindow = AtLeast(value, 1); }

    /// <summary>Open elements of an XML text. 500.</summary>
    public int MaxXmlDepth { get => _maxXmlDepth; init => _maxXmlDepth = AtLeast(value, 1); }

    /// <summary>Attributes and declarations of prefixes of one element. 256.</summary>
    public int MaxXmlAttributes { get => _maxXmlAttributes; init => _maxXmlAttributes = AtLeast(value, 1); }

    /// <summary>Bytes of a name in an XML text, with its prefix. 1,024.</summary>
    public int MaxXmlName { get => _maxXmlName; init => _maxXmlName = AtLeast(value, 1); }

    /// <summary>Prefixes bound at once. 1,024.</summary>
    public int MaxXmlNamespaces { get => _maxXmlNamespaces; init => _maxXmlNamespaces = AtLeast(value, 1); }

    /// <summary>Bytes of one text or attribute in an XML text. The size of a message.</summary>
    public int MaxXmlText { get => _maxXmlText ?? _maxMessageSize; init => _maxXmlText = AtLeast(value, 1); }

    /// <summary>Parts of a message with attachments. 1,000.</summary>
    public int MaxParts { get => _maxParts; init => _maxParts = AtLeast(value, 1); }

    /// <summary>Bytes of the headers of an HTTP message. 64 KiB.</summary>
    public int MaxHeaderSize { get => _maxHeaderSize; init => _maxHeaderSize = AtLeast(value, 1024); }

    /// <summary>Time to connect, and again for the server's preamble; both also count toward the deadline of the waiting call. 10 s.</summary>
    public TimeSpan ConnectTimeout { get => _connectTimeout; init => _connectTimeout = Positive(value); }

    /// <summary>Time of a call without streams, unless the call sets another; null for none. 60 s.</summary>
    public TimeSpan? Deadline { get => _deadline; init => _deadline = value is null ? null : Positive(value.Value); }

    /// <summary>Time from the first byte of an answer to its last. 60 s.</summary>
    public TimeSpan FrameTimeout { get => _frameTimeout; init => _frameTimeout = Positive(value); }

    /// <summary>Bytes of the largest body that both <see cref="MaxMessageSize"/> and <see cref="MaxMemory"/> allow.</summary>
    internal int MaxBody => (int)Math.Min(_maxMessageSize, MaxMemory);

    private static T AtLeast<T>(T value, T min, [CallerMemberName] string name = "")
        where T : IComparable<T> =>
        value.CompareTo(min) >= 0 ? value : throw new ArgumentOutOfRangeException(name, value, $"{name} is at least {min}");

    private static TimeSpan Positive(TimeSpan value, [CallerMemberName] string name = "") =>
        value > TimeSpan.Zero && value.TotalMilliseconds <= int.MaxValue
            ? value
            : throw new ArgumentOutOfRangeException(name, value, $"{name} is more than zero and less than 25 days");
}

/// <summary>Checks that generated code fits this runtime when both are compiled.</summary>
/// <remarks>
/// Generated code uses the newest constant that it needs. If such a line does not compile, this runtime is older than the generator that wrote it:
/// generate the runtime again, or update the package.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class RuntimeVersion
{
    /// <summary>The version of this runtime.</summary>
    public const string Version = "0.1.0";

    /// <summary>This runtime is at least 0.1.</summary>
    public const bool IsAtLeast0_1 = true;
}
