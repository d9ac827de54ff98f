package creo.runtime.internal.soap;

import creo.runtime.ClientOptions;
import creo.runtime.ClientSecurity;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Limits;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.TextMethod;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.buffer.PaddedBytes;
import creo.runtime.internal.call.ClientAccess;
import creo.runtime.internal.http.CallForm;
import creo.runtime.internal.http.MediaType;
import creo.runtime.internal.http.TextMethods;
import creo.runtime.internal.text.SoapVersion;
import creo.runtime.internal.text.TextOutput;
import creo.runtime.internal.xml.XmlWriter;
import java.util.List;

/** Calls as SOAP messages ({@code spec/wires/soap.md}). */
public final class SoapCalls extends CallForm {
    private final ClientOptions options;
    private final SoapDocuments documents;
    /** The form of requests that are documents, or null. */
    private final SoapDocuments.Form form;
    private final Limits limits;
    private final ClientAccess.Soap settings;
    private final SoapHeaders headers;
    /** Whether byte strings are written as parts of a package. */
    private final boolean packaged;

    /**
     * Creates the calls of a client.
     *
     * @param documents that envelopes may contain, or null
     * @param url of the service, or null if it has none
     */
    public SoapCalls(ClientOptions options, SoapDocuments documents, String url) {
        this.options = options;
        this.documents = documents;
        this.form = documents == null ? null : documents.form(options);
        this.limits = options.limits();
        this.settings = ClientAccess.soap(options);
        this.headers = new SoapHeaders(settings, url);
        this.packaged = options.mtom() && settings.security == null;
    }

    @Override
    public boolean isBound() {
        return settings.user != null || settings.timestamp || settings.security != null;
    }

    @Override
    public boolean isBeneath() {
        return false;
    }

    @Override
    public <A> Body write(ServiceMethod<A, ?> method, A arguments) {
        TextMethod<A, ?> text = TextMethods.of(method);
        String id = headers.newId(text.addressing);
        byte[] blocks = headers.blocks(text.action, method.isOneway(), id);
        if (form == null) {
            return envelope(text, blocks, id, arguments);
        }
        return form.write(text.request, arguments, method.name(), method.name(), version(text), blocks, packaged, limits, (w, parts) -> body(w, parts, text, id));
    }

    private <A> Body envelope(TextMethod<A, ?> text, byte[] blocks, String id, A arguments) {
        XmlWriter w = XmlWriter.borrow(limits);
        try {
            List<byte[]> parts = packaged ? w.collectParts() : null;
            SoapWriter.write(w, version(text), blocks, text.request, arguments, text.encoded);
            return body(w, parts, text, id);
        } catch (CreoException e) {
            throw w.locate(e);
        } finally {
            w.giveBack();
        }
    }

    /** The SOAP version of a method's requests (SOAP-24). */
    private SoapVersion version(TextMethod<?, ?> text) {
        Boolean soap12 = settings.soap12;
        return soap12 == null || text.encoded ? text.version : soap12 ? SoapVersion.V12 : SoapVersion.V11;
    }

    private Body body(TextOutput w, List<byte[]> parts, TextMethod<?, ?> text, String id) {
        SoapVersion version = version(text);
        String action = text.action;
        String beside = version == SoapVersion.V11 ? action : null;
        if (parts != null && !parts.isEmpty()) {
            Mtom.Written written = Mtom.write(w, parts, version, action);
            return new Body(written.bytes(), written.contentType(), beside, id);
        }
        byte[] bytes = settings.security == null ? w.toBytes() : secured(w.toBytes());
        return new Body(bytes, version.mediaType + "; charset=utf-8" + (version == SoapVersion.V12 ? "; action=\"" + action + "\"" : ""), beside, id);
    }

    private byte[] secured(byte[] envelope) {
        byte[] bytes = settings.security.send(envelope);
        if (bytes.length > limits.maxMessageSize()) {
            throw CreoException.tooLarge("maxMessageSize", limits.maxMessageSize(), "a secured message of " + bytes.length + " bytes");
        }
        return bytes;
    }

