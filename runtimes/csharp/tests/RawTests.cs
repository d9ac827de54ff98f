using System;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Text;
using System.Threading.Tasks;
using Creo.Jms;

namespace Creo.Tests;

/// <summary>Raw messages over TCP and by way of a broker (CALL-60 to CALL-68).</summary>
public static class RawTests
{
    private const string Asked = """
        sent request of test.Sample.echo to $peer, 3 bytes
        | wire: binary
        | kind: request
        | 
        |      0  02 01 02
        """;

    private const string Came = """
        received answer of test.Sample.echo from $peer, 2 bytes
        | wire: binary
        | kind: response
        | 
        |      0  01 09
        """;

    private static readonly ClientOptions NoTime = new() { Limits = new Limits { Deadline = null } };

    private static readonly ValueArray<byte> Two = new byte[] { 1, 2 };

    private static Method<ValueArray<byte>, ValueArray<byte>> SecretEcho { get; } = new()
    {
        Service = SampleMethods.Service,
        Name = "echo",
        Id = 2,
        Parameters = SampleMethods.Echo.Parameters,
        Result = Layout.Bytes,
        EncodeArguments = SampleMethods.Echo.EncodeArguments,
        DecodeResult = SampleMethods.Echo.DecodeResult,
        Secrets = ["data"],
    };

    private static Method<string, Unit> Note(params string[] secrets) => new()
    {
        Service = new("test.Test", 1),
        Name = "note",
        Id = 2,
        Parameters = Layout.Struct("note", static () => []),
        EncodeArguments = static (_, _) => { },
        DecodeResult = static (ref Reader _) => default,
        Text = WireCallTests.Note(oneway: false).Text,
        Secrets = secrets,
    };

    // A hook that fails changes nothing (CALL-67).
    private static ClientOptions With(ClientOptions options, List<string> shown) => options with
    {
        RawMessages = message =>
        {
            shown.Add(message.ToText());
            throw new InvalidOperationException("a hook that fails");
        },
    };

    /// <summary>Runs the same test in both forms, and compares what was shown.</summary>
    private static async Task Both(Action<Session> script, Func<TcpBinding, CallTests.Caller, Task> test, string[] due, ClientOptions? options = null)
    {
        foreach (bool waiting in new[] { true, false })
        {
            var shown = new List<string>();
            using var server = new FakeServer(script);
            using TcpBinding client = server.Client(With(options ?? NoTime, shown));
            await test(client, new CallTests.Caller(client, waiting));
            client.Dispose();
            Assert.Equal(string.Join("\n", due).Replace("$peer", $"127.0.0.1:{server.Port}"), string.Join("\n", shown));
        }
    }

    private static byte[] Metadata(params (string Key, string Value)[] pairs) =>
        [(byte)pairs.Length, .. pairs.SelectMany(pair => new[] { pair.Key, pair.Value }).SelectMany(text => (byte[])[(byte)text.Length, .. Encoding.ASCII.GetBytes(text)])];

    [Test]
    public static Task MetadataWithSecretNamesAreHidden() => Both(
        session =>
        {
            session.SendFrame(2, 4, session.Greet(3).ReadFrame().Call, [.. Metadata(("x-auth", "hunter2"), ("b", "c")), 1, 9]);
            session.ReadToEnd();
        },
        async (_, caller) => await caller.Call(SampleMethods.Echo, Two),
        [
            Asked.Replace("request\n", "request\n| my-token: ***\n| a: b\n"),
            Came.Replace("response\n", "response\n| x-auth: ***\n| b: c\n"),
        ],
        NoTime with { Metadata = new Dictionary<string, string> { ["my-token"] = "hunter2", ["a"] = "b" } });

    [Test]
    public static async Task ATimeoutIsInMilliseconds()
    {
        var shown = new List<string>();
        using var server = new FakeServer(session =>
        {
            session.SendFrame(2, 0, session.Greet().ReadFrame().Call, 1, 9);
            session.ReadToEnd();
        });
        using TcpBinding client = server.Client(With(new ClientOptions(), shown));
        await client.CallAsync(SampleMethods.Echo, Two);
        client.Dispose();
        string timeout = shown[0].Split('\n')[3];
        Assert.True(timeout.StartsWith("| timeout: ", StringComparison.Ordinal) && int.Parse(timeout[11..], null) is > 0 and <= 60_000, timeout);
        Assert.True(!shown[1].Contains("timeout"), shown[1]);
    }

