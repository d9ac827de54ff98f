package creo.bench.messaging;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * {@code serve PEER FORM TRANSPORT BROKER} prints an address and serves until its input ends; a line of input is answered by the times since the last one.
 * {@code call PEER FORM TRANSPORT BROKER ADDRESS} calls: {@code prepare COUNT} asks for so many items once and looks at each, {@code run NANOSECONDS LEAST} calls so long and at
 * least so often, {@code wire NANOSECONDS} writes and reads the message so long without a transport. Answers are objects of JSON.
 */
public final class Main {
    private final Way way;
    private final Peer peer;
    private final Peer.Client client;
    private final Times times = new Times();
    private int count;

    private Main(Way way, Peer peer, String address) throws Exception {
        this.way = way;
        this.peer = peer;
        this.client = peer.connect(way, address);
    }

    public static void main(String[] args) throws Exception {
        Peer peer = args[1].startsWith("creo") ? new CreoPeer() : new CxfPeer();
        Way way = Way.of(args[2], args[3], args[4]);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        if (args[0].equals("serve")) {
            Times times = new Times();
            System.out.println(peer.serve(way, times));
            while (in.readLine() != null) {
                System.out.println(times.taken());
            }
        } else {
            Main caller = new Main(way, peer, args[5]);
            System.out.println("ready");
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                System.out.println(caller.obey(line.split(" ")));
            }
        }
        // Brokers' clients and CXF leave threads running.
        System.exit(0);
    }

    private String obey(String[] words) {
        try {
            switch (words[0]) {
                case "prepare" -> {
                    count = Integer.parseInt(words[1]);
                    prepare();
                    return "{}";
                }
                case "run" -> {
                    return run(Long.parseLong(words[1]), Integer.parseInt(words[2]));
                }
                case "wire" -> {
                    return wire(Long.parseLong(words[1]));
                }
                default -> throw new IllegalArgumentException(words[0]);
            }
        } catch (Exception | OutOfMemoryError problem) {
            problem.printStackTrace();
            String text = problem.toString().replaceAll("\\s+", " ");
            return "cannot " + text.substring(0, Math.min(160, text.length()));
        }
    }

    @SuppressWarnings("unchecked")
    private void prepare() throws Exception {
        List<?> items = call();
        if (way.isSerialized()) {
            Plain.check((List<Plain>) items);
        } else {
            client.check(items);
        }
    }

    /** One transaction: from the call until the objects can be used. */
    private List<?> call() throws Exception {
        List<?> items;
        if (way.isSerialized()) {
            byte[] bytes = client.serialized(count);
            items = times.of("deserialization", () -> Plain.deserialize(bytes));
        } else {
            items = client.items(count);
        }
        if (items.size() != count) {
            throw new AssertionError(items.size() + " items came instead of " + count);
        }
        return items;
    }

    private String run(long nanoseconds, int least) throws Exception {
        times.taken();
        long start = System.nanoTime();
        int calls = 0;
        for (long before = start; calls < least || before - start < nanoseconds; calls++) {
            call();
            long now = System.nanoTime();
            times.add("response", now - before);
            before = now;
        }
        return "{\"calls\": " + calls + ", \"times\": " + times.taken() + "}";
    }

    /** Half of the time is for warming up. */
    private String wire(long nanoseconds) throws Exception {
        Peer.Codec codec = peer.codec(way);
        if (codec == null) {
            return "{}";
        }
        Object items = codec.make(count);
        times.taken();
        long start = System.nanoTime();
        long length = 0;
        boolean warm = false;
        for (int kept = 0; kept < 3 || System.nanoTime() - start < nanoseconds; kept += warm ? 1 : 0) {
            if (!warm && System.nanoTime() - start > nanoseconds / 2) {
                warm = true;
                times.taken();
            }
            byte[] bytes = times.of("serialization", () -> codec.write(items));
            Object read = times.of("deserialization", () -> codec.read(bytes));
            if (read == null) {
                throw new AssertionError("nothing was read");
            }
            length = bytes.length;
        }
        return "{\"message\": " + length + ", \"times\": " + times.taken() + "}";
    }
}
