using System;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Creo.Tests;

/// <summary>Calls over TCP, in both forms: on the caller's thread and awaited.</summary>
public static class CallTests
{
    private static readonly byte[] NodeBytes = Binary.ToBytes(Node.Leaf("x"), NodeCodec.Encode, NodeCodec.Layout);

    private static readonly CallOptions Soon = CallOptions.Within(TimeSpan.FromMilliseconds(400));

    /// <summary>Runs the same test in both forms.</summary>
    private static async Task Both(Func<Action<Session>[]> scripts, Func<TcpBinding, Caller, Task> test, ClientOptions? options = null)
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var server = new FakeServer(scripts());
            using TcpBinding client = server.Client(options);
            await test(client, new Caller(client, waiting));
            client.Dispose();
        }
    }

    public sealed class Caller(Binding client, bool waiting)
    {
        public bool IsWaiting => waiting;

        public async Task<TResult> Call<TArguments, TResult>(Method<TArguments, TResult> method, TArguments arguments, CallOptions? options = null) =>
            waiting ? client.Call(method, arguments, options) : await client.CallAsync(method, arguments, options);

        public async Task<CreoException> Fails<TArguments, TResult>(ErrorCode code, Method<TArguments, TResult> method, TArguments arguments, CallOptions? options = null)
        {
            CreoException error = await Assert.ThrowsAsync<CreoException>(() => Call(method, arguments, options));
            Assert.Equal(code, error.Code, error.ToString());
            return error;
        }
    }

    private static void Answer(Session session, byte kind, params byte[] body) => session.SendFrame(kind, 0, session.ReadFrame().Call, body);

    private static byte[] Error(byte number, string message, params (string Key, string Value)[] details)
    {
        using var writer = new Writer();
        writer.WriteByte(number);
        writer.WriteString(message);
        writer.WriteCount(details.Length);
        foreach ((string key, string value) in details)
        {
            writer.WriteString(key);
            writer.WriteString(value);
        }
        return writer.Written.ToArray();
    }

    // TCP-1, section 4
    [Test]
    public static Task RequestsLookAsTheSpecificationSays() => Both(
        () =>
        [
            session =>
            {
                Assert.Bytes("43 52 45 4f 01 03 00 00", session.Read(8));
                Assert.Bytes("00 00 00 16 01 00 00 00 00 01 a1 a2 a3 a4 a5 a6 a7 a8", session.Read(18));
                Assert.Bytes("00 00 00 00 03 43 4f 32", session.Read(8));
                session.Send("43 52 45 4f 01 01 00 00");
                session.SendFrame(2, 0, 1, NodeBytes);
                session.ReadToEnd();
            },
        ],
        async (_, caller) => Assert.Equal(Node.Leaf("x"), await caller.Call(SampleMethods.Find, "CO2")),
        new ClientOptions { Limits = new Limits { Deadline = null } });

    // TCP-12
    [Test]
    public static Task TheDeadlineTravels() => Both(
        () =>
        [
            session =>
            {
                Frame frame = session.Greet().ReadFrame();
                Assert.True(frame.Milliseconds is > 29_000 and <= 30_000, $"{frame.Milliseconds} ms");
                session.SendFrame(2, 0, frame.Call, NodeBytes);
                session.ReadToEnd();
            },
        ],
        async (_, caller) => await caller.Call(SampleMethods.Find, "x", CallOptions.Within(TimeSpan.FromSeconds(30))));

    [Test]
    public static Task AnswersOfAllKinds() => Both(
        () =>
        [
            session =>
            {
                session.Greet();
                Answer(session, 3, 0, 2, (byte)'n', (byte)'o');
                Answer(session, 4, Error(10, "not you", ("place", "$.name"), ("offset", "3")));
                Answer(session, 4, Error(77, "new"));
                Answer(session, 4, Error(4, "unknown", ("test.Sample", "0000000000000001")));
                Answer(session, 2, NodeBytes[..^1]);
                Answer(session, 3, 1);
                Answer(session, 2, NodeBytes);
                session.ReadToEnd();
            },
        ],
        async (_, caller) =>
        {
            NotFoundException declared = await Assert.ThrowsAsync<NotFoundException>(() => caller.Call(SampleMethods.Find, "a"));
            Assert.Equal("no", declared.Description);
            Assert.Equal("test.NotFound { description = no }", declared.Message);
            CreoException error = await caller.Fails(ErrorCode.PermissionDenied, SampleMethods.Find, "a");
            Assert.Equal("permission-denied: not you (at $.name, byte 3)", error.Message);
            Assert.True(error.FromPeer && error.Details["peer"].StartsWith("127.0.0.1:"), "from the peer");
            error = await caller.Fails(ErrorCode.Internal, SampleMethods.Find, "a");
            Assert.Contains("77", error.Message);
            error = await caller.Fails(ErrorCode.UnknownMethod, SampleMethods.Find, "a");
            foreach (string part in new[] { "test.Sample.find", "1122334455667788", "0000000000000001", "different descriptions" })
            {
                Assert.Contains(part, error.Message);
            }
            error = await caller.Fails(ErrorCode.Malformed, SampleMethods.Find, "a");
            Assert.Equal("$result.flags", error.Place);
            Assert.True(!error.FromPeer, "found here");
            error = await caller.Fails(ErrorCode.Malformed, SampleMethods.Find, "a");
            Assert.Equal(("$exception", 0L), (error.Place!, error.Offset!.Value));
            Assert.Equal(Node.Leaf("x"), await caller.Call(SampleMethods.Find, "a"));
        });

    // TCP-6, LIM-3
    [Test]
    public static Task LargeBodiesGoInChains()
    {
        byte[] data = [.. Enumerable.Range(0, 3_000_000).Select(i => (byte)(i * 31))];
        byte[] body = Binary.ToBytes<ValueArray<byte>>(data, (writer, value) => writer.WriteBytes(value), Layout.Bytes);
        return Both(
            () =>
            [
                session =>
                {
                    Frame frame = session.Greet().ReadFrame();
                    using var received = new MemoryStream();
                    received.Write(frame.Body);
                    byte flags = frame.Flags;
                    while ((flags & 1) != 0)
                    {
                        Frame next = session.ReadFrame();
                        Assert.Equal((5, frame.Call), (next.Kind, next.Call));
                        received.Write(next.Rest);
                        flags = next.Flags;
                    }
                    Assert.Equal<ValueArray<byte>>(body, received.ToArray());
                    // Frames of awkward sizes, and a ping between them.
                    int sent = 0;
                    foreach (int size in new[] { 0, 1, 32 * 1024, 100_000, 2_000_000, body.Length })
                    {
                        byte[] part = body[sent..Math.Min(body.Length, sent + size)];
                        session.SendFrame((byte)(size == 0 ? 2 : 5), (byte)(sent + size < body.Length ? 1 : 0), frame.Call, part);
                        sent += part.Length;
                        if (size == 1)
                        {
                            session.SendFrame(7, 0, 99);
                        }
                    }
                    Frame pong = session.ReadFrame();
                    Assert.Equal((8, 99u), (pong.Kind, pong.Call));
                    session.ReadToEnd();
                },
            ],
            async (_, caller) => Assert.Equal<ValueArray<byte>>(data, await caller.Call(SampleMethods.Echo, data)));
    }

    // TCP-8
    [Test]
    public static Task BodiesAreCompressedOnceThePeerIsKnownToReadThem() => Both(
        () =>
        [
            session =>
            {
                Frame first = session.Greet().ReadFrame();
                Assert.Equal(0, first.Flags);
                session.SendFrame(2, 0, first.Call, 0);
                Frame second = session.ReadFrame();
                Assert.Equal(2, second.Flags);
                using var plain = new MemoryStream();
                new ZLibStream(new MemoryStream(second.Body), CompressionMode.Decompress).CopyTo(plain);
                using var compressed = new MemoryStream();
                using (var stream = new ZLibStream(compressed, CompressionLevel.Optimal, leaveOpen: true))
                {
                    stream.Write(plain.ToArray());
                }
                session.SendFrame(2, 2, second.Call, compressed.ToArray());
                Answer(session, 2, 0);
                session.SendFrame(2, 2, session.ReadFrame().Call, 1, 2, 3);
                session.ReadToEnd();
            },
        ],
        async (_, caller) =>
        {
            ValueArray<byte> data = new byte[50_000];
            Assert.Equal(0, (await caller.Call(SampleMethods.Echo, data)).Count);
            Assert.Equal(data, await caller.Call(SampleMethods.Echo, data));
            Assert.Equal(0, (await caller.Call(SampleMethods.Echo, [1])).Count);
            await caller.Fails(ErrorCode.Malformed, SampleMethods.Echo, []);
        },
        new ClientOptions { CompressFrom = 1000 });

    // RFC 1950: one complete stream with nothing after it.
    [Test]
    public static Task CompressedBodiesAreOneStream()
    {
        byte[] plain = Binary.ToBytes<ValueArray<byte>>(Enumerable.Range(0, 1000).Select(i => (byte)(i * i)).ToArray(), (w, v) => w.WriteBytes(v), Layout.Bytes);
        using var target = new MemoryStream();
        using (var stream = new ZLibStream(target, CompressionLevel.Optimal, leaveOpen: true))
        {
            stream.Write(plain);
        }
        byte[] whole = target.ToArray();
        byte[] badChecksum = [.. whole[..^1], (byte)(whole[^1] ^ 1)];
        byte[][] wrong =
        [
            [], whole[..1], whole[..2], whole[..(whole.Length / 2)], whole[..^4], whole[..^1], badChecksum, [.. whole, 0], [.. whole, .. new byte[3]],
            [.. whole, .. new byte[50]], [.. whole, .. whole], [.. whole, .. whole[^4..]],
        ];
        return Both(
            () =>
            [
                session =>
                {
                    session.Greet();
                    foreach (byte[] body in wrong.Append(whole))
                    {
                        session.SendFrame(2, 2, session.ReadFrame().Call, body);
                    }
                    session.ReadToEnd();
                },
            ],
            async (_, caller) =>
            {
                foreach (byte[] body in wrong)
                {
                    await caller.Fails(ErrorCode.Malformed, SampleMethods.Echo, []);
                }
                Assert.Equal(1000, (await caller.Call(SampleMethods.Echo, [])).Count);
            });
    }

    // TCP-14
    [Test]
    public static Task PingsAreAnsweredAlsoInGreatNumber() => Both(
        () =>
        [
            session =>
            {
                const uint last = 2000;
                Frame frame = session.Greet().ReadFrame();
                session.SendFrame(2, 0, frame.Call, 0);
                session.Send([.. Enumerable.Range(1, (int)last).SelectMany(i => new byte[] { 0, 0, 0, 6, 7, 0, 0, 0, (byte)(i >> 8), (byte)i })]);
                // The second call is answered when the last pong is here: its caller may end the connection as soon as it has its answer.
                bool ponged = false;
                uint? called = null;
                while (!ponged || called is null)
                {
                    frame = session.ReadFrame();
                    ponged |= frame.Kind == 8 && frame.Call == last;
                    called = frame.Kind == 1 ? frame.Call : called;
                }
                session.SendFrame(2, 0, called.Value, 0);
                session.ReadToEnd();
            },
        ],
        async (_, caller) =>
        {
            Assert.Equal(0, (await caller.Call(SampleMethods.Echo, [])).Count);
            Assert.Equal(0, (await caller.Call(SampleMethods.Echo, [])).Count);
        });

    // LIM-1, LIM-18: a small stream that grows beyond the limit.
    [Test]
    public static async Task CompressedBodiesAreBoundByTheirPlainSize()
    {
        await CompressedBodyIsTooLarge("maxMessageSize", new Limits { MaxMessageSize = 1_000_000 });
        await CompressedBodyIsTooLarge("maxMemory", new Limits { MaxMemory = 1_000_000 });
    }

    private static Task CompressedBodyIsTooLarge(string limit, Limits limits) => Both(
        () =>
        [
            session =>
            {
                using var compressed = new MemoryStream();
                using (var stream = new ZLibStream(compressed, CompressionLevel.Optimal, leaveOpen: true))
                {
                    stream.Write(new byte[2_000_000]);
                }
                session.SendFrame(2, 2, session.Greet().ReadFrame().Call, compressed.ToArray());
                Answer(session, 2, 0);
                session.ReadToEnd();
            },
        ],
        async (_, caller) =>
        {
            CreoException error = await caller.Fails(ErrorCode.TooLarge, SampleMethods.Echo, []);
            Assert.Equal((limit, "1000000"), (error.Details["limit"], error.Details["allowed"]));
            Assert.Equal(0, (await caller.Call(SampleMethods.Echo, [])).Count);
        },
        new ClientOptions { Limits = limits });

    // TCP-7
    [Test]
    public static async Task AnAnswerThatIsTooLargeIsReadToItsEnd()
    {
        await AnswerIsTooLarge("maxMessageSize", new Limits { MaxMessageSize = 100_000 });
        await AnswerIsTooLarge("maxMemory", new Limits { MaxMemory = 100_000 });
    }

    // LIM-1, LIM-18: memory is proportional to what is read.
    [Test]
    public static Task ARequestThatIsTooLargeIsNotSent() => Both(
        static () =>
        [
            static session =>
            {
                Answer(session.Greet(), 2, 0);
                session.ReadToEnd();
            },
        ],
        static async (_, caller) =>
        {
            await caller.Fails(ErrorCode.TooLarge, SampleMethods.Echo, new byte[100_001]);
            Assert.Equal(0, (await caller.Call(SampleMethods.Echo, new byte[50_000])).Count);
        },
        new ClientOptions { Limits = new Limits { MaxMessageSize = 100_000, MaxMemory = 1_000 } });

    private static Task AnswerIsTooLarge(string limit, Limits limits) => Both(
        () =>
        [
            session =>
            {
                session.SendFrame(2, 0, session.Greet().ReadFrame().Call, new byte[150_000]);
                Answer(session, 2, 0);
                session.ReadToEnd();
            },
        ],
        async (_, caller) =>
        {
            CreoException error = await caller.Fails(ErrorCode.TooLarge, SampleMethods.Echo, []);
            Assert.Equal((limit, "100000"), (error.Details["limit"], error.Details["allowed"]));
            Assert.Equal(0, (await caller.Call(SampleMethods.Echo, [])).Count);
        },
        new ClientOptions { Limits = limits });

    // TCP-17
    [Test]
    public static Task MetadataTravels() => Both(
        () =>
        [
            session =>
            {
                Frame frame = session.Greet().ReadFrame();
                Assert.Equal(4, frame.Flags);
                Assert.Bytes("02" + "0161" + "0131" + "0162" + "02c3a9" + "00", frame.Body);
                session.SendFrame(2, 0, frame.Call, 0);
                session.ReadToEnd();
            },
        ],
        async (_, caller) =>
        {
            var both = new CallOptions { Metadata = new Dictionary<string, string> { ["b"] = "é" } };
            Assert.Equal(0, (await caller.Call(SampleMethods.Echo, [], both)).Count);
            foreach (string key in new[] { "", "A", "creo-x", "a b", new string('a', 65) })
            {
                var wrong = new CallOptions { Metadata = new Dictionary<string, string> { [key] = "" } };
                await caller.Fails(ErrorCode.InvalidValue, SampleMethods.Echo, [], wrong);
            }
            var large = new CallOptions { Metadata = new Dictionary<string, string> { ["b"] = new('x', 20_000) } };
            await caller.Fails(ErrorCode.TooLarge, SampleMethods.Echo, [], large);
        },
        new ClientOptions { Metadata = new Dictionary<string, string> { ["a"] = "1" } });

    // TCP-10
    [Test]
    public static Task OnewayCallsDoNotWait() => Both(
        () =>
        [
            session =>
            {
                Frame note = session.Greet().ReadFrame();
                Assert.Bytes("00000007" + "ffffffffffffffff", note.Body);
                Answer(session, 2, 0);
                session.ReadToEnd();
            },
        ],
        async (_, caller) =>
        {
            await caller.Call(SampleMethods.Note, (7, -1L));
            await caller.Call(SampleMethods.Echo, []);
        });

    // TCP-9
    [Test]
    public static Task AnswersForUnknownCallsAreIgnored() => Both(
        () =>
        [
            session =>
            {
                Frame frame = session.Greet().ReadFrame();
                session.SendFrame(2, 0, frame.Call + 1, 9, 9, 9);
                session.SendFrame(4, 1, frame.Call + 2, 1);
                session.SendFrame(5, 0, frame.Call + 2, 1);
                session.SendFrame(2, 0, frame.Call, 0);
                session.ReadToEnd();
            },
        ],
        async (_, caller) => Assert.Equal(0, (await caller.Call(SampleMethods.Echo, [])).Count));

    [Test]
    public static Task ValuesThatCannotBeWrittenAreNotSent() => Both(
        () => [session => Answer(session.Greet(), 2, NodeBytes)],
        async (_, caller) =>
        {
            CreoException error = await caller.Fails(ErrorCode.InvalidValue, SampleMethods.Find, "\ud800");
            Assert.Equal("$.name", error.Place);
            Assert.Equal(Node.Leaf("x"), await caller.Call(SampleMethods.Find, "x"));
        });

    // TCP-12
    [Test]
    public static Task CallsEndAtTheirDeadline() => Both(
        () =>
        [
            session =>
            {
                Frame frame = session.Greet().ReadFrame();
                Frame cancel = session.ReadFrame();
                Assert.Equal((6, frame.Call), (cancel.Kind, cancel.Call));
                session.ReadToEnd();
            },
        ],
        async (_, caller) =>
        {
            CreoException error = await caller.Fails(ErrorCode.DeadlineExceeded, SampleMethods.Find, "x", Soon);
            Assert.True(!error.FromPeer, "found here");
        });

    // A peer that takes the bytes and never says a word.
    [Test]
    public static Task ASilentPeerIsNoHang() => Both(
        () => [session => session.ReadToEnd()],
        async (_, caller) => await caller.Fails(ErrorCode.DeadlineExceeded, SampleMethods.Find, "x", Soon));

    // A peer that does not even take the bytes.
    [Test]
    public static async Task APeerThatTakesNothingIsNoHang()
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var stop = new ManualResetEventSlim();
            using var server = new FakeServer(_ => stop.Wait());
            using TcpBinding client = server.Client();
            try
            {
                await new Caller(client, waiting).Fails(ErrorCode.DeadlineExceeded, SampleMethods.Echo, new byte[50_000_000], Soon);
            }
            finally
            {
                stop.Set();
            }
        }
    }
}
