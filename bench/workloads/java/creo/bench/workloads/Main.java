package creo.bench.workloads;

import creo.bench.SpentTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;

/**
 * One cell of the workloads in Java: {@code WORKLOAD WIRE PEER FOLDER SECONDS}. Prints a JSON line: bytes and CRC-32 of the message, and nanoseconds a call of the processor time of
 * this thread and the collector.
 */
public final class Main {
    private static final long SAMPLE = 10_000_000;
    /** Stored, so no call is optimized away. */
    private static Object sink;

    private interface Operation {
        Object run() throws Exception;
    }

    private Main() {}

    public static void main(String[] args) throws Exception {
        String workload = args[0];
        Path folder = Path.of(args[3]);
        Object plain = Plain.of(workload, Files.readAllBytes(folder.resolve(workload + ".bin")));
        Peer peer = peer(args[1], args[2], plain);
        Object built = peer.build();
        byte[] bytes = built == null ? Files.readAllBytes(folder.resolve(workload + ".soap")) : peer.encode(built);
        if (peer.read(peer.decode(bytes)) != Plain.read(plain)) {
            throw new IllegalStateException(args[2] + " does not give back " + workload + " on " + args[1]);
        }
        Map<String, Operation> operations = new LinkedHashMap<>();
        if (built != null) {
            operations.put("encode", () -> peer.encode(built));
            operations.put("build and encode", () -> peer.encode(peer.build()));
        }
        operations.put("decode", () -> peer.decode(bytes));
        operations.put("decode and read", () -> peer.read(peer.decode(bytes)));
        double seconds = Double.parseDouble(args[4]);
        // By processor time, which a busy machine does not shorten: until the compilers are done.
        sample(operations, Math.max(2, seconds));
        Map<String, List<Double>> samples = sample(operations, seconds);
        CRC32 crc = new CRC32();
        crc.update(bytes);
        StringBuilder line = new StringBuilder("{\"bytes\": " + bytes.length + ", \"crc\": " + crc.getValue() + ", \"samples\": {");
        String comma = "";
        for (Map.Entry<String, List<Double>> each : samples.entrySet()) {
            line.append(comma).append('"').append(each.getKey()).append("\": ").append(each.getValue());
            comma = ", ";
        }
        System.out.println(line.append("}}"));
    }

    private static Peer peer(String wire, String name, Object plain) {
        return switch (wire + " " + name) {
            case "binary creo" -> CreoPeer.binary(plain);
            case "binary creo-kept" -> CreoPeer.kept(plain);
            case "binary fory" -> new PlainPeer.ForyPeer(plain);
            case "binary protobuf" -> new ProtobufPeer(plain);
            case "binary avro" -> new AvroPeer(plain);
            case "json creo" -> CreoPeer.json(plain);
            case "json jackson" -> new PlainPeer.JacksonPeer(plain);
            case "json fastjson2" -> new PlainPeer.Fastjson2Peer(plain);
            case "soap creo" -> new SoapPeer.Creo();
            case "soap aalto" -> new SoapPeer.Aalto();
            default -> throw new IllegalArgumentException("no peer " + name + " on " + wire);
        };
    }

    /** Takes samples in turns until each operation has had its share of the seconds. */
    private static Map<String, List<Double>> sample(Map<String, Operation> operations, double seconds) throws Exception {
        SpentTime time = new SpentTime();
        Map<String, List<Double>> samples = new LinkedHashMap<>();
        Map<String, Integer> loops = new LinkedHashMap<>();
        for (Map.Entry<String, Operation> each : operations.entrySet()) {
            samples.put(each.getKey(), new ArrayList<>());
            loops.put(each.getKey(), 1);
        }
        long end = time.now() + (long) (seconds * 1e9);
        while (time.now() < end) {
            for (Map.Entry<String, Operation> each : operations.entrySet()) {
                int count = loops.get(each.getKey());
                Operation operation = each.getValue();
                long start = time.now();
                for (int i = 0; i < count; i++) {
                    sink = operation.run();
                }
                long took = Math.max(time.now() - start, 1);
                if (took > SAMPLE / 2) {
                    samples.get(each.getKey()).add(took / (double) count);
                }
                loops.put(each.getKey(), (int) Math.max(1, Math.min(count * 4L, count * SAMPLE / took)));
            }
        }
        return samples;
    }
}
