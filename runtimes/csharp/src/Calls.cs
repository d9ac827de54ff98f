using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Security.Cryptography.X509Certificates;
using System.Threading;
using System.Threading.Tasks;

namespace Creo;

/// <summary>A wire on a transport to one address, over which generated clients call methods. Safe for any number of threads and calls.</summary>
public abstract class Binding : IDisposable, IAsyncDisposable
{
    /// <summary>Calls a method and waits for its answer on the caller's thread.</summary>
    /// <exception cref="DeclaredException">An exception that the method declares.</exception>
    /// <exception cref="CreoException">Any other failure.</exception>
    public abstract TResult Call<TArguments, TResult>(Method<TArguments, TResult> method, TArguments arguments, CallOptions? options = null);

    /// <summary>Calls a method; the answer comes without a thread that waits for it.</summary>
    /// <inheritdoc cref="Call"/>
    /// <exception cref="OperationCanceledException">The token was cancelled; the service is told.</exception>
    public abstract ValueTask<TResult> CallAsync<TArguments, TResult>(
        Method<TArguments, TResult> method, TArguments arguments, CallOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>Calls a method that has no result.</summary>
    /// <inheritdoc cref="CallAsync"/>
    public async ValueTask RunAsync<TArguments>(
        Method<TArguments, Unit> method, TArguments arguments, CallOptions? options = null, CancellationToken cancellationToken = default) =>
        await CallAsync(method, arguments, options, cancellationToken).ConfigureAwait(false);

    /// <summary>Closes the connections; calls under way end with <c>unavailable</c>.</summary>
    public abstract void Dispose();

    /// <inheritdoc cref="Dispose"/>
    public virtual ValueTask DisposeAsync()
    {
        Dispose();
        return ValueTask.CompletedTask;
    }
}

/// <summary>What one call has of its own.</summary>
public sealed record CallOptions
{
    private const int MaxPairs = 64;
    private const int MaxKeyLength = 64;

    private readonly TimeSpan? _deadline;

    /// <summary>The time for the call, connecting included; null is that of the client's limits.</summary>
    public TimeSpan? Deadline
    {
        get => _deadline;
        init => _deadline = value is null || (value.Value > TimeSpan.Zero && value.Value.TotalMilliseconds <= int.MaxValue)
            ? value
            : throw new ArgumentOutOfRangeException(nameof(Deadline), value, "a deadline is more than zero and less than 25 days");
    }

    /// <summary>Pairs that travel with the request, in addition to those of the client: credentials, a trace context (TCP-17).</summary>
    public IReadOnlyDictionary<string, string>? Metadata { get; init; }

    /// <summary>Headers of HTTP that the request sends under their own names, in place of those of the client (HTTP-24). Other transports send none.</summary>
    public IReadOnlyDictionary<string, string>? Headers { get; init; }

    /// <summary>Options with nothing but a deadline.</summary>
    public static CallOptions Within(TimeSpan deadline) => new() { Deadline = deadline };

    /// <summary>The metadata of a call, which go before those of its client; null for none.</summary>
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

/// <summary>The wires that connections of TCP carry (TCP-1).</summary>
public enum Wire
{
    /// <summary>Compact bytes.</summary>
    Binary,

    /// <summary>Tables in XML, for peers that have no binary wire.</summary>
    Tdxml,
}

/// <summary>How a client behaves in all of its calls.</summary>
public sealed partial record ClientOptions
{
    /// <summary>The options that hold unless others are given.</summary>
    public static ClientOptions Default { get; } = new();

    /// <summary>What is taken and sent at most.</summary>
    public Limits Limits { get; init; } = Limits.Default;

    /// <summary>TLS from the first byte; null is plain TCP.</summary>
    public TlsOptions? Tls { get; init; }

    /// <summary>Pairs that travel with every request (TCP-17).</summary>
    public IReadOnlyDictionary<string, string>? Metadata { get; init; }

    /// <summary>Headers of HTTP that every request sends under their own names, such as an API key (HTTP-24). Other transports send none.</summary>
    public IReadOnlyDictionary<string, string>? Headers { get; init; }

    /// <summary>What bodies on a connection of TCP look like; bindings over HTTP say themselves which wire they speak.</summary>
    public Wire Wire { get; init; }

    /// <summary>Bodies of requests of at least so many bytes are compressed, once the server is known to read them; null is never.</summary>
    public int? CompressFrom { get; init; }
}

/// <summary>How a TLS connection is made. The certificate and the host's name are always verified, together (TCP-3).</summary>
public sealed record TlsOptions
{
    /// <summary>The name that the server's certificate must be for; null is the host that the client connects to.</summary>
    public string? HostName { get; init; }

    /// <summary>The certificates to trust; null is those of the system.</summary>
    public X509Certificate2Collection? TrustedRoots { get; init; }

    /// <summary>The certificates that this client may show.</summary>
    public X509CertificateCollection? ClientCertificates { get; init; }
}

/// <summary>No value: the arguments of a method without parameters, the result of one that has none.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly record struct Unit;

/// <summary>An exception that a method declares.</summary>
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

/// <summary>An interface of the description, as its methods know it.</summary>
/// <param name="Name">Its full name.</param>
/// <param name="Fingerprint">What tells descriptions apart (MODEL-5).</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed record ServiceInfo(string Name, ulong Fingerprint);

/// <summary>A method of the description: what a binding needs to know to call it. It knows no wire's address and no transport.</summary>
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

    /// <summary>Whether it is never answered (TCP-10).</summary>
    public bool IsOneway { get; init; }

    /// <summary>The parameters, as the fields of a struct.</summary>
    public required Layout Parameters { get; init; }

    /// <summary>The result's type; null for none.</summary>
    public Layout? Result { get; init; }

    /// <summary>The exceptions that it declares, in declared order.</summary>
    public IReadOnlyList<DeclaredCase> Throws { get; init; } = [];

    /// <summary>Writes the arguments on the binary wire.</summary>
    public required Encoder<TArguments> EncodeArguments { get; init; }

    /// <summary>Reads the result from the binary wire; reads nothing where there is none.</summary>
    public required Decoder<TResult> DecodeResult { get; init; }

    public override string ToString() => $"{Service.Name}.{Name}";
}
