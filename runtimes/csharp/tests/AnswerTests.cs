using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Creo.Tests;

/// <summary>What comes with answers: metadata, and the status and the header fields of HTTP (CALL-1 to CALL-5).</summary>
public static class AnswerTests
{
    private const byte More = 1;
    private const byte Flag = 4;

    private static readonly byte[] Pair = [1, 1, (byte)'a', 1, (byte)'b'];

    /// <summary>Runs the same test in both forms, with a connection each.</summary>
    internal static async Task Both(Action<Session> script, Func<CallTests.Caller, Task> test, ClientOptions? options = null)
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var server = new FakeServer(script);
            using TcpBinding client = server.Client(options);
            await test(new CallTests.Caller(client, waiting));
            client.Dispose();
        }
    }

    internal static byte[] Metadata(params (string Key, string Value)[] pairs)
    {
        using var writer = new Writer();
        writer.WriteCount(pairs.Length);
        foreach ((string key, string value) in pairs)
        {
            writer.WriteString(key);
            writer.WriteString(value);
        }
        return writer.Written.ToArray();
    }

    private static void Answer(Session session, byte kind, byte flags, params byte[] body) => session.SendFrame(kind, flags, session.ReadFrame().Call, body);

    private static CallOptions Keeping(List<Answer> answers) => new() { OnAnswer = answers.Add };

    private static string Shown(IEnumerable<KeyValuePair<string, string>> pairs) => string.Join(" ", pairs.Select(pair => $"{pair.Key}={pair.Value}"));

    // Whatever the answer is, and with control characters in values, which are data.
    [Test]
    public static Task EachAnswerHasItsMetadata() => Both(
        session =>
        {
            session.Greet();
            Answer(session, 2, Flag, [.. Metadata(("a", "\u00e9\r\n\0"), ("creo-x", "")), 1, 7]);
            Answer(session, 3, Flag, [.. Pair, 0, 2, .. "no"u8]);
            Answer(session, 4, Flag, [.. Pair, 10, 1, (byte)'x', 0]);
            Answer(session, 2, 0, 1, 7);
            Answer(session, 2, Flag, 0, 1, 7);
            uint call = session.ReadFrame().Call;
            session.SendFrame(2, Flag | More, call, [.. Pair, 3, 1]);
            session.SendFrame(5, 0, call, 2, 3);
            Answer(session, 2, Flag, [.. Pair, 1, 9]);
            session.ReadToEnd();
        },
        async caller =>
        {
            var answers = new List<Answer>();
            Assert.Equal([7], await caller.Call(SampleMethods.Echo, [], Keeping(answers)));
            await Assert.ThrowsAsync<NotFoundException>(() => caller.Call(SampleMethods.Find, "x", Keeping(answers)));
            await caller.Fails(ErrorCode.PermissionDenied, SampleMethods.Echo, [], Keeping(answers));
            Assert.Equal([7], await caller.Call(SampleMethods.Echo, [], Keeping(answers)));
            Assert.Equal([7], await caller.Call(SampleMethods.Echo, [], Keeping(answers)));
            Assert.Equal([1, 2, 3], await caller.Call(SampleMethods.Echo, [], Keeping(answers)));
            // Nobody wants to know them.
            Assert.Equal([9], await caller.Call(SampleMethods.Echo, []));
            Assert.Equal("a=\u00e9\r\n\0 creo-x=|a=b|a=b|||a=b", string.Join("|", answers.Select(answer => Shown(answer.Metadata))));
            Assert.True(answers.All(answer => answer.Status == 0 && answer.Headers.Count == 0 && answer.Header("a") is null), "no HTTP");
        });

    // The connection stays; no answer is reported whose metadata are broken.
    [Test]
    public static Task BrokenMetadataEndTheCall() => Both(
        session =>
        {
            session.Greet();
            Answer(session, 2, Flag);
            uint call = session.ReadFrame().Call;
            // Not all of them are in the first frame (TCP-23).
            session.SendFrame(2, Flag | More, call, 1, 1, (byte)'a');
            session.SendFrame(5, 0, call, 1, (byte)'b', 0);
            Answer(session, 2, Flag, [.. Metadata(("k\u0007", "")), 0]);
            Answer(session, 2, Flag, [.. Metadata([.. Enumerable.Range(0, 65).Select(i => ($"k{i}", ""))]), 0]);
            // A size that is claimed, and has not come.
            Answer(session, 2, Flag, [1, 1, (byte)'a', 0xff, 0xff, 0xff, 0x7f]);
            Answer(session, 2, Flag, [.. Metadata(("a", new string('v', 16_380))), 0]);
            Answer(session, 2, Flag, [.. Metadata(("a", new string('v', 16_378))), 0]);
            session.ReadToEnd();
        },
        async caller =>
        {
            var answers = new List<Answer>();
            foreach (string text in new[] { "", "", "\\u0007" })
            {
                CreoException error = await caller.Fails(ErrorCode.Malformed, SampleMethods.Echo, [], Keeping(answers));
                Assert.Contains("the metadata of the answer", error.Message);
                Assert.Contains(text, error.Message);
                Assert.True(error.Details["peer"].StartsWith("127.0.0.1", StringComparison.Ordinal) && !error.FromPeer, "found here");
            }
            for (int i = 0; i < 3; i++)
            {
                CreoException error = await caller.Fails(ErrorCode.TooLarge, SampleMethods.Echo, []);
                Assert.Equal("maxMetadataSize 16384", $"{error.Details["limit"]} {error.Details["allowed"]}");
            }
            Assert.Equal(0, answers.Count);
            Assert.Equal(0, (await caller.Call(SampleMethods.Echo, [], Keeping(answers))).Count);
            Assert.Equal(16_378, answers[0].Metadata["a"].Length);
        });

    // TCP-7: what comes before the body is not of the body.
    [Test]
    public static Task MetadataAreNotOfTheBody() => Both(
        session =>
        {
            session.Greet();
            Answer(session, 2, Flag, [.. Pair, 99, .. new byte[99]]);
            Answer(session, 2, Flag, [.. Pair, 100, .. new byte[100]]);
            Answer(session, 2, 0, [100, .. new byte[100]]);
            session.ReadToEnd();
        },
        async caller =>
        {
            Assert.Equal(99, (await caller.Call(SampleMethods.Echo, [])).Count);
            await caller.Fails(ErrorCode.TooLarge, SampleMethods.Echo, []);
            await caller.Fails(ErrorCode.TooLarge, SampleMethods.Echo, []);
        },
        new ClientOptions { Limits = new Limits { MaxMessageSize = 100 } });

    // Many at once on one connection, answered in another order.
    [Test]
    public static async Task EachCallGetsItsOwn()
    {
        const int count = 50;
        using var server = new FakeServer(session =>
        {
            session.Greet();
            Frame[] frames = [.. Enumerable.Range(0, count).Select(_ => session.ReadFrame())];
            foreach (Frame frame in frames.Reverse())
            {
                session.SendFrame(2, Flag, frame.Call, [.. Metadata(("n", frame.Body[1].ToString(null, null))), .. frame.Body]);
            }
            session.ReadToEnd();
        });
        using TcpBinding client = server.Client();
        string?[] seen = new string?[count];
        await Task.WhenAll(Enumerable.Range(0, count).Select(async i =>
            await client.CallAsync(SampleMethods.Echo, [(byte)i], new CallOptions { OnAnswer = answer => seen[i] = answer.Metadata["n"] })));
        for (int i = 0; i < count; i++)
        {
            Assert.Equal(i.ToString(null, null), seen[i]);
        }
        client.Dispose();
    }

    // What a program throws there is its own failure, and the connection is as good as before.
    [Test]
    public static Task AFailureOfTheProgramEndsTheCall() => Both(
        session =>
        {
            session.Greet();
            Answer(session, 2, Flag, [.. Pair, 0]);
            Answer(session, 2, 0, 1, 5);
            session.ReadToEnd();
        },
        async caller =>
        {
            var failing = new CallOptions { OnAnswer = _ => throw new InvalidDataException("mine") };
            Assert.Equal("mine", (await Assert.ThrowsAsync<InvalidDataException>(() => caller.Call(SampleMethods.Echo, [], failing))).Message);
            Assert.Equal([5], await caller.Call(SampleMethods.Echo, []));
        });

    [Test]
    public static async Task AnswersOfHttpHaveStatusAndHeaders()
    {
        const string fields = "X-B: 1\r\nCreo-Meta-A.b: %C3%A9%0A\r\nSet-Cookie: c=1\r\nx-b: 2\r\nSet-Cookie: d=2\r\ncreo-meta-empty:\r\n";
        byte[][] answers =
        [
            FakeHttp.Answer(200, "application/json", "\"AAE=\"", fields),
            FakeHttp.Answer(502, "text/html", "<p>no</p>", "X-B: 1\r\n"),
            FakeHttp.Answer(500, "application/problem+json", "{\"type\":\"urn:creo:error:internal\",\"detail\":\"d\"}", "Creo-Meta-a: b\r\n"),
            FakeHttp.Answer(200, "application/json", "\"AAE=\""),
        ];
        int next = 0;
        using var server = new FakeHttp(_ => answers[next++ / 2]);
        using var client = new JsonBinding(server.Url);
        foreach (ErrorCode? code in new ErrorCode?[] { null, ErrorCode.Unavailable, ErrorCode.Internal, null })
        {
            foreach (bool waiting in new[] { true, false })
            {
                var caller = new CallTests.Caller(client, waiting);
                var seen = new List<Answer>();
                Func<Task> call = () => caller.Call(SoapTests.Echo, (null, new byte[] { 1 }), Keeping(seen));
                if (code is null)
                {
                    await call();
                }
                else
                {
                    Assert.Equal(code.Value, (await Assert.ThrowsAsync<CreoException>(call)).Code);
                }
                Answer answer = seen.Single();
                switch (next / 2)
                {
                    case 0 or 1 when answer.Status == 200:
                        Assert.Equal("a.b=\u00e9\n empty=", Shown(answer.Metadata));
                        Assert.Equal("1 1 c=1", $"{answer.Header("x-b")} {answer.Header("X-B")} {answer.Header("set-cookie")}");
                        string[] names = [.. answer.Headers.Select(header => header.Key)];
                        Assert.Equal("content-length content-type creo-meta-a.b creo-meta-empty set-cookie set-cookie x-b x-b", string.Join(" ", names.Order()));
                        Assert.Equal("1 2", string.Join(" ", answer.Headers.Where(header => header.Key == "x-b").Select(header => header.Value)));
                        break;
                    case 1 or 2 when answer.Status == 502:
                        Assert.Equal("1", answer.Header("X-B"));
                        break;
                    case 2 or 3 when answer.Status == 500:
                        Assert.Equal("a=b", Shown(answer.Metadata));
                        break;
                    default:
                        Assert.Equal("200 0", $"{answer.Status} {answer.Metadata.Count}");
                        break;
                }
            }
        }
        Assert.Equal(1, server.Connections, "connections");
    }

    // And the connection stays.
    [Test]
    public static void BrokenMetadataOfHttpEndTheCall()
    {
        string[] wrong = ["Creo-Meta-a_b: c", "Creo-Meta-: c", "Creo-Meta-a: %zz", "Creo-Meta-a: %4", "Creo-Meta-a: %FF", "Creo-Meta-a: \u00e9", "Creo-Meta-a: b\r\nCREO-META-A: c"];
        int next = 0;
        using var server = new FakeHttp(_ => FakeHttp.Answer(200, "application/json", "\"AAE=\"", next < wrong.Length ? wrong[next++] + "\r\n" : ""));
        using var client = new JsonBinding(server.Url);
        foreach (string _ in wrong)
        {
            CreoException error = Assert.Fails(ErrorCode.Malformed, () => client.Call(SoapTests.Echo, (null, new byte[] { 1 })));
            Assert.Contains("the metadata of the answer", error.Message);
        }
        Assert.Equal(2, client.Call(SoapTests.Echo, (null, new byte[] { 1 })).Count);
        var failing = new CallOptions { OnAnswer = _ => throw new IOException("mine") };
        Assert.Equal("mine", Assert.Throws<IOException>(() => client.Call(SoapTests.Echo, (null, new byte[] { 1 }), failing)).Message);
        Assert.Equal(2, client.Call(SoapTests.Echo, (null, new byte[] { 1 })).Count);
        Assert.Equal(1, server.Connections, "connections");
    }

    // JMS-4.
    [Test]
    public static Task MessagesHaveMetadata()
    {
        Dictionary<string, string> With(string kind, string name, string value) => new(JmsTests.Answering(kind)) { [name] = value };
        return JmsTests.Both(
            broker =>
            {
                broker.Greet();
                broker.Answer(broker.ReadMessage().CorrelationId, [0], With("response", "Creo_meta_a_2db_2ec", "%C3%A9%0A"));
                broker.Answer(broker.ReadMessage().CorrelationId, [10, 0, 0], With("error", "Creo_meta_traceparent", "00-a"));
                broker.Answer(broker.ReadMessage().CorrelationId, [0], JmsTests.Answering("response"));
                broker.Answer(broker.ReadMessage().CorrelationId, [0], With("response", "Creo_meta_a_b", "c"));
                broker.Answer(broker.ReadMessage().CorrelationId, [0], With("response", "Creo_meta_a", "%4"));
            },
            async caller =>
            {
                var answers = new List<Answer>();
                await caller.Call(SampleMethods.Echo, [], Keeping(answers));
                await caller.Fails(ErrorCode.PermissionDenied, SampleMethods.Echo, [], Keeping(answers));
                await caller.Call(SampleMethods.Echo, [], Keeping(answers));
                await caller.Fails(ErrorCode.Malformed, SampleMethods.Echo, [], Keeping(answers));
                await caller.Fails(ErrorCode.Malformed, SampleMethods.Echo, []);
                Assert.Equal("a-b.c=\u00e9\n|traceparent=00-a|", string.Join("|", answers.Select(answer => Shown(answer.Metadata))));
            });
    }
}
