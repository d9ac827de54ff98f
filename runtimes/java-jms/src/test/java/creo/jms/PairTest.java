package creo.jms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.jms.broker.EmbeddedBroker;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Wire;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.example.notes.NotesClient;
import org.example.notes.NotesEndpoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broker and its backup, which have one folder. How it is when the first is killed, and not closed, {@code examples/queue} shows. */
@Timeout(300)
class PairTest {
    /** While no broker serves, calls end as {@code unavailable}; they are idempotent here, and made again. */
    private static String say(NotesClient client, String text) throws Exception {
        while (true) {
            try {
                return client.say(text);
            } catch (CreoException e) {
                assertEquals(ErrorCode.UNAVAILABLE, e.code(), e.getMessage());
                Thread.sleep(50);
            }
        }
    }

    @Test
    void theBackupGoesOnWithWhatIsInTheFolder(@TempDir Path folder) throws Exception {
        int[] ports = Rig.freePorts();
        Rig.Service service = new Rig.Service();
        JmsBroker way = JmsBroker.at("127.0.0.1", ports[0]).or("127.0.0.1", ports[1]);
        Deque<EmbeddedBroker> brokers = new ArrayDeque<>();
        try (JmsChannel channel = JmsChannel.of(way, Rig.ADDRESS, Wire.SOAP)) {
            brokers.push(EmbeddedBroker.builder().bind("127.0.0.1", ports[0]).data(folder).start());
            brokers.push(EmbeddedBroker.builder().bind("127.0.0.1", ports[1]).data(folder).backup().start());
            EmbeddedBroker second = brokers.peek();
            assertTrue(brokers.getLast().isServing());
            assertFalse(second.isServing());
            assertEquals(0, second.messages(Rig.QUEUE));
            NotesClient client = new NotesClient(channel);
            // No host serves yet: they wait in the folder.
            for (int i = 0; i < 20; i++) {
                client.note("note " + i);
            }
            brokers.removeLast().close();
            assertTrue(second.awaitServing(120, TimeUnit.SECONDS));
            assertEquals(20, second.messages(Rig.QUEUE));
            try (JmsHost host = JmsHost.builder().broker(way).address(Rig.ADDRESS).add(NotesEndpoint.of(service)).start()) {
                assertEquals("here!", say(client, "here"));
                for (int notes = 0; notes < 20;) {
                    notes += service.seen.take().text().startsWith("note ") ? 1 : 0;
                }
                // The first comes back as the backup of the second, and takes over in its turn.
                brokers.push(EmbeddedBroker.builder().bind("127.0.0.1", ports[0]).data(folder).backup().start());
                assertFalse(brokers.peek().isServing());
                assertEquals("there!", say(client, "there"));
                brokers.removeLast().close();
                assertTrue(brokers.peek().awaitServing(120, TimeUnit.SECONDS));
                assertEquals("back!", say(client, "back"));
                assertTrue(host != null);
            }
        } finally {
            brokers.forEach(EmbeddedBroker::close);
        }
    }

    /** A backup that never served ends in order, and its broker does not notice. */
    @Test
    void aBackupThatIsNotNeededEnds(@TempDir Path folder) throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.builder().data(folder).start()) {
            EmbeddedBroker backup = EmbeddedBroker.builder().bind("127.0.0.1", Rig.freePorts()[0]).data(folder).backup().start();
            assertFalse(backup.isServing());
            backup.close();
            assertTrue(broker.isServing());
        }
    }

    @Test
    void aBackupHasAFolderAndAPort(@TempDir Path folder) {
        assertThrows(IllegalArgumentException.class, () -> EmbeddedBroker.builder().data(folder).backup().start());
        assertThrows(IllegalArgumentException.class, () -> EmbeddedBroker.builder().bind("127.0.0.1", 5672).backup().start());
    }
}
