using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Reflection;
using System.Threading;
using System.Threading.Tasks;

namespace Creo.Tests;

/// <summary>A binding whose calls do what a test says.</summary>
public sealed class Scripted(Func<CallOptions?, CancellationToken, Task<int>> script) : Binding
{
    public Scripted(Func<CallOptions?, int> script)
        : this((options, _) => Task.FromResult(script(options)))
    {
    }

    public bool IsDisposed { get; private set; }

    public static Method<int, int> Plain { get; } = Of(false);

    public static Method<int, int> Idempotent { get; } = Of(true);

    /// <summary>An error with details.</summary>
    public static CreoException Error(ErrorCode code, bool fromPeer, params (string Key, string Value)[] details)
    {
        var pairs = details.ToDictionary(pair => pair.Key, pair => pair.Value);
        object[] all = [code, "by the test", null!, null!, pairs, fromPeer, null!];
        return (CreoException)typeof(CreoException).GetConstructors(BindingFlags.NonPublic | BindingFlags.Instance)[0].Invoke(all);
    }

    public static CreoException NotStarted(ErrorCode code = ErrorCode.Unavailable) => Error(code, true, ("started", "no"));

    public override TResult Call<TArguments, TResult>(Method<TArguments, TResult> method, TArguments arguments, CallOptions? options = null) =>
        (TResult)(object)script(options, CancellationToken.None).GetAwaiter().GetResult();

    public override async ValueTask<TResult> CallAsync<TArguments, TResult>(
        Method<TArguments, TResult> method, TArguments arguments, CallOptions? options = null, CancellationToken cancellationToken = default) =>
        (TResult)(object)await script(options, cancellationToken);

    public override void Dispose() => IsDisposed = true;

    private static Method<int, int> Of(bool isIdempotent) => new()
    {
        Service = SampleMethods.Service,
        Name = "count",
        Id = 9,
        IsIdempotent = isIdempotent,
        Parameters = Layout.Struct("test.Sample.count", static () => [new("n", Layout.Int, 0, true)]),
        Result = Layout.Int,
        EncodeArguments = static (writer, n) => writer.WriteInt32(n),
        DecodeResult = static (ref Reader reader) => reader.ReadInt32(),
    };
}

/// <summary>Calls that are repeated (CALL-20 to CALL-27).</summary>
public static class RetryTests
{
    private static readonly RetryPolicy AtOnce = new() { BaseDelay = TimeSpan.Zero };
    private static readonly bool[] Ways = [true, false];

    private static readonly Method<(string?, ValueArray<byte>), ValueArray<byte>> OverHttp = new()
    {
        Service = SoapTests.Echo.Service,
        Name = SoapTests.Echo.Name,
        Id = SoapTests.Echo.Id,
        IsIdempotent = true,
        Parameters = SoapTests.Echo.Parameters,
        Result = SoapTests.Echo.Result,
        Text = SoapTests.Echo.Text,
        EncodeArguments = SoapTests.Echo.EncodeArguments,
        DecodeResult = SoapTests.Echo.DecodeResult,
    };

    private static CallTests.Caller Caller(Func<CallOptions?, int> script, bool waiting, RetryPolicy? policy = null) =>
        new(new Scripted(script).WithRetry(policy ?? AtOnce), waiting);

