package creo.jms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.jms.broker.EmbeddedBroker;
import creo.runtime.ClientOptions;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Wire;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.example.notes.NotesClient;
import org.junit.jupiter.api.Test;

/** A broker that is named with several places (JMS-17). */
class PlacesTest {
    /** For places that do not answer, also when they close the connection: the client of the broker waits for the answer alike. */
    private static final ClientOptions IMPATIENT = Rig.OPTIONS.withLimits(Rig.LIMITS.withConnectTimeout(Duration.ofSeconds(2)));

    private static ServerSocket listen() throws IOException {
        return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    private static void passesOver(int port, ClientOptions options) throws Exception {
        try (Rig rig = new Rig()) {
            rig.host();
            JmsBroker way = JmsBroker.at("127.0.0.1", port).or("127.0.0.1", rig.broker.port());
            try (JmsChannel channel = JmsChannel.of(way, Rig.ADDRESS, Wire.BINARY, options)) {
                assertEquals("there!", Rig.say(new NotesClient(channel), "there"));
            }
        }
    }

    @Test
    void whereNobodyListens() throws Exception {
        int free = Rig.freePort();
        passesOver(free, Rig.OPTIONS);
        try (JmsChannel channel = JmsChannel.of(JmsBroker.at("127.0.0.1", free).or("127.0.0.1", free), Rig.ADDRESS, Wire.BINARY, Rig.OPTIONS)) {
            NotesClient client = new NotesClient(channel);
            assertEquals(ErrorCode.UNAVAILABLE, assertThrows(CreoException.class, client::nothing).code());
        }
    }

    @Test
    void whereConnectionsAreClosedAtOnce() throws Exception {
        try (ServerSocket socket = listen()) {
            Thread closes = new Thread(() -> {
                while (!socket.isClosed()) {
                    try {
                        socket.accept().close();
                    } catch (IOException e) {
                        // The test is over.
                    }
                }
            });
            closes.start();
            passesOver(socket.getLocalPort(), IMPATIENT);
        }
    }

    @Test
    void whereNobodyAnswers() throws Exception {
        try (ServerSocket socket = listen()) {
            passesOver(socket.getLocalPort(), IMPATIENT);
        }
    }

    /** The next place would not know the caller better, and shall not be asked. */
    @Test
    void whoIsRefusedIsNotPassedOn() throws Exception {
        try (EmbeddedBroker first = EmbeddedBroker.builder().credentials("one", "secret").start(); ServerSocket second = listen()) {
            second.setSoTimeout(1);
            JmsBroker way = JmsBroker.at("127.0.0.1", first.port()).or("127.0.0.1", second.getLocalPort()).withCredentials("one", "wrong");
            try (JmsChannel channel = JmsChannel.of(way, Rig.ADDRESS, Wire.BINARY, Rig.OPTIONS)) {
                NotesClient client = new NotesClient(channel);
                assertEquals(ErrorCode.UNAUTHENTICATED, assertThrows(CreoException.class, client::nothing).code());
            }
            assertThrows(IOException.class, () -> {
                try (Socket asked = second.accept()) {
                    assertTrue(asked.isConnected());
                }
            });
        }
    }

    /** A host leaves to others what it cannot begin with (JMS-13); a client does not wait for each answer to be asked for. */
    @Test
    void aHostTakesOneMessageAndAClientAllThatAreThere() throws Exception {
        JmsBroker.Place place = new JmsBroker.Place("127.0.0.1", 1);
        try (ActiveMQConnectionFactory host = assertInstanceOf(ActiveMQConnectionFactory.class, ArtemisFactory.of(place, null, Duration.ofSeconds(1), 0));
            ActiveMQConnectionFactory client = assertInstanceOf(ActiveMQConnectionFactory.class, ArtemisFactory.of(place, null, Duration.ofSeconds(1), ArtemisFactory.MUCH))) {
            assertEquals(0, host.getConsumerWindowSize());
            assertEquals(ActiveMQClient.DEFAULT_CONSUMER_WINDOW_SIZE, client.getConsumerWindowSize());
        }
    }
}
