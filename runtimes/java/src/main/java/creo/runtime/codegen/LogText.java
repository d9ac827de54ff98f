package creo.runtime.codegen;

import creo.runtime.internal.buffer.Failures;
import java.util.IdentityHashMap;
import java.util.Map;

/** Text of peers and failures for the log: it cannot begin a new line. For modules of the runtime. */
public final class LogText {
    /** The max number of characters of a message; the rest is cut off. */
    public static final int MAX_LENGTH = 4_000;
    /** The max number of causes and suppressed exceptions of a failure; further ones are left out. */
    public static final int MAX_FAILURES = 100;

    private LogText() {}

    /** The text of a peer or of an exception with control characters escaped, truncated. */
    public static String of(String text) {
        return text == null ? "null" : Failures.shown(text, MAX_LENGTH);
    }

    /**
     * A failure in a form that is safe to log: it has its trace and causes, but each message is on one line. If nothing had to be escaped, the
     * failure itself is returned.
     */
    public static Throwable of(Throwable failure) {
        if (failure == null) {
            return null;
        }
        Copies copies = new Copies();
        Throwable copy = copies.of(failure);
        return copies.changed ? copy : failure;
    }

    /** Copies a failure with its causes and suppressed exceptions, which may form cycles. */
    private static final class Copies {
        private final Map<Throwable, Copy> made = new IdentityHashMap<>();
        private boolean changed;

        Copy of(Throwable failure) {
            Copy copy = made.get(failure);
            if (copy != null) {
                return copy;
            }
            String text = text(failure);
            String escaped = LogText.of(text);
            changed |= !escaped.equals(text);
            copy = new Copy(escaped, failure.getStackTrace());
            made.put(failure, copy);
            Throwable cause = cause(failure);
            if (cause != null && hasRoom()) {
                copy.cause = of(cause);
            }
            for (Throwable suppressed : failure.getSuppressed()) {
                if (hasRoom() && suppressed != failure) {
                    copy.addSuppressed(of(suppressed));
                }
            }
            return copy;
        }

        private boolean hasRoom() {
            boolean room = made.size() < MAX_FAILURES;
            changed |= !room;
            return room;
        }

        /** The failure's text, even if its methods fail. */
        private String text(Throwable failure) {
            try {
                return String.valueOf(failure.toString());
            } catch (RuntimeException | Error e) {
                changed = true;
                return failure.getClass().getName();
            }
        }

        private Throwable cause(Throwable failure) {
            try {
                return failure.getCause();
            } catch (RuntimeException | Error e) {
                changed = true;
                return null;
            }
        }
    }

    /** Looks like its original in a log. */
    private static final class Copy extends Throwable {
        private static final long serialVersionUID = 1L;

        private final String text;
        private transient Copy cause;

        Copy(String text, StackTraceElement[] trace) {
            this.text = text;
            setStackTrace(trace);
        }

        @Override
        public Throwable fillInStackTrace() {
            return this;
        }

        @Override
        public synchronized Throwable getCause() {
            return cause;
        }

        @Override
        public String getMessage() {
            return text;
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
