using System;
using System.Collections.Generic;
using System.Linq;
using System.Security.Cryptography.X509Certificates;
using System.Threading;
using System.Threading.Tasks;

namespace Creo.Tests;

/// <summary>Streams that a client sends (CALL-41, TCP-31, TCP-32).</summary>
public static class StreamSendTests
{
    private const int FirstCredit = 262_144;
    private const int MaxFrame = 65_536;

    private static Task Both(
        Func<Action<Session>[]> scripts, Func<TcpBinding, Streamer, Task> test, ClientOptions? options = null, bool isCancelled = false) =>
        Streamer.Both(scripts, test, options, isCancelled);

    private static void Answer(Session session, uint call, long sum) => session.SendFrame(2, 0, call, StreamMethods.Long(sum));

    // TCP-30, TCP-31
    [Test]
    public static async Task FramesLookAsTheSpecificationSays()
    {
        foreach (long[] items in new long[][] { [], [1, 2] })
        {
            await Both(
                () =>
                [
                    session =>
                    {
                        session.Greet();
                        Assert.Bytes("00 00 00 12 01 00 00 00 00 01 00 00 00 00 00 00 00 03 00 00 00 00", session.Read(22));
                        Assert.Bytes(
                            items.Length == 0 ? "00 00 00 07 0a 08 00 00 00 01 00" : "00 00 00 17 0a 08 00 00 00 01 02 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 02",
                            session.Read(items.Length == 0 ? 11 : 27));
                        Answer(session, 1, items.Sum());
                        session.ReadToEnd();
                    },
                ],
                async (_, caller) => Assert.Equal(items.Sum(), await caller.Send(StreamMethods.Sum, items)));
        }
    }

    [Test]
    public static Task ManyItemsAreSentInLargeFrames() => Both(
        () =>
        [
            session =>
            {
                uint call = session.Greet().ReadFrame().Call;
                session.SendFrame(11, 0, call, 0x7f, 0, 0, 0);
                int frames = 0;
                long sum = 0;
                Frame frame;
                do
                {
                    frame = session.ReadFrame();
                    Assert.True(frame.Rest.Length <= MaxFrame, "the size of a frame");
                    sum += frame.Items().Sum();
                    frames++;
                }
                while (frame.Flags == 0);
                Assert.True(frames <= 8_000_000 / MaxFrame + 3, $"{frames} frames");
                Answer(session, call, sum);
                session.ReadToEnd();
            },
        ],
        async (_, caller) => Assert.Equal(499999500000L, await caller.Send(StreamMethods.Sum, Enumerable.Range(0, 1_000_000).Select(i => (long)i).ToArray())));

    // An item that is larger than a frame should be is alone.
    [Test]
    public static Task ALargeItemIsAlone() => Both(
        () =>
        [
            session =>
            {
                uint call = session.Greet().ReadFrame().Call;
                foreach ((int count, string[] texts) in new[] { (1, new[] { "a" }), (1, [new string('x', 200_000)]), (2, ["b", "c"]) })
                {
                    Frame frame = session.ReadFrame();
                    var reader = new Reader(frame.Rest);
                    Assert.Equal(count, reader.ReadCount(1, 1), "items");
                    foreach (string text in texts)
                    {
                        Assert.Equal(text, reader.ReadString());
                    }
                    reader.ReadEnd();
                    Assert.Equal(texts[0] == "b" ? 8 : 0, frame.Flags, "flags");
                }
                session.End(call);
                session.ReadToEnd();
            },
        ],
        async (_, caller) => await caller.Send(StreamMethods.Store, new[] { "a", new string('x', 200_000), "b", "c" }));

    // The last item of all is too large for the frame of the others.
    [Test]
    public static Task ALargeLastItemHasTheEnd() => Both(
        () =>
        [
            session =>
            {
                uint call = session.Greet().ReadFrame().Call;
                Assert.Equal((0, 50_011), (session.ReadFrame() is var first ? first.Flags : 0, first.Rest.Length));
                Assert.Equal((8, 20_004), (session.ReadFrame() is var last ? last.Flags : 0, last.Rest.Length));
                session.End(call);
                session.ReadToEnd();
            },
        ],
        async (_, caller) => await caller.Send(StreamMethods.Store, new[] { 1, 1, 1, 1, 1, 2 }.Select(size => new string('x', 10_000 * size)).ToArray()));

