package creo.runtime.internal.host;

import creo.runtime.CreoException;
import creo.runtime.codegen.LogText;
import creo.runtime.codegen.Writer;
import creo.runtime.internal.call.CallBodies;
import creo.runtime.internal.http.ServiceErrors;
import creo.runtime.internal.tcp.TcpFrames;
import creo.runtime.internal.tcp.TcpRaw;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** A call over TCP; its answers are frames on its connection. */
final class TcpServerCall<A, R> extends IncomingCall<A, R> {
    private static final System.Logger LOG = System.getLogger("creo.runtime");

    private final TcpServerConnection connection;
    /** Shows the answer; or null. */
    private final TcpRaw raw;
    private final int id;
    private final CallBodies bodies;

    TcpServerCall(TcpServerConnection connection, TcpRaw raw, int id, Host.Entry<A, R> entry, CallBodies.Request<A> request,
            Map<String, String> metadata, Caller caller, long deadline, boolean limited) {
        super(entry, request.arguments(), metadata, caller, deadline, limited);
        this.bodies = request.answers();
        this.connection = connection;
        this.raw = raw;
        this.id = id;
    }

    int id() {
        return id;
    }

    @Override
    public String wire() {
        return bodies.name + "+tcp";
    }

    @Override
    ServedStreams.Link link() {
        BooleanSupplier wanted = () -> !isOver();
        return new ServedStreams.Link() {
            @Override
            public void items(byte[] buffer, int from, int to) throws IOException {
                connection.output().items(id, buffer, from, to, 0, wanted);
            }

            @Override
            public void credit(int bytes) throws IOException {
                connection.output().credit(id, bytes, wanted);
            }

            @Override
            public boolean isFull() {
                return connection.isFull();
            }
        };
    }

    @Override
    void answer(R result) {
        send(TcpFrames.RESPONSE, w -> bodies.writeResult(w, method(), result));
    }

    @Override
    void answerException(int index, Exception e) {
        send(TcpFrames.EXCEPTION, w -> bodies.writeException(w, method(), index, e));
    }

    @Override
    public void answerError(CreoException e) {
        send(TcpFrames.ERROR, w -> ServiceErrors.encode(w, e));
    }

    private void send(int kind, Consumer<Writer> body) {
        connection.forget(this);
        try {
            if (!method().isOneway()) {
                write(kind, body);
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.log(System.Logger.Level.DEBUG, "an answer of {0} to {1} was lost: {2}", method(), peer(), LogText.of(e.getMessage()));
        } catch (RuntimeException | Error e) {
            // Usually out of memory. Ending the connection is better than never answering a call.
            connection.abort();
            LOG.log(System.Logger.Level.ERROR, "an answer of " + method() + " to " + peer() + " was lost", LogText.of(e));
        } finally {
            connection.answered();
        }
    }

    private void write(int kind, Consumer<Writer> body) throws IOException {
        try {
            connection.sendMessage(raw, kind, id, pairs().metadata(), body);
        } catch (UncheckedIOException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            connection.sendError(raw, id, pairs().metadata(), unwritable(e));
        }
    }
}
