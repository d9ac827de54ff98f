package creo.runtime;

/** Answers as JSON (JSON-21 to JSON-23). */
final class JsonAnswers extends AnswerForm {
    JsonAnswers(Limits limits) {
        super(limits);
    }

    @Override
    <R> void result(ServiceMethod<?, R> method, R result, Sink sink) {
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
            throw w.locate(e).root("$result");
        } finally {
            w.giveBack();
        }
    }

    @Override
    void exception(ServiceMethod<?, ?> method, int index, Exception e, Sink sink) {
        JsonWriter w = JsonWriter.borrow(limits);
        try {
            JsonProblem.exception(w, TextMethods.of(method).exceptions.get(index), e);
            sink.send(DECLARED, JsonProblem.MEDIA_TYPE, w.buf, w.pos);
        } catch (CreoException failure) {
            throw w.locate(failure).root("$exception");
        } finally {
            w.giveBack();
        }
    }

    @Override
    int status(ErrorCode code) {
        return plainStatus(code);
    }

    @Override
    void error(CreoException e, int status, Sink sink) {
        JsonWriter w = JsonWriter.borrow(Limits.DEFAULT);
        try {
            JsonProblem.error(w, e, status);
            sink.send(status, JsonProblem.MEDIA_TYPE, w.buf, w.pos);
        } finally {
            w.giveBack();
        }
    }
}
