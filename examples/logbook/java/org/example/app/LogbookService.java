package org.example.app;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.example.logbook.Changed;
import org.example.logbook.Entry;
import org.example.logbook.Kept;
import org.example.logbook.Level;
import org.example.logbook.Logbook;
import org.example.logbook.Query;
import org.example.logbook.Refused;
import org.example.logbook.Setting;

/** The logbook: checks what it is given, and waits for what there is not yet. Calls come from many threads at the same time. */
final class LogbookService implements Logbook {
    static final int MAX_ENTRIES = 1_000;
    static final int MAX_TEXT = 10_000;
    static final int MAX_NAME = 100;
    static final int MAX_PROGRAMS = 1_000;
    static final int MIN_INTERVAL = 10;
    static final int MAX_INTERVAL = 60_000;
    private static final int MAX_WAIT = 20_000;
    private static final Level FIRST_LEVEL = Level.INFO;
    private static final int FIRST_INTERVAL = 1_000;

    private final Store store;
    private final Changes entryChanges = new Changes();
    private final Changes settingChanges = new Changes();
    private final Committer committer;

    LogbookService(Store store) {
        this.store = store;
        committer = new Committer(store, entryChanges);
    }

    /** A transaction, or a wait for one. */
    private interface Work<T> {
        T get() throws SQLException, InterruptedException;
    }

    private static <T> T run(Work<T> work) {
        try {
            return work.get();
        } catch (SQLException e) {
            throw Committer.unavailable(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CreoException(ErrorCode.UNAVAILABLE, "the service ends");
        }
    }

    @Override
    public void write(List<Entry> entries) throws Refused {
        if (entries.size() > MAX_ENTRIES) {
            throw new Refused("more than " + MAX_ENTRIES + " entries");
        }
        List<Entry> checked = new ArrayList<>(entries.size());
        for (Entry entry : entries) {
            checkName("writer", entry.writer());
            checkName("program", entry.program());
            if (entry.text().length() > MAX_TEXT) {
                throw new Refused("text: more than " + MAX_TEXT + " characters");
            }
            checked.add(entry.toBuilder().text(printable(entry.text())).build());
        }
        if (!checked.isEmpty()) {
            run(() -> {
                committer.write(checked);
                return null;
            });
        }
    }

    private static void checkName(String field, String name) throws Refused {
        if (name.isEmpty() || name.length() > MAX_NAME || !name.equals(printable(name))) {
            throw new Refused(field + ": 1 to " + MAX_NAME + " printable characters");
        }
    }

    /** Without the characters that XML or PostgreSQL cannot hold. They are replaced, since a program should not lose a message for one of them. */
    private static String printable(String text) {
        StringBuilder changed = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' && c != '\t' && c != '\n' && c != '\r' || c >= '\ufffe') {
                changed = changed == null ? new StringBuilder(text) : changed;
                changed.setCharAt(i, '\ufffd');
            }
        }
        return changed == null ? text : changed.toString();
    }

    @Override
    public List<Kept> read(Query query) {
        int count = Math.max(0, Math.min(query.count(), MAX_ENTRIES));
        long deadline = deadline(query.waitMillis());
        return run(() -> {
            while (true) {
                long before = entryChanges.count();
                List<Kept> found = store.read(query, count);
                if (!found.isEmpty() || System.nanoTime() - deadline >= 0) {
                    return found;
                }
                entryChanges.await(before, deadline);
            }
        });
    }

    private static long deadline(int waitMillis) {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Math.max(0, Math.min(waitMillis, MAX_WAIT)));
    }

    @Override
    public long count() {
        return run(store::count);
    }

    @Override
    public Setting setting(String program, long knownVersion, int waitMillis) throws Refused {
        checkName("program", program);
        long deadline = deadline(waitMillis);
        Setting found = run(() -> {
            while (true) {
                long before = settingChanges.count();
                Setting now = store.setting(program);
                if (now == null) {
                    if (!store.add(new Setting(program, FIRST_LEVEL, FIRST_INTERVAL, 1), MAX_PROGRAMS)) {
                        return null;
                    }
                } else if (now.version() != knownVersion || System.nanoTime() - deadline >= 0) {
                    return now;
                } else {
                    settingChanges.await(before, deadline);
                }
            }
        });
        if (found == null) {
            throw new Refused("there are " + MAX_PROGRAMS + " programs already");
        }
        return found;
    }

    @Override
    public List<Setting> settings() {
        return run(store::settings);
    }

    @Override
    public Setting configure(Setting setting) throws Refused, Changed {
        int interval = setting.intervalMillis();
        if (interval < MIN_INTERVAL || interval > MAX_INTERVAL) {
            throw new Refused("intervalMillis: " + MIN_INTERVAL + " to " + MAX_INTERVAL);
        }
        boolean changed = run(() -> store.change(setting));
        Setting now = run(() -> store.setting(setting.program()));
        if (now == null) {
            throw new Refused("there is no such program");
        }
        if (!changed) {
            throw new Changed(now);
        }
        settingChanges.happened();
        return now;
    }
}
