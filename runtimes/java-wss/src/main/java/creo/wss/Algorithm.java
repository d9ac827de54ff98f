package creo.wss;

import creo.runtime.CreoException;
import java.util.Arrays;
import java.util.Set;

/** The algorithms of messages (SOAP-85). Those that are weak are accepted only if {@link WsSecurity.Builder#allow} names them. */
public enum Algorithm {
    RSA_SHA256(Kind.SIGNATURE, "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256", "RSA", false),
    RSA_SHA384(Kind.SIGNATURE, "http://www.w3.org/2001/04/xmldsig-more#rsa-sha384", "RSA", false),
    RSA_SHA512(Kind.SIGNATURE, "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512", "RSA", false),
    RSA_PSS_SHA256(Kind.SIGNATURE, "http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1", "RSA", false),
    ECDSA_SHA256(Kind.SIGNATURE, "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256", "EC", false),
    ECDSA_SHA384(Kind.SIGNATURE, "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha384", "EC", false),
    ECDSA_SHA512(Kind.SIGNATURE, "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha512", "EC", false),
    /** Weak. */
    RSA_SHA1(Kind.SIGNATURE, Names.DSIG + "rsa-sha1", "RSA", true),

    SHA256(Kind.DIGEST, Names.XENC + "sha256", "SHA-256", false),
    SHA384(Kind.DIGEST, "http://www.w3.org/2001/04/xmldsig-more#sha384", "SHA-384", false),
    SHA512(Kind.DIGEST, Names.XENC + "sha512", "SHA-512", false),
    /** Weak. */
    SHA1(Kind.DIGEST, Names.DSIG + "sha1", "SHA-1", true),

    /** OAEP with MGF1 of SHA-1, which is not weak there, and a digest that the message names. */
    RSA_OAEP(Kind.KEY, Names.XENC + "rsa-oaep-mgf1p", "OAEP", false),
    /** OAEP of XML Encryption 1.1; written with SHA-256. */
    RSA_OAEP_SHA256(Kind.KEY, Names.XENC_11 + "rsa-oaep", "OAEP", false),
    /** Weak. */
    RSA_1_5(Kind.KEY, Names.XENC + "rsa-1_5", "PKCS1", true),

    AES128_GCM(Kind.DATA, Names.XENC_11 + "aes128-gcm", "GCM", 16, false),
    AES256_GCM(Kind.DATA, Names.XENC_11 + "aes256-gcm", "GCM", 32, false),
    /** Weak, since a service that decrypts it can be asked what the text was. */
    AES128_CBC(Kind.DATA, Names.XENC + "aes128-cbc", "CBC", 16, true),
    /** As {@link #AES128_CBC}. */
    AES256_CBC(Kind.DATA, Names.XENC + "aes256-cbc", "CBC", 32, true);

    /** What an algorithm does. */
    enum Kind { SIGNATURE, DIGEST, KEY, DATA }

    final Kind kind;
    final String uri;
    /** The kind of key of a signature, the name of a digest, the padding of a key, or the mode of data. */
    final String form;
    /** The bytes of the key of data. */
    final int size;
    final boolean weak;

    Algorithm(Kind kind, String uri, String form, boolean weak) {
        this(kind, uri, form, 0, weak);
    }

    Algorithm(Kind kind, String uri, String form, int size, boolean weak) {
        this.kind = kind;
        this.uri = uri;
        this.form = form;
        this.size = size;
        this.weak = weak;
    }

    /** The algorithm with a URI; one that is unknown, of another kind, or weak and not allowed, is refused. */
    static Algorithm accepted(Kind kind, String uri, Set<Algorithm> allowed) {
        return Arrays.stream(values()).filter(a -> a.kind == kind && a.uri.equals(uri) && (!a.weak || allowed.contains(a))).findFirst()
            .orElseThrow(() -> Reason.ALGORITHM.because("the algorithm \"" + CreoException.shown(uri) + "\" is not accepted"));
    }
}
