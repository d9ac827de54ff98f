package creo.runtime.internal.call;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.codegen.Reader;
import creo.runtime.codegen.ServiceInterface;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.internal.buffer.Failures;
import java.util.LinkedHashMap;
import java.util.Map;

/** Errors from a peer, and their form on the binary wire (ERR-3). */
public final class Errors {
    public static final int MOST_DETAILS = 128;

    private Errors() {}

    /** The error for a code's word from a peer. */
    public static CreoException ofPeer(String code, String message, Map<String, String> details) {
        ErrorCode known = Failures.of(code);
        return known != null ? Failures.ofPeer(known, message, details)
            : Failures.ofPeer(ErrorCode.INTERNAL, "error " + code + ", which this client does not know: " + message, details);
    }

    /** Reads the peer's error and adds the peer's address to its details. */
    public static CreoException decode(Reader r, String peer) {
        int number = r.readByte() & 0xff;
        String message = r.readString();
        Map<String, String> details = new LinkedHashMap<>();
        int n = r.readCount(2, 0);
        for (int i = 0; i < n; i++) {
            String key = r.readString();
            String value = r.readString();
            if (i < MOST_DETAILS && details.put(key, value) != null) {
                throw Failures.malformed("a duplicate detail");
            }
        }
        r.finish();
        details.put("peer", peer);
        ErrorCode code = Failures.of(number);
        if (code == null) {
            return Failures.ofPeer(ErrorCode.INTERNAL, "error " + number + ", which this client does not know: " + message, details);
        }
        return Failures.ofPeer(code, message, details);
    }

    /** The same error with the time of a header {@code Retry-After}, which may be null, unless it says another (CALL-24). */
    public static CreoException withRetryAfter(CreoException e, String seconds) {
        boolean told = e.details().containsKey("retry-after") || seconds == null || !seconds.matches("[0-9]+");
        return told ? e : Failures.with(e, "retry-after", seconds + "000");
    }

    /** Adds what both sides know of the method to the error (ERR-5). */
    public static CreoException explain(CreoException e, ServiceMethod<?, ?> method) {
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
        // The list comes last, because a long one is truncated (ERR-8).
        text.append("); it offers");
        String before = " ";
        for (Map.Entry<String, String> offer : e.details().entrySet()) {
            if (!offer.getKey().equals("peer") && !offer.getKey().equals("started")) {
                text.append(before).append(offer.getKey()).append(" with ").append(offer.getValue());
                before = ", ";
            }
        }
        text.append(before.equals(" ") ? " nothing" : "");
        return Failures.ofPeer(e.code(), text.toString(), e.details());
    }
}
