package creo.runtime;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/** The limits of {@code spec/limits.md}, with its defaults. Immutable: each {@code with} method returns a changed copy. */
public final class Limits implements Cloneable {
    /** The defaults. */
    public static final Limits DEFAULT = new Limits();

    /** The divisor for one connection's share of the calls that a service runs and queues, and the min number of calls. */
    private static final int SHARE = 4;
    private static final int MIN_RUNNING = 4;
    private static final int MIN_QUEUED = 16;

    private long maxMessageSize = 134_217_728;
    private int trustedAllocation = 1_048_576;
    private int maxDepth = 100;
    private int maxEmptyItems = 65_536;
    /** 0: four times {@link #maxMessageSize}. */
    private long maxMemory = 0;
    private int maxMetadataSize = 16_384;
    private int maxConnections = 10_000;
    private int maxCallsPerConnection = 1_000;
    private int maxQueue = 1_000;
    private int maxConcurrency = Math.max(64, 16 * Runtime.getRuntime().availableProcessors());
    private Duration connectTimeout = Duration.ofSeconds(10);
    private Duration deadline = Duration.ofSeconds(60);
    private Duration drainTime = Duration.ofSeconds(10);
    private Duration preambleTimeout = Duration.ofSeconds(10);
    private Duration frameTimeout = Duration.ofSeconds(60);
    private Duration idleTimeout = Duration.ofMinutes(10);
    private Duration writeTimeout = Duration.ofSeconds(30);
    private int maxConnectionsPerAddress = 2_500;
    /** 0: a share of another limit. */
    private int maxRunningPerConnection = 0;
    private int maxQueuePerConnection = 0;
    private int maxQueuedAnswers = 1_048_576;
    private long memoryBudget = 0;
    private int maxXmlDepth = 500;
    private int maxXmlAttributes = 256;
    private int maxXmlName = 1_024;
    private int maxXmlNamespaces = 1_024;
    /** 0: as {@link #maxMessageSize}. */
    private int maxXmlText = 0;
    private int maxParts = 1_000;
    private int maxHeaderSize = 65_536;
    private Duration retryAfter = Duration.ZERO;
    private int streamWindow = 1_048_576;
    private int maxStreams = 1_000;

    private Limits() {}

