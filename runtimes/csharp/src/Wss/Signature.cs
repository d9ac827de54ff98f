using System;
using System.Collections.Generic;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Creo.Wss;

/// <summary>A signature that was verified.</summary>
/// <param name="Signed">The very elements that it signs.</param>
/// <param name="Hash">That of what the key has signed; the bytes of the signature itself could be changed without breaking it.</param>
internal sealed record Signature(HashSet<Element> Signed, string Hash)
{
    private const int MaxReferences = 32;

    // The max number of prefixes of one canonicalization, which is the max number of attributes of an element.
    private const int MaxPrefixes = 256;

    private static readonly char[] Spaces = [' ', '\t', '\r', '\n'];

    /// <summary>Verifies a signature; refuses any that is not in the form that SOAP-84 and SOAP-85 allow.</summary>
    public static Signature Verify(Element element, Envelope envelope, WsSecurity security)
    {
        Algorithm algorithm = CheckShape(element, security.Allowed);
        List<Element> parts = element.Children;
        X509Certificate2 certificate = Tokens.Read(parts[2], envelope, security.Trust.Known);
        security.Trust.Check(certificate, security.Clock.GetUtcNow());
        using RSA? rsa = algorithm.Kind == AlgorithmKind.RsaSignature ? certificate.GetRSAPublicKey() : null;
        using ECDsa? curve = algorithm.Kind == AlgorithmKind.EcdsaSignature ? certificate.GetECDsaPublicKey() : null;
        if (rsa is null && curve is null)
        {
            throw Reason.Algorithm.Because($"the algorithm \"{algorithm.Uri}\" does not fit the key");
        }
        List<Element> info = parts[0].Children;
        Dictionary<string, List<Element>> ids = envelope.Ids();
        var signed = new Dictionary<Element, (List<string> Prefixes, Element Reference)>();
        foreach (Element reference in info[2..])
        {
            List<Element> transforms = reference.Exactly("Transforms", "DigestMethod", "DigestValue")[0].Children;
            Element target = Referred(reference["URI"], envelope, ids);
            if (!signed.TryAdd(target, (Prefixes(transforms[0]), reference)))
            {
                throw Reason.Misplaced.Because("two references to one element");
            }
        }
        byte[] canonical = Canonical.Of(parts[0], Prefixes(info[0]));
        byte[] value = parts[1].OnlyBytes();
        if (!IsRight(algorithm, rsa, curve, canonical, value))
        {
            throw Reason.BadSignature.Because("the signature is not that of the message");
        }
        foreach ((Element target, (List<string> prefixes, Element reference)) in signed)
        {
            HashAlgorithmName hash = Algorithm.FindDigest(reference.Required(WssNames.Dsig, "DigestMethod")["Algorithm"])!.Hash;
            if (!Digest(hash, Canonical.Of(target, prefixes)).AsSpan().SequenceEqual(reference.Required(WssNames.Dsig, "DigestValue").OnlyBytes()))
            {
                throw Reason.BadDigest.Because($"the element {Reason.Shown(reference["URI"])} was changed");
            }
            if (!security.AllowsLoosePrefixes)
            {
                CheckPrefixes(target, target, prefixes);
            }
        }
        return new Signature([.. signed.Keys], Convert.ToHexString(SHA256.HashData(canonical)));
    }

    /// <summary>The padding of a signature with RSA.</summary>
    public static RSASignaturePadding Padding(Algorithm algorithm) => algorithm.Name == WsAlgorithm.RsaPssSha256 ? RSASignaturePadding.Pss : RSASignaturePadding.Pkcs1;

    /// <summary>The digest of bytes.</summary>
    public static byte[] Digest(HashAlgorithmName hash, byte[] bytes)
    {
        using IncrementalHash digest = IncrementalHash.CreateHash(hash);
        digest.AppendData(bytes);
        return digest.GetHashAndReset();
    }

    private static bool IsRight(Algorithm algorithm, RSA? rsa, ECDsa? curve, byte[] signed, byte[] value)
    {
        try
        {
            return rsa is not null
                ? rsa.VerifyData(signed, value, algorithm.Hash, Padding(algorithm))
                : curve!.VerifyData(signed, value, algorithm.Hash, DSASignatureFormat.IeeeP1363FixedFieldConcatenation);
        }
        catch (CryptographicException)
        {
            return false;
        }
    }

