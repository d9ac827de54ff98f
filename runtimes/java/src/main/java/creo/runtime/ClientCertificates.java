package creo.runtime;

/**
 * Whether a server asks its clients for a certificate when they connect by TLS. The trust managers of the server's {@code SSLContext} verify any
 * certificate that a client sends. If they do not trust it, the connection fails, with {@link #WANT} as with {@link #NEED}.
 */
public enum ClientCertificates {
    /** Clients are not asked. */
    NONE,
    /** Clients are asked, but may connect without a certificate. */
    WANT,
    /** Clients are asked, and connections without a certificate are refused. */
    NEED
}
