package creo.runtime.internal.host;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.internal.http.AnswerForm;
import creo.runtime.internal.http.HttpRequestHead;

/** The destination for the answer to an HTTP request. */
interface HttpResponder {
    /** The service that received the request. */
    HttpService service();

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

    /** Whether a thread that waits for the call now runs it; otherwise the calling thread does. */
    default boolean takesTurn() {
        return false;
    }

    /** Sends an error in the form of its wire; never throws. */
    default void sendError(HttpRequestHead asked, AnswerForm form, CreoException e, int status, AnswerPairs pairs) {
        int sent = status != 0 ? status : e.code() == ErrorCode.UNAVAILABLE && service().isDraining() ? 503 : form.status(e.code());
        form.error(e, sent, (code, mediaType, bytes, length) ->
            send(asked, code, mediaType, bytes, length, null, code == 429 || code == 503 ? pairs.withRetryAfter(e.retryAfter()) : pairs));
    }

    /** Sends an error of a request whose method has not begun to run. */
    default void refuse(HttpRequestHead asked, AnswerForm form, CreoException e, int status) {
        sendError(asked, form, service().host().refusal(e), status, AnswerPairs.NONE);
    }
}
