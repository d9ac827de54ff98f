using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Creo.Tests;

/// <summary>Streams of results as lines of JSON over HTTP (HTTP-30 to HTTP-38).</summary>
public static class LineTests
{
    private static Task Both(Func<Action<Session>[]> scripts, Func<JsonBinding, Streamer, Task> test, ClientOptions? options = null) =>
        LineSession.Both(scripts, test, options);

    // A call whose answer has these lines, and what is read of it before it fails.
    private static Task Fails(ErrorCode code, string lines, Action<CreoException, List<long>> look, ClientOptions? options = null) => Both(
        () =>
        [
            session =>
            {
                session.ReadCount();
                session.SendLines(lines);
                session.AwaitClosed();
            },
        ],
        async (_, caller) =>
        {
            var read = new List<long>();
            look(await caller.Fails(code, () => caller.Read(LineMethods.Count, 9, read)), read);
        },
        options);

    // HTTP-30, HTTP-31
    [Test]
    public static Task LinesAreItems() => Both(
        () =>
        [
            session =>
            {
                string head = session.ReadCount();
                Assert.Contains("\r\nContent-Type: application/json\r\n", head);
                Assert.Contains("\r\nCreo-Timeout: 999999999\r\n", head);
                Assert.True(!head.Contains("Accept"), head);
                session.Begin();
                // The pieces are not those of lines, and nothing after the last line is read.
                session.SendChunk("{\"item\":1}\r\n\n { \"item\" :\t\"2\" } ");
                session.SendChunk("\n{\"it");
                session.SendChunk("em\":3}\n{\"end\" : true}\nrubbish");
                session.AwaitClosed();
            },
            session =>
            {
                session.ReadHead();
                session.Read(2);
                session.SendLines("{\"item\":null}\n{\"item\":\"\u00fc\\n\"}\n{\"end\":true}\n");
                session.AwaitClosed();
            },
        ],
        async (_, caller) =>
        {
            Assert.Equal("1 2 3", string.Join(' ', await caller.Read(LineMethods.Count, 9)));
            List<string?> texts = await caller.Read(LineMethods.Texts, default);
            Assert.True(texts is [null, "\u00fc\n"], string.Join(' ', texts));
        },
        new ClientOptions { CompressFrom = 1 });