    // CALL-22
    [Test]
    public static async Task SomeErrorsAreRepeated()
    {
        foreach (bool waiting in Ways)
        {
            foreach (ErrorCode code in Enum.GetValues<ErrorCode>())
            {
                foreach ((string? started, bool fromPeer) in new[] { ("no", true), ("no", false), (null, true), (null, false), ("yes", true), ("No", true) })
                {
                    foreach (Method<int, int> method in new[] { Scripted.Plain, Scripted.Idempotent })
                    {
                        int attempts = 0;
                        (string, string)[] details = started is null ? [] : [("started", started)];
                        CallTests.Caller caller = Caller(
                            _ =>
                            {
                                attempts++;
                                throw Scripted.Error(code, fromPeer, details);
                            },
                            waiting);
                        CreoException error = await caller.Fails(code, method, 1);
                        bool repeats = code is ErrorCode.Unavailable or ErrorCode.Overloaded && (started == "no" || method.IsIdempotent);
                        Assert.Equal(repeats ? 3 : 1, attempts, $"attempts of {code}, {started}, {method.IsIdempotent}");
                        Assert.Equal(repeats ? "3" : null, error.Details.GetValueOrDefault("attempts"), "detail");
                        Assert.Equal(started == "no", error.NotStarted, "not started");
                        Assert.Equal(fromPeer, error.FromPeer, "from peer");
                    }
                }
            }
        }
    }

    [Test]
    public static async Task AnswersEndACall()
    {
        foreach (bool waiting in Ways)
        {
            int attempts = 0;
            Assert.Equal(2, await Caller(_ => ++attempts == 2 ? 2 : throw Scripted.NotStarted(), waiting).Call(Scripted.Plain, 1));
            attempts = 0;
            await Assert.ThrowsAsync<NotFoundException>(() => Caller(
                _ => throw (++attempts == 2 ? new NotFoundException { Description = "x" } : Scripted.NotStarted()), waiting).Call(Scripted.Idempotent, 1));
            Assert.Equal(2, attempts);
            var other = new InvalidOperationException();
            Assert.True(ReferenceEquals(other, await Assert.ThrowsAsync<InvalidOperationException>(() => Caller(_ => throw other, waiting).Call(Scripted.Idempotent, 1))), "as it is");
        }
    }

    [Test]
    public static async Task ABindingMayBeDisposedDuringACall()
    {
        foreach (bool waiting in Ways)
        {
            foreach (RetryPolicy policy in new[] { AtOnce, AtOnce with { HedgeAfter = TimeSpan.FromHours(1) } })
            {
                int attempts = 0;
                await Caller(
                    _ => throw (++attempts == 1 ? Scripted.Error(ErrorCode.Unavailable, false) : new ObjectDisposedException("binding")), waiting, policy).Fails(ErrorCode.Unavailable, Scripted.Idempotent, 1);
                Assert.Equal(2, attempts);
                await Assert.ThrowsAsync<ObjectDisposedException>(() => Caller(_ => throw new ObjectDisposedException("binding"), waiting, policy).Call(Scripted.Idempotent, 1));
            }
        }
    }

    // CALL-26
    [Test]
    public static async Task OneStartedAttemptIsRemembered()
    {
        foreach (bool waiting in Ways)
        {
            int attempts = 0;
            CreoException error = await Caller(
                _ => throw (++attempts == 1 ? Scripted.Error(ErrorCode.Unavailable, false) : Scripted.NotStarted()), waiting).Fails(ErrorCode.Unavailable, Scripted.Idempotent, 1);
            Assert.Equal((3, false), (attempts, error.NotStarted));
        }
    }

    // CALL-25
    [Test]
    public static async Task ABudgetLimitsRepetitions()
    {
        foreach (bool waiting in Ways)
        {
            int attempts = 0;
            bool fails = true;
            CallTests.Caller caller = Caller(_ => ++attempts > 0 && fails ? throw Scripted.NotStarted() : 1, waiting, AtOnce with { Attempts = 2 });
            async Task<int> Made(Func<Task> call)
            {
                attempts = 0;
                await call();
                return attempts;
            }
            Task Fail() => caller.Fails(ErrorCode.Unavailable, Scripted.Plain, 1);
            for (int i = 0; i < 100; i++)
            {
                Assert.Equal(2, await Made(Fail));
            }
            Assert.Equal(1, await Made(Fail), "without tokens");
            fails = false;
            for (int i = 0; i < 4; i++)
            {
                await caller.Call(Scripted.Plain, 1);
            }
            fails = true;
            Assert.Equal(1, await Made(Fail), "with four");
            fails = false;
            await caller.Call(Scripted.Plain, 1);
            fails = true;
            Assert.Equal(2, await Made(Fail), "with five");
            Assert.Equal(1, await Made(Fail), "with none");
        }
    }

