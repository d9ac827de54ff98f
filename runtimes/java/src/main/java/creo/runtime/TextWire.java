package creo.runtime;

/** A text wire as a server speaks it. Generated code hands those of an interface to its endpoint, so that a server knows no other. */
public abstract class TextWire {
    TextWire() {}

    /** Whether requests go to the path of the interface, and their message says which method they call (HTTP-1); otherwise each method has a path (HTTP-11). */
    abstract boolean isFoundByMessage();

    /** Whether a request of a media type, or null, is meant for this wire. */
    abstract boolean claims(MediaType type);

    /** Whether a request of a media type that this wire {@link #claims} can be read: its encoding is known. */
    abstract boolean reads(MediaType type);

    /** The media types of requests, for messages. */
    abstract String expected();

    /** The form of errors of a request before anything of its body is known. */
    abstract AnswerForm form(MediaType type, Limits limits);

    /** Reads a request. */
    abstract TextRequest<?, ?> read(TextRequest.Source source) throws TextRequest.Refusal;

    /** How calls of this wire are written over TCP; null if it is no wire of TCP. */
    CallBodies bodies() {
        return null;
    }
}
