using System;
using System.Collections.Generic;
using System.Security.Cryptography;

namespace Creo
{
    /// <summary>The algorithms of signed and encrypted messages (SOAP-85, SOAP-86). Weak ones are read only if <see cref="WsSecurityOptions.Allowed"/> names them.</summary>
    public enum WsAlgorithm
    {
        RsaSha256,
        RsaSha384,
        RsaSha512,
        RsaPssSha256,
        EcdsaSha256,
        EcdsaSha384,
        EcdsaSha512,

        /// <summary>Weak.</summary>
        RsaSha1,
        Sha256,
        Sha384,
        Sha512,

        /// <summary>Weak.</summary>
        Sha1,

        /// <summary>OAEP of XML Encryption 1.0, with SHA-1, which is not weak there.</summary>
        RsaOaep,

        /// <summary>OAEP of XML Encryption 1.1; written with SHA-256.</summary>
        RsaOaepSha256,

        /// <summary>Weak.</summary>
        Rsa15,
        Aes128Gcm,
        Aes256Gcm,

        /// <summary>Weak: who sees what becomes of changed messages can learn the text.</summary>
        Aes128Cbc,

        /// <summary>Weak: who sees what becomes of changed messages can learn the text.</summary>
        Aes256Cbc,
    }

    /// <summary>How a message refers to the certificate of a key (SOAP-83).</summary>
    public enum WsTokenReference
    {
        /// <summary>The certificate is in the message.</summary>
        BinaryToken,

        /// <summary>By its issuer and serial number.</summary>
        IssuerSerial,

        /// <summary>By the identifier of its key, which must be among its extensions.</summary>
        KeyIdentifier,

        /// <summary>By its SHA-1.</summary>
        Thumbprint,
    }
}

namespace Creo.Wss
{
    /// <summary>What an algorithm does.</summary>
    internal enum AlgorithmKind
    {
        RsaSignature,
        EcdsaSignature,
        Digest,
        Key,
        Data,
    }

    /// <summary>What is known of an algorithm.</summary>
    internal sealed record Algorithm(WsAlgorithm Name, AlgorithmKind Kind, string Uri, HashAlgorithmName Hash = default, int KeySize = 0, bool IsWeak = false)
    {
        private const string More = "http://www.w3.org/2001/04/xmldsig-more#";

        private static readonly Algorithm[] All =
        [
            new(WsAlgorithm.RsaSha256, AlgorithmKind.RsaSignature, More + "rsa-sha256", HashAlgorithmName.SHA256),
            new(WsAlgorithm.RsaSha384, AlgorithmKind.RsaSignature, More + "rsa-sha384", HashAlgorithmName.SHA384),
            new(WsAlgorithm.RsaSha512, AlgorithmKind.RsaSignature, More + "rsa-sha512", HashAlgorithmName.SHA512),
            new(WsAlgorithm.RsaPssSha256, AlgorithmKind.RsaSignature, "http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1", HashAlgorithmName.SHA256),
            new(WsAlgorithm.EcdsaSha256, AlgorithmKind.EcdsaSignature, More + "ecdsa-sha256", HashAlgorithmName.SHA256),
            new(WsAlgorithm.EcdsaSha384, AlgorithmKind.EcdsaSignature, More + "ecdsa-sha384", HashAlgorithmName.SHA384),
            new(WsAlgorithm.EcdsaSha512, AlgorithmKind.EcdsaSignature, More + "ecdsa-sha512", HashAlgorithmName.SHA512),
            new(WsAlgorithm.RsaSha1, AlgorithmKind.RsaSignature, WssNames.Dsig + "rsa-sha1", HashAlgorithmName.SHA1, IsWeak: true),
            new(WsAlgorithm.Sha256, AlgorithmKind.Digest, WssNames.Xenc + "sha256", HashAlgorithmName.SHA256),
            new(WsAlgorithm.Sha384, AlgorithmKind.Digest, More + "sha384", HashAlgorithmName.SHA384),
            new(WsAlgorithm.Sha512, AlgorithmKind.Digest, WssNames.Xenc + "sha512", HashAlgorithmName.SHA512),
            new(WsAlgorithm.Sha1, AlgorithmKind.Digest, WssNames.Dsig + "sha1", HashAlgorithmName.SHA1, IsWeak: true),
            new(WsAlgorithm.RsaOaep, AlgorithmKind.Key, WssNames.Xenc + "rsa-oaep-mgf1p", HashAlgorithmName.SHA1),
            new(WsAlgorithm.RsaOaepSha256, AlgorithmKind.Key, WssNames.Xenc11 + "rsa-oaep", HashAlgorithmName.SHA256),
            new(WsAlgorithm.Rsa15, AlgorithmKind.Key, WssNames.Xenc + "rsa-1_5", IsWeak: true),
            new(WsAlgorithm.Aes128Gcm, AlgorithmKind.Data, WssNames.Xenc11 + "aes128-gcm", KeySize: 16),
            new(WsAlgorithm.Aes256Gcm, AlgorithmKind.Data, WssNames.Xenc11 + "aes256-gcm", KeySize: 32),
            new(WsAlgorithm.Aes128Cbc, AlgorithmKind.Data, WssNames.Xenc + "aes128-cbc", KeySize: 16, IsWeak: true),
            new(WsAlgorithm.Aes256Cbc, AlgorithmKind.Data, WssNames.Xenc + "aes256-cbc", KeySize: 32, IsWeak: true),
        ];

        public bool IsSignature => Kind is AlgorithmKind.RsaSignature or AlgorithmKind.EcdsaSignature;

        public static Algorithm Of(WsAlgorithm name) =>
            Array.Find(All, each => each.Name == name) ?? throw new ArgumentOutOfRangeException(nameof(name), name, "no algorithm");

        /// <summary>The digest with a URI, weak or not; null for none.</summary>
        public static Algorithm? FindDigest(string uri) => Array.Find(All, each => each.Kind == AlgorithmKind.Digest && each.Uri == uri);

        /// <summary>The digest of a hash.</summary>
        public static Algorithm DigestOf(HashAlgorithmName hash) => Array.Find(All, each => each.Kind == AlgorithmKind.Digest && each.Hash == hash)!;

        /// <summary>The algorithm of one of some kinds with a URI; one that is unknown, or weak and not allowed, is refused.</summary>
        public static Algorithm Accepted(string uri, IReadOnlySet<WsAlgorithm> allowed, params AlgorithmKind[] kinds) =>
            Array.Find(All, each => each.Uri == uri && Array.IndexOf(kinds, each.Kind) >= 0 && (!each.IsWeak || allowed.Contains(each.Name)))
            ?? throw Reason.Algorithm.Because($"the algorithm \"{Reason.Shown(uri)}\" is not accepted");
    }
}
