package creo.jms;

import creo.runtime.codegen.LogText;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.api.jms.ActiveMQJMSClient;
import org.apache.activemq.artemis.api.jms.JMSFactoryType;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyConnectorFactory;
import org.apache.activemq.artemis.core.remoting.impl.netty.TransportConstants;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.activemq.artemis.jms.client.ActiveMQDestination;
import org.apache.activemq.artemis.jms.client.ActiveMQSession;

/** What is said to Artemis alone. Only this class knows its client, so that it need not be there for another provider's broker. */
final class ArtemisFactory {
    private static final System.Logger LOG = System.getLogger("creo.jms");
    /** Milliseconds, as the next. */
    private static final long WHILE = 60_000;
    /** A broker that stores much at once may take as long. */
    private static final int LEAST_PATIENCE = 5_000;

    private ArtemisFactory() {}

    /**
     * What connects to one place.
     *
     * @param limit how long connecting may take
     * @param ahead whether messages may come before they are asked for
     */
    static ConnectionFactory of(JmsBroker.Place place, JmsBroker.Tls tls, Duration limit, boolean ahead) {
        int patience = (int) Math.max(1, Math.min(limit.toMillis(), Integer.MAX_VALUE));
        ActiveMQConnectionFactory factory = ActiveMQJMSClient.createConnectionFactoryWithoutHA(JMSFactoryType.CF,
            new TransportConfiguration(NettyConnectorFactory.class.getName(), parameters(place, tls, patience)));
        // A lost connection is told at once: who calls or serves connects again, and knows what was under way.
        factory.setReconnectAttempts(0);
        factory.setInitialConnectAttempts(1);
        // What answers, but not as a broker, is given up after that.
        factory.setCallTimeout(Math.max(patience, LEAST_PATIENCE));
        if (!ahead) {
            factory.setConsumerWindowSize(0);
        }
        // No class of this program is made by a message.
        factory.setDeserializationAllowList("none");
        return factory;
    }

    /**
     * Sees to it that a reply queue that is not there any more, since its caller is gone, does not stay for ever: the first answer would
     * make it anew. It may also be that of another broker of a cluster, of which this one has not heard yet; so the answer is kept for a while.
     */
    static void keepForAWhile(Session session, Destination queue) throws JMSException {
        if (!(session instanceof ActiveMQSession artemis) || !(queue instanceof ActiveMQDestination named) || !named.isQueue()) {
            return;
        }
        SimpleString name = named.getSimpleAddress();
        try {
            // Not by the queue's name: that of another broker of a cluster is known here by its address alone.
            if (artemis.getCoreSession().addressQuery(name).getQueueNames().isEmpty()) {
                artemis.getCoreSession().createQueue(QueueConfiguration.of(name).setAddress(name).setRoutingType(RoutingType.ANYCAST).setDurable(false)
                    .setAutoCreated(true).setAutoDelete(true).setAutoDeleteDelay(WHILE).setAutoDeleteMessageCount(-1L));
                // The while begins when a consumer has gone; a queue that never had one is kept.
                artemis.getCoreSession().createConsumer(name).close();
            }
        } catch (ActiveMQException e) {
            // Somebody else was quicker, or nobody may make queues here: sending shows what comes of that.
            LOG.log(System.Logger.Level.DEBUG, "no queue {0} for an answer: {1}", LogText.of(name.toString()), LogText.of(e.getMessage()));
        }
    }

    private static Map<String, Object> parameters(JmsBroker.Place place, JmsBroker.Tls tls, int patience) {
        Map<String, Object> parameters = new HashMap<>();
        parameters.put(TransportConstants.HOST_PROP_NAME, place.host());
        parameters.put(TransportConstants.PORT_PROP_NAME, place.port());
        parameters.put(TransportConstants.NETTY_CONNECT_TIMEOUT, patience);
        // The kind of sockets is left to Artemis, and with it the threads, which all its clients in a program share: they keep no program alive. Threads of
        // its own would: Artemis does not end those of a connection that was lost.
        if (tls != null) {
            parameters.put(TransportConstants.SSL_ENABLED_PROP_NAME, true);
            parameters.put(TransportConstants.VERIFY_HOST_PROP_NAME, true);
            parameters.put(TransportConstants.ENABLED_PROTOCOLS_PROP_NAME, "TLSv1.3,TLSv1.2");
            if (tls.trusted() != null) {
                parameters.put(TransportConstants.TRUSTSTORE_TYPE_PROP_NAME, "PKCS12");
                parameters.put(TransportConstants.TRUSTSTORE_PATH_PROP_NAME, tls.trusted().toString());
                parameters.put(TransportConstants.TRUSTSTORE_PASSWORD_PROP_NAME, tls.trustedPassword());
            }
            if (tls.keys() != null) {
                parameters.put(TransportConstants.KEYSTORE_TYPE_PROP_NAME, "PKCS12");
                parameters.put(TransportConstants.KEYSTORE_PATH_PROP_NAME, tls.keys().toString());
                parameters.put(TransportConstants.KEYSTORE_PASSWORD_PROP_NAME, tls.keysPassword());
            }
        }
        return parameters;
    }
}
