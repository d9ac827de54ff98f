package creo.runtime;

/**
 * Whether a server asks its clients for a certificate when they connect by TLS. A certificate that a client sends is verified by the trust
 * managers of the server's {@code SSLContext}, and the connection fails if they do not trust it, with {@link #WANT} as with {@link #NEED}.
 */
public enum ClientCertificates {
    /** Clients are not asked. */
    NONE,
    /** Clients are asked, and may connect without a certificate. */
    WANT,
    /** Clients are asked, and connections without a certificate are refused. */
    NEED
}
