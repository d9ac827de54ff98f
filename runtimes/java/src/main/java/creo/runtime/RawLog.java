package creo.runtime;

import creo.runtime.internal.http.RawText;
import java.util.Objects;

/** Writes raw messages to a log, each as one entry with several lines (CALL-68). Immutable. */
public final class RawLog implements RawMessages {
    private final System.Logger logger;
    private final System.Logger.Level level;
    private final int maxBody;
    private final boolean indented;

    private RawLog(System.Logger logger, System.Logger.Level level, int maxBody, boolean indented) {
        this.logger = Objects.requireNonNull(logger, "logger");
        this.level = Objects.requireNonNull(level, "level");
        this.maxBody = maxBody;
        this.indented = indented;
    }

    /** To the logger {@code creo.raw}, at the level {@code INFO}. */
    public RawLog() {
        this(System.getLogger("creo.raw"), System.Logger.Level.INFO);
    }

    public RawLog(System.Logger logger, System.Logger.Level level) {
        this(logger, level, MAX_BODY, false);
    }

    /** The same with line breaks and indentation in XML and JSON. */
    public RawLog indented() {
        return new RawLog(logger, level, maxBody, true);
    }

    /**
     * The same with another max number of bytes of a body.
     *
     * @throws IllegalArgumentException if it is not from 0 to 16,777,216
     */
    public RawLog withMaxBody(int bytes) {
        if (bytes < 0 || bytes > 16_777_216) {
            throw new IllegalArgumentException("maxBody is from 0 to 16777216, not " + bytes);
        }
        return new RawLog(logger, level, bytes, indented);
    }

    @Override
    public int maxBody() {
        return maxBody;
    }

    @Override
    public void message(RawMessage message) {
        if (logger.isLoggable(level)) {
            logger.log(level, text(message, indented));
        }
    }

    /**
     * A message as text of several lines.
     *
     * @param indented whether XML and JSON get line breaks and indentation
     */
    public static String text(RawMessage message, boolean indented) {
        return RawText.of(message, indented);
    }
}
