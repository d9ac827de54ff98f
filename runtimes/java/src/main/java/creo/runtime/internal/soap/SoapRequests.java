package creo.runtime.internal.soap;

import creo.runtime.CreoException;
import creo.runtime.Limits;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.SoapWire;
import creo.runtime.codegen.TextMethod;
import creo.runtime.internal.buffer.PaddedBytes;
import creo.runtime.internal.http.MediaType;
import creo.runtime.internal.http.ServiceErrors;
import creo.runtime.internal.http.ServicePlace;
import creo.runtime.internal.http.TextMethods;
import creo.runtime.internal.http.TextRequest;
import java.security.Principal;
import java.util.List;

/** Reads SOAP requests for a service. */
public final class SoapRequests {
    private final SoapDocuments documents;
    private final Limits limits;
    private final boolean addressed;

    /**
     * Creates a reader of requests.
     *
     * @param documents that envelopes may contain, or null
     * @param addressed whether addresses in the header are used
     */
    public SoapRequests(SoapDocuments documents, Limits limits, boolean addressed) {
        this.documents = documents;
        this.limits = limits;
        this.addressed = addressed;
    }

    /**
     * Reads a message.
     *
     * @param action of the request, or null
     * @param caller for the log
     */
    public TextRequest<?, ?> read(ServicePlace place, MediaType type, String action, PaddedBytes body, String caller) throws TextRequest.Refusal {
        SoapReader r = SoapReader.borrowSoap(limits, documents);
        r.readsSecurity = place.tokens() != null;
        try {
            String asked = action;
            Mtom parts = null;
            if (type.type().equals("multipart/related")) {
                parts = Mtom.read(body.bytes(), body.length(), type, limits);
                MediaType root = parts.rootType();
                asked = asked == null && root != null ? root.parameter("action") : asked;
                parts.openRoot(r, body, limits);
                r.parts = parts;
            } else {
                r.openBody(body, type.parameter("charset"));
            }
            r.openEnvelope();
            Principal user = place.tokens() == null ? null : TokenCheck.check(r, place.tokens());
            if (r.isDocument()) {
                r.checkLiteral();
                SoapDocuments.Document document = r.openDocument();
                return document(r, document, place.findOf(document.method(), document.method() == null ? addressedAction(r, asked) : asked), parts, user);
            }
            return envelope(r, place.find(r, r.isEmptyBody() ? addressedAction(r, asked) : asked), parts, user);
        } catch (SoapReader.NotUnderstood e) {
            throw new TextRequest.Refusal(of(r, type).withFaultCode(e.faultCode()), e.error(), false);
        } catch (Addressing.Fault e) {
            throw e.refusal(of(r, type));
        } catch (TokenCheck.Refused e) {
            throw e.refusal(of(r, type));
        } catch (ServicePlace.WrongAction e) {
            throw new TextRequest.Refusal(of(r, type), e.error(), true);
        } catch (CreoException e) {
            throw new TextRequest.Refusal(of(r, type), r.locate(e), false);
        } catch (RuntimeException | Error e) {
            // A bug in this runtime, or no memory: the caller learns no more than that.
            throw new TextRequest.Refusal(of(r, type), ServiceErrors.internal("a request of " + caller, e), false);
        } finally {
            r.giveBack();
        }
    }

    /** The action that finds the method of an unnamed message: that of the addresses if HTTP has none. */
    private String addressedAction(SoapReader r, String asked) {
        return addressed && r.addressing != null ? r.addressing.actionOr(asked) : asked;
    }

    /** The form of a fault: that of the request's envelope, once known. */
    private SoapAnswers of(SoapReader r, MediaType type) {
        SoapAnswers form = new SoapAnswers(limits, r.version() == null ? SoapWire.version(type) : r.version(), false, null);
        return addressed && r.addressing != null ? form.to(r.addressing.ofFault()) : form;
    }

    private SoapAnswers form(SoapReader r, TextMethod<?, ?> method, Mtom parts, SoapDocuments.Form form) {
        SoapAnswers answers = new SoapAnswers(limits, r.version(), parts != null && parts.isXop(), form);
        return addressed && r.addressing != null ? answers.to(r.addressing.check(method.action)) : answers;
    }

    private <A, R> TextRequest<A, R> envelope(SoapReader r, ServiceMethod<A, R> method, Mtom parts, Principal user) {
        TextMethod<A, R> text = TextMethods.of(method);
        SoapAnswers form = form(r, text, parts, null);
        if (text.encoded) {
            r.toLiteral(text.request, false, List.of());
        } else {
            r.checkLiteral();
        }
        return new TextRequest<>(method, form, r.readMessage(text.request), user);
    }

    private <A, R> TextRequest<A, R> document(SoapReader r, SoapDocuments.Document document, ServiceMethod<A, R> method, Mtom parts, Principal user) {
        SoapAnswers form = form(r, TextMethods.of(method), parts, document.form());
        return new TextRequest<>(method, form, r.readDocument(document, TextMethods.of(method).request, method.name()), user);
    }
}
