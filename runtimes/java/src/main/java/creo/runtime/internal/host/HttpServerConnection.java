package creo.runtime.internal.host;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Limits;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.buffer.Memory;
import creo.runtime.internal.http.HttpFault;
import creo.runtime.internal.http.HttpRequestHead;
import creo.runtime.internal.http.HttpRequestParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A connection of an HTTP/1.1 client. Each request is answered before the next one is read. */
final class HttpServerConnection implements ServerConnection.Protocol, HttpResponder {
    private static final System.Logger LOG = System.getLogger("creo.runtime");

    private static final byte[] NO_BYTES = {};
    private static final int MAX_FIELDS = 200;
    private static final int SMALL = 4_096;
    private static final int LARGE = 65_536;
    /** The max number of unwanted body bytes to read and discard to keep the connection usable. */
    private static final int MAX_DISCARDED = 262_144;
    /** The max number of steps of the parser, each with a read at most, before other connections have their turn. */
    private static final int MAX_TURN = 256;
    /** After this time a oneway method is acknowledged before it has finished. */
    private static final long ACKNOWLEDGE_TIME = 2_000_000L;
    private static final long LOOK_INTERVAL = 100_000_000L;
    private static final long TRIM_TIME = TimeUnit.SECONDS.toNanos(1);

    /** STREAM: the rest of the body belongs to the call, which runs. */
    private enum State { HEAD, BODY, CALL, STREAM }

    /** The state of the current request: served on the loop's thread, served elsewhere, or answered. */
    private static final int HERE = 0;
    private static final int ELSEWHERE = 1;
    private static final int ANSWERED = 2;

    private final ServerConnection connection;
    private final EventLoop loop;
    private final HttpService service;
    private final Limits limits;
    private final HttpDecoder decoder;
    private final HttpRequestParser parser;
    private final AtomicInteger phase = new AtomicInteger();
    private State state = State.HEAD;
    private byte[] buf;
    private int pos;
    private int end;
    private HttpRequestHead head;
    private HttpService.Target target;
    private final HttpBody body;
    private int discarded;
    /** Whether the body has lines after its message (HTTP-33), and whether it has not been read to its end. */
    private boolean lines;
    private volatile boolean openBody;
    /** The bytes after the message that were received with it. */
    private int restFrom;
    private int restTo;
    /** When the current request began to arrive; 0 for none. */
    private long requestSince;
    private long arrived;
    private boolean paused;
    /** Whether the body waits for room in the host's budget. */
    private boolean lacksRoom;
    private volatile HttpServerCall<?, ?> call;
    private volatile boolean closing;

    /** A connection whose first bytes have been received. */
    HttpServerConnection(ServerConnection connection, HttpService service, byte[] received, int length) {
        this.connection = connection;
        this.loop = connection.loop;
        this.service = service;
        this.limits = service.host().limits();
        this.decoder = new HttpDecoder(service, this);
        this.body = new HttpBody(service.host());
        this.parser = new HttpRequestParser(limits.maxHeaderSize(), MAX_FIELDS);
        this.buf = Arrays.copyOf(received, Math.max(SMALL, length));
        this.end = length;
    }

    @Override
    public boolean serve(boolean readable) throws IOException {
        boolean more = readable;
        for (int turn = 0; !connection.isLingering(); turn++) {
            if (state == State.STREAM && !call.streams().takeMore() || state != State.STREAM && connection.out().isFull() || state == State.CALL && !watches()) {
                pause();
                return true;
            }
            if (state == State.CALL) {
                // The end of the connection ends a call with streams (HTTP-37).
                if (more && receive() < 0) {
                    connection.close();
                }
                return true;
            }
            if (turn >= MAX_TURN) {
                connection.yieldToOthers();
                return true;
            }
            HttpRequestParser.Status status;
            try {
                lacksRoom = state == State.BODY && !makeRoom(end - pos);
                if (lacksRoom) {
                    pause();
                    return true;
                }
                status = parser.next(buf, pos, end);
                pos = parser.position();
            } catch (HttpFault e) {
                refuse(e.status(), e.getMessage());
                return true;
            }
            switch (status) {
                case HEAD -> beginBody();
                case BODY -> takeBody();
                case END -> {
                    if (state == State.STREAM) {
                        endStream();
                    } else if (!request()) {
                        return false;
                    }
                }
                case MORE -> {
                    if (pos < end && requestSince == 0) {
                        requestSince = System.nanoTime() | 1;
                    }
                    if (state == State.BODY && !lines && refusesBody()) {
                        continue;
                    }
                    if (!more) {
                        return true;
                    }
                    int n = receive();
                    if (n < 0) {
                        connection.close();
                        return true;
                    }
                    more = n > 0 && (end == buf.length || connection.link().hasBuffered());
                }
            }
        }
        return true;
    }

