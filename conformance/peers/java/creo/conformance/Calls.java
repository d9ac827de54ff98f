package creo.conformance;

import static creo.conformance.ClientPeer.check;
import static creo.conformance.ClientPeer.equal;

import conformance.matrix.AnswerAsyncClient;
import conformance.matrix.AnswerClient;
import conformance.matrix.EchoAsyncClient;
import conformance.matrix.EchoClient;
import conformance.matrix.TroubleAsyncClient;
import conformance.matrix.TroubleClient;
import conformance.values.Block;
import conformance.values.Colour;
import conformance.values.NotFound;
import conformance.values.Point;
import conformance.values.Primitives;
import conformance.values.Refused;
import creo.runtime.CallOptions;
import creo.runtime.Channel;
import creo.runtime.ClientOptions;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Limits;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;

/** Scenarios of calls that go well, or fail as they should. */
final class Calls implements AutoCloseable {
    /** Of what this client notes. */
    private static final String PREFIX = "java-" + ProcessHandle.current().pid() + "-";

    private final ClientOptions options;
    private final Door door;
    private final Channel echoes;
    private final Channel troubles;
    private final EchoClient echo;
    private final TroubleClient trouble;
    private final String vectors;

    Calls(Door door, String vectors, ClientOptions options) {
        this.door = door;
        this.vectors = vectors;
        this.options = options;
        echoes = door.open("Echo", options);
        troubles = door.open("Trouble", options);
        echo = new EchoClient(echoes);
        trouble = new TroubleClient(troubles);
    }

    void addTo(Map<String, ClientPeer.Scenario> scenarios) {
        scenarios.put("echo", this::echo);
        scenarios.put("several", this::several);
        scenarios.put("add", () -> equal(9_223_372_036_854_775_806L, echo.add(-1, Long.MAX_VALUE)));
        scenarios.put("maybe", this::maybe);
        scenarios.put("declared-exception", this::declaredException);
        scenarios.put("hidden-failure", this::hiddenFailure);
        scenarios.put("own-error", this::ownError);
        scenarios.put("after-errors", () -> equal("fine", trouble.fail("fine")));
        scenarios.put("unknown-method", this::unknownMethod);
        scenarios.put("oneway", () -> equal(prefixed(1, 2), oneway()));
        scenarios.put("second-service", this::secondService);
        scenarios.put("metadata", this::metadata);
        scenarios.put("invalid-value", this::invalidValue);
        scenarios.put("big-response", this::bigResponse);
        scenarios.put("big-request", this::bigRequest);
        scenarios.put("async", this::async);
    }

    @Override
    public void close() {
        echoes.close();
        troubles.close();
    }

    private void secondService() {
        try (Channel channel = door.open("Answer", options)) {
            AnswerClient answers = new AnswerClient(channel);
            new AnswerClient(channel).close();
            new AnswerClient(channel).with(CallOptions.NONE).close();
            new AnswerAsyncClient(channel).close();
            equal(42, answers.answer());
        }
    }

    @SuppressWarnings("unchecked") // The harness writes the vectors as this expects them; others fail here.
    private void echo() throws Throwable {
        int called = 0;
        CodecPeer.Wire wire = switch (Path.of(vectors).getFileName().toString()) {
            case "xml" -> CodecPeer.wire("soap");
            case "json" -> CodecPeer.wire("json");
            case "tdxml" -> CodecPeer.wire("tdxml");
            default -> CodecPeer.wire("codec");
        };
        try (Stream<Path> files = Files.list(Path.of(vectors))) {
            for (Path file : files.filter(f -> f.toString().endsWith(".json")).sorted().toList()) {
                for (Object each : (List<Object>) Json.object(Files.readString(file)).get("vectors")) {
                    Map<String, Object> vector = (Map<String, Object>) each;
                    called += echo(wire, vector) ? 1 : 0;
                }
            }
        }
        check(called > 0, "no vector was tried");
    }

