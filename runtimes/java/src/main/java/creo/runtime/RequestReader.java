package creo.runtime;

/** Reads requests of the text wires, whatever carried them. */
final class RequestReader {
    private RequestReader() {}

    /**
     * A request that was read.
     *
     * @param form of its answer
     */
    record Taken<A, R>(Host.Entry<A, R> entry, AnswerForm form, A arguments) {}

    /** A request that is answered by an error. */
    static final class Refusal extends Exception {
        private static final long serialVersionUID = 1L;

        private final transient AnswerForm form;
        private final transient CreoException error;
        private final boolean ofAction;

        private Refusal(AnswerForm form, CreoException error, boolean ofAction) {
            super(error.reason(), error, false, false);
            this.form = form;
            this.error = error;
            this.ofAction = ofAction;
        }

        AnswerForm form() {
            return form;
        }

        CreoException error() {
            return error;
        }

        /** Whether it is the action alone that does not fit. */
        boolean ofAction() {
            return ofAction;
        }
    }

    /** The version of SOAP that a media type stands for; of a package, that of the first of them. */
    static SoapVersion version(MediaType type) {
        return type.type().equals("application/soap+xml") ? SoapVersion.V12 : SoapVersion.V11;
    }

    /**
     * Reads a message of SOAP.
     *
     * @param action that the request names, or null
     * @param caller for the log
     */
    static Taken<?, ?> soap(ServicePlace place, MediaType type, String action, Gzip.Body body, Limits limits, String caller) throws Refusal {
        SoapReader r = SoapReader.borrowSoap(limits);
        try {
            String asked = action;
            Mtom parts = null;
            if (type.type().equals("multipart/related")) {
                parts = Mtom.read(body.bytes(), body.length(), type, limits);
                MediaType root = parts.rootType();
                asked = asked == null && root != null ? root.parameter("action") : asked;
                r.memory = body.charged(limits);
                r.open(body.bytes(), parts.rootFrom(), parts.rootLength(), parts.rootCharset());
                r.parts = parts;
            } else {
                r.openBody(body, type.parameter("charset"));
            }
            r.openEnvelope();
            if (r.isTable()) {
                TableDocument document = r.openTable();
                return table(r, document, place.find(document, asked), parts, limits);
            }
            return envelope(r, place.find(r, asked), parts, limits);
        } catch (SoapReader.NotUnderstood e) {
            throw new Refusal(of(r, type, limits).withFaultCode(e.faultCode()), e.error(), false);
        } catch (ServicePlace.WrongAction e) {
            throw new Refusal(of(r, type, limits), e.error(), true);
        } catch (CreoException e) {
            throw new Refusal(of(r, type, limits), r.locate(e), false);
        } catch (RuntimeException | Error e) {
            // A mistake of this runtime, or no memory: the caller is told no more than that.
            throw new Refusal(of(r, type, limits), IncomingCall.internal("a request of " + caller, e), false);
        } finally {
            r.giveBack();
        }
    }

    /** The form of a fault: that of the request's envelope, as soon as it is known. */
    private static AnswerForm.Soap of(SoapReader r, MediaType type, Limits limits) {
        return new AnswerForm.Soap(limits, r.version() == null ? version(type) : r.version(), false, null);
    }

    private static <A, R> Taken<A, R> envelope(SoapReader r, ServicePlace.Found<A, R> found, Mtom parts, Limits limits) {
        A arguments = r.readMessage(found.text().request);
        checkAllTaken(parts);
        return new Taken<>(found.entry(), new AnswerForm.Soap(limits, r.version(), parts != null, null), arguments);
    }

    private static <A, R> Taken<A, R> table(SoapReader r, TableDocument document, ServicePlace.Found<A, R> found, Mtom parts, Limits limits) {
        A arguments = r.readTable(document, found.text().request, found.entry().binding().method().name());
        checkAllTaken(parts);
        return new Taken<>(found.entry(), new AnswerForm.Soap(limits, r.version(), parts != null, document.options()), arguments);
    }

    private static void checkAllTaken(Mtom parts) {
        if (parts != null) {
            parts.checkAllTaken();
        }
    }

    /** What makes the form of the answers to a table. */
    interface TableForm {
        AnswerForm of(TableOptions options, boolean packaged);
    }

    /** Reads a table without SOAP: a request of the method. */
    static <A, R> Taken<A, R> table(Host.Entry<A, R> entry, MediaType type, Gzip.Body body, Limits limits, TableForm form) {
        ServiceMethod<A, R> method = entry.binding().method();
        XmlReader r = XmlReader.borrow(limits);
        try {
            Mtom parts = openTable(r, type, body, limits);
            TableDocument document = TableDocument.readAlone(r);
            document.checkOf(method.name());
            A arguments = document.message(method.text().request, method.name(), parts);
            r.endDocument();
            checkAllTaken(parts);
            return new Taken<>(entry, form.of(document.options(), parts != null), arguments);
        } catch (CreoException e) {
            throw r.locate(e);
        } finally {
            r.giveBack();
        }
    }

    /** Opens a table without SOAP, alone or in a package, whose parts it returns then (TDX-53). */
    static Mtom openTable(XmlReader r, MediaType type, Gzip.Body body, Limits limits) {
        if (type.type().equals("multipart/related")) {
            Mtom parts = Mtom.read(body.bytes(), body.length(), type, TableErrors.MEDIA_TYPE, limits);
            r.memory = body.charged(limits);
            r.open(body.bytes(), parts.rootFrom(), parts.rootLength(), parts.rootCharset());
            return parts;
        }
        r.openBody(body, type.parameter("charset"));
        return null;
    }

    /** Reads a request as JSON. */
    static <A, R> Taken<A, R> json(Host.Entry<A, R> entry, Gzip.Body body, Limits limits) {
        TextMessage<A> message = entry.binding().method().text().request;
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
            return new Taken<>(entry, new AnswerForm.Json(limits), arguments);
        } catch (CreoException e) {
            throw r.locate(e);
        } finally {
            r.giveBack();
        }
    }
}
