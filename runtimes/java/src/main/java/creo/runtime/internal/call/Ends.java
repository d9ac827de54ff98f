package creo.runtime.internal.call;

import creo.runtime.Answer;
import creo.runtime.Interceptor;
import creo.runtime.codegen.LogText;
import creo.runtime.codegen.ServiceMethod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Who is told the end of one call: each once, whoever came last first (CALL-14). */
public final class Ends {
    private static final System.Logger LOG = System.getLogger("creo.runtime");

    private final ServiceMethod<?, ?> method;
    private final long began = System.nanoTime();
    private final List<Interceptor.End> ends = new ArrayList<>(4);
    /** Null until the call has ended. */
    private Interceptor.Outcome outcome;

    public Ends(ServiceMethod<?, ?> method) {
        this.method = method;
    }

    /** The {@link System#nanoTime} of the beginning of the call. */
    public long began() {
        return began;
    }

    /**
     * One more that is told.
     *
     * @param end which may be null
     * @return false if the call has ended meanwhile: then this one has been told, and no other shall begin
     */
    public boolean add(Interceptor.End end) {
        Interceptor.Outcome told;
        synchronized (this) {
            told = outcome;
            if (told == null && end != null) {
                ends.add(end);
            }
        }
        if (told == null) {
            return true;
        }
        if (end != null) {
            tell(end, told);
        }
        return false;
    }

    /** The call has ended; null for a failure after a result. Only the first end counts. */
    public void tell(Throwable failure, String peer, Answer answer) {
        synchronized (this) {
            if (outcome != null) {
                return;
            }
            outcome = new Interceptor.Outcome(failure, Duration.ofNanos(System.nanoTime() - began), peer, answer);
        }
        for (int i = ends.size() - 1; i >= 0; i--) {
            tell(ends.get(i), outcome);
        }
    }

    private void tell(Interceptor.End end, Interceptor.Outcome told) {
        try {
            end.ended(told);
        } catch (Throwable e) {
            LOG.log(System.Logger.Level.ERROR, "an interceptor failed at the end of a call of " + method, LogText.of(e));
        }
    }
}
