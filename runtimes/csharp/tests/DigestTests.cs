using System;
using System.Collections.Generic;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading.Tasks;
using Creo.Http;

namespace Creo.Tests;

/// <summary>Digest authentication of a client (HTTP-48 to HTTP-51). The cases of <c>conformance/</c> show more of it.</summary>
public static class DigestTests
{
    private const string Plain = "Digest realm=\"r\", nonce=\"n\"";

    private static readonly byte[] Right = FakeHttp.Answer(200, "application/json", "\"AAE=\"");
    private static readonly ClientOptions Options = new() { Digest = new DigestCredentials("me", "hunter2") };

    private static string Latin1(string text) => Encoding.Latin1.GetString(Encoding.UTF8.GetBytes(text));

    private static DigestChallenge Good(params string[] values)
    {
        DigestChallenge? challenge = DigestChallenge.Of(values, out string? problem);
        Assert.True(challenge is not null && problem is null, $"{problem} <{string.Join(", ", values)}>");
        return challenge!;
    }

    private static void None(bool hasProblem, params string[] values)
    {
        DigestChallenge? challenge = DigestChallenge.Of(values, out string? problem);
        Assert.True(challenge is null && hasProblem == problem is not null, $"{problem} <{string.Join(", ", values)}>");
    }

    private static DigestAuthentication.Attempt Attempt(DigestAuthentication digest) => new(digest);

    // The value for a challenge, with a nonce of the client that does not change.
    private static string Value(string user, string password, string method, string target, string cnonce, string challenge)
    {
        DigestAuthentication.Attempt attempt = Attempt(new DigestAuthentication(user, password, () => cnonce));
        Assert.True(attempt.Value(method, target) is null, "nothing is known");
        Assert.True(attempt.IsAgain([Latin1(challenge)], out string? problem) && problem is null, $"{problem} {challenge}");
        return attempt.Value(method, target)!;
    }

    // RFC 7616, section 3.9.1
    [Test]
    public static void TheExampleOfTheRfc()
    {
        foreach ((string algorithm, string response) in new[]
        {
            ("MD5", "8ca523f5e9506fed4657c9700eebdbec"), ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        })
        {
            const string Nonce = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v";
            const string Opaque = "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS";
            const string Cnonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ";
            Assert.Equal(
                $"Digest username=\"Mufasa\", realm=\"http-auth@example.org\", nonce=\"{Nonce}\", uri=\"/dir/index.html\", response=\"{response}\", algorithm={algorithm}, "
                    + $"opaque=\"{Opaque}\", qop=auth, nc=00000001, cnonce=\"{Cnonce}\"",
                Value(
                    "Mufasa", "Circle of Life", "GET", "/dir/index.html", Cnonce,
                    $"Digest realm=\"http-auth@example.org\", qop=\"auth, auth-int\", algorithm={algorithm}, nonce=\"{Nonce}\", opaque=\"{Opaque}\""));
        }
    }

    // Values by another program: Python's hashlib, over the parts that the RFC names.
    [Test]
    public static void OtherForms()
    {
        Assert.Equal("Digest username=\"me\", realm=\"r\", nonce=\"n\", uri=\"/x?y=1\", response=\"ff6b7ef20739dd519646eaf4d5e1896f\"", Value("me", "pw", "POST", "/x?y=1", "c", Plain));
        Assert.Contains(
            "response=\"f0a5308b202f0ce872ffc98b44f2f74db687d7e29df05b4adc7a66d5f1697dd4\", algorithm=sha-256-SESS, qop=auth",
            Value("me", "pw", "POST", "/x", "c", Plain + ", algorithm=sha-256-SESS, qop=auth"));
        string hashed = Value("m\u00e9", "p\u00e4ss", "POST", "/x", "c", Plain + ", algorithm=SHA-256, qop=\"auth\", userhash=true, charset=UTF-8");
        Assert.Contains("username=\"f28b3913ade46f391051c35497c67ced1e2759ddd4cd36a4ed6a46e420ade44c\"", hashed);
        Assert.True(hashed.EndsWith(", userhash=true", StringComparison.Ordinal), hashed);
        Assert.Contains("username*=UTF-8''m%C3%A9%20%22x%22, ", Value("m\u00e9 \"x\"", "p\u00e4ss", "POST", "/x", "c", Plain));
        string quoted = Value("a\"b\\c", "pw", "POST", "/x", "c", "Digest realm=\"\u00fc \\\"q\\\\\", nonce=\"n\"");
        Assert.Contains(Latin1("username=\"a\\\"b\\\\c\", realm=\"\u00fc \\\"q\\\\\", "), quoted);
        Assert.Contains("response=\"423f98da967382e14df44a4cf013e71b\"", quoted);
    }

