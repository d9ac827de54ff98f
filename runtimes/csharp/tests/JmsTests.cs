using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Creo.Jms;

namespace Creo.Tests;

/// <summary>Calls by way of a broker that a test makes up.</summary>
public static class JmsTests
{
    internal const string Address = "jms:queue:data";
    private static readonly Dictionary<string, string> Response = Answering("response");

    internal static Dictionary<string, string> Answering(string kind, string type = "application/vnd.creo.binary") => new()
    {
        ["SOAPJMS_requestURI"] = Address, ["SOAPJMS_bindingVersion"] = "1.0", ["SOAPJMS_contentType"] = type, ["Creo_kind"] = kind,
    };

    internal static JmsBinding Client(FakeServer server, string address = Address, ClientOptions? options = null, JmsWire wire = JmsWire.Binary) =>
        new(new JmsBroker("127.0.0.1", server.Port), address, wire, options);

    internal static void Answer(FakeBroker broker, FakeMessage message, byte[] body) => broker.Answer(message.CorrelationId, body, Response);

    /// <summary>Runs a test against a script in both ways to call, with a connection each. The client closes it when the script has ended, or before if that is its end.</summary>
    internal static async Task Both(
        Action<FakeBroker> script, Func<CallTests.Caller, Task> test, string address = Address, ClientOptions? options = null, bool closes = false)
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var server = new FakeServer(session => script(new FakeBroker(session)));
            using JmsBinding client = Client(server, address, options);
            await test(new CallTests.Caller(client, waiting));
            if (closes)
            {
                client.Dispose();
            }
            server.Dispose();
        }
    }

    internal static ValueArray<byte> Bytes(int count) => Enumerable.Range(0, count).Select(i => (byte)(i * 7)).ToArray();

    // JMS-3, JMS-4, JMS-6, JMS-10, JMS-16
    [Test]
    public static async Task ARequestSaysWhatItIs()
    {
        await Both(
            broker =>
            {
                broker.Greet();
                Assert.Equal(("ANONYMOUS", "creo"), broker.Sasl);
                FakeMessage message = broker.ReadMessage();
                Assert.Equal((true, null, message.Head.TimeToLive), message.Head);
                Assert.True(message.Head.TimeToLive is > 0 and <= 60_000, "the time to live");
                Assert.Equal("data", message.To);
                Assert.Equal(FakeBroker.Queue, message.ReplyTo);
                Assert.True(message.CorrelationId.Length == 32 && message.CorrelationId.All(char.IsAsciiHexDigitLower), message.CorrelationId);
                string time = message.Properties["Creo_timeout"];
                Assert.True(int.Parse(time, null) <= message.Head.TimeToLive, time);
                message.Properties.Remove("Creo_timeout");
                Assert.Equal(
                    "Creo_meta_a_2db_2ec=%C3%BC%20x, Creo_method=0000000000000002, SOAPJMS_bindingVersion=1.0, SOAPJMS_contentType=application/vnd.creo.binary,"
                    + " SOAPJMS_requestURI=jms:queue:data",
                    string.Join(", ", message.Properties.OrderBy(p => p.Key, StringComparer.Ordinal).Select(p => $"{p.Key}={p.Value}")));
                Assert.Bytes("03 010203", message.Body);
                Answer(broker, message, [1, 9]);
                broker.ReadOutcomes(1);
                Assert.Equal((0u, 0u, Amqp.Accepted), broker.Outcomes[0]);
            },
            async caller => Assert.Equal([9], await caller.Call(SampleMethods.Echo, new byte[] { 1, 2, 3 })),
            options: new ClientOptions { Metadata = new Dictionary<string, string> { ["a-b.c"] = "ü x" } });
    }

    [Test]
    public static async Task TheAddressSaysHowMessagesTravel()
    {
        await Both(
            broker =>
            {
                FakeMessage message = broker.Greet().ReadMessage();
                Assert.Equal(4u, message.Head.Priority);
                Assert.Equal(false, message.Head.Durable);
                Assert.True(message.Head.TimeToLive is > 0 and <= 5000, "the time to live is that of the address");
                Assert.Equal("jms:queue:a%20b?priority=4&deliveryMode=NON_PERSISTENT&timeToLive=5000", message.Properties["SOAPJMS_requestURI"]);
                Assert.Equal("x.Y", message.Properties["SOAPJMS_targetService"]);
                Assert.Equal("a b", message.To);
                Answer(broker, message, [0]);
            },
            async caller => Assert.Equal([], await caller.Call(SampleMethods.Echo, [])),
            "jms:queue:a%20b?priority=4&targetService=x.Y&deliveryMode=NON_PERSISTENT&other=1&timeToLive=5000");
    }

    // JMS-1
    [Test]
    public static void WrongAddressesAreRefused()
    {
        var broker = new JmsBroker("127.0.0.1", 1);
        foreach (string address in new[]
        {
            "", "jms:", "jms:queue:", "jms:jndi:x", "http://x", "jms:queue", "JMS:queue:q", "jms:queue:q?priority=10", "jms:queue:q?priority=-1", "jms:queue:q?priority=",
            "jms:queue:q?deliveryMode=persistent", "jms:queue:q?timeToLive=1s", "jms:queue:q?jndiURL=x", "jms:queue:q?jndi-x=y", "jms:queue:q?a=1&a=2", "jms:queue:q%2",
            "jms:queue:q%ff", "jms:queue:q?replyToName=", "jms:queue:q?targetService=", "jms:queue:q?%6andiX=1", "jms:queue:q?JNDIurl=x",
        })
        {
            CreoException error = Assert.Fails(ErrorCode.InvalidValue, () => new JmsBinding(broker, address).Dispose());
            Assert.Contains(address, error.Message);
        }
        Assert.Contains("4096", Assert.Fails(ErrorCode.InvalidValue, () => new JmsBinding(broker, "jms:queue:" + new string('q', 4087)).Dispose()).Message);
        new JmsBinding(broker, "jms:queue:" + new string('q', 4086)).Dispose();
        new JmsBinding(broker, "jms:topic:t?x=1&y&timeToLive=0").Dispose();
        Assert.Throws<ArgumentException>(() => new JmsBinding(broker, Address, options: new ClientOptions { Tls = new TlsOptions() }).Dispose());
        Assert.Throws<ArgumentException>(() => broker.WithCredentials("a\0b", ""));
        Assert.Throws<ArgumentOutOfRangeException>(() => new JmsBroker("x", 0));
    }

    // JMS-6, JMS-14: answers to unknown calls, and to calls that have ended.
    [Test]
    public static async Task OnlyTheRightAnswerIsTaken()
    {
        await Both(
            broker =>
            {
                FakeMessage message = broker.Greet().ReadMessage();
                broker.Answer(new string('0', 32), [1, 1], Response);
                broker.Answer(null, [1, 2], Response);
                broker.Answer(message.CorrelationId + "0", [1, 3], Response);
                Answer(broker, message, [1, 4]);
                Answer(broker, message, [1, 5]);
                Answer(broker, broker.ReadMessage(), [1, 6]);
                broker.ReadOutcomes(6);
                Assert.True(broker.Outcomes.All(outcome => outcome.Outcome == Amqp.Accepted), "all are taken off the client's own queue");
            },
            async caller =>
            {
                Assert.Equal([4], await caller.Call(SampleMethods.Echo, []));
                Assert.Equal([6], await caller.Call(SampleMethods.Echo, []));
            });
    }

    [Test]
    public static async Task ALateAnswerIsDropped()
    {
        using var giveUp = new CancellationTokenSource();
        using var server = new FakeServer(session =>
        {
            FakeBroker broker = new FakeBroker(session).Greet();
            FakeMessage first = broker.ReadMessage();
            giveUp.Cancel();
            FakeMessage second = broker.ReadMessage();
            Answer(broker, first, [1, 1]);
            Answer(broker, second, [1, 2]);
            broker.ReadOutcomes(2);
        });
        using JmsBinding client = Client(server);
        await Assert.ThrowsAsync<OperationCanceledException>(async () => await client.CallAsync(SampleMethods.Echo, [], null, giveUp.Token));
        Assert.Equal([2], await client.CallAsync(SampleMethods.Echo, []));
        server.Dispose();
    }

    // JMS-14: a queue that several clients have.
    [Test]
    public static async Task OfASharedQueueOnlyItsOwn()
    {
        await Both(
            broker =>
            {
                FakeMessage message = broker.Greet().ReadMessage();
                Assert.Equal("shared", message.ReplyTo);
                Assert.Equal($"JMSCorrelationID LIKE '{message.CorrelationId[..16]}%'", broker.Selector);
                broker.Answer(new string('x', 32), [1, 1], Response);
                broker.Answer(message.CorrelationId[..16] + new string('0', 16), [1, 2], Response);
                Answer(broker, message, [1, 3]);
                broker.ReadOutcomes(3);
                Assert.Equal((0u, 0u, Amqp.Released), broker.Outcomes[0]);
                Assert.Equal((1u, 2u, Amqp.Accepted), (broker.Outcomes[1].First, broker.Outcomes[^1].Last, broker.Outcomes[^1].Outcome));
            },
            async caller => Assert.Equal([3], await caller.Call(SampleMethods.Echo, [])),
            "jms:queue:data?replyToName=shared");
        await Both(
            broker => broker.Greet(new Greeting { HasSelector = false }).ReadToEnd(),
            async caller => Assert.Contains("selectors", (await caller.Fails(ErrorCode.ProtocolMismatch, SampleMethods.Echo, [])).Message),
            "jms:queue:data?replyToName=shared",
            closes: true);
    }

    [Test]
    public static async Task ManyCallsAtOnceInAnyOrder()
    {
        using var server = new FakeServer(session =>
        {
            FakeBroker broker = new FakeBroker(session).Greet();
            FakeMessage[] all = [.. Enumerable.Range(0, 100).Select(_ => broker.ReadMessage())];
            foreach (FakeMessage message in all.Reverse())
            {
                Answer(broker, message, message.Body);
            }
            broker.ReadOutcomes(100);
        });
        using JmsBinding client = Client(server);
        ValueArray<byte>[] answers = await Task.WhenAll(Enumerable.Range(0, 100).Select(i => client.CallAsync(SampleMethods.Echo, new[] { (byte)i }).AsTask()));
        for (int i = 0; i < 100; i++)
        {
            Assert.Equal([(byte)i], answers[i]);
        }
        server.Dispose();
    }

    // More answers than are asked for at first.
    [Test]
    public static async Task CreditIsGivenAgain()
    {
        await Both(
            broker =>
            {
                broker.Greet();
                for (int i = 0; i < 600; i++)
                {
                    Answer(broker, broker.ReadMessage(), [1, (byte)i]);
                }
            },
            async caller =>
            {
                for (int i = 0; i < 600; i++)
                {
                    Assert.Equal([(byte)i], await caller.Call(SampleMethods.Echo, []));
                }
            });
    }

    [Test]
    public static async Task RequestsAreSplitOverFrames()
    {
        ValueArray<byte> data = Bytes(100_000);
        await Both(
            broker =>
            {
                broker.Greet(new Greeting { MaxFrame = 512, Window = 20 });
                Task<FakeMessage> reading = Task.Run(broker.ReadMessage);
                // The window of the session is opened gradually: what was received is not known here, so that all of it may be sent.
                for (uint window = 40; !reading.Wait(1); window += 20)
                {
                    broker.Flow(1000, window: window);
                }
                FakeMessage message = reading.Result;
                Assert.True(message.Frames.All(size => size <= 512) && message.Frames.Count > 200, $"{message.Frames.Count} frames");
                Answer(broker, message, message.Body);
            },
            async caller => Assert.Equal(data, await caller.Call(SampleMethods.Echo, data)));
    }

    [Test]
    public static async Task AnswersArePutTogether()
    {
        ValueArray<byte> data = Bytes(5000);
        byte[] body = [0x88, 0x27, .. data.Span];
        foreach (int piece in new[] { 1, 7, 100, 4096, 60_000 })
        {
            await Both(
                broker => broker.Answer(broker.Greet().ReadMessage().CorrelationId, body, Response, piece),
                async caller => Assert.Equal(data, await caller.Call(SampleMethods.Echo, [])));
        }
    }

    // JMS-15
    [Test]
    public static async Task AOnewayCallEndsWhenTheBrokerHasIt()
    {
        await Both(
            broker =>
            {
                FakeMessage message = broker.Greet().ReadMessage();
                Assert.Equal(null, message.ReplyTo);
                Assert.Equal("0000000000000003", message.Properties["Creo_method"]);
                broker.Settle(message.Id);
                broker.Settle(broker.ReadMessage().Id, isSettled: false);
                message = broker.ReadMessage();
                broker.Settle(message.Id, Amqp.Rejected, "amqp:resource-limit-exceeded", "full");
                broker.Settle(broker.ReadMessage().Id, Amqp.Released);
            },
            async caller =>
            {
                await caller.Call(SampleMethods.Note, (1, 2L));
                await caller.Call(SampleMethods.Note, (1, 2L));
                CreoException error = await caller.Fails(ErrorCode.Overloaded, SampleMethods.Note, (1, 2L));
                Assert.Contains("full", error.Message);
                Assert.Equal("amqp:resource-limit-exceeded", error.Details["amqp-condition"]);
                Assert.True(error.FromPeer, "the broker said it");
                await caller.Fails(ErrorCode.Unavailable, SampleMethods.Note, (1, 2L));
            });
    }

    [Test]
    public static async Task ARefusedRequestFailsItsCall()
    {
        await Both(
            broker =>
            {
                broker.Greet();
                broker.Settle(broker.ReadMessage().Id, Amqp.Rejected, "amqp:unauthorized-access", "no");
                FakeMessage message = broker.ReadMessage();
                broker.Settle(message.Id);
                Answer(broker, message, [0]);
            },
            async caller =>
            {
                await caller.Fails(ErrorCode.PermissionDenied, SampleMethods.Echo, []);
                Assert.Equal([], await caller.Call(SampleMethods.Echo, []));
            });
    }

    // A call waits for credit, and one that drains takes it back.
    [Test]
    public static async Task NothingIsSentWithoutCredit()
    {
        await Both(
            broker =>
            {
                broker.Greet(new Greeting { Credit = 0 });
                broker.Flow(5, isDrain: true);
                byte[] frame = broker.ReadFrame();
                while (!SaysDrained(frame))
                {
                    frame = broker.ReadFrame();
                }
                broker.Flow(1, count: 5);
                Answer(broker, broker.ReadMessage(), [0]);
            },
            async caller => Assert.Equal([], await caller.Call(SampleMethods.Echo, [])));
    }

    private static bool SaysDrained(byte[] frame)
    {
        var reader = new AmqpReader(frame);
        if (reader.ReadDescriptor() != Amqp.Flow)
        {
            return false;
        }
        AmqpReader.Scope list = reader.BeginList();
        for (int i = 0; i < 4; i++)
        {
            reader.Skip();
        }
        bool isSender = reader.ReadUInt() == 0;
        if (isSender)
        {
            Assert.Equal(5u, reader.ReadUInt(), "delivery count");
            Assert.Equal(0u, reader.ReadUInt(), "credit");
        }
        reader.Skip();
        reader.Skip();
        reader.Skip();
        reader.End(list);
        return isSender;
    }
}
