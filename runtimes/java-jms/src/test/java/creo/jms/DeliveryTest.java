package creo.jms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.jms.broker.EmbeddedBroker;
import creo.runtime.BalancedChannel;
import creo.runtime.Balancing;
import creo.runtime.CallOptions;
import creo.runtime.Channel;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Limits;
import creo.runtime.RetryPolicy;
import creo.runtime.Wire;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.activemq.artemis.jms.client.ActiveMQDestination;
import org.apache.activemq.artemis.jms.client.ActiveMQSession;
import org.example.notes.CounterEndpoint;
import org.example.notes.NotesAsyncClient;
import org.example.notes.NotesClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of messages when something ends in the middle of it (JMS-10 to JMS-15). */
class DeliveryTest {
    private Rig rig;

    @BeforeEach
    void start() {
        rig = new Rig();
    }

    @AfterEach
    void end() {
        rig.close();
    }

    private Message dead() throws JMSException {
        Session session = rig.connection().createSession(false, Session.AUTO_ACKNOWLEDGE);
        try (MessageConsumer consumer = session.createConsumer(session.createQueue(EmbeddedBroker.DEAD_LETTERS))) {
            Message message = consumer.receive(Rig.PATIENCE * 1_000);
            assertNotNull(message, "nothing came to the dead letters");
            return message;
        }
    }

    @Test
    void aRequestThatCannotBeAnsweredIsNotCarriedOut() throws Exception {
        rig.host();
        Raw raw = new Raw(rig.connection());
        BytesMessage request = raw.bytes(Raw.envelope(Raw.say("lost")));
        request.setJMSReplyTo(null);
        request.setJMSCorrelationID("lost");
        raw.send(request);
        assertEquals("lost", dead().getJMSCorrelationID());
        assertTrue(rig.service.seen.isEmpty());
    }

    @Test
    void anUnreadableRequestWithoutReplyGoesToTheDeadLetters() throws Exception {
        rig.host();
        Raw raw = new Raw(rig.connection());
        for (BytesMessage request : List.of(raw.bytes("nonsense"), Raw.without(raw.bytes("x"), "SOAPJMS_contentType"))) {
            request.setJMSReplyTo(null);
            request.setJMSCorrelationID("unreadable");
            raw.send(request);
            assertEquals("unreadable", dead().getJMSCorrelationID());
        }
        Message object = raw.properties(raw.session.createObjectMessage("x"));
        object.setJMSReplyTo(null);
        raw.send(object);
        assertInstanceOf(jakarta.jms.ObjectMessage.class, dead());
        assertEquals(5, rig.client(Wire.SOAP).sleep(5));
    }

    /** JMS-13: it is put back alone; what other sessions do goes on. */
    @Test
    void aRequestWithAnOddPropertyEndsNoOtherCall() throws Exception {
        AtomicInteger begun = new AtomicInteger();
        Semaphore goesOn = new Semaphore(0);
        rig.keep(rig.hosting().sessions(2).interceptor(context -> {
            begun.incrementAndGet();
            goesOn.acquireUninterruptibly();
            return null;
        }).start());
        CompletableFuture<String> call = new NotesAsyncClient(rig.channel("", Wire.BINARY, Rig.OPTIONS)).say("slow").toCompletableFuture();
        while (begun.get() == 0) {
            Thread.sleep(5);
        }
        Raw raw = new Raw(rig.connection());
        BytesMessage request = raw.bytes(Raw.envelope(Raw.say("odd")));
        request.setObjectProperty("Creo_timeout", new byte[] {1});
        request.setJMSCorrelationID("odd");
        raw.send(request);
        assertEquals("odd", dead().getJMSCorrelationID());
        goesOn.release(1_000);
        assertEquals("slow!", call.get(Rig.PATIENCE, TimeUnit.SECONDS));
        assertEquals("next!", rig.client(Wire.SOAP).say("next"));
        assertEquals(List.of("slow", "next"), rig.service.seen.stream().map(Rig.Seen::text).toList());
        assertEquals(2, begun.get());
    }

    @Test
    void aRequestThatEndsItsHostIsDeliveredAgain() throws Exception {
        Limits hasty = Rig.LIMITS.withDrainTime(Duration.ofMillis(100));
        JmsHost first = rig.host(hasty);
        CompletableFuture<Integer> call = new NotesAsyncClient(rig.channel("", Wire.BINARY, Rig.OPTIONS)).sleep(600_000).toCompletableFuture();
        Rig.Seen before = rig.service.next();
        assertFalse(before.redelivered());
        first.close();
        rig.host();
        // The first host waits for its session, not for the method.
        List<Rig.Seen> both = List.of(rig.service.next(), rig.service.next());
        Rig.Seen again = both.get(both.get(0).text().equals("sleep") ? 0 : 1);
        assertEquals(List.of("interrupted", "sleep"), both.stream().map(Rig.Seen::text).sorted().toList());
        assertTrue(again.redelivered());
        assertEquals(before.id(), again.id());
        assertEquals(600_000, call.get(Rig.PATIENCE, TimeUnit.SECONDS));
    }

