import creo.jms.broker.EmbeddedBroker;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.QueueBrowser;
import java.util.Collections;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/** What is left at the broker: {@code Audit PORT} prints {@code dead NUMBER} for each dead letter, {@code left NUMBER} for each request in the queue, and {@code done}. */
public final class Audit {
    private Audit() {}

    public static void main(String[] arguments) throws JMSException {
        try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory("tcp://127.0.0.1:" + arguments[0]); JMSContext context = factory.createContext()) {
            tell(context, "ledger", "left");
            tell(context, EmbeddedBroker.DEAD_LETTERS, "dead");
        }
        System.out.println("done");
    }

    private static void tell(JMSContext context, String queue, String word) throws JMSException {
        try (QueueBrowser browser = context.createBrowser(context.createQueue(queue))) {
            for (Object message : Collections.list(browser.getEnumeration())) {
                System.out.println(word + " " + ((Message) message).getStringProperty("Creo_meta_number"));
            }
        }
    }
}
