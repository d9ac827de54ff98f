package creo.runtime.internal.soap.tdxml;

import creo.runtime.ClientOptions;
import creo.runtime.CreoException;
import creo.runtime.Limits;
import creo.runtime.TableOptions;
import creo.runtime.codegen.TextMessage;
import creo.runtime.internal.soap.SoapDocuments;
import creo.runtime.internal.soap.SoapReader;
import creo.runtime.internal.soap.SoapWriter;
import creo.runtime.internal.tdxml.TableDocument;
import creo.runtime.internal.tdxml.TableWriter;
import creo.runtime.internal.text.SoapVersion;
import creo.runtime.internal.xml.XmlValues;
import java.util.List;

/** Tables in SOAP envelopes (TDX-50). */
public final class TableEnvelopes extends SoapDocuments {
    public static final SoapDocuments TABLES = new TableEnvelopes();

    private TableEnvelopes() {}

    @Override
    public boolean beginsPlainly(SoapReader r) {
        return TableDocument.beginsPlainly(r);
    }

    @Override
    public Document open(SoapReader r) {
        return new Read(TableDocument.next(r));
    }

    @Override
    public Form form(ClientOptions options) {
        return options.tables() == null ? null : new Written(options.tables());
    }

    private static final class Read extends Document {
        private final TableDocument document;

        Read(TableDocument document) {
            this.document = document;
        }

        @Override
        public String method() {
            return document.of();
        }

        @Override
        public void checkMethod(String name) {
            document.checkOf(name);
        }

        @Override
        public <T> T message(TextMessage<T> message, String method, XmlValues.Parts parts) {
            return document.message(message, method, parts);
        }

        @Override
        public Form form() {
            return new Written(document.options());
        }
    }

    private static final class Written extends Form {
        private final TableOptions options;

        Written(TableOptions options) {
            this.options = options;
        }

        @Override
        public <T, R> R write(TextMessage<T> message, T value, String method, String of, SoapVersion version, byte[] blocks, boolean packaged, Limits limits,
                SoapDocuments.Written<R> written) {
            TableWriter w = TableWriter.borrow(limits);
            try {
                List<byte[]> parts = packaged ? w.collectParts() : null;
                SoapWriter.document(w, version, blocks, () -> w.message(message, value, method, options, of));
                return written.with(w, parts);
            } catch (CreoException e) {
                throw w.locate(e);
            } finally {
                w.giveBack();
            }
        }
    }
}
