package creo.runtime.internal.http;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Limits;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.buffer.PaddedBytes;
import creo.runtime.internal.net.Deadlines;
import creo.runtime.internal.net.TcpConnector;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;

/** Turns failures of HTTP into errors for the caller (HTTP-3, HTTP-10, ERR-9). */
final class HttpFailures {
    /** In milliseconds. */
    private static final int PATIENCE = 1_000;

    /** The max characters of each part of an answer in a message. */
    private static final int MAX_EXCERPT = 300;

    private HttpFailures() {}

    /** The error for a connection that failed or could not be opened. */
    static CreoException of(String address, IOException e) {
        String where = e instanceof HttpProxy.Failure f ? address + " through the proxy " + f.proxy() : address;
        for (Throwable t = e; t != null; t = t.getCause()) {
            if (t instanceof UnknownHostException) {
                return unavailable(where, "no such host", e);
            }
            if (t instanceof SocketTimeoutException) {
                return unavailable(where, "connecting timed out", e);
            }
            if (t instanceof ConnectException || t instanceof NoRouteToHostException) {
                return unavailable(where, t.getMessage() == null ? "the connection was refused" : t.getMessage(), e);
            }
            if (t instanceof HttpProxy.Refusal r) {
                Map<String, String> details = Map.of("status", Integer.toString(r.status()));
                return Failures.withDetails(code(r.status()), where + ": " + r.getMessage(), details);
            }
            if (t instanceof SSLException) {
                return tls(where, (SSLException) t, e);
            }
            if (t instanceof HttpFault) {
                return CreoException.ofRuntime(ErrorCode.PROTOCOL_MISMATCH, where + ": " + e.getMessage(), e);
            }
        }
        return unavailable(where, "the connection was lost: " + (e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage()), e);
    }

    /** The error for an invalid HTTP answer, or one whose head is too large. */
    static CreoException ofFault(String address, Limits limits, HttpFault e) {
        if (e.status() == 431) {
            return CreoException.tooLarge("maxHeaderSize", limits.maxHeaderSize(), "an answer of " + address + " with " + e.getMessage());
        }
        return CreoException.ofRuntime(ErrorCode.PROTOCOL_MISMATCH, "what answers at " + address + " does not speak HTTP, or expects TLS: " + e.getMessage(), e);
    }

    /**
     * The error for a new connection that failed. One that was closed silently may have expected TLS, and one through TLS without an answer may have
     * met plain HTTP: both are tried on another thread, within a second and the deadline.
     */
    static CreoException ofFresh(String address, URI uri, long deadline, Executor threads, IOException e) {
        boolean secure = "https".equalsIgnoreCase(uri.getScheme());
        int patience = Math.min(PATIENCE, Deadlines.millisecondsLeft(deadline));
        if (!(e instanceof HttpProxy.Failure) && patience > 0) {
            if (!secure && e instanceof HttpConnection.Unanswered && probe(threads, patience, socket -> speaksTls(socket, uri.getHost(), uri.getPort() < 0 ? 80 : uri.getPort()))) {
                return CreoException.ofRuntime(ErrorCode.PROTOCOL_MISMATCH, "what answers at " + address + " expects TLS: use https", e);
            }
            if (secure && e instanceof SocketTimeoutException && probe(threads, patience, socket -> speaksHttp(socket, uri.getHost(), uri.getPort() < 0 ? 443 : uri.getPort()))) {
                return CreoException.ofRuntime(ErrorCode.PROTOCOL_MISMATCH, "what answers at " + address + " does not speak TLS, but plain HTTP", e);
            }
        }
        return of(address, e);
    }

    /** Asks a service something on a connection that is not open yet. */
    private interface Probe {
        boolean answers(Socket socket) throws IOException;
    }

