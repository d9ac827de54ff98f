package creo.runtime.internal.host;

import creo.runtime.internal.net.Monitor;
import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Waits for the sockets of many connections and serves those that are ready in turn. An idle connection has no thread.
 *
 * <p>One thread at a time drives the loop; only this thread accesses the loop's state. Service methods may run on it, which saves a handover for
 * short calls. If a method takes longer than a moment, the {@link Monitor} lets another thread drive, and the first one leaves the loop when the
 * method returns.
 */
public final class EventLoop implements Monitor.Watched {
    /** How long one piece of work may keep the driving thread. */
    private static final long MAX_PAUSE = 2_000_000L;
    /** The interval of looks at all connections. */
    private static final long LOOK_INTERVAL = 100_000_000L;
    private static final long ERROR_PAUSE_MILLIS = 50;
    private static final System.Logger LOG = System.getLogger("creo.runtime");

    /** The low two bits of {@link #turn}: what its driver does. */
    private static final int DRIVING = 0;
    private static final int WORKING = 1;
    private static final int PASSING = 2;
    private static final int STATES = 4;

    private final Executor threads;
    private final Selector selector;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final ArrayDeque<ServerConnection> ready = new ArrayDeque<>();
    private final List<ServerConnection> connections = new ArrayList<>();
    /** The number of the driver times {@link #STATES}, and its state. */
    private final AtomicLong turn = new AtomicLong();
    private volatile Thread driver;
    /** The connection whose input may be read further while its method runs, or null. */
    private volatile ServerConnection resumable;
    private volatile long worked;
    private volatile long nextLook = System.nanoTime();
    private volatile boolean closed;
    private long seenWorked = -1;

    /**
     * Makes a loop that does not run yet.
     *
     * @param threads run its drivers; each begins at once
     */
    public EventLoop(Executor threads) throws IOException {
        this.threads = threads;
        this.selector = Selector.open();
    }

    public void start() {
        Monitor.shared().add(this);
        threads.execute(() -> drive(0, null));
    }

    /** Runs a short task on the driving thread soon. */
    void execute(Runnable task) {
        tasks.add(task);
        if (Thread.currentThread() != driver) {
            selector.wakeup();
        }
    }

    /** Ends the loop. Its connections must have been closed before. */
    public void close() {
        closed = true;
        Monitor.shared().remove(this);
        selector.wakeup();
    }

    /** Ensures that all connections are checked by the given time. */
    void expectLook(long at) {
        if (at - nextLook < 0) {
            nextLook = at;
            if (Thread.currentThread() != driver) {
                selector.wakeup();
            }
        }
    }

    /** Applies changes of a connection's interests, or its end. */
    void wake() {
        if (Thread.currentThread() != driver) {
            selector.wakeup();
        }
    }

    /** Registers a connection. For the driving thread. */
    SelectionKey register(ServerConnection connection, SocketChannel channel) throws IOException {
        connection.index = connections.size();
        connections.add(connection);
        return channel.register(selector, SelectionKey.OP_READ, connection);
    }

    /** Removes a connection. For the driving thread. */
    void remove(ServerConnection connection) {
        int index = connection.index;
        if (index < 0) {
            return;
        }
        connection.index = -1;
        ServerConnection last = connections.remove(connections.size() - 1);
        if (last != connection) {
            connections.set(index, last);
            last.index = index;
        }
    }

    /** Lets a connection continue after the others that are ready. For the driving thread. */
    void enqueue(ServerConnection connection) {
        if (!connection.queued) {
            connection.queued = true;
            ready.add(connection);
        }
    }

    /** The connections. For the driving thread. */
    List<ServerConnection> connections() {
        return connections;
    }

    /**
     * Marks the start of work on the driving thread that may take long.
     *
     * @param connection whose input another thread may read meanwhile, or null
     * @return the argument for {@link #end}
     */
    long begin(ServerConnection connection) {
        resumable = connection;
        worked++;
        long mine = turn.get() + WORKING;
        turn.set(mine);
        Monitor.shared().expect(System.nanoTime() + MAX_PAUSE);
        return mine;
    }

    /** Ends the work; false if another thread now drives and this one must no longer access the loop's state. */
    boolean end(long mine) {
        while (true) {
            if (turn.compareAndSet(mine, mine - WORKING)) {
                return true;
            }
            if (turn.get() != mine - WORKING + PASSING) {
                return false;
            }
            Thread.yield();
        }
    }

    /** Checks whether the driver has spent too long on one piece of work. Called by the {@link Monitor}. */
    @Override
    public long look(long now) {
        long at = worked;
        if (at != seenWorked) {
            // Busy: checking again soon is cheaper than being woken for each piece of work.
            seenWorked = at;
            return now + MAX_PAUSE;
        }
        long mine = turn.get();
        if (mine % STATES == WORKING && turn.compareAndSet(mine, mine - WORKING + PASSING)) {
            boolean passed = false;
            try {
                ServerConnection connection = resumable;
                threads.execute(() -> drive(mine / STATES + 1, connection));
                passed = true;
            } catch (RejectedExecutionException e) {
                LOG.log(System.Logger.Level.TRACE, "the server has ended", e);
            } finally {
                if (!passed) {
                    turn.set(mine);
                }
            }
        }
        return now + LOOK_INTERVAL;
    }

    private void drive(long number, ServerConnection resumed) {
        driver = Thread.currentThread();
        turn.set(number * STATES + DRIVING);
        if (resumed != null && !resumed.resume()) {
            return;
        }
        while (!closed) {
            try {
                runTasks();
                lookAtAll();
                select();
                // Those that are ready now: one with more input than it may take at a time comes back after what the next round finds.
                for (int left = ready.size(); left > 0; left--) {
                    ServerConnection next = ready.remove();
                    next.queued = false;
                    if (!next.run()) {
                        return;
                    }
                }
            } catch (IOException | RuntimeException | Error e) {
                failed(e);
            }
        }
        // The connections were closed before the loop; this notifies their calls.
        runTasks();
        end();
    }

    private void runTasks() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                failed(e);
            }
        }
    }

    private void lookAtAll() {
        long now = System.nanoTime();
        if (now - nextLook < 0) {
            return;
        }
        nextLook = now + LOOK_INTERVAL;
        long next = now + LOOK_INTERVAL;
        for (int i = connections.size() - 1; i >= 0; i--) {
            long at = connections.get(i).look(now);
            next = at - next < 0 ? at : next;
        }
        if (next - nextLook < 0) {
            nextLook = next;
        }
    }

    private void select() throws IOException {
        long wait = nextLook - System.nanoTime();
        if (!ready.isEmpty() || !tasks.isEmpty() || wait <= 0) {
            selector.selectNow(this::selected);
        } else {
            selector.select(this::selected, Math.max(1, TimeUnit.NANOSECONDS.toMillis(wait + 999_999)));
        }
    }

    private void selected(SelectionKey key) {
        ServerConnection connection = (ServerConnection) key.attachment();
        try {
            connection.readyOps |= key.readyOps();
        } catch (CancelledKeyException e) {
            // Another thread has just closed it; a task will remove it.
            return;
        }
        enqueue(connection);
    }

    private static void failed(Throwable e) {
        try {
            LOG.log(System.Logger.Level.ERROR, "a loop of connections failed", e);
            Thread.sleep(ERROR_PAUSE_MILLIS);
        } catch (InterruptedException | RuntimeException | Error again) {
            // No memory to log this, or the server is ending.
        }
    }

    private void end() {
        try {
            selector.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "closing a selector", e);
        }
    }
}
