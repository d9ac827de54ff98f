using System;
using System.Collections.Generic;
using System.Linq;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Creo.Tests;

/// <summary>Connections: how they begin, end, and come back.</summary>
public static class ConnectionTests
{
    private static async Task Both(Func<Action<Session>[]> scripts, Func<CallTests.Caller, Task> test, ClientOptions? options = null)
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var server = new FakeServer(scripts());
            using TcpBinding client = server.Client(options);
            await test(new CallTests.Caller(client, waiting));
            client.Dispose();
        }
    }

    private static void AnswerAll(Session session)
    {
        try
        {
            while (true)
            {
                session.SendFrame(2, 0, session.ReadFrame().Call, 0);
            }
        }
        catch (System.IO.IOException)
        {
            // The client has closed its side.
        }
    }

    // TCP-2
    [Test]
    public static async Task OtherProtocolsAreNamed()
    {
        foreach ((string said, string named) in new[]
        {
            ("HTTP/1.1 400 Bad Request\r\n\r\n", "HTTP"), ("GET / HTTP/1.1\r\n\r\n", "HTTP"), ("\u0015\u0003\u0001\0\u0002\u0002\n", "TLS"),
            ("CREO\u0007\0\0\0", "version 7"), ("SSH-2.0-x\r\n", "53 53 48"), ("no", "6e 6f"),
        })
        {
            await Both(
                () => [session => session.Send(Encoding.Latin1.GetBytes(said))],
                async caller =>
                {
                    CreoException error = await caller.Fails(ErrorCode.ProtocolMismatch, SampleMethods.Echo, []);
                    Assert.Contains(named, error.Message);
                });
        }
    }

    // TCP-2
    [Test]
    public static Task APeerThatSaysNothingIsNamedToo() => Both(
        () => [session => { session.Read(8); session.ReadFrame(); }],
        async caller =>
        {
            CreoException error = await caller.Fails(ErrorCode.Unavailable, SampleMethods.Echo, []);
            Assert.Contains("before it said which protocol it speaks", error.Message);
        });

    // TCP-5
    [Test]
    public static async Task BrokenFramesEndTheConnection()
    {
        foreach (string frame in new[]
        {
            "00000005 02 00 00000001", "80000000 02 00 00000001", "00000006 0a 00 00000001", "00000006 01 00 00000001", "00000006 02 08 00000001",
            "00000006 04 04 00000000", "00000006 07 01 00000001", "00000007 07 00 00000001 00", "00000006 05 00 00000001",
            "00000006 02 01 00000001 00000006 02 00 00000001", "00000006 02 01 00000001 00000006 05 00 00000002",
        })
        {
            await Both(
                () =>
                [
                    session =>
                    {
                        session.Greet().ReadFrame();
                        session.Send(frame);
                        session.ReadToEnd();
                    },
                    session => AnswerAll(session.Greet()),
                ],
                async caller =>
                {
                    await caller.Fails(ErrorCode.Malformed, SampleMethods.Echo, []);
                    Assert.Equal(0, (await caller.Call(SampleMethods.Echo, [])).Count);
                });
        }
    }

    // TCP-16
    [Test]
    public static Task ALostConnectionIsReplaced() => Both(
        () =>
        [
            session =>
            {
                Frame frame = session.Greet().ReadFrame();
                session.SendFrame(2, 1, frame.Call, 1, 2);
            },
            session => AnswerAll(session.Greet()),
        ],
        async caller =>
        {
            CreoException error = await caller.Fails(ErrorCode.Unavailable, SampleMethods.Echo, []);
            Assert.Contains("closed the connection", error.Message);
            Assert.Equal(0, (await caller.Call(SampleMethods.Echo, [])).Count);
        });

    // TCP-15
    [Test]
    public static Task GoodbyeLeadsToANewConnection()
    {
        using var seen = new SemaphoreSlim(0);
        return Both(
            () =>
            [
                session =>
                {
                    Frame frame = session.Greet().ReadFrame();
                    session.SendFrame(9, 0, 0);
                    session.SendFrame(2, 0, frame.Call, 0);
                    Assert.Equal(0, session.ReadToEnd().Count, "calls after goodbye");
                },
                session => AnswerAll(session.Greet()),
            ],
            async caller =>
            {
                Assert.Equal(0, (await caller.Call(SampleMethods.Echo, [])).Count);
                Assert.Equal(0, (await caller.Call(SampleMethods.Echo, [])).Count);
            });
    }

    // TCP-5: an error of the connection itself.
    [Test]
    public static Task AnErrorWithoutACallIsThatOfTheConnection() => Both(
        () =>
        [
            session =>
            {
                session.Greet().ReadFrame();
                session.SendFrame(4, 0, 0, 1, 2, (byte)'n', (byte)'o', 0);
                session.ReadToEnd();
            },
        ],
        async caller =>
        {
            CreoException error = await caller.Fails(ErrorCode.Malformed, SampleMethods.Echo, []);
            Assert.True(error.FromPeer, "from the peer");
        });

    // ERR-9
    [Test]
    public static async Task ErrorsNameTheAddress()
    {
        using var dead = new DeadPort();
        int port = dead.Number;
        foreach (bool waiting in new[] { true, false })
        {
            using var refused = new TcpBinding("127.0.0.1", port);
            CreoException error = await new CallTests.Caller(refused, waiting).Fails(ErrorCode.Unavailable, SampleMethods.Echo, []);
            Assert.Contains($"127.0.0.1:{port}", error.Message);
            Assert.Contains("refused", error.Message);
            Assert.Equal($"127.0.0.1:{port}", error.Details["peer"]);
            using var unknown = new TcpBinding("no-such-host.invalid", 1);
            error = await new CallTests.Caller(unknown, waiting).Fails(ErrorCode.Unavailable, SampleMethods.Echo, []);
            Assert.Contains("no-such-host.invalid:1", error.Message);
        }
    }

    // TCP-12, ERR-9: only a deadline that is over ends a call, however little of it is left.
    [Test]
    public static async Task AShortDeadlineHidesNoFailure()
    {
        CallOptions soon = CallOptions.Within(TimeSpan.FromMilliseconds(15));
        using var dead = new DeadPort();
        foreach (bool waiting in new[] { true, false })
        {
            foreach (bool isHttp in new[] { true, false })
            {
                using Binding refused = isHttp ? new JsonBinding($"http://127.0.0.1:{dead.Number}/") : new TcpBinding("127.0.0.1", dead.Number);
                var caller = new CallTests.Caller(refused, waiting);
                await UntilOne(async () => (await Assert.ThrowsAsync<CreoException>(() => caller.Call(WireCallTests.Note(false), "x", soon))).Message.Contains("refused"));
            }
        }
    }

    // TCP-12
    [Test]
    public static async Task AShortDeadlineLeavesTimeToConnect()
    {
        using var stop = new CancellationTokenSource();
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        int port = ((IPEndPoint)listener.LocalEndpoint).Port;
        var serving = Task.Run(async () =>
        {
            while (true)
            {
                Socket socket = await listener.AcceptSocketAsync(stop.Token);
                new Thread(() =>
                {
                    using var stream = new NetworkStream(socket, ownsSocket: true);
                    try
                    {
                        AnswerAll(new Session(stream, stream).Greet());
                    }
                    catch (System.IO.IOException)
                    {
                        // The client's time was over.
                    }
                }) { IsBackground = true }.Start();
            }
        });
        foreach (bool waiting in new[] { true, false })
        {
            await UntilOne(async () =>
            {
                using var client = new TcpBinding("127.0.0.1", port);
                try
                {
                    return (await new CallTests.Caller(client, waiting).Call(SampleMethods.Echo, [], CallOptions.Within(TimeSpan.FromMilliseconds(15)))).Count == 0;
                }
                catch (CreoException e) when (e.Code == ErrorCode.DeadlineExceeded)
                {
                    return false;
                }
            });
        }
        stop.Cancel();
        await Assert.ThrowsAsync<OperationCanceledException>(() => serving);
    }

    // On a busy machine, the time may be over before anything else happens.
    private static async Task UntilOne(Func<Task<bool>> isIt)
    {
        for (int i = 0; i < 1000; i++)
        {
            if (await isIt())
            {
                return;
            }
        }
        Assert.True(false, "it happens once");
    }

    // A name that has several addresses, of which not all answer.
    [Test]
    public static async Task NamesAreLookedUp()
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var server = new FakeServer(session => AnswerAll(session.Greet()));
            using var client = new TcpBinding("localhost", server.Port);
            Assert.Equal(0, (await new CallTests.Caller(client, waiting).Call(SampleMethods.Echo, [])).Count);
            client.Dispose();
        }
    }

    [Test]
    public static async Task ManyCallsShareOneConnection()
    {
        using var server = new FakeServer(session =>
        {
            session.Greet();
            // All requests come before the first answer, and the answers in the opposite order.
            var frames = Enumerable.Range(0, 100).Select(_ => session.ReadFrame()).ToList();
            frames.Reverse();
            frames.ForEach(frame => session.SendFrame(2, 0, frame.Call, frame.Body));
            session.ReadToEnd();
        });
        using TcpBinding client = server.Client();
        ValueArray<byte>[] answers = await Task.WhenAll(
            Enumerable.Range(0, 100).Select(i => client.CallAsync(SampleMethods.Echo, new byte[] { (byte)i }).AsTask()));
        Assert.True(answers.Select((answer, i) => answer[0] == i).All(right => right), "each call has its own answer");
        client.Dispose();
    }

    // LIM-8
    [Test]
    public static async Task CallsOnAConnectionAreCounted()
    {
        using var server = new FakeServer(session =>
        {
            session.Greet();
            Frame first = session.ReadFrame();
            session.Read(1);
            session.SendFrame(2, 0, first.Call, 0);
        });
        using TcpBinding client = server.Client(new ClientOptions { Limits = new Limits { MaxCallsPerConnection = 1 } });
        Task<ValueArray<byte>> first = client.CallAsync(SampleMethods.Echo, []).AsTask();
        CreoException error = await Assert.ThrowsAsync<CreoException>(async () => await client.CallAsync(SampleMethods.Echo, []));
        Assert.Equal(ErrorCode.Overloaded, error.Code);
        // A oneway call has ended once it is sent; it lets the script continue.
        await client.RunAsync(SampleMethods.Note, (1, 2L));
        Assert.Equal(0, (await first).Count);
        client.Dispose();
    }

    [Test]
    public static async Task CancelledCallsEndAtOnce()
    {
        using var server = new FakeServer(session =>
        {
            Frame frame = session.Greet().ReadFrame();
            Frame cancel = session.ReadFrame();
            Assert.Equal((6, frame.Call), (cancel.Kind, cancel.Call));
            // A late answer belongs to no call.
            session.SendFrame(2, 0, frame.Call, 0);
            AnswerAll(session);
        });
        using TcpBinding client = server.Client();
        using var giveUp = new CancellationTokenSource();
        Task<ValueArray<byte>> call = client.CallAsync(SampleMethods.Echo, [], null, giveUp.Token).AsTask();
        giveUp.CancelAfter(50);
        OperationCanceledException cancelled = await Assert.ThrowsAsync<OperationCanceledException>(() => call);
        Assert.Equal(giveUp.Token, cancelled.CancellationToken);
        Assert.Equal(0, (await client.CallAsync(SampleMethods.Echo, [])).Count);
        await Assert.ThrowsAsync<OperationCanceledException>(async () => await client.CallAsync(SampleMethods.Echo, [], null, giveUp.Token));
        client.Dispose();
    }

    // TCP-6, TCP-13: a request that is given up while the peer does not read disturbs no other call.
    [Test]
    public static async Task ACallThatIsGivenUpLeavesTheOthersAlone()
    {
        using var begun = new SemaphoreSlim(0);
        using var ended = new SemaphoreSlim(0);
        using var server = new FakeServer(session =>
        {
            Frame small = session.Greet().ReadFrame();
            Frame large = session.ReadFrame();
            Assert.Equal((1, 1), (large.Kind, large.Flags), "a part of the large request");
            begun.Release();
            Assert.True(ended.Wait(20_000), "the call has ended");
            Frame next = session.ReadFrame();
            while (next.Kind == 5)
            {
                next = session.ReadFrame();
            }
            Assert.Equal((6, large.Call), (next.Kind, next.Call), "cancel");
            session.SendFrame(2, 0, small.Call, 0);
            AnswerAll(session);
        });
        using TcpBinding client = server.Client();
        using var giveUp = new CancellationTokenSource();
        Task<ValueArray<byte>> first = client.CallAsync(SampleMethods.Echo, []).AsTask();
        Task<ValueArray<byte>> given = client.CallAsync(SampleMethods.Echo, new byte[32_000_000], null, giveUp.Token).AsTask();
        Assert.True(await begun.WaitAsync(20_000), "the large request has begun");
        giveUp.Cancel();
        await Assert.ThrowsAsync<OperationCanceledException>(() => given);
        Task<ValueArray<byte>> last = client.CallAsync(SampleMethods.Echo, new byte[1000]).AsTask();
        ended.Release();
        Assert.Equal(0, (await first).Count);
        Assert.Equal(0, (await last).Count);
        client.Dispose();
    }

    [Test]
    public static async Task ThreadsThatWaitHaveConnectionsOfTheirOwn()
    {
        using var server = new FakeServer(Enumerable.Range(0, 2).Select(_ => (Action<Session>)(session => AnswerAll(session.Greet()))).ToArray());
        using TcpBinding client = server.Client();
        using var together = new Barrier(2);
        Task Caller() => Task.Factory.StartNew(
            () =>
            {
                together.SignalAndWait();
                for (int i = 0; i < 200; i++)
                {
                    client.Call(SampleMethods.Echo, []);
                }
            },
            TaskCreationOptions.LongRunning);
        await Task.WhenAll(Caller(), Caller());
        // Two threads need at most two connections; make sure that the script for the second ends.
        using var other = server.Client();
        try
        {
            other.Call(SampleMethods.Echo, [], CallOptions.Within(TimeSpan.FromMilliseconds(200)));
        }
        catch (CreoException)
        {
            // Both connections were used.
        }
        other.Dispose();
        client.Dispose();
    }

    [Test]
    public static async Task AClosedClientSaysSo()
    {
        using X509Certificate2 certificate = Certificate("localhost");
        var tls = new TlsOptions { HostName = "localhost", TrustedRoots = new X509Certificate2Collection(X509CertificateLoaderOf(certificate)) };
        foreach ((bool waiting, bool isTls) in new[] { (true, false), (false, false), (true, true), (false, true) })
        {
            using var begun = new SemaphoreSlim(0);
            using var server = new FakeServer(isTls ? certificate : null, session =>
            {
                session.Greet().ReadFrame();
                begun.Release();
                session.ReadToEnd();
            });
            using TcpBinding client = server.Client(new ClientOptions { Tls = isTls ? tls : null, Limits = new Limits { Deadline = null } });
            var caller = new CallTests.Caller(client, waiting);
            Task<CreoException> failing = Task.Run(() => caller.Fails(ErrorCode.Unavailable, SampleMethods.Echo, []));
            Assert.True(await begun.WaitAsync(20_000), "the call has begun");
            client.Dispose();
            client.Dispose();
            Assert.Contains("the client was closed", (await failing.WaitAsync(TimeSpan.FromSeconds(20))).Message);
            await Assert.ThrowsAsync<ObjectDisposedException>(() => caller.Call(SampleMethods.Echo, []));
        }
    }

    // TCP-15: a connection that takes no more calls still has one.
    [Test]
    public static async Task AClosedClientClosesDrainedConnections()
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var drained = new SemaphoreSlim(0);
            using var server = new FakeServer(
                session =>
                {
                    session.Greet().ReadFrame();
                    session.SendFrame(9, 0, 0);
                    session.SendFrame(7, 0, 5);
                    Assert.Equal(8, session.ReadFrame().Kind, "pong");
                    drained.Release();
                    session.ReadToEnd();
                },
                session => AnswerAll(session.Greet()));
            using TcpBinding client = server.Client(new ClientOptions { Limits = new Limits { Deadline = null } });
            var caller = new CallTests.Caller(client, waiting);
            Task<CreoException> failing = Task.Run(() => caller.Fails(ErrorCode.Unavailable, SampleMethods.Echo, []));
            Assert.True(await drained.WaitAsync(20_000), "the connection takes no more calls");
            Assert.Equal(0, (await caller.Call(SampleMethods.Echo, [])).Count);
            client.Dispose();
            Assert.Contains("the client was closed", (await failing.WaitAsync(TimeSpan.FromSeconds(20))).Message);
        }
    }

    // TCP-3
    [Test]
    public static async Task TlsVerifiesCertificateAndName()
    {
        using X509Certificate2 certificate = Certificate("localhost");
        var roots = new X509Certificate2Collection(X509CertificateLoaderOf(certificate));
        foreach (bool waiting in new[] { true, false })
        {
            var trusting = new ClientOptions { Tls = new TlsOptions { HostName = "localhost", TrustedRoots = roots } };
            using (var server = new FakeServer(certificate, session => AnswerAll(session.Greet())))
            {
                using TcpBinding client = server.Client(trusting);
                var caller = new CallTests.Caller(client, waiting);
                for (int i = 0; i < 3; i++)
                {
                    Assert.Equal(0, (await caller.Call(SampleMethods.Echo, new byte[100_000 * i])).Count);
                }
                client.Dispose();
            }
            foreach ((ClientOptions options, string reason) in new[]
            {
                (new ClientOptions { Tls = new TlsOptions { HostName = "localhost" } }, "not trusted"),
                (new ClientOptions { Tls = new TlsOptions { HostName = "elsewhere", TrustedRoots = roots } }, "another name"),
                (new ClientOptions { Tls = new TlsOptions { TrustedRoots = roots } }, "another name"),
            })
            {
                using var server = new FakeServer(certificate, session => session.ReadToEnd());
                using TcpBinding client = server.Client(options);
                CreoException error = await new CallTests.Caller(client, waiting).Fails(ErrorCode.UntrustedPeer, SampleMethods.Echo, []);
                Assert.Contains(reason, error.Message);
                client.Dispose();
            }
            // A port that speaks plain creo.
            using (var server = new FakeServer(session => session.Send("43 52 45 4f 01 01 00 00")))
            {
                using TcpBinding client = server.Client(trusting);
                await new CallTests.Caller(client, waiting).Fails(ErrorCode.ProtocolMismatch, SampleMethods.Echo, []);
                client.Dispose();
            }
        }
    }

    [Test]
    public static async Task TlsCallsEndAtTheirDeadline()
    {
        using X509Certificate2 certificate = Certificate("localhost");
        var options = new ClientOptions
        {
            Tls = new TlsOptions { HostName = "localhost", TrustedRoots = new X509Certificate2Collection(X509CertificateLoaderOf(certificate)) },
        };
        foreach (bool waiting in new[] { true, false })
        {
            using var server = new FakeServer(certificate, session => session.ReadToEnd());
            using TcpBinding client = server.Client(options);
            await new CallTests.Caller(client, waiting).Fails(ErrorCode.DeadlineExceeded, SampleMethods.Echo, [], CallOptions.Within(TimeSpan.FromMilliseconds(300)));
            client.Dispose();
        }
    }

    // A TLS record that comes byte by byte: each time-out of the socket starts again.
    [Test]
    public static async Task APeerThatDripsIsNoHang()
    {
        using X509Certificate2 certificate = Certificate("localhost");
        var options = new ClientOptions
        {
            Tls = new TlsOptions { HostName = "localhost", TrustedRoots = new X509Certificate2Collection(X509CertificateLoaderOf(certificate)) },
        };
        foreach (bool waiting in new[] { true, false })
        {
            using var server = new FakeServer(certificate, session =>
            {
                try
                {
                    session.Greet().ReadFrame();
                    session.SendRaw("17 03 03 40 00");
                    while (true)
                    {
                        session.SendRaw("00");
                        Thread.Sleep(20);
                    }
                }
                catch (System.IO.IOException)
                {
                    // The client has closed its side.
                }
            });
            using TcpBinding client = server.Client(options);
            await new CallTests.Caller(client, waiting).Fails(ErrorCode.DeadlineExceeded, SampleMethods.Echo, [], CallOptions.Within(TimeSpan.FromSeconds(2)));
            client.Dispose();
        }
    }

    internal static X509Certificate2 X509CertificateLoaderOf(X509Certificate2 certificate) => new(certificate.Export(X509ContentType.Cert));

    internal static X509Certificate2 Certificate(string name)
    {
        using RSA key = RSA.Create(2048);
        var request = new CertificateRequest($"CN={name}", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        var names = new SubjectAlternativeNameBuilder();
        names.AddDnsName(name);
        request.CertificateExtensions.Add(names.Build());
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        using X509Certificate2 certificate = request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
        // The platform's server takes keys from a store only.
        return new X509Certificate2(certificate.Export(X509ContentType.Pfx));
    }
}
