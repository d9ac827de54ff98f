using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Creo.Jms;

namespace Creo.Tests;

/// <summary>Brokers whose frames are wrong: each call ends in an error of the list, whatever has come, and no connection lives on with what it did not understand.</summary>
public static class JmsHostileTests
{
    private static readonly ErrorCode[] Allowed =
    [
        ErrorCode.Malformed, ErrorCode.ProtocolMismatch, ErrorCode.Unavailable, ErrorCode.DeadlineExceeded, ErrorCode.TooLarge, ErrorCode.Unauthenticated,
        ErrorCode.PermissionDenied, ErrorCode.Overloaded,
    ];

    // One of the frames of a whole conversation is changed, in one of many ways.
    [Test]
    public static async Task AnyChangeOfAnyFrameEndsInAnAnswerOrAnError()
    {
        var random = new Random(20261122);
        var ends = new Dictionary<string, int>();
        for (int i = 0; i < 10; i++)
        {
            // At once, since many a change leaves both sides waiting until the call's time is over.
            Task<string>[] talks = [.. Enumerable.Range(0, 40).Select(n => (Victim: random.Next(9), Seed: random.Next(), Waiting: n % 2 == 0))
                .Select(talk => Task.Run(() => Talk(talk.Victim, talk.Seed, talk.Waiting)))];
            foreach (string end in await Task.WhenAll(talks))
            {
                ends[end] = ends.GetValueOrDefault(end) + 1;
            }
        }
        // Some changes do not matter, but most do.
        Assert.True(ends.ContainsKey("answered") && ends.GetValueOrDefault("Malformed") > 20, string.Join(", ", ends));
    }

    private static async Task<string> Talk(int victim, int seed, bool waiting)
    {
        using var server = new FakeServer(session =>
        {
            int count = 0;
            var broker = new FakeBroker(session) { Mangle = frame => count++ == victim ? Change(frame, new Random(seed)) : frame };
            try
            {
                broker.Greet();
                FakeMessage message = broker.ReadMessage();
                broker.Settle(message.Id);
                JmsTests.Answer(broker, message, [0]);
                broker.ReadToEnd();
            }
            catch (Exception e) when (e is IOException or CreoException or AssertionException)
            {
                // The client has ended the connection, or behaves differently after different input.
            }
        });
        using JmsBinding client = JmsTests.Client(server);
        try
        {
            await new CallTests.Caller(client, waiting).Call(SampleMethods.Echo, [], CallOptions.Within(TimeSpan.FromMilliseconds(300)));
            return "answered";
        }
        catch (CreoException e)
        {
            Assert.True(Allowed.Contains(e.Code), $"frame {victim} changed by {seed}: {e}");
            return e.Code.ToString();
        }
        finally
        {
            client.Dispose();
        }
    }

    private static byte[] Change(byte[] frame, Random random)
    {
        byte[] changed = [.. frame];
        switch (random.Next(8))
        {
            case 0:
                changed[random.Next(changed.Length)] ^= (byte)(1 << random.Next(8));
                return changed;
            case 1:
                for (int n = random.Next(1, 6); n > 0; n--)
                {
                    changed[random.Next(8, changed.Length)] = (byte)random.Next(256);
                }
                return changed;
            case 2:
                // Cut, but the size says so.
                changed = changed[..random.Next(8, changed.Length)];
                BinaryPrimitives.WriteInt32BigEndian(changed, changed.Length);
                return changed;
            case 3:
                // Cut, and the next frame begins within this one.
                return changed[..random.Next(1, changed.Length)];
            case 4:
                BinaryPrimitives.WriteUInt32BigEndian(changed, (uint)random.NextInt64(uint.MaxValue));
                return changed;
            case 5:
                return [.. changed, .. changed];
            case 6:
                // Another kind of frame with the same content.
                changed[Math.Min(10, changed.Length - 1)] = (byte)random.Next(0x10, 0x1a);
                return changed;
            default:
                // Lists within lists, as deep as a frame is long.
                byte[] deep = [.. changed[..Math.Min(11, changed.Length)], .. Enumerable.Repeat<byte[]>([0xc0, 0xff, 0x01], 20_000).SelectMany(x => x)];
                BinaryPrimitives.WriteInt32BigEndian(deep, deep.Length);
                return deep;
        }
    }

