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
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.jms.ActiveMQJMSClient;
import org.apache.activemq.artemis.api.jms.JMSFactoryType;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyConnectorFactory;
import org.apache.activemq.artemis.core.remoting.impl.netty.TransportConstants;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.activemq.artemis.jms.client.ActiveMQDestination;
import org.apache.activemq.artemis.jms.client.ActiveMQSession;
import org.apache.activemq.artemis.jms.client.JMSExceptionHelper;

/** The part specific to Artemis. Only this class uses its client, which is thus not needed with another provider's broker. */
final class ArtemisFactory {
    private static final System.Logger LOG = System.getLogger("creo.jms");
    /** In milliseconds, like the next one. */
    private static final long WHILE = 60_000;
    /** A broker that stores much at once may take this long. */
    private static final int LEAST_PATIENCE = 5_000;

    /** The bytes that a consumer prefetches whose messages are all wanted. */
    static final int MUCH = ActiveMQClient.DEFAULT_CONSUMER_WINDOW_SIZE;

    private ArtemisFactory() {}

    /**
     * Makes a connection factory for one address.
     *
     * @param limit the max time for connecting
     * @param window the bytes of messages that each consumer may prefetch
     */
    static ConnectionFactory of(JmsBroker.Place place, JmsBroker.Tls tls, Duration limit, int window) {
        int patience = (int) Math.max(1, Math.min(limit.toMillis(), Integer.MAX_VALUE));
        ActiveMQConnectionFactory factory = ActiveMQJMSClient.createConnectionFactoryWithoutHA(JMSFactoryType.CF,
            new TransportConfiguration(NettyConnectorFactory.class.getName(), parameters(place, tls, patience)));
        // A lost connection is reported at once: the caller or host reconnects and knows what was in progress.
        factory.setReconnectAttempts(0);
        factory.setInitialConnectAttempts(1);
        // Artemis waits for this time before it reports a refused connection. Callers go on to another address, or wait themselves.
        factory.setRetryInterval(1);
        // A server that answers, but not like a broker, is given up after this.
        factory.setCallTimeout(Math.max(patience, LEAST_PATIENCE));
        factory.setConsumerWindowSize(window);
        // Messages cannot instantiate classes of this program.
        factory.setDeserializationAllowList("none");
        return factory;
    }

    /**
     * Prevents a reply queue from staying forever after its caller has gone and the queue was deleted: the first answer would recreate it. The queue
     * may also belong to another broker of a cluster, of which this one does not know yet, so the answer is kept for a while.
     */
    static void keepForAWhile(Session session, Destination queue) throws JMSException {
        if (!(session instanceof ActiveMQSession artemis) || !(queue instanceof ActiveMQDestination named) || !named.isQueue()) {
            return;
        }
        SimpleString name = named.getSimpleAddress();
        try {
            // Not by the queue's name: a queue of another broker of the cluster is known here only by its address.
            if (artemis.getCoreSession().addressQuery(name).getQueueNames().isEmpty()) {
                artemis.getCoreSession().createQueue(QueueConfiguration.of(name).setAddress(name).setRoutingType(RoutingType.ANYCAST).setDurable(false)
                    .setAutoCreated(true).setAutoDelete(true).setAutoDeleteDelay(WHILE).setAutoDeleteMessageCount(-1L));
                // The time begins when a consumer has gone; a queue that never had one is kept.
                artemis.getCoreSession().createConsumer(name).close();
            }
        } catch (ActiveMQException e) {
            // Another thread was faster, or creating queues is not permitted: sending shows the result.
            LOG.log(System.Logger.Level.DEBUG, "no queue {0} for an answer: {1}", LogText.of(name.toString()), LogText.of(e.getMessage()));
        }
    }

    /**
     * What a broker has of a reply queue.
     *
     * @param messages how many it has; 0 if that is not known: the queue is elsewhere in a cluster, or the broker is not Artemis
     * @param automatic whether a message to it has made it, which was sent when it did not exist
     */
    record Found(long messages, boolean automatic) {}

    /** Looks for a reply queue; null if it does not exist. */
    static Found find(Session session, Destination queue) throws JMSException {
        if (!(session instanceof ActiveMQSession artemis) || !(queue instanceof ActiveMQDestination named) || !named.isQueue()) {
            return new Found(0, false);
        }
        SimpleString name = named.getSimpleAddress();
        try {
            ClientSession.QueueQuery found = artemis.getCoreSession().queueQuery(name);
            if (!found.isExists()) {
                return artemis.getCoreSession().addressQuery(name).getQueueNames().isEmpty() ? null : new Found(0, false);
            }
            // It need not be looked for again before each message.
            named.setCreated(true);
            return new Found(found.getMessageCount(), found.isAutoCreated());
        } catch (ActiveMQException e) {
            throw JMSExceptionHelper.convertFromActiveMQException(e);
        }
    }

    /** Deletes a queue that a message has made again after its client has deleted it: it would stay, with whatever is sent there. */
    static void delete(Session session, Destination queue) {
        try {
            ((ActiveMQSession) session).getCoreSession().deleteQueue(((ActiveMQDestination) queue).getSimpleAddress());
        } catch (ActiveMQException e) {
            // Another thread was faster, or it is not permitted.
            LOG.log(System.Logger.Level.DEBUG, "the queue {0} of a client that has gone stays: {1}", LogText.of(queue.toString()), LogText.of(e.getMessage()));
        }
    }

    private static Map<String, Object> parameters(JmsBroker.Place place, JmsBroker.Tls tls, int patience) {
        Map<String, Object> parameters = new HashMap<>();
        parameters.put(TransportConstants.HOST_PROP_NAME, place.host());
        parameters.put(TransportConstants.PORT_PROP_NAME, place.port());
        parameters.put(TransportConstants.NETTY_CONNECT_TIMEOUT, patience);
        // Artemis chooses the kind of sockets, and thereby its threads, which all its clients in a program share: they do not keep the program alive.
        // Its own threads would: Artemis does not end those of a lost connection.
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
