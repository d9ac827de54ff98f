package org.example.app;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import org.example.logbook.Entry;

/** Writes what many calls bring in one transaction: while the disk is busy with one, the next ones gather. So its speed bounds transactions, not calls. */
final class Committer {
    private record Batch(List<Entry> entries, CompletableFuture<Void> done) {}

    private static final System.Logger LOG = System.getLogger("logbook");
    private static final int MAX_ENTRIES = 10_000;

    private final Store store;
    private final Changes changes;
    private final BlockingQueue<Batch> waiting = new LinkedBlockingQueue<>();

    Committer(Store store, Changes changes) {
        this.store = store;
        this.changes = changes;
        Thread thread = new Thread(this::run, "logbook-committer");
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns when the entries are on disk. */
    void write(List<Entry> entries) throws InterruptedException {
        Batch batch = new Batch(entries, new CompletableFuture<>());
        waiting.add(batch);
        try {
            batch.done().get();
        } catch (ExecutionException e) {
            throw unavailable(e.getCause());
        }
    }

    /** Whether they were kept is open then: the writer sends them again, and they are kept once. */
    static CreoException unavailable(Throwable cause) {
        LOG.log(System.Logger.Level.WARNING, "the database has failed", cause);
        return new CreoException(ErrorCode.UNAVAILABLE, "the database has failed");
    }

    private void run() {
        try {
            while (true) {
                commit(gather(waiting.take()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<Batch> gather(Batch first) {
        List<Batch> group = new ArrayList<>(List.of(first));
        int count = first.entries().size();
        while (count < MAX_ENTRIES) {
            Batch next = waiting.poll();
            if (next == null) {
                break;
            }
            group.add(next);
            count += next.entries().size();
        }
        return group;
    }

    private void commit(List<Batch> group) {
        try {
            store.insert(group.stream().flatMap(batch -> batch.entries().stream()).toList());
            group.forEach(batch -> batch.done().complete(null));
            changes.happened();
        } catch (SQLException | RuntimeException e) {
            group.forEach(batch -> batch.done().completeExceptionally(e));
        }
    }
}
