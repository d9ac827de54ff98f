package creo.conformance;

import conformance.matrix.LedgerAsyncClient;
import conformance.matrix.LedgerClient;
import creo.runtime.Answer;
import creo.runtime.BalancedChannel;
import creo.runtime.Balancing;
import creo.runtime.CallOptions;
import creo.runtime.Channel;
import creo.runtime.ClientOptions;
import creo.runtime.CreoException;
import creo.runtime.Interceptor;
import creo.runtime.JsonChannel;
import creo.runtime.RetryPolicy;
import creo.runtime.TcpChannel;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** Makes calls that are repeated, at hosts that fail, and counts how they end: a line for each line. */
final class RetriesPeer {
    /** A call with a number, which is its result. */
    private interface Call {
        long make(long number) throws Exception;
    }

    /** The channel of hedged calls, which stays open until the next question: its end would hide which attempts were cancelled. */
    private static Channel kept;

    private RetriesPeer() {}

    static void run() throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            close();
            System.out.println(answer(Json.object(line)));
            System.out.flush();
        }
        close();
    }

    private static void close() {
        if (kept != null) {
            kept.close();
            kept = null;
        }
    }

    private static String answer(Map<String, Object> question) {
        long values = 0;
        Map<String, Integer> errors = new TreeMap<>();
        List<String> seen = new ArrayList<>();
        Witness witness = question.containsKey("witness") ? new Witness() : null;
        Channel channel = open(question, witness);
        try {
            Call call = call(question, channel, witness);
            for (long i = 0; i < number(question, "calls"); i++) {
                Throwable error = failure(call, i);
                if (error == null) {
                    values++;
                } else {
                    errors.merge(word(error), 1, Integer::sum);
                }
                if (witness != null) {
                    seen.add(witness.saw(error == null ? "value" : word(error), error));
                }
            }
        } finally {
            if (witness == null) {
                channel.close();
            } else {
                kept = channel;
            }
        }
        String counts = errors.entrySet().stream().map(each -> Json.quote(each.getKey()) + ": " + each.getValue()).collect(Collectors.joining(", "));
        return "{\"values\": " + values + ", \"errors\": {" + counts + "}" + (witness == null ? "" : ", \"seen\": " + seen) + "}";
    }

    /** Sees what the program learns of a hedged call besides its end. */
    private static final class Witness implements Interceptor {
        private final AtomicInteger begun = new AtomicInteger();
        private final AtomicInteger ended = new AtomicInteger();
        private volatile Answer answer;

        @Override
        public End calling(OutgoingCall call) {
            begun.incrementAndGet();
            return outcome -> ended.incrementAndGet();
        }

        /** What was seen of the last call; forgets it. */
        String saw(String end, Throwable error) {
            Map<String, String> details = error instanceof CreoException e ? e.details() : Map.of();
            String given = answer == null ? null : answer.metadata().get("attempt");
            answer = null;
            return "{\"end\": " + Json.quote(end) + ", \"answer\": " + quote(given) + ", \"attempts\": " + quote(details.get("attempts")) + ", \"started\": "
                + quote(details.get("started")) + ", \"begun\": " + begun.getAndSet(0) + ", \"ended\": " + ended.getAndSet(0) + "}";
        }

        private static String quote(String text) {
            return text == null ? "null" : Json.quote(text);
        }
    }

    /** What the call fails with, or null after the right result. */
    private static Throwable failure(Call call, long number) {
        try {
            return call.make(number) == number ? null : new IllegalStateException("wrong-value");
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (Exception e) {
            return e;
        }
    }

    private static String word(Throwable error) {
        return error instanceof CreoException e ? e.code().word() : error instanceof CancellationException ? "cancelled" : error.toString();
    }

    private static Channel open(Map<String, Object> question, Witness witness) {
        RetryPolicy policy = RetryPolicy.DEFAULT.withAttempts((int) number(question, "attempts"))
            .withBaseDelay(Duration.ofMillis(number(question, "baseDelay"))).withMaxDelay(Duration.ofMillis(number(question, "maxDelay")));
        if (question.containsKey("hedgeAfter")) {
            policy = policy.withHedgeAfter(Duration.ofMillis(number(question, "hedgeAfter")));
        }
        boolean json = "json".equals(question.get("wire"));
        List<String> addresses = ((List<?>) question.get("ports")).stream().map(port -> "127.0.0.1:" + port).toList();
        if (addresses.size() == 1) {
            ClientOptions options = ClientOptions.DEFAULT.withRetry(policy);
            return open(json, addresses.get(0), witness == null ? options : options.withInterceptor(witness));
        }
        Channel channel = BalancedChannel.open(addresses, address -> open(json, address, ClientOptions.DEFAULT), Balancing.DEFAULT).retrying(policy);
        return witness == null ? channel : channel.intercepted(witness);
    }

    private static Channel open(boolean json, String address, ClientOptions options) {
        return json ? JsonChannel.open("http://" + address + "/Ledger", options) : TcpChannel.open(address, options);
    }

    private static Call call(Map<String, Object> question, Channel channel, Witness witness) {
        CallOptions limited = CallOptions.NONE.withDeadline(Duration.ofMillis(number(question, "deadline")));
        CallOptions options = witness == null ? limited : limited.withAnswer(answer -> witness.answer = answer);
        boolean idempotent = "look".equals(question.get("method"));
        if (!"true".equals(question.get("async"))) {
            LedgerClient ledger = new LedgerClient(channel).with(options);
            return idempotent ? ledger::look : ledger::book;
        }
        LedgerAsyncClient ledger = new LedgerAsyncClient(channel).with(options);
        return number -> {
            CompletableFuture<Long> future = idempotent ? ledger.look(number) : ledger.book(number);
            if ("true".equals(question.get("cancel"))) {
                // The host answers another call when all attempts of this one have come.
                try (Channel other = open(question, null)) {
                    new LedgerAsyncClient(other).with(limited).look(number + 1).get();
                }
                future.cancel(true);
            }
            return future.get();
        };
    }

    private static long number(Map<String, Object> question, String name) {
        return Long.parseLong((String) question.get(name));
    }
}
