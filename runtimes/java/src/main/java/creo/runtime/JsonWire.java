package creo.runtime;

/** JSON, as servers speak it. */
public final class JsonWire extends TextWire {
    /** For generated code. */
    public static final TextWire WIRE = new JsonWire();

    private JsonWire() {}

    @Override
    boolean isFoundByMessage() {
        return false;
    }

    @Override
    boolean claims(MediaType type) {
        return type != null && type.type().equals(JsonProblem.JSON);
    }

    @Override
    boolean reads(MediaType type) {
        return type.isUtf8();
    }

    @Override
    String expected() {
        return JsonProblem.JSON;
    }

    @Override
    AnswerForm form(MediaType type, Limits limits) {
        return new JsonAnswers(limits);
    }

    @Override
    TextRequest<?, ?> read(TextRequest.Source source) {
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
