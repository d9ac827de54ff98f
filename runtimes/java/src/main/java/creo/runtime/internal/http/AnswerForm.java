package creo.runtime.internal.http;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Limits;
import creo.runtime.codegen.ServiceMethod;

/** The form of a call's answers: that of its wire, for any transport. */
public abstract class AnswerForm {
    /** Receives an answer and reuses its bytes afterwards; never throws. Transports other than HTTP ignore the status. */
    public interface Sink {
        void send(int status, String mediaType, byte[] bytes, int length);
    }

    /** What an answer other than an error holds. */
    public enum Kind {
        /** The result of the method. */
        RESPONSE,
        /** An exception that the method declares. */
        EXCEPTION
    }

    public static final byte[] NOTHING = {};
    /** The status of a declared exception on wires other than SOAP. */
    public static final int DECLARED = 422;

    public final Limits limits;

    public AnswerForm(Limits limits) {
        this.limits = limits;
    }

    /** The name of the wire. */
    public abstract String wire();

    /** Passes on the result of a method; fails if it cannot be written. */
    public abstract <R> void result(ServiceMethod<?, R> method, R result, Sink sink);

    /** Passes on the method's declared exception at the index. */
    public abstract void exception(ServiceMethod<?, ?> method, int index, Exception e, Sink sink);

    /** The status of an error of a code. */
    public abstract int status(ErrorCode code);

    /** Passes on an error with a status. */
    public abstract void error(CreoException e, int status, Sink sink);

    /** Whether a method has no result. */
    public static boolean isVoid(ServiceMethod<?, ?> method) {
        return TextMethods.of(method).response.record.fields.length == 0;
    }

    /** The status of an error on wires other than SOAP (JSON-23). */
    public static int plainStatus(ErrorCode code) {
        return switch (code) {
            case MALFORMED, INVALID_VALUE, PROTOCOL_MISMATCH -> 400;
            case UNAUTHENTICATED -> 401;
            case PERMISSION_DENIED -> 403;
            case UNKNOWN_METHOD -> 404;
            case TOO_LARGE -> 413;
            case UNAVAILABLE, OVERLOADED -> 503;
            case DEADLINE_EXCEEDED -> 504;
            case CANCELLED, INTERNAL, UNTRUSTED_PEER -> 500;
        };
    }
}
