package creo.runtime.internal.host;

import creo.runtime.ClientCertificates;
import creo.runtime.CreoException;
import creo.runtime.internal.net.TcpLink;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;

/** The server's side of TLS: its keys, its trusted certificates, and whether it asks clients for certificates. */
public final class ServerTls {
    private final ClientCertificates clientCertificates;
    private volatile SSLContext context;

    public ServerTls(SSLContext context, ClientCertificates clientCertificates) {
        this.context = context;
        this.clientCertificates = clientCertificates;
    }

    /** Replaces keys and trust for new connections. Open ones are not affected. */
    public void reload(SSLContext with) {
        context = with;
    }

    /** A connection whose first bytes, received[from, to), are TLS. */
    public TlsLink link(SocketChannel channel, byte[] received, int from, int to) throws IOException {
        return new TlsLink(channel, engine(), received, from, to);
    }

    SSLEngine engine() {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(TcpLink.TLS_VERSIONS);
        parameters.setUseCipherSuitesOrder(true);
        switch (clientCertificates) {
            case NONE -> parameters.setNeedClientAuth(false);
            case WANT -> parameters.setWantClientAuth(true);
            case NEED -> parameters.setNeedClientAuth(true);
        }
        engine.setSSLParameters(parameters);
        return engine;
    }

    /** Why TLS failed, for a log. */
    static String explain(SSLException e) {
        for (Throwable t = e.getCause(); t != null; t = t.getCause()) {
            if (t instanceof CertificateException) {
                return "the client's certificate is refused: " + explainRefusal(t);
            }
        }
        // Newer engines put the alert first.
        String message = e.getMessage() == null ? e.getClass().getSimpleName() : CreoException.shown(e.getMessage()).replaceFirst("^\\([a-z_]+\\) ", "");
        if (message.contains("Empty client certificate chain")) {
            return "the client has sent no certificate, and this server needs one";
        }
        if (message.startsWith("Received fatal alert: ") && (message.contains("certificate") || message.endsWith("unknown_ca"))) {
            return "the client refuses this server's certificate: " + message;
        }
        return message;
    }

    private static String explainRefusal(Throwable t) {
        while (t.getCause() != null) {
            t = t.getCause();
        }
        String message = t.getMessage() == null ? t.getClass().getSimpleName() : CreoException.shown(t.getMessage());
        if (t instanceof CertificateExpiredException) {
            return "it has expired, " + message;
        }
        return t instanceof CertificateNotYetValidException ? "it is not valid yet, " + message : message;
    }
}
