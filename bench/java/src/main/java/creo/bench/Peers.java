package creo.bench;

import creo.bench.messages.TextPeers;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TCompactProtocol;

/** The peers by name, in the order in which they are measured. */
final class Peers {
    private interface Factory {
        Case create(Workload workload, int count) throws Exception;
    }

    private static final Map<String, Factory> FACTORIES = new LinkedHashMap<>();

    static {
        FACTORIES.put("creo", CreoPeer::new);
        FACTORIES.put("thrift-binary", (w, n) -> new ThriftPeer(w, n, new TBinaryProtocol.Factory()));
        FACTORIES.put("thrift-compact", (w, n) -> new ThriftPeer(w, n, new TCompactProtocol.Factory()));
        FACTORIES.put("protobuf", (w, n) -> new ProtobufPeer(w, n, false));
        FACTORIES.put("protobuf-prebuilt", (w, n) -> new ProtobufPeer(w, n, true));
        FACTORIES.put("fory", ForyPeer::new);
        FACTORIES.put("avro", AvroPeer::new);
        FACTORIES.put("msgpack", MessagePackPeer::new);
        FACTORIES.put("serialization", SerializationPeer::new);
        FACTORIES.put("hand", HandPeer::new);
    }

    private Peers() {}

    /** Whether a workload is a text wire, whose sizes are the names of messages. */
    static boolean isText(String workload) {
        return workload.equals("soap");
    }

    static Iterable<String> names(String workload) {
        return isText(workload) ? TextPeers.names() : FACTORIES.keySet();
    }

    /** A case whose round trip has been checked. */
    static Case create(String peer, String workload, String size) throws Exception {
        return isText(workload) ? TextPeers.create(peer, size) : create(peer, Workload.of(workload), Integer.parseInt(size));
    }

    private static Case create(String peer, Workload workload, int size) throws Exception {
        int count = workload.items(size);
        Case created = FACTORIES.get(peer).create(workload, count);
        Object decoded = created.plain(created.deserialize());
        boolean same = switch (workload) {
            case NUMBERS -> Workload.blocks(count).equals(decoded);
            case STRINGS, TEXTS -> workload.strings(count).equals(decoded);
            case BYTES -> Arrays.equals(Workload.bytes(count), (byte[]) decoded);
            case REALS -> Arrays.equals(Workload.reals(count), (double[]) decoded);
        };
        if (!same) {
            throw new AssertionError(peer + " does not give back " + workload + " of " + size + " bytes");
        }
        return created;
    }
}
