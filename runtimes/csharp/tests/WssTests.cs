using System;
using System.Collections.Generic;
using System.Linq;
using System.Numerics;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.RegularExpressions;
using Creo.Wss;

namespace Creo.Tests;

/// <summary>Signatures, encryption and tokens (SOAP-80 to SOAP-90); tests/wss/csharp tries them with other implementations.</summary>
public static class WssTests
{
    private static readonly WsSecurityOptions Writer = new() { Signer = WssKeys.Of("alice") };
    private static readonly WsSecurityOptions Trusting = new() { TrustedIssuers = [WssKeys.Authority], Known = [WssKeys.Of("alice"), WssKeys.Of("curve")] };
    private static readonly WsSecurityOptions Bob = new() { Decrypters = [WssKeys.Of("bob")] };

    private static byte[] Send(WsSecurityOptions options, byte[]? envelope = null) => new WsSecurity(options).Send(envelope ?? WssMessage.Envelope());

    private static byte[] Receive(WsSecurityOptions options, byte[] message) => new WsSecurity(options).Receive(message, null);

    private static void Refused(string reason, WsSecurityOptions options, byte[] message, ErrorCode code = ErrorCode.ProtocolMismatch) =>
        Refused(reason, new WsSecurity(options), message, code);

    private static void Refused(string reason, WsSecurity security, byte[] message, ErrorCode code = ErrorCode.ProtocolMismatch)
    {
        CreoException error = Assert.Fails(code, () => security.Receive(message, null));
        Assert.True(error.Text.StartsWith(reason + ": ", StringComparison.Ordinal), $"{reason}: {error.Message}");
    }

    [Test]
    public static void MessagesAreReadBack()
    {
        foreach (string soap in new[] { WssNames.Soap11, WssNames.Soap12 })
        {
            foreach (WsTokenReference reference in Enum.GetValues<WsTokenReference>())
            {
                foreach (string signer in new[] { "alice", "curve" })
                {
                    byte[] envelope = WssMessage.Envelope(header: "<a:b xmlns:a=\"urn:a\">x</a:b>", soap: soap);
                    WsSecurityOptions writer = Writer with { Signer = WssKeys.Of(signer), Reference = reference, SignedHeaders = ["{urn:a}b"], Recipient = WssKeys.Of("bob"), KeyReference = reference };
                    byte[] message = Send(writer, envelope);
                    Assert.True(!WssMessage.Text(message).Contains("notes"), "the body is encrypted");
                    byte[] read = Receive(Trusting with { Decrypters = Bob.Decrypters, RequireEncrypted = true, RequiredHeaders = ["{urn:a}*"] }, message);
                    WssMessage.Check(read);
                    Assert.Contains("<a:b xmlns:a=\"urn:a\" xmlns:wsu=\"" + WssNames.Wsu + "\">x</a:b></soap:Header>", WssMessage.Text(read));
                }
            }
        }
        byte[] large = Send(Writer with { Signer = WssKeys.Of("large curve") });
        Assert.Contains("ecdsa-sha384", WssMessage.Text(large));
        WssMessage.Check(Receive(Trusting, large));
        Assert.True(Receive(new WsSecurityOptions(), large) == large && Send(new WsSecurityOptions(), large) == large, "nothing is said, and nothing done");
    }

    [Test]
    public static void OldMessagesAreRefused()
    {
        foreach (int minutes in new[] { 6, -6, -1440 })
        {
            Refused("stale", Trusting, Send(Writer with { Clock = new Later(TimeSpan.FromMinutes(minutes)) }));
        }
        WssMessage.Check(Receive(Trusting, Send(Writer with { Clock = new Later(TimeSpan.FromMinutes(-4)) })));
        byte[] plain = Send(Writer);
        Refused("stale", Trusting with { Clock = new Later(TimeSpan.FromMinutes(6)) }, plain);
        Refused("untrusted", Trusting with { Clock = new Later(TimeSpan.FromDays(200)) }, plain, ErrorCode.UntrustedPeer);
    }

