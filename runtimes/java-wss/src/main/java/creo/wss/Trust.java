package creo.wss;

import creo.runtime.CreoException;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertStore;
import java.security.cert.CertificateException;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Whose signatures are accepted (SOAP-87). */
final class Trust {
    private static final int MIN_RSA = 2_048;
    private static final int MIN_EC = 256;

    private final Set<X509Certificate> pins;
    private final Set<TrustAnchor> anchors;
    private final Set<X509Certificate> known = new HashSet<>();
    private final Predicate<X509Certificate> accepted;

    Trust(Set<X509Certificate> pins, Set<X509Certificate> issuers, Set<X509Certificate> known, Predicate<X509Certificate> accepted) {
        this.pins = Set.copyOf(pins);
        this.anchors = issuers.stream().map(issuer -> new TrustAnchor(issuer, null)).collect(Collectors.toUnmodifiableSet());
        this.known.addAll(known);
        this.known.addAll(pins);
        this.accepted = accepted;
    }

    /** Whether anyone is trusted, so that signatures are demanded. */
    boolean exists() {
        return !pins.isEmpty() || !anchors.isEmpty();
    }

    /** The certificates that messages may refer to. */
    Collection<X509Certificate> known() {
        return known;
    }

    /** Refuses a certificate that is not trusted to sign messages now. */
    void check(X509Certificate certificate, Instant now) {
        checkSize(certificate.getPublicKey());
        String subject = CreoException.shown(certificate.getSubjectX500Principal().getName());
        boolean[] usage = certificate.getKeyUsage();
        if (usage != null && !usage[0] && !usage[1]) {
            throw Reason.UNTRUSTED.because("the certificate of " + subject + " is not for signatures");
        }
        Date date = Date.from(now);
        try {
            certificate.checkValidity(date);
        } catch (CertificateException e) {
            throw Reason.UNTRUSTED.because("the certificate of " + subject + " has expired, or is not valid yet");
        }
        if (pins.contains(certificate)) {
            return;
        }
        if (anchors.isEmpty() || !isIssued(certificate, date) || !accepted.test(certificate)) {
            throw Reason.UNTRUSTED.because("the certificate of " + subject + " is not trusted");
        }
    }

    private boolean isIssued(X509Certificate certificate, Date date) {
        X509CertSelector leaf = new X509CertSelector();
        leaf.setCertificate(certificate);
        Set<X509Certificate> all = new HashSet<>(known);
        all.add(certificate);
        try {
            PKIXBuilderParameters parameters = new PKIXBuilderParameters(anchors, leaf);
            parameters.addCertStore(CertStore.getInstance("Collection", new CollectionCertStoreParameters(all)));
            parameters.setRevocationEnabled(false);
            parameters.setDate(date);
            CertPathBuilder.getInstance("PKIX").build(parameters);
            return true;
        } catch (NoSuchAlgorithmException | InvalidAlgorithmParameterException e) {
            throw new IllegalStateException("every JDK can build paths of certificates", e);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private static void checkSize(PublicKey key) {
        boolean strong = key instanceof RSAPublicKey rsa ? rsa.getModulus().bitLength() >= MIN_RSA
            : key instanceof ECPublicKey ec && ec.getParams().getOrder().bitLength() >= MIN_EC;
        if (!strong) {
            throw Reason.WEAK_KEY.because("a key that is not RSA with " + MIN_RSA + " bits, or of a curve with " + MIN_EC);
        }
    }
}
