package creo.runtime.internal.host;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.internal.http.AnswerForm;
import creo.runtime.internal.http.HttpRequestHead;
import java.io.IOException;

/** The destination for the answer to an HTTP request. */
interface HttpResponder {
    /** The service that received the request. */
    HttpService service();

    /** The address of the caller. */
    String peer();

    /** Fails with {@code overloaded} if there is no room for an answer that may have to be queued. */
    void checkRoom(int length);

    /**
     * Sends an answer and ends the request; never throws. Callable from any thread.
     *
     * @param bytes which the caller reuses afterwards
     * @param allow the allowed methods, or null
     * @param pairs what the service has set
     */
    void send(HttpRequestHead asked, int status, String mediaType, byte[] bytes, int length, String allow, AnswerPairs pairs);

    /** An answer whose body is sent in pieces. Its methods do not wait for the peer. */
    interface Pieces {
        /** Sends bytes of the body; the caller reuses the array. */
        void send(byte[] b, int from, int length) throws IOException;

        /** Sends the last bytes of the body, and ends the request. */
        void end(byte[] b, int length) throws IOException;

        /** Whether more must wait, until {@link ServedStreams#resume}. */
        boolean isFull();
    }

    /** Whether it can {@linkplain #pieces send an answer in pieces}, and a request can be read while it is answered. */
    default boolean hasPieces() {
        return false;
    }

    /** Sends the head of an answer with the status 200, whose body follows. */
    default Pieces pieces(HttpRequestHead asked, String mediaType, AnswerPairs pairs) throws IOException {
        throw new UnsupportedOperationException("whole answers only");
    }

    /** Ends the connection, because of a failure that is logged unless it is null. */
    default void abandon(Throwable failure) {
        throw new UnsupportedOperationException("whole answers only");
    }

    /** Reads more of a request that is being answered. */
    default void readMore() {}

    /** Whether a thread that waits for the call now runs it; otherwise the calling thread does. */
    default boolean takesTurn() {
        return false;
    }

    /** Sends an error in the form of its wire; never throws. */
    default void sendError(HttpRequestHead asked, AnswerForm form, CreoException e, int status, AnswerPairs pairs) {
        int sent = status != 0 ? status : status(form, e);
        form.error(e, sent, (code, mediaType, bytes, length) ->
            send(asked, code, mediaType, bytes, length, null, code == 429 || code == 503 ? pairs.withRetryAfter(e.retryAfter()) : pairs));
    }

    /** The status of an error. */
    default int status(AnswerForm form, CreoException e) {
        return e.code() == ErrorCode.UNAVAILABLE && service().isDraining() ? 503 : form.status(e.code());
    }

    /** Sends an error of a request whose method has not begun to run. */
    default void refuse(HttpRequestHead asked, AnswerForm form, CreoException e, int status) {
        RawResponder.of(this, null).sendError(asked, form, service().host().refusal(e), status, AnswerPairs.NONE);
    }
}
