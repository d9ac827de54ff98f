package creo.wss;

/** How a message refers to the certificate of a key (SOAP-83). */
public enum TokenReference {
    /** The certificate is in the message. */
    BINARY_TOKEN,
    /** By its issuer and serial number. */
    ISSUER_SERIAL,
    /** By the identifier of its key, which must be among its extensions. */
    KEY_IDENTIFIER,
    /** By its SHA-1. */
    THUMBPRINT
}
