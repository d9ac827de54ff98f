package creo.runtime.internal.host;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * A connection with TLS. Only the reading thread unwraps. Both threads wrap, under a lock; the reader wraps the protocol's own messages. Records that
 * the socket does not accept are kept, and nothing more is wrapped before they are sent. Buffers are held only while they contain bytes. A failure is
 * thrown once; then {@link #read} drops its input so that the peer receives the alert.
 */
public final class TlsLink extends ServerLink {
    /** The max number of socket reads per call, so that a peer with empty records does not occupy the thread. */
    private static final int MAX_READS_AT_ONCE = 8;
    /** The max number of records that may require an answer that cannot be sent, before reading stops. */
    private static final int MAX_UNANSWERED_RECORDS = 64;
    /** The max number of records sent to the peer after a failure. */
    private static final int MAX_ALERTS = 8;
    private static final byte HANDSHAKE_RECORD = 22;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SSLEngine engine;

    /** Received bytes that are not unwrapped yet, or null. */
    private ByteBuffer in;
    /** Whether {@link #in} has less than a record. */
    private boolean incomplete;
    /** Unwrapped bytes that did not fit into a read, or null. */
    private ByteBuffer plain;
    /** A failure that occurred when a read had bytes to return, or null. */
    private IOException failure;
    private boolean inputEnded;
    private boolean inputEndReported;
    private int unansweredRecords;
    /** Whether reading waits until {@link #pending} is sent. */
    private boolean waitsForOutput;
    private boolean renegotiable;

    private volatile boolean open;
    private volatile boolean failed;
    private volatile boolean taskRunning;
    private volatile X509Certificate[] peerCertificates;

    /** Guards wrapping: records are sent in the order in which they were made. */
    private final ReentrantLock lock = new ReentrantLock();
    /** Records that the socket has not accepted yet, or null. */
    private volatile ByteBuffer pending;
    private boolean outputEnded;
    private boolean outputShut;

    /** A connection whose first bytes are received[from, to). */
    TlsLink(SocketChannel channel, SSLEngine engine, byte[] received, int from, int to) throws IOException {
        super(channel);
        this.engine = engine;
        this.in = TlsBuffers.copy(ByteBuffer.wrap(received, from, to - from));
        this.incomplete = in == null;
        engine.beginHandshake();
    }

    @Override
    public int read(byte[] b, int from, int max) throws IOException {
        ByteBuffer into = ByteBuffer.wrap(b, from, max);
        if (plain != null) {
            return takePlain(into);
        }
        if (failure != null) {
            IOException e = failure;
            failure = null;
            throw e;
        }
        if (failed) {
            return discard();
        }
        try {
            unwrapAll(into);
        } catch (IOException e) {
            failure = e instanceof SSLException s ? fail(s) : e;
            in = null;
            incomplete = true;
        }
        int n = into.position() - from;
        park(n == 0);
        if (n == 0 && failure != null) {
            IOException e = failure;
            failure = null;
            throw e;
        }
        if (n == 0 && inputEnded) {
            inputEndReported = true;
            return -1;
        }
        return n;
    }

    /** Unwraps records as long as they are complete and fit. */
    private void unwrapAll(ByteBuffer into) throws IOException {
        int from = into.position();
        int reads = 0;
        while (!inputEnded && mayUnwrap()) {
            if (incomplete && (into.position() > from || reads++ == MAX_READS_AT_ONCE || !receive())) {
                return;
            }
            Status status = unwrapOne(into);
            if (status == Status.BUFFER_OVERFLOW) {
                if (into.position() > from) {
                    return;
                }
                plain = TlsBuffers.take();
                try {
                    status = unwrapOne(plain);
                } finally {
                    plain.flip();
                    takePlain(into);
                }
                if (status == Status.BUFFER_OVERFLOW) {
                    throw new SSLException("a record is larger than the protocol allows");
                }
                if (plain != null) {
                    return;
                }
            }
        }
    }

    private Status unwrapOne(ByteBuffer into) throws SSLException {
        if (open && renegotiable && in.get(in.position()) == HANDSHAKE_RECORD) {
            throw new SSLException("the client asks for a renegotiation, which is refused");
        }
        SSLEngineResult result = engine.unwrap(in, into);
        if (result.getStatus() == Status.BUFFER_UNDERFLOW || !in.hasRemaining()) {
            incomplete = true;
        }
        if (result.getStatus() == Status.CLOSED) {
            if (!open) {
                throw new SSLException("the client ended the TLS handshake");
            }
            inputEnded = true;
        } else {
            note(result.getHandshakeStatus());
        }
        if (result.bytesConsumed() > 0 && result.bytesProduced() == 0 && result.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
            unansweredRecords++;
        }
        return result.getStatus();
    }

    /** Reads from the socket; false if there is nothing now, or at the end. */
    private boolean receive() throws IOException {
        if (in == null || in.capacity() < TlsBuffers.SIZE) {
            ByteBuffer large = TlsBuffers.take();
            if (in != null) {
                large.put(in);
            }
            in = large;
        } else {
            in.compact();
        }
        int n;
        try {
            n = channel().read(in);
        } finally {
            in.flip();
        }
        if (n > 0) {
            incomplete = false;
        } else if (n < 0) {
            if (!open) {
                throw new EOFException("the client hung up within the TLS handshake");
            }
            // Perhaps without the closing alert of TLS: messages show whether they are complete.
            inputEnded = true;
        }
        return n > 0;
    }

    private int takePlain(ByteBuffer into) {
        int n = Math.min(into.remaining(), plain.remaining());
        into.put(plain.array(), plain.position(), n);
        plain.position(plain.position() + n);
        if (!plain.hasRemaining()) {
            TlsBuffers.release(plain);
            plain = null;
        }
        return n;
    }

    /** Keeps the received bytes that are still needed; the buffer itself only if the next read continues in it at once. */
    private void park(boolean idle) {
        if (in != null && in.capacity() >= TlsBuffers.SIZE && (idle || incomplete)) {
            ByteBuffer rest = TlsBuffers.copy(in);
            TlsBuffers.release(in);
            in = rest;
        }
        if (in != null && !in.hasRemaining()) {
            in = null;
        }
    }

    /** Drains the socket, so that closing it does not revoke the alert. */
    private int discard() throws IOException {
        ByteBuffer waste = TlsBuffers.take();
        int n = channel().read(waste);
        TlsBuffers.release(waste);
        return Math.min(n, 0);
    }

    /** Does what must precede unwrapping; false if that is impossible now. */
    private boolean mayUnwrap() throws IOException {
        waitsForOutput = false;
        if (taskRunning) {
            return false;
        }
        while (true) {
            switch (engine.getHandshakeStatus()) {
                case NEED_TASK -> {
                    if (!open) {
                        return false;
                    }
                    // Not seen after a handshake of the JDK, and short if another engine has any.
                    runTasks(engine.getDelegatedTask());
                }
                case NEED_WRAP -> {
                    waitsForOutput = !sendOwn();
                    if (waitsForOutput || engine.getHandshakeStatus() != HandshakeStatus.NEED_TASK) {
                        return !waitsForOutput;
                    }
                }
                default -> {
                    return true;
                }
            }
        }
    }

    /**
     * Sends the protocol's own messages, or leaves them to the writing thread; false if the socket must first accept output before more can be read.
     * Reading must go on, since the peer may send much before it reads.
     */
    private boolean sendOwn() throws IOException {
        boolean mayLeave = open && unansweredRecords < MAX_UNANSWERED_RECORDS;
        if (!mayLeave) {
            lock.lock();
        } else if (pending != null || !lock.tryLock()) {
            return true;
        }
        try {
            if (send(NOTHING)) {
                unansweredRecords = 0;
                return true;
            }
            return mayLeave;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean hasBuffered() {
        return plain != null || failure != null || inputEnded && !inputEndReported || in != null && !incomplete && !failed && takesInput();
    }

    @Override
    public boolean takesInput() {
        return failed || !taskRunning && !(waitsForOutput && pending != null) && (open || engine.getHandshakeStatus() != HandshakeStatus.NEED_TASK);
    }

    @Override
    public boolean write(ByteBuffer from) throws IOException {
        boolean sent;
        do {
            lock.lock();
            try {
                sent = send(from);
            } catch (SSLException e) {
                throw fail(e);
            } finally {
                lock.unlock();
            }
            // The reader may have left output to this thread when it could not get the lock.
        } while (sent && hasOwnOutput() && !engine.isInboundDone());
        return sent;
    }

    /** Sends what is pending, then the protocol's own messages, then the bytes. Requires the lock, as do all methods below. */
    private boolean send(ByteBuffer from) throws IOException {
        if (!sendPending()) {
            return false;
        }
        if (failed && from.hasRemaining()) {
            throw new IOException("TLS has failed before");
        }
        while (hasOwnOutput() || open && from.hasRemaining()) {
            ByteBuffer out = TlsBuffers.take();
            try {
                wrap(from, out);
                if (!out.flip().hasRemaining()) {
                    break;
                }
                channel().write(out);
                pending = TlsBuffers.copy(out);
            } finally {
                TlsBuffers.release(out);
            }
            if (pending != null) {
                return false;
            }
        }
        if (outputEnded && !outputShut) {
            outputShut = true;
            channel().shutdownOutput();
        }
        return !from.hasRemaining();
    }

    private boolean sendPending() throws IOException {
        ByteBuffer out = pending;
        if (out == null) {
            return true;
        }
        channel().write(out);
        if (out.hasRemaining()) {
            return false;
        }
        pending = null;
        return true;
    }

    /** Wraps as many records as there is room for, or nothing if the engine only has output of its own. */
    private void wrap(ByteBuffer from, ByteBuffer out) throws IOException {
        int room = engine.getSession().getPacketBufferSize();
        do {
            ByteBuffer source = open ? from : NOTHING;
            SSLEngineResult result = engine.wrap(source, out);
            note(result.getHandshakeStatus());
            if (result.bytesProduced() == 0 && result.getHandshakeStatus() != HandshakeStatus.FINISHED) {
                if (source.hasRemaining() && out.position() == 0) {
                    throw new IOException("the connection takes nothing more: TLS is " + result.getStatus());
                }
                return;
            }
        } while (out.remaining() >= room && (hasOwnOutput() || open && from.hasRemaining()));
    }

    private boolean hasOwnOutput() {
        return !failed && engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP;
    }

    /** Sends the alert to the peer if the socket accepts it, and returns the caller's exception. */
    private SSLException fail(SSLException e) {
        failed = true;
        lock.lock();
        try {
            if (sendPending()) {
                sendAlerts();
            }
        } catch (IOException lost) {
            // The peer is gone and needs no alert.
        } finally {
            lock.unlock();
        }
        return new SSLException(ServerTls.explain(e), e);
    }

    private void sendAlerts() throws IOException {
        engine.closeOutbound();
        ByteBuffer out = TlsBuffers.take();
        try {
            for (int i = 0; i < MAX_ALERTS && engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP; i++) {
                try {
                    engine.wrap(NOTHING, out);
                } catch (SSLException again) {
                    // An engine reports its failure once more before it provides the alert.
                    continue;
                }
            }
            channel().write(out.flip());
            pending = TlsBuffers.copy(out);
        } finally {
            TlsBuffers.release(out);
        }
    }

    @Override
    public boolean endOutput() throws IOException {
        lock.lock();
        try {
            if (!outputEnded) {
                outputEnded = true;
                engine.closeOutbound();
            }
            return send(NOTHING);
        } catch (SSLException e) {
            throw fail(e);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean hasPendingOutput() {
        return pending != null;
    }

    @Override
    public Runnable task() {
        if (open || taskRunning || failed || engine.getHandshakeStatus() != HandshakeStatus.NEED_TASK) {
            return null;
        }
        Runnable first = engine.getDelegatedTask();
        if (first == null) {
            return null;
        }
        taskRunning = true;
        return () -> {
            try {
                runTasks(first);
            } finally {
                taskRunning = false;
            }
        };
    }

    private void runTasks(Runnable first) {
        for (Runnable task = first; task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
    }

    /** Checks whether the handshake is done. */
    private void note(HandshakeStatus status) {
        if (open || outputEnded || status != HandshakeStatus.FINISHED && status != HandshakeStatus.NOT_HANDSHAKING) {
            return;
        }
        SSLSession session = engine.getSession();
        renegotiable = !session.getProtocol().equals("TLSv1.3");
        try {
            peerCertificates = Arrays.stream(session.getPeerCertificates()).toArray(X509Certificate[]::new);
        } catch (SSLPeerUnverifiedException e) {
            // The client presented none.
            peerCertificates = null;
        }
        open = true;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public X509Certificate[] peerCertificates() {
        return peerCertificates;
    }

    @Override
    boolean isTls() {
        return true;
    }
}
