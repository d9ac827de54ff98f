package creo.bench.response;

/** One way to call a service: its service, and its clients. */
public interface Peer {
    /** Starts the service on the loopback; returns what {@link #connect} needs to find it. It serves until the program ends. */
    String serve() throws Exception;

    /** A client for one caller, which makes calls in sequence. If a peer's clients support many threads, they may share resources. */
    Client connect(String address) throws Exception;

    /** Calls the service. */
    interface Client {
        /** The objects of a request as the peer's own generated code has them, ready to be sent as often as one likes, by every client of this peer. */
        Object prepare(Kind kind, int count) throws Exception;

        /** Sends a request and waits for the number of items that arrived. */
        int call(Kind kind, Object request) throws Exception;
    }
}
