package creo.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/** A call that came over TCP: its answers are frames on its connection. */
final class TcpServerCall<A, R> extends IncomingCall<A, R> {
    private static final System.Logger LOG = System.getLogger("creo.runtime");

    private final TcpServerConnection connection;
    private final int id;

    TcpServerCall(TcpServerConnection connection, int id, Host.Service service, Endpoint.Binding<A, R> binding, A arguments,
            Map<String, String> metadata, String peer, long deadline, boolean limited) {
        super(service, binding, arguments, metadata, peer, deadline, limited);
        this.connection = connection;
        this.id = id;
    }

    int id() {
        return id;
    }

    @Override
    void answer(R result) {
        send(TcpFrames.RESPONSE, w -> method().result().encode(w, result));
    }

    @Override
    void answerException(int index, Exception e) {
        send(TcpFrames.EXCEPTION, w -> {
            w.writeCount(index);
            method().exceptions().get(index).encode(w, e);
        });
    }

    @Override
    void answerError(CreoException e) {
        send(TcpFrames.ERROR, w -> Errors.encode(w, e));
    }

    private interface Body {
        void encode(Writer w);
    }

    private void send(int kind, Body body) {
        connection.forget(this);
        try {
            if (!method().isOneway()) {
                write(kind, body);
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.log(System.Logger.Level.DEBUG, "an answer of {0} to {1} was lost: {2}", method(), connection, e.getMessage());
        } finally {
            connection.answered();
        }
    }

    private void write(int kind, Body body) throws IOException {
        TcpMessage message = connection.out().message();
        try {
            body.encode(message.begin(kind, id));
        } catch (UncheckedIOException e) {
            message.drop();
            throw e;
        } catch (RuntimeException e) {
            message.drop();
            connection.sendError(id, e instanceof CreoException c && c.code() == ErrorCode.TOO_LARGE ? c : internal(method(), e));
            return;
        }
        try {
            message.finish();
        } catch (CreoException e) {
            connection.sendError(id, e);
        }
    }
}
