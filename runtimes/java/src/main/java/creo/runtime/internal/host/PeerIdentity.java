package creo.runtime.internal.host;

import java.security.Principal;
import java.security.cert.X509Certificate;

/** What a transport knows of who is at its other end. */
interface PeerIdentity {
    /** The certificates that the peer has proved to own, its own first, or null. */
    X509Certificate[] peerCertificates();

    /** Who calls, as the transport has found out, or null if it does not look. */
    default Principal principal() {
        return null;
    }
}
