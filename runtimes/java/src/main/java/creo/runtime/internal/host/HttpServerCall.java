package creo.runtime.internal.host;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.internal.http.AnswerForm;
import creo.runtime.internal.http.HttpRequestHead;
import creo.runtime.internal.http.TextRequest;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** A call over HTTP; its answer is the response. */
final class HttpServerCall<A, R> extends FormedCall<A, R> {
    private final HttpResponder reply;
    private final HttpRequestHead head;
    private final AtomicBoolean answered = new AtomicBoolean();
    /** Null if the result is no stream. */
    private HttpStreamAnswer stream;

    HttpServerCall(HttpResponder reply, Host.Entry<A, R> entry, HttpDecoder.Request request, TextRequest<A, R> read, Map<String, String> metadata,
            long deadline, boolean limited) {
        super(entry, read, metadata, request.caller(), deadline, limited);
        this.reply = reply;
        this.head = request.head();
    }

    @Override
    public void run() {
        if (!reply.takesTurn()) {
            super.run();
        }
    }

    HttpResponder reply() {
        return reply;
    }

    HttpRequestHead head() {
        return head;
    }

    @Override
    ServedStreams.Link link() {
        HttpStreamAnswer made = new HttpStreamAnswer(this);
        links(made);
        return made;
    }

    /** Called while this call is being made, before its own fields are set. */
    private void links(HttpStreamAnswer made) {
        stream = made;
    }

    @Override
    void sendResult(R result) {
        if (method().givesStream()) {
            stream.end();
        } else {
            super.sendResult(result);
        }
    }

    /** Acknowledges a request of a oneway method. */
    void acknowledge() {
        if (answered.compareAndSet(false, true)) {
            reply.send(head, 202, null, new byte[0], 0, null, AnswerPairs.NONE);
        }
    }

    boolean isAnswered() {
        return answered.get();
    }

    @Override
    String transport() {
        return "http";
    }

    @Override
    AnswerForm.Sink sink(AnswerForm.Kind kind) {
        return (status, mediaType, bytes, length) -> {
            if (stream == null || !stream.fail(bytes, length)) {
                reply.checkRoom(length);
                reply.send(head, status, mediaType, bytes, length, null, pairs());
            }
        };
    }

    @Override
    void sendError(CreoException e) {
        if (stream == null) {
            reply.sendError(head, form(), e, 0, pairs());
            return;
        }
        form().error(e, reply.status(form(), e), (status, mediaType, bytes, length) -> {
            if (!stream.fail(bytes, length)) {
                reply.sendError(head, form(), e, 0, pairs());
            }
        });
    }

    @Override
    boolean begin() {
        if (method().isOneway()) {
            service().host().oneways().remove(this);
            acknowledge();
            return false;
        }
        return answered.compareAndSet(false, true);
    }

    @Override
    public void answerError(CreoException e) {
        service().host().oneways().remove(this);
        if (method().isOneway() && e.code() != ErrorCode.OVERLOADED) {
            acknowledge();
        } else if (answered.compareAndSet(false, true)) {
            sendError(e);
        }
    }
}
