package creo.runtime.internal.host;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.call.CallBodies;
import creo.runtime.internal.tcp.TcpFrames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

/** Reads the first bytes of a connection, which identify its protocol: Creo, HTTP, or TLS around one of them. */
final class Greeting implements ServerConnection.Protocol {
    private static final int TLS_HANDSHAKE = 0x16;
    private static final int SIZE = 8_192;
    private static final System.Logger LOG = System.getLogger("creo.runtime");

    private final ServerConnection connection;
    private final ServerPort.Offer offer;
    private final boolean welcome;
    private byte[] buf = new byte[64];
    private int end;
    /** Whether the time is over and what has arrived by now is still to be read. */
    private boolean overdue;

    /**
     * The greeting of a connection.
     *
     * @param welcome false if its address has too many connections: the client is told once its protocol is known
     */
    Greeting(ServerConnection connection, boolean welcome) {
        this.connection = connection;
        this.offer = connection.port.offer();
        this.welcome = welcome;
    }

    @Override
    public boolean serve(boolean readable) throws IOException {
        while (readable) {
            if (end == buf.length) {
                buf = java.util.Arrays.copyOf(buf, SIZE);
            }
            int n = connection.read(buf, end, buf.length - end);
            if (n < 0) {
                connection.close();
                return true;
            }
            if (n == 0) {
                return true;
            }
            end += n;
            if (!connection.link().isTls() && isTls()) {
                if (!welcome) {
                    connection.close();
                    return true;
                }
                if (offer.tls() != null) {
                    connection.secure(offer.tls().link(connection.link().channel(), buf, 0, end));
                    end = 0;
                    continue;
                }
                if (offer.http() == null) {
                    mismatch();
                } else {
                    // As plain text, so that a TLS client reports a missing TLS.
                    refuseHttp("400 Bad Request", "This port does not speak TLS.");
                }
                return true;
            }
            if (isDecided()) {
                return decide();
            }
        }
        return true;
    }

    private boolean isTls() {
        return buf[0] == TLS_HANDSHAKE && (end == 1 || buf[1] == 3);
    }

    private boolean isDecided() {
        if (TcpFrames.isCreo(buf, end)) {
            return end >= TcpFrames.PREAMBLE || end > 4 && buf[4] != 1;
        }
        return offer.http() != null && !offer.creo() || end >= 4 || end >= 2 && buf[0] < 0x20 && buf[0] != '\r';
    }

    /** Whether the bytes may begin a request, even a malformed one, which is then answered. */
    private boolean isText() {
        for (int i = 0; i < 4; i++) {
            if (buf[i] < ' ' && buf[i] != '\r' && buf[i] != '\n' && buf[i] != '\t') {
                return false;
            }
        }
        return true;
    }

    private boolean decide() throws IOException {
        boolean expectsTls = offer.tls() != null && !offer.plain() && !connection.link().isTls();
        if (TcpFrames.isCreo(buf, end)) {
            if (buf[4] != 1) {
                mismatch();
                return true;
            }
            return creo(expectsTls);
        }
        boolean speaksHttp = TcpFrames.isHttp(buf, end) || offer.http() != null && (isText() || !offer.creo());
        if (!speaksHttp) {
            mismatch();
            return true;
        }
        if (expectsTls || offer.http() == null) {
            refuseHttp("400 Bad Request", expectsTls ? "This port expects TLS: use https." : "This port speaks the binary wire of Creo, version 1, not HTTP.");
            return true;
        }
        if (!welcome) {
            CreoException e = tooMany();
            refuseHttp("503 Service Unavailable" + (e.retryAfter() == null ? "" : "\r\nRetry-After: " + AnswerPairs.seconds(e.retryAfter())), e.reason());
            return true;
        }
        HttpServerConnection next = new HttpServerConnection(connection, offer.http(), buf, end);
        connection.speak(next);
        return next.serve(true);
    }

    private boolean creo(boolean expectsTls) throws IOException {
        TcpServerConnection next = new TcpServerConnection(connection, buf, end);
        connection.speak(next);
        Map<Integer, CallBodies> spoken = connection.port.host().bodies();
        CallBodies bodies = spoken.get(next.wire());
        CreoException refusal = null;
        if (expectsTls) {
            refusal = Failures.ofRuntime(ErrorCode.PROTOCOL_MISMATCH, "this port expects TLS");
        } else if (!offer.creo()) {
            refusal = Failures.ofRuntime(ErrorCode.PROTOCOL_MISMATCH, "this port speaks HTTP, not the binary wire of Creo");
        } else if (!welcome) {
            refusal = tooMany();
        } else if (bodies == null) {
            refusal = Failures.ofRuntime(ErrorCode.PROTOCOL_MISMATCH,
                "a client of the wire " + next.wire() + ", where this server speaks "
                    + spoken.values().stream().map(each -> each.number + ", " + each.name).collect(Collectors.joining(", and ")));
        }
        if (refusal != null) {
            LOG.log(System.Logger.Level.INFO, "connection of {0}: {1}", connection.peer(), refusal.getMessage());
            next.refuse(Failures.notStarted(refusal));
            return true;
        }
        return next.begin(bodies);
    }

    private CreoException tooMany() {
        Host host = connection.port.host();
        int max = host.limits().maxConnectionsPerAddress();
        return host.refusal(Failures.withDetails(ErrorCode.OVERLOADED, "too many connections of one address: maxConnectionsPerAddress is " + max,
            Map.of("limit", "maxConnectionsPerAddress", "allowed", Integer.toString(max))));
    }

    private void mismatch() {
        LOG.log(System.Logger.Level.INFO, "connection of {0}: the peer speaks {1}, not version 1 of Creo", connection.peer(), TcpFrames.describe(buf, end));
        connection.close();
    }

    private void refuseHttp(String status, String text) throws IOException {
        byte[] answer = ("HTTP/1.1 " + status + "\r\nContent-Type: text/plain\r\nConnection: close\r\nContent-Length: " + (text.length() + 1) + "\r\n\r\n" + text + "\n")
            .getBytes(StandardCharsets.US_ASCII);
        connection.out().send(answer, 0, answer.length, true);
        connection.linger();
    }

    @Override
    public long look(long now) {
        long until = connection.acceptedAt() + connection.port.host().limits().preambleTimeout().toNanos();
        if (now - until >= 0 && !overdue) {
            // What arrived in time counts, even if this thread was too busy to read it.
            overdue = true;
            connection.yieldToOthers();
        } else if (now - until >= 0 && !connection.queued) {
            LOG.log(System.Logger.Level.INFO, "connection of {0} closed: no preamble or request in time", connection.peer());
            connection.close();
        }
        return until;
    }

    @Override
    public void drain() {
        connection.close();
    }

    @Override
    public boolean isIdle() {
        return true;
    }

    @Override
    public void closed() {}
}
