package creo.jms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.Answer;
import creo.runtime.ClientOptions;
import creo.runtime.CreoException;
import creo.runtime.RawMessage;
import creo.runtime.Wire;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.Session;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.example.notes.Full;
import org.example.notes.NotesClient;
import org.junit.jupiter.api.Test;

/** Raw messages by a broker (CALL-60 to CALL-68). */
class RawMessagesTest {
    private final BlockingQueue<RawMessage> ofHost = new LinkedBlockingQueue<>();
    private final BlockingQueue<RawMessage> ofClient = new LinkedBlockingQueue<>();

    private NotesClient open(Rig rig, Wire wire, ClientOptions options) {
        rig.keep(rig.hosting().rawMessages(ofHost::add).start());
        return new NotesClient(rig.channel("?priority=5", wire, options.withRawMessages(ofClient::add).withMetadata("x-auth-key", "hunter2").withMetadata("plain", "p")));
    }

    private static String field(RawMessage message, String name) {
        return message.headers().stream().filter(header -> header.name().equals(name)).map(Answer.Header::value).findFirst().orElse(null);
    }

    private static String text(RawMessage message) {
        return new String(message.body(), StandardCharsets.UTF_8);
    }

    /** The next message of both sides, which is the same but for the direction. */
    private RawMessage next(boolean answer) throws InterruptedException {
        RawMessage client = ofClient.take();
        RawMessage host = ofHost.take();
        assertEquals(answer, client.answer());
        assertEquals(!answer, client.sent());
        assertEquals(answer, host.answer());
        assertEquals(answer, host.sent());
        assertEquals(client.headers(), host.headers());
        assertEquals("org.example.notes.Notes.say", client.method());
        assertEquals(client.method(), host.method());
        assertEquals(Rig.ADDRESS, client.peer());
        assertEquals(Rig.ADDRESS, host.peer());
        assertEquals(text(client), text(host));
        assertEquals(0, client.status());
        assertNull(client.hidden());
        return client;
    }

    @Test
    void theBinaryWireIsShown() throws Exception {
        try (Rig rig = new Rig()) {
            NotesClient client = open(rig, Wire.BINARY, Rig.OPTIONS);
            assertEquals("hi!", client.say("hi"));
            RawMessage request = next(false);
            assertEquals("026869", HexFormat.of().formatHex(request.body()));
            assertEquals(Rig.ADDRESS, field(request, "SOAPJMS_requestURI"));
            assertEquals("application/vnd.creo.binary", field(request, "SOAPJMS_contentType"));
            assertEquals(16, field(request, "Creo_method").length());
            assertNotNull(field(request, "Creo_timeout"));
            assertEquals("***", field(request, "Creo_meta_x_2dauth_2dkey"));
            assertEquals("p", field(request, "Creo_meta_plain"));
            RawMessage answer = next(true);
            assertEquals("03686921", HexFormat.of().formatHex(answer.body()));
            assertEquals("response", field(answer, "Creo_kind"));
            assertThrows(Full.class, () -> client.say("full"));
            next(false);
            assertEquals("exception", field(next(true), "Creo_kind"));
            assertThrows(CreoException.class, () -> client.say("denied"));
            next(false);
            assertEquals("error", field(next(true), "Creo_kind"));
        }
    }

    @Test
    void textWiresAreShownWithoutCompression() throws Exception {
        for (Wire wire : new Wire[] {Wire.SOAP, Wire.TDXML}) {
            try (Rig rig = new Rig()) {
                String words = "many words ".repeat(1_000);
                NotesClient client = open(rig, wire, Rig.OPTIONS.withCompression());
                assertEquals(words + "!", client.say(words));
                RawMessage request = next(false);
                assertTrue(text(request).contains(words), text(request));
                assertEquals("gzip", field(request, "SOAPJMS_contentEncoding"));
                assertTrue(text(next(true)).contains(words + "!"));
            }
        }
    }

    @Test
    void aRequestThatIsRefusedIsShown() throws Exception {
        try (Rig rig = new Rig()) {
            rig.keep(rig.hosting().rawMessages(ofHost::add).start());
            Connection connection = rig.connection();
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            BytesMessage message = session.createBytesMessage();
            message.writeBytes(new byte[] {1, 2});
            message.setStringProperty("SOAPJMS_requestURI", Rig.ADDRESS);
            message.setStringProperty("SOAPJMS_contentType", "application/vnd.creo.binary");
            message.setStringProperty("Creo_method", "no id");
            message.setJMSReplyTo(session.createTemporaryQueue());
            session.createProducer(session.createQueue(Rig.QUEUE)).send(message);
            RawMessage request = ofHost.take();
            assertEquals("", request.method());
            assertEquals("0102", HexFormat.of().formatHex(request.body()));
            assertEquals("error", field(ofHost.take(), "Creo_kind"));
        }
    }
}
