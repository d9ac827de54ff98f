using System;
using System.Collections.Generic;
using System.Linq;
using System.Security.Cryptography.X509Certificates;
using System.Threading;
using System.Threading.Tasks;

namespace Creo.Tests;

/// <summary>Streams of results (CALL-40 to CALL-47, TCP-30 to TCP-37).</summary>
public static class StreamTests
{
    private const int FirstCredit = 262_144;
    private const int Window = 1_048_576;

    private static Task Both(
        Func<Action<Session>[]> scripts, Func<TcpBinding, Streamer, Task> test, ClientOptions? options = null, bool isCancelled = false) =>
        Streamer.Both(scripts, test, options, isCancelled);

    private static byte[] Error(byte number, string message, params string[] details)
    {
        using var writer = new Writer();
        writer.WriteByte(number);
        writer.WriteString(message);
        writer.WriteCount(details.Length / 2);
        Array.ForEach(details, writer.WriteString);
        return writer.Written.ToArray();
    }

    private static void Equal(IEnumerable<long> expected, IEnumerable<long> actual) => Assert.Equal(string.Join(" ", expected), string.Join(" ", actual), "items");

    // TCP, section 4
    [Test]
    public static Task FramesLookAsTheSpecificationSays() => Both(
        () =>
        [
            session =>
            {
                session.Greet();
                Assert.Bytes("00 00 00 16 01 00 00 00 00 01 01 02 03 04 05 06 07 08 00 00 00 00 00 00 00 03", session.Read(26));
                session.Send("00 00 00 17 0a 00 00 00 00 01 02 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01");
                session.Send("00 00 00 0f 0a 00 00 00 00 01 01 00 00 00 00 00 00 00 02");
                session.Send("00 00 00 06 02 00 00 00 00 01");
                session.ReadToEnd();
            },
        ],
        // CALL-44: the client's own deadline is not for streams.
        async (_, caller) => Equal([0, 1, 2], await caller.Read(StreamMethods.Count, 3)),
        new ClientOptions { Limits = new Limits { Deadline = TimeSpan.FromSeconds(1) } });

    // CALL-40, TCP-36
    [Test]
    public static Task ItemsComeBeforeEveryEnd() => Both(
        () =>
        [
            session =>
            {
                session.Greet();
                (byte Kind, byte[] Body)[] ends = [(2, []), (3, [0, 2, (byte)'n', (byte)'o']), (4, Error(10, "not you")), (2, [1])];
                foreach ((byte kind, byte[] body) in ends)
                {
                    uint call = session.ReadFrame().Call;
                    session.SendItems(call, 1, 2);
                    session.SendItems(call);
                    session.SendItems(call, 3);
                    session.SendFrame(kind, 0, call, body);
                    // These come too late.
                    session.SendItems(call, 4);
                    session.SendFrame(11, 0, call, 0, 0, 0, 1);
                }
                session.SendItems(session.ReadFrame().Call, 1, 2, 3);
            },
        ],
        async (_, caller) =>
        {
            async Task<List<long>> Read<TException>(Action<TException> check)
                where TException : Exception
            {
                var read = new List<long>();
                check(await Assert.ThrowsAsync<TException>(() => caller.Read(StreamMethods.Count, 9, read)));
                return read;
            }
            Equal([1, 2, 3], await caller.Read(StreamMethods.Count, 9));
            Equal([1, 2, 3], await Read<NotFoundException>(e => Assert.Equal("no", e.Description)));
            Equal([1, 2, 3], await Read<CreoException>(e => Assert.Equal((ErrorCode.PermissionDenied, true), (e.Code, e.FromPeer))));
            Equal([1, 2, 3], await Read<CreoException>(e => Assert.Equal((ErrorCode.Malformed, "$result"), (e.Code, e.Place))));
            Equal([1, 2, 3], await Read<CreoException>(e => Assert.Equal(ErrorCode.Unavailable, e.Code)));
        });