    // TCP-32, CALL-41
    [Test]
    public static async Task NoMoreIsSentThanTheCredit()
    {
        foreach (bool waiting in new[] { true, false })
        {
            var numbers = new Numbers();
            using var server = new FakeServer(session =>
            {
                uint call = session.Greet().ReadFrame().Call;
                long credit = FirstCredit;
                for (int round = 0; round < 5; round++)
                {
                    while (credit > 0)
                    {
                        credit -= session.ReadFrame().Rest.Length;
                    }
                    Assert.True(credit > -MaxFrame, $"a credit of {credit}");
                    if (round < 4)
                    {
                        credit += 1;
                        session.SendFrame(11, 0, call, 0, 0, 0, 1);
                        if (credit <= 0)
                        {
                            // Nothing may come: the next frame is that for which this is enough.
                            session.SendFrame(11, 0, call, 0, 2, 0, 0);
                            credit += 0x20000;
                        }
                    }
                }
                Answer(session, call, 5);
                // Nothing else was sent without credit.
                Assert.Equal(0, session.ReadToEnd().Count, "frames");
            });
            using TcpBinding client = server.Client();
            Assert.Equal(5L, await new Streamer(client, waiting).Send(StreamMethods.Sum, numbers.Items()));
            await numbers.Closed.Task;
            client.Dispose();
        }
    }

    // CALL-41, CALL-42, TCP-31
    [Test]
    public static async Task AnEarlyAnswerEndsTheSource()
    {
        foreach (bool waiting in new[] { true, false })
        {
            var numbers = new Numbers();
            using var server = new FakeServer(session =>
            {
                uint call = session.Greet().ReadFrame().Call;
                session.ReadFrame();
                Answer(session, call, 5);
                // The rest is not sent. The same connection has another call.
                Frame next = session.ReadFrame();
                while (next.Kind == 10)
                {
                    next = session.ReadFrame();
                }
                session.SendFrame(2, 0, next.Call, 0);
                session.ReadToEnd();
            });
            using TcpBinding client = server.Client();
            Assert.Equal(5L, await new Streamer(client, waiting).Send(StreamMethods.Sum, numbers.Items()));
            await numbers.Closed.Task;
            Assert.True(numbers.Taken < FirstCredit, "the rest is not taken");
            Assert.Equal(0, (waiting ? client.Call(SampleMethods.Echo, []) : await client.CallAsync(SampleMethods.Echo, [])).Count);
            client.Dispose();
        }
    }

    [Test]
    public static async Task EveryEndClosesTheSource()
    {
        (ErrorCode? Code, Action<Session, uint> End)[] ends =
        [
            (null, (session, call) => session.SendFrame(3, 0, call, 0, 1, (byte)'x')),
            (ErrorCode.PermissionDenied, (session, call) => session.SendFrame(4, 0, call, StreamMethods.Refusal(10, "yes"))),
            (ErrorCode.Unavailable, (session, call) => session.Dispose()),
            (ErrorCode.Malformed, (session, call) => session.SendItems(call, 1)),
            (ErrorCode.Malformed, (session, call) => session.SendFrame(11, 0, call, 0, 0, 0, 0)),
            (ErrorCode.Malformed, (session, call) => session.SendFrame(11, 0, call, 0x80, 0, 0, 0)),
            (ErrorCode.Malformed, (session, call) =>
            {
                session.SendFrame(11, 0, call, 0x7f, 0xff, 0xff, 0xff);
                session.SendFrame(11, 0, call, 0x7f, 0xff, 0xff, 0xff);
            }),
        ];
        foreach ((ErrorCode? code, Action<Session, uint> end) in ends)
        {
            foreach (bool waiting in new[] { true, false })
            {
                var numbers = new Numbers();
                using var server = new FakeServer(session =>
                {
                    uint call = session.Greet().ReadFrame().Call;
                    session.ReadFrame();
                    end(session, call);
                    if (code != ErrorCode.Unavailable)
                    {
                        session.ReadToEnd();
                    }
                });
                using TcpBinding client = server.Client();
                var caller = new Streamer(client, waiting);
                if (code is null)
                {
                    await Assert.ThrowsAsync<NotFoundException>(() => caller.Send(StreamMethods.Sum, numbers.Items()));
                }
                else
                {
                    await caller.Fails(code.Value, () => caller.Send(StreamMethods.Sum, numbers.Items()));
                }
                await numbers.Closed.Task;
                client.Dispose();
            }
        }
    }

