package creo.runtime.internal.host;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.internal.http.AnswerForm;
import creo.runtime.internal.http.HttpRequestHead;

/** Where the answer to a request over HTTP goes. */
interface HttpResponder {
    /** What the request was sent to. */
    HttpService service();

    /** Fails with {@code overloaded} if there is no room for an answer that may have to wait until the peer reads. */
    void checkRoom(int length);

    /**
     * Sends an answer and ends the request; never throws. From any thread.
     *
     * @param bytes which are used again afterwards
     * @param allow the methods that are allowed, or null
     * @param pairs what the service has set
     */
    void send(HttpRequestHead asked, int status, String mediaType, byte[] bytes, int length, String allow, AnswerPairs pairs);

    /** Whether a thread that waits for the call now runs it; otherwise the one that asks does. */
    default boolean takesTurn() {
        return false;
    }

    /** Sends an error in the form of its wire; never throws. */
    default void sendError(HttpRequestHead asked, AnswerForm form, CreoException e, int status, AnswerPairs pairs) {
        int sent = status != 0 ? status : e.code() == ErrorCode.UNAVAILABLE && service().isDraining() ? 503 : form.status(e.code());
        form.error(e, sent, (code, mediaType, bytes, length) -> send(asked, code, mediaType, bytes, length, null, pairs));
    }
}
