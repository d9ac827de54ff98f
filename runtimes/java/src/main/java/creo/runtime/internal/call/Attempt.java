package creo.runtime.internal.call;

import creo.runtime.Answer;
import creo.runtime.CallOptions;
import java.util.function.Consumer;

/** What a channel finds out about a call that interceptors see. It rides in the options of the call as the one who reads its answer. */
public final class Attempt implements Consumer<Answer> {
    private final long began;
    private final Consumer<Answer> reader;
    private volatile String peer;
    private volatile Answer answer;

    /**
     * @param began the {@link System#nanoTime} of its beginning
     * @param reader who else reads the answer, or null
     */
    Attempt(long began, Consumer<Answer> reader) {
        this.began = began;
        this.reader = reader;
    }

    @Override
    public void accept(Answer came) {
        answer = came;
        if (reader != null) {
            reader.accept(came);
        }
    }

    String peer() {
        return peer;
    }

    Answer answer() {
        return answer;
    }

    /** The {@link System#nanoTime} from which the time of a call counts (CALL-11). */
    public static long began(CallOptions options) {
        return options.answer() instanceof Attempt attempt ? attempt.began : System.nanoTime();
    }

    /** A call has reached a peer. */
    public static void reached(CallOptions options, String address) {
        if (options.answer() instanceof Attempt attempt) {
            attempt.peer = address;
        }
    }
}
