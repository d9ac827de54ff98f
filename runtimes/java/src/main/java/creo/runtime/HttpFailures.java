package creo.runtime;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;

/** What failures of HTTP are for the caller (HTTP-3, HTTP-10, ERR-9). */
final class HttpFailures {
    /** Milliseconds. */
    private static final int PATIENCE = 1_000;

    private HttpFailures() {}

    /** A connection that failed. */
    static CreoException of(String address, IOException e) {
        for (Throwable t = e; t != null; t = t.getCause()) {
            if (t instanceof UnresolvedAddressException || t instanceof UnknownHostException) {
                return unavailable(address, "no such host", e);
            }
            if (t instanceof HttpConnectTimeoutException) {
                return unavailable(address, "connecting timed out", e);
            }
            if (t instanceof ConnectException) {
                return unavailable(address, t.getMessage() == null ? "the connection was refused" : t.getMessage(), e);
            }
            if (t instanceof SSLException) {
                return tls(address, (SSLException) t, e);
            }
            String text = String.valueOf(t.getMessage());
            // The last: bytes came, and an end, before there was a line of HTTP.
            boolean noHttp = text.contains("Invalid status line") || text.contains("parser state [STATUS_LINE]");
            if (t instanceof ProtocolException || noHttp || t instanceof NumberFormatException) {
                return CreoException.ofRuntime(ErrorCode.PROTOCOL_MISMATCH, "what answers at " + address + " does not speak HTTP, or expects TLS: " + t.getMessage(), e);
            }
        }
        return unavailable(address, "the connection was lost: " + (e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage()), e);
    }

    /** A connection of plain HTTP that failed: one that was closed without a word may have been meant for TLS, which is tried. */
    static CreoException ofPlain(String address, URI uri, IOException e) {
        if (String.valueOf(e.getMessage()).contains("received no bytes") && speaksTls(uri.getHost(), uri.getPort() < 0 ? 80 : uri.getPort())) {
            return CreoException.ofRuntime(ErrorCode.PROTOCOL_MISMATCH, "what answers at " + address + " expects TLS: use https", e);
        }
        return of(address, e);
    }

    /** A connection through TLS that failed: one that was not answered may have met plain HTTP, which is tried. */
    static CreoException ofSecure(String address, URI uri, IOException e) {
        boolean timedOut = e instanceof HttpConnectTimeoutException || e.getCause() instanceof HttpConnectTimeoutException;
        if (timedOut && speaksHttp(uri.getHost(), uri.getPort() < 0 ? 443 : uri.getPort())) {
            return CreoException.ofRuntime(ErrorCode.PROTOCOL_MISMATCH, "what answers at " + address + " does not speak TLS, but plain HTTP", e);
        }
        return of(address, e);
    }

    private static boolean speaksHttp(String host, int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), PATIENCE);
            socket.setSoTimeout(PATIENCE);
            socket.getOutputStream().write("OPTIONS * HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readNBytes(5), StandardCharsets.US_ASCII).equals("HTTP/");
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean speaksTls(String host, int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), PATIENCE);
            socket.setSoTimeout(PATIENCE);
            try (SSLSocket tls = (SSLSocket) SSLContext.getDefault().getSocketFactory().createSocket(socket, host, port, true)) {
                tls.startHandshake();
                return true;
            }
        } catch (SSLHandshakeException e) {
            // A certificate that is not trusted, or no common version: TLS in any case. A peer that just closes is none.
            return !(e.getCause() instanceof EOFException) && !String.valueOf(e.getMessage()).contains("terminated the handshake");
        } catch (IOException | NoSuchAlgorithmException e) {
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

    /** An answer that is no message of SOAP. */
    static CreoException ofStatus(int status, String mediaType, URI uri, String location) {
        ErrorCode code = switch (status) {
            case 401, 407 -> ErrorCode.UNAUTHENTICATED;
            case 403 -> ErrorCode.PERMISSION_DENIED;
            case 404, 502, 503, 504 -> ErrorCode.UNAVAILABLE;
            case 413 -> ErrorCode.TOO_LARGE;
            case 429 -> ErrorCode.OVERLOADED;
            default -> status / 100 == 3 ? ErrorCode.UNAVAILABLE : ErrorCode.PROTOCOL_MISMATCH;
        };
        String there = status / 100 == 3 && location != null ? ", which points to " + CreoException.shown(location) : "";
        return CreoException.withDetails(code, "HTTP status " + status + " with " + CreoException.shown(mediaType) + " from " + uri + there, Map.of("status", Integer.toString(status)));
    }

    /** The same error, with what was called. */
    static CreoException explain(CreoException e, ServiceMethod<?, ?> method) {
        return CreoException.ofPeer(e.code(), "the server does not know " + method + ": " + e.reason(), e.details());
    }
}
