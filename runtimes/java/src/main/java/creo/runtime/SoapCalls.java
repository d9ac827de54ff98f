package creo.runtime;

import java.util.List;

/** Calls as SOAP messages ({@code spec/wires/soap.md}), whose bodies may be tables (TDX-50). */
final class SoapCalls extends CallForm {
    private final ClientOptions options;
    private final Limits limits;
    private final SoapVersion version;

    SoapCalls(ClientOptions options) {
        this.options = options;
        this.limits = options.limits();
        this.version = options.soap12() ? SoapVersion.V12 : SoapVersion.V11;
    }

    @Override
    boolean isBeneath() {
        return false;
    }

    @Override
    <A> Body write(ServiceMethod<A, ?> method, A arguments) {
        return options.tables() == null ? envelope(method.text(), arguments) : table(method, arguments);
    }

    private <A> Body envelope(TextMethod<A, ?> text, A arguments) {
        XmlWriter w = XmlWriter.borrow(limits);
        try {
            List<byte[]> parts = options.mtom() ? w.collectParts() : null;
            SoapWriter.write(w, version, text.request, arguments);
            return body(w, parts, text.action);
        } catch (CreoException e) {
            throw w.locate(e);
        } finally {
            w.giveBack();
        }
    }

    private <A> Body table(ServiceMethod<A, ?> method, A arguments) {
        TextMethod<A, ?> text = method.text();
        TableWriter w = TableWriter.borrow(limits);
        try {
            List<byte[]> parts = options.mtom() ? w.collectParts() : null;
            SoapWriter.table(w, version, () -> w.message(text.request, arguments, method.name(), options.tables(), method.name()));
            return body(w, parts, text.action);
        } catch (CreoException e) {
            throw w.locate(e);
        } finally {
            w.giveBack();
        }
    }

    private Body body(TextOutput w, List<byte[]> parts, String action) {
        String beside = version == SoapVersion.V11 ? action : null;
        if (parts != null && !parts.isEmpty()) {
            Mtom.Written written = Mtom.write(w, parts, version, action);
            return new Body(written.bytes(), written.contentType(), beside);
        }
        return new Body(w.toBytes(), version.mediaType + "; charset=utf-8" + (version == SoapVersion.V12 ? "; action=\"" + action + "\"" : ""), beside);
    }

    @Override
    <R> R read(ServiceMethod<?, R> method, Reply reply) throws Exception {
        if (reply.status == 202 && (method.isOneway() || reply.body.length() == 0 && method.text().response.bodyName() == null)) {
            return null;
        }
        boolean packaged = reply.isType("multipart/related");
        if (!packaged && !reply.isType("text/xml") && !reply.isType("application/soap+xml")) {
            if (method.isOneway() && reply.isFine()) {
                return null;
            }
            throw reply.unexplained(null);
        }
        Gzip.Body body = reply.body;
        SoapReader r = SoapReader.borrowSoap(limits);
        Exception thrown;
        try {
            Mtom parts = null;
            if (packaged) {
                parts = Mtom.read(body.bytes(), body.length(), reply.type, limits);
                r.memory = body.charged(limits);
                r.open(body.bytes(), parts.rootFrom(), parts.rootLength(), parts.rootType() == null ? null : parts.rootType().parameter("charset"));
                r.parts = parts;
            } else {
                r.openBody(body, reply.type.parameter("charset"));
            }
            try {
                r.openEnvelope();
            } catch (CreoException e) {
                throw reply.isFine() ? e : reply.unexplained(null);
            }
            if (!r.isFault()) {
                if (!reply.isFine()) {
                    throw reply.unexplained(null);
                }
                return method.isOneway() ? null : result(method, r, parts);
            }
            thrown = r.readFault(method.text());
        } catch (SoapReader.NotUnderstood e) {
            throw e.error();
        } catch (CreoException e) {
            throw r.locate(e).root(r.version() != null && r.isFault() ? "$exception" : "$result");
        } finally {
            r.giveBack();
        }
        throw thrown;
    }

    private static <R> R result(ServiceMethod<?, R> method, SoapReader r, Mtom parts) {
        R result;
        if (r.isTable()) {
            TableDocument document = r.openTable();
            document.checkOf(method.name());
            result = r.readTable(document, method.text().response, method.name());
        } else {
            result = r.readMessage(method.text().response);
        }
        if (parts != null) {
            parts.checkAllTaken();
        }
        return result;
    }
}
