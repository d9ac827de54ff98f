package creo.runtime;

import com.sun.net.httpserver.HttpExchange;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** A call that came over HTTP: its answer is that of the exchange. */
final class HttpServerCall<A, R> extends FormedCall<A, R> {
    private final HttpListener listener;
    private final HttpExchange exchange;
    private final AtomicBoolean answered = new AtomicBoolean();

    HttpServerCall(HttpListener listener, HttpExchange exchange, RequestReader.Taken<A, R> taken, Map<String, String> metadata, long deadline, boolean limited) {
        super(taken, metadata, HttpListener.peer(exchange), deadline, limited);
        this.listener = listener;
        this.exchange = exchange;
    }

    /** Tells the caller of a oneway method that its request has come. */
    void acknowledge() {
        if (answered.compareAndSet(false, true)) {
            listener.forget(this);
            listener.acknowledge(exchange);
        }
    }

    boolean isAnswered() {
        return answered.get();
    }

    private void send(int status, String mediaType, byte[] bytes, int length) {
        listener.send(exchange, status, mediaType, bytes, length);
    }

    @Override
    AnswerForm.Sink sink(MessageAnswer.Kind kind) {
        return this::send;
    }

    @Override
    void sendError(CreoException e) {
        listener.sendError(exchange, form(), e);
    }

    @Override
    boolean begin() {
        if (method().isOneway()) {
            acknowledge();
            return false;
        }
        if (!answered.compareAndSet(false, true)) {
            return false;
        }
        listener.forget(this);
        return true;
    }

    @Override
    void answerError(CreoException e) {
        if (method().isOneway() && e.code() != ErrorCode.OVERLOADED) {
            acknowledge();
        } else if (answered.compareAndSet(false, true)) {
            listener.forget(this);
            sendError(e);
        }
    }
}