    // CALL-40
    [Test]
    public static async Task TheEndStaysTheSame()
    {
        using var server = new FakeServer(
            session =>
            {
                session.Greet();
                session.End(session.ReadFrame().Call);
                session.SendFrame(4, 0, session.ReadFrame().Call, Error(10, "not you"));
                session.ReadToEnd();
            },
            session =>
            {
                session.Greet();
                session.End(session.ReadFrame().Call);
                session.SendFrame(4, 0, session.ReadFrame().Call, Error(10, "not you"));
                session.ReadToEnd();
            });
        using TcpBinding client = server.Client();
        IEnumerable<long> blocking = client.Receive(StreamMethods.Count, 1);
        using (IEnumerator<long> items = blocking.GetEnumerator())
        {
            Assert.True(!items.MoveNext() && !items.MoveNext(), "the end");
        }
        using (IEnumerator<long> items = blocking.GetEnumerator())
        {
            Assert.Equal(Assert.Throws<CreoException>(() => items.MoveNext()), Assert.Throws<CreoException>(() => items.MoveNext()), "the failure");
        }
        IAsyncEnumerable<long> awaited = client.ReceiveAsync(StreamMethods.Count, 1);
        await using (IAsyncEnumerator<long> items = awaited.GetAsyncEnumerator())
        {
            Assert.True(!await items.MoveNextAsync() && !await items.MoveNextAsync(), "the end");
        }
        await using (IAsyncEnumerator<long> items = awaited.GetAsyncEnumerator())
        {
            async Task<CreoException> Failure() => await Assert.ThrowsAsync<CreoException>(async () => await items.MoveNextAsync());
            Assert.Equal(await Failure(), await Failure(), "the failure");
        }
    }

    // An awaited step takes no time while items of the frame are left, and takes no memory beyond them.
    [Test]
    public static async Task ItemsOfAFrameAreThereAtOnce()
    {
        const int count = 8000;
        using var server = new FakeServer(session =>
        {
            uint call = session.Greet().ReadFrame().Call;
            session.SendItems(call, Enumerable.Range(0, count).Select(i => (long)i).ToArray());
            session.End(call);
            session.ReadToEnd();
        });
        using TcpBinding client = server.Client();
        await using IAsyncEnumerator<long> items = client.ReceiveAsync(StreamMethods.Count, count).GetAsyncEnumerator();
        Assert.True(await items.MoveNextAsync(), "the first");
        long before = GC.GetAllocatedBytesForCurrentThread();
        bool isAtOnce = true;
        for (int i = 1; i < count; i++)
        {
            ValueTask<bool> step = items.MoveNextAsync();
            isAtOnce &= step.IsCompletedSuccessfully && step.Result && items.Current == i;
        }
        Assert.Equal(0L, GC.GetAllocatedBytesForCurrentThread() - before, "allocated bytes");
        Assert.True(isAtOnce, "each further item is there");
        Assert.True(!await items.MoveNextAsync(), "the end");
    }

    // CALL-42, TCP-35
    [Test]
    public static Task ClosingCancels() => Both(
        () =>
        [
            session =>
            {
                uint call = session.Greet().ReadFrame().Call;
                session.SendItems(call, 1, 2, 3);
                session.AwaitCancel(call);
            },
        ],
        async (_, caller) =>
        {
            var read = new List<long>();
            await caller.Read(StreamMethods.Count, 9, read, take: 2);
            Equal([1, 2], read);
        },
        isCancelled: true);

    [Test]
    public static async Task ATokenCancels()
    {
        Action<Session> script = session =>
        {
            uint call = session.Greet().ReadFrame().Call;
            session.SendItems(call, 1, 2, 3);
            session.AwaitCancel(call);
        };
        for (int form = 0; form < 4; form++)
        {
            using var server = new FakeServer(script);
            using TcpBinding client = server.Client();
            using var ofCall = new CancellationTokenSource();
            using var ofEnumeration = new CancellationTokenSource();
            var read = new List<long>();
            OperationCanceledException cancelled = await Assert.ThrowsAsync<OperationCanceledException>(async () =>
            {
                IAsyncEnumerable<long> items = client.ReceiveAsync(StreamMethods.Count, 9, cancellationToken: form == 1 ? default : ofCall.Token);
                await foreach (long item in items.WithCancellation(form == 0 ? default : ofEnumeration.Token))
                {
                    read.Add(item);
                    if (form == 3 ? read.Count == 2 : read.Count == 3)
                    {
                        // In the last form items of the frame are left, otherwise the stream waits for further ones.
                        (form is 0 or 2 ? ofCall : ofEnumeration).CancelAfter(form == 3 ? 0 : 1);
                        SpinWait.SpinUntil(() => form != 3 || ofEnumeration.IsCancellationRequested);
                    }
                }
            });
            Assert.True(cancelled.CancellationToken.IsCancellationRequested, "the token");
            Equal(form == 3 ? [1, 2] : [1, 2, 3], read);
            server.Join();
        }
    }

