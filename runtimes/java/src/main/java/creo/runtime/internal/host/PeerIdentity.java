package creo.runtime.internal.host;

import java.security.Principal;
import java.security.cert.X509Certificate;

/** What a transport knows of its peer's identity. */
interface PeerIdentity {
    /** The certificates that the peer has proved to own, its own first, or null. */
    X509Certificate[] peerCertificates();

    /** The caller as authenticated by the transport, or null. */
    default Principal principal() {
        return null;
    }
}
