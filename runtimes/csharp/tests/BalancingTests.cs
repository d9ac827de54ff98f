using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Creo.Tests;

/// <summary>Calls that are distributed over several addresses (CALL-30 to CALL-38).</summary>
public static class BalancingTests
{
    private static readonly bool[] Ways = [true, false];

    /// <summary>A clock that tests move.</summary>
    private sealed class Clock : TimeProvider
    {
        private long _ticks;

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp() => _ticks;

        public void Move(double seconds) => _ticks += TimeSpan.FromSeconds(seconds).Ticks;
    }

    /// <summary>Hosts that answer with their number, or fail as a test says.</summary>
    private sealed class Hosts(params string[] addresses)
    {
        public Clock Clock { get; } = new();

        public Dictionary<string, Scripted> Opened { get; } = [];

        /// <summary>Failures by address.</summary>
        public Dictionary<string, Exception> Failures { get; } = [];

        /// <summary>What calls there wait for, by address.</summary>
        public Dictionary<string, TaskCompletionSource> Gates { get; } = [];

        public List<string> Calls { get; } = [];

        public BalancedBinding Binding(BalancingRule rule = BalancingRule.RoundRobin) => new(addresses, Open, new BalancingOptions { Rule = rule, Clock = Clock });

        public Scripted Open(string address)
        {
            var opened = new Scripted(async (_, _) =>
            {
                lock (Calls)
                {
                    Calls.Add(address);
                }
                if (Gates.TryGetValue(address, out TaskCompletionSource? gate))
                {
                    await gate.Task;
                }
                return Failures.TryGetValue(address, out Exception? failure) ? throw failure : 1;
            });
            Opened.Add(address, opened);
            return opened;
        }

        /// <summary>The addresses of the calls since the last time.</summary>
        public string Seen()
        {
            string seen = string.Join(" ", Calls);
            Calls.Clear();
            return seen;
        }
    }

    private static CreoException Lost() => new(ErrorCode.Unavailable, "lost");

    private static async Task<Exception?> Call(Binding binding, bool waiting)
    {
        try
        {
            await new CallTests.Caller(binding, waiting).Call(Scripted.Plain, 1);
            return null;
        }
        catch (Exception e)
        {
            return e;
        }
    }

    private static async Task Calls(Binding binding, bool waiting, int count)
    {
        for (int i = 0; i < count; i++)
        {
            await Call(binding, waiting);
        }
    }

    // CALL-30, CALL-31
    [Test]
    public static async Task EachAddressHasItsTurn()
    {
        var firsts = new HashSet<string>();
        for (int i = 0; i < 100; i++)
        {
            var hosts = new Hosts("a", "b", "a", "c");
            using BalancedBinding binding = hosts.Binding();
            Assert.Equal(0, hosts.Opened.Count, "opened");
            await Calls(binding, i % 2 == 0, 6);
            string seen = hosts.Seen();
            Assert.True("a b c a b c a b c".Contains(seen), seen);
            firsts.Add(seen[..1]);
        }
        Assert.Equal(3, firsts.Count, "the first is random");
    }

    [Test]
    public static async Task TheLeastOutstandingIsChosen()
    {
        foreach (BalancingRule rule in new[] { BalancingRule.LeastOutstanding, BalancingRule.PickTwo })
        {
            var hosts = new Hosts("a", "b");
            using BalancedBinding binding = hosts.Binding(rule);
            foreach (string address in new[] { "a", "b" })
            {
                hosts.Gates[address] = new();
            }
            Task<int>[] calls = Enumerable.Range(0, 10).Select(_ => binding.CallAsync(Scripted.Plain, 1).AsTask()).ToArray();
            Assert.Equal(5, hosts.Calls.Count(address => address == "a"), "evenly");
            hosts.Gates["a"].SetResult();
            await Task.WhenAll(calls.Where((_, i) => hosts.Calls[i] == "a"));
            hosts.Seen();
            hosts.Gates["a"] = new();
            calls = [.. calls, .. Enumerable.Range(0, 4).Select(_ => binding.CallAsync(Scripted.Plain, 1).AsTask())];
            Assert.Equal("a a a a", hosts.Seen());
            hosts.Gates["a"].SetResult();
            hosts.Gates["b"].SetResult();
            await Task.WhenAll(calls);
        }
    }

