package creo.runtime;

import java.net.URI;
import java.net.http.HttpRequest;
import java.util.List;

/** Calls as tables over HTTP, without SOAP (TDX-51, TDX-53). */
final class TableChannel extends HttpChannel {
    private final TableOptions tables;

    TableChannel(String url, ClientOptions options) {
        super(url, options);
        this.tables = options.tables() == null ? TableOptions.RECORD : options.tables();
    }

    @Override
    URI place(ServiceMethod<?, ?> method) {
        return beneath(uri, method);
    }

    @Override
    <A> Body write(ServiceMethod<A, ?> method, A arguments, HttpRequest.Builder request) {
        TableWriter w = TableWriter.borrow(limits);
        try {
            List<byte[]> parts = options.mtom() ? w.collectParts() : null;
            w.message(method.text().request, arguments, method.name(), tables, null);
            if (parts != null && !parts.isEmpty()) {
                Mtom.Written written = Mtom.write(w, parts, TableErrors.MEDIA_TYPE);
                return new Body(written.bytes(), written.contentType());
            }
            return new Body(w.toBytes(), TableErrors.MEDIA_TYPE);
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
        if (reply.isFine() && (method.isOneway() || HttpForm.isVoid(method))) {
            return null;
        }
        if (!table) {
            throw unexplained(reply, null);
        }
        XmlReader r = XmlReader.borrow(limits);
        Exception thrown;
        String root = "$result";
        try {
            Mtom parts = null;
            if (packaged) {
                parts = Mtom.read(reply.body().bytes(), reply.body().length(), reply.type(), TableErrors.MEDIA_TYPE, limits);
                r.open(reply.body().bytes(), parts.rootFrom(), parts.rootLength(), null);
            } else {
                r.openBody(reply.body(), reply.type().parameter("charset"));
            }
            TableDocument document;
            try {
                document = TableDocument.readAlone(r);
            } catch (CreoException e) {
                throw reply.isFine() ? e : unexplained(reply, null);
            }
            boolean result = document.of() == null || document.of().equals(method.name());
            if (result && reply.status() == 200) {
                R value = document.message(method.text().response, method.name(), parts);
                r.endDocument();
                if (parts != null) {
                    parts.checkAllTaken();
                }
                return value;
            }
            root = "$exception";
            if (result) {
                throw unexplained(reply, null);
            }
            thrown = TableErrors.read(document, method.text());
            r.endDocument();
        } catch (CreoException e) {
            throw e.place() == null && e.offset() < 0 ? e : r.locate(e).root(root);
        } finally {
            r.giveBack();
        }
        throw thrown;
    }
}
