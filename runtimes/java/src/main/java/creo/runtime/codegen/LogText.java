package creo.runtime.codegen;

import creo.runtime.internal.buffer.Failures;
import java.util.IdentityHashMap;
import java.util.Map;

/** What the log says of peers and of failures: no text of theirs begins a line of its own. For modules of the runtime. */
public final class LogText {
    /** More characters of one message are cut off. */
    public static final int MAX_LENGTH = 4_000;
    /** More causes of a failure, and failures that it suppressed, are left out. */
    public static final int MAX_FAILURES = 100;

    private LogText() {}

    /** The text of a peer or of an exception with control characters escaped, cut to a bearable length. */
    public static String of(String text) {
        return text == null ? "null" : Failures.shown(text, MAX_LENGTH);
    }

    /**
     * A failure as the log may print it: with its trace and those of its causes, but each message on one line. It is the failure itself if nothing of
     * it had to be escaped.
     */
    public static Throwable of(Throwable failure) {
        if (failure == null) {
            return null;
        }
        Copies copies = new Copies();
        Throwable copy = copies.of(failure);
        return copies.changed ? copy : failure;
    }

    /** The copies of a failure, of its causes and of what they suppressed. These may form circles. */
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

        /** What a failure says of itself, unless it fails in that as well. */
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

    /** Looks in a log like what it is a copy of. */
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
