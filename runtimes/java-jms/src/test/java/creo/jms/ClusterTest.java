package creo.jms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.jms.broker.EmbeddedBroker;
import creo.runtime.Wire;
import java.util.concurrent.TimeUnit;
import org.example.notes.NotesClient;
import org.example.notes.NotesEndpoint;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two brokers that are joined: a host at one of them, its clients at the other. */
class ClusterTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "?replyToName=answers", "?deliveryMode=NON_PERSISTENT"})
    void answersComeBackThroughBoth(String parameters) throws Exception {
        int[] ports = Rig.freePorts();
        Rig.Service service = new Rig.Service();
        try (EmbeddedBroker one = EmbeddedBroker.builder().bind("127.0.0.1", ports[0]).join("127.0.0.1", ports[1]).start();
            EmbeddedBroker other = EmbeddedBroker.builder().bind("127.0.0.1", ports[1]).join("127.0.0.1", ports[0]).start()) {
            assertTrue(one.awaitCluster(2, Rig.PATIENCE, TimeUnit.SECONDS) && other.awaitCluster(2, Rig.PATIENCE, TimeUnit.SECONDS));
            try (JmsHost host = JmsHost.builder().broker(JmsBroker.at("127.0.0.1", one.port())).address(Rig.ADDRESS).limits(Rig.LIMITS).add(NotesEndpoint.of(service)).start();
                JmsChannel channel = JmsChannel.of(JmsBroker.at("127.0.0.1", other.port()), Rig.ADDRESS + parameters, Wire.SOAP, Rig.OPTIONS)) {
                NotesClient client = new NotesClient(channel);
                for (int i = 0; i < 50; i++) {
                    assertEquals(i + "!", client.say(String.valueOf(i)));
                }
                client.note("last");
                while (service.seen.size() <= 50) {
                    Thread.sleep(10);
                }
                assertEquals(51, service.seen.size());
                assertTrue(host != null);
            }
        }
    }
}
