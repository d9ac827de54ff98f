using System;
using System.Collections.Generic;
using System.Threading.Tasks;

namespace Creo.Tests;

/// <summary>What interceptors, retries and balancing make of calls with streams.</summary>
public static class StreamCallTests
{
    private static Task Both(Func<Action<Session>[]> scripts, Func<TcpBinding, Streamer, Task> test, ClientOptions? options = null) => Streamer.Both(scripts, test, options);

    // CALL-15, CALL-43
    [Test]
    public static async Task InterceptorsSeeABeginningAndAnEnd()
    {
        foreach (bool waiting in new[] { true, false })
        {
            var told = new List<string>();
            var outcomes = new List<Outcome>();
            var options = new ClientOptions { Interceptors = [new Teller(told, outcomes)], Limits = new Limits { Deadline = TimeSpan.FromSeconds(1) } };
            using var server = new FakeServer(
                session =>
                {
                    Frame request = session.Greet(3).ReadFrame();
                    Assert.Equal(0u, request.Milliseconds, "no deadline");
                    session.SendItems(request.Call, 1, 2);
                    session.SendFrame(2, 4, request.Call, 1, 1, (byte)'k', 1, (byte)'v');
                    uint call = session.ReadFrame().Call;
                    session.SendFrame(2, 0, call, StreamMethods.Long(System.Linq.Enumerable.Sum(session.ReadItems())));
                    call = session.ReadFrame().Call;
                    session.SendFrame(3, 0, call, 0, 1, (byte)'x');
                    session.SendItems(session.ReadFrame().Call, 1, 2);
                    session.ReadToEnd();
                });
            using TcpBinding client = server.Client(options);
            var caller = new Streamer(client, waiting);
            Answer? answer = null;
            await caller.Read(StreamMethods.Count, 9, [], new CallOptions { OnAnswer = given => answer = given }, onItem: () => Assert.Equal("begin count", string.Join("; ", told)));
            Assert.Equal("v", answer!.Metadata["k"]);
            await caller.Send(StreamMethods.Sum, [1L]);
            await Assert.ThrowsAsync<NotFoundException>(() => caller.Read(StreamMethods.Count, 9));
            await caller.Read(StreamMethods.Count, 9, [], take: 1);
            Assert.Equal(
                "begin count; end result; begin sum; end result; begin count; end NotFoundException; begin count; end cancelled", string.Join("; ", told));
            Assert.True(outcomes.TrueForAll(outcome => outcome.Peer is not null), "peers");
            Assert.Equal("v", outcomes[0].Answer!.Metadata["k"]);
            client.Dispose();
        }
    }

    internal sealed class Teller(List<string> told, List<Outcome> outcomes) : IInterceptor
    {
        public Action<Outcome>? Begin(OutgoingCall call)
        {
            told.Add($"begin {call.Method}");
            return outcome =>
            {
                told.Add($"end {outcome}");
                outcomes.Add(outcome);
            };
        }
    }

    // CALL-12
    [Test]
    public static async Task AnInterceptorRefusesAStream()
    {
        var refusing = new Refusing();
        foreach (bool waiting in new[] { true, false })
        {
            using var client = new TcpBinding("127.0.0.1", 1, new ClientOptions { Interceptors = [refusing] });
            var caller = new Streamer(client, waiting);
            await caller.Fails(ErrorCode.PermissionDenied, () => caller.Read(StreamMethods.Count, 9));
        }
    }

    private sealed class Refusing : IInterceptor
    {
        public Action<Outcome>? Begin(OutgoingCall call) => throw new CreoException(ErrorCode.PermissionDenied, "no");
    }

    // CALL-45
    [Test]
    public static async Task ARetryPolicyRepeatsNoStream()
    {
        foreach (bool isOfClient in new[] { true, false })
        {
            await Both(
                () =>
                [
                    session =>
                    {
                        session.Greet();
                        session.SendFrame(4, 0, session.ReadFrame().Call, StreamMethods.Refusal(7, "no"));
                        session.SendFrame(4, 0, session.ReadFrame().Call, StreamMethods.Refusal(7, "no"));
                        Assert.True(!session.ReadToEnd().Exists(frame => frame.Kind == 1), "a repetition");
                    },
                ],
                async (client, caller) =>
                {
                    caller = isOfClient ? caller : new Streamer(client.WithRetry(RetryPolicy.Default), caller.IsWaiting);
                    CreoException error = await caller.Fails(ErrorCode.Unavailable, () => caller.Read(StreamMethods.Count, 9));
                    Assert.True(!error.Details.ContainsKey("attempts"), "attempts");
                    await caller.Fails(ErrorCode.Unavailable, () => caller.Send(StreamMethods.Sum, [1L]));
                },
                new ClientOptions { Retry = isOfClient ? RetryPolicy.Default : null });
        }
    }

    // CALL-32, CALL-43, CALL-45
    [Test]
    public static async Task BalancingTriesAnotherAddressUntilAnItemIsTaken()
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var refusing = new FakeServer(session =>
            {
                uint call = session.Greet().ReadFrame().Call;
                session.ReadFrame();
                session.SendFrame(4, 0, call, StreamMethods.Refusal(7, "no"));
                session.ReadToEnd();
            });
            using var serving = new FakeServer(session =>
            {
                uint call = session.Greet().ReadFrame().Call;
                session.SendItems(call, 1, 2);
                session.End(call);
                session.ReadToEnd();
            });
            var options = new BalancingOptions { Rule = BalancingRule.RoundRobin };
            TcpBinding Open(string port) => new("127.0.0.1", int.Parse(port, null));
            // Nothing listens at the first address, or it refuses the call: both go on at the next one.
            using (var balanced = new BalancedBinding(["1", serving.Port.ToString()], Open, options))
            {
                var caller = new Streamer(balanced, waiting);
                Assert.Equal("1 2", string.Join(" ", await caller.Read(StreamMethods.Count, 9)));
            }
            // An item was taken: the refusal is that of the call.
            using (var balanced = new BalancedBinding([refusing.Port.ToString(), "1"], Open, options))
            {
                var caller = new Streamer(balanced, waiting);
                var numbers = new Numbers();
                CreoException error;
                do
                {
                    // The other address may come first.
                    error = await caller.Fails(ErrorCode.Unavailable, () => caller.Send(StreamMethods.Sum, numbers.Items()));
                }
                while (!error.FromPeer);
                await numbers.Closed.Task;
            }
        }
    }

    // CALL-47
    [Test]
    public static async Task OtherWiresCarryNoStreams()
    {
        var told = new List<string>();
        var options = new ClientOptions { Interceptors = [new Teller(told, [])], Wire = Wire.Tdxml };
        foreach (Binding binding in new Binding[] { new JsonBinding("http://127.0.0.1:1/x", options), new TcpBinding("127.0.0.1", 1, options) })
        {
            foreach (bool waiting in new[] { true, false })
            {
                var caller = new Streamer(binding, waiting);
                CreoException error = await caller.Fails(ErrorCode.UnknownMethod, () => caller.Read(StreamMethods.Count, 9));
                Assert.Contains("test.Streams.count has streams, which are carried by the binary wire over TCP, or JMS, and by json over HTTP", error.Message);
                Assert.True(error.NotStarted, "nothing was sent");
                await caller.Fails(ErrorCode.UnknownMethod, () => caller.Send(StreamMethods.Sum, [1L]));
                // The interceptors see calls that are not made, too.
                Assert.Equal("begin count; end unknown-method; begin sum; end unknown-method", string.Join("; ", told));
                told.Clear();
            }
            binding.Dispose();
        }
    }
}