    [Test]
    public static async Task TheBusiestOfThreeIsNeverPicked()
    {
        var hosts = new Hosts("a", "b", "c");
        using BalancedBinding binding = hosts.Binding(BalancingRule.PickTwo);
        await Calls(binding, true, 100);
        Assert.Equal(3, hosts.Calls.Distinct().Count(), "random ones");
        hosts.Gates["a"] = new();
        do
        {
            _ = binding.CallAsync(Scripted.Plain, 1).AsTask();
        }
        while (hosts.Calls[^1] != "a");
        hosts.Seen();
        await Calls(binding, true, 100);
        Assert.True(!hosts.Calls.Contains("a"), "it has a call under way");
        hosts.Gates["a"].SetResult();
    }

    // CALL-32, CALL-38
    [Test]
    public static async Task AnUnplacedCallGoesElsewhere()
    {
        foreach (bool waiting in Ways)
        {
            var hosts = new Hosts("a", "b", "c");
            using BalancedBinding binding = hosts.Binding();
            hosts.Failures["a"] = hosts.Failures["b"] = Scripted.NotStarted();
            Assert.Equal(null, await Call(binding, waiting));
            Assert.True(hosts.Seen().EndsWith('c'), "placed");
            hosts.Failures["c"] = Scripted.NotStarted();
            var error = (CreoException)(await Call(binding, waiting))!;
            Assert.Equal("a b c", string.Join(" ", hosts.Calls.Order()));
            Assert.Equal($"unavailable: by the test; also tried: {hosts.Calls[0]} (unavailable), {hosts.Calls[1]} (unavailable)", error.Message);
            Assert.True(error.NotStarted, "not started");
            foreach (Exception other in new Exception[] { Lost(), Scripted.NotStarted(ErrorCode.Overloaded), new NotFoundException { Description = "x" } })
            {
                var others = new Hosts("a", "b");
                others.Failures["a"] = others.Failures["b"] = other;
                using BalancedBinding once = others.Binding();
                Assert.True(ReferenceEquals(other, await Call(once, waiting)), "as it is");
                Assert.Equal(1, others.Calls.Count, "calls");
            }
        }
    }

    [Test]
    public static async Task APolicyRepeatsThePlacing()
    {
        foreach (bool waiting in Ways)
        {
            var hosts = new Hosts("a", "b");
            hosts.Failures["a"] = hosts.Failures["b"] = Scripted.NotStarted();
            using Binding binding = hosts.Binding().WithRetry(new RetryPolicy { BaseDelay = TimeSpan.Zero });
            Assert.Equal("3", ((CreoException)(await Call(binding, waiting))!).Details["attempts"]);
            Assert.Equal(6, hosts.Calls.Count, "calls");
        }
    }

    // CALL-33, CALL-34
    [Test]
    public static async Task EjectionsDoubleUntilACallSucceeds()
    {
        foreach (bool waiting in Ways)
        {
            var hosts = new Hosts("a", "b");
            using BalancedBinding binding = hosts.Binding();
            hosts.Failures["a"] = Scripted.NotStarted();
            await Calls(binding, waiting, 2);
            async Task Ejected(double seconds)
            {
                hosts.Seen();
                hosts.Clock.Move(seconds - 0.001);
                await Calls(binding, waiting, 4);
                Assert.Equal("b b b b", hosts.Seen(), $"before {seconds} s");
                hosts.Clock.Move(0.001);
                await Calls(binding, waiting, 2);
                Assert.Equal(1, hosts.Calls.Count(address => address == "a"), $"probes after {seconds} s");
            }
            foreach (double seconds in new double[] { 1, 2, 4, 8, 16, 32, 60, 60 })
            {
                await Ejected(seconds);
            }
            hosts.Failures.Clear();
            hosts.Clock.Move(60);
            await Calls(binding, waiting, 4);
            hosts.Failures["a"] = Scripted.NotStarted();
            await Calls(binding, waiting, 2);
            await Ejected(1);
        }
    }

