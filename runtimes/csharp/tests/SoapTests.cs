using System;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Creo.Tests;

/// <summary>SOAP over HTTP against answers that a test makes up.</summary>
public static class SoapTests
{
    private const string Envelope11 = "http://schemas.xmlsoap.org/soap/envelope/";
    private const string Envelope12 = "http://www.w3.org/2003/05/soap-envelope";
    private const string Type11 = "text/xml; charset=utf-8";

    private sealed class OwnException : DeclaredException
    {
        public required string Reason { get; init; }

        protected override string Describe() => Reason;
    }

    private static readonly TextField Reason = new("reason", "urn:t", "reason");
    private static readonly TextRecord OwnRecord = new("test.Own", "urn:t", "Own", Reason);
    private static readonly TextCodec<OwnException> Own = new("test.Own", new TextField(null, "urn:t", "Own") { Type = static () => OwnRecord }, static (_, _, _) => { }, ReadOwn, false, "urn:t");
    private static readonly TextField Request = new(null, "urn:t", "echo");
    private static readonly TextField Session = new("session", "urn:t", "session") { IsHeader = true, IsOptional = true };
    private static readonly TextField Value = new("value", "urn:t", "value") { Form = TextForm.Bytes };
    private static readonly TextRecord Arguments = new("echo", "urn:t", "echo", Session, Value);
    private static readonly TextField Response = new(null, "urn:t", "echoResponse");
    private static readonly TextRecord Result = new("result", "urn:t", "echoResponse", new TextField(null, "urn:t", "result") { Form = TextForm.Bytes });

    internal static readonly Method<(string?, ValueArray<byte>), ValueArray<byte>> Echo = new()
    {
        Service = new("test.Test", 1),
        Name = "echo",
        Id = 1,
        Parameters = Layout.Struct("echo", static () => []),
        EncodeArguments = static (_, _) => { },
        DecodeResult = static (ref Reader _) => default,
        Text = static () => new()
        {
            Action = "urn:t:echo",
            Request = new(
                Request,
                Arguments,
                static (writer, arguments) => writer.WriteBytes(Value, arguments.Item2),
                false,
                "urn:t")
            {
                WriteHeader = static (writer, arguments) =>
                {
                    if (arguments.Item1 is { } session)
                    {
                        writer.WriteString(Session, session);
                    }
                },
                WriteAll = static (writer, arguments) =>
                {
                    if (arguments.Item1 is { } session)
                    {
                        writer.WriteString(Session, session);
                    }
                    else
                    {
                        writer.WriteAbsent(Session);
                    }
                    writer.WriteBytes(Value, arguments.Item2);
                },
            },
            Response = new(Response, Result, ReadResult),
            Throws = [TextCase.Of(Own)],
        },
    };

    private static OwnException ReadOwn(TextWireReader reader)
    {
        string reason = null!;
        reader.Begin(OwnRecord);
        while (reader.Next(0) == 0)
        {
            reason = reader.ReadString();
        }
        reader.End(OwnRecord);
        return new OwnException { Reason = reason };
    }

    private static ValueArray<byte> ReadResult(TextWireReader reader)
    {
        ValueArray<byte> result = default;
        reader.Begin(Result);
        while (reader.Next(0) == 0)
        {
            result = reader.ReadBytes();
        }
        reader.End(Result);
        return result;
    }

    private static string Envelope(string body, string header = "", string ns = Envelope11) =>
        $"<s:Envelope xmlns:s=\"{ns}\" xmlns=\"urn:t\">{header}<s:Body>{body}</s:Body></s:Envelope>";

    internal static string Right(string result = "AAE=") => Envelope($"<echoResponse><result>{result}</result></echoResponse>");

    internal static ValueArray<byte> Call(byte[] answer, ClientOptions? options = null, CallOptions? call = null, bool closes = false)
    {
        using var server = new FakeHttp(_ => answer, closes);
        using var binding = new SoapBinding(server.Url, options);
        return binding.Call(Echo, (null, new byte[] { 1 }), call);
    }