    // CALL-41
    [Test]
    public static async Task TheFailureOfASourceIsThatOfTheCall()
    {
        foreach (bool waiting in new[] { true, false })
        {
            foreach (bool talks in new[] { true, false })
            {
                var numbers = new Numbers();
                // A client whose source fails may reset the connection: the server greets it before.
                using var greeted = new ManualResetEventSlim();
                using var server = new FakeServer(session =>
                {
                    session.Greet();
                    greeted.Set();
                    session.AwaitCancel(session.ReadFrame().Call);
                });
                using TcpBinding client = server.Client();
                var caller = new Streamer(client, waiting);
                IEnumerable<long> items = numbers.Items(fail: 10, before: _ => Assert.True(greeted.Wait(TimeSpan.FromSeconds(60)), "the server did not greet"));
                FormatException failure = await Assert.ThrowsAsync<FormatException>(() =>
                    talks ? caller.Read(StreamMethods.Talk, default, [], items: items) : caller.Send(StreamMethods.Sum, items));
                Assert.Equal("the source fails", failure.Message);
                await numbers.Closed.Task;
                server.Join();
                client.Dispose();
            }
        }
    }

    [Test]
    public static Task AnItemThatCannotBeWrittenEndsTheCall() => Both(
        () =>
        [
            session =>
            {
                uint call = session.Greet().ReadFrame().Call;
                session.AwaitCancel(call);
            },
        ],
        async (_, caller) =>
        {
            CreoException error = await caller.Fails(ErrorCode.InvalidValue, () => caller.Send(StreamMethods.Store, new[] { "a", "\ud800" }));
            Assert.Equal("$items[1]", error.Place);
        },
        isCancelled: true);