    [Test]
    public static void TheStrongestOfSeveral()
    {
        const string Md5 = "Digest realm=\"m\", nonce=\"1\", algorithm=MD5";
        const string Sha = "Digest realm=\"s\", nonce=\"2\", algorithm=SHA-256";
        const string Other = "Digest realm=\"o\", nonce=\"3\", algorithm=SHA-512-256";
        foreach (string[] values in new string[][] { [Md5, Sha], [Sha + ", " + Md5], [$"Basic realm=\"b, Digest\", {Md5} ,, {Other}, Negotiate abc==, {Sha}"], ["Negotiate", Other, Sha] })
        {
            Assert.Equal("s", Good(values).Realm);
        }
        Assert.Equal("m", Good("NTLM, dIGEST  Realm = m ,NONCE=1, stale=TRUE", Md5).Realm);
        Assert.True(Good(Plain + ",stale=TRUE").IsStale && !Good(Plain + ",stale=no").IsStale, "stale");
        foreach (string none in new[] { "", "Basic realm=\"x\"", "Basic realm", "\u0001" })
        {
            None(false, none);
        }
    }

    [Test]
    public static void ChallengesThatCannotBeUsed()
    {
        foreach (string value in new[]
        {
            "Digest", "Digest realm=\"r\"", "Digest nonce=\"n\"", "Digest realm=\"r\", nonce=\"\"", Plain + ", nonce=\"m\"", Plain + ", algorithm=SHA-512-256", Plain + ", algorithm=\"\"",
            Plain + ", qop=\"auth-int\"", Plain + ", qop=\"\"", Plain + ", algorithm=MD5-sess", "Digest realm=\"r\", nonce=\"a\tb\"", "Digest realm=\"r\", nonce=\"\u00e4\"",
            "Digest realm=\"\u00e4\", nonce=\"n\"", Plain + ", opaque=\"\u00e4\"", Plain + " x", Plain + ", opaque=\"", Plain + ", opaque=\"\\", Plain + ", =x", Plain + ", opaque=", "Digest abc==",
        })
        {
            None(true, value);
        }
        string most = new('x', 1024);
        Assert.Equal(most, Good("Digest realm=r, nonce=" + most).Nonce);
        foreach (string name in new[] { "realm", "nonce", "opaque" })
        {
            None(true, $"Digest {name}=x{most}{(name == "realm" ? "" : ", realm=r")}{(name == "nonce" ? "" : ", nonce=n")}");
        }
        None(true, Plain, new string(',', 8192));
        None(false, new string('a', 8193));
        None(true, string.Concat(Enumerable.Repeat("Digest ", 1170)));
    }

    [Test]
    public static void RequestsAreCounted()
    {
        var digest = new DigestAuthentication("me", "pw", () => "c");
        (DigestAuthentication.Attempt first, DigestAuthentication.Attempt second) = (Attempt(digest), Attempt(digest));
        Assert.True(first.Value("POST", "/") is null && second.Value("POST", "/") is null, "nothing is known");
        Assert.True(first.IsAgain([Plain + ", qop=auth"], out _), "asked");
        Assert.Contains("nc=00000001", first.Value("POST", "/")!);
        // The same nonce again, for a request that was begun before.
        Assert.True(second.IsAgain([Plain + ", qop=auth"], out _), "asked");
        Assert.Contains("nc=00000002", second.Value("POST", "/")!);
        Assert.Contains("nc=00000003", Attempt(digest).Value("POST", "/")!);
    }

    // HTTP-51
    [Test]
    public static void Refusals()
    {
        var digest = new DigestAuthentication("me", "pw");
        bool IsAgain(DigestAuthentication.Attempt call, string rest) => call.IsAgain(["Digest realm=r, nonce=" + rest], out _);
        DigestAuthentication.Attempt Begun(bool isKnown)
        {
            DigestAuthentication.Attempt call = Attempt(digest);
            Assert.Equal(isKnown, call.Value("POST", "/") is not null);
            return call;
        }
        DigestAuthentication.Attempt call = Begun(false);
        Assert.True(IsAgain(call, "1"), "asked");
        call.Value("POST", "/");
        Assert.True(!IsAgain(call, "2"), "the password is wrong");
        call = Begun(false);
        Assert.True(IsAgain(call, "3"), "asked");
        call.Value("POST", "/");
        Assert.True(IsAgain(call, "4, stale=true"), "stale");
        call.Value("POST", "/");
        Assert.True(!IsAgain(call, "5, stale=true"), "stale twice");
        call = Begun(false);
        Assert.True(IsAgain(call, "6"), "asked");
        call = Begun(true);
        Assert.True(IsAgain(call, "7"), "the kept one is too old");
        call.Value("POST", "/");
        Assert.True(!IsAgain(call, "8, stale=true"), "refused twice");
        Begun(false);
    }