    [Test]
    public static void RepeatedMessagesAreRefused()
    {
        var clock = new Later(TimeSpan.Zero);
        var security = new WsSecurity(Trusting with { Clock = clock });
        byte[] message = Send(Writer);
        security.Receive(message, null);
        Refused("replayed", security, message);
        Refused("replayed", security, Encoding.UTF8.GetBytes(WssMessage.Text(message).Replace("<soap:Header>", "<soap:Header><x xmlns=\"urn:x\"/>")));
        security.Receive(Send(Writer), null);
        clock.Offset = TimeSpan.FromMinutes(4);
        Refused("replayed", security, message);
        // After ten minutes the memory is free, and the timestamp too old.
        clock.Offset = TimeSpan.FromMinutes(11);
        Refused("stale", security, message);
    }

    /// <summary>Of a signature of a curve, anyone can make another one of the same message: it counts as the same.</summary>
    [Test]
    public static void TheOtherSignatureOfACurve()
    {
        ECDsa curve = WssKeys.Of("curve").GetECDsaPublicKey()!;
        // That of P-256.
        var order = BigInteger.Parse("0ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551", System.Globalization.NumberStyles.HexNumber, null);
        Assert.Equal(256, curve.KeySize);
        var tree = new WssMessage(Send(Writer with { Signer = WssKeys.Of("curve") }));
        var security = new WsSecurity(Trusting);
        security.Receive(tree.ToBytes(), null);
        Element value = WssMessage.Of(tree.Signature, "SignatureValue");
        byte[] both = Convert.FromBase64String(value.InnerText);
        byte[] other = (order - new BigInteger(both.AsSpan(32), true, true)).ToByteArray(true, true);
        both.AsSpan(32).Clear();
        other.CopyTo(both.AsSpan(64 - other.Length));
        value.InnerText = Convert.ToBase64String(both);
        WssMessage.Check(Receive(Trusting, tree.ToBytes()));
        Refused("replayed", security, tree.ToBytes());
    }

    [Test]
    public static void OthersAreNotTrusted()
    {
        byte[] Signed(string name) => Send(Writer with { Signer = WssKeys.Of(name) });

        foreach (string name in new[] { "mallory", "issued by bob", "reader", "another ca" })
        {
            Refused("untrusted", Trusting with { Known = [WssKeys.Of("bob")] }, Signed(name), ErrorCode.UntrustedPeer);
        }
        // An expired certificate, at a time when it was valid, and now.
        Refused("untrusted", Trusting, Signed("old"), ErrorCode.UntrustedPeer);
        var then = new Later(TimeSpan.FromDays(-2.5));
        WssMessage.Check(Receive(Trusting with { Clock = then }, Send(Writer with { Signer = WssKeys.Of("old"), Clock = then })));
        // An authority between.
        Refused("untrusted", Trusting, Signed("deep"), ErrorCode.UntrustedPeer);
        WssMessage.Check(Receive(Trusting with { Known = [WssKeys.Of("middle")] }, Signed("deep")));
        Refused("untrusted", new WsSecurityOptions { Trusted = [WssKeys.Of("bob")] }, Signed("alice"), ErrorCode.UntrustedPeer);
        WssMessage.Check(Receive(new WsSecurityOptions { Trusted = [WssKeys.Of("bob"), WssKeys.Of("alice")] }, Signed("alice")));
        Refused("untrusted", Trusting with { Accept = static each => each.Subject.Contains("alice") }, Signed("bob"), ErrorCode.UntrustedPeer);
        WssMessage.Check(Receive(Trusting with { Accept = static each => each.Subject.Contains("alice") }, Signed("alice")));
        Refused("untrusted", Bob, Signed("alice"), ErrorCode.UntrustedPeer);
        // The key of a trusted certificate that is too short for its signature to be looked at.
        var weak = new WssMessage(Send(Writer));
        weak.Token.InnerText = Convert.ToBase64String(WssKeys.Of("weak").RawData);
        Refused("weak-key", Trusting, weak.ToBytes(), ErrorCode.UntrustedPeer);
    }