    [Test]
    public static async Task SomeFailuresEject()
    {
        foreach (bool waiting in Ways)
        {
            foreach ((Exception failure, int needed) in new (Exception, int)[]
            {
                (new CreoException(ErrorCode.UntrustedPeer, "x"), 1), (new CreoException(ErrorCode.ProtocolMismatch, "x"), 1), (Scripted.NotStarted(), 1), (Lost(), 3),
                (Scripted.Error(ErrorCode.Unavailable, true), 0), (new CreoException(ErrorCode.DeadlineExceeded, "x"), 0), (Scripted.Error(ErrorCode.Internal, true), 0),
                (new OperationCanceledException(), 0), (new NotFoundException { Description = "x" }, 0),
            })
            {
                var hosts = new Hosts("a", "b");
                using BalancedBinding binding = hosts.Binding();
                hosts.Failures["a"] = failure;
                await Calls(binding, waiting, 20);
                Assert.Equal(needed == 0 ? 10 : needed, hosts.Calls.Count(address => address == "a"), $"calls that end with {failure.Message}");
            }
        }
    }

    [Test]
    public static async Task LostCallsCountInSuccession()
    {
        var hosts = new Hosts("a");
        using BalancedBinding binding = hosts.Binding();
        var two = new Hosts("a", "b");
        using BalancedBinding other = two.Binding();
        for (int i = 0; i < 12; i++)
        {
            two.Failures.Clear();
            if (i % 3 != 2)
            {
                two.Failures["a"] = Lost();
            }
            await Calls(other, true, 2);
        }
        Assert.Equal(12, two.Calls.Count(address => address == "a"), "never three");
    }

    // CALL-34
    [Test]
    public static async Task OneProbeIsSent()
    {
        foreach (Exception? outcome in new Exception?[] { null, Scripted.Error(ErrorCode.Internal, true), new NotFoundException { Description = "x" }, Lost(), new OperationCanceledException() })
        {
            var hosts = new Hosts("a", "b");
            using BalancedBinding binding = hosts.Binding();
            hosts.Failures["a"] = Scripted.NotStarted();
            await Calls(binding, true, 2);
            hosts.Clock.Move(1);
            hosts.Failures.Clear();
            if (outcome is not null)
            {
                hosts.Failures["a"] = outcome;
            }
            hosts.Seen();
            TaskCompletionSource gate = hosts.Gates["a"] = new();
            Task<Exception?>[] calls = [Call(binding, false), Call(binding, false)];
            Assert.Equal(1, hosts.Calls.Count(address => address == "a"), "a probe");
            await Calls(binding, true, 5);
            Assert.Equal(1, hosts.Calls.Count(address => address == "a"), "no other call");
            hosts.Gates.Clear();
            gate.SetResult();
            await Task.WhenAll(calls);
            hosts.Seen();
            await Calls(binding, true, 4);
            bool isLost = outcome is CreoException { FromPeer: false };
            Assert.Equal(isLost ? 0 : 2, hosts.Calls.Count(address => address == "a"), $"calls after {outcome?.GetType()}");
        }
    }

    // CALL-34: the address gets another probe, however the first one ends.
    [Test]
    public static async Task AProbeEndsAfterTheNextEjection()
    {
        var hosts = new Hosts("a", "b");
        using BalancedBinding binding = hosts.Binding();
        hosts.Failures["a"] = Scripted.NotStarted();
        await Calls(binding, true, 2);
        hosts.Clock.Move(0.5);
        hosts.Failures["b"] = Scripted.NotStarted();
        await Call(binding, true);
        hosts.Clock.Move(0.5);
        TaskCompletionSource gate = hosts.Gates["a"] = new();
        Task<Exception?> probe = Call(binding, false);
        hosts.Gates.Clear();
        hosts.Failures.Remove("a");
        hosts.Seen();
        // Both are ejected: this call goes to a although it is no probe, and is answered.
        Assert.Equal(null, await Call(binding, true));
        Assert.Equal("a", hosts.Seen());
        hosts.Failures["a"] = Scripted.NotStarted();
        await Call(binding, true);
        gate.SetResult();
        await probe;
        hosts.Clock.Move(10);
        hosts.Failures.Clear();
        hosts.Seen();
        await Calls(binding, true, 4);
        Assert.Equal(2, hosts.Calls.Count(address => address == "a"), "calls after the time");
    }

