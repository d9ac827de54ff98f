using System;
using System.Collections.Generic;
using System.Text;

namespace Creo.Tests;

/// <summary>The security of messages at its seam (SOAP-80, SOAP-81): what it is given is sent, and what it returns is read.</summary>
public static class SoapSecurityTests
{
    private const string Type11 = "text/xml; charset=utf-8";

    /// <summary>A security that adds a comment to requests, and takes the text before answers away.</summary>
    private sealed class Marks : IClientSecurity
    {
        public List<(string Text, string? Charset)> Received { get; } = [];

        public Func<byte[], byte[]> Answer { get; init; } = static answer => answer.AsSpan().StartsWith("secured "u8) ? answer[8..] : throw new CreoException(ErrorCode.ProtocolMismatch, "not-secured: x");

        public byte[] Send(byte[] request) => [.. request, .. "<!-- secured -->"u8];

        public byte[] Receive(byte[] answer, string? charset)
        {
            Received.Add((Encoding.UTF8.GetString(answer), charset));
            return Answer(answer);
        }
    }

    private static SoapBinding Bind(FakeHttp server, IClientSecurity security, Limits? limits = null) =>
        new(server.Url, new ClientOptions { Limits = limits ?? Limits.Default }, new SoapOptions { Security = security, Mtom = true });

    [Test]
    public static void MessagesPassThroughIt()
    {
        foreach (TableOptions? tables in new[] { null, TableOptions.Default })
        {
            using var server = new FakeHttp(_ => FakeHttp.Answer(200, Type11, "secured " + SoapTests.Right()));
            var security = new Marks();
            using var binding = new SoapBinding(server.Url, null, new SoapOptions { Security = security, Mtom = true, Tables = tables });
            Assert.Equal([0, 1], binding.Call(SoapTests.Echo, (null, new byte[5000])));
            string sent = Encoding.UTF8.GetString(server.Bodies[0]);
            Assert.True(sent.StartsWith("<soap:Envelope", StringComparison.Ordinal) && sent.EndsWith("</soap:Envelope><!-- secured -->", StringComparison.Ordinal), "an envelope, and no package");
            Assert.Contains("Content-Type: text/xml; charset=utf-8\r\n", server.Heads[0]);
            Assert.Equal(("secured " + SoapTests.Right(), "utf-8"), security.Received[0]);
        }
    }

    /// <summary>Also in faults, and whatever the status of HTTP is.</summary>
    [Test]
    public static void AnswersThatAreRefused()
    {
        string fault = SoapTests.Right().Replace("<echoResponse>", "<s:Fault><faultcode>s:Server</faultcode><faultstring>words</faultstring><x>").Replace("</echoResponse>", "</x></s:Fault>");
        foreach ((int status, string type) in new[] { (200, Type11), (500, Type11), (503, "text/html") })
        {
            using var server = new FakeHttp(_ => FakeHttp.Answer(status, type, fault));
            using SoapBinding binding = Bind(server, new Marks());
            Assert.Equal("not-secured: x", Assert.Fails(ErrorCode.ProtocolMismatch, () => binding.Call(SoapTests.Echo, (null, new byte[1]))).Text);
        }
        using var package = new FakeHttp(_ => FakeHttp.Answer(200, "multipart/related; boundary=x", "--x\r\n\r\n--x--"));
        using SoapBinding ofPackage = Bind(package, new Marks());
        CreoException error = Assert.Fails(ErrorCode.ProtocolMismatch, () => ofPackage.Call(SoapTests.Echo, (null, new byte[1])));
        Assert.True(error.Text.StartsWith("package: ", StringComparison.Ordinal), error.Text);
    }

    /// <summary>What is no envelope is an error of HTTP, unless it says that it is one.</summary>
    [Test]
    public static void AnswersThatAreNoEnvelopes()
    {
        var security = new Marks { Answer = static _ => throw new CreoException(ErrorCode.Malformed, "no envelope") };
        foreach ((int status, string type, ErrorCode code, string text) in new[]
        {
            (502, "text/html", ErrorCode.Unavailable, "the status 502"),
            (500, Type11, ErrorCode.ProtocolMismatch, "the status 500"),
            (200, "text/html", ErrorCode.ProtocolMismatch, "the status 200"),
            (200, Type11, ErrorCode.Malformed, "no envelope"),
        })
        {
            using var server = new FakeHttp(_ => FakeHttp.Answer(status, type, "<html/>"));
            using SoapBinding binding = Bind(server, security);
            Assert.Contains(text, Assert.Fails(code, () => binding.Call(SoapTests.Echo, (null, new byte[1]))).Text);
        }
    }

