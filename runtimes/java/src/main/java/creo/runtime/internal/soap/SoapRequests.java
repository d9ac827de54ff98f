package creo.runtime.internal.soap;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Limits;
import creo.runtime.ServiceSecurity;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.SoapWire;
import creo.runtime.codegen.TextMethod;
import creo.runtime.internal.buffer.Failures;
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
        r.understood = place.understood();
        ServiceSecurity.Request secured = null;
        try {
            String asked = action;
            Mtom parts = null;
            if (place.security() != null) {
                secured = secured(place.security(), type, body);
                r.openBody(PaddedBytes.of(secured.envelope(), secured.envelope().length), "utf-8");
            } else if (type.type().equals("multipart/related")) {
                parts = Mtom.read(body.bytes(), body.length(), type, limits);
                MediaType root = parts.rootType();
                asked = asked == null && root != null ? root.parameter("action") : asked;
                parts.openRoot(r, body, limits);
                r.parts = parts;
            } else {
                r.openBody(body, type.parameter("charset"));
            }
            r.openEnvelope();
            Principal user = place.tokens() != null ? TokenCheck.check(r, place.tokens()) : secured != null ? secured.caller() : null;
            if (r.isDocument()) {
                r.checkLiteral();
                SoapDocuments.Document document = r.openDocument();
                return document(r, document, place.findOf(document.method(), document.method() == null ? addressedAction(r, asked) : asked), parts, user, secured);
            }
            return envelope(r, place.find(r, r.isEmptyBody() ? addressedAction(r, asked) : asked), parts, user, secured);
        } catch (ServiceSecurity.Refused e) {
            throw new TextRequest.Refusal(of(r, type, null).withFaultCode(e.fault()), e.error(), false);
        } catch (SoapReader.NotUnderstood e) {
            throw new TextRequest.Refusal(of(r, type, secured).withFaultCode(e.faultCode()), e.error(), false);
        } catch (Addressing.Fault e) {
            throw e.refusal(of(r, type, secured));
        } catch (TokenCheck.Refused e) {
            throw e.refusal(of(r, type, secured));
        } catch (ServicePlace.WrongAction e) {
            throw new TextRequest.Refusal(of(r, type, secured), e.error(), true);
        } catch (CreoException e) {
            throw new TextRequest.Refusal(of(r, type, secured), r.locate(e), false);
        } catch (RuntimeException | Error e) {
            // A bug in this runtime, or no memory: the caller learns no more than that.
            throw new TextRequest.Refusal(of(r, type, secured), ServiceErrors.internal("a request of " + caller, e), false);
        } finally {
            r.giveBack();
        }
    }

    /** Checks a request, and reads nothing else of it afterwards (SOAP-80). */
    private static ServiceSecurity.Request secured(ServiceSecurity security, MediaType type, PaddedBytes body) {
        if (type.type().equals("multipart/related")) {
            throw Failures.ofRuntime(ErrorCode.PROTOCOL_MISMATCH, "package: a request in a package, which the security of this service cannot check");
        }
        return security.accept(body.bytes(), body.length(), type.parameter("charset"));
    }

    /** The action that finds the method of an unnamed message: that of the addresses if HTTP has none. */
    private String addressedAction(SoapReader r, String asked) {
        return addressed && r.addressing != null ? r.addressing.actionOr(asked) : asked;
    }

    /** The form of a fault: that of the request's envelope, once known. */
    private SoapAnswers of(SoapReader r, MediaType type, ServiceSecurity.Request secured) {
        SoapAnswers form = new SoapAnswers(limits, r.version() == null ? SoapWire.version(type) : r.version(), false, null).secured(secured);
        return addressed && r.addressing != null ? form.to(r.addressing.ofFault()) : form;
    }

    private SoapAnswers form(SoapReader r, TextMethod<?, ?> method, Mtom parts, SoapDocuments.Form form, ServiceSecurity.Request secured) {
        SoapAnswers answers = new SoapAnswers(limits, r.version(), parts != null && parts.isXop(), form).secured(secured);
        return addressed && r.addressing != null ? answers.to(r.addressing.check(method.action)) : answers;
    }

    private <A, R> TextRequest<A, R> envelope(SoapReader r, ServiceMethod<A, R> method, Mtom parts, Principal user, ServiceSecurity.Request secured) {
        TextMethod<A, R> text = TextMethods.of(method);
        SoapAnswers form = form(r, text, parts, null, secured);
        if (text.encoded) {
            r.toLiteral(text.request, false, List.of());
        } else {
            r.checkLiteral();
        }
        return new TextRequest<>(method, form, r.readMessage(text.request), user);
    }

    private <A, R> TextRequest<A, R> document(SoapReader r, SoapDocuments.Document document, ServiceMethod<A, R> method, Mtom parts, Principal user,
            ServiceSecurity.Request secured) {
        SoapAnswers form = form(r, TextMethods.of(method), parts, document.form(), secured);
        return new TextRequest<>(method, form, r.readDocument(document, TextMethods.of(method).request, method.name()), user);
    }
}
