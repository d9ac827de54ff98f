package creo.runtime.internal.http.tdxml;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Limits;
import creo.runtime.TableOptions;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.http.AnswerForm;
import creo.runtime.internal.http.TextMethods;
import creo.runtime.internal.soap.Mtom;
import creo.runtime.internal.tdxml.TableWriter;
import java.util.List;

/** Tables without SOAP (TDX-51). */
public class TableAnswers extends AnswerForm {
    private final TableOptions options;
    private final boolean packaged;

    public TableAnswers(Limits limits, TableOptions options, boolean packaged) {
        super(limits);
        this.options = options;
        this.packaged = packaged;
    }

    @Override
    public String wire() {
        return "tdxml";
    }

    /** Whether a result is reported by the status alone. */
    public boolean isSilent(ServiceMethod<?, ?> method) {
        return isVoid(method);
    }

    @Override
    public final <R> void result(ServiceMethod<?, R> method, R result, Sink sink) {
        if (isSilent(method)) {
            sink.send(204, null, NOTHING, 0);
            return;
        }
        TableWriter w = TableWriter.borrow(limits);
        try {
            List<byte[]> parts = packaged ? w.collectParts() : null;
            w.message(TextMethods.of(method).response, result, method.name(), options, null);
            if (parts == null) {
                sink.send(200, TableErrors.MEDIA_TYPE, w.buf, w.pos);
            } else {
                Mtom.Written written = Mtom.write(w, parts, TableErrors.MEDIA_TYPE);
                sink.send(200, written.contentType(), written.bytes(), written.bytes().length);
            }
        } catch (CreoException e) {
            throw Failures.root(w.locate(e), "$result");
        } finally {
            w.giveBack();
        }
    }

    @Override
    public final void exception(ServiceMethod<?, ?> method, int index, Exception e, Sink sink) {
        TableWriter w = TableWriter.borrow(limits);
        try {
            TableErrors.exception(w, TextMethods.of(method).exceptions.get(index), e, options);
            sink.send(DECLARED, TableErrors.MEDIA_TYPE, w.buf, w.pos);
        } catch (CreoException failure) {
            throw Failures.root(w.locate(failure), "$exception");
        } finally {
            w.giveBack();
        }
    }

    @Override
    public final int status(ErrorCode code) {
        return plainStatus(code);
    }

    @Override
    public void error(CreoException e, int status, Sink sink) {
        TableWriter w = TableWriter.borrow(Limits.DEFAULT);
        try {
            TableErrors.error(w, e, options);
            sink.send(status, TableErrors.MEDIA_TYPE, w.buf, w.pos);
        } finally {
            w.giveBack();
        }
    }
}
