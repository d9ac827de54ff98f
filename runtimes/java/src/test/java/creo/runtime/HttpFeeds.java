package creo.runtime;

import creo.runtime.internal.http.HttpFault;
import creo.runtime.internal.http.HttpRequestHead;
import creo.runtime.internal.http.HttpRequestParser;
import creo.runtime.internal.http.HttpResponseHead;
import creo.runtime.internal.http.HttpResponseParser;
import creo.runtime.internal.http.HttpSyntax;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Supplier;

/** Feeds bytes to the parsers of HTTP in pieces, and says in a line what they made of them. */
final class HttpFeeds {
    /** A head of more bytes is refused. */
    static final int MAX_HEADER_SIZE = 1_024;
    static final int MAX_FIELDS = 8;

    private HttpFeeds() {}

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Fails without JUnit, which is not there when {@link HttpFuzz} runs. */
    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new AssertionError(message);
        }
    }

    private static void checkSame(String whole, String pieces, String message) {
        check(whole.equals(pieces), "as a whole <" + whole + ">, but in pieces <" + pieces + ">: " + message);
    }

    /** Something that is fed. */
    interface Fed {
        /** Takes what can be taken of b[from, to), and notes it; returns the first byte that was not consumed, or -1 after a fault. */
        int take(byte[] b, int from, int to, StringBuilder trace);

        /** Notes the end of the input. */
        void end(StringBuilder trace);
    }

    /** What becomes of the input if it arrives in pieces of these sizes; the last is repeated. */
    static String trace(Fed fed, byte[] input, int... sizes) {
        StringBuilder trace = new StringBuilder();
        byte[] kept = {};
        int at = 0;
        for (int i = 0; at < input.length; i++) {
            int n = Math.min(sizes[Math.min(i, sizes.length - 1)], input.length - at);
            // Unconsumed bytes move, and bytes beyond the end must not matter.
            int margin = i % 3;
            byte[] b = new byte[margin + kept.length + n + 4];
            Arrays.fill(b, (byte) "\r\n0a".charAt(i % 4));
            System.arraycopy(kept, 0, b, margin, kept.length);
            System.arraycopy(input, at, b, margin + kept.length, n);
            int to = margin + kept.length + n;
            int next = fed.take(b, margin, to, trace);
            if (next < 0) {
                return trace.toString();
            }
            check(next >= margin && next <= to, "consumed from " + margin + " to " + next + " of " + to);
            kept = Arrays.copyOfRange(b, next, to);
            at += n;
        }
        fed.end(trace);
        return trace.toString();
    }

    /** The same as a whole, byte by byte, and split at every position; all must be the same. */
    static String traceAll(String id, Supplier<Fed> fed, byte[] input) {
        String whole = trace(fed.get(), input, Math.max(1, input.length));
        checkSame(whole, trace(fed.get(), input, 1), id + " byte by byte");
        for (int split = 1; split < input.length; split++) {
            checkSame(whole, trace(fed.get(), input, split, input.length), id + " split at " + split);
        }
        return whole;
    }

    private static final String ODD = "\r\n\t :;,=\"\\%#?*[]+-0f\0\u0001\u007f\u0080\u00ff";
    private static final String[] PIECES = {"\r\n", "\r\n\r\n", "Host: x\r\n", "Content-Length: 1\r\n", "Transfer-Encoding: chunked\r\n", "0\r\n\r\n", "1\r\na\r\n", " HTTP/1.1\r\n",
        "ffffffffffffffff", ";a=\"b\"", "GET / HTTP/1.1\r\n", "HTTP/1.1 200 OK\r\n"};

    /** The input with one to four changes. */
    static byte[] mutated(Random random, byte[] input) {
        StringBuilder text = new StringBuilder(HttpSyntax.text(input, 0, input.length));
        for (int changes = 1 + random.nextInt(4); changes > 0 && text.length() > 0; changes--) {
            int at = random.nextInt(text.length());
            int end = Math.min(text.length(), at + 1 + random.nextInt(8));
            switch (random.nextInt(6)) {
                case 0 -> text.setCharAt(at, (char) random.nextInt(256));
                case 1 -> text.setCharAt(at, ODD.charAt(random.nextInt(ODD.length())));
                case 2 -> text.delete(at, end);
                case 3 -> text.insert(at, text.substring(at, end));
                case 4 -> text.insert(at, PIECES[random.nextInt(PIECES.length)]);
                default -> text.setLength(at);
            }
        }
        return bytes(text.toString());
    }

    /** Checks that the whole input, its single bytes and random pieces of it give the same trace, which it returns. */
    static String checkSplits(Random random, Supplier<Fed> fed, byte[] input) {
        String whole = trace(fed.get(), input, Math.max(1, input.length));
        int[] sizes = random.ints(8, 1, 40).toArray();
        String message = "of " + Arrays.toString(input);
        checkSame(whole, trace(fed.get(), input, 1), message);
        checkSame(whole, trace(fed.get(), input, sizes), message);
        return whole;
    }

    /**
     * A trace of requests: {@code POST /Echo/add {body}.} for each, a query after {@code ?} and the words {@code close}, {@code continue} where they hold;
     * {@code !400} for a fault, {@code ~} if more was expected.
     */
    static final class Requests implements Fed {
        private final HttpRequestParser parser = new HttpRequestParser(MAX_HEADER_SIZE, MAX_FIELDS);
        private boolean inBody;

        @Override
        public int take(byte[] b, int from, int to, StringBuilder trace) {
            int at = from;
            // Each step but the last consumes a byte, or is the end of a request.
            for (int steps = 0; steps <= 2 * (to - from) + 2; steps++) {
                HttpRequestParser.Status status;
                try {
                    status = parser.next(b, at, to);
                } catch (HttpFault e) {
                    trace.append(inBody ? "}!" : "!").append(e.status());
                    return -1;
                }
                check(parser.position() >= at && parser.position() <= to, "consumed from " + at + " to " + parser.position() + " of " + to);
                at = parser.position();
                switch (status) {
                    case MORE -> {
                        return at;
                    }
                    case HEAD -> note(parser.head(), trace);
                    case BODY -> {
                        check(parser.bodyFrom() < parser.bodyTo() && parser.bodyTo() <= to, "a piece of the body");
                        trace.append(HttpSyntax.text(b, parser.bodyFrom(), parser.bodyTo()));
                    }
                    default -> {
                        trace.append("}.");
                        inBody = false;
                    }
                }
            }
            throw new AssertionError("no progress: " + trace);
        }

        private void note(HttpRequestHead head, StringBuilder trace) {
            trace.append(head.method()).append(' ').append(head.path()).append(head.query() == null ? "" : "?" + head.query());
            trace.append(head.keepAlive() ? "" : " close").append(head.expectsContinue() ? " continue" : "").append(" {");
            inBody = true;
        }

        @Override
        public void end(StringBuilder trace) {
            trace.append(inBody ? "}~" : parser.isIdle() ? "" : "~");
        }
    }

    /**
     * A trace of one response: {@code 200 OK {body}.}, with the words {@code close} and {@code 100} where they hold; {@code !400} for a fault, {@code ~} if more was
     * expected, {@code +} for bytes after it.
     */
    static final class Responses implements Fed {
        private final HttpResponseParser parser = new HttpResponseParser(MAX_HEADER_SIZE, MAX_FIELDS);
        private boolean inBody;
        private boolean done;

        Responses(String method) {
            parser.begin(method);
        }

        @Override
        public int take(byte[] b, int from, int to, StringBuilder trace) {
            int at = from;
            // Each step but the last consumes a byte, or is the end of the response.
            for (int steps = 0; steps <= to - from + 2; steps++) {
                HttpResponseParser.Status status;
                try {
                    status = parser.next(b, at, to);
                } catch (HttpFault e) {
                    trace.append(inBody ? "}!" : "!").append(e.status());
                    return -1;
                }
                check(parser.position() >= at && parser.position() <= to, "consumed from " + at + " to " + parser.position() + " of " + to);
                at = parser.position();
                switch (status) {
                    case MORE -> {
                        return at;
                    }
                    case CONTINUE -> trace.append("100 ");
                    case HEAD -> {
                        HttpResponseHead head = parser.head();
                        trace.append(head.status()).append(' ').append(head.reason()).append(head.keepAlive() ? "" : " close").append(" {");
                        inBody = true;
                    }
                    case BODY -> {
                        check(parser.bodyFrom() < parser.bodyTo() && parser.bodyTo() <= to, "a piece of the body");
                        trace.append(HttpSyntax.text(b, parser.bodyFrom(), parser.bodyTo()));
                    }
                    default -> {
                        trace.append(done ? "" : "}.");
                        done = true;
                        inBody = false;
                        if (at < to) {
                            trace.append('+');
                            return -1;
                        }
                        return at;
                    }
                }
            }
            throw new AssertionError("no progress: " + trace);
        }

        @Override
        public void end(StringBuilder trace) {
            if (!done) {
                trace.append(inBody ? "}" : "").append(parser.isCompleteAtEnd() ? "." : parser.isIdle() ? "" : parser.isHttp() ? "~" : "?");
            }
        }
    }
}
