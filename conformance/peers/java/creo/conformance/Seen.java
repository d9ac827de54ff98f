package creo.conformance;

import static creo.conformance.Calls.error;
import static creo.conformance.ClientPeer.check;
import static creo.conformance.ClientPeer.equal;

import conformance.matrix.EchoClient;
import conformance.matrix.TroubleAsyncClient;
import conformance.matrix.TroubleClient;
import conformance.values.NotFound;
import creo.runtime.Answer;
import creo.runtime.CallOptions;
import creo.runtime.Channel;
import creo.runtime.ClientOptions;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Interceptor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;

/** Scenarios of what a program sees of a call besides its result: metadata of the answer, and interceptors. */
final class Seen {
    private final Door door;
    private final ClientOptions options;
    private final boolean http;

    /** @param http whether answers have headers */
    Seen(Door door, ClientOptions options, boolean http) {
        this.door = door;
        this.options = options;
        this.http = http;
    }

    void addTo(Map<String, ClientPeer.Scenario> scenarios) {
        scenarios.put("answer-metadata", this::answerMetadata);
        scenarios.put("interceptors", this::interceptors);
    }

    private void answerMetadata() throws Exception {
        List<Answer> answers = Collections.synchronizedList(new ArrayList<>());
        CallOptions read = CallOptions.NONE.withAnswer(answers::add);
        try (Channel echoes = door.open("Echo", options.withMetadata("x-answer", "\u00e9")); Channel troubles = door.open("Trouble", options.withMetadata("x-answer", "\u00e9"));
                Channel without = door.open("Echo", options)) {
            equal(3L, new EchoClient(echoes).with(read).add(1, 2));
            TroubleClient trouble = new TroubleClient(troubles).with(read);
            notFound(trouble);
            error(ErrorCode.PERMISSION_DENIED, () -> trouble.fail("denied"));
            check(new TroubleAsyncClient(troubles).with(read).fail("fine").get().equals("fine"), "another answer");
            equal(4, answers.size());
            answers.forEach(answer -> equal(Map.of("x-answer", "\u00e9"), answer.metadata()));
            equal(3L, new EchoClient(without).with(read).add(1, 2));
            equal(Map.of(), answers.get(4).metadata());
        }
        if (http) {
            equal(List.of("add", "fail", "fail", "fail", "add"), answers.stream().map(answer -> answer.header("X-Answered")).toList());
            check(answers.get(0).status() == 200 && answers.get(1).status() >= 400 && answers.get(2).status() >= 400, "other statuses: " + answers);
        } else {
            check(answers.stream().allMatch(answer -> answer.status() == 0 && answer.headers().isEmpty()), "headers, and no HTTP");
        }
    }

    private static void notFound(TroubleClient trouble) throws Exception {
        try {
            trouble.fail("not-found");
            throw new AssertionError("no NotFound");
        } catch (NotFound e) {
            equal("not-found", e.description());
        }
    }

    /** Adds a pair to each call, and keeps what it is told. */
    private static Interceptor adds(String name, List<String> told) {
        return call -> {
            call.use(call.options().withMetadata("x-" + name, "1"));
            told.add(name + " begins " + call.method().name());
            return outcome -> told.add(name + " ends " + outcome);
        };
    }

    private static void told(List<String> told, String method, String end) {
        equal(List.of("first begins " + method, "second begins " + method, "second ends " + end, "first ends " + end), told);
        told.clear();
    }

    private void interceptors() throws Exception {
        List<String> told = Collections.synchronizedList(new ArrayList<>());
        ClientOptions seen = options.withInterceptor(adds("first", told)).withInterceptor(adds("second", told));
        try (Channel channel = door.open("Trouble", seen)) {
            TroubleClient trouble = new TroubleClient(channel);
            Map<String, String> metadata = trouble.metadata();
            check("1".equals(metadata.get("x-first")) && "1".equals(metadata.get("x-second")), "other metadata: " + metadata);
            told(told, "metadata", "result");
            notFound(trouble);
            told(told, "fail", "NotFound");
            error(ErrorCode.PERMISSION_DENIED, () -> trouble.fail("denied"));
            told(told, "fail", "permission-denied");
            error(ErrorCode.DEADLINE_EXCEEDED, () -> trouble.with(CallOptions.NONE.withDeadline(Duration.ofMillis(100))).sleep(5_000));
            told(told, "sleep", "deadline-exceeded");
            check("1".equals(new TroubleAsyncClient(channel).metadata().get().get("x-second")), "an asynchronous call without the pair");
            told(told, "metadata", "result");
        }
        refused(told);
    }

    private void refused(List<String> told) throws Exception {
        String prefix = "refused-" + ProcessHandle.current().pid() + "-";
        ClientOptions refusing = options.withInterceptor(adds("first", told)).withInterceptor(call -> {
            throw new CreoException(ErrorCode.PERMISSION_DENIED, "not now");
        });
        try (Channel channel = door.open("Trouble", refusing); Channel other = door.open("Trouble", options)) {
            equal("not now", error(ErrorCode.PERMISSION_DENIED, () -> new TroubleClient(channel).note(prefix)).reason());
            equal(List.of("first begins note", "first ends permission-denied"), told);
            try {
                new TroubleAsyncClient(channel).note(prefix).get();
                throw new AssertionError("it was not refused");
            } catch (ExecutionException e) {
                check(e.getCause() instanceof CreoException c && c.code() == ErrorCode.PERMISSION_DENIED, "another failure: " + e.getCause());
            }
            equal(List.of(), new TroubleClient(other).noted(prefix));
        }
    }
}
