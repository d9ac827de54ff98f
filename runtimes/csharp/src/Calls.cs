using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Security.Cryptography.X509Certificates;
using System.Threading;
using System.Threading.Tasks;

namespace Creo;

/// <summary>A wire and transport to one address, used by generated clients. Safe for any number of threads and calls.</summary>
public abstract class Binding : IDisposable, IAsyncDisposable
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
public sealed record CallOptions
{
    private const int MaxPairs = 64;
    private const int MaxKeyLength = 64;

    private readonly TimeSpan? _deadline;

    /// <summary>The time for the call, including connecting; null for that of the client's limits.</summary>
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

    /// <summary>Options with only a deadline.</summary>
    public static CallOptions Within(TimeSpan deadline) => new() { Deadline = deadline };

    /// <summary>The metadata of a call, which take precedence over those of its client; null for none.</summary>
    internal static IReadOnlyDictionary<string, string>? MergeMetadata(IReadOnlyDictionary<string, string>? client, IReadOnlyDictionary<string, string>? call)
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

    private static bool IsKey(string key)
    {
        if (key.Length is 0 or > MaxKeyLength || key.StartsWith("creo-", StringComparison.Ordinal))
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
public sealed partial class Method<TArguments, TResult>
{
    /// <summary>The interface that declares it.</summary>
    public required ServiceInfo Service { get; init; }

    /// <summary>Its name in the description.</summary>
    public required string Name { get; init; }

    /// <summary>Its id on the wire (MODEL-4).</summary>
    public required ulong Id { get; init; }

    /// <summary>Whether it has no answer (TCP-10).</summary>
    public bool IsOneway { get; init; }

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
