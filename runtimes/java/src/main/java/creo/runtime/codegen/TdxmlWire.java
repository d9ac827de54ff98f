package creo.runtime.codegen;

import creo.runtime.CreoException;
import creo.runtime.Limits;
import creo.runtime.TableOptions;
import creo.runtime.internal.buffer.PaddedBytes;
import creo.runtime.internal.call.CallBodies;
import creo.runtime.internal.http.AnswerForm;
import creo.runtime.internal.http.MediaType;
import creo.runtime.internal.http.TextMethods;
import creo.runtime.internal.http.TextRequest;
import creo.runtime.internal.http.tdxml.TableAnswers;
import creo.runtime.internal.http.tdxml.TableBodies;
import creo.runtime.internal.http.tdxml.TableErrors;
import creo.runtime.internal.soap.Mtom;
import creo.runtime.internal.tdxml.TableDocument;
import creo.runtime.internal.xml.XmlReader;

/** Tables as spoken by servers: over HTTP without SOAP, and over TCP. */
@SuppressWarnings("exports") // Parameters of internal types are for the runtime only.
public final class TdxmlWire extends TextWire {
    /** For generated code. */
    public static final TextWire WIRE = new TdxmlWire();

    private TdxmlWire() {}

    @Override
    public boolean isFoundByMessage() {
        return false;
    }

    @Override
    public boolean claims(MediaType type) {
        return type != null && (type.type().equals(TableErrors.MEDIA_TYPE)
            || type.type().equals("multipart/related") && TableErrors.MEDIA_TYPE.equalsIgnoreCase(type.parameter("type")));
    }

    @Override
    public boolean reads(MediaType type) {
        return type.isReadable();
    }

    @Override
    public String expected() {
        return TableErrors.MEDIA_TYPE;
    }

    @Override
    public AnswerForm form(MediaType type, Limits limits) {
        return new TableAnswers(limits, TableOptions.RECORD, false);
    }

    @Override
    public TextRequest<?, ?> read(TextRequest.Source source) {
        Limits limits = source.limits();
        return read(source.method(), source.type(), source.body(), limits, (options, packaged) -> new TableAnswers(limits, options, packaged));
    }

    @Override
    public CallBodies bodies() {
        return new TableBodies(TableOptions.RECORD);
    }

    /** Makes the form of the answers to a table. */
    public interface TableForm {
        AnswerForm of(TableOptions options, boolean packaged);
    }

    /** Reads a table without SOAP as a request of the method. */
    public static <A, R> TextRequest<A, R> read(ServiceMethod<A, R> method, MediaType type, PaddedBytes body, Limits limits, TableForm form) {
        XmlReader r = XmlReader.borrow(limits);
        try {
            Mtom parts = openTable(r, type, body, limits);
            TableDocument document = TableDocument.readAlone(r);
            document.checkOf(method.name());
            A arguments = document.message(TextMethods.of(method).request, method.name(), parts);
            r.endDocument();
            return new TextRequest<>(method, form.of(document.options(), parts != null), arguments);
        } catch (CreoException e) {
            throw r.locate(e);
        } finally {
            r.giveBack();
        }
    }

    /** Opens a table without SOAP, either plain or in a multipart, whose parts it then returns (TDX-53). */
    public static Mtom openTable(XmlReader r, MediaType type, PaddedBytes body, Limits limits) {
        if (type.type().equals("multipart/related")) {
            Mtom parts = Mtom.read(body.bytes(), body.length(), type, limits);
            parts.openRoot(r, body, limits);
            return parts;
        }
        r.openBody(body, type.parameter("charset"));
        return null;
    }
}
