using System;
using System.Collections.Generic;
using System.IO;
using System.Net;
using System.Net.Http;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Threading.Tasks;

namespace Creo.Tests;

/// <summary>Calls through a proxy (HTTP-21).</summary>
public static class ProxyTests
{
    private static readonly byte[] Right = FakeHttp.Answer(200, "text/xml", SoapTests.Right());

    private static WebProxy Proxy(int port, string? user = null) =>
        new($"http://127.0.0.1:{port}") { Credentials = user is null ? null : new NetworkCredential(user, "secr\u00e9t") };

    /// <summary>A proxy of tunnels: its requests, and the destination if it answers with 200.</summary>
    private sealed class Tunnels : IDisposable
    {
        private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
        private readonly byte[] _answer;
        private readonly int _port;

        public Tunnels(byte[] answer, int port)
        {
            (_answer, _port) = (answer, port);
            _listener.Start();
            _ = Task.Run(AcceptAsync);
        }

        public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

        public List<string> Heads { get; } = [];

        public void Dispose() => _listener.Stop();

        private async Task AcceptAsync()
        {
            while (true)
            {
                TcpClient client;
                try
                {
                    client = await _listener.AcceptTcpClientAsync();
                }
                catch (Exception e) when (e is SocketException or ObjectDisposedException)
                {
                    return;
                }
                _ = Task.Run(() => ServeAsync(client));
            }
        }

        private async Task ServeAsync(TcpClient client)
        {
            using (client)
            {
                NetworkStream stream = client.GetStream();
                var head = new StringBuilder();
                byte[] one = new byte[1];
                while (!head.ToString().EndsWith("\r\n\r\n", StringComparison.Ordinal) && await stream.ReadAsync(one) > 0)
                {
                    head.Append((char)one[0]);
                }
                lock (Heads)
                {
                    Heads.Add(head.ToString());
                }
                await stream.WriteAsync(_answer);
                if (_port == 0)
                {
                    return;
                }
                using var service = new TcpClient();
                await service.ConnectAsync(IPAddress.Loopback, _port);
                try
                {
                    await Task.WhenAny(stream.CopyToAsync(service.GetStream()), service.GetStream().CopyToAsync(stream));
                }
                catch (IOException)
                {
                    // One of them has gone.
                }
            }
        }
    }

    [Test]
    public static async Task RequestsGoToTheProxyInAbsoluteForm()
    {
        foreach (string? user in new[] { null, "anna" })
        {
            using var proxy = new FakeHttp(_ => Right);
            using var binding = new SoapBinding("http://service.invalid:81/Test?x", new ClientOptions { Proxy = Proxy(proxy.Port, user) });
            Assert.Equal([0, 1], binding.Call(SoapTests.Echo, (null, new byte[] { 1 })));
            Assert.Equal([0, 1], await binding.CallAsync(SoapTests.Echo, (null, new byte[] { 1 })));
            Assert.Equal(1, proxy.Connections, "connections");
            foreach (string head in proxy.Heads)
            {
                Assert.True(head.StartsWith("POST http://service.invalid:81/Test?x HTTP/1.1\r\n", StringComparison.Ordinal), head);
                Assert.Contains("Host: service.invalid:81\r\n", head);
                Assert.Equal(user is not null, head.Contains($"Proxy-Authorization: Basic {Convert.ToBase64String(Encoding.UTF8.GetBytes("anna:secr\u00e9t"))}\r\n"), head);
                Assert.Equal(user is not null, head.Contains("Proxy-"), head);
            }
        }
    }

    [Test]
    public static void WhatTheProxyAnswersIsAnError()
    {
        foreach ((int status, ErrorCode code) in new[] { (407, ErrorCode.Unauthenticated), (403, ErrorCode.PermissionDenied), (503, ErrorCode.Unavailable) })
        {
            byte[] answer = FakeHttp.Answer(status, "text/plain", "go away", "Proxy-Authenticate: Basic realm=\"lab\"\r\n");
            using var plain = new FakeHttp(_ => answer);
            using var tunnels = new Tunnels(answer, 0);
            foreach ((string url, int port) in new[] { ("http://service.invalid/", plain.Port), ("https://service.invalid/", tunnels.Port) })
            {
                using var binding = new SoapBinding(url, new ClientOptions { Proxy = Proxy(port, "anna") });
                CreoException error = Assert.Fails(code, () => binding.Call(SoapTests.Echo, (null, new byte[] { 1 })));
                Assert.Contains($"status {status} ", error.Message);
                Assert.Contains("go away", error.Message);
                Assert.True(status != 407 || error.Message.Contains("Basic realm=\"lab\""), error.Message);
                Assert.True(!url.StartsWith("https", StringComparison.Ordinal) || error.Message.Contains($"the proxy 127.0.0.1:{port}"), error.Message);
                Assert.True(!error.ToString().Contains("anna"), "the credentials are not shown");
            }
        }
    }

