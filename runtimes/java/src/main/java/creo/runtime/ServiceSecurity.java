package creo.runtime;

import java.security.Principal;

/**
 * The security of SOAP messages at a service, such as signatures (SOAP-80); see {@link Endpoint#withSecurity}. The module {@code creo.wss} has one.
 * Called by many threads at once.
 */
public interface ServiceSecurity {
    /** A request that was accepted, and the security of its answer. */
    interface Request {
        /** The envelope in UTF-8, without the header blocks that were checked. Nothing else of the request is read. */
        byte[] envelope();

        /** Who signed the request, or null. */
        @Nullable
        Principal caller();

        /**
         * Secures the answer.
         *
         * @param answer an envelope in UTF-8
         * @return the envelope that is sent, in UTF-8
         */
        byte[] send(byte[] answer);
    }

    /** A request is refused, with a fault of this code. */
    final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient FaultCode fault;
        private final transient CreoException error;

        public Refused(FaultCode fault, CreoException error) {
            super(error.reason(), error, false, false);
            this.fault = fault;
            this.error = error;
        }

        public FaultCode fault() {
            return fault;
        }

        public CreoException error() {
            return error;
        }
    }

    /**
     * Checks a request.
     *
     * @param request bytes as received, perhaps with further bytes after them
     * @param length how many belong to the request
     * @param charset that HTTP names, or null
     * @throws Refused if the request is refused
     * @throws CreoException if it is not a SOAP envelope, or exceeds a limit
     */
    Request accept(byte[] request, int length, String charset);
}
