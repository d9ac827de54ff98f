package creo.runtime.internal.http.json;

import creo.runtime.ClientOptions;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Limits;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.TextCodec;
import creo.runtime.codegen.TextMessage;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.buffer.PaddedBytes;
import creo.runtime.internal.call.Errors;
import creo.runtime.internal.http.AnswerForm;
import creo.runtime.internal.http.CallForm;
import creo.runtime.internal.http.TextMethods;
import creo.runtime.internal.json.JsonReader;
import creo.runtime.internal.json.JsonWriter;
import java.util.Map;

/** Calls as JSON ({@code spec/wires/json.md}, section 3). */
public final class JsonCalls extends CallForm {
    private final Limits limits;

    public JsonCalls(ClientOptions options) {
        this.limits = options.limits();
    }

    @Override
    public boolean isBeneath() {
        return true;
    }

    @Override
    public boolean carriesStreams() {
        return true;
    }

    @Override
    public <A> Body write(ServiceMethod<A, ?> method, A arguments) {
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
    public <R> R read(ServiceMethod<?, R> method, Reply reply) throws Exception {
        if (reply.isType(JsonProblem.MEDIA_TYPE)) {
            throw problem(method, reply);
        }
        if (!reply.isFine()) {
            throw reply.unexplained(null);
        }
        if (method.givesStream()) {
            // A stream is read as it comes; this answer is none.
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
            throw Failures.root(r.locate(e), "$result");
        } finally {
            r.giveBack();
        }
    }

    /** The error of a problem document (JSON-24). */
    private Exception problem(ServiceMethod<?, ?> method, Reply reply) {
        PaddedBytes body = reply.body;
        JsonReader r = JsonReader.borrow(limits);
        try {
            JsonProblem.Read problem;
            try {
                r.openBody(body);
                problem = JsonProblem.read(r);
            } catch (CreoException e) {
                return reply.isFine() ? Failures.root(r.locate(e), "$error") : reply.unexplained(null);
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
                    return Failures.root(r.locate(e), "$exception");
                } finally {
                    r.giveBack();
                }
            }
        }
        return Failures.ofPeer(ErrorCode.INTERNAL, "the exception " + name + ", which the method does not declare", Map.of());
    }
}
