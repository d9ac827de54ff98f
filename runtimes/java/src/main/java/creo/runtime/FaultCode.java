package creo.runtime;

/**
 * The code of a SOAP fault. In SOAP 1.2, a code outside SOAP's namespace is a subcode of {@code Sender}.
 *
 * @param namespace the name's namespace, or null for SOAP's
 * @param name such as {@code VersionMismatch}; neither needs escapes in XML
 */
public record FaultCode(String namespace, String name) {}
