using System;
using System.Collections.Generic;
using System.Linq;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.RegularExpressions;
using Creo.Wss;

namespace Creo.Tests;

/// <summary>Changes to a signed answer that an attacker could make on its way: each is refused, with the reason that SOAP-90 names.</summary>
public static class WssAttackTests
{
    private const string RsaSha256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";
    private const string Sha256 = WssNames.Xenc + "sha256";

    private sealed record Attack(string Name, string Reason, Func<byte[], byte[]> On);

    private static WsSecurity Reader() => new(new WsSecurityOptions
    {
        TrustedIssuers = [WssKeys.Authority],
        Known = [WssKeys.Of("alice")],
        RequiredHeaders = [$"{{{WssMessage.Addressing}}}*"],
    });

    private static void Run(IEnumerable<Attack> attacks)
    {
        byte[] message = new WsSecurity(new WsSecurityOptions { Signer = WssKeys.Of("alice") }).Send(WssMessage.Envelope());
        WssMessage.Check(Reader().Receive(message, null));
        foreach (Attack attack in attacks)
        {
            byte[] changed = attack.On(message);
            Assert.True(!changed.AsSpan().SequenceEqual(message), $"{attack.Name} changes the message");
            CreoException error = Assert.Throws<CreoException>(() => Reader().Receive(changed, null));
            Assert.True(error.Text.StartsWith(attack.Reason + ":", StringComparison.Ordinal), $"{attack.Name}: {error.Message}");
        }
    }

    private static Attack InTree(string name, string reason, Action<WssMessage> change) => new(name, reason, message =>
    {
        var tree = new WssMessage(message);
        change(tree);
        return tree.ToBytes();
    });

    private static Attack InText(string name, string reason, Func<string, string> change) =>
        new(name, reason, message => Encoding.UTF8.GetBytes(change(WssMessage.Text(message))));

    private static Attack Replaced(string name, string reason, string from, string to) => InText(name, reason, text => text.Replace(from, to));

    // What is signed is moved, and something else is at its place.
    private static Attack Moved(string name, string reason, Action<WssMessage, Element> move) => InTree(name, reason, message =>
    {
        Element evil = message.Evil();
        WssMessage.Replace(message.Body, evil);
        move(message, evil);
    });

    private static Element Wrap(Element within) => within.Add("x", "urn:x", "wrap");

    private static void Append(Element parent, Element child) => parent.Insert(parent.Nodes.Count, child);

    private static Element Copy(Element element) => Tree.Parse(Tree.Standalone(element));

    [Test]
    public static void WhatIsSignedIsMoved() => Run(
    [
        Moved("body in a block of the header", "misplaced", (message, _) => Append(Wrap(message.Header), message.Body)),
        Moved("body as a block of the header", "not-signed", (message, _) => Append(message.Header, message.Body)),
        Moved("body in the Security block", "token", (message, _) => Append(message.Security, message.Body)),
        Moved("body in the body of another", "misplaced", (message, evil) => Append(evil, message.Body)),
        Moved("body in an Object of the signature", "unreadable", (message, _) => Append(message.Signature.Add("ds", WssNames.Dsig, "Object"), message.Body)),
        InTree("two bodies, the signed one first", "misplaced", message => Append(message.Root, message.Evil())),
        InTree("two bodies, the signed one last", "misplaced", message => message.Root.Insert(message.Root.Nodes.IndexOf(message.Body), message.Evil())),
        Moved("body after that of the envelope, in another element", "misplaced", (message, _) => Append(Wrap(message.Root), message.Body)),
        Moved("another body with the same wsu:Id", "duplicate-id", (message, evil) =>
        {
            evil.Declare("wsu", WssNames.Wsu);
            evil.Set("wsu", "Id", WssNames.Wsu, WssMessage.IdOf(message.Body));
            Append(Wrap(message.Header), message.Body);
        }),
        Moved("another body with the same id without a namespace", "duplicate-id", (message, evil) =>
        {
            evil.Set("ID", WssMessage.IdOf(message.Body));
            Append(Wrap(message.Header), message.Body);
        }),
        Moved("another body with the same id of SAML 1", "duplicate-id", (message, evil) =>
        {
            evil.Set("AssertionID", WssMessage.IdOf(message.Body));
            Append(Wrap(message.Header), message.Body);
        }),
        InTree("an element within the body with the id of the timestamp", "duplicate-id",
            message => message.Body.Children[0].Set("xml", "id", "http://www.w3.org/XML/1998/namespace", WssMessage.IdOf(message.Timestamp))),
        InTree("an old timestamp in a block, and a new one", "misplaced", message =>
        {
            Element old = message.Timestamp;
            Element fresh = Copy(old);
            fresh.Remove(WssNames.Wsu, "Id");
            WssMessage.Replace(old, fresh);
            Append(Wrap(message.Header), old);
        }),
        InTree("an old timestamp beside a new one", "token", message =>
        {
            Element fresh = Copy(message.Timestamp);
            fresh.Remove(WssNames.Wsu, "Id");
            message.Security.Insert(0, fresh);
        }),
        InTree("a second Security block", "security-blocks", message => message.Header.Add("wsse", WssNames.Wsse, "Security")),
        InTree("the Security block for another receiver", "no-security", message => message.Security.Set("soap", "actor", WssNames.Soap11, "urn:another")),
        InTree("a second signature", "token", message => Append(message.Security, Copy(message.Signature))),
    ]);

