package creo.runtime;

import java.util.List;

/** Calls as tables without SOAP (TDX-51, TDX-53). */
final class TableCalls extends CallForm {
    private final ClientOptions options;
    private final Limits limits;
    private final TableOptions tables;

    TableCalls(ClientOptions options) {
        this.options = options;
        this.limits = options.limits();
        this.tables = options.tables() == null ? TableOptions.RECORD : options.tables();
    }

    @Override
    boolean isBeneath() {
        return true;
    }

    @Override
    <A> Body write(ServiceMethod<A, ?> method, A arguments) {
        TableWriter w = TableWriter.borrow(limits);
        try {
            List<byte[]> parts = options.mtom() ? w.collectParts() : null;
            w.message(TextMethods.of(method).request, arguments, method.name(), tables, null);
            if (parts != null && !parts.isEmpty()) {
                Mtom.Written written = Mtom.write(w, parts, TableErrors.MEDIA_TYPE);
                return new Body(written.bytes(), written.contentType(), null);
            }
            return new Body(w.toBytes(), TableErrors.MEDIA_TYPE, null);
        } catch (CreoException e) {
            throw w.locate(e);
        } finally {
            w.giveBack();
        }
    }

    @Override
    <R> R read(ServiceMethod<?, R> method, Reply reply) throws Exception {
        boolean packaged = reply.isType("multipart/related");
        boolean table = packaged || reply.isType(TableErrors.MEDIA_TYPE);
        if (reply.isFine() && (method.isOneway() || AnswerForm.isVoid(method))) {
            return null;
        }
        if (!table) {
            throw reply.unexplained(null);
        }
        XmlReader r = XmlReader.borrow(limits);
        Exception thrown;
        String root = "$result";
        try {
            Mtom parts = TdxmlWire.openTable(r, reply.type, reply.body, limits);
            TableDocument document;
            try {
                document = TableDocument.readAlone(r);
            } catch (CreoException e) {
                throw reply.isFine() ? e : reply.unexplained(null);
            }
            boolean result = document.of() == null || document.of().equals(method.name());
            if (result && reply.status == 200) {
                R value = document.message(TextMethods.of(method).response, method.name(), parts);
                r.endDocument();
                if (parts != null) {
                    parts.checkAllTaken();
                }
                return value;
            }
            root = "$exception";
            if (result) {
                throw reply.unexplained(null);
            }
            thrown = TableErrors.read(document, TextMethods.of(method));
            r.endDocument();
        } catch (CreoException e) {
            throw e.place() == null && e.offset() < 0 ? e : r.locate(e).root(root);
        } finally {
            r.giveBack();
        }
        throw thrown;
    }
}
