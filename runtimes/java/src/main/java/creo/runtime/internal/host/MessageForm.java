package creo.runtime.internal.host;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Limits;
import creo.runtime.TableOptions;
import creo.runtime.Wire;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.Writer;
import creo.runtime.internal.call.CallBodies;
import creo.runtime.internal.http.AnswerForm;
import creo.runtime.internal.http.ServiceErrors;
import creo.runtime.internal.http.tdxml.TableAnswers;

/** The forms of answers that are broker messages, except SOAP, which has one for all transports. Errors follow ERR-3. */
public final class MessageForm {
    /** The media type of binary bodies. */
    public static final String BINARY = "application/vnd.creo.binary";

    private MessageForm() {}

    /** Whether messages of a wire carry a method (JMS-23). */
    public static boolean carries(Wire wire, ServiceMethod<?, ?> method) {
        return !method.hasStreams() || wire == Wire.BINARY && !method.streams().takes();
    }

    /** Writes the content of a body. */
    private interface Content {
        void write(Writer w);
    }

    private static void send(Limits limits, AnswerForm.Sink sink, Content content) {
        Writer w = new Writer(512, limits);
        content.write(w);
        sink.send(200, BINARY, w.buffer(), (int) w.size());
    }

    private static void sendError(CreoException e, AnswerForm.Sink sink) {
        send(Limits.DEFAULT, sink, w -> ServiceErrors.encode(w, e));
    }

    /** The binary wire (BIN-14). */
    public static final class Binary extends AnswerForm {
        public Binary(Limits limits) {
            super(limits);
        }

        @Override
        public String wire() {
            return "binary";
        }

        @Override
        public <R> void result(ServiceMethod<?, R> method, R result, Sink sink) {
            send(limits, sink, w -> CallBodies.BINARY.writeResult(w, method, result));
        }

        @Override
        public void exception(ServiceMethod<?, ?> method, int index, Exception e, Sink sink) {
            send(limits, sink, w -> CallBodies.BINARY.writeException(w, method, index, e));
        }

        @Override
        public int status(ErrorCode code) {
            return plainStatus(code);
        }

        @Override
        public void error(CreoException e, int status, Sink sink) {
            sendError(e, sink);
        }
    }

    /** Tables as over TCP (TDX-52), or multiparts of them (TDX-53). */
    public static final class Tables extends TableAnswers {
        public Tables(Limits limits, TableOptions options, boolean packaged) {
            super(limits, options, packaged);
        }

        @Override
        public boolean isSilent(ServiceMethod<?, ?> method) {
            return false;
        }

        @Override
        public void error(CreoException e, int status, Sink sink) {
            sendError(e, sink);
        }
    }
}
