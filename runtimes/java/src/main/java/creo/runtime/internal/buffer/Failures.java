package creo.runtime.internal.buffer;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import java.lang.invoke.MethodHandles;
import java.util.LinkedHashMap;
import java.util.Map;

/** Operations on errors that the runtime needs and users must not have. {@link CreoException} grants the access to its members. */
public final class Failures {
    /** The members of {@link CreoException} and {@link ErrorCode} that are not for users. */
    public interface Access {
        CreoException ofRuntime(ErrorCode code, String reason);

        CreoException withDetails(ErrorCode code, String reason, Map<String, String> details);

        CreoException ofPeer(ErrorCode code, String reason, Map<String, String> details);

        CreoException malformedInWindow(int index, String reason);

        CreoException again(CreoException e);

        CreoException changed(CreoException e, String reason, Map<String, String> details);

        boolean byRuntime(CreoException e);

        CreoException placed(CreoException e);

        CreoException at(CreoException e, long offset);

        CreoException resolve(CreoException e, long base);

        int windowIndex(CreoException e);

        CreoException root(CreoException e, String name);

        CreoException within(CreoException e, String part);

        String shown(String text, int longest);

        ErrorCode of(int number);

        ErrorCode of(String word);
    }

    private static Access access;

    private Failures() {}

    /** Called once, by the class that has the members. */
    public static void open(Access own) {
        if (access != null) {
            throw new IllegalStateException("open already");
        }
        access = own;
    }

    private static Access access() {
        Access known = access;
        if (known == null) {
            try {
                MethodHandles.lookup().ensureInitialized(CreoException.class);
            } catch (IllegalAccessException e) {
                throw new AssertionError(e);
            }
            known = access;
        }
        return known;
    }

    /** A local error, which a service does not pass on (ERR-6). */
    public static CreoException ofRuntime(ErrorCode code, String reason) {
        return access().ofRuntime(code, reason);
    }

    /** The same, with details. */
    public static CreoException withDetails(ErrorCode code, String reason, Map<String, String> details) {
        return access().withDetails(code, reason, details);
    }

    /** An error reported by the peer. */
    public static CreoException ofPeer(ErrorCode code, String reason, Map<String, String> details) {
        return access().ofPeer(code, reason, details);
    }

    /** The error for bytes that violate the wire's rules. */
    public static CreoException malformed(String reason) {
        return access().ofRuntime(ErrorCode.MALFORMED, reason);
    }

    /** An error at an index of a reader's window; the reader resolves the index to an offset. */
    public static CreoException malformedInWindow(int index, String reason) {
        return access().malformedInWindow(index, reason);
    }

    /** A copy with the stack of the present caller; the first error is its cause. */
    public static CreoException again(CreoException e) {
        return access().again(e);
    }

    /** The same error with another detail, another value of it, or without it if the value is null. */
    public static CreoException with(CreoException e, String key, String value) {
        Map<String, String> details = new LinkedHashMap<>(e.details());
        if (value == null) {
            details.remove(key);
        } else {
            details.put(key, value);
        }
        return access().changed(e, e.reason(), details);
    }

    /** The same error, which says that the method has not begun to run (CALL-21). */
    public static CreoException notStarted(CreoException e) {
        return e.notStarted() ? e : with(e, "started", "no");
    }

    /** The same error with another message. */
    public static CreoException withReason(CreoException e, String reason) {
        return access().changed(e, reason, e.details());
    }

    /** Whether the runtime created the error. Its text then describes this process, and a service must not pass it on (ERR-6). */
    public static boolean byRuntime(CreoException e) {
        return access().byRuntime(e);
    }

    /** Sets the error's path to the root. */
    public static CreoException placed(CreoException e) {
        return access().placed(e);
    }

    /** Gives the error an offset in the body. */
    public static CreoException at(CreoException e, long offset) {
        return access().at(e, offset);
    }

    /** Resolves an index into a window, whose first byte has the offset {@code base}, to an offset in the body. */
    public static CreoException resolve(CreoException e, long base) {
        return access().resolve(e, base);
    }

    /** The index into a window that was not resolved yet, or -1. */
    public static int windowIndex(CreoException e) {
        return access().windowIndex(e);
    }

    /** Names the root of the error's path. */
    public static CreoException root(CreoException e, String name) {
        return access().root(e, name);
    }

    /** Prepends a step to the error's path. */
    public static CreoException within(CreoException e, String part) {
        return access().within(e, part);
    }

    /** Throws an exception as it is, whatever the method around declares: {@code throw Failures.asItIs(e)}. */
    @SuppressWarnings("unchecked") // The type of the exception is not used.
    public static <E extends Throwable> RuntimeException asItIs(Throwable e) throws E {
        throw (E) e;
    }

    /** Text of a peer, with control characters escaped and truncated to a length (ERR-8). */
    public static String shown(String text, int longest) {
        return access().shown(text, longest);
    }

    /** The code of a number from a peer, or null if no code that may be sent has it. */
    public static ErrorCode of(int number) {
        return access().of(number);
    }

    /** The code of a word from a peer, or null if no code that may be sent has it. */
    public static ErrorCode of(String word) {
        return access().of(word);
    }
}
