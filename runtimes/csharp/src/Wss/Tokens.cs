using System;
using System.Collections.Generic;
using System.Formats.Asn1;
using System.Globalization;
using System.Numerics;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Creo.Wss;

/// <summary>References to certificates (SOAP-83).</summary>
internal static class Tokens
{
    // The max digits of a serial number, which has 20 bytes.
    private const int MaxSerial = 60;

    /// <summary>The identifier of a certificate's key; null if it has none.</summary>
    public static byte[]? KeyIdentifier(X509Certificate2 certificate)
    {
        foreach (X509Extension extension in certificate.Extensions)
        {
            if (extension is X509SubjectKeyIdentifierExtension identifier)
            {
                return identifier.SubjectKeyIdentifierBytes.ToArray();
            }
        }
        return null;
    }

    /// <summary>Adds a reference to a certificate.</summary>
    /// <param name="keyInfo">The element that gets the reference.</param>
    /// <param name="certificate">The certificate.</param>
    /// <param name="form">The form of the reference.</param>
    /// <param name="security">The block that gets the certificate itself, if the form wants that.</param>
    /// <param name="index">Where it gets the certificate.</param>
    /// <param name="id">The id of the certificate in the message.</param>
    public static void Write(Element keyInfo, X509Certificate2 certificate, WsTokenReference form, Element security, int index, string id)
    {
        Element reference = keyInfo.Add("wsse", WssNames.Wsse, "SecurityTokenReference");
        switch (form)
        {
            case WsTokenReference.BinaryToken:
                Element token = security.Insert(index, "wsse", WssNames.Wsse, "BinarySecurityToken", Convert.ToBase64String(certificate.RawData));
                token.Set("EncodingType", WssNames.Base64);
                token.Set("ValueType", WssNames.Certificate);
                SetId(token, id);
                Element direct = reference.Add("wsse", WssNames.Wsse, "Reference");
                direct.Set("URI", "#" + id);
                direct.Set("ValueType", WssNames.Certificate);
                break;
            case WsTokenReference.IssuerSerial:
                Element both = reference.Add("ds", WssNames.Dsig, "X509Data").Add("ds", WssNames.Dsig, "X509IssuerSerial");
                both.Add("ds", WssNames.Dsig, "X509IssuerName", DistinguishedName.Write(certificate.IssuerName));
                both.Add("ds", WssNames.Dsig, "X509SerialNumber", Serial(certificate).ToString(CultureInfo.InvariantCulture));
                break;
            case WsTokenReference.KeyIdentifier:
                AddIdentifier(reference, WssNames.KeyIdentifier, KeyIdentifier(certificate)!);
                break;
            default:
                AddIdentifier(reference, WssNames.Thumbprint, Thumbprint(certificate));
                break;
        }
    }

    /// <summary>Sets the <c>wsu:Id</c> of an element.</summary>
    public static void SetId(Element element, string id)
    {
        element.Declare("wsu", WssNames.Wsu);
        element.Set("wsu", "Id", WssNames.Wsu, id);
    }