    private int receive() throws IOException {
        if (buf == null) {
            buf = new byte[SMALL];
        }
        if (pos == end) {
            pos = 0;
            end = 0;
        }
        if (end == buf.length) {
            boolean grows = end - pos > buf.length / 2 || state == State.BODY && buf.length < LARGE;
            byte[] target = grows ? new byte[Math.max(2 * buf.length, state == State.BODY ? LARGE : 0)] : buf;
            System.arraycopy(buf, pos, target, 0, end - pos);
            buf = target;
            end -= pos;
            pos = 0;
        }
        int n = connection.read(buf, end, buf.length - end);
        end += Math.max(0, n);
        return n;
    }

    private void pause() {
        paused = true;
        connection.reading(false);
    }

    private void beginBody() throws IOException {
        head = parser.head();
        arrived = System.nanoTime();
        if (requestSince == 0) {
            requestSince = arrived | 1;
        }
        state = State.BODY;
        target = service.route(head, connection.link().local(), connection.link().isTls());
        lines = decoder.takesLines(target, head);
        openBody = lines;
        boolean isFixed = target instanceof HttpService.Fixed;
        long length = head.contentLength();
        if (!lines && length > (isFixed ? MAX_DISCARDED : limits.maxMessageSize()) || isFixed && head.expectsContinue()) {
            answerWithoutBody();
        } else if (head.expectsContinue() && length != 0) {
            connection.out().send(HttpAnswer.CONTINUE, 0, HttpAnswer.CONTINUE.length, true);
        }
    }

    /** Answers a request without reading its body, and ends the connection. */
    private void answerWithoutBody() throws IOException {
        answerWithoutBody(CreoException.tooLarge("maxMessageSize", limits.maxMessageSize(), "a body of more bytes"), 413);
    }

    private void answerWithoutBody(CreoException e, int status) throws IOException {
        closing = true;
        state = State.CALL;
        phase.set(HERE);
        if (target instanceof HttpService.Fixed fixed) {
            send(fixed);
        } else {
            refuse(head, decoder.form(target, head), e, status);
        }
        next();
    }

    /** Makes room for bytes of the body; false if the budget has no room now. */
    private boolean makeRoom(int bytes) {
        return target instanceof HttpService.Fixed || body.makeRoom(head.contentLength(), bytes);
    }

    /** Refuses a body when a chunk is announced that makes it too large, before it arrives. */
    private boolean refusesBody() throws IOException {
        boolean isFixed = target instanceof HttpService.Fixed;
        if (parser.bodyLeft() <= (isFixed ? MAX_DISCARDED - discarded : body.left())) {
            return false;
        }
        answerWithoutBody();
        return true;
    }

    private void takeBody() throws IOException {
        if (state == State.STREAM) {
            call.streams().receive(buf, parser.bodyFrom(), parser.bodyTo());
            return;
        }
        int from = parser.bodyFrom();
        int lf = lines ? HttpBody.lineEnd(buf, from, parser.bodyTo()) : -1;
        // Lines of white space are skipped (HTTP-30).
        while (lf >= 0 && lf - from <= body.left() && body.isBlank() && HttpBody.isBlank(buf, from, lf)) {
            body.clear();
            from = lf + 1;
            lf = HttpBody.lineEnd(buf, from, parser.bodyTo());
        }
        int n = (lf >= 0 ? lf : parser.bodyTo()) - from;
        if (lf >= 0) {
            restFrom = lf + 1;
            restTo = parser.bodyTo();
        }
        if (target instanceof HttpService.Fixed) {
            discarded += n;
            if (discarded > MAX_DISCARDED) {
                answerWithoutBody();
            }
            return;
        }
        if (n > body.left()) {
            answerWithoutBody();
            return;
        }
        body.add(buf, from, n);
        if (lf >= 0) {
            state = State.CALL;
            phase.set(ELSEWHERE);
            service.host().readers().execute(() -> handle(true));
        }
    }

    /** A call with streams has begun: reads the rest of its request, or looks for the end of the connection. */
    private void beginStreams() {
        if (state != State.CALL || call == null || call.streams() == null) {
            return;
        }
        if (openBody) {
            state = State.STREAM;
            call.streams().receive(buf, restFrom, restTo);
        }
        readOn();
    }

    /** The body of a call that takes a stream has ended. */
    private void endStream() {
        openBody = !call.streams().received();
        state = State.CALL;
    }

    /** Whether the connection is read while a call runs: as long as there is room for requests after it. */
    private boolean watches() {
        return streams() != null && !openBody && end - pos < SMALL;
    }

