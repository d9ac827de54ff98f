package creo.runtime;

import creo.runtime.internal.buffer.Failures;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * An error with a code from the closed list (ERR-1): what went wrong, where in the value, and at which byte.
 *
 * <p>A service may throw it to answer with a code and message of its choice. Any other undeclared exception reaches the caller as {@link
 * ErrorCode#INTERNAL} without any detail (ERR-6).
 */
public final class CreoException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int LONGEST_PEER_TEXT = 1_000;
    private static final Duration MAX_WAIT = Duration.ofDays(365);

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
            public CreoException changed(CreoException e, String reason, Map<String, String> details) {
                return e.changed(reason, details);
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
    @SuppressWarnings("serial") // Every map stored here is serializable.
    private final Map<String, String> details;
    private final boolean fromPeer;
    /** Whether the runtime created it. Its text then describes this process, and a service must not pass it on (ERR-6). */
    private final boolean byRuntime;
    private String root = "$";
    /** The path after the root, or null if the error has none. */
    private String path;
    private long offset = -1;
    /** An index into a reader's window, to be resolved to an offset, or -1. */
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

    /** The error code. */
    public ErrorCode code() {
        return code;
    }

    /** The message without code, path and offset. */
    public String reason() {
        return reason;
    }

    /** Where in the value, such as {@code $.data[3].metadata.timestamp}, or null if the error has none (BIN-15). */
    public @Nullable String place() {
        return path != null ? root + path : details().get("place");
    }

    /** The offset of the byte in the body, or -1 if the error has none. */
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

    /** Further details; ERR-4 names the keys with a fixed meaning. */
    public Map<String, String> details() {
        return details;
    }

    /** Whether the peer reported the error. */
    public boolean fromPeer() {
        return fromPeer;
    }

    /** Whether it is certain that the method has not begun to run, so that the call may be repeated (CALL-21). */
    public boolean notStarted() {
        return "no".equals(details.get("started"));
    }

    /** The time after which the peer asks to come again (CALL-24), at most 365 days; null if it does not say. */
    public @Nullable Duration retryAfter() {
        String text = details.get("retry-after");
        if (text == null || text.isEmpty() || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return null;
        }
        String number = text.replaceFirst("^0+(?=.)", "");
        Duration time = number.length() > 15 ? MAX_WAIT : Duration.ofMillis(Long.parseLong(number));
        return time.compareTo(MAX_WAIT) < 0 ? time : MAX_WAIT;
    }

    /** The whole error on one line: {@code code: message (at path, byte offset)} (ERR-7). */
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

    /** Adds the named field to the error's path. For generated code. */
    public CreoException in(String field) {
        return prefix("." + field);
    }

    /** Adds an array index to the error's path. For generated code. */
    public CreoException item(long index) {
        return prefix("[" + index + "]");
    }

    /** Adds the key of a map entry to the error's path. For generated code. */
    public CreoException key(int index) {
        return prefix("{" + index + "}.key");
    }

    /** Adds the value of a map entry to the error's path. For generated code. */
    public CreoException value(int index) {
        return prefix("{" + index + "}.value");
    }

    /** The error for a null value that must not be null. For generated code. */
    public static CreoException missing() {
        return invalid("null, where a value must be");
    }

    /** The error for a value that cannot be written; callers complete its path. For generated code. */
    public static CreoException invalid(String reason) {
        return ofRuntime(ErrorCode.INVALID_VALUE, reason).placed();
    }

    /** The error for an undeclared checked exception of a method. For generated code. */
    public static CreoException undeclared(Exception e) {
        return ofRuntime(ErrorCode.INTERNAL, "an exception that the method does not declare: " + e, e);
    }

    /** A local error, which a service does not pass on (ERR-6). For transports; the cause may be null. */
    public static CreoException ofRuntime(ErrorCode code, String reason, Throwable cause) {
        return new CreoException(code, reason, Map.of(), false, true, cause);
    }

    static CreoException ofRuntime(ErrorCode code, String reason) {
        return new CreoException(code, reason, Map.of(), false, true, null);
    }

    static CreoException withDetails(ErrorCode code, String reason, Map<String, String> details) {
        return new CreoException(code, reason, details, false, true, null);
    }

    /** An error reported by the peer. */
    static CreoException ofPeer(ErrorCode code, String reason, Map<String, String> details) {
        return new CreoException(code, shown(reason), Map.copyOf(details), true, true, null);
    }

    /** A copy with the stack of the present caller; the first error is its cause. */
    CreoException again() {
        return placedAs(new CreoException(code, reason, details, fromPeer, true, this));
    }

    /** A copy that says something else; its stack and its cause are the same. */
    private CreoException changed(String otherReason, Map<String, String> otherDetails) {
        CreoException e = placedAs(new CreoException(code, otherReason, otherDetails, fromPeer, byRuntime, getCause()));
        e.setStackTrace(getStackTrace());
        return e;
    }

    private CreoException placedAs(CreoException e) {
        e.root = root;
        e.path = path;
        e.offset = offset;
        return e;
    }

    boolean byRuntime() {
        return byRuntime;
    }

    /** An error at an index of a reader's window; the reader resolves the index to an offset. */
    static CreoException malformedInWindow(int index, String reason) {
        CreoException e = ofRuntime(ErrorCode.MALFORMED, reason).placed();
        e.windowIndex = index;
        return e;
    }

    static CreoException malformed(String reason) {
        return ofRuntime(ErrorCode.MALFORMED, reason);
    }

    /** The error for an exceeded limit. For transports. */
    public static CreoException tooLarge(String limit, long allowed, String reason) {
        Map<String, String> details = new LinkedHashMap<>();
        details.put("limit", limit);
        details.put("allowed", Long.toString(allowed));
        return new CreoException(ErrorCode.TOO_LARGE, reason + ": " + limit + " is " + allowed, details, false, true, null);
    }

    /** Sets the path to the root. */
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

    /** Resolves an index into a window, whose first byte has the offset {@code base}, to an offset in the body. */
    CreoException resolve(long base) {
        if (windowIndex >= 0) {
            offset = base + windowIndex;
            windowIndex = -1;
        }
        return this;
    }

    /** The index into a window that was not resolved yet, or -1. */
    int windowIndex() {
        return windowIndex;
    }

    CreoException root(String name) {
        root = name;
        return this;
    }

    /** Prepends a step to the error's path. */
    CreoException within(String part) {
        return prefix(part);
    }

    private CreoException prefix(String part) {
        if (path != null) {
            path = part + path;
        }
        return this;
    }

    /** Text of a peer, with control characters escaped and truncated (ERR-8). */
    public static String shown(String text) {
        return shown(text, LONGEST_PEER_TEXT);
    }

    /** The same, truncated to the given length. */
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
