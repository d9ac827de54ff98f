using System;
using System.Collections.Generic;
using System.Linq;
using System.Net;
using System.Security.Cryptography.X509Certificates;
using System.Threading;
using System.Threading.Tasks;

namespace Creo.Tests;

/// <summary>Streams that a client sends as lines of JSON over HTTP (HTTP-33 to HTTP-37).</summary>
public static class LineSendTests
{
    private static Task Both(Func<Action<Session>[]> scripts, Func<JsonBinding, Streamer, Task> test, ClientOptions? options = null) =>
        LineSession.Both(scripts, test, options);

    private static void AnswerSum(Session session, string sum) => session.Answer(200, "application/json", sum);

    // HTTP-33
    [Test]
    public static Task ItemsTravelInChunks() => Both(
        () =>
        [
            session =>
            {
                string head = session.ReadHead();
                Assert.True(head.StartsWith("POST /x/sum HTTP/1.1\r\n", StringComparison.Ordinal), head);
                Assert.Contains("\r\nContent-Type: application/x-ndjson\r\n", head);
                Assert.Contains("\r\nTransfer-Encoding: chunked\r\n", head);
                Assert.True(!head.Contains("Content-Length") && !head.Contains("Expect"), head);
                Assert.Equal("{}\n", session.ReadChunk());
                Assert.Equal("{\"item\":1}\n{\"item\":\"9007199254740992\"}\n{\"end\":true}\n", session.ReadBody());
                AnswerSum(session, "3");
                session.AwaitClosed();
            },
            session =>
            {
                session.ReadHead();
                Assert.Equal("{}\n{\"end\":true}\n", session.ReadBody());
                AnswerSum(session, "0");
                session.AwaitClosed();
            },
            session =>
            {
                session.ReadHead();
                Assert.Equal("{}\n{\"item\":\"\u00fc\\n\"}\n{\"item\":null}\n{\"end\":true}\n", session.ReadBody());
                session.SendText("HTTP/1.1 204 No Content\r\n\r\n");
                session.AwaitClosed();
            },
            session =>
            {
                session.ReadHead();
                Assert.Equal("{}\n{\"item\":127}\n{\"item\":-128}\n{\"end\":true}\n", session.ReadBody());
                session.SendText("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
                session.AwaitClosed();
            },
        ],
        async (_, caller) =>
        {
            Assert.Equal(3L, await caller.Send(LineMethods.Sum, [1L, 1L << 53]));
            Assert.Equal(0L, await caller.Send(LineMethods.Sum, Array.Empty<long>()));
            await caller.Send(LineMethods.Store, ["\u00fc\n", null]);
            await caller.Send(LineMethods.Bytes, [(byte)127, (byte)128]);
        },
        new ClientOptions { CompressFrom = 1 });

    // CALL-41: an item is sent before the next one is there.
    [Test]
    public static async Task ItemsAreSentOneByOne()
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var came = new SemaphoreSlim(0);
            using var server = new FakeServer(session =>
            {
                session.ReadHead();
                Assert.Equal("{}\n", session.ReadChunk());
                for (int i = 0; i < 3; i++)
                {
                    Assert.Equal($"{{\"item\":{i}}}\n", session.ReadChunk());
                    came.Release();
                }
                Assert.Equal("{\"end\":true}\n", session.ReadBody());
                AnswerSum(session, "3");
                session.AwaitClosed();
            });
            using var client = new JsonBinding($"http://127.0.0.1:{server.Port}/x");
            IEnumerable<long> Items()
            {
                for (int i = 0; i < 3; i++)
                {
                    yield return i;
                    Assert.True(came.Wait(TimeSpan.FromSeconds(60)), "the item was not sent");
                }
            }
            async IAsyncEnumerable<long> ItemsAsync()
            {
                for (int i = 0; i < 3; i++)
                {
                    yield return i;
                    Assert.True(await came.WaitAsync(TimeSpan.FromSeconds(60)), "the item was not sent");
                }
            }
            Assert.Equal(3L, waiting ? await Task.Run(() => client.Send(LineMethods.Sum, default, Items())) : await client.SendAsync(LineMethods.Sum, default, ItemsAsync()));
            server.Join();
        }
    }

    // CALL-41: the source is read as fast as the peer reads.
    [Test]
    public static async Task APeerThatDoesNotReadHoldsTheSourceBack()
    {
        foreach (bool waiting in new[] { true, false })
        {
            var numbers = new Numbers();
            using var server = new FakeServer(session =>
            {
                session.ReadHead();
                Assert.Equal("{}\n", session.ReadChunk());
                numbers.Closed.Task.Wait();
            });
            using var client = new JsonBinding($"http://127.0.0.1:{server.Port}/x");
            var caller = new Streamer(client, waiting);
            await caller.Fails(ErrorCode.DeadlineExceeded, () => caller.Send(LineMethods.Sum, numbers.Items(), CallOptions.Within(TimeSpan.FromSeconds(1))));
            await numbers.Closed.Task;
            // The buffers of the system have some megabytes.
            Assert.True(numbers.Taken < 2_000_000, $"{numbers.Taken} items were taken");
            server.Join();
        }
    }

    // HTTP-33, CALL-41: an answer ends the stream of the caller, whether the peer reads on, stops, or closes.
    [Test]
    public static async Task AnAnswerEndsTheStream()
    {
        Action<Session, Numbers>[] ends =
        [
            (session, numbers) => session.AwaitClosed(),
            (session, numbers) => numbers.Closed.Task.Wait(),
            (session, numbers) => { },
        ];
        foreach (bool waiting in new[] { true, false })
        {
            foreach (Action<Session, Numbers> end in ends)
            {
                foreach (bool isRight in new[] { true, false })
                {
                    var numbers = new Numbers();
                    using var server = new FakeServer(session =>
                    {
                        session.ReadHead();
                        Assert.Equal("{}\n", session.ReadChunk());
                        session.ReadChunk();
                        session.SendText("HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n");
                        session.ReadChunk();
                        if (isRight)
                        {
                            AnswerSum(session, "7");
                        }
                        else
                        {
                            session.Answer(
                                422, "application/problem+json", "{\"type\":\"urn:creo:exception:test.NotFound\",\"value\":{\"description\":\"full\"}}", "Connection: close\r\n");
                        }
                        end(session, numbers);
                    });
                    using var client = new JsonBinding($"http://127.0.0.1:{server.Port}/x");
                    var caller = new Streamer(client, waiting);
                    if (isRight)
                    {
                        Assert.Equal(7L, await caller.Send(LineMethods.Sum, numbers.Items()));
                    }
                    else
                    {
                        Assert.Equal("full", (await Assert.ThrowsAsync<NotFoundException>(() => caller.Send(LineMethods.Sum, numbers.Items()))).Description);
                    }
                    await numbers.Closed.Task;
                    server.Join();
                }
            }
        }
    }

    // The answer comes while the source has nothing to give.
    [Test]
    public static async Task AnAnswerDoesNotWaitForTheSource()
    {
        using var server = new FakeServer(session =>
        {
            session.ReadHead();
            Assert.Equal("{}\n", session.ReadChunk());
            Assert.Equal("{\"item\":1}\n", session.ReadChunk());
            AnswerSum(session, "7");
            session.AwaitClosed();
        });
        using var client = new JsonBinding($"http://127.0.0.1:{server.Port}/x");
        var never = new TaskCompletionSource();
        var closed = new TaskCompletionSource();
        async IAsyncEnumerable<long> Items()
        {
            try
            {
                yield return 1;
                await never.Task;
            }
            finally
            {
                closed.SetResult();
            }
        }
        Assert.Equal(7L, await client.SendAsync(LineMethods.Sum, default, Items()));
        server.Join();
        Assert.True(!closed.Task.IsCompleted, "it still waits");
        never.SetResult();
        await closed.Task;
    }

    // HTTP-37
    [Test]
    public static Task AConnectionThatEndsIsUnavailable() => Both(
        () =>
        [
            session =>
            {
                session.ReadHead();
                session.ReadChunk();
                session.ReadChunk();
            },
            session =>
            {
                session.ReadHead();
                session.ReadBody();
                session.SendText("HTTP/1.1 2");
            },
        ],
        async (_, caller) =>
        {
            var numbers = new Numbers();
            CreoException error = await caller.Fails(ErrorCode.Unavailable, () => caller.Send(LineMethods.Sum, numbers.Items()));
            Assert.True(!error.NotStarted, "it was sent");
            await numbers.Closed.Task;
            await caller.Fails(ErrorCode.Unavailable, () => caller.Send(LineMethods.Sum, [1L]));
        });

    // CALL-41: the failure goes to the caller as it is, and the stream does not end.
    [Test]
    public static Task AFailureOfTheSourceGoesToTheCaller() => Both(
        () =>
        [
            session =>
            {
                session.ReadHead();
                Assert.Equal("{}\n", session.ReadChunk());
                session.AwaitClosed();
            },
        ],
        async (_, caller) =>
        {
            var numbers = new Numbers();
            FormatException failure = await Assert.ThrowsAsync<FormatException>(() => caller.Send(LineMethods.Sum, numbers.Items(fail: 3)));
            Assert.Equal("the source fails", failure.Message);
            await numbers.Closed.Task;
        });

    [Test]
    public static Task AnItemThatCannotBeWrittenEndsTheCall() => Both(
        () => [session => session.AwaitClosed(), session => session.AwaitClosed()],
        async (_, caller) =>
        {
            CreoException error = await caller.Fails(ErrorCode.InvalidValue, () => caller.Send(LineMethods.Store, ["a", "\ud800"]));
            Assert.Equal("$items", error.Place);
            error = await caller.Fails(ErrorCode.TooLarge, () => caller.Send(LineMethods.Store, ["a", new string('x', 1000)]));
            Assert.Equal("$items", error.Place);
        },
        new ClientOptions { Limits = new Limits { MaxMessageSize = 1000 } });

    // Larger lines than the limit of one message in sum.
    [Test]
    public static Task TheLimitIsThatOfALine() => Both(
        () =>
        [
            session =>
            {
                session.ReadHead();
                Assert.Equal(100, session.ReadBody().Split('\n').Count(static line => line.Length == 911));
                session.SendText("HTTP/1.1 204 No Content\r\n\r\n");
                session.AwaitClosed();
            },
        ],
        async (_, caller) => await caller.Send(LineMethods.Store, Enumerable.Repeat<string?>(new string('x', 900), 100).ToArray()),
        new ClientOptions { Limits = new Limits { MaxMessageSize = 1000 } });

    [Test]
    public static async Task ATokenEndsACall()
    {
        using var giveUp = new CancellationTokenSource();
        using var server = new FakeServer(session =>
        {
            session.ReadHead();
            Assert.Equal("{}\n", session.ReadChunk());
            Assert.Equal("{\"item\":1}\n", session.ReadChunk());
            giveUp.Cancel();
            session.AwaitClosed();
        });
        using var client = new JsonBinding($"http://127.0.0.1:{server.Port}/x");
        static async IAsyncEnumerable<long> Items([System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken ended = default)
        {
            yield return 1;
            await Task.Delay(Timeout.Infinite, ended);
        }
        await Assert.ThrowsAsync<OperationCanceledException>(async () => await client.SendAsync(LineMethods.Sum, default, Items(), cancellationToken: giveUp.Token));
        server.Join();
    }

    // CALL-32, CALL-45
    [Test]
    public static async Task NoOtherAddressIsTriedAfterAnItem()
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var server = new FakeServer(session =>
            {
                session.ReadHead();
                session.ReadChunk();
                session.ReadChunk();
                session.Answer(503, "application/problem+json", "{\"type\":\"urn:creo:error:unavailable\",\"details\":{\"started\":\"no\"}}");
                session.AwaitClosed();
            });
            using var client = new BalancedBinding(
                ["1", $"{server.Port}", "2"], place => new JsonBinding($"http://127.0.0.1:{place}/x"), new BalancingOptions { Rule = BalancingRule.RoundRobin });
            var caller = new Streamer(client, waiting);
            var numbers = new Numbers();
            CreoException error = await caller.Fails(ErrorCode.Unavailable, () => caller.Send(LineMethods.Sum, numbers.Items()));
            Assert.True(error.FromPeer, error.ToString());
            server.Join();
        }
    }

    // HTTP-10
    [Test]
    public static async Task StreamsTravelOverTls()
    {
        using X509Certificate2 certificate = ConnectionTests.Certificate("localhost");
        var options = new ClientOptions
        {
            Tls = new TlsOptions { HostName = "localhost", TrustedRoots = new X509Certificate2Collection(ConnectionTests.X509CertificateLoaderOf(certificate)) },
        };
        foreach (bool waiting in new[] { true, false })
        {
            using var server = new FakeServer(
                certificate,
                session =>
                {
                    session.ReadCount();
                    session.SendLines("{\"item\":1}\n{\"end\":true}\n");
                    session.AwaitClosed();
                },
                session =>
                {
                    session.ReadHead();
                    session.ReadChunk();
                    session.ReadChunk();
                    AnswerSum(session, "7");
                    session.AwaitClosed();
                });
            using var client = new JsonBinding($"https://127.0.0.1:{server.Port}/x", options);
            var caller = new Streamer(client, waiting);
            Assert.Equal(1, (await caller.Read(LineMethods.Count, 9)).Count);
            Assert.Equal(7L, await caller.Send(LineMethods.Sum, new Numbers().Items()));
            server.Join();
        }
    }

    // HTTP-21
    [Test]
    public static async Task StreamsGoThroughAProxy()
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var proxy = new FakeServer(
                session =>
                {
                    string head = session.ReadHead();
                    Assert.True(head.StartsWith("POST http://service.example/x/sum HTTP/1.1\r\n", StringComparison.Ordinal), head);
                    Assert.Contains("\r\nProxy-Authorization: Basic ", head);
                    Assert.Equal("{}\n{\"item\":1}\n{\"end\":true}\n", session.ReadBody());
                    AnswerSum(session, "1");
                    session.AwaitClosed();
                },
                session =>
                {
                    session.ReadHead();
                    session.Answer(407, "text/html", "who?");
                    session.AwaitClosed();
                });
            var options = new ClientOptions { Proxy = new WebProxy($"http://127.0.0.1:{proxy.Port}") { Credentials = new NetworkCredential("me", "secret") } };
            using var client = new JsonBinding("http://service.example/x", options);
            var caller = new Streamer(client, waiting);
            Assert.Equal(1L, await caller.Send(LineMethods.Sum, [1L]));
            await caller.Fails(ErrorCode.Unauthenticated, () => caller.Send(LineMethods.Sum, new Numbers().Items()));
            proxy.Join();
        }
    }
}