    [Test]
    public static void PartsAreTakenAwayOrAdded() => Run(
    [
        InTree("no Security block", "no-security", message => message.Header.Remove(message.Security)),
        InTree("no header", "no-security", message => message.Root.Remove(message.Header)),
        InTree("no signature", "not-signed", message => message.Security.Remove(message.Signature)),
        InTree("no timestamp", "unknown-id", message => message.Security.Remove(message.Timestamp)),
        InTree("no reference to the body", "bad-signature",
            message => message.Info.Remove(message.Info.Children.First(each => each["URI"] == "#" + WssMessage.IdOf(message.Body)))),
        InTree("no reference at all", "unreadable", message => message.Info.Children.FindAll(each => each.Local == "Reference").ForEach(message.Info.Remove)),
        InTree("a token of a user", "not-signed", message => message.Security.Add("wsse", WssNames.Wsse, "UsernameToken").Add("wsse", WssNames.Wsse, "Username", "root")),
        InTree("an assertion", "not-signed", message => message.Security.Add("a", WssNames.Saml2, "Assertion")),
        InTree("a block that must be signed", "not-signed", message => message.Header.Add("wsa", WssMessage.Addressing, "To", "urn:evil")),
        InTree("an unknown token", "token", message => message.Security.Add("x", "urn:x", "Token")),
        InTree("an element of the signature", "unreadable", message => message.Signature.Add("x", "urn:x", "More")),
        InTree("an element of SignedInfo", "unreadable", message => message.Info.Insert(0, "x", "urn:x", "More")),
        InTree("the length of a MAC", "unreadable", message => WssMessage.Of(message.Info, "SignatureMethod").Add("ds", WssNames.Dsig, "HMACOutputLength", "0")),
        InTree("parameters of a canonicalization", "transform", message => WssMessage.Of(message.Info, "CanonicalizationMethod").Add("x", "urn:x", "More")),
    ]);