    [Test]
    public static async Task ACancelledTokenBeginsNothing()
    {
        using var client = new TcpBinding("127.0.0.1", 1);
        await Assert.ThrowsAsync<OperationCanceledException>(async () =>
            await client.ReceiveAsync(StreamMethods.Count, 9, cancellationToken: new CancellationToken(true)).GetAsyncEnumerator().MoveNextAsync());
        await Assert.ThrowsAsync<OperationCanceledException>(async () =>
            await client.SendAsync(StreamMethods.Sum, default, Streamer.Async([1L]), cancellationToken: new CancellationToken(true)));
    }

    // CALL-44
    [Test]
    public static Task TheDeadlineIsForTheWholeStream() => Both(
        () =>
        [
            session =>
            {
                Frame request = session.Greet().ReadFrame();
                Assert.True(request.Milliseconds is > 0 and <= 2000, $"{request.Milliseconds} ms");
                session.SendItems(request.Call, 1, 2);
                session.AwaitCancel(request.Call);
            },
        ],
        async (_, caller) =>
        {
            var read = new List<long>();
            await caller.Fails(ErrorCode.DeadlineExceeded, () => caller.Read(StreamMethods.Count, 9, read, CallOptions.Within(TimeSpan.FromSeconds(2))));
            Equal([1, 2], read);
        },
        isCancelled: true);

    // TCP-32: what is kept and what may arrive stay within the window.
    [Test]
    public static async Task CreditFollowsTheReader()
    {
        long[] frame = new long[8191];
        int size = StreamMethods.Longs(frame).Length;
        const int frames = 100;
        foreach (bool waiting in new[] { true, false })
        {
            int begun = 0;
            using var mayRead = new SemaphoreSlim(0);
            using var server = new FakeServer(session =>
            {
                uint call = session.Greet().ReadFrame().Call;
                long credit = FirstCredit;
                int allowed = 0;
                for (int sent = 0; sent < frames; sent++)
                {
                    while (credit <= 0)
                    {
                        // The reader has stopped. Now it takes all that was sent, and must give more.
                        mayRead.Release(sent - allowed);
                        allowed = sent;
                        credit += session.ReadFrame().Credit();
                        Assert.True(credit is > Window / 2 and <= Window, $"a credit of {credit}");
                    }
                    session.SendItems(call, frame);
                    credit -= size;
                }
                session.End(call);
                mayRead.Release(frames);
                // No more is given than the window for what was not taken.
                Assert.True(session.ReadToEnd().Sum(given => given.Credit()) + credit <= Window, "credit");
            });
            using TcpBinding client = server.Client();
            var read = new List<long>();
            await new Streamer(client, waiting).Read(StreamMethods.Count, 9, read, onItem: () =>
            {
                if (begun++ % frame.Length == 0)
                {
                    mayRead.Wait();
                }
            });
            Assert.Equal(frames * frame.Length, read.Count, "items");
            client.Dispose();
        }
    }

    // Items without bytes, or frames without items, use credit and memory, too.
    [Test]
    public static Task ManySmallFramesArrive() => Both(
        () =>
        [
            session =>
            {
                uint call = session.Greet().ReadFrame().Call;
                byte[] empty = [.. Enumerable.Repeat<byte[]>([0, 0, 0, 7, 10, 0, 0, 0, 0, (byte)call, 0], FirstCredit / 8).SelectMany(bytes => bytes)];
                for (int i = 0; i < 8; i++)
                {
                    session.Send(empty);
                }
                // All of the credit was used for nothing.
                Assert.True(session.ReadFrame().Credit() >= FirstCredit, "credit");
                for (int i = 0; i < 10_000; i++)
                {
                    session.SendItems(call, i);
                    if (i % 1000 == 0)
                    {
                        session.SendItems(call, new long[2000]);
                    }
                }
                session.End(call);
                session.ReadToEnd();
            },
        ],
        async (_, caller) =>
        {
            List<long> read = await caller.Read(StreamMethods.Count, 9);
            Equal(Enumerable.Range(0, 10_000).SelectMany(i => i % 1000 == 0 ? new long[2001].Select((_, n) => n == 0 ? i : 0L) : [i]), read);
        });

