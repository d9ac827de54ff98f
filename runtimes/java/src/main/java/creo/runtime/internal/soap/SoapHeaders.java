package creo.runtime.internal.soap;

import creo.runtime.internal.call.ClientAccess;
import creo.runtime.internal.text.TextName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.UUID;
import java.util.function.Supplier;

/** The header blocks that a client adds to the description's: its credentials and addresses (SOAP-41, SOAP-50). */
final class SoapHeaders {
    private static final String TYPE = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0#Password";
    private static final String ENCODING = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#Base64Binary";
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);
    private static final Duration VALID = Duration.ofMinutes(5);
    private static final SecureRandom RANDOM = new SecureRandom();

    private final ClientAccess.Soap settings;
    /** The service's URL, or null if addresses are not HTTP URLs. */
    private final String url;
    private final Supplier<Instant> clock;
    private final Supplier<byte[]> nonces;
    private final Supplier<UUID> ids;

    /**
     * Creates the blocks of a client.
     *
     * @param url of the service, or null if it has none
     */
    SoapHeaders(ClientAccess.Soap settings, String url) {
        this(settings, url, Instant::now, () -> {
            byte[] nonce = new byte[16];
            RANDOM.nextBytes(nonce);
            return nonce;
        }, UUID::randomUUID);
    }

    SoapHeaders(ClientAccess.Soap settings, String url, Supplier<Instant> clock, Supplier<byte[]> nonces, Supplier<UUID> ids) {
        this.settings = settings;
        this.url = url;
        this.clock = clock;
        this.nonces = nonces;
        this.ids = ids;
    }

    /** Whether answers may contain a security block that the client understands (SOAP-52). */
    boolean isSecured() {
        return settings.user != null || settings.timestamp;
    }

    /** A new id for a request, or null if the method has no addresses. */
    String newId(boolean addressing) {
        boolean wanted = settings.addressing != null ? settings.addressing : addressing;
        return wanted && url != null ? "urn:uuid:" + ids.get() : null;
    }

    /** The blocks of a request, or null if there are none. */
    byte[] blocks(String action, boolean oneway, String id) {
        if (id == null && !isSecured()) {
            return null;
        }
        String security = isSecured() ? security() : "";
        return (security + (id == null ? "" : Addressing.request(action, id, oneway, url))).getBytes(StandardCharsets.UTF_8);
    }

    private String security() {
        Instant now = clock.get();
        StringBuilder out = new StringBuilder("<wsse:Security xmlns:wsse=\"" + TextName.SECURITY + "\" xmlns:wsu=\"" + TextName.UTILITY + "\" soap:mustUnderstand=\"1\">");
        if (settings.timestamp) {
            out.append("<wsu:Timestamp><wsu:Created>").append(TIME.format(now)).append("</wsu:Created><wsu:Expires>").append(TIME.format(now.plus(VALID)))
                .append("</wsu:Expires></wsu:Timestamp>");
        }
        if (settings.user != null) {
            out.append("<wsse:UsernameToken><wsse:Username>").append(escaped(settings.user)).append("</wsse:Username><wsse:Password Type=\"").append(TYPE);
            if (settings.digest) {
                String created = TIME.format(now);
                byte[] nonce = nonces.get();
                out.append("Digest\">").append(digest(nonce, created, settings.password)).append("</wsse:Password><wsse:Nonce EncodingType=\"").append(ENCODING)
                    .append("\">").append(Base64.getEncoder().encodeToString(nonce)).append("</wsse:Nonce><wsu:Created>").append(created).append("</wsu:Created>");
            } else {
                out.append("Text\">").append(escaped(settings.password)).append("</wsse:Password>");
            }
            out.append("</wsse:UsernameToken>");
        }
        return out.append("</wsse:Security>").toString();
    }

    /** A password digest (SOAP-50). */
    static String digest(byte[] nonce, String created, String password) {
        try {
            MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
            sha1.update(nonce);
            sha1.update(created.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(sha1.digest(password.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }

    /** A text escaped as element content (XML-12). */
    static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "&#13;");
    }
}
