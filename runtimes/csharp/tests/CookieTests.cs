using System;
using System.Linq;
using System.Threading.Tasks;
using Creo.Http;

namespace Creo.Tests;

/// <summary>The cookies of a client (HTTP-43 to HTTP-45). The cases of <c>conformance/</c> show more of them.</summary>
public static class CookieTests
{
    private sealed class Clock : TimeProvider
    {
        public DateTimeOffset Now { get; set; } = new(2026, 11, 29, 12, 0, 0, TimeSpan.Zero);

        public override DateTimeOffset GetUtcNow() => Now;
    }

    // What goes with a request after these fields.
    private static string? Sent(string host, bool isSecure, string path, params string[] fields)
    {
        var jar = new CookieJar(host, isSecure, new Clock());
        foreach (string field in fields)
        {
            jar.Take("/a/b", field);
        }
        return jar.Header(path);
    }

    private static string? Sent(params string[] fields) => Sent("service.example.org", true, "/a/c", fields);

    [Test]
    public static void FieldsAreReadAsTheRfcSays()
    {
        foreach ((string field, string? sent) in new[]
        {
            ("a=b", "a=b"), (" \ta \t= \tb\t ", "a=b"), ("a=", "a="), ("a==b=c", "a==b=c"), ("a=\"b, c\"", "a=\"b, c\""), ("a b=c d", "a b=c d"), ("a=b;", "a=b"),
            ("a=b; ; =; ;;", "a=b"), ("a=b; HttpOnly; SameSite=None; Partitioned; Priority=High; x=y", "a=b"), ("a=b; SECURE", "a=b"), ("a=b; secure=no", "a=b"),
            ("", null), (";", null), ("=", null), ("=a", null), (" =a", null), ("a", null), ("; a=b", null), ("a\u00e9=b", null), ("a=\u00e9", null), ("a=b\u007f", null),
            ("a=b\tc", null), ("a=b\0", null), ("a=b\r\nX: y", null), ("a=b; Path=/a\u00e9", null), ("a=b; Path=/a/\t/", null),
        })
        {
            Assert.Equal(sent, Sent(field), $"<{field}>");
        }
    }

