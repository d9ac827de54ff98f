package creo.runtime.codegen;

import creo.runtime.internal.call.MethodStreams;
import creo.runtime.internal.text.SoapVersion;
import java.util.ArrayList;
import java.util.List;

/** What text wires know of a method. For generated code. */
@SuppressWarnings("exports") // Parameters of internal types are for the runtime only.
public final class TextMethod<A, R> implements ServiceMethod.Text<A, R> {
    /** The action of SOAP (SOAP-7). */
    public final String action;
    /** The SOAP version that clients use by default (SOAP-24). */
    public final SoapVersion version;
    public final TextMessage<A> request;
    /** Null for a method without an answer, and for one whose result is a stream. */
    public final TextMessage<R> response;
    /** The response on the soap wire, whose parts may be the fields of the result (SOAP-26, SOAP-100). Null for a method without an answer. */
    public final TextMessage<R> soapResponse;
    /** Whether its messages use SOAP encoding (SOAP-30). */
    public final boolean encoded;
    /** Whether clients write WS-Addressing headers by default (SOAP-40). */
    public final boolean addressing;
    /** The declared exceptions, in declared order. */
    public final List<TextCodec<? extends Exception>> exceptions;

    private final MethodStreams.Lines lines;

    private TextMethod(
        String action, SoapVersion version, boolean encoded, boolean addressing, TextMessage<A> request, TextMessage<R> response, TextMessage<R> soapResponse,
        List<TextCodec<? extends Exception>> exceptions, MethodStreams.Lines lines
    ) {
        this.action = action;
        this.version = version;
        this.encoded = encoded;
        this.addressing = addressing;
        this.request = request;
        this.response = response;
        this.soapResponse = soapResponse;
        this.exceptions = exceptions;
        this.lines = lines;
    }

    @SafeVarargs
    public static <A, R> TextMethod<A, R> of(String action, TextMessage<A> request, TextMessage<R> response, TextCodec<? extends Exception>... exceptions) {
        List<TextCodec<? extends Exception>> all = new ArrayList<>();
        for (TextCodec<? extends Exception> each : exceptions) {
            all.add(each);
        }
        return new TextMethod<>(action, SoapVersion.V11, false, false, request, response, response, List.copyOf(all), null);
    }

    /** The same method with another response on the soap wire. */
    public TextMethod<A, R> soap(TextMessage<R> message) {
        return new TextMethod<>(action, version, encoded, addressing, request, response, message, exceptions, lines);
    }

    /** The same method with SOAP 1.2 as the clients' default. */
    public TextMethod<A, R> soap12() {
        return new TextMethod<>(action, SoapVersion.V12, false, addressing, request, response, soapResponse, exceptions, lines);
    }

    /** The same method with messages in SOAP encoding. */
    public TextMethod<A, R> encoded() {
        return new TextMethod<>(action, SoapVersion.V11, true, addressing, request, response, soapResponse, exceptions, lines);
    }

    /** The same method with one stream, whose items are lines over HTTP. If the stream is its result, it has no response. */
    public TextMethod<A, R> lines(MethodStreams.Lines items) {
        return new TextMethod<>(action, version, encoded, addressing, request, response, soapResponse, exceptions, items);
    }

    @Override
    public MethodStreams.Lines lines() {
        return lines;
    }

    /** The same method, with WS-Addressing headers in requests by default. */
    public TextMethod<A, R> addressing() {
        return new TextMethod<>(action, version, encoded, true, request, response, soapResponse, exceptions, lines);
    }
}
