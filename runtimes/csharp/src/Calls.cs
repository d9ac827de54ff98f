using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Creo;

/// <summary>A wire and transport to one address, used by generated clients. Safe for any number of threads and calls.</summary>
public abstract partial class Binding : IDisposable, IAsyncDisposable
{
    /// <summary>Calls a method and waits for its answer on the calling thread.</summary>
    /// <exception cref="DeclaredException">An exception declared by the method.</exception>
    /// <exception cref="CreoException">Any other failure.</exception>
    public abstract TResult Call<TArguments, TResult>(Method<TArguments, TResult> method, TArguments arguments, CallOptions? options = null);

    /// <summary>Calls a method without blocking a thread.</summary>
    /// <inheritdoc cref="Call"/>
    /// <exception cref="OperationCanceledException">The token was cancelled; the service is notified.</exception>
    public abstract ValueTask<TResult> CallAsync<TArguments, TResult>(
        Method<TArguments, TResult> method, TArguments arguments, CallOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>Calls a method without a result.</summary>
    /// <inheritdoc cref="CallAsync"/>
    public async ValueTask RunAsync<TArguments>(
        Method<TArguments, Unit> method, TArguments arguments, CallOptions? options = null, CancellationToken cancellationToken = default) =>
        await CallAsync(method, arguments, options, cancellationToken).ConfigureAwait(false);

    /// <summary>Closes the connections; calls in progress end with <c>unavailable</c>.</summary>
    public abstract void Dispose();

    /// <inheritdoc cref="Dispose"/>
    public virtual ValueTask DisposeAsync()
    {
        Dispose();
        return ValueTask.CompletedTask;
    }
}

/// <summary>The options of one call.</summary>
public sealed partial record CallOptions
{
    internal const int MaxPairs = 64;
    private const int MaxKeyLength = 64;

    private readonly TimeSpan? _deadline;

    /// <summary>
    /// The time for the call, including connecting; null for that of the client's limits, or for no limit if the method has streams. It covers a stream up
    /// to its end.
    /// </summary>
    public TimeSpan? Deadline
    {
        get => _deadline;
        init => _deadline = value is null || (value.Value > TimeSpan.Zero && value.Value.TotalMilliseconds <= int.MaxValue)
            ? value
            : throw new ArgumentOutOfRangeException(nameof(Deadline), value, "a deadline is more than zero and less than 25 days");
    }

    /// <summary>Metadata sent in addition to that of the client: credentials, a trace context (TCP-17).</summary>
    public IReadOnlyDictionary<string, string>? Metadata { get; init; }

    /// <summary>HTTP headers that replace those of the client (HTTP-24). Other transports do not send them.</summary>
    public IReadOnlyDictionary<string, string>? Headers { get; init; }

    /// <summary>
    /// Is told what came with the answer, before the call ends: also if the answer is an exception or an error, and not at all if none came. What it
    /// throws ends the call.
    /// </summary>
    public Action<Answer>? OnAnswer { get; init; }

    /// <summary>The call that these options are of, if it has begun. Its options have those of the client in them.</summary>
    internal OutgoingCall? Call { get; init; }

    /// <summary>Whether somebody wants to know what came with the answer.</summary>
    internal bool WantsAnswer => OnAnswer is not null || Call is { WantsAnswer: true };

    /// <summary>Options with only a deadline.</summary>
    public static CallOptions Within(TimeSpan deadline) => new() { Deadline = deadline };

    /// <summary>The same options with another deadline.</summary>
    internal CallOptions Lasting(TimeSpan deadline) => this with { Deadline = deadline };

    /// <summary>Keeps that a peer was reached.</summary>
    internal void Reached(string peer)
    {
        if (Call is not null)
        {
            Call.Peer = peer;
        }
    }

    /// <summary>Gives the program what came with the answer.</summary>
    internal void Deliver(Answer answer)
    {
        if (Call is not null)
        {
            Call.Answer = answer;
        }
        OnAnswer?.Invoke(answer);
    }

    /// <summary>The metadata of a call, which take precedence over those of its client; null for none.</summary>
    internal static IReadOnlyDictionary<string, string>? MetadataOf(ClientOptions client, CallOptions? call) =>
        call?.Call is null ? Merge(client.Metadata, call?.Metadata) : Merge(null, call.Metadata);

    /// <summary>The headers of a call, which go before those of its client, whatever the case of their letters; null for none.</summary>
    internal static IReadOnlyDictionary<string, string>? MergeHeaders(IReadOnlyDictionary<string, string>? client, IReadOnlyDictionary<string, string>? call)
    {
        if (client is not { Count: > 0 } || call is not { Count: > 0 })
        {
            return Merge(client, call);
        }
        var replaced = new HashSet<string>(call.Keys, StringComparer.OrdinalIgnoreCase);
        var all = new Dictionary<string, string>(call);
        foreach ((string name, string value) in client)
        {
            if (!replaced.Contains(name))
            {
                all[name] = value;
            }
        }
        return all;
    }

