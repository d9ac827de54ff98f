package creo.jms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Wire;
import jakarta.jms.BytesMessage;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.example.notes.FeedClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a channel makes of the messages of a stream (JMS-25, JMS-26), from a host that is played by hand. */
class StreamRulesTest {
    private static final String ONE = "00000000000000aa";
    private static final String OTHER = "FFFFFFFFFFFFFFBB";

    private Rig rig;
    private Session session;
    private MessageConsumer consumer;
    private FeedClient client;
    private Message request;

    @BeforeEach
    void start() throws JMSException {
        rig = new Rig();
        session = rig.connection().createSession(false, Session.AUTO_ACKNOWLEDGE);
        consumer = session.createConsumer(session.createQueue(Rig.QUEUE));
        client = new FeedClient(rig.channel("", Wire.BINARY, Rig.OPTIONS));
    }

    @AfterEach
    void end() {
        rig.close();
    }

    /** A message of the host; without a run it has neither of the two properties. */
    private record Sent(String kind, String run, String item, byte[] body) {}

    private static Sent items(String run, String item, long... numbers) {
        ByteBuffer body = ByteBuffer.allocate(1 + 8 * numbers.length).put((byte) numbers.length);
        LongStream.of(numbers).forEach(body::putLong);
        return new Sent("items", run, item, body.array());
    }

    private static Sent end(String run, String item) {
        return new Sent("response", run, item, new byte[0]);
    }

    /** The error that a host gives which does not know the method. */
    private static Sent unknown() {
        return new Sent("error", null, null, new byte[] {(byte) ErrorCode.UNKNOWN_METHOD.number(), 2, 'n', 'o', 0});
    }

    private void send(Sent sent, String encoding) throws JMSException {
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(sent.body());
        message.setStringProperty("SOAPJMS_requestURI", Rig.ADDRESS);
        message.setStringProperty("SOAPJMS_bindingVersion", "1.0");
        message.setStringProperty("SOAPJMS_contentType", "application/vnd.creo.binary");
        message.setStringProperty("Creo_kind", sent.kind());
        if (sent.run() != null) {
            message.setStringProperty("Creo_run", sent.run());
        }
        if (sent.item() != null) {
            message.setStringProperty("Creo_item", sent.item());
        }
        if (encoding != null) {
            message.setStringProperty("SOAPJMS_contentEncoding", encoding);
        }
        message.setJMSCorrelationID(request.getJMSCorrelationID());
        session.createProducer(request.getJMSReplyTo()).send(message);
    }

    /** Begins a call, which these messages answer. */
    private Stream<Long> call(Sent... messages) throws Exception {
        Stream<Long> numbers = client.give("end", 5);
        request = consumer.receive(Rig.PATIENCE * 1_000);
        for (Sent each : messages) {
            send(each, null);
        }
        return numbers;
    }

    /** The items, and the code of what ends the call after them. */
    private void ends(ErrorCode code, List<Long> before, Sent... messages) throws Exception {
        List<Long> seen = new ArrayList<>();
        try (Stream<Long> numbers = call(messages)) {
            CreoException e = assertThrows(CreoException.class, () -> numbers.forEach(seen::add));
            assertEquals(code, e.code(), e.getMessage());
        }
        assertEquals(before, seen);
        gone(request.getJMSReplyTo());
    }

    private void gone(Destination queue) throws JMSException, InterruptedException {
        while (ArtemisFactory.find(session, queue) != null) {
            Thread.sleep(10);
        }
    }

    @Test
    void theRequest() throws Exception {
        try (Stream<Long> numbers = call(items(ONE, "0", 1, 2), items(ONE, "2"), items(ONE, "2", 3), end(ONE, "3"))) {
            assertEquals(List.of(1L, 2L, 3L), numbers.toList());
        }
        assertEquals("999999999", request.getStringProperty("Creo_timeout"));
        assertEquals(0, request.getJMSExpiration());
        assertTrue(request.getJMSCorrelationID().matches("[0-9a-f]{32}"), request.getJMSCorrelationID());
        gone(request.getJMSReplyTo());
    }

