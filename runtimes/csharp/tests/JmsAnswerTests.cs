using System;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Text;
using System.Threading.Tasks;
using Creo.Jms;

namespace Creo.Tests;

/// <summary>What answers by way of a broker hold.</summary>
public static class JmsAnswerTests
{
    private const string Address = "jms:queue:data";
    private static readonly Dictionary<string, string> Response = JmsTests.Answering("response");

    // JMS-3: a body may be several sections of data, or a value that is a string or bytes.
    [Test]
    public static async Task BodiesHaveSeveralForms()
    {
        (ulong Section, Action<AmqpWriter> Write)[] forms =
        [
            (Amqp.Value, writer => writer.Binary([2, 65, 66])), (Amqp.Value, writer => writer.Text("\u0002AB")),
            (Amqp.Data, writer =>
            {
                writer.Binary([2]);
                writer.Describe(Amqp.Data);
                writer.Binary([]);
                writer.Describe(Amqp.Data);
                writer.Binary([65, 66]);
            }),
            (Amqp.Data, writer =>
            {
                writer.Binary([2, 65, 66]);
                writer.Describe(Amqp.Footer);
                writer.BeginMap();
                writer.End();
            }),
        ];
        foreach ((ulong section, Action<AmqpWriter> write) in forms)
        {
            await JmsTests.Both(
                broker => broker.Deliver(FakeBroker.Message(broker.Greet().ReadMessage().CorrelationId, Response, write, section)),
                async caller => Assert.Equal([65, 66], await caller.Call(SampleMethods.Echo, [])));
        }
    }

    // Only bytes and texts are examined; the call fails, and the connection stays.
    [Test]
    public static async Task OtherMessagesAreRefused()
    {
        (ErrorCode Code, ulong Section, Action<AmqpWriter> Write)[] wrong =
        [
            (ErrorCode.ProtocolMismatch, Amqp.Sequence, writer =>
            {
                writer.BeginList();
                writer.End();
            }),
            (ErrorCode.Malformed, Amqp.Value, writer => writer.Boolean(true)),
            (ErrorCode.Malformed, Amqp.Data, writer => writer.BinaryBehind(1000)),
            (ErrorCode.ProtocolMismatch, 0x79, writer => writer.Binary([1])),
        ];
        foreach ((ErrorCode code, ulong section, Action<AmqpWriter> write) in wrong)
        {
            await JmsTests.Both(
                broker =>
                {
                    broker.Greet();
                    broker.Deliver(FakeBroker.Message(broker.ReadMessage().CorrelationId, Response, write, section));
                    JmsTests.Answer(broker, broker.ReadMessage(), [0]);
                    broker.ReadOutcomes(2);
                    Assert.Equal((0u, 0u, Amqp.Rejected), broker.Outcomes[0]);
                },
                async caller =>
                {
                    await caller.Fails(code, SampleMethods.Echo, []);
                    Assert.Equal([], await caller.Call(SampleMethods.Echo, []));
                });
        }
    }

    // LIM-1, LIM-26: one call fails, and what was too large is not kept.
    [Test]
    public static async Task TooLargeAnswersFailTheirCall()
    {
        await JmsTests.Both(
            broker =>
            {
                broker.Greet();
                broker.Answer(broker.ReadMessage().CorrelationId, new byte[300_000], Response, 10_000);
                JmsTests.Answer(broker, broker.ReadMessage(), [.. new byte[1], .. new byte[10_000]]);
                Dictionary<string, string> many = JmsTests.Answering("response");
                many["x"] = new string('x', 2000);
                broker.Answer(broker.ReadMessage().CorrelationId, [0], many);
                JmsTests.Answer(broker, broker.ReadMessage(), [0]);
                broker.ReadOutcomes(4);
            },
            async caller =>
            {
                Assert.Equal("maxMessageSize", (await caller.Fails(ErrorCode.TooLarge, SampleMethods.Echo, [])).Details["limit"]);
                Assert.Equal("maxMessageSize", (await caller.Fails(ErrorCode.TooLarge, SampleMethods.Echo, [])).Details["limit"]);
                Assert.Equal("maxHeaderSize", (await caller.Fails(ErrorCode.TooLarge, SampleMethods.Echo, [])).Details["limit"]);
                Assert.Equal([], await caller.Call(SampleMethods.Echo, []));
            },
            options: new ClientOptions { Limits = new Limits { MaxMessageSize = 10_000, MaxHeaderSize = 1024 } });
    }