    internal static CreoException Fails(ErrorCode code, byte[] answer, ClientOptions? options = null, bool closes = false)
    {
        CreoException error = Assert.Fails(code, () => Call(answer, options, closes: closes));
        Assert.True(error.Details["peer"].Contains("127.0.0.1"), "the peer is named");
        return error;
    }

    [Test]
    public static async Task ARequestIsSent()
    {
        using var server = new FakeHttp(_ => FakeHttp.Answer(200, Type11, Right()));
        var options = new ClientOptions { Metadata = new Dictionary<string, string> { ["x-a"] = "\u00e9 %", ["authorization"] = "Bearer x" } };
        using var binding = new SoapBinding(server.Url, options);
        Assert.Equal([0, 1], binding.Call(Echo, ("s<", new byte[] { 1, 2 })));
        Assert.Equal([0, 1], await binding.CallAsync(Echo, (null, new byte[] { 1 }), CallOptions.Within(TimeSpan.FromSeconds(60))));
        Assert.Equal(
            $"<soap:Envelope xmlns:soap=\"{Envelope11}\" xmlns:n1=\"urn:t\"><soap:Header><n1:session>s&lt;</n1:session></soap:Header>"
            + "<soap:Body><n1:echo><n1:value>AQI=</n1:value></n1:echo></soap:Body></soap:Envelope>",
            Encoding.UTF8.GetString(server.Bodies[0]));
        Assert.True(!Encoding.UTF8.GetString(server.Bodies[1]).Contains("Header"), "no header without an element");
        foreach (string header in new[] { "SOAPAction: \"urn:t:echo\"", "Content-Type: text/xml; charset=utf-8", "Creo-Timeout: ", "Creo-Meta-x-a: %C3%A9%20%25", "Authorization: Bearer x" })
        {
            Assert.Contains(header, server.Heads[0]);
        }
        Assert.Equal(1, server.Connections, "connections");
        using var second = new SoapBinding(server.Url, new ClientOptions { CompressFrom = 1 }, new SoapOptions { Version = SoapVersion.Soap12 });
        second.Call(Echo, (null, new byte[5000]));
        Assert.Contains("application/soap+xml; charset=utf-8; action=\"urn:t:echo\"", server.Heads[2]);
        Assert.Contains("Content-Encoding: gzip", server.Heads[2]);
        Assert.True(!server.Heads[2].Contains("SOAPAction"), "no SOAPAction in 1.2");
        using var plain = new StreamReader(new GZipStream(new MemoryStream(server.Bodies[2]), CompressionMode.Decompress));
        Assert.Contains(Envelope12, plain.ReadToEnd());
    }

    /// <summary>A method whose description says SOAP 1.2 is written so, unless the options say otherwise (SOAP-24).</summary>
    [Test]
    public static void TheDescriptionSaysTheVersion()
    {
        TextMethod<(string?, ValueArray<byte>), ValueArray<byte>> older = Echo.Text!();
        var newer = new TextMethod<(string?, ValueArray<byte>), ValueArray<byte>>
        {
            Action = older.Action,
            Version = SoapVersion.Soap12,
            Request = older.Request,
            Response = older.Response,
        };
        var method = new Method<(string?, ValueArray<byte>), ValueArray<byte>>
        {
            Service = Echo.Service,
            Name = Echo.Name,
            Id = Echo.Id,
            Parameters = Echo.Parameters,
            EncodeArguments = Echo.EncodeArguments,
            DecodeResult = Echo.DecodeResult,
            Text = () => newer,
        };
        foreach (SoapVersion? told in new SoapVersion?[] { null, SoapVersion.Soap12, SoapVersion.Soap11 })
        {
            using var server = new FakeHttp(_ => FakeHttp.Answer(200, Type11, Right()));
            using var binding = new SoapBinding(server.Url, null, new SoapOptions { Version = told });
            binding.Call(method, (null, new byte[] { 1 }));
            bool is11 = told == SoapVersion.Soap11;
            Assert.Contains(is11 ? "Content-Type: text/xml; charset=utf-8" : "application/soap+xml; charset=utf-8; action=\"urn:t:echo\"", server.Heads[0]);
            Assert.Equal(is11, server.Heads[0].Contains("SOAPAction"), "SOAPAction");
            Assert.Contains(is11 ? Envelope11 : Envelope12, Encoding.UTF8.GetString(server.Bodies[0]));
        }
    }