    internal static IReadOnlyDictionary<string, string>? Merge(IReadOnlyDictionary<string, string>? client, IReadOnlyDictionary<string, string>? call)
    {
        if (call is null || call.Count == 0)
        {
            return client is null || client.Count == 0 ? null : client;
        }
        if (client is null || client.Count == 0)
        {
            return call;
        }
        var all = new Dictionary<string, string>(client);
        foreach ((string key, string value) in call)
        {
            all[key] = value;
        }
        return all;
    }

    /// <summary>Writes metadata (TCP-17).</summary>
    internal static void WriteMetadata(Writer writer, IReadOnlyDictionary<string, string> pairs, Limits limits)
    {
        int start = writer.WrittenCount;
        if (pairs.Count > MaxPairs)
        {
            throw CreoException.TooLarge("maxMetadataSize", limits.MaxMetadataSize, $"a request has at most {MaxPairs} pairs of metadata");
        }
        writer.WriteCount(pairs.Count);
        foreach ((string key, string value) in pairs)
        {
            if (!IsKey(key))
            {
                throw new CreoException(ErrorCode.InvalidValue, $"\"{key}\" is not a key of metadata: 1 to {MaxKeyLength} of a-z, 0-9, '.' and '-', and not creo-");
            }
            try
            {
                writer.WriteString(key);
                writer.WriteString(value);
            }
            catch (CreoException error) when (error.Place is null)
            {
                throw error.At("metadata " + key, null);
            }
        }
        if (writer.WrittenCount - start > limits.MaxMetadataSize)
        {
            throw CreoException.TooLarge("maxMetadataSize", limits.MaxMetadataSize, "the metadata of the request is too large");
        }
    }

    private static bool IsKey(string key) => IsAnyKey(key) && !key.StartsWith("creo-", StringComparison.Ordinal);

    /// <summary>Whether it may be a key of metadata, one of those that are reserved included.</summary>
    internal static bool IsAnyKey(string key)
    {
        if (key.Length is 0 or > MaxKeyLength)
        {
            return false;
        }
        foreach (char c in key)
        {
            if (c is not ((>= 'a' and <= 'z') or (>= '0' and <= '9') or '.' or '-'))
            {
                return false;
            }
        }
        return true;
    }
}

/// <summary>What came with the answer of a call, beside its result, exception or error (CALL-4).</summary>
/// <remarks>All of it is as the peer sent it: escape it before it is printed.</remarks>
public sealed record Answer
{
    /// <summary>The pairs that the service has set.</summary>
    public IReadOnlyDictionary<string, string> Metadata { get; init; } = new Dictionary<string, string>();

    /// <summary>The status of HTTP; 0 on other transports.</summary>
    public int Status { get; init; }

    /// <summary>
    /// The header fields of HTTP, their names in small letters, in the order in which the platform has them: those of one name are together, and those
    /// of the body last. None on other transports.
    /// </summary>
    public IReadOnlyList<KeyValuePair<string, string>> Headers { get; init; } = [];

    /// <summary>The value of the first header field of a name, in any case of letters; null if there is none.</summary>
    public string? Header(string name)
    {
        foreach ((string known, string value) in Headers)
        {
            if (known.Equals(name, StringComparison.OrdinalIgnoreCase))
            {
                return value;
            }
        }
        return null;
    }
}

/// <summary>The pairs of an answer as they are read: each must be what TCP-17 allows, and all together what LIM-6 allows (CALL-5).</summary>
internal sealed class AnswerMetadata(Limits limits)
{
    // Of a text that begins within the limit, the size is read and then refused.
    private const long MaxPrefix = 8;

    private readonly Dictionary<string, string> _pairs = new(StringComparer.Ordinal);

    // As in a frame: a count, and texts with their sizes.
    private int _size = 1;

    public IReadOnlyDictionary<string, string> Pairs => _pairs;

    /// <summary>Adds a pair.</summary>
    public void Add(string key, string value)
    {
        if (!CallOptions.IsAnyKey(key))
        {
            throw Malformed($"\"{CreoException.Printable(key)}\" is not a key");
        }
        if (!_pairs.TryAdd(key, value))
        {
            throw Malformed($"the key \"{key}\" is there twice");
        }
        CheckCount(_pairs.Count);
        _size += SizeOf(key) + SizeOf(value);
        CheckSize(_size);
    }

    /// <summary>Reads those at the start of some bytes; memory is taken for none that is too large.</summary>
    /// <param name="bytes">The first frame of an answer, from where the pairs begin.</param>
    /// <param name="size">How many bytes they take.</param>
    public void Read(ReadOnlySpan<byte> bytes, out int size)
    {
        var reader = new Reader(bytes[..(int)Math.Min(bytes.Length, limits.MaxMetadataSize + MaxPrefix)], limits);
        try
        {
            int count = reader.ReadNumber();
            CheckCount(count);
            for (int i = 0; i < count; i++)
            {
                string key = ReadText(ref reader);
                Add(key, ReadText(ref reader));
            }
        }
        catch (CreoException error) when (error is { Code: ErrorCode.Malformed, Offset: not null })
        {
            throw Malformed(error.Text);
        }
        size = reader.Position;
    }

