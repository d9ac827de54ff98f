package creo.runtime;

/** The closed list of errors (ERR-1): every failure of a call that its method does not declare is one of these. */
public enum ErrorCode {
    /** The bytes do not follow the wire's rules. */
    MALFORMED(1, "malformed"),
    /** A value cannot be written: a null that is not allowed, a lone surrogate, a date out of range. */
    INVALID_VALUE(2, "invalid-value"),
    /** A limit is exceeded. */
    TOO_LARGE(3, "too-large"),
    /** No service has the method. */
    UNKNOWN_METHOD(4, "unknown-method"),
    /** The call's deadline has passed. */
    DEADLINE_EXCEEDED(5, "deadline-exceeded"),
    /** The caller gave up. */
    CANCELLED(6, "cancelled"),
    /** No connection, a lost connection, or a server that is draining. */
    UNAVAILABLE(7, "unavailable"),
    /** The service's queue is full; nothing was started. */
    OVERLOADED(8, "overloaded"),
    /** The caller is not authenticated. */
    UNAUTHENTICATED(9, "unauthenticated"),
    /** The caller is authenticated but not allowed to make the call. */
    PERMISSION_DENIED(10, "permission-denied"),
    /** The peer speaks another protocol, or another version. */
    PROTOCOL_MISMATCH(11, "protocol-mismatch"),
    /** The method failed in a way that it did not declare. */
    INTERNAL(12, "internal"),
    /** The peer's certificate is not trusted, or is not for its name. Only clients detect it; it is never sent (ERR-2). */
    UNTRUSTED_PEER(13, "untrusted-peer");

    private static final ErrorCode[] BY_NUMBER = values();

    private final int number;
    private final String word;

    ErrorCode(int number, String word) {
        this.number = number;
        this.word = word;
    }

    /** The number on the wire. */
    public int number() {
        return number;
    }

    /** The code as written in messages, such as {@code too-large}. */
    public String word() {
        return word;
    }

    /** Whether a peer may report the code. */
    boolean isSent() {
        return this != UNTRUSTED_PEER;
    }

    /** The code of a number from a peer, or null if no code that may be sent has it. */
    static ErrorCode of(int number) {
        return number >= 1 && number <= BY_NUMBER.length && BY_NUMBER[number - 1].isSent() ? BY_NUMBER[number - 1] : null;
    }

    /** The code of a word from a peer, or null if no code that may be sent has it. */
    static ErrorCode of(String word) {
        for (ErrorCode known : BY_NUMBER) {
            if (known.word.equals(word)) {
                return known.isSent() ? known : null;
            }
        }
        return null;
    }

    @Override
    public String toString() {
        return word;
    }
}