    [Test]
    public static async Task TunnelsLeadToTheService()
    {
        using X509Certificate2 certificate = ConnectionTests.Certificate("localhost");
        var roots = new X509Certificate2Collection(ConnectionTests.X509CertificateLoaderOf(certificate));
        using var service = new FakeHttp(_ => Right, certificate: certificate);
        using var proxy = new Tunnels(Encoding.ASCII.GetBytes("HTTP/1.1 200 Connection established\r\n\r\n"), service.Port);
        ClientOptions Options(TlsOptions? tls) => new() { Proxy = Proxy(proxy.Port, "anna"), Tls = tls };
        using (var binding = new SoapBinding("https://localhost/Test?x", Options(new TlsOptions { TrustedRoots = roots })))
        {
            Assert.Equal([0, 1], binding.Call(SoapTests.Echo, (null, new byte[] { 1 })));
            Assert.Equal([0, 1], await binding.CallAsync(SoapTests.Echo, (null, new byte[] { 1 })));
        }
        Assert.Equal(1, proxy.Heads.Count, "tunnels");
        Assert.True(proxy.Heads[0].StartsWith("CONNECT localhost:443 HTTP/1.1\r\n", StringComparison.Ordinal), proxy.Heads[0]);
        Assert.Contains("Host: localhost:443\r\n", proxy.Heads[0]);
        Assert.Contains("Proxy-Authorization: Basic ", proxy.Heads[0]);
        Assert.Equal(2, service.Heads.Count, "requests");
        foreach (string head in service.Heads)
        {
            Assert.True(head.StartsWith("POST /Test?x HTTP/1.1\r\n", StringComparison.Ordinal) && !head.Contains("Proxy-"), head);
        }
        // The certificate is that of the service, whatever the proxy is called.
        foreach ((string url, TlsOptions? tls) in new[]
        {
            ("https://localhost/", null), ("https://127.0.0.1/", new TlsOptions { TrustedRoots = roots }), ("https://[::1]:444/", (TlsOptions?)new TlsOptions { TrustedRoots = roots }),
        })
        {
            using var refusing = new SoapBinding(url, Options(tls));
            Assert.Fails(ErrorCode.UntrustedPeer, () => refusing.Call(SoapTests.Echo, (null, new byte[] { 1 })));
            Assert.Equal(ErrorCode.UntrustedPeer, (await Assert.ThrowsAsync<CreoException>(async () => await refusing.CallAsync(SoapTests.Echo, (null, default)))).Code);
        }
        Assert.True(proxy.Heads[^1].StartsWith("CONNECT [::1]:444 HTTP/1.1\r\n", StringComparison.Ordinal), proxy.Heads[^1]);
    }

    [Test]
    public static void ProxiesThatAreNone()
    {
        foreach (string said in new[] { "", "SSH-2.0-x\r\n", "HTTP/1.1 200", "HTTP/1.1 204 None\r\n\r\n", $"HTTP/1.1 200 OK\r\nX: {new string('x', 100_000)}\r\n\r\n" })
        {
            foreach (string url in new[] { "http://service.invalid/", "https://service.invalid/" })
            {
                using var proxy = new Tunnels(Encoding.ASCII.GetBytes(said), 0);
                using var binding = new SoapBinding(url, new ClientOptions { Proxy = Proxy(proxy.Port) });
                CreoException error = Assert.Throws<CreoException>(() => binding.Call(SoapTests.Echo, (null, default), CallOptions.Within(TimeSpan.FromSeconds(5))));
                Assert.True(error.Code is ErrorCode.Unavailable or ErrorCode.ProtocolMismatch or ErrorCode.TooLarge, error.Message);
            }
        }
        // One that accepts a connection and says nothing, and one that is not there.
        using var silent = new TcpListener(IPAddress.Loopback, 0);
        silent.Start();
        var options = new ClientOptions { Proxy = Proxy(((IPEndPoint)silent.LocalEndpoint).Port), Limits = new Limits { ConnectTimeout = TimeSpan.FromMilliseconds(200) } };
        using var waiting = new SoapBinding("https://service.invalid/", options);
        Assert.Contains("too long", Assert.Fails(ErrorCode.Unavailable, () => waiting.Call(SoapTests.Echo, (null, default))).Message);
        using var absent = new SoapBinding("https://service.invalid/", new ClientOptions { Proxy = Proxy(1) });
        Assert.Contains("cannot connect to 127.0.0.1:1", Assert.Fails(ErrorCode.Unavailable, () => absent.Call(SoapTests.Echo, (null, default))).Message);
    }

    [Test]
    public static void ProxiesAreChecked()
    {
        foreach (WebProxy bad in new[]
        {
            new WebProxy("socks5://127.0.0.1:1"), new WebProxy("https://127.0.0.1:1"), Proxy(1, "a:b"), Proxy(1, "a\r\nX: y"),
        })
        {
            Assert.True(!Assert.Throws<ArgumentException>(() => new SoapBinding("http://x/", new ClientOptions { Proxy = bad })).Message.Contains("secr"), "no password is shown");
        }
        Assert.True(!new ClientOptions { Proxy = Proxy(1, "anna") }.ToString().Contains("anna"), "the credentials are not shown");
    }

    /// <summary>Where the options say nothing it is the platform's own, and one without an address is none.</summary>
    [Test]
    public static void ThePlatformHasAProxyToo()
    {
        using var proxy = new FakeHttp(_ => Right);
        using var service = new FakeHttp(_ => Right);
        IWebProxy before = HttpClient.DefaultProxy;
        try
        {
            HttpClient.DefaultProxy = new WebProxy($"http://127.0.0.1:{proxy.Port}", false, ["bypassed"]);
            using var through = new JsonBinding("http://service.invalid/Test");
            using var bypassing = new SoapBinding("http://bypassed.invalid/Test");
            using var direct = new SoapBinding(service.Url, new ClientOptions { Proxy = new WebProxy() });
            Assert.Throws<CreoException>(() => through.Call(SoapTests.Echo, (null, default)));
            Assert.Contains("cannot connect to bypassed.invalid", Assert.Fails(ErrorCode.Unavailable, () => bypassing.Call(SoapTests.Echo, (null, default))).Message);
            Assert.Equal([0, 1], direct.Call(SoapTests.Echo, (null, default)));
        }
        finally
        {
            HttpClient.DefaultProxy = before;
        }
        Assert.Equal(1, proxy.Heads.Count, "requests to the proxy");
        Assert.Contains("POST http://service.invalid/Test/echo HTTP/1.1", proxy.Heads[0]);
    }
}