    [Test]
    public static Task EachKindOfMessage() => Both(
        session =>
        {
            session.SendFrame(3, 0, session.Greet().ReadFrame().Call, 0, 1, (byte)'x');
            session.SendFrame(4, 0, session.ReadFrame().Call, 8, 0, 0);
            // In several frames.
            uint call = session.ReadFrame().Call;
            session.SendFrame(2, 1, call, 1);
            session.SendFrame(7, 0, 5);
            session.SendFrame(5, 0, call, 9);
            session.ReadToEnd();
        },
        async (_, caller) =>
        {
            await Assert.ThrowsAsync<NotFoundException>(() => caller.Call(SampleMethods.Find, "x"));
            await caller.Fails(ErrorCode.Overloaded, SampleMethods.Echo, Two);
            Assert.Equal([9], await caller.Call(SampleMethods.Echo, Two));
            await caller.Call(SampleMethods.Note, (1, 2));
            // A body that could be text is none.
            await caller.Call(SampleMethods.Note, (0x2a2a2a2a, 0x2a2a2a2a2a2a2a2a));
        },
        [
            "sent request of test.Sample.find to $peer, 2 bytes\n| wire: binary\n| kind: request\n| \n|      0  01 78",
            "received answer of test.Sample.find from $peer, 3 bytes\n| wire: binary\n| kind: exception\n| \n|      0  00 01 78",
            Asked,
            "received answer of test.Sample.echo from $peer, 3 bytes\n| wire: binary\n| kind: error\n| \n|      0  08 00 00",
            Asked,
            Came,
            "sent request of test.Sample.note to $peer, 12 bytes\n| wire: binary\n| kind: oneway\n| \n|      0  00 00 00 01 00 00 00 00 00 00 00 02",
            "sent request of test.Sample.note to $peer, 12 bytes\n| wire: binary\n| kind: oneway\n| \n|      0  2a 2a 2a 2a 2a 2a 2a 2a 2a 2a 2a 2a",
        ]);

    private static byte[] Zip(byte[] plain)
    {
        var all = new MemoryStream();
        using (var zip = new ZLibStream(all, CompressionLevel.Fastest))
        {
            zip.Write(plain);
        }
        return all.ToArray();
    }

    // The body is shown without compression, and with its whole length.
    [Test]
    public static Task CompressedAndCutBodies()
    {
        byte[] zeros = new byte[1000];
        string asked = "sent request of test.Sample.echo to $peer, 1002 bytes\n| wire: binary\n| kind: request\n| \n|      0  e8 07 00 00\n| (998 more bytes)";
        string came = "received answer of test.Sample.echo from $peer, 1002 bytes\n| wire: binary\n| kind: response\n| \n|      0  e8 07 00 00\n| (998 more bytes)";
        return Both(
            session =>
            {
                session.SendFrame(2, 2, session.Greet(3).ReadFrame().Call, Zip([0xe8, 7, .. zeros]));
                Frame request = session.ReadFrame();
                Assert.Equal(2, request.Flags);
                session.SendFrame(2, 2, request.Call, Zip([0xe8, 7, .. zeros])[..^1]);
                session.ReadToEnd();
            },
            async (_, caller) =>
            {
                Assert.Equal(zeros, await caller.Call(SampleMethods.Echo, zeros));
                // Compression that cannot be undone: that is no message.
                await caller.Fails(ErrorCode.Malformed, SampleMethods.Echo, zeros);
            },
            [asked, came, asked],
            NoTime with { CompressFrom = 100, MaxRawBody = 4 });
    }

    [Test]
    public static Task BinaryBodiesOfMethodsWithSecretsAreNotShown()
    {
        const string hidden = "| \n| (the body is not shown: it is of the binary wire)";
        return Both(
            session =>
            {
                session.SendFrame(2, 0, session.Greet().ReadFrame().Call, 1, 9);
                session.SendFrame(4, 0, session.ReadFrame().Call, 8, 0, 0);
                session.SendFrame(2, 0, session.ReadFrame().Call);
                session.ReadToEnd();
            },
            async (_, caller) =>
            {
                Assert.Equal([9], await caller.Call(SecretEcho, Two));
                await caller.Fails(ErrorCode.Overloaded, SecretEcho, Two);
                await caller.Fails(ErrorCode.Malformed, SecretEcho, Two);
            },
            [
                Asked.Split("\n| \n")[0], hidden, Came.Split("\n| \n")[0], hidden,
                Asked.Split("\n| \n")[0], hidden, "received answer of test.Sample.echo from $peer, 3 bytes\n| wire: binary\n| kind: error", hidden,
                Asked.Split("\n| \n")[0], hidden, "received answer of test.Sample.echo from $peer, 0 bytes\n| wire: binary\n| kind: response",
            ]);
    }