    [Test]
    public static void ContentIsChanged()
    {
        string token = @"(<wsse:BinarySecurityToken[^>]*>)[^<]*";
        Attack Certificate(string name, string reason, string of) =>
            InText(name, reason, text => Regex.Replace(text, token, "$1" + Convert.ToBase64String(WssKeys.Of(of).RawData)));
        Run(
        [
            Replaced("the text of the body", "bad-digest", "Gr\u00fc\u00dfe", "gr\u00fc\u00dfe"),
            Replaced("an element of the body", "bad-digest", "<n:text>", "<n:text/><n:text>"),
            Replaced("an instruction in the body", "bad-digest", "<n:text>", "<?x?><n:text>"),
            Replaced("white space in the body", "bad-digest", "<n:text>", " <n:text>"),
            InTree("an attribute of the body", "bad-digest", message => message.Body.Set("x", "1")),
            Replaced("the namespace of the body's content", "bad-digest", "xmlns:n=\"urn:creo", "xmlns:n=\"urn:evil"),
            InText("the time at which the message expires", "bad-digest", text => text.Replace("<wsu:Expires>20", "<wsu:Expires>21")),
            InText("a digest", "bad-signature", text => Regex.Replace(text, "<ds:DigestValue>....", "<ds:DigestValue>AAAA")),
            InText("the signature", "bad-signature", text => Regex.Replace(text, "<ds:SignatureValue>....", "<ds:SignatureValue>AAAA")),
            InText("the length of the signature", "bad-signature", text => Regex.Replace(text, "<ds:SignatureValue>....", "<ds:SignatureValue>")),
            InText("the signature, not base64", "unreadable", text => text.Replace("<ds:SignatureValue>", "<ds:SignatureValue>!")),
            Certificate("the certificate", "untrusted", "mallory"),
            Certificate("the certificate of another who is trusted", "bad-signature", "bob"),
            Certificate("a certificate of a curve", "algorithm", "curve"),
            InText("a certificate of an unknown curve", "untrusted", text => Regex.Replace(text, token, "$1" + Convert.ToBase64String(Convert.FromHexString(
                Convert.ToHexString(WssKeys.Of("curve").RawData).Replace("2A8648CE3D030107", "2A8648CE3D03017F"))))),
            InText("a certificate with another kind of key", "weak-key", text => Regex.Replace(text, token, "$1" + Convert.ToBase64String(Convert.FromHexString(
                Convert.ToHexString(WssKeys.Of("alice").RawData).Replace("06092A864886F70D010101", "06092A864886F70D01017F"))))),
            InText("a store of keys instead of a certificate", "key-reference",
                text => Regex.Replace(text, token, "$1" + Convert.ToBase64String(WssKeys.Of("mallory").Export(X509ContentType.Pfx, "")))),
            InText("a chain of certificates instead of one", "key-reference",
                text => Regex.Replace(text, token, "$1" + Convert.ToBase64String(new X509Certificate2Collection(WssKeys.Of("alice")).Export(X509ContentType.Pkcs7)!))),
        ]);
    }

    /// <summary>Whatever bytes are changed: the message is refused as the specification says, or what is read is what was signed.</summary>
    [Test]
    public static void BytesAreChanged()
    {
        byte[] message = new WsSecurity(new WsSecurityOptions { Signer = WssKeys.Of("alice"), Recipient = WssKeys.Of("bob") }).Send(WssMessage.Envelope());
        byte[] certificate = WssKeys.Of("alice").RawData;
        string text = WssMessage.Text(new WsSecurity(new WsSecurityOptions { Signer = WssKeys.Of("alice") }).Send(WssMessage.Envelope()));
        var random = new Random(1);
        int read = 0;
        for (int i = 0; i < 1000; i++)
        {
            byte[] changed = [.. message];
            for (int count = random.Next(1, 4); count > 0; count--)
            {
                changed[random.Next(changed.Length)] = (byte)random.Next(256);
            }
            if (i % 4 == 0)
            {
                byte[] other = [.. certificate];
                other[random.Next(other.Length)] ^= (byte)(1 << random.Next(8));
                changed = Encoding.UTF8.GetBytes(text.Replace(Convert.ToBase64String(certificate), Convert.ToBase64String(other)));
            }
            var reader = new WsSecurity(new WsSecurityOptions { TrustedIssuers = [WssKeys.Authority], Decrypters = [WssKeys.Of("bob")] });
            try
            {
                WssMessage.Check(reader.Receive(changed, null));
                read++;
            }
            catch (CreoException)
            {
                // Refused.
            }
        }
        Assert.True(read < 100, $"{read} messages are read");
    }

    [Test]
    public static void AlgorithmsAreChanged()
    {
        const string exclusive = $"<ds:Transform Algorithm=\"{WssNames.Exclusive}\"";
        Attack Transform(string name, string uri) => Replaced(name, "transform", exclusive, $"<ds:Transform Algorithm=\"{uri}\"");
        Run(
        [
            Replaced("rsa-sha1", "algorithm", RsaSha256, WssNames.Dsig + "rsa-sha1"),
            Replaced("HMAC with the public key as its secret", "algorithm", RsaSha256, "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256"),
            Replaced("HMAC of SHA-1", "algorithm", RsaSha256, WssNames.Dsig + "hmac-sha1"),
            Replaced("a signature of another kind of key", "algorithm", RsaSha256, "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256"),
            Replaced("a digest as the signature", "algorithm", RsaSha256, Sha256),
            Replaced("an unknown algorithm", "algorithm", RsaSha256, "urn:none"),
            Replaced("another digest of the signature", "bad-signature", RsaSha256, "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512"),
            Replaced("another padding of the signature", "bad-signature", RsaSha256, "http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1"),
            Replaced("digests of SHA-1", "algorithm", Sha256, WssNames.Dsig + "sha1"),
            Replaced("inclusive canonicalization of the signature", "algorithm", $"CanonicalizationMethod Algorithm=\"{WssNames.Exclusive}",
                "CanonicalizationMethod Algorithm=\"http://www.w3.org/TR/2001/REC-xml-c14n-20010315"),
            Transform("canonicalization with comments", WssNames.Exclusive + "WithComments"),
            Transform("an XPath", "http://www.w3.org/TR/1999/REC-xpath-19991116"),
            Transform("an XSLT", "http://www.w3.org/TR/1999/REC-xslt-19991116"),
            Transform("an enveloped signature", WssNames.Dsig + "enveloped-signature"),
            Transform("the transform of references to tokens", "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#STR-Transform"),
            InTree("no transform", "transform", message => message.Reference.Remove(WssMessage.Of(message.Reference, "Transforms"))),
            InTree("an empty list of transforms", "transform", message => WssMessage.Of(message.Reference, "Transforms").Nodes.Clear()),
            InTree("two transforms", "transform", message =>
                Append(WssMessage.Of(message.Reference, "Transforms"), Copy(WssMessage.Of(message.Reference, "Transform")))),
        ]);
    }

