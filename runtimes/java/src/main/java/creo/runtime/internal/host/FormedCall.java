package creo.runtime.internal.host;

import creo.runtime.CreoException;
import creo.runtime.internal.http.AnswerForm;
import creo.runtime.internal.http.TextRequest;
import java.security.Principal;
import java.util.Map;

/** A call with a single message as its answer, in the form of its wire. A transport's subclass sends it. */
abstract class FormedCall<A, R> extends IncomingCall<A, R> {
    private final AnswerForm form;
    private final Principal user;

    FormedCall(Host.Entry<A, R> entry, TextRequest<A, R> read, Map<String, String> metadata, Caller caller, long deadline, boolean limited) {
        super(entry, read.arguments(), metadata, caller, deadline, limited);
        this.form = read.form();
        this.user = read.user();
    }

    @Override
    final Principal user() {
        return user;
    }

    final AnswerForm form() {
        return form;
    }

    /** The name of the transport. */
    abstract String transport();

    @Override
    public final String wire() {
        return form.wire() + "+" + transport();
    }

    /** Whether this answer is the first and is still awaited. */
    abstract boolean begin();

    /** The destination for an answer of the kind. */
    abstract AnswerForm.Sink sink(AnswerForm.Kind kind);

    /** Sends the result after {@link #begin}; fails if it cannot be written. */
    void sendResult(R result) {
        form.result(method(), result, sink(AnswerForm.Kind.RESPONSE));
    }

    /** Sends an error after {@link #begin}; never throws. */
    abstract void sendError(CreoException e);

    @Override
    final void answer(R result) {
        if (begin()) {
            try {
                sendResult(result);
            } catch (RuntimeException | Error e) {
                sendError(unwritable(e));
            }
        }
    }

    @Override
    final void answerException(int index, Exception e) {
        if (begin()) {
            try {
                form.exception(method(), index, e, sink(AnswerForm.Kind.EXCEPTION));
            } catch (RuntimeException | Error failure) {
                sendError(unwritable(failure));
            }
        }
    }
}
