package creo.runtime;

/** How the bodies of calls over TCP are written (TCP-1). */
public enum Wire {
    /** The binary wire. */
    BINARY(0),
    /** Tables, as {@link ClientOptions#withTables} says. */
    TDXML(1);

    /** What a preamble says for it. */
    final int number;

    Wire(int number) {
        this.number = number;
    }
}
