package creo.runtime.internal.soap;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.FaultCode;
import creo.runtime.codegen.TextCodec;
import creo.runtime.codegen.TextMessage;
import creo.runtime.internal.http.ServiceErrors;
import creo.runtime.internal.text.SoapVersion;
import creo.runtime.internal.text.TextName;
import creo.runtime.internal.text.TextOutput;
import creo.runtime.internal.xml.XmlDeclarations;
import creo.runtime.internal.xml.XmlWriter;

/** Writes envelopes (SOAP-1) and faults (SOAP-10 to SOAP-12). */
public final class SoapWriter {
    /** The namespace of errors in faults. */
    static final String ERROR = TextName.ERROR;
    private static final String END = "</soap:Body></soap:Envelope>";

    private static final String STYLE = " soap:encodingStyle=\"" + SoapEncoding.NAMESPACE + "\"";
    private static final FaultCode CLIENT = new FaultCode(null, "Client");
    private static final FaultCode SERVER = new FaultCode(null, "Server");

    private SoapWriter() {}

    /**
     * Writes an envelope.
     *
     * @param blocks of the header before the message's own, or null
     * @param encoded whether the message uses SOAP encoding (SOAP-31)
     */
    public static <T> void write(XmlWriter w, SoapVersion version, byte[] blocks, TextMessage<T> message, T value, boolean encoded) {
        w.ascii(version.start);
        w.bind(XmlDeclarations.of(message));
        w.declarations();
        w.ascii(">");
        if (message.header == null) {
            header(w, blocks);
        } else {
            int before = w.pos;
            w.ascii("<soap:Header>");
            int empty = w.pos;
            if (blocks != null) {
                w.put(blocks);
            }
            if (value == null) {
                throw w.missing(message.root());
            }
            message.header.write(w, value);
            if (w.pos == empty) {
                w.pos = before;
            } else {
                w.ascii("</soap:Header>");
            }
        }
        w.ascii("<soap:Body>");
        if (message.element != null) {
            w.beginRecord(message.element, message.record);
            if (encoded) {
                // Continues inside the start tag by dropping its last byte.
                w.pos--;
                w.ascii(STYLE);
                w.ascii(">");
            }
        }
        if (encoded) {
            w.sayTypes(message.element != null ? null : STYLE);
        }
        message.body.write(w, value);
        if (message.element != null) {
            w.endRecord(message.element, message.record);
        }
        w.ascii(END);
        w.checkSize(w.pos);
    }

    /** Writes an envelope around a document of another wire. */
    public static void document(TextOutput w, SoapVersion version, byte[] blocks, Runnable document) {
        w.ascii(version.start);
        w.ascii(">");
        header(w, blocks);
        w.ascii("<soap:Body>");
        document.run();
        w.ascii(END);
        w.checkSize(w.pos);
    }

    /** Writes a header with these blocks, if there are any. */
    private static void header(TextOutput w, byte[] blocks) {
        if (blocks != null) {
            w.ascii("<soap:Header>");
            w.put(blocks);
            w.ascii("</soap:Header>");
        }
    }

    /** Writes a declared exception as a fault (SOAP-10). */
    static <E extends Exception> void exception(XmlWriter w, SoapVersion version, byte[] blocks, TextCodec<E> codec, Exception e) {
        w.ascii(version.start);
        w.bind(XmlDeclarations.of(codec));
        w.declarations();
        fault(w, version, blocks, SERVER, codec.name);
        @SuppressWarnings("unchecked") // The codec was chosen by the exception's class.
        E declared = (E) e;
        codec.encoder.write(w, codec.root, declared);
        end(w, version);
        w.checkSize(w.pos);
    }

    /** Writes an error of the closed list as a fault (SOAP-11). */
    static void error(XmlWriter w, SoapVersion version, byte[] blocks, CreoException e, FaultCode code) {
        w.ascii(version.start);
        w.bind(XmlDeclarations.NONE);
        fault(w, version, blocks, code != null ? code : isCallers(e.code()) ? CLIENT : SERVER, ServiceErrors.sound(e.reason()));
        w.ascii("<e:error xmlns:e=\"urn:creo:error\" code=\"" + e.code().word() + "\">");
        ServiceErrors.details(e).forEach((key, value) -> {
            w.ascii("<e:detail key=\"");
            w.escaped(ServiceErrors.sound(key), true);
            w.ascii("\">");
            w.escaped(ServiceErrors.sound(value), false);
            w.ascii("</e:detail>");
        });
        w.ascii("</e:error>");
        end(w, version);
    }

    /** Whether the caller is to blame for a fault with the code. */
    static boolean isCallers(ErrorCode code) {
        return switch (code) {
            case MALFORMED, INVALID_VALUE, TOO_LARGE, UNKNOWN_METHOD, UNAUTHENTICATED, PERMISSION_DENIED -> true;
            case DEADLINE_EXCEEDED, CANCELLED, UNAVAILABLE, OVERLOADED, PROTOCOL_MISMATCH, INTERNAL, UNTRUSTED_PEER -> false;
        };
    }

    private static void fault(XmlWriter w, SoapVersion version, byte[] blocks, FaultCode code, String text) {
        boolean own = code.namespace() == null;
        w.ascii(">");
        header(w, blocks);
        if (version == SoapVersion.V11) {
            w.ascii("<soap:Body><soap:Fault><faultcode" + (own ? ">soap:" : " xmlns:f=\"" + code.namespace() + "\">f:") + code.name() + "</faultcode><faultstring>");
            w.escaped(text, false);
            w.ascii("</faultstring><detail>");
        } else {
            String named = !own || code.name().equals("Client") ? "Sender" : code.name().equals("Server") ? "Receiver" : code.name();
            String sub = own ? "" : "<soap:Subcode><soap:Value xmlns:f=\"" + code.namespace() + "\">f:" + code.name() + "</soap:Value></soap:Subcode>";
            w.ascii("<soap:Body><soap:Fault><soap:Code><soap:Value>soap:" + named + "</soap:Value>" + sub + "</soap:Code><soap:Reason><soap:Text xml:lang=\"en\">");
            w.escaped(text, false);
            w.ascii("</soap:Text></soap:Reason><soap:Detail>");
        }
    }

    private static void end(XmlWriter w, SoapVersion version) {
        w.ascii(version == SoapVersion.V11 ? "</detail></soap:Fault>" : "</soap:Detail></soap:Fault>");
        w.ascii(END);
    }
}
