package creo.runtime;

import com.sun.net.httpserver.HttpExchange;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** A call that came as a SOAP message over HTTP: its answer is that of the exchange. */
final class HttpServerCall<A, R> extends IncomingCall<A, R> {
    private final HttpListener listener;
    private final HttpExchange exchange;
    private final TextMethod<A, R> text;
    private final SoapVersion version;
    private final boolean packaged;
    private final AtomicBoolean answered = new AtomicBoolean();

    HttpServerCall(HttpListener listener, HttpExchange exchange, Host.Entry<A, R> entry, TextMethod<A, R> text, SoapVersion version, boolean packaged, A arguments,
            Map<String, String> metadata, long deadline, boolean limited) {
        super(entry.service(), entry.binding(), arguments, metadata, HttpListener.peer(exchange), deadline, limited);
        this.listener = listener;
        this.exchange = exchange;
        this.text = text;
        this.version = version;
        this.packaged = packaged;
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

    @Override
    void answer(R result) {
        if (method().isOneway()) {
            acknowledge();
            return;
        }
        if (!answered.compareAndSet(false, true)) {
            return;
        }
        listener.forget(this);
        XmlWriter w = XmlWriter.borrow(listener.limits());
        try {
            List<byte[]> parts = packaged ? w.collectParts() : null;
            try {
                SoapWriter.write(w, version, text.response, result);
            } catch (CreoException e) {
                error(w, failure(w.locate(e).root("$result")));
                return;
            } catch (RuntimeException | Error e) {
                error(w, internal(method(), e));
                return;
            }
            if (parts != null) {
                Mtom.Written written;
                try {
                    written = Mtom.write(w, parts, version, null);
                } catch (CreoException e) {
                    error(w, failure(e));
                    return;
                }
                listener.send(exchange, 200, written.contentType(), written.bytes(), written.bytes().length);
            } else {
                listener.send(exchange, 200, version.mediaType + "; charset=utf-8", w.buf, w.pos);
            }
        } finally {
            w.giveBack();
        }
    }

    /** What a caller is told of a result that cannot be written: only that it is too large. */
    private CreoException failure(CreoException e) {
        return e.code() == ErrorCode.TOO_LARGE ? e : internal(method(), e);
    }

    private void error(XmlWriter w, CreoException e) {
        w.reset(listener.limits());
        SoapWriter.error(w, version, e, null);
        listener.sendFault(exchange, version, e.code(), w);
    }

    @Override
    void answerException(int index, Exception e) {
        if (method().isOneway()) {
            acknowledge();
            return;
        }
        if (!answered.compareAndSet(false, true)) {
            return;
        }
        listener.forget(this);
        XmlWriter w = XmlWriter.borrow(listener.limits());
        try {
            try {
                SoapWriter.exception(w, version, text.exceptions.get(index), e);
            } catch (CreoException failure) {
                error(w, failure(w.locate(failure).root("$exception")));
                return;
            } catch (RuntimeException | Error failure) {
                error(w, internal(method(), failure));
                return;
            }
            listener.sendFault(exchange, version, null, w);
        } finally {
            w.giveBack();
        }
    }

    @Override
    void answerError(CreoException e) {
        if (method().isOneway() && e.code() != ErrorCode.OVERLOADED) {
            acknowledge();
        } else if (answered.compareAndSet(false, true)) {
            listener.forget(this);
            listener.sendError(exchange, version, e, null);
        }
    }
}
