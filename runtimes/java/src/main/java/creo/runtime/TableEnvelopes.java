package creo.runtime;

import java.util.List;

/** Tables within envelopes of SOAP (TDX-50). */
final class TableEnvelopes extends SoapDocuments {
    static final SoapDocuments TABLES = new TableEnvelopes();

    private TableEnvelopes() {}

    @Override
    boolean beginsPlainly(SoapReader r) {
        return TableDocument.beginsPlainly(r);
    }

    @Override
    Document open(SoapReader r) {
        return new Read(TableDocument.next(r));
    }

    @Override
    Form form(ClientOptions options) {
        return options.tables() == null ? null : new Written(options.tables());
    }

    private static final class Read extends Document {
        private final TableDocument document;

        Read(TableDocument document) {
            this.document = document;
        }

        @Override
        String method() {
            return document.of();
        }

        @Override
        void checkMethod(String name) {
            document.checkOf(name);
        }

        @Override
        <T> T message(TextMessage<T> message, String method, XmlValues.Parts parts) {
            return document.message(message, method, parts);
        }

        @Override
        Form form() {
            return new Written(document.options());
        }
    }

    private static final class Written extends Form {
        private final TableOptions options;

        Written(TableOptions options) {
            this.options = options;
        }

        @Override
        <T, R> R write(TextMessage<T> message, T value, String method, String of, SoapVersion version, boolean packaged, Limits limits,
                SoapDocuments.Written<R> written) {
            TableWriter w = TableWriter.borrow(limits);
            try {
                List<byte[]> parts = packaged ? w.collectParts() : null;
                SoapWriter.document(w, version, () -> w.message(message, value, method, options, of));
                return written.with(w, parts);
            } catch (CreoException e) {
                throw w.locate(e);
            } finally {
                w.giveBack();
            }
        }
    }
}
