using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using Creo.Soap;

namespace Creo.Tests;

/// <summary>Tokens of users in requests, and what answers say of them (SOAP-50 to SOAP-52).</summary>
public static class SecurityTests
{
    private const string Oasis = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-";
    private const string Wsse = Oasis + "wssecurity-secext-1.0.xsd";
    private const string Wsu = Oasis + "wssecurity-utility-1.0.xsd";
    private const string Wsse11 = "http://docs.oasis-open.org/wss/oasis-wss-wssecurity-secext-1.1.xsd";
    private static readonly SoapOptions Told = new() { Token = new UsernameToken("anna", "secret") };

    private static string Now(double minutes) => DateTime.UtcNow.AddMinutes(minutes).ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'", CultureInfo.InvariantCulture);

    private static string Timestamp(string created, string expires) => $"<u:Timestamp><u:Created>{created}</u:Created><u:Expires>{expires}</u:Expires></u:Timestamp>";

    private static ValueArray<byte> Call(string block, SoapOptions options, bool is12 = false, string? body = null)
    {
        string ns = is12 ? "http://www.w3.org/2003/05/soap-envelope" : "http://schemas.xmlsoap.org/soap/envelope/";
        body ??= "<echoResponse xmlns='urn:t'><result>AAE=</result></echoResponse>";
        using var server = new FakeHttp(_ => FakeHttp.Answer(
            body.Contains("Fault") ? 500 : 200,
            is12 ? "application/soap+xml" : "text/xml",
            $"<s:Envelope xmlns:s='{ns}' xmlns:w='{Wsse}' xmlns:u='{Wsu}' xmlns:v='{Wsse11}'><s:Header>{block}</s:Header><s:Body>{body}</s:Body></s:Envelope>"));
        using var binding = new SoapBinding(server.Url, null, options);
        return binding.Call(SoapTests.Echo, (null, new byte[] { 1 }));
    }

    private static string Must(string content) => $"<w:Security s:mustUnderstand='1'>{content}</w:Security>";

    /// <summary>The digest that SOAP-50 names, and exact blocks.</summary>
    [Test]
    public static void BlocksAreWritten()
    {
        byte[] nonce = Convert.FromBase64String("AAECAwQFBgcICQoLDA0ODw==");
        var now = new DateTime(2026, 11, 27, 18, 0, 0, DateTimeKind.Utc);
        const string digest = "X2aeuSfXpOP02ycDIqBW2Lc9CC0=";
        Assert.Equal(digest, Security.Digest(nonce, "2026-11-27T18:00:00.000Z", "Geheimnis-\u00df"));
        string Block(string content) => $"<wsse:Security xmlns:wsse=\"{Wsse}\" xmlns:wsu=\"{Wsu}\" soap:mustUnderstand=\"1\">{content}</wsse:Security>";
        const string timestamp =
            "<wsu:Timestamp><wsu:Created>2026-11-27T18:00:00.000Z</wsu:Created><wsu:Expires>2026-11-27T18:05:00.000Z</wsu:Expires></wsu:Timestamp>";
        const string text = "<wsse:UsernameToken><wsse:Username>anna</wsse:Username>"
            + $"<wsse:Password Type=\"{Oasis}username-token-profile-1.0#PasswordText\">secret</wsse:Password></wsse:UsernameToken>";
        const string digested = "<wsse:UsernameToken><wsse:Username>a&amp;&lt;b&gt;&#13;</wsse:Username>"
            + $"<wsse:Password Type=\"{Oasis}username-token-profile-1.0#PasswordDigest\">{digest}</wsse:Password>"
            + $"<wsse:Nonce EncodingType=\"{Oasis}soap-message-security-1.0#Base64Binary\">AAECAwQFBgcICQoLDA0ODw==</wsse:Nonce>"
            + "<wsu:Created>2026-11-27T18:00:00.000Z</wsu:Created></wsse:UsernameToken>";
        Assert.Equal(Block(timestamp + text), Security.Block("anna", "secret", false, true, now, nonce));
        Assert.Equal(Block(text), Security.Block("anna", "secret", false, false, now, nonce));
        Assert.Equal(Block(digested), Security.Block("a&<b>\r", "Geheimnis-\u00df", true, false, now, nonce));
        Assert.Equal(Block(timestamp), Security.Block(null, null, false, true, now, nonce));
    }