    /** The answer of a probe; false if it is not there within so many milliseconds, whatever the service, or the lookup of its name, is doing. */
    private static boolean probe(Executor threads, int patience, Probe probe) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        try (Socket socket = new Socket()) {
            threads.execute(() -> {
                try {
                    answer.complete(probe.answers(socket));
                } catch (IOException | RuntimeException | Error e) {
                    answer.complete(false);
                }
            });
            return answer.get(patience, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (IOException | ExecutionException | TimeoutException | RejectedExecutionException e) {
            return false;
        }
    }

    private static boolean speaksHttp(Socket socket, String host, int port) throws IOException {
        socket.connect(new InetSocketAddress(host, port));
        socket.getOutputStream().write("OPTIONS * HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        return new String(socket.getInputStream().readNBytes(5), StandardCharsets.US_ASCII).equals("HTTP/");
    }

    private static boolean speaksTls(Socket socket, String host, int port) throws IOException {
        socket.connect(new InetSocketAddress(host, port));
        try (SSLSocket tls = (SSLSocket) SSLContext.getDefault().getSocketFactory().createSocket(socket, host, port, true)) {
            tls.startHandshake();
            return true;
        } catch (SSLHandshakeException e) {
            // A certificate that is not trusted, or no common version: TLS in any case. A peer that only closes shows no TLS.
            return !(e.getCause() instanceof EOFException) && !String.valueOf(e.getMessage()).contains("terminated the handshake");
        } catch (NoSuchAlgorithmException e) {
            return false;
        }
    }

    private static CreoException tls(String address, SSLException t, IOException e) {
        String text = String.valueOf(t.getMessage());
        boolean plain = text.contains("Unsupported or unrecognized SSL message") || text.contains("plaintext connection");
        if (plain) {
            return CreoException.ofRuntime(ErrorCode.PROTOCOL_MISMATCH, "what answers at " + address + " does not speak TLS: " + text, e);
        }
        if (TcpConnector.isUntrusted(t)) {
            return CreoException.ofRuntime(ErrorCode.UNTRUSTED_PEER, address + ": the certificate is not accepted: " + text, e);
        }
        return unavailable(address, "TLS: " + text, e);
    }

    private static CreoException unavailable(String address, String what, IOException e) {
        return CreoException.ofRuntime(ErrorCode.UNAVAILABLE, address + ": " + what, e);
    }

    private static ErrorCode code(int status) {
        return switch (status) {
            case 401, 407 -> ErrorCode.UNAUTHENTICATED;
            case 403 -> ErrorCode.PERMISSION_DENIED;
            case 404, 502, 503, 504 -> ErrorCode.UNAVAILABLE;
            case 413 -> ErrorCode.TOO_LARGE;
            case 429 -> ErrorCode.OVERLOADED;
            default -> status / 100 == 3 ? ErrorCode.UNAVAILABLE : ErrorCode.PROTOCOL_MISMATCH;
        };
    }

    /** The error for a redirect that is not followed (HTTP-40, HTTP-41). */
    static CreoException notFollowed(HttpResponse answer, URI uri, String why) {
        return ofAnswer(answer.head(), answer.body(), null, uri, "the redirect is not followed, since " + why);
    }

    /** The error for a 401 that a client cannot answer by its digest (HTTP-49, HTTP-51). */
    static CreoException notShown(HttpResponse answer, URI uri, String why) {
        return ofAnswer(answer.head(), answer.body(), null, uri, "digest authentication is not possible, since " + why);
    }

    /**
     * The error for an answer without a message (HTTP-22).
     *
     * @param said the text of its body, or null
     */
    static CreoException ofAnswer(HttpResponseHead head, PaddedBytes body, String said, URI uri) {
        int status = head.status();
        if (status / 100 != 3) {
            return ofAnswer(head, body, said, uri, null);
        }
        boolean other = status >= 301 && status <= 303;
        return ofAnswer(head, body, said, uri, other ? "redirects with " + status + " are not followed, since they keep neither method nor body" : "redirects are not followed");
    }

    /** @param why why the answer is not followed by another request, or null */
    private static CreoException ofAnswer(HttpResponseHead head, PaddedBytes body, String said, URI uri, String why) {
        int status = head.status();
        HttpFields fields = head.fields();
        StringBuilder text = new StringBuilder("HTTP status ").append(status);
        add(text, " ", head.reason());
        text.append(" with ").append(fields.has("content-type") ? cut(fields.first("content-type")) : "no media type").append(" from ").append(uri);
        if (status / 100 == 3) {
            add(text, ", which points to ", fields.first("location"));
        }
        if (status == 401) {
            add(text, "; WWW-Authenticate: ", String.join(", ", fields.all("www-authenticate")));
        } else if (status == 407) {
            add(text, "; Proxy-Authenticate: ", String.join(", ", fields.all("proxy-authenticate")));
        }
        if (why != null) {
            text.append("; ").append(why);
        }
        int most = Math.min(body.length(), 4 * MAX_EXCERPT);
        add(text, ": ", said != null ? said : new String(body.bytes(), 0, most, StandardCharsets.UTF_8));
        return Failures.ofPeer(code(status), text.toString(), Map.of("status", Integer.toString(status)));
    }

    private static void add(StringBuilder text, String before, String said) {
        if (said != null && !said.isBlank()) {
            text.append(before).append(cut(said.strip()));
        }
    }

    private static String cut(String said) {
        return CreoException.shown(said.length() > MAX_EXCERPT ? said.substring(0, MAX_EXCERPT) + "..." : said);
    }

    /** The same error, with the method that was called. */
    static CreoException explain(CreoException e, ServiceMethod<?, ?> method) {
        return Failures.ofPeer(e.code(), "the server does not know " + method + ": " + e.reason(), e.details());
    }
}