    // The algorithm of a signature that has its three parts, accepted algorithms and not too many references. None of it is worked on before.
    private static Algorithm CheckShape(Element element, IReadOnlySet<WsAlgorithm> allowed)
    {
        Element first = element.Exactly("SignedInfo", "SignatureValue", "KeyInfo")[0];
        List<Element> info = first.Children;
        if (info.Count - 2 > MaxReferences)
        {
            throw Reason.TooMany.Because($"more than {MaxReferences} references in a signature");
        }
        string[] names = new string[Math.Max(info.Count, 3)];
        Array.Fill(names, "Reference");
        (names[0], names[1]) = ("CanonicalizationMethod", "SignatureMethod");
        first.Exactly(names);
        if (info[0]["Algorithm"] != WssNames.Exclusive)
        {
            throw Reason.Algorithm.Because("only exclusive canonicalization is accepted");
        }
        foreach (Element reference in info[2..])
        {
            Element digest = reference.Required(WssNames.Dsig, "DigestMethod");
            Algorithm.Accepted(digest["Algorithm"], allowed, AlgorithmKind.Digest);
            List<Element> transforms = reference.Only(WssNames.Dsig, "Transforms")?.Children ?? [];
            foreach (Element transform in transforms)
            {
                if (!transform.Is(WssNames.Dsig, "Transform") || transform["Algorithm"] != WssNames.Exclusive)
                {
                    throw Reason.Transform.Because($"the transform \"{Reason.Shown(transform["Algorithm"])}\" is not accepted");
                }
            }
            if (transforms.Count != 1)
            {
                throw Reason.Transform.Because("a reference has one transform, exclusive canonicalization");
            }
            digest.Exactly();
        }
        Algorithm algorithm = Algorithm.Accepted(info[1]["Algorithm"], allowed, AlgorithmKind.RsaSignature, AlgorithmKind.EcdsaSignature);
        info[1].Exactly();
        return algorithm;
    }

    // The element of a reference: the body, a block of the header, or an element of the Security block, at its place.
    private static Element Referred(string uri, Envelope envelope, Dictionary<string, List<Element>> ids)
    {
        Element signed = Envelope.Referred(uri, ids);
        return signed == envelope.Body || (signed.Parent is { } parent && (parent == envelope.Header || parent == envelope.Security))
            ? signed
            : throw Reason.Misplaced.Because($"the signature is for an element {Reason.Shown(signed.Name)} that is not at its place");
    }

    // The prefixes that a canonicalization protects wherever they are declared.
    private static List<string> Prefixes(Element method)
    {
        List<Element> parameters = method.Children;
        if (parameters.Count == 0)
        {
            return [];
        }
        if (parameters.Count > 1 || !parameters[0].Is(WssNames.Exclusive, "InclusiveNamespaces"))
        {
            throw Reason.Transform.Because("exclusive canonicalization has InclusiveNamespaces, and nothing else");
        }
        string[] names = parameters[0]["PrefixList"].Split(Spaces, StringSplitOptions.RemoveEmptyEntries);
        return names.Length <= MaxPrefixes
            ? new List<string>(Array.ConvertAll(names, static name => name == "#default" ? "" : name))
            : throw Reason.TooMany.Because($"more than {MaxPrefixes} prefixes of a canonicalization");
    }

    // Refuses an xsi:type whose prefix is not a part of what is signed.
    private static void CheckPrefixes(Element element, Element signed, List<string> listed)
    {
        if (element.Find(WssNames.Xsi, "type") is { } type)
        {
            string name = type.Trim();
            string prefix = name.Contains(':') ? name[..name.IndexOf(':')] : "";
            if (!listed.Contains(prefix) && !IsUsed(prefix, element, signed))
            {
                throw Reason.Prefix.Because($"the signature does not protect the prefix of the type \"{Reason.Shown(name)}\"");
            }
        }
        foreach (Node node in element.Nodes)
        {
            if (node is Element child)
            {
                CheckPrefixes(child, signed, listed);
            }
        }
    }

    // Whether the nearest element that uses a prefix visibly, within what is signed, gives it the same namespace.
    private static bool IsUsed(string prefix, Element element, Element signed)
    {
        string? meant = element.Lookup(prefix);
        for (Element? each = element; each is not null; each = each == signed ? null : each.Parent)
        {
            if (each.Prefix == prefix || (prefix.Length > 0 && Array.Exists(each.Attributes, attribute => attribute.Prefix == prefix)))
            {
                return each.Lookup(prefix) == meant;
            }
        }
        return prefix.Length == 0 && meant?.Length == 0;
    }
}
