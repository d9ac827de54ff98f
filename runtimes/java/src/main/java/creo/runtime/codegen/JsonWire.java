package creo.runtime.codegen;

import creo.runtime.CreoException;
import creo.runtime.Limits;
import creo.runtime.internal.buffer.PaddedBytes;
import creo.runtime.internal.http.AnswerForm;
import creo.runtime.internal.http.MediaType;
import creo.runtime.internal.http.TextMethods;
import creo.runtime.internal.http.TextRequest;
import creo.runtime.internal.http.json.JsonAnswers;
import creo.runtime.internal.http.json.JsonProblem;
import creo.runtime.internal.json.JsonReader;

/** JSON as spoken by servers. */
@SuppressWarnings("exports") // Parameters of internal types are for the runtime only.
public final class JsonWire extends TextWire {
    /** For generated code. */
    public static final TextWire WIRE = new JsonWire();

    private JsonWire() {}

    @Override
    public boolean isFoundByMessage() {
        return false;
    }

    @Override
    public boolean claims(MediaType type) {
        return type != null && type.type().equals(JsonProblem.JSON);
    }

    @Override
    public boolean reads(MediaType type) {
        return type.isUtf8();
    }

    @Override
    public String expected() {
        return JsonProblem.JSON;
    }

    @Override
    public boolean carriesStreams() {
        return true;
    }

    @Override
    public AnswerForm form(MediaType type, Limits limits) {
        return new JsonAnswers(limits);
    }

    @Override
    public TextRequest<?, ?> read(TextRequest.Source source) {
        return read(source.method(), source.body(), source.limits());
    }

    /** Reads a request as JSON. */
    private static <A, R> TextRequest<A, R> read(ServiceMethod<A, R> method, PaddedBytes body, Limits limits) {
        TextMessage<A> message = TextMethods.of(method).request;
        JsonReader r = JsonReader.borrow(limits);
        try {
            if (body.length() == 0 && message.record.fields.length == 0) {
                r.open(new byte[] {'{', '}'}, 0, 2);
            } else {
                r.openBody(body);
            }
            r.beginRoot(message.root());
            A arguments = message.decoder.read(r);
            r.endDocument();
            return new TextRequest<>(method, new JsonAnswers(limits), arguments);
        } catch (CreoException e) {
            throw r.locate(e);
        } finally {
            r.giveBack();
        }
    }
}
