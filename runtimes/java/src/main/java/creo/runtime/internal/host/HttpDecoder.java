package creo.runtime.internal.host;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Limits;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.TextWire;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.buffer.Memory;
import creo.runtime.internal.buffer.PaddedBytes;
import creo.runtime.internal.call.RawHook;
import creo.runtime.internal.http.AnswerForm;
import creo.runtime.internal.http.Gzip;
import creo.runtime.internal.http.HttpFields;
import creo.runtime.internal.http.HttpMetadata;
import creo.runtime.internal.http.HttpRaw;
import creo.runtime.internal.http.HttpRequestHead;
import creo.runtime.internal.http.MediaType;
import creo.runtime.internal.http.ServiceErrors;
import creo.runtime.internal.http.ServicePlace;
import creo.runtime.internal.http.TextRequest;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Turns HTTP requests into calls. */
final class HttpDecoder {
    /**
     * A request that was received.
     *
     * @param arrived when its head was complete
     */
    record Request(HttpRequestHead head, PaddedBytes body, long arrived, IncomingCall.Caller caller) {}

    /** The parts of a request besides its message. */
    private record Arrival(Map<String, String> metadata, PaddedBytes body, long deadline, boolean limited) {}

    /** A request that is answered with an error. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        private final transient AnswerForm form;
        private final transient CreoException error;
        private final int status;

        Refused(AnswerForm form, CreoException error, int status) {
            super(error.reason(), error, false, false);
            this.form = form;
            this.error = error;
            this.status = status;
        }

        AnswerForm form() {
            return form;
        }

        CreoException error() {
            return error;
        }

        /** The explicit status, or 0 for that of the error. */
        int status() {
            return status;
        }
    }

    /** A request that is refused with an explicit status. */
    private static final class Refusal extends Exception {
        private static final long serialVersionUID = 1L;

        private final int status;

        Refusal(int status, String reason) {
            super(reason, null, false, false);
            this.status = status;
        }
    }

    private final HttpService service;
    private final HttpResponder reply;
    private final Limits limits;

    HttpDecoder(HttpService service, HttpResponder reply) {
        this.service = service;
        this.reply = reply;
        this.limits = service.host().limits();
    }

    /** The form of errors before anything of the request's body is known. */
    AnswerForm form(HttpService.Target target, HttpRequestHead head) {
        if (target instanceof HttpService.ByMessage message) {
            return message.wire().form(message.type(), limits);
        }
        MediaType type = MediaType.parse(head.fields().first("content-type"));
        return ((HttpService.ByPath) target).place().wireOf(type).form(type, limits);
    }

    /** Turns a request into a call. */
    HttpServerCall<?, ?> call(HttpService.Target target, Request request) throws Refused {
        HttpServerCall<?, ?> call = null;
        try {
            call = target instanceof HttpService.ByMessage message ? byMessage(message, request) : byPath((HttpService.ByPath) target, request);
            return call;
        } catch (Refusal e) {
            throw new Refused(form(target, request.head()), Failures.ofRuntime(ErrorCode.PROTOCOL_MISMATCH, e.getMessage()), e.status);
        } catch (TextRequest.Refusal e) {
            throw new Refused(e.form(), e.error(), 0);
        } catch (CreoException e) {
            throw new Refused(form(target, request.head()), e, 0);
        } catch (RuntimeException | Error e) {
            // A bug in this runtime, or no memory: the caller learns no more than that.
            throw new Refused(form(target, request.head()), ServiceErrors.internal("a request of " + request.caller().address(), e), 0);
        } finally {
            show(target, request, call == null ? null : call.method());
            if (call == null) {
                request.caller().memory().release();
            }
        }
    }

    /** Shows a request to the host's hook for raw messages. */
    private void show(HttpService.Target target, Request request, ServiceMethod<?, ?> read) {
        ServiceMethod<?, ?> method = read == null && target instanceof HttpService.ByPath path ? path.place().findOrNull(path.name()) : read;
        RawHook hook = service.host().rawHook(method, request.caller().address());
        if (hook != null) {
            new HttpRaw(hook, limits).show(false, 0, HttpRaw.fields(request.head().fields()), request.body().bytes(), request.body().length());
        }
    }

    private Arrival arrive(Request request) throws Refusal {
        service.checkServing();
        HttpFields fields = request.head().fields();
        Map<String, String> metadata = HttpMetadata.read(fields, limits);
        int milliseconds = HttpMetadata.timeout(fields.all("creo-timeout"));
        String encoding = fields.first("content-encoding");
        if (encoding != null && !encoding.equalsIgnoreCase("gzip") && !encoding.equalsIgnoreCase("identity")) {
            throw new Refusal(415, "a body may be compressed by gzip, and not otherwise");
        }
        Memory memory = request.caller().memory();
        PaddedBytes body = request.body();
        if ("gzip".equalsIgnoreCase(encoding)) {
            body = Gzip.decompress(body.bytes(), body.length(), limits, memory);
        } else {
            memory.charge(body.length());
            body = new PaddedBytes(body.bytes(), body.length(), memory);
        }
        return new Arrival(metadata, body, request.arrived() + TimeUnit.MILLISECONDS.toNanos(milliseconds), milliseconds >= 0);
    }

    private HttpServerCall<?, ?> byMessage(HttpService.ByMessage target, Request request) throws Refusal, TextRequest.Refusal {
        Arrival arrival = arrive(request);
        return read(target.wire(), target.place(), null, target.type(), request, arrival);
    }

    private HttpServerCall<?, ?> byPath(HttpService.ByPath target, Request request) throws Refusal, TextRequest.Refusal {
        ServicePlace place = target.place();
        MediaType type = MediaType.parse(request.head().fields().first("content-type"));
        ServiceMethod<?, ?> streaming = place.findStreaming(target.name());
        if (streaming != null) {
            return streaming(streaming, target, type, request);
        }
        TextWire wire = place.wireOf(type);
        if (!request.head().method().equals("POST")) {
            throw new Refusal(405, "a method is called by POST");
        }
        if (!(wire.claims(type) && wire.reads(type)) && !isEmpty(request)) {
            throw new Refusal(415, "a call is " + place.wiresByPath().stream().map(TextWire::expected).collect(Collectors.joining(" or ")) + ", in UTF-8");
        }
        if (isEmpty(request) && service.isForeign(request.head())) {
            // A page of another origin can send this without a preflight; any other call needs CORS.
            throw new Refusal(403, "a call from a page of another origin");
        }
        ServiceMethod<?, ?> method = place.find(target.name());
        return read(wire, place, method, type, request, arrive(request));
    }

    /**
     * Whether the body of a request is the stream of a method that takes one (HTTP-33): only its first line is the message.
     */
    boolean takesLines(HttpService.Target target, HttpRequestHead head) {
        if (!reply.hasPieces() || !(target instanceof HttpService.ByPath path) || !head.method().equals("POST")) {
            return false;
        }
        ServiceMethod<?, ?> method = path.place().findStreaming(path.name());
        String encoding = head.fields().first("content-encoding");
        return method != null && method.lines() != null && method.streams().takes() && streamWire(path.place()) != null
            && isLines(MediaType.parse(head.fields().first("content-type"))) && (encoding == null || encoding.equalsIgnoreCase("identity"));
    }

    private static boolean isLines(MediaType type) {
        return type != null && type.type().equals(HttpStreamAnswer.LINES) && type.isUtf8();
    }

    /** The wire that carries streams, or null. */
    private static TextWire streamWire(ServicePlace place) {
        return place.wiresByPath().stream().filter(TextWire::carriesStreams).findFirst().orElse(null);
    }

    /** A call of a method with streams. */
    private HttpServerCall<?, ?> streaming(ServiceMethod<?, ?> method, HttpService.ByPath target, MediaType type, Request request) throws Refusal, TextRequest.Refusal {
        TextWire wire = streamWire(target.place());
        if (wire == null || method.lines() == null) {
            throw method.notCarried();
        }
        if (!reply.hasPieces()) {
            throw HttpStreamAnswer.notHosted(method.toString());
        }
        if (!request.head().method().equals("POST")) {
            throw new Refusal(405, "a method is called by POST");
        }
        boolean takes = method.streams().takes();
        if (takes && (!isLines(type) || !takesLines(target, request.head()))) {
            throw new Refusal(415, "a call of " + method + ", which takes a stream, is " + HttpStreamAnswer.LINES + ", in UTF-8, and not compressed");
        }
        if (!takes && !isEmpty(request) && !(wire.claims(type) && wire.reads(type))) {
            throw new Refusal(415, "a call of " + method + " is " + wire.expected() + ", in UTF-8");
        }
        if (isEmpty(request) && service.isForeign(request.head())) {
            throw new Refusal(403, "a call from a page of another origin");
        }
        return read(wire, target.place(), method, type, request, arrive(request));
    }

    private HttpServerCall<?, ?> read(TextWire wire, ServicePlace place, ServiceMethod<?, ?> method, MediaType type, Request request, Arrival arrival)
            throws TextRequest.Refusal {
        HttpFields fields = request.head().fields();
        return call(request, wire.read(new TextRequest.Source(place, method, fields, type, arrival.body(), limits, request.caller().address())), arrival);
    }

    private <A, R> HttpServerCall<A, R> call(Request request, TextRequest<A, R> read, Arrival arrival) {
        return new HttpServerCall<>(RawResponder.of(reply, read.method()), service.host().entry(read.method()), request, read, arrival.metadata(), arrival.deadline(), arrival.limited());
    }

    /** Whether there is neither a body nor a media type. It is then a call of the first wire (JSON-20). */
    private static boolean isEmpty(Request request) {
        return !request.head().fields().has("content-type") && !request.head().chunked() && request.head().contentLength() <= 0;
    }
}
