package creo.runtime.internal.tcp;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.codegen.Reader;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.call.CallBodies;
import creo.runtime.internal.call.Errors;
import creo.runtime.internal.call.Metadata;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

/** Reads the answer to a call: a result, a declared exception, or an error. */
final class TcpAnswer {
    private TcpAnswer() {}

    /**
     * Reads the present frame, which is an answer to a call of the method, and what continues it, to the end.
     *
     * @param onMetadata is given the metadata when all has been read; or null
     * @param raw shows the answer; or null
     * @throws CreoException the received error, or one for a malformed answer
     * @throws IOException if the connection is no longer usable
     * @throws TcpInput.ChainCancelled if another answer will come instead
     * @throws Exception the received declared exception
     */
    static <R> R read(TcpInput in, Reader reader, CallBodies bodies, ServiceMethod<?, R> method, String peer,
            Consumer<Map<String, String>> onMetadata, TcpRaw raw) throws Exception {
        Exception thrown;
        String root = "$metadata";
        Map<String, String> metadata = null;
        try {
            metadata = metadata(in, reader);
            root = in.kind() == TcpFrames.EXCEPTION ? "$exception" : in.kind() == TcpFrames.RESPONSE ? "$result" : "$error";
            TcpRaw.beginBody(raw, in, reader, 0, metadata);
            switch (in.kind()) {
                case TcpFrames.RESPONSE -> {
                    R result = bodies.readResult(reader, in, in.limits(), method);
                    in.endBody();
                    if (onMetadata != null) {
                        onMetadata.accept(metadata);
                    }
                    return result;
                }
                case TcpFrames.EXCEPTION -> thrown = bodies.readException(reader, in, in.limits(), method);
                default -> thrown = Errors.explain(Errors.decode(reader, peer), method);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (TcpInput.ChainCancelled e) {
            in.endBody();
            throw e;
        } catch (CreoException e) {
            Failures.root(reader.resolve(e), root);
            thrown = e;
        } catch (OutOfMemoryError e) {
            // The partial result is garbage by now. The rest may be endless.
            throw new Unreadable(CreoException.ofRuntime(ErrorCode.TOO_LARGE, "there is no memory for the answer: " + e.getMessage(), e));
        }
        try {
            in.endBody();
        } catch (IOException e) {
            if (thrown instanceof CreoException c && c.code() == ErrorCode.TOO_LARGE) {
                throw new Unreadable(c);
            }
            throw e;
        }
        if (onMetadata != null && metadata != null) {
            onMetadata.accept(metadata);
        }
        throw thrown;
    }

    /** The metadata of the present frame (TCP-23), behind which its body begins. */
    static Map<String, String> metadata(TcpInput in, Reader reader) {
        if (!in.has(TcpFrames.METADATA)) {
            return Map.of();
        }
        in.beginHead(reader);
        Map<String, String> metadata = Metadata.read(reader, in.limits());
        in.endHead(reader);
        return metadata;
    }

    /** A refused answer whose rest is not to be read. */
    static final class Unreadable extends IOException {
        private static final long serialVersionUID = 1L;

        private final CreoException reason;

        Unreadable(CreoException reason) {
            super(reason);
            this.reason = reason;
        }

        CreoException reason() {
            return reason;
        }
    }

    /** The error for calls on a lost connection. */
    static CreoException lost(String address, IOException e) {
        if (e instanceof Unreadable u) {
            return u.reason();
        }
        if (e instanceof TcpInput.BrokenFrames) {
            return CreoException.ofRuntime(ErrorCode.MALFORMED, address + ": " + e.getMessage(), e);
        }
        String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        return CreoException.ofRuntime(ErrorCode.UNAVAILABLE, "the connection to " + address + " was lost: " + message, e);
    }

    /** Reads the server's preamble and applies its capabilities. */
    static void greet(TcpInput in, TcpOutput out, boolean compression, String address) throws IOException {
        int abilities;
        try {
            abilities = in.preamble();
        } catch (CreoException e) {
            throw CreoException.ofRuntime(e.code(), address + ": " + e.reason(), e);
        }
        if (compression && (abilities & TcpFrames.READS_COMPRESSED) != 0) {
            out.compress();
        }
    }

    /** The error for a missing preamble of the server (TCP-19). */
    static CreoException noPreamble(String address, Duration time) {
        return Failures.ofRuntime(ErrorCode.PROTOCOL_MISMATCH, address + " accepted the connection, but did not answer with the preamble of Creo within "
            + time.toMillis() + " ms; perhaps the port speaks HTTP or TLS");
    }

    /**
     * Writes a request. If that fails, none of it remains at the peer.
     *
     * @param onBegin runs before its first byte is sent; or null
     * @param raw shows the request; or null
     */
    static <A> void send(TcpOutput out, int id, CallBodies bodies, ServiceMethod<A, ?> method, A arguments, Map<String, String> metadata, long until,
            int milliseconds, Runnable onBegin, TcpRaw raw) throws IOException {
        TcpRaw.sending(raw, TcpFrames.REQUEST, Integer.toUnsignedLong(milliseconds), metadata, w -> bodies.writeArguments(w, method, arguments));
        TcpMessage message = out.message();
        boolean done = false;
        try {
            bodies.writeArguments(message.beginRequest(id, method.id(), until, milliseconds, metadata, onBegin), method, arguments);
            done = true;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } finally {
            if (!done) {
                message.drop();
            }
        }
        try {
            message.finish();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
