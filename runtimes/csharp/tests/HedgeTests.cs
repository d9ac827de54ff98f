using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Creo.Tests;

/// <summary>Hedged calls (CALL-29, CALL-80 to CALL-84).</summary>
public static class HedgeTests
{
    private static readonly RetryPolicy Soon = new() { BaseDelay = TimeSpan.Zero, HedgeAfter = TimeSpan.FromMilliseconds(1) };
    private static readonly RetryPolicy Once = Soon with { Attempts = 2 };
    private static readonly RetryPolicy Late = Soon with { HedgeAfter = TimeSpan.FromHours(1) };
    private static readonly CallOptions Long = CallOptions.Within(TimeSpan.FromDays(1));
    private static readonly bool[] Ways = [true, false];

    /// <summary>Attempts, numbered as they come, that end with a number or an exception as given; those for which null is given do not end.</summary>
    private sealed class Script(Func<int, object?> end)
    {
        private readonly ConcurrentDictionary<int, TaskCompletionSource<int>> _attempts = new();
        private readonly ConcurrentDictionary<int, TaskCompletionSource> _arrivals = new();
        private int _calls;

        public int Calls => Volatile.Read(ref _calls);

        public ConcurrentQueue<CallOptions> Seen { get; } = new();

        public TaskCompletionSource<int> Attempt(int number) => _attempts.GetOrAdd(number, _ => new TaskCompletionSource<int>());

        /// <summary>Ends when the attempt has come.</summary>
        public Task Came(int number) => Arrival(number).Task;

        /// <summary>Checks that attempts were cancelled before the outcome was known; those of a blocking call perhaps on another thread.</summary>
        public async Task AreCancelled(bool waiting, params int[] numbers)
        {
            foreach (int number in numbers)
            {
                if (waiting)
                {
                    await Assert.ThrowsAsync<OperationCanceledException>(() => Attempt(number).Task);
                }
                Assert.True(Attempt(number).Task.IsCanceled, $"attempt {number} is cancelled");
            }
        }

        public Binding Hedging(RetryPolicy? policy = null) => new Scripted(MakeAsync).WithRetry(policy ?? Soon);

        public async Task<int> MakeAsync(CallOptions? options, CancellationToken cancellation)
        {
            int number = Interlocked.Increment(ref _calls);
            Seen.Enqueue(options!);
            TaskCompletionSource<int> attempt = Attempt(number);
            using CancellationTokenRegistration ending = cancellation.Register(() => attempt.TrySetCanceled(cancellation));
            switch (end(number))
            {
                case Exception e:
                    attempt.TrySetException(e);
                    break;
                case int result:
                    attempt.TrySetResult(result);
                    break;
            }
            Arrival(number).SetResult();
            return await attempt.Task;
        }