    private static byte[] Asked(string more, string headers = "") =>
        FakeHttp.Answer(401, "text/plain", "no", $"WWW-Authenticate: Basic realm=\"b\", Digest realm=\"lab\", algorithm=SHA-256, qop=\"auth\", {more}\r\n{headers}");

    private static string Parameter(string line, string name)
    {
        Match found = Regex.Match(line, $"[ ,]{name}=\"?([^\",]*)");
        Assert.True(found.Success, line);
        return found.Groups[1].Value;
    }

    private static string Sha256(string text) => Convert.ToHexString(SHA256.HashData(Encoding.UTF8.GetBytes(text))).ToLowerInvariant();

    // Checks the digest of a request.
    private static void Check(string head, string nonce, int count)
    {
        string line = head.Split("\r\n").FirstOrDefault(static one => one.StartsWith("Authorization: Digest ", StringComparison.Ordinal)) ?? throw new InvalidOperationException(head);
        Assert.Equal($"{nonce} 0000000{count} {head.Split(' ')[1]}", $"{Parameter(line, "nonce")} {Parameter(line, "nc")} {Parameter(line, "uri")}");
        string due = $"{Sha256("me:lab:hunter2")}:{nonce}:0000000{count}:{Parameter(line, "cnonce")}:auth:{Sha256("POST:" + Parameter(line, "uri"))}";
        Assert.Equal(Sha256(due), Parameter(line, "response"));
    }

    private static async Task<ValueArray<byte>> Call(Binding client, bool waiting) => await new CallTests.Caller(client, waiting).Call(SoapTests.Echo, (null, new byte[] { 1 }));

    private static Task<CreoException> Fails(ErrorCode code, Binding client, bool waiting, CallOptions? options = null) =>
        new CallTests.Caller(client, waiting).Fails(code, SoapTests.Echo, (null, new byte[] { 1 }), options);

    [Test]
    public static async Task TheRequestIsSentAgainAndLaterOnesHaveCredentialsAtOnce()
    {
        foreach (bool waiting in new[] { true, false })
        {
            var shown = new List<RawMessage>();
            using var own = new SessionTests.Replies().With(Asked("nonce=\"a\"", "Set-Cookie: c=d\r\n"), Right, Right, Asked("nonce=\"b\", stale=true"), Right);
            using var client = new JsonBinding(own.Server.Url, Options with { Cookies = true, RawMessages = shown.Add });
            for (int i = 0; i < 3; i++)
            {
                Assert.Equal([0, 1], await Call(client, waiting));
            }
            Assert.True(!own.Heads[0].Contains("Authorization") && own.Heads[1].Contains("\r\nCookie: c=d\r\n"), own.Heads[1]);
            Check(own.Heads[1], "a", 1);
            Check(own.Heads[2], "a", 2);
            Check(own.Heads[3], "a", 3);
            Check(own.Heads[4], "b", 1);
            Assert.Equal(1, own.Server.Connections, "connections");
            Assert.Equal("0 401 0 200 0 200 0 401 0 200", string.Join(" ", shown.Select(static m => m.Status)));
            Assert.True(shown.SelectMany(static m => m.Headers).All(static h => h.Key != "Authorization" || h.Value == "***"), "secrets are hidden");
        }
    }

    // HTTP-50
    [Test]
    public static async Task ARealmGoesBackInItsBytes()
    {
        string challenge = Latin1("Digest realm=\"\u00fc\u20ac\", nonce=n");
        foreach (bool waiting in new[] { true, false })
        {
            using var own = new SessionTests.Replies().With(FakeHttp.Answer(401, "text/plain", "no", $"WWW-Authenticate: {challenge}\r\n"), Right);
            using var client = new JsonBinding(own.Server.Url, Options);
            Assert.Equal([0, 1], await Call(client, waiting));
            Assert.Contains(Latin1("username=\"me\", realm=\"\u00fc\u20ac\", "), own.Heads[1]);
        }
    }

