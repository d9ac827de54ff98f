package creo.runtime;

import java.security.Principal;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The services of a server, and the order in which their calls run. Every transport hands its decoded calls to the one host, so
 * that the limits of a service hold for all of them together.
 */
final class Host {
    /** A method with the service that it belongs to. */
    record Entry<A, R>(Service service, Endpoint.Binding<A, R> binding) {}

    private static final System.Logger LOG = System.getLogger("creo.runtime");
    private static final int MOST_OFFERS = 64;

    private final Limits limits;
    private final ExecutorService threads;
    private final Readers readers;
    private final Authenticator authenticator;
    private final Map<Long, Entry<?, ?>> methods = new HashMap<>();
    private final Map<String, String> offers = new LinkedHashMap<>();

    Host(List<Endpoint> endpoints, Limits limits, ExecutorService threads, Authenticator authenticator) {
        this(endpoints, limits, threads, authenticator, Threads.daemons("creo-reader"));
    }

    Host(List<Endpoint> endpoints, Limits limits, ExecutorService threads, Authenticator authenticator, ThreadFactory readers) {
        this.limits = limits;
        this.threads = threads;
        this.readers = new Readers(threads, readers);
        this.authenticator = authenticator;
        for (Endpoint endpoint : endpoints) {
            Service service = new Service();
            endpoint.bindings().forEach((id, binding) -> {
                if (methods.put(id, new Entry<>(service, binding)) != null) {
                    throw new IllegalArgumentException(binding.method() + " is offered twice");
                }
            });
            if (offers.size() < MOST_OFFERS) {
                offers.put(endpoint.service().name(), endpoint.service().fingerprintText());
            }
        }
    }

    Limits limits() {
        return limits;
    }

    /** Runs a task on a thread of its own; not any more once the server has ended, when nobody waits for it. */
    void run(Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.log(System.Logger.Level.TRACE, "the server has ended", e);
        }
    }

    /** Where connections are read. */
    Readers readers() {
        return readers;
    }

    void shutdown() {
        readers.shutdown();
        threads.shutdown();
    }

    /** The method of an id, or null. */
    Entry<?, ?> find(long id) {
        return methods.get(id);
    }

    /** The answer to a call of a method that nobody here has (ERR-5). */
    CreoException unknownMethod(long id) {
        return CreoException.withDetails(ErrorCode.UNKNOWN_METHOD, "no service here has a method of the id " + String.format("%016x", id), offers);
    }

    /** One service: its running calls and those that wait (LIM-9, LIM-10). */
    final class Service {
        private final ReentrantLock lock = new ReentrantLock();
        private final ArrayDeque<IncomingCall<?, ?>> waiting = new ArrayDeque<>();
        private int running;

        /**
         * Takes a call in: it runs, waits, or is refused.
         *
         * @return true if the caller shall run it, by {@link IncomingCall#runHere}, which it is asked to only if it may
         */
        boolean admit(IncomingCall<?, ?> call, boolean mayRunHere) {
            boolean full = false;
            lock.lock();
            try {
                if (running < limits.maxConcurrency()) {
                    running++;
                } else if (waiting.size() < limits.maxQueue()) {
                    waiting.add(call);
                    return false;
                } else {
                    full = true;
                }
            } finally {
                lock.unlock();
            }
            if (full) {
                if (call.giveUp()) {
                    call.answerError(overloaded("maxQueue", limits.maxQueue()));
                }
                return false;
            }
            if (mayRunHere) {
                return true;
            }
            execute(call);
            return false;
        }

        /** Gives a place back, or to the call that is returned. */
        IncomingCall<?, ?> release() {
            lock.lock();
            try {
                IncomingCall<?, ?> next = waiting.poll();
                if (next == null) {
                    running--;
                }
                return next;
            } finally {
                lock.unlock();
            }
        }

        /** Takes a call that will not run out of the queue. */
        void forget(IncomingCall<?, ?> call) {
            lock.lock();
            try {
                waiting.remove(call);
            } finally {
                lock.unlock();
            }
        }

        Principal authenticate(CallContext context) {
            return authenticator == null ? null : authenticator.authenticate(context);
        }

        /** Runs what nobody waits for, as {@link Host#run}. */
        void run(Runnable task) {
            Host.this.run(task);
        }

        void execute(Runnable task) {
            try {
                threads.execute(task);
            } catch (RejectedExecutionException e) {
                // The server is closed: nobody waits for the answer.
                if (task instanceof IncomingCall<?, ?> call) {
                    call.giveUp();
                }
            } catch (OutOfMemoryError e) {
                // There is no further thread. This one is busy for a while then, but the call is answered, and gives its place back.
                LOG.log(System.Logger.Level.WARNING, "no thread for a call", e);
                task.run();
            }
        }
    }

    static CreoException overloaded(String limit, long allowed) {
        return CreoException.withDetails(ErrorCode.OVERLOADED, "too many calls at once: " + limit + " is " + allowed,
            Map.of("limit", limit, "allowed", Long.toString(allowed)));
    }
}
