package creo.jms;

import creo.runtime.Limits;
import creo.runtime.Wire;
import creo.runtime.codegen.LogText;
import creo.runtime.spi.MessageAnswer;
import creo.runtime.spi.MessageHook;
import creo.runtime.spi.MessageRequest;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A client's connection to a broker, with the queue for its answers. Calls send through a few sessions; answers come on one thread and find their
 * call by the correlation id.
 */
final class JmsLink {
    private static final System.Logger LOG = System.getLogger("creo.jms");
    private static final SecureRandom RANDOM = new SecureRandom();
    /** The number of sessions that can send at the same time. */
    private static final int SENDERS = 8;
    private static final int PREFIX = 16;

    private final JmsBroker broker;
    private final Connection connection;
    private final Wire wire;
    private final Limits limits;
    /** The prefix of this connection's correlation ids, which selects its answers from a shared queue. */
    private final String prefix = newId().substring(0, PREFIX);
    private final Map<String, Waiting> waiting = new ConcurrentHashMap<>();
    private final Semaphore senders = new Semaphore(SENDERS);
    private final ConcurrentLinkedQueue<Sender> idle = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Sender> idleOneway = new ConcurrentLinkedQueue<>();
    private Destination replyTo;
    private volatile String lost;

    private JmsLink(JmsBroker broker, Connection connection, Wire wire, Limits limits) {
        this.broker = broker;
        this.connection = connection;
        this.wire = wire;
        this.limits = limits;
    }

    /**
     * A call that waits for its answer.
     *
     * @param hook shows the answer; or null
     */
    record Waiting(CompletableFuture<MessageAnswer> answer, MessageHook hook) {}

    /** 32 hexadecimal digits of a random number (JMS-6). */
    static String newId() {
        byte[] random = new byte[16];
        RANDOM.nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    static JmsLink connect(JmsBroker.Connector connector, JmsBroker broker, JmsAddress address, Wire wire, Limits limits) throws JMSException {
        Connection connection = connector.connect();
        JmsLink link = new JmsLink(broker, connection, wire, limits);
        try {
            connection.setExceptionListener(e -> link.fail("the connection to " + broker + " was lost: " + JmsFailures.said(e)));
            link.listen(address);
            connection.start();
            return link;
        } catch (JMSException | RuntimeException e) {
            link.closeConnection();
            throw e;
        }
    }

    private void listen(JmsAddress address) throws JMSException {
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        MessageConsumer consumer;
        if (address.replyToName() == null) {
            replyTo = session.createTemporaryQueue();
            consumer = session.createConsumer(replyTo);
        } else {
            replyTo = session.createQueue(address.replyToName());
            consumer = session.createConsumer(replyTo, "JMSCorrelationID LIKE '" + prefix + "%'");
        }
        consumer.setMessageListener(this::take);
    }

    private void take(Message message) {
        try {
            String id = message.getJMSCorrelationID();
            Waiting call = id == null ? null : waiting.remove(id);
            if (call == null) {
                LOG.log(System.Logger.Level.DEBUG, "an answer without a waiting call");
                return;
            }
            take(message, call);
        } catch (JMSException e) {
            LOG.log(System.Logger.Level.WARNING, "an answer without correlation: {0}", LogText.of(e.getMessage()));
        }
    }

    /** Reads an answer immediately: the body of a large one is a stream, which ends when the listener returns. */
    private void take(Message message, Waiting call) {
        try {
            call.answer.complete(JmsMessages.readAnswer(message, wire, limits, call.hook));
        } catch (JMSException e) {
            call.answer.completeExceptionally(JmsFailures.using(broker, "reading an answer", e));
        } catch (RuntimeException | Error e) {
            call.answer.completeExceptionally(e);
        }
    }

    /** The correlation id of a call of this connection. */
    String correlation(String id) {
        return prefix + id.substring(PREFIX);
    }

    /** Registers a call for its answer; returns its correlation id. */
    String await(String id, Waiting call) {
        String correlation = correlation(id);
        waiting.put(correlation, call);
        String reason = lost;
        if (reason != null) {
            waiting.remove(correlation);
            throw JmsFailures.unavailable(reason);
        }
        return correlation;
    }

    void forget(String id) {
        waiting.remove(correlation(id));
    }

    boolean isBroken() {
        return lost != null;
    }

    /** A sending session, used by one thread at a time. */
    private record Sender(Session session, MessageProducer producer) {}

    void send(MessageRequest request, JmsAddress address, String correlation, long deadline, MessageHook hook) throws JMSException, InterruptedException {
        if (!senders.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
            throw JmsFailures.timeIsOver(broker, address);
        }
        ConcurrentLinkedQueue<Sender> spare = request.isOneway() ? idleOneway : idle;
        Sender sender = null;
        try {
            sender = spare.poll();
            sender = sender == null ? sender(address, request.isOneway()) : sender;
            send(sender, request, address, correlation, deadline, hook);
            spare.add(sender);
            sender = null;
        } finally {
            senders.release();
            if (sender != null) {
                close(sender);
            }
        }
    }

    /** The session for oneway calls is transacted: the commit confirms that the broker has the message (JMS-15), in any delivery mode. */
    private Sender sender(JmsAddress address, boolean oneway) throws JMSException {
        Session session = oneway ? connection.createSession(true, Session.SESSION_TRANSACTED) : connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        return new Sender(session, session.createProducer(address.isTopic() ? session.createTopic(address.name()) : session.createQueue(address.name())));
    }

    private void send(Sender sender, MessageRequest request, JmsAddress address, String correlation, long deadline, MessageHook hook) throws JMSException {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime() + 999_999);
        if (left <= 0) {
            throw JmsFailures.timeIsOver(broker, address);
        }
        Message message = JmsMessages.write(sender.session(), request, address, left);
        message.setJMSCorrelationID(correlation);
        if (!request.isOneway()) {
            message.setJMSReplyTo(replyTo);
        }
        if (hook != null) {
            hook.sending(request, JmsMessages.properties(message));
        }
        sender.producer().send(message, address.isPersistent() ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT, address.priority(), left);
        if (request.isOneway()) {
            sender.session().commit();
        }
    }

    private static void close(Sender sender) {
        try {
            sender.session().close();
        } catch (JMSException e) {
            LOG.log(System.Logger.Level.DEBUG, "a session did not end in order: {0}", LogText.of(e.getMessage()));
        }
    }

    /** Fails everything that waits for an answer (JMS-14). The next user, or the channel's end, closes the connection. */
    void fail(String reason) {
        if (lost == null) {
            lost = reason;
        }
        for (String id : waiting.keySet()) {
            Waiting call = waiting.remove(id);
            if (call != null) {
                call.answer.completeExceptionally(JmsFailures.unavailable(reason));
            }
        }
    }

    /** Checks after a failure whether the connection is still usable, since the loss may not have been reported yet. */
    void check(Exception failure) {
        try {
            connection.createSession(false, Session.AUTO_ACKNOWLEDGE).close();
        } catch (JMSException e) {
            fail("the connection to " + broker + " was lost: " + JmsFailures.said(failure));
        }
    }

    void close(String reason) {
        fail(reason);
        closeConnection();
    }

    private void closeConnection() {
        try {
            connection.close();
        } catch (JMSException e) {
            LOG.log(System.Logger.Level.DEBUG, "the connection to {0} did not end in order: {1}", broker, LogText.of(e.getMessage()));
        }
    }
}
