using System;
using System.Collections.Generic;
using System.Linq;
using System.Net;
using System.Net.Http;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Creo.Http;

namespace Creo.Tests;

/// <summary>Redirects, cookies and credentials of a client (HTTP-40 to HTTP-47). The cases of <c>conformance/</c> show more of them.</summary>
public static class SessionTests
{
    private const string BasicLine = "\r\nAuthorization: Basic bWU6aHVudGVyMg==\r\n";

    private static readonly byte[] Right = FakeHttp.Answer(200, "application/json", "\"AAE=\"");
    private static readonly ClientOptions Basic = new() { Basic = new BasicCredentials("me", "hunter2") };
    private static readonly ClientOptions Following = new() { MaxRedirects = 2 };

    /// <summary>Answers requests in turn, on any number of connections.</summary>
    internal sealed class Replies : IDisposable
    {
        private readonly Queue<byte[]> _answers = new();

        public Replies(X509Certificate2? certificate = null) => Server = new FakeHttp(_ => _answers.Dequeue(), certificate: certificate);

        public FakeHttp Server { get; }

        public string Host => $"127.0.0.1:{Server.Port}";

        public List<string> Heads => Server.Heads;

        /// <summary>Adds answers before the requests come.</summary>
        public Replies With(params byte[][] answers)
        {
            foreach (byte[] answer in answers)
            {
                _answers.Enqueue(answer);
            }
            return this;
        }

        public void Dispose() => Server.Dispose();
    }

    private static byte[] Redirect(string place, string headers = "", int status = 307) => FakeHttp.Answer(status, "text/plain", "moved", $"Location: {place}\r\n{headers}");

    private static async Task<ValueArray<byte>> Call(Binding client, bool waiting, CallOptions? options = null) =>
        await new CallTests.Caller(client, waiting).Call(SoapTests.Echo, (null, new byte[] { 1 }), options);

    private static Task<CreoException> Fails(ErrorCode code, Binding client, bool waiting, CallOptions? options = null) =>
        new CallTests.Caller(client, waiting).Fails(code, SoapTests.Echo, (null, new byte[] { 1 }), options);

