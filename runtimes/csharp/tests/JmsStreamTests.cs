using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Creo.Jms;

namespace Creo.Tests;

/// <summary>Streams by way of a broker that a test makes up (jms.md, section 8).</summary>
public static class JmsStreamTests
{
    private const string Run = "00112233445566ff";
    private const string Other = "ffeeddccbbaa9988";

    /// <summary>The broker's side of one stream.</summary>
    private sealed class Stream(FakeBroker broker, uint queue, FakeMessage request)
    {
        public uint Queue => queue;

        public FakeMessage Request => request;

        public Stream Items(long number, params long[] items) => Send("items", StreamMethods.Longs(items), number);

        public void End(long number, string run = Run, string kind = "response", params byte[] body) => Send(kind, body, number, run);

        public Stream Send(string kind, byte[] body, long number, string run = Run) =>
            Send(body, new() { ["Creo_kind"] = kind, ["Creo_run"] = run, ["Creo_item"] = number.ToString() });

        public Stream Send(byte[] body, Dictionary<string, string?> changes, string? id = null)
        {
            Dictionary<string, string> properties = JmsTests.Answering("items");
            foreach ((string name, string? value) in changes)
            {
                properties.Remove(name);
                if (value is not null)
                {
                    properties.Add(name, value);
                }
            }
            broker.Answer(id ?? request.CorrelationId, body, properties, handle: queue);
            return this;
        }

        /// <summary>The client deletes the queue.</summary>
        public void AwaitDelete() => broker.AwaitDelete(queue);
    }

    private static Stream Begin(FakeBroker broker)
    {
        uint queue = broker.CreateQueue();
        return new Stream(broker, queue, broker.ReadMessage());
    }

    private static void AnswerCall(FakeBroker broker) => JmsTests.Answer(broker, broker.ReadMessage(), [1, 9]);