    // HTTP-6, JMS-4
    [Test]
    public static async Task GzipBothWays()
    {
        static byte[] Zip(byte[] plain)
        {
            var all = new MemoryStream();
            using (var zip = new GZipStream(all, CompressionLevel.Fastest))
            {
                zip.Write(plain);
            }
            return all.ToArray();
        }
        ValueArray<byte> data = JmsTests.Bytes(3000);
        byte[] body = [0xb8, 0x17, .. data.Span];
        Dictionary<string, string> zipped = JmsTests.Answering("response");
        zipped["SOAPJMS_contentEncoding"] = "gzip";
        Dictionary<string, string> other = JmsTests.Answering("response");
        other["SOAPJMS_contentEncoding"] = "br";
        await JmsTests.Both(
            broker =>
            {
                FakeMessage message = broker.Greet().ReadMessage();
                Assert.Equal("gzip", message.Properties["SOAPJMS_contentEncoding"]);
                var plain = new MemoryStream();
                using (var unzip = new GZipStream(new MemoryStream(message.Body), CompressionMode.Decompress))
                {
                    unzip.CopyTo(plain);
                }
                Assert.Equal(Convert.ToHexString(body), Convert.ToHexString(plain.ToArray()));
                broker.Answer(message.CorrelationId, Zip(body), zipped);
                message = broker.ReadMessage();
                Assert.Equal("gzip", message.Properties["SOAPJMS_contentEncoding"]);
                broker.Answer(message.CorrelationId, Zip(body)[..^3], zipped);
                broker.Answer(broker.ReadMessage().CorrelationId, body, other);
                broker.Answer(broker.ReadMessage().CorrelationId, Zip(new byte[200_000]), zipped);
            },
            async caller =>
            {
                Assert.Equal(data, await caller.Call(SampleMethods.Echo, data));
                await caller.Fails(ErrorCode.Malformed, SampleMethods.Echo, []);
                await caller.Fails(ErrorCode.ProtocolMismatch, SampleMethods.Echo, []);
                await caller.Fails(ErrorCode.TooLarge, SampleMethods.Echo, []);
            },
            options: new ClientOptions { CompressFrom = 2000, Limits = new Limits { MaxMessageSize = 100_000 } });
    }

    // JMS-4, JMS-5: exceptions and errors of the wire, and answers that are none.
    [Test]
    public static async Task KindsOfAnswers()
    {
        await JmsTests.Both(
            broker =>
            {
                broker.Greet();
                broker.Answer(broker.ReadMessage().CorrelationId, [0, 3, .. "CO2"u8], JmsTests.Answering("exception"));
                broker.Answer(broker.ReadMessage().CorrelationId, [11, 2, .. "no"u8, 1, 10, .. "fault-code"u8, 1, (byte)'x'], JmsTests.Answering("error"));
                broker.Answer(broker.ReadMessage().CorrelationId, [0], JmsTests.Answering("other"));
                broker.Answer(broker.ReadMessage().CorrelationId, [0], new Dictionary<string, string> { ["SOAPJMS_contentType"] = "application/vnd.creo.binary" });
                broker.Answer(broker.ReadMessage().CorrelationId, [0], JmsTests.Answering("response", "text/plain"));
                Dictionary<string, string> version = JmsTests.Answering("response");
                version["SOAPJMS_bindingVersion"] = "2.0";
                broker.Answer(broker.ReadMessage().CorrelationId, [0], version);
                broker.Answer(broker.ReadMessage().CorrelationId, [9], JmsTests.Answering("response"));
            },
            async caller =>
            {
                Assert.Equal("CO2", (await Assert.ThrowsAsync<NotFoundException>(async () => await caller.Call(SampleMethods.Find, "x"))).Description);
                CreoException error = await caller.Fails(ErrorCode.ProtocolMismatch, SampleMethods.Find, "x");
                Assert.True(error is { FromPeer: true, Text: "no" }, error.Message);
                Assert.Equal("x", error.Details["fault-code"]);
                Assert.Contains("other", (await caller.Fails(ErrorCode.ProtocolMismatch, SampleMethods.Find, "x")).Message);
                Assert.Contains("kind", (await caller.Fails(ErrorCode.ProtocolMismatch, SampleMethods.Find, "x")).Message);
                Assert.Contains("text/plain", (await caller.Fails(ErrorCode.ProtocolMismatch, SampleMethods.Find, "x")).Message);
                Assert.Contains("2.0", (await caller.Fails(ErrorCode.ProtocolMismatch, SampleMethods.Find, "x")).Message);
                await caller.Fails(ErrorCode.Malformed, SampleMethods.Echo, []);
            });
    }

