using System;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Threading.Tasks;
using Conformance.Matrix;
using Creo;

namespace Conformance.Peer;

/// <summary>Connections that are lost, refused, or somebody else's: the same on every way. Each takes what makes a binding to a service at a port of this machine.</summary>
public static class Troubles
{
    /// <summary>An HTTP service's answer to other protocols.</summary>
    public const string Http = "HTTP/1.1 400 Bad Request\r\n\r\n";

    /// <summary>The greeting of something other than an HTTP service.</summary>
    public const string Ssh = "SSH-2.0-nothing\r\n\r\n";

    /// <summary>A cut connection ends at most one call. Calls go through a relay of this program, which cuts them.</summary>
    public static async Task Reconnect(string host, int port, Func<int, Binding> at)
    {
        using var relay = new Relay(host, port);
        using Binding clientBinding = at(relay.Port);
        var client = new EchoClient(clientBinding);
        await Survives(relay.ShutAll, () => Task.Run(() => client.Add(1, 2)));
        await Survives(relay.ShutAll, () => client.AddAsync(1, 2).AsTask());
    }

    /// <summary>A call works, something happens, one call may fail, and the next works.</summary>
    public static async Task Survives(Action happens, Func<Task<long>> add)
    {
        Expect.Equal(3L, await add());
        happens();
        try
        {
            Expect.Equal(3L, await add());
        }
        catch (CreoException e) when (e.Code == ErrorCode.Unavailable)
        {
            // Once is allowed.
        }
        Expect.Equal(3L, await add());
    }

    /// <summary>If nothing listens, the error names the address.</summary>
    public static void Refused(Func<int, Binding> at)
    {
        // Bound, so that no other program gets the port.
        using var dead = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        dead.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        int port = ((IPEndPoint)dead.LocalEndPoint!).Port;
        using Binding clientBinding = at(port);
        var client = new EchoClient(clientBinding);
        CreoException error = Expect.Error(ErrorCode.Unavailable, () => client.Add(1, 2));
        Expect.True(error.Message.Contains($"127.0.0.1:{port}"), error.Message);
    }

    /// <summary>Where somebody speaks something else, the error says that this is HTTP, or is none.</summary>
    public static async Task WrongProtocol(Func<int, Binding> at, string said)
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        int port = ((IPEndPoint)listener.LocalEndpoint).Port;
        Task serving = Task.Run(async () =>
        {
            for (int i = 0; i < 2; i++)
            {
                using Socket socket = await listener.AcceptSocketAsync();
                await socket.ReceiveAsync(new byte[1000]);
                await socket.SendAsync(Encoding.ASCII.GetBytes(said));
                socket.Shutdown(SocketShutdown.Send);
                while (await socket.ReceiveAsync(new byte[1000]) > 0)
                {
                    // The client closes.
                }
            }
        });
        using Binding clientBinding = at(port);
        var client = new EchoClient(clientBinding);
        CreoException error = Expect.Error(ErrorCode.ProtocolMismatch, () => client.Add(1, 2));
        Expect.True(error.Message.Contains("HTTP"), error.Message);
        Expect.True(error.Details["peer"].Contains($"127.0.0.1:{port}"), error.Details["peer"]);
        error = await Expect.ThrowsAsync<CreoException>(async () => await client.AddAsync(1, 2));
        Expect.Equal(ErrorCode.ProtocolMismatch, error.Code);
        await serving;
    }
}
