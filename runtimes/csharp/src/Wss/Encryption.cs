using System;
using System.Security.Cryptography;

namespace Creo.Wss;

/// <summary>The ciphers of XML Encryption (SOAP-86).</summary>
internal static class Encryption
{
    private const int IvSize = 12;
    private const int TagSize = 16;
    private const int BlockSize = 16;

    private static readonly HashAlgorithmName[] Hashes = [HashAlgorithmName.SHA1, HashAlgorithmName.SHA256, HashAlgorithmName.SHA384, HashAlgorithmName.SHA512];

    /// <summary>Encrypts data; the initialization vector comes first.</summary>
    public static byte[] Encrypt(Algorithm algorithm, byte[] key, byte[] plain)
    {
        if (IsCbc(algorithm))
        {
            using var cipher = Aes.Create();
            cipher.Key = key;
            byte[] vector = RandomNumberGenerator.GetBytes(BlockSize);
            return [.. vector, .. cipher.EncryptCbc(plain, vector, PaddingMode.PKCS7)];
        }
        byte[] all = new byte[IvSize + plain.Length + TagSize];
        RandomNumberGenerator.Fill(all.AsSpan(0, IvSize));
        using var gcm = new AesGcm(key, TagSize);
        gcm.Encrypt(all.AsSpan(0, IvSize), plain, all.AsSpan(IvSize, plain.Length), all.AsSpan(IvSize + plain.Length));
        return all;
    }

    /// <summary>Decrypts data; null if it was not encrypted with this key.</summary>
    public static byte[]? Decrypt(Algorithm algorithm, byte[] key, byte[] data)
    {
        try
        {
            if (IsCbc(algorithm))
            {
                return DecryptCbc(key, data);
            }
            int size = data.Length - IvSize - TagSize;
            if (size < 0)
            {
                return null;
            }
            byte[] plain = new byte[size];
            using var gcm = new AesGcm(key, TagSize);
            gcm.Decrypt(data.AsSpan(0, IvSize), data.AsSpan(IvSize, size), data.AsSpan(IvSize + size), plain);
            return plain;
        }
        catch (CryptographicException)
        {
            return null;
        }
    }

    /// <summary>Encrypts a key, and says in <c>EncryptionMethod</c> how.</summary>
    public static byte[] Wrap(Algorithm algorithm, RSA to, byte[] key, Element method)
    {
        if (algorithm.Name == WsAlgorithm.Rsa15)
        {
            return to.Encrypt(key, RSAEncryptionPadding.Pkcs1);
        }
        method.Add("ds", WssNames.Dsig, "DigestMethod").Set("Algorithm", Algorithm.DigestOf(algorithm.Hash).Uri);
        if (algorithm.Name == WsAlgorithm.RsaOaepSha256)
        {
            method.Add("xenc11", WssNames.Xenc11, "MGF").Set("Algorithm", MaskOf(algorithm.Hash));
        }
        return to.Encrypt(key, RSAEncryptionPadding.CreateOaep(algorithm.Hash));
    }

    /// <summary>Decrypts a key; null if it was not encrypted to this one.</summary>
    public static byte[]? Unwrap(RSAEncryptionPadding padding, RSA own, byte[] wrapped)
    {
        try
        {
            return own.Decrypt(wrapped, padding);
        }
        catch (CryptographicException)
        {
            return null;
        }
    }

    /// <summary>The padding that <c>EncryptionMethod</c> describes. The platform has OAEP with one hash for digest and mask, and without a label.</summary>
    public static RSAEncryptionPadding Padding(Algorithm algorithm, Element method)
    {
        if (algorithm.Name == WsAlgorithm.Rsa15)
        {
            return RSAEncryptionPadding.Pkcs1;
        }
        HashAlgorithmName digest = HashAlgorithmName.SHA1;
        if (method.Only(WssNames.Dsig, "DigestMethod") is { } named)
        {
            digest = Algorithm.FindDigest(named["Algorithm"])?.Hash ?? throw Reason.Algorithm.Because("a digest of OAEP that is not accepted");
        }
        HashAlgorithmName mask = HashAlgorithmName.SHA1;
        if (algorithm.Name == WsAlgorithm.RsaOaepSha256 && method.Only(WssNames.Xenc11, "MGF") is { } masked)
        {
            mask = Array.Find(Hashes, each => MaskOf(each) == masked["Algorithm"]);
        }
        if (mask != digest || method.Only(WssNames.Xenc, "OAEPparams")?.OnlyText().Length > 0)
        {
            throw Reason.Algorithm.Because("OAEP with a label, or with another hash for its mask than for its digest, is not accepted");
        }
        return RSAEncryptionPadding.CreateOaep(digest);
    }

    private static bool IsCbc(Algorithm algorithm) => algorithm.Name is WsAlgorithm.Aes128Cbc or WsAlgorithm.Aes256Cbc;

    private static string MaskOf(HashAlgorithmName hash) => WssNames.Xenc11 + "mgf1" + hash.Name!.ToLowerInvariant();

    private static byte[]? DecryptCbc(byte[] key, byte[] data)
    {
        if (data.Length < 2 * BlockSize || data.Length % BlockSize != 0)
        {
            return null;
        }
        using var cipher = Aes.Create();
        cipher.Key = key;
        byte[] plain = cipher.DecryptCbc(data.AsSpan(BlockSize), data.AsSpan(0, BlockSize), PaddingMode.None);
        // XML Encryption fixes only the last byte of the padding, its length.
        int padding = plain[^1];
        return padding is >= 1 and <= BlockSize ? plain[..^padding] : null;
    }
}