    [Test]
    public static void MetadataIsChecked()
    {
        foreach ((string name, string value) in new[] { ("X", ""), ("creo-x", ""), ("authorization", "\u00e9"), ("authorization", "a\r\nb: c") })
        {
            var call = new CallOptions { Metadata = new Dictionary<string, string> { [name] = value } };
            Assert.Fails(ErrorCode.InvalidValue, () => Call(FakeHttp.Answer(200, Type11, Right()), call: call));
        }
    }

    /// <summary>HTTP-24.</summary>
    [Test]
    public static async Task HeadersOfTheUserAreSent()
    {
        using var server = new FakeHttp(_ => FakeHttp.Answer(200, Type11, Right()));
        var options = new ClientOptions
        {
            Headers = new Dictionary<string, string> { ["X-Api-Key"] = "k1", ["Cookie"] = "a=\"b\";\tc", ["Expires"] = "0", ["User-Agent"] = "lab (1", ["Authorization"] = "ApiKey x" },
            Metadata = new Dictionary<string, string> { ["x-api-key"] = "m" },
        };
        using var binding = new SoapBinding(server.Url, options);
        binding.Call(Echo, (null, new byte[] { 1 }));
        await binding.CallAsync(Echo, (null, new byte[] { 1 }), new CallOptions { Headers = new Dictionary<string, string> { ["x-api-key"] = "k2" } });
        foreach (string header in new[] { "X-Api-Key: k1", "Cookie: a=\"b\";\tc", "Expires: 0", "User-Agent: lab (1", "Authorization: ApiKey x", "Creo-Meta-x-api-key: m" })
        {
            Assert.Contains("\r\n" + header + "\r\n", server.Heads[0]);
        }
        Assert.Contains("\r\nX-Api-Key: k2\r\n", server.Heads[1].Replace("x-api-key: k2", "X-Api-Key: k2"));
        Assert.True(!server.Heads[1].Contains(": k1"), "a call's header takes the place of its client's");
    }

    /// <summary>HTTP-24: nothing is sent.</summary>
    [Test]
    public static void HeadersOfTheUserAreChecked()
    {
        using var server = new FakeHttp(_ => FakeHttp.Answer(200, Type11, Right()));
        using var binding = new SoapBinding(server.Url, new ClientOptions { Metadata = new Dictionary<string, string> { ["authorization"] = "x" } });
        void Refused(ErrorCode code, Dictionary<string, string> headers) =>
            Assert.Fails(code, () => binding.Call(Echo, (null, new byte[] { 1 }), new CallOptions { Headers = headers }));
        foreach (string name in new[]
        {
            "", "a b", "a:", "\u00e9", "a\r\nb", new string('x', 65), "Host", "content-length", "Content-Language", "Transfer-Encoding", "Connection", "Keep-Alive", "TE", "Trailer",
            "Upgrade", "Expect", "SOAPAction", "Accept-Encoding", "MIME-Version", "Proxy-Authorization", "Creo-Timeout", "Authorization",
        })
        {
            Refused(ErrorCode.InvalidValue, new() { [name] = "x" });
        }
        foreach (string value in new[] { "", " ", " a", "a ", "a\t", "a\r\nHost: b", "a\nb", "a\0b", "a\u007f", "\u00e9" })
        {
            Refused(ErrorCode.InvalidValue, new() { ["X-A"] = value });
        }
        Refused(ErrorCode.InvalidValue, new() { ["X-A"] = "a", ["x-a"] = "b" });
        Refused(ErrorCode.TooLarge, new() { ["X-A"] = new string('a', 20_000) });
        var many = new Dictionary<string, string>();
        for (int i = 0; i < 65; i++)
        {
            many["X-" + i] = "a";
        }
        Refused(ErrorCode.TooLarge, many);
        Assert.Equal(0, server.Connections, "connections");
    }

