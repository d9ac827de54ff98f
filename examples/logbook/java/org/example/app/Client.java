package org.example.app;

import creo.runtime.CreoException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.example.logbook.Entry;
import org.example.logbook.Level;
import org.example.logbook.LogbookClient;
import org.example.logbook.Refused;
import org.example.logbook.Setting;

/**
 * A program that logs what it does, and does it as its setting says: {@code Client HOST PORT PROGRAM [COUNT]}.
 *
 * <p>It works until it is stopped. With a count, it logs so many entries as fast as it can instead.
 */
public final class Client {
    private static final int BATCH = 100;

    private final LogbookClient logbook;
    private final String program;
    private final String writer;
    private final List<Entry> unsent = new ArrayList<>();
    private long number;
    private int retries;
    private Setting setting;

    /** A call that is repeated until the logbook answers. */
    private interface Call<T> {
        T make() throws Refused;
    }

    private Client(LogbookClient logbook, String program) throws Exception {
        this.logbook = logbook;
        this.program = program;
        writer = program + " " + UUID.randomUUID();
        setting = retry(() -> logbook.setting(program, 0, 0));
    }

    public static void main(String[] args) throws Exception {
        try (LogbookClient logbook = new LogbookClient(args[0], Integer.parseInt(args[1]))) {
            Client client = new Client(logbook, args[2]);
            if (args.length > 3) {
                client.hurry(Integer.parseInt(args[3]));
            } else {
                client.work();
            }
        }
    }

    private void work() throws Exception {
        for (int step = 1;; step++) {
            log(Level.DEBUG, "step " + step + " begins");
            log(Level.INFO, "step " + step + " is done");
            if (step % 10 == 0) {
                log(Level.WARNING, "step " + step + " was slow");
            }
            if (step % 25 == 0) {
                log(Level.ERROR, "step " + step + " has failed");
            }
            send();
            pause();
        }
    }

    private void hurry(int count) throws Exception {
        for (int i = 0; i < count; i++) {
            add(Level.INFO, "entry " + i);
            if (unsent.size() == BATCH) {
                send();
            }
        }
        send();
        System.out.println(program + ": " + number + " entries, " + retries + " calls repeated");
    }

    private void log(Level level, String text) {
        if (level.compareTo(setting.level()) >= 0) {
            add(level, text);
        }
    }

    private void add(Level level, String text) {
        unsent.add(new Entry(writer, number++, program, Instant.now(), level, text));
    }

    /** Whether a call that failed was carried out is not known: entries that come twice have the same writer and number, and are kept once. */
    private void send() throws Exception {
        retry(() -> {
            logbook.write(unsent);
            return null;
        });
        unsent.clear();
    }

    /** Waits for the next step; less long if the setting changes. */
    private void pause() throws Exception {
        Setting now = retry(() -> logbook.setting(program, setting.version(), setting.intervalMillis()));
        if (now.version() != setting.version()) {
            setting = now;
            add(Level.INFO, "new setting: level " + now.level() + ", a step each " + now.intervalMillis() + " ms");
        }
    }

    private <T> T retry(Call<T> call) throws Exception {
        while (true) {
            try {
                return call.make();
            } catch (CreoException e) {
                switch (e.code()) {
                    case UNAVAILABLE, OVERLOADED, DEADLINE_EXCEEDED -> Thread.sleep(200);
                    default -> throw e;
                }
                retries++;
            }
        }
    }
}