    // HTTP-31, HTTP-36: an item is there as soon as its line is.
    [Test]
    public static async Task ItemsComeOneByOne()
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var taken = new SemaphoreSlim(0);
            using var server = new FakeServer(session =>
            {
                session.ReadCount();
                session.Begin();
                for (int i = 0; i < 3; i++)
                {
                    session.SendChunk($"{{\"item\":{i}}}\n");
                    Assert.True(taken.Wait(TimeSpan.FromSeconds(60)), "the item was not given on");
                }
                session.SendChunk("{\"end\":true}\n");
                session.AwaitClosed();
            });
            using var client = new JsonBinding($"http://127.0.0.1:{server.Port}/x");
            var read = new List<long>();
            await new Streamer(client, waiting).Read(LineMethods.Count, 9, read, onItem: () => taken.Release());
            Assert.Equal(3, read.Count);
            server.Join();
        }
    }

    // CALL-41, HTTP-36: while the program does not read, the connection is not read.
    [Test]
    public static async Task ASlowReaderHoldsTheSenderBack()
    {
        const int chunks = 400;
        byte[] lines = Encoding.ASCII.GetBytes(string.Concat(Enumerable.Repeat($"{{\"item\":{new string(' ', 100)}7}}\n", 1000)));
        foreach (bool waiting in new[] { true, false })
        {
            using var held = new ManualResetEventSlim();
            int sent = 0;
            using var server = new FakeServer(session =>
            {
                session.ReadCount();
                session.Begin();
                for (; sent < chunks; sent++)
                {
                    Task sending = session.SendAsync([.. Encoding.ASCII.GetBytes($"{lines.Length:x}\r\n"), .. lines, .. "\r\n"u8]);
                    if (!sending.IsCompleted)
                    {
                        // The buffers of the system are full.
                        held.Set();
                    }
                    sending.Wait();
                }
                session.SendChunk("{\"end\":true}\n");
                session.AwaitClosed();
            });
            using var client = new JsonBinding($"http://127.0.0.1:{server.Port}/x");
            long count = 0;
            var read = new List<long>();
            await new Streamer(client, waiting).Read(LineMethods.Count, 9, read, onItem: () =>
            {
                if (count++ == 0)
                {
                    Assert.True(held.Wait(TimeSpan.FromSeconds(60)), "the sender was not held back");
                    Assert.True(Volatile.Read(ref sent) < chunks, "all was sent before it was read");
                }
                read.Clear();
            });
            Assert.Equal(1000L * chunks, count);
            server.Join();
        }
    }

    // CALL-40, HTTP-37
    [Test]
    public static async Task WhatCameIsGivenBeforeTheEnd()
    {
        static void Look(CreoException error, List<long> read)
        {
            Assert.Equal("1", string.Join(' ', read), error.ToString());
            Assert.True(error.Details.ContainsKey("peer"), "no peer");
        }
        await Fails(ErrorCode.Unavailable, "{\"item\":1}\n", Look);
        await Fails(ErrorCode.Unavailable, "{\"item\":1}\n{\"item\":2", Look);
        await Fails(ErrorCode.Unavailable, "{\"item\":1}\n{\"end\":true}", Look);
        await Fails(ErrorCode.Malformed, "{\"item\":1}\n{\"item\":x}\n{\"end\":true}\n", Look);
        await Fails(ErrorCode.ProtocolMismatch, "{\"item\":1}\n{\"error\":{\"title\":\"no\"}}\n", Look);
        await Fails(ErrorCode.Malformed, "{\"item\":1}\n{\"error\":7}\n", Look);
        await Fails(ErrorCode.Overloaded, "{\"item\":1}\n{\"error\":{\"type\":\"urn:creo:error:overloaded\",\"status\":503,\"detail\":\"busy\"}}\n", (error, read) =>
        {
            Look(error, read);
            Assert.True(error.FromPeer, "the peer's");
            Assert.Equal("busy", error.Text);
        });
    }

    [Test]
    public static Task AnExceptionMayFollowItems() => Both(
        () =>
        [
            session =>
            {
                session.ReadCount();
                session.SendLines("{\"item\":1}\n{\"error\":{\"type\":\"urn:creo:exception:test.NotFound\",\"status\":422,\"value\":{\"description\":\"gone\"}}}\n");
                session.AwaitClosed();
            },
        ],
        async (_, caller) =>
        {
            var read = new List<long>();
            NotFoundException exception = await Assert.ThrowsAsync<NotFoundException>(() => caller.Read(LineMethods.Count, 9, read));
            Assert.Equal("gone", exception.Description);
            Assert.Equal(1, read.Count);
        });

    // HTTP-37: a connection that breaks, with and without the end of its chunk.
    [Test]
    public static async Task ABrokenConnectionIsACut()
    {
        foreach (string sent in new[] { "b\r\n{\"item\":1}\n\r\n", "b\r\n{\"item\":1}\n", "ff\r\n{\"item\":1}\n" })
        {
            await Both(
                () =>
                [
                    session =>
                    {
                        session.ReadCount();
                        session.Begin();
                        session.SendText(sent);
                    },
                ],
                async (_, caller) =>
                {
                    var read = new List<long>();
                    await caller.Fails(ErrorCode.Unavailable, () => caller.Read(LineMethods.Count, 9, read));
                    Assert.Equal("1", string.Join(' ', read));
                });
        }
    }

    // HTTP-30
    [Test]
    public static async Task OtherLinesAreMalformed()
    {
        string[] lines =
        [
            "[1]", "1", "{}", "{", "}", "{\"item\":1,\"b\":2}", "{\"item\":true}", "{\"end\":false}", "{\"end\":true,\"item\":1}", "{\"it\":1}", "{\"item\":}", "{\"item\"}",
            "{\"items\":1}", "{\"\\u0069tem\":1}", "{'item':1}", "{\"item\":1}{\"item\":2}", "{\"item\":\ufeff1}", "\ufeff{\"item\":1}", "{\"item\":1}\v", "{\"Item\":1}",
        ];
        foreach (string line in lines)
        {
            await Fails(ErrorCode.Malformed, $"{line}\n{{\"end\":true}}\n", (error, read) =>
            {
                Assert.True(error.Place is { } place && place.StartsWith("$items", StringComparison.Ordinal), $"{line}: {error}");
                Assert.Equal(0, read.Count);
            });
        }
    }

    // HTTP-36
    [Test]
    public static async Task ALineHasALimit()
    {
        var options = new ClientOptions { Limits = new Limits { MaxMessageSize = 1000 } };
        string full = $"{{\"item\":{new string(' ', 990)}1}}";
        await Fails(ErrorCode.TooLarge, $"{{\"item\":1}}\n{full} \n", (error, read) => Assert.Equal(1, read.Count, error.ToString()), options);
        // The peer does not say where it ends.
        await Both(
            () =>
            [
                session =>
                {
                    session.ReadCount();
                    session.SendLines(string.Concat(Enumerable.Repeat(full + "\n", 100)) + "{\"end\":true}\n");
                    session.AwaitClosed();
                },
                session =>
                {
                    session.ReadCount();
                    session.Begin();
                    session.SendChunk(new string(' ', 5000));
                    session.AwaitClosed();
                },
            ],
            async (_, caller) =>
            {
                Assert.Equal(100, (await caller.Read(LineMethods.Count, 9)).Count);
                CreoException error = await caller.Fails(ErrorCode.TooLarge, () => caller.Read(LineMethods.Count, 9));
                Assert.Equal("$items", error.Place);
            },
            options);
    }

    // HTTP-36: the budget holds for each line by itself (LIM-18).
    [Test]
    public static Task EachLineHasABudget() => Fails(
        ErrorCode.TooLarge,
        $"{{\"item\":1}}\n{{\"item\":1}}\n{{\"item\":1}}\n{{\"item\":{new string(' ', 80)}1}}\n",
        (error, read) => Assert.Equal(3, read.Count, error.ToString()),
        new ClientOptions { Limits = new Limits { MaxMemory = 50 } });

    // HTTP-31: what ends the call before the first item has its own status.
    [Test]
    public static Task AnAnswerThatIsNoStream() => Both(
        () =>
        [
            session =>
            {
                session.ReadCount();
                session.Answer(
                    422, "application/problem+json", "{\"type\":\"urn:creo:exception:test.NotFound\",\"value\":{\"description\":\"none\"}}", "Connection: close\r\n");
                session.AwaitClosed();
            },
            session =>
            {
                session.ReadCount();
                session.Answer(503, "application/problem+json", "{\"type\":\"urn:creo:error:overloaded\"}", "Retry-After: 3\r\n");
                session.AwaitClosed();
            },
            session =>
            {
                session.ReadCount();
                session.Answer(200, "application/json", "[1,2]");
                session.AwaitClosed();
            },
            session =>
            {
                session.ReadCount();
                session.SendText("HTTP/1.1 204 No Content\r\n\r\n");
                session.AwaitClosed();
            },
            session =>
            {
                session.ReadCount();
                session.Answer(502, "application/x-ndjson", "{\"item\":1}\n{\"end\":true}\n");
                session.AwaitClosed();
            },
            session =>
            {
                session.ReadCount();
                session.Answer(200, "application/x-ndjson", "{\"item\":1}\n{\"end\":true}\n", "Content-Encoding: br\r\n");
                session.AwaitClosed();
            },
            session =>
            {
                session.ReadCount();
                session.SendText("CREO\r\n\r\n");
                session.AwaitClosed();
            },
        ],
        async (_, caller) =>
        {
            Assert.Equal("none", (await Assert.ThrowsAsync<NotFoundException>(() => caller.Read(LineMethods.Count, 9))).Description);
            CreoException error = await caller.Fails(ErrorCode.Overloaded, () => caller.Read(LineMethods.Count, 9));
            Assert.Equal(TimeSpan.FromSeconds(3), error.RetryAfter!.Value);
            await caller.Fails(ErrorCode.ProtocolMismatch, () => caller.Read(LineMethods.Count, 9));
            await caller.Fails(ErrorCode.ProtocolMismatch, () => caller.Read(LineMethods.Count, 9));
            await caller.Fails(ErrorCode.Unavailable, () => caller.Read(LineMethods.Count, 9));
            await caller.Fails(ErrorCode.ProtocolMismatch, () => caller.Read(LineMethods.Count, 9));
            await caller.Fails(ErrorCode.ProtocolMismatch, () => caller.Read(LineMethods.Count, 9));
        });

    // CALL-42, HTTP-37: leaving closes the connection at once, although the peer never ends.
    [Test]
    public static Task LeavingClosesTheConnection() => Both(
        () =>
        [
            session =>
            {
                session.ReadCount();
                session.Begin();
                session.SendChunk("{\"item\":1}\n{\"item\":2}\n");
                session.AwaitClosed();
            },
        ],
        async (_, caller) =>
        {
            var read = new List<long>();
            await caller.Read(LineMethods.Count, 9, read, take: 1);
            Assert.Equal(1, read.Count);
        });

    [Test]
    public static async Task ATokenEndsAStream()
    {
        using var giveUp = new CancellationTokenSource();
        using var taken = new SemaphoreSlim(0);
        using var server = new FakeServer(session =>
        {
            session.ReadCount();
            session.Begin();
            session.SendChunk("{\"item\":1}\n");
            Assert.True(taken.Wait(TimeSpan.FromSeconds(60)), "the item was not given on");
            giveUp.Cancel();
            session.AwaitClosed();
        });
        using var client = new JsonBinding($"http://127.0.0.1:{server.Port}/x");
        await Assert.ThrowsAsync<OperationCanceledException>(async () =>
        {
            await foreach (long item in client.ReceiveAsync(LineMethods.Count, 9, cancellationToken: giveUp.Token))
            {
                taken.Release();
            }
        });
        server.Join();
    }

    // CALL-44: before the answer, and after an item.
    [Test]
    public static Task ADeadlineHolds() => Both(
        () =>
        [
            session =>
            {
                session.ReadCount();
                session.AwaitClosed();
            },
            session =>
            {
                session.ReadCount();
                session.Begin();
                session.SendChunk("{\"item\":1}\n");
                session.AwaitClosed();
            },
        ],
        async (_, caller) =>
        {
            var options = CallOptions.Within(TimeSpan.FromSeconds(2));
            await caller.Fails(ErrorCode.DeadlineExceeded, () => caller.Read(LineMethods.Count, 9, options));
            var read = new List<long>();
            await caller.Fails(ErrorCode.DeadlineExceeded, () => caller.Read(LineMethods.Count, 9, read, options));
            Assert.Equal(1, read.Count);
        });

    [Test]
    public static Task AClosedClientEndsItsStreams() => Both(
        () =>
        [
            session =>
            {
                session.ReadCount();
                session.Begin();
                session.SendChunk("{\"item\":1}\n");
                session.AwaitClosed();
            },
        ],
        async (client, caller) =>
        {
            await caller.Fails(ErrorCode.Unavailable, () => caller.Read(LineMethods.Count, 9, [], onItem: client.Dispose));
            await Assert.ThrowsAsync<ObjectDisposedException>(() => caller.Read(LineMethods.Count, 9));
        });

    // CALL-4, CALL-15, CALL-43, HTTP-38
    [Test]
    public static async Task InterceptorsSeeABeginningAndAnEnd()
    {
        foreach (bool waiting in new[] { true, false })
        {
            var outcomes = new List<Outcome>();
            var options = new ClientOptions { Interceptors = [new Adding(outcomes)], Limits = new Limits { Deadline = TimeSpan.FromMilliseconds(1) } };
            using var server = new FakeServer(
                session =>
                {
                    Assert.Contains("\r\nCreo-Meta-a: b\r\n", session.ReadCount());
                    session.Begin("Creo-Meta-K: v\r\n");
                    session.SendChunk("{\"item\":1}\n{\"end\":true}\n");
                    session.AwaitClosed();
                },
                session =>
                {
                    session.ReadCount();
                    session.Begin("Creo-Meta-K: %\r\n");
                    session.AwaitClosed();
                },
                session =>
                {
                    session.ReadCount();
                    session.Begin();
                    session.SendChunk("{\"item\":1}\n{\"item\":2}\n");
                    session.AwaitClosed();
                });
            using var client = new JsonBinding($"http://127.0.0.1:{server.Port}/x", options);
            var caller = new Streamer(client, waiting);
            Answer? answer = null;
            await caller.Read(LineMethods.Count, 9, [], new CallOptions { OnAnswer = given => answer = given }, onItem: () => Assert.Equal(0, outcomes.Count, "ends"));
            Assert.Equal("v", answer!.Metadata["k"]);
            Assert.Equal(200, answer.Status);
            await caller.Fails(ErrorCode.Malformed, () => caller.Read(LineMethods.Count, 9));
            await caller.Read(LineMethods.Count, 9, [], take: 1);
            await Assert.ThrowsAsync<FormatException>(() => caller.Read(LineMethods.Count, 9, new CallOptions { Metadata = new Dictionary<string, string> { ["refuse"] = "me" } }));
            await caller.Fails(ErrorCode.UnknownMethod, () => caller.Read(StreamMethods.Count, 9));
            Assert.Equal("result malformed cancelled internal unknown-method", string.Join(' ', outcomes));
            Assert.Equal("v", outcomes[0].Answer!.Metadata["k"]);
            Assert.True(outcomes[0].Peer is not null, "a peer");
            server.Join();
        }
    }

    private sealed class Adding(List<Outcome> outcomes) : IInterceptor
    {
        public Action<Outcome>? Begin(OutgoingCall call)
        {
            if (call.Options.Metadata is { } metadata && metadata.ContainsKey("refuse"))
            {
                outcomes.Add(new Outcome { Failure = new FormatException() });
                throw new FormatException("not this one");
            }
            call.Options = call.Options with { Metadata = new Dictionary<string, string> { ["a"] = "b" } };
            return outcomes.Add;
        }
    }

    // CALL-61, CALL-65
    [Test]
    public static async Task RawMessagesHaveNoItems()
    {
        var seen = new List<RawMessage>();
        await Both(
            () =>
            [
                session =>
                {
                    session.ReadCount();
                    session.SendLines("{\"item\":1}\n{\"end\":true}\n");
                    session.AwaitClosed();
                },
                session =>
                {
                    session.ReadCount();
                    session.Answer(404, "text/html", "<p>not here</p>");
                    session.AwaitClosed();
                },
                session =>
                {
                    session.ReadCount();
                    session.Begin();
                    session.SendText("ff\r\n{\"item\":1}\n");
                },
                session =>
                {
                    session.ReadHead();
                    session.ReadBody();
                    session.Answer(200, "application/json", "6");
                    session.AwaitClosed();
                },
            ],
            async (_, caller) =>
            {
                seen.Clear();
                await caller.Read(LineMethods.Count, 9);
                await caller.Fails(ErrorCode.Unavailable, () => caller.Read(LineMethods.Count, 9));
                await caller.Fails(ErrorCode.Unavailable, () => caller.Read(LineMethods.Count, 9));
                Assert.Equal(6L, await caller.Send(LineMethods.Sum, [1L, 2, 3]));
                string[] shown = [.. seen.Select(message => $"{message.Method.Split('.')[^1]} {message.Status} {Encoding.UTF8.GetString(message.Body.Span)}{message.Length}")];
                Assert.Equal(
                    "count 0 {\"to\":***}8; count 200 0; count 0 {\"to\":***}8; count 404 15; count 0 {\"to\":***}8; sum 0 {}\n3; sum 200 61",
                    string.Join("; ", shown).Replace("\"***\"", "***"));
            },
            new ClientOptions { RawMessages = message => seen.Add(message) });
    }

    // CALL-45
    [Test]
    public static Task NothingIsRepeatedAfterAnItem() => Both(
        () =>
        [
            session =>
            {
                session.ReadCount();
                session.SendLines("{\"item\":1}\n{\"error\":{\"type\":\"urn:creo:error:unavailable\",\"details\":{\"started\":\"no\"}}}\n");
                session.AwaitClosed();
            },
            session =>
            {
                session.ReadCount();
                session.Answer(503, "application/problem+json", "{\"type\":\"urn:creo:error:unavailable\",\"details\":{\"started\":\"no\"}}");
                session.AwaitClosed();
            },
        ],
        async (_, caller) =>
        {
            var read = new List<long>();
            await caller.Fails(ErrorCode.Unavailable, () => caller.Read(LineMethods.Count, 9, read));
            Assert.Equal(1, read.Count);
            await caller.Fails(ErrorCode.Unavailable, () => caller.Read(LineMethods.Count, 9));
        },
        new ClientOptions { Retry = RetryPolicy.Default });

    // CALL-32: a peer that has given items cannot send the call elsewhere.
    [Test]
    public static async Task BalancingTriesNoOtherAddressAfterAnItem()
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var server = new FakeServer(session =>
            {
                session.ReadCount();
                session.SendLines("{\"item\":1}\n{\"error\":{\"type\":\"urn:creo:error:unavailable\",\"details\":{\"started\":\"no\"}}}\n");
                session.AwaitClosed();
            });
            using var client = new BalancedBinding(["x", "y/../x"], place => new JsonBinding($"http://127.0.0.1:{server.Port}/{place}"));
            var caller = new Streamer(client, waiting);
            var read = new List<long>();
            await caller.Fails(ErrorCode.Unavailable, () => caller.Read(LineMethods.Count, 9, read));
            Assert.Equal(1, read.Count);
            server.Join();
        }
    }

    // CALL-32: an address that is not there is not the end.
    [Test]
    public static async Task BalancingTriesAnotherAddress()
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var server = new FakeServer(session =>
            {
                session.ReadCount();
                session.SendLines("{\"item\":1}\n{\"end\":true}\n");
                session.AwaitClosed();
            });
            using var client = new BalancedBinding(
                ["1", $"{server.Port}"], place => new JsonBinding($"http://127.0.0.1:{place}/x"), new BalancingOptions { Rule = BalancingRule.RoundRobin });
            Assert.Equal(1, (await new Streamer(client, waiting).Read(LineMethods.Count, 9)).Count);
            server.Join();
        }
    }
}
