using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading.Tasks;
using Creo.Soap;

namespace Creo.Tests;

/// <summary>WS-Addressing in requests and answers (SOAP-40 to SOAP-42).</summary>
public static class AddressingTests
{
    private const string Wsa = "http://www.w3.org/2005/08/addressing";
    private const string Other = "urn:uuid:00000000-0000-4000-8000-000000000000";
    private static readonly SoapOptions On = new() { Addressing = true };

    /// <summary>The id of the last request.</summary>
    private static string IdOf(FakeHttp server) => Regex.Match(Encoding.UTF8.GetString(server.Bodies[^1]), "urn:uuid:[0-9a-f-]{36}").Value;

    /// <summary>An answer in a version with these header blocks; @ is the id of the request.</summary>
    private static byte[] Answer(string header, string id, bool is12 = false, string? body = null)
    {
        string ns = is12 ? "http://www.w3.org/2003/05/soap-envelope" : "http://schemas.xmlsoap.org/soap/envelope/";
        body ??= "<echoResponse xmlns='urn:t'><result>AAE=</result></echoResponse>";
        return FakeHttp.Answer(
            body.Contains("Fault") ? 500 : 200,
            is12 ? "application/soap+xml" : "text/xml",
            $"<s:Envelope xmlns:s='{ns}' xmlns:a='{Wsa}'><s:Header>{header.Replace("@", id)}</s:Header><s:Body>{body}</s:Body></s:Envelope>");
    }

    private static ValueArray<byte> Call(string header, SoapOptions? options = null, bool is12 = false, string? body = null)
    {
        FakeHttp server = null!;
        using (server = new FakeHttp(_ => Answer(header, IdOf(server), is12, body)))
        {
            using var binding = new SoapBinding(server.Url, null, options ?? On);
            return binding.Call(SoapTests.Echo, (null, new byte[] { 1 }));
        }
    }

    internal static Method<(string?, ValueArray<byte>), ValueArray<byte>> Echo(bool hasAddressing, bool isOneway)
    {
        TextMethod<(string?, ValueArray<byte>), ValueArray<byte>> known = SoapTests.Echo.Text!();
        var text = new TextMethod<(string?, ValueArray<byte>), ValueArray<byte>>
        {
            Action = known.Action,
            HasAddressing = hasAddressing,
            Request = known.Request,
            Response = isOneway ? null : known.Response,
        };
        return new()
        {
            Service = SoapTests.Echo.Service,
            Name = "echo",
            Id = 1,
            IsOneway = isOneway,
            Parameters = SoapTests.Echo.Parameters,
            EncodeArguments = SoapTests.Echo.EncodeArguments,
            DecodeResult = SoapTests.Echo.DecodeResult,
            Text = () => text,
        };
    }

    [Test]
    public static void BlocksAreWrittenInTheirOrder()
    {
        string Block(string name, string content) => $"<wsa:{name} xmlns:wsa=\"{Wsa}\">{content}</wsa:{name}>";
        string id = Addressing.Id(Convert.FromHexString("0d6f4c0e98c2fb6127b05c1c6f4a1f0e"));
        Assert.Equal("urn:uuid:0d6f4c0e-98c2-4b61-a7b0-5c1c6f4a1f0e", id);
        foreach (bool isOneway in new[] { false, true })
        {
            Assert.Equal(
                Block("Action", "urn:a&amp;b") + Block("MessageID", id) + Block("ReplyTo", $"<wsa:Address>{Wsa}/{(isOneway ? "none" : "anonymous")}</wsa:Address>")
                + Block("To", "http://localhost:8080/Stock?a&amp;b&lt;"),
                Addressing.Blocks("urn:a&b", id, isOneway, "http://localhost:8080/Stock?a&b<"));
        }
        Assert.Equal(1000, Enumerable.Range(0, 1000).Select(_ => Addressing.NewId()).Distinct().Count(), "ids");
    }

    /// <summary>SOAP-40: the description decides, unless the options do.</summary>
    [Test]
    public static async Task RequestsAreAddressed()
    {
        foreach ((bool? told, bool described) in new (bool?, bool)[] { (null, false), (null, true), (true, false), (true, true), (false, false), (false, true) })
        {
            using var server = new FakeHttp(_ => FakeHttp.Answer(200, "text/xml", SoapTests.Right()));
            using var binding = new SoapBinding(server.Url + "?x=1&y#part", null, new SoapOptions { Addressing = told });
            binding.Call(Echo(described, false), ("s", new byte[] { 1 }));
            await binding.CallAsync(Echo(described, false), ("s", new byte[] { 1 }));
            bool expected = told ?? described;
            string[] bodies = [.. server.Bodies.Select(Encoding.UTF8.GetString)];
            foreach (string body in bodies)
            {
                Assert.Equal(expected, body.Contains(Wsa), $"{told} {described}");
                Assert.Contains(expected ? "</wsa:To><n1:session>s</n1:session></soap:Header>" : "<soap:Header><n1:session>", body);
                Assert.True(!expected || body.Contains($"<soap:Header><wsa:Action xmlns:wsa=\"{Wsa}\">urn:t:echo</wsa:Action><wsa:MessageID"), body);
                Assert.True(!expected || body.Contains($">{server.Url}?x=1&amp;y</wsa:To>"), body);
            }
            Assert.True(!expected || bodies[0] != bodies[1], "each request has its own id");
        }
    }

