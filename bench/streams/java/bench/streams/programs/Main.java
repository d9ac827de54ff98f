package bench.streams.programs;

import java.io.BufferedReader;
import java.io.InputStreamReader;

/**
 * The programs of a peer. {@code serve PEER} prints its port, and ends with its input. {@code call PEER PORT} is controlled by its input, one command a line: {@code doubles
 * read|write BLOCKS LENGTH} or {@code structs read|write COUNT}. It answers each with the nanoseconds of the call and the sum, or with {@code cannot} and the reason.
 */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
        Peer peer = (Peer) Class.forName("bench.streams.programs." + args[1]).getConstructor().newInstance();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        if (args[0].equals("serve")) {
            System.out.println(peer.serve());
            while (in.readLine() != null) {
                // Only its end matters.
            }
            System.exit(0);
        }
        Peer.Client client = peer.connect(Integer.parseInt(args[2]));
        System.out.println("ready");
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(obey(client, line.split(" ")));
        }
        System.exit(0);
    }

    private static String obey(Peer.Client client, String[] words) {
        long count = Long.parseLong(words[2]);
        boolean reads = words[1].equals("read");
        try {
            long start = System.nanoTime();
            long sum;
            if (words[0].equals("doubles")) {
                int length = Integer.parseInt(words[3]);
                sum = reads ? client.readBlocks(count, length) : client.writeBlocks(count, length);
            } else {
                sum = reads ? client.readReadings(count) : client.writeReadings(count);
            }
            return System.nanoTime() - start + " " + sum;
        } catch (Exception problem) {
            // Whatever a peer throws is its answer; the whole of it is in the log.
            problem.printStackTrace();
            return "cannot " + problem.toString().lines().findFirst().orElse("");
        }
    }
}
