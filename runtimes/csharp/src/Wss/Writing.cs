using System;
using System.Collections.Generic;
using System.Globalization;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;

namespace Creo.Wss;

/// <summary>Secures one request: it is signed, and then encrypted (SOAP-82).</summary>
internal sealed class Writing
{
    private static readonly TimeSpan Life = TimeSpan.FromMinutes(5);

    private readonly WsSecurity _security;
    private readonly Envelope _envelope;
    private readonly Element _block;

    // Random, so that no two messages have the same signature.
    private readonly string _base = Guid.NewGuid().ToString();
    private int _ids;

    private Writing(WsSecurity security, byte[] message)
    {
        _security = security;
        _envelope = Envelope.Parse(message, "utf-8");
        _block = _envelope.AddSecurity();
    }

    /// <summary>The secured message.</summary>
    public static byte[] Secure(WsSecurity security, byte[] message)
    {
        if (security.Signer is null && security.Recipient is null && security.Assertion is null)
        {
            return message;
        }
        var writing = new Writing(security, message);
        if (security.Assertion is not null)
        {
            writing.AddAssertion(security.Assertion);
        }
        if (security.Signer is not null)
        {
            writing.AddTimestamp();
            writing.Sign(security.Signer);
        }
        if (security.Recipient is not null)
        {
            writing.Encrypt(security.Recipient);
        }
        return writing._envelope.ToBytes();
    }

    private string NewId() => string.Create(CultureInfo.InvariantCulture, $"creo-{++_ids}-{_base}");

    private void AddAssertion(string text)
    {
        Element assertion = Envelope.ParseTree(text);
        bool isBare = !assertion.Declares("");
        _block.Insert(_block.Nodes.Count, assertion);
        if (isBare)
        {
            // What has no prefix within it has no namespace, here as where it came from.
            assertion.Declare("", "");
        }
    }

    private void AddTimestamp()
    {
        if (_block.Only(WssNames.Wsu, "Timestamp") is not null)
        {
            return;
        }
        DateTimeOffset now = _security.Clock.GetUtcNow();
        Element timestamp = _block.Insert(0, "wsu", WssNames.Wsu, "Timestamp");
        timestamp.Add("wsu", WssNames.Wsu, "Created", Time(now));
        timestamp.Add("wsu", WssNames.Wsu, "Expires", Time(now + Life));
    }

    private static string Time(DateTimeOffset time) => time.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'", CultureInfo.InvariantCulture);

    private void Sign(X509Certificate2 signer)
    {
        List<Element> parts = _block.Children;
        parts.AddRange(_envelope.Blocks.FindAll(block => block != _block && _security.SignedHeaders.Has(block)));
        parts.Add(_envelope.Body);
        // Prefixes in values, such as xsi:type, are protected only if the signature names them.
        var prefixes = new List<string>(_envelope.Root.Scope().Keys);
        prefixes.RemoveAll(static prefix => prefix.Length == 0);
        foreach (Element part in parts)
        {
            if (Envelope.IdOf(part) is null)
            {
                Tokens.SetId(part, NewId());
            }
        }
        var keyInfo = new Element("ds", "KeyInfo", WssNames.Dsig);
        string tokenId = NewId();
        Element signature = _block.Add("ds", WssNames.Dsig, "Signature");
        Element info = signature.Add("ds", WssNames.Dsig, "SignedInfo");
        info.Add("ds", WssNames.Dsig, "CanonicalizationMethod").Set("Algorithm", WssNames.Exclusive);
        info.Add("ds", WssNames.Dsig, "SignatureMethod").Set("Algorithm", _security.SignatureAlgorithm.Uri);
        foreach (Element part in parts)
        {
            AddReference(info, part, prefixes);
        }
        Element value = signature.Add("ds", WssNames.Dsig, "SignatureValue");
        signature.Insert(signature.Nodes.Count, keyInfo);
        Tokens.Write(keyInfo, signer, _security.Reference, _block, _block.Nodes.IndexOf(signature), tokenId);
        value.InnerText = Convert.ToBase64String(Signed(signer, Canonical.Of(info, [])));
    }

