package creo.runtime;

/** How the bodies of calls over TCP (TCP-1), or of messages of a broker, are written. */
public enum Wire {
    /** The binary wire. */
    BINARY(0),
    /** Tables, as {@link ClientOptions#withTables} says. */
    TDXML(1),
    /** Envelopes of SOAP; not over TCP. */
    SOAP(-1);

    /** What a preamble says for it. */
    final int number;

    Wire(int number) {
        this.number = number;
    }
}