    [Test]
    public static async Task ASuccessfulRepetitionCostsNothing()
    {
        int attempts = 0;
        CallTests.Caller caller = Caller(_ => ++attempts % 2 == 1 ? throw Scripted.NotStarted() : 1, true);
        for (int i = 0; i < 200; i++)
        {
            await caller.Call(Scripted.Plain, 1);
        }
        Assert.Equal(400, attempts);
    }

    // CALL-26
    [Test]
    public static async Task TheDeadlineIsForAllAttempts()
    {
        foreach (bool waiting in Ways)
        {
            var deadlines = new List<TimeSpan?>();
            CallTests.Caller caller = Caller(
                options =>
                {
                    deadlines.Add(options!.Deadline);
                    throw Scripted.Error(ErrorCode.Overloaded, true, ("started", "no"), ("retry-after", deadlines.Count == 1 ? "5" : "3600000"));
                },
                waiting);
            CreoException error = await caller.Fails(ErrorCode.Overloaded, Scripted.Plain, 1, CallOptions.Within(TimeSpan.FromSeconds(30)));
            Assert.Equal("2", error.Details["attempts"]);
            Assert.True(deadlines[0] == TimeSpan.FromSeconds(30) && deadlines[1] < deadlines[0] - TimeSpan.FromMilliseconds(4), "less is left");
        }
    }

    [Test]
    public static async Task TheDeadlineOfTheClientCounts()
    {
        using var server = new FakeHttp(_ => FakeHttp.Answer(503, "text/plain", "busy", "Retry-After: 3600\r\n"));
        foreach (bool waiting in Ways)
        {
            foreach (bool isOwn in Ways)
            {
                var options = new ClientOptions { Limits = new Limits { Deadline = TimeSpan.FromSeconds(30) }, Retry = isOwn ? AtOnce : null };
                using Binding client = new JsonBinding(server.Url, options).WithRetry(isOwn ? AtOnce with { Attempts = 1 } : AtOnce);
                CreoException error = await new CallTests.Caller(client, waiting).Fails(ErrorCode.Unavailable, OverHttp, ("x", []));
                Assert.Equal((TimeSpan.FromHours(1), false), (error.RetryAfter!.Value, error.Details.ContainsKey("attempts")));
            }
        }
    }

    [Test]
    public static async Task CancellingEndsAWait()
    {
        using var cancel = new CancellationTokenSource();
        var failed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using Binding client = new Scripted(_ =>
        {
            failed.SetResult();
            throw Scripted.Error(ErrorCode.Overloaded, true, ("started", "no"), ("retry-after", "3600000"));
        }).WithRetry(AtOnce);
        Task<int> call = client.CallAsync(Scripted.Plain, 1, null, cancel.Token).AsTask();
        await failed.Task;
        cancel.Cancel();
        OperationCanceledException e = await Assert.ThrowsAsync<OperationCanceledException>(() => call);
        Assert.Equal(cancel.Token, e.CancellationToken);
    }

    // CALL-24
    [Test]
    public static void TimesOfPeersAreReadStrictly()
    {
        foreach (string hostile in new[] { "", "-1", "+5", "1.5", " 5", "5 ", "0x5", "\u0663", "1e3", "5\0", "NaN" })
        {
            Assert.Equal(null, Scripted.Error(ErrorCode.Overloaded, true, ("retry-after", hostile)).RetryAfter, hostile);
        }
        foreach ((string text, double milliseconds) in new[] { ("0", 0), ("007", 7), ("2000000001", 2e9), ("99999999999999999999999999", 2e9) })
        {
            Assert.Equal(TimeSpan.FromMilliseconds(milliseconds), Scripted.Error(ErrorCode.Overloaded, true, ("retry-after", text)).RetryAfter!.Value, text);
        }
    }

