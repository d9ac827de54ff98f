package creo.conformance;

import conformance.matrix.LedgerAsyncClient;
import conformance.matrix.LedgerClient;
import creo.runtime.BalancedChannel;
import creo.runtime.Balancing;
import creo.runtime.CallOptions;
import creo.runtime.Channel;
import creo.runtime.ClientOptions;
import creo.runtime.CreoException;
import creo.runtime.JsonChannel;
import creo.runtime.RetryPolicy;
import creo.runtime.TcpChannel;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;

/** Makes calls that are repeated, at hosts that fail, and counts how they end: a line for each line. */
final class RetriesPeer {
    /** A call with a number, which is its result. */
    private interface Call {
        long make(long number) throws Exception;
    }

    private RetriesPeer() {}

    static void run() throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(answer(Json.object(line)));
            System.out.flush();
        }
    }

    private static String answer(Map<String, Object> question) {
        long values = 0;
        Map<String, Integer> errors = new TreeMap<>();
        try (Channel channel = open(question)) {
            Call call = call(question, channel);
            for (long i = 0; i < number(question, "calls"); i++) {
                String error = end(call, i);
                if (error == null) {
                    values++;
                } else {
                    errors.merge(error, 1, Integer::sum);
                }
            }
        }
        String counts = errors.entrySet().stream().map(each -> Json.quote(each.getKey()) + ": " + each.getValue()).collect(Collectors.joining(", "));
        return "{\"values\": " + values + ", \"errors\": {" + counts + "}}";
    }

    /** The word of the error, or null after the right result. */
    private static String end(Call call, long number) {
        try {
            return call.make(number) == number ? null : "wrong-value";
        } catch (CreoException e) {
            return e.code().word();
        } catch (ExecutionException e) {
            return e.getCause() instanceof CreoException c ? c.code().word() : String.valueOf(e.getCause());
        } catch (Exception e) {
            return e.toString();
        }
    }

    private static Channel open(Map<String, Object> question) {
        RetryPolicy policy = RetryPolicy.DEFAULT.withAttempts((int) number(question, "attempts"))
            .withBaseDelay(Duration.ofMillis(number(question, "baseDelay"))).withMaxDelay(Duration.ofMillis(number(question, "maxDelay")));
        boolean json = "json".equals(question.get("wire"));
        List<String> addresses = ((List<?>) question.get("ports")).stream().map(port -> "127.0.0.1:" + port).toList();
        if (addresses.size() == 1) {
            return open(json, addresses.get(0), ClientOptions.DEFAULT.withRetry(policy));
        }
        return BalancedChannel.open(addresses, address -> open(json, address, ClientOptions.DEFAULT), Balancing.DEFAULT).retrying(policy);
    }

    private static Channel open(boolean json, String address, ClientOptions options) {
        return json ? JsonChannel.open("http://" + address + "/Ledger", options) : TcpChannel.open(address, options);
    }

    private static Call call(Map<String, Object> question, Channel channel) {
        CallOptions options = CallOptions.NONE.withDeadline(Duration.ofMillis(number(question, "deadline")));
        boolean idempotent = "look".equals(question.get("method"));
        if (!"true".equals(question.get("async"))) {
            LedgerClient ledger = new LedgerClient(channel).with(options);
            return idempotent ? ledger::look : ledger::book;
        }
        LedgerAsyncClient ledger = new LedgerAsyncClient(channel).with(options);
        return number -> {
            CompletableFuture<Long> future = idempotent ? ledger.look(number) : ledger.book(number);
            return future.get();
        };
    }

    private static long number(Map<String, Object> question, String name) {
        return Long.parseLong((String) question.get(name));
    }
}
