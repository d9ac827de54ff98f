package creo.runtime;

import creo.runtime.codegen.LogText;
import java.util.Locale;
import java.util.Objects;

/**
 * Writes one line at the end of each call that a server runs (CALL-79): method, outcome, time, peer, wire and transport, as in
 * {@code example.weather.Weather.celsius result 0.214 ms 127.0.0.1:50312 binary+tcp}. Never what a call carries: no arguments, results or metadata. It logs at
 * the level INFO, and does nothing while that is off.
 */
public final class AccessLog implements ServerInterceptor {
    /** The name of the usual log. */
    public static final String NAME = "creo.access";

    private final System.Logger log;

    /** Logs to the {@code System.Logger} named {@value #NAME}. */
    public AccessLog() {
        this(System.getLogger(NAME));
    }

    /** Logs elsewhere. */
    public AccessLog(System.Logger log) {
        this.log = Objects.requireNonNull(log, "log");
    }

    @Override
    public Interceptor.End serving(CallContext call) {
        return log.isLoggable(System.Logger.Level.INFO) ? outcome -> write(call, outcome) : null;
    }

    private void write(CallContext call, Interceptor.Outcome outcome) {
        String time = String.format(Locale.ROOT, "%.3f", outcome.time().toNanos() / 1e6);
        log.log(System.Logger.Level.INFO, call.method() + " " + outcome + " " + time + " ms " + LogText.of(call.peer()) + " " + call.wire());
    }
}
