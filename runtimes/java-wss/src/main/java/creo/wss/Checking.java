package creo.wss;

import creo.runtime.CreoException;
import creo.runtime.Nullable;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.security.cert.X509Certificate;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** Checks one message: the children of its Security block in their order, and then what is demanded (SOAP-84, SOAP-89). */
final class Checking {
    private static final Duration TOLERANCE = Duration.ofMinutes(5);
    private static final int MAX_CHILDREN = 32;

    /**
     * A message that is accepted.
     *
     * @param envelope without what was checked
     * @param signer whose signature it has, or null
     */
    record Checked(byte[] envelope, @Nullable Principal caller, @Nullable X509Certificate signer) {}

    private final WsSecurity options;
    private final boolean isAnswer;
    private Envelope envelope;
    private Decryption decryption;
    private Signature signature;
    private Element timestamp;
    private Element assertion;
    private final List<Element> users = new ArrayList<>();

    Checking(WsSecurity options, boolean isAnswer) {
        this.options = options;
        this.isAnswer = isAnswer;
    }

    Checked check(byte[] message, int length, String charset) {
        if (length > options.maxSize) {
            throw CreoException.tooLarge("maxSize", options.maxSize, "a message with security of " + length + " bytes");
        }
        envelope = Envelope.parse(message, length, charset);
        if (envelope.security == null) {
            throw Reason.NO_SECURITY.because(isAnswer ? unsecured() : "the request has no Security block");
        }
        decryption = new Decryption(options, envelope);
        int count = 0;
        for (Node n = envelope.security.getFirstChild(); n != null; n = n.getNextSibling()) {
            if (n.getNodeType() == Node.ELEMENT_NODE) {
                if (++count > MAX_CHILDREN) {
                    throw Reason.TOO_MANY.because("more than " + MAX_CHILDREN + " elements in the Security block");
                }
                take((Element) n);
            }
        }
        demand();
        Principal caller = signature == null ? null : signature.certificate().getSubjectX500Principal();
        if (options.samlReader != null) {
            caller = bearer();
        }
        strip();
        return new Checked(envelope.toBytes(), caller, signature == null ? null : signature.certificate());
    }

    private void take(Element child) {
        String name = child.getLocalName();
        switch (String.valueOf(child.getNamespaceURI())) {
            case Names.WSU -> {
                if (name.equals("Timestamp") && timestamp == null) {
                    timestamp = child;
                    return;
                }
            }
            case Names.WSSE -> {
                if (name.equals("UsernameToken")) {
                    users.add(child);
                    return;
                }
                if (name.equals("BinarySecurityToken")) {
                    return;
                }
            }
            case Names.WSSE_11 -> {
                if (name.equals("SignatureConfirmation")) {
                    return;
                }
            }
            case Names.XENC -> {
                if (name.equals("EncryptedKey")) {
                    decryption.key(child);
                    return;
                }
                if (name.equals("ReferenceList")) {
                    decryption.list(child);
                    return;
                }
            }
            case Names.DSIG -> {
                if (name.equals("Signature") && signature == null) {
                    if (!options.trust.exists()) {
                        throw Reason.UNTRUSTED.because("a signature, but no certificate is trusted");
                    }
                    signature = Signature.verify(child, envelope, options);
                    return;
                }
            }
            case Names.SAML_2 -> {
                if (name.equals("Assertion") && assertion == null) {
                    assertion = child;
                    return;
                }
            }
            default -> {
                // Refused below.
            }
        }
        throw Reason.TOKEN.because("the Security block has " + CreoException.shown(child.getNodeName()) + ", which is unknown, or there twice");
    }

    private void demand() {
        if (options.trust.exists()) {
            if (signature == null) {
                throw Reason.NOT_SIGNED.because("the message has no signature");
            }
            demandSigned(envelope.body, "the body");
            if (options.timestamps) {
                if (timestamp == null) {
                    throw Reason.NOT_SIGNED.because("the message has no timestamp");
                }
                demandSigned(timestamp, "the timestamp");
            }
            users.forEach(user -> demandSigned(user, "the token of the user"));
            if (assertion != null) {
                demandSigned(assertion, "the assertion");
            }
            for (Element block : envelope.blocks()) {
                if (block != envelope.security && envelope.isForReceiver(block) && Writing.isNamed(block, options.requiredHeaders)) {
                    demandSigned(block, "the header element " + CreoException.shown(block.getNodeName()));
                }
            }
        }
        if (options.requireEncrypted && !decryption.ofBody()) {
            throw Reason.NOT_ENCRYPTED.because("the body is not encrypted");
        }
        if (timestamp != null) {
            demandTime();
        }
        if (signature != null) {
            options.replays.use(signature.hash());
        }
    }

    private void demandSigned(Element element, String what) {
        if (!signature.signed().contains(element)) {
            throw Reason.NOT_SIGNED.because(what + " is not signed");
        }
    }

    private void demandTime() {
        Instant now = options.clock.instant();
        Instant created = time(Dom.required(timestamp, Names.WSU, "Created"));
        Element expires = Dom.only(timestamp, Names.WSU, "Expires");
        if (created.isAfter(now.plus(TOLERANCE))) {
            throw Reason.STALE.because("the message was created in the future");
        }
        if (created.isBefore(now.minus(TOLERANCE)) || expires != null && !time(expires).isAfter(now)) {
            throw Reason.STALE.because("the message has expired");
        }
    }

    private static Instant time(Element element) {
        String text = Dom.text(element);
        try {
            return OffsetDateTime.parse(text, DateTimeFormatter.ISO_OFFSET_DATE_TIME).toInstant();
        } catch (DateTimeException e) {
            throw Reason.UNREADABLE.because("a time that is none: \"" + CreoException.shown(text) + "\"");
        }
    }

    private Principal bearer() {
        if (assertion == null) {
            throw Reason.FAILED_AUTHENTICATION.because("the request has no assertion of SAML 2.0");
        }
        Principal caller;
        try {
            caller = options.samlReader.apply(Dom.standalone(assertion).getBytes(StandardCharsets.UTF_8));
        } catch (CreoException e) {
            throw Reason.FAILED_AUTHENTICATION.because("the assertion is not accepted");
        }
        if (caller == null) {
            throw Reason.FAILED_AUTHENTICATION.because("the assertion is not accepted");
        }
        return caller;
    }

    /** Removes what was checked: of the Security block, tokens of users stay for the service. */
    private void strip() {
        for (Element block : envelope.blocks()) {
            block.removeAttributeNS(Names.WSU, "Id");
        }
        Node next;
        for (Node n = envelope.security.getFirstChild(); n != null; n = next) {
            next = n.getNextSibling();
            if (!users.contains(n)) {
                envelope.security.removeChild(n);
            }
        }
        if (users.isEmpty()) {
            envelope.header.removeChild(envelope.security);
        }
    }

    /** What is said of an answer without security: if it is a fault, its words. */
    private String unsecured() {
        for (Element fault : Dom.children(envelope.body)) {
            if (Dom.is(fault, envelope.soap, "Fault")) {
                return "the answer is a fault without security: " + CreoException.shown(words(fault, List.of("faultcode", "Value")) + ": " + words(fault, List.of("faultstring", "Text")));
            }
        }
        return "the answer has no Security block";
    }

    /** The text of the first element with one of these local names, at any depth. */
    private static String words(Element within, List<String> names) {
        for (Element child : Dom.children(within)) {
            String found = names.contains(child.getLocalName()) ? child.getTextContent().strip() : words(child, names);
            if (!found.isEmpty()) {
                return found;
            }
        }
        return "";
    }
}