    // What concerns the connection, or has broken metadata, is no message of the call.
    [Test]
    public static async Task WhatIsNoMessage()
    {
        await Both(
            session =>
            {
                session.SendFrame(2, 4, session.Greet(3).ReadFrame().Call, 1);
                session.ReadToEnd();
            },
            async (_, caller) => await caller.Fails(ErrorCode.Malformed, SampleMethods.Echo, Two),
            [Asked]);
        await Both(
            session =>
            {
                session.Greet().ReadFrame();
                session.SendFrame(4, 0, 0, 8, 0, 0);
                session.ReadToEnd();
            },
            async (_, caller) => await caller.Fails(ErrorCode.Overloaded, SampleMethods.Echo, Two),
            [Asked]);
    }

    // CALL-61: items are not shown.
    [Test]
    public static async Task MessagesOfStreams()
    {
        foreach (bool waiting in new[] { true, false })
        {
            var shown = new List<string>();
            using var server = new FakeServer(session =>
            {
                Frame request = session.Greet(3).ReadFrame();
                session.SendItems(request.Call, 1, 2);
                session.SendFrame(2, 0, request.Call);
                session.ReadToEnd();
            });
            using TcpBinding client = server.Client(With(NoTime, shown));
            await new Streamer(client, waiting).Read(StreamMethods.Count, 9);
            client.Dispose();
            Assert.Equal(
                $"sent request of test.Streams.count to 127.0.0.1:{server.Port}, 4 bytes\n| wire: binary\n| kind: request\n| \n|      0  00 00 00 09\n"
                + $"received answer of test.Streams.count from 127.0.0.1:{server.Port}, 0 bytes\n| wire: binary\n| kind: response",
                string.Join("\n", shown));
        }
    }

    private static readonly byte[] EmptyTable = Encoding.ASCII.GetBytes("<Env xmlns=\"urn:creo:tdxml\"><RT>\n</RT></Env>");

    // Tables are XML; an error beside them is of the binary wire.
    [Test]
    public static async Task MessagesOfTables()
    {
        foreach (bool waiting in new[] { true, false })
        {
            var shown = new List<string>();
            using var server = new FakeServer(session =>
            {
                session.Read(8);
                session.Send("43 52 45 4f 01 01 00 00");
                session.SendFrame(2, 0, session.ReadFrame().Call, EmptyTable);
                session.SendFrame(4, 0, session.ReadFrame().Call, 8, 0, 0);
                session.SendFrame(2, 0, session.ReadFrame().Call, EmptyTable);
                session.SendFrame(2, 0, session.ReadFrame().Call, (byte)'<', 0);
                session.ReadToEnd();
            });
            using TcpBinding client = server.Client(With(NoTime, shown) with { Wire = Wire.Tdxml });
            var caller = new CallTests.Caller(client, waiting);
            await caller.Call(Note(), "x");
            await caller.Fails(ErrorCode.Overloaded, Note(), "x");
            await caller.Call(Note("text"), "x");
            await caller.Fails(ErrorCode.Malformed, Note(), "x");
            client.Dispose();
            const string sent = "sent request of test.Test.note to $peer, 50 bytes\n| wire: tdxml\n| kind: request\n";
            const string came = "received answer of test.Test.note from $peer, 44 bytes\n| wire: tdxml\n| kind: response\n";
            const string asked = "| \n| <Env xmlns=\"urn:creo:tdxml\"><RT>\n| [0]|x\n| </RT></Env>";
            const string nameless = "| \n| (the body is not shown: its secrets have no names of their own)";
            Assert.Equal(
                string.Join(
                    "\n",
                    sent + asked,
                    came + "| \n| <Env xmlns=\"urn:creo:tdxml\"><RT>\n| </RT></Env>",
                    sent + asked,
                    "received answer of test.Test.note from $peer, 3 bytes\n| wire: tdxml\n| kind: error\n| \n|      0  08 00 00",
                    sent + nameless,
                    came + nameless,
                    sent + asked,
                    "received answer of test.Test.note from $peer, 2 bytes\n| wire: tdxml\n| kind: response\n| \n|      0  3c 00")
                    .Replace("$peer", $"127.0.0.1:{server.Port}"),
                string.Join("\n", shown));
        }
    }

