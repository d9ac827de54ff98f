package creo.runtime.internal.http;

import creo.runtime.Answer;
import creo.runtime.CallOptions;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.codegen.LineItems;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.Streams;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.buffer.PaddedBytes;
import creo.runtime.internal.call.ItemInput;
import creo.runtime.internal.call.ItemLine;
import creo.runtime.internal.call.LineInput;
import creo.runtime.internal.call.MethodStreams;
import creo.runtime.internal.call.StreamCall;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A client's call with a stream over HTTP (HTTP-30 to HTTP-37). One thread sends the request and reads the answer, and waits while the program has a window of
 * items to take; another sends the items of the program's stream meanwhile.
 */
public final class HttpStreamCall<A, R> implements MethodStreams.Carrier, HttpConnection.Exchange, LineInput.Target {
    /** The media type of a stream. */
    public static final String LINES = "application/x-ndjson";
    private static final byte[] LINE_END = {'\r', '\n'};
    private static final byte[] LAST_CHUNK = {'0', '\r', '\n', '\r', '\n'};

    private final HttpChannel channel;
    private final ServiceMethod<A, R> method;
    private final HttpCall call;
    private final StreamCall<A, R> streams;
    private final LineInput lines;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private LineInput.Status status = LineInput.Status.MORE;
    private volatile HttpConnection connection;
    private volatile Answer answer;
    private volatile Throwable why;
    private boolean streamed;

    private HttpStreamCall(HttpChannel channel, ServiceMethod<A, R> method, A arguments, HttpCall call) {
        this.channel = channel;
        this.method = method;
        this.call = call;
        this.lines = new LineInput(channel.limits(), this);
        Streams<A, R> known = (Streams<A, R>) method.streams();
        this.streams = new StreamCall<>(known, arguments, call.options(), channel.limits(), channel.threads(), this, ((LineItems) method.lines()).items(channel.limits()));
        // TCP holds the sender back, not credit.
        streams.more(Integer.MAX_VALUE - ItemInput.CREDIT);
        call.onEnd(this::wake);
    }

    /** Begins a call. */
    public static <A, R> CompletableFuture<R> begin(HttpChannel channel, ServiceMethod<A, R> method, A arguments, CallOptions options) {
        HttpStreamCall<A, R> made;
        HttpRequest request;
        try {
            HttpCall call = channel.beginStream(options);
            request = channel.request(method, arguments, options, call, method.streams().takes() ? LINES : null);
            made = new HttpStreamCall<>(channel, method, arguments, call);
        } catch (CreoException e) {
            return method.refused(arguments, e);
        }
        channel.run(() -> made.run(request));
        return made.streams.future();
    }

    private void run(HttpRequest request) {
        R result = null;
        Throwable failure = null;
        try {
            HttpResponse response = channel.exchange(method, request, call, this);
            result = streamed ? ended() : channel.read(method, response, call);
        } catch (Throwable e) {
            failure = e;
        }
        streams.ended(result, why != null ? why : failure);
    }

    /** The end of a stream of results, whose answer has been read. */
    private R ended() throws Exception {
        if (status == LineInput.Status.ERROR) {
            byte[] document = lines.error();
            return channel.readProblem(method, PaddedBytes.of(document, document.length), call);
        }
        if (status != LineInput.Status.END) {
            throw Failures.ofRuntime(ErrorCode.UNAVAILABLE, "the answer of " + channel.address() + " was cut: it has no last line");
        }
        return null;
    }

    // HttpConnection.Exchange, on the thread of the call.

    @Override
    public void sent(HttpConnection used) {
        connection = used;
        streams.sent();
    }

    @Override
    public boolean begins(HttpResponseHead head) {
        channel.keepCookies(method, head);
        answer = channel.answer(head, call);
        MediaType type = MediaType.parse(head.fields().first("content-type"));
        String coding = head.fields().first("content-encoding");
        streamed = method.givesStream() && head.status() == 200 && type != null && type.type().equals(LINES) && type.isUtf8()
            && (coding == null || coding.equalsIgnoreCase("identity"));
        return streamed;
    }

    @Override
    public void take(byte[] b, int from, int to) throws IOException {
        lines.add(b, from, to);
        while (true) {
            lock.lock();
            try {
                status = lines.next();
                if (status != LineInput.Status.FULL) {
                    return;
                }
                if (call.reason() != null) {
                    throw new IOException("the call has ended");
                }
                changed.awaitUninterruptibly();
            } finally {
                lock.unlock();
            }
        }
    }

    @Override
    public boolean isDone() {
        return status == LineInput.Status.END || status == LineInput.Status.ERROR;
    }

    @Override
    public void add(byte[] frame, boolean last) {
        if (!last) {
            streams.add(frame);
        }
    }

    private void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    // MethodStreams.Carrier, on threads of the program.

    @Override
    public void send(byte[] buffer, int from, int to, boolean last) {
        int at = from;
        while ((buffer[at++] & 0x80) != 0) {
            // The count of the items, which lines do not have.
        }
        int length = to - at;
        int end = last ? ItemLine.LAST.length : 0;
        byte[] size = (Integer.toHexString(length + end) + "\r\n").getBytes(StandardCharsets.US_ASCII);
        byte[] chunk = new byte[size.length + length + end + LINE_END.length + (last ? LAST_CHUNK.length : 0)];
        int p = append(size, 0, size.length, chunk, 0);
        p = append(buffer, at, length, chunk, p);
        p = append(ItemLine.LAST, 0, end, chunk, p);
        p = append(LINE_END, 0, LINE_END.length, chunk, p);
        append(LAST_CHUNK, 0, last ? LAST_CHUNK.length : 0, chunk, p);
        if (length + end > 0 && !connection.sendMore(chunk, last)) {
            // The thread of the call finds out why; there may be an answer.
            streams.stop();
            return;
        }
        streams.more(Math.max(1, to - from));
    }

    private static int append(byte[] from, int at, int length, byte[] to, int p) {
        System.arraycopy(from, at, to, p, length);
        return p + length;
    }

    @Override
    public void credit(int bytes) {
        lines.credit(bytes);
        wake();
    }

    @Override
    public void end(Throwable cause) {
        if (why == null) {
            why = cause;
        }
        call.end(ErrorCode.CANCELLED);
    }

    @Override
    public boolean hasBegun() {
        return connection != null;
    }

    @Override
    public Answer answer() {
        return answer;
    }
}
