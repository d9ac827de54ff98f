using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;

namespace Creo.Tests;

/// <summary>Interceptors of a client (CALL-10 to CALL-17).</summary>
public static class InterceptorTests
{
    /// <summary>Writes down what it is told. Calls begin and end on several threads at once.</summary>
    private sealed class Teller(string name, List<string> told, Action<OutgoingCall>? change = null, Action<Outcome>? onEnd = null) : IInterceptor
    {
        public List<Outcome> Outcomes { get; } = [];

        public Action<Outcome>? Begin(OutgoingCall call)
        {
            lock (told)
            {
                told.Add($"{name} begins {call.Interface}.{call.Method}");
            }
            change?.Invoke(call);
            return outcome =>
            {
                lock (told)
                {
                    told.Add($"{name} ends {outcome}");
                    Outcomes.Add(outcome);
                }
                onEnd?.Invoke(outcome);
            };
        }
    }

    private static ClientOptions With(params IInterceptor[] interceptors) => new() { Interceptors = interceptors };

    private static Action<OutgoingCall> Adding(string key) => call => call.Options = call.Options with
    {
        Metadata = new Dictionary<string, string>(call.Options.Metadata ?? new Dictionary<string, string>()) { [key] = "1" },
    };

    private static string Expected(string method, params string[] outcomes) => string.Join(
        "; ", outcomes.Select(outcome => $"a begins test.Sample.{method}; b begins test.Sample.{method}; b ends {outcome}; a ends {outcome}"));

    [Test]
    public static async Task BeginningsAndEndsHaveAnOrder()
    {
        foreach (bool waiting in new[] { true, false })
        {
            var told = new List<string>();
            var last = new Teller("b", told, Adding("second"));
            using var server = new FakeServer(session =>
            {
                session.Greet();
                byte[] expected = [.. AnswerTests.Metadata(("client", "0"), ("call", "0"), ("first", "1"), ("second", "1"))];
                foreach ((byte kind, byte[] body) in new (byte, byte[])[] { (2, [1, 7]), (3, [0, 2, .. "no"u8]), (4, [10, 0, 0]) })
                {
                    Frame frame = session.ReadFrame();
                    Assert.Bytes(Convert.ToHexString(expected).ToLowerInvariant(), frame.Rest.AsSpan(12, expected.Length));
                    session.SendFrame(kind, 4, frame.Call, [.. AnswerTests.Metadata(("k", "v")), .. body]);
                }
                session.ReadToEnd();
            });
            ClientOptions options = With(new Teller("a", told, Adding("first")), last) with { Metadata = new Dictionary<string, string> { ["client"] = "0" } };
            var own = new CallOptions { Metadata = new Dictionary<string, string> { ["call"] = "0" } };
            using TcpBinding client = server.Client(options);
            var caller = new CallTests.Caller(client, waiting);
            Assert.Equal([7], await caller.Call(SampleMethods.Echo, [], own));
            await Assert.ThrowsAsync<NotFoundException>(() => caller.Call(SampleMethods.Find, "x", own));
            await caller.Fails(ErrorCode.PermissionDenied, SampleMethods.Echo, [], own);
            client.Dispose();
            Assert.Equal(
                $"{Expected("echo", "result")}; {Expected("find", "NotFoundException")}; {Expected("echo", "permission-denied")}", string.Join("; ", told));
            Assert.Equal("True False False", string.Join(" ", last.Outcomes.Select(outcome => outcome.Failure is null)));
            Assert.True(last.Outcomes.All(o => o.Answer!.Metadata["k"] == "v" && o.Peer!.StartsWith("127.0.0.1:", StringComparison.Ordinal) && o.Elapsed > TimeSpan.Zero), "outcomes");
            Assert.True(last.Outcomes[1].Code is null && last.Outcomes[2].Code == ErrorCode.PermissionDenied, "codes");
        }
    }

    // CALL-12, CALL-14: nothing is sent, and those before are told.
    [Test]
    public static async Task ACallMayBeRefused()
    {
        foreach (bool waiting in new[] { true, false })
        {
            foreach ((Exception refusal, string shown) in new (Exception, string)[]
            {
                (new CreoException(ErrorCode.PermissionDenied, "no"), "permission-denied"), (new InvalidDataException("no"), "internal"),
            })
            {
                var told = new List<string>();
                using var listener = new TcpListener(IPAddress.Loopback, 0);
                listener.Start();
                using var client = new TcpBinding(
                    "127.0.0.1", ((IPEndPoint)listener.LocalEndpoint).Port, With(new Teller("a", told), new Teller("b", told, _ => throw refusal), new Teller("c", told)));
                var caller = new CallTests.Caller(client, waiting);
                Assert.True(ReferenceEquals(refusal, await Assert.ThrowsAsync<Exception>(() => caller.Call(SampleMethods.Echo, []))), "the refusal as it is");
                Assert.Equal($"a begins test.Sample.echo; b begins test.Sample.echo; a ends {shown}", string.Join("; ", told));
                Assert.True(!listener.Pending(), "no connection was opened");
            }
        }
    }