    [Test]
    public static void EnvelopesAreRead()
    {
        foreach (string envelope in new[]
        {
            Right(),
            Right().Replace(Envelope11, Envelope12),
            Envelope("<echoResponse><result>AAE=</result></echoResponse>", "<s:Header><other s:mustUnderstand='0'>x<y/></other><o s:mustUnderstand='1' s:actor='urn:somebody'/></s:Header>"),
            "<?xml version=\"1.0\"?><!-- -->" + Right().Replace("><", ">\n <"),
        })
        {
            Assert.Equal([0, 1], Call(FakeHttp.Answer(200, Type11, envelope)));
        }
        Assert.Equal([0, 1], Call(FakeHttp.Answer(200, "text/xml; charset=\"UTF-16\"", [.. Encoding.Unicode.GetPreamble(), .. Encoding.Unicode.GetBytes(Right())])));
        Assert.Equal([0, 1], Call(FakeHttp.Chunked(Type11, Encoding.UTF8.GetBytes(Right()), 7)));
        foreach ((ErrorCode code, string envelope) in new[]
        {
            (ErrorCode.ProtocolMismatch, Right().Replace(Envelope11, "urn:other")), (ErrorCode.Malformed, "<html/>"),
            (ErrorCode.ProtocolMismatch, Envelope("<echoResponse><result/></echoResponse>", "<s:Header><other s:mustUnderstand='1'/></s:Header>")),
            (ErrorCode.Malformed, Envelope("")), (ErrorCode.Malformed, Envelope("<other/>")), (ErrorCode.Malformed, Right("!")), (ErrorCode.Malformed, Right()[..^3]),
            (ErrorCode.Malformed, Right().Replace("</s:Body>", "<x/></s:Body>")), (ErrorCode.Malformed, Right().Replace("</s:Body>", "</s:Body><x/>")),
            (ErrorCode.Malformed, Right().Replace("<s:Body>", "<s:Body s:encodingStyle='http://schemas.xmlsoap.org/soap/encoding/'>")),
        })
        {
            Fails(code, FakeHttp.Answer(200, Type11, envelope));
        }
        Assert.Equal("$result", Fails(ErrorCode.Malformed, FakeHttp.Answer(200, Type11, Right("!"))).Place);
    }

    [Test]
    public static void FaultsAreErrors()
    {
        byte[] Fault11(string code, string detail) => FakeHttp.Answer(
            500, Type11, Envelope($"<s:Fault><faultcode>s:{code}</faultcode><faultstring>so</faultstring><faultactor>urn:a</faultactor>{detail}</s:Fault>"));
        byte[] Fault12(string code, string detail) => FakeHttp.Answer(
            500,
            "application/soap+xml",
            Envelope($"<s:Fault><s:Code><s:Value>s:{code}</s:Value></s:Code><s:Reason><s:Text xml:lang='en'>so</s:Text></s:Reason>{detail}</s:Fault>", ns: Envelope12));
        const string own = "<Own><reason>no</reason></Own>";
        Assert.Equal("no", Assert.Throws<OwnException>(() => Call(Fault11("Server", $"<detail xmlns:x='u'> {own}</detail>"))).Reason);
        Assert.Equal("no", Assert.Throws<OwnException>(() => Call(Fault12("Receiver", $"<s:Detail>{own}</s:Detail>"))).Reason);
        const string error = "<e:error xmlns:e='urn:creo:error' code='too-large'><e:detail key='limit'>maxDepth</e:detail><e:detail key='place'>$.a</e:detail></e:error>";
        CreoException large = Fails(ErrorCode.TooLarge, Fault11("Client", $"<detail>{error}</detail>"));
        Assert.Equal("maxDepth", large.Details["limit"]);
        Assert.Equal("$.a", large.Place);
        Assert.True(large.FromPeer && large.Text == "so", "from the peer, with its text");
        Fails(ErrorCode.Malformed, Fault11("Client.Other", ""));
        Fails(ErrorCode.Malformed, Fault12("Sender", ""));
        Fails(ErrorCode.ProtocolMismatch, Fault11("VersionMismatch", ""));
        Fails(ErrorCode.ProtocolMismatch, Fault12("MustUnderstand", ""));
        CreoException other = Fails(ErrorCode.Internal, Fault11("Server", "<detail><x>\n</x></detail>"));
        Assert.Equal("s:Server", other.Details["fault-code"]);
        Assert.Equal("urn:a", other.Details["fault-actor"]);
        Assert.Equal("<detail><x>\\u000a</x></detail>", other.Details["fault-detail"]);
        CreoException unread = Fails(ErrorCode.Internal, Fault11("Server", "<detail><Own/></detail>"));
        Assert.Contains("malformed: ", unread.Details["fault-problem"]);
    }

