package org.example.app;

import creo.jms.JmsBroker;
import creo.jms.JmsChannel;
import creo.runtime.CallOptions;
import creo.runtime.Channel;
import creo.runtime.ClientOptions;
import creo.runtime.CreoException;
import creo.runtime.Wire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.example.work.Done;
import org.example.work.WorkClient;

/**
 * Gives work: {@code Load CALLS THREADS PORT ...}, the ports of one broker or of several, of which the first that answers is taken. A call that ends as {@code unavailable}, since
 * its broker is gone, is made again until it is answered: the work may be done twice. Prints {@code {"half": true}} when half of the calls have been answered, and at the end what came
 * of all.
 */
public final class Load {
    private static final int THIRDS = 3;

    private final WorkClient client;
    private final int calls;
    private final Map<String, Integer> byHost = new TreeMap<>();
    private final Map<String, Integer> errors = new TreeMap<>();
    private final double[] ends = new double[THIRDS];
    private int next;
    private int ended;
    private int again;
    private double longest;
    private long begin;

    private Load(WorkClient client, int calls) {
        this.client = client;
        this.calls = calls;
    }

    public static void main(String[] arguments) throws InterruptedException {
        JmsBroker broker = JmsBroker.at("127.0.0.1", Integer.parseInt(arguments[2]));
        for (int i = 3; i < arguments.length; i++) {
            broker = broker.or("127.0.0.1", Integer.parseInt(arguments[i]));
        }
        try (Channel channel = JmsChannel.of(broker, "jms:queue:work", Wire.BINARY, ClientOptions.DEFAULT)) {
            Load load = new Load(new WorkClient(channel).with(CallOptions.NONE.withDeadline(Duration.ofSeconds(60))), Integer.parseInt(arguments[0]));
            load.run(Integer.parseInt(arguments[1]));
        }
    }

    private void run(int count) throws InterruptedException {
        // What is done once, connecting and compiling, is not measured.
        for (int i = 0; i < 20; i++) {
            client.work(-1);
        }
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            threads.add(new Thread(this::work));
        }
        begin = System.nanoTime();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("{\"seconds\": " + ends[THIRDS - 1] + ", \"first\": " + calls / THIRDS / ends[0] + ", \"last\": " + calls / THIRDS / (ends[2] - ends[1]) + ", \"byHost\": "
            + json(byHost) + ", \"errors\": " + json(errors) + ", \"again\": " + again + ", \"longest\": " + longest + "}");
    }

    private static String json(Map<String, Integer> counts) {
        return counts.entrySet().stream().map(each -> "\"" + each.getKey() + "\": " + each.getValue()).collect(Collectors.joining(", ", "{", "}"));
    }

    private synchronized int take() {
        return next < calls ? next++ : -1;
    }

    private void work() {
        for (int item = take(); item >= 0; item = take()) {
            long start = System.nanoTime();
            Done done = work(item);
            if (done.item() != item) {
                throw new IllegalStateException("the answer to another item");
            }
            end(done, start);
        }
    }

    private Done work(int item) {
        while (true) {
            try {
                return client.work(item);
            } catch (CreoException e) {
                synchronized (this) {
                    errors.merge(e.code().name(), 1, Integer::sum);
                }
                pause();
            }
        }
    }

    /** Who is not served now is not served a microsecond later either. */
    private static void pause() {
        try {
            Thread.sleep(200);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void end(Done done, long start) {
        long now = System.nanoTime();
        byHost.merge(done.host(), 1, Integer::sum);
        again += done.again() ? 1 : 0;
        longest = Math.max(longest, (now - start) / 1e9);
        ended++;
        for (int i = 0; i < THIRDS; i++) {
            if (ended == calls * (i + 1) / THIRDS) {
                ends[i] = (now - begin) / 1e9;
            }
        }
        if (ended == calls / 2) {
            System.out.println("{\"half\": true}");
        }
    }
}
