package creo.runtime.codegen;

import creo.runtime.CreoException;
import creo.runtime.Limits;
import creo.runtime.internal.buffer.PaddedBytes;
import creo.runtime.internal.http.AnswerForm;
import creo.runtime.internal.http.HttpFields;
import creo.runtime.internal.http.MediaType;
import creo.runtime.internal.http.ServiceErrors;
import creo.runtime.internal.http.ServicePlace;
import creo.runtime.internal.http.TextMethods;
import creo.runtime.internal.http.TextRequest;
import creo.runtime.internal.soap.Mtom;
import creo.runtime.internal.soap.SoapAnswers;
import creo.runtime.internal.soap.SoapCalls;
import creo.runtime.internal.soap.SoapDocuments;
import creo.runtime.internal.soap.SoapReader;
import creo.runtime.internal.text.SoapVersion;

import java.util.List;

/** SOAP, as servers speak it. */
@SuppressWarnings("exports") // What names a type of the runtime within is for the runtime.
public final class SoapWire extends TextWire {
    /** For generated code. */
    public static final SoapWire WIRE = new SoapWire(null);

    private final SoapDocuments documents;

    /** @param documents that envelopes may hold, or null */
    SoapWire(SoapDocuments documents) {
        this.documents = documents;
    }

    @Override
    public boolean isFoundByMessage() {
        return true;
    }

    @Override
    public boolean claims(MediaType type) {
        return SoapCalls.isSoap(type);
    }

    @Override
    public boolean reads(MediaType type) {
        return type.isReadable();
    }

    @Override
    public String expected() {
        return "a request of SOAP is text/xml, application/soap+xml or multipart/related, in UTF-8, UTF-16 or an encoding of one byte that XML-46 names";
    }

    @Override
    public AnswerForm form(MediaType type, Limits limits) {
        return new SoapAnswers(limits, version(type), false, null);
    }

    @Override
    public TextRequest<?, ?> read(TextRequest.Source source) throws TextRequest.Refusal {
        return read(source.place(), source.type(), action(source.fields(), source.type()), source.body(), source.limits(), source.caller());
    }

    /** The action that a request names, without quotes; null if it names none (HTTP-4). */
    private static String action(HttpFields fields, MediaType type) {
        String action = fields.first("soapaction");
        if (action == null) {
            return type.parameter("action");
        }
        String bare = action.strip();
        return bare.length() >= 2 && bare.startsWith("\"") && bare.endsWith("\"") ? bare.substring(1, bare.length() - 1) : bare;
    }

    /** The version of SOAP that a media type stands for; of a package, that of the first of them. */
    public static SoapVersion version(MediaType type) {
        return type.type().equals("application/soap+xml") ? SoapVersion.V12 : SoapVersion.V11;
    }

    /**
     * Reads a message of SOAP.
     *
     * @param action that the request names, or null
     * @param caller for the log
     */
    public TextRequest<?, ?> read(ServicePlace place, MediaType type, String action, PaddedBytes body, Limits limits, String caller) throws TextRequest.Refusal {
        SoapReader r = SoapReader.borrowSoap(limits, documents);
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
            if (r.isDocument()) {
                r.checkLiteral();
                SoapDocuments.Document document = r.openDocument();
                return document(r, document, place.findOf(document.method(), asked), parts, limits);
            }
            return envelope(r, place.find(r, asked), parts, limits);
        } catch (SoapReader.NotUnderstood e) {
            throw new TextRequest.Refusal(of(r, type, limits).withFaultCode(e.faultCode()), e.error(), false);
        } catch (ServicePlace.WrongAction e) {
            throw new TextRequest.Refusal(of(r, type, limits), e.error(), true);
        } catch (CreoException e) {
            throw new TextRequest.Refusal(of(r, type, limits), r.locate(e), false);
        } catch (RuntimeException | Error e) {
            // A mistake of this runtime, or no memory: the caller is told no more than that.
            throw new TextRequest.Refusal(of(r, type, limits), ServiceErrors.internal("a request of " + caller, e), false);
        } finally {
            r.giveBack();
        }
    }

    /** The form of a fault: that of the request's envelope, as soon as it is known. */
    private static SoapAnswers of(SoapReader r, MediaType type, Limits limits) {
        return new SoapAnswers(limits, r.version() == null ? version(type) : r.version(), false, null);
    }

    private static <A, R> TextRequest<A, R> envelope(SoapReader r, ServiceMethod<A, R> method, Mtom parts, Limits limits) {
        TextMethod<A, R> text = TextMethods.of(method);
        if (text.encoded) {
            r.toLiteral(text.request, false, List.of());
        } else {
            r.checkLiteral();
        }
        A arguments = r.readMessage(text.request);
        checkAllTaken(parts);
        return new TextRequest<>(method, new SoapAnswers(limits, r.version(), parts != null, null), arguments);
    }

    private static <A, R> TextRequest<A, R> document(SoapReader r, SoapDocuments.Document document, ServiceMethod<A, R> method, Mtom parts, Limits limits) {
        A arguments = r.readDocument(document, TextMethods.of(method).request, method.name());
        checkAllTaken(parts);
        return new TextRequest<>(method, new SoapAnswers(limits, r.version(), parts != null, document.form()), arguments);
    }

    private static void checkAllTaken(Mtom parts) {
        if (parts != null) {
            parts.checkAllTaken();
        }
    }
}
