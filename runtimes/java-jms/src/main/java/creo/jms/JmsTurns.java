package creo.jms;

/**
 * Who of a host's threads takes the next request: a fixed number at a time. A thread whose call has a stream passes its turn on (JMS-28), so another one takes
 * requests in its place. Safe for use by many threads.
 */
final class JmsTurns {
    private final int count;
    private int free;
    private int waiting;
    private boolean ended;

    JmsTurns(int count) {
        this.count = count;
        this.free = count;
    }

    /** Waits for a turn; false if this thread is not needed any more. As many as there are turns wait for one, others are not needed. */
    synchronized boolean take() throws InterruptedException {
        if (ended || free == 0 && waiting >= count) {
            return false;
        }
        waiting++;
        try {
            while (free == 0 && !ended) {
                wait();
            }
        } finally {
            waiting--;
        }
        if (ended) {
            return false;
        }
        free--;
        return true;
    }

    /** Ends a turn; true if no thread waits for it. */
    synchronized boolean give() {
        free++;
        notify();
        return free > waiting;
    }

    /** No turn is given any more. */
    synchronized void end() {
        ended = true;
        notifyAll();
    }
}