    [Test]
    public static async Task AnItemIsSentBeforeTheNextOneIsAwaited()
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var arrived = new SemaphoreSlim(1);
            using var server = new FakeServer(session =>
            {
                uint call = session.Greet().ReadFrame().Call;
                for (int i = 0; i < 50; i++)
                {
                    Assert.Equal((long)i, session.ReadFrame().Items().Single(), "item");
                    arrived.Release();
                }
                Answer(session, call, 50);
                session.ReadToEnd();
            });
            using TcpBinding client = server.Client();
            async IAsyncEnumerable<long> Awaited()
            {
                for (long i = 0; ; i++)
                {
                    await arrived.WaitAsync();
                    yield return i;
                }
            }
            Assert.Equal(50L, waiting
                ? await Task.Run(() => client.Send(StreamMethods.Sum, default, new Numbers().Items(before: i => arrived.Wait(i < 50 ? 20_000 : 0))))
                : await client.SendAsync(StreamMethods.Sum, default, Awaited()));
            client.Dispose();
        }
    }

    [Test]
    public static Task TalkGoesBackAndForth() => Both(
        () =>
        [
            session =>
            {
                uint call = session.Greet().ReadFrame().Call;
                Frame frame;
                do
                {
                    frame = session.ReadFrame();
                    session.SendItems(call, [.. frame.Items().Select(item => 2 * item)]);
                }
                while (frame.Flags == 0);
                session.End(call);
                session.ReadToEnd();
            },
        ],
        async (client, caller) =>
        {
            using var read = new SemaphoreSlim(1);
            var replies = new List<long>();
            async IAsyncEnumerable<long> Awaited()
            {
                for (long i = 0; i < 100; i++)
                {
                    await read.WaitAsync();
                    yield return i;
                }
            }
            if (caller.IsWaiting)
            {
                await caller.Read(StreamMethods.Talk, default, replies, items: new Numbers().Items(before: _ => read.Wait()).Take(100), onItem: () => read.Release());
            }
            else
            {
                await foreach (long reply in client.ReceiveAsync(StreamMethods.Talk, default, Awaited()))
                {
                    replies.Add(reply);
                    read.Release();
                }
            }
            Assert.Equal(string.Join(" ", Enumerable.Range(0, 100).Select(i => 2L * i)), string.Join(" ", replies));
        });

    // TCP-14: a ping that comes while the peer takes no items is answered when it takes them.
    [Test]
    public static async Task APingIsAnsweredAfterTheItemsBeforeIt()
    {
        using X509Certificate2 certificate = ConnectionTests.Certificate("localhost");
        var roots = new X509Certificate2Collection(ConnectionTests.X509CertificateLoaderOf(certificate));
        var tls = new ClientOptions { Tls = new TlsOptions { HostName = "localhost", TrustedRoots = roots } };
        string large = new('x', 60_000);
        var talk = new StreamMethod<Unit, string, long, Unit>
        {
            Service = StreamMethods.Store.Service,
            Name = "talk",
            Id = 6,
            Parameters = StreamMethods.Store.Parameters,
            EncodeArguments = StreamMethods.Store.EncodeArguments,
            DecodeResult = StreamMethods.Store.DecodeResult,
            EncodeItem = StreamMethods.Store.EncodeItem,
            Sent = StreamMethods.Store.Sent,
            DecodeItems = StreamMethods.Talk.DecodeItems,
            Received = StreamMethods.Talk.Received,
        };
        foreach ((bool waiting, bool isTls) in new[] { (true, false), (false, false), (true, true), (false, true) })
        {
            var numbers = new Numbers();
            using var seen = new SemaphoreSlim(0);
            using var server = new FakeServer(isTls ? certificate : null, session =>
            {
                uint call = session.Greet().ReadFrame().Call;
                session.SendFrame(11, 0, call, 0x7f, 0, 0, 0);
                // The source waits when the connection is full.
                for (long taken = -1; taken != numbers.Taken || taken == 0; Thread.Sleep(500))
                {
                    taken = numbers.Taken;
                }
                session.SendFrame(7, 0, 5);
                session.SendItems(call, 7);
                Assert.True(seen.Wait(20_000), "the item after the ping");
                Frame frame;
                do
                {
                    frame = session.ReadFrame();
                }
                while (frame.Kind == 10);
                Assert.Equal((8, 5u), (frame.Kind, frame.Call), "pong");
                session.End(call);
                session.ReadToEnd();
            });
            using TcpBinding client = server.Client(isTls ? tls : null);
            var read = new List<long>();
            await new Streamer(client, waiting).Read(talk, default, read, items: numbers.Items().Select(_ => large), onItem: () => seen.Release());
            Assert.Equal(7L, read.Single(), "item");
            await numbers.Closed.Task;
            client.Dispose();
        }
    }

    // Closing a talk ends the source, too, and all that waits in it.
    [Test]
    public static async Task ClosingATalkClosesTheSource()
    {
        foreach (bool waiting in new[] { true, false })
        {
            var numbers = new Numbers();
            using var server = new FakeServer(session =>
            {
                uint call = session.Greet().ReadFrame().Call;
                long credit = FirstCredit;
                while (credit > 0)
                {
                    credit -= session.ReadFrame().Rest.Length;
                }
                // The source waits for credit.
                session.SendItems(call, 7);
                session.AwaitCancel(call);
            });
            using TcpBinding client = server.Client();
            await new Streamer(client, waiting).Read(StreamMethods.Talk, default, [], take: 1, items: numbers.Items());
            await numbers.Closed.Task;
            server.Join();
            client.Dispose();
        }
    }

    // A source that gives nothing, and does not heed its token, holds no call.
    [Test]
    public static async Task ASourceThatIsStuckHoldsNothing()
    {
        foreach (bool isLate in new[] { true, false })
        {
            var stuck = new TaskCompletionSource();
            var closed = new TaskCompletionSource();
            CancellationToken token = default;
            async IAsyncEnumerable<long> Items([System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken cancellation = default)
            {
                token = cancellation;
                try
                {
                    yield return 1;
                    await stuck.Task;
                    yield return 2;
                }
                finally
                {
                    closed.SetResult();
                }
            }
            using var server = new FakeServer(session =>
            {
                uint call = session.Greet().ReadFrame().Call;
                Assert.Equal(1L, session.ReadFrame().Items().Single());
                if (!isLate)
                {
                    Answer(session, call, 1);
                }
                session.ReadToEnd();
            });
            using TcpBinding client = server.Client();
            CallOptions? options = isLate ? CallOptions.Within(TimeSpan.FromSeconds(2)) : null;
            if (isLate)
            {
                CreoException late = await Assert.ThrowsAsync<CreoException>(async () => await client.SendAsync(StreamMethods.Sum, default, Items(), options));
                Assert.Equal(ErrorCode.DeadlineExceeded, late.Code);
            }
            else
            {
                Assert.Equal(1L, await client.SendAsync(StreamMethods.Sum, default, Items(), options));
            }
            // It is told, and closed when it gives the item.
            var told = new TaskCompletionSource();
            token.Register(told.SetResult);
            await told.Task;
            stuck.SetResult();
            await closed.Task;
        }
    }
}
