package creo.runtime.internal.host;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.codegen.LogText;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.http.HttpFields;
import creo.runtime.internal.http.MediaType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The streams of a call over HTTP, as its transport: the lines of its answer (HTTP-31, HTTP-32), and the pace at which those of its request are read. Nothing is
 * sent before the first item.
 */
final class HttpStreamAnswer implements ServedStreams.Link {
    private static final System.Logger LOG = System.getLogger("creo.runtime");
    static final String LINES = "application/x-ndjson";
    private static final String EVENTS = "text/event-stream";
    /** What is before the value in the line of an item, and after it. */
    private static final int BEFORE = "{\"item\":".length();
    private static final int AFTER = "}".length();

    private final HttpServerCall<?, ?> call;
    private HttpResponder.Pieces pieces;
    private boolean events;
    private boolean over;

    HttpStreamAnswer(HttpServerCall<?, ?> call) {
        this.call = call;
    }

    @Override
    public boolean isText() {
        return true;
    }

    @Override
    public synchronized void items(byte[] buffer, int from, int to) throws IOException {
        if (over) {
            return;
        }
        int at = from;
        while ((buffer[at++] & 0x80) != 0) {
            // The count of the items, which lines do not have.
        }
        begin();
        if (!events) {
            pieces.send(buffer, at, to - at);
            return;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(2 * (to - at));
        for (int lf = at; at < to; at = ++lf) {
            while (buffer[lf] != '\n') {
                lf++;
            }
            event(out, "item", buffer, at + BEFORE, lf - AFTER);
        }
        pieces.send(out.toByteArray(), 0, out.size());
    }

    private void begin() throws IOException {
        if (pieces == null) {
            events = wantsEvents(call.head().fields());
            pieces = call.reply().pieces(call.head(), events ? EVENTS : LINES, call.sentPairs());
        }
    }

    private static void event(ByteArrayOutputStream out, String name, byte[] value, int from, int to) {
        out.writeBytes(("event: " + name + "\ndata: ").getBytes(StandardCharsets.US_ASCII));
        out.write(value, from, to - from);
        out.writeBytes(new byte[] {'\n', '\n'});
    }

    /** Whether a caller prefers events (HTTP-32). */
    static boolean wantsEvents(HttpFields fields) {
        double lines = 0;
        double wanted = 0;
        for (String accepted : fields.all("accept")) {
            for (String each : accepted.split(",")) {
                MediaType type = MediaType.parse(each.strip());
                String weight = type.parameter("q");
                double q = weight == null ? 1 : weight.matches("[01](\\.[0-9]{0,3})?") ? Double.parseDouble(weight) : 0;
                lines = type.type().equals(LINES) ? Math.max(lines, q) : lines;
                wanted = type.type().equals(EVENTS) ? Math.max(wanted, q) : wanted;
            }
        }
        return wanted > lines;
    }

    /** Sends the end of the stream. */
    void end() {
        last("end", "true".getBytes(StandardCharsets.US_ASCII), 4);
    }

    /**
     * Ends a stream that has begun with a problem document.
     *
     * @return false if it has not: then the document is the whole answer
     */
    synchronized boolean fail(byte[] document, int length) {
        if (pieces == null) {
            over = true;
            return false;
        }
        last("error", document, length);
        return true;
    }

    private synchronized void last(String name, byte[] value, int length) {
        over = true;
        try {
            begin();
            ByteArrayOutputStream out = new ByteArrayOutputStream(length + 32);
            if (events) {
                event(out, name, value, 0, length);
            } else {
                out.writeBytes(("{\"" + name + "\":").getBytes(StandardCharsets.US_ASCII));
                out.write(value, 0, length);
                out.writeBytes(new byte[] {'}', '\n'});
            }
            pieces.end(out.toByteArray(), out.size());
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "the end of a stream of {0} to {1} was lost: {2}", call.method(), call.peer(), LogText.of(e.getMessage()));
            call.reply().abandon(null);
        } catch (RuntimeException | Error e) {
            call.reply().abandon(e);
        }
    }

    @Override
    public void credit(int bytes) {
        call.reply().readMore();
    }

    @Override
    public synchronized boolean isFull() {
        return pieces != null && pieces.isFull();
    }

    /** The error of a host that sends whole answers only (HTTP-39). */
    static CreoException notHosted(String method) {
        return Failures.notStarted(Failures.ofRuntime(ErrorCode.UNKNOWN_METHOD,
            method + " has streams, and this host, which is within another server, answers with one message: call the host at a port of its own"));
    }
}
