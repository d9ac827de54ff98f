using System;
using System.Collections.Generic;
using System.Linq;

namespace Creo;

/// <summary>A broker that speaks AMQP 1.0, or several that replace one another. JMS addresses do not contain it (JMS-1).</summary>
public sealed class JmsBroker
{
    /// <summary>A broker at an address.</summary>
    public JmsBroker(string host, int port)
        : this([new Place(host, port)])
    {
    }

    private JmsBroker(IReadOnlyList<Place> places) => Places = places;

    /// <summary>The user; null for anonymous.</summary>
    public string? User { get; private init; }

    /// <summary>TLS from the first byte; null for plain TCP.</summary>
    public TlsOptions? Tls { get; init; }

    internal string? Password { get; private init; }

    internal IReadOnlyList<Place> Places { get; }

    /// <summary>The address in messages.</summary>
    internal string Address => string.Join(" or ", Places.Select(static place => place.Address));

    /// <summary>Adds an address to try if earlier ones do not answer (JMS-17): the backup of a live broker, or another one of a cluster.</summary>
    public JmsBroker Or(string host, int port) => new([.. Places, new Place(host, port)]) { User = User, Password = Password, Tls = Tls };

    /// <summary>Adds credentials. Without TLS they are sent unencrypted.</summary>
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

        /// <summary>The address in messages.</summary>
        public string Address => Host.Contains(':') ? $"[{Host}]:{Port}" : $"{Host}:{Port}";
    }
}

/// <summary>The wires for a broker's messages.</summary>
public enum JmsWire
{
    /// <summary>SOAP over JMS of the W3C.</summary>
    Soap,

    /// <summary>Tables in XML, without SOAP.</summary>
    Tdxml,

    /// <summary>Compact bytes.</summary>
    Binary,
}
