package creo.runtime.internal.buffer;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import java.lang.invoke.MethodHandles;
import java.util.Map;

/** What the runtime may do with its errors, and users may not. {@link CreoException} hands over the access to its own members. */
public final class Failures {
    /** The members of {@link CreoException} and {@link ErrorCode} that are not for users. */
    public interface Access {
        CreoException ofRuntime(ErrorCode code, String reason);

        CreoException withDetails(ErrorCode code, String reason, Map<String, String> details);

        CreoException ofPeer(ErrorCode code, String reason, Map<String, String> details);

        CreoException malformedInWindow(int index, String reason);

        CreoException again(CreoException e);

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

    /** Called once, by the class whose members these are. */
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

    /** An error of this side, which a service that meets it does not pass on (ERR-6). */
    public static CreoException ofRuntime(ErrorCode code, String reason) {
        return access().ofRuntime(code, reason);
    }

    /** The same, with details. */
    public static CreoException withDetails(ErrorCode code, String reason, Map<String, String> details) {
        return access().withDetails(code, reason, details);
    }

    /** An error that the peer reported. */
    public static CreoException ofPeer(ErrorCode code, String reason, Map<String, String> details) {
        return access().ofPeer(code, reason, details);
    }

    /** Bytes that do not follow the wire's rules. */
    public static CreoException malformed(String reason) {
        return access().ofRuntime(ErrorCode.MALFORMED, reason);
    }

    /** Bytes at an index of a reader's window are wrong; the reader turns the index into an offset. */
    public static CreoException malformedInWindow(int index, String reason) {
        return access().malformedInWindow(index, reason);
    }

    /** The same error, as one that its caller sees: with its own stack, the first as its cause. */
    public static CreoException again(CreoException e) {
        return access().again(e);
    }

    /** Whether a runtime made the error: then it says something about this process, which a service must not pass on (ERR-6). */
    public static boolean byRuntime(CreoException e) {
        return access().byRuntime(e);
    }

    /** Gives the error a place, the root so far. */
    public static CreoException placed(CreoException e) {
        return access().placed(e);
    }

    /** Gives the error an offset in the body. */
    public static CreoException at(CreoException e, long offset) {
        return access().at(e, offset);
    }

    /** Turns an index into a window, whose first byte has the offset {@code base}, into an offset of the body. */
    public static CreoException resolve(CreoException e, long base) {
        return access().resolve(e, base);
    }

    /** The index into a window that was not turned into an offset yet, or -1. */
    public static int windowIndex(CreoException e) {
        return access().windowIndex(e);
    }

    /** Names the root of the error's place. */
    public static CreoException root(CreoException e, String name) {
        return access().root(e, name);
    }

    /** Says that the error lies at a path within what was read or written. */
    public static CreoException within(CreoException e, String part) {
        return access().within(e, part);
    }

    /** Text of a peer, with control characters escaped and cut to a length (ERR-8). */
    public static String shown(String text, int longest) {
        return access().shown(text, longest);
    }

    /** The code of a number that a peer sent, or null if it is none that may be sent. */
    public static ErrorCode of(int number) {
        return access().of(number);
    }

    /** The code of a word that a peer sent, or null if it is none that may be sent. */
    public static ErrorCode of(String word) {
        return access().of(word);
    }
}
