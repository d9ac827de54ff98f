package creo.runtime;

import com.sun.net.httpserver.HttpExchange;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** A call that came over HTTP: its answer is that of the exchange, in the form of its wire. */
final class HttpServerCall<A, R> extends IncomingCall<A, R> {
    private final HttpListener listener;
    private final HttpExchange exchange;
    private final HttpForm form;
    private final AtomicBoolean answered = new AtomicBoolean();

    HttpServerCall(HttpListener listener, HttpExchange exchange, Host.Entry<A, R> entry, HttpForm form, A arguments, Map<String, String> metadata, long deadline,
            boolean limited) {
        super(entry.service(), entry.binding(), arguments, metadata, HttpListener.peer(exchange), deadline, limited);
        this.listener = listener;
        this.exchange = exchange;
        this.form = form;
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

    private void error(CreoException e) {
        listener.sendError(exchange, form, e);
    }

    /** Whether this answer is the first, and somebody waits for it. */
    private boolean begin() {
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
    void answer(R result) {
        if (begin()) {
            try {
                form.result(method(), result, this::send);
            } catch (CreoException e) {
                error(failure(e));
            } catch (RuntimeException | Error e) {
                error(internal(method(), e));
            }
        }
    }

    /** What a caller is told of a result that cannot be written: only that it is too large. */
    private CreoException failure(CreoException e) {
        return e.code() == ErrorCode.TOO_LARGE ? e : internal(method(), e);
    }

    @Override
    void answerException(int index, Exception e) {
        if (begin()) {
            try {
                form.exception(method().text().exceptions.get(index), e, this::send);
            } catch (CreoException failure) {
                error(failure(failure));
            } catch (RuntimeException | Error failure) {
                error(internal(method(), failure));
            }
        }
    }

    @Override
    void answerError(CreoException e) {
        if (method().isOneway() && e.code() != ErrorCode.OVERLOADED) {
            acknowledge();
        } else if (answered.compareAndSet(false, true)) {
            listener.forget(this);
            error(e);
        }
    }
}