    // CALL-35
    [Test]
    public static async Task WithoutOthersTheFirstToReturnIsCalled()
    {
        var hosts = new Hosts("a", "b");
        using BalancedBinding binding = hosts.Binding();
        hosts.Failures["a"] = Scripted.NotStarted();
        await Calls(binding, true, 2);
        hosts.Clock.Move(0.5);
        hosts.Failures["b"] = Scripted.NotStarted();
        await Call(binding, true);
        hosts.Seen();
        await Calls(binding, true, 3);
        Assert.Equal("a b a b a b", hosts.Seen());
        hosts.Failures.Clear();
        await Calls(binding, true, 3);
        Assert.Equal("a a a", hosts.Seen(), "it has come back");
    }

    // CALL-36
    [Test]
    public static async Task AResolverIsAskedAgain()
    {
        foreach (bool waiting in Ways)
        {
            var hosts = new Hosts();
            string[] given = ["a", "b"];
            Exception? problem = null;
            int asked = 0;
            SemaphoreSlim done = new(0);
            async ValueTask<IReadOnlyList<string>> Resolve(CancellationToken _)
            {
                await Task.Yield();
                asked++;
                done.Release();
                return problem is null ? given : throw problem;
            }
            using var binding = new BalancedBinding(Resolve, hosts.Open, new BalancingOptions { Clock = hosts.Clock });
            async Task Until(Func<bool> condition)
            {
                while (!condition())
                {
                    hosts.Seen();
                    await Calls(binding, waiting, 4);
                }
            }
            problem = new InvalidOperationException("no names");
            var error = (CreoException)(await Call(binding, waiting))!;
            Assert.Equal((ErrorCode.Unavailable, true), (error.Code, error.NotStarted));
            Assert.Contains("no names", error.Message);
            (problem, given) = (null, []);
            Assert.Contains("at least one", (await Call(binding, waiting))!.Message);
            given = ["a", "b"];
            await Calls(binding, waiting, 4);
            Assert.Equal(3, asked, "asked");
            hosts.Clock.Move(29.9);
            await Calls(binding, waiting, 4);
            Assert.Equal(3, asked, "asked");
            given = ["b", "c"];
            hosts.Clock.Move(0.1);
            await Until(() => hosts.Calls.Contains("c"));
            await Until(() => !hosts.Calls.Contains("a"));
            // After the addresses were replaced.
            await Until(() => hosts.Opened["a"].IsDisposed);
            Assert.True(!hosts.Opened["b"].IsDisposed, "it remains");
            Assert.Equal(4, asked, "asked");
            problem = new InvalidOperationException();
            hosts.Failures["b"] = Scripted.NotStarted();
            await Calls(binding, waiting, 2);
            hosts.Clock.Move(0.9);
            await Calls(binding, waiting, 2);
            Assert.Equal(4, asked, "asked");
            hosts.Clock.Move(0.1);
            await Until(() => asked == 5);
            Assert.True(hosts.Calls.Contains("c"), "the addresses remain");
        }
    }

    [Test]
    public static async Task AnAddressLeavesAfterItsCalls()
    {
        var hosts = new Hosts();
        string given = "a";
        using var binding = new BalancedBinding(_ => new([given]), hosts.Open, new BalancingOptions { Clock = hosts.Clock });
        hosts.Gates["a"] = new();
        Task<Exception?> call = Call(binding, false);
        while (hosts.Calls.Count == 0)
        {
            await Task.Yield();
        }
        given = "b";
        hosts.Clock.Move(30);
        TaskCompletionSource gate = hosts.Gates["a"];
        hosts.Gates.Remove("a");
        while (!hosts.Calls.Contains("b"))
        {
            await Call(binding, false);
        }
        Assert.True(!hosts.Opened["a"].IsDisposed, "it has a call");
        gate.SetResult();
        Assert.Equal(null, await call);
        Assert.True(hosts.Opened["a"].IsDisposed, "it has none");
    }

