package creo.runtime.internal.call;

import creo.runtime.BalancedChannel.Resolver;
import creo.runtime.Balancing;
import creo.runtime.CallOptions;
import creo.runtime.Channel;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Limits;
import creo.runtime.codegen.LogText;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.internal.buffer.Failures;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/** A channel to several addresses (CALL-30 to CALL-38). A call that was not started at one is made at the next. */
public final class BalancingChannel extends AttemptingChannel {
    private static final System.Logger LOG = System.getLogger("creo.runtime");
    private static final int MAX_NAMED = 8;
    /** The time between two questions to the resolver while addresses are ejected. */
    private static final long HURRY = 1_000_000_000L;

    private final Addresses addresses;
    /** Null if the addresses are a list. */
    private final Resolver resolver;
    private final long refresh;
    private final LongSupplier clock;
    private final ReentrantLock lock = new ReentrantLock();
    /** The present question to the resolver, or null. */
    private CompletableFuture<Void> asking;
    private long askedAt;

    /** @param resolver null if the addresses are the list */
    public BalancingChannel(List<String> list, Resolver resolver, Function<String, Channel> opener, Balancing balancing) {
        this(list, resolver, opener, balancing, System::nanoTime);
    }

    BalancingChannel(List<String> list, Resolver resolver, Function<String, Channel> opener, Balancing balancing, LongSupplier clock) {
        this.addresses = new Addresses(opener, balancing, clock);
        this.resolver = resolver;
        this.refresh = balancing.refresh().toNanos();
        this.clock = clock;
        if (!list.isEmpty()) {
            addresses.set(list);
        }
    }

    /** An error of a call that was not started. */
    static CreoException unavailable(String reason, Throwable cause) {
        return Failures.notStarted(CreoException.ofRuntime(ErrorCode.UNAVAILABLE, reason, cause));
    }

    private final class Places extends Attempts {
        private final ServiceMethod<?, ?> method;
        /** Where the call was not started, each with the word of its error. */
        private final Map<Addresses.Address, String> tried = new LinkedHashMap<>();
        /** Where attempts of the same call go on, this one included (CALL-81); null if there is only one at a time. */
        private final List<Object> taken;
        private Addresses.Placement present;
        private CreoException lastError;

        Places(ServiceMethod<?, ?> method, CallOptions options) {
            super(options);
            this.method = method;
            this.taken = Companion.places(options);
        }

        @Override
        CompletableFuture<?> before() {
            CompletableFuture<?> found = resolver == null || !tried.isEmpty() ? null : refresh();
            if (found == null) {
                return null;
            }
            long end = end() != null ? end() : began() + Limits.DEFAULT.deadline().toNanos();
            return found.orTimeout(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        Channel next() {
            present = isClosed() ? null : addresses.place(tried.keySet(), taken);
            if (present == null) {
                throw isClosed() || lastError == null ? unavailable("the channel is closed", null) : lastError;
            }
            return addresses.channel(present.address());
        }

        @Override
        boolean ended(Throwable failure) {
            Addresses.Placement call = present;
            present = null;
            if (call == null) {
                return false;
            }
            addresses.ended(call, method, failure);
            if (taken != null) {
                taken.remove(call.address());
            }
            if (!(failure instanceof CreoException e) || e.code() != ErrorCode.UNAVAILABLE || !e.notStarted()) {
                lastError = null;
                return false;
            }
            tried.put(call.address(), e.code().word());
            lastError = e;
            return !isClosed();
        }

        @Override
        Throwable last(Throwable failure) {
            if (failure instanceof TimeoutException) {
                return Failures.ofRuntime(ErrorCode.DEADLINE_EXCEEDED, "the time for the call was over before an address was found");
            }
            if (failure != lastError || tried.size() < 2) {
                return failure;
            }
            String others = tried.entrySet().stream().limit(Math.min(MAX_NAMED, tried.size() - 1))
                .map(each -> each.getKey().name + " (" + each.getValue() + ")").collect(Collectors.joining(", "));
            return Failures.withReason(lastError, lastError.reason() + "; tried before: " + others);
        }
    }

    /** Asks the resolver if it is time; returns what a call must wait for while there are no addresses, or null. */
    private CompletableFuture<?> refresh() {
        CompletableFuture<Void> question = null;
        CompletableFuture<?> found;
        lock.lock();
        try {
            boolean none = addresses.isEmpty();
            if (asking == null) {
                long age = clock.getAsLong() - askedAt;
                if (!none && age < refresh && !(age >= HURRY && addresses.ejectedSince(false))) {
                    return null;
                }
                askedAt = clock.getAsLong();
                addresses.ejectedSince(true);
                question = new CompletableFuture<>();
                asking = question;
            }
            found = none ? asking.copy() : null;
        } finally {
            lock.unlock();
        }
        if (question != null) {
            ask(question);
        }
        return found;
    }

    /** Asks on another thread: callers do not wait for it, or at most until their deadlines. */
    private void ask(CompletableFuture<Void> question) {
        try {
            CompletableFuture.runAsync(() -> {
                try {
                    List<String> names = List.copyOf(resolver.resolve());
                    if (names.isEmpty()) {
                        throw new IllegalStateException("the resolver gave none");
                    }
                    answered(question, names, null);
                } catch (Throwable e) {
                    answered(question, null, e);
                }
            });
        } catch (OutOfMemoryError e) {
            answered(question, null, e);
        }
    }

    private void answered(CompletableFuture<Void> question, List<String> names, Throwable failure) {
        boolean none;
        lock.lock();
        try {
            asking = null;
            if (names != null) {
                addresses.set(names);
            }
            none = addresses.isEmpty();
        } finally {
            lock.unlock();
        }
        if (none) {
            question.completeExceptionally(unavailable("no address was found: " + (failure.getMessage() == null ? failure.toString() : failure.getMessage()), failure));
            return;
        }
        if (failure != null) {
            LOG.log(System.Logger.Level.WARNING, "the addresses remain, since no others were found", LogText.of(failure));
        }
        question.complete(null);
    }

    @Override
    Attempts begin(ServiceMethod<?, ?> method, CallOptions options) {
        return new Places(method, options);
    }

    @Override
    public void close() {
        super.close();
        addresses.close();
    }
}