    @Test
    void anotherRun() throws Exception {
        // Nothing of the first run has come, or no item.
        try (Stream<Long> numbers = call(items(ONE, "0"), items(OTHER, "0", 7), end(OTHER, "1"))) {
            assertEquals(List.of(7L), numbers.toList());
        }
        // Nothing is sent after what ends a call: the broker would make the deleted queue again.
        ends(ErrorCode.UNAVAILABLE, List.of(1L), items(ONE, "0", 1), items(OTHER, "0", 7));
        ends(ErrorCode.UNAVAILABLE, List.of(1L), items(ONE, "0", 1), end(OTHER, "0"));
        // A refusal is a run of its own.
        ends(ErrorCode.UNKNOWN_METHOD, List.of(), unknown());
        ends(ErrorCode.UNKNOWN_METHOD, List.of(), items(ONE, "0"), unknown());
        ends(ErrorCode.UNAVAILABLE, List.of(1L), items(ONE, "0", 1), unknown());
    }

    /** Its host may not know whether the broker has taken the last items. */
    @Test
    void anErrorEndsTheCallWhateverItsNumberIs() throws Exception {
        for (String item : new String[] {"0", "1", "2"}) {
            Sent error = new Sent("error", ONE, item, new byte[] {(byte) ErrorCode.PERMISSION_DENIED.number(), 2, 'n', 'o', 0});
            ends(ErrorCode.PERMISSION_DENIED, List.of(1L), items(ONE, "0", 1), error);
            ends(ErrorCode.PERMISSION_DENIED, List.of(), error);
        }
    }

    @Test
    void whatIsMalformed() throws Exception {
        List<Long> one = List.of(1L);
        ends(ErrorCode.MALFORMED, List.of(), items(ONE, "1", 1));
        ends(ErrorCode.MALFORMED, one, items(ONE, "0", 1), items(ONE, "0", 1));
        ends(ErrorCode.MALFORMED, one, items(ONE, "0", 1), items(ONE, "2", 1));
        ends(ErrorCode.MALFORMED, one, items(ONE, "0", 1), end(ONE, "0"));
        for (String item : new String[] {null, "", "-1", "1x", "9999999999999999999", "00000000000000000001", "\u0661"}) {
            ends(ErrorCode.MALFORMED, one, items(ONE, "0", 1), items(ONE, item, 1));
        }
        for (String run : new String[] {null, "", "aa", ONE + "0", "00000000000000\u0661a", "00000000000000-a"}) {
            ends(ErrorCode.MALFORMED, one, items(ONE, "0", 1), items(run, "1", 1));
        }
        ends(ErrorCode.MALFORMED, one, items(ONE, "0", 1), items(null, null, 1));
        ends(ErrorCode.MALFORMED, one, items(ONE, "0", 1), end(null, null));
        // A count without items, an item that is cut, a byte too many, no count.
        for (byte[] body : new byte[][] {{9}, {1, 0, 0, 0}, {0, 0}, {}, {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x7f}}) {
            ends(ErrorCode.MALFORMED, one, items(ONE, "0", 1), new Sent("items", ONE, "1", body));
        }
        Stream<Long> numbers = call();
        send(items(ONE, "0", 1), "gzip");
        assertEquals(ErrorCode.MALFORMED, assertThrows(CreoException.class, numbers::toList).code());
    }

    @Test
    void messagesOfAnotherCall() throws Exception {
        Stream<Long> numbers = call();
        Message own = request;
        request = session.createMessage();
        request.setJMSCorrelationID("another");
        request.setJMSReplyTo(own.getJMSReplyTo());
        send(items(ONE, "0", 9), null);
        request = own;
        send(items(ONE, "0", 1), null);
        send(end(ONE, "1"), null);
        assertEquals(List.of(1L), numbers.toList());
    }
}
