package creo.runtime;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** Errors as peers see them; and the body of an error on the binary wire (ERR-3). */
final class Errors {
    private static final System.Logger LOG = System.getLogger("creo.runtime");
    private static final int LONGEST_MESSAGE = 4_096;
    static final int MOST_DETAILS = 128;

    private Errors() {}

    static void encode(Writer w, CreoException e) {
        w.writeByte((byte) e.code().number());
        writeText(w, e.reason());
        Map<String, String> details = details(e);
        w.writeCount(details.size());
        details.forEach((key, value) -> {
            writeText(w, key);
            writeText(w, value);
        });
    }

    /** Writes a text that nobody checked: cut, and without lone surrogates, so that an error always gets through. */
    private static void writeText(Writer w, String text) {
        String cut = text.length() > LONGEST_MESSAGE ? text.substring(0, LONGEST_MESSAGE) : text;
        StringBuilder sound = new StringBuilder(cut.length());
        cut.codePoints().forEach(c -> sound.appendCodePoint(c >= 0xd800 && c <= 0xdfff ? 0xfffd : c));
        w.writeString(sound.toString());
    }

    /** A text that nobody checked: cut, and without what XML cannot hold, so that an error always gets through. */
    static String sound(String text) {
        String cut = text.length() > LONGEST_MESSAGE ? text.substring(0, LONGEST_MESSAGE) : text;
        StringBuilder sound = new StringBuilder(cut.length());
        cut.codePoints().forEach(c -> {
            boolean allowed = c >= 0x20 && (c < 0xd800 || c > 0xdfff) && c != 0xfffe && c != 0xffff || c == '\t' || c == '\n' || c == '\r';
            sound.appendCodePoint(allowed ? c : 0xfffd);
        });
        return sound.toString();
    }

    /** The error that a peer reports by the word of its code. */
    static CreoException ofPeer(String code, String message, Map<String, String> details) {
        ErrorCode known = ErrorCode.of(code);
        return known != null ? CreoException.ofPeer(known, message, details)
            : CreoException.ofPeer(ErrorCode.INTERNAL, "error " + code + ", which this client does not know: " + message, details);
    }

    /** The error that the peer reports, with the peer's address among its details. */
    static CreoException decode(Reader r, String peer) {
        int number = r.readByte() & 0xff;
        String message = r.readString();
        Map<String, String> details = new LinkedHashMap<>();
        int n = r.readCount(2, 0);
        for (int i = 0; i < n; i++) {
            String key = r.readString();
            String value = r.readString();
            if (i < MOST_DETAILS && details.put(key, value) != null) {
                throw CreoException.malformed("a detail that stands there twice");
            }
        }
        r.finish();
        details.put("peer", peer);
        ErrorCode code = ErrorCode.of(number);
        if (code == null) {
            return CreoException.ofPeer(ErrorCode.INTERNAL, "error " + number + ", which this client does not know: " + message, details);
        }
        return CreoException.ofPeer(code, message, details);
    }

    /** The same error, with what both sides have of the method (ERR-5). */
    static CreoException explain(CreoException e, ServiceMethod<?, ?> method) {
        if (e.code() != ErrorCode.UNKNOWN_METHOD) {
            return e;
        }
        ServiceInterface ours = method.owner();
        StringBuilder text = new StringBuilder("the server does not know ").append(method).append(" (").append(ours.name()).append(" with the fingerprint ")
            .append(ours.fingerprintText()).append(" here");
        String theirs = e.details().get(ours.name());
        if (theirs != null && !theirs.equals(ours.fingerprintText())) {
            text.append(" and ").append(theirs).append(" there: the two sides were generated from different descriptions");
        }
        // The list comes last: a long one is cut (ERR-8).
        text.append("); it offers");
        String before = " ";
        for (Map.Entry<String, String> offer : e.details().entrySet()) {
            if (!offer.getKey().equals("peer")) {
                text.append(before).append(offer.getKey()).append(" with ").append(offer.getValue());
                before = ", ";
            }
        }
        text.append(before.equals(" ") ? " nothing" : "");
        return CreoException.ofPeer(e.code(), text.toString(), e.details());
    }

    /** The details of an error, its place and offset among them. */
    static Map<String, String> details(CreoException e) {
        Map<String, String> details = new LinkedHashMap<>(e.details());
        if (e.place() != null) {
            details.put("place", e.place());
        }
        if (e.offset() >= 0) {
            details.put("offset", Long.toString(e.offset()));
        }
        return details;
    }

    /** What leaves the service of a failure that the method does not declare (ERR-6): a reference to the log, no more. */
    static CreoException internal(Object method, Throwable failure) {
        String reference = String.format("%08x", ThreadLocalRandom.current().nextInt());
        LOG.log(System.Logger.Level.ERROR, method + " failed (reference " + reference + ")", LogText.of(failure));
        return CreoException.ofRuntime(ErrorCode.INTERNAL, "the service failed (reference " + reference + ")");
    }
}
