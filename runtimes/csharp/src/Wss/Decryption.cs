using System;
using System.Collections.Generic;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Xml;

namespace Creo.Wss;

/// <summary>Decrypts the parts of a message in place (SOAP-86). Whatever goes wrong once a key of ours is used has one text.</summary>
internal sealed class Decryption(WsSecurity security, Envelope envelope)
{
    private const int MaxParts = 16;

    private readonly Dictionary<string, byte[]> _keys = [];
    private int _parts;

    /// <summary>Whether the content of the body was encrypted.</summary>
    public bool OfBody { get; private set; }

    /// <summary>Decrypts a key, and what it says that it encrypts.</summary>
    public void TakeKey(Element element)
    {
        Element method = element.Required(WssNames.Xenc, "EncryptionMethod");
        Algorithm algorithm = Algorithm.Accepted(method["Algorithm"], security.Allowed, AlgorithmKind.Key);
        X509Certificate2 to = Tokens.Read(element.Required(WssNames.Dsig, "KeyInfo"), envelope, security.Decrypters);
        X509Certificate2? own = null;
        foreach (X509Certificate2 each in security.Decrypters)
        {
            own = each.RawDataMemory.Span.SequenceEqual(to.RawDataMemory.Span) ? each : own;
        }
        using RSA? rsa = own?.GetRSAPrivateKey();
        if (rsa is null)
        {
            throw Reason.KeyReference.Because("the message is encrypted to a certificate that is not ours");
        }
        RSAEncryptionPadding padding = Encryption.Padding(algorithm, method);
        // A key that cannot be decrypted is a random one, so that only the end of the data tells.
        byte[] key = Encryption.Unwrap(padding, rsa, CipherOf(element)) ?? [];
        string id = element["Id"];
        if (id.Length > 0 && !_keys.TryAdd(id, key))
        {
            throw Reason.DuplicateId.Because("two encrypted keys have one id");
        }
        foreach (Element reference in element.Only(WssNames.Xenc, "ReferenceList")?.Children ?? [])
        {
            Decrypt(Referred(reference), key);
        }
    }

    /// <summary>Decrypts what a list of its own refers to.</summary>
    public void TakeList(Element list)
    {
        foreach (Element reference in list.Children)
        {
            Element data = Referred(reference);
            Element token = data.Required(WssNames.Dsig, "KeyInfo").Required(WssNames.Wsse, "SecurityTokenReference");
            string uri = token.Required(WssNames.Wsse, "Reference")["URI"];
            byte[]? key = uri.StartsWith('#') ? _keys.GetValueOrDefault(uri[1..]) : null;
            Decrypt(data, key ?? throw Reason.KeyReference.Because("data of a key that is not before it"));
        }
    }

    private static CreoException Failed() => Reason.NotDecrypted.Because("the message cannot be decrypted");

    private static byte[] CipherOf(Element element) => element.Required(WssNames.Xenc, "CipherData").Required(WssNames.Xenc, "CipherValue").OnlyBytes();

    private Element Referred(Element reference)
    {
        if (!reference.Is(WssNames.Xenc, "DataReference"))
        {
            throw Reason.Reference.Because($"a reference to encrypted data by {Reason.Shown(reference.Name)}");
        }
        if (++_parts > MaxParts)
        {
            throw Reason.TooMany.Because($"more than {MaxParts} encrypted parts");
        }
        return Envelope.Referred(reference["URI"], envelope.Ids());
    }

    private void Decrypt(Element data, byte[] key)
    {
        if (!data.Is(WssNames.Xenc, "EncryptedData"))
        {
            throw Reason.Misplaced.Because("a reference to encrypted data that is none");
        }
        bool ofBody = data.Parent == envelope.Body && data["Type"] == WssNames.Content && envelope.Body.Children.Count == 1;
        bool ofToken = data.Parent == envelope.Security && data["Type"] == WssNames.Element;
        if (!ofBody && !ofToken)
        {
            throw Reason.Misplaced.Because("only the whole content of the body, and elements of the Security block, may be encrypted");
        }
        Algorithm algorithm = Algorithm.Accepted(data.Required(WssNames.Xenc, "EncryptionMethod")["Algorithm"], security.Allowed, AlgorithmKind.Data);
        byte[] used = key.Length == algorithm.KeySize ? key : RandomNumberGenerator.GetBytes(algorithm.KeySize);
        Replace(data, Encryption.Decrypt(algorithm, used, CipherOf(data)) ?? throw Failed());
        OfBody |= ofBody;
    }

    // Parsed within an element with the prefixes of the place: what is decrypted cannot close the tags around it.
    private static void Replace(Element data, byte[] plain)
    {
        Element parent = data.Parent!;
        var text = new StringBuilder("<w");
        foreach ((string prefix, string uri) in parent.Scope())
        {
            Tree.WriteDeclaration(prefix, uri, text);
        }
        text.Append('>');
        List<Node> nodes;
        try
        {
            text.Append(Envelope.DecodedUtf8(plain)).Append("</w>");
            nodes = Tree.Parse(text.ToString()).Nodes;
        }
        catch (Exception e) when (e is CreoException or XmlException)
        {
            throw Failed();
        }
        int index = parent.Nodes.IndexOf(data);
        parent.Remove(data);
        foreach (Node node in nodes)
        {
            node.Parent = parent;
        }
        parent.Nodes.InsertRange(index, nodes);
    }
}
