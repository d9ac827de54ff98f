package creo.runtime;

import creo.runtime.codegen.ServiceMethod;
import java.time.Duration;
import java.util.Objects;

/**
 * Code of the program that runs at the beginning and at the end of each call of a client, to add metadata, refuse, log, measure or trace
 * ({@code spec/calls.md}): {@link ClientOptions#withInterceptor}, or {@link Channel#intercepted}. Called by many threads.
 */
@FunctionalInterface
public interface Interceptor {
    /**
     * A call begins. No connection was opened for it, and nothing was written.
     *
     * @return what runs at its end, or null
     * @throws CreoException to refuse the call, which ends with this error
     */
    End calling(OutgoingCall call);

    /** Runs once, at the end of a call. */
    @FunctionalInterface
    interface End {
        /** A call has ended. What this throws is logged, and changes nothing. It must not wait: the call does. */
        void ended(Outcome outcome);

        /**
         * In a server, the thread that ran the beginning and then the method turns to other work: the method has returned, or is not called. Takes back what
         * the beginning has bound to the thread. Runs once, for the last beginning first; before the end of the call, or after it if the caller gave up.
         * What this throws is logged, and changes nothing.
         */
        default void leaveThread() {}
    }

    /** A call of a client that begins. For the thread of the interceptor. */
    final class OutgoingCall {
        private final ServiceMethod<?, ?> method;
        private CallOptions options;

        /** For tests of interceptors. */
        public OutgoingCall(ServiceMethod<?, ?> method, CallOptions options) {
            this.method = Objects.requireNonNull(method, "method");
            this.options = Objects.requireNonNull(options, "options");
        }

        /** The method; its {@code toString} is its interface's full name, a dot and its own. */
        public ServiceMethod<?, ?> method() {
            return method;
        }

        /** What the call is made with: deadline, metadata and headers. The deadline counts from the beginning of the call. */
        public CallOptions options() {
            return options;
        }

        /** Makes this call with other options. */
        public void use(CallOptions other) {
            options = Objects.requireNonNull(other, "other");
        }
    }

    /**
     * How a call ended.
     *
     * @param failure an exception that the method declares, or a {@link CreoException}; null after a result
     * @param time from the beginning to the end
     * @param peer the address of the service, if one was reached; null in a server
     * @param answer what came with the answer, if one came; null in a server
     */
    record Outcome(Throwable failure, Duration time, String peer, Answer answer) {
        public Outcome {
            Objects.requireNonNull(time, "time");
        }

        /** The code of the error, or null after a result or a declared exception. */
        public ErrorCode code() {
            return failure instanceof CreoException e ? e.code() : null;
        }

        /** One word for a log: {@code result}, the class of the declared exception, or the code. */
        @Override
        public String toString() {
            if (failure == null) {
                return "result";
            }
            return failure instanceof CreoException e ? e.code().word() : failure.getClass().getSimpleName();
        }
    }
}
