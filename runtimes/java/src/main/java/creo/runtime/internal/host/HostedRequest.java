package creo.runtime.internal.host;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Limits;
import creo.runtime.codegen.LogText;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.buffer.Memory;
import creo.runtime.internal.http.HttpFault;
import creo.runtime.internal.http.HttpFields;
import creo.runtime.internal.http.HttpRequestHead;
import creo.runtime.internal.http.HttpRequestParser;
import creo.runtime.spi.HostedHttp;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** A request that another server has received. Its thread reads it, runs the method and sends the answer. */
public final class HostedRequest implements HttpResponder, PeerIdentity {
    private static final System.Logger LOG = System.getLogger("creo.runtime");
    private static final int CHUNK = 8_192;
    /** The interval in milliseconds for detecting ends of calls that are not signalled. */
    private static final long LOOK_INTERVAL = 100;
    private static final HostedHttp.Answer LOST = new HostedHttp.Answer(500, null, List.of(), new byte[0], 0, 0);
    private static final int LARGE = 65_536;
    /** Fields about the connection that the server has already handled or that are sent anew. */
    private static final Set<String> OF_THE_CONNECTION = Set.of("connection", "content-length", "expect", "host", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade");
    private static final String UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";

    /** A body that is refused with a status. */
    private static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        private final transient CreoException error;
        private final int status;

        Refused(CreoException error, int status) {
            super(error.reason(), error, false, false);
            this.error = error;
            this.status = status;
        }
    }

    private final HttpService service;
    private final CallWatch calls;
    private final HostedHttp.Exchange exchange;
    private final HttpDecoder decoder;
    private final Limits limits;
    private final long arrived = System.nanoTime();
    private volatile HttpServerCall<?, ?> call;
    /** Whether the request's thread waits until its call may run. */
    private volatile boolean waits;
    private boolean turn;
    private volatile HostedHttp.Answer answer;
    /** The bytes that the answer has reserved from the budget. */
    private long reserved;
    private boolean sent;
    private IOException failure;

    public HostedRequest(HttpService service, CallWatch calls, HostedHttp.Exchange exchange) {
        this.service = service;
        this.calls = calls;
        this.exchange = exchange;
        this.decoder = new HttpDecoder(service, this);
        this.limits = service.host().limits();
    }

    public void serve() throws IOException {
        HttpRequestHead head;
        InputStream in = exchange.body();
        int first = exchange.length() >= 0 ? -1 : in.read();
        try {
            head = head(exchange.length() >= 0 ? exchange.length() : first < 0 ? 0 : -1);
        } catch (HttpFault e) {
            HttpService.Fixed fixed = HttpService.Fixed.text(e.status(), e.getMessage(), null);
            exchange.answer(new HostedHttp.Answer(fixed.status(), fixed.mediaType(), List.of(), fixed.body(), fixed.body().length, fixed.body().length));
            return;
        }
        HttpService.Target target = service.route(head, () -> exchange.origin() + exchange.prefix());
        if (target instanceof HttpService.Fixed fixed) {
            send(head, fixed.status(), fixed.mediaType(), fixed.body(), fixed.body().length, fixed.allow(), AnswerPairs.NONE);
        } else {
            call(head, target, in, first);
        }
        sendAnswer();
        if (failure != null) {
            throw failure;
        }
    }

    private void call(HttpRequestHead head, HttpService.Target target, InputStream in, int first) throws IOException {
        HttpBody body = new HttpBody(service.host());
        HttpServerCall<?, ?> decoded = null;
        try {
            read(body, head.contentLength(), in, first);
            Memory memory = Memory.ofCall(limits.maxMemory(), service.host().memory());
            decoded = decoder.call(target, new HttpDecoder.Request(head, body.handOver(), arrived, new IncomingCall.Caller(exchange.peer(), null, this, memory)));
        } catch (Refused e) {
            refuse(head, decoder.form(target, head), e.error, e.status);
        } catch (HttpDecoder.Refused e) {
            refuse(head, e.form(), e.error(), e.status());
        } finally {
            body.clear();
        }
        if (decoded != null) {
            run(decoded);
        }
    }

    /** Checks the head by the rules of HTTP: the surrounding server may have been more lenient. */
    private HttpRequestHead head(long length) throws HttpFault {
        StringBuilder text = new StringBuilder(1_024);
        text.append(exchange.method()).append(' ').append(target());
        if (exchange.query() != null) {
            text.append('?').append(exchange.query());
        }
        String origin = exchange.origin();
        text.append(" HTTP/1.1\r\nHost: ").append(origin.substring(origin.indexOf("://") + 3)).append("\r\n");
        exchange.fields((name, value) -> {
            if (!OF_THE_CONNECTION.contains(name.toLowerCase(Locale.ROOT))) {
                text.append(name).append(": ").append(value).append("\r\n");
            }
        });
        text.append(length < 0 ? "Transfer-Encoding: chunked" : "Content-Length: " + length).append("\r\n\r\n");
        byte[] bytes = text.toString().getBytes(StandardCharsets.ISO_8859_1);
        HttpRequestParser parser = new HttpRequestParser(limits.maxHeaderSize(), HttpFields.MAX);
        if (parser.next(bytes, 0, bytes.length) != HttpRequestParser.Status.HEAD || parser.position() != bytes.length) {
            throw HttpFault.bad("a head with an empty line in it");
        }
        return parser.head();
    }

