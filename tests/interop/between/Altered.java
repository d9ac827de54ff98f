import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/** Requests that break the rules of SOAP over JMS, of stacks that would not make them: what such a stack sends by {@link #factory} is changed on its way out. */
final class Altered {
    /** Changes a message that is about to be sent, or gives another instead. */
    interface Change {
        Message change(Session session, Message message) throws JMSException;
    }

    /** What is done to every message, or null: nothing. */
    final AtomicReference<Change> change = new AtomicReference<>();

    /** Sends by another factory. */
    ConnectionFactory factory(ConnectionFactory plain) {
        return around(ConnectionFactory.class, plain, null);
    }

    /** Says something else for a property; with null, nothing. */
    static Change property(String name, String value) {
        return (session, message) -> {
            Map<String, Object> kept = properties(message);
            kept.remove(name);
            message.clearProperties();
            set(message, kept);
            if (value != null) {
                message.setStringProperty(name, value);
            }
            return message;
        };
    }

    /** A message of a form that is none of the binding's, with all that is beside the body. */
    static Message map(Session session, Message message) throws JMSException {
        Message other = session.createMapMessage();
        set(other, properties(message));
        other.setJMSReplyTo(message.getJMSReplyTo());
        other.setJMSCorrelationID(message.getJMSCorrelationID());
        return other;
    }

    private static Map<String, Object> properties(Message message) throws JMSException {
        Map<String, Object> properties = new LinkedHashMap<>();
        for (Object name : Collections.list(message.getPropertyNames())) {
            properties.put((String) name, message.getObjectProperty((String) name));
        }
        return properties;
    }

    private static void set(Message message, Map<String, Object> properties) throws JMSException {
        for (Map.Entry<String, Object> each : properties.entrySet()) {
            // Those of the provider are its own.
            if (!each.getKey().startsWith("JMS")) {
                message.setObjectProperty(each.getKey(), each.getValue());
            }
        }
    }

    private <T> T around(Class<T> type, T inner, Session session) {
        return type.cast(Proxy.newProxyInstance(Altered.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
            try {
                Change wanted = change.get();
                if (method.getName().equals("send") && wanted != null) {
                    for (int i = 0; i < arguments.length; i++) {
                        arguments[i] = arguments[i] instanceof Message message ? wanted.change(session, message) : arguments[i];
                    }
                }
                Object made = method.invoke(inner, arguments);
                if (made instanceof Connection connection) {
                    return around(Connection.class, connection, null);
                } else if (made instanceof Session its) {
                    return around(Session.class, its, its);
                } else if (made instanceof MessageProducer producer) {
                    return around(MessageProducer.class, producer, session);
                }
                return made;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }
}
