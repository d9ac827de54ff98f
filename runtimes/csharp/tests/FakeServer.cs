using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using System.Threading;
using System.Threading.Tasks;

namespace Creo.Tests;

/// <summary>A frame as the fake server saw it.</summary>
public sealed record Frame(byte Kind, byte Flags, uint Call, byte[] Rest)
{
    /// <summary>Of a request: the id of its method.</summary>
    public ulong Method => BinaryPrimitives.ReadUInt64BigEndian(Rest);

    /// <summary>Of a request: the milliseconds left.</summary>
    public uint Milliseconds => BinaryPrimitives.ReadUInt32BigEndian(Rest.AsSpan(8));

    /// <summary>Of a request without metadata: its body.</summary>
    public byte[] Body => Rest[12..];
}

/// <summary>One connection, seen from the server.</summary>
public sealed class Session(Stream stream, Stream raw) : IDisposable
{
    /// <summary>Sends bytes beneath TLS.</summary>
    public void SendRaw(string hex) => raw.Write(Convert.FromHexString(hex.Replace(" ", "")));

    public byte[] Read(int count)
    {
        byte[] bytes = new byte[count];
        stream.ReadExactly(bytes);
        return bytes;
    }

    public void Send(string hex) => Send(Convert.FromHexString(hex.Replace(" ", "")));

    public void Send(byte[] bytes) => stream.Write(bytes);

    public Task SendAsync(byte[] bytes) => stream.WriteAsync(bytes).AsTask();

    /// <summary>Exchanges preambles.</summary>
    public Session Greet(byte abilities = 1)
    {
        Assert.Bytes("43 52 45 4f 01 03 00 00", Read(8));
        Send(new byte[] { 0x43, 0x52, 0x45, 0x4f, 1, abilities, 0, 0 });
        return this;
    }

    public Frame ReadFrame()
    {
        int length = BinaryPrimitives.ReadInt32BigEndian(Read(4));
        byte[] rest = Read(length);
        return new Frame(rest[0], rest[1], BinaryPrimitives.ReadUInt32BigEndian(rest.AsSpan(2)), rest[6..]);
    }

    public void SendFrame(byte kind, byte flags, uint call, params byte[] body)
    {
        byte[] frame = new byte[10 + body.Length];
        BinaryPrimitives.WriteInt32BigEndian(frame, 6 + body.Length);
        frame[4] = kind;
        frame[5] = flags;
        BinaryPrimitives.WriteUInt32BigEndian(frame.AsSpan(6), call);
        body.CopyTo(frame, 10);
        Send(frame);
    }

    /// <summary>Waits until the client closes its side, and answers what came before.</summary>
    public List<Frame> ReadToEnd()
    {
        var frames = new List<Frame>();
        try
        {
            while (true)
            {
                frames.Add(ReadFrame());
            }
        }
        catch (IOException)
        {
            return frames;
        }
    }

    public void Dispose() => stream.Dispose();
}

/// <summary>A server that follows a script, one for each connection in the order in which they come.</summary>
public sealed class FakeServer : IDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly Thread _thread;
    private readonly List<Thread> _scripts = [];
    private readonly List<Exception> _failures = [];

    public FakeServer(params Action<Session>[] scripts)
        : this(null, scripts)
    {
    }

    public FakeServer(X509Certificate2? certificate, params Action<Session>[] scripts)
    {
        _listener.Start();
        _thread = new Thread(() => Serve(certificate, scripts)) { IsBackground = true };
        _thread.Start();
    }

    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    public TcpBinding Client(ClientOptions? options = null) => new("127.0.0.1", Port, options);

    /// <summary>Waits for the scripts, and fails if one of them failed.</summary>
    public void Dispose()
    {
        Join();
        _listener.Stop();
    }

    /// <summary>Waits for the scripts, and fails if one of them failed.</summary>
    public void Join()
    {
        Assert.True(_thread.Join(TimeSpan.FromSeconds(20)), "not all connections came");
        foreach (Thread script in _scripts)
        {
            Assert.True(script.Join(TimeSpan.FromSeconds(20)), "a script does not end");
        }
        Assert.True(_failures.Count == 0, string.Join("; ", _failures.Select(e => e.ToString())));
    }

    private void Serve(X509Certificate2? certificate, Action<Session>[] scripts)
    {
        foreach (Action<Session> script in scripts)
        {
            Socket socket = _listener.AcceptSocket();
            var thread = new Thread(() => Run(socket, certificate, script)) { IsBackground = true };
            _scripts.Add(thread);
            thread.Start();
        }
    }

    private void Run(Socket socket, X509Certificate2? certificate, Action<Session> script)
    {
        try
        {
            var raw = new NetworkStream(socket, ownsSocket: true) { ReadTimeout = 20_000 };
            Stream stream = raw;
            if (certificate is not null)
            {
                var tls = new SslStream(stream);
                try
                {
                    tls.AuthenticateAsServer(certificate);
                }
                catch (Exception e) when (e is IOException or System.Security.Authentication.AuthenticationException)
                {
                    // A client that refuses the certificate: the test looks at its side.
                    socket.Dispose();
                    return;
                }
                stream = tls;
            }
            using var session = new Session(stream, raw);
            script(session);
        }
        catch (Exception e)
        {
            lock (_failures)
            {
                _failures.Add(e);
            }
        }
    }
}
