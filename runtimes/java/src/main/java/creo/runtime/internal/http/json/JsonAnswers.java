package creo.runtime.internal.http.json;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Limits;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.http.AnswerForm;
import creo.runtime.internal.http.TextMethods;
import creo.runtime.internal.json.JsonWriter;

/** Answers as JSON (JSON-21 to JSON-23). */
public final class JsonAnswers extends AnswerForm {
    public JsonAnswers(Limits limits) {
        super(limits);
    }

    @Override
    public String wire() {
        return "json";
    }

    @Override
    public <R> void result(ServiceMethod<?, R> method, R result, Sink sink) {
        if (isVoid(method)) {
            sink.send(204, null, NOTHING, 0);
            return;
        }
        JsonWriter w = JsonWriter.borrow(limits);
        try {
            TextMethods.of(method).response.all().write(w, result);
            w.end();
            sink.send(200, JsonProblem.JSON, w.buf, w.pos);
        } catch (CreoException e) {
            throw Failures.root(w.locate(e), "$result");
        } finally {
            w.giveBack();
        }
    }

    @Override
    public void exception(ServiceMethod<?, ?> method, int index, Exception e, Sink sink) {
        JsonWriter w = JsonWriter.borrow(limits);
        try {
            JsonProblem.exception(w, TextMethods.of(method).exceptions.get(index), e);
            sink.send(DECLARED, JsonProblem.MEDIA_TYPE, w.buf, w.pos);
        } catch (CreoException failure) {
            throw Failures.root(w.locate(failure), "$exception");
        } finally {
            w.giveBack();
        }
    }

    @Override
    public int status(ErrorCode code) {
        return plainStatus(code);
    }

    @Override
    public void error(CreoException e, int status, Sink sink) {
        JsonWriter w = JsonWriter.borrow(Limits.DEFAULT);
        try {
            JsonProblem.error(w, e, status);
            sink.send(status, JsonProblem.MEDIA_TYPE, w.buf, w.pos);
        } finally {
            w.giveBack();
        }
    }
}
