package creo.runtime;

import java.util.concurrent.Callable;

/** Waiting for what other threads do. */
public final class Waiting {
    private Waiting() {
    }

    /** Waits until something is so. The limit of the test ends it: by an interrupt, which busy waiting would not notice. */
    public static void until(Callable<Boolean> reached) throws Exception {
        while (!reached.call()) {
            Thread.sleep(1);
        }
    }
}