    [Test]
    public static void RequestsSayWhoCalls()
    {
        using var server = new FakeHttp(_ => FakeHttp.Answer(200, "text/xml", SoapTests.Right()));
        var nonces = new HashSet<string>();
        foreach (bool tables in new[] { false, true })
        {
            foreach (bool digest in new[] { false, true })
            {
                var options = new SoapOptions
                {
                    Addressing = true,
                    Token = new UsernameToken("anna", "se<cret") { Digest = digest },
                    Timestamp = true,
                    Tables = tables ? TableOptions.Default : null,
                    Version = digest ? SoapVersion.Soap12 : SoapVersion.Soap11,
                };
                using var binding = new SoapBinding(server.Url, null, options);
                binding.Call(SoapTests.Echo, ("s", new byte[] { 1 }));
                string body = Encoding.UTF8.GetString(server.Bodies[^1]);
                Assert.Contains("><soap:Header><wsse:Security ", body);
                Assert.Contains("</wsse:Security><wsa:Action ", body);
                Match created = Regex.Match(body, "<wsu:Created>(.*?)</wsu:Created><wsu:Expires>(.*?)</wsu:Expires>");
                DateTime Time(int group) => DateTime.Parse(created.Groups[group].Value, CultureInfo.InvariantCulture, DateTimeStyles.AdjustToUniversal);
                Assert.Equal(TimeSpan.FromMinutes(5), Time(2) - Time(1));
                Assert.True((DateTime.UtcNow - Time(1)).Duration() < TimeSpan.FromMinutes(1), "the present time");
                Assert.Equal(!digest, body.Contains("#PasswordText\">se&lt;cret</wsse:Password>"), "a password as text");
                if (digest)
                {
                    Match token = Regex.Match(body, "Digest\">(.*?)</wsse:Password><wsse:Nonce .*?>(.*?)</wsse:Nonce><wsu:Created>(.*?)</wsu:Created>");
                    byte[] nonce = Convert.FromBase64String(token.Groups[2].Value);
                    Assert.Equal(16, nonce.Length);
                    nonces.Add(token.Groups[2].Value);
                    Assert.Equal(Convert.ToBase64String(SHA1.HashData([.. nonce, .. Encoding.UTF8.GetBytes(token.Groups[3].Value + "se<cret")])), token.Groups[1].Value);
                    Assert.True(!body.Contains("cret"), "the password does not travel");
                }
            }
        }
        Assert.Equal(2, nonces.Count, "nonces");
    }

    /// <summary>SOAP-51.</summary>
    [Test]
    public static void TokensAreChecked()
    {
        foreach (string bad in new[] { "", "a\0", "a\u0001b", "\ud800", "a\udc00b", "\uffff", new string('x', 1025), string.Concat(Enumerable.Repeat("\U0001f600", 1025)) })
        {
            CreoException user = Assert.Fails(ErrorCode.InvalidValue, () => new UsernameToken(bad, "secret"));
            CreoException password = Assert.Fails(ErrorCode.InvalidValue, () => new UsernameToken("anna", bad));
            Assert.True(!user.ToString().Contains("secret") && !password.Message.Contains("anna"), "neither is shown");
            Assert.True(bad.Length < 2 || (!password.Message.Contains(bad) && !user.Message.Contains(bad)), "neither is shown");
        }
        foreach (string good in new[] { "a", "\t\n\r", "\u00df", "\ufffd", new string('x', 1024), string.Concat(Enumerable.Repeat("\U0001f600", 1024)) })
        {
            Assert.Equal(good, new UsernameToken(good, good).User);
        }
        Assert.Throws<ArgumentNullException>(() => new UsernameToken(null!, "x"));
        Assert.Throws<ArgumentNullException>(() => new UsernameToken("x", null!));
    }

    [Test]
    public static void ThePasswordIsNeverShown()
    {
        foreach (bool digest in new[] { false, true })
        {
            var token = new UsernameToken("anna", "secret") { Digest = digest };
            var options = new SoapOptions { Token = token, Timestamp = true };
            string shown = $"{token} {options}";
            Assert.True(!shown.Contains("secret") && !shown.Contains("anna"), shown);
            foreach (string block in new[] { Must("<x/>"), Must(Timestamp(Now(-20), Now(-10))) })
            {
                string error = Assert.Throws<CreoException>(() => Call(block, options)).ToString();
                Assert.True(!error.Contains("secret") && !error.Contains("anna"), error);
            }
        }
    }

