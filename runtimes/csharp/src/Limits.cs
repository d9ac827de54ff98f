using System;
using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Creo;

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
