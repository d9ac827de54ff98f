package creo.conformance;

import conformance.matrix.Stopped;
import conformance.matrix.StreamsAsyncClient;
import conformance.matrix.StreamsClient;
import conformance.matrix.Tick;
import creo.runtime.CallOptions;
import creo.runtime.Channel;
import creo.runtime.ClientOptions;
import creo.runtime.CreoException;
import creo.runtime.ItemSource;
import creo.runtime.TcpChannel;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.stream.Stream;

/** Makes single calls with streams, at a scripted host, and says how each ended: a line for each line. */
final class StreamsPeer {
    /** The failure of a source. */
    private static final class Broken extends Exception {
        private static final long serialVersionUID = 1L;
    }

    /** Some items are not as they should be. */
    private static final class Wrong extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private Channel channel;

    static void run() throws IOException {
        StreamsPeer peer = new StreamsPeer();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(peer.answer(Json.object(line)));
            System.out.flush();
        }
        if (peer.channel != null) {
            peer.channel.close();
        }
    }

    private String answer(Map<String, Object> question) {
        if (question.get("fresh").equals("true")) {
            if (channel != null) {
                channel.close();
            }
            channel = TcpChannel.open("127.0.0.1:" + question.get("port"), ClientOptions.DEFAULT);
        }
        Call call = new Call(question, channel);
        String end = call.make();
        return "{\"items\": " + call.items + ", \"sum\": " + call.sum + ", \"taken\": " + call.taken + ", \"end\": " + Json.quote(end) + "}";
    }

    private static final class Call {
        private final Map<String, Object> question;
        private final Channel channel;
        private final long count;
        private final Semaphore turns = new Semaphore(1);
        private final AtomicLong taken = new AtomicLong();
        private long items;
        private long sum;

        Call(Map<String, Object> question, Channel channel) {
            this.question = question;
            this.channel = channel;
            this.count = number("count", 0);
        }

        private long number(String name, long otherwise) {
            Object value = question.get(name);
            return value == null || value.equals("null") ? otherwise : Long.parseLong((String) value);
        }

        private boolean is(String name) {
            return "true".equals(question.get(name));
        }

        String make() {
            try {
                return call() ? "value" : "closed";
            } catch (Throwable e) {
                return end(e instanceof ExecutionException ? e.getCause() : e);
            }
        }

        private static String end(Throwable e) {
            if (e instanceof Stopped) {
                return "declared";
            }
            if (e instanceof Wrong) {
                return "wrong-value";
            }
            if (e instanceof CreoException error) {
                return error.getCause() instanceof Broken ? "source" : error.code().word();
            }
            return e instanceof Broken ? "source" : e.toString();
        }

        /** Makes the call; false if the client closed the stream of results. */
        private boolean call() throws Exception {
            long time = number("deadline", 0);
            CallOptions options = time == 0 ? CallOptions.NONE : CallOptions.NONE.withDeadline(Duration.ofMillis(time));
            StreamsClient streams = new StreamsClient(channel).with(options);
            StreamsAsyncClient later = new StreamsAsyncClient(channel).with(options);
            switch ((String) question.get("method")) {
                case "sum" -> sum = is("async") ? later.sum(source(i -> i)).get() : streams.sum(source(i -> i));
                case "first" -> sum = is("async") ? later.first(10, source(i -> i)).get() : streams.first(10, source(i -> i));
                case "stopping" -> {
                    return read(is("async") ? later.stopping((int) count).get() : streams.stopping((int) count), 1);
                }
                case "ticks" -> {
                    return readTicks(is("async") ? later.ticks(count).get() : streams.ticks(count), 1);
                }
                case "talk" -> {
                    Stream<Tick> asks = source(StreamCalls::tick);
                    return readTicks(is("async") ? later.talk(asks).get() : streams.talk(asks), 2);
                }
                default -> throw new IllegalArgumentException("no method " + question.get("method"));
            }
            return true;
        }

        private <T> Stream<T> source(LongFunction<T> item) {
            long failAfter = number("failAfter", Long.MAX_VALUE);
            return ItemSource.stream(action -> {
                if (is("lockstep")) {
                    turns.acquire();
                }
                long next = taken.get();
                if (next == failAfter) {
                    throw new Broken();
                }
                if (next == count) {
                    return false;
                }
                taken.incrementAndGet();
                action.accept(item.apply(next));
                return true;
            });
        }

        private boolean readTicks(Stream<Tick> ticks, int factor) throws InterruptedException {
            return read(ticks.map(tick -> {
                long number = tick.number() / factor;
                if (tick.number() % factor != 0 || !StreamCalls.isTick(new Tick(number, tick.text(), tick.values()), number)) {
                    throw new Wrong();
                }
                return tick.number();
            }), factor);
        }

        /** @param step between the numbers */
        private boolean read(Stream<Long> numbers, long step) throws InterruptedException {
            long take = number("take", Long.MAX_VALUE);
            long pause = number("pause", 0);
            try (numbers) {
                Iterator<Long> each = numbers.iterator();
                while (items < take && each.hasNext()) {
                    long number = each.next();
                    if (number != items * step) {
                        throw new Wrong();
                    }
                    items++;
                    sum += number;
                    turns.release();
                    Thread.sleep(pause);
                }
                return items < take;
            }
        }
    }
}
