package creo.runtime.internal.http;

import creo.runtime.CallOptions;
import creo.runtime.ErrorCode;
import java.net.URI;
import java.util.concurrent.atomic.AtomicReference;

/** An HTTP call in progress: its deadline, and any earlier end. */
final class HttpCall {
    private final long deadline;
    private final CallOptions options;
    private final AtomicReference<ErrorCode> reason = new AtomicReference<>();
    private volatile HttpConnection connection;
    private volatile Runnable onEnd = () -> {};
    /** Where a redirect has led it, or null. */
    URI redirected;
    /** Host and port of another origin that answers it, or null. */
    String guest;
    /** The id of its request's message, or null. */
    String messageId;

    HttpCall(long deadline, CallOptions options) {
        this.deadline = deadline;
        this.options = options;
    }

    CallOptions options() {
        return options;
    }

    /** The {@link System#nanoTime} of the deadline. */
    long deadline() {
        return deadline;
    }

    /** Ends the call: its connection's pending operation fails. Does not block. */
    void end(ErrorCode why) {
        reason.compareAndSet(null, why);
        HttpConnection present = connection;
        if (present != null) {
            present.abort();
        }
        onEnd.run();
    }

    /** Sets what {@link #end} runs; it must not wait. */
    void onEnd(Runnable task) {
        onEnd = task;
    }

    /** Why the call was ended; null if it was not. */
    ErrorCode reason() {
        return reason.get();
    }

    /** Sets the connection that ends with the call; null for none. */
    void use(HttpConnection used) {
        connection = used;
        if (used != null && reason.get() != null) {
            used.abort();
        }
    }
}
