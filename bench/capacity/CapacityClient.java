import bench.load.LoadAsyncClient;
import creo.jms.JmsBroker;
import creo.jms.JmsChannel;
import creo.runtime.Channel;
import creo.runtime.ClientOptions;
import creo.runtime.TcpChannel;
import creo.runtime.Wire;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * A client that does not wait for answers before it calls again: {@code CapacityClient tcp|jms PORT}. Its input tells it a line at a time {@code METHOD RATE CALLS MICROS KIND SEED}: so many calls a
 * second, as Poisson has them, each of so many microseconds of work, {@code fixed} or {@code exponential}. It prints the calls a second that it made, the median and the 99th percentile of the
 * times from when a call was due to its answer, in nanoseconds, and over TCP the share of a core that the service was busy. A fifth of the calls comes before, and is not counted.
 */
public final class CapacityClient {
    /** A thread that sleeps wakes up late: the last of a time is spent awake. */
    private static final long AWAKE = 200_000;

    private final LoadAsyncClient client;
    private final boolean oneService;

    private CapacityClient(Channel channel, boolean oneService) {
        client = new LoadAsyncClient(channel);
        this.oneService = oneService;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        int port = Integer.parseInt(args[1]);
        boolean tcp = args[0].equals("tcp");
        try (Channel channel = tcp ? TcpChannel.open("127.0.0.1", port, ClientOptions.DEFAULT)
                : JmsChannel.of(JmsBroker.at("127.0.0.1", port), "jms:queue:load", Wire.BINARY, ClientOptions.DEFAULT)) {
            CapacityClient plan = new CapacityClient(channel, tcp);
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ");
                Load load = new Load(words[0], Double.parseDouble(words[1]), Integer.parseInt(words[2]), Double.parseDouble(words[3]), words[4], Long.parseLong(words[5]));
                System.out.println(plan.run(load));
            }
        }
    }

    private record Load(String method, double rate, int calls, double micros, String kind, long seed) {}

    private CompletableFuture<Integer> call(String method, int micros) {
        return switch (method) {
            case "spin" -> client.spin(micros);
            case "pause" -> client.pause(micros);
            default -> throw new IllegalArgumentException("no such method: " + method);
        };
    }

    private long processor() {
        return oneService ? client.processor().join() : 0;
    }

    private String run(Load load) throws InterruptedException {
        int warm = load.calls / 4;
        int all = warm + load.calls;
        Random random = new Random(load.seed);
        long[] due = new long[all];
        int[] micros = new int[all];
        double at = 0;
        for (int i = 0; i < all; i++) {
            at += -Math.log(1 - random.nextDouble()) / load.rate * 1e9;
            due[i] = (long) at;
            micros[i] = (int) Math.round(load.kind.equals("exponential") ? -Math.log(1 - random.nextDouble()) * load.micros : load.micros);
        }
        long[] took = new long[all];
        AtomicInteger failures = new AtomicInteger();
        AtomicReference<Throwable> first = new AtomicReference<>();
        CountDownLatch answered = new CountDownLatch(all);
        long busy = 0;
        long begin = System.nanoTime() + 10_000_000;
        for (int i = 0; i < all; i++) {
            if (i == warm) {
                busy = -processor();
            }
            long when = begin + due[i];
            for (long left = when - System.nanoTime(); left > 0; left = when - System.nanoTime()) {
                if (left > AWAKE) {
                    LockSupport.parkNanos(left - AWAKE);
                } else {
                    Thread.onSpinWait();
                }
            }
            int number = i;
            call(load.method, micros[i]).whenComplete((rounds, failure) -> {
                took[number] = System.nanoTime() - when;
                if (failure != null) {
                    failures.incrementAndGet();
                    first.compareAndSet(null, failure);
                }
                answered.countDown();
            });
        }
        busy += processor();
        double seconds = (due[all - 1] - due[warm]) / 1e9;
        answered.await();
        if (failures.get() > 0) {
            throw new IllegalStateException(failures.get() + " calls failed", first.get());
        }
        long[] counted = Arrays.copyOfRange(took, warm, all);
        Arrays.sort(counted);
        return load.calls / seconds + " " + counted[counted.length / 2] + " " + counted[(int) Math.ceil(counted.length * 0.99) - 1] + " " + busy / 1e9 / seconds;
    }
}