    /** Serves the complete request; false if this thread has lost the loop. */
    private boolean request() throws IOException {
        state = State.CALL;
        phase.set(HERE);
        if (lines) {
            openBody = false;
            refuse(head, decoder.form(target, head), Failures.malformed("a body that ends within its first line"), 0);
            next();
            return true;
        }
        if (target instanceof HttpService.Fixed fixed) {
            send(fixed);
            next();
            return true;
        }
        if (body.length() > HttpBody.SHORT || head.fields().has("content-encoding")) {
            phase.set(ELSEWHERE);
            service.host().readers().execute(() -> handle(true));
            return true;
        }
        long turn = loop.begin(null);
        handle(false);
        boolean mine = loop.end(turn);
        if (phase.compareAndSet(HERE, ELSEWHERE)) {
            return mine;
        }
        if (mine) {
            next();
        } else {
            loop.execute(this::nextLater);
        }
        return mine;
    }

    /**
     * Decodes the request and runs its call.
     *
     * @param mayRunHere regardless of its pace
     */
    private void handle(boolean mayRunHere) {
        try {
            Memory memory = Memory.ofCall(limits.maxMemory(), service.host().memory());
            HttpDecoder.Request request = new HttpDecoder.Request(head, body.handOver(), arrived, IncomingCall.Caller.of(connection, memory));
            HttpServerCall<?, ?> decoded = decode(request);
            call = decoded;
            if (decoded.streams() != null) {
                loop.execute(this::beginStreams);
            }
            long deadline = decoded.method().isOneway() ? arrived + ACKNOWLEDGE_TIME : decoded.deadlineOr(arrived + LOOK_INTERVAL);
            if (deadline - arrived < LOOK_INTERVAL) {
                loop.expectLook(deadline);
            }
            if (decoded.service().admit(decoded, mayRunHere || !decoded.pace().isLong())) {
                decoded.runHere();
            }
        } catch (HttpDecoder.Refused e) {
            refuse(head, e.form(), e.error(), e.status());
        } catch (RuntimeException | Error e) {
            connection.failed(e);
        }
    }

    private HttpServerCall<?, ?> decode(HttpDecoder.Request request) throws HttpDecoder.Refused {
        try {
            return decoder.call(target, request);
        } finally {
            body.clear();
        }
    }

    @Override
    public String peer() {
        return connection.peer();
    }

    @Override
    public HttpService service() {
        return service;
    }

    @Override
    public void checkRoom(int length) {
        if (length > LARGE && !service.host().hasRoom(length)) {
            throw service.host().exhausted();
        }
    }

    private void send(HttpService.Fixed fixed) {
        send(head, fixed.status(), fixed.mediaType(), fixed.body(), fixed.body().length, fixed.allow(), AnswerPairs.NONE);
    }