    @Test
    void aHostThatIsClosedFinishesWhatIsUnderWay() throws Exception {
        JmsHost host = rig.host(Rig.LIMITS.withDrainTime(Duration.ofSeconds(Rig.PATIENCE)));
        CompletableFuture<Integer> call = new NotesAsyncClient(rig.channel("", Wire.SOAP, Rig.OPTIONS)).sleep(700).toCompletableFuture();
        rig.service.next();
        host.close();
        assertEquals(700, call.get(Rig.PATIENCE, TimeUnit.SECONDS));
        host.join();
        // No host serves any more: the request waits until it expires.
        NotesClient client = rig.client(Wire.SOAP).with(CallOptions.NONE.withDeadline(Duration.ofMillis(200)));
        assertEquals(ErrorCode.DEADLINE_EXCEEDED, assertThrows(CreoException.class, client::nothing).code());
    }

    @Test
    void anExpiredRequestIsNotCarriedOut() throws Exception {
        for (String parameters : List.of("", "?timeToLive=100")) {
            try (JmsChannel channel = rig.channel(parameters, Wire.BINARY, Rig.OPTIONS)) {
                CallOptions options = parameters.isEmpty() ? CallOptions.NONE.withDeadline(Duration.ofMillis(100)) : CallOptions.NONE;
                NotesClient client = new NotesClient(channel).with(options);
                assertEquals(ErrorCode.DEADLINE_EXCEEDED, assertThrows(CreoException.class, () -> client.say("late")).code());
            }
        }
        // On a slow machine those may not have been sent in time, and now never are.
        Raw raw = new Raw(rig.connection());
        raw.send(raw.bytes(Raw.envelope(Raw.say("late"))), jakarta.jms.DeliveryMode.PERSISTENT, 4, 100);
        Thread.sleep(200);
        rig.host();
        assertEquals("now!", rig.client(Wire.BINARY).say("now"));
        assertEquals("now", rig.service.next().text());
        assertTrue(rig.service.seen.isEmpty());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aHostEndsACallByTheShorterOfTimeoutAndExpiry(boolean expires) throws Exception {
        rig.keep(rig.hosting().sessions(1).start());
        Raw raw = new Raw(rig.connection());
        rig.checkTimeIsOver(rig.client(Wire.SOAP), seconds -> {
            BytesMessage request = raw.bytes(Raw.envelope("<sleep xmlns=\"" + Raw.NAMESPACE + "\"><milliseconds>600000</milliseconds></sleep>"));
            request.setStringProperty("Creo_timeout", Integer.toString(expires ? 600_000 : seconds * 1_000));
            raw.send(request, jakarta.jms.DeliveryMode.PERSISTENT, 4, expires ? seconds * 1_000 : 600_000);
        });
    }

    /** Notes how messages are waited for, by whatever is made of this. */
    private static <T> T watched(Class<T> type, Object inner, List<String> waits) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
            if (method.getName().startsWith("receive")) {
                waits.add(method.getName() + Arrays.toString(arguments));
            }
            try {
                Object result = method.invoke(inner, arguments);
                Class<?> made = method.getReturnType();
                return List.of(Connection.class, Session.class, MessageConsumer.class).contains(made) ? watched(made, result, waits) : result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    /** JMS-13: a request that the broker gives just when a time is over would be one more than the session can begin with. */
    @Test
    void aHostWaitsWithoutATime() throws Exception {
        List<String> waits = new CopyOnWriteArrayList<>();
        try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory("tcp://127.0.0.1:" + rig.broker.port())) {
            JmsHost host = rig.keep(JmsHost.builder().broker(JmsBroker.of(watched(ConnectionFactory.class, factory, waits))).address(Rig.ADDRESS)
                .add(org.example.notes.NotesEndpoint.of(rig.service)).sessions(1).start());
            assertEquals("x!", rig.client(Wire.BINARY).say("x"));
            host.close();
        }
        assertEquals(Set.of("receivenull"), Set.copyOf(waits));
    }

    @Test
    void twoClientsOnOneReplyQueue() throws Exception {
        rig.keep(rig.hosting().sessions(4).start());
        List<NotesAsyncClient> clients = new ArrayList<>();
        for (Wire wire : Wire.values()) {
            clients.add(new NotesAsyncClient(rig.channel("?replyToName=answers", wire, Rig.OPTIONS)));
        }
        List<CompletableFuture<String>> calls = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            calls.add(clients.get(i % clients.size()).say("call " + i).toCompletableFuture());
        }
        for (int i = 0; i < calls.size(); i++) {
            assertEquals("call " + i + "!", calls.get(i).get(Rig.PATIENCE, TimeUnit.SECONDS));
        }
        // The broker learns of the last ones a little later.
        while (rig.broker.messages("answers") > 0) {
            Thread.sleep(10);
        }
    }