    // CALL-16: the end of the others is told, and the outcome is the same.
    [Test]
    public static async Task AFailureAtTheEndIsTraced()
    {
        var told = new List<string>();
        var log = new StringWriter();
        using var listener = new TextWriterTraceListener(log);
        Trace.Listeners.Add(listener);
        try
        {
            await AnswerTests.Both(
                session =>
                {
                    Frame frame = session.Greet().ReadFrame();
                    session.SendFrame(2, 0, frame.Call, 1, 7);
                    session.ReadToEnd();
                },
                async caller => Assert.Equal([7], await caller.Call(SampleMethods.Echo, [])),
                With(new Teller("a", told), new Teller("b", told, null, _ => throw new InvalidDataException("bad\u001b[31m\nend"))));
        }
        finally
        {
            Trace.Listeners.Remove(listener);
        }
        Assert.Equal(Expected("echo", "result", "result"), string.Join("; ", told));
        Assert.Contains("an interceptor failed at the end of test.Sample.echo: System.IO.InvalidDataException: bad\\u001b[31m\\u000aend", log.ToString());
    }

    // CALL-11: a deadline counts from the beginning, and the time of interceptors is of it.
    [Test]
    public static async Task TheDeadlineMayBeChanged()
    {
        foreach (bool waiting in new[] { true, false })
        {
            var told = new List<string>();
            var time = Stopwatch.StartNew();
            TimeSpan? seen = null;
            var last = new Teller("b", told);
            using var server = new FakeServer(session =>
            {
                Frame frame = session.Greet().ReadFrame();
                Assert.True(frame.Milliseconds <= 300, $"{frame.Milliseconds} ms");
                session.ReadToEnd();
            });
            var first = new Teller("a", told, call =>
            {
                seen = call.Options.Deadline;
                call.Options = call.Options with { Deadline = TimeSpan.FromMilliseconds(300) };
            });
            using TcpBinding client = server.Client(With(first, last));
            await new CallTests.Caller(client, waiting).Fails(ErrorCode.DeadlineExceeded, SampleMethods.Echo, []);
            client.Dispose();
            Assert.True(time.Elapsed < TimeSpan.FromSeconds(10), "the call took its own time");
            Assert.Equal(TimeSpan.FromSeconds(60), seen, "that of the client's limits is seen");
            Assert.Equal(Expected("echo", "deadline-exceeded"), string.Join("; ", told));
            Assert.True(last.Outcomes.Single() is { Answer: null, Peer: not null }, "a peer, and no answer");
        }
    }

    [Test]
    public static async Task InterceptorsMayTakeAllTheTime()
    {
        foreach (bool waiting in new[] { true, false })
        {
            var told = new List<string>();
            using var listener = new TcpListener(IPAddress.Loopback, 0);
            listener.Start();
            var slow = new Teller("b", told, _ => Thread.Sleep(20));
            using var client = new TcpBinding("127.0.0.1", ((IPEndPoint)listener.LocalEndpoint).Port, With(new Teller("a", told), slow));
            await new CallTests.Caller(client, waiting).Fails(ErrorCode.DeadlineExceeded, SampleMethods.Echo, [], CallOptions.Within(TimeSpan.FromMilliseconds(10)));
            Assert.Equal(Expected("echo", "deadline-exceeded"), string.Join("; ", told));
            Assert.True(!listener.Pending(), "nothing was sent");
        }
    }

    [Test]
    public static async Task ACancelledCallEndsOnce()
    {
        var told = new List<string>();
        var last = new Teller("b", told);
        using var cancelling = new CancellationTokenSource();
        using var server = new FakeServer(session =>
        {
            session.Greet().ReadFrame();
            _ = cancelling.CancelAsync();
            session.ReadToEnd();
        });
        using TcpBinding client = server.Client(With(new Teller("a", told), last));
        await Assert.ThrowsAsync<OperationCanceledException>(async () => await client.CallAsync(SampleMethods.Echo, [], null, cancelling.Token));
        client.Dispose();
        Assert.Equal(Expected("echo", "cancelled"), string.Join("; ", told));
        Assert.True(last.Outcomes.Single() is { Failure: OperationCanceledException, Answer: null }, "the outcome");
    }

