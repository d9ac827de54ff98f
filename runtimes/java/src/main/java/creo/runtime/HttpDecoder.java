package creo.runtime;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Makes calls of requests over HTTP; or answers them with what is wrong. */
final class HttpDecoder {
    private final HttpListener listener;
    private final Limits limits;

    HttpDecoder(HttpListener listener) {
        this.listener = listener;
        this.limits = listener.limits();
    }

    /** What a request brings besides its message. */
    private record Arrival(Map<String, String> metadata, Gzip.Body body, long deadline, boolean limited) {}

    /** A request that is refused under a status of its own. */
    private static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        private final int status;

        Refused(int status, String reason) {
            super(reason, null, false, false);
            this.status = status;
        }
    }

    private Arrival arrive(HttpExchange exchange, long arrived) throws IOException, Refused {
        listener.checkServing();
        Headers headers = exchange.getRequestHeaders();
        Map<String, String> metadata = HttpMetadata.read(headers.entrySet(), limits);
        int milliseconds = HttpMetadata.timeout(headers.get(HttpMetadata.TIMEOUT));
        String encoding = headers.getFirst("Content-Encoding");
        if (encoding != null && !encoding.equalsIgnoreCase("gzip") && !encoding.equalsIgnoreCase("identity")) {
            throw new Refused(415, "a body may be compressed by gzip, and not otherwise");
        }
        Gzip.Body body = listener.body(exchange, headers);
        if ("gzip".equalsIgnoreCase(encoding)) {
            body = Gzip.decompress(body.bytes(), body.length(), limits);
        }
        return new Arrival(metadata, body, arrived + TimeUnit.MILLISECONDS.toNanos(milliseconds), milliseconds >= 0);
    }

    private <A, R> HttpServerCall<A, R> call(HttpExchange exchange, RequestReader.Taken<A, R> taken, Arrival arrival) {
        return new HttpServerCall<>(listener, exchange, taken, arrival.metadata(), arrival.deadline(), arrival.limited());
    }

    /** The call of a message of SOAP, or null. */
    HttpServerCall<?, ?> soap(HttpExchange exchange, ServicePlace place, MediaType type, long arrived) throws IOException {
        try {
            Arrival arrival = arrive(exchange, arrived);
            String action = action(exchange.getRequestHeaders(), type);
            return call(exchange, RequestReader.soap(place, type, action, arrival.body(), limits, HttpListener.peer(exchange)), arrival);
        } catch (Refused e) {
            listener.refuse(exchange, e.status, e.getMessage());
        } catch (RequestReader.Refusal e) {
            listener.sendError(exchange, e.form(), e.error());
        } catch (CreoException e) {
            listener.sendError(exchange, form(type), e);
        } catch (RuntimeException | Error e) {
            // A mistake of this runtime, or no memory: the caller is told no more than that.
            listener.sendError(exchange, form(type), IncomingCall.internal("a request of " + HttpListener.peer(exchange), e));
        }
        return null;
    }

    private AnswerForm form(MediaType type) {
        return new AnswerForm.Soap(limits, RequestReader.version(type), false, null);
    }

    /** The action that a request names, without quotes; null if it names none (HTTP-4). */
    private static String action(Headers headers, MediaType type) {
        String action = headers.getFirst("SOAPAction");
        if (action == null) {
            return type.parameter("action");
        }
        String bare = action.strip();
        return bare.length() >= 2 && bare.startsWith("\"") && bare.endsWith("\"") ? bare.substring(1, bare.length() - 1) : bare;
    }

    /** The call of a request without SOAP, to the method of a name (HTTP-11), or null. */
    HttpServerCall<?, ?> plain(HttpExchange exchange, ServicePlace place, String name, long arrived) throws IOException {
        MediaType type = MediaType.parse(exchange.getRequestHeaders().getFirst("Content-Type"));
        boolean packaged = isType(type, "multipart/related") && TableErrors.MEDIA_TYPE.equalsIgnoreCase(type.parameter("type"));
        boolean tables = packaged || isType(type, TableErrors.MEDIA_TYPE);
        AnswerForm form = tables ? new AnswerForm.Tables(limits, TableOptions.RECORD, false) : new AnswerForm.Json(limits);
        try {
            if (!exchange.getRequestMethod().equals("POST")) {
                exchange.getResponseHeaders().set("Allow", "POST");
                throw new Refused(405, "a method is called by POST");
            }
            if (!tables && !(isType(type, JsonProblem.JSON) && isUtf8(type)) && !isEmpty(exchange.getRequestHeaders()) || tables && !type.isReadable()) {
                throw new Refused(415, "a call is application/json or " + TableErrors.MEDIA_TYPE + ", in UTF-8");
            }
            ServicePlace.Found<?, ?> found = place.find(name);
            Arrival arrival = arrive(exchange, arrived);
            return tables ? call(exchange, table(found.entry(), type, arrival), arrival) : call(exchange, RequestReader.json(found.entry(), arrival.body(), limits), arrival);
        } catch (Refused e) {
            listener.sendError(exchange, form, CreoException.ofRuntime(ErrorCode.PROTOCOL_MISMATCH, e.getMessage()), e.status);
        } catch (CreoException e) {
            listener.sendError(exchange, form, e);
        } catch (RuntimeException | Error e) {
            listener.sendError(exchange, form, IncomingCall.internal("a request of " + HttpListener.peer(exchange), e));
        }
        return null;
    }

    /** Whether there is neither a body nor a media type: then the call is as good as one of JSON (JSON-20). */
    private static boolean isEmpty(Headers headers) {
        String length = headers.getFirst("Content-Length");
        return headers.getFirst("Content-Type") == null && !headers.containsKey("Transfer-Encoding") && (length == null || length.equals("0"));
    }

    private static boolean isType(MediaType type, String name) {
        return type != null && type.type().equals(name);
    }

    private static boolean isUtf8(MediaType type) {
        return type.parameter("charset") == null || type.parameter("charset").equalsIgnoreCase("utf-8");
    }

    private RequestReader.Taken<?, ?> table(Host.Entry<?, ?> entry, MediaType type, Arrival arrival) {
        return RequestReader.table(entry, type, arrival.body(), limits, (options, packaged) -> new AnswerForm.Tables(limits, options, packaged));
    }
}
