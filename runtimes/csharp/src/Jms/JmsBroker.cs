using System;
using System.Collections.Generic;
using System.Linq;

namespace Creo;

/// <summary>The way to a broker that speaks AMQP 1.0, or to one of several that stand for each other. Addresses of JMS do not say it (JMS-1).</summary>
public sealed class JmsBroker
{
    /// <summary>A broker at an address.</summary>
    public JmsBroker(string host, int port)
        : this([new Place(host, port)])
    {
    }

    private JmsBroker(IReadOnlyList<Place> places) => Places = places;

    /// <summary>The user; null is the anonymous one.</summary>
    public string? User { get; private init; }

    /// <summary>TLS from the first byte; null is plain TCP.</summary>
    public TlsOptions? Tls { get; init; }

    internal string? Password { get; private init; }

    internal IReadOnlyList<Place> Places { get; }

    /// <summary>As messages show it.</summary>
    internal string Address => string.Join(" or ", Places.Select(static place => place.Address));

    /// <summary>The same, and another place to try where the ones before it do not answer (JMS-17): the backup of a live broker, or another one of a cluster.</summary>
    public JmsBroker Or(string host, int port) => new([.. Places, new Place(host, port)]) { User = User, Password = Password, Tls = Tls };

    /// <summary>The same with credentials. Without TLS they travel as they are.</summary>
    public JmsBroker WithCredentials(string user, string password)
    {
        ArgumentException.ThrowIfNullOrEmpty(user);
        ArgumentNullException.ThrowIfNull(password);
        if (user.Contains('\0') || password.Contains('\0'))
        {
            throw new ArgumentException("credentials hold no character of the number 0");
        }
        return new(Places) { User = user, Password = password, Tls = Tls };
    }

    /// <inheritdoc/>
    public override string ToString() => Address;

    /// <summary>A host and its port.</summary>
    internal sealed record Place
    {
        public Place(string host, int port)
        {
            ArgumentException.ThrowIfNullOrEmpty(host);
            ArgumentOutOfRangeException.ThrowIfLessThan(port, 1);
            ArgumentOutOfRangeException.ThrowIfGreaterThan(port, ushort.MaxValue);
            (Host, Port) = (host, port);
        }

        public string Host { get; }

        public int Port { get; }

        /// <summary>As messages show it.</summary>
        public string Address => Host.Contains(':') ? $"[{Host}]:{Port}" : $"{Host}:{Port}";
    }
}

/// <summary>The wires that messages of a broker carry.</summary>
public enum JmsWire
{
    /// <summary>SOAP over JMS, as the W3C has it.</summary>
    Soap,

    /// <summary>Tables in XML, without SOAP.</summary>
    Tdxml,

    /// <summary>Compact bytes.</summary>
    Binary,
}
