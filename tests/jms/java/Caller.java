import creo.jms.JmsBroker;
import creo.jms.JmsChannel;
import creo.runtime.CallOptions;
import creo.runtime.Channel;
import creo.runtime.ClientOptions;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Wire;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.example.ledger.LedgerClient;
import org.example.ledger.Refused;

/** The client of the ledger in Java: what it is told and what it writes, README.md says. */
public final class Caller {
    /** Oneway calls may take as long as the whole run; others less. */
    private static final Duration ONEWAY = Duration.ofHours(1);
    private static final Duration ANSWER = Duration.ofSeconds(20);

    private final LedgerClient client;
    private final Lines lines;
    /** Of each number, its kind and milliseconds. */
    private final List<String> plan;
    private final long end;
    private long next;
    private long limit;

    private Caller(LedgerClient client, Lines lines, List<String> plan, long first, long end) {
        this.client = client;
        this.lines = lines;
        this.plan = plan;
        this.next = first;
        this.end = end;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        JmsBroker broker = JmsBroker.at("127.0.0.1", Integer.parseInt(arguments[0]));
        try (Channel channel = JmsChannel.of(broker, arguments[3], Wire.valueOf(arguments[2].toUpperCase(Locale.ROOT)), ClientOptions.DEFAULT)) {
            List<String> plan = Files.readAllLines(Path.of(arguments[4]));
            Caller caller = new Caller(new LedgerClient(channel), new Lines(arguments[1]), plan, Long.parseLong(arguments[5]), Long.parseLong(arguments[6]));
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < Integer.parseInt(arguments[7]); i++) {
                threads.add(new Thread(caller::work));
            }
            threads.forEach(Thread::start);
            caller.listen();
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    /** Reads how far it may go, on a thread that does not keep the program alive. */
    private void listen() {
        Thread reader = new Thread(() -> {
            try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
                for (String line = input.readLine(); line != null; line = input.readLine()) {
                    allow(Long.parseLong(line));
                }
            } catch (IOException e) {
                System.err.println("the standard input cannot be read: " + e.getMessage());
            }
        });
        reader.setDaemon(true);
        reader.start();
    }

    private synchronized void allow(long number) {
        limit = number;
        notifyAll();
    }

    /** The next number, as soon as it may be called; -1 if there is none. */
    private synchronized long take() throws InterruptedException {
        while (next >= limit && next < end) {
            wait();
        }
        if (next == end) {
            return -1;
        }
        lines.add("made " + next + " " + kind(next));
        if (next + 1 == end) {
            notifyAll();
        }
        return next++;
    }

    private String kind(long number) {
        return plan.get((int) number).split(" ")[0];
    }

    private void work() {
        try {
            for (long number = take(); number >= 0; number = take()) {
                call(number);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void call(long number) throws InterruptedException {
        try {
            lines.add(call(number, kind(number)));
        } catch (CreoException e) {
            lines.add("error " + number + " " + e.code());
            System.err.println(number + ": " + e.getMessage());
            if (e.code() == ErrorCode.UNAVAILABLE) {
                // A service that is not there is not asked without end.
                Thread.sleep(1_000);
            }
        } catch (RuntimeException e) {
            lines.add("wrong " + number + " " + e);
        }
    }

    private String call(long number, String kind) {
        int milliseconds = Integer.parseInt(plan.get((int) number).split(" ")[1]);
        CallOptions options = CallOptions.NONE.withMetadata("number", Long.toString(number));
        switch (kind) {
            case "note" -> {
                client.with(options.withDeadline(ONEWAY)).note(number, milliseconds);
                return "stored " + number;
            }
            case "poison" -> {
                client.with(options.withDeadline(ONEWAY)).poison(number);
                return "stored " + number;
            }
            default -> {
                try {
                    long answer = client.with(options.withDeadline(ANSWER)).book(number, milliseconds, kind.equals("refuse"));
                    return kind.equals("book") && answer == 2 * number ? "answered " + number : "wrong " + number + " answer " + answer;
                } catch (Refused e) {
                    return kind.equals("refuse") && e.number() == number ? "refused " + number : "wrong " + number + " refusal of " + e.number();
                }
            }
        }
    }
}
