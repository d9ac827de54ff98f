package creo.bench.response;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/**
 * The calling side. {@code prepare KIND SIZE} makes a request and sends it once: {@code ok}. {@code run CALLERS NANOSECONDS LEAST} calls so long,
 * each caller at least so often: {@code CALLS NANOSECONDS} and nine quantiles of the times of single calls. What cannot be done is answered
 * with {@code cannot} and the reason.
 */
final class Caller {
    /** Times that are kept of one caller; of more, the last. */
    private static final int KEPT = 1 << 16;
    private static final int QUANTILES = 9;

    private final Peer peer;
    private final String address;
    private final List<Peer.Client> clients = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private Kind kind;
    private int count;
    private Object request;

    Caller(Peer peer, String address) {
        this.peer = peer;
        this.address = address;
    }

    String obey(String[] words) {
        try {
            if (words[0].equals("prepare")) {
                prepare(Kind.of(words[1]), Integer.parseInt(words[2]));
                return "ok";
            }
            return run(Integer.parseInt(words[1]), Long.parseLong(words[2]), Integer.parseInt(words[3]));
        } catch (Exception | OutOfMemoryError | StackOverflowError problem) {
            Throwable cause = problem instanceof java.util.concurrent.ExecutionException ? problem.getCause() : problem;
            cause.printStackTrace();
            return "cannot " + (cause.toString().replaceAll("\\s+", " ") + " ").substring(0, Math.min(160, cause.toString().length()));
        }
    }

    private void prepare(Kind newKind, int size) throws Exception {
        request = null;
        kind = newKind;
        count = kind.items(size);
        Peer.Client client = client(0);
        request = client.prepare(kind, count);
        call(client);
    }

    private Peer.Client client(int index) throws Exception {
        while (clients.size() <= index) {
            clients.add(peer.connect(address));
        }
        return clients.get(index);
    }

    private void call(Peer.Client client) throws Exception {
        int answer = client.call(kind, request);
        if (answer != count) {
            throw new AssertionError("the service got " + answer + " items instead of " + count);
        }
    }

    private String run(int callers, long nanoseconds, int least) throws Exception {
        List<Future<long[]>> all = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            client(i);
        }
        long start = System.nanoTime();
        long end = start + nanoseconds;
        if (callers == 1) {
            return told(List.of(loop(clients.get(0), end, least)), System.nanoTime() - start);
        }
        for (int i = 0; i < callers; i++) {
            Peer.Client client = clients.get(i);
            all.add(threads.submit(() -> loop(client, end, least)));
        }
        List<long[]> times = new ArrayList<>();
        for (Future<long[]> each : all) {
            times.add(each.get());
        }
        return told(times, System.nanoTime() - start);
    }

    /** Calls until the end; the first number is how often, the others are the times. */
    private long[] loop(Peer.Client client, long end, int least) throws Exception {
        long[] times = new long[1024];
        int calls = 0;
        for (long before = System.nanoTime(); calls < least || before - end < 0; calls++) {
            call(client);
            long now = System.nanoTime();
            if (calls + 1 == times.length && times.length < KEPT) {
                times = Arrays.copyOf(times, 2 * times.length);
            }
            times[1 + calls % (times.length - 1)] = now - before;
            before = now;
        }
        times[0] = calls;
        return Arrays.copyOf(times, Math.min(calls + 1, times.length));
    }

    private static String told(List<long[]> times, long elapsed) {
        long calls = times.stream().mapToLong(each -> each[0]).sum();
        long[] sorted = times.stream().flatMapToLong(each -> Arrays.stream(each).skip(1)).sorted().toArray();
        int shown = Math.min(QUANTILES, sorted.length);
        long[] thinned = new long[shown];
        for (int i = 0; i < shown; i++) {
            thinned[i] = sorted[(int) ((2L * i + 1) * sorted.length / (2L * shown))];
        }
        return calls + " " + elapsed + " " + Arrays.stream(thinned).mapToObj(Long::toString).collect(Collectors.joining(","));
    }
}