    private const string Response = "<S:Envelope xmlns:S=\"http://schemas.xmlsoap.org/soap/envelope/\"><S:Body><n:noteResponse xmlns:n=\"urn:t\"/></S:Body></S:Envelope>";

    // Properties are the fields, and a text is masked as over HTTP.
    [Test]
    public static async Task EnvelopesByWayOfABroker()
    {
        foreach (bool waiting in new[] { true, false })
        {
            var shown = new List<string>();
            using var server = new FakeServer(session =>
            {
                var broker = new FakeBroker(session);
                Dictionary<string, string> properties = new()
                {
                    ["Creo_meta_my_2dtoken"] = "hunter2", ["mine"] = "1", ["SOAPJMS_contentType"] = "text/xml; charset=utf-8", ["SOAPJMS_requestURI"] = JmsTests.Address,
                };
                broker.Greet().Answer(broker.ReadMessage().CorrelationId, Encoding.UTF8.GetBytes(Response), properties);
                broker.ReadOutcomes(1);
            });
            ClientOptions options = With(NoTime, shown) with { Metadata = new Dictionary<string, string> { ["x-auth"] = "hunter2", ["a.b"] = "ü" } };
            using JmsBinding client = JmsTests.Client(server, "jms:queue:data?priority=3", options, JmsWire.Soap);
            await new CallTests.Caller(client, waiting).Call(Note("text"), "hunter2");
            server.Dispose();
            string request = shown[0];
            Assert.True(
                request.StartsWith("sent request of test.Test.note to jms:queue:data, ", StringComparison.Ordinal)
                    && request.Contains(
                        " bytes\n| SOAPJMS_requestURI: jms:queue:data\n| SOAPJMS_bindingVersion: 1.0\n| SOAPJMS_contentType: text/xml; charset=utf-8\n"
                        + "| SOAPJMS_soapAction: \"urn:t:note\"\n| Creo_timeout: 999999999\n| Creo_meta_x_2dauth: ***\n| Creo_meta_a_2eb: %C3%BC\n| \n| <")
                    && request.Contains(":text>***</"),
                request);
            Assert.Equal(
                $"received answer of test.Test.note from jms:queue:data, {Response.Length} bytes\n| SOAPJMS_requestURI: jms:queue:data\n"
                + $"| SOAPJMS_contentType: text/xml; charset=utf-8\n| SOAPJMS_isFault: false\n| Creo_meta_my_2dtoken: ***\n| \n| {Response}",
                shown[1]);
            Assert.True(!string.Concat(shown).Contains("hunter2"), "the secret");
        }
    }

    [Test]
    public static async Task BinaryMessagesByWayOfABroker()
    {
        const string own = "| SOAPJMS_requestURI: jms:queue:data\n| SOAPJMS_bindingVersion: 1.0\n| SOAPJMS_contentType: application/vnd.creo.binary\n";
        const string asked = "sent request of test.Sample.echo to jms:queue:data, 3 bytes\n" + own + "| Creo_method: 0000000000000002\n| Creo_timeout: 999999999\n| \n";
        const string came = "received answer of test.Sample.echo from jms:queue:data, 2 bytes\n" + own + "| SOAPJMS_isFault: false\n| Creo_kind: response\n| \n";
        const string hidden = "| (the body is not shown: it is of the binary wire)";
        foreach (bool waiting in new[] { true, false })
        {
            var shown = new List<string>();
            using var server = new FakeServer(session =>
            {
                var broker = new FakeBroker(session);
                JmsTests.Answer(broker.Greet(), broker.ReadMessage(), [1, 9]);
                JmsTests.Answer(broker, broker.ReadMessage(), [1, 9]);
                Dictionary<string, string> coded = JmsTests.Answering("response");
                coded["SOAPJMS_contentEncoding"] = "gzip";
                broker.Answer(broker.ReadMessage().CorrelationId, [1, 9], coded);
                broker.ReadOutcomes(3);
            });
            using JmsBinding client = JmsTests.Client(server, options: With(NoTime, shown));
            var caller = new CallTests.Caller(client, waiting);
            Assert.Equal([9], await caller.Call(SampleMethods.Echo, Two));
            Assert.Equal([9], await caller.Call(SecretEcho, Two));
            // A coding that cannot be undone: that is no message.
            await caller.Fails(ErrorCode.Malformed, SampleMethods.Echo, Two);
            server.Dispose();
            Assert.Equal(
                string.Join("\n", asked + "|      0  02 01 02", came + "|      0  01 09", asked + hidden, came + hidden, asked + "|      0  02 01 02"),
                string.Join("\n", shown));
        }
    }
}
