package creo.runtime;

/**
 * The code of a fault of SOAP. One of another namespace than SOAP's is, in SOAP 1.2, a subcode of {@code Sender}.
 *
 * @param namespace in which the name is, or null for that of SOAP
 * @param name such as {@code VersionMismatch}; both must be such that XML needs no escapes for them
 */
public record FaultCode(String namespace, String name) {}
