package creo.runtime.internal.http;

import creo.runtime.CreoException;
import creo.runtime.Limits;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.internal.buffer.PaddedBytes;
import java.security.Principal;

/**
 * A decoded request of a text wire, from any transport.
 *
 * @param method the called method
 * @param form of its answer
 * @param user the caller as authenticated by the message, or null
 */
public record TextRequest<A, R>(ServiceMethod<A, R> method, AnswerForm form, A arguments, Principal user) {
    /** A request without an authenticated caller. */
    public TextRequest(ServiceMethod<A, R> method, AnswerForm form, A arguments) {
        this(method, form, arguments, null);
    }

    /**
     * A request to be decoded.
     *
     * @param place the receiver
     * @param method the called method, or null if the message names it
     * @param fields of HTTP
     * @param type of the body, or null
     * @param caller for the log
     */
    public record Source(ServicePlace place, ServiceMethod<?, ?> method, HttpFields fields, MediaType type, PaddedBytes body, Limits limits, String caller) {}

    /** A request that is answered with an error. */
    public static final class Refusal extends Exception {
        private static final long serialVersionUID = 1L;

        private final transient AnswerForm form;
        private final transient CreoException error;
        private final boolean ofAction;

        /** @param ofAction whether only the action is wrong */
        public Refusal(AnswerForm form, CreoException error, boolean ofAction) {
            super(error.reason(), error, false, false);
            this.form = form;
            this.error = error;
            this.ofAction = ofAction;
        }

        public AnswerForm form() {
            return form;
        }

        public CreoException error() {
            return error;
        }

        /** Whether only the action is wrong. */
        public boolean ofAction() {
            return ofAction;
        }
    }
}