    [Test]
    public static void AnswersThatAreUnderstood()
    {
        foreach (bool is12 in new[] { false, true })
        {
            foreach (string block in new[]
            {
                Must(""), "<w:Security s:mustUnderstand='1'/>", Must(Timestamp(Now(0), Now(5))), Must(Timestamp(Now(4), Now(9))), Must(Timestamp(Now(-9), Now(-4))),
                Must("<u:Timestamp/>"), Must($"<u:Timestamp><u:Created> {Now(0).Replace("Z", "+00:00")}\n</u:Created><x/></u:Timestamp>"),
                Must("<w:UsernameToken><w:Username>x</w:Username><x/></w:UsernameToken><v:SignatureConfirmation/>"), Must(Timestamp(Now(0), Now(5))) + Must(""),
                // What need not be understood, or is for another, is skipped with all that it says.
                $"<w:Security><w:BinarySecurityToken/>{Timestamp(Now(10), Now(20))}</w:Security>",
                $"<w:Security s:mustUnderstand='1' s:{(is12 ? "role" : "actor")}='urn:x'>{Timestamp(Now(10), Now(20))}<x/></w:Security>",
            })
            {
                Assert.Equal([0, 1], Call(block, Told, is12));
            }
        }
        Assert.Equal([0, 1], Call(Must(Timestamp(Now(0), Now(5))), new SoapOptions { Timestamp = true }));
        Assert.Equal([0, 1], Call($"<w:Security>{Timestamp(Now(-20), Now(-10))}</w:Security>", SoapOptions.Default));
    }

    [Test]
    public static void AnswersThatAreRefused()
    {
        const string signature = "<d:Signature xmlns:d='http://www.w3.org/2000/09/xmldsig#'/>";
        foreach (bool is12 in new[] { false, true })
        {
            foreach (string block in new[]
            {
                Must(Timestamp(Now(6), Now(11))), Must(Timestamp(Now(-11), Now(-6))), $"<w:Security>{Timestamp(Now(-11), Now(-6))}</w:Security>",
                Must(signature), Must(Timestamp(Now(0), Now(5)) + signature), Must("<v:SignatureConfirmation Value='eA=='/>"), Must("<w:SignatureConfirmation/>"),
                Must("<Timestamp/>"), Must("<u:UsernameToken/>"), string.Concat(Enumerable.Repeat(Must(""), 300)) + Must("<x/>"),
            })
            {
                Assert.Fails(ErrorCode.ProtocolMismatch, () => Call(block, Told, is12));
            }
            Assert.Fails(ErrorCode.ProtocolMismatch, () => Call(Must(Timestamp(Now(0), Now(5))), SoapOptions.Default, is12));
            foreach (string time in new[] { "", "x", "2026-11-27", new string('1', 2048), new string('1', 5000), "<x/>" })
            {
                Assert.Fails(ErrorCode.Malformed, () => Call(Must(Timestamp(time, Now(5))), Told, is12));
                Assert.Fails(ErrorCode.Malformed, () => Call(Must(Timestamp(Now(0), time)), Told, is12));
            }
        }
        // A fault is read whatever the header says.
        const string fault = "<s:Fault><faultcode>w:FailedAuthentication</faultcode><faultstring>no</faultstring></s:Fault>";
        Assert.Equal("no", Assert.Throws<CreoException>(() => Call(Must(signature + Timestamp(Now(-11), Now(-6))), Told, body: fault)).Text);
    }

    /// <summary>SOAP-25</summary>
    [Test]
    public static void HeadersThatAreTakenAsUnderstood()
    {
        string block = Must("<d:Signature xmlns:d='http://www.w3.org/2000/09/xmldsig#'/>");
        string[] names = ["Trace", $"{{{Wsse}}}Security"];
        Assert.Equal([0, 1], Call(block, Told with { Understood = names }));
        Assert.Equal([0, 1], Call(block, new SoapOptions { Understood = names }));
        Assert.Fails(ErrorCode.ProtocolMismatch, () => Call(block, new SoapOptions { Understood = new[] { "Security" } }));
        Assert.Equal(new SoapOptions { Understood = names }, new SoapOptions { Understood = names.ToArray() });
        foreach (string wrong in new[] { "", "{urn:h}", "{}Trace", "h:Trace", "{urn:h}Trace ", "{urn:h}Trace\n", "urn:h}Trace", "{{urn:h}Trace" })
        {
            Assert.Throws<ArgumentException>(() => new SoapOptions { Understood = new[] { "Trace", wrong } });
        }
    }
}
