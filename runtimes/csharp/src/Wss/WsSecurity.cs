using System;
using System.Collections.Generic;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Creo.Wss;

namespace Creo;

/// <summary>WS-Security of SOAP messages: signatures, encryption, SAML tokens (SOAP-80 to SOAP-90), for <see cref="SoapOptions.Security"/>.</summary>
/// <remarks>
/// Keep one for as long as the program runs: it remembers the signatures of ten minutes, and refuses them when they come again. Several clients may share
/// one. Its certificates must not be disposed of before it is used for the last time.
/// </remarks>
public sealed class WsSecurity : IClientSecurity
{
    /// <summary>A security with these options.</summary>
    /// <exception cref="ArgumentException">
    /// A certificate has no key where one is needed, or one that is too short or of another kind; an algorithm does not fit; a name of a header block is none;
    /// an authority is no root; a certificate to which messages refer by the identifier of its key has none; the assertion is none.
    /// </exception>
    public WsSecurity(WsSecurityOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        Signer = options.Signer;
        Reference = options.Reference;
        SignatureAlgorithm = Fitting(options);
        SignedHeaders = new HeaderNames(options.SignedHeaders);
        Recipient = options.Recipient;
        KeyReference = options.KeyReference;
        KeyEncryption = OfKind(options.KeyEncryption, AlgorithmKind.Key);
        DataEncryption = OfKind(options.DataEncryption, AlgorithmKind.Data);
        Assertion = options.Assertion;
        Decrypters = [.. options.Decrypters];
        Trust = new Trust(options);
        RequiredHeaders = new HeaderNames(options.RequiredHeaders);
        RequiresEncryption = options.RequireEncrypted;
        RequiresTimestamp = options.RequireTimestamp;
        AllowsLoosePrefixes = options.AllowLoosePrefixes;
        Allowed = new HashSet<WsAlgorithm>(options.Allowed);
        MaxSize = options.MaxSize > 0 ? options.MaxSize : throw new ArgumentException($"MaxSize must be positive, but is {options.MaxSize}", nameof(options));
        Clock = options.Clock;
        Replays = new Replays(options.Clock);
        CheckCertificates();
        CheckAssertion(options.Assertion);
    }

    internal X509Certificate2? Signer { get; }

    internal WsTokenReference Reference { get; }

    internal Algorithm SignatureAlgorithm { get; }

    internal HeaderNames SignedHeaders { get; }

    internal X509Certificate2? Recipient { get; }

    internal WsTokenReference KeyReference { get; }

    internal Algorithm KeyEncryption { get; }

    internal Algorithm DataEncryption { get; }

    internal string? Assertion { get; }

    internal IReadOnlyList<X509Certificate2> Decrypters { get; }

    internal Trust Trust { get; }

    internal HeaderNames RequiredHeaders { get; }

    internal bool RequiresEncryption { get; }

    internal bool RequiresTimestamp { get; }

    internal bool AllowsLoosePrefixes { get; }

    internal IReadOnlySet<WsAlgorithm> Allowed { get; }

    internal int MaxSize { get; }

    internal TimeProvider Clock { get; }

    internal Replays Replays { get; }

    /// <inheritdoc/>
    public byte[] Send(byte[] request)
    {
        ArgumentNullException.ThrowIfNull(request);
        return Writing.Secure(this, request);
    }

    /// <inheritdoc/>
    public byte[] Receive(byte[] answer, string? charset)
    {
        ArgumentNullException.ThrowIfNull(answer);
        if (!Trust.Exists && Decrypters.Count == 0)
        {
            // Nothing is demanded.
            return answer;
        }
        return answer.Length > 0 ? Checking.Check(this, answer, charset) : throw Reason.NoSecurity.Because("an empty answer");
    }

    private static Algorithm OfKind(WsAlgorithm name, params AlgorithmKind[] kinds)
    {
        var algorithm = Algorithm.Of(name);
        return Array.IndexOf(kinds, algorithm.Kind) >= 0 ? algorithm : throw new ArgumentException($"{name} does not fit");
    }

    // The algorithm of signatures, which fits the key.
    private static Algorithm Fitting(WsSecurityOptions options)
    {
        if (options.Signer is null)
        {
            return OfKind(options.Signature ?? WsAlgorithm.RsaSha256, AlgorithmKind.RsaSignature, AlgorithmKind.EcdsaSignature);
        }
        using ECDsa? curve = options.Signer.GetECDsaPublicKey();
        WsAlgorithm usual = curve is null ? WsAlgorithm.RsaSha256 : curve.KeySize >= 384 ? WsAlgorithm.EcdsaSha384 : WsAlgorithm.EcdsaSha256;
        return OfKind(options.Signature ?? usual, curve is null ? AlgorithmKind.RsaSignature : AlgorithmKind.EcdsaSignature);
    }

    private void CheckCertificates()
    {
        if (Signer is not null && !(Signer.HasPrivateKey && Trust.IsStrong(Signer)))
        {
            throw new ArgumentException($"a signature needs a key of RSA with {Trust.MinRsa} bits, or of an elliptic curve with {Trust.MinCurve} bits");
        }
        using RSA? to = Recipient?.GetRSAPublicKey();
        if (Recipient is not null && to is null)
        {
            throw new ArgumentException("messages are encrypted to a key of RSA");
        }
        foreach (X509Certificate2 each in Decrypters)
        {
            using RSA? own = each.GetRSAPrivateKey();
            _ = own ?? throw new ArgumentException("messages are decrypted with a key of RSA");
        }
        foreach ((X509Certificate2? certificate, WsTokenReference form) in new[] { (Signer, Reference), (Recipient, KeyReference) })
        {
            if (certificate is not null && form == WsTokenReference.KeyIdentifier && Tokens.KeyIdentifier(certificate) is null)
            {
                throw new ArgumentException($"the certificate of {certificate.Subject} has no identifier of its key");
            }
        }
    }

    private static void CheckAssertion(string? text)
    {
        bool isRight;
        try
        {
            isRight = text is null || Envelope.ParseTree(text).Is(WssNames.Saml2, "Assertion");
        }
        catch (CreoException)
        {
            isRight = false;
        }
        if (!isRight)
        {
            throw new ArgumentException("no assertion of SAML 2.0");
        }
    }
}