    [Test]
    public static async Task TheClientWaitsAsLongAsItIsTold()
    {
        foreach (bool waiting in Ways)
        {
            var times = new List<long>();
            CallTests.Caller caller = Caller(
                _ =>
                {
                    times.Add(Stopwatch.GetTimestamp());
                    return times.Count == 2 ? 1 : throw Scripted.Error(ErrorCode.Overloaded, true, ("started", "no"), ("retry-after", "50"));
                },
                waiting);
            await caller.Call(Scripted.Plain, 1);
            Assert.True(Stopwatch.GetElapsedTime(times[0], times[1]) >= TimeSpan.FromMilliseconds(50), "too early");
        }
    }

    [Test]
    public static void HeadersOfHttpSayTimesToo()
    {
        string problem = """{"type":"urn:creo:error:overloaded","title":"x","details":{"retry-after":"20"}}""";
        foreach ((byte[] answer, string? expected) in new (byte[], string?)[]
        {
            (FakeHttp.Answer(503, "text/plain", "", "Retry-After: 7\r\n"), "7000"),
            (FakeHttp.Answer(429, "text/plain", "", "Retry-After: 99999999999999999999\r\n"), "2000000000"),
            (FakeHttp.Answer(503, "text/plain", "", "Retry-After: Wed, 21 Oct 2015 07:28:00 GMT\r\n"), null),
            (FakeHttp.Answer(503, "text/plain", "", "Retry-After: -1\r\n"), null),
            (FakeHttp.Answer(500, "text/plain", "", "Retry-After: 7\r\n"), null),
            (FakeHttp.Answer(503, "application/problem+json", problem, "Retry-After: 7\r\n"), "20"),
            (FakeHttp.Answer(503, "application/problem+json", problem.Replace("20", "soon"), "Retry-After: 7\r\n"), "7000"),
        })
        {
            using var server = new FakeHttp(_ => answer);
            using var client = new JsonBinding(server.Url);
            CreoException error = Assert.Throws<CreoException>(() => client.Call(OverHttp, ("x", [])));
            Assert.Equal(expected, error.RetryAfter is null ? null : error.Details["retry-after"]);
        }
    }

    // CALL-27
    [Test]
    public static async Task OnlyTheLastAnswerIsGiven()
    {
        foreach (bool waiting in Ways)
        {
            foreach ((bool first, bool second, string expected) in new[] { (true, true, "2"), (true, false, ""), (false, true, "2") })
            {
                var given = new List<int>();
                int attempts = 0;
                int Attempt(CallOptions? options)
                {
                    if (++attempts == 1 ? first : second)
                    {
                        options!.OnAnswer!(new Answer { Status = attempts });
                    }
                    throw (attempts == 1 ? Scripted.NotStarted() : Scripted.Error(ErrorCode.Internal, true));
                }
                await Caller(Attempt, waiting).Fails(ErrorCode.Internal, Scripted.Plain, 1, new CallOptions { OnAnswer = answer => given.Add(answer.Status) });
                Assert.Equal(expected, string.Join(" ", given));
            }
        }
    }

    internal sealed class Counter : IInterceptor
    {
        public List<Outcome> Outcomes { get; } = [];

        public int Begun { get; private set; }

        public Action<Outcome>? Begin(OutgoingCall call)
        {
            Begun++;
            return Outcomes.Add;
        }
    }

