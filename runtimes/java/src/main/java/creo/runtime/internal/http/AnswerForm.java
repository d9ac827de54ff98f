package creo.runtime.internal.http;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Limits;
import creo.runtime.codegen.ServiceMethod;

/** The form of the answers of a call: that of its wire, whatever carries it. */
public abstract class AnswerForm {
    /** Takes an answer, whose bytes are used again afterwards; never throws. What is not HTTP takes no notice of the status. */
    public interface Sink {
        void send(int status, String mediaType, byte[] bytes, int length);
    }

    /** What an answer holds that is no error. */
    public enum Kind {
        /** The result of the method. */
        RESPONSE,
        /** An exception that the method declares. */
        EXCEPTION
    }

    public static final byte[] NOTHING = {};
    /** The status of a declared exception without SOAP. */
    public static final int DECLARED = 422;

    public final Limits limits;

    public AnswerForm(Limits limits) {
        this.limits = limits;
    }

    /** Hands over the result of a method; fails if it cannot be written. */
    public abstract <R> void result(ServiceMethod<?, R> method, R result, Sink sink);

    /** Hands over an exception, which is the method's declared one of the index. */
    public abstract void exception(ServiceMethod<?, ?> method, int index, Exception e, Sink sink);

    /** The status of an error of a code. */
    public abstract int status(ErrorCode code);

    /** Hands over an error, to be sent under a status. */
    public abstract void error(CreoException e, int status, Sink sink);

    /** Whether a method has no result. */
    public static boolean isVoid(ServiceMethod<?, ?> method) {
        return TextMethods.of(method).response.record.fields.length == 0;
    }

    /** The status of an error without SOAP (JSON-23). */
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
