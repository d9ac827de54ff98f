package creo.runtime.internal.http.tdxml;

import creo.runtime.ClientOptions;
import creo.runtime.CreoException;
import creo.runtime.Limits;
import creo.runtime.TableOptions;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.TdxmlWire;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.http.AnswerForm;
import creo.runtime.internal.http.CallForm;
import creo.runtime.internal.http.TextMethods;
import creo.runtime.internal.soap.Mtom;
import creo.runtime.internal.tdxml.TableDocument;
import creo.runtime.internal.tdxml.TableWriter;
import creo.runtime.internal.xml.XmlReader;
import java.util.List;

/** Calls as tables without SOAP (TDX-51, TDX-53). */
public final class TableCalls extends CallForm {
    private final ClientOptions options;
    private final Limits limits;
    private final TableOptions tables;

    public TableCalls(ClientOptions options) {
        this.options = options;
        this.limits = options.limits();
        this.tables = options.tables() == null ? TableOptions.RECORD : options.tables();
    }

    @Override
    public boolean isBeneath() {
        return true;
    }

    @Override
    public <A> Body write(ServiceMethod<A, ?> method, A arguments) {
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
    public <R> R read(ServiceMethod<?, R> method, Reply reply) throws Exception {
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
                return value;
            }
            root = "$exception";
            if (result) {
                throw reply.unexplained(null);
            }
            thrown = TableErrors.read(document, TextMethods.of(method));
            r.endDocument();
        } catch (CreoException e) {
            throw e.place() == null && e.offset() < 0 ? e : Failures.root(r.locate(e), root);
        } finally {
            r.giveBack();
        }
        throw thrown;
    }
}
