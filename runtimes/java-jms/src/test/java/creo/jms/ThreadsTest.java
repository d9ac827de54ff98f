package creo.jms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.Wire;
import jakarta.jms.Connection;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.example.notes.NotesClient;
import org.junit.jupiter.api.Test;

/** The threads of a program with channels and hosts, and after they are closed. */
class ThreadsTest {
    @Test
    void besideOtherClientsOfTheBroker() throws Exception {
        try (Rig rig = new Rig()) {
            rig.host();
            try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory("tcp://127.0.0.1:" + rig.broker.port()); Connection other = factory.createConnection()) {
                other.start();
                assertEquals("x!", rig.client(Wire.BINARY).say("x"));
                // What another provider would hand over.
                JmsChannel channel = rig.keep(JmsChannel.of(JmsBroker.of(factory), Rig.ADDRESS, Wire.SOAP, Rig.OPTIONS));
                assertEquals("y!", new NotesClient(channel).say("y"));
            }
        }
    }

    @Test
    void noThreadIsLeft() throws Exception {
        try (Rig rig = new Rig()) {
            rig.host();
            use(rig);
            int before = Thread.activeCount();
            for (int i = 0; i < 30; i++) {
                use(rig);
            }
            // Threads end a little after what they were for.
            while (Thread.activeCount() > before + 15) {
                Thread.sleep(50);
            }
            assertTrue(Thread.activeCount() <= before + 15);
        }
    }

    private static void use(Rig rig) throws Exception {
        try (JmsChannel channel = JmsChannel.of(rig.way(), Rig.ADDRESS, Wire.BINARY, Rig.OPTIONS)) {
            assertEquals("x!", new NotesClient(channel).say("x"));
        }
    }
}