    /// <summary>Runs a test in both forms against the broker's side of its streams.</summary>
    private static async Task Both(Action<FakeBroker> script, Func<JmsBinding, Streamer, Task> test, ClientOptions? options = null, bool drops = false)
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var server = new FakeServer(session =>
            {
                FakeBroker broker = new FakeBroker(session).Greet();
                script(broker);
                if (!drops)
                {
                    broker.ReadToEnd();
                }
            });
            using JmsBinding client = JmsTests.Client(server, options: options);
            await test(client, new Streamer(client, waiting));
            client.Dispose();
            server.Dispose();
        }
    }

    /// <summary>A stream that ends with an error after these items; the connection then carries a call.</summary>
    private static Task Fails(ErrorCode code, string items, Action<Stream> script, ClientOptions? options = null, string text = "") => Both(
        broker =>
        {
            Stream stream = Begin(broker);
            script(stream);
            stream.AwaitDelete();
            AnswerCall(broker);
        },
        async (client, caller) =>
        {
            List<long> read = [];
            CreoException error = await caller.Fails(code, () => caller.Read<int, Unit, long>(StreamMethods.Count, 9, read));
            Assert.Equal(items, string.Join(" ", read));
            Assert.Contains(text, error.Text);
            Assert.True(error.Details["peer"].StartsWith("127.0.0.1:", StringComparison.Ordinal), "the peer is named");
            Assert.Equal([9], await client.CallAsync(SampleMethods.Echo, new byte[] { 1 }));
        },
        options);

    // JMS-24, JMS-25, JMS-27
    [Test]
    public static Task ItemsComeFromAQueueOfTheirOwn() => Both(
        broker =>
        {
            Stream stream = Begin(broker);
            Assert.Equal("queue-2", stream.Request.ReplyTo);
            Assert.Equal(null, stream.Request.Head.TimeToLive);
            Assert.Equal("999999999", stream.Request.Properties["Creo_timeout"]);
            Assert.Equal("0102030405060708", stream.Request.Properties["Creo_method"]);
            Assert.Bytes("00000009", stream.Request.Body);
            stream.Items(0, 1, 2).Items(2).Send(StreamMethods.Longs(7), [], "another").Items(2, 3).End(3, Run.ToUpperInvariant());
            stream.AwaitDelete();
            AnswerCall(broker);
            // The handle is free again.
            stream = Begin(broker);
            Assert.Equal("queue-2", stream.Request.ReplyTo);
            stream.End(0);
            stream.AwaitDelete();
        },
        async (client, caller) =>
        {
            Assert.Equal("1 2 3", string.Join(" ", await caller.Read(StreamMethods.Count, 9)));
            Assert.Equal([9], await client.CallAsync(SampleMethods.Echo, new byte[] { 1 }));
            Assert.Equal("", string.Join(" ", await caller.Read(StreamMethods.Count, 9)));
        });

    [Test]
    public static async Task FailuresComeAfterTheItems()
    {
        await Both(
            broker => Begin(broker).Items(0, 1, 2).End(2, kind: "exception", body: [0, 1, (byte)'x']),
            async (client, caller) =>
            {
                List<long> read = [];
                NotFoundException stopped = await Assert.ThrowsAsync<NotFoundException>(() => caller.Read<int, Unit, long>(StreamMethods.Count, 9, read));
                Assert.Equal("1 2", string.Join(" ", read));
            });
        byte[] error = StreamMethods.Refusal(10, "no");
        // JMS-26: the host of an error may not know whether the broker has taken the last items.
        foreach (int number in new[] { 0, 1, 2 })
        {
            await Fails(ErrorCode.PermissionDenied, "1", stream => stream.Items(0, 1).End(number, kind: "error", body: error));
            await Fails(ErrorCode.PermissionDenied, "", stream => stream.End(number, kind: "error", body: error));
        }
        await Fails(ErrorCode.Malformed, "1", stream => stream.Items(0, 1).End(1, body: 0));
        // A host that did not run the method.
        var refusal = new Dictionary<string, string?> { ["Creo_kind"] = "error" };
        await Fails(ErrorCode.PermissionDenied, "", stream => stream.Send(error, refusal));
        await Fails(ErrorCode.PermissionDenied, "", stream => stream.Items(0).Send(error, refusal));
        await Fails(ErrorCode.Unavailable, "1", stream => stream.Items(0, 1).Send(error, refusal));
    }

    // JMS-26
    [Test]
    public static async Task NoItemComesTwice()
    {
        await Both(
            broker => Begin(broker).Items(0).Send("items", StreamMethods.Longs(1, 2), 0, Other).End(2, Other),
            async (client, caller) => Assert.Equal("1 2", string.Join(" ", await caller.Read(StreamMethods.Count, 9))));
        await Fails(ErrorCode.Unavailable, "1", stream => stream.Items(0, 1).Send("items", StreamMethods.Longs(1), 0, Other), text: "again");
        await Fails(ErrorCode.Unavailable, "1", stream => stream.Items(0, 1).End(0, Other), text: "again");
    }

    [Test]
    public static async Task HostileMessagesEndTheStream()
    {
        foreach ((string name, string? value, ErrorCode code) in new[]
        {
            ("Creo_run", null, ErrorCode.Malformed), ("Creo_run", Run[1..], ErrorCode.Malformed), ("Creo_run", Run + "0", ErrorCode.Malformed),
            ("Creo_run", "g" + Run[1..], ErrorCode.Malformed), ("Creo_item", null, ErrorCode.Malformed), ("Creo_item", "", ErrorCode.Malformed), ("Creo_item", "1", ErrorCode.Malformed),
            ("Creo_item", "3", ErrorCode.Malformed), ("Creo_item", "-2", ErrorCode.Malformed), ("Creo_item", " 2", ErrorCode.Malformed), ("Creo_item", "\u0662", ErrorCode.Malformed),
            ("Creo_item", new string('9', 19), ErrorCode.Malformed), ("Creo_item", new string('0', 19) + "2", ErrorCode.Malformed),
            ("SOAPJMS_contentEncoding", "gzip", ErrorCode.Malformed), ("Creo_kind", "item", ErrorCode.ProtocolMismatch), ("Creo_kind", null, ErrorCode.ProtocolMismatch),
            ("SOAPJMS_contentType", "text/plain", ErrorCode.ProtocolMismatch), ("SOAPJMS_contentType", null, ErrorCode.ProtocolMismatch),
            ("SOAPJMS_bindingVersion", "2.0", ErrorCode.ProtocolMismatch), ("x", new string('y', 100_000), ErrorCode.TooLarge),
        })
        {
            var properties = new Dictionary<string, string?> { ["Creo_run"] = Run, ["Creo_item"] = "2" };
            properties[name] = value;
            await Fails(code, "1 2", stream => stream.Items(0, 1, 2).Send(StreamMethods.Longs(9), properties));
        }
        foreach (byte[] body in new byte[][] { [], [0xff], [2, 0, 0], [0xff, 0xff, 0xff, 0xff, 0xff], [.. StreamMethods.Longs(1), 0] })
        {
            await Fails(ErrorCode.Malformed, "1 2", stream => stream.Items(0, 1, 2).Send("items", body, 2));
        }
        var small = new ClientOptions { Limits = new Limits { MaxMessageSize = 100_000 } };
        await Fails(ErrorCode.TooLarge, "1 2", stream => stream.Items(0, 1, 2).Items(2, new long[20_000]), small);
    }

    // JMS-27
    [Test]
    public static Task AStreamThatIsLeftDeletesItsQueue() => Both(
        broker =>
        {
            Stream stream = Begin(broker).Items(0, 1, 2, 3);
            stream.AwaitDelete();
            broker.Flows.Clear();
            AnswerCall(broker);
            Assert.True(broker.Flows.All(flow => flow.Handle != FakeBroker.HandleOf(stream.Queue)), "no more is let in");
        },
        async (client, caller) =>
        {
            List<long> read = [];
            await caller.Read<int, Unit, long>(StreamMethods.Count, 9, read, take: 1);
            Assert.Equal("1", string.Join(" ", read));
            Assert.Equal([9], await client.CallAsync(SampleMethods.Echo, new byte[] { 1 }));
        });

    // JMS-24, LIM-38
    [Test]
    public static Task WhatASlowReaderHasIsBounded() => HasNoMoreThanTheWindow(Enumerable.Repeat(64_000, 40));

    // JMS-24: the size of the next message is not known.
    [Test]
    public static Task LargeItemsAfterSmallOnesAreBounded() => HasNoMoreThanTheWindow([.. Enumerable.Repeat(10, 100), .. Enumerable.Repeat(300_000, 30)]);

    /// <summary>A reader that stops after its first item lets in the window and two messages; each has one item, of so many bytes.</summary>
    private static async Task HasNoMoreThanTheWindow(IEnumerable<int> messages)
    {
        int[] sizes = [.. messages];
        long window = Limits.Default.StreamWindow;
        long SumOf(int from, int to) => sizes.Take(to).Skip(from).Sum(size => (long)size);
        foreach (bool waiting in new[] { true, false })
        {
            using var full = new ManualResetEventSlim();
            int taken = 0;
            long ahead = 0;
            using var server = new FakeServer(session =>
            {
                FakeBroker broker = new FakeBroker(session).Greet();
                Stream stream = Begin(broker);
                for (int sent = 0; sent < sizes.Length; sent++)
                {
                    int Granted() => broker.Flows.Where(flow => flow.Handle == FakeBroker.HandleOf(stream.Queue)).Select(flow => (int)(flow.Count + flow.Credit)).Append(0).Max();
                    while (Granted() <= sent)
                    {
                        if (SumOf(1, sent) >= window)
                        {
                            // All that the reader lets in beside its first item is here: only now it goes on.
                            full.Set();
                        }
                        broker.Await(Amqp.Flow);
                        ahead = Math.Max(ahead, SumOf(Volatile.Read(ref taken), Granted()));
                    }
                    using var writer = new Writer();
                    writer.WriteCount(1);
                    writer.WriteString(new string('x', sizes[sent]));
                    stream.Send("items", writer.Written.ToArray(), sent);
                }
                stream.End(sizes.Length);
                broker.ReadToEnd();
            });
            using JmsBinding client = JmsTests.Client(server);
            List<string> read = [];
            await new Streamer(client, waiting).Read<Unit, Unit, string>(StreamMethods.Texts, default, read, onItem: () =>
            {
                if (Interlocked.Increment(ref taken) == 1)
                {
                    full.Wait();
                }
            });
            Assert.True(read.Select(item => item.Length).SequenceEqual(sizes), "items");
            // One more may have been handed to the program, which has not counted it yet.
            Assert.True(ahead >= window && ahead <= window + (3 * sizes.Max()), $"{ahead} bytes");
            client.Dispose();
        }
    }

    // TCP-36
    [Test]
    public static async Task ALostConnectionGivesWhatCame()
    {
        await Both(
            broker => Begin(broker).Items(0, 1, 2),
            async (client, caller) =>
            {
                List<long> read = [];
                await caller.Fails(ErrorCode.Unavailable, () => caller.Read<int, Unit, long>(StreamMethods.Count, 9, read));
                Assert.Equal("1 2", string.Join(" ", read));
            },
            drops: true);
    }

    // JMS-18: the connection goes on.
    [Test]
    public static async Task AQueueThatTheBrokerDoesNotGiveEndsItsCall()
    {
        await Both(
            broker =>
            {
                broker.Detach("amqp:unauthorized-access", "not you", broker.CreateQueue(isRefused: true));
                broker.Await(Amqp.Detach);
                Stream stream = Begin(broker).Items(0, 1);
                broker.Detach("amqp:resource-deleted", "gone", stream.Queue);
                broker.Await(Amqp.Detach);
                uint queue = broker.CreateQueue();
                broker.Settle(broker.ReadMessage().Id, Amqp.Rejected, "amqp:resource-limit-exceeded", "full");
                broker.AwaitDelete(queue);
                AnswerCall(broker);
            },
            async (client, caller) =>
            {
                CreoException error = await caller.Fails(ErrorCode.PermissionDenied, () => caller.Read(StreamMethods.Count, 9));
                Assert.True(error.NotStarted, "nothing was sent");
                List<long> read = [];
                error = await caller.Fails(ErrorCode.Unavailable, () => caller.Read<int, Unit, long>(StreamMethods.Count, 9, read));
                Assert.Contains("gone", error.Text);
                Assert.Equal("1", string.Join(" ", read));
                await caller.Fails(ErrorCode.Overloaded, () => caller.Read(StreamMethods.Count, 9));
                Assert.Equal([9], await client.CallAsync(SampleMethods.Echo, new byte[] { 1 }));
            });
    }

    // CALL-44
    [Test]
    public static Task ADeadlineCoversTheWholeStream() => Both(
        broker =>
        {
            Stream stream = Begin(broker).Items(0, 1);
            Assert.True(stream.Request.Head.TimeToLive is > 0 and <= 3000, "the time to live");
            stream.AwaitDelete();
        },
        async (client, caller) =>
        {
            List<long> read = [];
            var options = new CallOptions { Deadline = TimeSpan.FromSeconds(3) };
            await caller.Fails(ErrorCode.DeadlineExceeded, () => caller.Read<int, Unit, long>(StreamMethods.Count, 9, read, options));
            Assert.Equal("1", string.Join(" ", read));
        });

    // JMS-26: a message after more items than came, when the call's time is over.
    [Test]
    public static async Task ItemsMayHaveExpired()
    {
        using var over = new ManualResetEventSlim();
        using var sent = new ManualResetEventSlim();
        using var server = new FakeServer(session =>
        {
            FakeBroker broker = new FakeBroker(session).Greet();
            Stream stream = Begin(broker).Items(0, 1);
            over.Wait();
            stream.Items(3, 4);
            broker.ReadOutcomes(2);
            sent.Set();
            broker.ReadToEnd();
        });
        using JmsBinding client = JmsTests.Client(server);
        var options = new CallOptions { Deadline = TimeSpan.FromSeconds(3) };
        await using IAsyncEnumerator<long> items = client.ReceiveAsync(StreamMethods.Count, 9, null, options).GetAsyncEnumerator();
        Assert.True(await items.MoveNextAsync(), "an item");
        await Task.Delay(options.Deadline.Value);
        over.Set();
        sent.Wait();
        CreoException error = await Assert.ThrowsAsync<CreoException>(async () => await items.MoveNextAsync());
        Assert.Equal(ErrorCode.DeadlineExceeded, error.Code);
        Assert.True(error.Details["peer"].StartsWith("127.0.0.1:", StringComparison.Ordinal), "the peer is named");
        client.Dispose();
    }

    [Test]
    public static async Task ATokenEndsTheStream()
    {
        using var server = new FakeServer(session => Begin(new FakeBroker(session).Greet()).Items(0, 1).AwaitDelete());
        using JmsBinding client = JmsTests.Client(server);
        using var source = new CancellationTokenSource();
        await Assert.ThrowsAsync<OperationCanceledException>(async () =>
        {
            await foreach (long item in client.ReceiveAsync(StreamMethods.Count, 9, null, null, source.Token))
            {
                source.Cancel();
            }
        });
        server.Join();
        client.Dispose();
    }

    [Test]
    public static async Task StreamsAndCallsShareAConnection()
    {
        using var server = new FakeServer(session =>
        {
            FakeBroker broker = new FakeBroker(session).Greet();
            Stream one = Begin(broker).Items(0, 1);
            Stream two = Begin(broker).Send("items", StreamMethods.Longs(2), 0, Other);
            Assert.Equal("queue-3", two.Request.ReplyTo);
            AnswerCall(broker);
            two.Send("items", StreamMethods.Longs(4), 1, Other).End(2, Other);
            one.Items(1, 3).End(2);
            session.ReadToEnd();
        });
        using JmsBinding client = JmsTests.Client(server);
        await using IAsyncEnumerator<long> one = client.ReceiveAsync(StreamMethods.Count, 9).GetAsyncEnumerator();
        await using IAsyncEnumerator<long> two = client.ReceiveAsync(StreamMethods.Count, 9).GetAsyncEnumerator();
        Assert.True(await one.MoveNextAsync() && await two.MoveNextAsync(), "both have begun");
        Assert.Equal((1, 2), (one.Current, two.Current));
        Assert.Equal([9], await client.CallAsync(SampleMethods.Echo, new byte[] { 1 }));
        Assert.True(await one.MoveNextAsync() && await two.MoveNextAsync(), "both go on");
        Assert.Equal((3, 4), (one.Current, two.Current));
        Assert.True(!await one.MoveNextAsync() && !await two.MoveNextAsync(), "both have ended");
        client.Dispose();
    }

    // CALL-4, CALL-15
    [Test]
    public static Task InterceptorsSeeTheEnd()
    {
        var told = new List<string>();
        return Both(
            broker => Begin(broker).Items(0, 1).Send([], new() { ["Creo_kind"] = "response", ["Creo_run"] = Run, ["Creo_item"] = "1", ["Creo_meta_a"] = "b" }),
            async (client, caller) =>
            {
                Answer? answer = null;
                await caller.Read<int, Unit, long>(StreamMethods.Count, 9, [], new CallOptions { OnAnswer = given => answer = given }, onItem: () => told.Add("item"));
                Assert.Equal("b", answer!.Metadata["a"]);
                Assert.Equal("begin count; item; end result", string.Join("; ", told));
                told.Clear();
            },
            new ClientOptions { Interceptors = [new StreamCallTests.Teller(told, [])] });
    }

    // JMS-23
    [Test]
    public static async Task OtherStreamsAreNotCarried()
    {
        var broker = new JmsBroker("127.0.0.1", 1);
        foreach (JmsWire wire in new[] { JmsWire.Binary, JmsWire.Soap, JmsWire.Tdxml })
        {
            using var client = new JmsBinding(broker, JmsTests.Address, wire);
            foreach (bool waiting in new[] { true, false })
            {
                var caller = new Streamer(client, waiting);
                await caller.Fails(ErrorCode.UnknownMethod, () => caller.Send(StreamMethods.Sum, [1L]));
                await caller.Fails(ErrorCode.UnknownMethod, () => caller.Read<Unit, long, long>(StreamMethods.Talk, default, [], items: [1L]));
                if (wire != JmsWire.Binary)
                {
                    CreoException error = await caller.Fails(ErrorCode.UnknownMethod, () => caller.Read(StreamMethods.Count, 9));
                    Assert.Contains("JMS", error.Text);
                }
            }
        }
    }
}