    [Test]
    public static void StatusesAreErrors()
    {
        foreach ((int status, ErrorCode code) in new[]
        {
            (401, ErrorCode.Unauthenticated), (407, ErrorCode.Unauthenticated), (403, ErrorCode.PermissionDenied), (404, ErrorCode.Unavailable), (502, ErrorCode.Unavailable),
            (503, ErrorCode.Unavailable), (504, ErrorCode.Unavailable), (413, ErrorCode.TooLarge), (429, ErrorCode.Overloaded), (500, ErrorCode.ProtocolMismatch),
            (405, ErrorCode.ProtocolMismatch), (200, ErrorCode.ProtocolMismatch),
        })
        {
            CreoException error = Fails(code, FakeHttp.Answer(status, "text/html", "<p>"));
            Assert.Contains($"{status}", error.Message);
            Assert.Contains("text/html", error.Message);
        }
        Assert.Contains("http://there/", Fails(ErrorCode.Unavailable, FakeHttp.Answer(302, "text/html", "", "Location: http://there/\r\n")).Message);
        Fails(ErrorCode.ProtocolMismatch, FakeHttp.Answer(500, Type11, Right()));
    }

    [Test]
    public static void GzipIsUndoneWithinTheLimits()
    {
        byte[] Zipped(byte[] plain)
        {
            var bytes = new MemoryStream();
            using (var stream = new GZipStream(bytes, CompressionLevel.Optimal))
            {
                stream.Write(plain);
            }
            return bytes.ToArray();
        }
        byte[] Answer(byte[] body) => FakeHttp.Answer(200, Type11, body, "Content-Encoding: gzip\r\n");
        var small = new ClientOptions { Limits = new Limits { MaxMessageSize = 2000 } };
        byte[] zipped = Zipped(Encoding.UTF8.GetBytes(Right()));
        Assert.Equal([0, 1], Call(Answer(zipped), small));
        for (int size = 1; size < zipped.Length; size += 3)
        {
            Fails(ErrorCode.Malformed, Answer(zipped[..size]));
        }
        Fails(ErrorCode.Malformed, Answer([.. zipped, 0]));
        Fails(ErrorCode.Malformed, Answer([.. zipped, .. zipped]));
        byte[] broken = [.. zipped];
        broken[^6] ^= 1;
        Fails(ErrorCode.Malformed, Answer(broken));
        Assert.Equal("maxMessageSize", Fails(ErrorCode.TooLarge, Answer(Zipped(new byte[50_000_000])), small).Details["limit"]);
        Fails(ErrorCode.TooLarge, FakeHttp.Answer(200, Type11, new byte[3000]), small);
        Fails(ErrorCode.TooLarge, FakeHttp.Chunked(Type11, new byte[3000], 100), small);
        Fails(ErrorCode.ProtocolMismatch, FakeHttp.Answer(200, Type11, Right(), "Content-Encoding: br\r\n"));
    }

    [Test]
    public static void WhatIsNoHttpIsAMismatch()
    {
        Fails(ErrorCode.ProtocolMismatch, "SSH-2.0-nothing\r\n\r\n"u8.ToArray(), closes: true);
        Fails(ErrorCode.ProtocolMismatch, [0x15, 3, 1, 0, 2, 2, 40, 13, 10, 13, 10], closes: true);
        byte[] whole = FakeHttp.Answer(200, Type11, Right());
        Fails(ErrorCode.Unavailable, whole[..^5], closes: true);
        Fails(ErrorCode.Unavailable, [], closes: true);
        byte[] many = FakeHttp.Answer(200, Type11, Right(), string.Concat(Enumerable.Range(0, 300).Select(i => $"X-{i}: 1\r\n")));
        Fails(ErrorCode.TooLarge, many);
        Fails(ErrorCode.TooLarge, FakeHttp.Answer(200, Type11, Right(), $"X: {new string('a', 100_000)}\r\n"));
    }

