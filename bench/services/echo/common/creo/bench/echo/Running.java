package creo.bench.echo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;

/** A service that runs until its input ends. */
public final class Running {
    private Running() {}

    /** Prints the addresses of the service, one a line. Then answers each line of input with the bytes that are live in the heap, and returns at the end of the input. */
    public static void untilInputEnds(String... addresses) throws IOException {
        for (String address : addresses) {
            System.out.println(address);
        }
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        while (in.readLine() != null) {
            System.out.println(liveHeap());
        }
    }

    /** The live heap after collections; a second one collects what the first only made unreachable, such as objects with cleaners. */
    private static long liveHeap() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        long live = Long.MAX_VALUE;
        while (true) {
            System.gc();
            long left = memory.getHeapMemoryUsage().getUsed();
            if (left > 0.99 * live) {
                return left;
            }
            live = left;
        }
    }
}
