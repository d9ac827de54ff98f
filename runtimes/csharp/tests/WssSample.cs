using System;
using System.Collections.Generic;
using System.Linq;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Creo.Wss;

namespace Creo.Tests;

/// <summary>Certificates with their keys, made once.</summary>
internal static class WssKeys
{
    private static readonly Dictionary<string, X509Certificate2> Made = [];

    public static X509Certificate2 Authority => Of("ca");

    /// <summary>The certificate with a name, which says what is wrong with it.</summary>
    public static X509Certificate2 Of(string name)
    {
        lock (Made)
        {
            return Made.TryGetValue(name, out X509Certificate2? found) ? found : Made[name] = Make(name);
        }
    }

    private static X509Certificate2 Make(string name)
    {
        DateTimeOffset now = DateTimeOffset.UtcNow;
        (DateTimeOffset from, DateTimeOffset to) = name == "old" ? (now.AddDays(-3), now.AddDays(-2)) : (now.AddDays(-5), now.AddDays(90));
        string subject = $"CN={(name == "mallory" ? "alice" : name)}, O=Example";
        if (name is "curve" or "large curve")
        {
            ECDsa curve = ECDsa.Create(name == "curve" ? ECCurve.NamedCurves.nistP256 : ECCurve.NamedCurves.nistP384);
            var ofCurve = new CertificateRequest(subject, curve, HashAlgorithmName.SHA256);
            ofCurve.CertificateExtensions.Add(new X509SubjectKeyIdentifierExtension(ofCurve.PublicKey, false));
            return Issued(ofCurve, Authority, from, to).CopyWithPrivateKey(curve);
        }
        RSA key = RSA.Create(name == "weak" ? 1024 : 2048);
        var request = new CertificateRequest(subject, key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        request.CertificateExtensions.Add(new X509SubjectKeyIdentifierExtension(request.PublicKey, false));
        bool isAuthority = name is "ca" or "middle" or "another ca";
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(isAuthority, false, 0, true));
        X509KeyUsageFlags usage = isAuthority ? X509KeyUsageFlags.KeyCertSign
            : name == "reader" ? X509KeyUsageFlags.KeyEncipherment : X509KeyUsageFlags.DigitalSignature | X509KeyUsageFlags.KeyEncipherment;
        request.CertificateExtensions.Add(new X509KeyUsageExtension(usage, true));
        return name is "ca" or "another ca" or "mallory"
            ? request.CreateSelfSigned(from, to)
            : Issued(request, name switch { "deep" => Of("middle"), "issued by bob" => Of("bob"), _ => Authority }, from, to).CopyWithPrivateKey(key);
    }

    // As an authority would that does not look at its own certificate.
    private static X509Certificate2 Issued(CertificateRequest request, X509Certificate2 issuer, DateTimeOffset from, DateTimeOffset to) =>
        request.Create(issuer.SubjectName, X509SignatureGenerator.CreateForRSA(issuer.GetRSAPrivateKey()!, RSASignaturePadding.Pkcs1), from, to, RandomNumberGenerator.GetBytes(8));
}

/// <summary>A message as a tree, with the elements that tests change.</summary>
internal sealed class WssMessage
{
    public const string Addressing = "http://www.w3.org/2005/08/addressing";
    public const string Content = "<n:say xmlns:n=\"urn:creo:org.example.notes\"><n:text>Gr\u00fc\u00dfe &amp; \u20ac5\U0001f600</n:text></n:say>";

    public WssMessage(byte[] message)
    {
        Root = Tree.Parse(Encoding.UTF8.GetString(message));
        Header = Root.Children.First(each => each.Local == "Header");
        Body = Root.Children.First(each => each.Local == "Body");
        Security = Header.Children.FirstOrDefault(each => each.Local == "Security") ?? Header;
    }

    public Element Root { get; }

    public Element Header { get; }

    public Element Body { get; }

    public Element Security { get; }

    public Element Timestamp => Of(Security, "Timestamp");

    public Element Token => Of(Security, "BinarySecurityToken");

    public Element Signature => Of(Security, "Signature");

    public Element Info => Of(Signature, "SignedInfo");

    /// <summary>The first reference of the signature.</summary>
    public Element Reference => Of(Info, "Reference");

    public static byte[] Envelope(string content = Content, string header = "", string soap = WssNames.Soap11, string more = "")
    {
        string head = header.Length == 0 ? "" : $"<soap:Header>{header}</soap:Header>";
        return Encoding.UTF8.GetBytes($"<soap:Envelope xmlns:soap=\"{soap}\"{more}>{head}<soap:Body>{content}</soap:Body></soap:Envelope>");
    }

    /// <summary>The first element with a local name, at any depth.</summary>
    public static Element Of(Element within, string local) => Find(within, local) ?? throw new AssertionException($"no {local}");

    public static string IdOf(Element element) => element.Find(WssNames.Wsu, "Id")!;

    public static string Text(byte[] message) => Encoding.UTF8.GetString(message);

    /// <summary>Whether an envelope has no security any more, and its content is that of the tests.</summary>
    public static void Check(byte[] envelope)
    {
        // What was encrypted has the declarations of its place.
        Assert.Contains("<soap:Body", Text(envelope));
        Assert.Contains(Content[Content.IndexOf("<n:text>", StringComparison.Ordinal)..], Text(envelope));
        Assert.True(!Text(envelope).Contains("Security"), "no block is left");
    }

    public byte[] ToBytes()
    {
        var text = new StringBuilder();
        Tree.Write(Root, text);
        return Encoding.UTF8.GetBytes(text.ToString());
    }

    /// <summary>A second body, with the content of an attacker.</summary>
    public Element Evil()
    {
        var body = new Element("soap", "Body", Root.Namespace);
        body.Insert(0, Tree.Parse("<n:say xmlns:n=\"urn:creo:org.example.notes\"><n:text>evil</n:text></n:say>"));
        return body;
    }

    /// <summary>Puts an element at the place of another, which is removed.</summary>
    public static void Replace(Element old, Element by)
    {
        Element parent = old.Parent!;
        int index = parent.Nodes.IndexOf(old);
        parent.Remove(old);
        parent.Insert(index, by);
    }

    private static Element? Find(Element within, string local)
    {
        foreach (Element child in within.Children)
        {
            if ((child.Local == local ? child : Find(child, local)) is { } found)
            {
                return found;
            }
        }
        return null;
    }
}