    /// <summary>Without security, an empty answer would be the result of a method without one.</summary>
    [Test]
    public static void EmptyAnswers()
    {
        foreach (int status in new[] { 200, 202 })
        {
            using var server = new FakeHttp(_ => FakeHttp.Answer(status, Type11, ""));
            var security = new Marks();
            using SoapBinding binding = Bind(server, security);
            Assert.Fails(ErrorCode.ProtocolMismatch, () => binding.Call(WireCallTests.Note(oneway: false), "x"));
            Assert.Equal(("", "utf-8"), security.Received[0]);
            Assert.Equal(default, binding.Call(WireCallTests.Note(oneway: true), "x"));
            Assert.Equal(1, security.Received.Count, "answers that are checked");
            using SoapBinding idle = Bind(server, new Marks { Answer = static answer => answer });
            Assert.Equal(default, idle.Call(WireCallTests.Note(oneway: false), "x"));
        }
        using var failing = new FakeHttp(_ => FakeHttp.Answer(503, Type11, ""));
        using SoapBinding refused = Bind(failing, new Marks());
        Assert.Fails(ErrorCode.Unavailable, () => refused.Call(WireCallTests.Note(oneway: false), "x"));
    }

    [Test]
    public static void RequestsThatAreTooLarge()
    {
        using var server = new FakeHttp(_ => FakeHttp.Answer(200, Type11, ""));
        using SoapBinding plain = Bind(server, new Marks(), new Limits { MaxMessageSize = 175 });
        Assert.Equal("maxMessageSize", Assert.Fails(ErrorCode.TooLarge, () => plain.Call(SoapTests.Echo, (null, new byte[1]))).Details["limit"]);
        Assert.Equal(0, server.Bodies.Count, "requests");
    }

    /// <summary>Messages of a broker are secured as those of HTTP.</summary>
    [Test]
    public static void SignedMessagesOverABroker()
    {
        var service = new WsSecurity(new WsSecurityOptions { Signer = WssKeys.Of("bob"), Recipient = WssKeys.Of("alice"), TrustedIssuers = [WssKeys.Authority], Decrypters = [WssKeys.Of("bob")], RequireEncrypted = true });
        using var server = new FakeServer(session =>
        {
            FakeBroker broker = new FakeBroker(session).Greet();
            Dictionary<string, string> soap = new() { ["SOAPJMS_contentType"] = "text/xml; charset=utf-8" };
            FakeMessage message = broker.ReadMessage();
            Assert.Contains("<n1:value>AQ==</n1:value>", Encoding.UTF8.GetString(service.Receive(message.Body, null)));
            broker.Answer(message.CorrelationId, service.Send(Encoding.UTF8.GetBytes(SoapTests.Right())), soap);
            broker.Answer(broker.ReadMessage().CorrelationId, Encoding.UTF8.GetBytes(SoapTests.Right()), soap);
        });
        var security = new WsSecurity(new WsSecurityOptions { Signer = WssKeys.Of("alice"), Recipient = WssKeys.Of("bob"), TrustedIssuers = [WssKeys.Authority], Decrypters = [WssKeys.Of("alice")], RequireEncrypted = true });
        using var client = new JmsBinding(new JmsBroker("127.0.0.1", server.Port), JmsTests.Address, soap: new SoapOptions { Security = security });
        Assert.Equal([0, 1], client.Call(SoapTests.Echo, (null, new byte[] { 1 })));
        CreoException error = Assert.Fails(ErrorCode.ProtocolMismatch, () => client.Call(SoapTests.Echo, (null, new byte[] { 1 })));
        Assert.True(error.Text.StartsWith("no-security: ", StringComparison.Ordinal), error.Text);
    }
}
