package creo.runtime.codegen;

import creo.runtime.Limits;
import creo.runtime.internal.call.CallBodies;
import creo.runtime.internal.http.AnswerForm;
import creo.runtime.internal.http.MediaType;
import creo.runtime.internal.http.TextRequest;

/** A text wire as a server speaks it. Generated code hands those of an interface to its endpoint, so that a server knows no other. */
@SuppressWarnings("exports") // What names a type of the runtime within is for the runtime.
public abstract class TextWire {
    TextWire() {}

    /** Whether requests go to the path of the interface, and their message says which method they call (HTTP-1); otherwise each method has a path (HTTP-11). */
    public abstract boolean isFoundByMessage();

    /** Whether a request of a media type, or null, is meant for this wire. */
    public abstract boolean claims(MediaType type);

    /** Whether a request of a media type that this wire {@link #claims} can be read: its encoding is known. */
    public abstract boolean reads(MediaType type);

    /** The media types of requests, for messages. */
    public abstract String expected();

    /** The form of errors of a request before anything of its body is known. */
    public abstract AnswerForm form(MediaType type, Limits limits);

    /** Reads a request. */
    public abstract TextRequest<?, ?> read(TextRequest.Source source) throws TextRequest.Refusal;

    /** How calls of this wire are written over TCP; null if it is no wire of TCP. */
    public CallBodies bodies() {
        return null;
    }
}