    @Override
    public void send(HttpRequestHead asked, int status, String mediaType, byte[] bytes, int length, String allow, AnswerPairs pairs) {
        try {
            StringBuilder others = new StringBuilder();
            HttpOutgoing out = HttpOutgoing.of(service, asked, status, bytes, length, allow, pairs, (name, value) -> others.append("\r\n").append(name).append(": ").append(value));
            connection(asked, others);
            HttpAnswer answer = HttpAnswer.head(status, mediaType, out.length(), out.sent(), others.toString()).body(out.bytes(), 0, out.sent());
            connection.out().send(answer.bytes(), 0, answer.length(), true);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "an answer to {0} was lost: {1}", connection.peer(), e.getMessage());
            connection.close();
        } catch (RuntimeException | Error e) {
            connection.failed(e);
        } finally {
            answered();
        }
    }

    /** Says whether the connection is closed after the answer. */
    private void connection(HttpRequestHead asked, StringBuilder others) {
        if (!asked.keepAlive() || service.isDraining() || openBody) {
            closing = true;
        }
        if (closing) {
            others.append("\r\nConnection: close");
        } else if (asked.minorVersion() == 0) {
            others.append("\r\nConnection: keep-alive");
        }
    }

    @Override
    public boolean hasPieces() {
        return true;
    }

    @Override
    public Pieces pieces(HttpRequestHead asked, String mediaType, AnswerPairs pairs) throws IOException {
        boolean chunked = asked.minorVersion() > 0;
        closing |= !chunked;
        StringBuilder others = new StringBuilder();
        HttpOutgoing.of(service, asked, 200, NO_BYTES, 0, null, pairs, (name, value) -> others.append("\r\n").append(name).append(": ").append(value));
        others.append("\r\nCache-Control: no-store");
        connection(asked, others);
        HttpAnswer answer = HttpAnswer.open(mediaType, chunked, others.toString());
        connection.out().send(answer.bytes(), 0, answer.length(), true);
        return new HttpPieces(connection.out(), chunked, this::answered);
    }

    @Override
    public void abandon(Throwable failure) {
        if (failure == null) {
            connection.close();
        } else {
            connection.failed(failure);
        }
    }

    @Override
    public void readMore() {
        loop.execute(() -> {
            if (state == State.STREAM && paused) {
                readOn();
            }
        });
    }

    private void readOn() {
        paused = false;
        connection.reading(true);
        if (connection.index >= 0) {
            connection.yieldToOthers();
        }
    }

    private ServedStreams<?, ?> streams() {
        HttpServerCall<?, ?> running = call;
        return running == null ? null : running.streams();
    }

    @Override
    public boolean mayStall() {
        return streams() != null;
    }

    @Override
    public void drained() {
        ServedStreams<?, ?> running = streams();
        if (running != null) {
            running.resume();
        }
    }

    private void answered() {
        if (!phase.compareAndSet(HERE, ANSWERED) && phase.compareAndSet(ELSEWHERE, ANSWERED)) {
            loop.execute(this::nextLater);
        }
    }

    private void nextLater() {
        try {
            next();
            readOn();
        } catch (IOException | RuntimeException e) {
            connection.failed(e);
        }
    }

    /** Continues after a request was answered. */
    private void next() throws IOException {
        closing |= openBody;
        openBody = false;
        lines = false;
        body.clear();
        if (call != null) {
            call.endInput();
        }
        call = null;
        head = null;
        target = null;
        discarded = 0;
        requestSince = 0;
        connection.used();
        if (closing) {
            connection.linger();
            return;
        }
        state = State.HEAD;
        if (paused) {
            paused = false;
            connection.reading(true);
        }
    }

    /** Refuses an invalid HTTP/1.1 request and ends the connection. */
    private void refuse(int status, String reason) throws IOException {
        byte[] text = (reason + "\n").getBytes(StandardCharsets.UTF_8);
        HttpAnswer answer = HttpAnswer.head(status, "text/plain; charset=utf-8", text.length, text.length, "\r\nConnection: close").body(text, 0, text.length);
        connection.out().send(answer.bytes(), 0, answer.length(), true);
        connection.linger();
    }

    @Override
    public long look(long now) {
        if (state == State.CALL || state == State.STREAM) {
            return lookAtCall(now);
        }
        if (paused && !connection.out().isFull()) {
            readOn();
        }
        if (requestSince != 0 && now - requestSince >= limits.frameTimeout().toNanos()) {
            return lacksRoom ? refuseForRoom(now) : cut("a request that did not arrive in time", now);
        }
        if (!isIdle()) {
            return now + LOOK_INTERVAL;
        }
        if (buf != null && now - connection.idleSince() > TRIM_TIME) {
            buf = null;
            pos = 0;
            end = 0;
            body.trim();
        }
        if (limits.idleTimeout() != null && now - connection.idleSince() >= limits.idleTimeout().toNanos()) {
            return cut("idle for too long", now);
        }
        return now + LOOK_INTERVAL;
    }

    private long refuseForRoom(long now) {
        try {
            answerWithoutBody(service.host().exhausted(), 0);
        } catch (IOException e) {
            connection.failed(e);
        }
        return now + LOOK_INTERVAL;
    }

    private long lookAtCall(long now) {
        HttpServerCall<?, ?> running = call;
        if (running == null) {
            return now + LOOK_INTERVAL;
        }
        if (running.method().isOneway() && !running.isAnswered()) {
            service.host().oneways().acknowledge(running);
        }
        if (running.isPast(now)) {
            running.giveUp(Failures.ofRuntime(ErrorCode.DEADLINE_EXCEEDED, "the time for the call is over"));
            return now + LOOK_INTERVAL;
        }
        return Math.min(running.deadlineOr(now + LOOK_INTERVAL), now + LOOK_INTERVAL);
    }

    private long cut(String why, long now) {
        LOG.log(System.Logger.Level.INFO, "connection of {0} closed: {1}", connection.peer(), why);
        connection.close();
        return now + LOOK_INTERVAL;
    }

    @Override
    public boolean isIdle() {
        return state == State.HEAD && pos == end && requestSince == 0 && connection.out().queued() == 0;
    }

    @Override
    public void drain() throws IOException {
        if (state == State.HEAD) {
            connection.linger();
        }
    }

    @Override
    public void closed() {
        HttpServerCall<?, ?> running = call;
        if (running != null && !(running.method().isOneway() && running.isAnswered())) {
            running.giveUp();
            running.endInput();
        }
        if (state == State.HEAD || state == State.BODY) {
            body.clear();
        }
    }
}
