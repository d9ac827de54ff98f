package creo.jms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Wire;
import jakarta.jms.BytesMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.nio.charset.StandardCharsets;
import org.example.notes.Full;
import org.example.notes.NotesClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A host's answers to handwritten messages (JMS-3 to JMS-9), and a client's reaction to such answers. */
class FaultsTest {
    private Rig rig;
    private Raw raw;

    @BeforeEach
    void start() throws JMSException {
        rig = new Rig();
        rig.keep(rig.hosting().sessions(1).start());
        raw = new Raw(rig.connection());
    }

    @AfterEach
    void end() {
        rig.close();
    }

    private BytesMessage sound() throws JMSException {
        return raw.bytes(Raw.envelope(Raw.say("x")));
    }

    private static void checkFault(Message answer, String name) throws JMSException {
        String body = Raw.body(answer);
        assertTrue(answer.getBooleanProperty("SOAPJMS_isFault"), body);
        assertEquals("1.0", answer.getStringProperty("SOAPJMS_bindingVersion"));
        // CXF refuses an answer that has none, or one with a service in it, and so never sees the fault.
        assertEquals(Rig.ADDRESS, answer.getStringProperty("SOAPJMS_requestURI"));
        assertTrue(body.contains("<faultcode xmlns:f=\"http://www.w3.org/2010/soapjms/\">f:" + name + "</faultcode>"), body);
        assertTrue(body.contains("code=\"protocol-mismatch\"") && body.contains("<e:detail key=\"fault-code\">" + name + "</e:detail>"), body);
    }

    private void checkRefused(Message request, String name) throws JMSException {
        checkFault(raw.ask(request), name);
        assertTrue(rig.service.seen.isEmpty());
        Message answer = raw.ask(sound());
        assertFalse(answer.propertyExists("SOAPJMS_isFault"));
        assertEquals("x", rig.service.seen.remove().text());
    }

    @Test
    void aSoundRequest() throws JMSException {
        BytesMessage request = sound();
        request.setJMSCorrelationID("mine");
        Message answer = raw.ask(request);
        assertEquals("mine", answer.getJMSCorrelationID());
        assertEquals("text/xml; charset=utf-8", answer.getStringProperty("SOAPJMS_contentType"));
        assertEquals(Rig.ADDRESS, answer.getStringProperty("SOAPJMS_requestURI"));
        assertTrue(Raw.body(answer).contains("result>x!</"), Raw.body(answer));
        assertEquals("mine", rig.service.seen.remove().id());
    }

    @Test
    void withoutACorrelationIdTheMessageIdIsIt() throws JMSException {
        BytesMessage request = sound();
        Message answer = raw.ask(request);
        assertEquals(request.getJMSMessageID(), answer.getJMSCorrelationID());
        assertEquals(request.getJMSMessageID(), rig.service.seen.remove().id());
    }

    @Test
    void aTextMessage() throws JMSException {
        Message answer = raw.ask(raw.text(Raw.envelope(Raw.say("\u00fc"))));
        assertTrue(answer instanceof BytesMessage && Raw.body(answer).contains("result>\u00fc!</"));
    }

    @Test
    void anAnswerHasTheDeliveryOfItsRequest() throws JMSException {
        raw.send(sound(), DeliveryMode.NON_PERSISTENT, 7, Rig.PATIENCE * 1_000);
        Message answer = raw.receive();
        assertEquals(DeliveryMode.NON_PERSISTENT, answer.getJMSDeliveryMode());
        assertEquals(7, answer.getJMSPriority());
        assertTrue(answer.getJMSExpiration() > 0);
        raw.send(sound(), DeliveryMode.PERSISTENT, 2, 0);
        answer = raw.receive();
        assertEquals(DeliveryMode.PERSISTENT, answer.getJMSDeliveryMode());
        assertEquals(0, answer.getJMSExpiration());
    }

