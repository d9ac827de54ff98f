package creo.runtime.internal.host;

import creo.runtime.Authenticator;
import creo.runtime.CallContext;
import creo.runtime.CreoException;
import creo.runtime.Endpoint;
import creo.runtime.ErrorCode;
import creo.runtime.Limits;
import creo.runtime.RawMessages;
import creo.runtime.ServerInterceptor;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.TextWire;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.buffer.Threads;
import creo.runtime.internal.call.CallBodies;
import creo.runtime.internal.call.RawHook;
import creo.runtime.internal.tcp.TcpRaw;
import java.security.Principal;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The services of a server, the scheduling of their calls, and the state shared by all connections. Every transport passes its decoded calls to the
 * same host, so a service's limits apply to all transports together.
 */
public final class Host {
    /**
     * A method with the service that it belongs to.
     *
     * @param pace the duration of its recent calls
     */
    public record Entry<A, R>(Service service, Binding<A, R> binding, Pace pace) {
        /** Whether the method belongs to the host, which serves it even while it drains (SVC-4). */
        boolean isOfHost() {
            return service.ofHost;
        }
    }

    /** A source of calls: one connection. Its running and queued calls have their own limits. */
    static final class Source {
        /** Indexed by the number of the service; each is guarded by its service's lock. */
        private volatile Lane[] lanes = {};
        private final ServerOutput out;

        Source(ServerOutput out) {
            this.out = out;
        }
    }

    /** The calls of one source to one service. */
    private static final class Lane {
        private final ArrayDeque<IncomingCall<?, ?>> waiting = new ArrayDeque<>(2);
        private int running;
        /** Calls with streams in progress, which are not among those. */
        private int streaming;
        /** Whether it is in the list of lanes whose next call may run. */
        private boolean inTurn;
        private final Service service;
        /** Null for calls without a connection. */
        private final Source source;

        Lane(Service service, Source source) {
            this.service = service;
            this.source = source;
        }
    }

    /** The messages that threads read while they arrive. Without virtual threads only a few are read at once; others are collected first. */
    static final class LongReads {
        private static final int MAX = 64;

        private final AtomicInteger free = new AtomicInteger(Threads.virtual() ? Integer.MAX_VALUE : MAX);

        boolean tryBegin() {
            if (free.decrementAndGet() >= 0) {
                return true;
            }
            free.incrementAndGet();
            return false;
        }

        void end() {
            free.incrementAndGet();
        }
    }

    private static final System.Logger LOG = System.getLogger("creo.runtime");
    private static final int MAX_OFFERS = 64;

    private final Limits limits;
    private final ExecutorService threads;
    private final Readers readers;
    private final Authenticator authenticator;
    private final List<ServerInterceptor> interceptors;
    private final RawMessages rawMessages;
    private final HostMemory memory;
    private final LongReads longReads = new LongReads();
    private final OnewayCalls oneways = new OnewayCalls();
    private final HostConnections connections;
    /** What serves methods with streams; null if there are none. */
    private ServedStreams.Maker streams;
    private final Map<Long, Entry<?, ?>> methods = new HashMap<>();
    private final Map<Integer, CallBodies> bodies = new TreeMap<>(Map.of(CallBodies.BINARY.number, CallBodies.BINARY));
    private final Map<String, String> offers = new LinkedHashMap<>();
    private volatile boolean draining;
    private int services;

    /**
     * The author's code that sees each call before its method.
     *
     * @param authenticator finds out who calls, or null
     * @param interceptors run at the beginning in this order, at the end in reverse
     * @param rawMessages sees messages, or null
     */
    public record Watchers(Authenticator authenticator, List<ServerInterceptor> interceptors, RawMessages rawMessages) {
        public Watchers {
            interceptors = List.copyOf(interceptors);
        }

        /** Without a hook for raw messages. */
        public Watchers(Authenticator authenticator, List<ServerInterceptor> interceptors) {
            this(authenticator, interceptors, null);
        }
    }

    public Host(List<Endpoint> endpoints, Limits limits, ExecutorService threads, Watchers watchers) {
        this(endpoints, limits, threads, watchers, Threads.daemons("creo-reader"));
    }

