package creo.runtime.internal.http;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Limits;
import creo.runtime.internal.buffer.PaddedBytes;
import creo.runtime.internal.net.Deadlines;
import creo.runtime.internal.net.Monitor;
import creo.runtime.internal.net.SocketLink;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A connection to a service for one call at a time, on the thread of the call. The {@link Monitor} ends calls in time. */
final class HttpConnection implements Monitor.Watched {
    private static final System.Logger LOG = System.getLogger("creo.runtime");
    private static final int BUFFER = 16_384;
    private static final long LOOK_INTERVAL = 100_000_000L;
    /** The time after which an idle connection is closed, shorter than that of most servers. */
    private static final long IDLE_TIME = 30_000_000_000L;

    private final SocketLink link;
    private final HttpCaller owner;
    private final Limits limits;
    private final HttpResponseParser parser;
    private byte[] in = new byte[BUFFER];
    private int from;
    private int to;
    private byte[] body;
    private int length;
    private boolean used;
    /** Whether the whole request was sent; of one that is open, another thread sends the rest. */
    private volatile boolean sent;
    private Exchange exchange;
    /** Whether the body of the answer goes to the exchange. */
    private boolean streamed;
    private boolean usable;
    private volatile HttpCall current;
    private volatile long usedAt = System.nanoTime();

    HttpConnection(SocketLink link, HttpCaller owner, Limits limits) {
        this.link = link;
        this.owner = owner;
        this.limits = limits;
        this.parser = new HttpResponseParser(limits.maxHeaderSize(), HttpFields.MAX);
        Monitor.shared().add(this);
    }

    /** Takes part in an exchange whose bodies are streams. Called by the thread of the exchange. */
    interface Exchange {
        /** The request was sent, but for the rest of a body that is open. */
        void sent(HttpConnection used);

        /** The answer begins; returns whether its body goes to {@link #take}, instead of to the {@link HttpResponse}. */
        boolean begins(HttpResponseHead head);

        /** Takes bytes of the body; may wait. */
        void take(byte[] b, int from, int to) throws IOException;

        /** Whether nothing more of the body is wanted. */
        boolean isDone();
    }

    /** The connection ended before any byte of an answer came. */
    static final class Unanswered extends EOFException {
        private static final long serialVersionUID = 1L;

        Unanswered() {
            super("it was closed without an answer");
        }
    }

    /** Whether this connection has carried a request with an answer. */
    boolean wasUsed() {
        return used;
    }

    boolean isProxied() {
        return link.isProxied();
    }

    /** Whether the next call may use this connection, after a check whether it is {@linkplain #isQuiet quiet}. */
    boolean isUsable() {
        return usable;
    }

    /** Whether nothing has arrived since the last answer (HTTP-5). */
    boolean isQuiet() {
        return link.isQuiet();
    }

    /** Whether the service cannot have started the last request, since it has not received all of it. */
    boolean isUnsent() {
        return !sent && parser.isIdle();
    }

    /** Sends a request and waits for the answer. */
    HttpResponse exchange(HttpRequest request, HttpCall call, Exchange with) throws IOException, HttpFault {
        exchange = with;
        streamed = false;
        usable = false;
        sent = false;
        current = call;
        call.use(this);
        Monitor.shared().expect(call.deadline());
        try {
            parser.begin("POST");
            from = 0;
            to = 0;
            IOException failure = send(request, call);
            if (exchange != null && failure == null) {
                exchange.sent(this);
            }
            return receive(failure);
        } catch (OutOfMemoryError e) {
            body = null;
            throw CreoException.ofRuntime(ErrorCode.TOO_LARGE, "there is no memory for the answer: " + e.getMessage(), e);
        } finally {
            body = null;
            exchange = null;
            current = null;
            call.use(null);
            // From here on the call does not end the connection. If it was ended before, it may still do so.
            usable &= call.reason() == null;
            used = true;
            usedAt = System.nanoTime();
        }
    }

    /** Returns why the request was not sent completely, or null. An answer that the service sends before it closes the connection still counts. */
    private IOException send(HttpRequest request, HttpCall call) {
        int left = Deadlines.millisecondsLeft(call.deadline());
        byte[] head = request.head(link.isProxied() && !link.isTls(), left < 0 ? Integer.MAX_VALUE : Math.max(1, left));
        byte[] content = request.open() ? chunk(request.body()) : request.body();
        int first = Math.min(content.length, Math.max(0, 4 * BUFFER - head.length));
        byte[] out = Arrays.copyOf(head, head.length + first);
        System.arraycopy(content, 0, out, head.length, first);
        try {
            link.write(out, 0, out.length);
            for (int p = first; p < content.length; p += 4 * BUFFER) {
                link.write(content, p, Math.min(4 * BUFFER, content.length - p));
            }
            sent = !request.open();
            return null;
        } catch (IOException e) {
            return e;
        }
    }

    private static byte[] chunk(byte[] content) {
        byte[] size = (Integer.toHexString(content.length) + "\r\n").getBytes(StandardCharsets.US_ASCII);
        byte[] chunk = Arrays.copyOf(size, size.length + content.length + 2);
        System.arraycopy(content, 0, chunk, size.length, content.length);
        chunk[chunk.length - 2] = '\r';
        chunk[chunk.length - 1] = '\n';
        return chunk;
    }

