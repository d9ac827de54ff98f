package creo.jms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.jms.broker.EmbeddedBroker;
import creo.runtime.Wire;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.example.notes.NotesClient;
import org.example.notes.NotesEndpoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker and its backup, which have one folder. How it is when the first is killed, and not closed, {@code examples/queue} shows. */
class PairTest {
    @Test
    void theBackupGoesOnWithWhatIsInTheFolder(@TempDir Path folder) throws Exception {
        int[] ports = Rig.freePorts();
        Rig.Service service = new Rig.Service();
        JmsBroker way = JmsBroker.at("127.0.0.1", ports[0]).or("127.0.0.1", ports[1]);
        Deque<EmbeddedBroker> brokers = new ArrayDeque<>();
        try (JmsChannel channel = JmsChannel.of(way, Rig.ADDRESS, Wire.SOAP, Rig.OPTIONS)) {
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
            assertTrue(second.awaitServing(Rig.PATIENCE, TimeUnit.SECONDS));
            // It counts a moment after it serves.
            while (second.messages(Rig.QUEUE) != 20) {
                Thread.sleep(10);
            }
            try (JmsHost host = JmsHost.builder().broker(way).address(Rig.ADDRESS).limits(Rig.LIMITS).add(NotesEndpoint.of(service)).start()) {
                assertEquals("here!", Rig.say(client, "here"));
                for (int notes = 0; notes < 20;) {
                    notes += service.next().text().startsWith("note ") ? 1 : 0;
                }
                // The first comes back as the backup of the second, and takes over in its turn.
                brokers.push(EmbeddedBroker.builder().bind("127.0.0.1", ports[0]).data(folder).backup().start());
                assertFalse(brokers.peek().isServing());
                assertEquals("there!", Rig.say(client, "there"));
                brokers.removeLast().close();
                assertTrue(brokers.peek().awaitServing(Rig.PATIENCE, TimeUnit.SECONDS));
                assertEquals("back!", Rig.say(client, "back"));
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
            EmbeddedBroker backup = EmbeddedBroker.builder().bind("127.0.0.1", Rig.freePort()).data(folder).backup().start();
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