    // JMS-4: SOAP says its action twice in version 1.2, once in 1.1.
    [Test]
    public static void SoapOverABroker()
    {
        foreach (SoapVersion version in new[] { SoapVersion.Soap11, SoapVersion.Soap12 })
        {
            using var server = new FakeServer(session =>
            {
                FakeBroker broker = new FakeBroker(session).Greet();
                FakeMessage message = broker.ReadMessage();
                Assert.Equal("\"urn:t:echo\"", message.Properties["SOAPJMS_soapAction"]);
                Assert.Equal(
                    version == SoapVersion.Soap11 ? "text/xml; charset=utf-8" : "application/soap+xml; charset=utf-8; action=\"urn:t:echo\"",
                    message.Properties["SOAPJMS_contentType"]);
                Assert.Contains("<n1:value>AQ==</n1:value>", Encoding.UTF8.GetString(message.Body));
                Dictionary<string, string> soap = new() { ["SOAPJMS_contentType"] = "text/xml; charset=utf-8" };
                broker.Deliver(FakeBroker.Message(message.CorrelationId, soap, writer => writer.Text(SoapTests.Right()), Amqp.Value));
                foreach (string fault in new[]
                {
                    Envelope(11, "<s:Fault><faultcode xmlns:j='http://www.w3.org/2010/soapjms/'>j:missingRequestURI</faultcode><faultstring>no</faultstring></s:Fault>"),
                    Envelope(
                        12,
                        "<s:Fault><s:Code><s:Value>s:Sender</s:Value><s:Subcode><s:Value xmlns:j='http://www.w3.org/2010/soapjms/'>j:missingRequestURI</s:Value></s:Subcode>"
                        + "</s:Code><s:Reason><s:Text xml:lang='en'>no</s:Text></s:Reason></s:Fault>"),
                })
                {
                    broker.Answer(broker.ReadMessage().CorrelationId, Encoding.UTF8.GetBytes(fault), soap);
                }
                broker.Answer(broker.ReadMessage().CorrelationId, [1], []);
            });
            using var client = new JmsBinding(new JmsBroker("127.0.0.1", server.Port), Address, soap: new SoapOptions { Version = version });
            Assert.Equal([0, 1], client.Call(SoapTests.Echo, (null, new byte[] { 1 })));
            for (int i = 0; i < 2; i++)
            {
                CreoException error = Assert.Fails(ErrorCode.ProtocolMismatch, () => client.Call(SoapTests.Echo, (null, new byte[] { 1 })));
                Assert.Equal("missingRequestURI", error.Details["fault-code"]);
            }
            Assert.Contains("no media type", Assert.Fails(ErrorCode.ProtocolMismatch, () => client.Call(SoapTests.Echo, (null, new byte[] { 1 }))).Message);
        }
    }

    // SOAP-40, SOAP-50: a token and a timestamp, and no addressing.
    [Test]
    public static void TokensOverABroker()
    {
        string body = "";
        using var server = new FakeServer(session =>
        {
            FakeBroker broker = new FakeBroker(session).Greet();
            FakeMessage message = broker.ReadMessage();
            body = Encoding.UTF8.GetString(message.Body);
            Dictionary<string, string> soap = new() { ["SOAPJMS_contentType"] = "text/xml; charset=utf-8" };
            broker.Deliver(FakeBroker.Message(message.CorrelationId, soap, writer => writer.Text(SoapTests.Right()), Amqp.Value));
        });
        var options = new SoapOptions { Addressing = true, Token = new UsernameToken("anna", "secret") { Digest = true }, Timestamp = true };
        using var client = new JmsBinding(new JmsBroker("127.0.0.1", server.Port), Address, soap: options);
        Assert.Equal([0, 1], client.Call(AddressingTests.Echo(true, false), (null, new byte[] { 1 })));
        Assert.Contains("><soap:Header><wsse:Security ", body);
        Assert.Contains("soap:mustUnderstand=\"1\"><wsu:Timestamp><wsu:Created>", body);
        Assert.Contains("<wsse:Username>anna</wsse:Username>", body);
        Assert.Contains("</wsse:Security></soap:Header><soap:Body>", body);
        Assert.True(!body.Contains("secret") && !body.Contains("addressing"), body);
    }

    private static string Envelope(int version, string body) =>
        $"<s:Envelope xmlns:s=\"{(version == 11 ? "http://schemas.xmlsoap.org/soap/envelope/" : "http://www.w3.org/2003/05/soap-envelope")}\"><s:Body>{body}</s:Body></s:Envelope>";

    // TDX-52, TDX-53: tables, and packages of them.
    [Test]
    public static void TablesOverABroker()
    {
        foreach (bool packages in new[] { false, true })
        {
            using var server = new FakeServer(session =>
            {
                FakeBroker broker = new FakeBroker(session).Greet();
                FakeMessage message = broker.ReadMessage();
                Assert.Equal("0000000000000001", message.Properties["Creo_method"]);
                Assert.True(message.Properties["SOAPJMS_contentType"].StartsWith(packages ? "multipart/related" : "application/vnd.creo.tdxml", StringComparison.Ordinal), "type");
                Assert.True(message.Body.Length > 2000 && Encoding.Latin1.GetString(message.Body).Contains("cid:0@creo") == packages, "a package or not");
                broker.Answer(
                    message.CorrelationId,
                    Encoding.UTF8.GetBytes("<Env xmlns=\"urn:creo:tdxml\"><RT>\n[0]|AAE=\n</RT></Env>"),
                    JmsTests.Answering("response", "application/vnd.creo.tdxml"));
                broker.Answer(broker.ReadMessage().CorrelationId, [12, 1, (byte)'e', 0], JmsTests.Answering("error"));
            });
            using var client = new JmsBinding(
                new JmsBroker("127.0.0.1", server.Port), Address, JmsWire.Tdxml, tdxml: new TdxmlOptions { Packages = packages });
            Assert.Equal([0, 1], client.Call(SoapTests.Echo, (null, JmsTests.Bytes(2000))));
            Assert.Equal("e", Assert.Fails(ErrorCode.Internal, () => client.Call(SoapTests.Echo, (null, JmsTests.Bytes(2000)))).Text);
        }
    }
}