    public Host(List<Endpoint> endpoints, Limits limits, ExecutorService threads, Watchers watchers, ThreadFactory readers) {
        this.limits = limits;
        this.threads = threads;
        this.readers = new Readers(threads, readers);
        this.authenticator = watchers.authenticator();
        this.interceptors = watchers.interceptors();
        this.rawMessages = watchers.rawMessages();
        this.memory = new HostMemory(limits.memoryBudget());
        this.connections = new HostConnections(limits);
        for (Endpoint endpoint : endpoints) {
            Service service = new Service(services++, false);
            HostAccess.bindings(endpoint).forEach((id, binding) -> {
                if (methods.put(id, entry(service, binding)) != null) {
                    throw new IllegalArgumentException(binding.method() + " is offered twice");
                }
                streams = binding.streams() == null ? streams : binding.streams();
            });
            HostAccess.wires(endpoint).stream().map(TextWire::bodies).filter(Objects::nonNull).forEach(each -> bodies.putIfAbsent(each.number, each));
            if (offers.size() < MAX_OFFERS) {
                offers.put(endpoint.service().name(), endpoint.service().fingerprintText());
            }
        }
    }

    /**
     * Serves the host's own interface, before the start: in a separate service, whose calls wait for no others. A user's interface of the same name
     * takes precedence; the host's interface is not listed in errors (ERR-5).
     */
    public void serveOwn(Endpoint endpoint) {
        Service service = new Service(services++, true);
        HostAccess.bindings(endpoint).forEach((id, binding) -> methods.putIfAbsent(id, entry(service, binding)));
    }

    /** Refuses calls from now on. */
    void drain() {
        draining = true;
    }

    public boolean isDraining() {
        return draining;
    }

    OnewayCalls oneways() {
        return oneways;
    }

    /** Whether no call goes on that belongs to no connection. */
    public boolean isIdle() {
        return oneways.isEmpty();
    }

    private static <A, R> Entry<A, R> entry(Service service, Binding<A, R> binding) {
        return new Entry<>(service, binding, new Pace());
    }

    /** The entry of a method served here. */
    @SuppressWarnings("unchecked") public // The map's entry has the types of the method.
    <A, R> Entry<A, R> entry(ServiceMethod<A, R> method) {
        return (Entry<A, R>) methods.get(method.id());
    }

    /** The bodies of the wires offered over TCP, by their numbers (TCP-1). */
    Map<Integer, CallBodies> bodies() {
        return bodies;
    }

    public Limits limits() {
        return limits;
    }

    /** The memory budget of all messages. */
    HostMemory memory() {
        return memory;
    }

    LongReads longReads() {
        return longReads;
    }

    /** The connections of all ports. */
    public HostConnections connections() {
        return connections;
    }

