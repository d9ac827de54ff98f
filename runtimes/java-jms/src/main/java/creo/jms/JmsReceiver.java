package creo.jms;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Wire;
import creo.runtime.codegen.LogText;
import creo.runtime.spi.MessageAnswer;
import creo.runtime.spi.MessageServer;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import java.io.IOException;

/**
 * Sends the items of a call's stream to its reply queue (JMS-26), and looks whether that exists (JMS-27). Items go through a session of their own, since they
 * are sent outside of the transaction of the request.
 */
final class JmsReceiver implements MessageServer.Receiver {
    /** The sessions for the items of one host's session, made when they are first needed. */
    static final class Senders implements AutoCloseable {
        private static final System.Logger LOG = System.getLogger("creo.jms");

        private final Connection connection;
        private Sender last;

        Senders(Connection connection) {
            this.connection = connection;
        }

        /** Only a commit confirms that the broker has a message that is not persistent. */
        private synchronized Sender sender(boolean persistent) throws JMSException {
            if (last == null || last.commits() == persistent) {
                close();
                Session session = connection.createSession(!persistent, persistent ? Session.AUTO_ACKNOWLEDGE : Session.SESSION_TRANSACTED);
                last = new Sender(session, session.createProducer(null), !persistent);
            }
            return last;
        }

        /** Ends the session, and what it is sending. */
        @Override
        public synchronized void close() {
            Sender old = last;
            last = null;
            if (old != null) {
                try {
                    old.session().close();
                } catch (JMSException e) {
                    LOG.log(System.Logger.Level.DEBUG, "a session for items did not end in order: {0}", LogText.of(e.getMessage()));
                }
            }
        }
    }

    private record Sender(Session session, MessageProducer producer, boolean commits) {}

    /** In milliseconds: how long a queue of another broker of a cluster may be unknown, and how often it is looked for. */
    private static final long UNKNOWN = 2_000;
    private static final long STEP = 50;
    /** The max number of messages that wait in the queue, and after how many sent ones that is looked at. */
    private static final long MOST_WAITING = 64;
    private static final int LOOK_EACH = 16;
    /** In milliseconds: so much longer than their call do items live. One that expires while the client's clock still has time is missing there (JMS-26). */
    private static final long SPARE = 1_000;

    private final Senders senders;
    private final Session session;
    private final JmsAddress address;
    private final Message request;
    private final Destination to;
    private final String correlation;
    private final long until;
    private final Runnable began;
    private int sent;
    /** Whether the queue was found, and was then the client's: nobody's message had made it. */
    private volatile boolean own;
    private volatile boolean full;

    /**
     * @param session of the thread that serves the request
     * @param until the {@link System#nanoTime} at which the call's time is over, or {@link Long#MAX_VALUE}
     * @param began runs when a method with a stream is about to run, before anything is waited for
     */
    JmsReceiver(Senders senders, Session session, JmsAddress address, Message request, Destination to, String correlation, long until, Runnable began) {
        this.senders = senders;
        this.session = session;
        this.address = address;
        this.request = request;
        this.to = to;
        this.correlation = correlation;
        this.until = until;
        this.began = began;
    }

    /** The time to live of a message that is sent now. */
    static long timeToLive(long until) {
        return until == Long.MAX_VALUE ? 0 : Math.max(1, (until - System.nanoTime()) / 1_000_000);
    }

    /** The number of messages that wait in the queue; -1 if it is gone. The broker makes it again when a message is sent there: that queue is deleted. */
    private long waiting(Session by) throws JMSException {
        ArtemisFactory.Found found = ArtemisFactory.find(by, to);
        if (found != null && own && found.automatic()) {
            ArtemisFactory.delete(by, to);
            return -1;
        }
        return found == null ? -1 : found.messages();
    }

    /** Everything was sent, the answer as well: nothing stays for a client that has gone meanwhile. */
    void ends() throws JMSException {
        if (own) {
            waiting(session);
        }
    }

    @Override
    public boolean begins() throws IOException, InterruptedException {
        long patience = System.nanoTime() + UNKNOWN * 1_000_000;
        try {
            ArtemisFactory.Found found = ArtemisFactory.find(session, to);
            began.run();
            while (found == null) {
                if (System.nanoTime() - patience >= 0) {
                    return false;
                }
                Thread.sleep(STEP);
                found = ArtemisFactory.find(session, to);
            }
            own = !found.automatic();
        } catch (JMSException e) {
            throw new IOException("the reply queue could not be looked for: " + JmsFailures.said(e), e);
        }
        return true;
    }

    @Override
    public void send(MessageAnswer items) throws MessageServer.Gone, IOException {
        boolean done = false;
        try {
            Sender sender = senders.sender(request.getJMSDeliveryMode() == DeliveryMode.PERSISTENT);
            Message message = JmsMessages.write(sender.session(), items, Wire.BINARY, JmsMessages.requestUri(request, address));
            message.setJMSCorrelationID(correlation);
            sender.producer().send(to, message, request.getJMSDeliveryMode(), request.getJMSPriority(), until == Long.MAX_VALUE ? 0 : timeToLive(until) + SPARE);
            if (sender.commits()) {
                sender.session().commit();
            }
            if (++sent % LOOK_EACH == 0) {
                long waiting = waiting(sender.session());
                if (waiting < 0) {
                    throw new MessageServer.Gone("the reply queue was deleted");
                }
                full = waiting > MOST_WAITING;
            }
            done = true;
        } catch (InvalidDestinationException e) {
            throw new MessageServer.Gone(JmsFailures.said(e));
        } catch (ResourceAllocationException e) {
            throw CreoException.ofRuntime(ErrorCode.OVERLOADED, "the broker takes no more items: " + JmsFailures.said(e), e);
        } catch (JMSException e) {
            throw new IOException(JmsFailures.said(e), e);
        } finally {
            if (!done) {
                // Whatever happened in it, also an interrupt: what comes next must not meet its rest.
                senders.close();
            }
        }
    }

    @Override
    public boolean isFull() {
        return full;
    }

    @Override
    public boolean isAwaited() throws IOException {
        try {
            long waiting = waiting(session);
            full = waiting > MOST_WAITING;
            if (waiting < 0) {
                // A thread may be in the middle of sending to a queue that takes nothing more.
                senders.close();
            }
            return waiting >= 0;
        } catch (JMSException e) {
            throw new IOException(JmsFailures.said(e), e);
        }
    }
}