    public static CreoException Malformed(string text) => new(ErrorCode.Malformed, "the metadata of the answer: " + text);

    private string ReadText(ref Reader reader)
    {
        Reader ahead = reader;
        long length = ahead.ReadNumber();
        CheckSize(ahead.Position + length);
        return reader.ReadString();
    }

    private static int SizeOf(string text)
    {
        int size = Encoding.UTF8.GetByteCount(text);
        return size + (size < 0x80 ? 1 : size < 0x4000 ? 2 : 3);
    }

    private void CheckCount(int count)
    {
        if (count > CallOptions.MaxPairs)
        {
            throw CreoException.TooLarge("maxMetadataSize", limits.MaxMetadataSize, $"an answer has at most {CallOptions.MaxPairs} pairs of metadata");
        }
    }

    private void CheckSize(long size)
    {
        if (size > limits.MaxMetadataSize)
        {
            throw CreoException.TooLarge("maxMetadataSize", limits.MaxMetadataSize, "the metadata of the answer are too large");
        }
    }
}

/// <summary>The wires of TCP connections (TCP-1).</summary>
public enum Wire
{
    /// <summary>Compact bytes.</summary>
    Binary,

    /// <summary>Tables in XML, for peers without the binary wire.</summary>
    Tdxml,
}

/// <summary>The options of a client for all of its calls.</summary>
public sealed partial record ClientOptions
{
    /// <summary>The default options.</summary>
    public static ClientOptions Default { get; } = new();

    /// <summary>The limits for received and sent data.</summary>
    public Limits Limits { get; init; } = Limits.Default;

    /// <summary>TLS from the first byte; null for plain TCP.</summary>
    public TlsOptions? Tls { get; init; }

    /// <summary>Metadata sent with every request (TCP-17).</summary>
    public IReadOnlyDictionary<string, string>? Metadata { get; init; }

    /// <summary>HTTP headers sent with every request, such as an API key (HTTP-24). Other transports do not send them.</summary>
    public IReadOnlyDictionary<string, string>? Headers { get; init; }

    /// <summary>What sees each call, in this order; the ends of calls in the reverse order (CALL-10). Null is nothing.</summary>
    public IReadOnlyList<IInterceptor>? Interceptors { get; init; }

    /// <summary>The wire on a TCP connection; bindings over HTTP have their own.</summary>
    public Wire Wire { get; init; }

    /// <summary>The min size of compressed requests, once the server is known to read them; null for no compression.</summary>
    public int? CompressFrom { get; init; }
}

/// <summary>The options of a TLS connection. The certificate and the host's name are always verified (TCP-3).</summary>
public sealed record TlsOptions
{
    /// <summary>The name in the server's certificate; null for the host that the client connects to.</summary>
    public string? HostName { get; init; }

    /// <summary>The trusted certificates; null for those of the system.</summary>
    public X509Certificate2Collection? TrustedRoots { get; init; }

    /// <summary>The certificates that this client may present.</summary>
    public X509CertificateCollection? ClientCertificates { get; init; }
}

/// <summary>No value: the arguments of a method without parameters, or the result of a method without one.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly record struct Unit;

/// <summary>An exception declared by a method.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class DeclaredCase
{
    public DeclaredCase(Layout layout, Decoder<DeclaredException> decode)
    {
        Layout = layout;
        Decode = decode;
    }

    public Layout Layout { get; }

    public Decoder<DeclaredException> Decode { get; }
}

/// <summary>An interface of the description, for its methods.</summary>
/// <param name="Name">Its full name.</param>
/// <param name="Fingerprint">Identifies the version of the description (MODEL-5).</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed record ServiceInfo(string Name, ulong Fingerprint);

/// <summary>A method of the description for bindings, independent of addresses and transports.</summary>
/// <typeparam name="TArguments">The arguments: one value, or a tuple of several.</typeparam>
/// <typeparam name="TResult">The result, or <see cref="Unit"/>.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public partial class Method<TArguments, TResult>
{
    /// <summary>The interface that declares it.</summary>
    public required ServiceInfo Service { get; init; }

    /// <summary>Its name in the description.</summary>
    public required string Name { get; init; }

    /// <summary>Its id on the wire (MODEL-4).</summary>
    public required ulong Id { get; init; }

    /// <summary>Whether it has no answer (TCP-10).</summary>
    public bool IsOneway { get; init; }

    /// <summary>Whether a client may repeat a call (CALL-20).</summary>
    public bool IsIdempotent { get; init; }

    /// <summary>The parameters, as the fields of a struct.</summary>
    public required Layout Parameters { get; init; }

    /// <summary>The result's type; null for none.</summary>
    public Layout? Result { get; init; }

    /// <summary>The declared exceptions, in declared order.</summary>
    public IReadOnlyList<DeclaredCase> Throws { get; init; } = [];

    /// <summary>Writes the arguments on the binary wire.</summary>
    public required Encoder<TArguments> EncodeArguments { get; init; }

    /// <summary>Reads the result from the binary wire; reads nothing if there is none.</summary>
    public required Decoder<TResult> DecodeResult { get; init; }

    public override string ToString() => $"{Service.Name}.{Name}";
}
