package creo.runtime;

/** The closed list of errors (ERR-1): every failure of a call that its method does not declare is one of these. */
public enum ErrorCode {
    /** The bytes do not follow the wire's rules. */
    MALFORMED(1, "malformed"),
    /** A value cannot be written: null where none may be, a lone surrogate, a date out of range. */
    INVALID_VALUE(2, "invalid-value"),
    /** A limit is exceeded. */
    TOO_LARGE(3, "too-large"),
    /** No service has the method. */
    UNKNOWN_METHOD(4, "unknown-method"),
    /** The time for the call is over. */
    DEADLINE_EXCEEDED(5, "deadline-exceeded"),
    /** The caller gave up. */
    CANCELLED(6, "cancelled"),
    /** No connection, a lost one, or a server that drains. */
    UNAVAILABLE(7, "unavailable"),
    /** The service's queue is full; nothing was started. */
    OVERLOADED(8, "overloaded"),
    /** Who calls is not known. */
    UNAUTHENTICATED(9, "unauthenticated"),
    /** Who calls is known and may not. */
    PERMISSION_DENIED(10, "permission-denied"),
    /** The peer speaks another protocol, or another version. */
    PROTOCOL_MISMATCH(11, "protocol-mismatch"),
    /** The method failed in a way that it did not declare. */
    INTERNAL(12, "internal"),
    /** The certificate of the other side is not accepted, or is not for its name. Found by clients alone, and never sent (ERR-2). */
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

    /** The code as it is written in messages, such as {@code too-large}. */
    public String word() {
        return word;
    }

    /** Whether a peer may report the code. */
    boolean isSent() {
        return this != UNTRUSTED_PEER;
    }

    /** The code of a number that a peer sent, or null if it is none that may be sent. */
    static ErrorCode of(int number) {
        return number >= 1 && number <= BY_NUMBER.length && BY_NUMBER[number - 1].isSent() ? BY_NUMBER[number - 1] : null;
    }

    /** The code of a word that a peer sent, or null if it is none that may be sent. */
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