    // TCP-33
    [Test]
    public static async Task APeerThatBreaksTheRulesLosesTheConnection()
    {
        (string What, Action<Session, uint> Break)[] ways =
        [
            ("items without a body", (session, call) => session.SendFrame(10, 0, call)),
            ("flags 08", (session, call) => session.SendFrame(10, 8, call, 0)),
            ("flags 04", (session, call) => session.SendFrame(10, 4, call, 0)),
            ("credit for a call", (session, call) => session.SendFrame(11, 0, call, 0, 0, 0, 1)),
            ("a credit frame of 5 bytes", (session, call) => session.SendFrame(11, 0, call, 0, 0, 0, 1, 0)),
            ("a credit frame of 3 bytes", (session, call) => session.SendFrame(11, 0, call, 0, 0, 1)),
            ("items within an answer", (session, call) =>
            {
                session.SendFrame(2, 1, call);
                session.SendItems(call, 1);
            }),
        ];
        foreach ((string what, Action<Session, uint> breaks) in ways)
        {
            await Both(
                () =>
                [
                    session =>
                    {
                        uint call = session.Greet().ReadFrame().Call;
                        session.SendItems(call, 7);
                        breaks(session, call);
                        session.ReadToEnd();
                    },
                ],
                async (_, caller) =>
                {
                    var read = new List<long>();
                    CreoException error = await caller.Fails(ErrorCode.Malformed, () => caller.Read(StreamMethods.Count, 9, read));
                    Assert.Contains(what, error.Message);
                    // What has arrived comes first.
                    Assert.Equal(7L, read[0], "item");
                });
        }
    }

    // TCP-33
    [Test]
    public static async Task ItemsWithoutCreditEndTheConnection()
    {
        using var taken = new SemaphoreSlim(0);
        using var ended = new SemaphoreSlim(0);
        using var server = new FakeServer(session =>
        {
            uint call = session.Greet().ReadFrame().Call;
            session.SendItems(call, new long[8191]);
            Assert.True(taken.Wait(20_000), "the first frame is taken");
            for (int i = 0; i < 5; i++)
            {
                session.SendItems(call, new long[8191]);
            }
            session.ReadToEnd();
            ended.Release();
        });
        using TcpBinding client = server.Client();
        var read = new List<long>();
        // The program takes the first frame before others arrive: so few bytes give no credit.
        void Take()
        {
            if (read.Count == 1)
            {
                taken.Release();
                Assert.True(ended.Wait(20_000), "the end");
            }
        }
        CreoException error = await new Streamer(client, false).Fails(
            ErrorCode.Malformed,
            () => new Streamer(client, false).Read(StreamMethods.Count, 9, read, onItem: Take));
        Assert.Contains("items without credit", error.Message);
        Assert.Equal(5 * 8191, read.Count, "items");
    }

    // TCP-33: what is about no call under way is ignored.
    [Test]
    public static Task OtherCallsAreIgnored() => Both(
        () =>
        [
            session =>
            {
                uint call = session.Greet().ReadFrame().Call;
                session.SendItems(call + 7, 9, 9);
                session.SendFrame(10, 0, call + 7, 0xff, 0xff);
                session.SendFrame(11, 0, call + 7, 0, 0, 0, 0);
                session.SendItems(call, 1);
                session.End(call);
                call = session.ReadFrame().Call;
                session.SendFrame(2, 0, call, 0);
                session.ReadToEnd();
            },
        ],
        async (client, caller) =>
        {
            Equal([1], await caller.Read(StreamMethods.Count, 9));
            // On the same connection.
            Assert.Equal(0, (caller.IsWaiting ? client.Call(SampleMethods.Echo, []) : await client.CallAsync(SampleMethods.Echo, [])).Count);
        });

    // TCP-34
    [Test]
    public static async Task ItemsThatAreNotOfTheWireEndTheCall()
    {
        foreach ((byte[] frame, ErrorCode code, string place) in new[]
        {
            (new byte[] { 2, 1, (byte)'a', 1, 0xff }, ErrorCode.Malformed, "$items[1]"),
            ([1, 1, (byte)'a', 0], ErrorCode.Malformed, "$items"),
            ([0x80, 0], ErrorCode.Malformed, "$items"),
            ([1, 0xff, 0xff, 3, .. new byte[65_535]], ErrorCode.TooLarge, ""),
        })
        {
            await Both(
                () =>
                [
                    session =>
                    {
                        uint call = session.Greet().ReadFrame().Call;
                        session.SendFrame(10, 0, call, 2, 1, (byte)'x', 1, (byte)'y');
                        session.SendFrame(10, 0, call, frame);
                        session.AwaitCancel(call);
                    },
                ],
                async (_, caller) =>
                {
                    var read = new List<string>();
                    CreoException error = await caller.Fails(code, () => caller.Read(StreamMethods.Texts, default, read));
                    Assert.Equal(place, error.Place ?? "", "place");
                    Assert.Equal("x y", string.Join(" ", read), "items");
                },
                new ClientOptions { Limits = new Limits { MaxMessageSize = 50_000 } },
                isCancelled: true);
        }
    }

