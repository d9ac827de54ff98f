using System.Collections.Generic;
using System.Security.Cryptography.X509Certificates;

namespace Creo;

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