    [Test]
    public static async Task InterceptorsSeeACallOnce()
    {
        foreach (bool waiting in Ways)
        {
            var counter = new Counter();
            byte[] refusal = [8, 0, 1, 7, .. "started"u8, 2, .. "no"u8];
            using var server = new FakeServer(session =>
            {
                session.Greet();
                session.SendFrame(4, 4, session.ReadFrame().Call, [.. AnswerTests.Metadata(("n", "1")), .. refusal]);
                session.SendFrame(4, 0, session.ReadFrame().Call, refusal);
                session.SendFrame(2, 4, session.ReadFrame().Call, [.. AnswerTests.Metadata(("n", "3")), 1, 7]);
                session.SendFrame(4, 4, session.ReadFrame().Call, [.. AnswerTests.Metadata(("n", "4")), .. refusal]);
                session.ReadFrame();
            });
            using TcpBinding client = server.Client(new ClientOptions { Interceptors = [counter], Retry = AtOnce });
            var caller = new CallTests.Caller(client, waiting);
            var given = new List<string>();
            var options = new CallOptions { OnAnswer = answer => given.Add(answer.Metadata["n"]) };
            Assert.Equal([7], await caller.Call(SampleMethods.Echo, [], options));
            // The connection ends without an answer.
            CreoException error = await caller.Fails(ErrorCode.Unavailable, SampleMethods.Echo, [], options);
            Assert.Equal(("2", false), (error.Details["attempts"], error.NotStarted));
            Assert.Equal("3", string.Join(" ", given));
            Assert.Equal((2, 2), (counter.Begun, counter.Outcomes.Count));
            Assert.Equal(("3", null), (counter.Outcomes[0].Answer!.Metadata["n"], counter.Outcomes[1].Answer));
        }
    }

    // CALL-21
    [Test]
    public static async Task ErrorsOfClientsSayThatNothingWasSent()
    {
        using var dead = new DeadPort();
        int port = dead.Number;
        Binding[] clients = [new TcpBinding("127.0.0.1", port), new JsonBinding($"http://127.0.0.1:{port}/Test"), new JmsBinding(new JmsBroker("127.0.0.1", port), "jms:queue:q", JmsWire.Binary)];
        foreach (Binding client in clients)
        {
            foreach (bool waiting in Ways)
            {
                CreoException error = await new CallTests.Caller(client, waiting).Fails(ErrorCode.Unavailable, OverHttp, ("x", []));
                Assert.Equal((true, false), (error.NotStarted, error.FromPeer));
            }
            client.Dispose();
        }
    }

    [Test]
    public static async Task ErrorsAfterTheRequestLeaveItOpen()
    {
        foreach (bool waiting in Ways)
        {
            using var server = new FakeServer(session => session.Greet().ReadFrame());
            using TcpBinding client = server.Client();
            Assert.True(!(await new CallTests.Caller(client, waiting).Fails(ErrorCode.Unavailable, SampleMethods.Echo, [])).NotStarted, "open");
            using var second = new FakeHttp(_ => [], closes: true);
            using var json = new JsonBinding(second.Url);
            Assert.True(!(await new CallTests.Caller(json, waiting).Fails(ErrorCode.Unavailable, OverHttp, ("x", []))).NotStarted, "open");
            Assert.Equal(1, second.Heads.Count, "requests");
        }
    }

    [Test]
    public static void PoliciesAreChecked()
    {
        foreach (int attempts in new[] { 0, -1, 11 })
        {
            Assert.Throws<ArgumentOutOfRangeException>(() => new RetryPolicy { Attempts = attempts });
        }
        foreach (TimeSpan delay in new[] { TimeSpan.FromTicks(-1), TimeSpan.FromHours(1) + TimeSpan.FromTicks(1) })
        {
            Assert.Throws<ArgumentOutOfRangeException>(() => new RetryPolicy { BaseDelay = delay });
            Assert.Throws<ArgumentOutOfRangeException>(() => new RetryPolicy { MaxDelay = delay });
        }
        Assert.Equal((3, 50.0, 5.0), (RetryPolicy.Default.Attempts, RetryPolicy.Default.BaseDelay.TotalMilliseconds, RetryPolicy.Default.MaxDelay.TotalSeconds));
    }
}
