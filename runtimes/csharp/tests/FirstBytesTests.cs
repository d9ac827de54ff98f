using System;
using System.Collections.Generic;
using System.Text;
using System.Threading.Tasks;

namespace Creo.Tests;

/// <summary>The first bytes of a server: its preamble (TCP-19), an error of the connection (TCP-20), or nothing.</summary>
public static class FirstBytesTests
{
    private const string Preamble = "43 52 45 4f 01 01 00 00";

    // overloaded, "no", details: limit "most".
    private const string Refusal = Preamble + "00000016 04 00 00000000 08 02 6e6f 01 05 6c696d6974 04 6d6f7374";

    // Time enough for a good server on a busy machine.
    private static readonly ClientOptions Hasty = new() { Limits = new Limits { ConnectTimeout = TimeSpan.FromSeconds(1.5) } };

    // More than a connection takes whose other side does not read.
    private static readonly byte[] Long = new byte[8_000_000];

    private static void Answer(Session session)
    {
        session.SendFrame(2, 0, session.ReadFrame().Call, 0);
        session.ReadToEnd();
    }

    /// <summary>Reads until the client closes its side.</summary>
    private static void Drain(Session session)
    {
        try
        {
            session.Read(8);
            session.ReadToEnd();
        }
        catch (System.IO.IOException)
        {
            // It has closed before it sent anything.
        }
    }

    private static void AnswerWell(Session session) => Answer(session.Greet());

    /// <summary>A call that fails on the first connection, each way, and a good one over the second.</summary>
    private static async Task Fails(ErrorCode code, Action<Session> first, byte[] argument, params string[] texts)
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var server = new FakeServer(first, AnswerWell);
            using TcpBinding client = server.Client(Hasty);
            var caller = new CallTests.Caller(client, waiting);
            CreoException error = await caller.Fails(code, SampleMethods.Echo, argument);
            foreach (string text in texts)
            {
                Assert.Contains(text, error.Message);
            }
            if (code == ErrorCode.Overloaded)
            {
                Assert.True(error.FromPeer, "it came from the server");
                Assert.Equal("most", error.Details["limit"]);
            }
            Assert.Equal(0, (await caller.Call(SampleMethods.Echo, [])).Count);
            client.Dispose();
        }
    }

    // TCP-19
    [Test]
    public static async Task APreambleThatDoesNotCome()
    {
        foreach (string begun in new[] { "", "43 52 45 4f", "43 52 45 4f 01 01 00" })
        {
            await Fails(
                ErrorCode.ProtocolMismatch,
                session =>
                {
                    session.Send(begun);
                    Drain(session);
                },
                [],
                "127.0.0.1:",
                "did not answer with the preamble of creo within 1500 ms",
                "HTTP or TLS");
        }
    }

    // TCP-12
    [Test]
    public static async Task TheDeadlineMayComeFirst()
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var server = new FakeServer(Drain);
            using TcpBinding client = server.Client();
            CreoException error = await new CallTests.Caller(client, waiting)
                .Fails(ErrorCode.DeadlineExceeded, SampleMethods.Echo, [], CallOptions.Within(TimeSpan.FromSeconds(1)));
            Assert.Contains($"127.0.0.1:{server.Port}", error.Message);
            client.Dispose();
        }
    }

    [Test]
    public static async Task AfterThePreambleTheDeadlineCounts()
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var server = new FakeServer(session =>
            {
                session.Send(Preamble);
                Drain(session);
            });
            using TcpBinding client = server.Client(Hasty);
            await new CallTests.Caller(client, waiting).Fails(ErrorCode.DeadlineExceeded, SampleMethods.Echo, [], CallOptions.Within(TimeSpan.FromSeconds(2.5)));
            client.Dispose();
        }
    }

    // TCP-20
    [Test]
    public static async Task RefusalsAtConnectAreHeard()
    {
        await Fails(ErrorCode.Overloaded, session => session.Send(Refusal), [], "no");
        await Fails(ErrorCode.Overloaded, session => session.Send(Refusal), Long, "no");
        await Fails(
            ErrorCode.Overloaded,
            session =>
            {
                session.Send(Refusal);
                Drain(session);
            },
            []);
    }

    // TCP-2
    [Test]
    public static async Task OtherProtocolsAreNamedWhileMoreIsWritten()
    {
        await Fails(ErrorCode.ProtocolMismatch, session => session.Send(Encoding.ASCII.GetBytes("HTTP/1.1 400 Bad Request\r\n\r\n")), Long, "HTTP", "127.0.0.1:");
        await Fails(
            ErrorCode.Unavailable,
            session =>
            {
                session.Read(8);
                session.Send(Preamble);
            },
            Long);
    }

    // TCP-2
    [Test]
    public static async Task AFewBytesAreEnough()
    {
        foreach ((string bytes, string named) in new Dictionary<string, string>
        {
            ["48 54 54 50"] = "HTTP", ["50 4f 53 54"] = "HTTP", ["15 03 03 00"] = "TLS", ["43 52 45 4f 02"] = "version 2", ["53 53 48 20"] = "53 53 48 20",
        })
        {
            await Fails(
                ErrorCode.ProtocolMismatch,
                session =>
                {
                    session.Send(bytes);
                    Drain(session);
                },
                [],
                named);
        }
    }

    // ERR-2
    [Test]
    public static async Task ACodeThatIsNeverSent()
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var server = new FakeServer(session =>
            {
                uint call = session.Greet().ReadFrame().Call;
                session.SendFrame(4, 0, call, 13, 2, (byte)'m', (byte)'e', 0);
                Answer(session);
            });
            using TcpBinding client = server.Client();
            var caller = new CallTests.Caller(client, waiting);
            Assert.Contains("13", (await caller.Fails(ErrorCode.Internal, SampleMethods.Echo, [])).Message);
            Assert.Equal(0, (await caller.Call(SampleMethods.Echo, [])).Count);
            client.Dispose();
        }
    }
}
