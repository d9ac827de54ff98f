package creo.runtime;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The form of the answers of a call: that of its wire, whatever carries it. */
abstract class AnswerForm {
    /** Takes an answer, whose bytes are used again afterwards; never throws. What is not HTTP takes no notice of the status. */
    interface Sink {
        void send(int status, String mediaType, byte[] bytes, int length);
    }

    private static final byte[] NOTHING = {};

    final Limits limits;

    AnswerForm(Limits limits) {
        this.limits = limits;
    }

    /** Hands over the result of a method; fails if it cannot be written. */
    abstract <R> void result(ServiceMethod<?, R> method, R result, Sink sink);

    /** Hands over an exception, which is the method's declared one of the index. */
    abstract void exception(ServiceMethod<?, ?> method, int index, Exception e, Sink sink);

    /** The status of an error of a code. */
    abstract int status(ErrorCode code);

    /** Hands over an error, to be sent under a status. */
    abstract void error(CreoException e, int status, Sink sink);

    /** Whether a method has no result. */
    static boolean isVoid(ServiceMethod<?, ?> method) {
        return method.text().response.record.fields.length == 0;
    }

    /** The details of an error, its place and offset among them. */
    static Map<String, String> details(CreoException e) {
        Map<String, String> details = new LinkedHashMap<>(e.details());
        if (e.place() != null) {
            details.put("place", e.place());
        }
        if (e.offset() >= 0) {
            details.put("offset", Long.toString(e.offset()));
        }
        return details;
    }

    /** The status of an error without SOAP (JSON-23). */
    static int plainStatus(ErrorCode code) {
        return switch (code) {
            case MALFORMED, INVALID_VALUE, PROTOCOL_MISMATCH -> 400;
            case UNAUTHENTICATED -> 401;
            case PERMISSION_DENIED -> 403;
            case UNKNOWN_METHOD -> 404;
            case TOO_LARGE -> 413;
            case UNAVAILABLE, OVERLOADED -> 503;
            case DEADLINE_EXCEEDED -> 504;
            case CANCELLED, INTERNAL, UNTRUSTED_PEER -> 500;
        };
    }

    /** Envelopes of SOAP, whose bodies may be tables (TDX-50). */
    static final class Soap extends AnswerForm {
        private final SoapVersion version;
        private final boolean packaged;
        private final TableOptions tables;
        /** The code of a fault that is not told by the error's, or null. */
        private final FaultCode faultCode;

        /**
         * The form of answers to a request.
         *
         * @param packaged whether it was a package
         * @param tables how it was a table, or null
         */
        Soap(Limits limits, SoapVersion version, boolean packaged, TableOptions tables) {
            this(limits, version, packaged, tables, null);
        }

        private Soap(Limits limits, SoapVersion version, boolean packaged, TableOptions tables, FaultCode faultCode) {
            super(limits);
            this.version = version;
            this.packaged = packaged;
            this.tables = tables;
            this.faultCode = faultCode;
        }

        Soap withFaultCode(FaultCode code) {
            return new Soap(limits, version, packaged, tables, code);
        }

        SoapVersion version() {
            return version;
        }

        private String mediaType() {
            return version.mediaType + "; charset=utf-8";
        }

        @Override
        <R> void result(ServiceMethod<?, R> method, R result, Sink sink) {
            if (tables != null) {
                table(method, result, sink);
                return;
            }
            XmlWriter w = XmlWriter.borrow(limits);
            try {
                List<byte[]> parts = packaged ? w.collectParts() : null;
                SoapWriter.write(w, version, method.text().response, result);
                send(w, parts, sink);
            } catch (CreoException e) {
                throw w.locate(e).root("$result");
            } finally {
                w.giveBack();
            }
        }

        private <R> void table(ServiceMethod<?, R> method, R result, Sink sink) {
            TableWriter w = TableWriter.borrow(limits);
            try {
                List<byte[]> parts = packaged ? w.collectParts() : null;
                SoapWriter.table(w, version, () -> w.message(method.text().response, result, method.name(), tables, null));
                send(w, parts, sink);
            } catch (CreoException e) {
                throw w.locate(e).root("$result");
            } finally {
                w.giveBack();
            }
        }

