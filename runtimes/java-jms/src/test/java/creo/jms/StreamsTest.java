package creo.jms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.jms.broker.EmbeddedBroker;
import creo.runtime.Answer;
import creo.runtime.CallOptions;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Interceptor;
import creo.runtime.Wire;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.example.notes.FeedAsyncClient;
import org.example.notes.FeedClient;
import org.example.notes.FeedEndpoint;
import org.example.notes.Full;
import org.example.notes.NotesAsyncClient;
import org.example.notes.NotesClient;
import org.example.notes.NotesEndpoint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams as results (JMS-23 to JMS-28), between hosts and channels. */
class StreamsTest {
    private static final String GIVE = "95cc3be4b998ba46";

    private Rig rig;

    @BeforeEach
    void start() {
        rig = new Rig();
    }

    @AfterEach
    void end() {
        rig.close();
    }

    private FeedClient feed(String parameters) {
        return new FeedClient(rig.channel(parameters, Wire.BINARY, Rig.OPTIONS));
    }

    private static CreoException failure(Executable call) {
        return assertThrows(CreoException.class, call);
    }

    private String left() {
        try {
            return Raw.replyQueues(rig.broker).stream().map(queue -> queue.getQueueConfiguration().toString()).toList().toString();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** Every reply queue of a stream is gone, every request acknowledged; other reply queues are left. */
    private void nothingIsLeft(int others) throws Exception {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(Rig.PATIENCE);
        while (Raw.replyQueues(rig.broker).size() > others || rig.broker.messages(Rig.QUEUE) > 0) {
            assertTrue(System.nanoTime() - until < 0, () -> rig.broker.messages(Rig.QUEUE) + " requests, " + left());
            Thread.sleep(10);
        }
        assertEquals(0, rig.broker.messages(EmbeddedBroker.DEAD_LETTERS));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?deliveryMode=NON_PERSISTENT", "?replyToName=answers&priority=7"})
    void items(String parameters) throws Exception {
        rig.host();
        FeedClient client = feed(parameters);
        try (Stream<Long> first = client.give("end", 1)) {
            assertEquals(List.of(0L), first.toList());
        }
        for (int count : new int[] {0, 3, 200_000}) {
            try (Stream<Long> numbers = client.give("end", count)) {
                assertEquals(LongStream.range(0, count).boxed().toList(), numbers.toList());
            }
        }
        nothingIsLeft(0);
    }

    @Test
    void bigItems() throws Exception {
        rig.host();
        try (Stream<byte[]> blocks = feed("").blocks(5, 3_000_000)) {
            List<byte[]> all = blocks.toList();
            assertEquals(5, all.size());
            for (int i = 0; i < 5; i++) {
                assertEquals(3_000_000, all.get(i).length);
                assertEquals(i, all.get(i)[2_999_999]);
            }
        }
    }

    @Test
    void whatEndsAStream() throws Exception {
        rig.host();
        FeedClient client = feed("");
        List<Long> seen = new ArrayList<>();
        assertEquals(7, assertThrows(Full.class, () -> client.give("full", 3).forEach(seen::add)).most());
        assertEquals(List.of(0L, 1L, 2L), seen);
        assertEquals(7, assertThrows(Full.class, () -> client.give("full", 0).forEach(seen::add)).most());
        assertEquals(ErrorCode.PERMISSION_DENIED, failure(() -> client.give("denied", 2).forEach(seen::add)).code());
        CreoException internal = failure(() -> client.give("broken", 1).forEach(seen::add));
        assertEquals(ErrorCode.INTERNAL, internal.code());
        assertFalse(internal.getMessage().contains("secret"), internal.getMessage());
        assertEquals(6, seen.size());
    }

    @Test
    void aSlowReaderHoldsTheMethodBack() throws Exception {
        rig.host();
        long count = 3_000_000;
        // As many items as a message has, and twice as many messages as may be under way: in the queue, at the client, and about to be sent. The broker counts a
        // moment after it has taken a message.
        long item = 61_440 / 8 + 1;
        long most = 2 * (64 + 16 + 2 + 1_048_576 / 61_440 + 2 + 2) * item;
        long[] read = new long[1];
        try (Stream<Long> numbers = feed("").give("end", count)) {
            while (Raw.replyQueues(rig.broker).stream().noneMatch(queue -> queue.getMessageCount() > 64)) {
                Thread.sleep(5);
            }
            numbers.forEach(n -> {
                assertTrue(rig.feed.given.get() - read[0] <= most, "too many items are held");
                assertEquals(read[0]++, n);
            });
        }
        assertEquals(count, read[0]);
    }

    @ParameterizedTest
    @ValueSource(strings = {"silence", "endless"})
    void aClientThatReadsNoFurther(String then) throws Exception {
        rig.host();
        FeedClient client = feed("");
        Stream<Long> unread = client.give("end", 1);
        // Otherwise the queue may be gone before the host looks for it: then the method does not run.
        rig.feed.expect("begun");
        unread.close();
        rig.feed.expect("closed");
        nothingIsLeft(0);
        Stream<Long> numbers = client.give(then, then.equals("silence") ? 3 : Long.MAX_VALUE);
        Iterator<Long> each = numbers.iterator();
        // The one ends while the method gives nothing, the other while it sends, to a queue that the broker would make again.
        for (long i = 0; i < (then.equals("silence") ? 3 : 300_000); i++) {
            assertEquals(i, each.next());
        }
        rig.feed.expect("begun");
        numbers.close();
        if (then.equals("silence")) {
            rig.feed.expect("interrupted");
        }
        rig.feed.expect("closed");
        nothingIsLeft(0);
        assertEquals(2, client.give("end", 2).count());
    }

    @Test
    void aClientThatIsGone() throws Exception {
        rig.host();
        JmsChannel channel = rig.channel("", Wire.BINARY, Rig.OPTIONS);
        Stream<Long> numbers = new FeedClient(channel).give("silence", 1);
        Iterator<Long> each = numbers.iterator();
        assertEquals(0, each.next());
        rig.feed.expect("begun");
        channel.close();
        assertEquals(ErrorCode.UNAVAILABLE, failure(each::hasNext).code());
        rig.feed.expect("interrupted");
        rig.feed.expect("closed");
        nothingIsLeft(0);
        assertEquals(ErrorCode.UNAVAILABLE, failure(() -> new FeedClient(channel).give("end", 1).count()).code());
    }

    @Test
    void aClientThatWasGoneBefore() throws Exception {
        Connection caller = rig.connection();
        Raw raw = new Raw(caller);
        raw.send(request(raw));
        caller.close();
        rig.host();
        nothingIsLeft(0);
        assertTrue(rig.feed.events.isEmpty());
    }

    private static BytesMessage request(Raw raw) throws JMSException {
        BytesMessage request = raw.properties(raw.session.createBytesMessage());
        request.setStringProperty("SOAPJMS_contentType", "application/vnd.creo.binary");
        request.setStringProperty("Creo_method", GIVE);
        request.setJMSCorrelationID("by hand");
        request.writeBytes(new byte[] {3, 'e', 'n', 'd', 0, 0, 0, 0, 0, 0, 0, 2});
        return request;
    }

    @Test
    void theMessages() throws Exception {
        rig.host();
        Raw raw = new Raw(rig.connection());
        BytesMessage request = request(raw);
        raw.send(request, jakarta.jms.DeliveryMode.NON_PERSISTENT, 6, Rig.PATIENCE * 1_000);
        String run = null;
        int items = 0;
        Message message = raw.receive();
        while (message.getStringProperty("Creo_kind").equals("items")) {
            assertEquals(Integer.toString(items), message.getStringProperty("Creo_item"));
            run = run == null ? message.getStringProperty("Creo_run") : run;
            check(message, run);
            // Longer than the call.
            assertTrue(message.getJMSExpiration() > request.getJMSExpiration() + 900, message.getJMSExpiration() + " after " + request.getJMSExpiration());
            byte[] body = message.getBody(byte[].class);
            assertEquals(1 + 8 * body[0], body.length);
            items += body[0];
            message = raw.receive();
        }
        assertEquals(2, items);
        check(message, run);
        assertEquals("response", message.getStringProperty("Creo_kind"));
        assertEquals("2", message.getStringProperty("Creo_item"));
        assertEquals("end", message.getStringProperty("Creo_meta_asked"));
        assertEquals(0, ((BytesMessage) message).getBodyLength());
        Message next = raw.ask(request(raw));
        assertFalse(run.equals(next.getStringProperty("Creo_run")), "the same number for another run");
    }

    private static void check(Message message, String run) throws JMSException {
        assertEquals(run, message.getStringProperty("Creo_run"));
        assertTrue(run.matches("[0-9a-f]{16}"), run);
        assertEquals("by hand", message.getJMSCorrelationID());
        assertEquals("application/vnd.creo.binary", message.getStringProperty("SOAPJMS_contentType"));
        assertEquals(Rig.ADDRESS, message.getStringProperty("SOAPJMS_requestURI"));
        assertEquals("1.0", message.getStringProperty("SOAPJMS_bindingVersion"));
        assertEquals(jakarta.jms.DeliveryMode.NON_PERSISTENT, message.getJMSDeliveryMode());
        assertEquals(6, message.getJMSPriority());
        assertTrue(message.getJMSExpiration() > 0);
    }

    @Test
    void aHostThatDiesInTheMiddle() throws Exception {
        JmsHost first = rig.host(Rig.LIMITS.withDrainTime(Duration.ofMillis(100)));
        FeedClient client = feed("");
        try (Stream<Long> cut = client.give("cut", 3); Stream<Long> late = client.give("late", 4)) {
            Iterator<Long> each = cut.iterator();
            for (long i = 0; i < 3; i++) {
                assertEquals(i, each.next());
            }
            rig.feed.expect("begun");
            rig.feed.expect("begun");
            first.close();
            rig.host();
            CreoException e = failure(each::hasNext);
            assertEquals(ErrorCode.UNAVAILABLE, e.code());
            assertTrue(e.getMessage().contains("after 3 items"), e.getMessage());
            assertEquals(List.of(0L, 1L, 2L, 3L), late.toList());
        }
        nothingIsLeft(0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void deadlines(boolean ofAddress) throws Exception {
        rig.host();
        List<Long> seen = new ArrayList<>();
        // How long it takes until the items are there, the machine decides.
        for (long time = 400; seen.size() < 2 && time < Rig.PATIENCE * 1_000; time *= 2) {
            FeedClient client = ofAddress ? feed("?timeToLive=" + time) : feed("").with(CallOptions.NONE.withDeadline(Duration.ofMillis(time)));
            seen.clear();
            assertEquals(ErrorCode.DEADLINE_EXCEEDED, failure(() -> client.give("silence", 2).forEach(seen::add)).code());
        }
        assertEquals(List.of(0L, 1L), seen);
        List<String> events = new ArrayList<>();
        while (!events.contains("interrupted") || Collections.frequency(events, "closed") < Collections.frequency(events, "begun")) {
            events.add(rig.feed.next());
        }
        nothingIsLeft(0);
    }

    /** Makes a call when there is a place for its stream: that of a stream that has ended is free a moment after its end is seen. */
    private static <T> T whenFree(Callable<T> call) throws Exception {
        while (true) {
            try {
                return call.call();
            } catch (CreoException e) {
                assertEquals(ErrorCode.OVERLOADED, e.code());
                Thread.sleep(5);
            }
        }
    }

    @Test
    void streamsBesideCalls() throws Exception {
        rig.keep(rig.hosting().sessions(1).limits(Rig.LIMITS.withMaxStreams(6)).start());
        JmsChannel channel = rig.channel("", Wire.BINARY, Rig.OPTIONS);
        FeedClient client = new FeedClient(channel);
        NotesClient notes = new NotesClient(channel);
        for (int round = 0; round < 3; round++) {
            List<Stream<Long>> open = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                open.add(whenFree(() -> {
                    Stream<Long> numbers = client.give("silence", 5);
                    assertEquals(0, numbers.iterator().next());
                    return numbers;
                }));
                rig.feed.expect("begun");
                assertEquals("x!", notes.say("x"));
                notes.note("y");
            }
            CreoException e = failure(() -> client.give("end", 1).count());
            assertEquals(ErrorCode.OVERLOADED, e.code());
            assertEquals("maxStreams", e.details().get("limit"));
            open.forEach(Stream::close);
            for (int i = 0; i < 12; i++) {
                assertTrue(List.of("interrupted", "closed").contains(rig.feed.next()));
            }
            assertEquals("z!", notes.say("z"));
        }
        nothingIsLeft(1);
        FeedAsyncClient async = new FeedAsyncClient(channel);
        assertEquals(6, whenFree(() -> async.give("end", 6).toCompletableFuture().get(Rig.PATIENCE, TimeUnit.SECONDS).count()));
    }

    @Test
    void whatIsNotCarried() throws Exception {
        rig.host();
        FeedClient client = feed("");
        List<Executable> calls = new ArrayList<>(List.of(() -> client.sum(Stream.of(1L)), () -> client.both(Stream.of(1L)).count()));
        for (Wire wire : List.of(Wire.SOAP, Wire.TDXML)) {
            calls.add(() -> new FeedClient(rig.channel("", wire, Rig.OPTIONS)).give("end", 1).count());
        }
        for (Executable call : calls) {
            CreoException e = failure(call);
            assertEquals(ErrorCode.UNKNOWN_METHOD, e.code());
            assertTrue(e.notStarted() && !e.fromPeer() && e.getMessage().contains("stream"), e.getMessage());
        }
        Raw raw = new Raw(rig.connection());
        // The ids of sum and both, and that of give on another wire.
        for (String[] each : new String[][] {{"d394133970c6b8e3", "application/vnd.creo.binary"}, {"618d977194464913", "application/vnd.creo.binary"},
            {GIVE, "application/vnd.creo.tdxml"}}) {
            BytesMessage request = request(raw);
            request.setStringProperty("Creo_method", each[0]);
            request.setStringProperty("SOAPJMS_contentType", each[1]);
            Message answer = raw.ask(request);
            assertEquals("error", answer.getStringProperty("Creo_kind"));
            assertFalse(answer.propertyExists("Creo_run") || answer.propertyExists("Creo_item"));
            assertTrue(Raw.body(answer).contains("stream"), Raw.body(answer));
            assertEquals(ErrorCode.UNKNOWN_METHOD.number(), answer.getBody(byte[].class)[0] & 0xff);
        }
    }

    @Test
    void interceptorsAndAnswers() throws Exception {
        rig.host();
        BlockingQueue<String> ends = new LinkedBlockingQueue<>();
        Interceptor watch = call -> outcome -> ends.add(outcome.failure() == null ? "ended by " + outcome.peer() : outcome.failure().getClass().getSimpleName());
        List<Answer> answers = new ArrayList<>();
        FeedClient client = new FeedClient(rig.channel("", Wire.BINARY, Rig.OPTIONS.withInterceptor(watch))).with(CallOptions.NONE.withAnswer(answers::add));
        assertEquals(2, client.give("end", 2).count());
        assertTrue(ends.poll(Rig.PATIENCE, TimeUnit.SECONDS).startsWith("ended by " + Rig.ADDRESS));
        assertEquals("end", answers.get(0).metadata().get("asked"));
        assertThrows(Full.class, () -> client.give("full", 2).count());
        assertEquals("Full", ends.poll(Rig.PATIENCE, TimeUnit.SECONDS));
        assertTrue(ends.isEmpty());
    }

    @Test
    void aFactoryOfAnotherProvider() throws Exception {
        try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory("tcp://127.0.0.1:" + rig.broker.port())) {
            JmsBroker other = JmsBroker.of(factory);
            rig.keep(JmsHost.builder().broker(other).address(Rig.ADDRESS).limits(Rig.LIMITS).add(FeedEndpoint.of(rig.feed)).start());
            try (JmsChannel channel = JmsChannel.of(other, Rig.ADDRESS, Wire.BINARY, Rig.OPTIONS)) {
                assertEquals(1_000, new FeedClient(channel).give("end", 1_000).count());
            }
        }
    }

    @Test
    void noRequestWaitsForTheEndOfAStream() throws Exception {
        JmsChannel channel = rig.channel("", Wire.BINARY, Rig.OPTIONS);
        ActiveMQConnectionFactory factory = rig.keep(new ActiveMQConnectionFactory("tcp://127.0.0.1:" + rig.broker.port()));
        try (Stream<Long> numbers = new FeedClient(channel).give("silence", 1)) {
            CompletableFuture<String> call = new NotesAsyncClient(channel).say("x").toCompletableFuture();
            while (rig.broker.messages(Rig.QUEUE) < 2) {
                Thread.sleep(10);
            }
            // Its consumer fetches ahead, and so has both.
            rig.keep(JmsHost.builder().broker(JmsBroker.of(factory)).address(Rig.ADDRESS).add(FeedEndpoint.of(rig.feed)).add(NotesEndpoint.of(rig.service)).sessions(1).start());
            assertEquals(0, numbers.iterator().next());
            assertEquals("x!", call.get(60, TimeUnit.SECONDS));
        }
        nothingIsLeft(1);
    }

    @Test
    void noBrokerAtAll() throws IOException {
        FeedClient client = new FeedClient(rig.keep(JmsChannel.of(JmsBroker.at("127.0.0.1", Rig.freePort()), Rig.ADDRESS, Wire.BINARY)));
        CreoException e = failure(() -> client.give("end", 1).count());
        assertEquals(ErrorCode.UNAVAILABLE, e.code());
        assertTrue(e.notStarted());
    }
}