    private String target() {
        String path = exchange.path();
        if (exchange.method().equals("OPTIONS") && path.equals("*")) {
            return path;
        }
        StringBuilder text = new StringBuilder(path.length() + 16);
        if (!path.startsWith("/")) {
            text.append('/');
        }
        for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
            if (UNRESERVED.indexOf(b) >= 0) {
                text.append((char) b);
            } else {
                text.append(String.format("%%%02X", b & 0xff));
            }
        }
        return text.toString();
    }

    /** Reads the body as far as the limits allow; memory is allocated as bytes arrive. */
    private void read(HttpBody body, long announced, InputStream in, int first) throws IOException, Refused {
        if (announced > limits.maxMessageSize()) {
            throw tooLarge();
        }
        long until = arrived + limits.frameTimeout().toNanos();
        byte[] chunk = new byte[(int) (announced < 0 ? CHUNK : Math.min(CHUNK, announced + 1))];
        int n = first < 0 ? 0 : 1;
        chunk[0] = (byte) first;
        while (n >= 0) {
            if (n > body.left()) {
                throw tooLarge();
            }
            if (n > 0 && !body.makeRoom(announced, n)) {
                throw new Refused(service.host().memory().exhausted(), 0);
            }
            body.add(chunk, 0, n);
            if (System.nanoTime() - until >= 0) {
                throw new Refused(Failures.malformed("a request that did not arrive in time"), 408);
            }
            n = in.read(chunk);
        }
    }

    private Refused tooLarge() {
        return new Refused(CreoException.tooLarge("maxMessageSize", limits.maxMessageSize(), "a body of more bytes"), 413);
    }

    /** Runs a call on this thread when it may run, and waits for its end. */
    private void run(HttpServerCall<?, ?> admitted) {
        call = admitted;
        waits = true;
        calls.add(admitted);
        try {
            boolean mine = admitted.service().admit(admitted, true);
            if (admitted.method().isOneway()) {
                admitted.acknowledge();
                sendAnswer();
            }
            if (mine || awaitTurn()) {
                admitted.runHere();
            }
            awaitEnd();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            admitted.giveUp(Failures.ofRuntime(ErrorCode.UNAVAILABLE, "the server was closed before the call had ended"));
        } finally {
            calls.remove(admitted);
        }
    }

    /** Waits until the call may run; false if it has ended before. */
    private synchronized boolean awaitTurn() throws InterruptedException {
        try {
            while (!turn && !isEnded()) {
                wait(LOOK_INTERVAL);
            }
            return turn;
        } finally {
            waits = false;
        }
    }

    private synchronized void awaitEnd() throws InterruptedException {
        while (!isEnded()) {
            wait(LOOK_INTERVAL);
        }
    }

    private boolean isEnded() {
        return answer != null && call.isOver();
    }

    @Override
    public boolean takesTurn() {
        synchronized (this) {
            if (waits) {
                turn = true;
                notifyAll();
                return true;
            }
        }
        // It ended while it waited; its slot goes to the next call.
        call.runHere();
        return true;
    }

    @Override
    public void checkRoom(int length) {
        if (length > LARGE && !service.host().hasRoom(length)) {
            throw service.host().exhausted();
        }
    }

    @Override
    public void send(HttpRequestHead asked, int status, String mediaType, byte[] bytes, int length, String allow, AnswerPairs pairs) {
        HostedHttp.Answer made;
        try {
            List<HostedHttp.Field> fields = new ArrayList<>(4);
            HttpOutgoing out = HttpOutgoing.of(service, asked, status, bytes, length, allow, pairs, (name, value) -> fields.add(new HostedHttp.Field(name, value)));
            // The answer is sent after the method has returned: a peer that does not read blocks a thread, but no slot of the service.
            byte[] own = out.bytes() == bytes ? Arrays.copyOf(bytes, out.sent()) : out.bytes();
            made = new HostedHttp.Answer(status, mediaType, fields, own, out.length(), out.sent());
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, "an answer to " + LogText.of(exchange.peer()) + " was lost", LogText.of(e));
            made = LOST;
        }
        synchronized (this) {
            if (made.bytes().length > LARGE) {
                reserved = made.bytes().length;
                service.host().memory().take(reserved);
            }
            answer = made;
            notifyAll();
        }
    }

    /** Sends the answer unless it has been sent. */
    private void sendAnswer() {
        HostedHttp.Answer made = answer;
        if (made == null || sent) {
            return;
        }
        sent = true;
        try {
            exchange.answer(made);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "an answer to {0} was lost: {1}", exchange.peer(), e.getMessage());
            failure = e;
        } finally {
            service.host().memory().release(reserved);
        }
    }

    @Override
    public String peer() {
        return exchange.peer();
    }

    @Override
    public HttpService service() {
        return service;
    }

    @Override
    public X509Certificate[] peerCertificates() {
        return exchange.certificates();
    }

    @Override
    public Principal principal() {
        return exchange.principal();
    }
}