    [Test]
    public static void ReferencesAreChanged()
    {
        const string wsse = $"<s:SecurityTokenReference xmlns:s=\"{WssNames.Wsse}\">";
        const string data = wsse + $"<d:X509Data xmlns:d=\"{WssNames.Dsig}\"><d:X509IssuerSerial><d:X509IssuerName>";
        const string end = "</d:X509SerialNumber></d:X509IssuerSerial></d:X509Data></s:SecurityTokenReference>";
        Attack Uri(string uri) => InTree($"a reference to \"{uri}\"", "reference", message => message.Reference.Set("URI", uri));
        Attack KeyInfo(string name, string content, string reason = "key-reference") => InTree("KeyInfo with " + name, reason, message =>
        {
            Element info = WssMessage.Of(message.Signature, "KeyInfo");
            info.Nodes.Clear();
            info.Insert(0, Tree.Parse(content));
        });
        Run(
        [
            Uri(""), Uri("#"), Uri("http://127.0.0.1:1/x"), Uri("file:///etc/passwd"), Uri("#xpointer(/)"), Uri("#xpointer(id('x'))"), Uri("cid:x"),
            InTree("no reference", "reference", message => message.Reference.Remove("", "URI")),
            InTree("a reference to an id that is not there", "unknown-id", message => message.Reference.Set("URI", "#none")),
            InTree("two references to one element", "misplaced", message => message.Reference.Set("URI", message.Info.Children[3]["URI"])),
            KeyInfo("a bare key", $"<ds:KeyValue xmlns:ds=\"{WssNames.Dsig}\"><ds:RSAKeyValue><ds:Modulus>AQAB</ds:Modulus><ds:Exponent>AQAB</ds:Exponent></ds:RSAKeyValue></ds:KeyValue>"),
            KeyInfo("a name", $"<ds:KeyName xmlns:ds=\"{WssNames.Dsig}\">alice</ds:KeyName>"),
            KeyInfo("a method to retrieve it", $"<ds:RetrievalMethod xmlns:ds=\"{WssNames.Dsig}\" URI=\"http://127.0.0.1:1/key\"/>"),
            KeyInfo("a symmetric key", wsse + "<s:KeyIdentifier ValueType=\"http://docs.oasis-open.org/wss/oasis-wss-soap-message-security-1.1#EncryptedKeySHA1\">AAAA</s:KeyIdentifier></s:SecurityTokenReference>"),
            KeyInfo("a key that is derived from a password", wsse + "<s:Reference URI=\"#none\"/></s:SecurityTokenReference>", "unknown-id"),
            KeyInfo("a thumbprint that is unknown", wsse + $"<s:KeyIdentifier ValueType=\"{WssNames.Thumbprint}\">AAAA</s:KeyIdentifier></s:SecurityTokenReference>"),
            KeyInfo("a certificate that is none", wsse + $"<s:KeyIdentifier ValueType=\"{WssNames.Certificate}\">AAAA</s:KeyIdentifier></s:SecurityTokenReference>"),
            KeyInfo("a serial number that is too long", $"{data}CN=x</d:X509IssuerName><d:X509SerialNumber>{new string('9', 1000)}{end}"),
            KeyInfo("an issuer that is no name", $"{data}\\</d:X509IssuerName><d:X509SerialNumber>1{end}"),
            KeyInfo("another issuer of a known certificate",
                $"{data}CN=x</d:X509IssuerName><d:X509SerialNumber>{new System.Numerics.BigInteger(WssKeys.Of("alice").SerialNumberBytes.Span, false, true)}{end}"),
            KeyInfo("a reference within a reference", wsse + wsse + "</s:SecurityTokenReference></s:SecurityTokenReference>"),
            InTree("a reference to the signed body as a certificate", "key-reference",
                message => WssMessage.Of(WssMessage.Of(message.Signature, "KeyInfo"), "Reference").Set("URI", "#" + WssMessage.IdOf(message.Body))),
        ]);
    }

