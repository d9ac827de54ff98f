using System;
using System.Collections.Concurrent;
using System.IO;
using System.Net;
using System.Net.Sockets;
using System.Threading.Tasks;

namespace Conformance.Peer;

/// <summary>Passes connections on to another port, and closes them on request.</summary>
public sealed class Relay : IDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly ConcurrentBag<TcpClient> _open = [];
    private readonly string _host;
    private readonly int _port;

    public Relay(string host, int port)
    {
        _host = host;
        _port = port;
        _listener.Start();
        _ = AcceptAsync();
    }

    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    public void ShutAll()
    {
        while (_open.TryTake(out TcpClient? client))
        {
            client.Dispose();
        }
    }

    public void Dispose()
    {
        _listener.Stop();
        ShutAll();
    }

    private async Task AcceptAsync()
    {
        try
        {
            while (true)
            {
                TcpClient near = await _listener.AcceptTcpClientAsync();
                var far = new TcpClient();
                await far.ConnectAsync(_host, _port);
                _open.Add(near);
                _open.Add(far);
                _ = PassAsync(near, far);
                _ = PassAsync(far, near);
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // The relay is closed.
        }
    }

    private static async Task PassAsync(TcpClient from, TcpClient to)
    {
        try
        {
            await from.GetStream().CopyToAsync(to.GetStream());
        }
        catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException or InvalidOperationException)
        {
            // One of them was shut.
        }
        from.Dispose();
        to.Dispose();
    }
}