    /** The value of a vector comes back as it was sent; false if no method takes it. */
    private boolean echo(CodecPeer.Wire wire, Map<String, Object> vector) throws Throwable {
        String type = (String) vector.get("type");
        Method method = echoMethod(type);
        if (method == null) {
            return false;
        }
        Object value = wire.decoder().decode(type, bytes(vector), Limits.DEFAULT);
        try {
            Object back = method.invoke(echo, value);
            equal(HexFormat.of().formatHex(wire.encoder().encode(type, value)), HexFormat.of().formatHex(wire.encoder().encode(type, back)));
            return true;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static byte[] bytes(Map<String, Object> vector) {
        for (String text : new String[] {"xml", "json", "tdxml", "record"}) {
            if (vector.get("bytes") == null && vector.get(text) != null) {
                return ((String) vector.get(text)).getBytes(StandardCharsets.UTF_8);
            }
        }
        return HexFormat.of().parseHex((String) vector.get("bytes"));
    }

    private static Method echoMethod(String type) throws ClassNotFoundException {
        Class<?> parameter = Class.forName(type);
        for (Method method : conformance.matrix.Echo.class.getMethods()) {
            if (method.getParameterCount() == 1 && method.getParameterTypes()[0] == parameter) {
                return method;
            }
        }
        return null;
    }

    private void several() {
        for (String maybe : new String[] {null, "m"}) {
            String answer = echo.several(7, "x", new double[] {1.5, 2.5}, new Point(1, 2), new conformance.other.Point(3, 4), maybe, Colour.BLUE);
            equal("7 x 4.0 1.0 2.0 3 4 " + (maybe == null ? "-" : "m") + " BLUE", answer);
        }
    }

    private void maybe() {
        check(echo.maybe(null) == null, "nothing came back as something");
        equal("", echo.maybe(""));
    }

    private void declaredException() throws Refused, NotFound {
        try {
            trouble.fail("not-found");
            throw new AssertionError("no NotFound");
        } catch (NotFound e) {
            equal("not-found", e.description());
            check(Arrays.equals(new int[] {1, 2, 3}, e.tried()), "other numbers: " + Arrays.toString(e.tried()));
        }
        try {
            trouble.fail("refused");
            throw new AssertionError("no Refused");
        } catch (Refused e) {
            equal("refused", e.reason());
            equal(30, e.retryAfter());
        }
    }

    private void hiddenFailure() throws Exception {
        CreoException e = error(ErrorCode.INTERNAL, () -> trouble.fail("internal"));
        check(!e.getMessage().contains("secret") && !e.getMessage().contains("Exception") && !e.getMessage().contains("java"), e.getMessage());
        check(e.getMessage().contains("the service failed"), e.getMessage());
    }

    private void ownError() throws Exception {
        equal("not you", error(ErrorCode.PERMISSION_DENIED, () -> trouble.fail("denied")).reason());
    }

    private void unknownMethod() throws Exception {
        try (Channel channel = door.open("Answer", options)) {
            conformance.changed.AnswerClient changed = new conformance.changed.AnswerClient(channel);
            CreoException e = error(ErrorCode.UNKNOWN_METHOD, changed::answer);
            String text = e.getMessage();
            check(text.contains("conformance.matrix.Answer"), text);
            long prints = Stream.of(text.split("[^0-9a-f]+")).filter(word -> word.length() == 16).distinct().count();
            check(prints >= 2, "fewer than two fingerprints: " + text);
        }
    }

    private static List<String> prefixed(int... numbers) {
        return Arrays.stream(numbers).mapToObj(number -> PREFIX + number).toList();
    }

    /** The two that come in either order (messages of a queue). */
    void onewayInAnyOrder() throws InterruptedException {
        equal(prefixed(1, 2), oneway().stream().sorted().toList());
    }

    /** Makes two oneway calls, and returns what the service then has noted. */
    private List<String> oneway() throws InterruptedException {
        prefixed(1, 2).forEach(trouble::note);
        List<String> noted = List.of();
        for (int i = 0; i < 6_000 && noted.size() < 2; i++) {
            noted = trouble.noted(PREFIX);
            Thread.sleep(noted.size() < 2 ? 10 : 0);
        }
        return noted;
    }

    private void metadata() {
        CallOptions more = CallOptions.NONE.withMetadata("x-test", "\u00e9").withMetadata("traceparent", "00-a");
        Map<String, String> seen = trouble.with(more).metadata();
        equal("\u00e9", seen.get("x-test"));
        equal("00-a", seen.get("traceparent"));
        try (Channel channel = door.open("Trouble", options.withMetadata("x-test", "\u00e9"))) {
            TroubleClient client = new TroubleClient(channel);
            equal("\u00e9", client.metadata().get("x-test"));
        }
    }

    private void invalidValue() throws Exception {
        Instant late = Instant.parse("+10000-01-01T00:00:00Z");
        Primitives wrong = new Primitives(true, (byte) 1, (short) 2, 'c', 3, 4, 5, 6, "text", late, BigDecimal.ONE);
        CreoException e = error(ErrorCode.INVALID_VALUE, () -> echo.primitives(wrong));
        equal("$.value.instant", e.place());
        equal("$.value", error(ErrorCode.INVALID_VALUE, () -> echo.primitives(null)).place());
        error(ErrorCode.INVALID_VALUE, () -> echo.maybe("\ud800"));
        equal(3L, echo.add(1, 2));
    }

    private void bigResponse() {
        List<Block> blocks = trouble.blocks(300_000);
        check(blocks.size() == 300_000, "only " + blocks.size() + " blocks");
        for (int i = 0; i < blocks.size(); i++) {
            check(blocks.get(i).d() == i / 2.0 && blocks.get(i).s() == (short) i, "block " + i + " is " + blocks.get(i));
        }
        byte[] bytes = trouble.bytes(10_000_000);
        check(bytes.length == 10_000_000, "only " + bytes.length + " bytes");
        for (int i = 0; i < bytes.length; i++) {
            check(bytes[i] == (byte) i, "byte " + i + " is " + bytes[i]);
        }
    }

    private void bigRequest() {
        byte[] data = new byte[10_000_000];
        long sum = 0;
        for (int i = 0; i < data.length; i++) {
            data[i] = (byte) i;
            sum += i % 256;
        }
        equal(sum, trouble.sum(data));
        double[] numbers = new double[1_000_000];
        Arrays.setAll(numbers, i -> i);
        equal(499_999_500_000.0, trouble.total(numbers));
    }

    private void async() throws Exception {
        try (Channel first = door.open("Echo", options); Channel second = door.open("Trouble", options)) {
            EchoAsyncClient echoes = new EchoAsyncClient(first);
            TroubleAsyncClient troubles = new TroubleAsyncClient(second);
            equal(3L, echoes.add(1, 2).get());
            try {
                troubles.fail("not-found").get();
                throw new AssertionError("no NotFound");
            } catch (ExecutionException e) {
                check(e.getCause() instanceof NotFound, "another cause: " + e.getCause());
            }
            List<Block> blocks = troubles.blocks(300_000).get();
            check(blocks.get(299_999).equals(new Block(299_999 / 2.0, (short) 299_999)), "the last block is " + blocks.get(299_999));
            check(troubles.bytes(10_000_000).get()[9_999_999] == (byte) 9_999_999, "the last byte is wrong");
        }
    }

    /** The error that the calls must end with. */
    static CreoException error(ErrorCode code, ClientPeer.Scenario call) throws Exception {
        try {
            call.run();
        } catch (CreoException e) {
            check(e.code() == code, "expected " + code + ", got " + e.getMessage());
            return e;
        } catch (Throwable e) {
            throw new AssertionError("expected " + code + ", got " + e, e);
        }
        throw new AssertionError("expected " + code + ", and all went well");
    }
}
