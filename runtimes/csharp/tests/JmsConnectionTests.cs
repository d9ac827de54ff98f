using System;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Creo.Jms;

namespace Creo.Tests;

/// <summary>Connections to a broker: how they begin, end, and come back; and brokers that break the protocol.</summary>
public static class JmsConnectionTests
{
    private static Task Fails(ErrorCode code, string text, Action<FakeBroker> script, ClientOptions? options = null) => JmsTests.Both(
        script,
        async caller =>
        {
            CreoException error = await caller.Fails(code, SampleMethods.Echo, new byte[] { 1 });
            Assert.Contains(text, error.Message);
            Assert.True(error.Details["peer"].StartsWith("127.0.0.1:", StringComparison.Ordinal), "the peer is named");
        },
        options: options,
        closes: true);

    private static async Task FailsRaw(ErrorCode code, string text, Action<Session> script)
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var server = new FakeServer(script);
            using JmsBinding client = JmsTests.Client(server);
            CreoException error = await new CallTests.Caller(client, waiting).Fails(code, SampleMethods.Echo, new byte[] { 1 });
            Assert.Contains(text, error.Message);
            client.Dispose();
        }
    }

    [Test]
    public static async Task OtherProtocolsAreNamed()
    {
        foreach ((string said, string named) in new[]
        {
            ("HTTP/1.1 400 Bad Request\r\n\r\n", "HTTP"), ("\u0015\u0003\u0001\0\u0002\u0002\n\0", "TLS"), ("AMQP\0\0\u0009\u0001", "00000901"), ("CREO\u0001\0\0\0", "43 52 45 4f"),
            ("no", "6e 6f"), ("AMQP\0\u0001\0\0", "00010000"),
        })
        {
            await FailsRaw(ErrorCode.ProtocolMismatch, named, session => session.Send(Encoding.Latin1.GetBytes(said)));
        }
        await FailsRaw(ErrorCode.Unavailable, "closed the connection", session => session.Read(8));
        await FailsRaw(ErrorCode.Unavailable, "closed the connection", session => session.Send("414d51"));
    }

    [Test]
    public static async Task WhoCallsIsAsked()
    {
        await Fails(ErrorCode.Unauthenticated, "credentials", broker => broker.Greet(new Greeting { SaslCode = 1 }));
        await Fails(ErrorCode.Unavailable, "says 4", broker => broker.Greet(new Greeting { SaslCode = 4 }));
        await FailsRaw(ErrorCode.Unauthenticated, "offers PLAIN", session =>
        {
            session.Read(8);
            session.Send("414d5150 03010000 00000015 02 01 0000 005340 c0 08 01 a3 05 504c41494e");
        });
        await FailsRaw(ErrorCode.Malformed, "ways to authenticate", session =>
        {
            session.Read(8);
            session.Send("414d5150 03010000 0000000c 02 01 0000 005344 45");
        });
    }

    // JMS-18
    [Test]
    public static async Task TheBrokersErrorsAreErrorsOfTheList()
    {
        foreach ((string condition, ErrorCode code) in new[]
        {
            ("amqp:unauthorized-access", ErrorCode.PermissionDenied), ("amqp:not-found", ErrorCode.Unavailable), ("amqp:resource-limit-exceeded", ErrorCode.Overloaded),
            ("amqp:link:message-size-exceeded", ErrorCode.TooLarge), ("amqp:decode-error", ErrorCode.ProtocolMismatch), ("amqp:frame-size-too-small", ErrorCode.ProtocolMismatch),
            ("amqp:invalid-field", ErrorCode.ProtocolMismatch), ("amqp:illegal-state", ErrorCode.ProtocolMismatch), ("amqp:not-allowed", ErrorCode.ProtocolMismatch),
            ("amqp:not-implemented", ErrorCode.ProtocolMismatch), ("amqp:connection:framing-error", ErrorCode.ProtocolMismatch), ("x:y", ErrorCode.Unavailable),
        })
        {
            await Fails(code, condition, broker =>
            {
                broker.Greet().ReadMessage();
                broker.Detach(condition, "a reason");
                Assert.Equal(Amqp.Close, broker.ReadToEnd()[^1], "the client says farewell");
            });
        }
        await Fails(ErrorCode.Unavailable, "gives no messages", broker =>
        {
            broker.Greet().ReadMessage();
            broker.Detach("amqp:not-found", null, handle: 8);
        });
        await Fails(ErrorCode.Unavailable, "closed the connection: amqp:connection:forced, a\\u000ab", broker =>
        {
            broker.Greet().ReadMessage();
            broker.End(Amqp.Close, "amqp:connection:forced", "a\nb");
        });
        await Fails(ErrorCode.Unavailable, "ended the session", broker =>
        {
            broker.Greet().ReadMessage();
            broker.End(Amqp.End, null);
        });
    }

    // A link that is refused is attached without a target, and detached at once.
    [Test]
    public static async Task ARefusedLinkSaysWhy()
    {
        await FailsRaw(ErrorCode.PermissionDenied, "does not take messages for \"data\"", session =>
        {
            var broker = new FakeBroker(session);
            broker.Authenticate(new Greeting());
            session.Read(8);
            session.Send("414d5150 00010000");
            string? name = null;
            for (int i = 0; i < 3; i++)
            {
                byte[] frame = broker.ReadFrame();
                var reader = new AmqpReader(frame);
                reader.ReadDescriptor();
                reader.BeginList();
                name = i == 2 ? reader.ReadText(1000) : null;
            }
            broker.Send(
                writer =>
                {
                    writer.Begin(Amqp.Open);
                    writer.Text("fake");
                    writer.End();
                },
                0);
            broker.Send(writer =>
            {
                writer.Begin(Amqp.Begin);
                writer.UShort(0);
                writer.UInt(0);
                writer.UInt(10);
                writer.UInt(10);
                writer.End();
            });
            broker.Send(writer =>
            {
                writer.Begin(Amqp.Attach);
                writer.Text(name!);
                writer.UInt(7);
                writer.Boolean(true);
                writer.End();
            });
            broker.Detach("amqp:unauthorized-access", "not you");
            broker.ReadToEnd();
        });
    }

    // JMS-14
    [Test]
    public static async Task ALostConnectionEndsItsCallsAndTheNextConnects()
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var server = new FakeServer(
                session =>
                {
                    FakeBroker broker = new FakeBroker(session).Greet();
                    broker.ReadMessage();
                    broker.ReadMessage();
                },
                session =>
                {
                    FakeBroker broker = new FakeBroker(session).Greet();
                    JmsTests.Answer(broker, broker.ReadMessage(), [0]);
                    broker.ReadToEnd();
                });
            using JmsBinding client = JmsTests.Client(server);
            var caller = new CallTests.Caller(client, waiting);
            Task<CreoException>[] both = [.. Enumerable.Range(0, 2).Select(_ => Task.Run(() => caller.Fails(ErrorCode.Unavailable, SampleMethods.Echo, [])))];
            foreach (Task<CreoException> call in both)
            {
                Assert.Contains("lost", (await call).Message);
            }
            Assert.Equal([], await caller.Call(SampleMethods.Echo, []));
            client.Dispose();
        }
    }

    // A broker that says how soon it wants to hear something hears it.
    [Test]
    public static Task TheClientSaysThatItLives() => JmsTests.Both(
        broker =>
        {
            FakeMessage message = broker.Greet(new Greeting { IdleMilliseconds = 100 }).ReadMessage();
            while (broker.EmptyFrames < 3)
            {
                broker.ReadAny();
            }
            JmsTests.Answer(broker, message, [0]);
        },
        async caller => Assert.Equal([], await caller.Call(SampleMethods.Echo, [])));

    // Frames without content come at any time, and mean nothing.
    [Test]
    public static Task EmptyFramesAreTaken() => JmsTests.Both(
        broker =>
        {
            broker.Greet();
            broker.Send(static _ => { }, 0);
            FakeMessage message = broker.ReadMessage();
            broker.Send(static _ => { }, 9);
            JmsTests.Answer(broker, message, [0]);
        },
        async caller => Assert.Equal([], await caller.Call(SampleMethods.Echo, [])));

    [Test]
    public static async Task BrokersThatBreakTheProtocol()
    {
        (string Text, string Hex)[] frames =
        [
            ("a frame of 262145 bytes", "00040001 02 00 0003"), ("a frame of 4294967295", "ffffffff 02 00 0003"), ("header of a frame", "00000007 02 00 0003"),
            ("header of a frame", "00000008 01 00 0003"), ("header of a frame", "00000008 03 00 0003"), ("header of a frame", "00000008 02 02 0003"),
            ("authentication", "00000008 02 01 0003"), ("channel 4", "0000000c 02 00 0004 00 53 13 45"),
        ];
        (string Text, string Hex)[] contents =
        [
            ("without a description", "41"), ("longer than what holds it", "00"), ("kind 0x55", "00 53 55 45"), ("kind", "00 a3 06 616d71703a78 45"),
            ("a second beginning", "00 53 10 c0 02 01 40"), ("not asked for", "00 53 11 45"), ("without a name", "00 53 12 45"),
            ("not asked for", "00 53 12 c0 06 02 a1 01 78 52 05"), ("of no link", "00 53 14 45"), ("another link", "00 53 14 c0 03 01 52 09"),
            ("of no message", "00 53 15 45"), ("of no link", "00 53 16 45"), ("without a number", "00 53 14 c0 03 01 52 08"), ("where a list must be", "00 53 13 41"),
            ("longer than what holds it", "00 53 13 d0 00000004 000000ff"), ("number of 32 bits", "00 53 13 c0 02 01 41"), ("as long as it says", "00 53 13 c0 03 01 43 43"),
            ("an error that is none", "00 53 18 c0 05 01 00 53 1e 45"),
        ];
        foreach ((string text, string hex) in frames.Concat(contents.Select(content => (content.Text, Frame(content.Hex)))))
        {
            await FailsRaw(ErrorCode.Malformed, text, session =>
            {
                var broker = new FakeBroker(session);
                broker.Greet().ReadMessage();
                session.Send(hex);
                broker.ReadToEnd();
            });
        }
    }

    private static string Frame(string content) => $"{8 + (content.Replace(" ", "").Length / 2):x8} 02 00 0003 {content}";

    [Test]
    public static Task MessagesWithinEachOther() => Fails(ErrorCode.Malformed, "a message within another", broker =>
    {
        broker.Greet().ReadMessage();
        broker.Transfer(0, true, [0]);
        broker.Transfer(1, false, [0]);
        broker.ReadToEnd();
    });

    [Test]
    public static Task AbortedAndUnknownIsNothing() => JmsTests.Both(
        broker =>
        {
            broker.Greet();
            FakeMessage message = broker.ReadMessage();
            broker.Transfer(0, true, [1, 2, 3]);
            broker.Transfer(0, false, [], isAborted: true);
            broker.Settle(4_000_000_000);
            broker.Settle(message.Id, 0x23, isSettled: false);
            JmsTests.Answer(broker, message, [0]);
        },
        async caller => Assert.Equal([], await caller.Call(SampleMethods.Echo, [])));

    [Test]
    public static async Task ClosingEndsTheCalls()
    {
        using var sent = new SemaphoreSlim(0);
        using var server = new FakeServer(session =>
        {
            FakeBroker broker = new FakeBroker(session).Greet();
            broker.ReadMessage();
            sent.Release();
            Assert.Equal(Amqp.Close, broker.ReadToEnd()[^1], "farewell");
        });
        JmsBinding client = JmsTests.Client(server);
        Task<ValueArray<byte>> call = client.CallAsync(SampleMethods.Echo, []).AsTask();
        await sent.WaitAsync();
        client.Dispose();
        Assert.Equal(ErrorCode.Unavailable, (await Assert.ThrowsAsync<CreoException>(async () => await call)).Code);
        Assert.Throws<ObjectDisposedException>(() => client.Call(SampleMethods.Echo, []));
        client.Dispose();
    }

    // LIM-8
    [Test]
    public static async Task MoreCallsThanAllowedAreOverloaded()
    {
        using var server = new FakeServer(session => new FakeBroker(session).Greet(new Greeting { Credit = 0 }).ReadToEnd());
        using JmsBinding client = JmsTests.Client(server, options: new ClientOptions { Limits = new Limits { MaxCallsPerConnection = 2 } });
        Task[] all = [.. Enumerable.Range(0, 3).Select(_ => client.CallAsync(SampleMethods.Echo, []).AsTask())];
        Task ended = await Task.WhenAny(all);
        Assert.Equal(ErrorCode.Overloaded, (await Assert.ThrowsAsync<CreoException>(() => ended)).Code);
        client.Dispose();
        foreach (Task call in all.Where(call => call != ended))
        {
            Assert.Equal(ErrorCode.Unavailable, (await Assert.ThrowsAsync<CreoException>(() => call)).Code);
        }
    }

    // A call that cannot be sent ends at its deadline; nothing of it was sent, and the next one is the first.
    [Test]
    public static async Task ACallThatWaitsForCreditEndsAtItsDeadline()
    {
        using var ended = new SemaphoreSlim(0);
        await JmsTests.Both(
            broker =>
            {
                broker.Greet(new Greeting { Credit = 0 });
                ended.Wait();
                broker.Flow(1);
                FakeMessage message = broker.ReadMessage();
                Assert.Equal(0u, message.Id);
                Assert.Bytes("01 09", message.Body);
                JmsTests.Answer(broker, message, [0]);
            },
            async caller =>
            {
                CreoException error = await caller.Fails(ErrorCode.DeadlineExceeded, SampleMethods.Echo, [], CallOptions.Within(TimeSpan.FromMilliseconds(50)));
                ended.Release();
                Assert.Contains("127.0.0.1:", error.Details["peer"]);
                Assert.Contains($"the time for the call to {JmsTests.Address} by {error.Details["peer"]} is over", error.Message);
                Assert.Equal([], await caller.Call(SampleMethods.Echo, new byte[] { 9 }));
            });
    }

    // Half of a request was sent when its call ended: without leave to send more the connection ends, and the next call has another.
    [Test]
    public static async Task HalfARequestIsNotLeftBehind()
    {
        using var giveUp = new CancellationTokenSource();
        using var server = new FakeServer(
            session =>
            {
                var broker = new FakeBroker(session);
                broker.Greet(new Greeting { MaxFrame = 512, Window = 3 });
                for (int i = 0; i < 3; i++)
                {
                    broker.ReadPiece();
                }
                giveUp.Cancel();
                broker.ReadToEnd();
            },
            session =>
            {
                FakeBroker broker = new FakeBroker(session).Greet();
                JmsTests.Answer(broker, broker.ReadMessage(), [0]);
                broker.ReadToEnd();
            });
        using JmsBinding client = JmsTests.Client(server);
        await Assert.ThrowsAsync<OperationCanceledException>(async () => await client.CallAsync(SampleMethods.Echo, new byte[100_000], null, giveUp.Token));
        Assert.Equal([], await client.CallAsync(SampleMethods.Echo, []));
        client.Dispose();
    }

    // A call that ends while its request is sent: the rest is aborted, which the broker learns, or everything was sent. The connection stays.
    [Test]
    public static async Task ARequestThatIsGivenUpIsAborted()
    {
        for (int i = 0; i < 10; i++)
        {
            using var giveUp = new CancellationTokenSource();
            using var server = new FakeServer(session =>
            {
                FakeBroker broker = new FakeBroker(session).Greet(new Greeting { MaxFrame = 512 });
                (uint id, bool hasMore, bool isAborted) = broker.ReadPiece();
                giveUp.Cancel();
                while (hasMore && !isAborted)
                {
                    (id, hasMore, isAborted) = broker.ReadPiece();
                }
                FakeMessage message = broker.ReadMessage();
                Assert.Equal(id + 1, message.Id);
                Assert.Bytes("01 07", message.Body);
                JmsTests.Answer(broker, message, [0]);
            });
            using JmsBinding client = JmsTests.Client(server);
            await Assert.ThrowsAsync<OperationCanceledException>(async () => await client.CallAsync(SampleMethods.Echo, new byte[300_000], null, giveUp.Token));
            Assert.Equal([], await client.CallAsync(SampleMethods.Echo, new byte[] { 7 }));
            server.Dispose();
        }
    }
}