    /**
     * Sends chunks of the body of the present request, which is open; false if the connection is lost. For one thread at a time, which need not be that of the
     * exchange.
     *
     * @param last whether the body ends with it
     */
    boolean sendMore(byte[] chunks, boolean last) {
        try {
            link.write(chunks, 0, chunks.length);
            sent = last;
            return true;
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "a request to {0} was cut: {1}", link.peer(), e.getMessage());
            return false;
        }
    }

    /** @param failure why the request was not sent completely, or null */
    private HttpResponse receive(IOException failure) throws IOException, HttpFault {
        while (true) {
            HttpResponseParser.Status status = parser.next(in, from, to);
            from = parser.position();
            switch (status) {
                case HEAD -> begin(parser.head());
                case BODY -> {
                    if (!streamed) {
                        append(parser.bodyFrom(), parser.bodyTo());
                    } else if (exchange.isDone()) {
                        return end(false);
                    } else {
                        exchange.take(in, parser.bodyFrom(), parser.bodyTo());
                    }
                }
                case END -> {
                    return end(parser.head().keepAlive() && from == to && sent);
                }
                case MORE -> {
                    if (streamed && exchange.isDone() || !more(failure)) {
                        return end(false);
                    }
                }
                default -> { }
            }
        }
    }

    private HttpResponse end(boolean reusable) {
        usable = reusable;
        return new HttpResponse(parser.head(), new PaddedBytes(body, length));
    }

    /** Reads more; false if the end of the connection completes the answer. */
    private boolean more(IOException failure) throws IOException, HttpFault {
        int n;
        try {
            n = read();
        } catch (IOException e) {
            throw failure == null ? e : failure;
        }
        if (n >= 0) {
            return true;
        }
        if (parser.isCompleteAtEnd()) {
            return false;
        }
        if (parser.isIdle()) {
            throw failure == null ? new Unanswered() : failure;
        }
        if (!parser.isHttp()) {
            throw HttpFault.bad("the connection ended before a line of HTTP");
        }
        throw new EOFException("it was closed within an answer");
    }

    private int read() throws IOException, HttpFault {
        if (!streamed && from == to && parser.bodyLeft() > 0 && !parser.head().chunked()) {
            return readBody();
        }
        if (from == to) {
            from = 0;
            to = 0;
        } else if (to == in.length) {
            byte[] next = from > 0 ? in : new byte[2 * in.length];
            System.arraycopy(in, from, next, 0, to - from);
            in = next;
            to -= from;
            from = 0;
        }
        int n = link.read(in, to, in.length - to);
        to += Math.max(n, 0);
        return n;
    }

    /** Reads bytes of a body directly to their destination. */
    private int readBody() throws IOException, HttpFault {
        reserve((int) Math.min(BUFFER, parser.bodyLeft()));
        int room = (int) Math.min(body.length - PaddedBytes.PADDING - length, parser.bodyLeft());
        int n = link.read(body, length, room);
        if (n > 0) {
            parser.next(body, length, length + n);
            length += n;
        }
        return n;
    }

    private void begin(HttpResponseHead head) {
        streamed = exchange != null && exchange.begins(head);
        if (streamed) {
            body = new byte[PaddedBytes.PADDING];
            length = 0;
            return;
        }
        long announced = parser.bodyLeft();
        if (announced > limits.maxMessageSize()) {
            throw tooLarge();
        }
        body = new byte[(int) Math.min(head.chunked() || head.contentLength() < 0 ? 4_096 : announced, limits.trustedAllocation()) + PaddedBytes.PADDING];
        length = 0;
    }

    private void append(int first, int end) {
        if ((long) length + end - first + parser.bodyLeft() > limits.maxMessageSize()) {
            throw tooLarge();
        }
        reserve(end - first);
        System.arraycopy(in, first, body, length, end - first);
        length += end - first;
    }

    /** Makes room for this many bytes plus padding. */
    private void reserve(int n) {
        long needed = (long) length + n + PaddedBytes.PADDING;
        if (needed - PaddedBytes.PADDING > limits.maxMessageSize() || needed > Integer.MAX_VALUE - 16) {
            throw tooLarge();
        }
        if (needed > body.length) {
            long all = parser.head().chunked() ? Long.MAX_VALUE : length + Math.max(n, parser.bodyLeft()) + PaddedBytes.PADDING;
            long most = Math.min(all, Math.min(limits.maxMessageSize() + PaddedBytes.PADDING, Integer.MAX_VALUE - 16L));
            body = Arrays.copyOf(body, (int) Math.max(needed, Math.min(2L * body.length, most)));
        }
    }

    private CreoException tooLarge() {
        return CreoException.tooLarge("maxMessageSize", limits.maxMessageSize(), "an answer of more bytes");
    }

    @Override
    public long look(long now) {
        HttpCall call = current;
        if (call == null) {
            if (now - usedAt >= IDLE_TIME) {
                owner.discardIdle(this);
            }
            return now + LOOK_INTERVAL;
        }
        if (now - call.deadline() < 0) {
            return call.deadline();
        }
        call.end(ErrorCode.DEADLINE_EXCEEDED);
        return now + LOOK_INTERVAL;
    }

    /** Ends any operation in progress. Does not block. */
    void abort() {
        link.abort();
    }

    /** Ends the connection and its call. */
    void close() {
        Monitor.shared().remove(this);
        link.abort();
    }
}
