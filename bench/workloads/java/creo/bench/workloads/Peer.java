package creo.bench.workloads;

/** One peer with one workload. */
interface Peer {
    /** The message in the peer's own objects, of the plain values; null if the peer only decodes. */
    Object build() throws Exception;

    byte[] encode(Object message) throws Exception;

    Object decode(byte[] bytes) throws Exception;

    /** Reads every field of what was decoded: its digest. */
    long read(Object message);
}