    [Test]
    public static void WeakAlgorithmsAreNamed()
    {
        byte[] old = Send(Writer with { Signature = WsAlgorithm.RsaSha1 });
        Refused("algorithm", Trusting, old);
        WssMessage.Check(Receive(Trusting with { Allowed = [WsAlgorithm.RsaSha1] }, old));
        foreach ((WsAlgorithm key, WsAlgorithm data, WsAlgorithm weak) in new[]
        {
            (WsAlgorithm.Rsa15, WsAlgorithm.Aes256Gcm, WsAlgorithm.Rsa15),
            (WsAlgorithm.RsaOaep, WsAlgorithm.Aes128Cbc, WsAlgorithm.Aes128Cbc),
            (WsAlgorithm.RsaOaepSha256, WsAlgorithm.Aes256Cbc, WsAlgorithm.Aes256Cbc),
        })
        {
            byte[] message = Send(new WsSecurityOptions { Recipient = WssKeys.Of("bob"), KeyEncryption = key, DataEncryption = data });
            Refused("algorithm", Bob, message);
            WssMessage.Check(Receive(Bob with { Allowed = [weak] }, message));
        }
    }

    [Test]
    public static void BlocksAreUsedThatAreThere()
    {
        string block = $"<w:Security xmlns:w=\"{WssNames.Wsse}\" xmlns:u=\"{WssNames.Wsu}\">{{0}}<w:UsernameToken><w:Username>anna</w:Username></w:UsernameToken></w:Security>";
        string time = $"<u:Timestamp><u:Created>{DateTime.UtcNow.ToString("yyyy-MM-dd'T'HH:mm:ss", null)}.123456789+00:00</u:Created></u:Timestamp>";
        foreach (string own in new[] { "", time })
        {
            byte[] message = Send(Writer with { Recipient = WssKeys.Of("bob") }, WssMessage.Envelope(header: string.Format(null, block, own)));
            Assert.True(!WssMessage.Text(message).Contains("anna"), "tokens are encrypted");
            string read = WssMessage.Text(Receive(Trusting with { Decrypters = Bob.Decrypters }, message));
            // Tokens of users stay for who asks for them.
            Assert.Contains("<w:Username>anna</w:Username></w:UsernameToken></w:Security>", read);
            Assert.True(!read.Contains("Timestamp") && !read.Contains("Signature"), "all else is gone");
        }
        byte[] late = Send(Writer, WssMessage.Envelope(header: string.Format(null, block, time.Replace("T", "t"))));
        Refused("token", Trusting, late);
        Refused("unreadable", Trusting, Send(Writer, WssMessage.Envelope(header: string.Format(null, block, Regex.Replace(time, "d>2.*?<", "d>now<")))));
    }

    /// <summary>The prefix of a type is in a value: a signature protects it only if it names it.</summary>
    [Test]
    public static void PrefixesInValues()
    {
        string xsi = $" xmlns:n1=\"urn:good\" xmlns:xsi=\"{WssNames.Xsi}\"";
        byte[] typed = WssMessage.Envelope("<a xsi:type=\"n1:T\"/>", more: xsi);
        byte[] message = Send(Writer, typed);
        Receive(Trusting, message);
        Refused("bad-digest", Trusting, Encoding.UTF8.GetBytes(WssMessage.Text(message).Replace("urn:good", "urn:evil")));
        // A prefix that the envelope does not declare is not named; it is used, or it is not.
        Refused("prefix", Trusting, Send(Writer, WssMessage.Envelope($"<a{xsi} xsi:type=\"n1:T\"/>")));
        Receive(Trusting with { AllowLoosePrefixes = true }, Send(Writer, WssMessage.Envelope($"<a{xsi} xsi:type=\"n1:T\"/>")));
        Receive(Trusting, Send(Writer, WssMessage.Envelope($"<n1:a{xsi} xsi:type=\"n1:T\"/>")));
        Receive(Trusting, Send(Writer, WssMessage.Envelope($"<a{xsi} n1:b=\"\"><c xsi:type=\"n1:T\"/></a>")));
        Refused("prefix", Trusting, Send(Writer, WssMessage.Envelope($"<n1:a{xsi}><c xmlns:n1=\"urn:other\" xsi:type=\"n1:T\"/></n1:a>")));
        Receive(Trusting, Send(Writer, WssMessage.Envelope($"<a{xsi} xsi:type=\"T\"/>")));
        Refused("prefix", Trusting, Send(Writer, WssMessage.Envelope($"<n1:a{xsi}><n1:c xmlns=\"urn:other\" xsi:type=\"T\"/></n1:a>")));
    }