    // TCP-34: the connection continues.
    [Test]
    public static async Task OtherCallsOfTheConnectionContinue()
    {
        using var server = new FakeServer(session =>
        {
            uint call = session.Greet().ReadFrame().Call;
            session.SendFrame(10, 0, call, 1, 1, 0xff);
            Assert.Equal((6, call), (session.ReadFrame() is var cancel ? cancel.Kind : 0, cancel.Call), "cancel");
            session.SendFrame(2, 0, session.ReadFrame().Call, 0);
            session.ReadToEnd();
        });
        using TcpBinding client = server.Client();
        await Assert.ThrowsAsync<CreoException>(() => new Streamer(client, false).Read(StreamMethods.Texts, default));
        Assert.Equal(0, (await client.CallAsync(SampleMethods.Echo, [])).Count);
    }

    [Test]
    public static Task ALargeItemArrives() => Both(
        () =>
        [
            session =>
            {
                uint call = session.Greet().ReadFrame().Call;
                using var writer = new Writer();
                writer.WriteCount(1);
                writer.WriteString(new string('x', 3_000_000));
                session.SendFrame(10, 0, call, writer.Written.ToArray());
                // It may be larger than the credit, which is then below 0.
                Assert.True(session.ReadFrame().Credit() >= 3_000_000, "credit");
                session.SendFrame(10, 0, call, 1, 1, (byte)'y');
                session.End(call);
                session.ReadToEnd();
            },
        ],
        async (_, caller) => Assert.Equal("3000000 1", string.Join(" ", (await caller.Read(StreamMethods.Texts, default)).Select(text => text.Length))));

    [Test]
    public static async Task StreamsGoThroughTls()
    {
        using X509Certificate2 certificate = ConnectionTests.Certificate("localhost");
        var options = new ClientOptions
        {
            Tls = new TlsOptions { HostName = "localhost", TrustedRoots = new X509Certificate2Collection(ConnectionTests.X509CertificateLoaderOf(certificate)) },
        };
        foreach (bool waiting in new[] { true, false })
        {
            using var server = new FakeServer(certificate, session =>
            {
                uint call = session.Greet().ReadFrame().Call;
                session.SendItems(call, 1, 2);
                session.End(call);
                call = session.ReadFrame().Call;
                session.SendFrame(2, 0, call, StreamMethods.Long(session.ReadItems().Sum()));
                call = session.ReadFrame().Call;
                List<long> asked = session.ReadItems();
                session.SendItems(call, [.. asked]);
                session.End(call);
                session.ReadToEnd();
            });
            using TcpBinding client = server.Client(options);
            var caller = new Streamer(client, waiting);
            Equal([1, 2], await caller.Read(StreamMethods.Count, 9));
            Assert.Equal(6L, await caller.Send(StreamMethods.Sum, [1L, 2, 3]));
            var read = new List<long>();
            await caller.Read(StreamMethods.Talk, default, read, items: [7L, 8]);
            Equal([7, 8], read);
            client.Dispose();
        }
    }

    // The program closes the client while a stream is open.
    [Test]
    public static Task ABindingIsDisposed() => Both(
        () =>
        [
            session =>
            {
                session.SendItems(session.Greet().ReadFrame().Call, 1);
                session.ReadToEnd();
            },
        ],
        async (client, caller) =>
        {
            var read = new List<long>();
            CreoException error = await caller.Fails(ErrorCode.Unavailable, () => caller.Read(StreamMethods.Count, 9, read, onItem: () => Task.Run(client.Dispose)));
            Assert.Contains("the client was closed", error.Message);
            await Assert.ThrowsAsync<ObjectDisposedException>(() => caller.Read(StreamMethods.Count, 9));
        });
}
