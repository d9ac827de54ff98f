using System;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using System.Threading.Tasks;
using Creo.Jms;

namespace Creo.Tests;

/// <summary>The addresses of a broker: of several, the first that answers (JMS-17); and a client's trust there.</summary>
public static class JmsPlaceTests
{
    private const string Address = "jms:queue:data";

    private static JmsBinding To(JmsBroker broker, ClientOptions? options = null) => new(broker, Address, JmsWire.Binary, options);

    private static JmsBroker At(int port, int other) => new JmsBroker("127.0.0.1", port).Or("127.0.0.1", other);

    // A broker that answers this many calls, and then waits for the client to leave.
    private static Action<Session> Answers(int calls) => session =>
    {
        FakeBroker broker = new FakeBroker(session).Greet();
        for (int i = 0; i < calls; i++)
        {
            JmsTests.Answer(broker, broker.ReadMessage(), [0]);
        }
        broker.ReadToEnd();
    };

    private static async Task IsPassedOver(Action<Session> script)
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var none = new FakeServer(script);
            using var server = new FakeServer(Answers(2));
            using JmsBinding client = To(At(none.Port, server.Port));
            var caller = new CallTests.Caller(client, waiting);
            Assert.Equal([], await caller.Call(SampleMethods.Echo, []));
            Assert.Equal([], await caller.Call(SampleMethods.Echo, []));
            client.Dispose();
        }
    }

    [Test]
    public static async Task WhatIsNoBrokerIsPassedOver()
    {
        await IsPassedOver(session => session.Read(8));
        await IsPassedOver(session => session.Send("48545450 2f312e31"));
        await IsPassedOver(session =>
        {
            session.Read(8);
            session.Send("414d5150 03010000 00000009 02 01 0000 ff");
        });
    }

    // One that is about to leave: it opens the connection, and closes it at once.
    [Test]
    public static Task ABrokerThatLeavesIsPassedOver() => IsPassedOver(session =>
    {
        var broker = new FakeBroker(session);
        broker.Authenticate(new Greeting());
        session.Read(8);
        session.Send("414d5150 00010000");
        broker.Send(
            writer =>
            {
                writer.Begin(Amqp.Open);
                writer.Text("fake");
                writer.End();
            },
            0);
        broker.End(Amqp.Close, "amqp:connection:forced", "leaving");
        broker.ReadToEnd();
    });

    [Test]
    public static async Task NobodyIsPassedOverAndNamedIfThatIsAll()
    {
        foreach (bool waiting in new[] { true, false })
        {
            using DeadPort one = new(), other = new();
            using (var server = new FakeServer(Answers(1)))
            {
                using JmsBinding client = To(new JmsBroker("127.0.0.1", one.Number).Or("127.0.0.1", other.Number).Or("127.0.0.1", server.Port));
                Assert.Equal([], await new CallTests.Caller(client, waiting).Call(SampleMethods.Echo, []));
                client.Dispose();
            }
            int last = other.Number;
            JmsBroker broker = At(one.Number, last);
            Assert.Contains($" or 127.0.0.1:{last}", broker.ToString());
            using JmsBinding refused = To(broker);
            for (int i = 0; i < 2; i++)
            {
                CreoException error = await new CallTests.Caller(refused, waiting).Fails(ErrorCode.Unavailable, SampleMethods.Echo, []);
                Assert.Contains($"127.0.0.1:{last}", error.Message);
            }
        }
    }

    [Test]
    public static async Task ASilentPlaceIsPassedOver()
    {
        var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        using var server = new FakeServer(Answers(1));
        var options = new ClientOptions { Limits = new Limits { ConnectTimeout = TimeSpan.FromSeconds(3) } };
        using JmsBinding client = To(At(((IPEndPoint)listener.LocalEndpoint).Port, server.Port), options);
        Assert.Equal([], await client.CallAsync(SampleMethods.Echo, []));
        client.Dispose();
        listener.Stop();
    }

    // Neither by the call nor by the next one.
    [Test]
    public static async Task ARefusalIsFinal()
    {
        foreach (bool waiting in new[] { true, false })
        {
            static void Refuse(Session session) => new FakeBroker(session).Greet(new Greeting { Mechanism = "PLAIN", SaslCode = 1 });
            using var first = new FakeServer(Refuse, Refuse);
            using var second = new DeadPort();
            using JmsBinding client = To(At(first.Port, second.Number).WithCredentials("a", "b"));
            var caller = new CallTests.Caller(client, waiting);
            await caller.Fails(ErrorCode.Unauthenticated, SampleMethods.Echo, []);
            await caller.Fails(ErrorCode.Unauthenticated, SampleMethods.Echo, []);
        }
    }

    // A call that waits ends; the next ones go to the other broker, and so do those after the end of a connection there.
    [Test]
    public static async Task ALostBrokerIsFollowedByTheOther()
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var first = new FakeServer(session =>
            {
                FakeBroker broker = new FakeBroker(session).Greet();
                JmsTests.Answer(broker, broker.ReadMessage(), [0]);
                broker.ReadMessage();
            });
            using var other = new FakeServer(
                session =>
                {
                    FakeBroker broker = new FakeBroker(session).Greet();
                    JmsTests.Answer(broker, broker.ReadMessage(), [1, 8]);
                    broker.ReadMessage();
                },
                Answers(1));
            using JmsBinding client = To(At(first.Port, other.Port));
            var caller = new CallTests.Caller(client, waiting);
            Assert.Equal([], await caller.Call(SampleMethods.Echo, []));
            await caller.Fails(ErrorCode.Unavailable, SampleMethods.Echo, []);
            first.Dispose();
            Assert.Equal([8], await caller.Call(SampleMethods.Echo, []));
            await caller.Fails(ErrorCode.Unavailable, SampleMethods.Echo, []);
            Assert.Equal([], await caller.Call(SampleMethods.Echo, []));
            client.Dispose();
        }
    }

    [Test]
    public static async Task TlsIsThatOfTheBroker()
    {
        using X509Certificate2 certificate = ConnectionTests.Certificate("localhost");
        var roots = new X509Certificate2Collection(ConnectionTests.X509CertificateLoaderOf(certificate));
        foreach (bool waiting in new[] { true, false })
        {
            using (var server = new FakeServer(certificate, session =>
            {
                FakeBroker broker = new FakeBroker(session).Greet(new Greeting { Mechanism = "PLAIN" });
                Assert.Equal(("PLAIN", "\0user\0secret"), broker.Sasl);
                JmsTests.Answer(broker, broker.ReadMessage(), [0]);
            }))
            {
                JmsBroker broker = new JmsBroker("127.0.0.1", server.Port) { Tls = new TlsOptions { HostName = "localhost", TrustedRoots = roots } };
                using JmsBinding client = To(broker.WithCredentials("user", "secret"));
                Assert.Equal([], await new CallTests.Caller(client, waiting).Call(SampleMethods.Echo, []));
            }
            foreach ((TlsOptions tls, string reason) in new[]
            {
                (new TlsOptions { HostName = "localhost" }, "not trusted"), (new TlsOptions { HostName = "elsewhere", TrustedRoots = roots }, "another name"),
                (new TlsOptions { TrustedRoots = roots }, "another name"),
            })
            {
                using var server = new FakeServer(certificate, session => session.ReadToEnd());
                using JmsBinding client = To(new JmsBroker("127.0.0.1", server.Port) { Tls = tls });
                CreoException error = await new CallTests.Caller(client, waiting).Fails(ErrorCode.UntrustedPeer, SampleMethods.Echo, []);
                Assert.Contains(reason, error.Message);
                client.Dispose();
            }
            // A broker that knows nothing of TLS.
            using (var server = new FakeServer(session => session.Send("414d5150 03010000")))
            {
                using JmsBinding client = To(new JmsBroker("127.0.0.1", server.Port) { Tls = new TlsOptions { HostName = "localhost", TrustedRoots = roots } });
                await new CallTests.Caller(client, waiting).Fails(ErrorCode.ProtocolMismatch, SampleMethods.Echo, []);
                client.Dispose();
            }
        }
    }

    // Each place has to show a certificate for its own name.
    [Test]
    public static async Task EachPlaceIsKnownByItsName()
    {
        using X509Certificate2 certificate = ConnectionTests.Certificate("localhost");
        var tls = new TlsOptions { TrustedRoots = new X509Certificate2Collection(ConnectionTests.X509CertificateLoaderOf(certificate)) };
        using var server = new FakeServer(certificate, session => session.ReadToEnd(), Answers(1));
        using JmsBinding client = To(new JmsBroker("127.0.0.1", server.Port) { Tls = tls }.Or("localhost", server.Port));
        Assert.Equal([], await client.CallAsync(SampleMethods.Echo, []));
        client.Dispose();
    }
}
