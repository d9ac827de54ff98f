package creo.runtime.internal.tcp;

import creo.runtime.Answer.Header;
import creo.runtime.CreoException;
import creo.runtime.Limits;
import creo.runtime.RawMessages;
import creo.runtime.codegen.Reader;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.Writer;
import creo.runtime.internal.call.CallBodies;
import creo.runtime.internal.call.RawHook;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Shows messages of a method's calls over TCP to a hook (CALL-61, CALL-62). */
public record TcpRaw(RawHook hook, CallBodies bodies, boolean oneway, Limits limits) {
    private static final System.Logger LOG = System.getLogger("creo.runtime");

    /** Null without a hook. */
    static TcpRaw of(RawMessages to, CallBodies bodies, ServiceMethod<?, ?> method, String peer, Limits limits) {
        return to == null ? null : new TcpRaw(RawHook.of(to, method, peer), bodies, method.isOneway(), limits);
    }

    /**
     * Shows a message that is about to be sent. Its body is written to memory for that; if this fails, nothing is shown: sending it fails as well.
     *
     * @param raw shows it; or null
     * @param timeout of a request in milliseconds; 0 for none
     */
    public static void sending(TcpRaw raw, int kind, long timeout, Map<String, String> metadata, Consumer<Writer> body) {
        if (raw != null) {
            raw.sending(kind, timeout, metadata, body);
        }
    }

    private void sending(int kind, long timeout, Map<String, String> metadata, Consumer<Writer> body) {
        hook.show(true, kind != TcpFrames.REQUEST, 0, fields(kind, timeout, metadata), () -> {
            Counted counted = new Counted(hook.max());
            Writer w = new Writer(new byte[2 * Reader.PIECE], limits, counted);
            w.reset();
            try {
                body.accept(w);
                w.finish();
            } catch (RuntimeException e) {
                return null;
            }
            counted.flush(w.buffer(), w.unflushed(), w.position());
            return body(kind, counted.first.toByteArray(), counted.length);
        });
    }

    /** Begins to read the body of a message that comes. With a hook, all of it has come afterwards, and was shown. */
    public static void beginBody(TcpRaw raw, TcpInput in, Reader reader, long timeout, Map<String, String> metadata) {
        if (raw == null) {
            in.beginBody(reader);
        } else {
            in.beginWhole(reader);
            raw.received(in.kind(), timeout, metadata, reader.buffer(), reader.remaining());
        }
    }

    /**
     * Shows a request that was refused before its body was read, unless that breaks off or exceeds a limit.
     *
     * @param raw shows it; or null
     * @param metadata null if they could not be read
     */
    public static void refused(TcpRaw raw, TcpInput in, Reader reader, long timeout, Map<String, String> metadata) throws IOException {
        if (raw == null || metadata == null || in.isWithinBody()) {
            return;
        }
        try {
            beginBody(raw, in, reader, timeout, metadata);
        } catch (CreoException | TcpInput.ChainCancelled e) {
            LOG.log(System.Logger.Level.DEBUG, "a refused request of {0} is not shown: {1}", raw.hook.peer(), e.getMessage());
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } finally {
            reader.memory().release();
        }
    }

    private void received(int kind, long timeout, Map<String, String> metadata, byte[] b, int n) {
        hook.show(false, kind != TcpFrames.REQUEST, 0, fields(kind, timeout, metadata), () -> body(kind, Arrays.copyOf(b, Math.min(n, hook.max())), n));
    }

    /** Errors are binary on each wire. */
    private RawHook.Body body(int kind, byte[] first, long length) {
        return RawHook.Body.nameless(first, length, hook.secrets(), bodies != CallBodies.BINARY && kind != TcpFrames.ERROR);
    }

    private List<Header> fields(int kind, long timeout, Map<String, String> metadata) {
        List<Header> fields = new ArrayList<>(metadata.size() + 3);
        fields.add(new Header("wire", bodies.name));
        fields.add(new Header("kind", switch (kind) {
            case TcpFrames.REQUEST -> oneway ? "oneway" : "request";
            case TcpFrames.RESPONSE -> "response";
            case TcpFrames.EXCEPTION -> "exception";
            default -> "error";
        }));
        if (timeout > 0) {
            fields.add(new Header("timeout", Long.toString(timeout)));
        }
        metadata.forEach((key, value) -> fields.add(new Header(key, value)));
        return fields;
    }

    /** Keeps the first bytes of a body and counts all. */
    private static final class Counted implements Writer.Sink {
        private final int most;
        private final ByteArrayOutputStream first = new ByteArrayOutputStream();
        private long length;

        Counted(int most) {
            this.most = most;
        }

        @Override
        public int flush(byte[] buffer, int from, int to) {
            first.write(buffer, from, Math.min(to - from, most - first.size()));
            length += to - from;
            return 0;
        }

        @Override
        public int write(byte[] buffer, int from, int to, byte[] bytes) {
            flush(buffer, from, to);
            return flush(bytes, 0, bytes.length);
        }
    }
}
