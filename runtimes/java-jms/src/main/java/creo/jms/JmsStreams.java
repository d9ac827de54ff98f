package creo.jms;

import creo.runtime.CallOptions;
import creo.runtime.ClientOptions;
import creo.runtime.CreoException;
import creo.runtime.Wire;
import creo.runtime.codegen.LogText;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.spi.MessageClient;
import creo.runtime.spi.MessageHook;
import creo.runtime.spi.MessageStream;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;

/**
 * The calls of a channel whose result is a stream (JMS-23 to JMS-28). They have a connection of their own, which is made with the first one: how much a consumer
 * prefetches is set for a connection. Each call has a session, a queue and a thread, which receives as long as the program takes items.
 */
final class JmsStreams {
    private static final System.Logger LOG = System.getLogger("creo.jms");
    /** A message of items has at most so many bytes, unless it has one item. */
    private static final int MESSAGE = 65_536;

    private final JmsBroker broker;
    private final JmsBroker.Connector connector;
    private final JmsAddress address;
    private final ClientOptions options;
    private final MessageClient client;
    private final ExecutorService threads;
    private Link link;
    private boolean closed;

    JmsStreams(JmsBroker broker, JmsAddress address, ClientOptions options, MessageClient client, ExecutorService threads) {
        this.broker = broker;
        this.address = address;
        this.options = options;
        this.client = client;
        this.threads = threads;
        int window = Math.max(0, options.limits().streamWindow() - MessageStream.HELD - MESSAGE);
        this.connector = broker.forStreams(options.limits().connectTimeout(), window);
    }

    /** A connection with the calls that use it. */
    private static final class Link {
        private final Connection connection;
        private final Set<MessageStream<?>> calls = ConcurrentHashMap.newKeySet();
        private volatile String lost;

        Link(Connection connection) {
            this.connection = connection;
        }

        void add(MessageStream<?> call) {
            calls.add(call);
            String reason = lost;
            if (reason != null) {
                call.fail(JmsFailures.unavailable(reason));
            }
        }

        /** Ends all calls (JMS-14). */
        void fail(String reason) {
            if (lost == null) {
                lost = reason;
            }
            calls.forEach(call -> call.fail(JmsFailures.unavailable(reason)));
        }

        void close(String reason) {
            fail(reason);
            try {
                connection.close();
            } catch (JMSException e) {
                LOG.log(System.Logger.Level.DEBUG, "a connection for streams did not end in order: {0}", LogText.of(e.getMessage()));
            }
        }
    }

    private String closedReason() {
        return "the channel to " + address + " is closed";
    }

    /** The current connection, or a new one; fails if none can be made. */
    private synchronized Link link() {
        if (closed) {
            throw JmsFailures.unavailable(closedReason());
        }
        if (link == null || link.lost != null) {
            if (link != null) {
                link.close("the connection to " + broker + " was lost");
            }
            link = null;
            try {
                Link made = new Link(connector.connect());
                try {
                    made.connection.setExceptionListener(e -> made.fail("the connection to " + broker + " was lost: " + JmsFailures.said(e)));
                    made.connection.start();
                } catch (JMSException | RuntimeException e) {
                    made.close(closedReason());
                    throw e;
                }
                link = made;
            } catch (JMSException e) {
                throw JmsFailures.connecting(broker, e);
            }
        }
        return link;
    }

    <A, R> CompletableFuture<R> begin(ServiceMethod<A, R> method, A arguments, CallOptions callOptions) {
        MessageStream<R> stream;
        try {
            stream = client.stream(method, arguments, callOptions, address.timeToLive(), threads);
        } catch (CreoException e) {
            return method.refused(arguments, e);
        }
        Call call = new Call(stream, client.hook(method, address.place()));
        try {
            threads.execute(call::run);
        } catch (RejectedExecutionException e) {
            stream.fail(MessageClient.notStarted(JmsFailures.unavailable(closedReason())));
        }
        return stream.future();
    }

    /** Ends all calls. */
    void close() {
        Link last;
        synchronized (this) {
            closed = true;
            last = link;
            link = null;
        }
        if (last != null) {
            last.close(closedReason());
        }
    }

    /** A call, for the thread that sends its request and receives for it. */
    private final class Call {
        private final MessageStream<?> stream;
        /** Shows the request and the answer; or null. */
        private final MessageHook hook;
        private boolean begun;
        private Thread receiver;

        Call(MessageStream<?> stream, MessageHook hook) {
            this.stream = stream;
            this.hook = hook;
        }