    @Test
    void onewayCallsWaitInTheBroker() throws Exception {
        NotesClient client = rig.client(Wire.SOAP);
        NotesClient fleeting = new NotesClient(rig.channel("?deliveryMode=NON_PERSISTENT", Wire.TDXML, Rig.OPTIONS));
        client.note("first");
        fleeting.note("second");
        // It has them; that it counts them may come a moment later.
        while (rig.broker.messages(Rig.QUEUE) < 2) {
            Thread.sleep(10);
        }
        rig.keep(rig.hosting().sessions(1).start());
        assertEquals("first", rig.service.next().text());
        assertEquals("second", rig.service.next().text());
    }

    @Test
    void anAnswerWhoseCallerIsGoneIsDropped() throws Exception {
        rig.host();
        Connection caller = rig.connection();
        Raw raw = new Raw(caller);
        Destination gone = raw.replyTo;
        raw.send(raw.bytes(Raw.envelope("<sleep xmlns=\"" + Raw.NAMESPACE + "\"><milliseconds>700</milliseconds></sleep>")));
        assertEquals("sleep", rig.service.next().text());
        caller.close();
        assertEquals("next!", rig.client(Wire.SOAP).say("next"));
        while (rig.service.slept.isEmpty()) {
            Thread.sleep(10);
        }
        assertEquals("next", rig.service.next().text());
        JmsHost ended = rig.keep(rig.hosting().start());
        ended.close();
        // Were it delivered again, it would have been by now.
        assertTrue(rig.service.seen.isEmpty());
        // And the queue of a vanished client is removed.
        try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory("tcp://127.0.0.1:" + rig.broker.port());
            Connection connection = factory.createConnection();
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE)) {
            ClientSession.QueueQuery left = ((ActiveMQSession) session).getCoreSession().queueQuery(((ActiveMQDestination) gone).getSimpleAddress());
            assertTrue(!left.isExists() || left.isAutoDelete() && left.getAutoDeleteDelay() == 60_000 && left.getAutoDeleteMessageCount() < 0, String.valueOf(left.isExists()));
        }
        assertEquals(0, rig.broker.messages(EmbeddedBroker.DEAD_LETTERS));
    }

    private static ErrorCode code(CompletableFuture<?> call) {
        ExecutionException e = assertThrows(ExecutionException.class, () -> call.get(Rig.PATIENCE, TimeUnit.SECONDS));
        return assertInstanceOf(CreoException.class, e.getCause()).code();
    }

    @Test
    void theBrokerEndsWhileACallWaits() throws Exception {
        int port = Rig.freePort();
        EmbeddedBroker broker = EmbeddedBroker.builder().bind("127.0.0.1", port).start();
        JmsBroker way = JmsBroker.at("127.0.0.1", port);
        rig.keep(JmsHost.builder().broker(way).address("jms:queue:away").add(CounterEndpoint.of((a, b) -> a + b))
            .add(org.example.notes.NotesEndpoint.of(rig.service)).limits(Rig.LIMITS.withDrainTime(Duration.ofMillis(100))).start());
        JmsChannel channel = rig.keep(JmsChannel.of(way, "jms:queue:away", Wire.SOAP, Rig.OPTIONS));
        CompletableFuture<Integer> call = new NotesAsyncClient(channel).sleep(60_000).toCompletableFuture();
        assertEquals("sleep", rig.service.next().text());
        broker.close();
        assertEquals(ErrorCode.UNAVAILABLE, code(call));
        NotesClient client = new NotesClient(channel);
        CreoException gone = assertThrows(CreoException.class, () -> client.say("nobody"));
        assertEquals(ErrorCode.UNAVAILABLE, gone.code());
        assertTrue(gone.getMessage().contains("127.0.0.1:" + port), gone.getMessage());
        rig.keep(EmbeddedBroker.builder().bind("127.0.0.1", port).start());
        // The host reconnects automatically, and the client with its next call.
        assertEquals("back!", client.say("back"));
    }

    @Test
    void aPairOfBrokers() throws Exception {
        int nobody = Rig.freePort();
        JmsBroker pair = JmsBroker.at("127.0.0.1", nobody).or("127.0.0.1", rig.broker.port());
        rig.keep(JmsHost.builder().broker(pair).address(Rig.ADDRESS).limits(Rig.LIMITS).add(org.example.notes.NotesEndpoint.of(rig.service)).start());
        assertEquals("there!", new NotesClient(rig.keep(JmsChannel.of(pair, Rig.ADDRESS, Wire.BINARY, Rig.OPTIONS))).say("there"));
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void aCallThatWasNotStartedIsMadeAgain(Wire wire) throws Exception {
        AtomicInteger begun = new AtomicInteger();
        rig.keep(JmsHost.builder().broker(JmsBroker.at("127.0.0.1", rig.broker.port())).address(Rig.ADDRESS).limits(Rig.LIMITS).add(org.example.notes.NotesEndpoint.of(rig.service))
            .interceptor(call -> {
                if (begun.incrementAndGet() % 2 == 1) {
                    throw new CreoException(ErrorCode.OVERLOADED, "later", Map.of("retry-after", "1"));
                }
                return null;
            }).start());
        List<String> ports = List.of(Integer.toString(Rig.freePort()), Integer.toString(rig.broker.port()));
        Channel both = BalancedChannel.open(ports, port -> JmsChannel.of(JmsBroker.at("127.0.0.1", Integer.parseInt(port)), Rig.ADDRESS, wire), Balancing.DEFAULT);
        CreoException refused = assertThrows(CreoException.class, () -> new NotesClient(both).say("x"));
        assertTrue(refused.notStarted() && refused.fromPeer());
        assertEquals(Duration.ofMillis(1), refused.retryAfter());
        assertEquals("x!", new NotesClient(both).say("x"));
        try (Channel channel = both.retrying(RetryPolicy.DEFAULT)) {
            assertEquals("y!", new NotesClient(channel).say("y"));
        }
        assertEquals(4, begun.get());
    }

    @Test
    void noBrokerAtAll() throws Exception {
        JmsBroker nobody = JmsBroker.at("127.0.0.1", Rig.freePort());
        NotesClient client = new NotesClient(rig.keep(JmsChannel.of(nobody, Rig.ADDRESS, Wire.SOAP, Rig.OPTIONS)));
        for (Executable call : List.<Executable>of(() -> client.say("x"), () -> client.note("x"))) {
            CreoException e = assertThrows(CreoException.class, call);
            assertEquals(ErrorCode.UNAVAILABLE, e.code());
            assertTrue(e.notStarted());
        }
        JmsHost.Builder host = JmsHost.builder().broker(nobody).address(Rig.ADDRESS).limits(Rig.LIMITS).add(CounterEndpoint.of((a, b) -> a + b));
        assertEquals(ErrorCode.UNAVAILABLE, assertThrows(CreoException.class, host::start).code());
    }

    @Test
    void credentials() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.builder().credentials("notes", "a password").start()) {
            JmsBroker way = JmsBroker.at("127.0.0.1", broker.port());
            for (JmsBroker wrong : List.of(way, way.withCredentials("notes", "another"))) {
                NotesClient client = new NotesClient(rig.keep(JmsChannel.of(wrong, Rig.ADDRESS, Wire.SOAP, Rig.OPTIONS)));
                assertEquals(ErrorCode.UNAUTHENTICATED, assertThrows(CreoException.class, () -> client.say("x")).code());
            }
            JmsBroker right = way.withCredentials("notes", "a password");
            try (JmsHost host = JmsHost.builder().broker(right).address(Rig.ADDRESS).limits(Rig.LIMITS).add(org.example.notes.NotesEndpoint.of(rig.service)).start();
                JmsChannel channel = JmsChannel.of(right, Rig.ADDRESS, Wire.SOAP, Rig.OPTIONS)) {
                assertEquals("let in!", new NotesClient(channel).say("let in"));
                assertNotNull(host);
            }
        }
    }

    @Test
    void aClosedChannel() throws Exception {
        rig.host(Rig.LIMITS.withDrainTime(Duration.ofMillis(100)));
        JmsChannel channel = rig.channel("", Wire.TDXML, Rig.OPTIONS);
        NotesClient client = new NotesClient(channel);
        client.nothing();
        CompletableFuture<Integer> call = new NotesAsyncClient(channel).sleep(60_000).toCompletableFuture();
        assertEquals("nothing", rig.service.next().text());
        assertEquals("sleep", rig.service.next().text());
        channel.close();
        channel.close();
        assertEquals(ErrorCode.UNAVAILABLE, code(call));
        CreoException closed = assertThrows(CreoException.class, client::nothing);
        assertEquals(ErrorCode.UNAVAILABLE, closed.code());
        assertTrue(closed.notStarted());
        assertEquals(ErrorCode.UNAVAILABLE, code(new NotesAsyncClient(channel).sleep(1).toCompletableFuture()));
    }

    @Test
    void requestsThatCannotBeToldApartAreRefusedAtTheStart() {
        JmsHost.Builder twice = rig.hosting().add(CounterEndpoint.of((a, b) -> a - b));
        assertThrows(IllegalArgumentException.class, twice::start);
    }
}
