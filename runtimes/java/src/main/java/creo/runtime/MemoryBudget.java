package creo.runtime;

/** Memory that several users share, as a number of bytes. Safe for many threads. */
interface MemoryBudget {
    /** Takes bytes of the budget; false, and nothing is taken, if there are not as many left. */
    boolean reserve(long bytes);

    /** Returns bytes that were taken. */
    void release(long bytes);
}
