import creo.runtime.Limits;
import java.time.Duration;

/** Limits by their names; times are in milliseconds. */
final class AttackedLimits {
    private AttackedLimits() {}

    static Limits with(Limits limits, String name, long value) {
        return switch (name) {
            case "maxMessageSize" -> limits.withMaxMessageSize(value);
            case "maxMemory" -> limits.withMaxMemory(value);
            case "memoryBudget" -> limits.withMemoryBudget(value);
            case "maxConnections" -> limits.withMaxConnections((int) value);
            case "maxConcurrency" -> limits.withMaxConcurrency((int) value);
            case "maxQueue" -> limits.withMaxQueue((int) value);
            case "drainTime" -> limits.withDrainTime(Duration.ofMillis(value));
            case "preambleTimeout" -> limits.withPreambleTimeout(Duration.ofMillis(value));
            case "frameTimeout" -> limits.withFrameTimeout(Duration.ofMillis(value));
            case "idleTimeout" -> limits.withIdleTimeout(Duration.ofMillis(value));
            case "writeTimeout" -> limits.withWriteTimeout(Duration.ofMillis(value));
            case "maxConnectionsPerAddress" -> limits.withMaxConnectionsPerAddress((int) value);
            default -> throw new IllegalArgumentException("no limit is called " + name);
        };
    }
}
