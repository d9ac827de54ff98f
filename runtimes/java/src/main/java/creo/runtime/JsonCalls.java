package creo.runtime;

import java.util.Map;

/** Calls as JSON ({@code spec/wires/json.md}, section 3). */
final class JsonCalls extends CallForm {
    private final Limits limits;

    JsonCalls(ClientOptions options) {
        this.limits = options.limits();
    }

    @Override
    boolean isBeneath() {
        return true;
    }

    @Override
    <A> Body write(ServiceMethod<A, ?> method, A arguments) {
        TextMessage<A> message = TextMethods.of(method).request;
        JsonWriter w = JsonWriter.borrow(limits);
        try {
            w.beginRecord(message.root(), message.record);
            message.all().write(w, arguments);
            w.endRecord(message.root(), message.record);
            w.end();
            return new Body(w.toBytes(), JsonProblem.JSON, null);
        } catch (CreoException e) {
            throw w.locate(e);
        } finally {
            w.giveBack();
        }
    }

    @Override
    <R> R read(ServiceMethod<?, R> method, Reply reply) throws Exception {
        if (reply.isType(JsonProblem.MEDIA_TYPE)) {
            throw problem(method, reply);
        }
        if (!reply.isFine()) {
            throw reply.unexplained(null);
        }
        if (method.isOneway() || AnswerForm.isVoid(method)) {
            return null;
        }
        if (reply.status != 200 || !reply.isType(JsonProblem.JSON) || !reply.type.isUtf8()) {
            throw reply.unexplained(null);
        }
        JsonReader r = JsonReader.borrow(limits);
        try {
            r.openBody(reply.body);
            r.expectResult();
            R result = TextMethods.of(method).response.decoder.read(r);
            r.endDocument();
            return result;
        } catch (CreoException e) {
            throw r.locate(e).root("$result");
        } finally {
            r.giveBack();
        }
    }

    /** What a problem document says (JSON-24). */
    private Exception problem(ServiceMethod<?, ?> method, Reply reply) {
        PaddedBytes body = reply.body;
        JsonReader r = JsonReader.borrow(limits);
        try {
            JsonProblem.Read problem;
            try {
                r.openBody(body);
                problem = JsonProblem.read(r);
            } catch (CreoException e) {
                return reply.isFine() ? r.locate(e).root("$error") : reply.unexplained(null);
            }
            String type = problem.type() == null ? "" : problem.type();
            String said = said(problem);
            if (type.startsWith(JsonProblem.ERROR)) {
                return Errors.ofPeer(type.substring(JsonProblem.ERROR.length()), problem.detail() == null ? said : problem.detail(), problem.details());
            }
            if (type.startsWith(JsonProblem.EXCEPTION)) {
                return exception(method, type.substring(JsonProblem.EXCEPTION.length()), body);
            }
            return reply.unexplained(said.isEmpty() ? null : said);
        } finally {
            r.giveBack();
        }
    }

    private static String said(JsonProblem.Read problem) {
        String title = problem.title() == null ? "" : problem.title();
        String detail = problem.detail() == null ? "" : problem.detail();
        return title.isEmpty() ? detail : detail.isEmpty() ? title : title + ": " + detail;
    }

    private Exception exception(ServiceMethod<?, ?> method, String name, PaddedBytes body) {
        for (TextCodec<? extends Exception> codec : TextMethods.of(method).exceptions) {
            if (codec.fullName.equals(name)) {
                JsonReader r = JsonReader.borrow(limits);
                try {
                    r.openBody(body);
                    return JsonProblem.value(r, codec);
                } catch (CreoException e) {
                    return r.locate(e).root("$exception");
                } finally {
                    r.giveBack();
                }
            }
        }
        return CreoException.ofPeer(ErrorCode.INTERNAL, "the exception " + name + ", which the method does not declare", Map.of());
    }
}