    /// <summary>Whatever is wrong with what is encrypted has one text.</summary>
    [Test]
    public static void EncryptedMessagesAreChanged()
    {
        byte[] message = Send(new WsSecurityOptions { Recipient = WssKeys.Of("bob") });
        WssMessage.Check(Receive(Bob, message));
        var texts = new HashSet<string>();
        foreach (string of in new[] { "EncryptedKey", "EncryptedData" })
        {
            for (int at = 30; at < 90; at += 20)
            {
                var tree = new WssMessage(message);
                Element value = WssMessage.Of(WssMessage.Of(tree.Root, of), "CipherValue");
                string text = value.InnerText;
                value.InnerText = text[..at] + (text[at] == 'A' ? 'B' : 'A') + text[(at + 1)..];
                texts.Add(Assert.Throws<CreoException>(() => Receive(Bob, tree.ToBytes())).Message);
            }
        }
        foreach (string content in new[] { "</w><w>", "<a>", "</soap:Body><soap:Body>", "<!DOCTYPE a><a/>", "&e;", "\0", "<x:a/>" })
        {
            texts.Add(Assert.Throws<CreoException>(() => Receive(Bob, Encrypted(message, Encoding.UTF8.GetBytes(content)))).Message);
        }
        foreach (byte[] content in new[] { new byte[] { 0xff }, new byte[] { 0xed, 0xa0, 0x80 } })
        {
            texts.Add(Assert.Throws<CreoException>(() => Receive(Bob, Encrypted(message, content))).Message);
        }
        Assert.Equal("protocol-mismatch: not-decrypted: the message cannot be decrypted", string.Join('\n', texts));
        Assert.Contains("<soap:a", WssMessage.Text(Receive(Bob, Encrypted(message, "<soap:a/>"u8.ToArray()))));
        Refused("key-reference", new WsSecurityOptions { Decrypters = [WssKeys.Of("alice")] }, message);
        Refused("not-encrypted", Trusting with { RequireEncrypted = true }, Send(Writer));
    }

    [Test]
    public static void EncryptedPartsHaveTheirPlace()
    {
        byte[] message = Send(new WsSecurityOptions { Recipient = WssKeys.Of("bob") });
        void Changed(string reason, Action<WssMessage> change)
        {
            var tree = new WssMessage(message);
            change(tree);
            Refused(reason, Bob, tree.ToBytes());
        }

        Element Key(WssMessage tree) => WssMessage.Of(tree.Security, "EncryptedKey");
        Changed("misplaced", tree => tree.Header.Add("x", "urn:x", "wrap").Insert(0, tree.Body.Children[0]));
        Changed("misplaced", tree => tree.Body.Add("x", "urn:x", "more"));
        Changed("misplaced", tree => tree.Body.Children[0].Set("Type", WssNames.Element));
        Changed("misplaced", tree => WssMessage.Of(Key(tree), "DataReference").Set("URI", "#" + Key(tree)["Id"]));
        Changed("reference", tree => Key(tree).Only("ReferenceList").Add("xenc", WssNames.Xenc, "KeyReference"));
        Changed("reference", tree => WssMessage.Of(Key(tree), "DataReference").Set("URI", "http://127.0.0.1:1/"));
        Changed("too-many", tree =>
        {
            // What is decrypted again is no data any more, so there are as many as references.
            Element list = Key(tree).Only("ReferenceList");
            for (int i = 0; i < 20; i++)
            {
                string id = $"x{i}";
                Element data = Tree.Parse(Tree.Standalone(tree.Body.Children[0]));
                data.Set("Id", id);
                data.Set("Type", WssNames.Element);
                tree.Security.Insert(tree.Security.Nodes.Count, data);
                list.Insert(0, "xenc", WssNames.Xenc, "DataReference").Set("URI", "#" + id);
            }
        });
        Changed("duplicate-id", tree => tree.Security.Insert(0, Tree.Parse(Tree.Standalone(Key(tree)))));
        Changed("algorithm", tree => WssMessage.Of(Key(tree), "DigestMethod").Set("Algorithm", WssNames.Xenc + "sha256"));
        Changed("algorithm", tree => WssMessage.Of(Key(tree), "DigestMethod").Set("Algorithm", "urn:none"));
        Changed("algorithm", tree => WssMessage.Of(Key(tree), "EncryptionMethod").Set("Algorithm", WssNames.Xenc + "kw-aes256"));
        Changed("key-reference", tree => tree.Security.Insert(0, Tree.Parse(
            $"<e:ReferenceList xmlns:e=\"{WssNames.Xenc}\"><e:DataReference URI=\"#{tree.Body.Children[0]["Id"]}\"/></e:ReferenceList>")));
    }

