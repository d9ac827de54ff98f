using System;
using System.Collections.Generic;
using System.IO;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Threading.Tasks;

namespace Creo.Tests;

/// <summary>An HTTP server that answers each request with the test's bytes, and records the requests.</summary>
public sealed class FakeHttp : IDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly Func<string, byte[]> _answer;
    private readonly bool _closes;
    private readonly X509Certificate2? _certificate;

    /// <summary>A server that answers the head of a request, and optionally closes the connection after each answer.</summary>
    public FakeHttp(Func<string, byte[]> answer, bool closes = false, X509Certificate2? certificate = null)
    {
        _answer = answer;
        _closes = closes;
        _certificate = certificate;
        _listener.Start();
        _ = Task.Run(AcceptAsync);
    }

    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    public string Url => $"http://127.0.0.1:{Port}/Test";

    public int Connections { get; private set; }

    public List<string> Heads { get; } = [];

    public List<byte[]> Bodies { get; } = [];

    /// <summary>An answer with a length.</summary>
    public static byte[] Answer(int status, string type, byte[] body, string headers = "") =>
        [.. Encoding.Latin1.GetBytes($"HTTP/1.1 {status} Status\r\nContent-Type: {type}\r\nContent-Length: {body.Length}\r\n{headers}\r\n"), .. body];

    public static byte[] Answer(int status, string type, string body, string headers = "") => Answer(status, type, Encoding.UTF8.GetBytes(body), headers);

    /// <summary>An answer in chunks of some bytes.</summary>
    public static byte[] Chunked(string type, byte[] body, int size)
    {
        var all = new MemoryStream();
        all.Write(Encoding.Latin1.GetBytes($"HTTP/1.1 200 OK\r\nContent-Type: {type}\r\nTransfer-Encoding: chunked\r\n\r\n"));
        for (int i = 0; i < body.Length; i += size)
        {
            int count = Math.Min(size, body.Length - i);
            all.Write(Encoding.Latin1.GetBytes($"{count:x}\r\n"));
            all.Write(body, i, count);
            all.Write("\r\n"u8);
        }
        all.Write("0\r\n\r\n"u8);
        return all.ToArray();
    }

    public void Dispose() => _listener.Stop();

    private async Task AcceptAsync()
    {
        while (true)
        {
            Socket socket;
            try
            {
                socket = await _listener.AcceptSocketAsync();
            }
            catch (Exception e) when (e is SocketException or ObjectDisposedException)
            {
                return;
            }
            Connections++;
            _ = Task.Run(() => ServeAsync(socket));
        }
    }

    private async Task ServeAsync(Socket socket)
    {
        using var plain = new NetworkStream(socket, ownsSocket: true);
        Stream stream = plain;
        try
        {
            if (_certificate is not null)
            {
                var tls = new SslStream(plain);
                stream = tls;
                await tls.AuthenticateAsServerAsync(_certificate);
            }
            while (await ReadHeadAsync(stream) is { } head)
            {
                int at = head.IndexOf("Content-Length: ", StringComparison.OrdinalIgnoreCase);
                byte[] body = new byte[at < 0 ? 0 : int.Parse(head[(at + 16)..head.IndexOf('\r', at)], null)];
                await stream.ReadExactlyAsync(body);
                byte[] answer;
                lock (Heads)
                {
                    Heads.Add(head);
                    Bodies.Add(body);
                    answer = _answer(head);
                }
                await stream.WriteAsync(answer);
                if (_closes)
                {
                    return;
                }
            }
        }
        catch (Exception e) when (e is IOException or AuthenticationException)
        {
            // The client has gone.
        }
    }

    private static async Task<string?> ReadHeadAsync(Stream stream)
    {
        var head = new StringBuilder();
        byte[] one = new byte[1];
        while (!head.ToString().EndsWith("\r\n\r\n", StringComparison.Ordinal))
        {
            if (await stream.ReadAsync(one) == 0)
            {
                return null;
            }
            head.Append((char)one[0]);
            if (one[0] == 0x16 && head.Length == 1)
            {
                // A client that speaks TLS is answered at once, as servers do.
                return head.ToString();
            }
        }
        return head.ToString();
    }
}
