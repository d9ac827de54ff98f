package creo.runtime;

/** How the bodies of a broker's messages are written. */
public enum Wire {
    /** The binary wire. */
    BINARY,
    /** Tables, as {@link ClientOptions#withTables} says. */
    TDXML,
    /** Envelopes of SOAP. */
    SOAP
}
