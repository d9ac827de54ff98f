package creo.runtime.codegen;

import creo.runtime.Limits;
import creo.runtime.internal.buffer.PaddedBytes;
import creo.runtime.internal.http.AnswerForm;
import creo.runtime.internal.http.HttpFields;
import creo.runtime.internal.http.MediaType;
import creo.runtime.internal.http.ServicePlace;
import creo.runtime.internal.http.TextRequest;
import creo.runtime.internal.soap.SoapAnswers;
import creo.runtime.internal.soap.SoapCalls;
import creo.runtime.internal.soap.SoapDocuments;
import creo.runtime.internal.soap.SoapRequests;
import creo.runtime.internal.text.SoapVersion;

/** SOAP as spoken by servers. */
@SuppressWarnings("exports") // Parameters of internal types are for the runtime only.
public final class SoapWire extends TextWire {
    /** For generated code. */
    public static final SoapWire WIRE = new SoapWire(null);

    private final SoapDocuments documents;

    /** @param documents that envelopes may contain, or null */
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
        return new SoapRequests(documents, source.limits(), true).read(source.place(), source.type(), action(source.fields(), source.type()), source.body(), source.caller());
    }

    /** The action of a request, without quotes; null if absent (HTTP-4). */
    private static String action(HttpFields fields, MediaType type) {
        String action = fields.first("soapaction");
        if (action == null) {
            return type.parameter("action");
        }
        String bare = action.strip();
        return bare.length() >= 2 && bare.startsWith("\"") && bare.endsWith("\"") ? bare.substring(1, bare.length() - 1) : bare;
    }

    /** The SOAP version of a media type; of a multipart, that of its first part. */
    public static SoapVersion version(MediaType type) {
        return type.type().equals("application/soap+xml") ? SoapVersion.V12 : SoapVersion.V11;
    }

    /**
     * Reads a SOAP message from a message transport, where addresses in the header have no meaning (SOAP-40).
     *
     * @param action of the request, or null
     * @param caller for the log
     */
    public TextRequest<?, ?> read(ServicePlace place, MediaType type, String action, PaddedBytes body, Limits limits, String caller) throws TextRequest.Refusal {
        return new SoapRequests(documents, limits, false).read(place, type, action, body, caller);
    }
}