    /// <summary>A key before its list, as some partners write it.</summary>
    [Test]
    public static void AListOfItsOwn()
    {
        var tree = new WssMessage(Send(new WsSecurityOptions { Recipient = WssKeys.Of("bob") }));
        Element list = WssMessage.Of(tree.Security, "ReferenceList");
        tree.Security.Insert(tree.Security.Nodes.Count, list);
        list.Declare("xenc", WssNames.Xenc);
        WssMessage.Check(Receive(Bob, tree.ToBytes()));
    }

    [Test]
    public static void AnswersWithoutSecurity()
    {
        byte[] fault = WssMessage.Envelope("<soap:Fault><faultcode>soap:Server</faultcode><faultstring>no more</faultstring></soap:Fault>");
        CreoException error = Assert.Fails(ErrorCode.ProtocolMismatch, () => Receive(Trusting, fault));
        Assert.Equal("no-security: the answer is a fault without security: soap:Server: no more", error.Text);
        Refused("no-security", Trusting, WssMessage.Envelope());
        Refused("no-security", Trusting, []);
        Refused("misplaced", Trusting, Encoding.UTF8.GetBytes($"<s:Envelope xmlns:s=\"{WssNames.Soap11}\"/>"));
        Assert.Equal("maxSize", Assert.Fails(ErrorCode.TooLarge, () => Receive(Trusting with { MaxSize = 1000 }, new byte[2000])).Details["limit"]);
    }

    [Test]
    public static void AssertionsArePassedOn()
    {
        const string assertion = $"<a:Assertion xmlns:a=\"{WssNames.Saml2}\" ID=\"_1\"><a:Subject xmlns:b=\"urn:b\">anna</a:Subject><x/></a:Assertion>";
        string sent = WssMessage.Text(Send(new WsSecurityOptions { Assertion = assertion }));
        Assert.Contains("<a:Subject xmlns:b=\"urn:b\">anna</a:Subject>", sent);
        string encrypted = WssMessage.Text(Send(Writer with { Assertion = assertion, Recipient = WssKeys.Of("bob") }));
        Assert.True(!encrypted.Contains("anna"), "an assertion is encrypted");
        WssMessage.Check(Receive(Trusting with { Decrypters = Bob.Decrypters }, Encoding.UTF8.GetBytes(encrypted)));
        // A prefix of the envelope must not become one of the assertion.
        string bound = WssMessage.Text(Send(new WsSecurityOptions { Assertion = assertion }, WssMessage.Envelope(more: " xmlns=\"urn:default\"")));
        Assert.Contains("<a:Assertion xmlns:a=\"" + WssNames.Saml2 + "\" xmlns=\"\"", bound);
        Assert.True(!new WsSecurityOptions { Assertion = assertion }.ToString().Contains("anna"), "an assertion is a secret");
        foreach (string none in new[] { "", "x", "<a/>", "<!DOCTYPE a>" + assertion })
        {
            Assert.Throws<ArgumentException>(() => new WsSecurity(new WsSecurityOptions { Assertion = none }));
        }
    }

    [Test]
    public static void OptionsAreChecked()
    {
        using var open = new X509Certificate2(WssKeys.Of("alice").RawData);
        foreach (WsSecurityOptions bad in new[]
        {
            Writer with { Signer = open },
            Writer with { Signer = WssKeys.Of("weak") },
            Writer with { Signature = WsAlgorithm.EcdsaSha256 },
            Writer with { Signature = WsAlgorithm.Sha256 },
            Writer with { Signature = (WsAlgorithm)99 },
            Writer with { SignedHeaders = ["To"] },
            Writer with { SignedHeaders = ["{}To"] },
            Writer with { Recipient = WssKeys.Of("curve") },
            Writer with { Recipient = WssKeys.Of("bob"), KeyEncryption = WsAlgorithm.Aes256Gcm },
            Writer with { Recipient = WssKeys.Of("bob"), DataEncryption = WsAlgorithm.RsaOaep },
            new WsSecurityOptions { Decrypters = [open] },
            new WsSecurityOptions { Decrypters = [WssKeys.Of("curve")] },
            new WsSecurityOptions { TrustedIssuers = [WssKeys.Of("middle")] },
            new WsSecurityOptions { MaxSize = 0 },
        })
        {
            Assert.Throws<ArgumentException>(() => new WsSecurity(bad));
        }
    }