        private void send(TextOutput w, List<byte[]> parts, Sink sink) {
            if (parts == null) {
                sink.send(200, mediaType(), w.buf, w.pos);
            } else {
                Mtom.Written written = Mtom.write(w, parts, version, null);
                sink.send(200, written.contentType(), written.bytes(), written.bytes().length);
            }
        }

        @Override
        void exception(ServiceMethod<?, ?> method, int index, Exception e, Sink sink) {
            XmlWriter w = XmlWriter.borrow(limits);
            try {
                SoapWriter.exception(w, version, method.text().exceptions.get(index), e);
                sink.send(500, mediaType(), w.buf, w.pos);
            } catch (CreoException failure) {
                throw w.locate(failure).root("$exception");
            } finally {
                w.giveBack();
            }
        }

        @Override
        int status(ErrorCode code) {
            return code == ErrorCode.OVERLOADED ? 503 : version == SoapVersion.V12 && SoapWriter.isCallers(code) ? 400 : 500;
        }

        @Override
        void error(CreoException e, int status, Sink sink) {
            XmlWriter w = XmlWriter.borrow(Limits.DEFAULT);
            try {
                SoapWriter.error(w, version, e, faultCode);
                sink.send(status, mediaType(), w.buf, w.pos);
            } finally {
                w.giveBack();
            }
        }
    }

    /** JSON (JSON-21 to JSON-23). */
    static final class Json extends AnswerForm {
        Json(Limits limits) {
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
                method.text().response.all().write(w, result);
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
                JsonProblem.exception(w, method.text().exceptions.get(index), e);
                sink.send(JsonProblem.DECLARED, JsonProblem.MEDIA_TYPE, w.buf, w.pos);
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

    /** Tables without SOAP (TDX-51). */
    static class Tables extends AnswerForm {
        private final TableOptions options;
        private final boolean packaged;

        Tables(Limits limits, TableOptions options, boolean packaged) {
            super(limits);
            this.options = options;
            this.packaged = packaged;
        }

        /** Whether a result is told by the status alone. */
        boolean isSilent(ServiceMethod<?, ?> method) {
            return isVoid(method);
        }

        @Override
        final <R> void result(ServiceMethod<?, R> method, R result, Sink sink) {
            if (isSilent(method)) {
                sink.send(204, null, NOTHING, 0);
                return;
            }
            TableWriter w = TableWriter.borrow(limits);
            try {
                List<byte[]> parts = packaged ? w.collectParts() : null;
                w.message(method.text().response, result, method.name(), options, null);
                if (parts == null) {
                    sink.send(200, TableErrors.MEDIA_TYPE, w.buf, w.pos);
                } else {
                    Mtom.Written written = Mtom.write(w, parts, TableErrors.MEDIA_TYPE);
                    sink.send(200, written.contentType(), written.bytes(), written.bytes().length);
                }
            } catch (CreoException e) {
                throw w.locate(e).root("$result");
            } finally {
                w.giveBack();
            }
        }

        @Override
        final void exception(ServiceMethod<?, ?> method, int index, Exception e, Sink sink) {
            TableWriter w = TableWriter.borrow(limits);
            try {
                TableErrors.exception(w, method.text().exceptions.get(index), e, options);
                sink.send(JsonProblem.DECLARED, TableErrors.MEDIA_TYPE, w.buf, w.pos);
            } catch (CreoException failure) {
                throw w.locate(failure).root("$exception");
            } finally {
                w.giveBack();
            }
        }

        @Override
        final int status(ErrorCode code) {
            return plainStatus(code);
        }

        @Override
        void error(CreoException e, int status, Sink sink) {
            TableWriter w = TableWriter.borrow(Limits.DEFAULT);
            try {
                TableErrors.error(w, e, options);
                sink.send(status, TableErrors.MEDIA_TYPE, w.buf, w.pos);
            } finally {
                w.giveBack();
            }
        }
    }
}
