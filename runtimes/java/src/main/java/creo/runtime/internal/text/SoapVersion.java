package creo.runtime.internal.text;

/** The two versions of SOAP, and their differences. */
public enum SoapVersion {
    V11("http://schemas.xmlsoap.org/soap/envelope/", "text/xml", "http://schemas.xmlsoap.org/soap/encoding/"),
    V12("http://www.w3.org/2003/05/soap-envelope", "application/soap+xml", "http://www.w3.org/2003/05/soap-encoding");

    public final String namespace;
    public final String mediaType;
    public final String encoding;
    /** The beginning of a message, before the prefixes. */
    public final String start;

    SoapVersion(String namespace, String mediaType, String encoding) {
        this.namespace = namespace;
        this.mediaType = mediaType;
        this.encoding = encoding;
        this.start = "<soap:Envelope xmlns:soap=\"" + namespace + "\"";
    }

    /** The version of an envelope's namespace, or null. */
    public static SoapVersion of(String namespace) {
        return V11.namespace.equals(namespace) ? V11 : V12.namespace.equals(namespace) ? V12 : null;
    }

    /** Whether an actor or role means the receiver of a message. */
    public boolean isReceiver(String role) {
        return role.isEmpty() || role.equals(this == V11 ? "http://schemas.xmlsoap.org/soap/actor/next" : namespace + "/role/next")
            || this == V12 && role.equals(namespace + "/role/ultimateReceiver");
    }
}