    // CALL-15, CALL-17.
    [Test]
    public static async Task OnewayCallsAndOnesWithoutAPeer()
    {
        foreach (bool waiting in new[] { true, false })
        {
            var told = new List<string>();
            var last = new Teller("b", told);
            ClientOptions options = With(new Teller("a", told), last);
            using (var server = new FakeServer(session => session.Greet().ReadFrame()))
            {
                using TcpBinding client = server.Client(options);
                await new CallTests.Caller(client, waiting).Call(SampleMethods.Note, (1, 2L));
            }
            using var dead = new DeadPort();
            using var refused = new TcpBinding("127.0.0.1", dead.Number, options);
            await new CallTests.Caller(refused, waiting).Fails(ErrorCode.Unavailable, SampleMethods.Note, (1, 2L));
            Assert.Equal(Expected("note", "result", "unavailable"), string.Join("; ", told));
            Assert.Equal("True False", string.Join(" ", last.Outcomes.Select(outcome => outcome.Peer is not null)));
        }
    }

    // The one that is told everything can also leave something out.
    [Test]
    public static async Task OptionsOverHttpAreThoseOfClientAndCall()
    {
        var told = new List<string>();
        var last = new Teller("b", told);
        var first = new Teller("a", told, call =>
        {
            Assert.Equal("Bearer x", call.Options.Metadata!["authorization"]);
            Assert.Equal("X-Kept=1 x-own=2", string.Join(" ", call.Options.Headers!.Select(header => $"{header.Key}={header.Value}").Order()));
            call.Options = call.Options with { Metadata = null };
        });
        ClientOptions options = With(first, last) with
        {
            Metadata = new Dictionary<string, string> { ["authorization"] = "Bearer x" },
            Headers = new Dictionary<string, string> { ["X-Kept"] = "1", ["X-Own"] = "1" },
        };
        var own = new CallOptions { Headers = new Dictionary<string, string> { ["x-own"] = "2" } };
        using var server = new FakeHttp(_ => FakeHttp.Answer(200, "application/json", "\"AAE=\"", "X-Answered: echo\r\n"));
        using var client = new JsonBinding(server.Url, options);
        foreach (bool waiting in new[] { true, false })
        {
            await new CallTests.Caller(client, waiting).Call(SoapTests.Echo, (null, new byte[] { 1 }), own);
            string head = server.Heads[^1];
            Assert.Contains("X-Kept: 1\r\n", head);
            Assert.Contains("x-own: 2\r\n", head);
            Assert.True(!head.Contains("X-Own: 1") && !head.Contains("Bearer"), head);
        }
        Assert.True(last.Outcomes.All(outcome => outcome.Peer == server.Url && outcome.Answer is { Status: 200 } answer && answer.Header("x-answered") == "echo"), "outcomes");
        server.Dispose();
        using var refused = new JsonBinding(server.Url, With(last));
        Assert.Fails(ErrorCode.Unavailable, () => refused.Call(SoapTests.Echo, (null, new byte[] { 1 })));
        Assert.True(last.Outcomes[^1] is { Code: ErrorCode.Unavailable, Peer: null, Answer: null }, "nobody was reached");
    }

    [Test]
    public static async Task CallsByABrokerAreSeen()
    {
        var told = new List<string>();
        var last = new Teller("b", told);
        await JmsTests.Both(
            broker =>
            {
                broker.Greet();
                broker.Answer(broker.ReadMessage().CorrelationId, [0], new(JmsTests.Answering("response")) { ["Creo_meta_k"] = "v" });
            },
            async caller => await caller.Call(SampleMethods.Echo, []),
            options: With(new Teller("a", told), last));
        Assert.Equal(Expected("echo", "result", "result"), string.Join("; ", told));
        Assert.True(last.Outcomes.All(outcome => outcome.Answer!.Metadata["k"] == "v" && outcome.Peer!.StartsWith("127.0.0.1:", StringComparison.Ordinal)), "outcomes");
    }

    // Each has its own beginning, end and answer.
    [Test]
    public static async Task ManyCallsAtOnce()
    {
        const int count = 40;
        var told = new List<string>();
        var last = new Teller("b", told);
        using var server = new FakeServer(session =>
        {
            session.Greet();
            Frame[] frames = [.. Enumerable.Range(0, count).Select(_ => session.ReadFrame())];
            foreach (Frame frame in frames.Reverse())
            {
                session.SendFrame(2, 4, frame.Call, [.. AnswerTests.Metadata(("n", frame.Body[1].ToString(null, null))), .. frame.Body]);
            }
            session.ReadToEnd();
        });
        using TcpBinding client = server.Client(With(last));
        ValueArray<byte>[] results = await Task.WhenAll(Enumerable.Range(0, count).Select(i => client.CallAsync(SampleMethods.Echo, [(byte)i]).AsTask()));
        Assert.Equal(count, results.Select((result, i) => result[0] == i).Count(same => same));
        Assert.Equal(2 * count, told.Count);
        Assert.Equal(count, last.Outcomes.Select(outcome => outcome.Answer!.Metadata["n"]).Distinct().Count());
        client.Dispose();
    }
}