    // HTTP-42, CALL-61
    [Test]
    public static async Task ARedirectToAnotherOriginTakesTheMessageAlone()
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var own = new Replies();
            using var other = new Replies();
            own.With(Redirect($"http://{other.Host}/y?q", "Set-Cookie: a=hunter2\r\n"), Right, Right);
            other.With(Redirect($"http://{own.Host}/z", "Set-Cookie: evil=1\r\n", 308));
            var shown = new List<RawMessage>();
            ClientOptions options = Basic with
            {
                MaxRedirects = 2,
                Cookies = true,
                Headers = new Dictionary<string, string> { ["X-Session"] = "hunter2", ["User-Agent"] = "lab/1", ["Expires"] = "hunter2" },
                Metadata = new Dictionary<string, string> { ["key"] = "hunter2", ["traceparent"] = "hunter2" },
                CompressFrom = 1,
                RawMessages = shown.Add,
            };
            using var client = new JsonBinding(own.Server.Url, options);
            var large = new CallTests.Caller(client, waiting);
            Assert.Equal([0, 1], await large.Call(SoapTests.Echo, (null, new byte[2000])));
            Assert.Equal([0, 1], await large.Call(SoapTests.Echo, (null, new byte[2000])));
            Assert.Equal("POST /y?q HTTP/1.1", other.Heads[0].Split("\r\n")[0]);
            Assert.Equal("POST /z HTTP/1.1", own.Heads[1].Split("\r\n")[0]);
            Assert.Contains($"\r\nHost: {other.Host}\r\n", other.Heads[0]);
            foreach (string head in new[] { other.Heads[0], own.Heads[1] })
            {
                string names = string.Join(" ", head.Split("\r\n")[1..^2].Select(static line => line.Split(':')[0]).Order(StringComparer.Ordinal));
                Assert.Equal("Accept-Encoding Content-Encoding Content-Length Content-Type Creo-Timeout Host", names);
            }
            Assert.True(own.Server.Bodies[0].AsSpan().SequenceEqual(other.Server.Bodies[0]) && own.Server.Bodies[0].AsSpan().SequenceEqual(own.Server.Bodies[1]), "the same body");
            string last = own.Heads[2];
            foreach (string line in new[] { BasicLine, "\r\nCookie: a=hunter2\r\n", "\r\nX-Session: hunter2\r\n", "\r\nUser-Agent: lab/1\r\n", "\r\nCreo-Meta-key: hunter2\r\n" })
            {
                Assert.Contains(line, last);
            }
            Assert.Equal(
                $"{own.Host} 0, {own.Host} 307, {other.Host} 0, {other.Host} 308, {own.Host} 0, {own.Host} 200", string.Join(", ", shown.Take(6).Select(static m => $"{m.Peer} {m.Status}")));
            Assert.True(shown.SelectMany(static m => m.Headers).All(static h => h.Value == "***" || !(h.Key.Contains("Cookie") || h.Key == "Authorization")), "secrets are hidden");
        }
    }

    // HTTP-40, HTTP-43: within the origin all goes along, on the same connection.
    [Test]
    public static async Task WithinTheOriginAllGoesAlong()
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var own = new Replies().With(Redirect("sub/x", "Set-Cookie: a=1\r\nSet-Cookie: b=2; Path=/Test/sub\r\n"), Redirect("/y", status: 308), Right);
            using var client = new JsonBinding(own.Server.Url, Basic with { MaxRedirects = 2, Cookies = true, Headers = new Dictionary<string, string> { ["X-A"] = "b" } });
            Assert.Equal([0, 1], await Call(client, waiting));
            Assert.Equal("POST /Test/echo HTTP/1.1, POST /Test/sub/x HTTP/1.1, POST /y HTTP/1.1", string.Join(", ", own.Heads.Select(static head => head.Split("\r\n")[0])));
            Assert.True(own.Heads.All(static head => head.Contains(BasicLine) && head.Contains("\r\nX-A: b\r\n")), "credentials and headers");
            Assert.True(!own.Heads[0].Contains("Cookie:") && own.Heads[1].Contains("\r\nCookie: b=2; a=1\r\n") && !own.Heads[2].Contains("Cookie:"), "cookies");
            Assert.Equal(1, own.Server.Connections, "connections");
        }
    }

    // HTTP-42, CALL-4, CALL-14
    [Test]
    public static async Task AnErrorAfterARedirectNamesItsPlace()
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var own = new Replies();
            using var other = new Replies().With(FakeHttp.Answer(404, "text/plain", "nothing here", "X-A: other\r\n"));
            own.With(Redirect($"http://{other.Host}/gone?secret", "X-A: own\r\n"));
            var outcomes = new List<Outcome>();
            var answers = new List<Answer>();
            using var client = new JsonBinding(own.Server.Url, Following with { Interceptors = [new Watcher(outcomes)] });
            CreoException error = await Fails(ErrorCode.Unavailable, client, waiting, new CallOptions { OnAnswer = answers.Add });
            Assert.Contains($"http://{other.Host}/gone answered with the status 404", error.Message);
            Assert.Contains("nothing here", error.Message);
            Assert.True(!error.Message.Contains("secret") && !error.NotStarted && error.Details["peer"] == $"http://{other.Host}/gone", error.ToString());
            Assert.Equal("404 other", string.Join(", ", answers.Select(static answer => $"{answer.Status} {answer.Header("x-a")}")));
            Assert.Equal($"http://{other.Host}/gone 404", string.Join(", ", outcomes.Select(static outcome => $"{outcome.Peer} {outcome.Answer!.Status}")));
        }
    }

    private sealed class Watcher(List<Outcome> outcomes) : IInterceptor
    {
        public Action<Outcome>? Begin(OutgoingCall call) => outcomes.Add;
    }

    // HTTP-40, CALL-4: the redirect is the last answer.
    [Test]
    public static async Task ARedirectThatIsNotFollowedIsAnAnswer()
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var own = new Replies().With(Redirect("/x"), Redirect("/y"), Redirect("/x"), Redirect("/x", status: 302), Redirect("/x"));
            var answers = new List<Answer>();
            var options = new CallOptions { OnAnswer = answers.Add };
            using (var client = new JsonBinding(own.Server.Url, Following))
            {
                CreoException error = await Fails(ErrorCode.Unavailable, client, waiting, options);
                Assert.Contains("to be found at /x, and the redirect is not followed, since 2 of this call were followed, and it has been there before: moved", error.Message);
                Assert.Equal($"http://{own.Host}/y False True", $"{error.Details["peer"]} {error.NotStarted} {error.FromPeer}");
                Assert.Contains("since they keep neither method nor body", (await Fails(ErrorCode.Unavailable, client, waiting, options)).Message);
            }
            using var other = new JsonBinding(own.Server.Url);
            Assert.Contains("redirects are not followed", (await Fails(ErrorCode.Unavailable, other, waiting, options)).Message);
            Assert.Equal("307 302 307", string.Join(" ", answers.Select(static answer => answer.Status)));
        }
    }

    // CALL-21: the request that was answered was not executed, and the last one was not written.
    [Test]
    public static async Task NothingListensAtThePlace()
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var dead = new DeadPort();
            string gone = $"127.0.0.1:{dead.Number}";
            using var own = new Replies().With(Redirect($"http://{gone}/x"), Redirect("https://x.invalid/"));
            using var client = new JsonBinding(own.Server.Url, Following with { Proxy = new Strange() });
            CreoException error = await Fails(ErrorCode.Unavailable, client, waiting);
            Assert.True(error.NotStarted && error.Message.Contains($"cannot connect to {gone}"), error.ToString());
            // A proxy that is not supported.
            error = await Fails(ErrorCode.Unavailable, client, waiting);
            Assert.True(error.NotStarted && error.Message.Contains("socks5") && error.Details["peer"] == "https://x.invalid/", error.ToString());
        }
    }

    private sealed class Strange : IWebProxy
    {
        public ICredentials? Credentials { get; set; }

        public Uri? GetProxy(Uri destination) => new("socks5://127.0.0.1:1");

        public bool IsBypassed(Uri host) => host.Host == "127.0.0.1";
    }

    // HTTP-21, HTTP-42
    [Test]
    public static async Task TheProxyIsThatOfThePlace()
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var proxy = new Replies().With(Redirect("http://other.invalid:81/x?y"), Right);
            var options = new ClientOptions { MaxRedirects = 1, Proxy = new WebProxy($"http://{proxy.Host}") { Credentials = new NetworkCredential("anna", "x") } };
            using var client = new JsonBinding("http://service.invalid/Test", options);
            Assert.Equal([0, 1], await Call(client, waiting));
            Assert.Equal(
                "POST http://service.invalid/Test/echo HTTP/1.1, POST http://other.invalid:81/x?y HTTP/1.1", string.Join(", ", proxy.Heads.Select(static head => head.Split("\r\n")[0])));
            Assert.True(proxy.Heads.All(static head => head.Contains("\r\nProxy-Authorization: Basic ")), "the credentials of the proxy");
            Assert.Contains("\r\nHost: other.invalid:81\r\n", proxy.Heads[1]);
        }
    }

    [Test]
    public static async Task TheDeadlineAndTheEndOfTheClientHoldForARedirectedCall()
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var arrived = new SemaphoreSlim(0);
            void Silent(Session session)
            {
                session.ReadHead();
                arrived.Release();
                session.AwaitClosed();
            }
            using var silent = new FakeServer(Silent, Silent, Silent);
            string place = $"http://127.0.0.1:{silent.Port}/x";
            using var own = new Replies().With(Redirect(place), Redirect(place), Redirect(place));
            var client = new JsonBinding(own.Server.Url, Following with { Limits = new Limits { Deadline = null } });
            CreoException error = await Fails(ErrorCode.DeadlineExceeded, client, waiting, CallOptions.Within(TimeSpan.FromSeconds(2)));
            Assert.Equal(place, error.Details["peer"]);
            await arrived.WaitAsync();
            using (var cancellation = new CancellationTokenSource())
            {
                Task<ValueArray<byte>> cancelled = client.CallAsync(SoapTests.Echo, (null, default), null, cancellation.Token).AsTask();
                await arrived.WaitAsync();
                cancellation.Cancel();
                await Assert.ThrowsAsync<OperationCanceledException>(() => cancelled);
            }
            Task<ValueArray<byte>> call = Task.Run(() => Call(client, waiting));
            await arrived.WaitAsync();
            client.Dispose();
            Assert.Contains("the client was closed", (await Assert.ThrowsAsync<CreoException>(() => call)).Message);
        }
    }

    // LIM-15: the time of an answer is not that of what follows it.
    [Test]
    public static async Task EachAnswerHasItsOwnTime()
    {
        foreach (bool waiting in new[] { true, false })
        {
            // A busy machine may not read the redirect within its time: then it has twice as much. If that time went on counting, none would be enough.
            TimeSpan time = TimeSpan.FromMilliseconds(250);
            while (!await IsAnsweredAfter(time, waiting))
            {
                time *= 2;
            }
        }
    }

    // Whether a call succeeds whose redirect has this time, and whose answer begins later.
    private static async Task<bool> IsAnsweredAfter(TimeSpan time, bool waiting)
    {
        using var slow = new FakeServer(session =>
        {
            session.ReadHead();
            Thread.Sleep(time + TimeSpan.FromMilliseconds(50));
            session.Send(Right);
            session.AwaitClosed();
        });
        using var own = new Replies().With(Redirect($"http://127.0.0.1:{slow.Port}/x"));
        using var client = new JsonBinding(own.Server.Url, Following with { Limits = new Limits { Deadline = null, FrameTimeout = time } });
        try
        {
            Assert.Equal([0, 1], await Call(client, waiting));
            return true;
        }
        catch (CreoException) when (time < TimeSpan.FromSeconds(10))
        {
            return false;
        }
    }

    // LIM-1
    [Test]
    public static async Task TheBodyOfARedirectHasALimit()
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var own = new Replies().With(FakeHttp.Answer(307, "text/plain", new byte[2000], "Location: /x\r\n"));
            using var client = new JsonBinding(own.Server.Url, Following with { Limits = new Limits { MaxMessageSize = 1000 } });
            await Fails(ErrorCode.TooLarge, client, waiting);
        }
    }

    // HTTP-41, HTTP-42
    [Test]
    public static async Task TlsIsNotLeftAndNamesAreChecked()
    {
        using X509Certificate2 certificate = ConnectionTests.Certificate("localhost");
        var tls = new TlsOptions { HostName = "localhost", TrustedRoots = new X509Certificate2Collection(ConnectionTests.X509CertificateLoaderOf(certificate)) };
        foreach (bool waiting in new[] { true, false })
        {
            using var plain = new Replies();
            using var other = new Replies(certificate).With(Right);
            using var own = new Replies(certificate).With(
                Redirect("/z", "Set-Cookie: a=b; Secure; Path=/\r\n"), Right, Redirect($"//localhost:{other.Server.Port}/y"), Redirect($"https://{other.Host}/y"), Redirect($"http://{plain.Host}/x"));
            using var client = new JsonBinding($"https://{own.Host}/x", Basic with { MaxRedirects = 1, Cookies = true, Tls = tls });
            Assert.Equal([0, 1], await Call(client, waiting));
            Assert.True(own.Heads[1].StartsWith("POST /z HTTP/1.1\r\n", StringComparison.Ordinal) && own.Heads[1].Contains("\r\nCookie: a=b\r\n") && own.Heads[1].Contains(BasicLine), own.Heads[1]);
            Assert.Equal([0, 1], await Call(client, waiting));
            Assert.True(other.Heads[0].StartsWith("POST /y HTTP/1.1\r\n", StringComparison.Ordinal) && !other.Heads[0].Contains("Authorization"), other.Heads[0]);
            CreoException error = await Fails(ErrorCode.UntrustedPeer, client, waiting);
            Assert.Contains($"cannot connect to {other.Host}", error.Message);
            Assert.Contains("it leads from https to http", (await Fails(ErrorCode.Unavailable, client, waiting)).Message);
            Assert.Equal(0, plain.Server.Connections, "connections without TLS");
            Assert.Equal(1, own.Server.Connections, "connections to the own origin");
        }
        // From http to https, where the system does not trust the certificate.
        using var first = new Replies();
        using var second = new Replies(certificate);
        first.With(Redirect($"https://localhost:{second.Server.Port}/y"));
        using var upward = new JsonBinding(first.Server.Url, Following);
        await Fails(ErrorCode.UntrustedPeer, upward, waiting: false);
    }

    private sealed class NoSecurity : IClientSecurity
    {
        public byte[] Send(byte[] request) => request;

        public byte[] Receive(byte[] answer, string? charset) => answer;
    }

    // HTTP-42
    [Test]
    public static async Task AMessageThatSaysWhoCallsStaysAtItsOrigin()
    {
        byte[] right = FakeHttp.Answer(200, "text/xml", SoapTests.Right());
        foreach (SoapOptions soap in new SoapOptions[] { new() { Token = new UsernameToken("me", "hunter2") }, new() { Timestamp = true }, new() { Security = new NoSecurity() } })
        {
            using var own = new Replies().With(Redirect("http://localhost:1/x"), Redirect("/y"), right);
            using var client = new SoapBinding(own.Server.Url, Following, soap);
            Assert.Contains("a request with a block of WS-Security stays at its origin", (await Fails(ErrorCode.Unavailable, client, waiting: true)).Message);
            Assert.Equal([0, 1], await Call(client, waiting: true));
            Assert.True(own.Server.Bodies[1].AsSpan().SequenceEqual(own.Server.Bodies[2]), "the same message");
        }
        using var other = new Replies().With(right);
        using var first = new Replies().With(Redirect($"http://{other.Host}/y"));
        using var free = new SoapBinding(first.Server.Url, Following);
        Assert.Equal([0, 1], await Call(free, waiting: false));
        Assert.Contains("\r\nSOAPAction: \"urn:t:echo\"\r\n", other.Heads[0]);
    }

    // HTTP-43, HTTP-46, HTTP-47
    [Test]
    public static async Task TheProgramDoesNotSetWhatTheOptionsSet()
    {
        using var own = new Replies();
        foreach (bool waiting in new[] { true, false })
        {
            foreach (ClientOptions options in new[] { Basic, new ClientOptions { BearerToken = "x" } })
            {
                using var client = new JsonBinding(own.Server.Url, options);
                foreach (CallOptions call in new[]
                {
                    new CallOptions { Headers = new Dictionary<string, string> { ["AUTHORIZATION"] = "x" } }, new CallOptions { Metadata = new Dictionary<string, string> { ["authorization"] = "x" } },
                })
                {
                    Assert.True(!(await Fails(ErrorCode.InvalidValue, client, waiting, call)).ToString().Contains("hunter2"), "no password is shown");
                }
            }
            using var keeping = new JsonBinding(own.Server.Url, new ClientOptions { Cookies = true, Headers = new Dictionary<string, string> { ["cookie"] = "a=b" } });
            await Fails(ErrorCode.InvalidValue, keeping, waiting);
        }
        Assert.Equal(0, own.Server.Connections, "connections");
    }

    // HTTP-46
    [Test]
    public static void CredentialsAreNotSentInClear()
    {
        foreach (string url in new[] { "http://example.com/", "http://127.0.0.1.example.com/", "http://10.0.0.1/", "http://localhost.example.com/", "http://[::2]/", "http://[::ffff:127.0.0.1]/" })
        {
            foreach (ClientOptions options in new[] { Basic, new ClientOptions { BearerToken = "hunter2" } })
            {
                Assert.True(!Assert.Throws<ArgumentException>(() => new JsonBinding(url, options)).ToString().Contains("hunter2"), "no secret is shown");
            }
            new JsonBinding(url, new ClientOptions { MaxRedirects = 20, Cookies = true }).Dispose();
        }
        foreach (string url in new[] { "https://example.com/", "http://LOCALHOST/", "http://127.9.9.9/", "http://[::1]/", "http://[0:0::1]:81/" })
        {
            new JsonBinding(url, Basic).Dispose();
        }
        Assert.Throws<ArgumentException>(() => new JsonBinding("https://example.com/", Basic with { BearerToken = "x" }));
    }

    [Test]
    public static void OptionsThatAreNone()
    {
        foreach (int max in new[] { -1, 21, int.MaxValue })
        {
            Assert.Throws<ArgumentOutOfRangeException>(() => new ClientOptions { MaxRedirects = max });
        }
        foreach ((string user, string password) in new[] { ("a:b", "c"), ("a", "b\r\nc"), ("a", "\u0085"), ("a\u007f", ""), (new string('a', 1025), ""), ("\ud800", ""), ("", "x\udc00") })
        {
            Assert.Throws<ArgumentException>(() => new BasicCredentials(user, password));
        }
        _ = new BasicCredentials("", "");
        _ = new BasicCredentials(string.Concat(Enumerable.Repeat("\ud83d\ude00", 1024)), new string('\u00e9', 1024));
        foreach (string token in new[] { "", "=", "a b", "a=b", "a\n", "\u00e9", "a,", new string('a', 8193) })
        {
            Assert.Throws<ArgumentException>(() => new ClientOptions { BearerToken = token });
        }
        ClientOptions options = Basic with { BearerToken = "hunter3" + new string('=', 8185) };
        string shown = options.ToString();
        Assert.True(!shown.Contains("hunter") && !shown.Contains("me,") && shown.Contains("BearerToken = ***") && shown.Contains("Basic = BasicCredentials") && shown.Contains("MaxRedirects = 0"), shown);
        Assert.True(options.BearerToken!.StartsWith("hunter3", StringComparison.Ordinal) && ClientOptions.Default.ToString().Contains("BearerToken = ,"), "the token stays");
    }

    // HTTP-40, HTTP-43, HTTP-46
    [Test]
    public static async Task StreamsAreNotRedirectedButHaveCookiesAndCredentials()
    {
        foreach (bool waiting in new[] { true, false })
        {
            var heads = new List<string>();
            Action<Session> Script(Action<Session> answer) => session =>
            {
                heads.Add(session.ReadCount());
                answer(session);
                session.AwaitClosed();
            };
            using var server = new FakeServer(
                Script(static session =>
                {
                    session.Begin("Set-Cookie: a=b\r\n");
                    session.SendChunk("{\"item\":0}\n{\"end\":true}\n");
                }),
                Script(static session => session.Answer(307, "text/plain", "", "Location: /y\r\nSet-Cookie: c=d\r\n")),
                Script(static session => session.SendLines("{\"end\":true}\n")));
            using var client = new JsonBinding($"http://127.0.0.1:{server.Port}/x", Basic with { MaxRedirects = 5, Cookies = true });
            var caller = new Streamer(client, waiting);
            Assert.Equal(1, (await caller.Read(LineMethods.Count, 9)).Count);
            Assert.Contains("redirects are not followed", (await caller.Fails(ErrorCode.Unavailable, () => caller.Read(LineMethods.Count, 9))).Message);
            Assert.Equal(0, (await caller.Read(LineMethods.Count, 9)).Count);
            server.Join();
            Assert.True(heads.All(static head => head.Contains(BasicLine)), "credentials");
            Assert.True(!heads[0].Contains("Cookie:") && heads[1].Contains("\r\nCookie: a=b\r\n") && heads[2].Contains("\r\nCookie: a=b; c=d\r\n"), "cookies");
        }
    }

    // HTTP-43
    [Test]
    public static async Task ClientsShareNoCookies()
    {
        byte[] setting = FakeHttp.Answer(200, "application/json", "\"AAE=\"", "Set-Cookie: a=b\r\n");
        using var own = new Replies().With(setting, Right, FakeHttp.Answer(200, "application/json", "\"AAE=\"", string.Concat(Enumerable.Repeat("Set-Cookie: a=b\r\n", 201))), Right);
        var options = new ClientOptions { Cookies = true };
        using var one = new JsonBinding(own.Server.Url, options);
        using var two = new JsonBinding(own.Server.Url, options);
        await Call(one, waiting: true);
        await Call(two, waiting: false);
        // Too many fields: the answer is none, and sets nothing.
        await Fails(ErrorCode.TooLarge, two, waiting: true);
        await Call(two, waiting: true);
        Assert.True(own.Heads.All(static head => !head.Contains("Cookie:")), "no cookies");
    }

    private static string Place(string origin, string target, params string[] locations)
    {
        using var response = new HttpResponseMessage();
        foreach (string location in locations)
        {
            response.Headers.TryAddWithoutValidation("Location", location);
        }
        string? refusal = HttpLocation.Read(response.Headers.NonValidated, new Uri(origin), target, out Uri found, out string place);
        return refusal is null ? found.GetLeftPart(UriPartial.Authority) + place : "no";
    }

    // HTTP-41, RFC 3986, section 5.4
    [Test]
    public static void PlacesAreReadAsTheRfcSays()
    {
        foreach ((string location, string place) in new[]
        {
            ("g", "/b/c/g"), ("./g", "/b/c/g"), ("g/", "/b/c/g/"), ("/g", "/g"), ("?y", "/b/c/d;p?y"), ("g?y", "/b/c/g?y"), ("#s", "/b/c/d;p?q"), ("g#s", "/b/c/g"), ("g?y#s", "/b/c/g?y"),
            (";x", "/b/c/;x"), ("g;x", "/b/c/g;x"), ("", "/b/c/d;p?q"), (".", "/b/c/"), ("./", "/b/c/"), ("..", "/b/"), ("../", "/b/"), ("../g", "/b/g"), ("../..", "/"), ("../../", "/"),
            ("../../g", "/g"), ("../../../g", "/g"), ("/./g", "/g"), ("/../g", "/g"), ("g.", "/b/c/g."), (".g", "/b/c/.g"), ("g..", "/b/c/g.."), ("..g", "/b/c/..g"), ("./../g", "/b/g"),
            ("./g/.", "/b/c/g/"), ("g/./h", "/b/c/g/h"), ("g/../h", "/b/c/h"), ("g?y/./x", "/b/c/g?y/./x"), ("g?y/../x", "/b/c/g?y/../x"), ("?", "/b/c/d;p?"), ("a//b", "/b/c/a//b"),
            ("/%2e%2e/%41?%41", "/%2e%2e/%41?%41"), ("/.//x", "//x"), ("g?a?b", "/b/c/g?a?b"),
        })
        {
            Assert.Equal("http://a" + place, Place("http://a", "/b/c/d;p?q", location), $"<{location}>");
        }
        foreach ((string location, string place) in new[]
        {
            ("//g", "http://g/"), ("//g?x", "http://g/?x"), ("//G:80/x/../y", "http://g/y"), ("http://g", "http://g/"), ("HTTP://g:81/x?y#z", "http://g:81/x?y"), ("https://g:/x", "https://g/x"),
            ("http://[::1]:8/x", "http://[::1]:8/x"), ("http://g:65535/", "http://g:65535/"), ("http://g:1/", "http://g:1/"), ("http://g?x#/y", "http://g/?x"), ("http://g//x", "http://g//x"),
        })
        {
            Assert.Equal(place, Place("http://a", "/b", location), $"<{location}>");
        }
    }

    [Test]
    public static void PlacesThatAreNotFollowed()
    {
        foreach (string location in new[]
        {
            "ftp://a/", "javascript:alert(1)", "mailto:a@b", "data:,x", "file:///etc/passwd", "http:a", "http:/a", "http:", "http://", "http:///a", "http://?x", "http://:80/", "http://#x", "https:x",
            "//", "///x", "//?x", "http://me:hunter2@a/", "http://me@a/", "http://@a/", "//me@a/", "http://a@b@c/", "http://a:0/", "http://a:65536/", "http://a:99999999999/", "http://a:-1/",
            "http://a:b/", "http://a:80:80/", "http://[::1/", "http://::1/", "http://[::1]x/", "http://[x]/", "http://a%41/", "http://[fe80::1%25eth0]/", "http://a,b;c/", "http://a!/", "/a b", " /a",
            "/a\t", "/a\r\nX: y", "/a\nb", "/a\0", "/\u00e4", "/%", "/%4", "/%zz", "/a%4", "\\\\a", "/a\\b", "/a\"b", "/<a>", "/{a}", "/a|b", "/a^b", "/a`b", "/a#%", "/a#b c", "/a\u007f", "http://\u00e4/",
        })
        {
            Assert.Equal("no", Place("http://a", "/b", location), $"<{location}>");
        }
        Assert.Equal("no", Place("http://a", "/b"), "none");
        Assert.Equal("no", Place("http://a", "/b", "/x", "/x"), "two");
        Assert.Equal("no", Place("https://a", "/b", "http://a/"), "without TLS");
        Assert.Equal("https://a/x", Place("https://a", "/b", "//a/x"), "with TLS");
    }
}
