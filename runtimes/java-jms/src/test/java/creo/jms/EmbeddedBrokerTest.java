package creo.jms;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.jms.broker.EmbeddedBroker;
import jakarta.jms.BytesMessage;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.Message;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The broker alone, used by an ordinary JMS client. */
class EmbeddedBrokerTest {
    private static final long PATIENCE = Rig.PATIENCE * 1_000;

    private static ConnectionFactory factory(EmbeddedBroker broker) {
        return factory(broker.port(), "");
    }

    private static ConnectionFactory factory(int port, String parameters) {
        return new ActiveMQConnectionFactory("tcp://127.0.0.1:" + port + parameters);
    }

    private static void send(JMSContext context, String queue, byte[] body) {
        BytesMessage message = context.createBytesMessage();
        try {
            message.writeBytes(body);
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
        context.createProducer().send(context.createQueue(queue), message);
    }

    /** The broker counts a moment after it has answered. */
    private static void awaitMessages(EmbeddedBroker broker, long count) throws InterruptedException {
        while (broker.messages("a") != count) {
            Thread.sleep(10);
        }
    }

    private static byte[] body(Message message) throws JMSException {
        return assertInstanceOf(BytesMessage.class, message).getBody(byte[].class);
    }

    @Test
    void aMessageGoesThroughAndThePortIsFreed() throws Exception {
        int port = Rig.freePort();
        try (EmbeddedBroker broker = EmbeddedBroker.builder().bind("127.0.0.1", port).start(); JMSContext context = factory(broker).createContext()) {
            assertEquals(port, broker.port());
            send(context, "a", new byte[] {1, 2, 3});
            JMSConsumer consumer = context.createConsumer(context.createQueue("a"));
            assertArrayEquals(new byte[] {1, 2, 3}, body(consumer.receive(PATIENCE)));
        }
        try (EmbeddedBroker again = EmbeddedBroker.builder().bind("127.0.0.1", port).start()) {
            assertEquals(port, again.port());
            assertEquals(0, again.messages("a"));
        }
    }

    @Test
    void withoutCredentialsItIsForThisMachineAlone() {
        for (String host : new String[] {"0.0.0.0", "::", "192.0.2.1"}) {
            EmbeddedBroker.Builder open = EmbeddedBroker.builder().bind(host, 0);
            IllegalArgumentException e = assertThrows(IllegalArgumentException.class, open::start);
            assertTrue(e.getMessage().contains("credentials"), e.getMessage());
        }
    }

    @Test
    void withCredentialsItIsForThoseWhoHaveThem() {
        try (EmbeddedBroker broker = EmbeddedBroker.builder().credentials("me", "sesame").start()) {
            assertThrows(JMSSecurityRuntimeException.class, () -> factory(broker).createContext().close());
            for (String[] wrong : new String[][] {{"me", "Sesame"}, {"you", "sesame"}, {"me", ""}}) {
                assertThrows(JMSSecurityRuntimeException.class, () -> factory(broker).createContext(wrong[0], wrong[1]).close());
            }
            try (JMSContext context = factory(broker).createContext("me", "sesame")) {
                send(context, "a", new byte[1]);
                assertNotNull(context.createConsumer(context.createQueue("a")).receive(PATIENCE));
            }
        }
    }

    @Test
    void nobodyAdministersItThroughMessages() {
        try (EmbeddedBroker broker = EmbeddedBroker.builder().start(); JMSContext context = factory(broker).createContext()) {
            JMSRuntimeException e = assertThrows(JMSRuntimeException.class, () -> send(context, "activemq.management", new byte[1]));
            assertInstanceOf(JMSSecurityRuntimeException.class, e);
        }
    }

    @Test
    void persistentMessagesOutliveIt(@TempDir Path folder) throws Exception {
        byte[] large = new byte[2_000_000];
        Arrays.fill(large, (byte) 7);
        try (EmbeddedBroker broker = EmbeddedBroker.builder().data(folder).start(); JMSContext context = factory(broker).createContext()) {
            send(context, "a", new byte[] {1});
            send(context, "a", large);
            BytesMessage fleeting = context.createBytesMessage();
            context.createProducer().setDeliveryMode(DeliveryMode.NON_PERSISTENT).send(context.createQueue("a"), fleeting);
        }
        try (EmbeddedBroker broker = EmbeddedBroker.builder().data(folder).start(); JMSContext context = factory(broker).createContext()) {
            awaitMessages(broker, 2);
            JMSConsumer consumer = context.createConsumer(context.createQueue("a"));
            assertArrayEquals(new byte[] {1}, body(consumer.receive(PATIENCE)));
            assertArrayEquals(large, body(consumer.receive(PATIENCE)));
            assertNull(consumer.receiveNoWait());
        }
    }

    @Test
    void aPortAndAFolderThatAreInUseAreSaid(@TempDir Path folder) throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            EmbeddedBroker.Builder builder = EmbeddedBroker.builder().bind("127.0.0.1", taken.getLocalPort());
            IllegalStateException e = assertThrows(IllegalStateException.class, builder::start);
            assertTrue(e.getMessage().contains("127.0.0.1:" + taken.getLocalPort()), e.getMessage());
        }
        try (EmbeddedBroker first = EmbeddedBroker.builder().data(folder).start()) {
            EmbeddedBroker.Builder second = EmbeddedBroker.builder().data(folder);
            assertThrows(IllegalStateException.class, second::start);
            assertTrue(first.port() > 0);
        }
    }

    @Test
    void whatIsDeliveredInVainBecomesADeadLetter() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.builder().start(); JMSContext context = factory(broker).createContext(JMSContext.SESSION_TRANSACTED)) {
            send(context, "a", new byte[] {9});
            context.commit();
            JMSConsumer consumer = context.createConsumer(context.createQueue("a"));
            for (int i = 1; i <= EmbeddedBroker.DEFAULT_DELIVERIES; i++) {
                Message message = consumer.receive(PATIENCE);
                assertEquals(i, message.getIntProperty("JMSXDeliveryCount"));
                assertEquals(i > 1, message.getJMSRedelivered());
                context.rollback();
            }
            JMSConsumer letters = context.createConsumer(context.createQueue(EmbeddedBroker.DEAD_LETTERS));
            assertArrayEquals(new byte[] {9}, body(letters.receive(PATIENCE)));
            context.commit();
            assertNull(consumer.receiveNoWait());
            awaitMessages(broker, 0);
        }
    }

    @Test
    void itsMemoryIsBounded(@TempDir Path folder) {
        byte[] body = new byte[50_000];
        try (EmbeddedBroker broker = EmbeddedBroker.builder().memory(1024 * 1024).start(); JMSContext context = factory(broker).createContext()) {
            assertThrows(JMSRuntimeException.class, () -> {
                for (int i = 0; i < 40; i++) {
                    send(context, "a", body);
                }
            });
            assertTrue(broker.messages("a") < 40);
        }
        try (EmbeddedBroker broker = EmbeddedBroker.builder().memory(1024 * 1024).data(folder).start(); JMSContext context = factory(broker).createContext()) {
            // Each waits for the disk.
            for (int i = 0; i < 40; i++) {
                send(context, "a", body);
            }
            JMSConsumer consumer = context.createConsumer(context.createQueue("a"));
            for (int i = 0; i < 40; i++) {
                assertNotNull(consumer.receive(PATIENCE), "message " + i);
            }
        }
    }

    @Test
    void aPeerThatSpeaksSomethingElseDisturbsNobody() throws IOException, InterruptedException {
        try (EmbeddedBroker broker = EmbeddedBroker.builder().start();
                Socket http = new Socket("127.0.0.1", broker.port());
                Socket ssh = new Socket("127.0.0.1", broker.port())) {
            http.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            ssh.getOutputStream().write("SSH-2.0-nothing\r\n".getBytes(StandardCharsets.US_ASCII));
            try (JMSContext context = factory(broker).createContext()) {
                send(context, "a", new byte[1]);
                awaitMessages(broker, 1);
            }
        }
    }

    /** Expired messages are dropped (JMS-10), without a warning for each queue. */
    @Test
    void whatIsIntendedIsNotWarnedOf() throws Exception {
        List<LogRecord> heard = new CopyOnWriteArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord record) {
                heard.add(record);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger log = Logger.getLogger("org.apache.activemq.artemis.core.server");
        log.addHandler(handler);
        try (EmbeddedBroker broker = EmbeddedBroker.builder().start(); JMSContext context = factory(broker).createContext()) {
            JMSProducer producer = context.createProducer();
            producer.setTimeToLive(1).send(context.createQueue("a"), new byte[] {4});
            Thread.sleep(10);
            producer.setTimeToLive(0).send(context.createQueue("a"), new byte[] {5});
            assertArrayEquals(new byte[] {5}, body(context.createConsumer(context.createQueue("a")).receive(PATIENCE)));
            awaitMessages(broker, 0);
            assertEquals(List.of(), heard.stream().map(LogRecord::getMessage).toList());
        } finally {
            log.removeHandler(handler);
        }
    }

    @Test
    void twoBrokersShareAQueue() throws Exception {
        int[] ports = Rig.freePorts();
        try (EmbeddedBroker one = EmbeddedBroker.builder().bind("127.0.0.1", ports[0]).join("127.0.0.1", ports[1]).start();
                EmbeddedBroker other = EmbeddedBroker.builder().bind("127.0.0.1", ports[1]).join("127.0.0.1", ports[0]).start()) {
            assertTrue(one.awaitCluster(2, Rig.PATIENCE, TimeUnit.SECONDS) && other.awaitCluster(2, Rig.PATIENCE, TimeUnit.SECONDS));
            try (JMSContext here = factory(one).createContext(); JMSContext there = factory(other).createContext()) {
                send(here, "a", new byte[] {4});
                assertArrayEquals(new byte[] {4}, body(there.createConsumer(there.createQueue("a")).receive(PATIENCE)));
            }
        }
    }

    @Test
    void wrongSettingsAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> EmbeddedBroker.builder().bind("127.0.0.1", 65_536));
        assertThrows(IllegalArgumentException.class, () -> EmbeddedBroker.builder().credentials("", "x"));
        assertThrows(IllegalArgumentException.class, () -> EmbeddedBroker.builder().credentials("x", ""));
        assertThrows(IllegalArgumentException.class, () -> EmbeddedBroker.builder().memory(10));
        assertThrows(IllegalArgumentException.class, () -> EmbeddedBroker.builder().deliveries(0));
        EmbeddedBroker.Builder free = EmbeddedBroker.builder().join("127.0.0.1", 1);
        assertThrows(IllegalArgumentException.class, free::start);
        assertFalse(EmbeddedBroker.DEAD_LETTERS.isEmpty());
    }
}
