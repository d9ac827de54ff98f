package creo.runtime;

import creo.runtime.internal.buffer.Failures;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * An error of the closed list (ERR-1): what went wrong, where in the value, at which byte.
 *
 * <p>A service may throw it to answer with a code and a message of its choice; every other exception that a method does not
 * declare reaches the caller as {@link ErrorCode#INTERNAL} without any detail (ERR-6).
 */
public final class CreoException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int LONGEST_PEER_TEXT = 1_000;

    static {
        Failures.open(new Failures.Access() {
            @Override
            public CreoException ofRuntime(ErrorCode code, String reason) {
                return CreoException.ofRuntime(code, reason);
            }

            @Override
            public CreoException withDetails(ErrorCode code, String reason, Map<String, String> details) {
                return new CreoException(code, reason, details, false, true, null);
            }

            @Override
            public CreoException ofPeer(ErrorCode code, String reason, Map<String, String> details) {
                return new CreoException(code, CreoException.shown(reason), Map.copyOf(details), true, true, null);
            }

            @Override
            public CreoException malformedInWindow(int index, String reason) {
                return CreoException.malformedInWindow(index, reason);
            }

            @Override
            public CreoException again(CreoException e) {
                return e.again();
            }

            @Override
            public boolean byRuntime(CreoException e) {
                return e.byRuntime;
            }

            @Override
            public CreoException placed(CreoException e) {
                return e.placed();
            }

            @Override
            public CreoException at(CreoException e, long offset) {
                return e.at(offset);
            }

            @Override
            public CreoException resolve(CreoException e, long base) {
                return e.resolve(base);
            }

            @Override
            public int windowIndex(CreoException e) {
                return e.windowIndex;
            }

            @Override
            public CreoException root(CreoException e, String name) {
                return e.root(name);
            }

            @Override
            public CreoException within(CreoException e, String part) {
                return e.prefix(part);
            }

            @Override
            public String shown(String text, int longest) {
                return CreoException.shown(text, longest);
            }

            @Override
            public ErrorCode of(int number) {
                return ErrorCode.of(number);
            }

            @Override
            public ErrorCode of(String word) {
                return ErrorCode.of(word);
            }
        });
    }

    private final ErrorCode code;
    private final String reason;
    @SuppressWarnings("serial") // Every map that comes here is serializable.
    private final Map<String, String> details;
    private final boolean fromPeer;
    /** Whether a runtime made it: then it says something about this process, which a service must not pass on (ERR-6). */
    private final boolean byRuntime;
    private String root = "$";
    /** What follows the root, or null when the error has no place. */
    private String path;
    private long offset = -1;
    /** An index into the window of a reader that has yet to turn it into an offset, or -1. */
    private int windowIndex = -1;

    public CreoException(ErrorCode code, String reason) {
        this(code, reason, Map.of(), false, false, null);
    }

    public CreoException(ErrorCode code, String reason, Throwable cause) {
        this(code, reason, Map.of(), false, false, cause);
    }

    public CreoException(ErrorCode code, String reason, Map<String, String> details) {
        this(code, reason, Map.copyOf(details), false, false, null);
    }

    private CreoException(ErrorCode code, String reason, Map<String, String> details, boolean fromPeer, boolean byRuntime, Throwable cause) {
        super(null, cause);
        this.byRuntime = byRuntime || !code.isSent();
        this.code = Objects.requireNonNull(code, "code");
        this.reason = Objects.requireNonNull(reason, "reason");
        this.details = details;
        this.fromPeer = fromPeer;
    }

    /** The code of the list. */
    public ErrorCode code() {
        return code;
    }

    /** What happened, without code, place and offset. */
    public String reason() {
        return reason;
    }

    /** Where in the value, such as {@code $.data[3].metadata.timestamp}, or null when the error has no place (BIN-15). */
    public @Nullable String place() {
        return path != null ? root + path : details().get("place");
    }

    /** At which byte of the body, or -1 when the error has no offset. */
    public long offset() {
        if (offset < 0 && fromPeer && details().containsKey("offset")) {
            try {
                return Long.parseLong(details().get("offset"));
            } catch (NumberFormatException e) {
                return -1;
            }
        }
        return offset;
    }

    /** What else is known; ERR-4 names the keys with a fixed meaning. */
    public Map<String, String> details() {
        return details;
    }

    /** Whether the peer reported the error. */
    public boolean fromPeer() {
        return fromPeer;
    }

    /** One line: {@code code: message (at place, byte offset)} (ERR-7). */
    @Override
    public String getMessage() {
        StringBuilder text = new StringBuilder(code.word()).append(": ").append(reason);
        String place = place();
        if (place != null || offset() >= 0) {
            text.append(" (");
            if (place != null) {
                text.append("at ").append(fromPeer ? shown(place) : place);
            }
            if (offset() >= 0) {
                text.append(place != null ? ", byte " : "byte ").append(offset());
            }
            text.append(')');
        }
        return text.toString();
    }

    /** Says that the error lies within the named field. For generated code. */
    public CreoException in(String field) {
        return prefix("." + field);
    }

    /** Says that the error lies within an item of an array. For generated code. */
    public CreoException item(int index) {
        return prefix("[" + index + "]");
    }

    /** Says that the error lies within the key of an entry of a map. For generated code. */
    public CreoException key(int index) {
        return prefix("{" + index + "}.key");
    }

    /** Says that the error lies within the value of an entry of a map. For generated code. */
    public CreoException value(int index) {
        return prefix("{" + index + "}.value");
    }

    /** A value is null where none may be. For generated code. */
    public static CreoException missing() {
        return invalid("null, where a value must be");
    }

    /** A value that cannot be written, at a place that callers complete. For generated code. */
    public static CreoException invalid(String reason) {
        return ofRuntime(ErrorCode.INVALID_VALUE, reason).placed();
    }

    /** A method threw a checked exception that it does not declare. For generated code. */
    public static CreoException undeclared(Exception e) {
        return ofRuntime(ErrorCode.INTERNAL, "an exception that the method does not declare: " + e, e);
    }

    /** An error of this side, which a service that meets it does not pass on (ERR-6). For transports; the cause may be null. */
    public static CreoException ofRuntime(ErrorCode code, String reason, Throwable cause) {
        return new CreoException(code, reason, Map.of(), false, true, cause);
    }

    static CreoException ofRuntime(ErrorCode code, String reason) {
        return new CreoException(code, reason, Map.of(), false, true, null);
    }

    static CreoException withDetails(ErrorCode code, String reason, Map<String, String> details) {
        return new CreoException(code, reason, details, false, true, null);
    }

    /** An error that the peer reported. */
    static CreoException ofPeer(ErrorCode code, String reason, Map<String, String> details) {
        return new CreoException(code, shown(reason), Map.copyOf(details), true, true, null);
    }

    /** The same error, as one that its caller sees: with its own stack, the first as its cause. */
    CreoException again() {
        CreoException e = new CreoException(code, reason, details, fromPeer, true, this);
        e.root = root;
        e.path = path;
        e.offset = offset;
        return e;
    }

    boolean byRuntime() {
        return byRuntime;
    }

    /** Bytes at an index of a reader's window are wrong; the reader turns the index into an offset. */
    static CreoException malformedInWindow(int index, String reason) {
        CreoException e = ofRuntime(ErrorCode.MALFORMED, reason).placed();
        e.windowIndex = index;
        return e;
    }

    static CreoException malformed(String reason) {
        return ofRuntime(ErrorCode.MALFORMED, reason);
    }

    /** More than a limit allows. For transports. */
    public static CreoException tooLarge(String limit, long allowed, String reason) {
        Map<String, String> details = new LinkedHashMap<>();
        details.put("limit", limit);
        details.put("allowed", Long.toString(allowed));
        return new CreoException(ErrorCode.TOO_LARGE, reason + ": " + limit + " is " + allowed, details, false, true, null);
    }

    /** Gives the error a place, the root so far. */
    CreoException placed() {
        if (path == null) {
            path = "";
        }
        return this;
    }

    CreoException at(long bodyOffset) {
        offset = bodyOffset;
        return this;
    }

    /** Turns an index into a window, whose first byte has the offset {@code base}, into an offset of the body. */
    CreoException resolve(long base) {
        if (windowIndex >= 0) {
            offset = base + windowIndex;
            windowIndex = -1;
        }
        return this;
    }

    /** The index into a window that was not turned into an offset yet, or -1. */
    int windowIndex() {
        return windowIndex;
    }

    CreoException root(String name) {
        root = name;
        return this;
    }

    /** Says that the error lies at a path within what was read or written. */
    CreoException within(String part) {
        return prefix(part);
    }

    private CreoException prefix(String part) {
        if (path != null) {
            path = part + path;
        }
        return this;
    }

    /** Text of a peer, with control characters escaped and cut to a bearable length (ERR-8). */
    public static String shown(String text) {
        return shown(text, LONGEST_PEER_TEXT);
    }

    /** The same, cut to another length. */
    static String shown(String text, int longest) {
        int n = Math.min(text.length(), longest);
        StringBuilder out = new StringBuilder(n + 8);
        for (int i = 0; i < n; i++) {
            char c = text.charAt(i);
            if (Character.isISOControl(c) || Character.getType(c) == Character.FORMAT || c == '\u2028' || c == '\u2029') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return text.length() > n ? out.append("...").toString() : out.toString();
    }
}