    [Test]
    public static void OnewayTablesAndPackagesAreAddressed()
    {
        using var server = new FakeHttp(_ => FakeHttp.Answer(202, "text/xml", ""));
        foreach (bool tables in new[] { false, true })
        {
            foreach (bool mtom in new[] { false, true })
            {
                foreach (SoapVersion version in new[] { SoapVersion.Soap11, SoapVersion.Soap12 })
                {
                    var options = new SoapOptions { Addressing = true, Tables = tables ? TableOptions.Default : null, Mtom = mtom, Version = version };
                    using var binding = new SoapBinding(server.Url, null, options);
                    binding.Call(Echo(false, true), (null, new byte[2000]));
                    string body = Encoding.Latin1.GetString(server.Bodies[^1]);
                    Assert.Contains("><soap:Header><wsa:Action ", body);
                    Assert.Contains($"<wsa:Address>{Wsa}/none</wsa:Address>", body);
                    Assert.Contains($">{server.Url}</wsa:To></soap:Header><soap:Body><", body);
                    Assert.Equal(mtom, body.Contains("root@creo"), "a package");
                    Assert.Equal(tables, body.Contains("urn:creo:tdxml"), "a table");
                }
            }
        }
    }

    [Test]
    public static void AnswersToTheRequestAreRead()
    {
        string hundreds = string.Concat(Enumerable.Range(0, 500).Select(i => $"<a:RelatesTo>urn:x:{i}</a:RelatesTo>"));
        foreach (bool is12 in new[] { false, true })
        {
            foreach (string header in new[]
            {
                "", "<a:RelatesTo>@</a:RelatesTo>", "<a:RelatesTo> \n@\t</a:RelatesTo>", $"<a:RelatesTo RelationshipType='{Wsa}/reply'>@</a:RelatesTo>",
                $"<a:RelatesTo>{Other}</a:RelatesTo><a:RelatesTo><!-- -->@</a:RelatesTo>", "<a:RelatesTo RelationshipType='urn:other'>urn:x</a:RelatesTo>",
                "<a:RelatesTo><![CDATA[@]]></a:RelatesTo>", hundreds + "<a:RelatesTo>@</a:RelatesTo>" + hundreds,
                "<a:Action s:mustUnderstand='1'>urn:x</a:Action><a:RelatesTo s:mustUnderstand='true'>@</a:RelatesTo><a:To s:mustUnderstand='1'/>",
                "<a:RelatesTo s:actor='urn:x'>urn:other</a:RelatesTo>", "<RelatesTo>urn:other</RelatesTo>",
            })
            {
                Assert.Equal([0, 1], Call(header, is12: is12));
                Assert.Equal([0, 1], Call(header, new SoapOptions { Addressing = true, Version = SoapVersion.Soap12 }, is12));
            }
        }
    }

    [Test]
    public static void AnswersToOtherRequestsAreRefused()
    {
        foreach (string header in new[]
        {
            $"<a:RelatesTo>{Other}</a:RelatesTo>", "<a:RelatesTo/>", "<a:RelatesTo></a:RelatesTo>", "<a:RelatesTo>@x</a:RelatesTo>", "<a:RelatesTo>\u00a0@</a:RelatesTo>",
            $"<a:RelatesTo RelationshipType=' {Wsa}/reply '>{Other}</a:RelatesTo>", "<a:RelatesTo RelationshipType='urn:other'>@</a:RelatesTo><a:RelatesTo>x</a:RelatesTo>",
            $"<a:RelatesTo>@{new string('x', 5000)}</a:RelatesTo>", $"<a:RelatesTo>{new string('x', 2048)}<![CDATA[{new string('<', 2_000_000)}]]></a:RelatesTo>",
        })
        {
            foreach (bool is12 in new[] { false, true })
            {
                CreoException error = Assert.Fails(ErrorCode.ProtocolMismatch, () => Call(header, is12: is12));
                Assert.Contains("another request", error.Message);
            }
            // A request without an id has no answer.
            Assert.Equal([0, 1], Call(header, SoapOptions.Default));
        }
        Assert.Fails(ErrorCode.ProtocolMismatch, () => Call("<a:RelatesTo>@</a:RelatesTo><x s:mustUnderstand='1'/>"));
        Assert.Fails(ErrorCode.Malformed, () => Call("<a:RelatesTo>@&#1;</a:RelatesTo>"));
        Assert.Fails(ErrorCode.Malformed, () => Call("<a:RelatesTo>@</a:Other>"));
        Assert.Equal([0, 1], Call("<a:Action s:mustUnderstand='1'/>", SoapOptions.Default));
    }

    [Test]
    public static void FaultsAreReadWhateverTheyRelateTo()
    {
        const string fault = "<s:Fault><faultcode>s:Client</faultcode><faultstring>no</faultstring></s:Fault>";
        Assert.Equal("no", Assert.Fails(ErrorCode.Malformed, () => Call($"<a:RelatesTo>{Other}</a:RelatesTo>", body: fault)).Text);
    }

    /// <summary>The header of an encoded answer is read.</summary>
    [Test]
    public static void EncodedAnswersAreToTheRequestToo()
    {
        foreach (bool isRight in new[] { true, false })
        {
            FakeHttp server = null!;
            using (server = new FakeHttp(_ => Answer(
                $"<a:RelatesTo>{(isRight ? "@" : "x")}</a:RelatesTo>", IdOf(server), body: "<x:listResponse xmlns:x='urn:t'><result>a</result></x:listResponse>")))
            {
                using var binding = new SoapBinding(server.Url, null, On);
                CreoException? error = null;
                try
                {
                    Assert.Contains(">a<", binding.Call(EncodingTests.Raw, ["b"]));
                }
                catch (CreoException e)
                {
                    error = e;
                }
                Assert.Equal(isRight ? null : (ErrorCode?)ErrorCode.ProtocolMismatch, error?.Code, $"code of {error?.Message}");
                Assert.Contains("</wsa:To></soap:Header>", Encoding.UTF8.GetString(server.Bodies[^1]));
            }
        }
    }
}