    @Test
    void missingProperties() throws JMSException {
        checkRefused(Raw.without(sound(), "SOAPJMS_requestURI"), "missingRequestURI");
        checkRefused(Raw.without(sound(), "SOAPJMS_contentType"), "missingContentType");
        assertFalse(raw.ask(Raw.without(sound(), "SOAPJMS_bindingVersion")).propertyExists("SOAPJMS_isFault"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "SOAPJMS_bindingVersion | 2.0 | unrecognizedBindingVersion",
        "SOAPJMS_requestURI | http://x | malformedRequestURI",
        "SOAPJMS_requestURI | jms:queue: | malformedRequestURI",
        "SOAPJMS_requestURI | jms:queue:a%zz | malformedRequestURI",
        "SOAPJMS_requestURI | jms:queue:a?targetService=b | targetServiceNotAllowedInRequestURI",
        "SOAPJMS_contentEncoding | deflate | contentEncodingNotSupported",
        "SOAPJMS_contentType | text/plain | contentTypeMismatch",
        "SOAPJMS_contentType | text/xml; charset=utf-16 | contentTypeMismatch",
        "SOAPJMS_contentType | text/xml; charset=koi8-r | contentTypeMismatch",
        "SOAPJMS_soapAction | urn:other | mismatchedSoapAction",
        "SOAPJMS_soapAction | '\"urn:other\"' | mismatchedSoapAction"})
    void wrongProperties(String property, String value, String fault) throws JMSException {
        BytesMessage request = sound();
        request.setStringProperty(property, value);
        checkRefused(request, fault);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jms:queue:other?timeToLive=5", "jms:jndi:some/name", "jms:topic:x", "JMS:queue:a%20b"})
    void otherAddressesOfAPeer(String uri) throws JMSException {
        BytesMessage request = sound();
        request.setStringProperty("SOAPJMS_requestURI", uri);
        Message answer = raw.ask(request);
        assertFalse(answer.propertyExists("SOAPJMS_isFault"));
        assertEquals(uri, answer.getStringProperty("SOAPJMS_requestURI"));
    }

    @Test
    void theDeclarationsCharsetIsAnother() throws JMSException {
        checkRefused(raw.bytes("<?xml version=\"1.0\" encoding=\"iso-8859-1\"?>" + Raw.envelope(Raw.say("x"))), "contentTypeMismatch");
        assertFalse(raw.ask(raw.bytes("<?xml version=\"1.0\" encoding=\"UTF-8\"?>" + Raw.envelope(Raw.say("x")))).propertyExists("SOAPJMS_isFault"));
    }

    @Test
    void theEnvelopesVersionIsAnother() throws JMSException {
        Message answer = raw.ask(raw.bytes(Raw.envelope12(Raw.say("x"))));
        checkFault(answer, "contentTypeMismatch");
        assertTrue(rig.service.seen.isEmpty());
    }

    private BytesMessage soap12(String type, String action) throws JMSException {
        BytesMessage request = raw.bytes(Raw.envelope12(Raw.say("x")));
        request.setStringProperty("SOAPJMS_contentType", type);
        if (action != null) {
            request.setStringProperty("SOAPJMS_soapAction", action);
        }
        return request;
    }

    @Test
    void soap12NeedsTheActionThatItsMediaTypeHas() throws JMSException {
        String type = "application/soap+xml; charset=utf-8; action=\"" + Raw.SAY + "\"";
        assertFalse(raw.ask(soap12(type, Raw.SAY)).propertyExists("SOAPJMS_isFault"));
        assertFalse(raw.ask(soap12("application/soap+xml", null)).propertyExists("SOAPJMS_isFault"));
        assertEquals("x", rig.service.seen.remove().text());
        assertEquals("x", rig.service.seen.remove().text());
        for (String[] each : new String[][] {{type, null, "missingSoapAction"}, {type, "urn:other", "mismatchedSoapAction"}}) {
            Message answer = raw.ask(soap12(each[0], each[1]));
            String body = Raw.body(answer);
            assertTrue(answer.getStringProperty("SOAPJMS_contentType").startsWith("application/soap+xml"));
            assertTrue(body.contains("<soap:Value>soap:Sender</soap:Value><soap:Subcode><soap:Value xmlns:f=\"http://www.w3.org/2010/soapjms/\">f:" + each[2] + "</soap:Value></soap:Subcode>"), body);
        }
        assertTrue(rig.service.seen.isEmpty());
    }

    @Test
    void anObjectMessageIsRefusedUnread() throws JMSException {
        checkRefused(raw.properties(raw.session.createObjectMessage("x")), "unsupportedJMSMessageFormat");
        checkRefused(raw.properties(raw.session.createMapMessage()), "unsupportedJMSMessageFormat");
        checkRefused(raw.properties(raw.session.createMessage()), "unsupportedJMSMessageFormat");
    }

    @Test
    void malformedBodies() throws JMSException {
        for (String body : new String[] {"", "<", "nothing", Raw.envelope(""), Raw.envelope("<other xmlns=\"" + Raw.NAMESPACE + "\"/>")}) {
            Message answer = raw.ask(raw.bytes(body));
            assertTrue(answer.getBooleanProperty("SOAPJMS_isFault"), body);
            assertTrue(Raw.body(answer).contains("<faultcode>soap:Client</faultcode>"), Raw.body(answer));
        }
        BytesMessage broken = sound();
        broken.setStringProperty("SOAPJMS_contentEncoding", "gzip");
        assertTrue(Raw.body(raw.ask(broken)).contains("code=\"malformed\""));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"Creo_timeout | x", "Creo_timeout | 1234567890", "Creo_timeout | -1", "Creo_meta_a_b | x", "Creo_meta_A | x", "Creo_meta_a | %zz",
        "Creo_method | 12"})
    void malformedProperties(String property, String value) throws JMSException {
        BytesMessage request = sound();
        request.setStringProperty(property, value);
        assertTrue(Raw.body(raw.ask(request)).contains("code=\"malformed\""));
        assertTrue(rig.service.seen.isEmpty());
    }

    @Test
    void tooMuchBesideTheBody() throws JMSException {
        BytesMessage request = sound();
        request.setStringProperty("Creo_meta_a", "x".repeat(70_000));
        assertTrue(Raw.body(raw.ask(request)).contains("code=\"too-large\""));
    }

    @Test
    void withoutSoapTheyAreErrors() throws JMSException {
        for (String type : new String[] {"application/vnd.creo.binary", "application/vnd.creo.tdxml"}) {
            BytesMessage request = raw.bytes("x");
            request.setStringProperty("SOAPJMS_contentType", type);
            request.setStringProperty("SOAPJMS_bindingVersion", "3");
            request.setStringProperty("Creo_method", "34c17d3bc7a46473");
            Message answer = raw.ask(request);
            assertEquals("error", answer.getStringProperty("Creo_kind"));
            assertEquals("application/vnd.creo.binary", answer.getStringProperty("SOAPJMS_contentType"));
            String body = new String(answer.getBody(byte[].class), StandardCharsets.ISO_8859_1);
            assertTrue(body.contains("fault-code") && body.contains("unrecognizedBindingVersion"), body);
            request.clearProperties();
            raw.properties(request);
            request.setStringProperty("SOAPJMS_contentType", type);
            answer = raw.ask(request);
            assertEquals("error", answer.getStringProperty("Creo_kind"));
            request.setStringProperty("Creo_method", "0000000000000001");
            body = new String(raw.ask(request).getBody(byte[].class), StandardCharsets.ISO_8859_1);
            assertTrue(body.contains("org.example.notes.Notes"), body);
        }
        assertTrue(rig.service.seen.isEmpty());
    }

    /** A service by hand, which answers by the given bodies, one after the other. */
    private void answering(String queue, Raw.Change... answers) throws JMSException {
        Session session = rig.connection().createSession(false, Session.AUTO_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
        MessageProducer producer = session.createProducer(null);
        int[] next = new int[1];
        consumer.setMessageListener(request -> {
            try {
                BytesMessage answer = session.createBytesMessage();
                answer.setStringProperty("SOAPJMS_contentType", "text/xml");
                answer.setJMSCorrelationID(request.getJMSCorrelationID());
                answers[next[0]++].change(answer);
                producer.send(request.getJMSReplyTo(), answer);
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
        });
    }

    private static Raw.Change body(String text) {
        return message -> ((BytesMessage) message).writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void foreignFaultsAndAnswers() throws JMSException {
        String fault11 = "<s:Fault><faultcode xmlns:j=\"http://www.w3.org/2010/soapjms/\">j:contentTypeMismatch</faultcode><faultstring>no</faultstring></s:Fault>";
        String fault12 = "<s:Fault><s:Code><s:Value>s:Sender</s:Value><s:Subcode><s:Value xmlns:j=\"http://www.w3.org/2010/soapjms/\">j:missingSoapAction</s:Value></s:Subcode></s:Code>"
            + "<s:Reason><s:Text xml:lang=\"en\">no</s:Text></s:Reason></s:Fault>";
        answering("foreign", body(Raw.envelope(fault11)), message -> {
            message.setStringProperty("SOAPJMS_contentType", "application/soap+xml");
            message.setStringProperty("SOAPJMS_isFault", "1");
            body(Raw.envelope12(fault12)).change(message);
        }, message -> message.setStringProperty("SOAPJMS_contentType", "text/plain"),
            message -> message.setStringProperty("SOAPJMS_contentEncoding", "br"), body("<"),
            body(Raw.envelope("<sayResponse xmlns=\"" + Raw.NAMESPACE + "\"><result>fine</result></sayResponse>")),
            body(Raw.envelope("<s:Fault><faultcode>s:Server</faultcode><faultstring>Full</faultstring><detail><Full xmlns=\"" + Raw.NAMESPACE + "\"><most>3</most></Full></detail></s:Fault>")));
        NotesClient client = new NotesClient(rig.keep(JmsChannel.of(rig.way(), "jms:queue:foreign", Wire.SOAP, Rig.OPTIONS)));
        for (ErrorCode code : new ErrorCode[] {ErrorCode.PROTOCOL_MISMATCH, ErrorCode.PROTOCOL_MISMATCH, ErrorCode.PROTOCOL_MISMATCH, ErrorCode.PROTOCOL_MISMATCH, ErrorCode.MALFORMED}) {
            CreoException e = assertThrows(CreoException.class, () -> client.say("x"));
            assertEquals(code, e.code(), e.getMessage());
        }
        assertEquals("fine", assertDoesSay(client));
        assertEquals(3, assertThrows(Full.class, () -> client.say("x")).most());
    }

    private static String assertDoesSay(NotesClient client) {
        try {
            return client.say("x");
        } catch (Full e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aRefusalOfAHostIsAMismatchForItsClients() {
        for (Wire wire : Wire.values()) {
            // The message is changed on its way.
            CreoException e = assertThrows(CreoException.class, () -> {
                Session session = rig.connection().createSession(false, Session.AUTO_ACKNOWLEDGE);
                MessageProducer producer = session.createProducer(session.createQueue(Rig.QUEUE));
                MessageConsumer between = session.createConsumer(session.createQueue("between-" + wire));
                between.setMessageListener(request -> {
                    try {
                        BytesMessage changed = session.createBytesMessage();
                        changed.writeBytes(request.getBody(byte[].class));
                        for (String name : new String[] {"SOAPJMS_requestURI", "SOAPJMS_contentType", "Creo_method"}) {
                            if (request.propertyExists(name)) {
                                changed.setStringProperty(name, request.getStringProperty(name));
                            }
                        }
                        changed.setStringProperty("SOAPJMS_bindingVersion", "9");
                        changed.setJMSReplyTo(request.getJMSReplyTo());
                        changed.setJMSCorrelationID(request.getJMSCorrelationID());
                        producer.send(changed);
                    } catch (JMSException failure) {
                        throw new AssertionError(failure);
                    }
                });
                new NotesClient(rig.keep(JmsChannel.of(rig.way(), "jms:queue:between-" + wire, wire, Rig.OPTIONS))).say("x");
            });
            assertEquals(ErrorCode.PROTOCOL_MISMATCH, e.code(), e.getMessage());
            assertEquals("unrecognizedBindingVersion", e.details().get("fault-code"));
        }
    }

    @Test
    void aOnewayRequestIsNotAnswered() throws Exception {
        raw.send(raw.bytes(Raw.envelope("<note xmlns=\"" + Raw.NAMESPACE + "\"><text>once</text></note>")));
        assertEquals("once", rig.service.next().text());
        // What comes next is the answer to the next.
        assertTrue(Raw.body(raw.ask(sound())).contains("x!"));
        assertNull(raw.receiveOrNull(100));
    }
}