    private static void AddReference(Element info, Element part, List<string> prefixes)
    {
        Element reference = info.Add("ds", WssNames.Dsig, "Reference");
        reference.Set("URI", "#" + Envelope.IdOf(part));
        Element transform = reference.Add("ds", WssNames.Dsig, "Transforms").Add("ds", WssNames.Dsig, "Transform");
        transform.Set("Algorithm", WssNames.Exclusive);
        if (prefixes.Count > 0)
        {
            transform.Add("ec", WssNames.Exclusive, "InclusiveNamespaces").Set("PrefixList", string.Join(' ', prefixes));
        }
        reference.Add("ds", WssNames.Dsig, "DigestMethod").Set("Algorithm", Algorithm.Of(WsAlgorithm.Sha256).Uri);
        reference.Add("ds", WssNames.Dsig, "DigestValue", Convert.ToBase64String(SHA256.HashData(Canonical.Of(part, prefixes))));
    }

    private byte[] Signed(X509Certificate2 signer, byte[] bytes)
    {
        Algorithm algorithm = _security.SignatureAlgorithm;
        if (algorithm.Kind == AlgorithmKind.RsaSignature)
        {
            using RSA rsa = signer.GetRSAPrivateKey()!;
            return rsa.SignData(bytes, algorithm.Hash, Signature.Padding(algorithm));
        }
        using ECDsa curve = signer.GetECDsaPrivateKey()!;
        return curve.SignData(bytes, algorithm.Hash, DSASignatureFormat.IeeeP1363FixedFieldConcatenation);
    }

    private void Encrypt(X509Certificate2 recipient)
    {
        byte[] key = RandomNumberGenerator.GetBytes(_security.DataEncryption.KeySize);
        string keyId = NewId();
        Element encryptedKey = _block.Insert(0, "xenc", WssNames.Xenc, "EncryptedKey");
        encryptedKey.Set("Id", keyId);
        Element method = AddMethod(encryptedKey, _security.KeyEncryption);
        using RSA rsa = recipient.GetRSAPublicKey()!;
        byte[] wrapped = Encryption.Wrap(_security.KeyEncryption, rsa, key, method);
        Element keyInfo = encryptedKey.Add("ds", WssNames.Dsig, "KeyInfo");
        AddValue(encryptedKey, wrapped);
        Element list = encryptedKey.Add("xenc", WssNames.Xenc, "ReferenceList");
        Tokens.Write(keyInfo, recipient, _security.KeyReference, _block, 0, NewId());
        var content = new StringBuilder();
        SortedDictionary<string, string> scope = _envelope.Body.Scope();
        foreach (Node node in _envelope.Body.Nodes)
        {
            // Its text can be read alone.
            (node as Element)?.DeclareAll(scope);
            Tree.Write(node, content);
        }
        _envelope.Body.Nodes.Clear();
        AddData(_envelope.Body, 0, WssNames.Content, content.ToString(), key, keyId, list);
        foreach (Element token in _block.Children)
        {
            if (token.Is(WssNames.Wsse, "UsernameToken") || token.Is(WssNames.Saml2, "Assertion"))
            {
                AddData(_block, _block.Nodes.IndexOf(token), WssNames.Element, Tree.Standalone(token), key, keyId, list);
                _block.Remove(token);
            }
        }
    }

    private static Element AddMethod(Element parent, Algorithm algorithm)
    {
        Element method = parent.Add("xenc", WssNames.Xenc, "EncryptionMethod");
        method.Set("Algorithm", algorithm.Uri);
        return method;
    }

    private static void AddValue(Element parent, byte[] bytes) =>
        parent.Add("xenc", WssNames.Xenc, "CipherData").Add("xenc", WssNames.Xenc, "CipherValue", Convert.ToBase64String(bytes));

    private void AddData(Element parent, int index, string type, string text, byte[] key, string keyId, Element list)
    {
        Element data = parent.Insert(index, "xenc", WssNames.Xenc, "EncryptedData");
        string id = NewId();
        data.Set("Id", id);
        data.Set("Type", type);
        AddMethod(data, _security.DataEncryption);
        Element reference = data.Add("ds", WssNames.Dsig, "KeyInfo").Add("wsse", WssNames.Wsse, "SecurityTokenReference");
        reference.Declare("wsse11", WssNames.Wsse11);
        reference.Set("wsse11", "TokenType", WssNames.Wsse11, WssNames.EncryptedKey);
        reference.Add("wsse", WssNames.Wsse, "Reference").Set("URI", "#" + keyId);
        AddValue(data, Encryption.Encrypt(_security.DataEncryption, key, Encoding.UTF8.GetBytes(text)));
        list.Add("xenc", WssNames.Xenc, "DataReference").Set("URI", "#" + id);
    }
}
