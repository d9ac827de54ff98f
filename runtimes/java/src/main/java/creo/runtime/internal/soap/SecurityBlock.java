package creo.runtime.internal.soap;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.text.DateTimes;
import creo.runtime.internal.text.TextName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;

/** The parts of a {@code Security} header that identify the caller and the time (SOAP-52, SOAP-53). */
final class SecurityBlock {
    /** The max difference between two clocks, and the max age of a message. */
    static final Duration TOLERANCE = Duration.ofMinutes(5);

    /** The first unknown child element, or null. */
    String foreign;
    int tokens;
    String user;
    String password;
    /** The type of the password as written, or null. */
    String type;
    String nonce;
    /** When the token was created, or null. */
    String created;
    boolean hasTimestamp;
    private String timestampCreated;
    private String timestampExpires;

    /** Reads the opened block to its end. */
    void take(SoapReader r) {
        while (r.within(null)) {
            r.startTag();
            if (r.isTag(TextName.UTILITY, "Timestamp")) {
                hasTimestamp = true;
                while (r.within(null)) {
                    r.startTag();
                    if (r.isTag(TextName.UTILITY, "Created")) {
                        timestampCreated = r.words(timestampCreated);
                    } else if (r.isTag(TextName.UTILITY, "Expires")) {
                        timestampExpires = r.words(timestampExpires);
                    } else {
                        r.skipElement();
                    }
                }
                r.endTag();
            } else if (r.isTag(TextName.SECURITY, "UsernameToken")) {
                tokens++;
                token(r);
            } else if (r.isTag(TextName.SECURITY_11, "SignatureConfirmation") && r.attribute("Value") == null) {
                r.skipElement();
            } else {
                foreign = foreign == null ? r.localName() : foreign;
                r.skipElement();
            }
        }
        r.endTag();
    }

    private void token(SoapReader r) {
        while (r.within(null)) {
            r.startTag();
            if (r.isTag(TextName.SECURITY, "Username")) {
                user = r.words(user);
            } else if (r.isTag(TextName.SECURITY, "Password")) {
                type = password == null ? r.attribute("Type") : type;
                password = r.exactWords(password);
            } else if (r.isTag(TextName.SECURITY, "Nonce")) {
                nonce = r.words(nonce);
            } else if (r.isTag(TextName.UTILITY, "Created")) {
                created = r.words(created);
            } else {
                r.skipElement();
            }
        }
        r.endTag();
    }

    /** What is wrong with a message's timestamps now, or null. */
    String untimely(Instant now) {
        if (!hasTimestamp) {
            return null;
        }
        if (timestampCreated != null && time(timestampCreated).isAfter(now.plus(TOLERANCE))) {
            return "a message that was created in the future, at " + CreoException.shown(timestampCreated);
        }
        if (timestampExpires != null && !time(timestampExpires).isAfter(now.minus(TOLERANCE))) {
            return "a message that expired at " + CreoException.shown(timestampExpires);
        }
        return null;
    }

    /** What is wrong with the time of a request, or null (SOAP-53). */
    String stale(Instant now) {
        String wrong = hasTimestamp ? stale("the message", timestampCreated, now) : null;
        if (wrong == null && timestampExpires != null && !time(timestampExpires).isAfter(now)) {
            wrong = "the message has expired";
        }
        return wrong != null ? wrong : stale("the token", created, now);
    }

    private static String stale(String what, String created, Instant now) {
        if (created == null) {
            return null;
        }
        Instant at = time(created);
        return at.isAfter(now.plus(TOLERANCE)) ? what + " was created in the future" : at.isBefore(now.minus(TOLERANCE)) ? what + " is too old" : null;
    }

    private static Instant time(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Instant time = DateTimes.parse(bytes, 0, bytes.length);
        if (time == null) {
            throw Failures.malformed("a time of security that is none: \"" + CreoException.shown(text) + "\"");
        }
        return time;
    }

    /** Checks the time of an answer (SOAP-52). */
    void checkAnswer() {
        String wrong = untimely(Instant.now());
        if (wrong != null) {
            throw Failures.ofRuntime(ErrorCode.PROTOCOL_MISMATCH, wrong);
        }
    }
}
