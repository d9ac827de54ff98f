package creo.wss;

import creo.runtime.CreoException;
import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import javax.security.auth.x500.X500Principal;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** References to certificates (SOAP-83). */
final class Tokens {
    private static final String KEY_IDENTIFIER = "2.5.29.14";
    /** The max digits of a serial number, which has 20 bytes. */
    private static final int MAX_SERIAL = 60;

    private Tokens() {}

    /** The identifier of a certificate's key. */
    static byte[] keyIdentifier(X509Certificate certificate) {
        byte[] identifier = identifierOf(certificate);
        if (identifier == null) {
            throw new IllegalArgumentException("the certificate of " + certificate.getSubjectX500Principal() + " has no identifier of its key");
        }
        return identifier;
    }

    private static byte[] identifierOf(X509Certificate certificate) {
        byte[] value = certificate.getExtensionValue(KEY_IDENTIFIER);
        // An octet string in an octet string, each of fewer than 128 bytes.
        boolean plain = value != null && value.length > 4 && value[0] == 4 && value[1] == value.length - 2 && value[2] == 4 && value[3] == value.length - 4;
        return plain ? Arrays.copyOfRange(value, 4, value.length) : null;
    }

    private static byte[] thumbprint(X509Certificate certificate) {
        try {
            return MessageDigest.getInstance("SHA-1").digest(encoded(certificate));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }

    private static byte[] encoded(X509Certificate certificate) {
        try {
            return certificate.getEncoded();
        } catch (CertificateEncodingException e) {
            throw new IllegalArgumentException("a certificate without an encoding", e);
        }
    }

    /**
     * Adds a reference to a certificate.
     *
     * @param parent that gets the reference, a {@code KeyInfo}
     * @param security that gets the certificate itself before {@code before}, if the form wants that
     * @param id of the certificate in the message
     */
    static void write(Element parent, X509Certificate certificate, TokenReference form, Element security, Node before, String id) {
        Element reference = Dom.add(parent, null, Names.WSSE, "wsse:SecurityTokenReference");
        switch (form) {
            case BINARY_TOKEN -> {
                Element token = Dom.add(security, before, Names.WSSE, "wsse:BinarySecurityToken");
                token.setAttributeNS(null, "EncodingType", Names.BASE_64);
                token.setAttributeNS(null, "ValueType", Names.CERTIFICATE);
                setId(token, id);
                token.setTextContent(Base64.getEncoder().encodeToString(encoded(certificate)));
                Element direct = Dom.add(reference, null, Names.WSSE, "wsse:Reference");
                direct.setAttributeNS(null, "URI", "#" + id);
                direct.setAttributeNS(null, "ValueType", Names.CERTIFICATE);
            }
            case ISSUER_SERIAL -> {
                Element data = Dom.add(reference, null, Names.DSIG, "ds:X509Data");
                Element both = Dom.add(data, null, Names.DSIG, "ds:X509IssuerSerial");
                Dom.add(both, null, Names.DSIG, "ds:X509IssuerName").setTextContent(certificate.getIssuerX500Principal().getName());
                Dom.add(both, null, Names.DSIG, "ds:X509SerialNumber").setTextContent(certificate.getSerialNumber().toString());
            }
            case KEY_IDENTIFIER -> identifier(reference, Names.KEY_IDENTIFIER, keyIdentifier(certificate));
            case THUMBPRINT -> identifier(reference, Names.THUMBPRINT, thumbprint(certificate));
        }
    }

    private static void identifier(Element reference, String type, byte[] bytes) {
        Element identifier = Dom.add(reference, null, Names.WSSE, "wsse:KeyIdentifier");
        identifier.setAttributeNS(null, "EncodingType", Names.BASE_64);
        identifier.setAttributeNS(null, "ValueType", type);
        identifier.setTextContent(Base64.getEncoder().encodeToString(bytes));
    }

    /** Sets the {@code wsu:Id} of an element. */
    static void setId(Element element, String id) {
        if (!Names.WSU.equals(element.lookupNamespaceURI("wsu"))) {
            element.setAttributeNS(Names.XMLNS, "xmlns:wsu", Names.WSU);
        }
        element.setAttributeNS(Names.WSU, "wsu:Id", id);
    }

    /**
     * The certificate to which a {@code KeyInfo} refers.
     *
     * @param envelope with the certificates of the message
     * @param known certificates that a message need not contain
     */
    static X509Certificate read(Element keyInfo, Envelope envelope, Map<String, List<Element>> ids, Collection<X509Certificate> known) {
        List<Element> infos = Dom.children(keyInfo);
        if (infos.size() != 1 || !Dom.is(infos.get(0), Names.WSSE, "SecurityTokenReference")) {
            throw Reason.KEY_REFERENCE.because("KeyInfo holds one SecurityTokenReference, and nothing else");
        }
        List<Element> references = Dom.children(infos.get(0));
        if (references.size() != 1) {
            throw Reason.KEY_REFERENCE.because("a SecurityTokenReference that does not hold one reference");
        }
        Element reference = references.get(0);
        if (Dom.is(reference, Names.WSSE, "Reference")) {
            Element token = Envelope.referred(reference.getAttributeNS(null, "URI"), ids);
            if (token.getParentNode() != envelope.security || !Dom.is(token, Names.WSSE, "BinarySecurityToken")) {
                throw Reason.KEY_REFERENCE.because("a reference to what is no BinarySecurityToken of the Security block");
            }
            String type = token.getAttributeNS(null, "ValueType");
            if (!type.equals(Names.CERTIFICATE)) {
                throw Reason.KEY_REFERENCE.because("a token of the type \"" + CreoException.shown(type) + "\"");
            }
            return certificate(Dom.text(token));
        }
        if (Dom.is(reference, Names.WSSE, "KeyIdentifier")) {
            String text = Dom.text(reference);
            return switch (reference.getAttributeNS(null, "ValueType")) {
                case Names.CERTIFICATE -> certificate(text);
                case Names.KEY_IDENTIFIER -> known(known, c -> Arrays.equals(identifierOf(c), bytes(text)));
                case Names.THUMBPRINT -> known(known, c -> Arrays.equals(thumbprint(c), bytes(text)));
                default -> throw Reason.KEY_REFERENCE.because("a KeyIdentifier of an unknown type");
            };
        }
        if (Dom.is(reference, Names.DSIG, "X509Data")) {
            return data(reference, known);
        }
        throw Reason.KEY_REFERENCE.because("a reference by " + CreoException.shown(reference.getNodeName()));
    }

    private static X509Certificate data(Element data, Collection<X509Certificate> known) {
        List<Element> parts = Dom.children(data);
        if (parts.size() == 1 && Dom.is(parts.get(0), Names.DSIG, "X509Certificate")) {
            return certificate(Dom.text(parts.get(0)));
        }
        if (parts.size() != 1 || !Dom.is(parts.get(0), Names.DSIG, "X509IssuerSerial")) {
            throw Reason.KEY_REFERENCE.because("X509Data that holds neither an issuer with a serial number nor a certificate");
        }
        X500Principal issuer;
        BigInteger serial;
        try {
            issuer = new X500Principal(Dom.text(Dom.required(parts.get(0), Names.DSIG, "X509IssuerName")));
            String number = Dom.text(Dom.required(parts.get(0), Names.DSIG, "X509SerialNumber"));
            serial = new BigInteger(number.length() > MAX_SERIAL ? "" : number);
        } catch (IllegalArgumentException e) {
            throw Reason.KEY_REFERENCE.because("an issuer or a serial number that is none");
        }
        return known(known, c -> c.getSerialNumber().equals(serial) && c.getIssuerX500Principal().equals(issuer));
    }

    private static X509Certificate known(Collection<X509Certificate> known, Predicate<X509Certificate> which) {
        return known.stream().filter(which).findFirst().orElseThrow(() -> Reason.KEY_REFERENCE.because("no certificate is known that the message refers to"));
    }

    private static X509Certificate certificate(String text) {
        try {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(bytes(text)));
        } catch (CertificateException e) {
            throw Reason.KEY_REFERENCE.because("a certificate that cannot be read");
        }
    }

    /** The bytes of a text in base64, which may have white space. */
    static byte[] bytes(String text) {
        StringBuilder bare = new StringBuilder(text.length());
        text.chars().filter(c -> c != ' ' && c != '\t' && c != '\n' && c != '\r').forEach(c -> bare.append((char) c));
        try {
            return Base64.getDecoder().decode(bare.toString());
        } catch (IllegalArgumentException e) {
            throw Reason.UNREADABLE.because("a text that is not base64");
        }
    }
}