    /** Runs a task on its own thread. After the server has ended, tasks are dropped, since no one waits for them. */
    void run(Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.log(System.Logger.Level.TRACE, "the server has ended", e);
        }
    }

    /** Threads that start tasks at once. */
    public Readers readers() {
        return readers;
    }

    public void shutdown() {
        oneways.end();
        readers.shutdown();
        threads.shutdown();
    }

    /** The method of an id, or null. */
    public Entry<?, ?> find(long id) {
        return methods.get(id);
    }

    /** The answer to a call of an unknown method (ERR-5). */
    public CreoException unknownMethod(long id) {
        return Failures.withDetails(ErrorCode.UNKNOWN_METHOD, "no service here has a method of the id " + String.format("%016x", id), offers);
    }

    /** What takes the frames of streams that a connection receives. */
    StreamFrames frames(ServerTcpInput in, ServerConnection connection, Map<Integer, TcpServerCall<?, ?>> calls) {
        return streams == null ? new StreamFrames(in, connection, calls) : streams.frames(in, connection, calls);
    }

    /** Whether this many more bytes may be held. */
    boolean hasRoom(long bytes) {
        if (!memory.reserve(bytes)) {
            return false;
        }
        memory.release(bytes);
        return true;
    }

    /** The error for a call without memory. Peers that do not read what they are sent are closed. */
    CreoException exhausted() {
        connections.relieve();
        return memory.exhausted();
    }

    /** Whether there is a hook for raw messages. */
    public boolean showsMessages() {
        return rawMessages != null;
    }

    /**
     * What shows a message of a call; null without a hook.
     *
     * @param method null if it is not known: then all secrets of the host's methods are hidden
     */
    public RawHook rawHook(ServiceMethod<?, ?> method, String peer) {
        if (rawMessages == null) {
            return null;
        }
        List<String> secrets = method != null ? method.secrets() : methods.values().stream().flatMap(entry -> entry.binding().method().secrets().stream()).distinct().toList();
        return new RawHook(rawMessages, method == null ? "" : method.toString(), secrets, peer);
    }

    /** What shows messages of a method's calls over TCP; null without a hook. */
    TcpRaw raw(ServiceMethod<?, ?> method, CallBodies spoken, String peer) {
        RawHook hook = rawHook(method, peer);
        return hook == null ? null : new TcpRaw(hook, spoken, method != null && method.isOneway(), limits);
    }

    /** A service with its running and queued calls (LIM-9, LIM-10). Sources take turns. */
    public final class Service {
        private final int number;
        private final boolean ofHost;
        private final ReentrantLock lock = new ReentrantLock();
        private final ArrayDeque<Lane> turns = new ArrayDeque<>();
        private final Lane unbounded = new Lane(this, null);
        private int running;
        private int waiting;
        private int streaming;

        Service(int number, boolean ofHost) {
            this.number = number;
            this.ofHost = ofHost;
        }

        /**
         * Admits a call: it runs, is queued, or is refused.
         *
         * @return true if the caller must run it by {@link IncomingCall#runHere}, which is requested only if {@code mayRunHere}
         */
        public boolean admit(IncomingCall<?, ?> call, boolean mayRunHere) {
            if (call.streams() != null) {
                admitStreams(call);
                return false;
            }
            CreoException refusal = null;
            lock.lock();
            try {
                Lane lane = lane(call.source());
                boolean shares = call.source() != null;
                if (running < limits.maxConcurrency() && mayStart(lane)) {
                    running++;
                    lane.running++;
                } else if (waiting >= limits.maxQueue()) {
                    refusal = overloaded("maxQueue", limits.maxQueue());
                } else if (shares && lane.waiting.size() >= limits.maxQueuePerConnection()) {
                    refusal = overloaded("maxQueuePerConnection", limits.maxQueuePerConnection());
                } else {
                    lane.waiting.add(call);
                    waiting++;
                    takeTurn(lane);
                    return false;
                }
            } finally {
                lock.unlock();
            }
            if (refusal != null) {
                call.giveUp(refusal);
                return false;
            }
            if (mayRunHere) {
                return true;
            }
            execute(call);
            return false;
        }

        /** A call with streams waits for its peer, so it has a thread of its own and no slot (TCP-37). */
        private void admitStreams(IncomingCall<?, ?> call) {
            CreoException refusal = null;
            lock.lock();
            try {
                Lane lane = lane(call.source());
                if (streaming >= limits.maxStreams()) {
                    refusal = overloaded("maxStreams", limits.maxStreams());
                } else if (call.source() != null && lane.streaming >= limits.maxStreamsPerConnection()) {
                    refusal = overloaded("maxStreams", limits.maxStreamsPerConnection());
                } else {
                    streaming++;
                    lane.streaming++;
                }
            } finally {
                lock.unlock();
            }
            if (refusal != null) {
                call.giveUp(refusal);
                return;
            }
            try {
                threads.execute(call);
            } catch (RejectedExecutionException | OutOfMemoryError e) {
                LOG.log(System.Logger.Level.WARNING, "no thread for a call with streams", e);
                call.giveUp(Failures.withDetails(ErrorCode.OVERLOADED, "there is no thread for a call with streams", Map.of("limit", "threads")));
                release(call);
            }
        }

        /** The calls of a source to this service; calls without a source share one lane. */
        private Lane lane(Source source) {
            if (source == null) {
                return unbounded;
            }
            Lane[] lanes = source.lanes;
            if (number >= lanes.length || lanes[number] == null) {
                synchronized (source) {
                    // Services have separate locks but share the source's array.
                    lanes = Arrays.copyOf(source.lanes, Math.max(source.lanes.length, number + 1));
                    lanes[number] = new Lane(this, source);
                    source.lanes = lanes;
                }
            }
            return lanes[number];
        }

        /** Whether a lane may start another call: its source is below its share, and reads its answers. */
        private boolean mayStart(Lane lane) {
            return lane.source == null || lane.running < limits.maxRunningPerConnection() && !lane.source.out.isFull();
        }

        private void takeTurn(Lane lane) {
            if (!lane.inTurn && !lane.waiting.isEmpty() && mayStart(lane)) {
                lane.inTurn = true;
                turns.add(lane);
            }
        }

        /** Ends the running of a call; its slot goes to the returned call, or becomes free if that is null. */
        IncomingCall<?, ?> release(IncomingCall<?, ?> ended) {
            lock.lock();
            try {
                Lane lane = lane(ended.source());
                if (ended.streams() != null) {
                    streaming--;
                    lane.streaming--;
                    return null;
                }
                running--;
                lane.running--;
                takeTurn(lane);
                return next();
            } finally {
                lock.unlock();
            }
        }

        /** The next call, which now runs; null if none may start. */
        private IncomingCall<?, ?> next() {
            for (Lane next = turns.poll(); next != null; next = turns.poll()) {
                next.inTurn = false;
                IncomingCall<?, ?> call = mayStart(next) ? next.waiting.poll() : null;
                if (call != null) {
                    waiting--;
                    running++;
                    next.running++;
                    takeTurn(next);
                    return call;
                }
            }
            return null;
        }

        /** Starts the calls of a lane that waited until their peer read its answers. */
        private void resume(Lane lane) {
            while (true) {
                IncomingCall<?, ?> call;
                lock.lock();
                try {
                    takeTurn(lane);
                    call = running < limits.maxConcurrency() ? next() : null;
                } finally {
                    lock.unlock();
                }
                if (call == null) {
                    return;
                }
                execute(call);
            }
        }

        /** Removes a call that will not run from the queue. */
        void forget(IncomingCall<?, ?> call) {
            lock.lock();
            try {
                if (lane(call.source()).waiting.remove(call)) {
                    waiting--;
                }
            } finally {
                lock.unlock();
            }
        }

        Limits limits() {
            return limits;
        }

        Host host() {
            return Host.this;
        }

        Principal authenticate(CallContext context) {
            return authenticator == null ? null : authenticator.authenticate(context);
        }

        List<ServerInterceptor> interceptors() {
            return interceptors;
        }

        /** Runs a task on another thread, or on this one if there is none to be had. */
        void surely(Runnable task) {
            try {
                threads.execute(task);
            } catch (RejectedExecutionException | OutOfMemoryError e) {
                LOG.log(System.Logger.Level.TRACE, "no thread for a task", e);
                task.run();
            }
        }

        /** Runs a task whose result is not awaited, as {@link Host#run}. */
        void run(Runnable task) {
            Host.this.run(task);
        }

        void execute(Runnable task) {
            try {
                threads.execute(task);
            } catch (RejectedExecutionException e) {
                // The server is closed: no one waits for the answer.
                if (task instanceof IncomingCall<?, ?> call) {
                    call.giveUp();
                }
            } catch (OutOfMemoryError e) {
                // No further thread. This one is then busy for a while, but the call is answered and frees its slot.
                LOG.log(System.Logger.Level.WARNING, "no thread for a call", e);
                task.run();
            }
        }
    }

    /** Continues with the calls of a peer that has read its answers. */
    static void resume(Source source) {
        for (Lane lane : source.lanes) {
            if (lane != null) {
                lane.service.resume(lane);
            }
        }
    }

    /** An error of the host. With {@code overloaded} it says when to come again (CALL-28). */
    CreoException ofHost(CreoException e) {
        long wait = (limits.retryAfter().toNanos() + 999_999) / 1_000_000;
        return e.code() == ErrorCode.OVERLOADED && wait > 0 ? Failures.with(e, "retry-after", Long.toString(wait)) : e;
    }

    /** An error that the host has found before the method has begun to run (CALL-21). */
    public CreoException refusal(CreoException e) {
        return Failures.notStarted(ofHost(e));
    }

    static CreoException overloaded(String limit, long allowed) {
        return Failures.withDetails(ErrorCode.OVERLOADED, "too many calls at once: " + limit + " is " + allowed,
            Map.of("limit", limit, "allowed", Long.toString(allowed)));
    }
}