    /// <summary>The certificate to which a <c>KeyInfo</c> refers.</summary>
    /// <param name="keyInfo">The element.</param>
    /// <param name="envelope">The message, with its certificates.</param>
    /// <param name="known">Certificates that a message need not contain.</param>
    public static X509Certificate2 Read(Element keyInfo, Envelope envelope, IEnumerable<X509Certificate2> known)
    {
        List<Element> infos = keyInfo.Children;
        if (infos.Count != 1 || !infos[0].Is(WssNames.Wsse, "SecurityTokenReference"))
        {
            throw Reason.KeyReference.Because("KeyInfo holds one SecurityTokenReference, and nothing else");
        }
        List<Element> references = infos[0].Children;
        if (references.Count != 1)
        {
            throw Reason.KeyReference.Because("a SecurityTokenReference that does not hold one reference");
        }
        Element reference = references[0];
        if (reference.Is(WssNames.Wsse, "Reference"))
        {
            Element token = Envelope.Referred(reference["URI"], envelope.Ids());
            if (token.Parent != envelope.Security || !token.Is(WssNames.Wsse, "BinarySecurityToken"))
            {
                throw Reason.KeyReference.Because("a reference to what is no BinarySecurityToken of the Security block");
            }
            return token["ValueType"] == WssNames.Certificate
                ? Certificate(token.OnlyBytes())
                : throw Reason.KeyReference.Because($"a token of the type \"{Reason.Shown(token["ValueType"])}\"");
        }
        if (reference.Is(WssNames.Wsse, "KeyIdentifier"))
        {
            byte[] bytes = reference.OnlyBytes();
            return reference["ValueType"] switch
            {
                WssNames.Certificate => Certificate(bytes),
                WssNames.KeyIdentifier => Known(known, each => KeyIdentifier(each) is { } identifier && identifier.AsSpan().SequenceEqual(bytes)),
                WssNames.Thumbprint => Known(known, each => Thumbprint(each).AsSpan().SequenceEqual(bytes)),
                _ => throw Reason.KeyReference.Because("a KeyIdentifier of an unknown type"),
            };
        }
        return reference.Is(WssNames.Dsig, "X509Data") ? OfData(reference, known) : throw Reason.KeyReference.Because($"a reference by {Reason.Shown(reference.Name)}");
    }

    private static void AddIdentifier(Element reference, string type, byte[] bytes)
    {
        Element identifier = reference.Add("wsse", WssNames.Wsse, "KeyIdentifier", Convert.ToBase64String(bytes));
        identifier.Set("EncodingType", WssNames.Base64);
        identifier.Set("ValueType", type);
    }

    private static byte[] Thumbprint(X509Certificate2 certificate) => SHA1.HashData(certificate.RawData);

    private static BigInteger Serial(X509Certificate2 certificate) => new(certificate.SerialNumberBytes.Span, isUnsigned: false, isBigEndian: true);

    private static X509Certificate2 OfData(Element data, IEnumerable<X509Certificate2> known)
    {
        List<Element> parts = data.Children;
        if (parts.Count == 1 && parts[0].Is(WssNames.Dsig, "X509Certificate"))
        {
            return Certificate(parts[0].OnlyBytes());
        }
        if (parts.Count != 1 || !parts[0].Is(WssNames.Dsig, "X509IssuerSerial"))
        {
            throw Reason.KeyReference.Because("X509Data that holds neither an issuer with a serial number nor a certificate");
        }
        string issuer = parts[0].Required(WssNames.Dsig, "X509IssuerName").OnlyText();
        string digits = parts[0].Required(WssNames.Dsig, "X509SerialNumber").OnlyText();
        if (digits.Length > MaxSerial || !BigInteger.TryParse(digits, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out BigInteger serial))
        {
            throw Reason.KeyReference.Because("an issuer or a serial number that is none");
        }
        try
        {
            return Known(known, each => Serial(each) == serial && DistinguishedName.IsSame(issuer, each.IssuerName));
        }
        catch (Exception e) when (e is FormatException or AsnContentException)
        {
            throw Reason.KeyReference.Because("an issuer or a serial number that is none");
        }
    }

    private static X509Certificate2 Known(IEnumerable<X509Certificate2> known, Predicate<X509Certificate2> which)
    {
        foreach (X509Certificate2 each in known)
        {
            if (which(each))
            {
                return each;
            }
        }
        throw Reason.KeyReference.Because("no certificate is known that the message refers to");
    }

    private static X509Certificate2 Certificate(byte[] bytes)
    {
        try
        {
            // The platform would also take stores of keys, and others: of a certificate, the first part is a sequence.
            var reader = new AsnReader(bytes, AsnEncodingRules.DER);
            AsnReader parts = reader.ReadSequence();
            reader.ThrowIfNotEmpty();
            parts.ReadSequence();
            return new X509Certificate2(bytes);
        }
        catch (Exception e) when (e is AsnContentException or CryptographicException)
        {
            throw Reason.KeyReference.Because("a certificate that cannot be read");
        }
    }
}
