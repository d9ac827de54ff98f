using System;
using System.Collections.Generic;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Creo.Wss;

/// <summary>Whose signatures are accepted (SOAP-87).</summary>
internal sealed class Trust
{
    public const int MinRsa = 2048;
    public const int MinCurve = 256;

    private readonly List<X509Certificate2> _pins;
    private readonly X509Certificate2Collection _issuers = new();
    private readonly X509Certificate2Collection _known = new();
    private readonly Predicate<X509Certificate2>? _accept;

    public Trust(WsSecurityOptions options)
    {
        _pins = [.. options.Trusted];
        foreach (X509Certificate2 issuer in options.TrustedIssuers)
        {
            if (!issuer.IssuerName.RawData.AsSpan().SequenceEqual(issuer.SubjectName.RawData))
            {
                throw new ArgumentException($"{issuer.Subject} is no root: an authority of TrustedIssuers issued itself, and those below it are Known", nameof(options));
            }
            _issuers.Add(issuer);
        }
        foreach (X509Certificate2 each in options.Known)
        {
            _known.Add(each);
        }
        foreach (X509Certificate2 each in options.Trusted)
        {
            _known.Add(each);
        }
        _accept = options.Accept;
    }

    /// <summary>Whether anyone is trusted, so that signatures are demanded.</summary>
    public bool Exists => _pins.Count > 0 || _issuers.Count > 0;

    /// <summary>The certificates that messages may refer to.</summary>
    public IEnumerable<X509Certificate2> Known => _known;

    /// <summary>Refuses a certificate that is not trusted to sign messages now.</summary>
    public void Check(X509Certificate2 certificate, DateTimeOffset now)
    {
        try
        {
            if (!IsStrong(certificate))
            {
                throw Reason.WeakKey.Because($"a key that is not RSA with {MinRsa} bits, or of a curve with {MinCurve}");
            }
            string subject = Reason.Shown(certificate.Subject);
            foreach (X509Extension extension in certificate.Extensions)
            {
                if (extension is X509KeyUsageExtension { KeyUsages: var usages } && (usages & (X509KeyUsageFlags.DigitalSignature | X509KeyUsageFlags.NonRepudiation)) == 0)
                {
                    throw Reason.Untrusted.Because($"the certificate of {subject} is not for signatures");
                }
            }
            if (now < certificate.NotBefore.ToUniversalTime() || now > certificate.NotAfter.ToUniversalTime())
            {
                throw Reason.Untrusted.Because($"the certificate of {subject} has expired, or is not valid yet");
            }
            bool isPinned = _pins.Exists(each => each.RawData.AsSpan().SequenceEqual(certificate.RawData));
            if (!isPinned && (_issuers.Count == 0 || !IsIssued(certificate, now) || _accept?.Invoke(certificate) == false))
            {
                throw Reason.Untrusted.Because($"the certificate of {subject} is not trusted");
            }
        }
        catch (Exception e) when (e is CryptographicException or NotSupportedException)
        {
            // Such as an unknown curve.
            throw Reason.Untrusted.Because("a certificate that cannot be read");
        }
    }

    /// <summary>Whether a certificate's key is long enough.</summary>
    public static bool IsStrong(X509Certificate2 certificate)
    {
        using RSA? rsa = certificate.GetRSAPublicKey();
        using ECDsa? curve = rsa is null ? certificate.GetECDsaPublicKey() : null;
        return rsa?.KeySize >= MinRsa || curve?.KeySize >= MinCurve;
    }

    private bool IsIssued(X509Certificate2 certificate, DateTimeOffset now)
    {
        using var chain = new X509Chain();
        chain.ChainPolicy.TrustMode = X509ChainTrustMode.CustomRootTrust;
        chain.ChainPolicy.CustomTrustStore.AddRange(_issuers);
        chain.ChainPolicy.ExtraStore.AddRange(_known);
        chain.ChainPolicy.RevocationMode = X509RevocationMode.NoCheck;
        // Nothing that a certificate names is fetched.
        chain.ChainPolicy.DisableCertificateDownloads = true;
        chain.ChainPolicy.VerificationTime = now.LocalDateTime;
        chain.ChainPolicy.VerificationTimeIgnored = false;
        return chain.Build(certificate);
    }
}
