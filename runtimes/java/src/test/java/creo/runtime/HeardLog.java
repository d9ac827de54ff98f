package creo.runtime;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The log of the runtime until this is closed. */
final class HeardLog extends Handler implements AutoCloseable {
    private static final Logger LOGGER = Logger.getLogger("creo.runtime");

    final BlockingQueue<LogRecord> records = new LinkedBlockingQueue<>();

    HeardLog() {
        LOGGER.addHandler(this);
    }

    @Override
    public void publish(LogRecord entry) {
        records.add(entry);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        LOGGER.removeHandler(this);
    }
}
