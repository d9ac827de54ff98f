package creo.wss;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import java.util.Arrays;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import javax.crypto.spec.SecretKeySpec;
import org.w3c.dom.Element;

/** The ciphers of XML Encryption (SOAP-86). */
final class Encryption {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int GCM_IV = 12;
    private static final int BLOCK = 16;
    private static final int GCM_TAG_BITS = 128;

    /** A digest of OAEP: its name, its URI, and the URI of MGF1 with it. */
    private record Digest(String name, String uri, String mask) {}

    private static final List<Digest> DIGESTS = List.of(
        new Digest("SHA-1", Algorithm.SHA1.uri, Names.XENC_11 + "mgf1sha1"),
        new Digest("SHA-256", Algorithm.SHA256.uri, Names.XENC_11 + "mgf1sha256"),
        new Digest("SHA-384", Algorithm.SHA384.uri, Names.XENC_11 + "mgf1sha384"),
        new Digest("SHA-512", Algorithm.SHA512.uri, Names.XENC_11 + "mgf1sha512"));

    private Encryption() {}

    static byte[] random(int size) {
        byte[] bytes = new byte[size];
        RANDOM.nextBytes(bytes);
        return bytes;
    }

    /** Encrypts data; the initialization vector comes first. */
    static byte[] encrypt(Algorithm algorithm, byte[] key, byte[] plain) {
        byte[] iv = random(algorithm.form.equals("GCM") ? GCM_IV : BLOCK);
        try {
            // The padding of PKCS #5 is one of those that XML Encryption allows.
            Cipher cipher = cipher(algorithm, "PKCS5Padding", Cipher.ENCRYPT_MODE, key, iv, 0);
            byte[] out = Arrays.copyOf(iv, iv.length + cipher.getOutputSize(plain.length));
            int n = cipher.doFinal(plain, 0, plain.length, out, iv.length);
            return Arrays.copyOf(out, iv.length + n);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has AES", e);
        }
    }

    /** Decrypts data, or returns null if it was not encrypted with this key. */
    static byte[] decrypt(Algorithm algorithm, byte[] key, byte[] data) {
        boolean gcm = algorithm.form.equals("GCM");
        int size = gcm ? GCM_IV : BLOCK;
        if (data.length < size + BLOCK || !gcm && data.length % BLOCK != 0) {
            return null;
        }
        try {
            byte[] plain = cipher(algorithm, "NoPadding", Cipher.DECRYPT_MODE, key, data, size).doFinal(data, size, data.length - size);
            if (gcm) {
                return plain;
            }
            int padding = plain[plain.length - 1];
            return padding < 1 || padding > BLOCK ? null : Arrays.copyOf(plain, plain.length - padding);
        } catch (GeneralSecurityException e) {
            return null;
        }
    }

    private static Cipher cipher(Algorithm algorithm, String padding, int mode, byte[] key, byte[] from, int size) throws GeneralSecurityException {
        boolean gcm = algorithm.form.equals("GCM");
        int n = size == 0 ? from.length : size;
        AlgorithmParameterSpec iv = gcm ? new GCMParameterSpec(GCM_TAG_BITS, from, 0, n) : new IvParameterSpec(from, 0, n);
        Cipher cipher = Cipher.getInstance("AES/" + algorithm.form + "/" + (gcm ? "NoPadding" : padding));
        cipher.init(mode, new SecretKeySpec(key, "AES"), iv);
        return cipher;
    }

    /** Encrypts a key, and says in {@code EncryptionMethod} how. */
    static byte[] wrap(Algorithm algorithm, PublicKey to, byte[] key, Element method) {
        Digest digest = DIGESTS.get(algorithm == Algorithm.RSA_OAEP_SHA256 ? 1 : 0);
        if (algorithm != Algorithm.RSA_1_5) {
            Dom.add(method, null, Names.DSIG, "ds:DigestMethod").setAttributeNS(null, "Algorithm", digest.uri);
        }
        if (algorithm == Algorithm.RSA_OAEP_SHA256) {
            Dom.add(method, null, Names.XENC_11, "xenc11:MGF").setAttributeNS(null, "Algorithm", digest.mask);
        }
        try {
            Cipher cipher = Cipher.getInstance(algorithm == Algorithm.RSA_1_5 ? "RSA/ECB/PKCS1Padding" : "RSA/ECB/OAEPPadding");
            if (algorithm == Algorithm.RSA_1_5) {
                cipher.init(Cipher.ENCRYPT_MODE, to);
            } else {
                cipher.init(Cipher.ENCRYPT_MODE, to, new OAEPParameterSpec(digest.name, "MGF1", new MGF1ParameterSpec(digest.name), PSource.PSpecified.DEFAULT));
            }
            return cipher.doFinal(key);
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("a key cannot be encrypted to this certificate", e);
        }
    }

    /** Decrypts a key as {@code EncryptionMethod} says, or returns null if it was not encrypted to this key. */
    static byte[] unwrap(Algorithm algorithm, PrivateKey own, byte[] wrapped, Element method) {
        try {
            if (algorithm == Algorithm.RSA_1_5) {
                Cipher cipher = Cipher.getInstance("RSA/ECB/PKCS1Padding");
                cipher.init(Cipher.DECRYPT_MODE, own);
                return cipher.doFinal(wrapped);
            }
            Cipher cipher = Cipher.getInstance("RSA/ECB/OAEPPadding");
            cipher.init(Cipher.DECRYPT_MODE, own, padding(algorithm, method));
            return cipher.doFinal(wrapped);
        } catch (GeneralSecurityException e) {
            return null;
        }
    }

    private static OAEPParameterSpec padding(Algorithm algorithm, Element method) {
        Element named = Dom.only(method, Names.DSIG, "DigestMethod");
        Digest digest = DIGESTS.get(0);
        if (named != null) {
            String uri = named.getAttributeNS(null, "Algorithm");
            digest = DIGESTS.stream().filter(d -> d.uri.equals(uri)).findFirst().orElseThrow(() -> Reason.ALGORITHM.because("a digest of OAEP that is not accepted"));
        }
        Element mask = algorithm == Algorithm.RSA_OAEP ? null : Dom.only(method, Names.XENC_11, "MGF");
        Digest masked = DIGESTS.get(0);
        if (mask != null) {
            String uri = mask.getAttributeNS(null, "Algorithm");
            masked = DIGESTS.stream().filter(d -> d.mask.equals(uri)).findFirst().orElseThrow(() -> Reason.ALGORITHM.because("a mask of OAEP that is not accepted"));
        }
        Element given = Dom.only(method, Names.XENC, "OAEPparams");
        PSource source = given == null ? PSource.PSpecified.DEFAULT : new PSource.PSpecified(Tokens.bytes(Dom.text(given)));
        return new OAEPParameterSpec(digest.name, "MGF1", new MGF1ParameterSpec(masked.name), source);
    }
}
