package creo.runtime.codegen;

import creo.runtime.internal.text.SoapVersion;
import java.util.ArrayList;
import java.util.List;

/** What text wires know of a method. For generated code. */
@SuppressWarnings("exports") // What names a type of the runtime within is for the runtime.
public final class TextMethod<A, R> implements MethodText<A, R> {
    /** SOAP-7. */
    public final String action;
    /** The version of SOAP in which clients write it, unless they are told otherwise (SOAP-24). */
    public final SoapVersion version;
    public final TextMessage<A> request;
    /** Null for a method that is never answered. */
    public final TextMessage<R> response;
    /** Whether its messages are those of SOAP encoding (SOAP-30). */
    public final boolean encoded;
    /** Whether clients write headers of WS-Addressing, unless they are told otherwise (SOAP-40). */
    public final boolean addressing;
    /** The declared exceptions, in declared order. */
    public final List<TextCodec<? extends Exception>> exceptions;

    private TextMethod(
        String action, SoapVersion version, boolean encoded, boolean addressing, TextMessage<A> request, TextMessage<R> response, List<TextCodec<? extends Exception>> exceptions
    ) {
        this.action = action;
        this.version = version;
        this.encoded = encoded;
        this.addressing = addressing;
        this.request = request;
        this.response = response;
        this.exceptions = exceptions;
    }

    @SafeVarargs
    public static <A, R> TextMethod<A, R> of(String action, TextMessage<A> request, TextMessage<R> response, TextCodec<? extends Exception>... exceptions) {
        List<TextCodec<? extends Exception>> all = new ArrayList<>();
        for (TextCodec<? extends Exception> each : exceptions) {
            all.add(each);
        }
        return new TextMethod<>(action, SoapVersion.V11, false, false, request, response, List.copyOf(all));
    }

    /** The same method, which clients write in SOAP 1.2 unless they are told otherwise. */
    public TextMethod<A, R> soap12() {
        return new TextMethod<>(action, SoapVersion.V12, false, addressing, request, response, exceptions);
    }

    /** The same method, whose messages are those of SOAP encoding. */
    public TextMethod<A, R> encoded() {
        return new TextMethod<>(action, SoapVersion.V11, true, addressing, request, response, exceptions);
    }

    /** The same method, whose requests have headers of WS-Addressing unless clients are told otherwise. */
    public TextMethod<A, R> addressing() {
        return new TextMethod<>(action, version, encoded, true, request, response, exceptions);
    }
}
