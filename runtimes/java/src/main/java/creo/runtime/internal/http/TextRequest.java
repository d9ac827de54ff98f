package creo.runtime.internal.http;

import creo.runtime.CreoException;
import creo.runtime.Limits;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.internal.buffer.PaddedBytes;
import java.security.Principal;

/**
 * A request of a text wire that was read, whatever carried it.
 *
 * @param method that it calls
 * @param form of its answer
 * @param user who makes it, as the message says and proves, or null
 */
public record TextRequest<A, R>(ServiceMethod<A, R> method, AnswerForm form, A arguments, Principal user) {
    /** A request that does not say who makes it. */
    public TextRequest(ServiceMethod<A, R> method, AnswerForm form, A arguments) {
        this(method, form, arguments, null);
    }

    /**
     * A request that is to be read.
     *
     * @param place to which it was sent
     * @param method that it calls, or null if its message says that
     * @param fields of HTTP
     * @param type of the body, or null
     * @param caller for the log
     */
    public record Source(ServicePlace place, ServiceMethod<?, ?> method, HttpFields fields, MediaType type, PaddedBytes body, Limits limits, String caller) {}

    /** A request that is answered by an error. */
    public static final class Refusal extends Exception {
        private static final long serialVersionUID = 1L;

        private final transient AnswerForm form;
        private final transient CreoException error;
        private final boolean ofAction;

        /** @param ofAction whether it is the action alone that does not fit */
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

        /** Whether it is the action alone that does not fit. */
        public boolean ofAction() {
            return ofAction;
        }
    }
}