    /** The envelope of an answer that passed the checks of the client's security, or null if it has none (SOAP-80). */
    private PaddedBytes checked(ServiceMethod<?, ?> method, Reply reply) {
        ClientSecurity security = settings.security;
        if (security == null || reply.body.length() == 0 && (method.isOneway() || !reply.isFine())) {
            return null;
        }
        if (reply.type != null && reply.type.type().equals("multipart/related")) {
            throw Failures.ofRuntime(ErrorCode.PROTOCOL_MISMATCH, "package: an answer in a package, which the security of this client cannot check");
        }
        try {
            byte[] envelope = security.receive(reply.body.bytes(), reply.body.length(), reply.type == null ? null : reply.type.parameter("charset"));
            return envelope.length == 0 ? null : PaddedBytes.of(envelope, envelope.length);
        } catch (CreoException e) {
            throw e.code() == ErrorCode.MALFORMED && !(reply.isFine() && isSoap(reply.type)) ? reply.unexplained(null) : e;
        }
    }

    @Override
    public <R> R read(ServiceMethod<?, R> method, Reply reply) throws Exception {
        PaddedBytes checked = checked(method, reply);
        if (reply.body.length() == 0) {
            if (reply.isFine() && (method.isOneway() || TextMethods.of(method).response.record.fields.length == 0)) {
                return null;
            }
            throw reply.unexplained(null);
        }
        SoapReader r = SoapReader.borrowSoap(limits, documents);
        r.readsSecurity = headers.isSecured();
        r.lenient = settings.lenient;
        r.understood = settings.understood;
        Exception thrown;
        try {
            if (checked != null) {
                r.openBody(checked, "utf-8");
            } else {
                open(r, reply);
            }
            r.openEnvelope();
            TextMethod<?, R> text = TextMethods.of(method);
            if (text.encoded) {
                r.toLiteral(text.soapResponse, true, text.exceptions);
            } else {
                r.checkLiteral();
            }
            if (!r.isFault() && reply.isFine()) {
                checkHeader(r, reply.id);
                return method.isOneway() ? null : result(method, r);
            }
            thrown = r.isFault() ? r.readFault(TextMethods.of(method)) : reply.unexplained(null);
        } catch (SoapReader.NotUnderstood e) {
            thrown = reply.isFine() && (r.version() != null || isSoap(reply.type)) ? explained(e) : reply.unexplained(null);
        } catch (CreoException e) {
            thrown = failure(r, reply, e);
        } finally {
            r.giveBack();
        }
        throw thrown;
    }

    /** The error for the caller, who may know that a header does not matter (SOAP-25). */
    private static CreoException explained(SoapReader.NotUnderstood e) {
        boolean isHeader = e.faultCode().name().equals("MustUnderstand");
        return isHeader ? Failures.ofRuntime(ErrorCode.PROTOCOL_MISMATCH, e.getMessage() + ": name it by withUnderstood if it may be skipped") : e.error();
    }

    /** Checks the header blocks that are not in the description (SOAP-42, SOAP-52). */
    private static void checkHeader(SoapReader r, String id) {
        if (id != null && r.addressing != null) {
            r.addressing.checkReplyTo(id);
        }
        if (r.security != null) {
            r.security.checkAnswer();
        }
    }

    /** The error for an unreadable reply. Its root element shows whether it is a SOAP message (SOAP-15). */
    private static CreoException failure(SoapReader r, Reply reply, CreoException e) {
        boolean malformed = e.code() == ErrorCode.MALFORMED;
        boolean fault = r.version() != null && r.isFault();
        boolean none = reply.isFine() ? malformed && r.version() == null && !isSoap(reply.type) : malformed || !fault;
        return none ? reply.unexplained(null) : Failures.root(r.locate(e), fault ? "$exception" : "$result");
    }

    /** Whether a media type is that of a SOAP version or a multipart. */
    public static boolean isSoap(MediaType type) {
        return type != null && (type.type().equals("text/xml") || type.type().equals("application/soap+xml") || type.type().equals("multipart/related"));
    }

    /** Opens the envelope, alone or in a package. */
    private void open(SoapReader r, Reply reply) {
        PaddedBytes body = reply.body;
        if (reply.type == null || !reply.type.type().equals("multipart/related")) {
            r.openBody(body, reply.type == null ? null : reply.type.parameter("charset"));
            return;
        }
        Mtom parts = Mtom.read(body.bytes(), body.length(), reply.type, limits);
        parts.openRoot(r, body, limits);
        r.parts = parts;
    }

    private static <R> R result(ServiceMethod<?, R> method, SoapReader r) {
        if (!r.isDocument()) {
            return r.readMessage(TextMethods.of(method).soapResponse);
        }
        SoapDocuments.Document document = r.openDocument();
        document.checkMethod(method.name());
        return r.readDocument(document, TextMethods.of(method).response, method.name());
    }
}
