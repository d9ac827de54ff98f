package creo.runtime;

import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Makes calls of requests over HTTP. */
final class HttpDecoder {
    /**
     * A request that was received.
     *
     * @param arrived when its head had come
     */
    record Request(HttpRequestHead head, Gzip.Body body, long arrived, IncomingCall.Caller caller) {}

    /** What a request brings besides its message. */
    private record Arrival(Map<String, String> metadata, Gzip.Body body, long deadline, boolean limited) {}

    /** A request that is answered by an error. */
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

        /** The status of its own, or 0 for that of the error. */
        int status() {
            return status;
        }
    }

    /** A request that is refused under a status of its own. */
    private static final class Refusal extends Exception {
        private static final long serialVersionUID = 1L;

        private final int status;

        Refusal(int status, String reason) {
            super(reason, null, false, false);
            this.status = status;
        }
    }

    private final HttpService service;
    private final HttpServerConnection connection;
    private final Limits limits;

    HttpDecoder(HttpService service, HttpServerConnection connection) {
        this.service = service;
        this.connection = connection;
        this.limits = service.host().limits();
    }

    /** The form of errors of a request before anything of its body is known. */
    AnswerForm form(HttpService.Target target, HttpRequestHead head) {
        if (target instanceof HttpService.Soap soap) {
            return new AnswerForm.Soap(limits, RequestReader.version(soap.type()), false, null);
        }
        return isTable(MediaType.parse(head.fields().first("content-type"))) ? new AnswerForm.Tables(limits, TableOptions.RECORD, false) : new AnswerForm.Json(limits);
    }

    private static boolean isTable(MediaType type) {
        boolean packaged = isType(type, "multipart/related") && TableErrors.MEDIA_TYPE.equalsIgnoreCase(type.parameter("type"));
        return packaged || isType(type, TableErrors.MEDIA_TYPE);
    }

    /** The call that a request is. */
    HttpServerCall<?, ?> call(HttpService.Target target, Request request) throws Refused {
        HttpServerCall<?, ?> call = null;
        try {
            call = target instanceof HttpService.Soap soap ? soap(soap, request) : plain((HttpService.Plain) target, request);
            return call;
        } catch (Refusal e) {
            throw new Refused(form(target, request.head()), CreoException.ofRuntime(ErrorCode.PROTOCOL_MISMATCH, e.getMessage()), e.status);
        } catch (RequestReader.Refusal e) {
            throw new Refused(e.form(), e.error(), 0);
        } catch (CreoException e) {
            throw new Refused(form(target, request.head()), e, 0);
        } catch (RuntimeException | Error e) {
            // A mistake of this runtime, or no memory: the caller is told no more than that.
            throw new Refused(form(target, request.head()), IncomingCall.internal("a request of " + request.caller().address(), e), 0);
        } finally {
            if (call == null) {
                request.caller().memory().release();
            }
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
        Gzip.Body body = request.body();
        if ("gzip".equalsIgnoreCase(encoding)) {
            body = Gzip.decompress(body.bytes(), body.length(), limits, memory);
        } else {
            memory.charge(body.length());
            body = new Gzip.Body(body.bytes(), body.length(), memory);
        }
        return new Arrival(metadata, body, request.arrived() + TimeUnit.MILLISECONDS.toNanos(milliseconds), milliseconds >= 0);
    }

    private <A, R> HttpServerCall<A, R> call(Request request, RequestReader.Taken<A, R> taken, Arrival arrival) {
        return new HttpServerCall<>(connection, request, taken, arrival.metadata(), arrival.deadline(), arrival.limited());
    }

    private HttpServerCall<?, ?> soap(HttpService.Soap target, Request request) throws Refusal, RequestReader.Refusal {
        Arrival arrival = arrive(request);
        String action = action(request.head().fields(), target.type());
        return call(request, RequestReader.soap(target.place(), target.type(), action, arrival.body(), limits, request.caller().address()), arrival);
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

    private HttpServerCall<?, ?> plain(HttpService.Plain target, Request request) throws Refusal {
        HttpFields fields = request.head().fields();
        MediaType type = MediaType.parse(fields.first("content-type"));
        boolean tables = isTable(type);
        if (!request.head().method().equals("POST")) {
            throw new Refusal(405, "a method is called by POST");
        }
        if (!tables && !(isType(type, JsonProblem.JSON) && type.isUtf8()) && !isEmpty(request) || tables && !type.isReadable()) {
            throw new Refusal(415, "a call is application/json or " + TableErrors.MEDIA_TYPE + ", in UTF-8");
        }
        if (isEmpty(request) && service.isForeign(request.head())) {
            // A page of another origin can send this without asking first; all else that is a call needs CORS.
            throw new Refusal(403, "a call from a page of another origin");
        }
        ServicePlace.Found<?, ?> found = target.place().find(target.name());
        Arrival arrival = arrive(request);
        return tables ? call(request, table(found.entry(), type, arrival), arrival) : call(request, RequestReader.json(found.entry(), arrival.body(), limits), arrival);
    }

    /** Whether there is neither a body nor a media type: then the call is as good as one of JSON (JSON-20). */
    private static boolean isEmpty(Request request) {
        return !request.head().fields().has("content-type") && !request.head().chunked() && request.head().contentLength() <= 0;
    }

    private static boolean isType(MediaType type, String name) {
        return type != null && type.type().equals(name);
    }

    private RequestReader.Taken<?, ?> table(Host.Entry<?, ?> entry, MediaType type, Arrival arrival) {
        return RequestReader.table(entry, type, arrival.body(), limits, (options, packaged) -> new AnswerForm.Tables(limits, options, packaged));
    }
}