        private TaskCompletionSource Arrival(int number) =>
            _arrivals.GetOrAdd(number, _ => new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously));
    }

    private static Task<int> Begin(Binding binding, bool waiting, Method<int, int>? method = null, CallOptions? options = null) =>
        waiting ? Task.Run(() => binding.Call(method ?? Scripted.Idempotent, 1, options ?? Long)) : binding.CallAsync(method ?? Scripted.Idempotent, 1, options ?? Long).AsTask();

    private static async Task<CreoException> Fails(ErrorCode code, Task<int> call)
    {
        CreoException error = await Assert.ThrowsAsync<CreoException>(() => call);
        Assert.Equal(code, error.Code, error.ToString());
        return error;
    }

    /// <summary>Waits until two hedges were made of another call, which began later and has the same time.</summary>
    private static async Task PassHedges() => Assert.Equal(3, await Begin(new Script(number => number < 3 ? null : number).Hedging(), false));

    [Test]
    public static async Task TheSecondAttemptDecides()
    {
        foreach (bool waiting in Ways)
        {
            var script = new Script(number => number == 1 ? null : number);
            Assert.Equal(2, await Begin(script.Hedging(Once), waiting));
            Assert.Equal(2, script.Calls);
            await script.AreCancelled(waiting, 1);
        }
    }

    [Test]
    public static async Task TheFirstAttemptDecidesAfterAHedge()
    {
        foreach (bool waiting in Ways)
        {
            Script? script = null;
            script = new Script(number => number == 3 && !script!.Attempt(1).TrySetResult(1) ? 3 : null);
            Assert.Equal(1, await Begin(script.Hedging(), waiting));
            Assert.Equal(3, script.Calls);
            await script.AreCancelled(waiting, 2, 3);
        }
    }

    [Test]
    public static async Task AnAnswerAtOnceIsNotHedged()
    {
        // Of a blocking call, the pool may begin the first attempt late.
        var script = new Script(number => number);
        Assert.Equal(1, await Begin(script.Hedging(), false));
        await PassHedges();
        Assert.Equal(1, script.Calls);
    }

    [Test]
    public static async Task ADeclaredExceptionDecides()
    {
        foreach (bool waiting in Ways)
        {
            var script = new Script(number => number == 1 ? null : new NotFoundException { Description = "x" });
            await Assert.ThrowsAsync<NotFoundException>(() => Begin(script.Hedging(Once), waiting));
            Assert.Equal(2, script.Calls);
            await script.AreCancelled(waiting, 1);
        }
    }

    [Test]
    public static async Task AnErrorThatIsNotRepeatedDecides()
    {
        foreach (bool waiting in Ways)
        {
            foreach (Exception failure in new Exception[] { Scripted.NotStarted(ErrorCode.Internal), new InvalidOperationException() })
            {
                var script = new Script(number => number == 1 ? null : failure);
                Exception caught = await Assert.ThrowsAsync<Exception>(() => Begin(script.Hedging(Once), waiting));
                await script.AreCancelled(waiting, 1);
                if (failure is CreoException)
                {
                    var error = (CreoException)caught;
                    Assert.Equal((ErrorCode.Internal, "2", false), (error.Code, error.Details["attempts"], error.NotStarted), "the first attempt may have started");
                }
                else
                {
                    Assert.True(ReferenceEquals(failure, caught), "as it is");
                }
            }
        }
    }

    // CALL-83
    [Test]
    public static async Task AnErrorIsRepeatedWhileAnotherAttemptGoesOn()
    {
        foreach (bool waiting in Ways)
        {
            var first = new Script(number => number == 1 ? Scripted.NotStarted() : number);
            Assert.Equal(2, await Begin(first.Hedging(Late), waiting));
            var second = new Script(number => number == 1 ? null : number == 2 ? Scripted.Error(ErrorCode.Unavailable, false) : number);
            Assert.Equal(3, await Begin(second.Hedging(), waiting));
            await second.AreCancelled(waiting, 1);
        }
    }

    [Test]
    public static async Task AnErrorWithoutRepetitionWaitsForTheOthers()
    {
        foreach (bool waiting in Ways)
        {
            var script = new Script(number => number == 1 ? null : Scripted.Error(ErrorCode.Unavailable, false));
            Task<int> call = Begin(script.Hedging(Once), waiting);
            await script.Came(2);
            await PassHedges();
            Assert.True(!call.IsCompleted, "the first attempt goes on");
            script.Attempt(1).SetResult(7);
            Assert.Equal(7, await call);
        }
    }

    // CALL-84
    [Test]
    public static async Task TheErrorThatCameLastIsThatOfTheCall()
    {
        foreach (bool waiting in Ways)
        {
            foreach (bool isSent in Ways)
            {
                Script? script = null;
                script = new Script(number =>
                {
                    if (number < 3)
                    {
                        return null;
                    }
                    script!.Attempt(2).SetException(isSent ? Scripted.Error(ErrorCode.Unavailable, false, ("number", "2")) : Scripted.NotStarted());
                    script.Attempt(1).SetException(Scripted.Error(ErrorCode.Overloaded, true, ("started", "no"), ("number", "1")));
                    return Scripted.Error(ErrorCode.Overloaded, true, ("started", "no"), ("number", "3"));
                });
                CreoException error = await Assert.ThrowsAsync<CreoException>(() => Begin(script.Hedging(), waiting));
                Assert.Equal(("3", !isSent), (error.Details["attempts"], error.NotStarted));
                if (!waiting)
                {
                    // Threads may change the order.
                    Assert.Equal("3", error.Details["number"]);
                }
            }
        }
    }

    [Test]
    public static async Task OverloadEndsHedging()
    {
        var script = new Script(number => number == 2 ? Scripted.Error(ErrorCode.Overloaded, true) : null);
        Task<int> call = Begin(script.Hedging(Soon with { Attempts = 4 }), false);
        await script.Came(3);
        await PassHedges();
        Assert.Equal(3, script.Calls, "the repetition is not hedged");
        script.Attempt(1).SetResult(1);
        Assert.Equal(1, await call);
        await script.AreCancelled(false, 3);
    }

    [Test]
    public static async Task AWaitThatAHostAsksForIsNotHedged()
    {
        using var cancel = new CancellationTokenSource();
        var script = new Script(number => number == 2 ? Scripted.Error(ErrorCode.Unavailable, true, ("retry-after", "3600000")) : null);
        Task<int> call = script.Hedging().CallAsync(Scripted.Idempotent, 1, Long, cancel.Token).AsTask();
        await script.Came(2);
        await PassHedges();
        script.Attempt(1).SetException(Scripted.Error(ErrorCode.Unavailable, false));
        await PassHedges();
        Assert.Equal((2, false), (script.Calls, call.IsCompleted), "the wait that ends later counts");
        cancel.Cancel();
        OperationCanceledException e = await Assert.ThrowsAsync<OperationCanceledException>(() => call);
        Assert.Equal(cancel.Token, e.CancellationToken);
    }

    // CALL-26
    [Test]
    public static async Task AWaitBeyondTheDeadlineEndsTheCall()
    {
        foreach (bool waiting in Ways)
        {
            var script = new Script(_ => Scripted.Error(ErrorCode.Overloaded, true, ("started", "no"), ("retry-after", "3600000")));
            CreoException error = await Fails(ErrorCode.Overloaded, Begin(script.Hedging(Late), waiting, null, CallOptions.Within(TimeSpan.FromMinutes(30))));
            Assert.Equal((1, true, false), (script.Calls, error.NotStarted, error.Details.ContainsKey("attempts")));
        }
    }

    [Test]
    public static async Task SomeCallsAreNotHedged()
    {
        var told = new Method<int, int>
        {
            Service = SampleMethods.Service,
            Name = "tell",
            Id = 8,
            IsOneway = true,
            IsIdempotent = true,
            Parameters = Scripted.Idempotent.Parameters,
            EncodeArguments = Scripted.Idempotent.EncodeArguments,
            DecodeResult = Scripted.Idempotent.DecodeResult,
        };
        foreach ((Method<int, int> method, RetryPolicy policy) in new[] { (Scripted.Plain, Soon), (told, Soon), (Scripted.Idempotent, Soon with { Attempts = 1 }) })
        {
            var script = new Script(_ => null);
            Task<int> call = Begin(script.Hedging(policy), false, method);
            await PassHedges();
            Assert.Equal(1, script.Calls, method.Name);
            script.Attempt(1).SetResult(1);
            await call;
        }
    }

    // CALL-80
    [Test]
    public static async Task HedgesAreNotGivenBack()
    {
        var script = new Script(_ => null);
        Binding binding = script.Hedging(Once);
        // 500 tokens: each call takes 5 and returns 1, until there are 4 left.
        for (int i = 1; i <= 124; i++)
        {
            Task<int> call = Begin(binding, false);
            await script.Came(2 * i);
            script.Attempt(2 * i).SetResult(i);
            Assert.Equal(i, await call);
        }
        Task<int> last = Begin(binding, false);
        await PassHedges();
        Assert.Equal(249, script.Calls);
        script.Attempt(249).SetResult(0);
        Assert.Equal(0, await last);
        Task<int> next = Begin(binding, false);
        await script.Came(251);
        script.Attempt(251).SetResult(1);
        Assert.Equal(1, await next);
    }

    // CALL-26
    [Test]
    public static async Task TheDeadlineIsForAllAttempts()
    {
        foreach (bool waiting in Ways)
        {
            var script = new Script(number => number < 3 ? null : number);
            CallOptions options = CallOptions.Within(TimeSpan.FromSeconds(30)) with { Metadata = new Dictionary<string, string> { ["a"] = "b" } };
            Assert.Equal(3, await Begin(script.Hedging(), waiting, null, options));
            foreach (CallOptions seen in script.Seen)
            {
                Assert.True(seen.Deadline < options.Deadline, $"{seen.Deadline} is left");
                Assert.Equal("b", seen.Metadata!["a"]);
            }
        }
    }

    [Test]
    public static async Task CancellingEndsAllAttempts()
    {
        using var cancel = new CancellationTokenSource();
        var script = new Script(_ => null);
        Task<int> call = script.Hedging().CallAsync(Scripted.Idempotent, 1, Long, cancel.Token).AsTask();
        await script.Came(3);
        cancel.Cancel();
        OperationCanceledException e = await Assert.ThrowsAsync<OperationCanceledException>(() => call);
        Assert.Equal(cancel.Token, e.CancellationToken);
        await script.AreCancelled(false, 1, 2, 3);
        await Assert.ThrowsAsync<OperationCanceledException>(() => script.Hedging().CallAsync(Scripted.Idempotent, 1, Long, cancel.Token).AsTask());
        Assert.Equal(3, script.Calls);
    }

    [Test]
    public static async Task AnInterruptEndsAllAttempts()
    {
        var script = new Script(_ => null);
        Binding binding = script.Hedging();
        var end = new TaskCompletionSource<Exception>(TaskCreationOptions.RunContinuationsAsynchronously);
        var caller = new Thread(() => end.SetResult(Assert.Throws<ThreadInterruptedException>(() => binding.Call(Scripted.Idempotent, 1, Long)))) { IsBackground = true };
        caller.Start();
        await script.Came(3);
        caller.Interrupt();
        await end.Task;
        await script.AreCancelled(true, 1, 2, 3);
    }

    // CALL-27, CALL-82
    [Test]
    public static async Task TheProgramSeesTheAttemptThatDecides()
    {
        foreach (bool waiting in Ways)
        {
            var cancelled = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
            using var server = new FakeServer(session =>
            {
                session.Greet();
                uint[] calls = [session.ReadFrame().Call, session.ReadFrame().Call, session.ReadFrame().Call];
                session.SendFrame(4, 4, calls[0], [.. AnswerTests.Metadata(("n", "1")), 7, 0, 0]);
                session.SendFrame(2, 4, calls[1], [.. AnswerTests.Metadata(("n", "2")), 0, 0, 0, 2]);
                Frame end = session.ReadFrame();
                cancelled.SetResult(end.Kind == 6 && end.Call == calls[2]);
                session.ReadToEnd();
            });
            var ends = new RetryTests.Counter();
            using TcpBinding client = server.Client(new ClientOptions { Interceptors = [ends], Retry = Soon });
            var given = new List<string>();
            Assert.Equal(2, await Begin(client, waiting, null, Long with { OnAnswer = answer => given.Add(answer.Metadata["n"]) }));
            Assert.True(await cancelled.Task, "the last attempt is cancelled");
            Assert.Equal("2", string.Join(" ", given));
            Assert.Equal((1, 1), (ends.Begun, ends.Outcomes.Count));
            Assert.Equal(("2", $"127.0.0.1:{server.Port}"), (ends.Outcomes[0].Answer!.Metadata["n"], ends.Outcomes[0].Peer));
        }
    }

    [Test]
    public static async Task AnAttemptWithoutAnswerHasThatOfNoOther()
    {
        foreach (bool waiting in Ways)
        {
            using var server = new FakeServer(session =>
            {
                session.Greet();
                session.SendFrame(4, 4, session.ReadFrame().Call, [.. AnswerTests.Metadata(("n", "1")), 7, 0, 0]);
                session.ReadFrame();
            });
            var ends = new RetryTests.Counter();
            using TcpBinding client = server.Client(new ClientOptions { Interceptors = [ends], Retry = Late with { Attempts = 2 } });
            var given = new List<Answer>();
            CreoException error = await Fails(ErrorCode.Unavailable, Begin(client, waiting, null, Long with { OnAnswer = given.Add }));
            Assert.Equal(("2", 0, null), (error.Details["attempts"], given.Count, ends.Outcomes[0].Answer));
        }
    }

    // CALL-81
    [Test]
    public static async Task AHedgeGoesToAnotherAddress()
    {
        var other = new CallOptions { Metadata = new Dictionary<string, string> { ["other"] = "" } };
        foreach (bool waiting in Ways)
        {
            foreach (BalancingRule rule in Enum.GetValues<BalancingRule>())
            {
                foreach (string[] all in new[] { ["a", "b"], new[] { "a", "b", "c" } })
                {
                    var script = new Script(_ => null);
                    var seen = new ConcurrentQueue<string>();
                    BalancedBinding? balanced = null;
                    Binding Open(string address) => new Scripted(async (options, cancellation) =>
                    {
                        if (options!.Metadata is not null)
                        {
                            return 0;
                        }
                        seen.Enqueue(address);
                        // Then it would be the turn of this address again.
                        for (int i = 1; i < all.Length; i++)
                        {
                            await balanced!.CallAsync(Scripted.Plain, 1, other, CancellationToken.None);
                        }
                        return await script.MakeAsync(options, cancellation);
                    });
                    using (balanced = new BalancedBinding(all, Open, new BalancingOptions { Rule = rule }))
                    {
                        Task<int> call = Begin(balanced.WithRetry(Soon), waiting);
                        await script.Came(3);
                        script.Attempt(2).SetResult(1);
                        Assert.Equal(1, await call);
                        Assert.Equal(string.Join(" ", all), string.Join(" ", seen.Distinct().Order()));
                        await script.AreCancelled(waiting, 1, 3);
                    }
                }
            }
        }
    }

    [Test]
    public static async Task AnEjectedAddressIsNoneForAHedge()
    {
        foreach (bool waiting in Ways)
        {
            bool isHedged = false;
            var script = new Script(_ => isHedged ? null : 1);
            var seen = new ConcurrentQueue<string>();
            Binding Open(string address) => new Scripted((options, cancellation) =>
            {
                seen.Enqueue(address);
                return address == "a" ? throw Scripted.NotStarted() : script.MakeAsync(options, cancellation);
            });
            using var balanced = new BalancedBinding(["a", "b"], Open, new BalancingOptions { Ejection = TimeSpan.FromDays(1), MaxEjection = TimeSpan.FromDays(1) });
            while (!seen.Contains("a"))
            {
                await balanced.CallAsync(Scripted.Plain, 1);
            }
            int before = script.Calls;
            seen.Clear();
            isHedged = true;
            Task<int> call = Begin(balanced.WithRetry(Soon), waiting);
            await script.Came(before + 3);
            script.Attempt(before + 1).SetResult(1);
            Assert.Equal(1, await call);
            Assert.Equal("b b b", string.Join(" ", seen));
        }
    }

    /// <summary>Runs nothing: what waits for it waits for ever.</summary>
    private sealed class Blocked : SynchronizationContext
    {
        public override void Post(SendOrPostCallback d, object? state)
        {
        }
    }

    [Test]
    public static async Task ABlockedThreadIsNotNeeded()
    {
        Binding binding = new Scripted(async (_, _) =>
        {
            await Task.Yield();
            return 2;
        }).WithRetry(Soon);
        var end = new TaskCompletionSource<int>(TaskCreationOptions.RunContinuationsAsynchronously);
        var caller = new Thread(() =>
        {
            SynchronizationContext.SetSynchronizationContext(new Blocked());
            end.SetResult(binding.Call(Scripted.Idempotent, 1, Long));
        })
        { IsBackground = true };
        caller.Start();
        Assert.Equal(2, await end.Task);
    }

    [Test]
    public static async Task ThreadsOfThePoolMayWait()
    {
        Task<int>[] calls = [.. Enumerable.Range(0, 50).Select(_ => Begin(new Script(number => number == 1 ? null : number).Hedging(Once), true))];
        Assert.Equal(100, (await Task.WhenAll(calls)).Sum());
    }

    [Test]
    public static async Task FailuresOfOthersAreObserved()
    {
        var unobserved = new ConcurrentQueue<string>();
        void Note(object? sender, UnobservedTaskExceptionEventArgs e) => unobserved.Enqueue(e.Exception.ToString());
        TaskScheduler.UnobservedTaskException += Note;
        try
        {
            foreach (bool waiting in Ways)
            {
                var failed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                await HedgeWithLateFailure(waiting, failed);
                await failed.Task;
            }
            GC.Collect();
            GC.WaitForPendingFinalizers();
            Assert.True(!unobserved.Any(text => text.Contains("late failure")), string.Join("; ", unobserved));
        }
        finally
        {
            TaskScheduler.UnobservedTaskException -= Note;
        }
    }

    private static async Task HedgeWithLateFailure(bool waiting, TaskCompletionSource failed)
    {
        int calls = 0;
        Binding binding = new Scripted(async (_, cancellation) =>
        {
            if (Interlocked.Increment(ref calls) == 2)
            {
                return 2;
            }
            try
            {
                await Task.Delay(Timeout.Infinite, cancellation);
                return 1;
            }
            catch (OperationCanceledException)
            {
                failed.TrySetResult();
                throw new InvalidOperationException("late failure");
            }
        }).WithRetry(Once);
        Assert.Equal(2, await Begin(binding, waiting));
    }

    [Test]
    public static void TheTimeIsChecked()
    {
        Assert.Equal(null, RetryPolicy.Default.HedgeAfter);
        foreach (TimeSpan time in new[] { TimeSpan.Zero, TimeSpan.FromMilliseconds(1) - TimeSpan.FromTicks(1), TimeSpan.FromTicks(-1), TimeSpan.FromHours(1) + TimeSpan.FromTicks(1) })
        {
            Assert.Throws<ArgumentOutOfRangeException>(() => new RetryPolicy { HedgeAfter = time });
        }
        foreach (TimeSpan time in new[] { TimeSpan.FromMilliseconds(1), TimeSpan.FromHours(1) })
        {
            Assert.Equal(time, new RetryPolicy { HedgeAfter = time }.HedgeAfter!.Value);
        }
        Assert.Equal(null, (Soon with { HedgeAfter = null }).HedgeAfter);
    }
}