    [Test]
    public static async Task TimeEndsACall()
    {
        using var slow = new FakeHttp(_ => FakeHttp.Answer(200, Type11, Right())[..^5]);
        using var binding = new SoapBinding(slow.Url);
        CallOptions soon = CallOptions.Within(TimeSpan.FromMilliseconds(200));
        Assert.Fails(ErrorCode.DeadlineExceeded, () => binding.Call(Echo, (null, default), soon));
        Assert.Equal(ErrorCode.DeadlineExceeded, (await Assert.ThrowsAsync<CreoException>(async () => await binding.CallAsync(Echo, (null, default), soon))).Code);
        using var giveUp = new CancellationTokenSource(100);
        await Assert.ThrowsAsync<OperationCanceledException>(async () => await binding.CallAsync(Echo, (null, default), null, giveUp.Token));
        using var impatient = new SoapBinding(slow.Url, new ClientOptions { Limits = new Limits { FrameTimeout = TimeSpan.FromMilliseconds(200) } });
        Assert.Fails(ErrorCode.Unavailable, () => impatient.Call(Echo, (null, default)));
        using var closing = new SoapBinding(slow.Url);
        Task<CreoException> under = Assert.ThrowsAsync<CreoException>(async () => await closing.CallAsync(Echo, (null, default)));
        while (slow.Heads.Count < 5)
        {
            await Task.Delay(10);
        }
        closing.Dispose();
        Assert.Equal(ErrorCode.Unavailable, (await under).Code);
        Assert.Throws<ObjectDisposedException>(() => closing.Call(Echo, (null, default)));
        Assert.Throws<ArgumentException>(() => new SoapBinding("ftp://x/"));
        Assert.Throws<ArgumentException>(() => new SoapBinding("http://x/", new ClientOptions { Tls = new TlsOptions() }));
    }

    [Test]
    public static async Task TlsVerifiesCertificateAndName()
    {
        using X509Certificate2 certificate = ConnectionTests.Certificate("localhost");
        var roots = new X509Certificate2Collection(ConnectionTests.X509CertificateLoaderOf(certificate));
        using var server = new FakeHttp(_ => FakeHttp.Answer(200, Type11, Right()), certificate: certificate);
        string url = $"https://127.0.0.1:{server.Port}/Test";
        using var trusting = new SoapBinding(url, new ClientOptions { Tls = new TlsOptions { HostName = "localhost", TrustedRoots = roots } });
        Assert.Equal([0, 1], trusting.Call(Echo, (null, default)));
        Assert.Equal([0, 1], await trusting.CallAsync(Echo, (null, default)));
        foreach ((TlsOptions? tls, string reason) in new[]
        {
            (new TlsOptions { HostName = "localhost" }, "not trusted"), (new TlsOptions { TrustedRoots = roots }, "another name"), ((TlsOptions?)null, "another name"),
        })
        {
            using var refusing = new SoapBinding(url, new ClientOptions { Tls = tls });
            Assert.Contains(reason, Assert.Fails(ErrorCode.UntrustedPeer, () => refusing.Call(Echo, (null, default))).Message);
            Assert.Equal(ErrorCode.UntrustedPeer, (await Assert.ThrowsAsync<CreoException>(async () => await refusing.CallAsync(Echo, (null, default)))).Code);
        }
        using var plainClient = new SoapBinding($"http://127.0.0.1:{server.Port}/Test");
        CreoException lost = Assert.Throws<CreoException>(() => plainClient.Call(Echo, (null, default)));
        Assert.True(lost.Code is ErrorCode.ProtocolMismatch or ErrorCode.Unavailable, lost.Message);
        using var plainServer = new FakeHttp(_ => FakeHttp.Answer(400, "text/plain", "x"), closes: true);
        using var tlsClient = new SoapBinding(plainServer.Url.Replace("http:", "https:"));
        CreoException mismatch = Assert.Fails(ErrorCode.ProtocolMismatch, () => tlsClient.Call(Echo, (null, default), CallOptions.Within(TimeSpan.FromSeconds(3))));
        Assert.Contains("TLS", mismatch.Message);
    }
}