        void run() {
            Link used = null;
            try {
                used = link();
                used.add(stream);
                if (!stream.isOver()) {
                    run(used);
                }
            } catch (CreoException e) {
                stream.fail(begun ? e : MessageClient.notStarted(e));
            } catch (JMSException e) {
                if (!stream.isOver()) {
                    CreoException failure = JmsFailures.using(broker, "a stream from " + address, e);
                    stream.fail(begun ? failure : MessageClient.notStarted(failure));
                    check(used, e);
                }
            } catch (Throwable e) {
                stream.fail(e);
            } finally {
                if (used != null) {
                    used.calls.remove(stream);
                }
            }
        }

        /** Checks after a failure whether the connection is still usable, since the loss may not have been reported yet. */
        private void check(Link used, JMSException failure) {
            try {
                used.connection.createSession(false, Session.AUTO_ACKNOWLEDGE).close();
            } catch (JMSException e) {
                used.fail("the connection to " + broker + " was lost: " + JmsFailures.said(failure));
            }
        }

        private void run(Link used) throws JMSException, InterruptedException {
            Session session = used.connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            TemporaryQueue queue = null;
            MessageConsumer consumer = null;
            receiver = Thread.currentThread();
            try {
                queue = session.createTemporaryQueue();
                consumer = session.createConsumer(queue);
                MessageConsumer waking = consumer;
                stream.onEnd(() -> wake(waking));
                String correlation = JmsLink.newId();
                send(session, queue, correlation);
                receive(used, consumer, correlation);
            } finally {
                end(session, consumer, queue);
            }
        }

        private void send(Session session, TemporaryQueue queue, String correlation) throws JMSException {
            long left = stream.millisecondsLeft();
            if (left <= 0) {
                throw JmsFailures.timeIsOver(broker, address);
            }
            MessageProducer producer = session.createProducer(address.isTopic() ? session.createTopic(address.name()) : session.createQueue(address.name()));
            Message message = JmsMessages.write(session, stream.request(), address, left);
            message.setJMSCorrelationID(correlation);
            message.setJMSReplyTo(queue);
            if (hook != null) {
                hook.sending(stream.request(), JmsMessages.properties(message));
            }
            begun = true;
            stream.begins();
            producer.send(message, address.isPersistent() ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT, address.priority(), left == Long.MAX_VALUE ? 0 : left);
            stream.sent();
        }

        private void receive(Link used, MessageConsumer consumer, String correlation) throws JMSException, InterruptedException {
            while (stream.awaitRoom()) {
                long left = stream.millisecondsLeft();
                Message message = left <= 0 ? null : left == Long.MAX_VALUE ? consumer.receive() : consumer.receive(left);
                if (message == null) {
                    break;
                }
                if (correlation.equals(message.getJMSCorrelationID())) {
                    take(message);
                }
            }
            if (!stream.isOver()) {
                stream.fail(stream.millisecondsLeft() <= 0 ? JmsFailures.timeIsOver(broker, address) : JmsFailures.unavailable(used.lost != null ? used.lost : "the connection to " + broker + " was lost"));
            }
        }

        private void take(Message message) throws JMSException {
            try {
                stream.take(JmsMessages.readAnswer(message, Wire.BINARY, options.limits(), hook), () -> JmsFailures.timeIsOver(broker, address));
            } catch (CreoException e) {
                stream.fail(e);
            }
        }

        /** Ends the waiting for a message: the only thing that another thread may do with a consumer. */
        private void wake(MessageConsumer consumer) {
            if (Thread.currentThread() == receiver) {
                return;
            }
            try {
                threads.execute(() -> close(consumer));
            } catch (RejectedExecutionException | OutOfMemoryError e) {
                close(consumer);
            }
        }

        /** Closes the consumer, and returns when it is closed, whichever thread does it: a queue with a consumer cannot be deleted. */
        private synchronized void close(MessageConsumer consumer) {
            quietly(consumer::close);
        }

        /** Deletes the queue (JMS-27). */
        private void end(Session session, MessageConsumer consumer, TemporaryQueue queue) {
            if (consumer != null) {
                close(consumer);
            }
            if (queue != null) {
                quietly(queue::delete);
            }
            quietly(session::close);
        }
    }

    private interface Step {
        void run() throws JMSException;
    }

    private static void quietly(Step step) {
        try {
            step.run();
        } catch (JMSException e) {
            LOG.log(System.Logger.Level.DEBUG, "a stream did not end in order: {0}", LogText.of(e.getMessage()));
        }
    }
}
