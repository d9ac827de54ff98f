using System;
using System.Net;
using System.Net.Sockets;

namespace Creo.Tests;

/// <summary>A port that refuses connections. It is bound, so that no other program gets it, but nothing listens.</summary>
internal sealed class DeadPort : IDisposable
{
    private readonly Socket _bound = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);

    public DeadPort() => _bound.Bind(new IPEndPoint(IPAddress.Loopback, 0));

    public int Number => ((IPEndPoint)_bound.LocalEndPoint!).Port;

    public void Dispose() => _bound.Dispose();
}
