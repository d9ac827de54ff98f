package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import creo.runtime.codegen.Writer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Writers that are borrowed, written with, and given back. */
class SpareWriterTest {
    @Test
    void aWriterThatIsGivenBackIsUsedAgainAndBeginsAnew() {
        Writer first = Writer.borrow();
        first.writeLong(-1);
        first.hold();
        first.giveBack();
        Writer second = Writer.borrow();
        try {
            assertSame(first, second);
            second.writeByte((byte) 5);
            assertArrayEquals(new byte[] {5}, second.toBytes());
        } finally {
            second.giveBack();
        }
    }

    @Test
    void twoAtOnceAreTwo() {
        Writer outer = Writer.borrow();
        outer.writeInt(1);
        Writer inner = Writer.borrow();
        assertNotSame(outer, inner);
        inner.writeInt(2);
        inner.giveBack();
        assertArrayEquals(new byte[] {0, 0, 0, 1}, outer.toBytes());
        outer.giveBack();
    }

    @Test
    void aLargeArrayIsNotKept() {
        Writer large = Writer.borrow();
        large.reserve(100_000);
        large.giveBack();
        Writer next = Writer.borrow();
        assertNotSame(large, next);
        next.giveBack();
    }

    @Test
    void threadsNeverShareOne() throws Exception {
        int threads = 64;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<Integer>> tasks = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                byte mine = (byte) t;
                tasks.add(() -> wrong(mine));
            }
            for (Future<Integer> each : pool.invokeAll(tasks)) {
                assertEquals(0, each.get());
            }
        } finally {
            pool.shutdownNow();
        }
    }

    /** How many messages did not hold what this thread alone wrote. */
    private static int wrong(byte mine) {
        int wrong = 0;
        byte[] expected = new byte[200];
        Arrays.fill(expected, mine);
        for (int i = 0; i < 2_000; i++) {
            Writer w = Writer.borrow();
            try {
                for (int k = 0; k < expected.length; k++) {
                    w.writeByte(mine);
                }
                wrong += Arrays.equals(expected, w.toBytes()) ? 0 : 1;
            } finally {
                w.giveBack();
            }
        }
        return wrong;
    }
}
