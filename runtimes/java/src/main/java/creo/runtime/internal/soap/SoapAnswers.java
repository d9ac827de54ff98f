package creo.runtime.internal.soap;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.FaultCode;
import creo.runtime.Limits;
import creo.runtime.ServiceSecurity;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.TextCodec;
import creo.runtime.codegen.TextMethod;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.http.AnswerForm;
import creo.runtime.internal.http.TextMethods;
import creo.runtime.internal.text.SoapVersion;
import creo.runtime.internal.text.TextOutput;
import creo.runtime.internal.xml.XmlWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Answers as SOAP envelopes. */
public final class SoapAnswers extends AnswerForm {
    private final SoapVersion version;
    private final boolean packaged;
    private final SoapDocuments.Form documents;
    /** A fault code that replaces that of the error, or null. */
    private final FaultCode faultCode;
    /** The form of the answer to a request with addresses, or null. */
    private final Addressing.Answers addresses;
    /** The request whose answers are secured, or null. */
    private final ServiceSecurity.Request secured;

    /**
     * The form of answers to a request.
     *
     * @param packaged whether the request was a multipart
     * @param tables the form of results that are documents, or null
     */
    public SoapAnswers(Limits limits, SoapVersion version, boolean packaged, SoapDocuments.Form documents) {
        this(limits, version, packaged, documents, null, null, null);
    }

    private SoapAnswers(Limits limits, SoapVersion version, boolean packaged, SoapDocuments.Form documents, FaultCode faultCode, Addressing.Answers addresses,
            ServiceSecurity.Request secured) {
        super(limits);
        this.version = version;
        this.packaged = packaged;
        this.documents = documents;
        this.faultCode = faultCode;
        this.addresses = addresses;
        this.secured = secured;
    }

    @Override
    public String wire() {
        return "soap";
    }

    public SoapAnswers withFaultCode(FaultCode code) {
        return new SoapAnswers(limits, version, packaged, documents, code, addresses, secured);
    }

    /** The answers to a request with addresses. */
    SoapAnswers to(Addressing.Answers answers) {
        return new SoapAnswers(limits, version, packaged, documents, faultCode, answers, secured);
    }

    /** The answers to a request that was checked, or null for one that was not. */
    SoapAnswers secured(ServiceSecurity.Request request) {
        return new SoapAnswers(limits, version, packaged, documents, faultCode, addresses, request);
    }

    /** Sends an envelope, secured if its request was checked. */
    private void send(int status, TextOutput w, Sink sink) {
        if (secured == null) {
            sink.send(status, mediaType(), w.buf, w.pos);
            return;
        }
        byte[] bytes = secured.send(Arrays.copyOf(w.buf, w.pos));
        if (bytes.length > limits.maxMessageSize()) {
            throw CreoException.tooLarge("maxMessageSize", limits.maxMessageSize(), "a secured message of " + bytes.length + " bytes");
        }
        sink.send(status, mediaType(), bytes, bytes.length);
    }

    /** The header blocks of an answer with the action, or null. */
    private byte[] blocks(String action) {
        return addresses == null ? null : addresses.blocks(action).getBytes(StandardCharsets.UTF_8);
    }

    /** Whether no answer is wanted; an empty one is then sent (SOAP-45). */
    private boolean isUnwanted(boolean fault, Sink sink) {
        boolean unwanted = addresses != null && !(fault ? addresses.fault() : addresses.reply());
        if (unwanted) {
            sink.send(202, null, NOTHING, 0);
        }
        return unwanted;
    }

    public SoapVersion version() {
        return version;
    }

    private String mediaType() {
        return version.mediaType + "; charset=utf-8";
    }

    @Override
    public <R> void result(ServiceMethod<?, R> method, R result, Sink sink) {
        if (isUnwanted(false, sink)) {
            return;
        }
        byte[] blocks = addresses == null ? null : blocks(TextMethods.of(method).action + "Response");
        if (documents != null) {
            document(method, blocks, result, sink);
            return;
        }
        XmlWriter w = XmlWriter.borrow(limits);
        try {
            List<byte[]> parts = packaged ? w.collectParts() : null;
            TextMethod<?, R> text = TextMethods.of(method);
            SoapWriter.write(w, version, blocks, text.soapResponse, result, text.encoded);
            send(w, parts, sink);
        } catch (CreoException e) {
            throw Failures.root(w.locate(e), "$result");
        } finally {
            w.giveBack();
        }
    }

    private <R> void document(ServiceMethod<?, R> method, byte[] blocks, R result, Sink sink) {
        try {
            documents.write(TextMethods.of(method).response, result, method.name(), null, version, blocks, packaged, limits, (w, parts) -> {
                send(w, parts, sink);
                return null;
            });
        } catch (CreoException e) {
            throw Failures.root(e, "$result");
        }
    }

    private void send(TextOutput w, List<byte[]> parts, Sink sink) {
        if (parts == null) {
            send(200, w, sink);
        } else {
            Mtom.Written written = Mtom.write(w, parts, version, null);
            sink.send(200, written.contentType(), written.bytes(), written.bytes().length);
        }
    }

    @Override
    public void exception(ServiceMethod<?, ?> method, int index, Exception e, Sink sink) {
        if (isUnwanted(true, sink)) {
            return;
        }
        XmlWriter w = XmlWriter.borrow(limits);
        try {
            TextCodec<? extends Exception> codec = TextMethods.of(method).exceptions.get(index);
            SoapWriter.exception(w, version, addresses == null ? null : blocks(TextMethods.of(method).action + "/Fault/" + codec.name.substring(codec.name.lastIndexOf('.') + 1)), codec, e);
            send(500, w, sink);
        } catch (CreoException failure) {
            throw Failures.root(w.locate(failure), "$exception");
        } finally {
            w.giveBack();
        }
    }

    @Override
    public int status(ErrorCode code) {
        return code == ErrorCode.OVERLOADED ? 503 : version == SoapVersion.V12 && SoapWriter.isCallers(code) ? 400 : 500;
    }

    @Override
    public void error(CreoException e, int status, Sink sink) {
        if (isUnwanted(true, sink)) {
            return;
        }
        XmlWriter w = XmlWriter.borrow(Limits.DEFAULT);
        try {
            SoapWriter.error(w, version, blocks(Addressing.faultAction(faultCode)), e, faultCode);
            send(status, w, sink);
        } finally {
            w.giveBack();
        }
    }
}
