package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.internal.buffer.Threads;
import creo.runtime.internal.host.Readers;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The threads that read: each task begins at once, however many others have not ended. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class ReadersTest {
    private final ExecutorService others = Threads.executor("others");
    private final Readers readers = new Readers(others, Threads.daemons("readers"));

    @AfterEach
    void end() {
        readers.shutdown();
        others.shutdown();
    }

    @Test
    void tasksThatWaitForOneAnotherAllBegin() throws InterruptedException {
        for (int round = 0; round < 20; round++) {
            CountDownLatch all = new CountDownLatch(200);
            CountDownLatch over = new CountDownLatch(200);
            for (int i = 0; i < 200; i++) {
                readers.execute(() -> {
                    all.countDown();
                    await(all);
                    over.countDown();
                });
            }
            over.await();
        }
    }

    @Test
    void aTaskMayWaitForOneThatItHandsIn() throws InterruptedException {
        CountDownLatch over = new CountDownLatch(4_000);
        for (int from = 0; from < 4; from++) {
            others.execute(() -> {
                for (int i = 0; i < 1_000; i++) {
                    CountDownLatch outer = new CountDownLatch(1);
                    readers.execute(() -> {
                        CountDownLatch inner = new CountDownLatch(1);
                        readers.execute(inner::countDown);
                        await(inner);
                        outer.countDown();
                        over.countDown();
                    });
                    if (i % 3 == 0) {
                        await(outer);
                    }
                }
            });
        }
        over.await();
    }

    @Test
    void threadsAreUsedAgain() throws InterruptedException {
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < 1_000; i++) {
            CountDownLatch done = new CountDownLatch(1);
            readers.execute(() -> {
                threads.add(Thread.currentThread());
                done.countDown();
            });
            done.await();
        }
        // The previous one may not be idle yet.
        assertTrue(threads.size() < 500, () -> threads.size() + " threads");
        assertTrue(threads.stream().allMatch(Thread::isDaemon));
    }

    @Test
    void aTaskThatFailsOrIsInterruptedLeavesNothingBehind() throws InterruptedException {
        AtomicInteger interrupted = new AtomicInteger();
        for (int i = 0; i < 10; i++) {
            CountDownLatch done = new CountDownLatch(2);
            readers.execute(() -> {
                Thread.currentThread().interrupt();
                done.countDown();
                throw new IllegalStateException("a test: this task fails");
            });
            readers.execute(() -> {
                interrupted.addAndGet(Thread.currentThread().isInterrupted() ? 1 : 0);
                done.countDown();
            });
            done.await();
        }
        assertEquals(0, interrupted.get());
    }

    @Test
    void afterTheEndTasksAreRefusedAndThreadsEnd() throws InterruptedException {
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        CountDownLatch all = new CountDownLatch(40);
        AtomicBoolean late = new AtomicBoolean();
        for (int i = 0; i < 40; i++) {
            readers.execute(() -> {
                threads.add(Thread.currentThread());
                all.countDown();
                await(all);
            });
        }
        all.await();
        readers.shutdown();
        assertThrows(RejectedExecutionException.class, () -> readers.execute(() -> late.set(true)));
        for (Thread each : threads) {
            each.join();
        }
        assertFalse(late.get());
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