    [Test]
    public static void DomainsAreThoseOfTheHost()
    {
        foreach ((string host, string domain, bool isSent) in new[]
        {
            ("service.example.org", "service.example.org", true), ("service.example.org", ".SERVICE.example.ORG", true), ("service.example.org", "example.org", true),
            ("service.example.org", ".org", true), ("service.example.org", "", true), ("service.example.org", ".", true), ("service.example.org", "..", false),
            ("service.example.org", "ervice.example.org", false), ("service.example.org", "x.service.example.org", false), ("service.example.org", "example.com", false),
            ("service.example.org", "..example.org", false), ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "0.0.1", false), ("127.0.0.1", "1", false), ("::1", "::1", true),
            ("::1", ":1", false), ("::ffff:1.2.3.4", "3.4", false),
        })
        {
            Assert.Equal(isSent, Sent(host, false, "/a/c", $"a=b; Domain={domain}") is not null, $"{domain} at {host}");
        }
        Assert.Equal("c=d", Sent("service.example.org", false, "/a/c", "a=b; Domain=example.com; Domain=other.com", "c=d; Domain=example.com; Domain=example.org"));
    }

    [Test]
    public static void SecureNeedsTls()
    {
        Assert.Equal("a=b", Sent("x", true, "/a", "a=b; Secure"));
        Assert.Equal(null, Sent("x", false, "/a", "a=b; Secure"));
        // A cookie that was set before stays.
        Assert.Equal("a=b", Sent("x", false, "/a/", "a=b", "a=c; Secure", "a=; Secure; Max-Age=0"));
    }

    [Test]
    public static void PathsChooseTheRequests()
    {
        foreach ((string attribute, string path, bool isSent) in new[]
        {
            ("", "/a", true), ("", "/a/", true), ("", "/a/b/c", true), ("", "/", false), ("", "/ab", false), ("; Path=/", "/", true), ("; Path=/", "/x", true), ("; Path", "/a", true),
            ("; Path=x", "/a", true), ("; Path=x", "/", false), ("; Path=/x", "/x", true), ("; Path=/x", "/x/y", true), ("; Path=/x", "/xy", false), ("; Path=/x/", "/x", false),
            ("; Path=/x/", "/x/y", true), ("; Path=/x; Path=/y", "/x", false), ("; Path=/x; Path=/y", "/y", true), ("; Path=/%78", "/x", false), ("; Path=/X", "/x", false),
        })
        {
            Assert.Equal(isSent, Sent("x", false, path, "a=b" + attribute) is not null, $"<{attribute}> at {path}");
        }
        Assert.Equal("c=1; b=3; a=2; d=1", Sent("x", false, "/a/c", "d=1; Path=/", "c=1; Path=/a/c", "b=1; Path=/a", "a=2; Path=/a", "b=3"));
    }

    [Test]
    public static void CookiesExpire()
    {
        var clock = new Clock();
        var jar = new CookieJar("x", false, clock);
        foreach (string field in new[]
        {
            "a=1; Max-Age=10", "b=1; Expires=Sun, 29 Nov 2026 12:00:20 GMT", "c=1; Max-Age=30; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "d=1", "e=1; Max-Age=99999999999",
            "f=1; Max-Age=0", "g=1; Max-Age=-5", "h=1; Max-Age=-0", "i=1; Expires=Sun, 29 Nov 2026 12:00:00 GMT", "j=1; Max-Age=5x", "k=1; Max-Age=+5", "l=1; Max-Age", "m=1; Max-Age=-",
            "n=1; Max-Age=10; Max-Age=x", "o=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Expires=never",
        })
        {
            jar.Take("/", field);
        }
        Assert.Equal("a=1; b=1; c=1; d=1; e=1; j=1; k=1; l=1; m=1; n=1", jar.Header("/"));
        clock.Now += TimeSpan.FromSeconds(10);
        Assert.Equal("b=1; c=1; d=1; e=1; j=1; k=1; l=1; m=1", jar.Header("/"));
        clock.Now += TimeSpan.FromSeconds(20);
        Assert.Equal("d=1; e=1; j=1; k=1; l=1; m=1", jar.Header("/"));
        jar.Take("/", "d=; Max-Age=0");
        jar.Take("/", "j=; Max-Age=0; Path=/other");
        Assert.Equal("e=1; j=1; k=1; l=1; m=1", jar.Header("/"));
        clock.Now += TimeSpan.FromSeconds(999_999_969);
        Assert.Equal("j=1; k=1; l=1; m=1", jar.Header("/"));
    }

    [Test]
    public static void DatesAreReadAsTheRfcSays()
    {
        foreach ((string text, string? read) in new[]
        {
            ("Wed, 09 Jun 2021 10:18:14 GMT", "2021-06-09T10:18:14"), ("Wed, 09-Jun-2021 10:18:14 GMT", "2021-06-09T10:18:14"), ("Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37"),
            ("Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37"), ("1:2:3 4 DECEMBER 69", "2069-12-04T01:02:03"), ("1:2:3 4 dec 70", "1970-12-04T01:02:03"),
            ("2024 feb 29 0:0:0x", "2024-02-29T00:00:00"), ("9x jan 2000y 1:1:1", "2000-01-09T01:01:01"), ("1 jan 1601 0:0:0", "1601-01-01T00:00:00"),
            ("31 dec 9999 23:59:59", "9999-12-31T23:59:59"), ("1 jan 1600 0:0:0", null), ("29 feb 2023 0:0:0", null), ("0 jan 2000 0:0:0", null), ("32 jan 2000 0:0:0", null),
            ("1 jan 2000 24:0:0", null), ("1 jan 2000 0:60:0", null), ("1 jan 2000 0:0:60", null), ("1 jan 2000", null), ("1 2000 0:0:0", null), ("jan 2000 0:0:0", null),
            ("1 jan 0:0:0", null), ("1 jan 20000 0:0:0", null), ("1 jan 2 0:0:0", null), ("001 jan 2000 0:0:0", null), ("1 ja 2000 0:0:0", null), ("1 xjan 2000 0:0:0", null), ("", null),
            ("1 jan 2000 0:0", null), ("1 jan 2000 0:0:", null), ("1 jan 2000 000:0:0", null), (":::", null), ("\u0661 jan 2000 0:0:0", null),
        })
        {
            string? shown = CookieDate.Read(text) is { } seconds ? DateTimeOffset.FromUnixTimeSeconds(seconds).ToString("yyyy-MM-ddTHH:mm:ss", null) : null;
            Assert.Equal(read, shown, $"<{text}>");
        }
        // No text makes it fail.
        var random = new Random(1);
        string[] words = ["1", "31", "99", "2024", "99999", "jan", "FEB", "x", "12:30:59", "99:99:99", ":", "-", ",", " ", "\t", "\0", "\u00e9", "/", ";"];
        for (int i = 0; i < 5000; i++)
        {
            CookieDate.Read(string.Concat(Enumerable.Range(0, random.Next(12)).Select(_ => words[random.Next(words.Length)])));
        }
    }

    [Test]
    public static void ThereIsRoomForFiftyCookiesOf16384Bytes()
    {
        var clock = new Clock();
        var jar = new CookieJar("x", false, clock);
        jar.Take("/", "gone=1; Max-Age=5");
        for (int i = 0; i < 49; i++)
        {
            jar.Take("/", $"c{i}=x");
        }
        jar.Take("/", "c0=y");
        Assert.Equal(50, Count(jar), "cookies");
        clock.Now += TimeSpan.FromSeconds(5);
        // The expired one makes room, and then the one that was set first: a new value is no new turn.
        jar.Take("/", "new=1");
        Assert.True(jar.Header("/")!.StartsWith("c0=y; c1=x; ", StringComparison.Ordinal), "none is gone");
        jar.Take("/", "newer=1");
        Assert.True(jar.Header("/")!.StartsWith("c1=x; ", StringComparison.Ordinal), "the first one is gone");
        Assert.Equal(50, Count(jar), "cookies");
        // Names, values and paths count: 4,096 bytes of one, and 16,384 of all.
        string most = new('x', 4094);
        Assert.Equal("a=" + most, Sent("x", false, "/", $"a={most}; Path=/"));
        Assert.Equal(null, Sent("x", false, "/", $"a={most}x; Path=/"));
        Assert.Equal("b=; c=; d=; e=", Sent("x", false, "/", [.. "abcde".Select(c => $"{c}={most}; Path=/")])!.Replace("x", ""));
        Assert.Equal("a=; b=; c=; d=", Sent("x", false, "/", [.. "abcd".Select(c => $"{c}={most}; Path=/")])!.Replace("x", ""));
    }

    [Test]
    public static void LongFieldsAreRead()
    {
        string[] fields = ["b=1", new(';', 200_000), new('=', 200_000), "a=" + new string('x', 200_000), "c=2" + string.Concat(Enumerable.Repeat(";=", 100_000)), "d=1;Max-Age=" + new string('9', 200_000)];
        Assert.Equal("b=1; c=2; d=1", Sent(fields));
    }

    [Test]
    public static void CallsAtOnceShareThem()
    {
        var jar = new CookieJar("x", false, TimeProvider.System);
        Parallel.For(0, 5000, i =>
        {
            jar.Take("/", $"c{i % 70}={i}; Max-Age={i % 3}");
            jar.Header("/");
        });
        Assert.True(Count(jar) <= 50, "cookies");
    }

    private static int Count(CookieJar jar) => jar.Header("/")?.Split("; ").Length ?? 0;
}
