package creo.jms;

import creo.runtime.CreoException;
import creo.runtime.codegen.LogText;
import creo.runtime.spi.MessageAnswer;
import creo.runtime.spi.MessageRequest;
import creo.runtime.spi.MessageServer;
import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.LinkedHashMap;
import java.util.Map;

/** A session of a host: takes requests in sequence, each in a transaction with its answer. For one thread. */
final class JmsHostSession implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("creo.jms");
    private static final int MOST_KNOWN = 1_000;

    private final JmsAddress address;
    private final MessageServer server;
    private final Session session;
    private final MessageProducer producer;
    /** Takes requests; null if none is wanted now, since one that the broker gave it would wait here. Under the lock, like the next one. */
    private MessageConsumer consumer;
    private boolean ended;
    /** Reply queues that were checked; the oldest are forgotten. */
    private final Map<Destination, Boolean> known = new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Destination, Boolean> eldest) {
            return size() > MOST_KNOWN;
        }
    };
    private final boolean artemis;
    private final Runnable passing;
    private final JmsReceiver.Senders senders;
    private boolean passed;
    /** Of the last request that was read. */
    private JmsReceiver receiver;
    private volatile boolean busy;

    /** @param passing lets another session take requests in place of this one, which has begun with a stream (JMS-28) */
    JmsHostSession(Connection connection, JmsAddress address, MessageServer server, Runnable passing) throws JMSException {
        this.address = address;
        this.server = server;
        this.passing = passing;
        this.senders = new JmsReceiver.Senders(connection);
        this.session = connection.createSession(true, Session.SESSION_TRANSACTED);
        this.producer = session.createProducer(null);
        this.artemis = session.getClass().getName().startsWith("org.apache.activemq.artemis.");
    }

    /** Ends the session; unacknowledged requests go back. */
    @Override
    public void close() {
        senders.close();
        try {
            session.close();
        } catch (JMSException e) {
            LOG.log(System.Logger.Level.DEBUG, "a session did not end in order: {0}", LogText.of(e.getMessage()));
        }
    }

    /** Whether it serves a request instead of waiting for one. */
    boolean isBusy() {
        return busy;
    }

    /** Takes no further request, and ends the wait for one. What it serves goes on. On any thread. */
    synchronized void end() {
        ended = true;
        if (!busy) {
            closeConsumer();
        }
    }

    private synchronized MessageConsumer consumer() throws JMSException {
        if (consumer == null && !ended) {
            consumer = session.createConsumer(session.createQueue(address.name()));
        }
        return consumer;
    }

    /** What the broker has given to the consumer and was not taken goes back to the queue. */
    private synchronized void closeConsumer() {
        MessageConsumer old = consumer;
        consumer = null;
        if (old != null) {
            try {
                old.close();
            } catch (JMSException e) {
                LOG.log(System.Logger.Level.DEBUG, "a consumer did not end in order: {0}", LogText.of(e.getMessage()));
            }
        }
    }

    /**
     * The next request; null after the end. It waits without a time: a broker may give a request just when that is over, and would then give one more to this session
     * than it can begin with (JMS-13).
     */
    private Message receive() throws JMSException {
        MessageConsumer from = consumer();
        if (from == null) {
            return null;
        }
        Message message = from.receive();
        synchronized (this) {
            if (!ended) {
                if (message == null) {
                    throw new JMSException("the connection was lost");
                }
                busy = true;
                return message;
            }
        }
        // The consumer may have been closed before the request counted as taken.
        session.rollback();
        return null;
    }

    /** Serves the next request; returns without one after the end. */
    void next() throws JMSException, InterruptedException {
        passed = false;
        Message message = receive();
        if (message == null) {
            return;
        }
        boolean done = false;
        try {
            serve(message);
            done = true;
        } catch (MessageServer.Unserved e) {
            LOG.log(System.Logger.Level.WARNING, "a request of {0} goes back to the queue: {1}", address, LogText.of(e.getMessage()));
        } catch (JMSException | RuntimeException | Error e) {
            // A message that the broker's client cannot read, a bug in this runtime, or no memory. The broker counts these (JMS-13). If the
            // connection is lost, what follows fails, too.
            LOG.log(System.Logger.Level.ERROR, "a request of " + address + " goes back to the queue", LogText.of(e));
        } finally {
            if (done) {
                session.commit();
            } else {
                session.rollback();
                // The rest of a request that was not read to its end counts for the old one.
                closeConsumer();
            }
            if (passed) {
                receiver.ends();
            }
            busy = false;
        }
    }

    /** Whether another session takes requests in place of this one since the last {@link #next}. */
    boolean hasPassed() {
        return passed;
    }

    private void pass() {
        closeConsumer();
        passed = true;
        passing.run();
    }

    private void serve(Message message) throws JMSException, InterruptedException, MessageServer.Unserved {
        long expires = message.getJMSExpiration();
        long left = expires == 0 ? -1 : expires - System.currentTimeMillis();
        if (expires != 0 && left <= 0) {
            LOG.log(System.Logger.Level.DEBUG, "a request of {0} has expired", address);
            return;
        }
        MessageRequest outline = JmsMessages.outline(message).peer(address.toString());
        long until = left < 0 ? Long.MAX_VALUE : System.nanoTime() + left * 1_000_000;
        Destination to = message.getJMSReplyTo();
        MessageAnswer answer;
        try {
            long told = JmsMessages.timeout(message);
            long timeout = told < 0 || left >= 0 && left < told ? left : told;
            until = timeout < 0 ? Long.MAX_VALUE : System.nanoTime() + timeout * 1_000_000;
            outline = JmsMessages.arrived(message, server.limits()).peer(address.toString()).timeout(timeout);
            receiver = new JmsReceiver(senders, session, address, message, to, outline.id(), until, this::pass);
            answer = serve(message, outline, receiver);
        } catch (JmsMessages.Refused e) {
            answer = server.refuse(outline, e.fault(), e.getMessage());
        } catch (CreoException e) {
            answer = server.error(outline, e);
        }
        if (answer != null) {
            answer(message, to, outline, answer, until);
        }
    }

    private MessageAnswer serve(Message message, MessageRequest request, MessageServer.Receiver receiver)
            throws JMSException, InterruptedException, JmsMessages.Refused, MessageServer.Unserved {
        if (server.showsMessages()) {
            request.properties(JmsMessages.properties(message));
        }
        boolean read = false;
        try {
            JmsMessages.read(message, request);
            read = true;
        } finally {
            if (!read) {
                server.showRequest(request);
            }
        }
        return server.serve(request, receiver);
    }

    private void answer(Message request, Destination to, MessageRequest outline, MessageAnswer answer, long until) throws JMSException {
        Message message = JmsMessages.write(session, answer, outline.wire(), JmsMessages.requestUri(request, address));
        message.setJMSCorrelationID(outline.id());
        if (server.showsMessages()) {
            server.showAnswer(outline, answer, JmsMessages.properties(message));
        }
        // The queue of a stream is looked for otherwise.
        if (artemis && answer.part() == null && known.put(to, true) == null) {
            ArtemisFactory.keepForAWhile(session, to);
        }
        try {
            producer.send(to, message, request.getJMSDeliveryMode(), request.getJMSPriority(), JmsReceiver.timeToLive(until));
        } catch (InvalidDestinationException e) {
            // The caller is gone, and its queue with it: no one waits (JMS-7).
            LOG.log(System.Logger.Level.DEBUG, "an answer of {0} has no queue any more: {1}", address, LogText.of(e.getMessage()));
        }
    }
}