    [Test]
    public static async Task ARefusalIsTheAnswer()
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var own = new SessionTests.Replies().With(Asked("nonce=\"a\""), Asked("nonce=\"b\""), Asked("nonce=\"c\""), Right);
            using var client = new JsonBinding(own.Server.Url, Options);
            CreoException error = await Fails(ErrorCode.Unauthenticated, client, waiting);
            Assert.True(error.Message.Contains("Digest realm=") && !error.Message.Contains("not possible") && !error.ToString().Contains("hunter2"), error.ToString());
            Assert.Equal(2, own.Heads.Count);
            Assert.Equal([0, 1], await Call(client, waiting));
            Assert.True(!own.Heads[2].Contains("Authorization"), own.Heads[2]);
            Check(own.Heads[3], "c", 1);
            using var strange = new SessionTests.Replies().With(FakeHttp.Answer(401, "text/plain", "no", "WWW-Authenticate: Digest realm=r, nonce=n, qop=auth-int\r\n"));
            using var other = new JsonBinding(strange.Server.Url, Options);
            Assert.Contains("digest authentication is not possible, since it does not offer qop=auth", (await Fails(ErrorCode.Unauthenticated, other, waiting)).Message);
        }
    }

    // HTTP-42, HTTP-48
    [Test]
    public static async Task CredentialsStayAtTheirOrigin()
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var other = new SessionTests.Replies().With(Asked("nonce=\"b\""));
            using var own = new SessionTests.Replies().With(Asked("nonce=\"a\""), FakeHttp.Answer(307, "text/plain", "", $"Location: http://{other.Host}/y\r\n"));
            using var client = new JsonBinding(own.Server.Url, Options with { MaxRedirects = 1 });
            await Fails(ErrorCode.Unauthenticated, client, waiting);
            Check(own.Heads[1], "a", 1);
            Assert.True(other.Heads.Count == 1 && !other.Heads[0].Contains("Authorization"), other.Heads[0]);
        }
    }

    [Test]
    public static async Task TheProgramDoesNotSetWhatTheOptionSets()
    {
        using var own = new SessionTests.Replies();
        using var client = new JsonBinding(own.Server.Url, Options);
        foreach (bool waiting in new[] { true, false })
        {
            await Fails(ErrorCode.InvalidValue, client, waiting, new CallOptions { Headers = new Dictionary<string, string> { ["authorization"] = "x" } });
            await Fails(ErrorCode.InvalidValue, client, waiting, new CallOptions { Metadata = new Dictionary<string, string> { ["authorization"] = "x" } });
        }
        Assert.Equal(0, own.Server.Connections, "connections");
        new JsonBinding("http://example.com/", Options).Dispose();
        foreach (ClientOptions options in new[] { Options with { BearerToken = "x" }, Options with { Basic = new BasicCredentials("me", "x") } })
        {
            Assert.Throws<ArgumentException>(() => new JsonBinding("https://example.com/", options));
        }
        foreach ((string user, string password) in new[] { ("a:b", "c"), ("a", "b\r\nc"), (new string('a', 1025), "") })
        {
            Assert.Throws<ArgumentException>(() => new DigestCredentials(user, password));
        }
        Assert.True(Options.ToString().Contains("Digest = DigestCredentials,") && !Options.ToString().Contains("hunter2"), Options.ToString());
    }

    [Test]
    public static async Task StreamsAreSentAgainUnlessTheySendItems()
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
            Action<Session> asks = Script(static session => session.Send(Asked("nonce=\"a\"")));
            Action<Session> gives = Script(static session => session.SendLines("{\"item\":0}\n{\"end\":true}\n"));
            Action<Session> refuses = session =>
            {
                heads.Add(session.ReadHead());
                session.ReadBody();
                session.Send(Asked("nonce=\"b\""));
                session.AwaitClosed();
            };
            using var server = new FakeServer(asks, gives, refuses, gives);
            using var client = new JsonBinding($"http://127.0.0.1:{server.Port}/x", Options);
            var caller = new Streamer(client, waiting);
            Assert.Equal(1, (await caller.Read(LineMethods.Count, 9)).Count);
            CreoException error = await caller.Fails(ErrorCode.Unauthenticated, () => caller.Send(LineMethods.Sum, [1L]));
            Assert.Contains("since items of a stream are not sent twice; the next call has credentials", error.Message);
            Assert.Equal(1, (await caller.Read(LineMethods.Count, 9)).Count);
            server.Join();
            Assert.True(!heads[0].Contains("Authorization"), heads[0]);
            Check(heads[1], "a", 1);
            Check(heads[2], "a", 2);
            Check(heads[3], "b", 1);
        }
    }
}