    /** A changed copy. */
    private Limits with(Consumer<Limits> change) {
        try {
            Limits copy = (Limits) clone();
            change.accept(copy);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** LIM-1: bytes of one body, uncompressed. */
    public long maxMessageSize() {
        return maxMessageSize;
    }

    /** LIM-3: bytes allocated for a claimed length before the data has arrived. */
    public int trustedAllocation() {
        return trustedAllocation;
    }

    /** LIM-4: nested values of recursive types. */
    public int maxDepth() {
        return maxDepth;
    }

    /** LIM-5: items of one body whose min size is 0. */
    public int maxEmptyItems() {
        return maxEmptyItems;
    }

    /** LIM-18: nominal bytes that one decoded message takes. */
    public long maxMemory() {
        return maxMemory > 0 ? maxMemory : 4 * maxMessageSize;
    }

    /** LIM-6: bytes of the metadata of a request. */
    public int maxMetadataSize() {
        return maxMetadataSize;
    }

    /** LIM-7: connections of one server. */
    public int maxConnections() {
        return maxConnections;
    }

    /** LIM-8: calls in progress on a connection. */
    public int maxCallsPerConnection() {
        return maxCallsPerConnection;
    }

    /** LIM-9: calls that wait for a worker, per service. */
    public int maxQueue() {
        return maxQueue;
    }

    /** LIM-10: calls that run at once, per service. */
    public int maxConcurrency() {
        return maxConcurrency;
    }

    /** LIM-11: time to connect, which also counts toward the deadline. */
    public Duration connectTimeout() {
        return connectTimeout;
    }

    /** LIM-12: time of a call, unless the caller sets another. */
    public Duration deadline() {
        return deadline;
    }

    /** LIM-13: time of a server's shutdown. */
    public Duration drainTime() {
        return drainTime;
    }

    /** LIM-14: time until the first eight bytes of a connection arrive, TLS included. */
    public Duration preambleTimeout() {
        return preambleTimeout;
    }

    /** LIM-15: time from the first byte of a fragmented message to its last. */
    public Duration frameTimeout() {
        return frameTimeout;
    }

    /** LIM-16: time of a connection without calls, or null for no limit. */
    public Duration idleTimeout() {
        return idleTimeout;
    }

    /** LIM-27: time in which a peer must take 64 KiB of the queued data, or all of it. */
    public Duration writeTimeout() {
        return writeTimeout;
    }

    /** LIM-28: connections of one remote address. */
    public int maxConnectionsPerAddress() {
        return maxConnectionsPerAddress;
    }

    /** LIM-29: calls of one connection that run at once, per service; by default a quarter of {@link #maxConcurrency}, but at least 4. */
    public int maxRunningPerConnection() {
        return maxRunningPerConnection > 0 ? maxRunningPerConnection : Math.max(MIN_RUNNING, maxConcurrency / SHARE);
    }

    /** LIM-30: calls of one connection that wait for a worker, per service; by default a quarter of {@link #maxQueue}, but at least 16. */
    public int maxQueuePerConnection() {
        return maxQueuePerConnection > 0 ? maxQueuePerConnection : Math.max(MIN_QUEUED, maxQueue / SHARE);
    }

    /** LIM-31: bytes of answers queued for one peer before no further call is taken from it. */
    public int maxQueuedAnswers() {
        return maxQueuedAnswers;
    }

    /** LIM-32: bytes of all messages that a server holds; by default a quarter of the heap. */
    public long memoryBudget() {
        return memoryBudget > 0 ? memoryBudget : Runtime.getRuntime().maxMemory() / 4;
    }

    /** LIM-20: elements that are open at once, including the envelope. */
    public int maxXmlDepth() {
        return maxXmlDepth;
    }

    /** LIM-21: attributes and namespace declarations of one element. */
    public int maxXmlAttributes() {
        return maxXmlAttributes;
    }

    /** LIM-22: bytes of a name, with its prefix. */
    public int maxXmlName() {
        return maxXmlName;
    }

    /** LIM-23: namespace declarations in scope at once. */
    public int maxXmlNamespaces() {
        return maxXmlNamespaces;
    }

    /** LIM-24: bytes of one text or attribute. */
    public int maxXmlText() {
        return maxXmlText > 0 ? maxXmlText : (int) Math.min(Integer.MAX_VALUE - 64, maxMessageSize);
    }

    /** LIM-25: parts of a multipart message. */
    public int maxParts() {
        return maxParts;
    }

    /** LIM-26: bytes of the headers of an HTTP message. */
    public int maxHeaderSize() {
        return maxHeaderSize;
    }

    /** LIM-37: when a caller that a server answers as {@code overloaded} should come again; zero to say nothing. */
    public Duration retryAfter() {
        return retryAfter;
    }

    /** LIM-38: bytes of one stream that arrived or may arrive, and that the program has not taken; one more frame may exceed it. */
    public int streamWindow() {
        return streamWindow;
    }

    /** LIM-39: calls with streams in progress, per service. */
    public int maxStreams() {
        return maxStreams;
    }

    /** LIM-39: calls with streams of one connection that are in progress, per service: a quarter of {@link #maxStreams}, but at least 16. */
    public int maxStreamsPerConnection() {
        return Math.max(MIN_QUEUED, maxStreams / SHARE);
    }

    public Limits withMaxMessageSize(long bytes) {
        return with(l -> l.maxMessageSize = inRange("maxMessageSize", bytes, 1, Integer.MAX_VALUE - 64));
    }

    public Limits withTrustedAllocation(int bytes) {
        return with(l -> l.trustedAllocation = (int) inRange("trustedAllocation", bytes, 1, Integer.MAX_VALUE));
    }

    public Limits withMaxDepth(int levels) {
        return with(l -> l.maxDepth = (int) inRange("maxDepth", levels, 1, 10_000));
    }

    public Limits withMaxEmptyItems(int items) {
        return with(l -> l.maxEmptyItems = (int) inRange("maxEmptyItems", items, 0, Integer.MAX_VALUE));
    }

    public Limits withMaxMemory(long bytes) {
        return with(l -> l.maxMemory = inRange("maxMemory", bytes, 1, 1L << 50));
    }

    public Limits withMaxMetadataSize(int bytes) {
        return with(l -> l.maxMetadataSize = (int) inRange("maxMetadataSize", bytes, 0, 1 << 24));
    }

    public Limits withMaxConnections(int connections) {
        return with(l -> l.maxConnections = (int) inRange("maxConnections", connections, 1, Integer.MAX_VALUE));
    }

    public Limits withMaxCallsPerConnection(int calls) {
        return with(l -> l.maxCallsPerConnection = (int) inRange("maxCallsPerConnection", calls, 1, Integer.MAX_VALUE));
    }

    public Limits withMaxQueue(int calls) {
        return with(l -> l.maxQueue = (int) inRange("maxQueue", calls, 0, Integer.MAX_VALUE));
    }

    public Limits withMaxConcurrency(int calls) {
        return with(l -> l.maxConcurrency = (int) inRange("maxConcurrency", calls, 1, 1_000_000));
    }

    public Limits withConnectTimeout(Duration time) {
        return with(l -> l.connectTimeout = positive("connectTimeout", time));
    }

    public Limits withDeadline(Duration time) {
        return with(l -> l.deadline = positive("deadline", time));
    }

    public Limits withDrainTime(Duration time) {
        return with(l -> l.drainTime = positive("drainTime", time));
    }

    public Limits withPreambleTimeout(Duration time) {
        return with(l -> l.preambleTimeout = positive("preambleTimeout", time));
    }

    public Limits withFrameTimeout(Duration time) {
        return with(l -> l.frameTimeout = positive("frameTimeout", time));
    }

    /** {@code null} for no limit. */
    public Limits withIdleTimeout(Duration time) {
        return with(l -> l.idleTimeout = time == null ? null : positive("idleTimeout", time));
    }

    public Limits withWriteTimeout(Duration time) {
        return with(l -> l.writeTimeout = positive("writeTimeout", time));
    }

    public Limits withMaxConnectionsPerAddress(int connections) {
        return with(l -> l.maxConnectionsPerAddress = (int) inRange("maxConnectionsPerAddress", connections, 1, Integer.MAX_VALUE));
    }

    public Limits withMaxRunningPerConnection(int calls) {
        return with(l -> l.maxRunningPerConnection = (int) inRange("maxRunningPerConnection", calls, 1, 1_000_000));
    }

    public Limits withMaxQueuePerConnection(int calls) {
        return with(l -> l.maxQueuePerConnection = (int) inRange("maxQueuePerConnection", calls, 1, Integer.MAX_VALUE));
    }

    public Limits withMaxQueuedAnswers(int bytes) {
        return with(l -> l.maxQueuedAnswers = (int) inRange("maxQueuedAnswers", bytes, 1, Integer.MAX_VALUE));
    }

    public Limits withMemoryBudget(long bytes) {
        return with(l -> l.memoryBudget = inRange("memoryBudget", bytes, 1, Long.MAX_VALUE / 2));
    }

    public Limits withMaxXmlDepth(int levels) {
        return with(l -> l.maxXmlDepth = (int) inRange("maxXmlDepth", levels, 1, 100_000));
    }

    public Limits withMaxXmlAttributes(int attributes) {
        return with(l -> l.maxXmlAttributes = (int) inRange("maxXmlAttributes", attributes, 1, 65_536));
    }

    public Limits withMaxXmlName(int bytes) {
        return with(l -> l.maxXmlName = (int) inRange("maxXmlName", bytes, 1, 65_536));
    }

    public Limits withMaxXmlNamespaces(int declarations) {
        return with(l -> l.maxXmlNamespaces = (int) inRange("maxXmlNamespaces", declarations, 1, 65_536));
    }

    public Limits withMaxXmlText(int bytes) {
        return with(l -> l.maxXmlText = (int) inRange("maxXmlText", bytes, 1, 2_147_483_583));
    }

    public Limits withMaxParts(int parts) {
        return with(l -> l.maxParts = (int) inRange("maxParts", parts, 1, 1_000_000));
    }

    public Limits withMaxHeaderSize(int bytes) {
        return with(l -> l.maxHeaderSize = (int) inRange("maxHeaderSize", bytes, 256, 16_777_216));
    }

    /** Zero to say nothing. */
    public Limits withRetryAfter(Duration time) {
        return with(l -> l.retryAfter = time.isZero() ? time : positive("retryAfter", time));
    }

    /** As 262,144 bytes if it is less. */
    public Limits withStreamWindow(int bytes) {
        return with(l -> l.streamWindow = (int) inRange("streamWindow", bytes, 1, 1 << 30));
    }

    public Limits withMaxStreams(int calls) {
        return with(l -> l.maxStreams = (int) inRange("maxStreams", calls, 1, 1_000_000));
    }

    private static long inRange(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " must be from " + least + " to " + most + ", not " + value);
        }
        return value;
    }

    private static Duration positive(String name, Duration time) {
        Objects.requireNonNull(time, name);
        if (time.isNegative() || time.isZero() || time.compareTo(Duration.ofDays(365)) > 0) {
            throw new IllegalArgumentException(name + " must be more than nothing and at most a year, not " + time);
        }
        return time;
    }
}