    [Test]
    public static async Task WaitingForAResolverEnds()
    {
        var never = new TaskCompletionSource<IReadOnlyList<string>>();
        foreach (bool waiting in Ways)
        {
            using var binding = new BalancedBinding(_ => new(never.Task), new Hosts().Open);
            CreoException late = await new CallTests.Caller(binding, waiting).Fails(ErrorCode.DeadlineExceeded, Scripted.Plain, 1, CallOptions.Within(TimeSpan.FromMilliseconds(20)));
            Assert.True(late.NotStarted, "not started");
            using var cancel = new CancellationTokenSource();
            Task<int> call = binding.CallAsync(Scripted.Plain, 1, null, cancel.Token).AsTask();
            Task<Exception?> other = waiting ? Task.Run(() => Call(binding, true)) : Call(binding, false);
            cancel.Cancel();
            await Assert.ThrowsAsync<OperationCanceledException>(() => call);
            binding.Dispose();
            Exception ended = (await other)!;
            Assert.True(ended is ObjectDisposedException or CreoException { Code: ErrorCode.Unavailable }, ended.ToString());
        }
    }

    [Test]
    public static async Task DisposingClosesAll()
    {
        foreach (bool waiting in Ways)
        {
            var hosts = new Hosts("a", "b", "c");
            BalancedBinding binding = hosts.Binding();
            await Calls(binding, waiting, 2);
            await binding.WithRetry(RetryPolicy.Default).DisposeAsync();
            Assert.Equal(2, hosts.Opened.Values.Count(opened => opened.IsDisposed), "closed");
            Assert.True(await Call(binding, waiting) is ObjectDisposedException, "disposed");
            binding.Dispose();
        }
    }

    [Test]
    public static async Task ManyCallAtOnce()
    {
        string[] addresses = [.. Enumerable.Range(0, 8).Select(i => $"{i}")];
        foreach (BalancingRule rule in Enum.GetValues<BalancingRule>())
        {
            int calls = 0;
            int given = 0;
            // Of each five calls at an address, some fail.
            Scripted Open(string address) => new(async (_, _) =>
            {
                await Task.Yield();
                return (Interlocked.Increment(ref calls) % 10) switch { 1 => throw Scripted.NotStarted(), 2 => throw Lost(), _ => 1 };
            });
            using var binding = new BalancedBinding(
                _ => new([.. addresses.Skip(Interlocked.Increment(ref given) % 4).Take(4)]), Open, new BalancingOptions { Rule = rule, Ejection = TimeSpan.FromTicks(1), Refresh = TimeSpan.FromTicks(1) });
            Exception?[][] ends = await Task.WhenAll(Enumerable.Range(0, 8).Select(n => Task.Run(async () =>
            {
                var own = new Exception?[200];
                for (int i = 0; i < own.Length; i++)
                {
                    own[i] = await Call(binding, n % 2 == 0);
                }
                return own;
            })));
            Assert.True(ends.SelectMany(own => own).All(end => end is null or CreoException { Code: ErrorCode.Unavailable }), "ends");
        }
    }

    [Test]
    public static void OptionsAreChecked()
    {
        Assert.Throws<ArgumentException>(() => new BalancedBinding([], _ => throw new InvalidOperationException()));
        Assert.Throws<ArgumentOutOfRangeException>(() => new BalancingOptions { Ejection = TimeSpan.Zero });
        Assert.Throws<ArgumentOutOfRangeException>(() => new BalancingOptions { MaxEjection = TimeSpan.FromTicks(-1) });
        Assert.Throws<ArgumentOutOfRangeException>(() => new BalancingOptions { Refresh = TimeSpan.Zero });
    }
}