    [Test]
    public static void ThereIsTooMuch() => Run(
    [
        InTree("10,000 references", "too-many", message =>
        {
            string text = Tree.Standalone(message.Reference);
            for (int i = 0; i < 10_000; i++)
            {
                message.Info.Nodes.Add(Tree.Parse(text));
            }
        }),
        InTree("10,000 tokens", "too-many", message =>
        {
            for (int i = 0; i < 10_000; i++)
            {
                message.Security.Nodes.Insert(0, new Element("wsse", "BinarySecurityToken", WssNames.Wsse));
            }
        }),
        InTree("10,000 prefixes", "too-many", message =>
            WssMessage.Of(message.Reference, "InclusiveNamespaces").Set("PrefixList", string.Concat(Enumerable.Repeat("p ", 10_000)))),
    ]);

    /// <summary>The parser refuses them, before anything is computed.</summary>
    [Test]
    public static void DocumentsThatAreNone()
    {
        string message = WssMessage.Text(new WsSecurity(new WsSecurityOptions { Signer = WssKeys.Of("alice") }).Send(WssMessage.Envelope()));
        foreach (string changed in new[]
        {
            "<!DOCTYPE x [<!ENTITY e \"evil\">]>" + message.Replace("Gr\u00fc\u00dfe", "&e;"),
            "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;\">]>" + message,
            "<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>" + message.Replace("Gr\u00fc\u00dfe", "&e;"),
            "<!DOCTYPE x>" + message,
            "<!DOCTYPE x [<!ATTLIST x y ID #IMPLIED>]>" + message,
            message.Replace("Gr\u00fc\u00dfe", "&e;"),
            message.Replace("<n:text>", "<n:text>" + string.Concat(Enumerable.Repeat("<a>", 100_000)) + string.Concat(Enumerable.Repeat("</a>", 100_000))),
            message.Replace("<n:text>", $"<n:text {string.Join(' ', Enumerable.Range(0, 10_000).Select(static i => $"a{i}=\"\""))}>"),
            message.Replace("<n:text>", "<n:text a='' a=''>"),
            message.Replace("<n:text>", "<u:a/><n:text>"),
            message + "<a/>",
            message[..^5],
            "<a/>",
            "\u0000",
        })
        {
            Assert.Fails(ErrorCode.Malformed, () => Reader().Receive(Encoding.UTF8.GetBytes(changed), null));
        }
        Assert.Fails(ErrorCode.Malformed, () => Reader().Receive([.. Encoding.UTF8.GetBytes(message.Replace("Gr", "\u00ff")).Where(static b => b != 0xc3)], null));
        Assert.Fails(ErrorCode.Malformed, () => Reader().Receive(Encoding.UTF8.GetBytes(message), "utf-7"));
    }

    /// <summary>The text of an element is one, whatever comments and sections are in it.</summary>
    [Test]
    public static void CommentsInTexts()
    {
        string message = WssMessage.Text(new WsSecurity(new WsSecurityOptions { Signer = WssKeys.Of("alice") }).Send(WssMessage.Envelope()));
        foreach (string split in new[] { "Gr<!-- x -->\u00fc\u00df<!---->e", "Gr<![CDATA[\u00fc\u00df]]>e", "<![CDATA[Gr]]><!-- x --><![CDATA[\u00fc\u00df]]>&#101;" })
        {
            WssMessage.Check(Reader().Receive(Encoding.UTF8.GetBytes(message.Replace("Gr\u00fc\u00dfe", split)), null));
        }
        WssMessage.Check(Reader().Receive([0xff, 0xfe, .. Encoding.Unicode.GetBytes(message)], null));
        WssMessage.Check(Reader().Receive(Encoding.BigEndianUnicode.GetBytes(message), "utf-16"));
    }
}
