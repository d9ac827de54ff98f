package creo.runtime;

/** How the bodies of a broker's messages are written. */
public enum Wire {
    /** The binary wire. */
    BINARY,
    /** Tables in the form of {@link ClientOptions#withTables}. */
    TDXML,
    /** Envelopes of SOAP. */
    SOAP
}
