package creo.jms;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import creo.jms.broker.EmbeddedBroker;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TextMessage;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;

/** A client by hand: it sends any message to the rig's queue, and waits for what comes back. */
final class Raw {
    static final String NAMESPACE = "urn:creo:org.example.notes";
    static final String SAY = NAMESPACE + ":Notes/say";

    final Session session;
    final TemporaryQueue replyTo;
    private final MessageProducer producer;
    private final MessageConsumer consumer;

    Raw(Connection connection) throws JMSException {
        session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        replyTo = session.createTemporaryQueue();
        producer = session.createProducer(session.createQueue(Rig.QUEUE));
        consumer = session.createConsumer(replyTo);
    }

    /** Changes a message. */
    interface Change {
        void change(Message message) throws JMSException;
    }

    static String envelope(String body) {
        return "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>" + body + "</s:Body></s:Envelope>";
    }

    static String envelope12(String body) {
        return "<s:Envelope xmlns:s=\"http://www.w3.org/2003/05/soap-envelope\"><s:Body>" + body + "</s:Body></s:Envelope>";
    }

    static String say(String text) {
        return "<say xmlns=\"" + NAMESPACE + "\"><text>" + text + "</text></say>";
    }

    BytesMessage bytes(String text) throws JMSException {
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(text.getBytes(StandardCharsets.UTF_8));
        return properties(message);
    }

    TextMessage text(String text) throws JMSException {
        return properties(session.createTextMessage(text));
    }

    /** The properties of a SOAP 1.1 request. */
    <M extends Message> M properties(M message) throws JMSException {
        message.setStringProperty("SOAPJMS_requestURI", Rig.ADDRESS);
        message.setStringProperty("SOAPJMS_bindingVersion", "1.0");
        message.setStringProperty("SOAPJMS_contentType", "text/xml; charset=utf-8");
        message.setJMSReplyTo(replyTo);
        return message;
    }

    /** The same message without one property. */
    static <M extends Message> M without(M message, String property) throws JMSException {
        Map<String, Object> kept = new LinkedHashMap<>();
        for (Enumeration<?> names = message.getPropertyNames(); names.hasMoreElements();) {
            String name = (String) names.nextElement();
            if (!name.equals(property) && !name.startsWith("JMSX")) {
                kept.put(name, message.getObjectProperty(name));
            }
        }
        message.clearProperties();
        for (Map.Entry<String, Object> each : kept.entrySet()) {
            message.setObjectProperty(each.getKey(), each.getValue());
        }
        return message;
    }

    void send(Message message) throws JMSException {
        producer.send(message);
    }

    void send(Message message, int deliveryMode, int priority, long timeToLive) throws JMSException {
        producer.send(message, deliveryMode, priority, timeToLive);
    }

    /** What came back. */
    Message receive() throws JMSException {
        Message answer = consumer.receive(Rig.PATIENCE * 1_000);
        assertNotNull(answer, "no answer came");
        return answer;
    }

    Message receiveOrNull(long milliseconds) throws JMSException {
        return consumer.receive(milliseconds);
    }

    Message ask(Message message) throws JMSException {
        send(message);
        return receive();
    }

    static String body(Message message) throws JMSException {
        return new String(message.getBody(byte[].class), StandardCharsets.UTF_8);
    }

    /** The queues beside those that a rig names. */
    static List<Queue> replyQueues(EmbeddedBroker broker) throws ReflectiveOperationException {
        Field inner = EmbeddedBroker.class.getDeclaredField("broker");
        inner.setAccessible(true);
        ActiveMQServer server = ((EmbeddedActiveMQ) inner.get(broker)).getActiveMQServer();
        return server.getPostOffice().getAllBindings().map(binding -> binding.getUniqueName().toString())
            .filter(name -> !name.equals(Rig.QUEUE) && !name.equals(EmbeddedBroker.DEAD_LETTERS) && !name.startsWith("activemq.") && !name.startsWith("$"))
            .map(name -> server.locateQueue(SimpleString.of(name))).filter(Objects::nonNull).toList();
    }
}
