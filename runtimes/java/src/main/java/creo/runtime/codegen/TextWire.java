package creo.runtime.codegen;

import creo.runtime.Limits;
import creo.runtime.internal.call.CallBodies;
import creo.runtime.internal.http.AnswerForm;
import creo.runtime.internal.http.MediaType;
import creo.runtime.internal.http.TextRequest;

/** A text wire as spoken by a server. Generated code gives its endpoint the wires of the interface; the server has no others. */
@SuppressWarnings("exports") // Parameters of internal types are for the runtime only.
public abstract class TextWire {
    TextWire() {}

    /** Whether requests go to the interface's path and the message names the method (HTTP-1); otherwise each method has a path (HTTP-11). */
    public abstract boolean isFoundByMessage();

    /** Whether a request with a media type, which may be null, is for this wire. */
    public abstract boolean claims(MediaType type);

    /** Whether a request of a media type that this wire {@link #claims} can be read: its encoding is supported. */
    public abstract boolean reads(MediaType type);

    /** The media types of requests, for messages. */
    public abstract String expected();

    /** The form of errors before anything of the request's body is known. */
    public abstract AnswerForm form(MediaType type, Limits limits);

    /** Whether it carries methods with a stream (CALL-47). */
    public boolean carriesStreams() {
        return false;
    }

    /** Reads a request. */
    public abstract TextRequest<?, ?> read(TextRequest.Source source) throws TextRequest.Refusal;

    /** How calls of this wire are written over TCP; null if the wire does not use TCP. */
    public CallBodies bodies() {
        return null;
    }
}