    // Unexpected frames before the links are attached, and after.
    [Test]
    public static async Task UnexpectedPerformatives()
    {
        (ulong Kind, string Text)[] kinds =
        [
            (Amqp.Begin, "before the beginning"), (Amqp.Attach, "before the beginning"), (Amqp.Flow, "before the beginning"), (Amqp.Transfer, "before the beginning"),
            (Amqp.Disposition, "before the beginning"), (Amqp.Detach, "before the beginning"), (Amqp.End, "before the beginning"), (Amqp.Mechanisms, "before the beginning"),
        ];
        foreach ((ulong kind, string text) in kinds)
        {
            await Fails(text, (broker, session) =>
            {
                Begin(broker, session);
                broker.Send(writer =>
                {
                    writer.Begin(kind);
                    writer.End();
                });
            });
        }
        // A session's frames before there is one.
        await Fails("which was not begun", (broker, session) =>
        {
            Begin(broker, session);
            Open(broker);
            broker.Flow(1);
        });
        // A message before there is a link that it could come by.
        await Fails("another link", (broker, session) =>
        {
            Begin(broker, session);
            Open(broker);
            broker.Send(writer =>
            {
                writer.Begin(Amqp.Begin);
                writer.UShort(0);
                writer.UInt(0);
                writer.UInt(10);
                writer.UInt(10);
                writer.End();
            });
            broker.Transfer(0, false, [1]);
        });
        // Authentication once more.
        await Fails("authentication after its end", (broker, session) =>
        {
            Begin(broker, session);
            session.Send("00000010 02 01 0000 005344 c003015000");
        });
        await Fails("something else than a frame of authentication", (_, session) =>
        {
            session.Read(8);
            session.Send("414d5150 03010000 0000000c 02 00 0000 00531045");
        });
        await Fails("something else than the outcome", (_, session) =>
        {
            session.Read(8);
            session.Send("414d5150 03010000 00000019 02 01 0000 005340 c0 0c 01 a3 09 414e4f4e594d4f5553");
            session.Send("0000000c 02 01 0000 00534045");
        });
    }

    // More ways to authenticate than anybody has.
    [Test]
    public static async Task TooManyMechanisms()
    {
        await Fails("a few symbols", (_, session) =>
        {
            session.Read(8);
            session.Send("414d5150 03010000");
            byte[] symbols = [.. Enumerable.Repeat<byte[]>([1, 0x41], 60_000).SelectMany(x => x)];
            byte[] frame = [0, 0, 0, 0, 2, 1, 0, 0, 0, 0x53, 0x40, 0xd0, 0, 0, 0, 0, 0, 0, 0, 1, 0xf0, 0, 0, 0, 0, 0, 0, 0xea, 0x60, 0xa3, .. symbols];
            BinaryPrimitives.WriteInt32BigEndian(frame, frame.Length);
            BinaryPrimitives.WriteInt32BigEndian(frame.AsSpan(12), frame.Length - 16);
            BinaryPrimitives.WriteInt32BigEndian(frame.AsSpan(21), frame.Length - 25);
            session.Send(frame);
        });
    }

    private static void Begin(FakeBroker broker, Session session)
    {
        broker.Authenticate(new Greeting());
        session.Read(8);
        session.Send("414d5150 00010000");
    }

    private static void Open(FakeBroker broker) => broker.Send(
        writer =>
        {
            writer.Begin(Amqp.Open);
            writer.Text("fake");
            writer.End();
        },
        0);

    private static async Task Fails(string text, Action<FakeBroker, Session> script)
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var server = new FakeServer(session =>
            {
                var broker = new FakeBroker(session);
                try
                {
                    script(broker, session);
                    broker.ReadToEnd();
                }
                catch (IOException)
                {
                    // The client has ended the connection already.
                }
            });
            using JmsBinding client = JmsTests.Client(server);
            CreoException error = await new CallTests.Caller(client, waiting).Fails(ErrorCode.Malformed, SampleMethods.Echo, []);
            Assert.Contains(text, error.Message);
            client.Dispose();
        }
    }
}