    /// <summary>Names of issuers are text that others write in other ways.</summary>
    [Test]
    public static void IssuersAreFound()
    {
        using RSA key = RSA.Create(2048);
        var builder = new X500DistinguishedNameBuilder();
        // The first one is the last in the name's encoding.
        builder.AddCommonName(" #x  Y ");
        builder.AddEmailAddress("a@example.org");
        builder.AddOrganizationName("Gr\u00fc\u00dfe, \"A+B\" \\ <c>;=#");
        builder.AddCountryOrRegion("DE");
        var request = new CertificateRequest(builder.Build(), key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        using X509Certificate2 own = request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
        byte[] message = Send(new WsSecurityOptions { Signer = own, Reference = WsTokenReference.IssuerSerial });
        string written = WssMessage.Of(new WssMessage(message).Signature, "X509IssuerName").InnerText;
        Assert.Equal("CN=\\ #x  Y\\ ,1.2.840.113549.1.9.1=#160d61406578616d706c652e6f7267,O=Gr\u00fc\u00dfe\\, \\\"A\\+B\\\" \\\\ \\<c\\>\\;\\=#,C=DE", written);
        var known = new WsSecurityOptions { TrustedIssuers = [own], Known = [own] };
        foreach (string name in new[]
        {
            written,
            "cn=\"#x Y\", EMAILADDRESS=A@example.org, O = \"gr\u00fc\u00dfe, \\\"A+B\\\" \\\\ <c>;=#\" ,C=de",
            "OID.2.5.4.3=\\ \\23X  y\\20;E=a@example.org;2.5.4.10=Gr\\C3\\BC\\c3\\9Fe\\, \\22A\\+B\\22 \\5C \\<c\\>\\;\\=#;C=#13024445",
        })
        {
            var tree = new WssMessage(message);
            WssMessage.Of(tree.Signature, "X509IssuerName").InnerText = name;
            // KeyInfo is not signed.
            WssMessage.Check(Receive(known, tree.ToBytes()));
        }
        foreach (string other in new[] { "C=DE," + written, written[..^5], written.Replace("x", "z"), written + ",", "CN=\"", "x", "C=#1302", "CN=\\", "", "C=DE+" + written })
        {
            var tree = new WssMessage(message);
            WssMessage.Of(tree.Signature, "X509IssuerName").InnerText = other;
            Refused("key-reference", known, tree.ToBytes());
        }
    }

    // A message whose body is other content, with a key of its own.
    private static byte[] Encrypted(byte[] message, byte[] content)
    {
        var tree = new WssMessage(message);
        byte[] key = new byte[32];
        using RSA bob = WssKeys.Of("bob").GetRSAPublicKey()!;
        WssMessage.Of(WssMessage.Of(tree.Security, "EncryptedKey"), "CipherValue").InnerText = Convert.ToBase64String(bob.Encrypt(key, RSAEncryptionPadding.OaepSHA1));
        byte[] data = new byte[12 + content.Length + 16];
        using var cipher = new AesGcm(key, 16);
        cipher.Encrypt(data.AsSpan(0, 12), content, data.AsSpan(12, content.Length), data.AsSpan(12 + content.Length));
        WssMessage.Of(tree.Body, "CipherValue").InnerText = Convert.ToBase64String(data);
        return tree.ToBytes();
    }

    private static Element Only(this Element element, string local) => WssMessage.Of(element, local);

    /// <summary>A clock that is ahead.</summary>
    private sealed class Later(TimeSpan offset) : TimeProvider
    {
        public TimeSpan Offset { get; set; } = offset;

        public override DateTimeOffset GetUtcNow() => System.GetUtcNow() + Offset;
    }
}
