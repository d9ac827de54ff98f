using System;
using System.Collections.Generic;
using System.Security.Cryptography.X509Certificates;

namespace Creo;

/// <summary>What a <see cref="WsSecurity"/> writes into requests, and what it demands of answers. <see cref="ToString"/> shows nothing of it.</summary>
public sealed record WsSecurityOptions
{
    /// <summary>
    /// The certificate with the key that signs the body, a timestamp and the tokens of users of requests; null for requests without a signature. The key is
    /// one of RSA with 2,048 bits or more, or of an elliptic curve with 256 bits or more.
    /// </summary>
    public X509Certificate2? Signer { get; init; }

    /// <summary>How signatures refer to the certificate.</summary>
    public WsTokenReference Reference { get; init; } = WsTokenReference.BinaryToken;

    /// <summary>The algorithm of signatures; null for that of the key with SHA-256, or with SHA-384 for curves of 384 bits or more.</summary>
    public WsAlgorithm? Signature { get; init; }

    /// <summary>The header blocks that are signed, too, each as <c>{namespace}name</c>; the name <c>*</c> means all of the namespace.</summary>
    public IReadOnlyCollection<string> SignedHeaders { get; init; } = [];

    /// <summary>The certificate, of RSA, to which the body and tokens of users of requests are encrypted; null for none.</summary>
    public X509Certificate2? Recipient { get; init; }

    /// <summary>How encrypted keys refer to the certificate.</summary>
    public WsTokenReference KeyReference { get; init; } = WsTokenReference.IssuerSerial;

    /// <summary>How keys are encrypted.</summary>
    public WsAlgorithm KeyEncryption { get; init; } = WsAlgorithm.RsaOaep;

    /// <summary>How data are encrypted.</summary>
    public WsAlgorithm DataEncryption { get; init; } = WsAlgorithm.Aes256Gcm;

    /// <summary>A SAML 2.0 assertion that requests contain, as it is; null for none.</summary>
    public string? Assertion { get; init; }

    /// <summary>The certificates with keys of RSA that decrypt answers; several while one replaces another.</summary>
    public IReadOnlyCollection<X509Certificate2> Decrypters { get; init; } = [];

    /// <summary>The certificates whose signatures are accepted while they are valid. If there is any, or an issuer, answers must be signed.</summary>
    public IReadOnlyCollection<X509Certificate2> Trusted { get; init; } = [];

    /// <summary>The root authorities that issued certificates whose signatures are accepted. Revocation is not checked.</summary>
    public IReadOnlyCollection<X509Certificate2> TrustedIssuers { get; init; } = [];

    /// <summary>Which of the certificates of <see cref="TrustedIssuers"/> are accepted, such as by their subject; null for all.</summary>
    public Predicate<X509Certificate2>? Accept { get; init; }

    /// <summary>Certificates that answers may refer to without containing them, and authorities below <see cref="TrustedIssuers"/>. They are not trusted.</summary>
    public IReadOnlyCollection<X509Certificate2> Known { get; init; } = [];

    /// <summary>The header blocks that must be signed in answers that have them, as in <see cref="SignedHeaders"/>.</summary>
    public IReadOnlyCollection<string> RequiredHeaders { get; init; } = [];

    /// <summary>Demands that the body of answers is encrypted.</summary>
    public bool RequireEncrypted { get; init; }

    /// <summary>Whether signed answers need a signed timestamp. Without one, only repetitions within ten minutes are found.</summary>
    public bool RequireTimestamp { get; init; } = true;

    /// <summary>
    /// Accepts an <c>xsi:type</c> whose prefix the signature does not protect: who changes the answer on its way could give the prefix another namespace,
    /// and the value another type.
    /// </summary>
    public bool AllowLoosePrefixes { get; init; }

    /// <summary>The weak algorithms that answers may use.</summary>
    public IReadOnlyCollection<WsAlgorithm> Allowed { get; init; } = [];

    /// <summary>The max bytes of an answer that is checked, before it is parsed; 16 MiB. Its tree takes a multiple of that.</summary>
    public int MaxSize { get; init; } = 16 << 20;

    /// <summary>The clock of timestamps and certificates.</summary>
    public TimeProvider Clock { get; init; } = TimeProvider.System;

    /// <summary>The name of the type: an assertion is a secret.</summary>
    public override string ToString() => nameof(WsSecurityOptions);
}
